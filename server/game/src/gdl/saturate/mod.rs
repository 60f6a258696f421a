//! Semi-naive evaluation: all consequences of a set of rules, each found from at least one new fact.

mod joining;

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::found::{BodySolutions, Layout};
use super::join::{Fuel, Plan};
use super::limits::{Exceeded, Excess, Limits};
use super::plan::{Goal, plan};
use super::program::{Condition, Literal, Pattern, Program, RelationId, Rule, UNBOUND};
use super::table::Table;
use crate::terms::{TermId, Terms};
use joining::{Heads, Joining};

/// Limits on the growth of tables.
#[derive(Clone, Copy)]
pub(super) struct Growth<'a> {
    /// The maximum number of rows of each relation.
    pub rows: &'a dyn Fn(RelationId) -> usize,
    pub limits: &'a Limits,
}

/// The fuel that an evaluation uses up and the solutions it keeps.
struct Work<'a> {
    fuel: Fuel,
    found: &'a mut BodySolutions,
}

/// The order in which a rule's body is read, and the rows of each literal.
#[derive(Clone, Copy)]
struct Reading<'a> {
    plan: &'a Plan,
    windows: &'a [Range<u32>],
}

/// All rows of the relation of each literal.
fn all_rows(body: &[Literal], tables: &[Table]) -> Vec<Range<u32>> {
    let rows = |literal: &Literal| literal.condition.atom().map_or(0, |atom| tables[atom.relation.index()].len());
    body.iter().map(|literal| 0..rows(literal)).collect()
}

/// Rules with their plans.
#[derive(Clone, Debug)]
pub(super) struct Saturation {
    rules: Vec<Planned>,
}

#[derive(Clone, Debug)]
struct Planned {
    rule: usize,
    head_variables: Vec<u32>,
    /// True if two solutions can have the same head: the body has variables of its own.
    repeats: bool,
    /// True if heads are put into their table as soon as they are found. If a rule derives no head twice, the heads
    /// wait, and counting them is enough to detect that there are too many.
    at_once: bool,
    /// The plan of a rule without a growing relation in the body.
    once: Option<Plan>,
    /// The positive body literals over growing relations, in order.
    deltas: Vec<Delta>,
    /// Relations whose negation counts as true.
    ignored: Vec<RelationId>,
    /// The layout of its solutions, if they are kept.
    layout: Option<Arc<Layout>>,
    /// The number of rows that the relation of its head can have at most, if conditions that do not grow tell. A rule
    /// that has derived them all is done: a helper over the cells of a board has all of them after a few moves.
    most: Option<u32>,
}

/// A plan that reads the new rows of one literal first.
#[derive(Clone, Debug)]
struct Delta {
    literal: usize,
    relation: RelationId,
    plan: Plan,
}

/// The progress of a rule.
struct Progress {
    /// For each delta, the number of rows that have been read.
    read: Vec<u32>,
    /// The fuel used up in the last evaluation.
    cost: u64,
    /// For each delta, the current order of its body.
    orders: Vec<Reordered>,
}

/// The current order in which a rule is read from the new rows of one literal. The first order was made while most
/// tables were empty, so it is made again when it has been costly and tables have grown since: ordering ten conditions
/// takes as long as trying a few hundred combinations. (In alexChess this saves half of all combinations.)
#[derive(Clone, Default)]
struct Reordered {
    /// The plan that replaces the first one.
    plan: Option<Plan>,
    /// The number of rows of all its tables when it was made.
    rows: u64,
    /// The fuel used up since.
    spent: u64,
}

impl Reordered {
    /// An order that has cost less is good enough.
    const CHEAP: u64 = 1 << 13;

    /// True if the order is to be made again for tables with this number of rows.
    fn is_old(&self, rows: u64) -> bool {
        self.spent > Reordered::CHEAP && rows / 2 > self.rows
    }
}

impl Planned {
    /// True if there are rows that the rule has not read.
    fn is_due(&self, progress: &Progress, program: &Program, tables: &[Table]) -> bool {
        let rows = tables[program.rules[self.rule].head.relation.index()].len();
        // Its solutions may have to be kept, however few its heads are.
        if self.layout.is_none() && self.most.is_some_and(|most| rows >= most) {
            return false;
        }
        self.deltas.iter().zip(&progress.read).any(|(delta, &read)| read < tables[delta.relation.index()].len())
    }

    /// The weight of a rule; heavier rules wait until lighter ones find nothing new. Only rules that list moves are
    /// heavy: rows that are read together are read once, and too many moves are detected before half a million of them
    /// have become terms. (Small Dominion, which deals three cards of a deck whose cards appear one after the other,
    /// took four times as long without this.) For all other relations, too many rows should be detected early, because
    /// then the evaluation starts over.
    fn weight(&self, program: &Program, progress: &Progress) -> u32 {
        const LIGHT: u64 = 1 << 10;
        let lists_moves = program.rules[self.rule].head.relation == RelationId::LEGAL;
        if lists_moves { progress.cost.max(LIGHT).ilog2() } else { LIGHT.ilog2() }
    }
}

/// True if a rule's heads make no terms, and its body does not read them.
fn can_go_at_once(rule: &Rule) -> bool {
    let mut atoms = rule.body.iter().filter_map(|literal| literal.condition.atom());
    rule.head.args.iter().all(|arg| !matches!(arg, Pattern::Compound(..)))
        && atoms.all(|atom| atom.relation != rule.head.relation)
}

/// The maximum number of heads of a rule with different variables as arguments: each is in a condition on some of them
/// alone, whose table is complete (`is_fixed`).
fn most_heads(rule: &Rule, tables: &[Table], is_fixed: &dyn Fn(RelationId) -> bool) -> Option<u32> {
    let mut left: Vec<&Pattern> = rule.head.args.iter().collect();
    let is_another = |(at, arg): (usize, &&Pattern)| matches!(arg, Pattern::Variable(_)) && !left[..at].contains(arg);
    if !left.iter().enumerate().all(is_another) {
        return None;
    }
    let mut most = 1u32;
    for literal in &rule.body {
        let Condition::Positive(atom) = &literal.condition else { continue };
        if is_fixed(atom.relation) && !atom.args.is_empty() && atom.args.iter().all(|arg| left.contains(&arg)) {
            left.retain(|arg| !atom.args.contains(arg));
            most = most.checked_mul(tables[atom.relation.index()].len())?;
        }
    }
    left.is_empty().then_some(most)
}

/// The order in which a rule's body is read to find the heads that hold.
fn order(rule: &Rule, first: Option<usize>, ignored: &[RelationId], terms: &Terms, tables: &mut [Table]) -> Plan {
    let ignore_negative = |relation| ignored.contains(&relation);
    let goal = Goal { first, bound: &[], heads_only: true, ignore_negative: &ignore_negative };
    // The moves up to a number that grows are those up to the last one.
    Plan { last_first: rule.head.relation == RelationId::LEGAL, ..plan(rule, &goal, terms, tables) }
}

impl Saturation {
    /// Plans `rules`; `growing` are the relations that may get facts while the evaluation runs.
    /// Negative literals over relations that `ignore_negative` picks count as true.
    pub(super) fn new(
        program: &Program,
        tables: &mut [Table],
        rules: &[usize],
        growing: &[RelationId],
        ignore_negative: &dyn Fn(RelationId) -> bool,
    ) -> Saturation {
        let rules = rules
            .iter()
            .map(|&index| {
                let rule = &program.rules[index];
                let ignored: Vec<RelationId> = rule
                    .body
                    .iter()
                    .filter_map(|literal| match &literal.condition {
                        Condition::Negative(atom) if ignore_negative(atom.relation) => Some(atom.relation),
                        _ => None,
                    })
                    .collect();
                let mut make = |first| order(rule, first, &ignored, &program.terms, tables);
                let recursive: Vec<(usize, RelationId)> = (0..rule.body.len())
                    .filter_map(|literal| match &rule.body[literal].condition {
                        Condition::Positive(atom) if growing.contains(&atom.relation) => Some((literal, atom.relation)),
                        _ => None,
                    })
                    .collect();
                let mut head_variables = Vec::new();
                rule.head.variables(&mut |variable| {
                    if !head_variables.contains(&variable) {
                        head_variables.push(variable);
                    }
                });
                let repeats = head_variables.len() < rule.variables.len();
                Planned {
                    rule: index,
                    at_once: repeats && can_go_at_once(rule),
                    repeats,
                    head_variables,
                    once: recursive.is_empty().then(|| make(None)),
                    deltas: recursive
                        .into_iter()
                        .map(|(literal, relation)| Delta { literal, relation, plan: make(Some(literal)) })
                        .collect(),
                    ignored,
                    layout: None,
                    most: None,
                }
            })
            .collect();
        Saturation { rules }
    }

    /// Keeps the solutions of the rules that have a layout.
    pub(super) fn keeping(mut self, layouts: &mut FxHashMap<usize, Layout>) -> Saturation {
        self.rules.iter_mut().for_each(|planned| planned.layout = layouts.remove(&planned.rule).map(Arc::new));
        self
    }

    /// Ends rules that have found all heads they can have. `is_fixed` picks relations whose tables are complete, now and
    /// whenever this is run.
    pub(super) fn bounded(
        mut self,
        program: &Program,
        tables: &[Table],
        is_fixed: &dyn Fn(RelationId) -> bool,
    ) -> Saturation {
        let mut of_relation = vec![0u32; program.relations.len()];
        program.rules.iter().for_each(|rule| of_relation[rule.head.relation.index()] += 1);
        for planned in &mut self.rules {
            let rule = &program.rules[planned.rule];
            // Rows of its relation that other rules add do not tell if a rule has found all of its own.
            if of_relation[rule.head.relation.index()] == 1 {
                planned.most = most_heads(rule, tables, is_fixed);
            }
        }
        self
    }

    /// Adds all consequences to the tables.
    ///
    /// # Errors
    /// [`Exceeded`] at the first limit reached; the tables then hold a part of the consequences.
    pub(super) fn run(&self, program: &mut Program, tables: &mut [Table], limits: &Limits) -> Result<(), Exceeded> {
        self.run_on(program, tables, limits, &|_| limits.rows, &mut limits.fuel.clone())
    }

    /// Like [`Saturation::run`], with a limit of rows for every relation and fuel that several evaluations share.
    ///
    /// # Errors
    /// Like [`Saturation::run`].
    pub(super) fn run_on(
        &self,
        program: &mut Program,
        tables: &mut [Table],
        limits: &Limits,
        rows: &dyn Fn(RelationId) -> usize,
        fuel: &mut u64,
    ) -> Result<(), Exceeded> {
        self.run_keeping(program, tables, &Growth { rows, limits }, fuel, &mut BodySolutions::default())
    }

    /// Like [`Saturation::run_on`], and adds solutions of rules that are to be kept ([`Saturation::keeping`]) to
    /// `found`. If it fails, some are missing.
    ///
    /// # Errors
    /// Like [`Saturation::run`].
    pub(super) fn run_keeping(
        &self,
        program: &mut Program,
        tables: &mut [Table],
        growth: &Growth<'_>,
        fuel: &mut u64,
        found: &mut BodySolutions,
    ) -> Result<(), Exceeded> {
        let mut work = Work { fuel: Fuel::new(*fuel, &growth.limits.budget), found };
        let result = self.saturate(program, tables, growth, &mut work);
        *fuel = work.fuel.left;
        result
    }

    fn saturate(
        &self,
        program: &mut Program,
        tables: &mut [Table],
        limits: &Growth<'_>,
        work: &mut Work<'_>,
    ) -> Result<(), Exceeded> {
        for planned in &self.rules {
            if let Some(plan) = &planned.once {
                let windows = all_rows(&program.rules[planned.rule].body, tables);
                let reading = Reading { plan, windows: &windows };
                self.consequences(program, tables, planned, reading, limits, work)?;
            }
        }
        let fresh = |planned: &Planned| {
            let deltas = planned.deltas.len();
            Progress { read: vec![0; deltas], cost: 0, orders: vec![Reordered::default(); deltas] }
        };
        let mut progress: Vec<Progress> = self.rules.iter().map(fresh).collect();
        loop {
            let due = self.rules.iter().zip(&progress).enumerate();
            let due = due.filter(|(_, (planned, progress))| planned.is_due(progress, program, tables));
            let due: Vec<(usize, u32)> =
                due.map(|(at, (planned, progress))| (at, planned.weight(program, progress))).collect();
            let Some(lightest) = due.iter().map(|it| it.1).min() else { return Ok(()) };
            for (at, _) in due.into_iter().filter(|it| it.1 == lightest) {
                self.go_on(program, tables, &self.rules[at], &mut progress[at], limits, work)?;
            }
        }
    }

    /// Adds the consequences of a rule from the rows it has not read yet.
    fn go_on(
        &self,
        program: &mut Program,
        tables: &mut [Table],
        planned: &Planned,
        progress: &mut Progress,
        limits: &Growth<'_>,
        work: &mut Work<'_>,
    ) -> Result<(), Exceeded> {
        let old = std::mem::take(&mut progress.read);
        let new: Vec<u32> = planned.deltas.iter().map(|delta| tables[delta.relation.index()].len()).collect();
        let before = work.fuel.left;
        for (at, delta) in planned.deltas.iter().enumerate() {
            if old[at] == new[at] {
                continue;
            }
            let mut windows = all_rows(&program.rules[planned.rule].body, tables);
            for (other, it) in planned.deltas.iter().enumerate() {
                windows[it.literal] = match other.cmp(&at) {
                    Ordering::Less => 0..old[other],
                    Ordering::Equal => old[at]..new[at],
                    Ordering::Greater => 0..new[other],
                };
            }
            let rule = &program.rules[planned.rule];
            let size = windows.iter().map(|rows| u64::from(rows.end)).sum();
            let reordered = &mut progress.orders[at];
            if reordered.is_old(size) {
                let plan = order(rule, Some(delta.literal), &planned.ignored, &program.terms, tables);
                *reordered = Reordered { plan: Some(plan), rows: size, spent: 0 };
            }
            let left = work.fuel.left;
            let reading = Reading { plan: reordered.plan.as_ref().unwrap_or(&delta.plan), windows: &windows };
            self.consequences(program, tables, planned, reading, limits, work)?;
            reordered.spent += left - work.fuel.left;
        }
        progress.read = new;
        progress.cost = before - work.fuel.left;
        Ok(())
    }

    /// Adds the consequences of a rule whose body is read in this way.
    fn consequences(
        &self,
        program: &mut Program,
        tables: &mut [Table],
        planned: &Planned,
        reading: Reading<'_>,
        limits: &Growth<'_>,
        work: &mut Work<'_>,
    ) -> Result<(), Exceeded> {
        reading.plan.complete(&program.terms, tables);
        let relation = program.rules[planned.rule].head.relation;
        if planned.at_once {
            // The table is not read meanwhile.
            let mut table = std::mem::take(&mut tables[relation.index()]);
            let mut heads = Heads::table(&mut table);
            let kept = Joining { program, tables, planned, reading, limits }.run(&mut heads, work);
            tables[relation.index()] = table;
            if let Some((kept, _)) = kept? {
                work.found.put_back(kept);
            }
            return Ok(());
        }
        let mut heads = Heads::buffer(planned);
        let kept = Joining { program, tables, planned, reading, limits }.run(&mut heads, work)?;
        let Some((mut kept, from)) = kept else {
            return insert(program, tables, planned, heads.values(), limits, |_| ());
        };
        let mut numbers = Vec::new();
        insert(program, tables, planned, heads.values(), limits, |row| numbers.push(row))?;
        kept.name_heads(from, &numbers);
        work.found.put_back(kept);
        Ok(())
    }
}

/// Puts heads, given by the values of their variables, into their table; `each` is called with the row of each.
fn insert(
    program: &mut Program,
    tables: &mut [Table],
    planned: &Planned,
    heads: impl Iterator<Item = impl AsRef<[TermId]>>,
    Growth { rows, limits }: &Growth<'_>,
    mut each: impl FnMut(u32),
) -> Result<(), Exceeded> {
    let Program { terms, rules, .. } = program;
    let rule = &rules[planned.rule];
    let exceeded = |excess| Exceeded { rule: planned.rule, relation: rule.head.relation, excess };
    let rows = rows(rule.head.relation).min(limits.rows);
    let mut bindings = vec![UNBOUND; rule.variables.len()];
    let mut tuple = Vec::new();
    for values in heads {
        for (&variable, &value) in planned.head_variables.iter().zip(values.as_ref()) {
            bindings[variable as usize] = value;
        }
        tuple.clear();
        tuple.extend(rule.head.args.iter().map(|arg| arg.build(terms, &bindings)));
        if tuple.iter().any(|&term| terms.depth(term) > limits.depth) {
            return Err(exceeded(Excess::Depth));
        }
        let (row, _) = tables[rule.head.relation.index()].insert(&tuple);
        if row as usize > rows || terms.len() > limits.terms {
            return Err(exceeded(Excess::Facts));
        }
        each(row);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Saturation;
    use crate::gdl::fixture::{prepared, relation};
    use crate::gdl::limits::Limits;
    use crate::gdl::prepare::Bodies;
    use crate::gdl::program::RelationId;

    #[test]
    fn an_order_made_for_empty_tables_is_made_anew_when_they_have_grown() {
        // While `wide` and `narrow` are empty, both are equally good starts; later `wide` has 600 rows.
        let chain: String = (0..600).map(|at| format!("(succ {at} {})", at + 1)).collect();
        let text = format!(
            "(role r) (goal r 0) terminal (key k) (first 0) {chain}
            (<= (count ?n) (first ?n))
            (<= (count ?n) (count ?m) (succ ?m ?n))
            (<= (wide ?k ?n) (key ?k) (count ?n))
            (<= (narrow ?k ?n) (wide ?k ?n) (first ?n))
            (<= (out ?n ?b) (count ?n) (wide ?k ?b) (narrow ?k ?b))
            (<= (legal r m) (out ?n ?b))"
        );
        let mut prepared = prepared(&text, Bodies::Whole);
        let program = &mut prepared.program;
        let growing: Vec<RelationId> = ["count", "wide", "narrow", "out"].map(|name| relation(program, name)).into();
        let is_of_them = |&rule: &usize| growing.contains(&program.rules[rule].head.relation);
        let rules: Vec<usize> = (0..program.rules.len()).filter(is_of_them).collect();
        growing.iter().for_each(|it| prepared.tables[it.index()].clear());
        let saturation = Saturation::new(program, &mut prepared.tables, &rules, &growing, &|_| false);
        let mut fuel = 1_000_000;
        let limits = Limits::default();
        saturation.run_on(program, &mut prepared.tables, &limits, &|_| limits.rows, &mut fuel).expect("enough");
        assert_eq!(prepared.tables[growing[3].index()].len(), 601);
        // With `wide` first there are 600 * 600 / 2.
        assert!(1_000_000 - fuel < 60_000, "{} combinations", 1_000_000 - fuel);
    }

    #[test]
    fn a_rule_that_has_found_all_its_heads_is_done() {
        // Each pair of a cell and a step gives the cell, 40 times 400 in all.
        let cells: String = (0..40).map(|at| format!("(cell {at})")).collect();
        let chain: String = (0..400).map(|at| format!("(succ {at} {})", at + 1)).collect();
        let text = format!(
            "(role r) (goal r 0) terminal {cells} (first 0) {chain}
            (<= (count ?n) (first ?n))
            (<= (count ?n) (count ?m) (succ ?m ?n))
            (<= (free ?c) (cell ?c) (count ?n) (distinct ?c ?n))
            (<= (legal r m) (free ?c))"
        );
        let mut prepared = prepared(&text, Bodies::Whole);
        let program = &mut prepared.program;
        let growing: Vec<RelationId> = ["count", "free"].map(|name| relation(program, name)).into();
        let is_of_them = |&rule: &usize| growing.contains(&program.rules[rule].head.relation);
        let rules: Vec<usize> = (0..program.rules.len()).filter(is_of_them).collect();
        growing.iter().for_each(|it| prepared.tables[it.index()].clear());
        let saturation = Saturation::new(program, &mut prepared.tables, &rules, &growing, &|_| false);
        let saturation = saturation.bounded(program, &prepared.tables, &|relation| !growing.contains(&relation));
        let mut fuel = 1_000_000;
        let limits = Limits::default();
        saturation.run_on(program, &mut prepared.tables, &limits, &|_| limits.rows, &mut fuel).expect("enough");
        assert_eq!(prepared.tables[growing[1].index()].len(), 40);
        assert!(1_000_000 - fuel < 4_000, "{} combinations", 1_000_000 - fuel);
    }
}
