//! `percept bench`: set-up time and speed.

mod author;
mod beside;
mod engine;
mod exploited;
mod hostile;
mod lsp;
mod mutants;
mod nisg;
mod players;
mod prove;
mod sampler;
mod seen;
mod solve;
mod stopwatch;
mod table1;
mod table2;
mod typing;
mod wait;

use std::path::{Path, PathBuf};

use crate::args::{Bench, BenchWhat};
use crate::failure::{Failure, Outcome};

pub(crate) fn run(args: &Bench) -> Outcome {
    match &args.what {
        BenchWhat::Engine(args) => engine::run(args),
        BenchWhat::Prove(args) => prove::run(args),
        BenchWhat::Table1(args) => table1::run(args),
        BenchWhat::Table2(args) => table2::run(args),
        BenchWhat::Sampler(args) => sampler::run(args),
        BenchWhat::Solve(args) => solve::run(args),
        BenchWhat::Players(args) => players::run(args),
        BenchWhat::Exploited(args) => exploited::run(args),
        BenchWhat::Nisg(args) => nisg::run(args),
        BenchWhat::Lsp(args) => lsp::run(args),
        BenchWhat::Typing(args) => typing::run(args),
        BenchWhat::Hostile(args) => hostile::run(args),
        BenchWhat::Mutants(args) => mutants::run(args),
        BenchWhat::Author(args) => author::run(args),
        BenchWhat::Wait(args) => wait::run(args),
    }
}

/// The folder of the shipped games, used if no game is named.
///
/// # Errors
/// If it does not exist.
fn library() -> Result<PathBuf, Failure> {
    let games = Path::new("games");
    match games.is_dir() {
        true => Ok(games.to_path_buf()),
        false => Err(Failure::new("there is no folder `games` here").note("name the games to measure")),
    }
}
