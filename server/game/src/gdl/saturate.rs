//! Semi-naive evaluation: all consequences of a set of rules, each found from at least one new fact.

use std::cmp::Ordering;
use std::hash::BuildHasher;
use std::ops::{ControlFlow, Range};

use rustc_hash::FxBuildHasher;

use super::join::{Fuel, Plan, Source, solve};
use super::plan::{Goal, plan};
use super::program::{Condition, Literal, Program, RelationId, UNBOUND};
use super::table::Table;
use crate::Budget;
use crate::ids::Ids;
use crate::terms::TermId;

/// How much one evaluation may cost.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    /// Tuples tried.
    pub fuel: u64,
    /// Tuples of one relation.
    pub rows: usize,
    /// Different ground terms.
    pub terms: usize,
    /// Moves, and fluents, of a game that is ground.
    pub leaves: usize,
    /// Nesting of terms.
    pub depth: u32,
    /// When to give up.
    pub budget: Budget,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            fuel: 400_000_000,
            rows: 4_000_000,
            terms: 2_000_000,
            leaves: Limits::LEAVES,
            depth: 400,
            budget: Budget::default(),
        }
    }
}

impl Limits {
    /// With more moves the circuit would be larger than any limit, which takes half a minute to find out: every move is a
    /// leaf, has a gate, and is an operand of what it changes. The most that any published game needs is half of this.
    const LEAVES: usize = 500_000;

    /// Tuples of one relation of a game that is ground. With more of them the circuit would be too large, which takes two
    /// seconds to find out; no published game has a circuit with more.
    pub(super) const GROUND: usize = 1_000_000;

    /// For what is the same in every state. Authors enumerate boards and numbers; what is larger is a mistake, and to
    /// be told within a second or two.
    pub(super) const STATIC: Limits = Limits {
        fuel: 60_000_000,
        rows: 1_000_000,
        terms: 500_000,
        leaves: Limits::LEAVES,
        depth: 100,
        budget: Budget::NONE,
    };
}

/// The evaluation of rule `rule` exceeded a limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exceeded {
    pub rule: usize,
    /// The relation that the rule is about.
    pub relation: RelationId,
    pub excess: Excess,
}

/// What there was too much of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Excess {
    /// Combinations tried.
    Work,
    /// Facts, or terms they are about.
    Facts,
    /// Terms inside terms.
    Depth,
    /// Time: the budget is spent.
    Time,
}

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
                let mut make = |first| {
                    let goal = Goal { first, bound: &[], heads_only: true, ignore_negative };
                    plan(rule, &goal, &program.terms, tables)
                };
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
        let fresh = |planned: &Planned| Progress { read: vec![0; planned.deltas.len()], cost: 0 };
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
            let reading = Reading { plan: &delta.plan, windows: &windows };
            let rows = self.derive(program, tables, planned, reading, limits, fuel)?;
            self.insert(program, tables, planned, &rows, limits)?;
        }
        *progress = Progress { read: new, cost: before - fuel.left };
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
