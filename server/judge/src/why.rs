//! The condition of a rule that fails in the round in which the rule got furthest.

use std::sync::Arc;

use percept_game::gdl::Explainer;
use percept_game::{MoveId, State, Term as Name};
use percept_syntax::TextRange;
use percept_syntax::gdl::{Formula, Statement, Term, TermKind};

use crate::Case;

/// The relation that represents a rule's conditions. Games that use this name get no reasons.
const FUNCTOR: &str = "percept-judge-why";

/// The rules to explain, by number.
pub(crate) struct FailedCondition {
    explainer: Explainer,
}

impl FailedCondition {
    /// The rules, each restricted to one value of the first argument of its head if `first` is given.
    pub(crate) fn new(case: &Case<'_>, statements: &[(&Statement, Option<&str>)]) -> Option<FailedCondition> {
        let mut added = Vec::new();
        for (number, (rule, first)) in statements.iter().enumerate() {
            let range = rule.range;
            let word = |text: String| percept_syntax::Name::new(text, range);
            let number = Term { range, name: word(number.to_string()), kind: TermKind::Constant };
            let head = Term { range, name: word(FUNCTOR.into()), kind: TermKind::Compound([number].into()) };
            let variable = rule.head.as_ref().and_then(|head| head.args().first()).filter(|it| it.is_variable());
            let mut body = rule.body.clone();
            if let Some((variable, value)) = variable.zip(*first) {
                body.iter_mut().for_each(|literal| in_formula(literal, &variable.name.text, value));
            }
            added.push(Statement { range, head: Some(head), arrow: Some(range), body });
        }
        Some(FailedCondition { explainer: Explainer::new(&case.explained()?.with(added)).ok()? })
    }

    /// The condition that does not hold, with the known values of its variables and its place.
    pub(crate) fn not(
        &self,
        case: &Case<'_>,
        number: usize,
        state: &State,
        joint: &[MoveId],
    ) -> Option<(String, TextRange)> {
        let atom = Name::list(FUNCTOR, [Name::word(number.to_string())]);
        let reason = self.explainer.explain(&case.fluents(state), &case.moves(joint), &atom, 0)?;
        reason.failures.into_iter().find_map(|failure| failure.failed.into_iter().next())
    }
}

fn in_formula(formula: &mut Formula, variable: &str, value: &str) {
    match formula {
        Formula::Atom(term) => in_term(term, variable, value),
        Formula::Not { parts, .. } | Formula::Or { parts, .. } | Formula::And { parts, .. } => {
            parts.iter_mut().for_each(|part| in_formula(part, variable, value));
        }
        Formula::Distinct { args, .. } => args.iter_mut().for_each(|arg| in_term(arg, variable, value)),
    }
}

fn in_term(term: &mut Term, variable: &str, value: &str) {
    if term.is_variable() && term.name.text == *variable {
        term.name = percept_syntax::Name::new(value, term.name.range);
        term.kind = TermKind::Constant;
    } else if let TermKind::Compound(args) = &mut term.kind {
        Arc::make_mut(args).iter_mut().for_each(|arg| in_term(arg, variable, value));
    }
}
