//! The commands in which somebody plays.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::{Format, GameArgs, duration};

/// How long players may think.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct ClockArgs {
    /// Time before the first move (10 seconds where nothing is given)
    #[arg(long, value_parser = duration, value_name = "DURATION")]
    pub startclock: Option<Duration>,
    /// Time for each move (2 seconds where nothing is given)
    #[arg(long, value_parser = duration, value_name = "DURATION")]
    pub playclock: Option<Duration>,
    /// At most so many simulated matches for each move; without a clock, so that a match can be repeated
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub simulations: Option<u64>,
}

/// Where players' beliefs come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub(crate) enum Beliefs {
    /// The samplers of information sets
    #[default]
    Samplers,
    /// Heuristic rejection sampling, led by the network (--network) for the role it guesses for
    Nisg,
}

#[derive(Args, Debug, Default)]
pub(crate) struct BeliefArgs {
    /// Where members come from when those a player follows have become too few
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
    /// Who plays a role, such as `white=auto`, `black=human`; roles that are not named play at random
    #[arg(long = "role", value_name = "ROLE=STRATEGY")]
    pub roles: Vec<String>,
    #[command(flatten)]
    pub clocks: ClockArgs,
    #[command(flatten)]
    pub beliefs: BeliefArgs,
    /// How many matches
    #[arg(short = 'n', long = "matches", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub matches: u64,
    /// How players elsewhere are spoken to (chapter17, dresden, dresden-2011, gdl-1); by the game where nothing is given
    #[arg(long, value_name = "PROTOCOL")]
    pub protocol: Option<percept_players::wire::Protocol>,
    /// How many matches at the same time
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,
    /// End a match after this many rounds
    #[arg(long, default_value_t = 10_000, value_name = "ROUNDS")]
    pub max_rounds: usize,
    /// Write the first match to a file (as a JSON match record where its name ends in .json)
    #[arg(long, value_name = "FILE")]
    pub save_trace: Option<PathBuf>,
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub(crate) struct Player {
    /// The port to listen on; 0 takes any that is free, and says which
    #[arg(long, default_value_t = 9147)]
    pub port: u16,
    /// The address to listen on; nobody else can reach the usual one
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    pub host: std::net::IpAddr,
    /// How to play
    #[arg(long, default_value = "auto")]
    pub strategy: String,
    /// What to answer when asked for a name
    #[arg(long, default_value = "Percept")]
    pub name: String,
    /// At most so many simulated matches for each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub simulations: Option<u64>,
    /// Answer requests that are for this name, too (besides `localhost` and addresses; with a --host that others reach, only
    /// these names instead of all)
    #[arg(long = "allow-host", value_name = "NAME")]
    pub allow_hosts: Vec<String>,
    /// Answer requests of this web page, too, such as `http://localhost:8000`; those of others are refused
    #[arg(long = "allow-origin", value_name = "ORIGIN")]
    pub allow_origins: Vec<String>,
    /// Answer messages that come by GET, too: any link or picture can send one
    #[arg(long)]
    pub allow_get: bool,
    /// Play so many matches at the same time, told apart by their identifiers; to more it is busy
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub matches: u16,
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
}

#[derive(Args, Debug)]
pub(crate) struct Tournament {
    /// GDL descriptions and POGDDL problems
    #[arg(required = true)]
    pub games: Vec<PathBuf>,
    /// The strategies that play, separated by commas
    #[arg(long, value_delimiter = ',', required = true)]
    pub players: Vec<String>,
    /// Matches for each pair on each game, roles exchanged from one to the next
    #[arg(short = 'n', long = "matches", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    pub matches: u64,
    #[command(flatten)]
    pub clocks: ClockArgs,
    #[command(flatten)]
    pub beliefs: BeliefArgs,
    /// Write results to this file, a line of JSON a match; what is there already is not played again
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write a page with tables and a plot
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Play only the pairs of this strategy
    #[arg(long, value_name = "STRATEGY")]
    pub only: Option<String>,
    /// Play one part of the matches, the first of four being `1/4`: so machines share a tournament, and their results
    /// are put into one file
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    pub part: Part,
    /// How many matches at the same time (0: as many as there are processors)
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=256))]
    pub jobs: u16,
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    #[arg(long, value_name = "RULE")]
    pub pogddl_terminal: Option<super::Terminal>,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

/// One of several parts of some work, such as `2/4`: what is left of them is for other machines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    number: usize,
    of: usize,
}

impl Part {
    /// All of it.
    #[cfg(feature = "bench")]
    pub(crate) const WHOLE: Part = Part { number: 1, of: 1 };

    /// The pieces of the work that are in this part.
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
            _ => Err("write a part and their number, such as `1/4` for the first of four".to_string()),
        }
    }
}
