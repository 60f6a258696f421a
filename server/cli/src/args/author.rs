//! The commands that take an author from nothing to a tested game.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::duration;

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TestFormat {
    Human,
    Json,
    /// JUnit's XML
    Junit,
}

#[derive(Args, Debug)]
pub(crate) struct Test {
    /// Files with expectations, or folders to search for expected.toml
    #[arg(default_value = ".")]
    pub paths: Vec<PathBuf>,
    /// Test only expectations whose name holds this
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    /// Write what was found into the files, after showing it
    #[arg(long, conflicts_with = "watch")]
    pub update: bool,
    /// Test again whenever a file changes
    #[arg(long)]
    pub watch: bool,
    /// How long each expectation may take: `30`, `0.5s`, `2m` (a minute where nothing is given)
    #[arg(long, value_parser = duration)]
    pub time: Option<Duration>,
    #[arg(long, value_enum, default_value = "human")]
    pub format: TestFormat,
    /// Print the JSON schema of expected.toml, for editors that complete TOML
    #[arg(long, exclusive = true)]
    pub schema: bool,
}

/// What a new game is like.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Like {
    /// Two players on a board, who do not see each other's moves
    Board,
    /// Cards that only their holder sees
    Cards,
    /// Two players who choose at the same time, one of them in hiding
    HiddenMove,
    /// One player against chance
    OnePlayer,
}

/// In what a new game is written.
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
    /// The game's name, such as `night-ships`; a folder of this name is made
    pub name: String,
    /// Where to make the folder
    #[arg(long = "in", value_name = "FOLDER", default_value = ".")]
    pub parent: PathBuf,
    #[arg(long, value_enum, default_value = "kif")]
    pub language: NewLanguage,
    /// What it is like to begin with
    #[arg(long, value_enum, default_value = "hidden-move")]
    pub like: Like,
    #[arg(long, value_enum, default_value = "human")]
    pub format: super::Format,
}

#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// The shell they are for
    pub shell: clap_complete::Shell,
}

#[derive(Args, Debug)]
pub(crate) struct Man {
    /// Write a page for each command into this folder; without it, the main page is printed
    #[arg(long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
}
