//! The facts that can ever hold: the fixpoint of all actions without their deletes.

use std::ops::ControlFlow;

use super::{
    derived,
    engine::{CompiledItem, Engine},
    eval::{Location, Until, World, has},
    layout::NONE,
    model::*,
};
use crate::{Budget, Limit};

/// The limits on bindings of actions to try, and on time.
#[derive(Clone, Copy)]
pub(super) struct Allowed<'a> {
    pub bindings: usize,
    pub until: Option<&'a Budget>,
}

impl Allowed<'_> {
    /// Fails if one more than `found` is too many.
    pub(super) fn one_more(&self, found: usize) -> Result<(), Cut> {
        if found < self.bindings { Ok(()) } else { Err(Cut::Bindings) }
    }

    /// Fails if no time is left.
    pub(super) fn in_time(&self) -> Result<(), Cut> {
        if self.until.is_some_and(Budget::is_spent) { Err(Cut::Time) } else { Ok(()) }
    }
}

/// The reason why not all bindings were tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    Bindings,
    Time,
}

impl Cut {
    /// The corresponding limit of a circuit with `nodes` nodes.
    pub(super) fn limit(self, nodes: usize) -> Limit {
        match self {
            Cut::Bindings => Limit::Nodes(nodes),
            Cut::Time => Limit::Time,
        }
    }
}

/// The fluents (and derived atoms) that hold in some state of the relaxed game.
///
/// # Errors
/// If more bindings of actions would have to be tried than are allowed in one round, or no time is left.
pub(super) fn reachable(engine: &Engine, allowed: Allowed<'_>) -> Result<Vec<u64>, Cut> {
    let mut bits = engine.initial.bits.to_vec();
    bits.resize((engine.derived_end.max(engine.fluent_count)).div_ceil(64) as usize, 0);
    let nothing = vec![0; bits.len()];
    let (unknown, until) = (Unknown::new(engine), allowed.until.map(Until::new));
    loop {
        let world = World { until: until.as_ref(), ..unknown.world(engine, &bits, &nothing) };
        let mut closed = bits.clone();
        derived::close(&engine.strata, world, &mut closed, Some(&mut nothing.clone()));
        let world = World { upper: &closed, ..world };
        let mut found = Vec::new();
        let mut tried = 0;
        let mut checked = Ok(());
        let mut frame = [0; MAX_SLOTS];
        for schema in &engine.schemas {
            let _ = world.each(&schema.plan, &mut frame, &mut |frame| {
                checked = allowed.one_more(tried);
                if checked.is_err() {
                    return ControlFlow::Break(());
                }
                tried += 1;
                additions(engine, &schema.effects, world, frame, &mut found);
                ControlFlow::Continue(())
            });
            checked?;
            allowed.in_time()?;
        }
        let before = closed.clone();
        for id in found {
            closed[id as usize / 64] |= 1 << (id % 64);
        }
        if closed == before {
            return Ok(closed);
        }
        bits = closed;
    }
}

/// Bounds for registers without known values.
pub(crate) struct Unknown {
    least: Vec<i64>,
    greatest: Vec<i64>,
}

impl Unknown {
    pub(super) fn new(engine: &Engine) -> Unknown {
        Unknown { least: vec![i64::MIN; engine.word_count], greatest: vec![i64::MAX; engine.word_count] }
    }

    pub(super) fn world<'a>(&'a self, engine: &'a Engine, upper: &'a [u64], lower: &'a [u64]) -> World<'a> {
        World {
            upper,
            lower,
            least: &self.least,
            greatest: &self.greatest,
            locations: &engine.locations,
            is_swapped: false,
            faults: None,
            until: None,
        }
    }
}

fn additions(engine: &Engine, items: &[CompiledItem], world: World, frame: &mut Frame, found: &mut Vec<u32>) {
    for item in items {
        match item {
            CompiledItem::Add(atom) => {
                let id = atom.id(frame);
                if id != NONE && !has(world.upper, id) {
                    found.push(id);
                }
            }
            CompiledItem::Numeric(op, target, value, _) => {
                let register = target.id(frame);
                if register != NONE
                    && let Location::Bits { first, low, len } = engine.locations[register as usize]
                {
                    let change = world.range(value, frame);
                    let reached = |old: i64| {
                        let (least, greatest) = changed(*op, old, change);
                        (low.max(least)..=greatest.min(low + len as i64 - 1)).map(move |new| first + (new - low) as u32)
                    };
                    let olds = (0..len).filter(|&rank| has(world.upper, first + rank)).map(|rank| low + rank as i64);
                    found.extend(olds.flat_map(reached).filter(|&id| !has(world.upper, id)));
                }
            }
            CompiledItem::Block(plan, items) => {
                let _ = world.each(plan, frame, &mut |frame| {
                    additions(engine, items, world, frame, found);
                    ControlFlow::Continue(())
                });
            }
            CompiledItem::Delete(_) | CompiledItem::Observe(_) => {}
        }
    }
}

/// The range of a changed number, from its old value and the range of the change.
fn changed(op: NumericOp, old: i64, (least, greatest): (i64, i64)) -> (i64, i64) {
    let ends = match op {
        NumericOp::Assign => (least, greatest),
        NumericOp::Increase => (old.saturating_add(least), old.saturating_add(greatest)),
        NumericOp::Decrease => (old.saturating_sub(greatest), old.saturating_sub(least)),
        NumericOp::ScaleUp => (old.saturating_mul(least), old.saturating_mul(greatest)),
        NumericOp::ScaleDown => (Operation::Divide.apply(old, least), Operation::Divide.apply(old, greatest)),
    };
    (ends.0.min(ends.1), ends.0.max(ends.1))
}
