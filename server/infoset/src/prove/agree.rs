//! The fluents that always agree in two matches that the role cannot tell apart. If enough of them do, the role knows
//! the property.
//!
//! This module looks for the greatest set `E` of candidates that rounds preserve: from two states that agree on `E`,
//! the same own moves and the same percepts lead to states that agree on `E` again. Both matches begin in the same
//! state, so by induction they agree on `E` for ever. Van Eijk's scheme finds it: start with everything, drop the
//! candidates that some step breaks, until nothing breaks. (Haufe and Thielscher, "Automated Verification of Epistemic
//! Properties for General Game Playing", KR 2012, prove such formulas by induction; the simultaneous induction comes
//! from van Eijk, "Sequential equivalence checking based on structural similarities", 2000.)
//!
//! A role may know something only while something else holds (the piece on a cell while the cell is its own). Then
//! neither of the two agrees, but their conjunction does: such pairs are tried, too ([`joint`]). A role that does not
//! know which fluents of a group hold may know their number ([`census`]).
//!
//! Two provers share this: [`structural`] accepts a step only if both copies become the *same* circuit, which needs no
//! search; [`refine`] asks a solver.

use percept_game::circuit::{Lit, Node};
use percept_game::symmetry::{Symmetries, Symmetry};
use percept_game::{FluentId, Ground, State};

use super::alike::{self, Alike};
use super::bounded::Bounded;
use super::census;
use super::claims::{Agreement, Candidate, Counts, Formulas, Group, Invariants, Operand};
use super::joint;
use super::setting::Setting;
use super::sieve::{Case, Sieve, Sifted};
use super::step::{Premises, Step, property_obligation};
use super::vary::Vary;
use crate::Budget;
use crate::clauses::Clauses;
use crate::verdict::Property;

/// The images of members under the game's symmetries that fix the role. If a member differs in a pair of matches, its
/// image differs in the images of the matches.
pub(super) struct Orbits {
    /// The least fluent or node in the orbit of each.
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

    /// Drops the images of dropped members.
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

impl Agreement {
    /// All candidates that have a value before a move: all fluents and registers, and, with `with_gates`, the gates
    /// without a move below them.
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

    /// Drops the members that differ in one of these pairs, as far as the time allows.
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

    /// Keeps the members that agree in all pairs of matches of the depth of `base`. `None` if time ran out.
    pub(super) fn at(mut self, setting: &Setting<'_>, base: &mut Bounded<'_>) -> Option<Agreement> {
        let members: Vec<Candidate> = self.members().collect();
        let before = base.before();
        let differ = base.which(|net, a, b| self.differences(setting, net, a, b, &before), &[])?;
        members.iter().zip(differ).filter(|(_, differs)| *differs).for_each(|(member, _)| self.drop(member));
        Some(self)
    }
}

/// The agreement that needs no search: percepts and own moves are shared, and the next value of a fluent must be one
/// and the same node.
///
/// `None` if time ran out.
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

/// True if the structural agreement alone makes the property the same in both copies, as far as could be determined in
/// time.
///
/// The percepts of the round are not shared here: the role gets them only after its move. Own moves are known if no two
/// rounds with the same observations of the role differ in them, which a solver decides.
pub(crate) fn structurally_known(setting: &Setting<'_>, kept: &Agreement, property: Property, budget: &Budget) -> bool {
    let premises = Premises { kept, invariants: &Invariants::default(), announce_end: false };
    if property == Property::Own {
        return follows(setting, premises, property, 0, None, budget) == Some(true);
    }
    let step = Step::new(setting, premises, Clauses::new(budget), false);
    step.is_ok_and(|mut step| setting.differ(&mut step.net, property, &step.now.0, &step.now.1) == Lit::FALSE)
}

/// The candidates in addition to all fluents and registers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Extent {
    /// No further candidates.
    Fluents,
    /// The numbers of fluents of a group that hold.
    Counts,
    /// Also conjunctions of two fluents of which one agrees alone.
    Joint,
    /// Also the gates of the round's circuit that read only the state.
    Gates,
}

/// The initial candidates: everything, except members that differ in pairs of states that look alike (`seen`). `alone`:
/// the members that agree by themselves, if formulas and counts are to be tried as well.
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
    // A fluent may agree only together with its pairs, so a pair may begin with more than the fluents that agree alone.
    let formulas = if extent == Extent::Counts { Formulas::default() } else { joint::pairs(setting, &all, alone) };
    let groups = census::groups(setting, alone, invariants);
    let counts = Counts { agreeing: (0..groups.len()).collect(), all: groups };
    let more = Agreement { formulas, counts, ..Agreement::default() }.seen_to_agree(setting.ground, seen, budget);
    (all.formulas, all.counts) = (more.formulas, more.counts);
    all
}

/// One pass of the scheme. Assumes that all candidates agree and that the invariants hold, and drops the candidates
/// that a step can break. It ends if none breaks, or if a fluent or register was dropped, because these are built into
/// the step. `sure`: the members that agree by the structure of the rules; the solver is not asked about them.
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

/// True if the premises make the property known: no two states that satisfy them differ in it. `most`: the limit of
/// conflicts for each way to differ. `None` if the limit or the time was reached.
pub(super) fn follows(
    setting: &Setting<'_>,
    premises: Premises<'_>,
    property: Property,
    back: usize,
    most: Option<u32>,
    budget: &Budget,
) -> Option<bool> {
    let mut query = property_obligation(setting, premises, property, back, Clauses::for_proofs(budget)).ok()?;
    // One after the other: a single target is usually decided by propagation.
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

#[cfg(test)]
mod tests {
    use percept_game::{Game, Scope};

    use super::*;
    use crate::Budget;
    use percept_test::gdl;

    /// Chance takes one of three cards each round; `{}`: its further moves, and the player's percepts of them.
    fn deck(beside: &str) -> Game {
        let text = "(role p) (role random) (init (card 1)) (init (card 2)) (init (card 3))
            (legal p look) (<= (legal random (take ?c)) (true (card ?c)))
            (<= (next (card ?c)) (true (card ?c)) (not (does random (take ?c))))
            (<= terminal (not (true (card 1))) (not (true (card 2))) (not (true (card 3)))) (goal p 50)";
        gdl(&format!("{text} {beside}"))
    }

    /// True if the number of cards agrees after `rounds` rounds, and after every round if it agreed before.
    fn agrees(game: &Game, rounds: usize) -> bool {
        let ground = game.rules.ground(&Scope::default()).expect("a circuit");
        let role = game.role("p").expect("a role");
        let setting = Setting { game, ground: &ground, role, made: &[] };
        let cards = ["1", "2", "3"].map(|card| game.rules.find_fluent(&format!("(card {card})")).expect("a fluent"));
        let counts = Counts { all: vec![cards.to_vec()], agreeing: vec![0] };
        let mut base = Bounded::new(game, role, Some(ground.clone()), &Budget::default()).expect("a round");
        (0..rounds).for_each(|_| base.deepen().expect("time"));
        let left = Agreement { counts, ..Agreement::default() }.at(&setting, &mut base).expect("time");
        left.counts.agreeing == [0]
    }

    #[test]
    fn what_happens_in_a_prelude_is_looked_at() {
        let (public, untold) =
            (deck("(legal random none) (<= (sees p taken) (does random (take ?c)))"), deck("(legal random none)"));
        assert!((0..3).all(|rounds| agrees(&public, rounds)));
        assert!(agrees(&untold, 0));
        assert!((1..3).all(|rounds| !agrees(&untold, rounds)));
        assert!((1..3).all(|rounds| agrees(&deck(""), rounds)), "a card every round");
    }
}
