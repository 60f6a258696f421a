//! Prints the syntax errors of files: `cargo run -p percept-syntax --example errors -- FILES`.

use percept_syntax::{Language, Source};

fn main() {
    for path in std::env::args().skip(1) {
        let text = String::from_utf8_lossy(&std::fs::read(&path).expect("a readable file")).into_owned();
        let language = match path.rsplit('.').next() {
            Some("pog" | "pddl") => Language::Pogddl,
            Some("hrf") => Language::GdlInfix,
            _ => Language::GdlPrefix,
        };
        let source = Source::parse(text, language);
        for error in &source.errors {
            let before = &source.text[..error.range.start as usize];
            let line = before.matches('\n').count() + 1;
            let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1;
            let text = &source.text[error.range.as_usize()];
            let name = path.rsplit('/').next().unwrap_or(&path);
            println!("{name}:{line}:{column}: {} [{}]", error.message, &text[..text.len().min(30)].escape_debug());
        }
    }
}
