//! Fractions, in games that count in whole numbers.

use crate::pddl::Facts;
use crate::{Findings, Rule, Severity};

/// See the page.
pub static RULE: Rule =
    Rule { name: "fractional-number", severity: Severity::Warning, page: include_str!("fractional-number.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    if !model.is_pogddl {
        return;
    }
    for (file, range, text) in &model.numbers {
        let is_whole = text.parse::<f64>().is_ok_and(|value| value.fract() == 0.0);
        if !is_whole {
            let message =
                format!("`{text}` is not a whole number: games count in whole numbers, so choose a smaller unit");
            findings.push(facts.at(&RULE, *file, *range, message));
        }
    }
}
