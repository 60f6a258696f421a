//! Games from texts, and from the folder `games`.

use std::path::Path;

use percept_game::{Game, PogddlOptions, PogddlTerminal};
use percept_syntax::gdl::Description;
use percept_syntax::pddl::{Definition, Domain, Problem};
use percept_syntax::{Language, Source, Syntax};

use crate::files;

/// The description of a source.
///
/// # Panics
/// The source is not GDL.
pub fn description_of(source: &Source) -> &Description {
    let Syntax::Gdl(description) = &source.syntax else { panic!("not GDL") };
    description
}

/// Parses a description in prefix GDL without syntax errors.
///
/// # Panics
/// The text has a syntax error.
pub fn description(text: &str) -> Description {
    let source = Source::parse(text, Language::GdlPrefix);
    assert!(source.errors.is_empty(), "{:?}", source.errors);
    description_of(&source).clone()
}

/// The game of a text in prefix GDL.
///
/// # Panics
/// The text is not a game.
pub fn gdl(text: &str) -> Game {
    Game::from_gdl(&description(text)).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

/// The game of a file in GDL, prefix or infix; `None` if it is in another language, or refused.
pub fn published_gdl(path: &Path) -> Option<Game> {
    match files::source(path).syntax {
        Syntax::Gdl(description) => Game::from_gdl(&description).ok(),
        Syntax::Pddl(_) => None,
    }
}

/// The definitions of a text in POGDDL.
pub fn definitions(text: &str) -> Vec<Definition> {
    match Source::parse(text, Language::Pogddl).syntax {
        Syntax::Pddl(file) => file.into_content().definitions,
        Syntax::Gdl(_) => Vec::new(),
    }
}

/// The domain and the problem in texts that contain both, in any order.
///
/// # Panics
/// The domain or the problem is missing.
pub fn parts(texts: &[&str]) -> (Domain, Problem) {
    let (mut domain, mut problem) = (None, None);
    for definition in texts.iter().flat_map(|text| definitions(text)) {
        match definition {
            Definition::Domain(found) => domain = Some(*found),
            Definition::Problem(found) => problem = Some(*found),
        }
    }
    (domain.expect("a domain"), problem.expect("a problem"))
}

/// The game of texts in POGDDL that contain a domain and a problem.
///
/// # Panics
/// The texts are not a game.
pub fn pogddl(texts: &[&str], terminal: PogddlTerminal) -> Game {
    let (domain, problem) = parts(texts);
    Game::from_pogddl(&domain, &problem, &PogddlOptions { terminal }).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

/// The end of matches that a comment in one of the texts declares; without one, a match ends if no role can move.
pub fn declared(texts: &[&str]) -> PogddlTerminal {
    let of = |text: &&str| PogddlOptions::declared(text, &Source::parse(*text, Language::Pogddl).comments);
    texts.iter().find_map(of).unwrap_or_default()
}

/// A game of the folder `games`: a description in GDL, or a problem whose domain has the name of its folder, or is in
/// the same file.
///
/// # Panics
/// The file is not a game.
pub fn game(below: &str) -> Game {
    let path = files::games().join(below);
    let source = files::source(&path);
    if let Syntax::Gdl(description) = &source.syntax {
        return Game::from_gdl(description).unwrap_or_else(|errors| panic!("{below}: {errors:#?}"));
    }
    let folder = path.parent().expect("a folder");
    let mut texts = vec![files::read(&path)];
    if source.domain().is_none() {
        texts.push(files::read(folder.join(format!("{}.pog", files::file_name(folder)))));
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    pogddl(&texts, declared(&texts))
}
