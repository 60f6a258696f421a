//! The command line. One structure per command; shared options are flattened in.

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

const EXIT_CODES: &str = "\
Exit codes:
    0  no problem
    1  a problem in the game (a finding, a refutation, an impossible view)
    2  the command failed
    3  undecided within the limits of time, memory or rounds
  130  stopped by Ctrl-C (partial results are printed)";

/// Check, step through and validate games of incomplete information, written in GDL-II or POGDDL.
#[derive(Parser, Debug)]
#[command(name = "percept", version, max_term_width = 100, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub command: Command,
    /// Stop before the program uses more memory than this: `500M`, `8G`
    #[arg(long, global = true, value_name = "SIZE", value_parser = bytes)]
    pub memory: Option<usize>,
    /// Read and write only files below this folder; may be given several times
    #[arg(long, global = true, value_name = "FOLDER")]
    pub within: Vec<PathBuf>,
    /// Progress on standard error: a line that changes, or each message on a line of its own, for other programs
    #[arg(long, global = true, value_enum, default_value = "auto", hide = true)]
    pub progress: Progress,
}

/// The form of progress.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Progress {
    /// A line that changes, if standard error is a terminal
    Auto,
    /// Each message on a line that begins with `progress: `
    Lines,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Find mistakes in descriptions
    Check(Check),
    /// Explain a rule: what it finds, why, and a wrong and a right text
    Explain(Explain),
    /// Step through a match
    Step(Step),
    /// Play random matches and report on them
    Play(Play),
    /// List the histories that a role cannot tell apart
    Infoset(Infoset),
    /// Check that every role knows its moves, the end and its goal along a match
    Observe(Observe),
    /// Prove or refute that every role knows its moves, the end and its goal in every match
    Prove(Prove),
    /// Recommend a move
    Advise(Advise),
    /// Compute the value of a game to its roles, and how to play it
    Solve(Solve),
    /// Compute the worth of every percept
    Worth(Worth),
    /// Play matches between players that see only their own percepts
    Match(Match),
    /// Let people play a game in their browsers: each page shows only what one role knows
    Table(Table),
    /// Report what people did at a table: times, what they did not understand, surprise
    Debrief(Debrief),
    /// Serve a player to match managers over HTTP
    Player(Player),
    /// Play every pair of strategies against each other, with roles exchanged
    Tournament(Tournament),
    /// Train a network to guess the opponent's hidden moves
    Learn(Learn),
    /// Write a game for other tools
    Export(Export),
    /// Create a new game
    New(New),
    /// Compare games with their expectations
    Test(Test),
    /// Format descriptions
    Fmt(Fmt),
    /// Convert a GDL description between prefix and infix
    Convert(Convert),
    /// Generate a game from a paper, in any size
    Generate(Generate),
    /// Run benchmarks
    #[cfg(feature = "bench")]
    Bench(Bench),
    /// Generate shell completions
    Completions(Completions),
    /// Print the manual page, or write one for each command
    Man(Man),
    /// Run the language server on standard input and output
    Lsp(Lsp),
    /// Give assistants the tools over the Model Context Protocol, on standard input and output
    Mcp(Mcp),
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

/// The end of a POGDDL match.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Terminal {
    /// When no role has a legal move
    NoMoves,
    /// Also when the payoffs of all roles add up to more than zero
    Payoff,
}

/// The game of a command.
#[derive(Args, Clone, Debug)]
pub(crate) struct GameArgs {
    /// A GDL description, or a POGDDL problem (its domain is searched by name)
    pub game: PathBuf,
    /// The POGDDL domain, instead of a search by name
    #[arg(long, value_name = "FILE")]
    pub domain: Option<PathBuf>,
    /// The end of a POGDDL match, if the domain does not define it
    #[arg(long, value_name = "RULE")]
    pub pogddl_terminal: Option<Terminal>,
}

/// Time and randomness of a command.
#[derive(Args, Clone, Debug)]
pub(crate) struct WorkArgs {
    /// Stop after this time: `30`, `0.5s`, `2m`
    #[arg(long, value_parser = duration)]
    pub time: Option<Duration>,
    /// Seed of the random numbers, to repeat a run
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
}

/// Parses seconds, or a number with `ms`, `s`, `m` or `h`.
fn duration(text: &str) -> Result<Duration, String> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let (number, unit) =
        units.iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, *seconds))).unwrap_or((text, 1.0));
    let number: f64 = number.trim().parse().map_err(|_| "write seconds, or a number with ms, s, m or h".to_string())?;
    Duration::try_from_secs_f64(number * unit).map_err(|_| "this is not a valid duration".to_string())
}

/// Parses a number of bytes, or one with `K`, `M` or `G`.
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
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: CheckFormat,
    /// Show hints, too (JSON and SARIF always include them)
    #[arg(long)]
    pub all: bool,
    /// The POGDDL domain of all given problems, instead of a search by name
    #[arg(long, value_name = "FILE")]
    pub domain: Option<PathBuf>,
    /// Read the settings from this file instead of the nearest percept.toml
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Check the text only, without playing the game
    #[arg(long)]
    pub no_judge: bool,
    /// Time to play each game, such as `200ms` or `5s` [default: as much as takes 1s on a usual machine]
    #[arg(long, value_parser = duration, value_name = "DURATION")]
    pub time: Option<Duration>,
    /// Save the match of each finding to this folder; `percept step GAME TRACE` plays it
    #[arg(long, value_name = "FOLDER")]
    pub save_trace: Option<PathBuf>,
    /// Repair the files, then check them. `--fix` makes safe repairs, `--fix=all` also guesses. Every repair is
    /// verified first
    #[arg(long, value_enum, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_missing_value = "safe")]
    pub fix: Option<Fixes>,
    /// Show the repairs as a patch without writing them (exit code 1 if there are any)
    #[arg(long)]
    pub diff: bool,
    /// Check again after every change
    #[arg(long, conflicts_with_all = ["fix", "diff"])]
    pub watch: bool,
}

/// The repairs to make.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fixes {
    /// Repairs that keep the meaning of the game, or without which it has none
    Safe,
    /// Also guesses, such as a name that resembles another
    All,
}

#[derive(Args, Debug)]
pub(crate) struct Explain {
    /// The name of a rule; lists all rules if omitted
    pub rule: Option<String>,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

/// The notation of a match.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TraceForm {
    /// One joint move per line
    Rounds,
    /// A match record in JSON, in the format of ggp-base
    Match,
    /// One action per line (POGDDL)
    Plan,
    /// The messages to the role of --role
    View,
}

#[derive(Args, Debug)]
pub(crate) struct Step {
    #[command(flatten)]
    pub game: GameArgs,
    /// A trace to start with
    pub trace: Option<PathBuf>,
    /// Print every round instead of opening the stepper
    #[arg(long)]
    pub print: bool,
    /// Write the trace to standard output in this form instead of opening the stepper
    #[arg(long, value_enum, value_name = "FORM", conflicts_with = "print")]
    pub write: Option<TraceForm>,
    /// Show only this role's knowledge
    #[arg(long, value_name = "NAME")]
    pub role: Option<String>,
    /// Show the moves' probabilities from this file (see `percept solve --strategy FILE`)
    #[arg(long, value_name = "FILE")]
    pub strategy: Option<PathBuf>,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
    /// Seed of the random numbers, to repeat a run
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
}

#[derive(Args, Debug)]
pub(crate) struct Play {
    #[command(flatten)]
    pub game: GameArgs,
    /// Number of matches
    #[arg(short = 'n', long = "matches", default_value_t = 100)]
    pub matches: usize,
    /// Stop a match after this many rounds
    #[arg(long, default_value_t = 10_000, value_name = "ROUNDS")]
    pub max_rounds: usize,
    /// Visit every state if there are at most this many
    #[arg(long, default_value_t = 100_000, value_name = "N")]
    pub states: usize,
    /// Count the rules, conditions and percepts that the matches met
    #[arg(long)]
    pub coverage: bool,
    /// Save the first match to a file (as a JSON match record if its name ends in .json)
    #[arg(long, value_name = "FILE")]
    pub save_trace: Option<PathBuf>,
    #[command(flatten)]
    pub work: WorkArgs,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct Fmt {
    /// Files, or folders to search for descriptions; `-` formats standard input
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// List the files that are not formatted, without changing them (exit code 1 if there are any)
    #[arg(long)]
    pub check: bool,
}

/// A notation of GDL.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Notation {
    /// Prefix: `(<= head body)`
    Kif,
    /// Infix: `head :- body`
    Hrf,
}

#[derive(Args, Debug)]
pub(crate) struct Convert {
    /// A GDL description
    pub file: PathBuf,
    /// The notation to write
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
    /// Write the game's domain to this file, too
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
        /// Reveal both bids after each round, not only the winner
        #[arg(long)]
        open_bids: bool,
    },
}

#[derive(Args, Debug)]
pub(crate) struct Lsp {
    /// Accepted for editors that pass it; the server always uses standard input and output
    #[arg(long)]
    pub stdio: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Mcp {
    /// The folders whose files the tools may read and write [default: the roots that the client names, else the working
    /// directory]
    pub folders: Vec<PathBuf>,
    /// Time limit of a call that names none
    #[arg(long, value_parser = duration, default_value = "20s")]
    pub time: Duration,
    /// The most calls at the same time; further ones wait [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: Option<u16>,
}
