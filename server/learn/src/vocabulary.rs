//! The moves and percepts of a game, listed once: the columns of the encoding are in this order.

use std::collections::BTreeSet;

use percept_game::{Game, JointMove, MoveId, PerceptId, RoleId, Scope};
use percept_infoset::Factored;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The number of random matches played to collect the moves and percepts of a game that is too large to ground.
const MATCHES: u64 = 500;
/// The maximum number of rounds of each such match.
const ROUNDS: usize = 1_000;

/// The moves and percepts of each role, in the order of their ids, and the public percepts.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    /// The moves of each role.
    pub moves: Vec<Vec<MoveId>>,
    /// The percepts of each role.
    pub percepts: Vec<Vec<PerceptId>>,
    /// The partition into public and private percepts.
    pub factored: Factored,
    /// True if these are all: read from the ground rules, not seen in matches.
    pub is_whole: bool,
}

impl Vocabulary {
    /// Collects them from the ground rules, or from random matches if the game is too large to ground (every percept
    /// then counts as private).
    pub fn of(game: &Game) -> Vocabulary {
        match (game.rules.ground(&Scope::default()), Factored::of(game)) {
            (Ok(ground), Ok(factored)) => Vocabulary {
                moves: ground.moves.iter().map(|moves| sorted(moves.iter().map(|it| it.0))).collect(),
                percepts: ground.sees.iter().map(|sees| sorted(sees.iter().map(|it| it.0))).collect(),
                factored,
                is_whole: true,
            },
            _ => Vocabulary::of_matches(game),
        }
    }

    fn of_matches(game: &Game) -> Vocabulary {
        let mut moves = vec![BTreeSet::new(); game.roles.len()];
        let mut percepts = vec![BTreeSet::new(); game.roles.len()];
        for seed in 0..MATCHES {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut at = game.start();
            for _ in 0..ROUNDS {
                let legal: Vec<Vec<MoveId>> = game.role_ids().map(|role| at.legal(role)).collect();
                if at.is_terminal() || legal.iter().any(Vec::is_empty) {
                    break;
                }
                let joint: JointMove = legal.iter().map(|moves| moves[rng.random_range(0..moves.len())]).collect();
                for (role, legal) in game.role_ids().zip(&legal) {
                    moves[role.0 as usize].extend(legal);
                    percepts[role.0 as usize].extend(at.percepts(&joint, role));
                }
                at.step(&joint);
            }
        }
        Vocabulary {
            moves: moves.into_iter().map(|it| it.into_iter().filter(|&mv| mv != MoveId::NOOP).collect()).collect(),
            percepts: percepts.into_iter().map(|it| it.into_iter().collect()).collect(),
            factored: Factored::unknown(),
            is_whole: false,
        }
    }

    /// True if a role may get a percept that the others do not.
    pub fn has_private(&self, game: &Game, role: RoleId) -> bool {
        let percepts = &self.percepts[role.0 as usize];
        percepts.iter().any(|&percept| !self.factored.is_public(&game.rules.percept_name(role, percept)))
    }
}

fn sorted<T: Ord>(items: impl Iterator<Item = T>) -> Vec<T> {
    items.collect::<BTreeSet<T>>().into_iter().collect()
}
