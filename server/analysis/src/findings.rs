//! The list of findings: severities, silencing, order, and one finding per token.

use std::collections::{BTreeMap, BTreeSet};

use percept_syntax::{Charset, Source, SyntaxError, TextRange};
use rustc_hash::FxHashMap;

use crate::hints;
use crate::suppress::Suppressions;
use crate::{Diagnostic, FileId, Fix, Rule, Settings, Severity, TextEdit, rules};

/// This number of equal findings is joined into one.
const BLOCK: usize = 3;

/// Statements at this distance are still in one block: a copied block may have other statements between its own.
const NEIGHBOURS: usize = 2;

/// The most findings of one rule that are kept in full; only the places of further ones are kept. No author repairs
/// more before the next check, and all findings of a text that is wrong everywhere would take a hundred times its size.
pub(crate) const MOST: usize = 1000;

/// Findings of one rule that are counted and not shown.
#[derive(Clone, Debug)]
struct More {
    rule: &'static Rule,
    /// The places, each with a flag: true if the finding is reported even in an explained range.
    places: Vec<(TextRange, bool)>,
}

/// The findings so far. A later rule can query whether a token has been reported.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    list: Vec<Diagnostic>,
    /// The severest finding of each exact range, with the rule that reported it first.
    by_range: FxHashMap<(FileId, TextRange), (&'static str, Severity)>,
    /// Ranges explained by another finding: file and start to end. None is inside another.
    explained: BTreeMap<(FileId, u32), u32>,
    /// The places of each rule's findings, shown or counted.
    by_rule: FxHashMap<&'static str, BTreeSet<(FileId, TextRange)>>,
    /// The number of findings of each rule in the list.
    kept: FxHashMap<&'static str, usize>,
    /// The findings beyond [`MOST`].
    more: BTreeMap<(FileId, &'static str, Severity), More>,
    /// The places of the findings of each rule about a name.
    about: FxHashMap<(&'static str, String), Vec<(FileId, TextRange)>>,
}

impl Findings {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a finding, unless an earlier rule has reported exactly these tokens with at least the same severity: one
    /// cause, one finding. The order of the rules is the order of precedence.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let key = (diagnostic.file, diagnostic.range);
        if self.is_explained(key.0, key.1) {
            return;
        }
        match self.by_range.get(&key) {
            Some((rule, severity)) if *rule != diagnostic.rule.name && *severity >= diagnostic.severity => return,
            Some(_) => {}
            None => {
                self.by_range.insert(key, (diagnostic.rule.name, diagnostic.severity));
            }
        }
        self.add(diagnostic, false);
    }

    fn add(&mut self, diagnostic: Diagnostic, is_cause: bool) {
        self.by_rule.entry(diagnostic.rule.name).or_default().insert((diagnostic.file, diagnostic.range));
        let kept = self.kept.entry(diagnostic.rule.name).or_default();
        if *kept == MOST {
            let key = (diagnostic.file, diagnostic.rule.name, diagnostic.severity);
            let more = self.more.entry(key).or_insert(More { rule: diagnostic.rule, places: Vec::new() });
            return more.places.push((diagnostic.range, is_cause));
        }
        *kept += 1;
        self.list.push(diagnostic);
    }

    fn is_explained(&self, file: FileId, range: TextRange) -> bool {
        let before = self.explained.range(..=(file, range.start)).next_back();
        before.is_some_and(|((f, start), end)| *f == file && TextRange::new(*start, *end).contains_range(range))
    }

    /// Adds a finding that is the cause of the others in its range. It is reported even in an explained range.
    pub fn push_cause(&mut self, diagnostic: Diagnostic) {
        let key = (diagnostic.file, diagnostic.range);
        self.by_range.entry(key).or_insert((diagnostic.rule.name, diagnostic.severity));
        self.add(diagnostic, true);
    }

    /// Drops all findings in this range, past and future: they have the same cause as another finding.
    pub fn explain(&mut self, file: FileId, range: TextRange) {
        let mut is_reported = false;
        for places in self.by_rule.values_mut() {
            let from = places.range((file, TextRange::at(range.start))..);
            let near = from.take_while(|(f, r)| *f == file && r.start <= range.end);
            let inside: Vec<_> = near.filter(|(_, r)| range.contains_range(*r)).copied().collect();
            is_reported |= !inside.is_empty();
            for place in &inside {
                places.remove(place);
            }
        }
        if is_reported {
            self.list.retain(|d| d.file != file || !range.contains_range(d.range));
            self.kept.clear();
            self.list.iter().for_each(|d| *self.kept.entry(d.rule.name).or_default() += 1);
        }
        if self.is_explained(file, range) {
            return;
        }
        let within = self.explained.range((file, range.start)..=(file, range.end));
        let inside: Vec<_> = within.filter(|(_, end)| **end <= range.end).map(|(key, _)| *key).collect();
        for key in &inside {
            self.explained.remove(key);
        }
        self.explained.insert((file, range.start), range.end);
    }

    /// True if a rule has reported exactly this range.
    pub fn reported(&self, file: FileId, range: TextRange) -> bool {
        self.by_range.contains_key(&(file, range))
    }

    /// True if `rule` has reported a range inside this one.
    pub fn reported_by(&self, rule: &Rule, file: FileId, range: TextRange) -> bool {
        let Some(places) = self.by_rule.get(rule.name) else { return false };
        let from = (file, TextRange::at(range.start));
        places
            .range(from..)
            .take_while(|(f, r)| *f == file && r.start <= range.end)
            .any(|(_, r)| range.contains_range(*r))
    }

    /// Adds a finding about a name, for [`Self::has_told_of`].
    pub fn push_about(&mut self, name: &str, diagnostic: Diagnostic) {
        let places = self.about.entry((diagnostic.rule.name, name.to_owned())).or_default();
        places.push((diagnostic.file, diagnostic.range));
        self.push(diagnostic);
    }

    /// True if `rule` has reported a finding about `name`.
    pub fn has_told_of(&self, rule: &Rule, name: &str) -> bool {
        let places = self.about.get(&(rule.name, name.to_owned())).into_iter().flatten();
        self.by_rule.get(rule.name).is_some_and(|reported| places.into_iter().any(|place| reported.contains(place)))
    }

    /// True if `rule` has reported anything in any file.
    pub fn reported_anywhere(&self, rule: &Rule) -> bool {
        self.by_rule.get(rule.name).is_some_and(|places| !places.is_empty())
    }

    /// Returns the starts of the errors and warnings in a file, sorted.
    pub fn places(&self, file: FileId) -> Vec<u32> {
        let grave = self.list.iter().filter(|d| d.file == file && d.severity >= Severity::Warning);
        let mut places: Vec<u32> = grave.map(|d| d.range.start).collect();
        places.sort_unstable();
        places
    }

    /// Reports the parser's errors of one file under the rule `syntax-error`.
    pub fn syntax_errors(&mut self, file: FileId, errors: &[SyntaxError]) {
        errors.iter().for_each(|error| self.syntax_error(file, error, Vec::new()));
    }

    /// Reports one of the parser's errors, with its repairs.
    pub(crate) fn syntax_error(&mut self, file: FileId, error: &SyntaxError, fixes: Vec<Fix>) {
        let mut diagnostic = Diagnostic::new(rules::syntax_error(), file, error.range, error.message.clone());
        if let Some((range, message)) = &error.related {
            diagnostic = diagnostic.related(file, *range, message.clone());
        }
        self.push(diagnostic.offer(fixes));
    }

    /// Reports that a file is not written in UTF-8.
    pub fn charset(&mut self, file: FileId, charset: Charset) {
        if charset != Charset::default() {
            let message = format!(
                "this file is encoded in {}, not UTF-8: it is read, and edits keep this encoding",
                charset.name()
            );
            self.add(Diagnostic::new(rules::other_encoding(), file, TextRange::at(0), message), true);
        }
    }

    /// The range of each finding, shown or counted, and every other range that it shows or edits.
    pub(crate) fn all_ranges(&self) -> impl Iterator<Item = TextRange> + '_ {
        let shown = self.list.iter().flat_map(|finding| {
            let edits = finding.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| edit.range);
            edits.chain(finding.related.iter().map(|related| related.range)).chain([finding.range])
        });
        shown.chain(self.by_rule.values().flatten().map(|(_, range)| *range))
    }

    /// The rule, the range and the message of each finding that is shown.
    pub(crate) fn names(&self) -> impl Iterator<Item = (&'static str, TextRange, &str)> {
        self.list.iter().map(|finding| (finding.rule.name, finding.range, finding.message.as_str()))
    }

    /// The whole list as text, for comparison in tests.
    pub(crate) fn listing(&self) -> String {
        format!("{:?} {:?}", self.list, self.more)
    }

    /// True if there are enough findings for [`Findings::gather`] to join equal ones.
    pub(crate) fn are_many(&self) -> bool {
        self.list.len() >= BLOCK
    }

    /// Joins repeated findings: if one rule reports the same message in neighbouring statements, as in a block that was
    /// copied, the first finding represents them all. `statements` are the ranges of the file's statements in the order
    /// of the text. Hints and syntax errors are not joined.
    pub fn gather(&mut self, file: FileId, statements: &[TextRange]) {
        let mut groups: BTreeMap<(&'static str, String), Vec<(usize, usize)>> = BTreeMap::new();
        for (number, finding) in self.list.iter().enumerate() {
            // Each unreadable place needs a repair of its own, so each is shown.
            let is_syntax = finding.rule.name == rules::syntax_error().name;
            if finding.file == file && finding.severity >= Severity::Warning && !is_syntax {
                let at = statements.partition_point(|statement| statement.end <= finding.range.start);
                groups.entry((finding.rule.name, finding.message.clone())).or_default().push((at, number));
            }
        }
        let mut gone = BTreeSet::new();
        for places in groups.values_mut() {
            places.sort_unstable_by_key(|(at, number)| (*at, self.list[*number].range.start));
            let mut rest = &places[..];
            while let Some((first, _)) = rest.split_first() {
                let run = 1 + rest.windows(2).take_while(|pair| pair[1].0 - pair[0].0 <= NEIGHBOURS).count();
                let (block, behind) = rest.split_at(run);
                rest = behind;
                if run >= BLOCK {
                    let others: Vec<Diagnostic> = block[1..].iter().map(|(_, n)| self.list[*n].clone()).collect();
                    self.list[first.1].join(&others);
                    gone.extend(block[1..].iter().map(|(_, number)| *number));
                }
            }
        }
        let mut number = 0;
        self.list.retain(|_| {
            number += 1;
            !gone.contains(&(number - 1))
        });
    }

    /// Returns the findings to show, with settings and silencing comments applied, in the order of the text.
    /// `sources[n]` is the text of `FileId(n)`.
    pub fn finish(self, sources: &[Option<&Source>], settings: &Settings) -> Vec<Diagnostic> {
        let silenced: Vec<Suppressions> =
            sources.iter().map(|source| source.map(Suppressions::of).unwrap_or_default()).collect();
        let mut list = Vec::new();
        for ((file, _, severity), more) in &self.more {
            list.extend(self.told_together(*file, *severity, more, &silenced));
        }
        list.extend(self.list);
        for (file, comments) in silenced.iter().enumerate() {
            list.extend(
                comments
                    .unknown(settings)
                    .map(|(name, range)| unknown_rule(FileId(file as u32), name, range, settings)),
            );
        }
        for (file, source) in sources.iter().enumerate() {
            list.extend(
                source.iter().flat_map(|source| hints::slips(rules::unknown_hint(), FileId(file as u32), source)),
            );
        }
        list.retain_mut(|diagnostic| is_wanted(diagnostic, &silenced, settings));
        list.sort_by(|a, b| sort_key(a).cmp(&sort_key(b)));
        list.dedup_by(|a, b| sort_key(a) == sort_key(b) && a.message == b.message);
        list
    }

    /// Joins all findings of a rule that are not shown into one, at the place of the first.
    fn told_together(
        &self,
        file: FileId,
        severity: Severity,
        more: &More,
        silenced: &[Suppressions],
    ) -> Option<Diagnostic> {
        let rule = more.rule;
        let is_silent =
            |range| silenced.get(file.0 as usize).is_some_and(|comments| comments.silence(rule.name, range));
        let is_told = |(range, is_cause): &&(TextRange, bool)| *is_cause || !self.is_explained(file, *range);
        let mut places: Vec<TextRange> =
            more.places.iter().filter(is_told).map(|(range, _)| *range).filter(|range| !is_silent(*range)).collect();
        places.sort_unstable_by_key(|range| (range.start, range.end));
        places.dedup();
        let message = match places.len() {
            1 => format!("and one more finding of `{}`: {MOST} are shown", rule.name),
            count => format!("and {count} more findings of `{}`: {MOST} are shown", rule.name),
        };
        let mut finding = Diagnostic::new(rule, file, *places.first()?, message);
        finding.severity = severity;
        finding.more = places.len() - 1;
        Some(finding)
    }
}

/// Applies settings and silencing comments to findings from elsewhere. `sources[n]` is the text of `FileId(n)`.
pub fn heed(mut findings: Vec<Diagnostic>, sources: &[Option<&Source>], settings: &Settings) -> Vec<Diagnostic> {
    let silenced: Vec<Suppressions> =
        sources.iter().map(|source| source.map(Suppressions::of).unwrap_or_default()).collect();
    findings.retain_mut(|diagnostic| is_wanted(diagnostic, &silenced, settings));
    findings
}

/// Returns a finding for each name in a silencing comment that is not a rule.
pub(crate) fn unknown_names(source: &Source, settings: &Settings) -> Vec<Diagnostic> {
    let comments = Suppressions::of(source);
    let finding = |(name, range)| unknown_rule(FileId(0), name, range, settings);
    let mut list: Vec<Diagnostic> = comments.unknown(settings).map(finding).collect();
    list.extend(hints::slips(rules::unknown_hint(), FileId(0), source));
    list.retain_mut(|diagnostic| is_wanted(diagnostic, &[], settings));
    list
}

/// True if the finding is shown. Sets its severity to that of the settings.
fn is_wanted(diagnostic: &mut Diagnostic, silenced: &[Suppressions], settings: &Settings) -> bool {
    let Some(severity) = settings.severity(diagnostic.rule, diagnostic.severity) else { return false };
    diagnostic.severity = severity;
    let file = silenced.get(diagnostic.file.0 as usize);
    !file.is_some_and(|file| file.silence(diagnostic.rule.name, diagnostic.range))
}

/// Reports a name in an `allow` comment that is not a rule.
fn unknown_rule(file: FileId, name: &str, range: TextRange, settings: &Settings) -> Diagnostic {
    let rule = rules::unknown_rule();
    let names = rules::all().iter().map(|rule| rule.name).chain(settings.others.iter().copied());
    match crate::gdl::nearest(name, names) {
        Some(near) => {
            let edit = TextEdit { file, range, insert: near.to_string() };
            let message = format!("{}, so this comment silences nothing: did you mean `{near}`?", rules::no_rule(name));
            Diagnostic::new(rule, file, range, message).fix(format!("Change to `{near}`"), vec![edit])
        }
        None => {
            let message = format!(
                "{}, so this comment silences nothing: `percept explain` lists the rules",
                rules::no_rule(name)
            );
            Diagnostic::new(rule, file, range, message)
        }
    }
}

fn sort_key(d: &Diagnostic) -> (FileId, u32, u32, std::cmp::Reverse<Severity>, &'static str) {
    (d.file, d.range.start, d.range.end, std::cmp::Reverse(d.severity), d.rule.name)
}
