//! Derived predicates: the level of each, whether it can change, and the fixpoint of a level.

use std::ops::ControlFlow;

use super::{
    eval::{World, has},
    layout::NONE,
    model::*,
    plan::*,
};

/// A rule with its head: for every binding of the plan the head's atom holds.
pub(crate) struct Rule {
    pub head: AtomRef,
    pub plan: Plan,
}

/// For each predicate, true if it has rules.
pub(crate) fn heads(model: &Model) -> Vec<bool> {
    let mut is_derived = vec![false; model.predicates.len()];
    model.derived.iter().for_each(|rule| is_derived[rule.predicate as usize] = true);
    is_derived
}

/// The derived predicates in levels; negation refers only to lower levels.
///
/// # Errors
/// If a predicate depends on its own negation.
pub(crate) fn levels(model: &Model, is_derived: &[bool]) -> Result<Vec<Vec<u16>>, String> {
    let mut level = vec![0usize; model.predicates.len()];
    let count = is_derived.iter().filter(|&&derived| derived).count();
    loop {
        let mut changed = None;
        for rule in &model.derived {
            let head = rule.predicate as usize;
            rule.body.atoms(true, &mut |atom, positive| {
                let body = atom.symbol as usize;
                let least = if is_derived[body] { level[body] + !positive as usize } else { 0 };
                if level[head] < least {
                    level[head] = least;
                    changed = Some(head);
                }
            });
        }
        match changed {
            None => break,
            Some(head) if level[head] > count => {
                let name = &model.predicates[head].name;
                return Err(format!("the derived predicate `{name}` depends on its own negation"));
            }
            Some(_) => {}
        }
    }
    let mut levels = vec![Vec::new(); count + 1];
    for id in (0..model.predicates.len()).filter(|&id| is_derived[id]) {
        levels[level[id]].push(id as u16);
    }
    Ok(levels)
}

/// For each predicate, true if it can change during a match; for derived ones by the predicates that their rules read.
pub(crate) fn dynamic(model: &Model, changed: &[bool], functions: &[bool]) -> Vec<bool> {
    let mut is_dynamic = changed.to_vec();
    loop {
        let mut found = false;
        for rule in &model.derived {
            let mut reads = false;
            rule.body.atoms(true, &mut |atom, _| reads |= is_dynamic[atom.symbol as usize]);
            rule.body.numbers(&mut |number| number.reads(&mut |atom| reads |= functions[atom.symbol as usize]));
            found |= reads && !std::mem::replace(&mut is_dynamic[rule.predicate as usize], true);
        }
        if !found {
            return is_dynamic;
        }
    }
}

/// The rules of some predicates, one per disjunct, with top-level quantifiers made variables of the rule.
pub(crate) fn compile(model: &Model, predicates: &[u16], compiler: &Compiler) -> Vec<Rule> {
    let mut rules = Vec::new();
    for rule in model.derived.iter().filter(|rule| predicates.contains(&rule.predicate)) {
        let args: Vec<Term> = rule.params.iter().map(|var| Term::Var(var.slot)).collect();
        let mut open = vec![(rule.params.clone(), rule.body.clone())];
        while let Some((vars, body)) = open.pop() {
            match body {
                Formula::Or(parts) => open.extend(parts.into_iter().map(|part| (vars.clone(), part))),
                Formula::Exists(inner, body) => open.push(([vars, inner].concat(), *body)),
                body => rules.push(Rule {
                    head: AtomRef::new(&compiler.predicates[rule.predicate as usize], &args),
                    plan: compiler.plan(&vars, &body, 0),
                }),
            }
        }
    }
    rules
}

/// Adds to `upper` every derived atom that may hold and to `lower` every one that certainly holds, given the fluents
/// they hold already. Without `lower` the world is two-valued and `upper` is both.
pub(crate) fn close(strata: &[Vec<Rule>], world: World, upper: &mut [u64], mut lower: Option<&mut [u64]>) {
    for rules in strata {
        match &mut lower {
            None => fixpoint(rules, world, upper, None),
            Some(lower) => {
                fixpoint(rules, world, upper, Some(lower));
                fixpoint(rules, world.swap(), lower, Some(upper));
            }
        }
    }
}

/// One level: positive literals read `bits` as it grows, negative ones `other` (lower levels of it, which are done).
fn fixpoint(rules: &[Rule], world: World, bits: &mut [u64], other: Option<&[u64]>) {
    let mut found: Vec<u32> = Vec::new();
    let mut frame = [0; MAX_SLOTS];
    loop {
        for rule in rules {
            let current = World { upper: bits, lower: other.unwrap_or(bits), ..world };
            let _ = current.each(&rule.plan, &mut frame, &mut |frame| {
                let id = rule.head.id(frame);
                if id != NONE && !has(current.upper, id) {
                    found.push(id);
                }
                ControlFlow::Continue(())
            });
        }
        if found.is_empty() {
            return;
        }
        for id in found.drain(..) {
            bits[id as usize / 64] |= 1 << (id % 64);
        }
    }
}
