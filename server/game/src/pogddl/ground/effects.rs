//! The new state, the percepts and the changes of numbers, as gates over the candidates' moves.
//!
//! Every effect is recorded as "candidate m, under the gate g". A fluent that all candidates add under the same gate
//! equals that gate, because exactly one of them is made.

use std::ops::ControlFlow;

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::{
    engine::CompiledItem,
    eval::Location,
    layout::NONE,
    model::*,
    step::{Sent, ground_message, received},
};
use super::does::Does;
use super::gates::{Gates, operation};
use crate::{
    FluentId, RegisterUpdate, UpdateKind,
    circuit::{Lit, Number},
};

/// Something that happens when candidate `.0` is made and the gate `.1` holds.
pub(super) type Cause = (u32, Lit);

#[derive(Default)]
pub(super) struct Effects {
    pub adds: FxHashMap<u32, Vec<Cause>>,
    pub deletes: FxHashMap<u32, Vec<Cause>>,
    /// The updates, in the order of first appearance.
    pub updates: Vec<(RegisterUpdate, Vec<Cause>)>,
    /// The index in `updates`, by register, kind (assignment or not), value, and occurrence within one candidate.
    update_places: FxHashMap<(u32, bool, Number, u32), usize>,
    /// For each register, the candidate that assigned it last, and its index in `updates`: the last of its assignments
    /// counts, so they must be in its order.
    assigned: FxHashMap<u32, (u32, usize)>,
}

/// The disjunction of some causes.
pub(super) fn combine(gates: &mut Gates, does: &mut Does, causes: &[Cause]) -> Lit {
    let mut by_gate: FxHashMap<Lit, Vec<u32>> = FxHashMap::default();
    let mut order = Vec::new();
    for &(candidate, gate) in causes.iter().filter(|(_, gate)| *gate != Lit::FALSE) {
        let candidates = by_gate.entry(gate).or_insert_with(|| {
            order.push(gate);
            Vec::new()
        });
        if candidates.last() != Some(&candidate) {
            candidates.push(candidate);
        }
    }
    let mut parts = Vec::new();
    for gate in order {
        let candidates = &by_gate[&gate];
        if candidates.len() == does.made.len() {
            parts.push(gate);
        } else if gate == Lit::TRUE {
            parts.extend(does.one_of(gates, candidates));
        } else {
            let made = does.one_of(gates, candidates);
            let made = gates.circuit.or(made);
            parts.push(gates.circuit.and([made, gate]));
        }
    }
    gates.circuit.or(parts)
}

impl Effects {
    /// Records the effects of a candidate.
    pub(super) fn record(&mut self, gates: &mut Gates, items: &[CompiledItem], frame: &mut Frame, cause: Cause) {
        for item in items {
            match item {
                CompiledItem::Add(atom) => self.change(true, atom.id(frame), cause),
                CompiledItem::Delete(atom) => self.change(false, atom.id(frame), cause),
                CompiledItem::Numeric(op, target, value, _) => {
                    let register = target.id(frame);
                    if register != NONE {
                        let values = gates.cases(value, frame);
                        self.number(gates, *op, register, values, cause);
                    }
                }
                CompiledItem::Observe(_) => {}
                CompiledItem::Block(plan, items) => {
                    let _ = gates.each(&plan.steps, frame, cause.1, &mut |gates, frame, gate| {
                        self.record(gates, items, frame, (cause.0, gate));
                        ControlFlow::Continue(())
                    });
                }
            }
        }
    }

    fn change(&mut self, is_add: bool, id: u32, cause: Cause) {
        if id != NONE {
            let changes = if is_add { &mut self.adds } else { &mut self.deletes };
            changes.entry(id).or_default().push(cause);
        }
    }

    fn number(
        &mut self,
        gates: &mut Gates,
        op: NumericOp,
        register: u32,
        values: Vec<(Number, Lit)>,
        (candidate, gate): Cause,
    ) {
        for (value, value_gate) in values {
            let gate = gates.circuit.and([gate, value_gate]);
            match gates.engine.locations[register as usize] {
                _ if gate == Lit::FALSE => {}
                Location::Word(word) => self.word(op, word, value, (candidate, gate)),
                Location::Bits { first, low, len } => {
                    for (old, old_gate) in gates.register_cases(register) {
                        let (Number::Constant(old), Number::Constant(value)) = (&old, &value) else { continue };
                        let new = changed(op, *old, *value).clamp(low, low + len as i64 - 1);
                        if new != *old {
                            let gate = gates.circuit.and([gate, old_gate]);
                            self.change(true, first + (new - low) as u32, (candidate, gate));
                            self.change(false, first + (old - low) as u32, (candidate, gate));
                        }
                    }
                }
            }
        }
    }

    fn word(&mut self, op: NumericOp, word: u32, value: Number, cause: Cause) {
        let (kind, value) = match op {
            NumericOp::Assign => (UpdateKind::Assign, value),
            NumericOp::Increase => (UpdateKind::Increase, value),
            NumericOp::Decrease => (UpdateKind::Increase, operation(Operation::Subtract, Number::Constant(0), value)),
            NumericOp::ScaleUp => (UpdateKind::Assign, operation(Operation::Multiply, Number::Register(word), value)),
            NumericOp::ScaleDown => (UpdateKind::Assign, operation(Operation::Divide, Number::Register(word), value)),
        };
        let is_assign = kind == UpdateKind::Assign;
        let before = self.assigned.get(&word).filter(|(candidate, _)| *candidate == cause.0).map_or(0, |it| it.1);
        for again in 0.. {
            let key = (word, is_assign, value.clone(), again);
            let place = *self.update_places.entry(key).or_insert(self.updates.len());
            if place == self.updates.len() {
                let update = RegisterUpdate { register: word, gate: Lit::FALSE, kind, value: value.clone() };
                self.updates.push((update, Vec::new()));
            }
            let causes = &mut self.updates[place].1;
            // If one candidate adds the same amount twice, both count.
            let is_free = match is_assign {
                true => place >= before,
                false => causes.last().is_none_or(|(candidate, _)| *candidate != cause.0),
            };
            if is_free {
                causes.push(cause);
                if is_assign {
                    self.assigned.insert(word, (cause.0, place));
                }
                return;
            }
        }
    }

    /// The fluents that may hold afterwards.
    pub(super) fn next(&self, gates: &mut Gates, does: &mut Does) -> Vec<(FluentId, Lit)> {
        let upper = gates.world.upper;
        let mut ids: Vec<u32> = self.adds.keys().copied().collect();
        for (index, &word) in upper.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                ids.push(index as u32 * 64 + rest.trailing_zeros());
                rest &= rest - 1;
            }
        }
        ids.retain(|&id| id < gates.engine.fluent_count);
        ids.sort_unstable();
        ids.dedup();
        let mut next = Vec::with_capacity(ids.len());
        for id in ids {
            let old = gates.fluent(id);
            let add = self.adds.get(&id).map_or(Lit::FALSE, |causes| combine(gates, does, causes));
            let delete = self.deletes.get(&id).map_or(Lit::FALSE, |causes| combine(gates, does, causes));
            let kept = gates.circuit.and([old, !delete]);
            let gate = gates.circuit.or([add, kept]);
            if gate != Lit::FALSE {
                next.push((FluentId(id), gate));
            }
        }
        next
    }

    /// The registers that a candidate may change in several ways.
    pub(super) fn shared(&self) -> FxHashSet<u32> {
        let mut changers: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (update, causes) in &self.updates {
            changers.entry(update.register).or_default().extend(causes.iter().map(|(candidate, _)| candidate));
        }
        let is_shared = |candidates: &mut Vec<u32>| {
            candidates.sort_unstable();
            candidates.windows(2).any(|pair| pair[0] == pair[1])
        };
        changers.into_iter().filter_map(|(register, mut all)| is_shared(&mut all).then_some(register)).collect()
    }

    /// Additions become assignments if no candidate does both or adds twice. Then there is one case for each update,
    /// instead of one for each set of updates.
    pub(super) fn register_updates(&self, gates: &mut Gates, does: &mut Does) -> Vec<RegisterUpdate> {
        let shared = self.shared();
        let mut updates = Vec::new();
        for (update, causes) in &self.updates {
            let gate = combine(gates, does, causes);
            if gate == Lit::FALSE {
                continue;
            }
            let mut update = RegisterUpdate { gate, ..update.clone() };
            if update.kind == UpdateKind::Increase && !shared.contains(&update.register) {
                update.kind = UpdateKind::Assign;
                update.value = Number::Add(Box::new(Number::Register(update.register)), Box::new(update.value));
            }
            updates.push(update);
        }
        updates
    }
}

fn changed(op: NumericOp, old: i64, value: i64) -> i64 {
    match op {
        NumericOp::Assign => value,
        NumericOp::Increase => old.saturating_add(value),
        NumericOp::Decrease => old.saturating_sub(value),
        NumericOp::ScaleUp => Operation::Multiply.apply(old, value),
        NumericOp::ScaleDown => Operation::Divide.apply(old, value),
    }
}

impl Effects {
    /// The digits of the registers after these updates, and the gate which states that a register has too many; `None`
    /// if registers are not digits.
    pub(super) fn next_digits(
        &self,
        gates: &mut Gates,
        updates: &[RegisterUpdate],
    ) -> Option<(Vec<(FluentId, Lit)>, Lit)> {
        let (registers, shared) = (gates.engine.word_count, self.shared());
        Some(gates.arithmetic()?.updated(registers, updates, &|register| shared.contains(&register)))
    }
}

/// The messages that a candidate may send to a role: position in the list, message, gate.
pub(super) fn percepts(
    gates: &mut Gates,
    items: &[CompiledItem],
    frame: &mut Frame,
    role: usize,
) -> Vec<(usize, Sent, Lit)> {
    let mut possible: Vec<(Sent, Lit)> = Vec::new();
    sent(gates, items, frame, role, Lit::TRUE, &mut possible);
    // count[k]: exactly k of the messages so far were sent.
    let mut count = vec![Lit::TRUE];
    let mut percepts = Vec::new();
    for (message, gate) in possible {
        for (place, &before) in count.iter().enumerate() {
            let here = gates.circuit.and([before, gate]);
            if here != Lit::FALSE {
                percepts.push((place, message.clone(), here));
            }
        }
        let mut after = vec![Lit::FALSE; count.len() + 1];
        for (place, slot) in after.iter_mut().enumerate() {
            let same = count.get(place).copied().unwrap_or(Lit::FALSE);
            let less = place.checked_sub(1).map_or(Lit::FALSE, |less| count[less]);
            let stays = gates.circuit.and([same, !gate]);
            let grows = gates.circuit.and([less, gate]);
            *slot = gates.circuit.or([stays, grows]);
        }
        while after.last() == Some(&Lit::FALSE) {
            after.pop();
        }
        count = after;
    }
    percepts
}

fn sent(
    gates: &mut Gates,
    items: &[CompiledItem],
    frame: &mut Frame,
    role: usize,
    gate: Lit,
    possible: &mut Vec<(Sent, Lit)>,
) {
    let model = &gates.engine.model;
    for item in items {
        match item {
            CompiledItem::Observe(recipients) => {
                let reaching = received(recipients, model.roles[role], model.chance == Some(role), frame);
                possible.extend(reaching.map(|recipient| (ground_message(&recipient.message, frame), gate)));
            }
            CompiledItem::Block(plan, items) => {
                let _ = gates.each(&plan.steps, frame, gate, &mut |gates, frame, gate| {
                    sent(gates, items, frame, role, gate, possible);
                    ControlFlow::Continue(())
                });
            }
            _ => {}
        }
    }
}
