//! All ways to make the positive conditions of a rule true: one condition after the other, over tables of possible
//! atoms.

use std::cell::Cell;
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::program::{Atom, Condition, Pattern, RelationId, Rule, UNBOUND};
use super::terms::{TermId, Terms};

/// The atoms of one relation that may hold, in the order in which they were found.
#[derive(Default)]
pub(super) struct Table {
    rows: Vec<Box<[TermId]>>,
    rows_of: FxHashSet<Box<[TermId]>>,
    /// Indexes of the rows by some of their places, made on first use.
    indices: Vec<Index>,
}

struct Index {
    places: Vec<Place>,
    /// The number of rows in the index.
    upto: usize,
    rows: FxHashMap<Box<[u32]>, Vec<u32>>,
}

/// A position in a row: the steps from the row down into terms, and true if the whole term counts, false if only its
/// first word does.
type Place = (Vec<u32>, bool);

/// The values at some places.
type Key = SmallVec<[u32; 8]>;

impl Table {
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn has(&self, row: &[TermId]) -> bool {
        self.rows_of.contains(row)
    }

    pub(super) fn row(&self, row: usize) -> &[TermId] {
        &self.rows[row]
    }

    /// Adds a row, if it is new.
    pub(super) fn push(&mut self, row: &[TermId]) {
        if !self.rows_of.contains(row) {
            self.rows_of.insert(row.into());
            self.rows.push(row.into());
        }
    }

    /// The number of the index over these positions, with all rows in it.
    fn index(&mut self, terms: &Terms, places: &[Place]) -> usize {
        let at = self.indices.iter().position(|index| index.places == places).unwrap_or_else(|| {
            self.indices.push(Index { places: places.to_vec(), upto: 0, rows: FxHashMap::default() });
            self.indices.len() - 1
        });
        let index = &mut self.indices[at];
        for row in index.upto..self.rows.len() {
            let key: Option<Key> = places.iter().map(|place| standing(terms, &self.rows[row], place)).collect();
            let Some(key) = key else { continue };
            match index.rows.get_mut(&key[..]) {
                Some(rows) => rows.push(row as u32),
                None => {
                    index.rows.insert(key[..].into(), vec![row as u32]);
                }
            }
        }
        index.upto = self.rows.len();
        at
    }
}

/// The value at a place of a row.
fn standing(terms: &Terms, row: &[TermId], (path, is_whole): &Place) -> Option<u32> {
    let (first, rest) = path.split_first()?;
    let mut term = *row.get(*first as usize)?;
    for &step in rest {
        term = *terms.args(term)?.get(step as usize)?;
    }
    if *is_whole { Some(term) } else { terms.args(term).map(|_| terms.head(term)) }
}

/// True if the pattern matches this term; binds free variables.
fn matches(terms: &Terms, pattern: &Pattern, term: TermId, values: &mut [TermId], bound: &mut Bound) -> bool {
    match pattern {
        Pattern::Ground(ground) => *ground == term,
        Pattern::Variable(variable) => {
            let value = &mut values[*variable as usize];
            if *value == UNBOUND {
                *value = term;
                bound.push(*variable);
            }
            *value == term
        }
        Pattern::List(word, parts) => terms.args(term).is_some_and(|args| {
            terms.head(term) == *word
                && args.len() == parts.len()
                && parts.iter().zip(args).all(|(part, &arg)| matches(terms, part, arg, values, bound))
        }),
    }
}

/// Variables that have received a value.
type Bound = SmallVec<[u32; 8]>;

/// The rows of the tables that a search may use, for each positive condition of a rule, by index in the body.
pub(super) type Windows<'a> = &'a dyn Fn(usize, RelationId) -> Range<usize>;

/// True if a negative condition can hold when all its variables have these values.
pub(super) type Test<'t> = &'t dyn Fn(&[Table], &Condition, &[TermId]) -> bool;

/// A positive condition in its turn.
struct Step<'a> {
    atom: &'a Atom,
    window: Range<usize>,
    /// The index of its table and the lookup key, if anything is known about its rows.
    index: Option<(usize, Vec<KeyPart>)>,
    /// Negative conditions whose variables all have values after it.
    tests: Vec<&'a Condition>,
}

/// A part of a lookup key.
enum KeyPart {
    Value(u32),
    Variable(u32),
}

/// Calls `f` with the values of the variables for every way to make all positive conditions true. `test` returns
/// whether a negative condition can hold, called as soon as all its variables have values. `first`: the condition to
/// begin with. Ends early if `f` requests it, or if `is_spent`, which is called at intervals; returns false in the
/// latter case.
pub(super) fn solve(
    (terms, tables): (&Terms, &mut [Table]),
    rule: &Rule,
    (first, windows): (Option<usize>, Windows<'_>),
    test: Test<'_>,
    is_spent: &dyn Fn() -> bool,
    f: &mut dyn FnMut(&[TermId]) -> bool,
) -> bool {
    let mut rest: Vec<&Condition> = rule.body.iter().filter(|it| !matches!(it, Condition::Holds(_))).collect();
    let mut bound: FxHashSet<u32> = FxHashSet::default();
    let at_once = ready(&mut rest, &bound);
    let mut steps = Vec::new();
    for (place, atom) in order(rule, first) {
        let (mut places, mut key) = (Vec::new(), Vec::new());
        for (place, arg) in (0..).zip(&atom.args) {
            look_up(arg, vec![place], &bound, &mut places, &mut key);
        }
        let table = &mut tables[atom.relation.index()];
        let index = (!places.is_empty()).then(|| (table.index(terms, &places), key));
        atom.variables(&mut |variable| {
            bound.insert(variable);
        });
        steps.push(Step { atom, window: windows(place, atom.relation), index, tests: ready(&mut rest, &bound) });
    }
    if steps.iter().any(|step| step.window.is_empty()) {
        return true;
    }
    let search =
        Search { terms, tables, steps, test, is_spent, tried: Cell::new(0), is_stopped: Cell::new(is_spent()) };
    let mut values = vec![UNBOUND; rule.variables];
    if search.passes(&at_once, &values) {
        search.from(0, &mut values, f);
    }
    !search.is_stopped.get()
}

/// The positive conditions by index in the body, in an order in which they bind each other's variables.
fn order(rule: &Rule, first: Option<usize>) -> Vec<(usize, &Atom)> {
    let mut open: Vec<(usize, &Atom)> = Vec::new();
    for (place, condition) in rule.body.iter().enumerate() {
        if let Condition::Holds(atom) = condition {
            open.push((place, atom));
        }
    }
    let mut bound: FxHashSet<u32> = FxHashSet::default();
    let mut order = Vec::new();
    while !open.is_empty() {
        let worth = |&(place, atom): &(usize, &Atom)| {
            let (mut bound_count, mut new) = (0, 0);
            atom.variables(&mut |variable| if bound.contains(&variable) { bound_count += 1 } else { new += 1 });
            (order.is_empty() && first == Some(place), new == 0, bound_count > 0, -new, bound_count)
        };
        let best = (0..open.len()).rev().max_by_key(|&at| worth(&open[at])).unwrap_or(0);
        let next = open.remove(best);
        next.1.variables(&mut |variable| {
            bound.insert(variable);
        });
        order.push(next);
    }
    order
}

/// Removes and returns the conditions whose variables are all bound.
fn ready<'a>(rest: &mut Vec<&'a Condition>, bound: &FxHashSet<u32>) -> Vec<&'a Condition> {
    let is_ready = |condition: &&Condition| {
        let mut all = true;
        condition.variables(&mut |variable| all &= bound.contains(&variable));
        all
    };
    let (now, later) = rest.iter().copied().partition(is_ready);
    *rest = later;
    now
}

/// The parts of a pattern that are known once these variables have values, with their positions.
fn look_up(pattern: &Pattern, path: Vec<u32>, bound: &FxHashSet<u32>, places: &mut Vec<Place>, key: &mut Vec<KeyPart>) {
    match pattern {
        Pattern::Ground(term) => {
            places.push((path, true));
            key.push(KeyPart::Value(*term));
        }
        Pattern::Variable(variable) if bound.contains(variable) => {
            places.push((path, true));
            key.push(KeyPart::Variable(*variable));
        }
        Pattern::Variable(_) => {}
        Pattern::List(word, args) => {
            places.push((path.clone(), false));
            key.push(KeyPart::Value(*word));
            for (place, arg) in (0..).zip(args) {
                let path = path.iter().copied().chain([place]).collect();
                look_up(arg, path, bound, places, key);
            }
        }
    }
}

/// The number of rows between two checks of the time.
const STRIDE: u32 = 1 << 14;

struct Search<'a> {
    terms: &'a Terms,
    tables: &'a [Table],
    steps: Vec<Step<'a>>,
    test: Test<'a>,
    is_spent: &'a dyn Fn() -> bool,
    /// The number of rows tried.
    tried: Cell<u32>,
    is_stopped: Cell<bool>,
}

impl Search<'_> {
    fn passes(&self, tests: &[&Condition], values: &[TermId]) -> bool {
        tests.iter().all(|condition| (self.test)(self.tables, condition, values))
    }

    /// False if no more is wanted.
    fn from(&self, at: usize, values: &mut Vec<TermId>, f: &mut dyn FnMut(&[TermId]) -> bool) -> bool {
        let Some(step) = self.steps.get(at) else { return f(values) };
        let table = &self.tables[step.atom.relation.index()];
        let Some((index, key)) = &step.index else {
            return step.window.clone().all(|row| self.with(at, &table.rows[row], values, f));
        };
        let value = |part: &KeyPart| match part {
            KeyPart::Value(value) => *value,
            KeyPart::Variable(variable) => values[*variable as usize],
        };
        let key: Key = key.iter().map(value).collect();
        let rows = table.indices[*index].rows.get(&key[..]).map_or(&[][..], |rows| rows);
        let rows = &rows[rows.partition_point(|&row| (row as usize) < step.window.start)..];
        let mut rows = rows.iter().take_while(|&&row| (row as usize) < step.window.end);
        rows.all(|&row| self.with(at, &table.rows[row as usize], values, f))
    }

    /// Like [`Search::from`], with this row for the step.
    fn with(&self, at: usize, row: &[TermId], values: &mut Vec<TermId>, f: &mut dyn FnMut(&[TermId]) -> bool) -> bool {
        self.tried.set(self.tried.get().wrapping_add(1));
        if self.tried.get().is_multiple_of(STRIDE) && (self.is_spent)() {
            self.is_stopped.set(true);
        }
        if self.is_stopped.get() {
            return false;
        }
        let step = &self.steps[at];
        let mut bound = Bound::new();
        let mut fits = step.atom.args.iter().zip(row);
        let fits = fits.all(|(arg, &term)| matches(self.terms, arg, term, values, &mut bound));
        let goes_on = !(fits && self.passes(&step.tests, values)) || self.from(at + 1, values, f);
        bound.into_iter().for_each(|variable| values[variable as usize] = UNBOUND);
        goes_on
    }
}
