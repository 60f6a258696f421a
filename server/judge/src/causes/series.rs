//! A fact that a series lacks: a count goes on by facts such as `(succ 3 4)`, and stops where one is missing.

use percept_game::Term;

use crate::{Case, Fix};

/// The least number of facts that show the step of a series.
const LEAST: usize = 2;

/// Adds the fact with which the series behind a condition that fails goes on from the number of a fluent, if all its
/// facts are two numbers with one difference.
pub(super) fn next_fact(case: &Case<'_>, fluent: &Term, failed: &str) -> Option<Fix> {
    let word = failed.trim_start_matches('(').split([' ', ')']).next()?;
    let mut steps: Vec<(i64, i64)> = Vec::new();
    let mut last = None;
    for statement in case.statements(word) {
        let [one, other] = statement.head.as_ref()?.args() else { return None };
        let number = |term: &percept_syntax::gdl::Term| term.name.text.parse::<i64>().ok();
        steps.push((number(one)?, number(other)?));
        last = Some(statement.range).filter(|_| statement.body.is_empty());
    }
    let step = steps.first().map(|(one, other)| other - one)?;
    let is_series = steps.len() >= LEAST && step != 0 && steps.iter().all(|(one, other)| other - one == step);
    let mut from = fluent.args().iter().filter_map(|it| it.to_string().parse::<i64>().ok());
    let from = from.find(|from| steps.iter().all(|(one, _)| one != from)).filter(|_| is_series)?;
    case.is_prefix().then(|| Fix::statement(case.here(last), &format!("({word} {from} {})", from + step)))
}
