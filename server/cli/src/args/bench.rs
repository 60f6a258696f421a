//! The measurements.

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
    /// What can be proved of games, role by role
    Prove(BenchProve),
    /// The paper's Table 1
    Table1(BenchTable1),
    /// Table 2 of Koriche et al. 2017, reduced: `mac-ucb-ii` against the players it met there
    Table2(BenchTable2),
    /// Random members of large information sets
    Sampler(BenchSampler),
    /// Regret minimization on trees
    Solve(BenchSolve),
    /// Matches a second that players simulate
    Players(BenchPlayers),
    /// How much players lose to those that know them, in small games
    Exploited(BenchExploited),
    /// Figure 6 of Seitz et al. 2021: histories found at each depth with and without a network
    Nisg(BenchNisg),
    /// Editing with the language server
    Lsp(BenchFiles),
    /// Texts as no author writes them: long lists, deep nesting, open brackets
    Hostile(BenchHostile),
    /// How often `check` leads to a mistake that was put into a game
    Mutants(BenchMutants),
}

#[derive(Args, Debug)]
pub(crate) struct BenchEngine {
    /// GDL descriptions and POGDDL problems; without any, the paper's games at its sizes
    pub files: Vec<PathBuf>,
    /// Seconds of play for each game and number of threads
    #[arg(long, value_parser = duration, default_value = "2")]
    pub time: Duration,
    /// Numbers of threads to measure with (0: all)
    #[arg(long, value_delimiter = ',', default_value = "1,0")]
    pub threads: Vec<usize>,
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Run another program, too, in the same table, turn by turn on one core and one thread: a command line that prints
    /// `N playouts/s` and `N states/s`; `{}` is the game's file, `{ms}` the time
    #[arg(long, value_name = "COMMAND", requires = "files")]
    pub beside: Option<String>,
    /// How often each of the two has its turn; the median counts
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000), requires = "beside")]
    pub turns: u32,
    #[arg(long, value_name = "RULE")]
    pub pogddl_terminal: Option<Terminal>,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct BenchProve {
    /// GDL descriptions and POGDDL problems
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Time for each role and property; before that, two fifths of it for the set-up of each game
    #[arg(long, value_parser = duration, default_value = "10")]
    pub time: Duration,
    /// Players are told when the match is over
    #[arg(long)]
    pub announce_end: bool,
    /// Write every proof down and follow it
    #[arg(long)]
    pub certify: bool,
    /// Time for writing each proof down
    #[arg(long, value_parser = duration, default_value = "60", requires = "certify")]
    pub certify_time: Duration,
    #[arg(long, value_name = "RULE")]
    pub pogddl_terminal: Option<Terminal>,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct BenchTable2 {
    /// Descriptions of games of the table, known by their file names
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub clocks: super::ClockArgs,
    /// Matches a pair
    #[arg(short = 'n', long = "matches", default_value_t = 100)]
    pub matches: u64,
    /// How many matches at the same time
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,
    /// Write results to this file, a line of JSON a match; what is there already is not played again
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct BenchTable1 {
    /// Positions in JSON lines: `domain`, `problem`, `terminal`, `role`, `round`, `trace`; without a file, random ones
    pub positions: Option<PathBuf>,
    /// The folder that holds the domains and problems of the file's positions
    #[arg(long, value_name = "FOLDER", requires = "positions")]
    pub games: Option<PathBuf>,
    /// Time for each position (default: 30 s for 30 members, then 1 s for 1,000)
    #[arg(long, value_parser = duration)]
    pub time: Option<Duration>,
    /// Members to find for each position
    #[arg(short = 'n', long = "members")]
    pub members: Option<usize>,
    /// Random positions for each cell
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    pub matches: u64,
    /// Only cells whose name begins so: `b`, `r-10`, `g-10-40`
    #[arg(long, default_value = "")]
    pub cell: String,
    /// Only one part of these cells, the first of four being `1/4`: so machines share them
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    pub part: super::Part,
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    #[arg(long, value_enum, default_value = "auto")]
    pub method: Method,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct BenchNisg {
    /// GDL descriptions and POGDDL problems; without any, the paper's games
    pub files: Vec<PathBuf>,
    /// Smaller games, fewer matches, less time, so that it ends within ten minutes
    #[arg(long)]
    pub small: bool,
    /// Matches to learn from (500; small: 200)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub trajectories: Option<u64>,
    /// Samples of every beginning, or round, of a match (500; small: 200)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub samples: Option<u32>,
    /// Matches to test with (2,000; small: 20)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub tests: Option<u64>,
    /// Time for each information set and method (500ms; small: 100ms)
    #[arg(long, value_parser = duration)]
    pub time: Option<Duration>,
    /// Test every so many rounds (1; small: such that 6 depths are tested)
    #[arg(long, value_name = "ROUNDS", value_parser = clap::value_parser!(u16).range(1..))]
    pub every: Option<u16>,
    /// Times through the matches to learn from, at most (60; small: 30)
    #[arg(long, value_name = "N")]
    pub epochs: Option<u32>,
    /// Learn from single trajectories instead of batches
    #[arg(long, conflicts_with = "samples")]
    pub single: bool,
    /// The network as the paper draws it
    #[arg(long)]
    pub paper: bool,
    /// Draw the curves into this file (SVG)
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct BenchSampler {
    /// Cells of the paper's table
    #[arg(default_values_t = ["b-5-10", "g-10-40", "r-10-60"].map(String::from))]
    pub cells: Vec<String>,
    /// After which shares of a random match
    #[arg(long, value_delimiter = ',', default_value = "0.1,0.2,0.33")]
    pub share: Vec<f64>,
    /// Time for weighted and again for uniform draws
    #[arg(long, value_parser = duration, default_value = "1")]
    pub time: Duration,
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct BenchHostile {
    /// Only shapes whose language and name contain this: `pog`, `deep`, `kif words`
    #[arg(long, default_value = "")]
    pub shape: String,
    /// Parts of each text, in place of the table's
    #[arg(short = 'n', long)]
    pub size: Option<usize>,
    /// Print the text of one shape and measure nothing
    #[arg(long)]
    pub write: bool,
    /// What takes longer is stopped
    #[arg(long, value_parser = duration, default_value = "20")]
    pub limit: Duration,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct BenchMutants {
    /// GDL descriptions and POGDDL problems
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Mutants of each kind and file
    #[arg(long, default_value_t = 20)]
    pub most: usize,
    /// Only these kinds
    #[arg(long, value_enum, value_delimiter = ',')]
    pub kinds: Vec<MutantKind>,
    /// Time for `check`, and for matches beside the original, each
    #[arg(long, value_parser = duration, default_value = "1")]
    pub time: Duration,
    /// How many at the same time
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub jobs: usize,
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

/// What was done to a text.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum MutantKind {
    /// A rule that keeps a fluent is gone
    Frame,
    /// A fact of the first state is gone
    Init,
    /// Another rule is gone
    Rule,
    /// A rule for a percept, or a message, is gone
    Percept,
    /// A condition is gone
    Condition,
    /// An effect is gone (POGDDL)
    Effect,
    /// A condition or an effect says the opposite
    Sign,
    /// Two arguments have changed places
    Exchanged,
    /// An argument is gone
    Argument,
    /// A letter of a name is wrong
    Misspelt,
}

#[derive(Args, Debug)]
pub(crate) struct BenchSolve {
    /// Descriptions and POGDDL problems; without any, the games of the shipped library beside OpenSpiel's figures
    pub files: Vec<PathBuf>,
    /// Longest time for each game and method
    #[arg(long, value_parser = duration, default_value = "5")]
    pub time: Duration,
    /// The exploitability to reach, in units of the game (in points for files)
    #[arg(long, default_value_t = 1e-3, value_parser = positive)]
    pub target: f64,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct BenchPlayers {
    /// Descriptions and POGDDL problems; without any, games of the shipped library
    pub files: Vec<PathBuf>,
    /// Strategies that simulate matches
    #[arg(long, value_delimiter = ',', default_value = "ismcts,ismcts:regret,uct,grave,cfr")]
    pub players: Vec<String>,
    /// How long each thinks about one move
    #[arg(long, value_parser = duration, default_value = "2")]
    pub time: Duration,
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct BenchExploited {
    /// Descriptions and POGDDL problems of two players against each other; without any, games of the shipped library
    pub files: Vec<PathBuf>,
    /// Strategies
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "auto,ismcts,ismcts:smooth,ismcts:regret,grave,uct,cfr,sampling,random"
    )]
    pub players: Vec<String>,
    /// Simulated matches for each answer
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub simulations: u64,
    /// How often each is asked in every information set, so that its lots can be counted
    #[arg(long, value_name = "TIMES", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub times: u32,
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct BenchFiles {
    /// Descriptions
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}
