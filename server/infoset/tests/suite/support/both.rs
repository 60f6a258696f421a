//! Games in the two forms of a prover and of a certificate checker.

use percept_game::plain::{self, pogddl::Range};
use percept_game::{Game, PogddlOptions, PogddlTerminal};
use percept_test::games::{description, parts};

/// A game, and the plain game of the same rules, with the ranges of its numbers.
pub struct Both {
    pub game: Game,
    pub plain: Game,
    pub numbers: Vec<Range>,
}

impl Both {
    pub fn gdl(text: &str) -> Both {
        let description = description(text);
        let plain = plain::gdl(&description, &plain::Limits::default()).expect("a plain game");
        Both { game: Game::from_gdl(&description).expect("a game"), plain, numbers: Vec::new() }
    }

    pub fn pogddl(texts: &[&str], terminal: PogddlTerminal) -> Both {
        let (domain, problem) = parts(texts);
        let options = PogddlOptions { terminal };
        let game = Game::from_pogddl(&domain, &problem, &options).expect("a game");
        let numbers = plain::ranges(&game);
        let plain = plain::pogddl(&domain, &problem, &options, &numbers).expect("a plain game");
        Both { game, plain, numbers }
    }
}
