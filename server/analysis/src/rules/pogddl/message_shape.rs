//! Messages of one head with different arguments.

use percept_syntax::words::counted;
use rustc_hash::FxHashMap;

use super::mends;
use crate::pddl::{AtomUse, Facts, Symbol, Term, TypeSet, UseKind, VarId, remove};
use crate::{Findings, Fix, Rule, Severity};

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
            let finding = finding.offer(shaped(facts, atom, &same, usual));
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

/// Gives a message the argument that it lacks, or removes one that is too many. The likeliest place is the one at which
/// the other arguments have the usual types; the likeliest argument is that of another message of the same action, and
/// hidden if that one shows it.
fn shaped(facts: &Facts, atom: &AtomUse, same: &[&AtomUse], usual: usize) -> Vec<Fix> {
    let model = &facts.model;
    let terms = model.terms_of(atom);
    if terms.len() == usual + 1 {
        let without = |at: usize| terms.iter().enumerate().filter(move |(it, _)| *it != at).map(|(_, term)| *term);
        let misfits = |at: &usize| misfits(facts, &without(*at).collect::<Vec<_>>(), same);
        let mut places: Vec<usize> = (0..terms.len()).rev().collect();
        places.sort_by_key(misfits);
        let removed = |at: usize| {
            let title = format!("Remove `{}`", facts.term(terms[at]));
            remove(title, model.domain_source, atom.file, model.term_range(atom, at))
        };
        // Of two messages, the shorter one rather lacks an argument.
        let completed = match same {
            [other] => shaped(facts, other, &[atom], terms.len()),
            _ => Vec::new(),
        };
        return mends::distinct(completed.into_iter().take(mends::MOST / 2).chain(places.into_iter().map(removed)));
    }
    if terms.len() + 1 != usual {
        return Vec::new();
    }
    let twin = same.iter().find(|other| other.place == atom.place);
    let mut written: Vec<(usize, Fix)> = Vec::new();
    for at in (0..usual).rev() {
        let own: Vec<Term> = model
            .variables
            .iter()
            .enumerate()
            .filter(|(_, it)| it.place == atom.place)
            .map(|(id, _)| Term::Variable(VarId(id as u32)))
            .collect();
        let hidden = model.object_named("u").map(Term::Object);
        for term in own.into_iter().chain(hidden) {
            let mut all = terms.to_vec();
            all.insert(at, term);
            let unlike = twin.map_or(0, |twin| model.terms_of(twin).iter().zip(&all).filter(|(a, b)| a != b).count());
            // Two receivers of one action's message do not get the same.
            let is_repeated = usize::from(twin.is_some() && unlike == 0 || terms.contains(&term));
            let rank = 8 * misfits(facts, &all, same) + 4 * is_repeated + unlike;
            written.push((rank, mends::inserted(atom, at, &facts.term(term))));
        }
    }
    written.sort_by_key(|(rank, _)| *rank);
    mends::distinct(written.into_iter().map(|(_, fix)| fix))
}

/// The number of arguments that have another type than all others at their place.
fn misfits(facts: &Facts, terms: &[Term], same: &[&AtomUse]) -> usize {
    let model = &facts.model;
    let types_of =
        |term: Term| model.types_of(term).filter(|types| types.is_known(&model.types) && facts.term(term) != "u");
    let is_misfit = |(at, term): (usize, &Term)| {
        let mut others = same.iter().filter_map(|other| types_of(*model.terms_of(other).get(at)?)).peekable();
        let Some(own) = types_of(*term) else { return false };
        others.peek().is_some() && !others.any(|types| types.may_meet(own, &model.types))
    };
    terms.iter().enumerate().filter(|it| is_misfit(*it)).count()
}

/// The other messages.
fn others<'f, 'a>(uses: &[&'f AtomUse<'a>], n: usize) -> Vec<&'f AtomUse<'a>> {
    uses.iter().enumerate().filter(|(other, _)| *other != n).map(|(_, atom)| *atom).collect()
}

/// Exchanges an argument with another one, so that fewer have an unusual type.
fn exchanged(facts: &Facts, atom: &AtomUse, position: usize, same: &[&AtomUse]) -> Vec<Fix> {
    let model = &facts.model;
    let terms = model.terms_of(atom);
    let before = misfits(facts, terms, same);
    let better = |other: &usize| {
        let mut all = terms.to_vec();
        all.swap(position, *other);
        misfits(facts, &all, same) < before
    };
    let text = model.domain_source.map_or("", |source| &source.text);
    let range = |at: usize| model.term_range(atom, at);
    let places = (0..terms.len()).filter(|other| *other != position).filter(better);
    places.map(|other| Fix::exchange(text, atom.file, range(position), range(other))).take(mends::MOST).collect()
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
            let finding = finding.offer(exchanged(facts, atom, position, &others(uses, *n)));
            findings.push(finding.related(uses[example].file, model.term_range(uses[example], position), "elsewhere"));
        }
    }
}
