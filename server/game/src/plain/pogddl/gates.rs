//! Conditions and numbers as gates over the old state.

use percept_syntax::pddl::{Condition, Expr, Operator};
use rustc_hash::FxHashMap;

use super::super::layers::layers;
use super::arithmetic::{calculated, compared};
use super::possible::Reach;
use super::{Binding, Fact, Range, Refused, World, key, whole};
use crate::circuit::{Circuit, Lit, Number};
use crate::{FluentId, Term};

/// A number: its possible values, each with the gate under which it has that value. The values are constants if no
/// register is read, unless they exceed 64 bits.
pub(super) type Cases = Vec<(Number, Lit)>;

/// The number of values above which a number is not followed.
const MOST_VALUES: usize = 4096;

/// The gates of the old state.
pub(super) struct Gates<'a> {
    pub world: &'a World<'a>,
    pub circuit: Circuit,
    /// The names of the fluents, by their ids.
    pub names: Vec<Term>,
    pub facts: FxHashMap<Fact, FluentId>,
    /// For each number that changes and has a range, its values and their fluents.
    pub numbers: FxHashMap<Fact, Vec<(i64, FluentId)>>,
    /// The numbers that change and have no range, in the order of their registers.
    pub registers: Vec<Fact>,
    pub outside: FluentId,
    derived: FxHashMap<Fact, Lit>,
}

impl<'a> Gates<'a> {
    pub(super) fn new(world: &'a World<'a>, reach: &Reach, ranges: &[Range]) -> Result<Gates<'a>, Refused> {
        let mut gates = Gates {
            world,
            circuit: Circuit::new(),
            names: vec![Term::list("outside", [])],
            facts: FxHashMap::default(),
            numbers: FxHashMap::default(),
            registers: Vec::new(),
            outside: FluentId(0),
            derived: FxHashMap::default(),
        };
        let mut facts: Vec<&Fact> =
            reach.facts.iter().filter(|fact| world.is_changing(&fact.0) && !world.derived.contains(&fact.0)).collect();
        facts.sort_unstable();
        for fact in facts {
            gates.facts.insert(fact.clone(), FluentId(gates.names.len() as u32));
            gates.names.push(world.term(fact));
        }
        let matters = |name: &smol_str::SmolStr| world.is_changing(name) && world.is_read(name);
        for declared in world.domain.functions.iter().filter(|it| matters(&key(&it.signature.name))) {
            let variables = world.variables(&declared.signature.params);
            let mut found = Vec::new();
            world.each(&variables, &mut Binding::new(), &mut |binding| {
                found.push((key(&declared.signature.name), binding.iter().map(|&(_, object)| object).collect()));
                if found.len() > MOST_VALUES { Err(Refused::TooMany) } else { Ok(()) }
            })?;
            found.into_iter().try_for_each(|number: Fact| gates.number(number, ranges))?;
        }
        gates.define_derived(reach)?;
        Ok(gates)
    }

    /// A number with a range is a group of fluents, any other one a register.
    fn number(&mut self, number: Fact, ranges: &[Range]) -> Result<(), Refused> {
        let term = self.world.term(&number);
        let name = term.to_string();
        let Some(&(_, low, high)) = ranges.iter().find(|(other, ..)| *other == name) else {
            self.registers.push(number);
            return Ok(());
        };
        let first = self.world.first_numbers.get(&number).copied().unwrap_or(0);
        let (low, high) = (low.min(first), high.max(first));
        if high.abs_diff(low) >= MOST_VALUES as u64 {
            return Err(Refused::Values(name));
        }
        let fluents = (low..=high).map(|value| {
            self.names.push(Term::value(term.clone(), value));
            (value, FluentId(self.names.len() as u32 - 1))
        });
        let fluents = fluents.collect();
        self.numbers.insert(number, fluents);
        Ok(())
    }

    /// The derived facts that may hold: those that depend on themselves as fixpoint groups.
    fn define_derived(&mut self, reach: &Reach) -> Result<(), Refused> {
        let world = self.world;
        let mut names: Vec<_> = world.derived.iter().cloned().collect();
        names.sort_unstable();
        let place = |name: &smol_str::SmolStr| names.iter().position(|other| other == name);
        let mut reads: Vec<Vec<u32>> = vec![Vec::new(); names.len()];
        let mut denies = Vec::new();
        for rule in &world.domain.derived {
            let Some(head) = place(&key(&rule.head.name)) else { continue };
            atoms(&rule.body, false, &mut |name, negated| {
                if let Some(read) = place(&name) {
                    reads[head].push(read as u32);
                    if negated {
                        denies.push((head as u32, read as u32));
                    }
                }
            });
        }
        for layer in layers(&reads) {
            if denies.iter().any(|(head, read)| layer.contains(head) && layer.contains(read)) {
                return Err(Refused::NegativeCycle(names[layer[0] as usize].to_string()));
            }
            let in_layer = |fact: &&Fact| layer.iter().any(|&name| names[name as usize] == fact.0);
            let mut members: Vec<&Fact> = reach.facts.iter().filter(in_layer).collect();
            members.sort_unstable();
            let is_cyclic = layer.len() > 1 || reads[layer[0] as usize].contains(&layer[0]);
            let group = if is_cyclic { self.circuit.group(members.len() as u32) } else { 0 };
            if is_cyclic {
                for (member, &fact) in (0..).zip(&members) {
                    let gate = self.circuit.member(group, member);
                    self.derived.insert(fact.clone(), gate);
                }
            }
            let mut bodies: FxHashMap<Fact, Vec<Lit>> = FxHashMap::default();
            for rule in &world.domain.derived {
                let name = key(&rule.head.name);
                if !layer.iter().any(|&other| names[other as usize] == name) {
                    continue;
                }
                let variables = world.variables(&rule.head.params);
                world.each(&variables, &mut Binding::new(), &mut |binding| {
                    let fact = (name.clone(), binding.iter().map(|&(_, object)| object).collect());
                    if reach.facts.contains(&fact) {
                        let gate = self.condition(&rule.body, binding)?;
                        bodies.entry(fact).or_default().push(gate);
                    }
                    Ok(())
                })?;
            }
            for (member, fact) in (0..).zip(members) {
                let given = if world.first.contains(fact) { Lit::TRUE } else { Lit::FALSE };
                let gate = self.circuit.or(bodies.remove(fact).unwrap_or_default().into_iter().chain([given]));
                if is_cyclic {
                    self.circuit.define(group, member, gate);
                } else {
                    self.derived.insert(fact.clone(), gate);
                }
            }
        }
        Ok(())
    }

    /// A literal that is true if a fact holds.
    pub(super) fn atom(&mut self, fact: &Fact) -> Lit {
        if self.world.derived.contains(&fact.0) {
            return self.derived.get(fact).copied().unwrap_or(Lit::FALSE);
        }
        match self.facts.get(fact) {
            Some(&fluent) => self.circuit.fluent(fluent),
            None if !self.world.is_changing(&fact.0) && self.world.first.contains(fact) => Lit::TRUE,
            None => Lit::FALSE,
        }
    }

    pub(super) fn condition(&mut self, condition: &Condition, binding: &mut Binding) -> Result<Lit, Refused> {
        let world = self.world;
        Ok(match condition {
            Condition::Atom(atom) => {
                let fact = world.fact(atom, binding)?;
                self.atom(&fact)
            }
            Condition::Equal { left, right, .. } => {
                if world.arg(left, binding)? == world.arg(right, binding)? {
                    Lit::TRUE
                } else {
                    Lit::FALSE
                }
            }
            Condition::Not { inner, .. } => !self.condition(inner, binding)?,
            Condition::And { parts, .. } => self.all(parts, true, binding)?,
            Condition::Or { parts, .. } => !self.all(parts, false, binding)?,
            Condition::Imply { left, right, .. } => {
                let left = self.condition(left, binding)?;
                let right = self.condition(right, binding)?;
                self.circuit.or([!left, right])
            }
            Condition::Exists { params, body, .. } => !self.every(params, body, false, binding)?,
            Condition::Forall { params, body, .. } => self.every(params, body, true, binding)?,
            Condition::Compare { op, left, right, .. } => {
                let (left, right) = (self.value(left, binding)?, self.value(right, binding)?);
                let mut cases = Vec::new();
                for (a, when_a) in &left {
                    for (b, when_b) in &right {
                        let holds = compared(&mut self.circuit, *op, a, b);
                        cases.push(self.circuit.and([*when_a, *when_b, holds]));
                    }
                }
                self.circuit.or(cases)
            }
            Condition::Error { .. } | Condition::Outside(_) => return Err(Refused::NotPogddl),
        })
    }

    /// The conjunction of the parts, or of their negations if `holds` is false.
    fn all(&mut self, parts: &[Condition], holds: bool, binding: &mut Binding) -> Result<Lit, Refused> {
        let mut gates = Vec::new();
        for part in parts {
            let gate = self.condition(part, binding)?;
            gates.push(if holds { gate } else { !gate });
            if gates.last() == Some(&Lit::FALSE) {
                return Ok(Lit::FALSE);
            }
        }
        Ok(self.circuit.and(gates))
    }

    fn every(
        &mut self,
        params: &[percept_syntax::pddl::TypedGroup],
        body: &Condition,
        holds: bool,
        binding: &mut Binding,
    ) -> Result<Lit, Refused> {
        let world = self.world;
        let mut gates = Vec::new();
        world.each(&world.variables(params), binding, &mut |binding| {
            let gate = self.condition(body, binding)?;
            gates.push(if holds { gate } else { !gate });
            Ok(())
        })?;
        Ok(self.circuit.and(gates))
    }

    /// The cases of a number in the old state.
    pub(super) fn cases(&mut self, number: &Fact) -> Result<Cases, Refused> {
        if let Some(register) = self.registers.iter().position(|other| other == number) {
            return Ok(vec![(Number::Register(register as u32), Lit::TRUE)]);
        }
        match self.numbers.get(number).cloned() {
            Some(values) => {
                let case = |(value, fluent)| (Number::Constant(value), self.circuit.fluent(fluent));
                Ok(values.into_iter().map(case).collect())
            }
            // No rule reads a number that was left out; if one does, nothing can be concluded.
            None if self.world.is_changing(&number.0) => Err(Refused::Values(self.world.term(number).to_string())),
            None => {
                let value = self.world.first_numbers.get(number).copied().unwrap_or(0);
                Ok(vec![(Number::Constant(value), Lit::TRUE)])
            }
        }
    }

    pub(super) fn value(&mut self, expr: &Expr, binding: &mut Binding) -> Result<Cases, Refused> {
        match expr {
            Expr::Number { text, .. } => {
                Ok(vec![(Number::Constant(whole(text).ok_or(Refused::NotPogddl)?), Lit::TRUE)])
            }
            Expr::Fluent(atom) => {
                let number = self.world.fact(atom, binding)?;
                self.cases(&number)
            }
            Expr::Operation { op, operands, .. } => {
                let mut values = Vec::new();
                for operand in operands {
                    values.push(self.value(operand, binding)?);
                }
                let Some((first, rest)) = values.split_first() else { return Err(Refused::NotPogddl) };
                if rest.is_empty() && *op == Operator::Subtract {
                    let negated = |value: &Number| calculated(*op, &Number::Constant(0), value);
                    return Ok(first.iter().map(|(value, gate)| (negated(value), *gate)).collect());
                }
                let mut result = first.clone();
                for operand in rest {
                    result = self.combined(*op, &result, operand)?;
                }
                Ok(result)
            }
            Expr::Error { .. } | Expr::Outside { .. } | Expr::Object(_) => Err(Refused::NotPogddl),
        }
    }

    /// The result for two numbers.
    pub(super) fn combined(&mut self, op: Operator, left: &Cases, right: &Cases) -> Result<Cases, Refused> {
        let mut cases = Vec::new();
        for (a, when_a) in left {
            for (b, when_b) in right {
                cases.push((calculated(op, a, b), self.circuit.and([*when_a, *when_b])));
            }
        }
        self.merged(cases)
    }

    /// One case for each value.
    pub(super) fn merged(&mut self, mut cases: Cases) -> Result<Cases, Refused> {
        cases.retain(|(_, gate)| *gate != Lit::FALSE);
        cases.sort_unstable();
        let chunks = cases.chunk_by(|left, right| left.0 == right.0);
        let merged: Cases =
            chunks.map(|same| (same[0].0.clone(), self.circuit.or(same.iter().map(|&(_, gate)| gate)))).collect();
        if merged.len() > MOST_VALUES { Err(Refused::Values("a sum".to_owned())) } else { Ok(merged) }
    }
}

/// Calls `f` with the predicate of every atom, and true if it is, or may be, under a negation.
fn atoms(condition: &Condition, negated: bool, f: &mut dyn FnMut(smol_str::SmolStr, bool)) {
    match condition {
        Condition::Atom(atom) => f(key(&atom.name), negated),
        Condition::Not { inner, .. } => atoms(inner, !negated, f),
        Condition::And { parts, .. } | Condition::Or { parts, .. } => {
            parts.iter().for_each(|part| atoms(part, negated, f));
        }
        Condition::Imply { left, right, .. } => {
            atoms(left, !negated, f);
            atoms(right, negated, f);
        }
        Condition::Exists { body, .. } | Condition::Forall { body, .. } => atoms(body, negated, f),
        Condition::Equal { .. } | Condition::Compare { .. } | Condition::Error { .. } | Condition::Outside(_) => {}
    }
}
