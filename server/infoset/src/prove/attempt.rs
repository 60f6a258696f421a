//! One property of one role by induction, with stronger and stronger assumptions.

use std::sync::Arc;

use percept_game::{Ground, RoleId};

use super::agree::{self, Extent};
use super::bounded::{Answer, Bounded};
use super::candidates::BRIEFLY;
use super::claims::{Agreement, Invariants};
use super::findings::{Argument, Induction, Options, Verdict, proved};
use super::lemmas::{Lemmas, Stage, Terms};
use super::setting::Setting;
use super::step::Premises;
use crate::Budget;
use crate::verdict::Property;

/// The most rounds that the induction on the property looks back.
pub(super) const FARTHEST_BACK: usize = 3;

/// Gates up to which agreement of gates is tried at once.
const FEW_GATES: usize = 3_000;

/// Gates beyond which agreement of gates is not tried.
const MOST_GATES: usize = 50_000;

/// State shared by the inductions on one property.
pub(crate) struct Attempt<'s, 'a> {
    setting: &'s Setting<'a>,
    whole: Arc<Ground>,
    property: Property,
    announce_end: bool,
    budget: &'s Budget,
    /// Pairs of matches as long as the rounds before the induction begins.
    base: Bounded<'a>,
    /// No pair of fewer rounds than this differs in the property.
    round: usize,
}

impl<'s, 'a> Attempt<'s, 'a> {
    /// A new attempt; `None` if not even the first round can be unrolled.
    pub(super) fn new(
        setting: &'s Setting<'a>,
        whole: Arc<Ground>,
        property: Property,
        announce_end: bool,
        budget: &'s Budget,
    ) -> Option<Self> {
        let base = base(setting, &whole, budget)?;
        Some(Attempt { setting, whole, property, announce_end, budget, base, round: 0 })
    }

    /// Unrolls the base to `from` rounds and checks the property on the way.
    ///
    /// # Errors
    /// The verdict, or `None` if time ran out.
    fn go_to(&mut self, from: usize) -> Result<(), Option<Verdict>> {
        self.ask_below(from)?;
        if self.base.depth() > from {
            self.base = base(self.setting, &self.whole, self.budget).ok_or(None)?;
        }
        while self.base.depth() < from {
            self.base.deepen().map_err(|_| None)?;
        }
        Ok(())
    }

    /// Asks about the property in all pairs of matches of fewer than `depth` rounds.
    fn ask_below(&mut self, depth: usize) -> Result<(), Option<Verdict>> {
        while self.round < depth {
            if self.base.depth() > self.round {
                self.base = base(self.setting, &self.whole, self.budget).ok_or(None)?;
            }
            while self.base.depth() < self.round {
                self.base.deepen().map_err(|_| None)?;
            }
            match self.base.ask(self.property) {
                Answer::None => self.round += 1,
                Answer::Unknown => return Err(None),
                Answer::Pair(pair) => return Err(Some(Verdict::Refuted { pair, method: "bounded" })),
            }
        }
        Ok(())
    }

    /// Tries an induction with these invariants, or with none. It looks back at most `farthest` rounds.
    pub(super) fn under(
        &mut self,
        lemmas: &mut Lemmas<'_>,
        under: Option<(Stage, &Invariants)>,
        extent: Extent,
        farthest: usize,
    ) -> Option<Verdict> {
        let (setting, announce_end, budget) = (self.setting, self.announce_end, self.budget);
        let none = Invariants::default();
        let stage = under.map(|it| it.0);
        let invariants = under.map_or(&none, |it| it.1);
        if let Err(verdict) = self.go_to(invariants.from) {
            return verdict;
        }
        let terms = Terms { role: setting.role, stage, extent, announce_end };
        loop {
            let candidates = lemmas.candidates(terms, invariants, &mut self.base, budget)?;
            // A smaller agreement proves less: if the candidates do not suffice, neither does a part of them.
            let back = self.suffices(invariants, &candidates.agreement, farthest, candidates.is_inductive)?;
            if !candidates.is_inductive {
                lemmas.refine(terms, invariants, budget)?;
                continue;
            }
            // The question about an own move comes one round after it.
            let after = usize::from(self.property == Property::Own);
            if let Err(verdict) = self.ask_below(invariants.from + back + after) {
                return verdict;
            }
            let (invariants, agreement) = (invariants.clone(), Agreement::clone(&candidates.agreement));
            let induction = Induction { invariants, agreement, back };
            return Some(proved("induction", Argument::Induction(Box::new(induction))));
        }
    }

    /// The number of rounds that the induction on the property has to look back, if the agreement holds. `None` if no
    /// number up to `farthest` suffices, or time ran out. If the agreement is not `proved` yet, the solver gets only
    /// a few conflicts to show that it does not suffice.
    fn suffices(&self, invariants: &Invariants, agreement: &Agreement, farthest: usize, proved: bool) -> Option<usize> {
        let follows = |back| {
            let premises = Premises { kept: agreement, invariants, announce_end: self.announce_end };
            let most = (!proved).then_some(BRIEFLY);
            agree::follows(self.setting, premises, self.property, back, most, self.budget)
        };
        let is_enough = |answer: Option<bool>| answer.unwrap_or(!proved);
        (0..=farthest).take_while(|_| self.budget.stop().is_none()).find(|&back| is_enough(follows(back)))
    }
}

fn base<'a>(setting: &Setting<'a>, whole: &Arc<Ground>, budget: &Budget) -> Option<Bounded<'a>> {
    Bounded::new(setting.game, setting.role, Some(whole.clone()), budget).ok()
}

/// Tries ever stronger inductions. `Refuted` if a pair is found in the rounds before the induction begins; `None` if
/// nothing is decided.
pub(super) fn by_induction(
    lemmas: &mut Lemmas<'_>,
    role: RoleId,
    property: Property,
    options: &Options,
    budget: &Budget,
) -> Option<Verdict> {
    let (game, ground) = (lemmas.game(), lemmas.ground.clone());
    let setting = &Setting { game, ground: &ground, role, made: &[] };
    let gates = ground.circuit.nodes().len();
    budget.report("induction", 0, None);
    // Known invariants are used at once: they make agreement easier to find.
    if !lemmas.has_invariants() {
        let some = budget.share(4);
        let mut attempt = Attempt::new(setting, ground.clone(), property, options.announce_end, &some)?;
        // Small games try gates first, at no cost; large games try them last.
        for extent in [Extent::Fluents, Extent::Gates] {
            if (extent == Extent::Fluents || gates < FEW_GATES)
                && let found @ Some(_) = attempt.under(lemmas, None, extent, 0)
            {
                return found;
            }
        }
    }
    let mut attempt = Attempt::new(setting, ground.clone(), property, options.announce_end, budget)?;
    for from in lemmas.beginnings(&budget.share(3))? {
        // Looking back makes the questions several times as large, so further candidates are tried first.
        for (joint, extent, back) in [
            (false, Extent::Fluents, 0),
            (false, Extent::Counts, 0),
            (false, Extent::Joint, 0),
            (false, Extent::Fluents, FARTHEST_BACK),
            (false, Extent::Joint, FARTHEST_BACK),
            (false, Extent::Gates, FARTHEST_BACK),
            (true, Extent::Gates, FARTHEST_BACK),
        ] {
            if extent == Extent::Gates && gates >= MOST_GATES {
                continue;
            }
            // If invariants about pairs of fluents are proved already, using them costs nothing.
            if extent == Extent::Gates && !joint && lemmas.knows(Stage { from, joint: true }) {
                continue;
            }
            let stage = Stage { from, joint };
            let Some(invariants) = lemmas.invariants(stage, &budget.most()) else { break };
            budget.report("induction with invariants", 0, None);
            if let found @ Some(_) = attempt.under(lemmas, Some((stage, &invariants)), extent, back) {
                return found;
            }
        }
    }
    None
}
