//! Rules made safe: equalities are substituted, rules that never fire are left out, and every variable is bound.

use percept_syntax::TextRange;
use rustc_hash::FxHashSet;

use super::super::program::{Atom, Condition, Literal, Pattern, RelationId, Rule};
use super::super::unify::Substitution;
use super::{EQUAL, Lowering, error};
use crate::GameError;

impl Lowering {
    /// Substitutes equalities and decides `distinct` if possible; `None` if the rule can never fire.
    pub(super) fn simplify(&mut self, mut rule: Rule) -> Option<Rule> {
        let mut substitution = Substitution::default();
        let mut body = Vec::with_capacity(rule.body.len());
        for literal in rule.body {
            match &literal.condition {
                // An equality is a negative `distinct`; `branches` writes it as an atom of the relation EQUAL.
                Condition::Positive(atom) if atom.relation == EQUAL => {
                    if !substitution.unify(&self.program.terms, &atom.args[0], &atom.args[1]) {
                        return None;
                    }
                }
                _ => body.push(literal),
            }
        }
        if !substitution.is_empty() {
            rule.head = substitution.atom(&mut self.program.terms, &rule.head);
            for literal in &mut body {
                literal.condition = substitution.condition(&mut self.program.terms, &literal.condition);
            }
        }
        rule.body = Vec::with_capacity(body.len());
        for literal in body {
            if let Condition::Distinct(left, right) = &literal.condition {
                if left == right {
                    return None;
                }
                if !Substitution::default().unify(&self.program.terms, left, right) {
                    continue;
                }
            }
            if !rule.body.iter().any(|other: &Literal| other.condition == literal.condition) {
                rule.body.push(literal);
            }
        }
        Some(rule)
    }

    /// Adds the rule after helper relations have replaced negations that have variables of their own.
    ///
    /// A head variable that no condition binds is an error, except the first argument of `legal`, `sees` and `goal`,
    /// which ranges over the roles (published files rely on it).
    pub(super) fn add_safe(&mut self, mut rule: Rule) -> Result<(), GameError> {
        let mut bound = FxHashSet::default();
        for literal in &rule.body {
            if let Condition::Positive(atom) = &literal.condition {
                atom.variables(&mut |variable| {
                    bound.insert(variable);
                });
            }
        }
        let per_role = [RelationId::LEGAL, RelationId::SEES, RelationId::GOAL];
        if per_role.contains(&rule.head.relation)
            && let Pattern::Variable(role) = rule.head.args[0]
            && bound.insert(role)
        {
            let variable = &rule.variables[role as usize];
            let message = format!(
                "unsafe rule: no positive condition binds `?{variable}`; taken to be any role: write `(role ?{variable})`"
            );
            self.remark(rule.head_range, message);
            let atom = Atom { relation: RelationId::ROLE, args: [Pattern::Variable(role)].into() };
            rule.body.push(Literal { condition: Condition::Positive(atom), range: rule.head_range });
        }
        let name = |variable: u32| rule.variables[variable as usize].clone();
        let mut unbound = None;
        rule.head.variables(&mut |variable| {
            if !bound.contains(&variable) {
                unbound.get_or_insert(variable);
            }
        });
        if let Some(variable) = unbound {
            let message = format!("unsafe rule: no positive condition binds `?{}` in the head", name(variable));
            return Err(error(rule.head_range, message));
        }
        let mut body = Vec::with_capacity(rule.body.len());
        for literal in std::mem::take(&mut rule.body) {
            let mut free = Vec::new();
            literal.condition.variables(&mut |variable| {
                if !bound.contains(&variable) && !free.contains(&variable) {
                    free.push(variable);
                }
            });
            match literal.condition {
                Condition::Negative(atom) if !free.is_empty() => {
                    let variable = &rule.variables[free[0] as usize];
                    let message = format!(
                        "unsafe rule: no positive condition binds `?{variable}`; taken to mean that this holds for no `?{variable}` at all"
                    );
                    self.remark(literal.range, message);
                    let condition = self.there_is_none(atom, &free, &rule, literal.range);
                    body.push(Literal { condition, range: literal.range });
                }
                Condition::Distinct(..) if !free.is_empty() => {
                    let variable = &rule.variables[free[0] as usize];
                    let message = format!("unsafe rule: no positive condition binds `?{variable}` in `distinct`");
                    return Err(error(literal.range, message));
                }
                condition => body.push(Literal { condition, range: literal.range }),
            }
        }
        rule.body = body;
        self.program.rules.push(rule);
        Ok(())
    }

    /// Records how a rule that is not safe was interpreted; once, even if a statement has several branches.
    fn remark(&mut self, range: TextRange, message: String) {
        let remark = error(range, message);
        // The branches of one statement follow each other.
        if !self.program.remarks.iter().rev().take(64).any(|other| *other == remark) {
            self.program.remarks.push(remark);
        }
    }

    /// `not` over `atom`, whose variables `free` occur nowhere else: a negated helper relation without them.
    fn there_is_none(&mut self, atom: Atom, free: &[u32], rule: &Rule, range: TextRange) -> Condition {
        let mut kept = Vec::new();
        atom.variables(&mut |variable| {
            if !free.contains(&variable) && !kept.contains(&variable) {
                kept.push(variable);
            }
        });
        let name = format!("some-{}", self.program.name(atom.relation));
        let relation = self.add_relation(&name, kept.len(), true);
        let head = Atom { relation, args: kept.into_iter().map(Pattern::Variable).collect() };
        self.program.rules.push(Rule {
            head: head.clone(),
            body: vec![Literal { condition: Condition::Positive(atom), range }],
            variables: rule.variables.clone(),
            range,
            head_range: range,
            whole: None,
        });
        Condition::Negative(head)
    }
}
