//! A network that guesses for players.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use percept_game::{Game, JointMove};
use percept_infoset::{Budget, View};
use percept_learn::nisg::Guesser;
use percept_players::{Briefing, Guess};
use serde::Serialize;

use crate::args::{BeliefArgs, Beliefs};
use crate::failure::Failure;

/// A network with its game, and the number of its queries.
pub(crate) struct Network {
    game: Arc<Game>,
    guesser: Guesser,
    asked: AtomicU64,
    answered: AtomicU64,
}

/// The usefulness of a network in the matches.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Guesses {
    /// The role that it guesses for.
    pub role: String,
    /// The number of a player's queries for members of its information set.
    pub asked: u64,
    /// The number of queries with an answer.
    pub answered: u64,
}

impl Network {
    /// The figures so far, over all matches.
    pub(crate) fn guesses(&self) -> Guesses {
        Guesses {
            role: self.role().to_string(),
            asked: self.asked.load(Ordering::Relaxed),
            answered: self.answered.load(Ordering::Relaxed),
        }
    }
}

impl Guess for Network {
    fn role(&self) -> &str {
        &self.guesser.encoding.columns.role
    }

    fn draw(&self, view: &View, count: usize, seed: u64, budget: &Budget) -> Vec<Vec<JointMove>> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let drawn = self.guesser.draw(&self.game, view, count, seed, budget);
        self.answered.fetch_add(u64::from(!drawn.is_empty()), Ordering::Relaxed);
        drawn.into_iter().map(|it| it.moves).collect()
    }
}

/// The briefing with the options for beliefs, and the network if there is one.
///
/// # Errors
/// If a network is missing, or belongs to another game.
pub(crate) fn with(briefing: Briefing, args: &BeliefArgs) -> Result<(Briefing, Option<Arc<Network>>), Failure> {
    match (args.beliefs, args.network.as_deref()) {
        (Beliefs::Samplers, None) => Ok((briefing, None)),
        (Beliefs::Samplers, Some(_)) => {
            Err(Failure::new("--network is for --beliefs nisg").note("remove it, or add --beliefs nisg"))
        }
        (Beliefs::Nisg, None) => Err(Failure::new("--beliefs nisg needs --network FILE")
            .note("`percept learn GAME --out FILE` writes one, for one role")),
        (Beliefs::Nisg, Some(path)) => guessing(briefing, path),
    }
}

fn guessing(briefing: Briefing, path: &Path) -> Result<(Briefing, Option<Arc<Network>>), Failure> {
    let game = briefing.game.clone();
    let guesser = crate::commands::infoset::guesser(&game, path)?;
    let network = Arc::new(Network { game, guesser, asked: AtomicU64::new(0), answered: AtomicU64::new(0) });
    Ok((briefing.guessing(network.clone()), Some(network)))
}
