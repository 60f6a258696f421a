//! Goal values that are no integers from 0 to 100.

use crate::gdl::{Facts, Node, Shape, Space, keyword};
use crate::{Findings, Rule, Severity};

/// See the page.
pub static RULE: Rule =
    Rule { name: "goal-value", severity: Severity::Error, page: include_str!("goal-value.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    let Some(goal) = facts.predicate(Space::Relation, keyword::GOAL) else { return };
    for occurrence in goal.occurrences.iter().filter(|occurrence| !facts.is_broken(occurrence.rule)) {
        let node = facts.term(occurrence.term);
        if node.arity() != 2 {
            continue;
        }
        let Some(value) = node.arg(1).map(|arg| facts.term(arg)) else { continue };
        if !is_goal_value(facts, value) {
            let message = format!("`{}` is no goal value: use a whole number from 0 to 100", facts.text(value.range()));
            findings.push(facts.at(&RULE, value.range(), message));
        }
    }
}

fn is_goal_value(facts: &Facts, value: &Node) -> bool {
    match value.shape {
        Shape::Constant => value.ast.name.text.parse::<u32>().is_ok_and(|number| number <= 100),
        Shape::Compound | Shape::Error => false,
        // Of a variable it is enough that one of its values can be right.
        Shape::Variable(_) => {
            let Some(place) = facts.domains.argument(keyword::GOAL, 2, 1) else { return true };
            let right = |name: &str| name.parse::<u32>().is_ok_and(|number| number <= 100);
            facts.domains.is_open(place)
                || facts.domains.is_empty(place)
                || facts.domains.constants(place).any(|sym| right(facts.name(sym)))
        }
    }
}
