//! Games for tests.

use percept_game::Game;
use percept_syntax::{Language, Source, Syntax};

/// The game of a description.
pub(crate) fn gdl(text: &str) -> Game {
    let source = Source::from_bytes(text.as_bytes().to_vec(), Language::GdlPrefix).expect("text");
    let Syntax::Gdl(description) = &source.syntax else { panic!("GDL") };
    Game::from_gdl(description).expect("a game")
}
