//! A fact whose arguments stand in another order than in all facts like it.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::gdl::{Facts, Shape, Space, Sym, TermId, keyword};
use crate::{FileId, Findings, Rule, Severity, TextEdit};

/// See the page.
pub static RULE: Rule =
    Rule { name: "exchanged-arguments", severity: Severity::Warning, page: include_str!("exchanged-arguments.md") };

/// How many facts alike it takes to know what stands where.
const LEAST: usize = 4;

/// Facts with more arguments are no facts that somebody writes by hand.
const MAX_ARITY: usize = 5;

pub fn check(facts: &Facts, findings: &mut Findings) {
    let mut groups: Vec<((Sym, Sym, usize), Vec<TermId>)> = Vec::new();
    let mut index: FxHashMap<(Sym, Sym, usize), usize> = FxHashMap::default();
    for (_, rule) in facts.sound_rules() {
        let Some(head) = rule.head else { continue };
        let (around, fact) = match facts.inner(head) {
            Some((Space::Fluent, inner)) => (keyword::NEXT, inner),
            Some(_) => continue,
            None => (facts.term(head).sym, head),
        };
        let node = facts.term(fact);
        if !(2..=MAX_ARITY).contains(&node.arity()) || node.args().any(|arg| facts.term(arg).shape != Shape::Constant) {
            continue;
        }
        let key = (around, node.sym, node.arity());
        let group = *index.entry(key).or_insert_with(|| {
            groups.push((key, Vec::new()));
            groups.len() - 1
        });
        groups[group].1.push(fact);
    }
    for ((_, _, arity), terms) in groups.iter().filter(|(_, terms)| terms.len() >= LEAST) {
        group(facts, *arity, terms, findings);
    }
}

fn group(facts: &Facts, arity: usize, terms: &[TermId], findings: &mut Findings) {
    let value = |fact: TermId, place: usize| facts.term(fact).arg(place).map(|arg| facts.term(arg).sym);
    let mut counts: FxHashMap<(usize, Sym), usize> = FxHashMap::default();
    for (fact, place) in terms.iter().flat_map(|fact| (0..arity).map(move |place| (*fact, place))) {
        *counts.entry((place, value(fact, place).unwrap_or(Sym(0)))).or_default() += 1;
    }
    let count = |place: usize, sym: Sym| counts.get(&(place, sym)).copied().unwrap_or(0);
    for &fact in terms {
        let own: Vec<Sym> = (0..arity).filter_map(|place| value(fact, place)).collect();
        // A value that stands here in this fact alone, and elsewhere in the place of another such.
        let strange: Vec<usize> = (0..arity).filter(|place| count(*place, own[*place]) == 1).collect();
        let known = |a: usize, b: usize| own[a] != own[b] && count(a, own[b]) > 0 && count(b, own[a]) > 0;
        let pairs = strange.iter().flat_map(|a| strange.iter().map(move |b| (*a, *b))).filter(|(a, b)| a < b);
        let pair = pairs.into_iter().find(|(a, b)| {
            known(*a, *b) && apart(facts, terms, fact, *a, *b) || numbers_and_names(facts, terms, fact, *a, *b)
        });
        if pair.is_none() {
            continue;
        }
        let range = facts.range(fact);
        let like = terms.iter().find(|other| **other != fact).map_or(range, |other| facts.range(*other));
        let mut finding = facts
            .at(&RULE, range, "the arguments stand in another order in the other facts of this kind: exchange them")
            .related(FileId(0), like, "as here");
        let mut orders = Vec::new();
        orders_of(arity, &mut Vec::new(), &mut |order| {
            let alike = |place: usize| {
                let others = terms.iter().filter(|other| **other != fact);
                let known = count(place, own[order[place]]) > usize::from(order[place] == place);
                known || is_number(facts, own[order[place]]) == others.into_iter().all(|other| number_at(facts, *other, place))
            };
            let fits = (0..arity).all(alike);
            let made: Vec<Sym> = order.iter().map(|from| own[*from]).collect();
            let is_there = |other: &TermId| (0..arity).all(|place| value(*other, place) == Some(made[place]));
            if fits && !terms.iter().any(is_there) {
                orders.push(order.to_vec());
            }
        });
        if let [order] = &orders[..] {
            let parts: Vec<_> = facts.term(fact).args().map(|arg| facts.range(arg)).collect();
            let moved = (0..arity).filter(|place| order[*place] != *place);
            let edit = |place: usize| TextEdit {
                file: FileId(0),
                range: parts[place],
                insert: facts.text(parts[order[place]]).to_string(),
            };
            finding = finding.fix("Exchange them", moved.map(edit).collect());
        }
        findings.push(finding);
    }
}

/// Whether all other facts have a number in one place and none in the other, and this one the other way round.
fn numbers_and_names(facts: &Facts, terms: &[TermId], fact: TermId, a: usize, b: usize) -> bool {
    let (first, second) = (number_at(facts, fact, a), number_at(facts, fact, b));
    let mut others = terms.iter().filter(|other| **other != fact);
    first != second && others.all(|other| number_at(facts, *other, a) == second && number_at(facts, *other, b) == first)
}

fn number_at(facts: &Facts, fact: TermId, place: usize) -> bool {
    facts.term(fact).arg(place).is_some_and(|arg| is_number(facts, facts.term(arg).sym))
}

fn is_number(facts: &Facts, sym: Sym) -> bool {
    facts.name(sym).bytes().all(|byte| byte.is_ascii_digit())
}

/// Every order of the first `count` numbers.
fn orders_of(count: usize, order: &mut Vec<usize>, f: &mut impl FnMut(&[usize])) {
    if order.len() == count {
        return f(order);
    }
    for next in 0..count {
        if !order.contains(&next) {
            order.push(next);
            orders_of(count, order, f);
            order.pop();
        }
    }
}

/// Whether no value stands in both places, but for the fact in question.
fn apart(facts: &Facts, terms: &[TermId], fact: TermId, a: usize, b: usize) -> bool {
    let values = |place: usize| -> FxHashSet<Sym> {
        let others = terms.iter().filter(|other| **other != fact);
        others.filter_map(|other| facts.term(*other).arg(place)).map(|arg| facts.term(arg).sym).collect()
    };
    values(a).is_disjoint(&values(b))
}
