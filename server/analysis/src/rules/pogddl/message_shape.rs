//! Messages of one head with different arguments.

use percept_syntax::words::counted;
use rustc_hash::FxHashMap;

use crate::pddl::{AtomUse, Facts, Symbol, TypeSet, UseKind};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "message-shape", severity: Severity::Error, page: include_str!("message-shape.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    for uses in heads(facts) {
        let (usual, example) = most(uses.iter().map(|atom| (atom.terms.len(), *atom)), |a, b| a == b);
        let (odd, same): (Vec<&AtomUse>, Vec<&AtomUse>) = uses.iter().partition(|atom| atom.terms.len() != usual);
        for atom in odd {
            let here = counted(atom.terms.len(), "argument", "arguments");
            let message = format!(
                "a message `{}` has {here} here and {usual} elsewhere: give all messages of one name the same arguments (`u` marks a hidden one)",
                atom.name.text
            );
            let finding = facts.at(&RULE, atom.file, atom.name.range, message);
            findings.push(finding.related(example.file, example.name.range, "the other shape"));
        }
        types(facts, &same, usual, findings);
    }
}

/// The messages of each head, heads in the order of the text.
pub(super) fn heads<'f, 'a>(facts: &'f Facts<'a>) -> Vec<Vec<&'f AtomUse<'a>>> {
    let model = &facts.model;
    let mut index: FxHashMap<Symbol, usize> = FxHashMap::default();
    let mut heads: Vec<Vec<&AtomUse>> = Vec::new();
    for atom in model.uses.iter().filter(|atom| atom.kind == UseKind::Message) {
        let Some(symbol) = model.names.get(&atom.name.text) else { continue };
        let at = *index.entry(symbol).or_insert(heads.len());
        if at == heads.len() {
            heads.push(Vec::new());
        }
        heads[at].push(atom);
    }
    heads
}

/// The most frequent value; of equally frequent ones, the first.
fn most<T: Clone, U: Copy>(all: impl Iterator<Item = (T, U)> + Clone, agree: impl Fn(&T, &T) -> bool) -> (T, U) {
    let votes = |one: &T| all.clone().filter(|(other, _)| agree(one, other)).count();
    let mut best: Option<(usize, (T, U))> = None;
    // A head with very many messages is judged by the first of them.
    for candidate in all.clone().take(200) {
        let count = votes(&candidate.0);
        if best.as_ref().is_none_or(|(most, _)| count > *most) {
            best = Some((count, candidate));
        }
    }
    best.map(|(_, candidate)| candidate).expect("a head has a message")
}

fn types(facts: &Facts, uses: &[&AtomUse], count: usize, findings: &mut Findings) {
    let model = &facts.model;
    let mut reported = vec![false; uses.len()];
    for position in 0..count {
        let typed: Vec<(TypeSet, usize)> = uses
            .iter()
            .enumerate()
            .filter_map(|(n, atom)| {
                let term = model.terms_of(atom)[position];
                let types =
                    model.types_of(term).filter(|types| types.is_known(&model.types) && facts.term(term) != "u")?;
                Some((types.clone(), n))
            })
            .collect();
        if typed.is_empty() {
            continue;
        }
        let (usual, example) = most(typed.iter().cloned(), |a, b| a.may_meet(b, &model.types));
        for (found, n) in typed.iter().filter(|(found, _)| !found.may_meet(&usual, &model.types)) {
            // Two exchanged arguments are one slip.
            if std::mem::replace(&mut reported[*n], true) || reported[example] {
                continue;
            }
            let atom = uses[*n];
            let name = |types: &TypeSet| super::argument_type::describe(facts, types);
            let message = format!(
                "argument {} of the message `{}` is a `{}` here and a `{}` elsewhere: give the message another name, or the argument the same type",
                position + 1,
                atom.name.text,
                name(found),
                name(&usual)
            );
            let finding = facts.at(&RULE, atom.file, model.term_range(atom, position), message);
            findings.push(finding.related(uses[example].file, model.term_range(uses[example], position), "elsewhere"));
        }
    }
}
