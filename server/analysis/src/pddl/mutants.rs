//! Correct domains with one mistake inserted: counts how many mistakes get a finding, and at the right place.
//!
//! The mistakes are inserted at every possible place, from the model of the correct text, so none is hand-picked.
//! `PERCEPT_PRINT=1` prints the mutants without a finding.

use std::collections::BTreeMap;
use std::path::Path;

use super::resolve::model;
use super::{EffectNode, Formula, Model, Place, UseKind};
use crate::{Diagnostic, Settings, Severity, check};
use percept_syntax::{Language, Source, TextRange};

/// A correct text with one mistake.
struct Mutant {
    kind: &'static str,
    text: String,
    /// The place of the mistake in the new text.
    place: TextRange,
    /// A name; a finding about any of its uses also counts.
    name: Option<String>,
}

fn parse(text: &str) -> Source {
    Source::parse(text.to_owned(), Language::Pogddl)
}

fn right_files() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/pogddl");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the fixtures are there")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("right-")))
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a readable fixture");
            (path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), text)
        })
        .collect();
    files.sort();
    files
}

/// Replaces a range by `new`.
fn replaced(kind: &'static str, text: &str, range: TextRange, new: &str) -> Mutant {
    let (start, end) = (range.start as usize, range.end as usize);
    let changed = format!("{}{new}{}", &text[..start], &text[end..]);
    let place = TextRange::new(range.start, range.start + new.len().max(1) as u32);
    Mutant { kind, text: changed, place, name: None }
}

/// The name with a typo.
fn slip(name: &str) -> String {
    let mut letters: Vec<char> = name.chars().collect();
    match letters.len() {
        0..=2 => letters.push('q'),
        n => letters.swap(n - 2, n - 1),
    }
    let slipped: String = letters.into_iter().collect();
    if slipped == name { format!("{name}q") } else { slipped }
}

/// Mistakes in names, arguments and declarations.
fn mutants(text: &str, model: &Model) -> Vec<Mutant> {
    let mut list = Vec::new();
    for atom in model.uses.iter().filter(|atom| atom.kind != UseKind::Message && atom.kind != UseKind::Head) {
        list.push(replaced("a predicate or function misspelt", text, atom.name.range, &slip(&atom.name.text)));
        let shape = text[atom.range.as_usize()].to_owned();
        if let Some(last) = atom.args.last() {
            let range = last.name.range;
            list.push(replaced("an argument left out", text, argument(text, range), ""));
            list.last_mut().expect("just pushed").place = atom.range;
        }
        if shape.starts_with('(') {
            let end = TextRange::at(atom.range.end - 1);
            let extra = atom
                .args
                .last()
                .map_or("extra".to_owned(), |arg| text[argument(text, arg.name.range).as_usize()].to_owned());
            let mut mutant = replaced("an argument too many", text, end, &format!(" {extra}"));
            mutant.place = TextRange::new(atom.range.start, atom.range.end + extra.len() as u32 + 1);
            list.push(mutant);
        }
        for (i, arg) in atom.args.iter().enumerate() {
            let what = if arg.is_variable { "a variable misspelt" } else { "an object misspelt" };
            let range = argument(text, arg.name.range);
            let sign = if arg.is_variable { "?" } else { "" };
            list.push(replaced(what, text, range, &format!("{sign}{}", slip(&arg.name.text))));
            let terms = model.terms_of(atom);
            let Some(other) = atom.args.get(i + 1) else { continue };
            let types = |term| model.types_of(term).cloned();
            let differ = match (types(terms[i]), types(terms[i + 1])) {
                (Some(a), Some(b)) => !a.may_meet(&b, &model.types),
                _ => false,
            };
            if differ {
                let (a, b) = (range, argument(text, other.name.range));
                let swapped = format!(
                    "{}{}{}",
                    &text[b.as_usize()],
                    &text[a.end as usize..b.start as usize],
                    &text[a.as_usize()]
                );
                list.push(replaced("arguments exchanged", text, a.cover(b), &swapped));
            }
        }
    }
    declarations(text, model, &mut list);
    list
}

/// The range of an argument with its `?`, even if the range of its name lacks it.
fn argument(text: &str, range: TextRange) -> TextRange {
    let before = range.start.checked_sub(1).filter(|at| text.as_bytes()[*at as usize] == b'?');
    TextRange::new(before.unwrap_or(range.start), range.end)
}

fn declarations(text: &str, model: &Model, list: &mut Vec<Mutant>) {
    let dropped = |kind, range: TextRange, name: &str| {
        let mut mutant = replaced(kind, text, range, "");
        mutant.name = Some(name.to_owned());
        mutant
    };
    for (i, callable) in model.callables.iter().enumerate() {
        let used = model.uses.iter().any(|atom| atom.callable.is_some_and(|id| id.0 == i as u32));
        let declaration = callable.declaration;
        if used {
            list.push(dropped("a predicate or function not declared", declaration.range, &declaration.name.text));
        }
        let copy = format!("{0} {0}", &text[declaration.range.as_usize()]);
        let mut mutant = replaced("a predicate or function declared twice", text, declaration.range, &copy);
        mutant.name = Some(declaration.name.text.to_string());
        list.push(mutant);
    }
    for object in model.objects.iter().filter(|object| object.uses > 0) {
        let written = object.places[0].written;
        if object.places[0].group.names.len() > 1 {
            list.push(dropped("an object not declared", written.range, &written.text));
        }
    }
    for variable in model.variables.iter().filter(|variable| variable.uses > 0 && variable.group.names.len() > 1) {
        let mut mutant = dropped("a parameter not declared", argument(text, variable.name.range), &variable.name.text);
        mutant.name = Some(format!("?{}", variable.name.text));
        list.push(mutant);
    }
    for variable in &model.variables {
        let range = argument(text, variable.name.range);
        let more = format!("{} ?unneeded", &text[range.as_usize()]);
        list.push(replaced("a parameter never used", text, range, &more));
    }
    for ty in model.types.list.iter().skip(1).filter(|ty| ty.used && ty.declared.len() == 1) {
        let name = model.names.text(ty.name);
        let mut mutant = replaced("a type misspelt where declared", text, ty.declared[0], &slip(name));
        mutant.name = Some(name.to_owned());
        list.push(mutant);
    }
    for flag in model.domain.into_iter().flat_map(|domain| &domain.requirements).filter(|flag| !flag.is(":strips")) {
        list.push(replaced("a requirement misspelt", text, flag.range, &slip(&flag.text)));
    }
}

/// A lost or doubled `)`. It is noticed at the next form that does not fit, so a finding within four lines counts.
fn bracket_mutants(text: &str, _: &Model) -> Vec<Mutant> {
    let mut list = Vec::new();
    for (at, _) in text.match_indices(')') {
        for (kind, new) in [("a `)` lost", ""), ("a `)` too many", "))")] {
            let mut mutant = replaced(kind, text, TextRange::new(at as u32, at as u32 + 1), new);
            let lines = |text: &str, from: usize| {
                text[from..].match_indices('\n').map(|(i, _)| from + i).nth(4).unwrap_or(text.len())
            };
            let end = lines(&mutant.text, at.min(mutant.text.len()));
            let start = mutant.text[..at].rmatch_indices('\n').nth(4).map_or(0, |(i, _)| i);
            mutant.place = TextRange::new(start as u32, end as u32);
            list.push(mutant);
        }
    }
    list
}

/// Mistakes in the meaning of conditions and effects.
fn semantic_mutants(text: &str, model: &Model) -> Vec<Mutant> {
    let mut list = Vec::new();
    for action in &model.actions {
        let mut literals = Vec::new();
        if let Some(precondition) = &action.precondition {
            precondition.conjuncts(&mut |part| {
                if let Formula::Literal { positive, range, .. } = part {
                    literals.push((*positive, *range));
                }
            });
        }
        for (positive, range) in &literals {
            let literal = &text[range.as_usize()];
            let opposite = if *positive { format!("(not {literal})") } else { unnegated(literal) };
            list.push(replaced("a contradictory precondition", text, *range, &format!("(and {literal} {opposite})")));
            list.push(replaced("a repeated precondition", text, *range, &format!("(and {literal} {literal})")));
            let nested = format!("(and {literal} (or {opposite} (and {opposite})))");
            list.push(replaced("a contradiction inside an alternative", text, *range, &nested));
        }
        effects(text, model, &action.effects, &literals, &mut list);
    }
    list
}

fn unnegated(literal: &str) -> String {
    let inner = literal.trim_start_matches("(not").trim();
    inner.strip_suffix(')').unwrap_or(inner).to_owned()
}

fn effects(text: &str, model: &Model, nodes: &[EffectNode], conditions: &[(bool, TextRange)], list: &mut Vec<Mutant>) {
    for node in nodes {
        let (range, add) = match node {
            EffectNode::Add(atom) => (model.atom(*atom).range, true),
            EffectNode::Delete { range, .. } => (*range, false),
            EffectNode::When { effects: inner, .. } | EffectNode::Forall { effects: inner, .. } => {
                effects(text, model, inner, &[], list);
                continue;
            }
            _ => continue,
        };
        let effect = &text[range.as_usize()];
        let opposite = if add { format!("(not {effect})") } else { unnegated(effect) };
        list.push(replaced("complementary effects", text, range, &format!("(and {effect} {opposite})")));
        list.push(replaced("a repeated effect", text, range, &format!("(and {effect} {effect})")));
        list.push(replaced(
            "complementary effects under `when`",
            text,
            range,
            &format!("(and {effect} (when (and) {opposite}))"),
        ));
        // An effect that the precondition implies, unless another effect deletes it.
        if let Some((_, required)) = conditions
            .iter()
            .find(|(positive, range)| *positive && !text.contains(&format!("(not {})", &text[range.as_usize()])))
        {
            let implied = format!("(and {effect} {})", &text[required.as_usize()]);
            list.push(replaced("an effect implied by the precondition", text, range, &implied));
        }
    }
}

fn findings(text: &str) -> Vec<Diagnostic> {
    check(&parse(text), &Settings::default())
}

/// True if the mistake is found at its place, and the number of findings that it causes.
fn judged(mutant: &Mutant, base: &[Diagnostic]) -> (bool, usize) {
    let is_old = |d: &Diagnostic| base.iter().any(|other| other.rule.name == d.rule.name && other.message == d.message);
    let mut new = findings(&mutant.text);
    // A requirement that the inserted text needs is not a consequence of the mistake.
    let is_requirement =
        |d: &Diagnostic| d.rule.name == "missing-requirement" && !mutant.kind.starts_with("a requirement");
    new.retain(|d| d.severity >= Severity::Information && !is_old(d) && !is_requirement(d));
    let hit = new.iter().any(|d| {
        let meets = |range: TextRange| range.start <= mutant.place.end && mutant.place.start <= range.end;
        let named = mutant.name.as_ref().is_some_and(|name| d.message.contains(&format!("`{name}`")));
        meets(d.range) || named || mutant.kind.starts_with("a requirement") && d.rule.name.ends_with("requirement")
    });
    if new.len() > 3 && std::env::var_os("PERCEPT_PRINT").is_some() {
        println!("{}: {} findings: {:?}", mutant.kind, new.len(), new.iter().map(|d| &d.message).collect::<Vec<_>>());
    }
    (hit, new.len())
}

/// Per kind: mistakes found, mistakes inserted, total findings.
type Table = BTreeMap<&'static str, (usize, usize, usize)>;

fn measure(make: fn(&str, &Model) -> Vec<Mutant>) -> Table {
    let mut table: Table = BTreeMap::new();
    for (file, text) in right_files() {
        let base = findings(&text);
        let source = parse(&text);
        let model = model(Some(&source), None);
        assert!(model.actions.iter().all(|action| !action.action.name.text.is_empty()));
        assert!(model.uses.iter().any(|atom| atom.place == Place::Goal), "{file} holds its problem too");
        for mutant in make(&text, &model) {
            let row = table.entry(mutant.kind).or_default();
            row.1 += 1;
            let (hit, count) = judged(&mutant, &base);
            row.2 += count;
            if hit {
                row.0 += 1;
            } else if std::env::var_os("PERCEPT_PRINT").is_some() {
                let line = mutant.text[..mutant.place.start as usize].matches('\n').count();
                println!("unseen in {file}: {}: {}", mutant.kind, mutant.text.lines().nth(line).unwrap_or_default());
            }
        }
    }
    table
}

/// Prints the table. Fails if fewer than `least` percent of a kind are found, or if one mistake causes more than two
/// findings on average.
fn judge(table: &Table, least: usize) {
    for (kind, (hits, all, findings)) in table {
        println!("{kind}: {hits} of {all}, {:.2} findings each", *findings as f64 / *all as f64);
    }
    for (kind, (hits, all, findings)) in table {
        assert!(hits * 100 >= all * least, "{kind}: only {hits} of {all}");
        assert!(*findings <= all * 2, "{kind}: {findings} findings for {all} mistakes");
    }
}

#[test]
fn mistakes_in_names_are_found_where_they_are() {
    judge(&measure(mutants), 95);
}

#[test]
fn lost_brackets_are_found_near() {
    judge(&measure(bracket_mutants), 90);
}

#[test]
fn mistakes_in_meaning_are_found_where_they_are() {
    judge(&measure(semantic_mutants), 95);
}
