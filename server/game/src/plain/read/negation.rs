//! Negations moved inwards, to atoms.

use percept_syntax::gdl::{Formula, Term};
use smol_str::SmolStr;

use super::cases::{Flat, Part};
use super::rule::Reading;
use super::tree::{Atom, Tree};
use super::wrong;
use crate::GameError;

impl Reading<'_> {
    /// The formula, or its negation if `holds` is false, with negations at its leaves only (de Morgan's laws). A
    /// negated conjunction with variables of its own is a leaf, with rules of its own.
    pub(super) fn flat(&mut self, formula: &Formula, holds: bool) -> Result<Flat, GameError> {
        let range = formula.range();
        let count = |takes: &str, count: usize| Err(wrong(range, format!("{takes}, not {count}")));
        match formula {
            Formula::Atom(term) => {
                let atom = Atom::of(term)?;
                Ok(Flat::Part(if holds { Part::Holds(atom) } else { Part::Not(atom) }))
            }
            Formula::Distinct { args, .. } => {
                let [left, right] = &args[..] else { return count("`distinct` takes 2 arguments", args.len()) };
                let (left, right) = (Tree::of(left)?, Tree::of(right)?);
                Ok(Flat::Part(if holds { Part::Distinct(left, right) } else { Part::Same(left, right) }))
            }
            Formula::Not { parts, .. } => match &parts[..] {
                [part] => self.flat(part, !holds),
                _ => count("`not` takes 1 argument", parts.len()),
            },
            Formula::And { parts, .. } if !holds && self.own.has(formula) => self.none(parts, formula),
            Formula::And { parts, .. } | Formula::Or { parts, .. } => {
                let flats = parts.iter().map(|part| self.flat(part, holds)).collect::<Result<_, _>>()?;
                let is_and = matches!(formula, Formula::And { .. });
                Ok(if is_and == holds { Flat::All(flats, range) } else { Flat::One(flats, range) })
            }
        }
    }

    /// The conjunction holds for no values of the variables that occur only in it.
    fn none(&mut self, parts: &[Formula], formula: &Formula) -> Result<Flat, GameError> {
        let range = formula.range();
        let shared = self.own.of(formula).into_iter().filter(|(_, is_own)| !is_own).map(|(name, _)| name);
        let some = self.inner(shared.collect(), "and");
        let flats = parts.iter().map(|part| self.flat(part, true)).collect::<Result<_, _>>()?;
        for case in Flat::All(flats, range).cases()? {
            self.case(some.clone(), case, range)?;
        }
        Ok(Flat::Part(Part::Not(some)))
    }
}

/// The variables of a statement, one for each occurrence.
pub(super) struct Own<'a>(Vec<&'a SmolStr>);

impl<'a> Own<'a> {
    /// The variables of a whole statement.
    pub(super) fn new(head: &'a Term, body: &'a [Formula]) -> Own<'a> {
        let mut names = Vec::new();
        of_term(head, &mut names);
        body.iter().for_each(|formula| formula.terms(&mut |term| of_term(term, &mut names)));
        Own(names)
    }

    /// The variables of a part of the statement, each once, with true if it occurs nowhere else.
    pub(super) fn of(&self, formula: &Formula) -> Vec<(SmolStr, bool)> {
        let mut inside = Vec::new();
        formula.terms(&mut |term| of_term(term, &mut inside));
        let times = |names: &[&SmolStr], name: &SmolStr| names.iter().filter(|it| **it == name).count();
        let mut found: Vec<(SmolStr, bool)> = Vec::new();
        for name in &inside {
            if found.iter().all(|(other, _)| other != *name) {
                found.push(((*name).clone(), times(&inside, name) == times(&self.0, name)));
            }
        }
        found
    }

    /// True if some variable occurs only in this part of the statement.
    fn has(&self, formula: &Formula) -> bool {
        self.of(formula).iter().any(|(_, is_own)| *is_own)
    }
}

fn of_term<'a>(term: &'a Term, names: &mut Vec<&'a SmolStr>) {
    term.walk(&mut |part| {
        if part.is_variable() {
            names.push(&part.name.text);
        }
    });
}
