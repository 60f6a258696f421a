//! Collecting findings: severities, silencing, order, and one finding for one token.

use percept_syntax::{Source, SyntaxError, TextRange};
use rustc_hash::FxHashMap;

use crate::suppress::Suppressions;
use crate::{Diagnostic, FileId, Settings, Severity, rules};

/// What the rules found so far. A rule that runs later may ask whether a token has been reported already.
#[derive(Debug, Default)]
pub struct Findings {
    list: Vec<Diagnostic>,
    /// The severest finding of each exact range, by the rule that came first.
    by_range: FxHashMap<(FileId, TextRange), (&'static str, Severity)>,
    /// Places that another finding speaks for.
    explained: Vec<(FileId, TextRange)>,
}

impl Findings {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a finding, unless an earlier rule has said something at least as grave of exactly these tokens:
    /// one cause, one finding. The order of the rules is the order of precedence.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let key = (diagnostic.file, diagnostic.range);
        if self.explained.iter().any(|(file, range)| *file == key.0 && range.contains_range(key.1)) {
            return;
        }
        match self.by_range.get(&key) {
            Some((rule, severity)) if *rule != diagnostic.rule.name && *severity >= diagnostic.severity => return,
            Some(_) => {}
            None => {
                self.by_range.insert(key, (diagnostic.rule.name, diagnostic.severity));
            }
        }
        self.list.push(diagnostic);
    }

    /// Adds a finding that is the cause of what it lies in: explained or not, it is reported.
    pub fn push_cause(&mut self, diagnostic: Diagnostic) {
        let key = (diagnostic.file, diagnostic.range);
        self.by_range.entry(key).or_insert((diagnostic.rule.name, diagnostic.severity));
        self.list.push(diagnostic);
    }

    /// What was or will be found in this range has the same cause as another finding: it is not reported.
    pub fn explain(&mut self, file: FileId, range: TextRange) {
        self.list.retain(|d| d.file != file || !range.contains_range(d.range));
        self.explained.push((file, range));
    }

    /// Whether some rule has reported exactly this range.
    pub fn reported(&self, file: FileId, range: TextRange) -> bool {
        self.by_range.contains_key(&(file, range))
    }

    /// Whether a rule has reported something inside this range.
    pub fn reported_by(&self, rule: &str, file: FileId, range: TextRange) -> bool {
        self.list.iter().any(|d| d.rule.name == rule && d.file == file && range.contains_range(d.range))
    }

    /// Whether a rule has reported something, wherever.
    pub fn reported_anywhere(&self, rule: &str) -> bool {
        self.list.iter().any(|d| d.rule.name == rule)
    }

    /// Where errors and warnings begin in a file, sorted.
    pub fn places(&self, file: FileId) -> Vec<u32> {
        let grave = self.list.iter().filter(|d| d.file == file && d.severity >= Severity::Warning);
        let mut places: Vec<u32> = grave.map(|d| d.range.start).collect();
        places.sort_unstable();
        places
    }

    /// Reports the parser's errors of one file under the rule `syntax-error`.
    pub fn syntax_errors(&mut self, file: FileId, errors: &[SyntaxError]) {
        for error in errors {
            let mut diagnostic = Diagnostic::new(rules::syntax_error(), file, error.range, error.message.clone());
            if let Some((range, message)) = &error.related {
                diagnostic = diagnostic.related(file, *range, message.clone());
            }
            self.push(diagnostic);
        }
    }

    /// The findings as they are shown: settings and silencing comments applied, in the order of the text.
    /// `sources[n]` is the text of `FileId(n)`.
    pub fn finish(self, sources: &[Option<&Source>], settings: &Settings) -> Vec<Diagnostic> {
        let silenced: Vec<Suppressions> =
            sources.iter().map(|source| source.map(Suppressions::of).unwrap_or_default()).collect();
        let mut list = self.list;
        list.retain_mut(|diagnostic| {
            let Some(severity) = settings.severity(diagnostic.rule, diagnostic.severity) else { return false };
            diagnostic.severity = severity;
            let file = silenced.get(diagnostic.file.0 as usize);
            !file.is_some_and(|file| file.silence(diagnostic.rule.name, diagnostic.range))
        });
        list.sort_by(|a, b| sort_key(a).cmp(&sort_key(b)));
        list.dedup_by(|a, b| sort_key(a) == sort_key(b) && a.message == b.message);
        list
    }
}

fn sort_key(d: &Diagnostic) -> (FileId, u32, u32, std::cmp::Reverse<Severity>, &'static str) {
    (d.file, d.range.start, d.range.end, std::cmp::Reverse(d.severity), d.rule.name)
}
