//! `percept lsp`: the language server.

use crate::args::Lsp;
use crate::failure::{Failure, OK, Outcome};

pub fn run(_: &Lsp) -> Outcome {
    percept_lsp::run().map(|()| OK).map_err(|error| Failure::new(format!("the language server ended: {error}")))
}
