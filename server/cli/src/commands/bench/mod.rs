//! `percept bench`: set-up time and speed.

mod lsp;

use crate::args::{Bench, BenchWhat};
use crate::failure::{Failure, Outcome};

pub fn run(args: &Bench) -> Outcome {
    match &args.what {
        BenchWhat::Lsp(args) => lsp::run(args),
        _ => Err(Failure::new("this command is not in this version yet")),
    }
}
