//! The commands for values of games, and exports.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Format, GameArgs, WorkArgs};

/// The method to solve a game.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SolveMethod {
    /// The linear program for small games, regret minimization for larger ones
    Auto,
    /// The linear program of the sequence form
    Lp,
    /// Counterfactual regret minimization with nonnegative regrets and linear averages
    #[value(name = "cfr+")]
    CfrPlus,
    /// The same with discounts
    Dcfr,
    /// The same with forecasts
    #[value(name = "pcfr+")]
    PcfrPlus,
    /// Regret minimization on samples, without a tree and without a proof
    Mccfr,
    /// The same; each sample tries all of one player's moves
    MccfrExternal,
    /// The same; each sample is one match
    MccfrOutcome,
}

/// The precision of a solution.
#[derive(Args, Clone, Debug)]
pub(crate) struct SolveArgs {
    /// The method
    #[arg(long, value_enum, default_value = "auto")]
    pub method: SolveMethod,
    /// Stop regret minimization at this exploitability (in units, see --unit)
    #[arg(long, default_value_t = 1e-4, value_parser = positive)]
    pub target: f64,
    /// Stop regret minimization after this many iterations
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub iterations: Option<u64>,
    /// The goal that counts as zero, to show values in the game's own units
    #[arg(long, default_value_t = 0.0, allow_hyphen_values = true, value_parser = finite)]
    pub zero: f64,
    /// The points of one unit, to show values in the game's own units
    #[arg(long, default_value_t = 1.0, value_parser = positive)]
    pub unit: f64,
}

fn file(text: &str) -> Result<PathBuf, String> {
    if text == "-" { Err("name a file; standard output is for the values".to_string()) } else { Ok(text.into()) }
}

fn finite(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "write a number".to_string())?;
    if number.is_finite() { Ok(number) } else { Err("write a number".to_string()) }
}

pub(crate) fn positive(text: &str) -> Result<f64, String> {
    finite(text).and_then(|it| if it > 0.0 { Ok(it) } else { Err("write a number above zero".to_string()) })
}

#[derive(Args, Debug)]
pub(crate) struct Solve {
    #[command(flatten)]
    pub game: GameArgs,
    #[command(flatten)]
    pub solve: SolveArgs,
    /// Instead of solving, evaluate the strategies in this file, or `uniform` ones: their values, and what each role
    /// gains by a best response
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["method", "target", "iterations", "strategy", "html"]
    )]
    pub evaluate: Option<PathBuf>,
    /// After sampling, compute best responses to the strategies found, which bound the values
    #[arg(long, conflicts_with = "evaluate")]
    pub bounds: bool,
    /// Write the strategies: a table of moves and probabilities per view (docs/solving.md)
    #[arg(long, value_name = "FILE", value_parser = file)]
    pub strategy: Option<PathBuf>,
    /// Draw the tree with the strategies into this file (SVG)
    #[arg(long, value_name = "FILE", value_parser = file, conflicts_with = "evaluate")]
    pub tree: Option<PathBuf>,
    /// Draw the tree down to this number of decisions
    #[arg(long, value_name = "N", requires = "tree")]
    pub depth: Option<usize>,
    /// Keep the state of regret minimization in this file, and continue from it if it is there
    #[arg(long, value_name = "FILE", value_parser = file, conflicts_with_all = ["evaluate", "bounds"])]
    pub checkpoint: Option<PathBuf>,
    /// Write a page with a plot of exploitability over time
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    #[command(flatten)]
    pub work: WorkArgs,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct Worth {
    #[command(flatten)]
    pub game: GameArgs,
    #[command(flatten)]
    pub solve: SolveArgs,
    /// Write a page with bars
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    #[command(flatten)]
    pub work: WorkArgs,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

/// The format of an exported game.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ExportTo {
    /// Gambit's extensive form, read by Gambit, OpenSpiel and the crate `cfr`
    Efg,
    /// The first rounds as clauses for SAT solvers
    Dimacs,
    /// A logic program for answer set solvers such as clingo
    Asp,
    /// Variables, constraint tables and conditional probability tables (Koriche et al. 2017)
    Scsp,
}

#[derive(Args, Debug)]
pub(crate) struct Export {
    #[command(flatten)]
    pub game: GameArgs,
    /// The format of the export
    #[arg(long, value_enum)]
    pub to: ExportTo,
    /// Number of rounds (dimacs: exactly, asp: at most)
    #[arg(long)]
    pub depth: Option<usize>,
    /// The most nodes of a tree (efg)
    #[arg(long, default_value_t = 5_000_000)]
    pub nodes: usize,
    /// Write to a file instead of standard output
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub work: WorkArgs,
    /// The format of the report, which goes to standard error if the export goes to standard output
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}
