//! The output: results on standard output, errors and progress on standard error.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};

use codespan_reporting::diagnostic::{Diagnostic, LabelStyle, Severity};
use codespan_reporting::files::Files;
use codespan_reporting::term::termcolor::{ColorChoice, StandardStream, StandardStreamLock};
use codespan_reporting::term::{self, Config, WriteStyle};
use percept_report::clean::{Cleaner, clean, clean_json};
use serde::Serialize;

/// The version of the JSON schemas without a version of their own; see `schema.md` beside the sources.
pub(crate) const SCHEMA_VERSION: u32 = 1;

/// Prints text for people, cleaned of characters that act on a terminal. Ends quietly if the reader is closed (`percept
/// play ... | head`).
pub(crate) fn print(text: &str) {
    write(clean(text).as_bytes());
}

/// Like [`print()`], with a line break.
pub(crate) fn println(text: &str) {
    print(&format!("{text}\n"));
}

/// Prints a message beside the results, on standard error, cleaned as well.
pub(crate) fn say(text: &str) {
    // An error of standard error is ignored.
    let _ = writeln!(std::io::stderr(), "{}", clean(text));
}

/// Writes text for programs or files unchanged: a requested description, XML, a script for a shell. On a terminal it is
/// cleaned.
pub(crate) fn raw(text: &[u8]) {
    if std::io::stdout().is_terminal() {
        print(&String::from_utf8_lossy(text));
    } else {
        write(text);
    }
}

/// Writes JSON and a line break.
pub(crate) fn json_line(text: &str) {
    write(format!("{}\n", clean_json(text)).as_bytes());
}

/// The number of answers being printed.
static PRINTING: AtomicUsize = AtomicUsize::new(0);

/// True while output is being printed: the end of the process would cut it off.
pub(crate) fn is_printing() -> bool {
    PRINTING.load(Ordering::Relaxed) > 0
}

fn whole(print: impl FnOnce()) {
    PRINTING.fetch_add(1, Ordering::Relaxed);
    print();
    PRINTING.fetch_sub(1, Ordering::Relaxed);
}

fn write(bytes: &[u8]) {
    whole(|| {
        let mut out = std::io::stdout().lock();
        if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
            std::process::exit(0);
        }
    });
}

/// Prints a result as JSON with the name and the version of its schema in front.
pub(crate) fn json(schema: &str, value: &impl Serialize) {
    json_line(&json_text(schema, value));
}

/// Like [`json`], for a schema that has changed since its first version.
pub(crate) fn json_versioned(schema: &str, version: u32, value: &impl Serialize) {
    json_line(&text_of_version(schema, version, value));
}

/// A result as JSON with the name and the version of its schema in front.
pub(crate) fn json_text(schema: &str, value: &impl Serialize) -> String {
    text_of_version(schema, SCHEMA_VERSION, value)
}

fn text_of_version(schema: &str, version: u32, value: &impl Serialize) -> String {
    #[derive(Serialize)]
    struct Versioned<'a, T> {
        schema: String,
        version: u32,
        #[serde(flatten)]
        value: &'a T,
    }
    let value = Versioned { schema: format!("percept-{schema}"), version, value };
    serde_json::to_string_pretty(&value).expect("our own structures have string keys and finite numbers")
}

fn color(is_terminal: bool) -> ColorChoice {
    if is_terminal && std::env::var_os("NO_COLOR").is_none_or(|it| it.is_empty()) {
        ColorChoice::Auto
    } else {
        ColorChoice::Never
    }
}

/// Prints findings on standard output.
pub(crate) fn emit<'files, F: Files<'files>>(files: &'files F, diagnostics: &[Diagnostic<F::FileId>]) {
    let stream = StandardStream::stdout(color(std::io::stdout().is_terminal()));
    let mut out = Clean::new(stream.lock());
    whole(|| {
        for diagnostic in diagnostics {
            if term::emit_to_write_style(&mut out, &Config::default(), files, diagnostic).is_err() {
                std::process::exit(0);
            }
        }
    });
}

/// Prints an error on standard error.
pub(crate) fn emit_error<'files, F: Files<'files>>(files: &'files F, diagnostic: &Diagnostic<F::FileId>) {
    let stream = StandardStream::stderr(color(std::io::stderr().is_terminal()));
    // An error of standard error is ignored.
    let _ = term::emit_to_write_style(&mut Clean::new(stream.lock()), &Config::default(), files, diagnostic);
}

/// Cleans the text of findings, whose source lines are a stranger's, and lets their colours through.
struct Clean<'a> {
    out: StandardStreamLock<'a>,
    cleaner: Cleaner,
}

impl<'a> Clean<'a> {
    fn new(out: StandardStreamLock<'a>) -> Clean<'a> {
        Clean { out, cleaner: Cleaner::default() }
    }
}

impl Write for Clean<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut cleaned = String::new();
        self.cleaner.push(&String::from_utf8_lossy(bytes), &mut cleaned);
        self.out.write_all(cleaned.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

impl WriteStyle for Clean<'_> {
    fn set_header(&mut self, severity: Severity) -> std::io::Result<()> {
        self.out.set_header(severity)
    }

    fn set_header_message(&mut self) -> std::io::Result<()> {
        self.out.set_header_message()
    }

    fn set_line_number(&mut self) -> std::io::Result<()> {
        self.out.set_line_number()
    }

    fn set_note_bullet(&mut self) -> std::io::Result<()> {
        self.out.set_note_bullet()
    }

    fn set_source_border(&mut self) -> std::io::Result<()> {
        self.out.set_source_border()
    }

    fn set_label(&mut self, severity: Severity, style: LabelStyle) -> std::io::Result<()> {
        self.out.set_label(severity, style)
    }

    fn reset(&mut self) -> std::io::Result<()> {
        WriteStyle::reset(&mut self.out)
    }
}
