//! The options of `percept bench`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::solve::positive;
use super::{Format, Method, Terminal, duration};

#[derive(Args, Debug)]
pub(crate) struct Bench {
    #[command(subcommand)]
    pub what: BenchWhat,
}

#[derive(Subcommand, Debug)]
pub(crate) enum BenchWhat {
    /// Set-up time and random play
    Engine(BenchEngine),
    /// Proofs about games, role by role
    Prove(BenchProve),
    /// The paper's Table 1
    Table1(BenchTable1),
    /// Table 2 of Koriche et al. 2017, reduced: `mac-ucb-ii` against the players it met there
    Table2(BenchTable2),
    /// Random members of large information sets
    Sampler(BenchSampler),
    /// Regret minimization on trees
    Solve(BenchSolve),
    /// Simulated matches a second of players
    Players(BenchPlayers),
    /// Losses of players to opponents that know them, in small games
    Exploited(BenchExploited),
    /// Guesses of a network about hidden moves (Seitz et al. 2021)
    Nisg(BenchNisg),
    /// Response times of the language server
    Lsp(BenchFiles),
    /// Keystrokes in large texts with the language server, and its memory
    Typing(BenchTyping),
    /// Unusual texts: long lists, deep nesting, open brackets
    Hostile(BenchHostile),
    /// Share of planted mistakes that `check` points to
    Mutants(BenchMutants),
    /// Share of broken games that a scripted author mends with the tools for assistants
    Author(BenchAuthor),
    /// Time until a command shows something, until its first line, and until its end
    Wait(BenchWait),
}

#[derive(Args, Debug)]
pub(crate) struct BenchEngine {
    /// GDL descriptions and POGDDL problems [default: the paper's games at its sizes]
    pub files: Vec<PathBuf>,
    /// Seconds of play for each game and number of threads
    #[arg(long, value_parser = duration, default_value = "2")]
    pub time: Duration,
    /// Numbers of threads (0: all)
    #[arg(long, value_delimiter = ',', default_value = "1,0")]
    pub threads: Vec<usize>,
    /// Seed of the random numbers, to repeat a run
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Measure another program in turns with Percept, on one core and one thread: a command line that prints `N
    /// playouts/s` and `N states/s`; `{}` is the game's file, `{ms}` the time
    #[arg(long, value_name = "COMMAND", requires = "files")]
    pub beside: Option<String>,
    /// Number of turns for each program; the median counts
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000), requires = "beside")]
    pub turns: u32,
    /// The end of a POGDDL match, if the domain does not define it
    #[arg(long, value_name = "RULE")]
    pub pogddl_terminal: Option<Terminal>,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct BenchProve {
    /// GDL descriptions and POGDDL problems
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Time for each role and property, and two fifths of it for the set-up of each game
    #[arg(long, value_parser = duration, default_value = "10")]
    pub time: Duration,
    /// The end of the match is announced to players
    #[arg(long)]
    pub announce_end: bool,
    /// Write every proof as a certificate and check it
    #[arg(long)]
    pub certify: bool,
    /// Time for writing each certificate
    #[arg(long, value_parser = duration, default_value = "60", requires = "certify")]
    pub certify_time: Duration,
    /// The end of a POGDDL match, if the domain does not define it
    #[arg(long, value_name = "RULE")]
    pub pogddl_terminal: Option<Terminal>,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct BenchTable2 {
    /// Descriptions of games of the table, recognised by their file names
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub clocks: super::ClockArgs,
    /// Matches per pair
    #[arg(short = 'n', long = "matches", default_value_t = 100)]
    pub matches: u64,
    /// Number of parallel matches
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,
    /// Append results to this file, one line of JSON per match; recorded matches are not played again
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Seed of the random numbers, to repeat a run
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct BenchTable1 {
    /// Positions as JSON lines: `domain`, `problem`, `terminal`, `role`, `round`, `trace` [default: random positions]
    pub positions: Option<PathBuf>,
    /// The folder with the domains and problems of the file's positions
    #[arg(long, value_name = "FOLDER", requires = "positions")]
    pub games: Option<PathBuf>,
    /// Time for each position [default: 30s for 30 members, then 1s for 1,000]
    #[arg(long, value_parser = duration)]
    pub time: Option<Duration>,
    /// Members to find for each position
    #[arg(short = 'n', long = "members")]
    pub members: Option<usize>,
    /// Random positions for each cell
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    pub matches: u64,
    /// Only cells whose name begins with this: `b`, `r-10`, `g-10-40`
    #[arg(long, default_value = "")]
    pub cell: String,
    /// Only one part of these cells, such as `1/4`, to share the work between machines
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    pub part: super::Part,
    /// Seed of the random numbers, to repeat a run
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The method
    #[arg(long, value_enum, default_value = "auto")]
    pub method: Method,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct BenchNisg {
    /// GDL descriptions and POGDDL problems [default: the paper's games]
    pub files: Vec<PathBuf>,
    /// Use smaller games, fewer matches and less time, to end within ten minutes
    #[arg(long)]
    pub small: bool,
    /// Matches to learn from [default: 500; small: 200]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub trajectories: Option<u64>,
    /// Samples of every beginning, or round, of a match [default: 500; small: 200]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub samples: Option<u32>,
    /// Matches to test with [default: 2,000; small: 20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub tests: Option<u64>,
    /// Time for each information set and method [default: 500ms; small: 100ms]
    #[arg(long, value_parser = duration)]
    pub time: Option<Duration>,
    /// Number of rounds from one test to the next [default: 1; small: 6 depths in all]
    #[arg(long, value_name = "ROUNDS", value_parser = clap::value_parser!(u16).range(1..))]
    pub every: Option<u16>,
    /// The most passes through the training matches [default: 60; small: 30]
    #[arg(long, value_name = "N")]
    pub epochs: Option<u32>,
    /// Learn from single trajectories instead of batches
    #[arg(long, conflicts_with = "samples")]
    pub single: bool,
    /// Use the network exactly as in the paper
    #[arg(long)]
    pub paper: bool,
    /// Draw the curves into this file (SVG)
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Seed of the random numbers, to repeat a run
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct BenchSampler {
    /// Cells of the paper's table
    #[arg(default_values_t = ["b-5-10", "g-10-40", "r-10-60"].map(String::from))]
    pub cells: Vec<String>,
    /// Positions, as shares of a random match
    #[arg(long, value_delimiter = ',', default_value = "0.1,0.2,0.33")]
    pub share: Vec<f64>,
    /// Time for weighted draws, and again for uniform ones
    #[arg(long, value_parser = duration, default_value = "1")]
    pub time: Duration,
    /// Seed of the random numbers, to repeat a run
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct BenchHostile {
    /// Only shapes whose language and name contain this: `pog`, `deep`, `kif words`
    #[arg(long, default_value = "")]
    pub shape: String,
    /// Number of parts of each text [default: the table's]
    #[arg(short = 'n', long)]
    pub size: Option<usize>,
    /// Print the text of one shape without measuring
    #[arg(long)]
    pub write: bool,
    /// Time limit of each measurement
    #[arg(long, value_parser = duration, default_value = "20")]
    pub limit: Duration,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct BenchMutants {
    /// GDL descriptions and POGDDL problems
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The most mutants of each kind and file
    #[arg(long, default_value_t = 20)]
    pub most: usize,
    /// Only these kinds
    #[arg(long, value_enum, value_delimiter = ',')]
    pub kinds: Vec<MutantKind>,
    /// Time for `check`, and again for the matches that are compared with the original's
    #[arg(long, value_parser = duration, default_value = "1")]
    pub time: Duration,
    /// Number of parallel mutants
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub jobs: usize,
    /// Seed of the random numbers, to repeat a run
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct BenchAuthor {
    /// GDL descriptions and POGDDL problems [default: shipped games]
    pub files: Vec<PathBuf>,
    /// Number of broken games
    #[arg(short = 'n', long = "games", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Number of parallel games
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub jobs: usize,
    /// Seed of the random numbers, to repeat a run
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

/// The kind of a mutation.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum MutantKind {
    /// A rule that keeps a fluent is removed
    Frame,
    /// A fact of the initial state is removed
    Init,
    /// Another rule is removed
    Rule,
    /// A rule for a percept, or a message, is removed
    Percept,
    /// A condition is removed
    Condition,
    /// An effect is removed (POGDDL)
    Effect,
    /// A condition or an effect is negated
    Sign,
    /// Two arguments are exchanged
    Exchanged,
    /// An argument is removed
    Argument,
    /// A letter of a name is changed
    Misspelt,
}

#[derive(Args, Debug)]
pub(crate) struct BenchSolve {
    /// Descriptions and POGDDL problems [default: shipped games with published OpenSpiel values]
    pub files: Vec<PathBuf>,
    /// Time limit for each game and method
    #[arg(long, value_parser = duration, default_value = "5")]
    pub time: Duration,
    /// The exploitability to reach, in units of the game (in points for files)
    #[arg(long, default_value_t = 1e-3, value_parser = positive)]
    pub target: f64,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct BenchPlayers {
    /// Descriptions and POGDDL problems [default: shipped games]
    pub files: Vec<PathBuf>,
    /// Strategies that simulate matches
    #[arg(long, value_delimiter = ',', default_value = "ismcts,ismcts:regret,uct,grave,cfr")]
    pub players: Vec<String>,
    /// Time of each player for one move
    #[arg(long, value_parser = duration, default_value = "2")]
    pub time: Duration,
    /// Seed of the random numbers, to repeat a run
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct BenchExploited {
    /// Descriptions and POGDDL problems of two players against each other [default: shipped games]
    pub files: Vec<PathBuf>,
    /// Strategies
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "auto,ismcts,ismcts:smooth,ismcts:regret,grave,uct,cfr,sampling,random"
    )]
    pub players: Vec<String>,
    /// Simulated matches for each move
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub simulations: u64,
    /// Number of queries in every information set, to estimate the move's probabilities
    #[arg(long, value_name = "TIMES", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub times: u32,
    /// Seed of the random numbers, to repeat a run
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct BenchWait {
    /// Descriptions and POGDDL problems [default: shipped games]
    pub files: Vec<PathBuf>,
    /// Only these commands (`play` always runs, because the others need its match)
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub commands: Vec<String>,
    /// The time in which a command must show a word and the first line of its answer; the exit code is 1 if one does
    /// not
    #[arg(long, value_parser = duration, default_value = "2")]
    pub patience: Duration,
    /// Time limit of each command
    #[arg(long, value_parser = duration, default_value = "60")]
    pub limit: Duration,
    /// Seed of the random match
    #[arg(long, default_value_t = 3)]
    pub seed: u64,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct BenchFiles {
    /// Descriptions
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct BenchTyping {
    /// The sizes of the texts in kilobytes; they are made for the measurement
    #[arg(value_parser = clap::value_parser!(u32).range(1..), default_values_t = [64, 1024, 4096])]
    pub sizes: Vec<u32>,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}
