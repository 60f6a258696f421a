//! The possible actions of a round, given the possible facts before it and the observation of one role.

use std::ops::ControlFlow;

use super::super::{
    engine::{CompiledItem, Engine},
    eval::World,
    model::*,
    plan::{Plan, bit},
    relaxed::{Allowed, Cut},
    step::received,
};

/// An action that may be made.
pub(super) struct Candidate {
    pub schema: u16,
    pub frame: Box<Frame>,
}

/// A role's observation in the round: the messages, in order, as words.
pub(super) struct Observed {
    pub role: usize,
    pub messages: Vec<Vec<u32>>,
}

/// All actions whose precondition may hold and, with an observation, whose messages to that role may be the observed
/// ones. `plan` gives the plan of a schema for a set of variables that are bound already.
///
/// # Errors
/// If there are more than allowed, or no time is left.
pub(super) fn candidates(
    engine: &Engine,
    world: World,
    observed: Option<&Observed>,
    allowed: Allowed<'_>,
    plan: &dyn Fn(u16, u64) -> std::sync::Arc<Plan>,
) -> Result<Vec<Candidate>, Cut> {
    let mut found = Vec::new();
    for id in 0..engine.schemas.len() as u16 {
        let first = found.len();
        match observed {
            None => enumerate(engine, world, id, &plan(id, 0), &mut [0; MAX_SLOTS], None, allowed, &mut found)?,
            Some(observed) => {
                let starts = starting_points(engine, id, observed);
                for (mask, start) in &starts {
                    let mut frame = *start;
                    enumerate(engine, world, id, &plan(id, *mask), &mut frame, Some(observed), allowed, &mut found)?;
                }
            }
        }
        let count = engine.model.schemas[id as usize].params.len();
        found[first..].sort_by(|left: &Candidate, right| left.frame[..count].cmp(&right.frame[..count]));
        dedup(&mut found, first, count);
    }
    Ok(found)
}

fn dedup(found: &mut Vec<Candidate>, first: usize, count: usize) {
    let mut tail = found.split_off(first);
    tail.dedup_by(|left, right| left.frame[..count] == right.frame[..count]);
    found.append(&mut tail);
}

#[allow(clippy::too_many_arguments)]
fn enumerate(
    engine: &Engine,
    world: World,
    schema: u16,
    plan: &Plan,
    frame: &mut Frame,
    observed: Option<&Observed>,
    allowed: Allowed<'_>,
    found: &mut Vec<Candidate>,
) -> Result<(), Cut> {
    let messages = &engine.schemas[schema as usize].messages;
    let mut checked = Ok(());
    let _ = world.each(plan, frame, &mut |frame| {
        if observed.is_none_or(|observed| may_send(engine, world, messages, frame, observed)) {
            checked = allowed.one_more(found.len());
            found.push(Candidate { schema, frame: Box::new(*frame) });
        }
        if checked.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    checked.and_then(|()| allowed.in_time())
}

/// Partial bindings that a matching action must extend: one per template of the schema that unifies with the first
/// observed message. A single empty binding without an observation.
fn starting_points(engine: &Engine, id: u16, observed: &Observed) -> Vec<(u64, Frame)> {
    let Some(first) = observed.messages.first() else { return vec![(0, [0; MAX_SLOTS])] };
    let params = &engine.model.schemas[id as usize].params;
    let mut starts: Vec<(u64, Frame)> = Vec::new();
    each_template(&engine.schemas[id as usize].messages, &mut |recipient| {
        if let Some(start) = unify(engine, params, recipient, first, observed.role)
            && !starts.contains(&start)
        {
            starts.push(start);
        }
    });
    starts
}

fn each_template(items: &[CompiledItem], visit: &mut dyn FnMut(&Recipient)) {
    for item in items {
        match item {
            CompiledItem::Observe(recipients) => recipients.iter().for_each(&mut *visit),
            CompiledItem::Block(_, items) => each_template(items, visit),
            _ => {}
        }
    }
}

/// Binds parameters so that the template sends `message` to the role; `None` if it never does.
fn unify(engine: &Engine, params: &[Var], recipient: &Recipient, message: &[u32], role: usize) -> Option<(u64, Frame)> {
    let (&head, words) = message.split_first()?;
    if recipient.message.head != head || recipient.message.args.len() != words.len() {
        return None;
    }
    let mut start: (u64, Frame) = (0, [0; MAX_SLOTS]);
    let mut bind = |slot: u8, word: u32| {
        let Some(var) = params.iter().find(|var| var.slot == slot) else { return true };
        let object = word as Obj;
        let is_new = start.0 & bit(slot) == 0;
        if word as usize >= engine.model.objects.len() || !var.domain.contains(&object) {
            return false;
        }
        if is_new {
            start.0 |= bit(slot);
            start.1[slot as usize] = object;
        }
        is_new || start.1[slot as usize] == object
    };
    for (term, &word) in recipient.message.args.iter().zip(words) {
        let fits = match term {
            MessageTerm::Word(own) => *own == word,
            MessageTerm::Var(slot) => bind(*slot, word),
        };
        if !fits {
            return None;
        }
    }
    let object = engine.model.roles[role];
    if let [Receiver::Role(receiver)] = recipient.to[..] {
        let fits = match receiver {
            Term::Const(constant) => constant == object,
            Term::Var(slot) => bind(slot, object as u32),
        };
        if !fits {
            return None;
        }
    }
    Some(start)
}

/// True if the messages to the role may be exactly the observed ones.
fn may_send(engine: &Engine, world: World, items: &[CompiledItem], frame: &mut Frame, observed: &Observed) -> bool {
    // Bit k: the messages so far may be the first k observed ones.
    let mut prefixes: Vec<bool> = vec![false; observed.messages.len() + 1];
    prefixes[0] = true;
    follow(engine, world, items, frame, observed, true, &mut prefixes);
    prefixes[observed.messages.len()]
}

fn follow(
    engine: &Engine,
    world: World,
    items: &[CompiledItem],
    frame: &mut Frame,
    observed: &Observed,
    is_certain: bool,
    prefixes: &mut [bool],
) {
    for item in items {
        match item {
            CompiledItem::Observe(recipients) => {
                let is_chance = engine.model.chance == Some(observed.role);
                for recipient in received(recipients, engine.model.roles[observed.role], is_chance, frame) {
                    send(&recipient.message, frame, observed, is_certain, prefixes);
                }
            }
            CompiledItem::Block(plan, items) => {
                let _ = world.each(plan, frame, &mut |frame| {
                    let is_certain = is_certain && certainly(world, plan, frame);
                    follow(engine, world, items, frame, observed, is_certain, prefixes);
                    ControlFlow::Continue(())
                });
            }
            _ => {}
        }
    }
}

/// True if the plan's steps certainly hold for the binding in the frame. A `false` may be wrong (it only makes the
/// filter weaker): steps that bind are taken as uncertain unless they are static.
fn certainly(world: World, plan: &Plan, frame: &mut Frame) -> bool {
    use super::super::plan::Step;
    plan.steps.iter().all(|step| match step {
        Step::Test(condition) => world.swap().may(condition, frame),
        Step::Domain(..) | Step::Rows(_) => true,
        Step::Scan(_) => false,
    })
}

fn send(message: &Message, frame: &Frame, observed: &Observed, is_certain: bool, prefixes: &mut [bool]) {
    for sent in (0..prefixes.len()).rev() {
        let next = sent
            .checked_sub(1)
            .is_some_and(|before| prefixes[before] && equals(message, frame, &observed.messages[before]));
        prefixes[sent] = next || (prefixes[sent] && !is_certain);
    }
}

fn equals(message: &Message, frame: &Frame, words: &[u32]) -> bool {
    words.len() == message.args.len() + 1
        && words[0] == message.head
        && message.args.iter().zip(&words[1..]).all(|(term, &word)| term.get(frame) == word)
}
