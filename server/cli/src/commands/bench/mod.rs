//! `percept bench`: set-up time and speed.

mod beside;
mod engine;
mod hostile;
mod lsp;
mod nisg;
mod players;
mod prove;
mod sampler;
mod seen;
mod solve;
mod table1;
mod table2;

use crate::args::{Bench, BenchWhat};
use crate::failure::Outcome;

pub fn run(args: &Bench) -> Outcome {
    match &args.what {
        BenchWhat::Engine(args) => engine::run(args),
        BenchWhat::Prove(args) => prove::run(args),
        BenchWhat::Table1(args) => table1::run(args),
        BenchWhat::Table2(args) => table2::run(args),
        BenchWhat::Sampler(args) => sampler::run(args),
        BenchWhat::Solve(args) => solve::run(args),
        BenchWhat::Players(args) => players::run(args),
        BenchWhat::Nisg(args) => nisg::run(args),
        BenchWhat::Lsp(args) => lsp::run(args),
        BenchWhat::Hostile(args) => hostile::run(args),
    }
}
