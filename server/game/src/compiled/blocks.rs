//! Circuits for blocks of rounds, for games whose rounds have too many gates to have a circuit each.
//!
//! A *clock* is a fluent that no move and no other fluent but clocks decide: the number of the round, the role in turn,
//! the owner of the group that round began. Its values are the same in all matches, and they are listed round by round,
//! which costs little. Rounds are taken together in blocks. Within a block, a clock that changes is unknown; any other
//! fluent is known as long as it has kept its initial value in all matches: in hex, all groups that the block cannot have
//! begun yet. A block has one circuit for each round of the period of the clocks at the end, when they count no longer,
//! such as the roles in turn.

use std::borrow::Cow;

use rustc_hash::FxHashSet;

use super::partial::{KnownRounds, Round, UNKNOWN, fluent_count};
use crate::circuit::{Circuit, Lit, Node};
use crate::{FluentId, Ground, State};

/// The maximum number of blocks. More of them save little more, and take time and memory.
const BLOCKS: usize = 24;
/// The maximum number of nodes in all blocks, known ones included: they take seconds and 200 MB.
const MOST_NODES: usize = 1 << 23;
/// The maximum number of rounds before clocks are periodic, and the longest period.
const MOST_ROUNDS: usize = 1000;
const LONGEST: usize = 8;
/// The maximum number of gates that decide a clock.
const MOST_GATES: usize = 500;

/// The circuits of blocks.
pub(super) struct Blocks<'a> {
    /// The circuits, those of one block after those of another.
    pub unpacked: KnownRounds<'a>,
    /// The number of rounds of each block.
    pub lengths: Vec<usize>,
    /// The number of circuits of a block.
    pub period: usize,
}

/// The number of blocks that a game is worth; at least two.
pub(super) fn worth(ground: &Ground) -> usize {
    (MOST_NODES / ground.circuit.nodes().len().max(1)).clamp(2, BLOCKS)
}

/// The blocks of a game, `most` of them; `None` if it has no clocks that count its rounds, or if a round of the first block
/// costs more than `most_cost`.
pub(super) fn blocks<'a>(ground: &'a Ground, initial: &State, most: usize, most_cost: usize) -> Option<Blocks<'a>> {
    if !ground.circuit.groups().is_empty() || !ground.circuit.comparisons().is_empty() {
        return None;
    }
    let Listed { clocks, values, period } = listed(ground, initial, most)?;
    let count = fluent_count(ground);
    let rounds = values.len();
    let size = rounds.div_ceil(most).next_multiple_of(period).max(period);
    let mut is_clock = vec![false; count];
    clocks.iter().for_each(|&fluent| is_clock[fluent as usize] = true);
    let mut state: Vec<u8> = (0..count).map(|fluent| u8::from(initial.has(FluentId(fluent as u32)))).collect();
    let mut unpacked = KnownRounds { rounds: Vec::new(), fluents: count, back: 0, block: Some(period) };
    let mut lengths = Vec::new();
    let mut begin = 0;
    while begin < rounds {
        // The last block has a whole period.
        let end = if begin + size + period > rounds { rounds } else { begin + size };
        let joined = |state: &mut Vec<u8>, step: usize, from: usize| {
            for (at, &fluent) in clocks.iter().enumerate() {
                let mut of_round = (from..end).step_by(step).map(|round| values[round][at]);
                let first = of_round.next().unwrap_or(UNKNOWN);
                state[fluent as usize] = if of_round.all(|value| value == first) { first } else { UNKNOWN };
            }
        };
        joined(&mut state, 1, begin);
        keep(ground, &is_clock, &mut state);
        for phase in 0..period {
            joined(&mut state, period, begin + phase);
            unpacked.rounds.push(Round::new(Cow::Borrowed(ground), &state));
        }
        if begin == 0 {
            let cost = |round: &Round<'_>| {
                let mut values = round.unpacked();
                values.mark_all();
                values.cost()
            };
            if unpacked.rounds.iter().map(cost).sum::<usize>() > most_cost * period {
                return None;
            }
        }
        lengths.push(end - begin);
        begin = end;
    }
    Some(Blocks { unpacked, lengths, period })
}

/// Forgets the values of fluents that may change in rounds like this one, except for clocks.
fn keep(ground: &Ground, is_clock: &[bool], state: &mut [u8]) {
    loop {
        let next = Round::new(Cow::Borrowed(ground), state).unpacked().next(state.len());
        let mut has_changed = false;
        for (fluent, (old, new)) in state.iter_mut().zip(next).enumerate() {
            if !is_clock[fluent] && *old != UNKNOWN && *old != new {
                *old = UNKNOWN;
                has_changed = true;
            }
        }
        if !has_changed {
            return;
        }
    }
}

/// Clocks with their values.
struct Listed {
    clocks: Vec<u32>,
    /// For each round, the value of each clock. After the last one they return to those of one period before.
    values: Vec<Vec<u8>>,
    period: usize,
}

/// Lists the values of clocks until they are periodic; `None` if they are so from the start, or never, or before there are
/// `least` periods.
fn listed(ground: &Ground, initial: &State, least: usize) -> Option<Listed> {
    let gates = clocks(ground);
    let nodes = cone(&ground.circuit, gates.iter().map(|(_, gate)| gate.node()), usize::MAX)?;
    let mut values: Vec<Vec<u8>> =
        vec![gates.iter().map(|(fluent, _)| u8::from(initial.has(FluentId(*fluent)))).collect()];
    let mut of_fluent = vec![0; fluent_count(ground)];
    let mut of_node = vec![0u8; ground.circuit.nodes().len()];
    while values.len() <= MOST_ROUNDS {
        let now = &values[values.len() - 1];
        gates.iter().zip(now).for_each(|((fluent, _), value)| of_fluent[*fluent as usize] = *value);
        let value = |of_node: &[u8], lit: Lit| of_node[lit.node() as usize] ^ u8::from(lit.is_negated());
        for &node in &nodes {
            of_node[node as usize] = match &ground.circuit.nodes()[node as usize] {
                Node::True => 1,
                Node::Fluent(fluent) => of_fluent[fluent.0 as usize],
                Node::And(operands) => u8::from(operands.iter().all(|&lit| value(&of_node, lit) == 1)),
                Node::Or(operands) => u8::from(operands.iter().any(|&lit| value(&of_node, lit) == 1)),
                other => unreachable!("{other:?} cannot decide a clock"),
            };
        }
        let next: Vec<u8> = gates.iter().map(|(_, gate)| value(&of_node, *gate)).collect();
        let recent = values.len().saturating_sub(LONGEST);
        if let Some(back) = values[recent..].iter().rposition(|old| *old == next) {
            let period = values.len() - recent - back;
            let clocks = gates.into_iter().map(|(fluent, _)| fluent).collect();
            return (values.len() >= least * period).then_some(Listed { clocks, values, period });
        }
        values.push(next);
    }
    None
}

/// The fluents that only such fluents decide, each with the gate of its next value. A fluent without a rule is one: it is
/// false from the first round on.
fn clocks(ground: &Ground) -> Vec<(u32, Lit)> {
    let circuit = &ground.circuit;
    let mut found: Vec<(u32, Lit, Vec<u32>)> = Vec::new();
    let mut next = vec![Lit::FALSE; fluent_count(ground)];
    ground.next.iter().for_each(|(fluent, gate)| next[fluent.0 as usize] = *gate);
    for (fluent, gate) in (0..).zip(next) {
        let Some(nodes) = cone(circuit, [gate.node()], MOST_GATES) else { continue };
        let read = nodes.iter().filter_map(|&node| match circuit.nodes()[node as usize] {
            Node::Fluent(fluent) => Some(fluent.0),
            _ => None,
        });
        found.push((fluent, gate, read.collect()));
    }
    // A fluent that reads one that is none of them is none of them either.
    loop {
        let clocks: FxHashSet<u32> = found.iter().map(|(fluent, ..)| *fluent).collect();
        let before = found.len();
        found.retain(|(_, _, read)| read.iter().all(|fluent| clocks.contains(fluent)));
        if found.len() == before {
            return found.into_iter().map(|(fluent, gate, _)| (fluent, gate)).collect();
        }
    }
}

/// The nodes that some nodes depend on, ascending; `None` if they are more than `most`, or if one is not a gate of fluents.
fn cone(circuit: &Circuit, roots: impl IntoIterator<Item = u32>, most: usize) -> Option<Vec<u32>> {
    let mut seen = FxHashSet::default();
    let mut stack: Vec<u32> = roots.into_iter().collect();
    while let Some(node) = stack.pop() {
        if !seen.insert(node) {
            continue;
        }
        if seen.len() > most {
            return None;
        }
        match &circuit.nodes()[node as usize] {
            Node::True | Node::Fluent(_) => {}
            Node::And(operands) | Node::Or(operands) if operands.len() <= most => {
                stack.extend(operands.iter().map(|lit| lit.node()));
            }
            _ => return None,
        }
    }
    let mut nodes: Vec<u32> = seen.into_iter().collect();
    nodes.sort_unstable();
    Some(nodes)
}

#[cfg(test)]
mod tests {
    use super::blocks;
    use crate::compiled::Playouts;
    use crate::compiled::unfold::tests::{played, stones};

    #[test]
    fn matches_in_blocks_are_the_same() {
        let (game, ground) = stones();
        let initial = game.rules.initial();
        let all_rounds = Playouts::new(&ground, &initial);
        for (most, lengths) in [(1, vec![12]), (2, vec![6, 6]), (4, vec![4, 4, 4]), (6, vec![2; 6])] {
            let mut found = blocks(&ground, &initial, most, 1 << 40).expect("a game that counts its rounds");
            assert_eq!((&found.lengths, found.period), (&lengths, 2));
            found.unpacked.mark();
            let costs: Vec<usize> = found.unpacked.rounds.iter().map(|round| round.unpacked().cost()).collect();
            let (first, last) = (costs[0], costs[costs.len() - 2]);
            assert!(first < last || most == 1, "{costs:?}: there are no stones at first");
            let in_blocks = Playouts::of_blocks(&found.unpacked, &found.lengths, found.period, &initial);
            for (matches, max_rounds) in [(2000, 100), (300, 5), (3, 100)] {
                let records = played(&all_rounds, matches, max_rounds);
                assert_eq!(played(&in_blocks, matches, max_rounds), records, "{most} blocks");
            }
        }
        assert!(blocks(&ground, &initial, 2, 1).is_none());
    }
}
