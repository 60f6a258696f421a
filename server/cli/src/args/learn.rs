//! The options of `percept learn`.

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
    /// The role that guesses [default: the first role that chooses]
    #[arg(long, value_name = "NAME")]
    pub role: Option<String>,
    /// Matches to learn from
    #[arg(long, default_value_t = 500, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub trajectories: u64,
    /// Further matches that validate and stop the training [default: a tenth as many]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub validation: Option<u64>,
    /// Samples of every round of a match
    #[arg(long, default_value_t = 500, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub samples: u32,
    /// Learn from the moves of each match alone, without samples of its rounds (single trajectory sampling)
    #[arg(long, conflicts_with = "samples")]
    pub single: bool,
    /// The opponent's strategy in these matches: any strategy of `percept match`
    #[arg(long, default_value = "random", value_name = "STRATEGY")]
    pub opponent: String,
    /// Simulated matches for each move of an opponent that searches
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub simulations: u64,
    /// Keep the matches in this file, one line of JSON each; recorded ones are not sampled again
    #[arg(long, value_name = "FILE")]
    pub keep: Option<PathBuf>,
    /// Hidden units of each layer
    #[arg(long, default_value_t = 128, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub hidden: u16,
    /// As in the paper: the decoder does not see the round to explain, and only the last round of each beginning is
    /// drawn
    #[arg(long)]
    pub paper: bool,
    /// The most passes through all matches
    #[arg(long, default_value_t = 60, value_name = "N")]
    pub epochs: u32,
    /// Stop after this many epochs without a better validation loss
    #[arg(long, default_value_t = 6, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub patience: u32,
    /// Matches per step
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub batch: u16,
    /// The learning rate (Adam)
    #[arg(long, default_value_t = 0.002, value_name = "RATE", value_parser = super::solve::positive)]
    pub rate: f64,
    #[command(flatten)]
    pub work: WorkArgs,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}
