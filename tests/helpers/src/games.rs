//! Games of texts, and of the folder `games`.

use std::path::Path;

use percept_game::{Game, PogddlOptions, PogddlTerminal};
use percept_syntax::gdl::Description;
use percept_syntax::pddl::{Definition, Domain, Problem};
use percept_syntax::{Language, Source, Syntax};

use crate::files;

/// A description of a source.
///
/// # Panics
/// Where it is not GDL.
pub fn description_of(source: &Source) -> &Description {
    let Syntax::Gdl(description) = &source.syntax else { panic!("not GDL") };
    description
}

/// A description in prefix GDL, without a syntax error.
///
/// # Panics
/// Where it has one.
pub fn description(text: &str) -> Description {
    let source = Source::parse(text, Language::GdlPrefix);
    assert!(source.errors.is_empty(), "{:?}", source.errors);
    description_of(&source).clone()
}

/// The game of a text in prefix GDL.
///
/// # Panics
/// Where it is none.
pub fn gdl(text: &str) -> Game {
    Game::from_gdl(&description(text)).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

/// The game of a file in GDL, prefix or infix; `None` where it is in another language, or refused.
pub fn published_gdl(path: &Path) -> Option<Game> {
    match files::source(path).syntax {
        Syntax::Gdl(description) => Game::from_gdl(&description).ok(),
        Syntax::Pddl(_) => None,
    }
}

/// What a text in POGDDL defines.
pub fn definitions(text: &str) -> Vec<Definition> {
    match Source::parse(text, Language::Pogddl).syntax {
        Syntax::Pddl(file) => file.definitions,
        Syntax::Gdl(_) => Vec::new(),
    }
}

/// The domain and the problem of texts that hold both, in any order.
///
/// # Panics
/// Where one is missing.
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

/// The game of texts in POGDDL that hold a domain and a problem.
///
/// # Panics
/// Where it is none.
pub fn pogddl(texts: &[&str], terminal: PogddlTerminal) -> Game {
    let (domain, problem) = parts(texts);
    Game::from_pogddl(&domain, &problem, &PogddlOptions { terminal }).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

/// When matches end, by a comment in one of the texts; where none says it, when nobody can move.
pub fn declared(texts: &[&str]) -> PogddlTerminal {
    let of = |text: &&str| PogddlOptions::declared(text, &Source::parse(*text, Language::Pogddl).comments);
    texts.iter().find_map(of).unwrap_or_default()
}

/// A game of the folder `games`: a description in GDL, or a problem whose domain has the name of its folder, or is in the
/// same file.
///
/// # Panics
/// Where it is none.
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
