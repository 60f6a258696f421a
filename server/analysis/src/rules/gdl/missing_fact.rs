//! A table of facts that lacks one row.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::mends;
use crate::gdl::{Facts, Occurrence, Shape, Space, Sym, TermId, keyword, natural, one_slip_apart};
use crate::{FileId, Findings, Fix, Place, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "missing-fact", severity: Severity::Warning, page: include_str!("missing-fact.md") };

/// The least number of facts that make a series or an order.
const LEAST: usize = 5;
/// Pairs of facts that are followed to recognise an order.
const PAIRS: usize = 20_000;
/// Chains of two facts that a third closes, in an order.
const CLOSED: usize = 2;

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let tables = tables(facts);
    let lists: Vec<(Sym, FxHashSet<Sym>)> = tables
        .iter()
        .filter(|table| table.arity == 1)
        .map(|table| (table.name, table.values(facts, 0).collect()))
        .collect();
    for table in tables.iter().filter(|table| table.arity > 1) {
        let Some(Lack { near, fact, lacks }) =
            gap(facts, table).or_else(|| order(facts, table)).or_else(|| total(facts, table, &lists))
        else {
            continue;
        };
        let name = facts.name(table.name);
        // The fact is there, with a slip in its name.
        if facts.unused(Space::Relation).any(|it| one_slip_apart(facts.name(it.sym), name)) {
            continue;
        }
        let finding =
            facts.at(&RULE, facts.range(table.terms[near]), format!("a fact of `{name}` is missing: {lacks}"));
        let after = Place { file: FileId(0), range: facts.range(table.terms[near]) };
        let add = fact.filter(|_| mends::is_prefix(facts)).map(|fact| Fix::statement(after, &fact));
        findings.push(finding.offer(add));
    }
}

/// A missing fact.
struct Lack {
    /// The fact that is near its place.
    near: usize,
    /// The missing fact, if all of it is known.
    fact: Option<String>,
    /// The reason to miss it.
    lacks: String,
}

/// The facts of a relation that has no rules.
struct Table {
    name: Sym,
    arity: usize,
    terms: Vec<TermId>,
}

impl Table {
    /// The values of one argument, in the order of the facts.
    fn values<'t>(&'t self, facts: &'t Facts, place: usize) -> impl Iterator<Item = Sym> + 't {
        self.terms.iter().filter_map(move |term| Some(facts.term(facts.term(*term).arg(place)?).sym))
    }

    /// The values of the first two arguments of each fact.
    fn pairs<'t>(&'t self, facts: &'t Facts) -> impl Iterator<Item = (Sym, Sym)> + 't {
        self.values(facts, 0).zip(self.values(facts, 1))
    }
}

fn tables(facts: &Facts) -> Vec<Table> {
    let mut index: BTreeMap<(Sym, usize), usize> = BTreeMap::new();
    let mut tables: Vec<Table> = Vec::new();
    for (_, rule) in facts.sound_rules().filter(|(_, rule)| rule.is_fact()) {
        let Some(head) = rule.head().filter(|head| facts.inner(*head).is_none()) else { continue };
        let node = facts.term(head);
        let is_plain = node.args().all(|arg| facts.term(arg).shape() == Shape::Constant);
        if node.arity() == 0 || !is_plain || (keyword::is_relation(node.sym) && node.sym != keyword::ROLE) {
            continue;
        }
        if node.sym == keyword::ROLE && node.args().any(|arg| facts.term(arg).sym == keyword::RANDOM) {
            continue;
        }
        let key = (node.sym, node.arity());
        let at = *index.entry(key).or_insert_with(|| {
            tables.push(Table { name: node.sym, arity: node.arity(), terms: Vec::new() });
            tables.len() - 1
        });
        tables[at].terms.push(head);
    }
    let is_all = |table: &Table| {
        let made = facts.predicate(Space::Relation, table.name).map(|it| it.produced().count());
        table.name == keyword::ROLE || made.is_none_or(|made| made == table.terms.len())
    };
    tables.retain(is_all);
    tables
}

/// A series in which one step is missing: `(succ 1 2) (succ 3 4)`.
fn gap(facts: &Facts, table: &Table) -> Option<Lack> {
    if table.arity != 2 || table.terms.len() < LEAST {
        return None;
    }
    let mut steps: Vec<(i64, i64, usize)> = Vec::new();
    let mut prefix = None;
    for (at, (one, other)) in table.pairs(facts).enumerate() {
        let (one, other) = (natural(facts.name(one))?, natural(facts.name(other))?);
        if one.0 != other.0 || *prefix.get_or_insert(one.0) != one.0 {
            return None;
        }
        steps.push((one.1, other.1, at));
    }
    steps.sort_unstable();
    let by = steps[0].1 - steps[0].0;
    let ways: Vec<i64> = steps.windows(2).map(|pair| pair[1].0 - pair[0].0).collect();
    let way = *ways.iter().min()?;
    let mut wide = ways.iter().enumerate().filter(|(_, it)| **it != way);
    let (at, width) = wide.next()?;
    if by == 0 || way == 0 || *width != 2 * way || wide.next().is_some() || steps.iter().any(|it| it.1 - it.0 != by) {
        return None;
    }
    let (first, second, near) = steps[at];
    let name = |number: i64| format!("{}{number}", prefix.unwrap_or_default());
    let fact = format!("({} {} {})", facts.name(table.name), name(first + way), name(second + way));
    let lacks = format!("`{fact}` is the only gap in this series");
    Some(Lack { near, fact: Some(fact), lacks })
}

/// An order in which two elements are not compared, although all others are or a third is between the two.
fn order(facts: &Facts, table: &Table) -> Option<Lack> {
    if table.arity != 2 || table.terms.len() < LEAST {
        return None;
    }
    let mut after: FxHashMap<Sym, FxHashSet<Sym>> = FxHashMap::default();
    for (one, other) in table.pairs(facts) {
        after.entry(one).or_default().insert(other);
    }
    let holds = |one: Sym, other: Sym| after.get(&one).is_some_and(|it| it.contains(&other));
    let (mut open, mut closed, mut pairs) = (FxHashSet::default(), 0, 0);
    for (one, other) in table.pairs(facts) {
        if holds(other, one) {
            return None;
        }
        for &third in after.get(&other).into_iter().flatten() {
            pairs += 1;
            match holds(one, third) {
                true => closed += 1,
                false => drop(open.insert((one, third))),
            }
            if open.len() > 1 || pairs > PAIRS {
                return None;
            }
        }
    }
    let (one, other) = match open.into_iter().next() {
        Some(pair) => pair,
        None => uncompared(&after)?,
    };
    let mut places = [0, 1].into_iter();
    let near = places.find_map(|place| table.values(facts, place).position(|value| value == one));
    let (name, first, second) = (facts.name(table.name), facts.name(one), facts.name(other));
    let fact = format!("({name} {first} {second})");
    let lacks = format!("with `{fact}` all of these are in one order");
    (closed >= CLOSED).then_some(Lack { near: near?, fact: Some(fact), lacks })
}

/// The only two elements of an order that no fact compares, the one with more after it first.
fn uncompared(after: &FxHashMap<Sym, FxHashSet<Sym>>) -> Option<(Sym, Sym)> {
    let all: FxHashSet<Sym> = after.keys().chain(after.values().flatten()).copied().collect();
    let facts: usize = after.values().map(FxHashSet::len).sum();
    if facts + 1 != all.len() * (all.len() - 1) / 2 {
        return None;
    }
    let compared =
        |of: Sym| after.get(&of).map_or(0, FxHashSet::len) + after.values().filter(|it| it.contains(&of)).count();
    let mut lacking: Vec<Sym> = all.iter().copied().filter(|it| compared(*it) + 1 < all.len()).collect();
    lacking.sort_unstable_by_key(|it| (std::cmp::Reverse(after.get(it).map_or(0, FxHashSet::len)), *it));
    if let [one, other] = lacking[..] { Some((one, other)) } else { None }
}

/// A first argument that takes every element of a list except one, each equally often.
fn total(facts: &Facts, table: &Table, lists: &[(Sym, FxHashSet<Sym>)]) -> Option<Lack> {
    let mut counts: FxHashMap<Sym, usize> = FxHashMap::default();
    table.values(facts, 0).for_each(|value| *counts.entry(value).or_default() += 1);
    let often = *counts.values().next()?;
    let is_of = |list: &FxHashSet<Sym>| counts.keys().all(|it| list.contains(it));
    // It may be an element of a smaller list.
    let is_all = lists.iter().any(|(_, list)| list.len() == counts.len() && is_of(list));
    if is_all || counts.values().any(|count| *count != often) {
        return None;
    }
    let fits = |(name, list): &&(Sym, FxHashSet<Sym>)| {
        let least = if *name == keyword::ROLE { 2 } else { 3 };
        list.len() >= least && list.len() == counts.len() + 1 && is_of(list)
    };
    let (list, elements) = lists.iter().find(fits)?;
    let missing = *elements.iter().find(|it| !counts.contains_key(it))?;
    let is_elsewhere = (1..table.arity).any(|place| table.values(facts, place).any(|it| it == missing));
    // A single fact is a table only if rules look it up.
    let is_looked_up = || {
        let mut reads = facts.predicate(Space::Relation, table.name).into_iter().flat_map(|it| it.read()).peekable();
        let key =
            |read: &Occurrence| facts.term(read.term).arg(0).is_some_and(|it| facts.term(it).variable().is_some());
        reads.peek().is_some() && reads.all(key)
    };
    if table.terms.len() == 1 && !is_looked_up() {
        return None;
    }
    let (missing, list) = (facts.name(missing), facts.name(*list));
    let lacks = format!("`{missing}` is the only `{list}` that has none");
    (!is_elsewhere).then_some(Lack { near: 0, fact: None, lacks })
}
