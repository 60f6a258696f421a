//! The commands about what roles can know.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{CheckFormat, Format, GameArgs, ReportFormat, WorkArgs};

/// How members of an information set are found.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Method {
    /// Picks one of the others and says which and why
    Auto,
    /// Every state the role thinks possible, with counts: lists all members, draws from any distribution
    Exact,
    /// The game tree, depth first: lists members in its own order, no distribution is promised
    Dfs,
    /// Constraints over the whole match: lists all members of small sets; uniform draws come from the distribution,
    /// draws by probability with weights
    Csp,
    /// A solver: finds members of anything, no distribution is promised
    Sat,
    /// What the others may have done, depth first, in random order (Seitz et al. 2021): no distribution is promised
    Hrs,
    /// The same in the order of what a network guesses (--network)
    Nisg,
}

/// Which members are wanted.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    /// All of them, each once
    All,
    /// Random draws, each member equally likely
    Uniform,
    /// Random draws, as likely as chance and uniform opponents make them; where the method cannot draw so, each comes
    /// with a weight to count it by
    Probability,
}

#[derive(Args, Debug)]
pub(crate) struct Infoset {
    #[command(flatten)]
    pub game: GameArgs,
    /// A match, or the messages one role received
    pub trace: PathBuf,
    /// Whose information set
    #[arg(long, value_name = "NAME")]
    pub role: Option<String>,
    /// After this many rounds (default: at the end of the trace)
    #[arg(long)]
    pub round: Option<usize>,
    #[arg(long, value_enum, default_value = "auto")]
    pub method: Method,
    /// With csp: the sampler exactly as in the paper
    #[arg(long)]
    pub paper: bool,
    /// With exact: go by the rounds played alone, sharing nothing with the other methods (needs more memory)
    #[arg(long)]
    pub no_look_ahead: bool,
    /// With nisg: the network (`percept learn GAME --out FILE` writes one)
    #[arg(long, value_name = "FILE")]
    pub network: Option<PathBuf>,
    /// List at most this many members (default: 100; sets of up to 10,000 are then counted to the end all the same); 0
    /// only counts
    #[arg(short = 'n', long = "members", value_name = "N")]
    pub members: Option<usize>,
    /// Which members
    #[arg(long, value_enum, default_value = "all")]
    pub sample: Wanted,
    /// Show the states that members end in, too
    #[arg(long)]
    pub states: bool,
    /// How likely every fact is, instead of the members: exact, or estimated with its error. Large sets are estimated from
    /// few draws, soon; with --time they are counted, or drawn from, for longer
    #[arg(long, conflicts_with_all = ["members", "sample", "states", "method", "paper"])]
    pub beliefs: bool,
    #[command(flatten)]
    pub work: WorkArgs,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct Observe {
    #[command(flatten)]
    pub game: GameArgs,
    /// The match to judge; without one, random matches
    pub trace: Option<PathBuf>,
    /// How many random matches; the first has the seed of `--seed`, each further one the next seed
    #[arg(short = 'n', long = "matches", default_value_t = 1, conflicts_with = "trace")]
    pub matches: usize,
    /// Write the first random match to a file (as a JSON match record where its name ends in .json)
    #[arg(long, value_name = "FILE", conflicts_with = "trace")]
    pub save_trace: Option<PathBuf>,
    /// Judge only this role
    #[arg(long, value_name = "NAME")]
    pub role: Option<String>,
    /// Judge only this property (may be given more than once)
    #[arg(long, value_enum)]
    pub property: Vec<Property>,
    /// Players are told when the match is over
    #[arg(long)]
    pub announce_end: bool,
    #[command(flatten)]
    pub work: WorkArgs,
    #[arg(long, value_enum, default_value = "human")]
    pub format: ReportFormat,
    /// Write the report to a file
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// What a role should know.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Property {
    /// The legal moves, where the match goes on
    Legal,
    /// Whether the match is over
    Terminal,
    /// The goal, where the match is over
    Goal,
    /// The role's own moves: asked unasked in POGDDL, and told only where it does not know them
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

/// How `prove` works.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ProveMethod {
    /// All of them, the cheapest first
    Auto,
    /// The rules alone say so
    Structure,
    /// What always agrees, by a solver
    Induction,
    /// Pairs of matches, round by round, by a solver
    Bounded,
    /// Pairs of states, one by one
    Pairs,
    /// What looks alike along random matches; refutes only
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
    /// Judge only this property (may be given more than once)
    #[arg(long, value_enum)]
    pub property: Vec<Property>,
    /// How to prove or refute
    #[arg(long, value_enum, default_value = "auto")]
    pub method: ProveMethod,
    /// Search at most this many rounds
    #[arg(long)]
    pub depth: Option<usize>,
    /// Judge so many roles at the same time (default: one for every two processors, since two work on each question)
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZero<usize>>,
    /// Ask a question of your own, such as `(always (implies terminal (knows white (goal white ?v))))`; the language is
    /// told in docs/queries.md
    #[arg(long, value_name = "FORMULA", conflicts_with_all = ["property", "role", "certificate", "check"])]
    pub query: Option<String>,
    /// Say whether the game is propositional, of what horizon, and whether every percept is everybody's
    #[arg(long, conflicts_with_all = ["property", "role", "certificate", "check", "query"])]
    pub fragment: bool,
    /// Propose what roles should be told: lines to insert, each proved to suffice, what tells least first
    #[arg(long, conflicts_with_all = ["certificate", "check", "query", "fragment", "announce_end"])]
    pub repair: bool,
    /// Write a proof that can be checked (one role and one property)
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Check a proof that was written before, without searching
    #[arg(long, value_name = "FILE", conflicts_with = "certificate")]
    pub check: Option<PathBuf>,
    /// Players are told when the match is over
    #[arg(long)]
    pub announce_end: bool,
    #[command(flatten)]
    pub work: WorkArgs,
    #[arg(long, value_enum, default_value = "human")]
    pub format: CheckFormat,
}

#[derive(Args, Debug)]
pub(crate) struct Advise {
    #[command(flatten)]
    pub game: GameArgs,
    /// A match, or the messages the role received
    pub trace: PathBuf,
    /// Whose move
    #[arg(long, value_name = "NAME")]
    pub role: Option<String>,
    /// After this many rounds (default: at the end of the trace)
    #[arg(long)]
    pub round: Option<usize>,
    /// How many members of the information set to try every move in
    #[arg(short = 'n', long = "samples", default_value_t = 200)]
    pub samples: usize,
    #[command(flatten)]
    pub work: WorkArgs,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}
