//! The paper's games.

use std::sync::Arc;

use percept_game::Game;
use percept_syntax::{Language, Source, Syntax};

use crate::args::{BenchNisg, GameArgs};
use crate::commands::generate::goofspiel;
use crate::failure::Failure;
use crate::load::{Loader, title};
use crate::work::Work;

const PHANTOM: &str = include_str!("../../../../games/phantom-tic-tac-toe/phantom-tic-tac-toe.kif");
const STRATEGO: &str = include_str!("../../../../games/stratego/stratego.kif");

/// The games to measure, with their names.
pub(super) fn of(args: &BenchNisg) -> Result<Vec<(String, Arc<Game>)>, Failure> {
    if args.files.is_empty() {
        let goofspiel = [15, 20, 30].map(|cards| (format!("goofspiel-{cards}"), goofspiel::text(cards)));
        let others = [("phantom-tic-tac-toe", PHANTOM), ("stratego", STRATEGO)]
            .map(|(name, text)| (name.to_string(), text.to_string()));
        return goofspiel.into_iter().chain(others).map(|(name, text)| Ok((name, Arc::new(game(&text)?)))).collect();
    }
    let load = |path: &std::path::PathBuf| {
        let game = GameArgs { game: path.clone(), domain: None, pogddl_terminal: None };
        let loader = Loader::new(&game, &Work::quiet());
        Ok((title(path), loader.load()?.warned().game))
    };
    args.files.iter().map(load).collect()
}

fn game(text: &str) -> Result<Game, Failure> {
    let source = Source::parse(text, Language::GdlPrefix);
    match &source.syntax {
        Syntax::Gdl(description) => {
            Game::from_gdl(description).map_err(|errors| Failure::new(errors.first().map_or("", |it| &it.message)))
        }
        _ => Err(Failure::new("not a GDL description")),
    }
}
