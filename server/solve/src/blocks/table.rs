//! Strategies over blocks as tables.

use percept_game::Game;

use super::{Blocks, Player};
use crate::strategy::{Shared, Strategy, view_round};

/// Smaller probabilities are written as zero.
const NOTHING: f64 = 1e-9;

impl Blocks {
    /// The strategies with these behaviours, by variable.
    pub(crate) fn strategy(&self, game: &Game, behaviour: &[Vec<f64>; 2]) -> Strategy {
        Strategy::of_shared([0, 1].map(|player| self.of_player(game, player, &behaviour[player])).into())
    }

    fn of_player(&self, game: &Game, player: usize, behaviour: &[f64]) -> Shared {
        let role = self.roles[player];
        let mut shared = Shared::new(game.roles[role.0 as usize].name.clone());
        let Player { shape, moves, passages, deciding, .. } = &self.players[player];
        let rounds = self.symbols[player].iter().map(|symbol| {
            let percepts = &self.percepts[player].list[symbol.percepts as usize];
            shared.round(view_round(game, role, Some(symbol.mv), percepts))
        });
        let rounds: Vec<u32> = rounds.collect();
        let (mut infoset, mut before, mut count) = (0, 0, 1);
        for (passages, deciding) in passages.iter().zip(deciding) {
            let mut passages = passages.iter().peekable();
            let mut deciding = deciding.iter().peekable();
            let mut next = 0;
            for view in 0..count {
                if deciding.next_if_eq(&&view).is_some() {
                    for variable in shape.moves(infoset) {
                        let mv = shared.mv(&game.rules.move_name(role, moves[variable]));
                        let probability = if behaviour[variable] < NOTHING { 0.0 } else { behaviour[variable] };
                        shared.play(mv, probability);
                    }
                    infoset += 1;
                }
                while let Some(passage) = passages.next_if(|passage| passage.before == view) {
                    shared.step_by(rounds[passage.symbol as usize], before + count + passage.after);
                    next = next.max(passage.after + 1);
                }
                shared.end();
            }
            before += count;
            count = next;
        }
        shared
    }
}
