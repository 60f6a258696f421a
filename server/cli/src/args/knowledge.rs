//! The commands about the knowledge of roles.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{CheckFormat, Format, GameArgs, ReportFormat, WorkArgs};

/// The method to find members of an information set.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Method {
    /// Choose one of the others, and report the choice and its reason
    Auto,
    /// Count every state that the role considers possible: lists all members, draws from any distribution
    Exact,
    /// Search the game tree depth first: lists members in its own order, without a known distribution
    Dfs,
    /// Solve constraints over the whole match: lists all members of small sets; draws uniformly, or by probability
    /// with weights
    Csp,
    /// Use a SAT solver: finds members of any set, without a known distribution
    Sat,
    /// Search the others' possible moves depth first in random order (Seitz et al. 2021), without a known distribution
    Hrs,
    /// The same in the order of a network's guesses (--network)
    Nisg,
}

/// The members to list.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    /// All members, each once
    All,
    /// Random draws, each member equally likely
    Uniform,
    /// Random draws with the probability that chance and uniform opponents give them; each has a weight if the method
    /// needs one
    Probability,
}

#[derive(Args, Debug)]
pub(crate) struct Infoset {
    #[command(flatten)]
    pub game: GameArgs,
    /// A match, or the messages that one role received
    pub trace: PathBuf,
    /// The role of the information set
    #[arg(long, value_name = "NAME")]
    pub role: Option<String>,
    /// Use this many rounds of the trace [default: all]
    #[arg(long)]
    pub round: Option<usize>,
    /// The method
    #[arg(long, value_enum, default_value = "auto")]
    pub method: Method,
    /// With csp: sample exactly as in the paper
    #[arg(long)]
    pub paper: bool,
    /// With exact: use only the rounds played, independently of the other methods (needs more memory)
    #[arg(long)]
    pub no_look_ahead: bool,
    /// With nisg: the network (`percept learn GAME --out FILE` writes one)
    #[arg(long, value_name = "FILE")]
    pub network: Option<PathBuf>,
    /// List at most this many members [default: 100]; sets of up to 10,000 are still counted. 0 only counts
    #[arg(short = 'n', long = "members", value_name = "N")]
    pub members: Option<usize>,
    /// The members to list
    #[arg(long, value_enum, default_value = "all")]
    pub sample: Wanted,
    /// Show the final states of members, too
    #[arg(long)]
    pub states: bool,
    /// Print the probability of every fact instead of the members: exact, or estimated with an error. Large sets are
    /// estimated quickly from few draws; with --time they are counted or sampled for longer
    #[arg(long, conflicts_with_all = ["members", "sample", "states", "method", "paper"])]
    pub beliefs: bool,
    #[command(flatten)]
    pub work: WorkArgs,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct Observe {
    #[command(flatten)]
    pub game: GameArgs,
    /// The match to judge [default: random matches]
    pub trace: Option<PathBuf>,
    /// Number of random matches; the first uses `--seed`, each further one the next seed
    #[arg(short = 'n', long = "matches", default_value_t = 1, conflicts_with = "trace")]
    pub matches: usize,
    /// Save the first random match to a file (as a JSON match record if its name ends in .json)
    #[arg(long, value_name = "FILE", conflicts_with = "trace")]
    pub save_trace: Option<PathBuf>,
    /// Judge only this role
    #[arg(long, value_name = "NAME")]
    pub role: Option<String>,
    /// Judge only this property (repeatable)
    #[arg(long, value_enum)]
    pub property: Vec<Property>,
    /// The end of the match is announced to players
    #[arg(long)]
    pub announce_end: bool,
    #[command(flatten)]
    pub work: WorkArgs,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: ReportFormat,
    /// Write the report to a file
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// A property that a role should know.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Property {
    /// The legal moves, while the match goes on
    Legal,
    /// The end of the match
    Terminal,
    /// The goal, when the match is over
    Goal,
    /// The role's own moves: in POGDDL always judged, and reported if the role does not know them
    Own,
}

impl From<Property> for percept_infoset::Property {
    fn from(property: Property) -> Self {
        match property {
            Property::Legal => Self::Legal,
            Property::Terminal => Self::Terminal,
            Property::Goal => Self::Goal,
            Property::Own => Self::Own,
        }
    }
}

/// The method of `prove`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ProveMethod {
    /// All methods, the cheapest first
    Auto,
    /// From the structure of the rules alone
    Structure,
    /// By induction over pairs of states, with a solver
    Induction,
    /// Over pairs of matches, round by round, with a solver
    Bounded,
    /// Over pairs of states, one by one
    Pairs,
    /// Over pairs of longer matches, a few rounds at a time, with a solver; refutes only
    Leap,
    /// From histories that look alike along random matches; refutes only
    Matches,
}

#[derive(Args, Debug)]
#[command(mut_arg("time", |time| time.help("Stop after this long with each role and property: `30`, `0.5s`, `2m`")))]
pub(crate) struct Prove {
    #[command(flatten)]
    pub game: GameArgs,
    /// Judge only this role
    #[arg(long, value_name = "NAME")]
    pub role: Option<String>,
    /// Judge only this property (repeatable)
    #[arg(long, value_enum)]
    pub property: Vec<Property>,
    /// The method of proof or refutation
    #[arg(long, value_enum, default_value = "auto")]
    pub method: ProveMethod,
    /// Search at most this many rounds
    #[arg(long)]
    pub depth: Option<usize>,
    /// Number of roles judged in parallel [default: one for every two processors, since each uses two]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZero<usize>>,
    /// Ask a question of your own, such as `(always (implies terminal (knows white (goal white ?v))))`; see
    /// docs/queries.md
    #[arg(long, value_name = "FORMULA", conflicts_with_all = ["property", "role", "certificate", "check"])]
    pub query: Option<String>,
    /// Report whether the game is propositional, its horizon, and whether every percept is public
    #[arg(long, conflicts_with_all = ["property", "role", "certificate", "check", "query"])]
    pub fragment: bool,
    /// Propose percepts that roles lack: lines to insert, each proved to suffice, the least informative first
    #[arg(long, conflicts_with_all = ["certificate", "check", "query", "fragment", "announce_end"])]
    pub repair: bool,
    /// Write a certificate of the proof (one role and one property)
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Check a certificate, without searching
    #[arg(long, value_name = "FILE", conflicts_with = "certificate")]
    pub check: Option<PathBuf>,
    /// The end of the match is announced to players
    #[arg(long)]
    pub announce_end: bool,
    #[command(flatten)]
    pub work: WorkArgs,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: CheckFormat,
}

#[derive(Args, Debug)]
pub(crate) struct Advise {
    #[command(flatten)]
    pub game: GameArgs,
    /// A match, or the messages that the role received
    pub trace: PathBuf,
    /// The role to move
    #[arg(long, value_name = "NAME")]
    pub role: Option<String>,
    /// Use this many rounds of the trace [default: all]
    #[arg(long)]
    pub round: Option<usize>,
    /// Number of members of the information set to try every move in
    #[arg(short = 'n', long = "samples", default_value_t = 200)]
    pub samples: usize,
    #[command(flatten)]
    pub work: WorkArgs,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}
