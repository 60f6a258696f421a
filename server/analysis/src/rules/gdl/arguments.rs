//! The argument that an atom lacks, or that it has in addition, judged by the other atoms of its name.

use rustc_hash::{FxHashMap, FxHashSet};

use super::mends::{self, here};
use crate::gdl::{Facts, Occurrence, Place, Predicate, RuleId, RuleNode, Sym, TermId, natural};
use crate::{FileId, Fix, TextEdit};
use percept_syntax::{Language, TextRange};

/// The most proposals for one atom.
const MOST: usize = 3;
/// The most atoms with which one is compared, and the most values that are tried.
const COMPARED: usize = 500;
const VALUES: usize = 40;

/// An argument, for comparison: a variable or not, and its name.
type Key = (bool, Sym);

/// The arguments of the other atoms of a name, by position.
struct Columns<'f, 'a> {
    facts: &'f Facts<'a>,
    counts: Vec<FxHashMap<Key, usize>>,
    /// The facts among them, without variables.
    rows: Vec<Vec<Sym>>,
    /// The text of each atom.
    texts: FxHashSet<String>,
}

/// Proposals for an atom with one argument less or more than the `usual` number, the best first.
pub(super) fn proposals(facts: &Facts, predicate: &Predicate, odd: &Occurrence, usual: usize) -> Vec<Fix> {
    if !mends::sees_all(facts) {
        return Vec::new();
    }
    let columns = Columns::new(facts, predicate, usual);
    let own: Vec<TermId> = facts.term(odd.term).args().collect();
    let mut written: Vec<(f64, Vec<String>, Vec<TextEdit>)> = Vec::new();
    if own.len() + 1 == usual && !own.is_empty() {
        for at in 0..usual {
            let place = |argument: usize| argument + usize::from(argument >= at);
            let fit: f64 = own.iter().enumerate().map(|(it, arg)| columns.fit(place(it), columns.key(*arg))).sum();
            for (more, value) in columns.values(odd, &own, at) {
                let mut all: Vec<String> = own.iter().map(|arg| facts.text(facts.range(*arg)).to_string()).collect();
                all.insert(at, value.clone());
                written.push((fit + more, all, vec![insertion(facts, &own, at, &value)]));
            }
        }
    }
    if own.len() == usual + 1 && usual > 0 {
        for at in 0..own.len() {
            let rest = own.iter().enumerate().filter(|(it, _)| *it != at).map(|(_, arg)| *arg);
            let fit = rest.clone().enumerate().map(|(it, arg)| columns.fit(it, columns.key(arg))).sum();
            let all = rest.map(|arg| facts.text(facts.range(arg)).to_string()).collect();
            written.push((fit, all, vec![deletion(facts, &own, at)]));
        }
    }
    for (fit, all, _) in &mut written {
        // Two equal arguments are rare, and the whole atom may be elsewhere.
        *fit -= if (1..all.len()).any(|at| all[..at].contains(&all[at])) { 0.7 } else { 0.0 };
        *fit += if columns.texts.contains(&all.join(" ")) { 0.6 } else { 0.0 };
    }
    written.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    let mut seen = FxHashSet::default();
    written.retain(|(_, all, _)| seen.insert(all.clone()));
    let name = facts.spelling(facts.term(odd.term));
    let fix = |(_, all, edits): (f64, Vec<String>, Vec<TextEdit>)| {
        Fix::new(format!("Write `{}`", atom(facts, name, &all)), edits)
    };
    written.into_iter().take(MOST).map(fix).collect()
}

fn atom(facts: &Facts, name: &str, arguments: &[String]) -> String {
    match facts.source.language {
        Language::GdlInfix => format!("{name}({})", arguments.join(", ")),
        _ => format!("({name} {})", arguments.join(" ")),
    }
}

/// Writes a value before the argument at a position, or behind the last one.
fn insertion(facts: &Facts, own: &[TermId], at: usize, value: &str) -> TextEdit {
    let between = if facts.source.language == Language::GdlInfix { ", " } else { " " };
    match own.get(at) {
        Some(next) => TextEdit::new(here(TextRange::at(facts.range(*next).start)), format!("{value}{between}")),
        None => TextEdit::new(here(TextRange::at(facts.range(own[at - 1]).end)), format!("{between}{value}")),
    }
}

fn deletion(facts: &Facts, own: &[TermId], at: usize) -> TextEdit {
    let range = facts.range(own[at]);
    let range = match at {
        0 => TextRange::new(range.start, facts.range(own[1]).start),
        _ => TextRange::new(facts.range(own[at - 1]).end, range.end),
    };
    TextEdit::new(here(range), "")
}

impl<'f, 'a> Columns<'f, 'a> {
    fn new(facts: &'f Facts<'a>, predicate: &Predicate, usual: usize) -> Columns<'f, 'a> {
        let (rows, texts) = Default::default();
        let mut columns = Columns { facts, counts: vec![FxHashMap::default(); usual], rows, texts };
        let whole =
            predicate.occurrences.iter().filter(|it| facts.term(it.term).arity() == usual && !facts.is_broken(it.rule));
        for occurrence in whole.take(COMPARED) {
            let args: Vec<TermId> = facts.term(occurrence.term).args().collect();
            for (at, arg) in args.iter().enumerate() {
                let key = columns.key(*arg);
                *columns.counts[at].entry(key).or_default() += 1;
            }
            let rule = &facts.lowered.rules[occurrence.rule as usize];
            if rule.is_fact() {
                columns.rows.push(args.iter().map(|arg| facts.term(*arg).sym).collect());
            } else {
                let texts: Vec<&str> = args.iter().map(|arg| facts.text(facts.range(*arg))).collect();
                columns.texts.insert(texts.join(" "));
            }
        }
        columns
    }

    fn key(&self, term: TermId) -> Key {
        let node = self.facts.term(term);
        (node.variable().is_some(), node.sym)
    }

    /// The share of a position in all places of an argument; a half if it has none.
    fn fit(&self, at: usize, key: Key) -> f64 {
        let count = |column: &FxHashMap<Key, usize>| column.get(&key).copied().unwrap_or_default() as f64;
        let all: f64 = self.counts.iter().map(count).sum();
        if all > 0.0 { count(&self.counts[at]) / all } else { 0.5 }
    }

    /// The possible arguments at a position, each with its worth.
    fn values(&self, odd: &Occurrence, own: &[TermId], at: usize) -> Vec<(f64, String)> {
        let rule = &self.facts.lowered.rules[odd.rule as usize];
        match rule.is_fact() {
            true => self.of_fact(own, at),
            false => self.of_rule(rule, odd, own, at),
        }
    }

    /// In a rule: the arguments of the other atoms at the position, and the variables of the rule, first those that are
    /// unsafe without it, then those with only one other place.
    fn of_rule(&self, rule: &RuleNode, odd: &Occurrence, own: &[TermId], at: usize) -> Vec<(f64, String)> {
        let facts = self.facts;
        let bound = mends::bound_by(facts, rule.body());
        let mut values: Vec<(f64, String)> = Vec::new();
        for (number, variable) in rule.variables().iter().enumerate() {
            let key = self.key(variable.first);
            let is_here = own.iter().any(|arg| facts.term(*arg).variable() == Some(number as u32));
            let lacks_place = if odd.in_head { variable.count == 1 } else { !bound.contains(&(number as u32)) };
            let need = if lacks_place && !is_here { 1.5 } else { 0.5 };
            let place = if self.counts[at].contains_key(&key) { self.fit(at, key) } else { 0.2 };
            values.push((place + need, facts.text(facts.range(variable.first)).to_string()));
        }
        let all: usize = self.counts[at].values().sum();
        for (key, count) in self.counts[at].iter().take(VALUES) {
            let is_named = |it: &&crate::gdl::Variable| self.key(it.first) == *key;
            // In a head, a variable needs another place.
            if key.0 && (odd.in_head || rule.variables().iter().any(|it| is_named(&it))) {
                continue;
            }
            let name = if key.0 { self.facts.lowered.variable_names.name(key.1) } else { facts.name(key.1) };
            let text = if key.0 && facts.source.language == Language::GdlPrefix {
                format!("?{name}")
            } else {
                name.to_string()
            };
            let share = *count as f64 / all.max(1) as f64;
            values.push((share * if key.0 { 0.4 } else { 0.9 }, text));
        }
        values
    }

    /// In a fact: the values at the position with which it is a new fact; best a number that goes on in the series of
    /// the others, or one that is not yet at the position if each is there once.
    fn of_fact(&self, own: &[TermId], at: usize) -> Vec<(f64, String)> {
        let own: Vec<Sym> = own.iter().map(|arg| self.facts.term(*arg).sym).collect();
        let column: FxHashMap<Sym, usize> = self.column(at);
        let often = column.values().max().copied().unwrap_or(1);
        let mut pool: Vec<Sym> =
            (0..self.counts.len()).flat_map(|it| self.column(it).into_keys().collect::<Vec<_>>()).collect();
        pool.extend(&own);
        pool.sort_unstable();
        pool.dedup();
        let mut values = Vec::new();
        for value in pool.into_iter().take(VALUES) {
            let mut row = own.clone();
            row.insert(at, value);
            if self.rows.contains(&row) {
                continue;
            }
            let count = column.get(&value).copied().unwrap_or_default();
            let is_known = if count > 0 || often == 1 { 0.3 } else { 0.0 };
            let rare = 1.0 - count as f64 / often as f64;
            values.push((is_known + 0.5 * rare + self.regular(&row), self.facts.name(value).to_string()));
        }
        values
    }

    fn column(&self, at: usize) -> FxHashMap<Sym, usize> {
        let mut counts = FxHashMap::default();
        self.rows.iter().for_each(|row| *counts.entry(row[at]).or_default() += 1);
        counts
    }

    /// The number of pairs of positions with a constant difference in all other facts, that this fact has too; less
    /// one for each that it lacks, and for each value that would be at its position twice if no other is.
    fn regular(&self, row: &[Sym]) -> f64 {
        let step = |row: &[Sym], a: usize, b: usize| {
            let (one, other) = (natural(self.facts.name(row[a]))?, natural(self.facts.name(row[b]))?);
            (one.0 == other.0).then(|| other.1 - one.1)
        };
        let mut worth = 0.0;
        for b in 1..row.len() {
            for a in 0..b {
                let mut steps = self.rows.iter().map(|row| step(row, a, b));
                let Some(first) = steps.next().flatten() else { continue };
                if self.rows.len() > 1 && steps.all(|it| it == Some(first)) {
                    worth += if step(row, a, b) == Some(first) { 1.0 } else { -1.0 };
                }
            }
        }
        for (at, value) in row.iter().enumerate() {
            let column = self.column(at);
            let is_once = self.rows.len() > 1 && column.values().all(|count| *count == 1);
            worth -= if is_once && column.contains_key(value) { 0.7 } else { 0.0 };
        }
        worth
    }
}

/// Exchanges two neighbouring arguments after which a variable has a value that fits all its places.
pub(super) fn exchanges(facts: &Facts, rule: RuleId, variable: TermId) -> Vec<Fix> {
    let Some(variable) = facts.term(variable).variable().filter(|_| mends::sees_all(facts)) else { return Vec::new() };
    let node = &facts.lowered.rules[rule as usize];
    let mut fixes = Vec::new();
    for list in node.terms().filter(|term| facts.term(*term).arity() > 1) {
        let args: Vec<TermId> = facts.term(list).args().collect();
        for pair in args.windows(2).filter(|pair| pair.iter().any(|arg| facts.term(*arg).variable() == Some(variable)))
        {
            if !facts.same(pair[0], pair[1]) && fits_exchanged(facts, rule, pair[0], pair[1]) {
                let (one, other) = (facts.range(pair[0]), facts.range(pair[1]));
                fixes.push(Fix::exchange(&facts.source.text, FileId(0), one, other));
            }
        }
    }
    fixes.truncate(MOST);
    fixes
}

/// True if each of two neighbouring arguments has a value at the place of the other and at all its own other places.
fn fits_exchanged(facts: &Facts, rule: RuleId, one: TermId, other: TermId) -> bool {
    let place = |term: TermId| facts.domains.place_of(rule, term);
    let (Some(here), Some(there)) = (place(one), place(other)) else { return false };
    let fits = |term: TermId, old: Place, new: Place| match facts.term(term).variable() {
        None => facts.domains.has_constant(new, facts.term(term).sym),
        Some(variable) => {
            let mut places = facts.domains.places_of(rule, variable).filter(|place| *place != old).collect::<Vec<_>>();
            places.push(new);
            let Some(closed) = places.iter().find(|place| !facts.domains.is_open(**place)) else { return true };
            facts
                .domains
                .constants(*closed)
                .any(|sym| places.iter().all(|place| facts.domains.has_constant(*place, sym)))
        }
    };
    fits(one, here, there) && fits(other, there, here)
}
