//! Which fluents always agree in two matches that the role cannot tell apart? If enough of them do, it knows.
//!
//! The greatest set `E` of candidates is wanted such that: two states that agree on `E`, the same own moves and the
//! same percepts lead to states that agree on `E`. Both matches begin in the same state, so by induction they agree on
//! `E` for ever. Found by van Eijk's scheme: start with everything, drop what some step breaks, until nothing breaks.
//! (Haufe and Thielscher, "Automated Verification of Epistemic Properties for General Game Playing", KR 2012, prove
//! such formulas by induction; van Eijk, "Sequential equivalence checking based on structural similarities", 2000, is
//! where the simultaneous induction comes from.)
//!
//! Where a role knows something only while something else is so (the piece on a cell while the cell is its own), neither of
//! the two agrees, but their conjunction does: such pairs are tried, too ([`joint`]). Where it does not know which of a group
//! hold, it may know how many ([`census`]).
//!
//! Two provers share this: [`structural`] calls a step kept only where both copies become the *same* circuit, which
//! takes no search; [`refine`] asks a solver.

use percept_game::circuit::{Lit, Node};
use percept_game::symmetry::{Symmetries, Symmetry};
use percept_game::{FluentId, Ground, State};

use super::alike::{self, Alike};
use super::bounded::Bounded;
use super::census::{self, Group};
use super::invariant::Invariants;
use super::sieve::{Case, Sieve, Sifted};
use super::step::{Premises, Step, property_obligation};
use super::twin::{Moves, Setting, Symbolic};
use super::vary::Vary;
use super::{Property, joint};
use crate::Budget;
use crate::clauses::Clauses;
use crate::net::Net;

/// What agrees: by fluent, by register, by node of the round's circuit (nodes that read the state alone), and formulas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Agreement {
    pub fluents: Vec<bool>,
    /// A register agrees where both matches begin with the same number and every round makes the same of it: what number
    /// that is need not be known.
    pub registers: Vec<bool>,
    pub nodes: Vec<bool>,
    pub formulas: Formulas,
    pub counts: Counts,
}

/// What can become what under the game's symmetries, which leave the role who it is: what differs in a pair of matches,
/// so does what it can become, in the matches that these become.
pub(super) struct Orbits {
    /// By fluent and by node: the least one that it can become.
    fluents: Vec<u32>,
    nodes: Vec<u32>,
}

impl Orbits {
    pub(super) fn of(symmetries: &Symmetries, fluents: usize, ground: &Ground) -> Orbits {
        Orbits {
            fluents: symmetries.orbits(fluents, |symmetry, it| symmetry.fluent(FluentId(it)).0),
            nodes: symmetries.orbits(ground.circuit.nodes().len(), Symmetry::node),
        }
    }

    /// Drops what can become something that was dropped.
    fn make_whole(&self, agreement: &mut Agreement) {
        for (kept, orbits) in [(&mut agreement.fluents, &self.fluents), (&mut agreement.nodes, &self.nodes)] {
            let mut is_whole = kept.clone();
            kept.iter()
                .zip(orbits)
                .filter(|(kept, _)| !**kept)
                .for_each(|(_, orbit)| is_whole[*orbit as usize] = false);
            kept.iter_mut().zip(orbits).for_each(|(kept, orbit)| *kept = is_whole[*orbit as usize]);
        }
    }
}

/// Groups of which as many hold in both matches (see [`census`]).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub all: Vec<Group>,
    /// Those that agree, by number.
    pub(crate) agreeing: Vec<usize>,
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
    /// Everything that can be looked at before a move: all fluents, and the nodes without a move below them.
    pub(crate) fn all(setting: &Setting<'_>, with_gates: bool) -> Agreement {
        let nodes = setting.ground.circuit.nodes();
        let mut reads_state = vec![false; nodes.len()];
        for (index, node) in nodes.iter().enumerate() {
            reads_state[index] = match node {
                Node::True | Node::Fluent(_) => true,
                Node::And(operands) | Node::Or(operands) => operands.iter().all(|lit| reads_state[lit.node() as usize]),
                Node::Move(..) | Node::Compare(_) | Node::Loop { .. } => false,
            };
        }
        let gates = |node: &Node| with_gates && matches!(node, Node::And(_) | Node::Or(_));
        let nodes = nodes.iter().zip(reads_state).map(|(node, reads)| reads && gates(node)).collect();
        let fluents = vec![true; setting.game.rules.fluent_count()];
        let registers = vec![true; setting.game.rules.initial().registers.len()];
        Agreement { fluents, registers, nodes, ..Agreement::default() }
    }

    /// Without what differs in one of these pairs, as far as there is time to look.
    fn seen_to_agree<'p>(
        mut self,
        ground: &Ground,
        pairs: impl Iterator<Item = &'p Alike>,
        budget: &Budget,
    ) -> Agreement {
        for Alike { states: [a, b], .. } in pairs {
            if budget.stop().is_some() {
                break;
            }
            let has = |state: &State, fluent: FluentId| state.has(fluent);
            let holds = |all: &[Vec<(Operand, bool)>], state: &State| {
                let mut values: Vec<bool> = Vec::with_capacity(all.len());
                for operands in all {
                    values.push(operands.iter().all(|&(operand, holds)| match operand {
                        Operand::Fluent(fluent) => has(state, fluent) == holds,
                        Operand::Formula(earlier) => values[earlier] == holds,
                    }));
                }
                values
            };
            let nodes = self.nodes.contains(&true).then(|| (alike::nodes(ground, a), alike::nodes(ground, b)));
            let formulas = (holds(&self.formulas.all, a), holds(&self.formulas.all, b));
            let count = |group: &Group, state: &State| group.iter().filter(|&&fluent| has(state, fluent)).count();
            let differs = |member: &Candidate| match *member {
                Candidate::Fluent(index) => {
                    let fluent = FluentId(index as u32);
                    has(a, fluent) != has(b, fluent)
                }
                Candidate::Register(index) => a.registers[index] != b.registers[index],
                Candidate::Node(index) => nodes.as_ref().is_some_and(|(a, b)| a[index] != b[index]),
                Candidate::Formula(index) => formulas.0[index] != formulas.1[index],
                Candidate::Count(index) => {
                    let group = &self.counts.all[index];
                    count(group, a) != count(group, b)
                }
            };
            let differing: Vec<Candidate> = self.members().filter(differs).collect();
            differing.iter().for_each(|member| self.drop(member));
        }
        self
    }

    /// What of it agrees in all pairs of matches as long as `base` is deep.
    pub(super) fn at(mut self, setting: &Setting<'_>, base: &mut Bounded<'_>) -> Option<Agreement> {
        let members: Vec<Candidate> = self.members().collect();
        let before = base.before();
        let differ = base.which(|net, a, b| self.differences(setting, net, a, b, &before), &[])?;
        members.iter().zip(differ).filter(|(_, differs)| *differs).for_each(|(member, _)| self.drop(member));
        Some(self)
    }

    /// What agrees for whom the role becomes. Games with symmetries have no registers.
    pub(super) fn image(&self, symmetry: &Symmetry) -> Agreement {
        let to = |from: &[bool], becomes: &dyn Fn(u32) -> u32| {
            let mut image = vec![false; from.len()];
            (0..).zip(from).filter(|(_, kept)| **kept).for_each(|(it, _)| image[becomes(it) as usize] = true);
            image
        };
        let operand = |&(operand, holds): &(Operand, bool)| match operand {
            Operand::Fluent(fluent) => (Operand::Fluent(symmetry.fluent(fluent)), holds),
            Operand::Formula(earlier) => (Operand::Formula(earlier), holds),
        };
        let formula = |formula: &Vec<(Operand, bool)>| formula.iter().map(operand).collect();
        let group = |group: &Group| group.iter().map(|&fluent| symmetry.fluent(fluent)).collect();
        Agreement {
            fluents: to(&self.fluents, &|it| symmetry.fluent(FluentId(it)).0),
            registers: self.registers.clone(),
            nodes: to(&self.nodes, &|it| symmetry.node(it)),
            formulas: Formulas {
                all: self.formulas.all.iter().map(formula).collect(),
                agreeing: self.formulas.agreeing.clone(),
            },
            counts: Counts { all: self.counts.all.iter().map(group).collect(), agreeing: self.counts.agreeing.clone() },
        }
    }

    fn has(&self, member: Candidate) -> bool {
        let set = |set: &[bool], index: usize| set.get(index) == Some(&true);
        match member {
            Candidate::Fluent(index) => set(&self.fluents, index),
            Candidate::Register(index) => set(&self.registers, index),
            Candidate::Node(index) => set(&self.nodes, index),
            Candidate::Formula(_) | Candidate::Count(_) => false,
        }
    }

    pub(super) fn members(&self) -> impl Iterator<Item = Candidate> + '_ {
        let fluents = (0..self.fluents.len()).filter(|&index| self.fluents[index]).map(Candidate::Fluent);
        let registers = (0..self.registers.len()).filter(|&index| self.registers[index]).map(Candidate::Register);
        let nodes = (0..self.nodes.len()).filter(|&index| self.nodes[index]).map(Candidate::Node);
        let formulas = self.formulas.agreeing.iter().copied().map(Candidate::Formula);
        let counts = self.counts.agreeing.iter().copied().map(Candidate::Count);
        fluents.chain(registers).chain(nodes).chain(formulas).chain(counts)
    }

    fn drop(&mut self, member: &Candidate) {
        match *member {
            Candidate::Fluent(index) => self.fluents[index] = false,
            Candidate::Register(index) => self.registers[index] = false,
            Candidate::Node(index) => self.nodes[index] = false,
            Candidate::Formula(index) => self.formulas.agreeing.retain(|&kept| kept != index),
            Candidate::Count(index) => self.counts.agreeing.retain(|&kept| kept != index),
        }
    }

    /// For each member what is true where two states differ in it. `before`: the states in the rounds before, of which the
    /// first two did not differ.
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

    /// In the second state the very literals and numbers of the first one where they agree.
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

    /// Says of the second state that its fluents and registers agree with the first one's. Of registers nothing is demanded:
    /// that they are not the same term does not mean that they are not the same number. But what is said of the one is
    /// right of the other.
    pub(crate) fn demand(&self, net: &mut Net, clauses: &mut Clauses, a: &Symbolic, b: &mut Symbolic) {
        let fluents = self.fluents().map(|FluentId(index)| (a.fluents[index as usize], b.fluents[index as usize]));
        let differ: Vec<Lit> = fluents.map(|(a, b)| net.differ(a, b)).collect();
        differ.into_iter().for_each(|differ| clauses.add(net, [!differ]));
        self.share(a, b);
    }

    /// The fluents in the set.
    pub(crate) fn fluents(&self) -> impl Iterator<Item = FluentId> + '_ {
        self.fluents.iter().enumerate().filter(|(_, kept)| **kept).map(|(index, _)| FluentId(index as u32))
    }
}

/// The agreement that needs no search: percepts and own moves are shared, and the next value of a fluent must come out
/// as one and the same node.
///
/// `None` where the time was up.
pub(super) fn structural(setting: &Setting<'_>, budget: &Budget) -> Option<Agreement> {
    let mut kept = Agreement::all(setting, false);
    loop {
        let premises = Premises { kept: &kept, invariants: &Invariants::default(), announce_end: false };
        let mut step = Step::new(setting, premises, Clauses::new(budget), true).ok()?;
        let (next_a, next_b) = (setting.next(&mut step.net, &step.now.0), setting.next(&mut step.net, &step.now.1));
        let mut changed = false;
        for (index, kept) in kept.fluents.iter_mut().enumerate() {
            if *kept && next_a.fluents[index] != next_b.fluents[index] {
                *kept = false;
                changed = true;
            }
        }
        for (index, kept) in kept.registers.iter_mut().enumerate() {
            if *kept && !next_a.registers[index].is_surely(&next_b.registers[index]) {
                *kept = false;
                changed = true;
            }
        }
        if !changed {
            return Some(kept);
        }
    }
}

/// Whether the structural agreement alone makes the property the same in both copies, as far as could be told in time.
///
/// The percepts of the round are not shared here: the role gets them only when it has moved. Own moves are known where no two
/// rounds that give the role the same differ in them, which a solver is asked.
pub(crate) fn structurally_known(setting: &Setting<'_>, kept: &Agreement, property: Property, budget: &Budget) -> bool {
    let premises = Premises { kept, invariants: &Invariants::default(), announce_end: false };
    if property == Property::Own {
        return known(setting, premises, property, 0, None, budget) == Some(true);
    }
    let step = Step::new(setting, premises, Clauses::new(budget), false);
    step.is_ok_and(|mut step| setting.differ(&mut step.net, property, &step.now.0, &step.now.1) == Lit::FALSE)
}

/// What is looked at, beside all fluents and registers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Extent {
    /// Nothing.
    Fluents,
    /// How many of a group hold.
    Counts,
    /// That, and conjunctions of two fluents of which one agrees alone.
    Joint,
    /// Those, and the gates of the round's circuit that read the state alone.
    Gates,
}

/// Where to begin: everything, without what differs in pairs of states that look alike (`seen`). `alone`: what agrees of the
/// fluents, where more is looked for.
pub(super) fn first<'p>(
    setting: &Setting<'_>,
    extent: Extent,
    alone: Option<&Agreement>,
    invariants: &Invariants,
    seen: impl Iterator<Item = &'p Alike> + Clone,
    orbits: Option<&Orbits>,
    budget: &Budget,
) -> Agreement {
    let mut all = Agreement::all(setting, extent == Extent::Gates).seen_to_agree(setting.ground, seen.clone(), budget);
    orbits.into_iter().for_each(|orbits| orbits.make_whole(&mut all));
    let Some(alone) = alone else { return all };
    // Fluents may agree for the pairs they are in, so what agrees alone is not all that a pair may begin with.
    let formulas = if extent == Extent::Counts { Formulas::default() } else { joint::pairs(setting, &all, alone) };
    let groups = census::groups(setting, alone, invariants);
    let counts = Counts { agreeing: (0..groups.len()).collect(), all: groups };
    let more = Agreement { formulas, counts, ..Agreement::default() }.seen_to_agree(setting.ground, seen, budget);
    (all.formulas, all.counts) = (more.formulas, more.counts);
    all
}

/// The scheme: under the assumption that all agrees that should, and the invariants, drops whatever of it a step can
/// break, until nothing does, or a fluent or register was dropped, which are built into the step. `sure`: what agrees
/// already by the look of the rules, of which nothing is asked.
pub(super) fn refine(
    setting: &Setting<'_>,
    premises: Premises<'_>,
    sure: Option<&Agreement>,
    budget: &Budget,
) -> (Agreement, Sifted) {
    let kept = premises.kept;
    let Ok(mut step) = Step::bare(setting, premises, Clauses::for_many(budget), false) else {
        return (kept.clone(), Sifted::OutOfTime);
    };
    let same = step.same(kept);
    let broken = step.broken(setting, premises);
    let cases = kept.members().zip(same.into_iter().zip(broken)).map(|(member, (same, broken))| Case {
        assumed: same.map(|same| vec![same]).into_iter().collect(),
        broken: if sure.is_some_and(|sure| sure.has(member)) { Lit::FALSE } else { broken },
        is_built_in: matches!(member, Candidate::Fluent(_) | Candidate::Register(_)),
    });
    let cases: Vec<Case> = cases.collect();
    let vary = Vary::new(setting, &mut step.net, &[&step.now.0, &step.now.1]);
    let (broken, sifted) = Sieve::new(step.net, step.clauses, cases, vary).sift("atoms that agree", budget);
    let mut next = kept.clone();
    let members: Vec<Candidate> = kept.members().collect();
    members.iter().zip(broken).filter(|(_, broken)| *broken).for_each(|(member, _)| next.drop(member));
    (next, sifted)
}

/// One of what agrees.
#[derive(Clone, Copy)]
pub(super) enum Candidate {
    Fluent(usize),
    Register(usize),
    Node(usize),
    Formula(usize),
    Count(usize),
}

/// Whether the premises make the property known: no two states of which they hold differ in it.
/// `most`: contradictions for one way to differ. `None` where these or the time did not suffice.
pub(super) fn known(
    setting: &Setting<'_>,
    premises: Premises<'_>,
    property: Property,
    back: usize,
    most: Option<u32>,
    budget: &Budget,
) -> Option<bool> {
    let mut query = property_obligation(setting, premises, property, back, Clauses::for_proofs(budget)).ok()?;
    // One after the other: alone, each is mostly decided by what follows from it at once.
    for target in query.targets {
        let differs = match most {
            Some(most) => query.clauses.solve_briefly(&query.net, &[target], most),
            None => query.clauses.solve(&query.net, &[target]),
        };
        if differs? {
            return Some(false);
        }
        query.clauses.add(&query.net, [!target]);
    }
    Some(true)
}
