//! Mutants of POGDDL.

use super::forms::{Form, read};
use super::make::{Kind, Maker, Mutant};

const WORDS: [&str; 13] =
    ["not", "and", "or", "when", "forall", "exists", "imply", "observe", "=", "assign", "increase", "decrease", "-"];

/// All mutants of a domain, or of a problem, or of both in one text.
pub(super) fn mutants(text: &str, file: usize) -> Vec<Mutant> {
    let mut maker = Maker { text, file, made: Vec::new() };
    for section in read(text).iter().flat_map(|define| &define.parts) {
        if section.is(":action") {
            let name = section.parts.get(1).map_or("", |name| name.word);
            maker.without(Kind::Rule, section, vec![name.to_string()]);
            for part in section.after(":precondition").map_or(Vec::new(), parts) {
                maker.part(Kind::Condition, section, part, names(part));
                inside(&mut maker, section, part);
            }
            for part in section.after(":effect").map_or(Vec::new(), parts) {
                effect(&mut maker, section, part);
            }
        }
        if section.is(":init") {
            section.parts[1..].iter().for_each(|fact| maker.without(Kind::Init, fact, names(fact)));
        }
    }
    maker.made
}

/// The parts of a conjunction.
fn parts<'s, 'a>(form: &'s Form<'a>) -> Vec<&'s Form<'a>> {
    if form.is("and") { form.parts[1..].iter().collect() } else { vec![form] }
}

fn effect(maker: &mut Maker<'_>, action: &Form<'_>, part: &Form<'_>) {
    match part.is("observe") {
        true => maker.within(Kind::Percept, action, part.range, String::new(), names(part)),
        false if part.is("assign") || part.is("increase") || part.is("decrease") => {
            maker.within(Kind::Effect, action, part.range, String::new(), names(part));
        }
        false => maker.part(Kind::Effect, action, part, names(part)),
    }
    inside(maker, action, part);
}

/// Mistakes in the arguments and letters of a condition or an effect.
fn inside(maker: &mut Maker<'_>, action: &Form<'_>, part: &Form<'_>) {
    part.walk(&mut |form| {
        let is_word = |form: &Form<'_>| WORDS.iter().any(|word| form.is(word)) || form.head().starts_with('?');
        if !form.parts.is_empty() && !form.head().is_empty() && !is_word(form) {
            maker.arguments(action, form);
        }
        if !form.word.is_empty() && !WORDS.contains(&form.word) {
            maker.misspelt(form);
        }
    });
}

/// The names of predicates, functions and messages inside, and of variables.
fn names(part: &Form<'_>) -> Vec<String> {
    let mut names = Vec::new();
    part.walk(&mut |form| {
        if form.is_variable() && form.parts.is_empty() {
            names.push(form.word[1..].to_string());
        } else if !form.parts.is_empty() && !WORDS.iter().any(|word| form.is(word)) && !form.head().is_empty() {
            names.push(form.head().to_string());
        }
    });
    names
}
