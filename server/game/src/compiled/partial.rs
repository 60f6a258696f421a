//! Circuits for rounds that are partly known: known values and unread gates are left out.
//!
//! A round is evaluated in three values: a legal move may be made or not, so a gate is true, false, or unknown. Marks
//! are the unknown gates that moves and results depend on, in this round or a later one; only these are copied, one
//! round after the other.

use std::borrow::Cow;
use std::ops::Range;

use crate::circuit::{Circuit, Lit, Node};
use crate::{FluentId, Ground, MoveId};

/// The cost of choosing for a role in every lane separately, in operands, which all lanes read at once.
pub(super) const A_CHOICE: usize = 4000;

/// Copies with at least this number of gates do not share equal ones: the search takes as long as everything else, and
/// in large games hardly any gates become equal. In smaller ones it costs little, and hex is a quarter slower without
/// it.
const LARGE: usize = 100_000;

/// The value of a gate that is not known.
pub(super) const UNKNOWN: u8 = 2;
/// The value of a gate that is not known and that a move or a result depends on: it is marked.
const READ: u8 = 3;

/// The parts of the rules that random play needs in one phase.
#[derive(Debug)]
pub(super) struct Phase {
    pub circuit: Circuit,
    /// For each role, the moves that may be legal in this phase, in the order of their ids.
    pub moves: Vec<Vec<(MoveId, Lit)>>,
    /// The fluents that the next phase reads.
    pub next: Vec<(FluentId, Lit)>,
    pub goals: Vec<Vec<(i64, Lit)>>,
    pub terminal: Lit,
}

/// A round and its known values, packed.
pub(super) struct Round<'a> {
    ground: Cow<'a, Ground>,
    /// The value of each node, in two bits: 0, 1, [`UNKNOWN`], or [`READ`].
    packed: Box<[u8]>,
}

/// A round and its known values.
pub(super) struct Unpacked<'a> {
    ground: &'a Ground,
    /// The value of each node: 0, 1, [`UNKNOWN`], or [`READ`].
    values: Vec<u8>,
}

/// Consecutive rounds with their known values.
pub(super) struct KnownRounds<'a> {
    pub rounds: Vec<Round<'a>>,
    /// The number of fluents ([`fluent_count`]).
    pub fluents: usize,
    /// The index of the round that follows the last one.
    pub back: usize,
    /// The number of rounds that one block repeats, if these are rounds of blocks (see [`super::blocks`]). Then the last
    /// round of a block is followed by the first one of the same block, or of the next one.
    pub block: Option<usize>,
}

/// From this number of roots on, marking visits all nodes in order instead of following operands.
const MANY_ROOTS: usize = 256;

fn value(values: &[u8], lit: Lit) -> u8 {
    match values[lit.node() as usize] {
        UNKNOWN | READ => UNKNOWN,
        value => value ^ u8::from(lit.is_negated()),
    }
}

fn pack(values: &[u8]) -> Box<[u8]> {
    values.chunks(4).map(|four| four.iter().rev().fold(0, |byte, value| byte << 2 | value)).collect()
}

/// The number of fluents in the rules: the greatest id plus one.
pub(super) fn fluent_count(ground: &Ground) -> usize {
    let in_rules = ground.next.iter().map(|(fluent, _)| *fluent);
    let in_nodes = ground.circuit.nodes().iter().filter_map(|node| match node {
        Node::Fluent(fluent) => Some(*fluent),
        _ => None,
    });
    in_rules.chain(in_nodes).map(|fluent| fluent.0 as usize + 1).max().unwrap_or(0)
}

/// Evaluates those of these nodes that are not yet known.
fn sweep(circuit: &Circuit, nodes: Range<usize>, fluents: &[u8], does: &[Vec<u8>], values: &mut [u8]) {
    for (index, node) in nodes.clone().zip(&circuit.nodes()[nodes]) {
        if values[index] != UNKNOWN {
            continue;
        }
        values[index] = match node {
            Node::True => 1,
            Node::Fluent(fluent) => fluents[fluent.0 as usize],
            Node::Move(role, mv) => does[role.0 as usize].get(mv.0 as usize).copied().unwrap_or(0),
            Node::And(operands) => all(values, operands, 0),
            Node::Or(operands) => all(values, operands, 1),
            Node::Compare(_) | Node::Loop { .. } => UNKNOWN,
        };
    }
}

/// The value of a gate that a single operand with the value `deciding` decides.
fn all(values: &[u8], operands: &[Lit], deciding: u8) -> u8 {
    let mut result = 1 - deciding;
    for operand in operands {
        match value(values, *operand) {
            UNKNOWN => result = UNKNOWN,
            value if value == deciding => return deciding,
            _ => {}
        }
    }
    result
}

/// The values of all nodes in a round in which the fluents have these values.
fn evaluated(ground: &Ground, fluents: &[u8]) -> Vec<u8> {
    let mut values = vec![UNKNOWN; ground.circuit.nodes().len()];
    let most = |moves: &Vec<(MoveId, Lit)>| moves.iter().map(|(mv, _)| mv.0 as usize + 1).max().unwrap_or(0);
    let mut does: Vec<Vec<u8>> = ground.moves.iter().map(|moves| vec![UNKNOWN; most(moves)]).collect();
    // Legal moves first: what follows their gates depends on the moves that are known then.
    let legal = ground.moves.iter().flatten().map(|(_, gate)| gate.node() as usize + 1).max().unwrap_or(0);
    sweep(&ground.circuit, 0..legal, fluents, &does, &mut values);
    for (does, moves) in does.iter_mut().zip(&ground.moves) {
        does.fill(0);
        moves.iter().for_each(|(mv, gate)| does[mv.0 as usize] = value(&values, *gate).min(1) * UNKNOWN);
        let mut legal = moves.iter().filter(|(_, gate)| value(&values, *gate) != 0);
        // A role with a single possible move that is certainly legal makes it.
        if let (Some((mv, gate)), None) = (legal.next(), legal.next())
            && value(&values, *gate) == 1
        {
            does[mv.0 as usize] = 1;
        }
    }
    // If all moves are unknown, a second sweep of the first nodes finds nothing new.
    let from = if does.iter().flatten().any(|value| *value != UNKNOWN) { 0 } else { legal };
    sweep(&ground.circuit, from..ground.circuit.nodes().len(), fluents, &does, &mut values);
    values
}

impl<'a> Round<'a> {
    /// A round in which the fluents have these values.
    pub(super) fn new(ground: Cow<'a, Ground>, fluents: &[u8]) -> Round<'a> {
        Round { packed: pack(&evaluated(&ground, fluents)), ground }
    }

    /// The same round, and its values unpacked.
    pub(super) fn with_values(ground: &'a Ground, fluents: &[u8]) -> (Round<'a>, Unpacked<'a>) {
        let values = evaluated(ground, fluents);
        (Round { packed: pack(&values), ground: Cow::Borrowed(ground) }, Unpacked { ground, values })
    }

    pub(super) fn unpacked(&self) -> Unpacked<'_> {
        let count = self.ground.circuit.nodes().len();
        let values = self.packed.iter().flat_map(|byte| [byte & 3, byte >> 2 & 3, byte >> 4 & 3, byte >> 6]);
        Unpacked { ground: &self.ground, values: values.take(count).collect() }
    }
}

impl<'a> Unpacked<'a> {
    /// The values of the fluents after the round, as far as known.
    pub(super) fn next(&self, fluents: usize) -> Vec<u8> {
        let mut next = vec![0; fluents];
        self.ground.next.iter().for_each(|(fluent, gate)| next[fluent.0 as usize] = value(&self.values, *gate));
        next
    }

    /// The nodes that moves and results depend on, and, if `and_next`, those of all fluents after the round.
    fn roots(&self, and_next: bool) -> Vec<u32> {
        let moves = self.ground.moves.iter().flatten().map(|(_, gate)| *gate);
        let goals = self.ground.goals.iter().flatten().map(|(_, gate)| *gate);
        let next = self.ground.next.iter().filter(|_| and_next).map(|(_, gate)| *gate);
        moves.chain(goals).chain(next).chain([self.ground.terminal]).map(Lit::node).collect()
    }

    /// Marks the unknown ones among these nodes and all nodes they read; calls `read` with every fluent marked.
    fn mark(&mut self, mut stack: Vec<u32>, read: &mut dyn FnMut(FluentId)) {
        let circuit = &self.ground.circuit;
        if stack.len() >= MANY_ROOTS && circuit.groups().is_empty() {
            return self.mark_in_order(&stack, read);
        }
        while let Some(node) = stack.pop() {
            if self.values[node as usize] != UNKNOWN {
                continue;
            }
            self.values[node as usize] = READ;
            match &circuit.nodes()[node as usize] {
                Node::And(operands) | Node::Or(operands) => stack.extend(operands.iter().map(|lit| lit.node())),
                Node::Fluent(fluent) => read(*fluent),
                Node::Loop { group, member } => {
                    stack.push(circuit.groups()[*group as usize].definitions[*member as usize].node());
                }
                _ => {}
            }
        }
    }

    /// Like [`Unpacked::mark`], for many nodes: operands precede their gates, so one visit of each node is enough, in
    /// memory order.
    fn mark_in_order(&mut self, roots: &[u32], read: &mut dyn FnMut(FluentId)) {
        let mut wanted = vec![false; self.values.len()];
        roots.iter().for_each(|&node| wanted[node as usize] = true);
        for (index, node) in self.ground.circuit.nodes().iter().enumerate().rev() {
            if !wanted[index] || self.values[index] != UNKNOWN {
                continue;
            }
            self.values[index] = READ;
            match node {
                Node::And(operands) | Node::Or(operands) => {
                    operands.iter().for_each(|lit| wanted[lit.node() as usize] = true);
                }
                Node::Fluent(fluent) => read(*fluent),
                _ => {}
            }
        }
    }

    /// Marks the nodes that moves and results depend on, and those of all fluents after the round: more than
    /// [`KnownRounds::mark`].
    pub(super) fn mark_all(&mut self) {
        self.mark(self.roots(true), &mut |_| {});
    }

    /// Forgets all marks.
    fn unmark(&mut self) {
        self.values.iter_mut().for_each(|value| *value = (*value).min(UNKNOWN));
    }

    /// The nodes and for each, true if it is marked.
    fn nodes(&self) -> impl Iterator<Item = (usize, &Node, bool)> {
        let nodes = self.ground.circuit.nodes().iter().zip(&self.values).enumerate();
        nodes.map(|(index, (node, value))| (index, node, *value == READ))
    }

    /// The cost of playing the round: operands read, with each choice counted as [`A_CHOICE`] of them.
    pub(super) fn cost(&self) -> usize {
        let possible = |moves: &&Vec<(MoveId, Lit)>| {
            moves.iter().filter(|(_, gate)| value(&self.values, *gate) != 0).take(2).count() > 1
        };
        self.operands() + A_CHOICE * self.ground.moves.iter().filter(possible).count()
    }

    /// The number of unknown operands of all marked gates.
    pub(super) fn operands(&self) -> usize {
        let unknown = |operands: &[Lit]| operands.iter().filter(|lit| value(&self.values, **lit) == UNKNOWN).count();
        let gates = self.nodes().filter(|(.., is_marked)| *is_marked).map(|(_, node, _)| match node {
            Node::And(operands) | Node::Or(operands) => unknown(operands),
            _ => 0,
        });
        gates.sum()
    }

    /// The round's own circuit, made of the marked nodes.
    fn phase(&self, is_read: &[bool]) -> Phase {
        let (circuit, map) = self.copy();
        let lit = |gate: Lit| match value(&self.values, gate) {
            0 => Lit::FALSE,
            1 => Lit::TRUE,
            _ => placed(&map, gate),
        };
        let legal = |moves: &Vec<(MoveId, Lit)>| {
            let mut legal: Vec<(MoveId, Lit)> = moves.iter().map(|(mv, gate)| (*mv, lit(*gate))).collect();
            legal.retain(|(_, gate)| *gate != Lit::FALSE);
            legal.sort_unstable_by_key(|(mv, _)| *mv);
            legal
        };
        let goals = |goals: &Vec<(i64, Lit)>| goals.iter().map(|(goal, gate)| (*goal, lit(*gate))).collect();
        let next = self.ground.next.iter().filter(|(fluent, _)| is_read[fluent.0 as usize]);
        Phase {
            moves: self.ground.moves.iter().map(legal).collect(),
            next: next.map(|(fluent, gate)| (*fluent, lit(*gate))).collect(),
            goals: self.ground.goals.iter().map(goals).collect(),
            terminal: lit(self.ground.terminal),
            circuit,
        }
    }

    /// Copies the marked nodes to a circuit. Returns it with the new literal of each node.
    fn copy(&self) -> (Circuit, Vec<Lit>) {
        let (values, old) = (&self.values, &self.ground.circuit);
        let marked = || self.nodes().filter(|(.., is_marked)| *is_marked).map(|(index, node, _)| (index, node));
        let count = marked().count();
        let mut circuit = if count < LARGE { Circuit::new() } else { Circuit::unshared(count) };
        let mut map = vec![Lit::FALSE; values.len()];
        // For each group, the new group and its members.
        let mut groups: Vec<(u32, Vec<u32>)> = vec![(0, Vec::new()); old.groups().len()];
        for (_, node) in marked() {
            if let Node::Loop { group, member } = node {
                groups[*group as usize].1.push(*member);
            }
        }
        for (group, members) in groups.iter_mut().filter(|(_, members)| !members.is_empty()) {
            members.sort_unstable();
            *group = circuit.group(members.len() as u32);
        }
        for (index, node) in marked() {
            let unknown = |lit: &&Lit| value(values, **lit) == UNKNOWN;
            let lit = |lit: &Lit| placed(&map, *lit);
            // Known operands do not decide the gate, or it would be known too.
            map[index] = match node {
                Node::And(operands) => circuit.and(operands.iter().filter(unknown).map(lit)),
                Node::Or(operands) => circuit.or(operands.iter().filter(unknown).map(lit)),
                Node::Fluent(fluent) => circuit.fluent(*fluent),
                Node::Move(role, mv) => circuit.does(*role, *mv),
                Node::Loop { group, member } => {
                    let (group, members) = &groups[*group as usize];
                    circuit.member(*group, members.binary_search(member).expect("a marked member") as u32)
                }
                other => unreachable!("{other:?} is known, or not in a circuit of GDL"),
            };
        }
        for (of, (group, members)) in groups.iter().enumerate() {
            for (place, member) in members.iter().enumerate() {
                let definition = old.groups()[of].definitions[*member as usize];
                let lits = [Lit::FALSE, Lit::TRUE, placed(&map, definition)];
                circuit.define(*group, place as u32, lits[value(values, definition) as usize]);
            }
        }
        (circuit, map)
    }
}

fn placed(map: &[Lit], old: Lit) -> Lit {
    let new = map[old.node() as usize];
    if old.is_negated() { !new } else { new }
}

impl KnownRounds<'_> {
    /// The indices of the rounds that may follow a round.
    fn followers(&self, at: usize) -> impl Iterator<Item = usize> {
        let last = self.rounds.len() - 1;
        let (first, second) = match self.block {
            Some(period) if (at + 1).is_multiple_of(period) => (at + 1 - period, (at < last).then_some(at + 1)),
            _ => (if at == last { self.back } else { at + 1 }, None),
        };
        [Some(first), second].into_iter().flatten()
    }

    /// Marks, in each round, the unknown nodes that moves and results depend on, in this round or a later one.
    pub(super) fn mark(&mut self) {
        let count = self.rounds.len();
        // For each round and fluent, the node of its next value. The rounds of most games have one circuit.
        let same = self.rounds.iter().all(|round| matches!(round.ground, Cow::Borrowed(_)));
        let circuits = if same { 1 } else { count };
        let next: Vec<Vec<u32>> = self.rounds[..circuits].iter().map(|round| round.next_nodes(self.fluents)).collect();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); count];
        (0..count).for_each(|at| self.followers(at).for_each(|follower| before[follower].push(at)));
        let mut waiting: Vec<Vec<u32>> = self.rounds.iter().map(|round| round.unpacked().roots(false)).collect();
        let mut is_marked = vec![false; count];
        // The rounds of the cycle are visited again and again; those before it, once.
        let mut open: Vec<Option<Vec<u8>>> = vec![None; count];
        // From the last to the first, because the fluents read in a round are roots of the round before.
        while let Some(at) = waiting.iter().rposition(|roots| !roots.is_empty()) {
            let roots = std::mem::take(&mut waiting[at]);
            let mut round = match open[at].take() {
                Some(values) => Unpacked { ground: &self.rounds[at].ground, values },
                None => {
                    let mut round = self.rounds[at].unpacked();
                    if !std::mem::replace(&mut is_marked[at], true) {
                        round.unmark();
                    }
                    round
                }
            };
            round.mark(roots, &mut |fluent| {
                for &before in &before[at] {
                    waiting[before].push(next[before.min(circuits - 1)][fluent.0 as usize]);
                }
            });
            let values = round.values;
            // Blocks have many cycles, too many to keep them all.
            match at < self.back || self.block.is_some() {
                true => self.rounds[at].packed = pack(&values),
                false => open[at] = Some(values),
            }
        }
        for (round, values) in self.rounds.iter_mut().zip(open) {
            values.into_iter().for_each(|values| round.packed = pack(&values));
        }
    }

    /// The circuits of the rounds, one after the other, made of the marked nodes ([`KnownRounds::mark`]).
    pub(super) fn phases(&self) -> impl Iterator<Item = Phase> {
        (0..self.rounds.len()).map(move |at| {
            let mut is_read = vec![false; self.fluents];
            for following in self.followers(at) {
                for (_, node, is_marked) in self.rounds[following].unpacked().nodes() {
                    if let (Node::Fluent(fluent), true) = (node, is_marked) {
                        is_read[fluent.0 as usize] = true;
                    }
                }
            }
            self.rounds[at].unpacked().phase(&is_read)
        })
    }
}

impl Round<'_> {
    /// For each fluent, the node of its next value. A fluent without a rule is false, which is known.
    fn next_nodes(&self, fluents: usize) -> Vec<u32> {
        let mut next = vec![Lit::FALSE.node(); fluents];
        self.ground.next.iter().for_each(|(fluent, gate)| next[fluent.0 as usize] = gate.node());
        next
    }
}
