//! A rule whose conditions cannot hold together.

use crate::gdl::{Facts, Literal, TermId};
use crate::{FileId, Findings, Rule, Severity};
use percept_syntax::TextRange;

/// See the page.
pub static RULE: Rule =
    Rule { name: "contradiction", severity: Severity::Warning, page: include_str!("contradiction.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    for (_, rule) in facts.sound_rules() {
        conjunction(facts, &rule.body, findings);
    }
}

fn conjunction(facts: &Facts, literals: &[Literal], findings: &mut Findings) {
    for literal in literals {
        match literal {
            Literal::Not { range, parts, .. } => {
                let [Literal::Atom(negated)] = &parts[..] else { continue };
                let same = |other: &&Literal| matches!(other, Literal::Atom(atom) if facts.same(*atom, *negated));
                if let Some(other) = literals.iter().find(same) {
                    let message = "this is the opposite of another condition of the rule: together they never hold";
                    let finding = facts.at(&RULE, *range, message);
                    findings.push(finding.related(FileId(0), facts.literal_range(other), "the opposite"));
                }
            }
            Literal::Distinct { range, args, .. } => {
                if let [a, b] = args[..] {
                    distinct(facts, *range, a, b, findings);
                }
            }
            Literal::And { parts, .. } => conjunction(facts, parts, findings),
            Literal::Or { parts, .. } => {
                parts.iter().for_each(|part| conjunction(facts, std::slice::from_ref(part), findings));
            }
            Literal::Atom(_) => {}
        }
    }
}

fn distinct(facts: &Facts, range: TextRange, a: TermId, b: TermId, findings: &mut Findings) {
    if facts.same(a, b) {
        findings.push(facts.at(&RULE, range, "a term is never distinct from itself: this never holds"));
    }
}
