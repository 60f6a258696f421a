//! What one round told a role: how many of the histories that it could not tell apart before it can exclude now.

use num_bigint::BigUint;
use percept_game::{Game, JointMove, RoleId};
use percept_infoset::exact::Filter;
use percept_infoset::{Control, View};

/// Bytes for counting.
const MEMORY: usize = 64 << 20;

/// Histories that fit all that a role knew before it was told anything in the last round, its own move of that round
/// included; and those that still fit afterwards. `None` where they are too many to be counted, or the moves are no match.
pub fn told(game: &Game, joints: &[JointMove], role: RoleId, control: &Control) -> Option<(BigUint, BigUint)> {
    let last = joints.len().checked_sub(1)?;
    let view = View::of_match(game, role, joints).ok()?;
    let mut filter = Filter::of_view(game, &view.prefix(last), MEMORY, control, None).ok()?;
    let own = view.rounds[last].own;
    let layer = filter.last();
    let mut before = BigUint::ZERO;
    for ((state, histories), terminal) in layer.states.iter().zip(&layer.histories).zip(&layer.terminal) {
        if *terminal {
            continue;
        }
        let choices = game.role_ids().map(|other| {
            let legal = game.rules.legal(state, other);
            match own.filter(|_| other == role) {
                Some(own) => usize::from(legal.contains(&own)),
                None => legal.len(),
            }
        });
        before += choices.fold(histories.clone(), |count, choices| count * choices);
    }
    filter.advance(&view, control, None).ok()?;
    Some((before, filter.histories()))
}
