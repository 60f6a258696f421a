//! An initial state that contradicts itself.

use percept_syntax::TextRange;
use percept_syntax::pddl::Init;
use rustc_hash::FxHashMap;

use crate::pddl::{Facts, KeyId, Place, UseKind};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "contradictory-init", severity: Severity::Error, page: include_str!("contradictory-init.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let mut facts_seen: FxHashMap<KeyId, TextRange> = FxHashMap::default();
    let mut values: FxHashMap<KeyId, TextRange> = FxHashMap::default();
    let written = value_texts(facts);
    let here = || model.uses.iter().filter(|atom| atom.place == Place::Init);
    for atom in here() {
        let text = || facts.quote(atom.file, atom.range);
        match atom.kind {
            UseKind::InitFact => drop(facts_seen.insert(atom.key, atom.range)),
            UseKind::InitValue => {
                let Some(first) = values.insert(atom.key, atom.range) else { continue };
                if written.get(&first) != written.get(&atom.range) {
                    let message = format!("`{}` has two initial values: keep one", text());
                    let finding = facts.at(&RULE, atom.file, atom.range, message);
                    findings.push(finding.related(atom.file, first, "the first value"));
                }
            }
            _ => {}
        }
    }
    for atom in here().filter(|atom| atom.kind == UseKind::InitNegated) {
        if let Some(fact) = facts_seen.get(&atom.key) {
            let message =
                format!("`{}` is a fact of `:init` and denied here: keep one", facts.quote(atom.file, atom.range));
            findings.push(facts.at(&RULE, atom.file, atom.range, message).related(atom.file, *fact, "the fact"));
        }
    }
}

/// The value of each `(= (f a) value)`, by the range of `(f a)`.
fn value_texts<'f>(facts: &'f Facts) -> FxHashMap<TextRange, &'f str> {
    let model = &facts.model;
    let mut texts = FxHashMap::default();
    for init in model.problem.into_iter().flat_map(|problem| &problem.init) {
        if let Init::Value { target, value, .. } = init {
            texts.insert(target.range, model.text(model.problem_file, value.range()));
        }
    }
    texts
}
