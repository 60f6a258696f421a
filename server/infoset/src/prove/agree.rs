//! Which fluents always agree in two matches that the role cannot tell apart? If enough of them do, it knows.
//!
//! The greatest set `E` of candidates is wanted such that: two states that agree on `E`, the same own moves and the
//! same percepts lead to states that agree on `E`. Both matches begin in the same state, so by induction they agree on
//! `E` for ever. Found by van Eijk's scheme: start with everything, drop what some step breaks, until nothing breaks.
//! (Haufe and Thielscher, "Automated Verification of Epistemic Properties for General Game Playing", KR 2012, prove
//! such formulas by induction; van Eijk, "Sequential equivalence checking based on structural similarities", 2000, is
//! where the simultaneous induction comes from.)
//!
//! Two provers share this: [`structural`] calls a step kept only where both copies become the *same* circuit, which
//! takes no search; [`refine`] asks a solver.

use percept_game::FluentId;
use percept_game::circuit::{Lit, Node};

use super::bounded::Bounded;
use super::invariant::Invariants;
use super::twin::{Copy, Moves, Setting, Symbolic};
use super::{Property, candidates};
use crate::Budget;
use crate::clauses::Clauses;
use crate::net::Net;

/// What agrees: by fluent, by node of the round's circuit (nodes that read the state alone), and formulas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Agreement {
    pub fluents: Vec<bool>,
    pub nodes: Vec<bool>,
    pub formulas: Formulas,
}

/// Formulas over fluents, for agreements that are not of one circuit: each is a conjunction of fluents and earlier ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Formulas {
    pub all: Vec<Vec<(Operand, bool)>>,
    /// Those that agree, by number.
    pub(crate) agreeing: Vec<usize>,
}

/// What a formula is made of; it is negated where `false` stands beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    Fluent(FluentId),
    /// An earlier formula.
    Formula(usize),
}

impl Formulas {
    /// All formulas in a state.
    fn of(&self, net: &mut Net, state: &Symbolic) -> Vec<Lit> {
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

/// Two copies that agree on `agreement`, make one round, and are looked at afterwards.
struct Step {
    net: Net,
    clauses: Clauses,
    now: (Copy, Copy),
}

impl Agreement {
    /// Everything that can be looked at before a move: all fluents, and the nodes without a move below them.
    pub(crate) fn all(setting: &Setting<'_>, with_nodes: bool) -> Agreement {
        let nodes = setting.ground.circuit.nodes();
        let mut reads_state = vec![false; nodes.len()];
        for (index, node) in nodes.iter().enumerate() {
            reads_state[index] = match node {
                Node::True | Node::Fluent(_) => true,
                Node::And(operands) | Node::Or(operands) => operands.iter().all(|lit| reads_state[lit.node() as usize]),
                Node::Move(..) | Node::Compare(_) | Node::Loop { .. } => false,
            };
        }
        let gates = |node: &Node| with_nodes && matches!(node, Node::And(_) | Node::Or(_));
        let nodes = nodes.iter().zip(reads_state).map(|(node, reads)| reads && gates(node)).collect();
        Agreement { fluents: vec![true; setting.game.rules.fluent_count()], nodes, formulas: Formulas::default() }
    }

    pub(crate) fn count(&self) -> usize {
        let count = |set: &[bool]| set.iter().filter(|&&kept| kept).count();
        count(&self.fluents) + count(&self.nodes) + self.formulas.agreeing.len()
    }

    /// What of it agrees in all pairs of matches as long as `base` is deep.
    fn at(mut self, setting: &Setting<'_>, base: &mut Bounded<'_>) -> Option<Agreement> {
        let members: Vec<Candidate> = self.members().collect();
        let differ = base.which(|net, a, b| self.differences(setting, net, a, b), &[])?;
        members.iter().zip(differ).filter(|(_, differs)| *differs).for_each(|(member, _)| self.drop(member));
        Some(self)
    }

    fn members(&self) -> impl Iterator<Item = Candidate> + '_ {
        let fluents = (0..self.fluents.len()).filter(|&index| self.fluents[index]).map(Candidate::Fluent);
        let nodes = (0..self.nodes.len()).filter(|&index| self.nodes[index]).map(Candidate::Node);
        fluents.chain(nodes).chain(self.formulas.agreeing.iter().copied().map(Candidate::Formula))
    }

    fn drop(&mut self, member: &Candidate) {
        match *member {
            Candidate::Fluent(index) => self.fluents[index] = false,
            Candidate::Node(index) => self.nodes[index] = false,
            Candidate::Formula(index) => self.formulas.agreeing.retain(|&kept| kept != index),
        }
    }

    /// For each member what is true where two states differ in it.
    pub(crate) fn differences(&self, setting: &Setting<'_>, net: &mut Net, a: &Symbolic, b: &Symbolic) -> Vec<Lit> {
        let copies = self
            .nodes
            .contains(&true)
            .then(|| (setting.copy(net, a, Moves::Nobody, &[]), setting.copy(net, b, Moves::Nobody, &[])));
        let (formulas_a, formulas_b) = (self.formulas.of(net, a), self.formulas.of(net, b));
        let node = |index: usize| {
            let (a, b) = copies.as_ref().expect("made if any node agrees");
            (a.node(index as u32), b.node(index as u32))
        };
        let sides = self.members().map(|member| match member {
            Candidate::Fluent(index) => (a.fluents[index], b.fluents[index]),
            Candidate::Node(index) => node(index),
            Candidate::Formula(index) => (formulas_a[index], formulas_b[index]),
        });
        sides.map(|(a, b)| net.differ(a, b)).collect()
    }

    /// The fluents in the set.
    pub(crate) fn fluents(&self) -> impl Iterator<Item = FluentId> + '_ {
        self.fluents.iter().enumerate().filter(|(_, kept)| **kept).map(|(index, _)| FluentId(index as u32))
    }
}

/// The agreement that needs no search: percepts and own moves are shared, and the next value of a fluent must come out
/// as one and the same node.
pub(super) fn structural(setting: &Setting<'_>) -> Agreement {
    let mut kept = Agreement::all(setting, false);
    loop {
        let mut step = Step::new(setting, &kept, &Invariants::default(), Clauses::new(&Budget::default()), true);
        let (next_a, next_b) = (setting.next(&mut step.net, &step.now.0), setting.next(&mut step.net, &step.now.1));
        let mut changed = false;
        for (index, kept) in kept.fluents.iter_mut().enumerate() {
            if *kept && next_a.fluents[index] != next_b.fluents[index] {
                *kept = false;
                changed = true;
            }
        }
        if !changed {
            return kept;
        }
    }
}

/// Whether the structural agreement alone makes the property the same in both copies.
///
/// The percepts of the round are not shared here: the role gets them only when it has moved.
pub(crate) fn structurally_known(setting: &Setting<'_>, kept: &Agreement, property: Property) -> bool {
    let mut step = Step::new(setting, kept, &Invariants::default(), Clauses::new(&Budget::default()), false);
    setting.differ(&mut step.net, property, &step.now.0, &step.now.1) == Lit::FALSE
}

/// Where to begin: everything, but at the depth of `base`, where the invariants begin to hold, what can differ. `None` where
/// the time was up.
pub(super) fn first(
    setting: &Setting<'_>,
    invariants: &Invariants,
    base: &mut Bounded<'_>,
    with_nodes: bool,
) -> Option<Agreement> {
    let all = Agreement::all(setting, with_nodes);
    if invariants.from > 0 { all.at(setting, base) } else { Some(all) }
}

/// One round of the scheme: under the assumption `kept` and the invariants, drops whatever a step can break. What is left
/// is inductive when nothing was. `None` where the time was up.
pub(crate) fn refine(
    setting: &Setting<'_>,
    invariants: &Invariants,
    announce_end: bool,
    budget: &Budget,
    kept: &Agreement,
) -> Option<Agreement> {
    let mut step = Step::new(setting, kept, invariants, Clauses::for_proofs(budget), false);
    let open = step.breakable(setting, kept, announce_end);
    let targets: Vec<Lit> = open.iter().map(|(_, differ)| *differ).collect();
    let broken = candidates::possible(&mut step.net, &mut step.clauses, &targets)?;
    let mut next = kept.clone();
    for ((candidate, _), _) in open.iter().zip(broken).filter(|(_, broken)| *broken) {
        next.drop(candidate);
    }
    budget.report("atoms that agree", next.count(), None);
    Some(next)
}

/// Questions that all must have the answer no: under what the clauses demand none of the literals can be true.
pub(crate) struct Obligation {
    pub net: Net,
    pub clauses: Clauses,
    pub targets: Vec<Lit>,
}

/// A step must not break anything in `kept`.
pub(crate) fn step_obligation(
    setting: &Setting<'_>,
    invariants: &Invariants,
    announce_end: bool,
    kept: &Agreement,
    clauses: Clauses,
) -> Obligation {
    let mut step = Step::new(setting, kept, invariants, clauses, false);
    let targets = step.breakable(setting, kept, announce_end).into_iter().map(|(_, differ)| differ).collect();
    Obligation { net: step.net, clauses: step.clauses, targets }
}

/// Two states that agree on `kept` must not differ in the property, if the states in the `back` rounds before did not.
pub(crate) fn property_obligation(
    setting: &Setting<'_>,
    invariants: &Invariants,
    announce_end: bool,
    kept: &Agreement,
    property: Property,
    back: usize,
    clauses: Clauses,
) -> Obligation {
    let mut step = Step::new(setting, kept, invariants, clauses, false);
    for _ in 0..back {
        let differ = setting.differ(&mut step.net, property, &step.now.0, &step.now.1);
        step.clauses.add(&step.net, [!differ]);
        step.advance(setting, kept, invariants, announce_end);
    }
    if announce_end && property != Property::Terminal {
        step.announce(setting);
    }
    let target = setting.differ(&mut step.net, property, &step.now.0, &step.now.1);
    Obligation { net: step.net, clauses: step.clauses, targets: vec![target] }
}

enum Candidate {
    Fluent(usize),
    Node(usize),
    Formula(usize),
}

/// Whether the agreement makes the property known: no two states that agree (and keep the invariants) differ in it.
/// `None` where the time was up.
pub(super) fn known(
    setting: &Setting<'_>,
    invariants: &Invariants,
    announce_end: bool,
    budget: &Budget,
    kept: &Agreement,
    property: Property,
    back: usize,
) -> Option<bool> {
    let clauses = Clauses::for_proofs(budget);
    let mut query = property_obligation(setting, invariants, announce_end, kept, property, back, clauses);
    Some(!query.clauses.solve(&query.net, &query.targets)?)
}

impl Step {
    /// `assume_percepts`: the second copy takes the first one's percept gates, which is right where equal percepts are
    /// assumed anyway, and lets more of the copies fold into one.
    fn new(
        setting: &Setting<'_>,
        kept: &Agreement,
        invariants: &Invariants,
        clauses: Clauses,
        assume_percepts: bool,
    ) -> Step {
        let mut net = Net::new();
        let setting = &Setting { made: &invariants.made, ..*setting };
        let a = invariants.any_state(setting, &mut net);
        let mut b = invariants.any_state(setting, &mut net);
        for ((b, &a), _) in b.fluents.iter_mut().zip(&a.fluents).zip(&kept.fluents).filter(|(_, kept)| **kept) {
            *b = a;
        }
        let copy_a = setting.copy(&mut net, &a, Moves::Own, &[]);
        let gates = setting.ground.sees[setting.role.0 as usize].iter().filter(|_| assume_percepts);
        let percepts: Vec<(u32, Lit)> = gates.map(|(_, lit)| (lit.node(), copy_a.node(lit.node()))).collect();
        let copy_b = setting.copy(&mut net, &b, Moves::Shared(&copy_a.does), &percepts);
        let mut step = Step { net, clauses, now: (copy_a, copy_b) };
        step.agree(kept, &a, &b);
        invariants.demand(&mut step.net, &mut step.clauses, &a);
        invariants.demand(&mut step.net, &mut step.clauses, &b);
        step
    }

    /// Demands that the nodes and the formulas agree.
    fn agree(&mut self, kept: &Agreement, a: &Symbolic, b: &Symbolic) {
        let (formulas_a, formulas_b) = (kept.formulas.of(&mut self.net, a), kept.formulas.of(&mut self.net, b));
        for &index in &kept.formulas.agreeing {
            let differ = self.net.differ(formulas_a[index], formulas_b[index]);
            self.clauses.add(&self.net, [!differ]);
        }
        for (index, _) in kept.nodes.iter().enumerate().filter(|(_, kept)| **kept) {
            let differ = self.net.differ(self.now.0.node(index as u32), self.now.1.node(index as u32));
            self.clauses.add(&self.net, [!differ]);
        }
    }

    /// Makes the round; the states after it keep and agree on what has been proved.
    fn advance(&mut self, setting: &Setting<'_>, kept: &Agreement, invariants: &Invariants, announce_end: bool) {
        let setting = &Setting { made: &invariants.made, ..*setting };
        if announce_end {
            self.announce(setting);
        }
        self.demand(setting);
        let (mut a, mut b) = (setting.next(&mut self.net, &self.now.0), setting.next(&mut self.net, &self.now.1));
        for state in [&a, &b] {
            invariants.demand(&mut self.net, &mut self.clauses, state);
        }
        for (&a, &mut b) in
            a.fluents.iter().zip(&mut b.fluents).zip(&kept.fluents).filter(|(_, kept)| **kept).map(|(pair, _)| pair)
        {
            let differ = self.net.differ(a, b);
            self.clauses.add(&self.net, [!differ]);
        }
        invariants.fix(&mut a);
        invariants.fix(&mut b);
        for ((b, &a), _) in b.fluents.iter_mut().zip(&a.fluents).zip(&kept.fluents).filter(|(_, kept)| **kept) {
            *b = a;
        }
        let copy_a = setting.copy(&mut self.net, &a, Moves::Own, &[]);
        let copy_b = setting.copy(&mut self.net, &b, Moves::Shared(&copy_a.does), &[]);
        self.now = (copy_a, copy_b);
        self.agree(kept, &a, &b);
    }

    /// Both copies are over or neither is.
    fn announce(&mut self, setting: &Setting<'_>) {
        let differ = setting.differ(&mut self.net, Property::Terminal, &self.now.0, &self.now.1);
        self.clauses.add(&self.net, [!differ]);
    }

    /// Makes the round, and returns every member of `kept` that might differ after it, with the literal that says so.
    fn breakable(&mut self, setting: &Setting<'_>, kept: &Agreement, announce_end: bool) -> Vec<(Candidate, Lit)> {
        if announce_end {
            self.announce(setting);
        }
        self.demand(setting);
        let (next_a, next_b) = (setting.next(&mut self.net, &self.now.0), setting.next(&mut self.net, &self.now.1));
        let differences = kept.differences(setting, &mut self.net, &next_a, &next_b);
        let mut open: Vec<(Candidate, Lit)> = kept.members().zip(differences).collect();
        open.retain(|(_, differ)| *differ != Lit::FALSE);
        open
    }

    /// The round is made in both copies, legally and with the same percepts.
    fn demand(&mut self, setting: &Setting<'_>) {
        setting.demand_round(&mut self.net, &mut self.clauses, &self.now.0);
        setting.demand_round(&mut self.net, &mut self.clauses, &self.now.1);
        setting.demand_same_percepts(&mut self.net, &mut self.clauses, &self.now.0, &self.now.1);
    }
}
