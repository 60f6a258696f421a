//! Learning to guess.

use std::path::PathBuf;

use clap::Args;

use super::{Format, GameArgs, WorkArgs};

#[derive(Args, Debug)]
pub(crate) struct Learn {
    #[command(flatten)]
    pub game: GameArgs,
    /// Write the network to this file (safetensors)
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Who guesses (default: the first role that chooses)
    #[arg(long, value_name = "NAME")]
    pub role: Option<String>,
    /// Matches to learn from
    #[arg(long, default_value_t = 500, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub trajectories: u64,
    /// More matches, by which training is judged and stopped (default: a tenth as many)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub validation: Option<u64>,
    /// Samples of every round of a match
    #[arg(long, default_value_t = 500, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub samples: u32,
    /// Learn from what was done in each match alone, without samples of its rounds (single trajectory sampling)
    #[arg(long, conflicts_with = "samples")]
    pub single: bool,
    /// How the opponent plays in these matches: any strategy of `percept match`
    #[arg(long, default_value = "random", value_name = "STRATEGY")]
    pub opponent: String,
    /// Simulated matches for each move of an opponent that thinks
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub simulations: u64,
    /// Keep the matches in this file, a line of JSON each; what is there already is not sampled again
    #[arg(long, value_name = "FILE")]
    pub keep: Option<PathBuf>,
    /// Hidden units of each layer
    #[arg(long, default_value_t = 128, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub hidden: u16,
    /// As in the paper: the decoder is not shown the round it is to explain, and of each beginning only the last round is
    /// drawn, not the whole
    #[arg(long)]
    pub paper: bool,
    /// Times through all matches, at most
    #[arg(long, default_value_t = 60, value_name = "N")]
    pub epochs: u32,
    /// End after so many epochs without a better validation loss
    #[arg(long, default_value_t = 6, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub patience: u32,
    /// Matches a step
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub batch: u16,
    /// How far a step goes (Adam)
    #[arg(long, default_value_t = 0.002, value_name = "RATE", value_parser = super::solve::positive)]
    pub rate: f64,
    #[command(flatten)]
    pub work: WorkArgs,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}
