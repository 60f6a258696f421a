//! Games of the project's library.
#![allow(dead_code, reason = "each test uses its part")]

use std::path::{Path, PathBuf};

use percept_game::{Game, PogddlOptions};
use percept_syntax::{Language, Source, Syntax};

/// A file of `games/`.
pub fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(name)
}

pub fn text(name: &str) -> String {
    std::fs::read_to_string(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A game of `games/`: a description, or a problem whose domain is the folder's name.
pub fn load(name: &str) -> Game {
    if !name.ends_with(".pog") {
        return gdl(&text(name));
    }
    let folder = name.split('/').next().unwrap_or_default();
    pogddl(&text(&format!("{folder}/{folder}.pog")), &text(name))
}

pub fn gdl(text: &str) -> Game {
    let source = Source::parse(text.to_string(), Language::GdlPrefix);
    assert_eq!(source.errors, []);
    let Syntax::Gdl(description) = &source.syntax else { panic!("not GDL") };
    Game::from_gdl(description).unwrap_or_else(|errors| panic!("{errors:?}"))
}

pub fn pogddl(domain: &str, problem: &str) -> Game {
    let domain = Source::parse(domain.to_string(), Language::Pogddl);
    let problem = Source::parse(problem.to_string(), Language::Pogddl);
    let (domain, problem) = (domain.domain().expect("a domain"), problem.problem().expect("a problem"));
    Game::from_pogddl(domain, problem, &PogddlOptions::default()).unwrap_or_else(|errors| panic!("{errors:?}"))
}
