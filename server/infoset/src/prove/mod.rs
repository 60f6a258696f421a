//! The verdict for every match: does a role always know its legal moves, the end, and its goal? And its own moves, if
//! the language does not reveal them?
//!
//! In: a game. Out: per role and property *proved* (for all matches, with the argument), *refuted* (a pair of histories
//! that the role cannot tell apart, replayed before it is shown), or *open* (nothing found up to a depth). A portfolio,
//! cheapest first, each part usable alone:
//!
//! | method | module | results |
//! | --- | --- | --- |
//! | structure | [`agree::structural`] | proofs, at once |
//! | induction | [`attempt`]: [`agree::refine`] under [`invariant`]s, mined by [`mine`] from [`sample`]s, with [`count`]s | proofs for all depths |
//! | bounded | [`bounded`] | refutations by a shortest pair; proofs if all matches are short |
//! | pairs | [`pairs`] | both, if states are few |
//! | symmetry | `namesake` | both, for a role that is another under other names |
//! | leap | `leap` | refutations by longer matches, by a pair that need not be shortest |
//! | matches | [`mod@matches`] | refutations at any depth, by a pair that need not be shortest |
//!
//! The claims of proofs are plain data ([`claims`]), and so are the answers ([`findings`]): both are below every
//! method.
//!
//! A proof about goals may be vacuous, in a game whose matches may never end or give the role no goal; this is examined
//! as well ([`Ends`]).
//!
//! A first look at random matches, before there are proofs: [`Look`]. Several roles in parallel: [`many`]. Every proof
//! can be written as a certificate and checked without a search ([`certificate`]).

use percept_game::{Game, RoleId, Scope};

mod agree;
mod alike;
mod attempt;
pub mod bounded;
mod candidates;
mod census;
pub mod certificate;
mod choice;
mod claims;
mod closure;
mod count;
mod findings;
mod invariant;
mod joint;
mod leap;
mod lemmas;
mod look;
pub mod many;
mod matches;
mod mine;
mod namesake;
pub mod never;
pub mod pairs;
mod prover;
pub mod query;
mod reader;
mod sameness;
mod sample;
mod setting;
mod shapes;
mod sieve;
mod step;
mod tally;
mod twin;
mod vacuous;
mod vary;

pub use crate::reading::{Reading, Unchecked};
pub use crate::verdict::Property;
pub use findings::{Argument, Ends, Finding, Induction, Method, Options, Pair, Refusal, Verdict, is_real};
pub use look::Look;
pub use prover::Prover;
pub use reader::Reader;

use crate::Budget;
use bounded::{Answer, Bounded, MOST_NODES};
use setting::Setting;

/// A shortest pair of matches of up to `depth` rounds that look alike to the role, in whose last rounds it makes two
/// different ones of these moves; `None` if there is none, or none was found within the limits.
pub fn moves_alike(
    game: &Game,
    role: RoleId,
    wanted: &dyn Fn(percept_game::MoveId) -> bool,
    depth: usize,
    budget: &Budget,
) -> Option<Pair> {
    let ground = game.rules.ground(&Scope { until: Some(budget), ..Scope::default() }).ok();
    let mut search = Bounded::new(game, role, ground, budget).ok()?;
    loop {
        match search.ask_of_moves(wanted) {
            Answer::None => {}
            Answer::Unknown => return None,
            Answer::Pair(pair) => return Some(pair),
        }
        if search.depth() >= depth || search.goes_on() != Some(true) || search.size() > MOST_NODES {
            return None;
        }
        search.deepen().ok()?;
    }
}

/// True if the rules alone reveal to a role every move it makes: no two rounds with the same observations differ in its
/// move, as far as could be determined in time.
pub(crate) fn own_moves_are_told(game: &Game, role: RoleId, budget: &Budget) -> bool {
    let Ok(ground) = game.rules.ground(&Scope { until: Some(budget), ..Scope::default() }) else { return false };
    let setting = Setting { game, ground: &ground, role, made: &[] };
    let kept = agree::structural(&setting, budget);
    kept.is_some_and(|kept| agree::structurally_known(&setting, &kept, Property::Own, budget))
}
