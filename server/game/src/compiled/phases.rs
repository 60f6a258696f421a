//! Fluents that the number of a round decides, such as the role in turn.
//!
//! A fluent whose next value depends on no move, and only on fluents of this kind, has the same values in every match.
//! If these return to their start after a few rounds, a round's *phase* (its number modulo the period) decides them,
//! and every phase has its own circuit, in which they are folded away: it has no gates for the moves of the role that
//! is not in turn, or for their effects.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

use super::partial::{KnownRounds, Round, UNKNOWN, fluent_count};
use crate::circuit::{Circuit, Lit, Node};
use crate::{FluentId, Ground, MoveId, RoleId, State};

/// The maximum period: matches begin in phase 0 only, so their lanes wait for it.
const LONGEST: usize = 8;
/// The maximum numbers of gates and fluents that may decide a clock.
const MOST_GATES: usize = 500;
const MOST_FLUENTS: usize = 32;
/// Up to this number of operands, instructions stay in the caches whatever the number of phases.
const MANY_OPERANDS: usize = 200_000;

/// The phases of a game; a single one if it has no clock, or folding saves little.
pub(super) fn phases<'a>(ground: &'a Ground, initial: &State) -> KnownRounds<'a> {
    let clocks = clocks(ground, initial);
    let whole = fold(ground, &[FxHashMap::default()]);
    let Some(period) = period(&clocks) else { return marked(whole) };
    let values: Vec<FxHashMap<u32, bool>> = (0..period)
        .map(|phase| {
            let in_step = clocks.iter().filter(|(_, values)| period.is_multiple_of(values.len()));
            in_step.map(|(&fluent, values)| (fluent, values[phase % values.len()])).collect()
        })
        .collect();
    let folded = marked(fold(ground, &values));
    let in_all: usize = folded.rounds.iter().map(|round| round.unpacked().operands()).sum();
    let mut all = whole.rounds[0].unpacked();
    all.mark_all();
    let before = all.operands();
    // The legal moves of a role that is not in turn need not be read, which pays even if hardly a gate is saved. But
    // every phase has instructions of its own, and many of them leave the caches from round to round.
    let pays = before <= MANY_OPERANDS || in_all <= before * period * 9 / 10;
    if pays { folded } else { marked(whole) }
}

fn marked(mut rounds: KnownRounds<'_>) -> KnownRounds<'_> {
    rounds.mark();
    rounds
}

/// The least multiple of the longest period that all periods divide, if short enough, or else the longest period.
fn period(clocks: &FxHashMap<u32, Vec<bool>>) -> Option<usize> {
    let longest = clocks.values().map(Vec::len).max()?;
    let mut periods = (longest..=LONGEST).step_by(longest);
    let all = periods.find(|&period| clocks.values().all(|values| period.is_multiple_of(values.len())));
    Some(all.unwrap_or(longest))
}

/// The fluents that are periodic from the first round on, with their values in one period.
fn clocks(ground: &Ground, initial: &State) -> FxHashMap<u32, Vec<bool>> {
    let mut clocks = Clocks { circuit: &ground.circuit, next: FxHashMap::default(), cones: FxHashMap::default() };
    clocks.next = ground.next.iter().map(|(fluent, gate)| (fluent.0, *gate)).collect();
    let fluents: Vec<u32> = ground.next.iter().map(|(fluent, _)| fluent.0).collect();
    for &fluent in &fluents {
        let cone = clocks.cone(fluent);
        clocks.cones.insert(fluent, cone);
    }
    fluents.into_iter().filter_map(|fluent| Some((fluent, clocks.period(fluent, initial)?))).collect()
}

struct Clocks<'a> {
    circuit: &'a Circuit,
    next: FxHashMap<u32, Lit>,
    /// The fluents that decide the next value of each fluent, if only fluents do and they are few.
    cones: FxHashMap<u32, Option<Vec<u32>>>,
}

impl Clocks<'_> {
    fn cone(&self, fluent: u32) -> Option<Vec<u32>> {
        let mut fluents = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = vec![self.next.get(&fluent)?.node()];
        while let Some(node) = stack.pop() {
            if !seen.insert(node) {
                continue;
            }
            if seen.len() > MOST_GATES {
                return None;
            }
            match &self.circuit.nodes()[node as usize] {
                Node::True => {}
                Node::Fluent(fluent) => fluents.push(fluent.0),
                Node::And(operands) | Node::Or(operands) if operands.len() <= MOST_GATES => {
                    stack.extend(operands.iter().map(|lit| lit.node()));
                }
                _ => return None,
            }
        }
        Some(fluents)
    }

    /// The values of a fluent until all fluents that decide it return to their initial values.
    fn period(&self, fluent: u32, initial: &State) -> Option<Vec<bool>> {
        let mut deciding = vec![fluent];
        let mut at = 0;
        while let Some(&next) = deciding.get(at) {
            at += 1;
            // A fluent without a rule is false from the first round on, so it is not a clock.
            for &other in self.cones.get(&next)?.as_ref()? {
                if !deciding.contains(&other) {
                    deciding.push(other);
                }
            }
            if deciding.len() > MOST_FLUENTS {
                return None;
            }
        }
        let start: FxHashMap<u32, bool> = deciding.iter().map(|&at| (at, initial.has(FluentId(at)))).collect();
        let mut now = start.clone();
        let mut values = Vec::new();
        while values.len() < LONGEST {
            values.push(now[&fluent]);
            let mut cache = FxHashMap::default();
            let next = deciding.iter().map(|&at| (at, self.value(self.next[&at], &now, &mut cache))).collect();
            now = next;
            if now == start {
                return Some(values);
            }
        }
        None
    }

    /// The value of a gate. Cones of clocks are small, and so is the depth.
    fn value(&self, lit: Lit, fluents: &FxHashMap<u32, bool>, cache: &mut FxHashMap<u32, bool>) -> bool {
        let value = match cache.get(&lit.node()) {
            Some(&value) => value,
            None => {
                let value = match &self.circuit.nodes()[lit.node() as usize] {
                    Node::True => true,
                    Node::Fluent(fluent) => fluents[&fluent.0],
                    Node::And(operands) => operands.iter().all(|&lit| self.value(lit, fluents, cache)),
                    Node::Or(operands) => operands.iter().any(|&lit| self.value(lit, fluents, cache)),
                    other => unreachable!("{other:?} cannot decide a clock"),
                };
                cache.insert(lit.node(), value);
                value
            }
        };
        value ^ lit.is_negated()
    }
}

/// Evaluates the rounds in which clocks have each of these values.
fn fold<'a>(ground: &'a Ground, values: &[FxHashMap<u32, bool>]) -> KnownRounds<'a> {
    let count = fluent_count(ground);
    let round = |values: &FxHashMap<u32, bool>| {
        let mut fluents = vec![UNKNOWN; count];
        values.iter().for_each(|(fluent, value)| fluents[*fluent as usize] = u8::from(*value));
        match ground.circuit.groups() {
            [] => Round::new(Cow::Borrowed(ground), &fluents),
            _ => Round::new(Cow::Owned(without_known_loops(ground, values)), &fluents),
        }
    };
    KnownRounds { rounds: values.iter().map(round).collect(), fluents: count, back: 0, block: None }
}

/// The rules with clocks folded away: only substitution finds the known values of a recursion.
fn without_known_loops(ground: &Ground, values: &FxHashMap<u32, bool>) -> Ground {
    let mut folded = ground.clone();
    folded.substitute(&|node| match node {
        Node::Fluent(fluent) => values.get(&fluent.0).copied(),
        _ => None,
    });
    let legal: FxHashSet<(RoleId, MoveId)> = folded
        .moves
        .iter()
        .enumerate()
        .flat_map(|(role, moves)| moves.iter().map(move |(mv, gate)| ((RoleId(role as u16), *mv), *gate)))
        .filter(|(_, gate)| *gate != Lit::FALSE)
        .map(|(mv, _)| mv)
        .collect();
    folded.substitute(&|node| match node {
        Node::Move(role, mv) if !legal.contains(&(*role, *mv)) => Some(false),
        _ => None,
    });
    folded
}
