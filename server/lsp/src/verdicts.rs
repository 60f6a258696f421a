//! Verdicts on the knowledge of roles as findings in the text: at the rule for the role's percepts, with related
//! places.

use std::sync::Arc;

use percept_infoset::Property;
use percept_report::blame::{Blame, Rule};
use percept_report::repair::Insertion;
use percept_syntax::TextRange;
use tower_lsp::lsp_types::{Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, NumberOrString};

use crate::games;
use crate::positions::Encoding;
use crate::snapshot::{File, Snapshot};

/// The verdict about one game. Valid as long as none of its files changes.
#[derive(Debug)]
pub(crate) struct Verdict {
    files: Vec<Arc<File>>,
    notes: Vec<Note>,
}

/// One finding: the knowledge that a role lacks, the deciding place, and related places.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Note {
    /// Places in the list of the game's files.
    pub file: usize,
    pub range: TextRange,
    pub message: String,
    pub related: Vec<(usize, TextRange, String)>,
    /// The role, and the property that it does not know (`legal`, `terminal`, `goal`, `own`).
    pub about: Option<(String, &'static str)>,
    /// The repairs, each proved; `None` if they were not searched yet.
    pub repairs: Option<Vec<Insert>>,
}

/// Lines to insert into the game's files.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Insert {
    pub title: String,
    pub edits: Vec<Insertion>,
}

impl Note {
    /// A finding at the rule to blame for it.
    pub(crate) fn new(message: String, blame: &Blame) -> Note {
        let beside = |rule: &Rule| (rule.file, rule.mark, rule.says.clone());
        let related = blame.beside().map(beside).collect();
        match blame.place() {
            Some(rule) => {
                let message = format!("{message}\n{}", rule.says);
                Note { file: rule.file, range: rule.mark, message, related, about: None, repairs: None }
            }
            None => Note { file: 0, range: TextRange::at(0), message, related, about: None, repairs: None },
        }
    }

    /// Attaches the role and the property, so that a repair can be searched.
    pub(crate) fn about(self, role: &str, property: Property) -> Note {
        Note { about: Some((role.to_string(), property.name())), ..self }
    }
}

impl Verdict {
    pub(crate) fn new(files: Vec<Arc<File>>, notes: Vec<Note>) -> Verdict {
        Verdict { files, notes }
    }

    pub(crate) fn is_about(&self, file: &Arc<File>) -> bool {
        self.files.iter().any(|it| Arc::ptr_eq(it, file))
    }

    /// True if no file has changed since.
    pub(crate) fn is_current(&self, snapshot: &Snapshot) -> bool {
        self.files.iter().all(|file| games::file(snapshot, &file.uri).is_some_and(|now| Arc::ptr_eq(&now, file)))
    }

    /// The verdict with a new note in place of the previous one about the same finding.
    pub(crate) fn with(&self, note: Note) -> Verdict {
        let mut notes = self.notes.clone();
        match notes.iter_mut().find(|it| it.about == note.about) {
            Some(old) => old.repairs = note.repairs,
            None => notes.push(note),
        }
        Verdict { files: self.files.clone(), notes }
    }

    /// The findings of one of the files, with the places of their texts.
    pub(crate) fn notes<'a>(&'a self, file: &'a Arc<File>) -> impl Iterator<Item = &'a Note> {
        self.notes.iter().filter(|note| Arc::ptr_eq(&self.files[note.file], file))
    }

    /// The game's files.
    pub(crate) fn files(&self) -> &[Arc<File>] {
        &self.files
    }

    pub(crate) fn is_replaced_by(&self, newer: &Verdict) -> bool {
        self.files.len() == newer.files.len() && self.files.iter().zip(&newer.files).all(|(a, b)| a.uri == b.uri)
    }

    /// The findings in one of the files.
    pub(crate) fn findings(&self, snapshot: &Snapshot, file: &Arc<File>) -> Vec<Diagnostic> {
        let encoding = snapshot.encoding();
        let related = |(file, range, message): &(usize, TextRange, String)| DiagnosticRelatedInformation {
            location: self.files[*file].location(*range, encoding),
            message: message.clone(),
        };
        let here = self.notes.iter().filter(|note| Arc::ptr_eq(&self.files[note.file], file));
        here.map(|note| Diagnostic {
            related_information: (snapshot.session.client.related_information && !note.related.is_empty())
                .then(|| note.related.iter().map(related).collect()),
            ..diagnostic(note, file, encoding)
        })
        .collect()
    }
}

/// A finding without its related places.
pub(crate) fn diagnostic(note: &Note, file: &File, encoding: Encoding) -> Diagnostic {
    Diagnostic {
        range: file.range(note.range, encoding),
        severity: Some(DiagnosticSeverity::WARNING),
        code: Some(NumberOrString::String("observability".into())),
        source: Some("percept".into()),
        message: note.message.clone(),
        ..Default::default()
    }
}
