//! A rule whose conditions cannot hold together.

use super::{duplicate_rule, mends};
use crate::gdl::{Facts, Literal, RuleId, TermId};
use crate::{FileId, Findings, Rule, Severity};
use percept_syntax::TextRange;
use rustc_hash::FxHashMap;

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "contradiction", severity: Severity::Warning, page: include_str!("contradiction.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    for (id, rule) in facts.sound_rules() {
        conjunction(facts, id, rule.body(), findings);
    }
}

fn conjunction(facts: &Facts, rule: RuleId, literals: &[Literal], findings: &mut Findings) {
    let mut atoms: Option<FxHashMap<Vec<u32>, &Literal>> = None;
    for literal in literals {
        match literal {
            Literal::Not { range, parts, .. } => {
                let [Literal::Atom(negated)] = &parts[..] else { continue };
                let atoms = atoms.get_or_insert_with(|| by_key(facts, literals));
                if let Some(other) = atoms.get(&key(facts, *negated)) {
                    let message = "this is the opposite of another condition of the rule: together they never hold";
                    let finding = facts.at(&RULE, *range, message);
                    let other = facts.literal_range(other);
                    let fixes = [*range, other].map(|part| mends::without_condition(facts, rule, part));
                    findings.push(finding.related(FileId(0), other, "the opposite").offer(fixes.into_iter().flatten()));
                }
            }
            Literal::Distinct { range, args, .. } => {
                if let [a, b] = args[..] {
                    distinct(facts, *range, a, b, findings);
                }
            }
            Literal::And { parts, .. } => conjunction(facts, rule, parts, findings),
            Literal::Or { parts, .. } => {
                parts.iter().for_each(|part| conjunction(facts, rule, std::slice::from_ref(part), findings));
            }
            Literal::Atom(_) => {}
        }
    }
}

/// The atoms of a conjunction, each by its key, with its first occurrence.
fn by_key<'l>(facts: &Facts, literals: &'l [Literal]) -> FxHashMap<Vec<u32>, &'l Literal> {
    let mut atoms = FxHashMap::default();
    for literal in literals {
        if let Literal::Atom(atom) = literal {
            atoms.entry(key(facts, *atom)).or_insert(literal);
        }
    }
    atoms
}

fn key(facts: &Facts, atom: TermId) -> Vec<u32> {
    let mut key = Vec::new();
    duplicate_rule::term(facts, atom, &mut key);
    key
}

fn distinct(facts: &Facts, range: TextRange, a: TermId, b: TermId, findings: &mut Findings) {
    if facts.same(a, b) {
        findings.push(facts.at(&RULE, range, "a term is never distinct from itself: this never holds"));
    }
}
