//! `not` around something other than an atom; disjunctions inside disjunctions.

use crate::gdl::{Facts, Literal};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "negated-formula", severity: Severity::Error, page: include_str!("negated-formula.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    for (_, rule) in facts.sound_rules() {
        rule.body().iter().for_each(|part| literal(facts, part, findings));
    }
}

fn literal(facts: &Facts, part: &Literal, findings: &mut Findings) {
    match part {
        Literal::Not { keyword, parts, .. } => {
            let advice = match &parts[..] {
                [Literal::Or { .. }] => "negate each of its parts instead, side by side",
                [Literal::And { .. }] => "write `or` of the negated parts instead",
                [Literal::Not { .. }] => "drop both `not`",
                [Literal::Distinct { .. }] => {
                    let message = "`not` before `distinct` means that the two are equal, and some programs refuse \
                    it: use the same variable in both places";
                    let mut finding = facts.at(&RULE, *keyword, message);
                    finding.severity = Severity::Warning;
                    return findings.push(finding);
                }
                _ => return parts.iter().for_each(|part| literal(facts, part, findings)),
            };
            findings.push(facts.at(&RULE, *keyword, format!("`not` takes only one atom: {advice}")));
        }
        Literal::Or { parts, .. } => {
            for inner in parts {
                if let Literal::Or { keyword, .. } = inner {
                    let mut finding =
                        facts.at(&RULE, *keyword, "an `or` directly inside an `or` adds nothing: join the two");
                    finding.severity = Severity::Hint;
                    findings.push(finding);
                }
                literal(facts, inner, findings);
            }
        }
        Literal::And { parts, .. } => parts.iter().for_each(|part| literal(facts, part, findings)),
        Literal::Atom(_) | Literal::Distinct { .. } => {}
    }
}
