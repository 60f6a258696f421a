//! What was proved about a game on the way to one question and serves the next: invariants, for all roles and
//! properties, and for each role what agrees.

use std::sync::Arc;

use percept_game::{Game, Ground, RoleId};
use rustc_hash::FxHashMap;

use super::agree::{self, Agreement};
use super::bounded::Bounded;
use super::invariant::Invariants;
use super::mine;
use super::sample::Samples;
use super::twin::Setting;
use crate::Budget;

/// Under what fluents, or gates too, agree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Terms {
    pub role: RoleId,
    /// The round from which the invariants hold; `None`: none are used.
    pub from: Option<usize>,
    pub(crate) with_nodes: bool,
    pub announce_end: bool,
}

/// What may agree.
#[derive(Clone)]
pub(super) struct Candidates {
    pub(crate) agreement: Arc<Agreement>,
    /// No round breaks it, so it does agree. Otherwise less of it may.
    pub(crate) is_inductive: bool,
}

/// The lemmas of one game.
pub(crate) struct Lemmas<'a> {
    game: &'a Game,
    pub ground: Arc<Ground>,
    samples: Option<Samples>,
    invariants: FxHashMap<usize, Arc<Invariants>>,
    agreements: FxHashMap<Terms, Candidates>,
}

impl<'a> Lemmas<'a> {
    pub(super) fn new(game: &'a Game, ground: Arc<Ground>) -> Self {
        Lemmas { game, ground, samples: None, invariants: FxHashMap::default(), agreements: FxHashMap::default() }
    }

    pub(super) const fn game(&self) -> &'a Game {
        self.game
    }

    /// Rounds from which invariants are worth looking for; after a prelude less is possible, so it is easier there.
    /// `None` where the time was up.
    pub(super) fn beginnings(&mut self, budget: &Budget) -> Option<Vec<usize>> {
        let game = self.game;
        let prelude = self.samples(budget)?.prelude(game.rules.fluent_count());
        Some(prelude.into_iter().chain([0]).collect())
    }

    fn samples(&mut self, budget: &Budget) -> Option<&Samples> {
        if self.samples.is_none() {
            budget.report("random matches", 0, None);
            self.samples = Samples::draw(self.game, budget);
        }
        self.samples.as_ref()
    }

    pub(crate) fn has_invariants(&self) -> bool {
        !self.invariants.is_empty()
    }

    /// The invariants that hold from a round on. `None` where the time was up.
    pub(crate) fn invariants(&mut self, from: usize, budget: &Budget) -> Option<Arc<Invariants>> {
        if let Some(known) = self.invariants.get(&from) {
            return Some(known.clone());
        }
        let (game, ground) = (self.game, self.ground.clone());
        let samples = self.samples(budget)?;
        budget.report("invariants", 0, None);
        let mut base = Bounded::single(game, ground.clone(), from, budget)?;
        let candidates = mine::candidates(game, &ground, samples, &mut base)?;
        // Invariants are about no role.
        let setting = Setting { game, ground: &ground, role: RoleId(0), made: &[] };
        let found = Arc::new(candidates.prove(&setting, &mut base, budget)?);
        self.invariants.insert(from, found.clone());
        Some(found)
    }

    /// What may agree under the invariants, which are those of `terms`, as far as that was looked into; `base` is as deep as
    /// they are late. `None` where the time was up.
    pub(super) fn candidates(
        &mut self,
        terms: Terms,
        invariants: &Invariants,
        base: &mut Bounded<'_>,
    ) -> Option<Candidates> {
        if let Some(known) = self.agreements.get(&terms) {
            return Some(known.clone());
        }
        let setting = Setting { game: self.game, ground: &self.ground, role: terms.role, made: &[] };
        let agreement = Arc::new(agree::first(&setting, invariants, base, terms.with_nodes)?);
        let fresh = Candidates { agreement, is_inductive: false };
        self.agreements.insert(terms, fresh.clone());
        Some(fresh)
    }

    /// Looks once more what of the candidates a round breaks. `None` where the time was up.
    pub(crate) fn refine(&mut self, terms: Terms, invariants: &Invariants, budget: &Budget) -> Option<()> {
        let setting = Setting { game: self.game, ground: &self.ground, role: terms.role, made: &[] };
        let known = self.agreements.get_mut(&terms)?;
        let less = agree::refine(&setting, invariants, terms.announce_end, budget, &known.agreement)?;
        let is_inductive = less.count() == known.agreement.count();
        *known = Candidates { agreement: Arc::new(less), is_inductive };
        Some(())
    }

    /// The greatest agreement under the invariants; as [`Lemmas::candidates`].
    pub(crate) fn agreement(
        &mut self,
        terms: Terms,
        invariants: &Invariants,
        base: &mut Bounded<'_>,
        budget: &Budget,
    ) -> Option<Arc<Agreement>> {
        loop {
            let known = self.candidates(terms, invariants, base)?;
            if known.is_inductive {
                return Some(known.agreement);
            }
            self.refine(terms, invariants, budget)?;
        }
    }
}
