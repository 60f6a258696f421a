//! Bounds from a round's circuit: clocks, and facts that change for good.
//!
//! *Clock*: the rounds are played with every move unknown. Each state that a match can be in after `n` rounds agrees
//! with the n-th of these abstract states, so when `terminal` is certain in it, no match is longer. Step counters,
//! alternating control and everything else that no move changes stays known, whatever its name is.
//!
//! *For good*: a fluent that stays true once true (or false once false) changes at most once. If in every turn of the
//! cycle of abstract states some role has only moves that change one of them, the number of such fluents bounds the
//! match: the cells of a board that fills up, the moves that were tried.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Bound;
use super::ternary::{May, Values};
use crate::circuit::{Lit, Node};
use crate::{Budget, FluentId, Ground, MoveId, RoleId, State};

/// Abstract rounds that are played.
const ROUNDS: usize = 20_000;
/// The most nodes that are evaluated in all.
const WORK: usize = 400_000_000;

/// The known values of every fluent.
#[derive(Clone, PartialEq, Eq, Hash)]
struct FluentValues {
    no: Vec<u64>,
    yes: Vec<u64>,
}

impl FluentValues {
    fn of(state: &State) -> FluentValues {
        FluentValues { no: state.bits.iter().map(|word| !word).collect(), yes: state.bits.to_vec() }
    }

    fn get(&self, fluent: FluentId) -> May {
        let bit = |words: &[u64]| words[fluent.0 as usize / 64] >> (fluent.0 % 64) & 1 == 1;
        match (bit(&self.no), bit(&self.yes)) {
            (true, true) => May::FREE,
            (false, _) => May::TRUE,
            (true, false) => May::FALSE,
        }
    }

    fn set(&mut self, fluent: FluentId, value: May) {
        let mask = 1u64 << (fluent.0 % 64);
        for (words, may) in [(&mut self.no, value.no), (&mut self.yes, value.yes)] {
            let word = &mut words[fluent.0 as usize / 64];
            *word = if may & 1 == 1 { *word | mask } else { *word & !mask };
        }
    }

    fn join(&mut self, other: &FluentValues) {
        self.no.iter_mut().zip(&other.no).for_each(|(word, other)| *word |= other);
        self.yes.iter_mut().zip(&other.yes).for_each(|(word, other)| *word |= other);
    }
}

/// The abstract states in their order; after the last comes the one with index `back`.
struct Cycle {
    states: Vec<FluentValues>,
    back: usize,
}

/// A bound of the game whose rounds are `ground`; `name` returns fluents' names for the user.
pub(crate) fn bound(
    initial: &State,
    ground: &Ground,
    name: &dyn Fn(FluentId) -> String,
    budget: &Budget,
) -> Option<Bound> {
    let next = ground.next.iter().copied().collect();
    let rounds = Rounds { ground, next, choices: choices(ground), budget };
    match rounds.cycle(initial)? {
        Ok(cycle) => rounds.for_good(initial, &cycle, name),
        Err(states) => Some(rounds.clock(&states, name)),
    }
}

/// The disjunctions which state that a role makes one of some moves.
fn choices(ground: &Ground) -> Vec<(u32, RoleId, FxHashSet<MoveId>)> {
    let mut choices = Vec::new();
    for (index, node) in ground.circuit.nodes().iter().enumerate() {
        let Node::Or(lits) = node else { continue };
        let mut by_role: FxHashMap<RoleId, FxHashSet<MoveId>> = FxHashMap::default();
        for lit in lits.iter().filter(|lit| !lit.is_negated()) {
            if let Node::Move(role, mv) = ground.circuit.nodes()[lit.node() as usize] {
                by_role.entry(role).or_default().insert(mv);
            }
        }
        choices.extend(by_role.into_iter().map(|(role, moves)| (index as u32, role, moves)));
    }
    choices
}

type Moves = FxHashMap<(RoleId, MoveId), May>;

struct Rounds<'g> {
    ground: &'g Ground,
    next: FxHashMap<FluentId, Lit>,
    choices: Vec<(u32, RoleId, FxHashSet<MoveId>)>,
    budget: &'g Budget,
}

impl Rounds<'_> {
    /// Plays abstract rounds until they repeat, or until the match is certainly over in the last of them (`Err`).
    /// `None` if that takes too long.
    fn cycle(&self, initial: &State) -> Option<Result<Cycle, Vec<FluentValues>>> {
        let mut places: FxHashMap<FluentValues, usize> = FxHashMap::default();
        let mut states = vec![FluentValues::of(initial)];
        let rounds = ROUNDS.min(WORK / (2 * self.ground.circuit.nodes().len()).max(1));
        while let Some(last) = states.last().filter(|_| states.len() <= rounds && !self.budget.is_spent()) {
            let still = self.still(last);
            if still.get(self.ground.terminal).is_true() {
                return Some(Err(states));
            }
            let next = self.after(last, &still);
            places.insert(last.clone(), states.len() - 1);
            if let Some(&back) = places.get(&next) {
                return Some(Ok(Cycle { states, back }));
            }
            states.push(next);
        }
        None
    }

    /// The values in a state, whatever the moves.
    fn still(&self, before: &FluentValues) -> Values {
        Values::of(&self.ground.circuit, &[], |node| match node {
            Node::Fluent(fluent) => before.get(*fluent),
            _ => May::FREE,
        })
    }

    /// The moves that may be made in a state: those whose gate may be open.
    fn moves(&self, still: &Values) -> Moves {
        let mut moves = FxHashMap::default();
        for (role, listed) in self.ground.moves.iter().enumerate() {
            let may: Vec<bool> = listed.iter().map(|&(_, gate)| still.get(gate).yes & 1 == 1).collect();
            let only = may.iter().filter(|&&may| may).count() == 1;
            for (&(mv, _), may) in listed.iter().zip(may) {
                let value = match (may, only) {
                    (false, _) => May::FALSE,
                    (true, true) => May::TRUE,
                    (true, false) => May::FREE,
                };
                moves.insert((RoleId(role as u16), mv), value);
            }
        }
        moves
    }

    /// The facts about every round of a match: the match is not over, and every role makes one of its moves.
    fn going_on(&self, moves: &Moves) -> Vec<(Lit, May)> {
        let listed = &self.ground.moves;
        let is_made = |(_, role, set): &&(u32, RoleId, FxHashSet<MoveId>)| {
            let mut possible = listed[role.0 as usize].iter().map(|&(mv, _)| mv);
            possible.all(|mv| set.contains(&mv) || moves.get(&(*role, mv)).is_none_or(|&may| may.is_false()))
        };
        let made = self.choices.iter().filter(is_made).map(|&(node, ..)| (Lit::new(node, false), May::TRUE));
        made.chain([(self.ground.terminal, May::FALSE)]).collect()
    }

    /// A round of a match that is not over.
    fn after(&self, before: &FluentValues, still: &Values) -> FluentValues {
        let moves = self.moves(still);
        let values = Values::of(&self.ground.circuit, &self.going_on(&moves), |node| match node {
            Node::Fluent(fluent) => before.get(*fluent),
            Node::Move(role, mv) => moves.get(&(*role, *mv)).copied().unwrap_or(May::FALSE),
            _ => May::FREE,
        });
        let mut next = FluentValues { no: vec![u64::MAX; before.no.len()], yes: vec![0; before.yes.len()] };
        for &(fluent, gate) in &self.ground.next {
            next.set(fluent, values.get(gate));
        }
        next
    }

    /// The bound of a run of abstract states whose last one is terminal, and the fluents that make it so.
    fn clock(&self, states: &[FluentValues], name: &dyn Fn(FluentId) -> String) -> Bound {
        const NAMED: usize = 3;
        let rounds = states.len() - 1;
        let mut last = states[rounds].clone();
        let mut needed = Vec::new();
        for &(fluent, _) in &self.ground.next {
            let value = last.get(fluent);
            if value.is_free() {
                continue;
            }
            last.set(fluent, May::FREE);
            if !self.still(&last).get(self.ground.terminal).is_true() {
                last.set(fluent, value);
                if value.is_true() {
                    needed.push(name(fluent));
                }
            }
            if needed.len() == NAMED || self.budget.is_spent() {
                break;
            }
        }
        let because = match needed.len() {
            0 => format!("after {rounds} rounds the match is over, whatever is played"),
            _ => format!("after {rounds} rounds {} holds, whatever is played, and ends the match", needed.join(", ")),
        };
        Bound { rounds: rounds as u64, because }
    }

    fn for_good(&self, initial: &State, cycle: &Cycle, name: &dyn Fn(FluentId) -> String) -> Option<Bound> {
        let mut any = cycle.states[0].clone();
        cycle.states.iter().for_each(|state| any.join(state));
        let lasting: Vec<(FluentId, bool)> =
            self.lasting(&any)?.into_iter().filter(|&(fluent, value)| initial.has(fluent) != value).collect();
        let uses: Vec<bool> = cycle.states.iter().map(|state| self.uses_up(state, &lasting)).collect();
        let in_cycle = uses[cycle.back..].iter().filter(|&&uses| uses).count();
        if in_cycle == 0 || self.budget.is_spent() {
            return None;
        }
        let (mut at, mut rounds, mut left) = (0, 0u64, lasting.len());
        loop {
            if uses[at] {
                if left == 0 {
                    break;
                }
                left -= 1;
            }
            rounds += 1;
            at = if at + 1 == uses.len() { cycle.back } else { at + 1 };
        }
        let example = lasting.first().map(|&(fluent, _)| name(fluent)).unwrap_or_default();
        let because = format!(
            "every round{} changes one of {} facts that change only once, such as {example}",
            if uses.iter().all(|&uses| uses) { "" } else { " but some" },
            lasting.len()
        );
        Some(Bound { rounds, because })
    }

    /// The fluents that keep a value once they have it, with the value.
    fn lasting(&self, any: &FluentValues) -> Option<Vec<(FluentId, bool)>> {
        let still = self.still(any);
        let moves = self.moves(&still);
        let cases: Vec<(FluentId, bool)> = (0..any.no.len() as u32 * 64)
            .map(FluentId)
            .filter(|&fluent| any.get(fluent).is_free())
            .flat_map(|fluent| [(fluent, true), (fluent, false)])
            .collect();
        let mut lasting = Vec::new();
        for chunk in cases.chunks(64) {
            if self.budget.is_spent() {
                return None;
            }
            let mut given: FxHashMap<FluentId, May> = FxHashMap::default();
            for (case, (fluent, value)) in chunk.iter().enumerate() {
                let may = given.entry(*fluent).or_insert(May::FREE);
                let (no, yes) = if *value { (&mut may.no, 1 << case) } else { (&mut may.yes, 1 << case) };
                *no &= !yes;
            }
            let values = Values::of(&self.ground.circuit, &self.going_on(&moves), |node| match node {
                Node::Fluent(fluent) => given.get(fluent).copied().unwrap_or_else(|| any.get(*fluent)),
                Node::Move(role, mv) => moves.get(&(*role, *mv)).copied().unwrap_or(May::FALSE),
                _ => May::FREE,
            });
            for (case, &(fluent, value)) in chunk.iter().enumerate() {
                let next = self.next.get(&fluent).map_or(May::FALSE, |&gate| values.get(gate));
                let other = if value { next.no } else { next.yes };
                if other >> case & 1 == 0 {
                    lasting.push((fluent, value));
                }
            }
        }
        Some(lasting)
    }

    /// True if some role can only make moves that give one of the lasting fluents its last value.
    fn uses_up(&self, values: &FluentValues, lasting: &[(FluentId, bool)]) -> bool {
        if self.budget.is_spent() {
            return false;
        }
        let still = self.still(values);
        let moves = self.moves(&still);
        self.ground.moves.iter().enumerate().any(|(role, listed)| {
            let role = RoleId(role as u16);
            let possible: Vec<_> = listed.iter().filter(|&&(_, gate)| still.get(gate).yes & 1 == 1).collect();
            !possible.is_empty()
                && possible.chunks(64).all(|chunk| {
                    let case = Case { rounds: self, values, still: &still, moves: &moves, role };
                    case.all_use_up(chunk, lasting)
                })
        })
    }
}

/// A role's moves in one abstract state, one case for each.
struct Case<'a> {
    rounds: &'a Rounds<'a>,
    values: &'a FluentValues,
    still: &'a Values,
    moves: &'a Moves,
    role: RoleId,
}

impl Case<'_> {
    fn all_use_up(&self, chunk: &[&(MoveId, Lit)], lasting: &[(FluentId, bool)]) -> bool {
        let circuit = &self.rounds.ground.circuit;
        // A move that is made is legal, and its legality implies facts about the state.
        let mut given: FxHashMap<FluentId, May> = FxHashMap::default();
        let mut does: FxHashMap<MoveId, u64> = FxHashMap::default();
        for (case, &&(mv, gate)) in chunk.iter().enumerate() {
            does.insert(mv, 1 << case);
            for lit in self.still.implied(circuit, gate) {
                if let Node::Fluent(fluent) = circuit.nodes()[lit.node() as usize] {
                    let may = given.entry(fluent).or_insert_with(|| self.values.get(fluent));
                    let lost = if lit.is_negated() { &mut may.yes } else { &mut may.no };
                    *lost &= !(1 << case);
                }
            }
        }
        let before = |fluent: FluentId| given.get(&fluent).copied().unwrap_or_else(|| self.values.get(fluent));
        let fixed = self.rounds.going_on(self.moves);
        let values = Values::of(circuit, &fixed, |node| match node {
            Node::Fluent(fluent) => before(*fluent),
            Node::Move(role, mv) if *role == self.role => {
                let made = does.get(mv).copied().unwrap_or(0);
                May { no: !made, yes: made }
            }
            Node::Move(role, mv) => self.moves.get(&(*role, *mv)).copied().unwrap_or(May::FALSE),
            _ => May::FREE,
        });
        let mut used = 0u64;
        for &(fluent, value) in lasting {
            let (old, new) =
                (before(fluent), self.rounds.next.get(&fluent).map_or(May::FALSE, |&gate| values.get(gate)));
            let turned = |may: May| if value { may.certain() } else { !may.yes & may.no };
            let unturned = |may: May| if value { !may.yes & may.no } else { may.certain() };
            used |= unturned(old) & turned(new);
        }
        let all = if chunk.len() == 64 { u64::MAX } else { (1 << chunk.len()) - 1 };
        used & all == all
    }
}
