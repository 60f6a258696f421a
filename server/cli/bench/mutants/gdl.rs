//! Mutants of GDL.

use super::forms::{Form, read};
use super::make::{Kind, Maker, Mutant};

const KEYWORDS: [&str; 14] =
    ["role", "init", "true", "does", "next", "legal", "goal", "terminal", "sees", "not", "or", "and", "distinct", "<="];

/// All mutants of a description.
pub(super) fn mutants(text: &str) -> Vec<Mutant> {
    let mut maker = Maker { text, file: 0, made: Vec::new() };
    for statement in read(text) {
        let is_rule = statement.is("<=");
        let head = if is_rule { statement.parts.get(1) } else { Some(&statement) };
        let Some(head) = head.filter(|head| !head.is("role") && !head.head().is_empty()) else { continue };
        let body = if is_rule { &statement.parts[2..] } else { &[] };
        maker.without(kind(head, body, is_rule), &statement, vec![relation(head).to_string()]);
        for part in body {
            maker.part(Kind::Condition, &statement, part, names(part));
        }
        for atom in std::iter::once(head).chain(body) {
            atom.walk(&mut |form| {
                let is_atom = !form.parts.is_empty() && !form.head().is_empty();
                if is_atom && !KEYWORDS.iter().any(|word| form.is(word)) {
                    maker.arguments(&statement, form);
                }
                if !form.word.is_empty() && !KEYWORDS.iter().any(|word| form.is(word)) {
                    maker.misspelt(form);
                }
            });
        }
    }
    maker.made
}

fn kind(head: &Form<'_>, body: &[Form<'_>], is_rule: bool) -> Kind {
    let inner = head.parts.get(1);
    let keeps =
        |literal: &Form<'_>| literal.is("true") && literal.parts.get(1).zip(inner).is_some_and(|(a, b)| a.same(b));
    match head.head().to_ascii_lowercase().as_str() {
        "init" if !is_rule => Kind::Init,
        "next" if body.iter().any(keeps) => Kind::Frame,
        "sees" => Kind::Percept,
        _ => Kind::Rule,
    }
}

/// The name that a head makes or an atom reads: `cell` for `(next (cell ?x))`.
fn relation<'a>(atom: &Form<'a>) -> &'a str {
    let at = match atom.head().to_ascii_lowercase().as_str() {
        "next" | "init" | "true" => 1,
        "legal" | "does" | "sees" => 2,
        _ => return atom.head(),
    };
    match atom.parts.get(at).map(Form::head) {
        Some(name) if !name.starts_with('?') && !name.is_empty() => name,
        _ => atom.head(),
    }
}

/// The names of a condition and its variables.
fn names(literal: &Form<'_>) -> Vec<String> {
    let mut names = Vec::new();
    if ["not", "or", "and"].iter().any(|word| literal.is(word)) {
        names.extend(literal.parts[1..].iter().flat_map(names_inside));
    } else {
        names.extend(names_inside(literal));
    }
    names
}

fn names_inside(atom: &Form<'_>) -> Vec<String> {
    if ["not", "or", "and"].iter().any(|word| atom.is(word)) && !atom.parts.is_empty() {
        return names(atom);
    }
    let mut names = vec![relation(atom).to_string()];
    atom.walk(&mut |form| names.extend(form.is_variable().then(|| form.word[1..].to_string())));
    names
}
