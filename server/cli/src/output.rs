//! Where output goes: standard output for results, standard error for complaints and progress.

use std::io::{IsTerminal, Write};

use codespan_reporting::diagnostic::Diagnostic;
use codespan_reporting::files::Files;
use codespan_reporting::term::termcolor::{ColorChoice, StandardStream};
use codespan_reporting::term::{self, Config};
use serde::Serialize;

/// The version of the JSON schemas, where they have none of their own; see `schema.md` beside the sources.
pub(crate) const SCHEMA_VERSION: u32 = 1;

/// Prints text, and ends quietly when nobody reads on (`percept play ... | head`).
pub(crate) fn print(text: &str) {
    bytes(text.as_bytes());
}

/// As [`print()`], of text that may not be UTF-8.
pub(crate) fn bytes(text: &[u8]) {
    let mut out = std::io::stdout().lock();
    if out.write_all(text).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

pub(crate) fn println(text: &str) {
    print(&format!("{text}\n"));
}

/// Prints a result as JSON with the name and the version of its schema in front.
pub(crate) fn json(schema: &str, value: &impl Serialize) {
    println(&json_text(schema, value));
}

/// As [`json`], of a schema that has changed since its first version.
pub(crate) fn json_versioned(schema: &str, version: u32, value: &impl Serialize) {
    println(&text_of_version(schema, version, value));
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
    let mut out = stream.lock();
    for diagnostic in diagnostics {
        if term::emit_to_write_style(&mut out, &Config::default(), files, diagnostic).is_err() {
            std::process::exit(0);
        }
    }
}

/// Prints a complaint on standard error.
pub(crate) fn emit_error<'files, F: Files<'files>>(files: &'files F, diagnostic: &Diagnostic<F::FileId>) {
    let stream = StandardStream::stderr(color(std::io::stderr().is_terminal()));
    // Nothing can be done where standard error is gone.
    let _ = term::emit_to_write_style(&mut stream.lock(), &Config::default(), files, diagnostic);
}
