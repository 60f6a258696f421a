//! A finding of any rule: of the text (`percept-analysis`) or of the game (`percept-judge`).

use crate::TextRange;

/// The severity of a finding. Errors make `percept check` fail.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// A possible improvement.
    Hint,
    /// A fact worth knowing.
    Information,
    /// Probably a mistake.
    Warning,
    /// A mistake: the rules have no meaning or an unintended one.
    Error,
}

impl Severity {
    /// The name of the severity in JSON and in settings.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Hint => "hint",
            Severity::Information => "information",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A rule of the rule book: one constant per rule, in the file of that rule.
#[derive(Debug)]
pub struct Rule {
    /// The stable kebab-case name, such as `unknown-relation`.
    pub name: &'static str,
    /// The default severity, which settings may change.
    pub severity: Severity,
    /// The page of the rule book in Markdown: the problem, the reason, a bad and a good example, the source.
    pub page: &'static str,
}

/// The number of a file in an analysed set. A single file is number 0; a POGDDL pair has its domain at 0 and its
/// problem at 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct FileId(pub u32);

/// A place in one of the texts of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The file that contains the place.
    pub file: FileId,
    /// The range in that file.
    pub range: TextRange,
}

impl Place {
    /// True if the other place is a part of this one.
    pub fn contains(self, other: Place) -> bool {
        self.file == other.file && self.range.contains_range(other.range)
    }
}

/// A problem or possible improvement at its place.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The rule that reported it.
    pub rule: &'static Rule,
    /// The rule's severity, unless settings changed it.
    pub severity: Severity,
    /// The file that contains it.
    pub file: FileId,
    /// The exact token or tokens at fault.
    pub range: TextRange,
    /// The problem and the way to repair it.
    pub message: String,
    /// Other relevant places, each with a short message.
    pub related: Vec<Related>,
    /// Repairs that an editor can offer, best first.
    pub fixes: Vec<Fix>,
    /// The style in which editors may show the place.
    pub tag: Option<Tag>,
    /// The number of further findings that this one represents: a rule with thousands of findings does not show all of
    /// them.
    pub more: usize,
}

/// Another place that belongs to a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The file that contains the place.
    pub file: FileId,
    /// The range in that file.
    pub range: TextRange,
    /// The relation of the place to the finding.
    pub message: String,
}

/// The style in which editors may show a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tag {
    /// Shown faded.
    Unnecessary,
}

/// A repair: a list of edits that do not overlap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The title of the repair in a menu.
    pub title: String,
    /// The edits, none of which overlaps another.
    pub edits: Vec<TextEdit>,
    /// True if no author has to look at it: the game stays the same, or the text allows no other repair.
    pub is_safe: bool,
}

impl Fix {
    /// A repair that an author should look at.
    pub fn new(title: impl Into<String>, edits: Vec<TextEdit>) -> Fix {
        Fix { title: title.into(), edits, is_safe: false }
    }

    /// The same repair, made without review.
    pub fn safe(self) -> Fix {
        Fix { is_safe: true, ..self }
    }
}

/// A text that replaces a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// The file to change.
    pub file: FileId,
    /// The replaced range; empty for an insertion.
    pub range: TextRange,
    /// The new text.
    pub insert: String,
}

impl Diagnostic {
    /// Creates a finding with the rule's own severity, without fixes.
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
        self.fixes.push(Fix::new(title, edits));
        self
    }

    /// Adds ways to repair it, if there are any.
    pub fn offer(mut self, fixes: impl IntoIterator<Item = Fix>) -> Self {
        self.fixes.extend(fixes);
        self
    }

    /// Adds a way to repair it that needs no review.
    pub fn safe_fix(mut self, title: impl Into<String>, edits: Vec<TextEdit>) -> Self {
        self.fixes.push(Fix::new(title, edits).safe());
        self
    }

    /// The repair to make without review, if there is one.
    pub fn safe_repair(&self) -> Option<&Fix> {
        self.fixes.first().filter(|fix| fix.is_safe)
    }

    /// Joins several similar findings: the places of `others` are added to this one, and if all have a fix, so are
    /// their fixes.
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
        let is_safe = own.is_safe;
        let mut edits = std::mem::take(&mut own.edits);
        edits.extend(others.iter().flat_map(|other| other.fixes[0].edits.iter().cloned()));
        edits.sort_by_key(|edit| (edit.file, edit.range.start, edit.range.end));
        edits.dedup();
        let overlap =
            edits.windows(2).any(|pair| pair[0].file == pair[1].file && pair[0].range.end > pair[1].range.start);
        let title = format!("{}, in all {} places", own.title, others.len() + 1);
        self.fixes.clear();
        if !overlap {
            self.fixes.push(Fix { title, edits, is_safe });
        }
    }

    /// Marks the place as one that may be left out.
    pub fn unnecessary(mut self) -> Self {
        self.tag = Some(Tag::Unnecessary);
        self
    }
}
