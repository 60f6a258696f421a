//! A round in two copies from any two states that look alike: the assumptions about the states, and the claims that the
//! round may break.
//!
//! The inductions of [`super::agree`] consist of such steps, and so do the obligations of a proof. The meaning of an
//! agreement for two states, in literals, is here as well.

use percept_game::FluentId;
use percept_game::circuit::Lit;

use super::candidates::Obligation;
use super::census;
use super::claims::{Agreement, Candidate, Formulas, Invariants, Operand};
use super::setting::Setting;
use super::twin::{Copy, Moves, Symbolic};
use crate::Stop;
use crate::clauses::Clauses;
use crate::net::Net;
use crate::verdict::Property;

/// The assumptions of an induction about two matches that look alike.
#[derive(Clone, Copy)]
pub(crate) struct Premises<'a> {
    /// The members that agree.
    pub kept: &'a Agreement,
    /// The facts that hold in each of them.
    pub invariants: &'a Invariants,
    /// True if the end is announced: both matches are over or neither is.
    pub announce_end: bool,
}

/// Two copies that satisfy some premises and make one round, for claims about the states after it.
pub(super) struct Step {
    pub net: Net,
    pub clauses: Clauses,
    states: (Symbolic, Symbolic),
    pub now: (Copy, Copy),
}

impl Step {
    /// Two copies that satisfy the premises.
    ///
    /// # Errors
    /// If the clauses' budget is spent: a copy of a large round takes a quarter of a second.
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

    /// Two copies in which only the fluents and registers that agree are built in.
    ///
    /// `assume_percepts`: the second copy uses the first one's percept gates. This is right if equal percepts are
    /// assumed anyway, and lets more of the copies fold into one.
    ///
    /// # Errors
    /// Like [`Step::new`].
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

    /// Demands that the nodes and the formulas agree, and the consequences of agreement for numbers.
    fn agree(&mut self, kept: &Agreement) {
        for same in self.same(kept).into_iter().flatten() {
            self.clauses.add(&self.net, [same]);
        }
    }

    /// For each member that is not built in, a literal that is true if it agrees. A count is true if both matches have
    /// a member of the group or neither has.
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

    /// Makes the round. The states after it satisfy the invariants and agree on the proved members.
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

    /// Demands that both copies are over or neither is.
    fn announce(&mut self, setting: &Setting<'_>) {
        let differ = setting.differ(&mut self.net, Property::Terminal, &self.now.0, &self.now.1);
        self.clauses.add(&self.net, [!differ]);
    }

    /// Makes the round. Returns, for each member that agrees, a literal that is true if it differs afterwards.
    pub(super) fn broken(&mut self, setting: &Setting<'_>, premises: Premises<'_>) -> Vec<Lit> {
        if premises.announce_end {
            self.announce(setting);
        }
        self.demand(setting);
        let (next_a, next_b) = (setting.next(&mut self.net, &self.now.0), setting.next(&mut self.net, &self.now.1));
        premises.kept.differences(setting, &mut self.net, &next_a, &next_b, std::slice::from_ref(&self.states))
    }

    /// Demands that the round is made in both copies, legally and with the same percepts.
    fn demand(&mut self, setting: &Setting<'_>) {
        setting.demand_round(&mut self.net, &mut self.clauses, &self.now.0);
        setting.demand_round(&mut self.net, &mut self.clauses, &self.now.1);
        setting.demand_same_percepts(&mut self.net, &mut self.clauses, &self.now.0, &self.now.1);
    }
}

/// The obligation that a step breaks no member that agrees.
///
/// # Errors
/// If the clauses' budget is spent.
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

/// The obligation that two states that satisfy the premises do not differ in the property, if the states in the `back`
/// rounds before did not. For own moves it is about the rounds made from them, with the same observations.
///
/// # Errors
/// If the clauses' budget is spent.
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

impl Formulas {
    /// The value of each formula in a state.
    pub(super) fn of(&self, net: &mut Net, state: &Symbolic) -> Vec<Lit> {
        let mut values: Vec<Lit> = Vec::with_capacity(self.all.len());
        for operands in &self.all {
            let operands = operands.iter().map(|&(operand, holds)| {
                let value = match operand {
                    Operand::Fluent(fluent) => state.fluents[fluent.0 as usize],
                    Operand::Formula(earlier) => values[earlier],
                };
                if holds { value } else { !value }
            });
            values.push(net.and(operands));
        }
        values
    }
}

impl Agreement {
    /// For each member, a literal that is true if two states differ in it. `before`: the pairs of states in the rounds
    /// before; the first pair did not differ.
    pub(crate) fn differences(
        &self,
        setting: &Setting<'_>,
        net: &mut Net,
        a: &Symbolic,
        b: &Symbolic,
        before: &[(Symbolic, Symbolic)],
    ) -> Vec<Lit> {
        let copies = self
            .nodes
            .contains(&true)
            .then(|| (setting.copy(net, a, Moves::Nobody, &[]), setting.copy(net, b, Moves::Nobody, &[])));
        let (formulas_a, formulas_b) = (self.formulas.of(net, a), self.formulas.of(net, b));
        let node = |index: usize| {
            let (a, b) = copies.as_ref().expect("made if any node agrees");
            (a.node(index as u32), b.node(index as u32))
        };
        let differs = |member| {
            let (a, b) = match member {
                Candidate::Fluent(index) => (a.fluents[index], b.fluents[index]),
                Candidate::Register(index) => return a.registers[index].may_differ(net, &b.registers[index]),
                Candidate::Node(index) => node(index),
                Candidate::Formula(index) => (formulas_a[index], formulas_b[index]),
                Candidate::Count(index) => {
                    return census::unevenly_changed(net, &self.counts.all[index], before, (a, b));
                }
            };
            net.differ(a, b)
        };
        self.members().map(differs).collect()
    }

    /// Gives the second state the literals and numbers of the first one for all members that agree.
    pub(super) fn share(&self, a: &Symbolic, b: &mut Symbolic) {
        let same = |kept: &[bool], index: usize| kept.get(index) == Some(&true);
        for (index, (b, &a)) in b.fluents.iter_mut().zip(&a.fluents).enumerate() {
            if same(&self.fluents, index) {
                *b = a;
            }
        }
        for (index, (b, a)) in b.registers.iter_mut().zip(&a.registers).enumerate() {
            if same(&self.registers, index) {
                b.clone_from(a);
            }
        }
    }

    /// Demands that the second state's fluents agree with the first one's. Nothing is demanded of registers, because
    /// different terms may be the same number, but facts about one also hold for the other.
    pub(crate) fn demand(&self, net: &mut Net, clauses: &mut Clauses, a: &Symbolic, b: &mut Symbolic) {
        let fluents = self.fluents().map(|FluentId(index)| (a.fluents[index as usize], b.fluents[index as usize]));
        let differ: Vec<Lit> = fluents.map(|(a, b)| net.differ(a, b)).collect();
        differ.into_iter().for_each(|differ| clauses.add(net, [!differ]));
        self.share(a, b);
    }
}
