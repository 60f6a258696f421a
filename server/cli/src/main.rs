//! The command line of Percept.
use std::process::ExitCode;

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("lsp") => percept_lsp::run(),
        _ => {
            eprintln!("usage: percept lsp");
            ExitCode::from(2)
        }
    }
}
