//! Goal values that are not integers from 0 to 100.

use super::mends;
use crate::gdl::{Facts, Node, Place, Predicate, RuleId, Shape, Space, Sym, keyword};
use crate::{Findings, Fix, Rule, Severity, TextEdit};
use percept_syntax::near::is_doubled;

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "goal-value", severity: Severity::Error, page: include_str!("goal-value.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let Some(goal) = facts.predicate(Space::Relation, keyword::GOAL) else { return };
    let mut reported = Vec::new();
    for occurrence in goal.occurrences.iter().filter(|occurrence| !facts.is_broken(occurrence.rule)) {
        let node = facts.term(occurrence.term);
        if node.arity() != 2 {
            continue;
        }
        let Some(value) = node.arg(1).map(|arg| facts.term(arg)) else { continue };
        if value.variable().is_some() && occurrence.in_head {
            out_of_range(facts, occurrence.rule, value, &mut reported, findings);
        }
        if !is_goal_value(facts, value) {
            let message =
                format!("`{}` is not a goal value: use a whole number from 0 to 100", facts.text(value.range()));
            let change = near(facts, goal, value).map(|near| {
                let edit = TextEdit::new(mends::here(value.range()), near);
                Fix::new(format!("Change to `{near}`"), vec![edit])
            });
            findings.push(facts.at(&RULE, value.range(), message).offer(change));
        }
    }
}

/// The goal value meant by a number with a digit written twice or forgotten: that of another rule, or else any.
fn near<'f>(facts: &'f Facts, goal: &Predicate, wrong: &Node) -> Option<&'f str> {
    let shown = facts.text(wrong.range());
    let others = goal.produced().filter_map(|other| facts.term(other.term).arg(1)).map(|arg| facts.term(arg));
    let mut others = others.filter(|it| is_goal_value(facts, it)).map(|it| facts.text(it.range()));
    let other = others.find(|it| is_doubled(shown, it) || is_doubled(it, shown));
    let shorter = || shown.get(..shown.len() - 1).filter(|it| is_doubled(shown, it));
    let is_right = |it: &&str| it.parse::<u32>().is_ok_and(|number| number <= 100);
    other.or_else(shorter).filter(is_right).filter(|_| wrong.shape() == Shape::Constant)
}

/// A possible value of the variable that is not a goal value, while other values are.
fn out_of_range(facts: &Facts, rule: RuleId, value: &Node, reported: &mut Vec<Sym>, findings: &mut Findings) {
    let Some(variable) = value.variable() else { return };
    let places: Vec<Place> = facts.domains.places_of(rule, variable).collect();
    let Some(&place) = places.iter().find(|place| !facts.domains.is_open(**place)) else { return };
    let values: Vec<Sym> =
        facts.domains.constants(place).filter(|sym| facts.domains.variable_can_be(rule, variable, *sym)).collect();
    let number = |sym: &&Sym| facts.name(**sym).parse::<i64>().ok();
    let (right, wrong): (Vec<&Sym>, Vec<&Sym>) =
        values.iter().partition(|sym| number(sym).is_some_and(|n| (0..=100).contains(&n)));
    // A long row of numbers is a count, not a list of goal values.
    if right.is_empty() || wrong.is_empty() || wrong.len() * 2 > right.len() + 2 || reported.contains(wrong[0]) {
        return;
    }
    reported.push(*wrong[0]);
    let shown = facts.text(value.range());
    let message = format!(
        "`{shown}` can be `{}`, which is not a goal value: use whole numbers from 0 to 100",
        facts.name(*wrong[0])
    );
    let mut finding = facts.at(&RULE, value.range(), message);
    finding.severity = Severity::Warning;
    findings.push(finding);
}

fn is_goal_value(facts: &Facts, value: &Node) -> bool {
    match value.shape() {
        Shape::Constant => facts.spelling(value).parse::<u32>().is_ok_and(|number| number <= 100),
        Shape::Compound | Shape::Error => false,
        // For a variable it is enough that one of its values can be a goal value.
        Shape::Variable(_) => {
            let Some(place) = facts.domains.argument(keyword::GOAL, 2, 1) else { return true };
            let right = |name: &str| name.parse::<u32>().is_ok_and(|number| number <= 100);
            facts.domains.is_open(place)
                || facts.domains.is_empty(place)
                || facts.domains.constants(place).any(|sym| right(facts.name(sym)))
        }
    }
}
