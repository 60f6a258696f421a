//! What can be written on the command line. One structure per command; what several share is flattened in.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

const EXIT_CODES: &str = "Exit codes: 0 all is well; 1 something is wrong with the game (a finding, a refutation, an \
impossible view); 2 the command could not do its work; 3 nothing wrong was found, but time, memory or rounds did not \
suffice to settle what was asked; 130 stopped by Ctrl-C (what was found until then is printed).";

/// Check, step through and validate games of incomplete information, written in GDL-II or POGDDL.
#[derive(Parser, Debug)]
#[command(name = "percept", version, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
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
    /// Write a game for other tools
    Export(Export),
    /// Format descriptions
    Fmt(Fmt),
    /// Convert a GDL description between prefix and infix
    Convert(Convert),
    /// Generate a problem of one of the paper's games
    Generate(Generate),
    /// Measure
    Bench(Bench),
    /// Run the language server on standard input and output
    Lsp(Lsp),
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    Human,
    Json,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckFormat {
    Human,
    Json,
    Sarif,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReportFormat {
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
    /// Also at the first positive payoff
    Payoff,
}

/// Which game.
#[derive(Args, Clone, Debug)]
pub struct GameArgs {
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
pub struct WorkArgs {
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
    Duration::try_from_secs_f64(number * unit).map_err(|_| "this is no length of time".to_string())
}

#[derive(Args, Debug)]
pub struct Check {
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
}

#[derive(Args, Debug)]
pub struct Explain {
    /// The name of a rule; without one, all rules are listed
    pub rule: Option<String>,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

/// How a match is written down.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceForm {
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
pub struct Step {
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
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
}

#[derive(Args, Debug)]
pub struct Play {
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
    /// Write the first match to a file (as a JSON match record where its name ends in .json)
    #[arg(long, value_name = "FILE")]
    pub save_trace: Option<PathBuf>,
    #[command(flatten)]
    pub work: WorkArgs,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

/// How members of an information set are found.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
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
}

/// Which members are wanted.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// All of them, each once
    All,
    /// Random draws, each member equally likely
    Uniform,
    /// Random draws, as likely as chance and uniform opponents make them; where the method cannot draw so, each comes
    /// with a weight to count it by
    Probability,
}

#[derive(Args, Debug)]
pub struct Infoset {
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
    #[command(flatten)]
    pub work: WorkArgs,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub struct Observe {
    #[command(flatten)]
    pub game: GameArgs,
    /// The match to judge; without one, random matches
    pub trace: Option<PathBuf>,
    /// How many random matches
    #[arg(short = 'n', long = "matches", default_value_t = 1, conflicts_with = "trace")]
    pub matches: usize,
    /// Judge only this role
    #[arg(long, value_name = "NAME")]
    pub role: Option<String>,
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
pub enum Property {
    Legal,
    Terminal,
    Goal,
}

/// How `prove` works.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProveMethod {
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
}

#[derive(Args, Debug)]
pub struct Prove {
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
pub struct Advise {
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

/// How a game is solved.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolveMethod {
    /// The linear program where the game is small, regret minimization above
    Auto,
    /// The linear program of the sequence form
    Lp,
    /// Counterfactual regret minimization with regrets above zero and linear averages
    #[value(name = "cfr+")]
    CfrPlus,
    /// The same with discounts
    Dcfr,
    /// The same with forecasts
    #[value(name = "pcfr+")]
    PcfrPlus,
    /// Regret minimization on samples, without a tree: proves nothing
    Mccfr,
}

/// How well and in how much memory a game is solved.
#[derive(Args, Clone, Debug)]
pub struct SolveArgs {
    #[arg(long, value_enum, default_value = "auto")]
    pub method: SolveMethod,
    /// Regret minimization ends at this exploitability (in units, see --unit)
    #[arg(long, default_value_t = 1e-4, value_parser = positive)]
    pub target: f64,
    /// Regret minimization ends after so many iterations
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub iterations: Option<u64>,
    /// Memory for the tree: `500M`, `8G`
    #[arg(long, default_value = "2G", value_parser = bytes)]
    pub memory: usize,
    /// The goal that counts as nothing, where values are to be shown in the game's own units
    #[arg(long, default_value_t = 0.0, allow_hyphen_values = true, value_parser = finite)]
    pub zero: f64,
    /// The points of a unit, likewise
    #[arg(long, default_value_t = 1.0, value_parser = positive)]
    pub unit: f64,
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

fn finite(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "write a number".to_string())?;
    if number.is_finite() { Ok(number) } else { Err("write a number".to_string()) }
}

fn positive(text: &str) -> Result<f64, String> {
    finite(text).and_then(|it| if it > 0.0 { Ok(it) } else { Err("write a number above zero".to_string()) })
}

#[derive(Args, Debug)]
pub struct Solve {
    #[command(flatten)]
    pub game: GameArgs,
    #[command(flatten)]
    pub solve: SolveArgs,
    /// Write the strategies found, a table of moves and probabilities per view (docs/solving.md)
    #[arg(long, value_name = "FILE")]
    pub strategy: Option<PathBuf>,
    /// Write a page with a plot of exploitability over time
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    #[command(flatten)]
    pub work: WorkArgs,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub struct Worth {
    #[command(flatten)]
    pub game: GameArgs,
    #[command(flatten)]
    pub solve: SolveArgs,
    /// Write a page with bars
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    #[command(flatten)]
    pub work: WorkArgs,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

/// For whom a game is written.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExportTo {
    /// Gambit's extensive form, read by Gambit, OpenSpiel and the crate `cfr`
    Efg,
    /// The first rounds as clauses for SAT solvers
    Dimacs,
    /// A logic program for answer set solvers, as clingo reads it
    Asp,
}

#[derive(Args, Debug)]
pub struct Export {
    #[command(flatten)]
    pub game: GameArgs,
    #[arg(long, value_enum)]
    pub to: ExportTo,
    /// How many rounds (dimacs: exactly so many, asp: at most so many)
    #[arg(long)]
    pub depth: Option<usize>,
    /// Write a tree of at most so many nodes (efg)
    #[arg(long, default_value_t = 5_000_000)]
    pub nodes: usize,
    /// Write to a file instead of standard output
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub work: WorkArgs,
    /// The format of what is said about the export, on standard error where the export goes to standard output
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub struct Fmt {
    /// Files, or folders to search for descriptions; `-` formats standard input
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Change nothing; exit with 1 and name the files that are not formatted
    #[arg(long)]
    pub check: bool,
}

/// A way to write GDL.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    /// Prefix: `(<= head body)`
    Kif,
    /// Infix: `head :- body`
    Hrf,
}

#[derive(Args, Debug)]
pub struct Convert {
    pub file: PathBuf,
    #[arg(long, value_enum)]
    pub to: Notation,
    /// Write to a file instead of standard output
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct Generate {
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
pub enum Generated {
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
pub struct Bench {
    #[command(subcommand)]
    pub what: BenchWhat,
}

#[derive(Subcommand, Debug)]
pub enum BenchWhat {
    /// Set-up time and random play
    Engine(BenchEngine),
    /// What can be proved of games, role by role
    Prove(BenchProve),
    /// The paper's Table 1
    Table1(BenchTable1),
    /// Random members of large information sets
    Sampler(BenchSampler),
    /// Regret minimization on trees
    Solve(BenchSolve),
    /// Editing with the language server
    Lsp(BenchFiles),
    /// Texts as no author writes them: long lists, deep nesting, open brackets
    Hostile(BenchHostile),
}

#[derive(Args, Debug)]
pub struct BenchEngine {
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
    #[arg(long, value_name = "RULE")]
    pub pogddl_terminal: Option<Terminal>,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub struct BenchProve {
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
pub struct BenchTable1 {
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
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    #[arg(long, value_enum, default_value = "auto")]
    pub method: Method,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub struct BenchSampler {
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
pub struct BenchHostile {
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
pub struct BenchSolve {
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
pub struct BenchFiles {
    /// Descriptions
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub struct Lsp {
    /// Accepted for editors that pass it; standard input and output are always used
    #[arg(long)]
    pub stdio: bool,
}
