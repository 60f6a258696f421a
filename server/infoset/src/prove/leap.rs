//! Longer matches, a few rounds at a time: pairs of some lengths are sought although shorter ones are open.
//!
//! The search for a shortest pair must show of each length that it has no pair, which takes longer with each round.
//! A gap in a role's knowledge that needs a long match, such as the capture of most of the pieces, is then never
//! reached, although a solver finds it when it is asked for a match of that length. It proves nothing.

use std::sync::Arc;

use percept_game::{Game, Ground, RoleId};

use super::bounded::{Answer, Bounded, MOST_NODES};
use super::findings::Verdict;
use crate::Budget;
use crate::verdict::Property;

/// The method's name. Pairs found by it need not be shortest.
pub(super) const NAME: &str = "leap";

/// The rounds between two lengths that are asked for.
const ROUNDS: usize = 2;

/// One length may take this part of the time that is left. (Luck decides when a solver finds a pair: many short tries
/// are better than a few long ones. The end of the published Stratego: 18 to 60 s with 2 rounds and a sixth, 90 s or more
/// with 8 rounds and a half.)
const SHARE: usize = 6;

/// Asks for pairs of `ROUNDS`, twice as many rounds, and so on, at most `depth`, until one is found or the budget is
/// spent. (Symmetries are not used: they rule out most pairs, so that it takes longer to find one.)
pub(super) fn by_leaps(
    game: &Game,
    role: RoleId,
    property: Property,
    ground: Option<Arc<Ground>>,
    depth: Option<usize>,
    budget: &Budget,
) -> Verdict {
    let open = Verdict::Open { depth: 0 };
    let Ok(mut search) = Bounded::new(game, role, ground, budget) else { return open };
    while search.depth() < depth.unwrap_or(usize::MAX) && search.size() <= MOST_NODES {
        if search.deepen().is_err() {
            break;
        }
        if search.depth() % ROUNDS != 0 {
            continue;
        }
        budget.report("pairs of longer matches, rounds", search.depth(), None);
        search.limit(&budget.share(SHARE));
        match search.ask(property) {
            Answer::Pair(pair) => return Verdict::Refuted { pair, method: NAME },
            Answer::None if search.goes_on() == Some(false) => break,
            Answer::None | Answer::Unknown => {}
        }
        search.limit(budget);
    }
    open
}
