//! Variables of an atom in another order than everywhere else.

use rustc_hash::FxHashMap;

use crate::gdl::{Facts, Literal, Occurrence, RuleNode, Space, Sym, TermId, keyword};
use crate::{FileId, Findings, Rule, Severity, TextEdit};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "exchanged-variables", severity: Severity::Warning, page: include_str!("exchanged-variables.md") };

/// Other atoms with the names in the usual order that make a habit.
const HABIT: usize = 3;
/// Atoms of one rule that have the same form.
const ROW: usize = 3;
/// The greatest arity of atoms that are looked at.
const MAX_ARITY: usize = 8;
/// Uses of a name that are looked at.
const MOST: usize = 2_000;

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let mut reported: Vec<TermId> = Vec::new();
    for (_, rule) in facts.sound_rules() {
        let slip = frame(facts, rule).or_else(|| closure(facts, rule)).or_else(|| row(facts, rule));
        if let Some(slip) = slip {
            reported.push(slip.atom);
            tell(facts, &slip, findings);
        }
    }
    for predicate in &facts.predicates {
        let slip = habit(facts, predicate.space, predicate.sym);
        if let Some(slip) = slip.filter(|slip| !reported.contains(&slip.atom)) {
            tell(facts, &slip, findings);
        }
    }
}

/// An atom, or its inner term, with two arguments in exchanged places.
struct Slip {
    atom: TermId,
    places: (usize, usize),
    why: String,
    like: TermId,
}

fn tell(facts: &Facts, slip: &Slip, findings: &mut Findings) {
    let range = facts.range(slip.atom);
    if findings.reported(FileId(0), range) {
        return;
    }
    let args: Vec<TermId> = facts.term(slip.atom).args().collect();
    let (one, other) = (facts.range(args[slip.places.0]), facts.range(args[slip.places.1]));
    let (first, second) = (facts.text(one).to_string(), facts.text(other).to_string());
    let message = format!("`{first}` and `{second}` are exchanged in `{}`: {}", facts.text(range), slip.why);
    let edits = vec![
        TextEdit { file: FileId(0), range: one, insert: second },
        TextEdit { file: FileId(0), range: other, insert: first },
    ];
    let finding = facts.at(&RULE, range, message).fix("Exchange them", edits);
    findings.push(finding.related(FileId(0), facts.range(slip.like), "as here"));
}

/// The positive atoms of a body.
fn atoms(rule: &RuleNode) -> Vec<TermId> {
    let atom = |literal: &Literal| if let Literal::Atom(atom) = literal { Some(*atom) } else { None };
    rule.body().iter().filter_map(atom).collect()
}

/// The only two places in which two lists differ, if they have each other's values there.
fn exchanged<T: PartialEq>(one: &[T], other: &[T]) -> Option<(usize, usize)> {
    if one.len() != other.len() {
        return None;
    }
    let mut odd = (0..one.len()).filter(|at| one[*at] != other[*at]);
    let (a, b) = (odd.next()?, odd.next()?);
    (odd.next().is_none() && one[a] == other[b] && one[b] == other[a]).then_some((a, b))
}

/// The variables of a term's arguments; `None` for another argument.
fn variables(facts: &Facts, term: TermId) -> Vec<Option<u32>> {
    facts.term(term).args().map(|arg| facts.term(arg).variable()).collect()
}

/// A rule that keeps a fluent, but with two arguments exchanged.
fn frame(facts: &Facts, rule: &RuleNode) -> Option<Slip> {
    let head = rule.head().filter(|head| facts.term(*head).sym == keyword::NEXT)?;
    let (_, made) = facts.inner(head)?;
    let node = facts.term(made);
    let own = texts(facts, made);
    // A fluent that is turned round on purpose reads a move.
    let mut others = atoms(rule).into_iter();
    if others.any(|atom| facts.term(atom).sym == keyword::DOES) {
        return None;
    }
    let read = atoms(rule).into_iter().filter_map(|atom| facts.inner(atom)).map(|(_, inner)| inner);
    let same = |inner: &TermId| facts.term(*inner).sym == node.sym && facts.term(*inner).arity() == node.arity();
    let mut read = read.filter(same);
    let (inner, None) = (read.next()?, read.next()) else { return None };
    let places = exchanged(&own, &texts(facts, inner))?;
    let is_bound = |place: usize| variables(facts, made)[place].is_some();
    let why = "so the rule exchanges them in every round".to_string();
    (is_bound(places.0) && is_bound(places.1)).then_some(Slip { atom: inner, places, why, like: made })
}

fn texts<'f>(facts: &'f Facts, term: TermId) -> Vec<&'f str> {
    facts.term(term).args().map(|arg| facts.text(facts.range(arg))).collect()
}

/// A step and the relation itself that form no path from the first argument to the last: `(less ?a ?c)` by `(succ ?a
/// ?b)` and `(less ?c ?b)`.
fn closure(facts: &Facts, rule: &RuleNode) -> Option<Slip> {
    let head = rule.head()?;
    let [one, other] = atoms(rule)[..] else { return None };
    let node = facts.term(head);
    if node.arity() != 2 || rule.body().len() != 2 || facts.inner(head).is_some() {
        return None;
    }
    let own = |atom: TermId| facts.term(atom).sym == node.sym && facts.term(atom).arity() == 2;
    let (step, again) = match (own(one), own(other)) {
        (false, true) => (one, other),
        (true, false) => (other, one),
        _ => return None,
    };
    if facts.term(step).arity() != 2 || facts.inner(step).is_some() {
        return None;
    }
    let pair = |term: TermId| match variables(facts, term)[..] {
        [Some(a), Some(b)] if a != b => Some((a, b)),
        _ => None,
    };
    let (whole, first, second) = (pair(head)?, pair(step)?, pair(again)?);
    if rule.variables().len() != 3 {
        return None;
    }
    // A single step is in the relation, in the same direction.
    let is_base = |made: &Occurrence| {
        let rule = &facts.lowered.rules[made.rule as usize];
        let [only] = atoms(rule)[..] else { return false };
        let is_step = facts.term(only).sym == facts.term(step).sym;
        rule.body().len() == 1 && is_step && variables(facts, only) == variables(facts, made.term)
    };
    let base = facts.predicate(Space::Relation, node.sym)?.produced().find(|made| is_base(made))?;
    let is_way = |whole, one: (u32, u32), other: (u32, u32)| one.1 == other.0 && whole == (one.0, other.1);
    let fits = |whole, step, again| is_way(whole, step, again) || is_way(whole, again, step);
    let back = |pair: (u32, u32)| (pair.1, pair.0);
    if fits(whole, first, second) || fits(back(whole), back(first), back(second)) {
        return None;
    }
    let why = |step: TermId| {
        format!("with `{}` no path leads from the first argument to the last", facts.text(facts.range(step)))
    };
    let ways = [(again, fits(whole, first, back(second))), (step, fits(whole, back(first), second))];
    let atom = ways.into_iter().find(|(_, fits)| *fits).map(|(atom, _)| atom);
    let atom = atom.or_else(|| fits(back(whole), first, second).then_some(head))?;
    let partner = if atom == step { again } else { step };
    Some(Slip { atom, places: (0, 1), why: why(partner), like: base.term })
}

/// One of several atoms of the same form in a rule: `(cell ?y 1)` among `(cell 2 ?y)` and `(cell 3 ?y)`.
fn row(facts: &Facts, rule: &RuleNode) -> Option<Slip> {
    let mut groups: FxHashMap<(Sym, Sym, usize), Vec<TermId>> = FxHashMap::default();
    for atom in atoms(rule) {
        let inner = facts.inner(atom).map_or(atom, |(_, inner)| inner);
        let node = facts.term(inner);
        if (2..=MAX_ARITY).contains(&node.arity()) {
            groups.entry((facts.term(atom).sym, node.sym, node.arity())).or_default().push(inner);
        }
    }
    let mut found: Vec<Slip> = groups.values().filter_map(|group| odd_one(facts, group)).collect();
    found.sort_by_key(|slip| facts.range(slip.atom).start);
    found.into_iter().next()
}

fn odd_one(facts: &Facts, group: &[TermId]) -> Option<Slip> {
    if group.len() < ROW {
        return None;
    }
    let forms: Vec<Vec<Option<u32>>> = group.iter().map(|atom| variables(facts, *atom)).collect();
    let usual = [0, 1]
        .into_iter()
        .map(|at| &forms[at])
        .find(|form| forms.iter().filter(|other| other == form).count() + 1 == forms.len())?;
    let odd = forms.iter().position(|form| form != usual)?;
    let (a, b) = exchanged(&forms[odd], usual)?;
    // A variable and a constant.
    let is_mixed = usual[a].is_some() != usual[b].is_some();
    let like = group[forms.iter().position(|form| form == usual)?];
    let why = "the other conditions of this form have them the other way round".to_string();
    is_mixed.then_some(Slip { atom: group[odd], places: (a, b), why, like })
}

/// An atom of a fluent or move with two variables in each other's places, where all others have them the same way. In
/// pairs such as `(on ?x ?y)` the order says which is which.
fn habit(facts: &Facts, space: Space, sym: Sym) -> Option<Slip> {
    if space == Space::Relation {
        return None;
    }
    let uses = &facts.predicate(space, sym)?.occurrences;
    let arity = facts.term(uses.first()?.term).arity();
    if !(3..=MAX_ARITY).contains(&arity) {
        return None;
    }
    let is_sound = |at: &&Occurrence| !facts.is_broken(at.rule) && facts.term(at.term).arity() == arity;
    let sound: Vec<&Occurrence> = uses.iter().take(MOST).filter(is_sound).collect();
    let terms: Vec<TermId> = sound.iter().map(|at| at.term).collect();
    let names = |term: TermId| -> Vec<Option<&str>> {
        let name = |arg: TermId| facts.term(arg).variable().map(|_| facts.text(facts.range(arg)));
        facts.term(term).args().map(name).collect()
    };
    let all: Vec<Vec<Option<&str>>> = terms.iter().map(|term| names(*term)).collect();
    let mut found = None;
    for (a, b) in (0..arity).flat_map(|a| (a + 1..arity).map(move |b| (a, b))) {
        let mut counts: FxHashMap<(&str, &str), (usize, usize)> = FxHashMap::default();
        let mut at_place: FxHashMap<(usize, &str), usize> = FxHashMap::default();
        for (at, row) in all.iter().enumerate() {
            if let (Some(one), Some(other)) = (row[a], row[b]) {
                let entry = counts.entry((one, other)).or_insert((0, at));
                entry.0 += 1;
            }
            for place in [a, b] {
                row[place].into_iter().for_each(|name| *at_place.entry((place, name)).or_default() += 1);
            }
        }
        for (&(one, other), &(count, at)) in &counts {
            let usual = counts.get(&(other, one)).copied().unwrap_or((0, 0));
            let is_alone = at_place.get(&(a, one)) == Some(&1) && at_place.get(&(b, other)) == Some(&1);
            // Next to an atom in the usual order, the exchange is intended.
            let is_beside = || {
                let same = |n: usize| sound[n].rule == sound[at].rule && n != at;
                (0..all.len()).any(|n| same(n) && all[n][a] == Some(other) && all[n][b] == Some(one))
            };
            if count != 1 || usual.0 < HABIT || !is_alone || is_beside() {
                continue;
            }
            if found.is_some() {
                return None;
            }
            let why =
                format!("the other {} conditions and heads with these names have them the other way round", usual.0);
            found = Some(Slip { atom: terms[at], places: (a, b), why, like: terms[usual.1] });
        }
    }
    found
}
