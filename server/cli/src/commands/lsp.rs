//! `percept lsp`: the language server.

use std::process::ExitCode;

pub(crate) fn run() -> ExitCode {
    percept_lsp::run()
}
