//! Two-valued play: legal bindings, effects, messages, payoffs, and fast random matches.

use std::ops::ControlFlow;

use percept_syntax::TextRange;

use super::{
    derived,
    engine::{CompiledItem, Engine},
    eval::{Location, World, has},
    layout::NONE,
    model::*,
};
use crate::State;

/// The most legal actions listed in one state; a game that begins with more is refused.
pub(crate) const MAX_LEGAL: usize = 1 << 20;

/// The legal actions of a state: schema and arguments, in the order of the file and of the names.
#[derive(Default)]
pub(crate) struct Bindings {
    args: Vec<Obj>,
    /// The schema, the index of its arguments, and their number.
    moves: Vec<(u16, u32, u32)>,
}

impl Bindings {
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    pub(super) fn get(&self, index: usize) -> (u16, &[Obj]) {
        let (schema, start, count) = self.moves[index];
        (schema, &self.args[start as usize..(start + count) as usize])
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u16, &[Obj])> {
        (0..self.len()).map(|index| self.get(index))
    }

    fn clear(&mut self) {
        self.args.clear();
        self.moves.clear();
    }
}

/// The changes of an action, collected before any is applied.
#[derive(Default)]
pub(crate) struct Changes {
    adds: Vec<u32>,
    deletes: Vec<u32>,
    /// With their places in the text.
    numbers: Vec<(u32, NumberChange, TextRange)>,
}

#[derive(Clone, Copy)]
enum NumberChange {
    Set(i64),
    Add(i64),
}

/// A message as a role receives it: the head and the arguments, as words.
pub(crate) type Sent = Box<[u32]>;

impl Engine {
    /// True if derived atoms have to be computed for each state.
    pub(super) fn needs_closure(&self) -> bool {
        self.derived_end > self.derived_start
    }

    /// The state's bits followed by the derived atoms that hold; borrowed if there are none.
    pub(super) fn extended<'a>(&self, state: &'a State, buffer: &'a mut Vec<u64>) -> &'a [u64] {
        if !self.needs_closure() {
            return &state.bits;
        }
        buffer.clear();
        buffer.extend_from_slice(&state.bits);
        buffer.resize(self.derived_end.div_ceil(64) as usize, 0);
        let world = self.world(&[], state);
        derived::close(&self.strata, world, buffer, None);
        buffer
    }

    pub(super) fn world<'a>(&'a self, bits: &'a [u64], state: &'a State) -> World<'a> {
        World {
            upper: bits,
            lower: bits,
            least: &state.registers,
            greatest: &state.registers,
            locations: &self.locations,
            is_swapped: false,
            faults: Some(&self.faults),
            until: None,
        }
    }

    /// The role whose turn it is; the last one if several have it.
    pub(super) fn mover(&self, bits: &[u64]) -> Option<usize> {
        self.turns.iter().rposition(|&turn| turn != NONE && has(bits, turn))
    }

    /// True if the role with the turn has a legal action.
    pub(super) fn can_move(&self, world: World) -> bool {
        let mut frame = [0; MAX_SLOTS];
        self.mover(world.upper).is_some() && self.schemas.iter().any(|schema| world.any(&schema.plan, &mut frame))
    }

    /// All legal actions of the role whose turn it is.
    pub(super) fn bindings(&self, world: World, out: &mut Bindings) {
        out.clear();
        if self.mover(world.upper).is_none() {
            return;
        }
        let mut frame = [0; MAX_SLOTS];
        for (id, schema) in self.schemas.iter().enumerate() {
            let count = self.model.schemas[id].params.len();
            let first = out.moves.len();
            let Bindings { args, moves } = &mut *out;
            let _ = world.each(&schema.plan, &mut frame, &mut |frame| {
                moves.push((id as u16, args.len() as u32, count as u32));
                args.extend_from_slice(&frame[..count]);
                if moves.len() < MAX_LEGAL { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            let of = |&(_, start, count): &(u16, u32, u32)| &args[start as usize..(start + count) as usize];
            let found = &mut moves[first..];
            if !found.is_sorted_by_key(of) {
                found.sort_unstable_by(|left, right| of(left).cmp(of(right)));
            }
        }
    }

    /// Collects the changes of an action in a state.
    pub(super) fn changes(&self, world: World, schema: u16, args: &[Obj], out: &mut Changes) {
        let mut frame = [0; MAX_SLOTS];
        frame[..args.len()].copy_from_slice(args);
        out.adds.clear();
        out.deletes.clear();
        out.numbers.clear();
        collect(&self.schemas[schema as usize].effects, world, &mut frame, out);
    }

    /// Writes the changes into the state they were computed on: deletes first, then adds.
    pub(super) fn write(&self, changes: &Changes, state: &mut State) {
        let bits = &mut state.bits;
        for &id in &changes.deletes {
            bits[id as usize / 64] &= !(1 << (id % 64));
        }
        for &id in &changes.adds {
            bits[id as usize / 64] |= 1 << (id % 64);
        }
        for (index, &(register, change, _)) in changes.numbers.iter().enumerate() {
            let same = |&&(other, ..): &&(u32, NumberChange, TextRange)| other == register;
            if changes.numbers[..index].iter().any(|entry| same(&entry)) {
                continue;
            }
            let entries = changes.numbers[index..].iter().filter(same).map(|&(_, change, range)| (change, range));
            let value = match change {
                NumberChange::Set(value) if entries.clone().count() == 1 => value,
                _ => self.total(self.read(register, state), entries),
            };
            self.write_number(register, value, state);
        }
    }

    /// If an assignment is among the changes of one number, it wins; else the increases add up.
    fn total(&self, old: i64, changes: impl Iterator<Item = (NumberChange, TextRange)>) -> i64 {
        let (mut set, mut sum, mut beyond) = (None, old, None);
        for (change, range) in changes {
            match change {
                NumberChange::Set(value) => set = Some(value),
                NumberChange::Add(value) => {
                    beyond = beyond.or(sum.checked_add(value).is_none().then_some(range));
                    sum = sum.saturating_add(value);
                }
            }
        }
        if let (None, Some(range)) = (set, beyond) {
            self.faults.beyond(range);
        }
        set.unwrap_or(sum)
    }

    fn read(&self, register: u32, state: &State) -> i64 {
        self.world(&state.bits, state).register(register).0
    }

    pub(super) fn write_number(&self, register: u32, value: i64, state: &mut State) {
        match self.locations[register as usize] {
            Location::Word(word) => state.registers[word as usize] = value,
            Location::Bits { first, low, len } => {
                for rank in 0..len {
                    let id = first + rank;
                    state.bits[id as usize / 64] &= !(1 << (id % 64));
                }
                // The number is within bounds in every legal match; an illegal move stays at the edge.
                let id = first + value.saturating_sub(low).clamp(0, len as i64 - 1) as u32;
                state.bits[id as usize / 64] |= 1 << (id % 64);
            }
        }
    }

    /// The messages a role gets, in the order they are sent.
    pub(super) fn messages(&self, world: World, schema: u16, args: &[Obj], role: usize) -> Vec<Sent> {
        let mut frame = [0; MAX_SLOTS];
        frame[..args.len()].copy_from_slice(args);
        let mut sent = Vec::new();
        each_observe(&self.schemas[schema as usize].messages, world, &mut frame, &mut |recipients, frame| {
            for recipient in received(recipients, self.model.roles[role], self.model.chance == Some(role), frame) {
                sent.push(ground_message(&recipient.message, frame));
            }
        });
        sent
    }

    /// The sum of the role's gains; nothing for chance.
    pub(super) fn payoff(&self, world: World, role: usize) -> i64 {
        if self.model.chance == Some(role) {
            return 0;
        }
        let object = self.model.roles[role];
        let mut frame = [0; MAX_SLOTS];
        let mut sum = 0i64;
        for gain in self.gains.iter().filter(|gain| gain.roles.contains(&object)) {
            frame[gain.slot as usize] = object;
            if world.may(&gain.condition, &mut frame) {
                let value = world.value(&gain.value, &frame);
                if let Some(faults) = world.faults {
                    faults.look(Operation::Add, sum, value, gain.range);
                }
                sum = sum.saturating_add(value);
            }
        }
        sum
    }

    /// True if the payoffs of all roles sum to more than zero.
    pub(super) fn is_paid(&self, world: World) -> bool {
        let payoffs = (0..self.model.roles.len()).map(|role| self.payoff(world, role));
        payoffs.fold(0i64, i64::saturating_add) > 0
    }
}

fn collect(items: &[CompiledItem], world: World, frame: &mut Frame, out: &mut Changes) {
    for item in items {
        match item {
            CompiledItem::Add(atom) => out.adds.extend(Some(atom.id(frame)).filter(|&id| id != NONE)),
            CompiledItem::Delete(atom) => out.deletes.extend(Some(atom.id(frame)).filter(|&id| id != NONE)),
            CompiledItem::Numeric(op, target, value, range) => {
                let register = target.id(frame);
                if register == NONE {
                    continue;
                }
                let value = world.value(value, frame);
                let old = world.register(register).0;
                if let Some(faults) = world.faults {
                    faults.look_at_change(*op, old, value, *range);
                }
                let change = match op {
                    NumericOp::Assign => NumberChange::Set(value),
                    NumericOp::Increase => NumberChange::Add(value),
                    NumericOp::Decrease => NumberChange::Add(value.saturating_neg()),
                    NumericOp::ScaleUp => NumberChange::Set(Operation::Multiply.apply(old, value)),
                    NumericOp::ScaleDown => NumberChange::Set(Operation::Divide.apply(old, value)),
                };
                out.numbers.push((register, change, *range));
            }
            CompiledItem::Observe(_) => {}
            CompiledItem::Block(plan, items) => {
                let _ = world.each(plan, frame, &mut |frame| {
                    collect(items, world, frame, out);
                    ControlFlow::Continue(())
                });
            }
        }
    }
}

fn each_observe(items: &[CompiledItem], world: World, frame: &mut Frame, visit: &mut dyn FnMut(&[Recipient], &Frame)) {
    for item in items {
        match item {
            CompiledItem::Observe(recipients) => visit(recipients, frame),
            CompiledItem::Block(plan, items) => {
                let _ = world.each(plan, frame, &mut |frame| {
                    each_observe(items, world, frame, visit);
                    ControlFlow::Continue(())
                });
            }
            _ => {}
        }
    }
}

/// The clauses of one `observe` that reach a role. `others` are the roles besides chance that no clause of the same
/// `observe` names, directly or by `all`; of several `others` only the first counts.
pub(crate) fn received<'a>(
    recipients: &'a [Recipient],
    role: Obj,
    is_chance: bool,
    frame: &'a Frame,
) -> impl Iterator<Item = &'a Recipient> {
    let is_named = move |recipient: &Recipient| {
        recipient.to.iter().any(|receiver| match receiver {
            Receiver::All => true,
            Receiver::Others => false,
            Receiver::Role(term) => term.get(frame) == role,
        })
    };
    let is_other = !is_chance && !recipients.iter().any(is_named);
    let mut served = false;
    recipients.iter().filter(move |recipient| {
        is_named(recipient)
            || (is_other && recipient.to.contains(&Receiver::Others) && !std::mem::replace(&mut served, true))
    })
}

pub(crate) fn ground_message(message: &Message, frame: &Frame) -> Sent {
    std::iter::once(message.head).chain(message.args.iter().map(|term| term.get(frame))).collect()
}
