//! The commands that play matches.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::{Format, GameArgs, Terminal, duration};

/// The time of players.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct ClockArgs {
    /// Time before the first move [default: 10s]
    #[arg(long, value_parser = duration, value_name = "DURATION")]
    pub startclock: Option<Duration>,
    /// Time for each move [default: 2s]
    #[arg(long, value_parser = duration, value_name = "DURATION")]
    pub playclock: Option<Duration>,
    /// Simulate at most this many matches for each move, without a clock, so that a match can be repeated
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub simulations: Option<u64>,
}

/// The source of players' beliefs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub(crate) enum Beliefs {
    /// The samplers of information sets
    #[default]
    Samplers,
    /// Heuristic rejection sampling, guided by the network (--network) for its role
    Nisg,
}

#[derive(Args, Debug, Default)]
pub(crate) struct BeliefArgs {
    /// The source of new members of information sets, when a player has too few
    #[arg(long, value_enum, default_value = "samplers")]
    pub beliefs: Beliefs,
    /// With --beliefs nisg: the network (`percept learn GAME --out FILE` writes one)
    #[arg(long, value_name = "FILE")]
    pub network: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct Match {
    #[command(flatten)]
    pub game: GameArgs,
    /// The player of a role, such as `white=auto`, `black=human`; other roles play at random
    #[arg(long = "role", value_name = "ROLE=STRATEGY")]
    pub roles: Vec<String>,
    #[command(flatten)]
    pub clocks: ClockArgs,
    #[command(flatten)]
    pub beliefs: BeliefArgs,
    /// Number of matches
    #[arg(short = 'n', long = "matches", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub matches: u64,
    /// The protocol of remote players (chapter17, dresden, dresden-2011, gdl-1) [default: by the game]
    #[arg(long, value_name = "PROTOCOL")]
    pub protocol: Option<percept_players::wire::Protocol>,
    /// Number of parallel matches
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,
    /// End a match after this many rounds
    #[arg(long, default_value_t = 10_000, value_name = "ROUNDS")]
    pub max_rounds: usize,
    /// Save the first match to a file (as a JSON match record if its name ends in .json)
    #[arg(long, value_name = "FILE")]
    pub save_trace: Option<PathBuf>,
    /// Seed of the random numbers, to repeat a run
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct Player {
    /// The port to listen on; 0 chooses a free port and prints it
    #[arg(long, default_value_t = 9147)]
    pub port: u16,
    /// The address to listen on; the default is reachable only from this machine
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    pub host: std::net::IpAddr,
    /// The strategy
    #[arg(long, default_value = "auto")]
    pub strategy: String,
    /// The player's name in replies
    #[arg(long, default_value = "Percept")]
    pub name: String,
    /// Simulate at most this many matches for each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub simulations: Option<u64>,
    /// Also answer requests for this host name (besides `localhost` and addresses; with a public --host, only these
    /// names)
    #[arg(long = "allow-host", value_name = "NAME")]
    pub allow_hosts: Vec<String>,
    /// Also answer requests from this web page, such as `http://localhost:8000`; others are refused
    #[arg(long = "allow-origin", value_name = "ORIGIN")]
    pub allow_origins: Vec<String>,
    /// Also answer messages sent by GET, which any link or picture can send
    #[arg(long)]
    pub allow_get: bool,
    /// The most parallel matches, by their identifiers; others get the reply `busy`
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub matches: u16,
    /// Seed of the random numbers, to repeat a run
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
}

#[derive(Args, Debug)]
pub(crate) struct Table {
    /// A GDL description, a POGDDL problem (its domain is searched by name), or a folder of games for a lobby
    pub game: PathBuf,
    /// The POGDDL domain, instead of a search by name
    #[arg(long, value_name = "FILE")]
    pub domain: Option<PathBuf>,
    /// The end of a POGDDL match, if the domain does not define it
    #[arg(long, value_name = "RULE")]
    pub pogddl_terminal: Option<Terminal>,
    /// The player of a role, such as `white=human`, `white=human:ann`, `black=auto`; other roles are played by people
    #[arg(long = "seat", value_name = "ROLE=PLAYER")]
    pub seats: Vec<String>,
    /// The port to listen on; 0 chooses a free port, and the same one again if --out goes on
    #[arg(long, default_value_t = 0)]
    pub port: u16,
    /// The address to listen on, such as 0.0.0.0 for all networks of this machine; the default is reachable only from
    /// this machine
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    pub listen: std::net::IpAddr,
    /// Also answer requests for this host name (besides `localhost` and addresses)
    #[arg(long = "allow-host", value_name = "NAME")]
    pub allow_hosts: Vec<String>,
    /// Also open the lobby, or the first person's seat, in a browser on this machine
    #[arg(long)]
    pub open: bool,
    /// Time of programs for each move
    #[arg(long, value_parser = duration, default_value = "1s", value_name = "DURATION")]
    pub playclock: Duration,
    /// Time of people for each move; then a random move is made [default: none]
    #[arg(long, value_parser = duration, value_name = "DURATION")]
    pub clock: Option<Duration>,
    /// Append results to this file, one line of JSON per match, and rounds to FILE.table; an interrupted match goes on
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// The output format: links for people, or a line of JSON for the links and for each event
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
    /// Seed of chance, to repeat a run; a player that knows it knows what chance does [default: random]
    #[arg(long)]
    pub seed: Option<u64>,
}

#[derive(Args, Debug)]
pub(crate) struct Debrief {
    /// The file that `percept table --out FILE` wrote; FILE.table is beside it
    pub file: PathBuf,
    /// Write a page with all matches
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Stop searching after this time: `30`, `0.5s`, `2m` [default: 30s for each match]
    #[arg(long, value_parser = duration)]
    pub time: Option<Duration>,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct Tournament {
    /// GDL descriptions and POGDDL problems
    #[arg(required = true)]
    pub games: Vec<PathBuf>,
    /// The strategies, separated by commas
    #[arg(long, value_delimiter = ',', required = true)]
    pub players: Vec<String>,
    /// Matches for each pair on each game; roles are exchanged after each
    #[arg(short = 'n', long = "matches", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    pub matches: u64,
    #[command(flatten)]
    pub clocks: ClockArgs,
    #[command(flatten)]
    pub beliefs: BeliefArgs,
    /// Append results to this file, one line of JSON per match; recorded matches are not played again
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write a page with tables and a plot
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Play only the pairs of this strategy
    #[arg(long, value_name = "STRATEGY")]
    pub only: Option<String>,
    /// Play one part of the matches, such as `1/4`, to share a tournament between machines; the results go into one
    /// file
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    pub part: Part,
    /// Number of parallel matches (0: one for each processor)
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=256))]
    pub jobs: u16,
    /// Seed of the random numbers, to repeat a run
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// The end of a POGDDL match, if the domain does not define it
    #[arg(long, value_name = "RULE")]
    pub pogddl_terminal: Option<super::Terminal>,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

/// One of several parts of some work, such as `2/4`, to share the work between machines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    number: usize,
    of: usize,
}

impl Part {
    /// The part that is the whole work.
    #[cfg(feature = "bench")]
    pub(crate) const WHOLE: Part = Part { number: 1, of: 1 };

    /// The pieces of the work in this part.
    pub(crate) fn of<T>(self, all: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
        all.into_iter().skip(self.number - 1).step_by(self.of)
    }
}

impl std::str::FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let part = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match part {
            Some((number, of)) if 1 <= number && number <= of => Ok(Part { number, of }),
            _ => Err("write a part and the number of parts, such as `1/4` for the first of four".to_string()),
        }
    }
}
