//! What can be written on the command line. One structure per command; what several share is flattened in.

mod author;
#[cfg(feature = "bench")]
mod bench;
mod knowledge;
mod learn;
mod players;
mod solve;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use author::*;
#[cfg(feature = "bench")]
pub(crate) use bench::*;
pub(crate) use knowledge::*;
pub(crate) use learn::*;
pub(crate) use players::*;
pub(crate) use solve::*;

const EXIT_CODES: &str = "Exit codes: 0 all is well; 1 something is wrong with the game (a finding, a refutation, an \
impossible view); 2 the command could not do its work; 3 nothing wrong was found, but time, memory or rounds did not \
suffice to settle what was asked; 130 stopped by Ctrl-C (what was found until then is printed).";

/// Check, step through and validate games of incomplete information, written in GDL-II or POGDDL.
#[derive(Parser, Debug)]
#[command(name = "percept", version, max_term_width = 100, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub command: Command,
    /// Stop before more memory than this is in use: `500M`, `8G`
    #[arg(long, global = true, value_name = "SIZE", value_parser = bytes)]
    pub memory: Option<usize>,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Find what is wrong with descriptions
    Check(Check),
    /// Print a page of the rule book
    Explain(Explain),
    /// Step through a match
    Step(Step),
    /// Play random matches and report on them
    Play(Play),
    /// List what a role cannot tell apart
    Infoset(Infoset),
    /// Judge whether every role knows its moves, the end and its goal along a match
    Observe(Observe),
    /// Judge whether every role knows its moves, the end and its goal in every match
    Prove(Prove),
    /// Recommend a move
    Advise(Advise),
    /// Find out what a game is worth to its roles, and how to play it
    Solve(Solve),
    /// Find out what every percept is worth
    Worth(Worth),
    /// Let players play, who see only what their roles perceive
    Match(Match),
    /// Play for managers elsewhere, over HTTP
    Player(Player),
    /// Let strategies play against each other, every pair with its roles exchanged
    Tournament(Tournament),
    /// Train a network to guess what the opponent hides
    Learn(Learn),
    /// Write a game for other tools
    Export(Export),
    /// Begin a new game
    New(New),
    /// Test whether games are as their authors expect
    Test(Test),
    /// Format descriptions
    Fmt(Fmt),
    /// Convert a GDL description between prefix and infix
    Convert(Convert),
    /// Generate a game of a paper at some size
    Generate(Generate),
    /// Run benchmarks
    #[cfg(feature = "bench")]
    Bench(Bench),
    /// Print what a shell needs to complete percept's arguments
    Completions(Completions),
    /// Print the manual page, or write one for each command
    Man(Man),
    /// Run the language server on standard input and output
    Lsp(Lsp),
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    Human,
    Json,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CheckFormat {
    Human,
    Json,
    Sarif,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReportFormat {
    Human,
    Json,
    Sarif,
    Html,
}

/// When a POGDDL match ends.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Terminal {
    /// When nobody has a legal move
    NoMoves,
    /// Also when the payoffs of all roles together are more than zero
    Payoff,
}

/// Which game.
#[derive(Args, Clone, Debug)]
pub(crate) struct GameArgs {
    /// A GDL description, or a POGDDL problem (its domain is looked for by name)
    pub game: PathBuf,
    /// The POGDDL domain, where it is not to be looked for
    #[arg(long, value_name = "FILE")]
    pub domain: Option<PathBuf>,
    /// When a POGDDL match ends, where the domain does not say
    #[arg(long, value_name = "RULE")]
    pub pogddl_terminal: Option<Terminal>,
}

/// How long and how random.
#[derive(Args, Clone, Debug)]
pub(crate) struct WorkArgs {
    /// Stop after this long: `30`, `0.5s`, `2m`
    #[arg(long, value_parser = duration)]
    pub time: Option<Duration>,
    /// Make a run repeatable
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
}

/// Seconds, or a number with `ms`, `s`, `m` or `h`.
fn duration(text: &str) -> Result<Duration, String> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let (number, unit) =
        units.iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, *seconds))).unwrap_or((text, 1.0));
    let number: f64 = number.trim().parse().map_err(|_| "write seconds, or a number with ms, s, m or h".to_string())?;
    Duration::try_from_secs_f64(number * unit).map_err(|_| "this is not a length of time".to_string())
}

/// A number of bytes, or one with `K`, `M` or `G`.
fn bytes(text: &str) -> Result<usize, String> {
    let units = [("K", 10), ("M", 20), ("G", 30)];
    let upper = text.trim().to_ascii_uppercase();
    let upper = upper.strip_suffix('B').unwrap_or(&upper);
    let (number, shift) =
        units.iter().find_map(|(unit, shift)| Some((upper.strip_suffix(unit)?, *shift))).unwrap_or((upper, 0));
    let wrong = || "write a number of bytes, or one with K, M or G".to_string();
    let number: f64 = number.trim().parse().map_err(|_| wrong())?;
    let bytes = number * (1u64 << shift) as f64;
    if (0.0..1e15).contains(&bytes) { Ok(bytes as usize) } else { Err(wrong()) }
}

#[derive(Args, Debug)]
pub(crate) struct Check {
    /// Files, or folders to search for descriptions
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    #[arg(long, value_enum, default_value = "human")]
    pub format: CheckFormat,
    /// Show hints, too (JSON and SARIF always hold them)
    #[arg(long)]
    pub all: bool,
    /// The POGDDL domain of every problem given, where it is not to be looked for
    #[arg(long, value_name = "FILE")]
    pub domain: Option<PathBuf>,
    /// Take the settings from this file instead of the nearest percept.toml
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Look at the text only: play nothing
    #[arg(long)]
    pub no_judge: bool,
    /// How long each game may be played to judge it, such as 200ms, 5s (one second where nothing is given)
    #[arg(long, value_parser = duration, value_name = "DURATION")]
    pub time: Option<Duration>,
    /// Write the match that shows a finding, for each that has one, into this folder: `percept step GAME TRACE` plays it
    #[arg(long, value_name = "FOLDER")]
    pub save_trace: Option<PathBuf>,
    /// Make repairs in the files, then check: the safe ones, or with `--fix=all` also those that guess what was meant. Every
    /// repair is checked before it counts
    #[arg(long, value_enum, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_missing_value = "safe")]
    pub fix: Option<Fixes>,
    /// Show the repairs as a patch, write nothing (exit code 1 if there are any)
    #[arg(long)]
    pub diff: bool,
    /// Check again whenever a file changes
    #[arg(long, conflicts_with_all = ["fix", "diff"])]
    pub watch: bool,
}

/// Which repairs are made.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fixes {
    /// Those that leave the game as it was, or without which it says nothing
    Safe,
    /// Also those that guess what was meant, such as a name that resembles another
    All,
}

#[derive(Args, Debug)]
pub(crate) struct Explain {
    /// The name of a rule; without one, all rules are listed
    pub rule: Option<String>,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

/// How a match is written down.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TraceForm {
    /// A joint move a line
    Rounds,
    /// A match record in JSON, as ggp-base writes it
    Match,
    /// An action a line (POGDDL)
    Plan,
    /// The messages that the role named by --role was sent
    View,
}

#[derive(Args, Debug)]
pub(crate) struct Step {
    #[command(flatten)]
    pub game: GameArgs,
    /// A trace to begin with
    pub trace: Option<PathBuf>,
    /// Print every round instead of opening the stepper
    #[arg(long)]
    pub print: bool,
    /// Write the trace in this form to standard output instead of opening the stepper
    #[arg(long, value_enum, value_name = "FORM", conflicts_with = "print")]
    pub write: Option<TraceForm>,
    /// Show only what this role knows
    #[arg(long, value_name = "NAME")]
    pub role: Option<String>,
    /// Show beside the moves how probable this file makes them (`percept solve --strategy FILE` writes one)
    #[arg(long, value_name = "FILE")]
    pub strategy: Option<PathBuf>,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
}

#[derive(Args, Debug)]
pub(crate) struct Play {
    #[command(flatten)]
    pub game: GameArgs,
    /// How many matches
    #[arg(short = 'n', long = "matches", default_value_t = 100)]
    pub matches: usize,
    /// Give up on a match after this many rounds
    #[arg(long, default_value_t = 10_000, value_name = "ROUNDS")]
    pub max_rounds: usize,
    /// Visit every state where there are at most this many
    #[arg(long, default_value_t = 100_000, value_name = "N")]
    pub states: usize,
    /// Say which rules, conditions and percepts the matches have met, and how often
    #[arg(long)]
    pub coverage: bool,
    /// Write the first match to a file (as a JSON match record where its name ends in .json)
    #[arg(long, value_name = "FILE")]
    pub save_trace: Option<PathBuf>,
    #[command(flatten)]
    pub work: WorkArgs,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct Fmt {
    /// Files, or folders to search for descriptions; `-` formats standard input
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Change nothing; exit with 1 and name the files that are not formatted
    #[arg(long)]
    pub check: bool,
}

/// A way to write GDL.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Notation {
    /// Prefix: `(<= head body)`
    Kif,
    /// Infix: `head :- body`
    Hrf,
}

#[derive(Args, Debug)]
pub(crate) struct Convert {
    pub file: PathBuf,
    #[arg(long, value_enum)]
    pub to: Notation,
    /// Write to a file instead of standard output
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct Generate {
    #[command(subcommand)]
    pub game: Generated,
    /// Write the problem to a file instead of standard output
    #[arg(short = 'o', long, value_name = "FILE", global = true)]
    pub output: Option<PathBuf>,
    /// Write the game's domain to a file, too
    #[arg(long, value_name = "FILE", global = true)]
    pub domain: Option<PathBuf>,
}

#[derive(Subcommand, Clone, Copy, Debug)]
pub(crate) enum Generated {
    /// Racko: put the cards of your rack in order
    Racko {
        #[arg(long, default_value_t = 10)]
        slots: usize,
        #[arg(long, default_value_t = 60)]
        cards: usize,
    },
    /// Battleship on a square board
    Battleship {
        #[arg(long, default_value_t = 10)]
        size: usize,
        #[arg(long, default_value_t = 5)]
        ships: usize,
    },
    /// Goofspiel with closed bids and prizes from the highest to the lowest, in GDL-II
    Goofspiel {
        #[arg(long, default_value_t = 15)]
        cards: usize,
    },
    /// GOPS: bid for cards
    Gops {
        #[arg(long, default_value_t = 10)]
        bids: usize,
        #[arg(long, default_value_t = 40)]
        extra: usize,
        /// Show both bids after each round, not only who won it
        #[arg(long)]
        open_bids: bool,
    },
}

#[derive(Args, Debug)]
pub(crate) struct Lsp {
    /// Accepted for editors that pass it; standard input and output are always used
    #[arg(long)]
    pub stdio: bool,
}
