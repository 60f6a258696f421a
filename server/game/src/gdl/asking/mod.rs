//! Evaluation by queries, top down: only the facts that the answers to one query need.
//!
//! For rules that hold for more tuples than can be listed, such as `(<= (exactly-one ?z ?x1 .. ?x9) ..)`, whose readers
//! bind their arguments. Published players prove such goals in the manner of Prolog. This module does so with tables,
//! so that recursion ends and nothing is proved twice: linear tabling (Zhou, Sato and Shen, "Linear tabling strategies
//! and optimizations", Theory and Practice of Logic Programming 8(1), 2008). A query that depends on itself uses the
//! answers found so far, and the first query of such a cycle is repeated until no new answer is found. Cycles are found
//! as in Tarjan's algorithm for strongly connected components. Because rules are stratified, a negated atom is answered
//! completely before it is read.

mod memory;

use std::ops::ControlFlow;

use smallvec::SmallVec;

use super::join::Fuel;
use super::limits::{Exceeded, Excess, Limits};
use super::program::{Atom, Condition, Pattern, Program, RelationId, Rule, UNBOUND};
use super::strata::Strata;
use super::table::{Shape, Table};
use crate::terms::{TermId, Terms};
use memory::{Answered, QuestionId};
pub(super) use memory::{Lasts, Memory};

/// The nesting of queries on one stack: each takes a few hundred bytes of it for each condition of its rule.
const ON_ONE_STACK: usize = 300;

/// The maximum nesting of queries: a recursion through this number of numbers, say.
const MAX_DEPTH: usize = 20_000;

/// The size of a further stack, in bytes, of which only what is used takes memory.
const STACK: usize = 8 << 20;

/// The cost of a query, in candidates tried; each unbound argument multiplies it by twenty.
const ASKING: u64 = 3;

/// Rows of a table.
type Rows = SmallVec<[u32; 8]>;

/// The arguments of a tuple; [`UNBOUND`] matches any term.
pub(super) type Given = SmallVec<[TermId; 6]>;

/// An evaluation of queries: the rules, the facts, and the answers so far.
pub(super) struct Asking<'a> {
    rules: &'a [Rule],
    terms: &'a mut Terms,
    tables: &'a mut [Table],
    strata: &'a Strata,
    memory: &'a mut Memory,
    limits: &'a Limits,
    fuel: Fuel,
    depth: usize,
    /// The queries in cycles that are still open, in the order of their first evaluation.
    open: Vec<QuestionId>,
    /// The number of the current round of the innermost cycle, and of rounds so far.
    round: u64,
    rounds: u64,
    /// The number of answers found so far.
    found: u64,
}

/// An index in [`Asking::open`], or the maximum for answers that depend on no open query.
type Order = usize;

/// A partial evaluation of a rule, from its first condition to its head.
struct Way<'a> {
    rule: usize,
    question: QuestionId,
    body: &'a [super::program::Literal],
    /// For each condition, true if it is still to be met.
    waiting: SmallVec<[bool; 16]>,
    bindings: SmallVec<[TermId; 16]>,
    /// The first open query that the evaluation depends on.
    lowest: Order,
}

impl<'a> Asking<'a> {
    /// Queries about a program whose fluents and moves are in `tables`, as are the relations that `memory` marks.
    pub(super) fn new(
        program: &'a mut Program,
        tables: &'a mut [Table],
        strata: &'a Strata,
        memory: &'a mut Memory,
        limits: &'a Limits,
    ) -> Asking<'a> {
        let Program { terms, rules, .. } = program;
        // Each query brings its own fuel.
        let fuel = Fuel::new(0, &limits.budget);
        let (open, depth, round, rounds, found) = (Vec::new(), 0, 0, memory.rounds, 0);
        Asking { rules, terms, tables, strata, memory, limits, fuel, depth, open, round, rounds, found }
    }

    /// Returns all tuples of a relation. `fuel`: the number of rows and queries that may be tried.
    ///
    /// # Errors
    /// [`Exceeded`] at the first limit reached; all answers are then forgotten.
    pub(super) fn all(self, relation: RelationId, arity: usize, fuel: &mut u64) -> Result<Vec<Given>, Exceeded> {
        self.about(relation, SmallVec::from_elem(UNBOUND, arity), fuel)
    }

    /// Like [`Asking::all`], limited to the tuples with the arguments of `given`.
    ///
    /// # Errors
    /// Like [`Asking::all`].
    pub(super) fn about(mut self, relation: RelationId, given: Given, fuel: &mut u64) -> Result<Vec<Given>, Exceeded> {
        self.fuel.left = *fuel;
        self.rounds += 1;
        self.round = self.rounds;
        let answer = self.ask(relation, given);
        self.memory.rounds = self.rounds;
        *fuel = self.fuel.left;
        match answer {
            Ok((question, _)) => Ok(self.memory.get(question).answers.rows().map(Given::from_slice).collect()),
            Err(exceeded) => {
                self.memory.forget_all();
                Err(exceeded)
            }
        }
    }

    /// Answers a query. The answers are complete if the second value is [`Order::MAX`].
    fn ask(&mut self, relation: RelationId, given: Given) -> Result<(QuestionId, Order), Exceeded> {
        let id = self.memory.question(relation, given, self.strata);
        let question = self.memory.get(id);
        match question.answered {
            Answered::Complete => return Ok((id, Order::MAX)),
            Answered::Open { order, .. } if question.on_the_way => return Ok((id, order)),
            Answered::Open { round, lowest, .. } if round == self.round => return Ok((id, lowest)),
            Answered::Open { .. } | Answered::Not => {}
        }
        if self.depth >= MAX_DEPTH {
            return Err(self.too_deep(relation));
        }
        self.depth += 1;
        self.fuel.left = self.fuel.left.saturating_sub(1);
        self.memory.get_mut(id).on_the_way = true;
        let lowest = match self.depth.is_multiple_of(ON_ONE_STACK) {
            true => self.answer_on_a_further_stack(id),
            false => self.answer(id),
        };
        self.memory.get_mut(id).on_the_way = false;
        self.depth -= 1;
        Ok((id, lowest?))
    }

    /// Like [`Asking::answer`], on the stack of another thread, because this one may be used up.
    fn answer_on_a_further_stack(&mut self, id: QuestionId) -> Result<Order, Exceeded> {
        let relation = self.memory.get(id).relation;
        let answer = std::thread::scope(|scope| {
            let other = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || self.answer(id)).ok()?;
            Some(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        // There are no threads in a web page.
        answer.unwrap_or_else(|| Err(self.too_deep(relation)))
    }

    fn too_deep(&self, relation: RelationId) -> Exceeded {
        let rule = self.memory.rules_of(relation).first().copied().unwrap_or(0);
        Exceeded { rule, relation, excess: Excess::Nesting }
    }

    /// Answers a query as far as possible: all missing answers depend on the open query returned.
    fn answer(&mut self, id: QuestionId) -> Result<Order, Exceeded> {
        let order = match self.memory.get(id).answered {
            Answered::Open { order, .. } => order,
            _ => {
                self.open.push(id);
                self.open.len() - 1
            }
        };
        let outer = self.round;
        loop {
            let before = self.found;
            let round = self.round;
            self.memory.get_mut(id).answered = Answered::Open { order, round, lowest: order };
            let lowest = self.rules_once(id)?;
            let is_answered = self.memory.get(id).needs_no_more();
            if lowest < order && !is_answered {
                // The circle's first query is elsewhere.
                self.round = outer;
                self.memory.get_mut(id).answered = Answered::Open { order, round: outer, lowest };
                return Ok(lowest);
            }
            if is_answered || lowest == Order::MAX || self.found == before {
                self.round = outer;
                self.close(id, order, (!is_answered).then_some(round));
                return Ok(Order::MAX);
            }
            self.rounds += 1;
            self.round = self.rounds;
        }
    }

    /// Evaluates every rule once, with the current answers.
    fn rules_once(&mut self, id: QuestionId) -> Result<Order, Exceeded> {
        let relation = self.memory.get(id).relation;
        let mut lowest = Order::MAX;
        for &index in self.memory.rules_of(relation).clone().iter() {
            let rule = &self.rules[index];
            let mut bindings = SmallVec::from_elem(UNBOUND, rule.variables.len());
            let mut bound = SmallVec::new();
            let given = &self.memory.get(id).given;
            let mut places = rule.head.args.iter().zip(given).filter(|(_, term)| **term != UNBOUND);
            if !places.all(|(pattern, &term)| meets(pattern, term, self.terms, &mut bindings, &mut bound)) {
                continue;
            }
            let waiting = SmallVec::from_elem(true, rule.body.len());
            let mut way = Way { rule: index, question: id, body: &rule.body, waiting, bindings, lowest };
            let flow = self.go_on(&mut way)?;
            lowest = way.lowest;
            if flow.is_break() {
                break;
            }
        }
        Ok(lowest)
    }

    /// Marks a query as complete. If the last round of its cycle found nothing new, the queries of that round are
    /// complete, too; the cycle's other queries are evaluated again later.
    fn close(&mut self, id: QuestionId, order: Order, last: Option<u64>) {
        let is_top = self.open.get(order) == Some(&id);
        if is_top {
            for other in self.open.drain(order..) {
                let question = self.memory.get_mut(other);
                if matches!(question.answered, Answered::Complete) || other == id {
                    continue;
                }
                let in_last = matches!(question.answered, Answered::Open { round, .. } if Some(round) == last);
                question.answered = if in_last { Answered::Complete } else { Answered::Not };
            }
        }
        self.memory.get_mut(id).answered = Answered::Complete;
    }

    /// Meets the waiting conditions, the cheapest first, and adds the head for each way to meet them all. Breaks when
    /// the query needs no more answers.
    fn go_on(&mut self, way: &mut Way<'a>) -> Result<ControlFlow<()>, Exceeded> {
        let Some((at, rows)) = self.cheapest(way) else { return self.arrive(way) };
        way.waiting[at] = false;
        let flow = match &way.body[at].condition {
            Condition::Distinct(left, right) => match left.is_same(right, self.terms, &way.bindings) {
                true => Ok(ControlFlow::Continue(())),
                false => self.go_on(way),
            },
            Condition::Negative(atom) => match self.holds(atom, way)? {
                true => Ok(ControlFlow::Continue(())),
                false => self.go_on(way),
            },
            Condition::Positive(atom) => match rows {
                Some(rows) => self.facts(atom, &rows, way),
                None => self.answers(atom, way),
            },
        };
        way.waiting[at] = true;
        flow
    }

    /// Adds the head once all conditions are met.
    fn arrive(&mut self, way: &Way<'a>) -> Result<ControlFlow<()>, Exceeded> {
        let head = &self.rules[way.rule].head;
        let tuple: Given = head.args.iter().map(|arg| arg.build(self.terms, &way.bindings)).collect();
        let excess = |excess| Exceeded { rule: way.rule, relation: head.relation, excess };
        if tuple.iter().any(|&term| self.terms.depth(term) > self.limits.depth) {
            return Err(excess(Excess::Depth));
        }
        self.found += u64::from(self.memory.add(way.question, &tuple));
        let needs_no_more = self.memory.get(way.question).needs_no_more();
        if self.found as usize > self.limits.rows || self.terms.len() > self.limits.terms {
            return Err(excess(Excess::Facts));
        }
        Ok(if needs_no_more { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// True if a ground atom holds.
    fn holds(&mut self, atom: &Atom, way: &mut Way<'a>) -> Result<bool, Exceeded> {
        let given = self.given(atom, &way.bindings);
        if self.memory.is_table(atom.relation) {
            return Ok(self.tables[atom.relation.index()].find(&given).is_some());
        }
        let (question, lowest) = self.ask(atom.relation, given)?;
        way.lowest = way.lowest.min(lowest);
        Ok(!self.memory.get(question).answers.is_empty())
    }

    /// Continues with every row of a table that meets the condition.
    fn facts(&mut self, atom: &Atom, rows: &[u32], way: &mut Way<'a>) -> Result<ControlFlow<()>, Exceeded> {
        for &row in rows {
            self.burn(way)?;
            let tuple = Given::from_slice(self.tables[atom.relation.index()].row(row));
            if self.with(atom, &tuple, way)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Continues with every answer to the condition, including answers found meanwhile.
    fn answers(&mut self, atom: &Atom, way: &mut Way<'a>) -> Result<ControlFlow<()>, Exceeded> {
        let given = self.given(atom, &way.bindings);
        let (question, lowest) = self.ask(atom.relation, given)?;
        way.lowest = way.lowest.min(lowest);
        let mut at = 0;
        while at < self.memory.get(question).answers.len() {
            self.burn(way)?;
            let tuple = Given::from_slice(self.memory.get(question).answers.row(at));
            if self.with(atom, &tuple, way)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            at += 1;
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Continues with the variables bound so that the atom equals this tuple, if that is possible.
    fn with(&mut self, atom: &Atom, tuple: &[TermId], way: &mut Way<'a>) -> Result<ControlFlow<()>, Exceeded> {
        let mut bound = SmallVec::new();
        let mut places = atom.args.iter().zip(tuple);
        let met = places.all(|(pattern, &term)| meets(pattern, term, self.terms, &mut way.bindings, &mut bound));
        let flow = if met { self.go_on(way) } else { Ok(ControlFlow::Continue(())) };
        bound.iter().for_each(|&variable| way.bindings[variable as usize] = UNBOUND);
        flow
    }

    fn burn(&mut self, way: &Way<'a>) -> Result<(), Exceeded> {
        let excess = |excess| Exceeded { rule: way.rule, relation: self.rules[way.rule].head.relation, excess };
        if self.fuel.left == 0 {
            return Err(excess(Excess::Work));
        }
        self.fuel.left -= 1;
        if self.fuel.left.is_multiple_of(1 << 12) && self.fuel.is_late() {
            return Err(excess(Excess::Time));
        }
        Ok(())
    }

    /// The arguments of an atom under the bindings; unbound ones are [`UNBOUND`].
    fn given(&mut self, atom: &Atom, bindings: &[TermId]) -> Given {
        let is_bound = |variable: u32| bindings[variable as usize] != UNBOUND;
        let place = |arg: &Pattern| if arg.all(&is_bound) { arg.build(self.terms, bindings) } else { UNBOUND };
        atom.args.iter().map(place).collect()
    }

    /// The waiting condition to meet next, with the rows to try if it is about a table. Pure tests come first, then the
    /// condition with the fewest candidates, then queries, those with the fewest unbound arguments first.
    fn cheapest(&mut self, way: &Way<'a>) -> Option<(usize, Option<Rows>)> {
        let is_bound = |variable: u32| way.bindings[variable as usize] != UNBOUND;
        let mut best: Option<(u64, usize)> = None;
        for at in (0..way.body.len()).filter(|&at| way.waiting[at]) {
            let cost = match &way.body[at].condition {
                Condition::Distinct(left, right) if left.all(&is_bound) && right.all(&is_bound) => 0,
                Condition::Negative(atom) if atom.args.iter().all(|arg| arg.all(&is_bound)) => {
                    if self.memory.is_table(atom.relation) { 0 } else { ASKING }
                }
                // Waits until its variables have values; rules are safe.
                Condition::Distinct(..) | Condition::Negative(_) => continue,
                Condition::Positive(atom) if self.memory.is_table(atom.relation) => {
                    1 + 2 * self.candidates(atom, at, way).len() as u64
                }
                Condition::Positive(atom) => match atom.args.iter().filter(|arg| !arg.all(&is_bound)).count() as u32 {
                    0 => ASKING,
                    open => ASKING.saturating_mul(20u64.saturating_pow(open)),
                },
            };
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, at));
            }
            // A test, or a condition that nothing meets.
            if cost <= 1 {
                break;
            }
        }
        let (_, at) = best?;
        let rows = match &way.body[at].condition {
            Condition::Positive(atom) if self.memory.is_table(atom.relation) => {
                Some(self.candidates(atom, at, way).iter().copied().collect())
            }
            _ => None,
        };
        Some((at, rows))
    }

    /// The rows of a table that may meet a condition.
    fn candidates(&mut self, atom: &Atom, at: usize, way: &Way<'a>) -> &[u32] {
        let is_bound = |variable: u32| way.bindings[variable as usize] != UNBOUND;
        let table = &mut self.tables[atom.relation.index()];
        let shape = || -> Vec<Shape> { atom.args.iter().map(|arg| Shape::of(arg, &is_bound)).collect() };
        let slot = if way.bindings.len() <= u64::BITS as usize {
            let values = (0..way.bindings.len() as u32).filter(|&variable| is_bound(variable));
            let key = (way.rule, at, values.fold(0, |mask, variable| mask | 1u64 << variable));
            *self.memory.slots.entry(key).or_insert_with(|| table.ensure_index(&shape()))
        } else {
            table.ensure_index(&shape())
        };
        table.complete(slot, self.terms);
        table.lookup(slot, &atom.args, self.terms, &way.bindings)
    }
}

/// Binds the variables of a pattern so that it equals this term. `bound` receives the variables that had no value
/// before, even if that fails.
fn meets(
    pattern: &Pattern,
    term: TermId,
    terms: &Terms,
    bindings: &mut [TermId],
    bound: &mut SmallVec<[u32; 8]>,
) -> bool {
    match pattern {
        Pattern::Ground(ground) => *ground == term,
        Pattern::Variable(variable) => {
            let value = &mut bindings[*variable as usize];
            if *value == UNBOUND {
                *value = term;
                bound.push(*variable);
            }
            *value == term
        }
        Pattern::Compound(functor, parts) => {
            let Some(args) = terms.args(term) else { return false };
            terms.functor(term) == *functor
                && args.len() == parts.len()
                && parts.iter().zip(args).all(|(part, &arg)| meets(part, arg, terms, bindings, bound))
        }
    }
}
