//! A finding, whatever rule it came from: of the text (`percept-analysis`) or of the game (`percept-judge`).

use crate::TextRange;

/// How bad it is. Errors make `percept check` fail.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Something that could be better.
    Hint,
    /// Something to know.
    Information,
    /// Probably a mistake.
    Warning,
    /// A mistake: the rules mean nothing, or not this.
    Error,
}

impl Severity {
    /// The word for it in JSON and in settings.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Hint => "hint",
            Severity::Information => "information",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A rule of the rule book: one constant per rule, in the rule's own file.
#[derive(Debug)]
pub struct Rule {
    /// Stable kebab-case name: `unknown-relation`.
    pub name: &'static str,
    /// Unless settings say otherwise.
    pub severity: Severity,
    /// The page of the rule book, Markdown: what, why, a bad and a good example, the source.
    pub page: &'static str,
}

/// Which file of an analysed set a range is in. A single file is number 0; a POGDDL pair has its domain at 0 and its
/// problem at 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct FileId(pub u32);

/// A place in one of the texts that a game came from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The file it is in.
    pub file: FileId,
    /// What of it.
    pub range: TextRange,
}

impl Place {
    /// True if the other place is a part of this one.
    pub fn contains(self, other: Place) -> bool {
        self.file == other.file && self.range.contains_range(other.range)
    }
}

/// Something that is wrong, or could be better, at its place.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Which rule says so.
    pub rule: &'static Rule,
    /// The rule's severity, unless settings changed it.
    pub severity: Severity,
    /// The file it is in.
    pub file: FileId,
    /// The exact token or tokens at fault.
    pub range: TextRange,
    /// What is wrong and what to do about it.
    pub message: String,
    /// Other places that matter, each with a short word.
    pub related: Vec<Related>,
    /// Repairs an editor can offer, best first.
    pub fixes: Vec<Fix>,
    /// How editors may show the place.
    pub tag: Option<Tag>,
    /// How many findings beside this one it stands for: a rule's thousands are not all shown.
    pub more: usize,
}

/// Another place that belongs to a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The file it is in.
    pub file: FileId,
    /// What of it.
    pub range: TextRange,
    /// What it has to do with it.
    pub message: String,
}

/// How editors may show a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tag {
    /// Shown faded.
    Unnecessary,
}

/// A repair: its edits do not overlap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, for a menu.
    pub title: String,
    /// None overlaps another.
    pub edits: Vec<TextEdit>,
}

/// A text that takes the place of a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// The file to change.
    pub file: FileId,
    /// What is replaced; empty where something is only inserted.
    pub range: TextRange,
    /// By what.
    pub insert: String,
}

impl Diagnostic {
    /// A finding with the rule's own severity, without fixes.
    pub fn new(rule: &'static Rule, file: FileId, range: TextRange, message: impl Into<String>) -> Self {
        Diagnostic {
            rule,
            severity: rule.severity,
            file,
            range,
            message: message.into(),
            related: Vec::new(),
            fixes: Vec::new(),
            tag: None,
            more: 0,
        }
    }

    /// The place at fault.
    pub fn place(&self) -> Place {
        Place { file: self.file, range: self.range }
    }

    /// Adds another place.
    pub fn related(mut self, file: FileId, range: TextRange, message: impl Into<String>) -> Self {
        self.related.push(Related { file, range, message: message.into() });
        self
    }

    /// Adds a way to repair it.
    pub fn fix(mut self, title: impl Into<String>, edits: Vec<TextEdit>) -> Self {
        self.fixes.push(Fix { title: title.into(), edits });
        self
    }

    /// Makes one finding of several alike: the others become places of this one, and where all have a repair, so does it.
    pub fn join(&mut self, others: &[Diagnostic]) {
        const SHOWN: usize = 10;
        self.message = format!("{} (and so in the next {} places)", self.message, others.len());
        for other in others.iter().take(SHOWN) {
            self.related.push(Related { file: other.file, range: other.range, message: "here too".into() });
        }
        let Some(own) = self.fixes.first_mut().filter(|_| others.iter().all(|other| !other.fixes.is_empty())) else {
            self.fixes.clear();
            return;
        };
        let mut edits = std::mem::take(&mut own.edits);
        edits.extend(others.iter().flat_map(|other| other.fixes[0].edits.iter().cloned()));
        edits.sort_by_key(|edit| (edit.file, edit.range.start, edit.range.end));
        edits.dedup();
        let overlap =
            edits.windows(2).any(|pair| pair[0].file == pair[1].file && pair[0].range.end > pair[1].range.start);
        let title = format!("{}, in all {} places", own.title, others.len() + 1);
        self.fixes.clear();
        if !overlap {
            self.fixes.push(Fix { title, edits });
        }
    }

    /// Marks the place as one that could be left out.
    pub fn unnecessary(mut self) -> Self {
        self.tag = Some(Tag::Unnecessary);
        self
    }
}
