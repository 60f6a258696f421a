//! The information of one round: the number of histories that a role could not tell apart before the round and can
//! exclude after it.

use num_bigint::BigUint;
use percept_game::{Game, JointMove, RoleId};
use percept_infoset::exact::Filter;
use percept_infoset::{Budget, View};

/// Bytes for counting.
const MEMORY: usize = 64 << 20;

/// The numbers of histories before and after a role's percepts of one round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Information {
    /// Histories that fit the role's knowledge before the percepts, including its own move of the round.
    pub before: BigUint,
    /// Histories that still fit after the percepts.
    pub after: BigUint,
}

impl std::fmt::Display for Information {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Information { before, after } = self;
        match before == after {
            true => write!(f, "rules out none of {before} histories"),
            false => write!(f, "rules out {} of {before} histories; {after} are left", before - after),
        }
    }
}

/// The information of the last round of a match for a role, as [`in_view`]. Also `None` if the moves are not a match.
pub fn in_match(game: &Game, joints: &[JointMove], role: RoleId, budget: &Budget) -> Option<Information> {
    in_view(game, &View::of_match(game, role, joints).ok()?, budget)
}

/// The information of the last round of a view. `None` if there is no round or the histories are too many to count.
pub fn in_view(game: &Game, view: &View, budget: &Budget) -> Option<Information> {
    let (last, role) = (view.rounds.len().checked_sub(1)?, view.role);
    let mut filter = Filter::of_view(game, &view.prefix(last), MEMORY, budget, None).ok()?;
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
    filter.advance(view, budget, None).ok()?;
    Some(Information { before, after: filter.histories() })
}
