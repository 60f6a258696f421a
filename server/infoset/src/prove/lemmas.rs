//! Results about a game that serve later questions: invariants, for all roles and properties, and for each role the
//! members that agree.

use std::sync::Arc;

use percept_game::symmetry::Symmetries;
use percept_game::{Game, Ground, RoleId};
use rustc_hash::FxHashMap;

use super::agree::{self, Extent, Orbits};
use super::alike::{self, Alike};
use super::bounded::Bounded;
use super::claims::{Agreement, Claim, Invariants};
use super::mine;
use super::sample::Samples;
use super::setting::Setting;
use super::sieve::Sifted;
use super::step::Premises;
use crate::Budget;

/// The terms of an agreement: the role, the candidates and the premises.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Terms {
    pub role: RoleId,
    /// The invariants assumed; `None` for none.
    pub stage: Option<Stage>,
    pub(crate) extent: Extent,
    pub announce_end: bool,
}

/// The kind of invariants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Stage {
    /// The round from which they hold.
    pub from: usize,
    /// True if clauses about pairs of fluents are included.
    pub joint: bool,
}

/// The members that may agree under some terms.
#[derive(Clone)]
pub(super) struct Candidates {
    pub(crate) agreement: Arc<Agreement>,
    /// True if no round breaks the agreement, so that it holds; if not, it may have to shrink.
    pub(crate) is_inductive: bool,
}

/// The lemmas of one game.
pub(crate) struct Lemmas<'a> {
    game: &'a Game,
    pub ground: Arc<Ground>,
    samples: Option<Samples>,
    invariants: FxHashMap<Stage, Arc<Invariants>>,
    /// The candidates left when time ran out before they were proved.
    pending: FxHashMap<Stage, Invariants>,
    /// Candidates for clauses about pairs of fluents, by the round from which they hold.
    joint: FxHashMap<usize, Vec<Claim>>,
    agreements: FxHashMap<Terms, Candidates>,
    /// The agreement by the structure of the rules, by role.
    structural: FxHashMap<RoleId, Arc<Agreement>>,
    /// Pairs of states that look alike, by role.
    alike: FxHashMap<RoleId, Vec<Alike>>,
    /// The orbits of fluents and nodes, if the game's symmetries are known.
    orbits: Option<Orbits>,
}

impl<'a> Lemmas<'a> {
    pub(super) fn new(game: &'a Game, ground: Arc<Ground>) -> Self {
        Lemmas {
            game,
            ground,
            samples: None,
            invariants: FxHashMap::default(),
            pending: FxHashMap::default(),
            joint: FxHashMap::default(),
            agreements: FxHashMap::default(),
            structural: FxHashMap::default(),
            alike: FxHashMap::default(),
            orbits: None,
        }
    }

    /// From now on all members of an orbit of these symmetries agree or none does.
    pub(super) fn look_up_to(&mut self, symmetries: &Symmetries) {
        if self.orbits.is_none() && !symmetries.of_things.is_empty() {
            self.orbits = Some(Orbits::of(symmetries, self.game.rules.fluent_count(), &self.ground));
        }
    }

    pub(super) const fn game(&self) -> &'a Game {
        self.game
    }

    /// The rounds from which to search for invariants. After a prelude fewer states are possible, so they are easier to
    /// prove there. `None` if time ran out.
    pub(super) fn beginnings(&mut self, budget: &Budget) -> Option<Vec<usize>> {
        let game = self.game;
        let prelude = self.samples(budget)?.prelude(game);
        Some(prelude.into_iter().chain([0]).collect())
    }

    /// The members that agree by the structure of the rules. `None` if time ran out.
    pub(super) fn structural(&mut self, role: RoleId, budget: &Budget) -> Option<Arc<Agreement>> {
        if !self.structural.contains_key(&role) {
            let setting = Setting { game: self.game, ground: &self.ground, role, made: &[] };
            self.structural.insert(role, Arc::new(agree::structural(&setting, budget)?));
        }
        self.structural.get(&role).cloned()
    }

    /// Pairs of states that look alike to the role. `None` if time ran out.
    fn alike(&mut self, role: RoleId, budget: &Budget) -> Option<&[Alike]> {
        if !self.alike.contains_key(&role) {
            let game = self.game;
            let pairs = alike::pairs(game, role, self.samples(budget)?, &budget.share(10));
            self.alike.insert(role, pairs);
        }
        self.alike.get(&role).map(Vec::as_slice)
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

    /// True if these invariants are proved already.
    pub(super) fn knows(&self, stage: Stage) -> bool {
        self.invariants.contains_key(&stage)
    }

    /// The invariants of a stage; those about pairs of fluents include all others. `None` if time ran out, or there
    /// are none.
    pub(crate) fn invariants(&mut self, stage: Stage, budget: &Budget) -> Option<Arc<Invariants>> {
        if let Some(old) = self.invariants.get(&stage) {
            return Some(old.clone());
        }
        let single = match stage.joint {
            true => Some(self.invariants(Stage { joint: false, ..stage }, budget)?),
            false => None,
        };
        let (game, ground) = (self.game, self.ground.clone());
        budget.report("invariants", 0, None);
        // Invariants do not depend on a role.
        let setting = Setting { game, ground: &ground, role: RoleId(0), made: &[] };
        let proved = single.as_ref().map_or(0, |it| it.claims.len());
        let candidates = match self.pending.remove(&stage) {
            Some(left) => left,
            None => self.candidates_for(stage.from, single.as_deref(), budget)?,
        };
        let found = match candidates.prove(&setting, proved, budget) {
            (found, true) => Arc::new(found),
            (left, false) => {
                self.pending.insert(stage, left);
                return None;
            }
        };
        self.invariants.insert(stage, found.clone());
        Some(found)
    }

    /// Candidates that hold after `from` rounds. `single`: the proved ones, to which those about pairs of fluents are
    /// added.
    fn candidates_for(&mut self, from: usize, single: Option<&Invariants>, budget: &Budget) -> Option<Invariants> {
        let mut base = Bounded::single(self.game, self.ground.clone(), from, budget)?;
        let candidates = match single {
            Some(single) => {
                let joint = self.joint.get(&from).filter(|joint| !joint.is_empty())?;
                let claims = [&single.claims[..], joint].concat();
                Invariants { claims, ..single.clone() }
            }
            None => {
                let (game, ground) = (self.game, self.ground.clone());
                let (candidates, joint) = mine::candidates(game, &ground, self.samples(budget)?, &mut base)?;
                self.joint.insert(from, joint);
                candidates
            }
        };
        candidates.after(&mut base)
    }

    /// The members that may agree under the invariants, as far as they were examined. The invariants are those of
    /// `terms`, and `base` has as many rounds as they need. `None` if time ran out.
    pub(super) fn candidates(
        &mut self,
        terms: Terms,
        invariants: &Invariants,
        base: &mut Bounded<'_>,
        budget: &Budget,
    ) -> Option<Candidates> {
        if let Some(old) = self.agreements.get(&terms) {
            return Some(old.clone());
        }
        let ground = self.ground.clone();
        let setting = Setting { game: self.game, ground: &ground, role: terms.role, made: &[] };
        let alone = match terms.extent {
            Extent::Fluents => None,
            // Unproved candidates suffice here: proving them may take long, and may not be needed.
            _ => Some(self.candidates(Terms { extent: Extent::Fluents, ..terms }, invariants, base, budget)?.agreement),
        };
        self.alike(terms.role, budget)?;
        let pairs = self.alike[&terms.role].iter().filter(|it| it.round >= invariants.from);
        let seen =
            agree::first(&setting, terms.extent, alone.as_deref(), invariants, pairs, self.orbits.as_ref(), budget);
        let agreement = Arc::new(if invariants.from > 0 { seen.at(&setting, base)? } else { seen });
        let fresh = Candidates { agreement, is_inductive: false };
        self.agreements.insert(terms, fresh.clone());
        Some(fresh)
    }

    /// Drops the candidates that a round breaks. `None` if time ran out.
    pub(crate) fn refine(&mut self, terms: Terms, invariants: &Invariants, budget: &Budget) -> Option<()> {
        let setting = Setting { game: self.game, ground: &self.ground, role: terms.role, made: &[] };
        let candidates = self.agreements.get_mut(&terms)?;
        let sure = self.structural.get(&terms.role).map(|it| &**it);
        let premises = Premises { kept: &candidates.agreement, invariants, announce_end: terms.announce_end };
        let (less, sifted) = agree::refine(&setting, premises, sure, budget);
        let is_less = less != *candidates.agreement;
        // Candidates dropped before time ran out stay dropped.
        *candidates = Candidates { agreement: Arc::new(less), is_inductive: sifted == Sifted::Settled };
        if is_less && terms.extent == Extent::Fluents {
            // Fluents that do not agree alone may agree in groups and pairs: find those candidates again.
            let of = |extent| Terms { extent, ..terms };
            [Extent::Counts, Extent::Joint].map(of).iter().for_each(|stale| drop(self.agreements.remove(stale)));
        }
        (sifted != Sifted::OutOfTime).then_some(())
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
            let candidates = self.candidates(terms, invariants, base, budget)?;
            if candidates.is_inductive {
                return Some(candidates.agreement);
            }
            self.refine(terms, invariants, budget)?;
        }
    }
}
