//! Fractions, and numbers of more than 64 bits, in games that count in whole numbers.

use crate::pddl::Facts;
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "fractional-number", severity: Severity::Warning, page: include_str!("fractional-number.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    if !model.is_pogddl {
        return;
    }
    for (file, range, text) in &model.numbers {
        // `3.0` is whole, too.
        let digits = match text.split_once('.') {
            Some((whole, rest)) if rest.bytes().all(|digit| digit == b'0') => whole,
            Some(_) => {
                let message =
                    format!("`{text}` is not a whole number: games count in whole numbers, so choose a smaller unit");
                findings.push(facts.at(&RULE, *file, *range, message));
                continue;
            }
            None => text,
        };
        if digits.parse::<i64>().is_err() {
            let shown = if text.len() > 40 { format!("{}...", &text[..20]) } else { text.to_string() };
            let message = format!("`{shown}` is too large: numbers go from {} to {}", i64::MIN, i64::MAX);
            let mut finding = facts.at(&RULE, *file, *range, message);
            finding.severity = Severity::Error;
            findings.push(finding);
        }
    }
}
