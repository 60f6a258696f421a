//! The commands to create and test a game.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::duration;

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TestFormat {
    Human,
    Json,
    /// JUnit XML
    Junit,
}

#[derive(Args, Debug)]
pub(crate) struct Test {
    /// Files with expectations, or folders to search for expected.toml
    #[arg(default_value = ".")]
    pub paths: Vec<PathBuf>,
    /// Test only expectations whose name contains this
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    /// Write an expected.toml beside this game, from what holds now
    #[arg(long, value_name = "GAME", conflicts_with_all = ["paths", "only", "update", "watch"])]
    pub begin: Option<PathBuf>,
    /// Show the differences and what is left out, then write both to the files
    #[arg(long, conflicts_with = "watch")]
    pub update: bool,
    /// Test again after every change
    #[arg(long)]
    pub watch: bool,
    /// Time limit for each expectation: `30`, `0.5s`, `2m` [default: 1m]
    #[arg(long, value_parser = duration)]
    pub time: Option<Duration>,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: TestFormat,
    /// Print the JSON schema of expected.toml, for completion in editors
    #[arg(long, exclusive = true)]
    pub schema: bool,
}

/// The model of a new game.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Like {
    /// Two players on a board, with hidden moves
    Board,
    /// Cards that only their holder sees
    Cards,
    /// Two players who move at the same time, one of them hidden
    HiddenMove,
    /// One player against chance
    OnePlayer,
}

/// The language of a new game.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NewLanguage {
    /// GDL-II, prefix
    Kif,
    /// GDL-II, infix
    Hrf,
    /// POGDDL: a domain and a problem
    Pogddl,
}

#[derive(Args, Debug)]
pub(crate) struct New {
    /// The game's name, such as `night-ships`, and the name of its folder
    pub name: String,
    /// The parent of the new folder
    #[arg(long = "in", value_name = "FOLDER", default_value = ".")]
    pub parent: PathBuf,
    /// The language of the description
    #[arg(long, value_enum, default_value = "kif")]
    pub language: NewLanguage,
    /// The model of the game
    #[arg(long, value_enum, default_value = "hidden-move")]
    pub like: Like,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    pub format: super::Format,
}

#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// The shell
    pub shell: clap_complete::Shell,
}

#[derive(Args, Debug)]
pub(crate) struct Man {
    /// Write one page per command to this folder; prints the main page if omitted
    #[arg(long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
}
