//! The reason why a command failed, and its message.

use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;

use codespan_reporting::diagnostic::{Diagnostic, Label};
use codespan_reporting::term::{self, Config};
use percept_report::files::{EXTENSIONS, FileError};
use percept_syntax::TextRange;

use crate::output;
use crate::pieces::Pieces;

/// The exit code of a command that found no problem.
pub(crate) const OK: u8 = 0;
/// The exit code of a command that found a problem.
pub(crate) const FOUND: u8 = 1;
/// The exit code of a command that failed.
pub(crate) const FAILED: u8 = 2;
/// The exit code of a command that left its question open, because time, memory or rounds were not enough.
pub(crate) const OPEN: u8 = 3;
/// The exit code after Ctrl-C, as in shells; partial results are printed.
pub(crate) const INTERRUPTED: u8 = 130;

/// The result of a command: its exit code, or the reason why it failed.
pub(crate) type Outcome = Result<u8, Failure>;

/// The reason why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A message with notes. `open`: the limits did not suffice, but nothing else failed.
    Plain { message: String, notes: Vec<String>, open: bool },
    /// Messages at places of files.
    Located(Vec<Place>),
}

/// A message at its place.
#[derive(Debug)]
pub(crate) struct Place {
    pub file: String,
    pub text: Arc<str>,
    pub range: TextRange,
    pub message: String,
    pub notes: Vec<String>,
}

impl Place {
    /// Prints the failure as a warning on standard error.
    pub(crate) fn warn(&self) {
        output::emit_error(&Pieces::new(&self.file, &self.text), &self.diagnostic(Diagnostic::warning()));
    }

    fn diagnostic(&self, of_kind: Diagnostic<()>) -> Diagnostic<()> {
        of_kind
            .with_message(&self.message)
            .with_labels(vec![Label::primary((), self.range.as_usize())])
            .with_notes(self.notes.clone())
    }
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Failure {
        Failure::Plain { message: message.into(), notes: Vec::new(), open: false }
    }

    /// A failure because time, memory or rounds were not enough.
    pub(crate) fn open(message: impl Into<String>) -> Failure {
        Failure::Plain { message: message.into(), notes: Vec::new(), open: true }
    }

    /// The exit code.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Failure::Plain { open: true, .. } => OPEN,
            Failure::Plain { .. } | Failure::Located(_) => FAILED,
        }
    }

    pub(crate) fn note(self, note: impl Into<String>) -> Failure {
        match self {
            Failure::Plain { message, mut notes, open } => {
                notes.push(note.into());
                Failure::Plain { message, notes, open }
            }
            Failure::Located(mut places) => {
                if let Some(last) = places.last_mut() {
                    last.notes.push(note.into());
                }
                Failure::Located(places)
            }
        }
    }

    /// The first message, in one line.
    pub(crate) fn summary(&self) -> String {
        match self {
            Failure::Plain { message, .. } => message.clone(),
            Failure::Located(places) => places.first().map_or(String::new(), |place| {
                let line = place.text[..place.range.start as usize].matches('\n').count() + 1;
                format!("{}:{line}: {}", place.file, place.message)
            }),
        }
    }

    /// A file that cannot be read or written.
    pub(crate) fn io(verb: &str, path: &Path, error: &std::io::Error) -> Failure {
        Failure::new(format!("cannot {verb} {}: {error}", path.display()))
    }

    /// Prints it on standard error.
    pub(crate) fn print(&self) {
        self.write_lines(&mut |text| output::say(text), &mut |file, diagnostic| output::emit_error(file, diagnostic));
    }

    /// The message as it is printed, without colours.
    pub(crate) fn text(&self) -> String {
        let text = RefCell::new(String::new());
        self.write_lines(&mut |line| text.borrow_mut().push_str(&format!("{line}\n")), &mut |file, diagnostic| {
            // Writing to a string does not fail; a place outside its text is left out.
            let shown = term::emit_into_string(&Config::default(), file, diagnostic).unwrap_or_default();
            text.borrow_mut().push_str(&shown);
        });
        text.into_inner()
    }

    fn write_lines(&self, line: &mut dyn FnMut(&str), located: &mut dyn FnMut(&Pieces<'_>, &Diagnostic<()>)) {
        match self {
            Failure::Plain { message, notes, .. } => {
                line(&format!("error: {message}"));
                notes.iter().for_each(|note| line(&format!("  = {note}")));
            }
            Failure::Located(places) => {
                for of_file in places.chunk_by(|one, other| Arc::ptr_eq(&one.text, &other.text)) {
                    let file = Pieces::new(&of_file[0].file, &of_file[0].text);
                    of_file.iter().for_each(|place| located(&file, &place.diagnostic(Diagnostic::error())));
                }
            }
        }
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Failure {
        let failure = Failure::new(error.to_string());
        match error {
            FileError::NoLanguage(_) => failure.note(format!("descriptions end in .{}", EXTENSIONS.join(", ."))),
            _ => failure,
        }
    }
}

impl From<rayon::ThreadPoolBuildError> for Failure {
    fn from(error: rayon::ThreadPoolBuildError) -> Failure {
        Failure::new(format!("no threads could be started: {error}"))
    }
}
