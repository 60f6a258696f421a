//! Single facts and numbers of a state, by name.

use super::{
    eval::has,
    layout::{Layout, NONE},
    model::*,
    names::key,
    rules::Operators,
};
use crate::{State, Term};

impl Operators {
    /// The symbol and the arguments of `(name object ...)`, if their number is right.
    pub(super) fn symbol(&self, symbols: &[Symbol], atom: &Term) -> Option<(usize, Vec<Obj>)> {
        let head = key(atom.head());
        let id = symbols.iter().position(|symbol| symbol.name == head)?;
        let args = self.objects(atom.args())?;
        (args.len() == symbols[id].arity).then_some((id, args))
    }

    /// True if a ground atom holds, whether its predicate is changing, static or derived. `None` if the domain has no
    /// such predicate or object.
    pub(super) fn holds(&self, state: &State, atom: &Term) -> Option<bool> {
        let engine = &self.engine;
        let (id, args) = self.symbol(&engine.model.predicates, atom)?;
        let number = |layout: &Layout| layout.id(&args).filter(|&id| id != NONE);
        Some(match &engine.tables[id] {
            Some(table) => match table.bits() {
                Some(bits) => number(&engine.predicates[id]).is_some_and(|number| has(bits, number)),
                None => table.contains(&args),
            },
            None => number(&engine.predicates[id]).is_some_and(|number| match number < engine.derived_start {
                true => has(&state.bits, number),
                // Only derived atoms need the closure.
                false => has(engine.extended(state, &mut Vec::new()), number),
            }),
        })
    }

    /// The facts and numbers that no action changes.
    pub(super) fn constant_terms(&self) -> Vec<Term> {
        let engine = &self.engine;
        let mut names = Vec::new();
        for (symbol, table) in engine.model.predicates.iter().zip(&engine.tables) {
            for row in table.iter().flat_map(|table| &table.rows) {
                names.push(self.term(&symbol.name, row.iter().copied()));
            }
        }
        for ((symbol, layout), values) in engine.model.functions.iter().zip(&engine.functions).zip(&engine.values) {
            for (number, value) in values.iter().flat_map(|values| values.iter().enumerate()) {
                names.push(Term::value(self.atom(symbol, layout, layout.base + number as u32), *value));
            }
        }
        names
    }

    /// The value of a ground numeric fluent.
    pub(super) fn value(&self, state: &State, name: &Term) -> Option<i64> {
        let engine = &self.engine;
        let (id, args) = self.symbol(&engine.model.functions, name)?;
        let number = engine.functions[id].id(&args);
        Some(match (&engine.values[id], number) {
            (_, None) => 0,
            (Some(values), Some(number)) => values[number as usize],
            (None, Some(number)) => engine.world(&state.bits, state).register(number).0,
        })
    }
}
