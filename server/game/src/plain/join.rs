//! All ways to make the positive conditions of a rule true: one condition after the other, by tables of what may hold.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::gdl::program::{Atom, Condition, Pattern, RelationId, Rule, UNBOUND};
use crate::terms::{Sym, TermId, Terms};

/// The atoms that may hold of one relation, in the order in which they were found.
#[derive(Default)]
pub(super) struct Table {
    rows: Vec<Box<[TermId]>>,
    known: FxHashSet<Box<[TermId]>>,
    /// Rows by what stands at some places in them, made when first wanted.
    indices: FxHashMap<Vec<Place>, Index>,
}

#[derive(Default)]
struct Index {
    /// How many rows are in it.
    upto: usize,
    rows: FxHashMap<Vec<u32>, Vec<u32>>,
}

/// A place in a row: the steps from the row down into terms, and whether the whole term or only its head is looked at.
type Place = (Vec<u32>, bool);

impl Table {
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn has(&self, row: &[TermId]) -> bool {
        self.known.contains(row)
    }

    pub(super) fn row(&self, row: usize) -> &[TermId] {
        &self.rows[row]
    }

    pub(super) fn push(&mut self, row: Box<[TermId]>) -> bool {
        let fresh = self.known.insert(row.clone());
        if fresh {
            self.rows.push(row);
        }
        fresh
    }

    /// The rows with `key` at `places`, in their order.
    fn find(&mut self, terms: &Terms, places: &[Place], key: &[u32]) -> Vec<u32> {
        if places.is_empty() {
            return (0..self.rows.len() as u32).collect();
        }
        if !self.indices.contains_key(places) {
            self.indices.insert(places.to_vec(), Index::default());
        }
        let Some(index) = self.indices.get_mut(places) else { return Vec::new() };
        for row in index.upto..self.rows.len() {
            let key: Option<Vec<u32>> = places.iter().map(|place| at(terms, &self.rows[row], place)).collect();
            if let Some(key) = key {
                index.rows.entry(key).or_default().push(row as u32);
            }
        }
        index.upto = self.rows.len();
        index.rows.get(key).cloned().unwrap_or_default()
    }
}

/// What stands at a place of a row.
fn at(terms: &Terms, row: &[TermId], (path, is_whole): &Place) -> Option<u32> {
    let (first, rest) = path.split_first()?;
    let mut term = *row.get(*first as usize)?;
    for &step in rest {
        term = *terms.args(term)?.get(step as usize)?;
    }
    if *is_whole { Some(term.0) } else { terms.args(term).map(|_| terms.functor(term).0) }
}

/// Whether the pattern is this term, binding variables.
fn matches(terms: &Terms, pattern: &Pattern, term: TermId, bindings: &mut [TermId], bound: &mut Vec<u32>) -> bool {
    match pattern {
        Pattern::Ground(known) => *known == term,
        Pattern::Variable(variable) => {
            let value = &mut bindings[*variable as usize];
            if *value == UNBOUND {
                *value = term;
                bound.push(*variable);
            }
            *value == term
        }
        Pattern::Compound(functor, parts) => terms.args(term).is_some_and(|args| {
            terms.functor(term) == *functor
                && args.len() == parts.len()
                && parts.iter().zip(args).all(|(part, &arg)| matches(terms, part, arg, bindings, bound))
        }),
    }
}

/// Rows of the tables that a search may use: for each positive condition of a rule, by its place in the body.
pub(super) type Windows<'a> = &'a dyn Fn(usize, RelationId) -> std::ops::Range<usize>;

/// Whether a condition that is no positive one can hold under bindings of all its variables.
pub(super) type Test<'t> = &'t mut dyn FnMut(&[Table], &Condition, &[TermId]) -> bool;

/// A rule with its conditions in an order in which they bind each other's variables.
struct Search<'a> {
    terms: &'a Terms,
    rule: &'a Rule,
    windows: Windows<'a>,
    /// The positive conditions, in order.
    order: Vec<(usize, &'a Atom)>,
    /// By place in the order: the conditions that can be tested once it is reached.
    tests: Vec<Vec<&'a Condition>>,
}

/// Calls `f` with the bindings of every way to make all positive conditions true. `test`: whether a condition that is
/// no positive one can hold, asked as soon as all its variables have values. `first`: the condition to begin with.
pub(super) fn solve<'a>(
    (terms, tables): (&Terms, &mut [Table]),
    rule: &'a Rule,
    first: Option<usize>,
    windows: Windows<'_>,
    test: Test<'_>,
    f: &mut dyn FnMut(&[TermId]) -> bool,
) {
    let mut open: Vec<(usize, &'a Atom)> = Vec::new();
    let mut rest: Vec<&Condition> = Vec::new();
    for (index, literal) in rule.body.iter().enumerate() {
        match &literal.condition {
            Condition::Positive(atom) => open.push((index, atom)),
            other => rest.push(other),
        }
    }
    let mut bound: FxHashSet<u32> = FxHashSet::default();
    let ready = |rest: &mut Vec<&'a Condition>, bound: &FxHashSet<u32>| -> Vec<&'a Condition> {
        let is_ready = |condition: &&Condition| {
            let mut all = true;
            condition.variables(&mut |variable| all &= bound.contains(&variable));
            all
        };
        let (now, later): (Vec<_>, Vec<_>) = rest.iter().copied().partition(is_ready);
        *rest = later;
        now
    };
    let mut tests = vec![ready(&mut rest, &bound)];
    let mut order = Vec::new();
    while !open.is_empty() {
        let worth = |&(index, atom): &(usize, &Atom)| {
            let (mut known, mut new) = (0, 0);
            atom.variables(&mut |variable| if bound.contains(&variable) { known += 1 } else { new += 1 });
            (order.is_empty() && first == Some(index), new == 0, known > 0, -new, known)
        };
        let best = (0..open.len()).rev().max_by_key(|&at| worth(&open[at])).unwrap_or(0);
        let next = open.remove(best);
        next.1.variables(&mut |variable| {
            bound.insert(variable);
        });
        order.push(next);
        tests.push(ready(&mut rest, &bound));
    }
    let search = Search { terms, rule, windows, order, tests };
    let mut bindings = vec![UNBOUND; search.rule.variables.len()];
    search.from(0, tables, &mut bindings, test, f);
}

impl Search<'_> {
    /// False where `f` wants no more.
    fn from(
        &self,
        depth: usize,
        tables: &mut [Table],
        bindings: &mut Vec<TermId>,
        test: Test<'_>,
        f: &mut dyn FnMut(&[TermId]) -> bool,
    ) -> bool {
        if !self.tests[depth].iter().all(|condition| test(tables, condition, bindings)) {
            return true;
        }
        let Some(&(index, atom)) = self.order.get(depth) else { return f(bindings) };
        let window = (self.windows)(index, atom.relation);
        if window.is_empty() {
            return true;
        }
        let (mut places, mut key) = (Vec::new(), Vec::new());
        for (place, arg) in atom.args.iter().enumerate() {
            known(arg, vec![place as u32], bindings, &mut places, &mut key);
        }
        let rows = tables[atom.relation.index()].find(self.terms, &places, &key);
        let begin = rows.partition_point(|&row| (row as usize) < window.start);
        for &row in rows[begin..].iter().take_while(|&&row| (row as usize) < window.end) {
            let mut bound = Vec::new();
            let row = &tables[atom.relation.index()].rows[row as usize];
            let fits = atom.args.iter().zip(row.iter());
            let fits = fits.into_iter().all(|(arg, &term)| matches(self.terms, arg, term, bindings, &mut bound));
            let goes_on = !fits || self.from(depth + 1, tables, bindings, test, f);
            bound.into_iter().for_each(|variable| bindings[variable as usize] = UNBOUND);
            if !goes_on {
                return false;
            }
        }
        true
    }
}

/// What of a pattern is known under the bindings, and where it stands.
fn known(pattern: &Pattern, path: Vec<u32>, bindings: &[TermId], places: &mut Vec<Place>, key: &mut Vec<u32>) {
    match pattern {
        Pattern::Ground(term) => {
            places.push((path, true));
            key.push(term.0);
        }
        Pattern::Variable(variable) => {
            let value = bindings[*variable as usize];
            if value != UNBOUND {
                places.push((path, true));
                key.push(value.0);
            }
        }
        Pattern::Compound(Sym(functor), args) => {
            places.push((path.clone(), false));
            key.push(*functor);
            for (place, arg) in args.iter().enumerate() {
                let path = path.iter().copied().chain([place as u32]).collect();
                known(arg, path, bindings, places, key);
            }
        }
    }
}
