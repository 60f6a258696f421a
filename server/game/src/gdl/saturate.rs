//! Semi-naive evaluation: all consequences of a set of rules, each found from at least one new fact.

use std::cmp::Ordering;
use std::hash::BuildHasher;
use std::ops::{ControlFlow, Range};

use rustc_hash::FxBuildHasher;

use super::join::{Fuel, Plan, Source, solve};
use super::limits::{Exceeded, Excess, Limits};
use super::plan::{Goal, plan};
use super::program::{Condition, Literal, Program, RelationId, Rule, UNBOUND};
use super::table::Table;
use crate::ids::Ids;
use crate::terms::{TermId, Terms};

/// How far tables may grow.
#[derive(Clone, Copy)]
struct Growth<'a> {
    rows: &'a dyn Fn(RelationId) -> usize,
    limits: &'a Limits,
}

/// How a rule's body is read: in which order, and by literal which rows.
#[derive(Clone, Copy)]
struct Reading<'a> {
    plan: &'a Plan,
    windows: &'a [Range<u32>],
}

/// By literal all rows of its relation.
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
    /// Whether two solutions can have the same head: the body has variables of its own.
    repeats: bool,
    /// For rules without a growing relation in the body.
    once: Option<Plan>,
    /// For each positive body literal over a growing relation, in order.
    deltas: Vec<Delta>,
    /// Relations whose negation counts as true.
    ignored: Vec<RelationId>,
}

/// How a rule is read from what is new of one literal.
#[derive(Clone, Debug)]
struct Delta {
    literal: usize,
    relation: RelationId,
    plan: Plan,
}

/// How far a rule has come.
struct Progress {
    /// By delta: so many rows have been read.
    read: Vec<u32>,
    /// Fuel that was spent the last time.
    cost: u64,
    /// By delta.
    orders: Vec<Reordered>,
}

/// What has become of the order in which a rule is read from what is new of one literal. It was made while most tables were
/// empty, so it is made anew when it has cost something and tables have grown since: ten conditions are put in order in
/// the time in which a few hundred combinations are tried. (alexChess: half of all combinations.)
#[derive(Clone, Default)]
struct Reordered {
    /// Instead of the first one.
    plan: Option<Plan>,
    /// Rows of all its tables when it was made.
    rows: u64,
    /// Fuel spent since.
    spent: u64,
}

impl Reordered {
    /// An order that has cost less is good enough.
    const CHEAP: u64 = 1 << 13;

    /// Whether the order is to be made anew, for tables that have so many rows.
    fn is_old(&self, rows: u64) -> bool {
        self.spent > Reordered::CHEAP && rows / 2 > self.rows
    }
}

impl Planned {
    /// Whether there is something that the rule has not read.
    fn is_due(&self, progress: &Progress, tables: &[Table]) -> bool {
        self.deltas.iter().zip(&progress.read).any(|(delta, &read)| read < tables[delta.relation.index()].len())
    }

    /// Rules that list moves wait until nothing new comes of lighter ones: what is read at once is read once, and that there
    /// are too many is found out before half a million of them have become terms. (Small Dominion: the ways to deal three
    /// cards of a deck whose cards come one after the other; that took four times as long.) Of all other relations too
    /// many rows had better show early, for then the evaluation begins anew.
    fn weight(&self, program: &Program, progress: &Progress) -> u32 {
        const LIGHT: u64 = 1 << 10;
        let lists_moves = program.rules[self.rule].head.relation == RelationId::LEGAL;
        if lists_moves { progress.cost.max(LIGHT).ilog2() } else { LIGHT.ilog2() }
    }
}

/// In which order a rule's body is read to find the heads that hold.
fn order(rule: &Rule, first: Option<usize>, ignored: &[RelationId], terms: &Terms, tables: &mut [Table]) -> Plan {
    let ignore_negative = |relation| ignored.contains(&relation);
    let goal = Goal { first, bound: &[], heads_only: true, ignore_negative: &ignore_negative };
    plan(rule, &goal, terms, tables)
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
                Planned {
                    rule: index,
                    repeats: head_variables.len() < rule.variables.len(),
                    head_variables,
                    once: recursive.is_empty().then(|| make(None)),
                    deltas: recursive
                        .into_iter()
                        .map(|(literal, relation)| Delta { literal, relation, plan: make(Some(literal)) })
                        .collect(),
                    ignored,
                }
            })
            .collect();
        Saturation { rules }
    }

    /// Adds all consequences to the tables.
    ///
    /// # Errors
    /// [`Exceeded`] at the first limit reached; the tables then hold a part of the consequences.
    pub(super) fn run(&self, program: &mut Program, tables: &mut [Table], limits: &Limits) -> Result<(), Exceeded> {
        self.run_on(program, tables, limits, &|_| limits.rows, &mut limits.fuel.clone())
    }

    /// As [`Saturation::run`], with a limit of rows for every relation and fuel that several evaluations share.
    ///
    /// # Errors
    /// As [`Saturation::run`].
    pub(super) fn run_on(
        &self,
        program: &mut Program,
        tables: &mut [Table],
        limits: &Limits,
        rows: &dyn Fn(RelationId) -> usize,
        fuel: &mut u64,
    ) -> Result<(), Exceeded> {
        let mut shared = Fuel::new(*fuel, &limits.budget);
        let limits = Growth { rows, limits };
        let result = self.saturate(program, tables, &limits, &mut shared);
        *fuel = shared.left;
        result
    }

    fn saturate(
        &self,
        program: &mut Program,
        tables: &mut [Table],
        limits: &Growth<'_>,
        fuel: &mut Fuel,
    ) -> Result<(), Exceeded> {
        for planned in &self.rules {
            if let Some(plan) = &planned.once {
                let windows = all_rows(&program.rules[planned.rule].body, tables);
                let rows = self.derive(program, tables, planned, Reading { plan, windows: &windows }, limits, fuel)?;
                self.insert(program, tables, planned, &rows, limits)?;
            }
        }
        let fresh = |planned: &Planned| {
            let deltas = planned.deltas.len();
            Progress { read: vec![0; deltas], cost: 0, orders: vec![Reordered::default(); deltas] }
        };
        let mut progress: Vec<Progress> = self.rules.iter().map(fresh).collect();
        loop {
            let due = self.rules.iter().zip(&progress).enumerate();
            let due = due.filter(|(_, (planned, progress))| planned.is_due(progress, tables));
            let due: Vec<(usize, u32)> =
                due.map(|(at, (planned, progress))| (at, planned.weight(program, progress))).collect();
            let Some(lightest) = due.iter().map(|it| it.1).min() else { return Ok(()) };
            for (at, _) in due.into_iter().filter(|it| it.1 == lightest) {
                self.go_on(program, tables, &self.rules[at], &mut progress[at], limits, fuel)?;
            }
        }
    }

    /// Adds what follows by a rule from what it has not read yet.
    fn go_on(
        &self,
        program: &mut Program,
        tables: &mut [Table],
        planned: &Planned,
        progress: &mut Progress,
        limits: &Growth<'_>,
        fuel: &mut Fuel,
    ) -> Result<(), Exceeded> {
        let old = std::mem::take(&mut progress.read);
        let new: Vec<u32> = planned.deltas.iter().map(|delta| tables[delta.relation.index()].len()).collect();
        let before = fuel.left;
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
            let left = fuel.left;
            let reading = Reading { plan: reordered.plan.as_ref().unwrap_or(&delta.plan), windows: &windows };
            let rows = self.derive(program, tables, planned, reading, limits, fuel)?;
            reordered.spent += left - fuel.left;
            self.insert(program, tables, planned, &rows, limits)?;
        }
        progress.read = new;
        progress.cost = before - fuel.left;
        Ok(())
    }

    /// The values of the head's variables in all solutions, one after the other.
    fn derive(
        &self,
        program: &Program,
        tables: &mut [Table],
        planned: &Planned,
        Reading { plan, windows }: Reading<'_>,
        limits: &Growth<'_>,
        fuel: &mut Fuel,
    ) -> Result<Derived, Exceeded> {
        plan.complete(&program.terms, tables);
        let source = Source {
            terms: &program.terms,
            tables,
            window: &|literal, _| windows[literal].clone(),
            accept: &|_, _| true,
            may_be_absent: &|_, _| false,
        };
        let relation = program.rules[planned.rule].head.relation;
        let exceeded = |excess| Exceeded { rule: planned.rule, relation, excess };
        let rows = (limits.rows)(relation).min(limits.limits.rows);
        let mut derived = Derived::new(planned);
        let mut too_many = false;
        let result = solve(plan, &source, &[], fuel, &mut |solution| {
            derived.add(planned.head_variables.iter().map(|&variable| solution.bindings[variable as usize]));
            too_many = derived.count > rows;
            if too_many || planned.head_variables.is_empty() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        if too_many {
            return Err(exceeded(Excess::Facts));
        }
        let excess = |fuel: &Fuel| if fuel.left > 0 && fuel.is_late() { Excess::Time } else { Excess::Work };
        result.map_err(|_| exceeded(excess(fuel)))?;
        Ok(derived)
    }

    fn insert(
        &self,
        program: &mut Program,
        tables: &mut [Table],
        planned: &Planned,
        derived: &Derived,
        limits: &Growth<'_>,
    ) -> Result<(), Exceeded> {
        let Program { terms, rules, .. } = program;
        let rule = &rules[planned.rule];
        let exceeded = |excess| Exceeded { rule: planned.rule, relation: rule.head.relation, excess };
        let Growth { rows, limits } = *limits;
        let rows = rows(rule.head.relation).min(limits.rows);
        let mut bindings = vec![UNBOUND; rule.variables.len()];
        let mut tuple = Vec::new();
        let width = planned.head_variables.len();
        for solution in 0..derived.count {
            let values = &derived.values[solution * width..][..width];
            for (&variable, &value) in planned.head_variables.iter().zip(values) {
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
        }
        Ok(())
    }
}

/// What a rule gave: the values of its head's variables, each solution once.
struct Derived {
    width: usize,
    count: usize,
    values: Vec<TermId>,
    /// The solutions by their values, where the rule can give one twice. A projection gives each a hundred times, and to
    /// build the head's terms costs more than to look here.
    seen: Option<Ids>,
}

impl Derived {
    fn new(planned: &Planned) -> Derived {
        let seen = planned.repeats.then(Ids::default);
        Derived { width: planned.head_variables.len(), count: 0, values: Vec::new(), seen }
    }

    fn add(&mut self, solution: impl Iterator<Item = TermId>) {
        let Derived { width, count, values, seen } = self;
        let at = values.len();
        values.extend(solution);
        if let Some(seen) = seen {
            let (old, new) = values.split_at(at);
            let row = |it: u32| &old[it as usize * *width..][..*width];
            let hash = FxBuildHasher.hash_one(new);
            if seen.find(hash, |it| row(it) == new).is_some() {
                return values.truncate(at);
            }
            seen.insert(hash, *count as u32);
        }
        *count += 1;
    }
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
        // As long as nothing is known of `wide` and `narrow`, the first is as good as the second; then it has 600 rows.
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
        // By way of `wide` there are 600 * 600 / 2.
        assert!(1_000_000 - fuel < 60_000, "{} combinations", 1_000_000 - fuel);
    }
}
