//! Rules, facts and conditions that are written twice.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxBuildHasher;

use crate::gdl::{Facts, Literal, RuleId, RuleNode, Shape, TermId};
use crate::{FileId, Findings, Rule, Severity, TextEdit};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "duplicate-rule", severity: Severity::Warning, page: include_str!("duplicate-rule.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    // Keys are made again where they are compared: they would take more memory than the text.
    let key_of = |id: RuleId| {
        let mut key = Vec::new();
        add_key(facts, &facts.lowered.rules[id as usize], &mut key);
        key
    };
    let mut own = Vec::new();
    let mut seen: HashTable<RuleId> = HashTable::with_capacity(facts.lowered.rules.len());
    for (id, rule) in facts.sound_rules() {
        let range = rule.range;
        own.clear();
        add_key(facts, rule, &mut own);
        match seen.entry(hash(&own), |first| key_of(*first) == own, |first| hash(&key_of(*first))) {
            Entry::Occupied(first) => {
                let finding = facts
                    .at(&RULE, range, "this statement is already in the file")
                    .related(FileId(0), facts.lowered.rules[*first.get() as usize].range, "first written here")
                    .safe_fix("Remove it", vec![TextEdit { file: FileId(0), range, insert: String::new() }]);
                findings.push(finding.unnecessary());
            }
            Entry::Vacant(place) => drop(place.insert(id)),
        }
        repeated_literals(facts, rule.body(), findings);
    }
}

fn hash(key: &[u32]) -> u64 {
    FxBuildHasher.hash_one(key)
}

fn repeated_literals(facts: &Facts, literals: &[Literal], findings: &mut Findings) {
    // Bodies are short; an absurdly long one is skipped.
    if !(2..=100).contains(&literals.len()) {
        return;
    }
    for (n, literal) in literals.iter().enumerate() {
        let Literal::Atom(atom) = literal else { continue };
        let same = |other: &&Literal| matches!(other, Literal::Atom(other) if facts.same(*atom, *other));
        if let Some(first) = literals[..n].iter().find(same) {
            let range = facts.range(*atom);
            let finding = facts
                .at(&RULE, range, "this condition is already in the rule")
                .related(FileId(0), facts.literal_range(first), "first written here")
                .safe_fix("Remove it", vec![TextEdit { file: FileId(0), range, insert: String::new() }]);
            findings.push(finding.unnecessary());
        }
    }
}

/// The rule as numbers, with variables numbered by their order, so that their names do not matter.
fn add_key(facts: &Facts, rule: &RuleNode, key: &mut Vec<u32>) {
    key.push(u32::from(rule.is_fact()));
    rule.head().iter().for_each(|head| term(facts, *head, key));
    rule.body().iter().for_each(|part| literal(facts, part, key));
}

/// A term as numbers, which are equal for equal terms.
pub(super) fn term(facts: &Facts, id: TermId, key: &mut Vec<u32>) {
    let node = facts.term(id);
    match node.shape() {
        Shape::Variable(variable) => key.extend([0, variable]),
        Shape::Constant => key.extend([1, node.sym.0]),
        Shape::Compound | Shape::Error => key.extend([2 + node.arity() as u32, node.sym.0]),
    }
    node.args().for_each(|arg| term(facts, arg, key));
}

fn literal(facts: &Facts, part: &Literal, key: &mut Vec<u32>) {
    let (tag, parts) = match part {
        Literal::Atom(atom) => {
            key.push(u32::MAX);
            return term(facts, *atom, key);
        }
        Literal::Distinct { args, .. } => {
            key.extend([u32::MAX - 1, args.len() as u32]);
            return args.iter().for_each(|arg| term(facts, *arg, key));
        }
        Literal::Not { parts, .. } => (u32::MAX - 2, parts),
        Literal::Or { parts, .. } => (u32::MAX - 3, parts),
        Literal::And { parts, .. } => (u32::MAX - 4, parts),
    };
    key.extend([tag, parts.len() as u32]);
    parts.iter().for_each(|part| literal(facts, part, key));
}
