//! Messages of one head with different arguments.

use percept_syntax::TextRange;
use rustc_hash::FxHashMap;

use crate::pddl::{AtomUse, Facts, Symbol, Term, TypeSet, UseKind};
use crate::{Findings, Rule, Severity};

/// See the page.
pub static RULE: Rule =
    Rule { name: "message-shape", severity: Severity::Error, page: include_str!("message-shape.md") };

/// What is known of a message head from its first use.
struct Shape {
    count: usize,
    place: TextRange,
    /// The types of each argument, from the first use that shows them.
    types: Vec<Option<(TypeSet, TextRange)>>,
}

pub fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let mut shapes: FxHashMap<Symbol, Shape> = FxHashMap::default();
    for atom in model.uses.iter().filter(|atom| atom.kind == UseKind::Message) {
        let Some(symbol) = model.names.get(&atom.name.text) else { continue };
        let count = atom.terms.len();
        let place = atom.name.range;
        let shape = shapes.entry(symbol).or_insert_with(|| Shape { count, place, types: vec![None; count] });
        if shape.count != count {
            let message = format!(
                "a message `{}` has {count} arguments here and {} elsewhere: messages of one name are of one shape (`u` stands for what is not told)",
                atom.name.text, shape.count
            );
            let finding = facts.at(&RULE, atom.file, atom.name.range, message);
            findings.push(finding.related(model.domain_file, shape.place, "the other shape"));
            continue;
        }
        types(facts, atom, shape, findings);
    }
}

fn types(facts: &Facts, atom: &AtomUse, shape: &mut Shape, findings: &mut Findings) {
    let model = &facts.model;
    for (position, term) in model.terms_of(atom).iter().enumerate() {
        if is_unknown_mark(facts, *term) {
            continue;
        }
        let Some(found) = model.types_of(*term).filter(|types| types.is_known(&model.types)) else { continue };
        match &shape.types[position] {
            None => shape.types[position] = Some((found.clone(), model.term_range(atom, position))),
            Some((first, place)) if !found.may_meet(first, &model.types) => {
                let name = |types: &TypeSet| super::argument_type::describe(facts, types);
                let message = format!(
                    "argument {} of the message `{}` is a `{}` here and a `{}` elsewhere: give the message another name, or the argument the same type",
                    position + 1,
                    atom.name.text,
                    name(found),
                    name(first)
                );
                let finding = facts.at(&RULE, atom.file, model.term_range(atom, position), message);
                findings.push(finding.related(model.domain_file, *place, "elsewhere"));
            }
            Some(_) => {}
        }
    }
}

/// The reserved constant `u`.
fn is_unknown_mark(facts: &Facts, term: Term) -> bool {
    facts.term(term) == "u"
}
