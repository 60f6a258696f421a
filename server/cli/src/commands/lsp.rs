//! `percept lsp`: the language server.

use std::process::ExitCode;

pub fn run() -> ExitCode {
    percept_lsp::run()
}
