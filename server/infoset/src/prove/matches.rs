//! Random matches, each looked at for histories that look alike to the role though the property differs.
//!
//! It refutes at any depth, where the search for a shortest pair goes round by round and stops after a dozen: what a role
//! cannot know is often seen only late, and then in many matches. It proves nothing. The search along a match is the
//! exact filter's, kept to the states of the histories closest to it (see [`by_exact`]).

use percept_game::view::View;
use percept_game::{Game, RoleId};

use super::{Pair, Verdict, is_real, sample};
use crate::verdict::{self, Property, Seen, by_exact};
use crate::{Budget, DEFAULT_MEMORY};

/// States kept after each round: where two histories differ, they mostly part late and by little.
const BEAM: usize = 500;

/// Matches looked at, where the budget has no end.
const MOST: u64 = 10_000;

/// Plays and looks until something is found or the budget is spent; at most `depth` rounds of each match.
pub(super) fn by_matches(
    game: &Game,
    role: RoleId,
    property: Property,
    announce_end: bool,
    depth: Option<usize>,
    budget: &Budget,
) -> Verdict {
    let rounds = depth.unwrap_or(sample::MOST_ROUNDS).min(sample::MOST_ROUNDS);
    for number in 0..MOST {
        budget.report("random matches", number as usize, None);
        let Some(played) = sample::play(game, number, rounds, budget) else { break };
        let Ok(view) = View::of_match(game, role, &played.moves) else { break };
        let seen = Seen { game, view, moves: &played.moves, states: &played.states, announce_end };
        let mut found = None;
        // Where the budget is spent on the way, what was found until then counts.
        let _ = by_exact(
            &seen,
            DEFAULT_MEMORY,
            Some(BEAM),
            budget,
            |_| {},
            |_, asked, verdict| {
                if let (true, verdict::Verdict::Unknown(witness)) = (asked == property && found.is_none(), verdict) {
                    found = Some(Pair { left: witness.first, right: witness.second });
                }
            },
        );
        if let Some(pair) = found.filter(|pair| is_real(game, role, property, pair)) {
            return Verdict::Refuted { pair, method: "matches" };
        }
        if budget.stop().is_some() {
            break;
        }
    }
    Verdict::Open { depth: 0 }
}
