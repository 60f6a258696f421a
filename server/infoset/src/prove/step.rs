//! A round in two copies from any two states that look alike: what is assumed of them, and what the round may break.
//!
//! The inductions of [`super::agree`] are made of such steps, and so is what has to be followed of a proof.

use percept_game::circuit::Lit;

use super::Property;
use super::agree::{Agreement, Candidate};
use super::census;
use super::invariant::Invariants;
use super::twin::{Copy, Moves, Setting, Symbolic};
use crate::Stop;
use crate::clauses::Clauses;
use crate::net::Net;

/// What an induction assumes of two matches that look alike.
#[derive(Clone, Copy)]
pub(crate) struct Premises<'a> {
    /// What agrees.
    pub kept: &'a Agreement,
    /// What holds in each of them.
    pub invariants: &'a Invariants,
    /// Both are over or neither is.
    pub announce_end: bool,
}

/// Two copies of which some premises hold, make one round, and are looked at afterwards.
pub(super) struct Step {
    pub net: Net,
    pub clauses: Clauses,
    states: (Symbolic, Symbolic),
    pub now: (Copy, Copy),
}

impl Step {
    /// Two copies of which the premises hold.
    ///
    /// # Errors
    /// Where the clauses' budget is spent: a copy of a large round takes a quarter of a second.
    pub(super) fn new(
        setting: &Setting<'_>,
        premises: Premises<'_>,
        clauses: Clauses,
        assume_percepts: bool,
    ) -> Result<Step, Stop> {
        let mut step = Step::bare(setting, premises, clauses, assume_percepts)?;
        step.agree(premises.kept);
        Ok(step)
    }

    /// Of what agrees only fluents and registers are built in.
    ///
    /// `assume_percepts`: the second copy takes the first one's percept gates, which is right where equal percepts are
    /// assumed anyway, and lets more of the copies fold into one.
    ///
    /// # Errors
    /// As [`Step::new`].
    pub(super) fn bare(
        setting: &Setting<'_>,
        premises: Premises<'_>,
        clauses: Clauses,
        assume_percepts: bool,
    ) -> Result<Step, Stop> {
        clauses.check()?;
        let Premises { kept, invariants, .. } = premises;
        let mut net = Net::new();
        let setting = &Setting { made: &invariants.made, ..*setting };
        let a = invariants.any_state(setting, &mut net);
        let mut b = invariants.any_state(setting, &mut net);
        kept.share(&a, &mut b);
        let copy_a = setting.copy(&mut net, &a, Moves::Own, &[]);
        clauses.check()?;
        let gates = setting.ground.sees[setting.role.0 as usize].iter().filter(|_| assume_percepts);
        let percepts: Vec<(u32, Lit)> = gates.map(|(_, lit)| (lit.node(), copy_a.node(lit.node()))).collect();
        let copy_b = setting.copy(&mut net, &b, Moves::Shared(&copy_a.does), &percepts);
        let mut step = Step { net, clauses, states: (a, b), now: (copy_a, copy_b) };
        for state in [&step.states.0, &step.states.1] {
            invariants.demand(&mut step.net, &mut step.clauses, state);
        }
        step.clauses.check()?;
        Ok(step)
    }

    /// Demands that the nodes and the formulas agree, and what follows from it that numbers do.
    fn agree(&mut self, kept: &Agreement) {
        for same in self.same(kept).into_iter().flatten() {
            self.clauses.add(&self.net, [same]);
        }
    }

    /// For each member that is not built in what is true where it agrees; of a count that both matches have one or neither.
    pub(super) fn same(&mut self, kept: &Agreement) -> Vec<Option<Lit>> {
        let (net, (a, b)) = (&mut self.net, &self.states);
        let (formulas_a, formulas_b) = (kept.formulas.of(net, a), kept.formulas.of(net, b));
        let differs = |member| match member {
            Candidate::Fluent(_) | Candidate::Register(_) => None,
            Candidate::Node(index) => {
                let index = index as u32;
                Some(net.differ(self.now.0.node(index), self.now.1.node(index)))
            }
            Candidate::Formula(index) => Some(net.differ(formulas_a[index], formulas_b[index])),
            Candidate::Count(index) => Some(census::one_has_none(net, &kept.counts.all[index], a, b)),
        };
        let differ: Vec<Option<Lit>> = kept.members().map(differs).collect();
        differ.into_iter().map(|differs| differs.map(|lit| !lit)).collect()
    }

    /// Makes the round; the states after it keep and agree on what has been proved.
    fn advance(&mut self, setting: &Setting<'_>, premises: Premises<'_>) -> Result<(), Stop> {
        let Premises { kept, invariants, announce_end } = premises;
        let setting = &Setting { made: &invariants.made, ..*setting };
        if announce_end {
            self.announce(setting);
        }
        self.demand(setting);
        let (mut a, mut b) = (setting.next(&mut self.net, &self.now.0), setting.next(&mut self.net, &self.now.1));
        for state in [&a, &b] {
            invariants.demand(&mut self.net, &mut self.clauses, state);
        }
        kept.demand(&mut self.net, &mut self.clauses, &a, &mut b);
        invariants.fix(&mut a);
        invariants.fix(&mut b);
        self.clauses.check()?;
        let copy_a = setting.copy(&mut self.net, &a, Moves::Own, &[]);
        self.clauses.check()?;
        let copy_b = setting.copy(&mut self.net, &b, Moves::Shared(&copy_a.does), &[]);
        self.now = (copy_a, copy_b);
        self.states = (a, b);
        self.agree(kept);
        self.clauses.check()
    }

    /// Both copies are over or neither is.
    fn announce(&mut self, setting: &Setting<'_>) {
        let differ = setting.differ(&mut self.net, Property::Terminal, &self.now.0, &self.now.1);
        self.clauses.add(&self.net, [!differ]);
    }

    /// Makes the round, and returns for everything that agrees what is true where it differs afterwards.
    pub(super) fn broken(&mut self, setting: &Setting<'_>, premises: Premises<'_>) -> Vec<Lit> {
        if premises.announce_end {
            self.announce(setting);
        }
        self.demand(setting);
        let (next_a, next_b) = (setting.next(&mut self.net, &self.now.0), setting.next(&mut self.net, &self.now.1));
        premises.kept.differences(setting, &mut self.net, &next_a, &next_b, std::slice::from_ref(&self.states))
    }

    /// The round is made in both copies, legally and with the same percepts.
    fn demand(&mut self, setting: &Setting<'_>) {
        setting.demand_round(&mut self.net, &mut self.clauses, &self.now.0);
        setting.demand_round(&mut self.net, &mut self.clauses, &self.now.1);
        setting.demand_same_percepts(&mut self.net, &mut self.clauses, &self.now.0, &self.now.1);
    }
}

/// Questions that all must have the answer no: under what the clauses demand none of the literals can be true.
pub(crate) struct Obligation {
    pub net: Net,
    pub clauses: Clauses,
    pub targets: Vec<Lit>,
}

/// A step must not break anything that agrees.
///
/// # Errors
/// Where the clauses' budget is spent.
pub(crate) fn step_obligation(
    setting: &Setting<'_>,
    premises: Premises<'_>,
    clauses: Clauses,
) -> Result<Obligation, Stop> {
    let mut step = Step::new(setting, premises, clauses, false)?;
    let mut targets = step.broken(setting, premises);
    targets.retain(|&differ| differ != Lit::FALSE);
    Ok(Obligation { net: step.net, clauses: step.clauses, targets })
}

/// Two states of which the premises hold must not differ in the property, if the states in the `back` rounds before did not.
/// Of own moves: the rounds made from them, in which the role gets the same, must not, if the `back` rounds before did not.
///
/// # Errors
/// Where the clauses' budget is spent.
pub(crate) fn property_obligation(
    setting: &Setting<'_>,
    premises: Premises<'_>,
    property: Property,
    back: usize,
    clauses: Clauses,
) -> Result<Obligation, Stop> {
    let mut step = Step::new(setting, premises, clauses, false)?;
    for _ in 0..back {
        let differ = setting.differ(&mut step.net, property, &step.now.0, &step.now.1);
        step.clauses.add(&step.net, [!differ]);
        step.advance(setting, premises)?;
    }
    if premises.announce_end && property != Property::Terminal {
        step.announce(setting);
    }
    if property == Property::Own {
        step.demand(setting);
    }
    let targets = setting.ways_to_differ(&mut step.net, property, &step.now.0, &step.now.1);
    Ok(Obligation { net: step.net, clauses: step.clauses, targets })
}
