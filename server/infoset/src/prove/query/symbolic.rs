//! The answer by a solver: a search of ever longer histories, or an induction over all of them.

use std::sync::Arc;

use percept_game::{Game, Ground, RoleId};
use rustc_hash::FxHashMap;

use super::reply::{Answer, Scope};
use super::wish::Plan;
use super::worlds::{Assumed, Worlds};
use crate::Budget;
use crate::clauses::Clauses;
use crate::prove::agree::Extent;
use crate::prove::bounded::{Bounded, MOST_NODES};
use crate::prove::claims::{Agreement, Invariants};
use crate::prove::lemmas::{Lemmas, Stage, Terms};

/// The most rounds that an induction looks back.
const FARTHEST_BACK: usize = 3;

/// A search of ever longer histories.
pub(super) struct Search<'a> {
    game: &'a Game,
    plan: &'a Plan,
    scope: &'a Scope,
    worlds: Worlds<'a>,
    /// The sentence holds in all histories of fewer rounds.
    round: usize,
}

impl<'a> Search<'a> {
    pub(super) fn new(game: &'a Game, ground: &Arc<Ground>, plan: &'a Plan, scope: &'a Scope, budget: &Budget) -> Self {
        let worlds = Worlds::first(game, ground, plan, scope.announce_end, Clauses::new(budget));
        Search { game, plan, scope, worlds, round: 0 }
    }

    /// Asks about all histories of up to `depth` rounds. `None` if the sentence holds in all of them and some are
    /// longer.
    pub(super) fn up_to(&mut self, depth: usize, budget: &Budget) -> Option<Answer> {
        while self.round <= depth {
            while self.worlds.depth() < self.round {
                match self.worlds.goes_on() {
                    Some(true) => {}
                    Some(false) => return Some(Answer::Holds { method: "bounded" }),
                    None => return Some(self.open()),
                }
                // Constants are answered without the solver, and so without its check of the time.
                if self.worlds.size() > MOST_NODES || budget.is_spent() {
                    return Some(self.open());
                }
                self.worlds.advance(None);
                budget.report("histories in clauses, rounds", self.worlds.depth(), None);
            }
            match self.worlds.ask() {
                Some(false) => self.round += 1,
                None => return Some(self.open()),
                Some(true) => {
                    let histories = self.worlds.histories();
                    let witness = self.plan.replayed(self.game, &histories, self.scope.announce_end);
                    let fails = |witness| Answer::Fails { witness, method: "bounded" };
                    // If it is not a counterexample, the clauses are weaker than the rules, and the search ends with
                    // the result so far.
                    return Some(witness.map_or_else(|| self.open(), fails));
                }
            }
            if self.scope.rounds.is_some_and(|most| self.round > most) {
                return Some(Answer::Holds { method: "bounded" });
            }
        }
        None
    }

    pub(super) fn open(&self) -> Answer {
        Answer::open(self.round.checked_sub(1))
    }
}

/// Tries ever stronger inductions. `search`: the results for the first rounds. `None` if nothing is decided.
pub(super) fn induction(
    lemmas: &mut Lemmas<'_>,
    plan: &Plan,
    scope: &Scope,
    search: &mut Search<'_>,
    budget: &Budget,
) -> Option<Answer> {
    budget.report("induction", 0, None);
    if let found @ Some(_) = under(lemmas, None, plan, scope, search, budget) {
        return found;
    }
    for from in lemmas.beginnings(&budget.share(3))? {
        let Some(invariants) = lemmas.invariants(Stage { from, joint: false }, &budget.most()) else { continue };
        budget.report("induction with invariants", 0, None);
        if let found @ Some(_) = under(lemmas, Some(&invariants), plan, scope, search, budget) {
            return found;
        }
    }
    None
}

/// Tries one induction, under these invariants or under none.
fn under(
    lemmas: &mut Lemmas<'_>,
    invariants: Option<&Invariants>,
    plan: &Plan,
    scope: &Scope,
    search: &mut Search<'_>,
    budget: &Budget,
) -> Option<Answer> {
    let (game, ground) = (lemmas.game(), lemmas.ground.clone());
    let none = Invariants::default();
    let stage = invariants.map(|it| Stage { from: it.from, joint: false });
    let invariants = invariants.unwrap_or(&none);
    let mut agreements: FxHashMap<RoleId, Arc<Agreement>> = FxHashMap::default();
    let mut roles: Vec<RoleId> = plan.tree.like.iter().map(|&(_, role)| role).collect();
    roles.sort_unstable();
    roles.dedup();
    for role in roles {
        let mut base = Bounded::new(game, role, Some(ground.clone()), budget).ok()?;
        while base.depth() < invariants.from {
            base.deepen().ok()?;
        }
        let terms = Terms { role, stage, extent: Extent::Fluents, announce_end: scope.announce_end };
        agreements.insert(role, lemmas.agreement(terms, invariants, &mut base, budget)?);
    }
    let assumed = Assumed { invariants, agreements: &agreements };
    for back in 0..=FARTHEST_BACK {
        let clauses = Clauses::for_proofs(budget);
        let mut worlds = Worlds::anywhere(game, &ground, plan, scope.announce_end, clauses, &assumed);
        for _ in 0..back {
            worlds.forbid();
            worlds.advance(Some(&assumed));
        }
        if !worlds.ask()? {
            let begin = (invariants.from + back).checked_sub(1);
            return begin.and_then(|depth| search.up_to(depth, budget)).or(Some(Answer::Holds { method: "induction" }));
        }
    }
    None
}
