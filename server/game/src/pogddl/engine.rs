//! Building the engine: static symbols, the bits and numbers of the others, and the compiled plans.

use std::{cell::RefCell, sync::Arc};

use percept_syntax::TextRange;

use super::{
    bounds,
    derived::{self, Rule},
    eval::{Location, Until, World},
    faults::Faults,
    layout::{self, Layout, NONE},
    model::*,
    plan::*,
    step::{Bindings, MAX_LEGAL},
    tables::Table,
};
use crate::{Budget, FluentId, State};

/// More fluents than this are refused: a state would take megabytes.
const MAX_FLUENTS: u64 = 1 << 23;

/// The reason why a game cannot be played.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub message: String,
    /// The predicate or function at fault.
    pub name: Option<String>,
}

impl From<String> for Refusal {
    fn from(message: String) -> Refusal {
        Refusal { message, name: None }
    }
}

pub(crate) struct Engine {
    pub model: Model,
    pub predicates: Vec<Layout>,
    pub functions: Vec<Layout>,
    pub tables: Vec<Option<Arc<Table>>>,
    pub values: Vec<Option<Arc<[i64]>>>,
    /// Fluents of predicates and of bounded numbers; derived atoms have the numbers from `derived_start` on.
    pub fluent_count: u32,
    pub derived_start: u32,
    pub derived_end: u32,
    /// Ground numeric fluents, by their number.
    pub locations: Vec<Location>,
    pub word_count: usize,
    pub schemas: Vec<CompiledSchema>,
    pub gains: Vec<CompiledGain>,
    pub strata: Vec<Vec<Rule>>,
    /// The fluent `(whoseturn r)` of each role, or [`NONE`].
    pub turns: Vec<u32>,
    pub initial: State,
    pub expected: Vec<f64>,
    pub faults: Faults,
}

pub(crate) struct CompiledSchema {
    pub plan: Plan,
    /// The effects on the state, and the messages: the same tree of items, each with its own half.
    pub effects: Vec<CompiledItem>,
    pub messages: Vec<CompiledItem>,
}

pub(crate) enum CompiledItem {
    Add(AtomRef),
    Delete(AtomRef),
    /// The register's number, as an atom of its function.
    Numeric(NumericOp, AtomRef, Expression, TextRange),
    Observe(Vec<Recipient>),
    Block(Plan, Vec<CompiledItem>),
}

pub(crate) struct CompiledGain {
    pub roles: Arc<[Obj]>,
    pub slot: u8,
    pub value: Expression,
    pub range: TextRange,
    pub condition: Cond,
}

/// The predicates and functions that actions change.
struct Changed {
    predicates: Vec<bool>,
    functions: Vec<bool>,
}

impl Engine {
    /// If `set_up` is spent meanwhile, the engine is of no use.
    ///
    /// # Errors
    /// If the game does not fit a state, or its derived predicates have no stratification.
    pub(super) fn new(model: Model, ends_at_payoff: bool, set_up: &Budget) -> Result<Engine, Refusal> {
        let mut changed = changed(&model);
        let is_derived = derived::heads(&model);
        if let Some(both) = (0..model.predicates.len()).find(|&id| is_derived[id] && changed.predicates[id]) {
            let name = &model.predicates[both].name;
            return Err(format!(
                "`{name}` is derived by a rule and changed by an action; it can only be one of the two"
            )
            .into());
        }
        // The turn is part of the state even if the same role always has it.
        changed.predicates[model.turn as usize] = true;
        let levels = derived::levels(&model, &is_derived)?;
        let is_dynamic = derived::dynamic(&model, &changed.predicates, &changed.functions);
        let mut layouts = layout::layouts(&model);
        for id in (0..layouts.predicates.len()).filter(|&id| is_derived[id]) {
            place(&mut layouts.predicates[id].clone(), 0, &model.predicates[id])?;
        }
        let tables = static_tables(&model, &layouts, &is_dynamic, &is_derived);
        let values = static_values(&model, &layouts.functions, &changed.functions)?;
        let expected = expected(&model);
        let mut engine = Engine {
            predicates: std::mem::take(&mut layouts.predicates),
            functions: std::mem::take(&mut layouts.functions),
            tables,
            values,
            fluent_count: 0,
            derived_start: 0,
            derived_end: 0,
            locations: Vec::new(),
            word_count: 0,
            schemas: Vec::new(),
            gains: Vec::new(),
            strata: Vec::new(),
            turns: Vec::new(),
            initial: State::default(),
            expected,
            faults: Faults::default(),
            model,
        };
        let until = Until::new(set_up);
        engine.close_static(&levels, &is_dynamic, &until);
        engine.number(&changed, &is_dynamic, &is_derived, ends_at_payoff)?;
        engine.compile(&levels, &is_dynamic);
        engine.initial = engine.initial_state();
        engine.check_size(&until)?;
        Ok(engine)
    }

    /// Refuses a game whose first position has more legal actions than can be listed.
    fn check_size(&self, until: &Until<'_>) -> Result<(), String> {
        let (mut bindings, mut bits) = (Bindings::default(), self.initial.bits.to_vec());
        bits.resize(bits.len().max(self.derived_end.div_ceil(64) as usize), 0);
        let world = World { until: Some(until), ..self.world(&[], &self.initial) };
        derived::close(&self.strata, world, &mut bits, None);
        self.bindings(World { upper: &bits, lower: &bits, ..world }, &mut bindings);
        if bindings.len() >= MAX_LEGAL {
            return Err(format!("too large: the initial state has {MAX_LEGAL} legal actions or more"));
        }
        Ok(())
    }

    pub(super) fn compiler(&self) -> Compiler<'_> {
        Compiler {
            predicates: &self.predicates,
            functions: &self.functions,
            tables: &self.tables,
            values: &self.values,
            expected: &self.expected,
            object_count: self.model.objects.len(),
            indexes: RefCell::default(),
        }
    }

    /// Evaluates the derived predicates that no action can change, level by level, into tables.
    fn close_static(&mut self, levels: &[Vec<u16>], is_dynamic: &[bool], until: &Until<'_>) {
        for level in levels {
            let heads: Vec<u16> = level.iter().copied().filter(|&id| !is_dynamic[id as usize]).collect();
            if heads.is_empty() {
                continue;
            }
            let mut end = 0u64;
            for &head in &heads {
                let layout = &mut self.predicates[head as usize];
                layout.base = end.min(MAX_FLUENTS) as u32;
                end += layout.size.min(MAX_FLUENTS);
            }
            let mut bits = vec![0u64; end.div_ceil(64) as usize];
            for (symbol, args) in self.model.init.iter().filter(|(symbol, _)| heads.contains(symbol)) {
                if let Some(id) = self.predicates[*symbol as usize].id(args) {
                    bits[id as usize / 64] |= 1 << (id % 64);
                }
            }
            let rules = derived::compile(&self.model, &heads, &self.compiler());
            let nothing = World {
                upper: &[],
                lower: &[],
                least: &[],
                greatest: &[],
                locations: &[],
                is_swapped: false,
                faults: Some(&self.faults),
                until: Some(until),
            };
            derived::close(&[rules], nothing, &mut bits, None);
            for &head in &heads {
                let layout = &mut self.predicates[head as usize];
                let ids = layout.base..layout.base + layout.size as u32;
                let rows = ids.filter(|&id| super::eval::has(&bits, id)).map(|id| layout.args(id).into()).collect();
                layout.base = 0;
                self.tables[head as usize] = Some(Arc::new(Table::new(rows, layout)));
            }
        }
    }

    /// Hands out the numbers: fluents, bounded numbers, derived atoms, registers.
    fn number(
        &mut self,
        changed: &Changed,
        is_dynamic: &[bool],
        is_derived: &[bool],
        ends_at_payoff: bool,
    ) -> Result<(), Refusal> {
        let mut next = 0u64;
        for id in (0..self.predicates.len()).filter(|&id| is_dynamic[id] && !is_derived[id]) {
            next = place(&mut self.predicates[id], next, &self.model.predicates[id])?;
        }
        let mut registers = 0u64;
        for id in (0..self.functions.len()).filter(|&id| changed.functions[id]) {
            registers = place(&mut self.functions[id], registers, &self.model.functions[id])?;
        }
        let bounds = bounds::bounds(self, ends_at_payoff);
        for id in (0..self.functions.len()).filter(|&id| changed.functions[id]) {
            for _ in 0..self.functions[id].size {
                match bounds[id] {
                    Some((low, high)) => {
                        let len = (high - low + 1) as u32;
                        self.locations.push(Location::Bits { first: next as u32, low, len });
                        next += len as u64;
                    }
                    None => {
                        self.locations.push(Location::Word(self.word_count as u32));
                        self.word_count += 1;
                    }
                }
            }
        }
        self.fluent_count = next as u32;
        next = next.next_multiple_of(64);
        self.derived_start = next as u32;
        for id in (0..self.predicates.len()).filter(|&id| is_dynamic[id] && is_derived[id]) {
            next = place(&mut self.predicates[id], next, &self.model.predicates[id])?;
        }
        self.derived_end = next as u32;
        Ok(())
    }

    fn compile(&mut self, levels: &[Vec<u16>], is_dynamic: &[bool]) {
        let compiler = self.compiler();
        let schemas = self.model.schemas.iter().map(|schema| compile_schema(schema, &compiler)).collect();
        let gains = self.model.gains.iter().map(|gain| compile_gain(gain, &compiler)).collect();
        let dynamic =
            |level: &Vec<u16>| -> Vec<u16> { level.iter().copied().filter(|&id| is_dynamic[id as usize]).collect() };
        let strata = levels
            .iter()
            .map(dynamic)
            .filter(|heads| !heads.is_empty())
            .map(|heads| derived::compile(&self.model, &heads, &compiler))
            .collect();
        let turn = &self.predicates[self.model.turn as usize];
        let turns = self.model.roles.iter().map(|&role| turn.id(&[role]).unwrap_or(NONE)).collect();
        (self.schemas, self.gains, self.strata, self.turns) = (schemas, gains, strata, turns);
    }

    fn initial_state(&self) -> State {
        let mut state = State::new(self.fluent_count as usize, self.word_count);
        for (symbol, args) in &self.model.init {
            if self.tables[*symbol as usize].is_none()
                && let Some(id) = self.predicates[*symbol as usize].id(args).filter(|&id| id < self.fluent_count)
            {
                state.set(FluentId(id), true);
            }
        }
        let mut values = vec![0; self.locations.len()];
        for (symbol, args, value) in &self.model.init_values {
            if self.values[*symbol as usize].is_none()
                && let Some(register) = self.functions[*symbol as usize].id(args)
            {
                values[register as usize] = *value;
            }
        }
        for (location, value) in self.locations.iter().zip(values) {
            match *location {
                Location::Word(word) => state.registers[word as usize] = value,
                Location::Bits { first, low, len } => {
                    let rank = (value - low).clamp(0, len as i64 - 1) as u32;
                    state.set(FluentId(first + rank), true);
                }
            }
        }
        state
    }
}

fn place(layout: &mut Layout, next: u64, symbol: &Symbol) -> Result<u64, Refusal> {
    let end = next.saturating_add(layout.size);
    if end > MAX_FLUENTS {
        let name = &symbol.name;
        let size = layout.size;
        let message = format!("too large: `{name}` has {size} instances; a game may have {MAX_FLUENTS} in all");
        return Err(Refusal { message, name: Some(name.to_string()) });
    }
    layout.base = next as u32;
    Ok(end)
}

fn changed(model: &Model) -> Changed {
    fn visit(items: &[Item], changed: &mut Changed) {
        for item in items {
            match item {
                Item::Add(atom) | Item::Delete(atom) => changed.predicates[atom.symbol as usize] = true,
                Item::Numeric(_, target, ..) => changed.functions[target.symbol as usize] = true,
                Item::Block(block) => visit(&block.items, changed),
                Item::Observe(_) => {}
            }
        }
    }
    let mut changed =
        Changed { predicates: vec![false; model.predicates.len()], functions: vec![false; model.functions.len()] };
    model.schemas.iter().for_each(|schema| visit(&schema.items, &mut changed));
    changed
}

fn static_tables(
    model: &Model,
    layouts: &layout::Layouts,
    is_dynamic: &[bool],
    is_derived: &[bool],
) -> Vec<Option<Arc<Table>>> {
    let mut rows: Vec<Vec<Box<[Obj]>>> = vec![Vec::new(); model.predicates.len()];
    for (symbol, args) in &model.init {
        rows[*symbol as usize].push(args.clone());
    }
    let table = |(id, rows): (usize, _)| {
        let is_table = !is_dynamic[id] && !is_derived[id];
        is_table.then(|| Arc::new(Table::new(rows, &layouts.predicates[id])))
    };
    rows.into_iter().enumerate().map(table).collect()
}

#[allow(clippy::type_complexity)]
fn static_values(model: &Model, layouts: &[Layout], changed: &[bool]) -> Result<Vec<Option<Arc<[i64]>>>, Refusal> {
    let mut values: Vec<Option<Vec<i64>>> = Vec::new();
    for (id, layout) in layouts.iter().enumerate() {
        if layout.size > MAX_FLUENTS {
            let name = model.functions[id].name.to_string();
            let message = format!("too large: `{name}` has {} instances", layout.size);
            return Err(Refusal { message, name: Some(name) });
        }
        values.push((!changed[id]).then(|| vec![0; layout.size as usize]));
    }
    for (symbol, args, value) in &model.init_values {
        let id = *symbol as usize;
        if let (Some(values), Some(at)) = (&mut values[id], layouts[id].id(args)) {
            values[at as usize] = *value;
        }
    }
    Ok(values.into_iter().map(|values| values.map(Into::into)).collect())
}

/// The number of atoms of each predicate in the initial state, as a guess of how many hold later.
fn expected(model: &Model) -> Vec<f64> {
    let mut counts = vec![0.0; model.predicates.len()];
    for (symbol, _) in &model.init {
        counts[*symbol as usize] += 1.0;
    }
    counts
}

fn compile_schema(schema: &Schema, compiler: &Compiler) -> CompiledSchema {
    let bound = schema.params.iter().fold(0, |mask, var| mask | bit(var.slot));
    CompiledSchema {
        plan: compiler.plan(&schema.params, &schema.precondition, 0),
        effects: compile_items(&schema.items, compiler, bound, false),
        messages: compile_items(&schema.items, compiler, bound, true),
    }
}

impl CompiledItem {
    /// True if it assigns a number: among several such effects on one number, the last one counts.
    fn replaces_a_number(&self) -> bool {
        match self {
            CompiledItem::Numeric(op, ..) => !matches!(op, NumericOp::Increase | NumericOp::Decrease),
            CompiledItem::Block(_, items) => items.iter().any(CompiledItem::replaces_a_number),
            _ => false,
        }
    }
}

fn compile_items(items: &[Item], compiler: &Compiler, bound: u64, messages: bool) -> Vec<CompiledItem> {
    let mut compiled = Vec::new();
    for item in items {
        match item {
            Item::Observe(recipients) if messages => compiled.push(CompiledItem::Observe(recipients.clone())),
            Item::Block(block) => {
                let inside = block.vars.iter().fold(bound, |mask, var| mask | bit(var.slot));
                let items = compile_items(&block.items, compiler, inside, messages);
                if !items.is_empty() {
                    let plan = match messages || items.iter().any(CompiledItem::replaces_a_number) {
                        true => compiler.plan_in_order(&block.vars, &block.condition, bound),
                        false => compiler.plan(&block.vars, &block.condition, bound),
                    };
                    compiled.push(CompiledItem::Block(plan, items));
                }
            }
            _ if messages => {}
            Item::Add(atom) => {
                compiled.push(CompiledItem::Add(AtomRef::new(&compiler.predicates[atom.symbol as usize], &atom.args)));
            }
            Item::Delete(atom) => {
                compiled
                    .push(CompiledItem::Delete(AtomRef::new(&compiler.predicates[atom.symbol as usize], &atom.args)));
            }
            Item::Numeric(op, target, value, range) => {
                let register = AtomRef::new(&compiler.functions[target.symbol as usize], &target.args);
                compiled.push(CompiledItem::Numeric(*op, register, compiler.expression(value), *range));
            }
            Item::Observe(_) => {}
        }
    }
    compiled
}

fn compile_gain(gain: &Gain, compiler: &Compiler) -> CompiledGain {
    // Lowering gives the role of a gain the first slot.
    let slot = 0;
    CompiledGain {
        roles: gain.roles.clone(),
        slot,
        value: compiler.expression(&gain.value),
        range: gain.range,
        condition: compiler.condition(&gain.condition, bit(slot)),
    }
}
