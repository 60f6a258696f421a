//! A network as what players guess by.

use std::path::Path;
use std::sync::Arc;

use percept_game::{Game, JointMove};
use percept_infoset::{Control, View};
use percept_learn::nisg::Guesser;
use percept_players::{Briefing, Guess};

use crate::args::{BeliefArgs, Beliefs};
use crate::failure::Failure;

/// A network and its game.
struct Network {
    game: Arc<Game>,
    guesser: Guesser,
}

impl Guess for Network {
    fn role(&self) -> &str {
        &self.guesser.encoding.columns.role
    }

    fn draw(&self, view: &View, count: usize, seed: u64, control: &Control) -> Vec<Vec<JointMove>> {
        let drawn = self.guesser.draw(&self.game, view, count, seed, control);
        drawn.into_iter().map(|it| it.moves).collect()
    }
}

/// The briefing with what the options say of beliefs.
///
/// # Errors
/// Where a network is missing, or is of another game.
pub fn with(briefing: Briefing, args: &BeliefArgs) -> Result<Briefing, Failure> {
    match (args.beliefs, args.network.as_deref()) {
        (Beliefs::Samplers, None) => Ok(briefing),
        (Beliefs::Samplers, Some(_)) => {
            Err(Failure::new("--network is for --beliefs nisg").note("leave it away, or ask for these beliefs"))
        }
        (Beliefs::Nisg, None) => Err(Failure::new("--beliefs nisg wants --network FILE")
            .note("`percept learn GAME --out FILE` writes one, for one role")),
        (Beliefs::Nisg, Some(path)) => guessing(briefing, path),
    }
}

fn guessing(briefing: Briefing, path: &Path) -> Result<Briefing, Failure> {
    let game = briefing.game.clone();
    let guesser = crate::commands::infoset::guesser(&game, path)?;
    Ok(briefing.guessing(Arc::new(Network { game, guesser })))
}
