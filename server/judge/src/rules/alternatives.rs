//! Parts of a disjunction that never hold, in rules that fire.

use percept_syntax::gdl::{Formula, Statement};

use super::dead_rule::{RULE, TOLD_BY, severity};
use crate::{Evidence, FileId, Finding, Place};

/// Every part of every `or` of a body, with the body in which it replaces the `or`.
pub(super) fn of(body: &[Formula]) -> Vec<(&Formula, Vec<Formula>)> {
    let mut found = Vec::new();
    for (at, literal) in body.iter().enumerate() {
        let instead = |formulas: Vec<Formula>| -> Vec<Formula> {
            body[..at].iter().cloned().chain(formulas).chain(body[at + 1..].iter().cloned()).collect()
        };
        match literal {
            Formula::Or { parts, .. } if parts.len() > 1 => {
                for part in parts {
                    found.push((part, instead(vec![part.clone()])));
                    let inside = of(std::slice::from_ref(part)).into_iter();
                    found.extend(inside.map(|(part, formulas)| (part, instead(formulas))));
                }
            }
            Formula::And { parts, .. } => {
                found.extend(of(parts).into_iter().map(|(part, formulas)| (part, instead(formulas))));
            }
            _ => {}
        }
    }
    found
}

pub(super) fn finding(rule: &Statement, part: &Formula, evidence: Evidence) -> Finding {
    let place = |range| Place { file: FileId(0), range };
    let message = match rule.body.len() {
        1 => "this alternative never holds, in any match",
        _ => "this alternative never holds when the other conditions of the rule do, in any match",
    };
    let mut finding = Finding::new(&RULE, place(part.range()), message.to_string(), evidence);
    finding.severity = severity(rule);
    finding.told_by = Some((place(part.range()), TOLD_BY));
    match &rule.head {
        Some(head) => finding.related(place(head.range), "the rule"),
        None => finding,
    }
}
