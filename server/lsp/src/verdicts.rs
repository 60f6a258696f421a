//! Verdicts on what roles know as findings in the text: at the rule that could have told, with what belongs to it.

use std::sync::Arc;

use percept_report::blame::{Blame, Rule};
use percept_syntax::TextRange;
use tower_lsp::lsp_types::{Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, NumberOrString};

use crate::games;
use crate::snapshot::{File, Snapshot};

/// What was found out about one game. Holds as long as none of its files changes.
#[derive(Debug)]
pub struct Verdict {
    files: Vec<Arc<File>>,
    notes: Vec<Note>,
}

/// One finding: what a role cannot know, where that is decided, and places that belong to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// Places in the list of the game's files.
    pub file: usize,
    pub range: TextRange,
    pub message: String,
    pub related: Vec<(usize, TextRange, String)>,
}

impl Note {
    /// A finding at what is to blame for it.
    pub fn new(message: String, blame: &Blame) -> Note {
        let beside = |rule: &Rule| (rule.file, rule.mark, rule.says.clone());
        let related = blame.beside().map(beside).collect();
        match blame.place() {
            Some(rule) => {
                Note { file: rule.file, range: rule.mark, message: format!("{message}\n{}", rule.says), related }
            }
            None => Note { file: 0, range: TextRange::at(0), message, related },
        }
    }
}

impl Verdict {
    pub fn new(files: Vec<Arc<File>>, notes: Vec<Note>) -> Verdict {
        Verdict { files, notes }
    }

    pub fn is_about(&self, file: &Arc<File>) -> bool {
        self.files.iter().any(|it| Arc::ptr_eq(it, file))
    }

    /// Whether no file has changed since.
    pub fn is_current(&self, snapshot: &Snapshot) -> bool {
        self.files.iter().all(|file| games::file(snapshot, &file.uri).is_some_and(|now| Arc::ptr_eq(&now, file)))
    }

    pub fn is_replaced_by(&self, newer: &Verdict) -> bool {
        self.files.len() == newer.files.len() && self.files.iter().zip(&newer.files).all(|(a, b)| a.uri == b.uri)
    }

    /// The findings in one of the files.
    pub fn findings(&self, snapshot: &Snapshot, file: &Arc<File>) -> Vec<Diagnostic> {
        let encoding = snapshot.encoding();
        let related = |(file, range, message): &(usize, TextRange, String)| DiagnosticRelatedInformation {
            location: self.files[*file].location(*range, encoding),
            message: message.clone(),
        };
        let here = self.notes.iter().filter(|note| Arc::ptr_eq(&self.files[note.file], file));
        here.map(|note| Diagnostic {
            range: file.range(note.range, encoding),
            severity: Some(DiagnosticSeverity::WARNING),
            code: Some(NumberOrString::String("observability".into())),
            source: Some("percept".into()),
            message: note.message.clone(),
            related_information: (snapshot.session.client.related_information && !note.related.is_empty())
                .then(|| note.related.iter().map(related).collect()),
            ..Default::default()
        })
        .collect()
    }
}
