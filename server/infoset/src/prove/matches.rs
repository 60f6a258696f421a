//! Random matches, each searched for histories that look alike to the role although the property differs.
//!
//! It refutes at any depth, while the search for a shortest pair goes round by round and stops after a dozen: gaps in a
//! role's knowledge often appear only late, and then in many matches. It proves nothing. The search along a match is
//! the exact filter's, restricted to the states of the histories closest to it (see [`by_exact`]).

use std::time::{Duration, Instant};

use percept_game::{Game, RoleId};

use super::findings::{Pair, Verdict, is_real};
use super::sample;
use crate::Budget;
use crate::verdict::{self, Property, RoleMatch, by_exact};

/// The method's name. Pairs found by it need not be shortest.
pub(super) const NAME: &str = "matches";

/// The number of states kept after each round. A few are enough: histories with different answers usually part late,
/// and in few moves.
pub(super) const BEAM: usize = 500;

/// The memory for these states, in bytes. If it does not suffice, the rest of the match is skipped.
pub(super) const MEMORY: usize = 64 << 20;

/// The most matches searched if the budget has no limit.
const MOST: u64 = 10_000;

/// The time to search for a shorter pair, which is easier to read.
const SHORTENING: Duration = Duration::from_secs(1);

/// Plays and searches until a pair is found or the budget is spent; at most `depth` rounds of each match. Returns the
/// shortest of the pairs found within a second.
pub(super) fn by_matches(
    game: &Game,
    role: RoleId,
    property: Property,
    announce_end: bool,
    depth: Option<usize>,
    budget: &Budget,
) -> Verdict {
    let query = Query { game, role, property, announce_end };
    let mut rounds = depth.unwrap_or(sample::MOST_ROUNDS).min(sample::MOST_ROUNDS);
    let mut best = None;
    let mut budget = budget.clone();
    for number in 0..MOST {
        if budget.stop().is_some() {
            break;
        }
        budget.report("random matches", number as usize, None);
        let Some(pair) = query.along_a_match(number, rounds, &budget) else { continue };
        if best.is_none() {
            budget = budget.until(Instant::now() + SHORTENING);
        }
        rounds = pair.left.len().saturating_sub(1);
        best = Some(pair);
        if rounds == 0 {
            break;
        }
    }
    match best {
        Some(pair) => Verdict::Refuted { pair, method: NAME },
        None => Verdict::Open { depth: 0 },
    }
}

/// A question about one role.
struct Query<'a> {
    game: &'a Game,
    role: RoleId,
    property: Property,
    announce_end: bool,
}

impl Query<'_> {
    /// The first pair along the random match of this number, of at most `rounds` rounds; a pair found before the budget
    /// is spent counts.
    fn along_a_match(&self, number: u64, rounds: usize, budget: &Budget) -> Option<Pair> {
        let Query { game, role, property, announce_end } = *self;
        let played = sample::play(game, number, rounds, budget)?;
        let view = played.view(game, role, budget)?;
        let role_match = RoleMatch {
            game,
            view,
            moves: &played.moves,
            states: &played.states,
            announce_end,
            properties: &[property],
        };
        let mut found = None;
        let mut note = |_, other, verdict| {
            if let (true, verdict::Verdict::Unknown(witness)) = (other == property && found.is_none(), verdict) {
                found = Some(Pair { left: witness.first, right: witness.second });
            }
        };
        let _ = by_exact(&role_match, MEMORY, Some(BEAM), budget, |_| {}, &mut note);
        found.filter(|pair| is_real(game, role, property, pair))
    }
}
