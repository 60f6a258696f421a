//! Evaluation by asking: only what the answers to one question need, from the question down to the facts.
//!
//! For rules that hold for more than can be listed, such as `(<= (exactly-one ?z ?x1 .. ?x9) ..)`, whose readers know
//! what they ask about: players of the field prove such goals in the manner of Prolog. This does so with tables, so that
//! recursion ends and nothing is proved twice: linear tabling (Zhou, Sato and Shen, "Linear tabling strategies and
//! optimizations", Theory and Practice of Logic Programming 8(1), 2008). A question that meets itself uses the answers
//! found so far, and the first question of such a circle is asked again until no new answer comes. Circles are found as
//! Tarjan finds strongly connected components. Since rules are stratified, what is negated is answered when it is read.

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

/// Questions inside questions: each takes a few hundred bytes of the stack for each condition of its rule.
const MAX_DEPTH: usize = 300;

/// What asking costs, in candidates looked at; each open place makes it twenty times as dear.
const ASKING: u64 = 3;

/// Rows of a table.
type Rows = SmallVec<[u32; 8]>;

/// Values of a tuple's places, [`UNBOUND`] where anything will do.
pub(super) type Given = SmallVec<[TermId; 6]>;

/// Where questions are answered: the rules, the facts, and what was answered before.
pub(super) struct Asking<'a> {
    rules: &'a [Rule],
    terms: &'a mut Terms,
    tables: &'a mut [Table],
    strata: &'a Strata,
    memory: &'a mut Memory,
    limits: &'a Limits,
    fuel: Fuel,
    depth: usize,
    /// Questions in circles that are still open, in the order they were first asked.
    open: Vec<QuestionId>,
    /// The number of the present round of the innermost circle, and of rounds so far.
    round: u64,
    rounds: u64,
    /// Answers found so far.
    found: u64,
}

/// A place in the order of [`Asking::open`]; the greatest one for what does not depend on an open question.
type Order = usize;

/// A rule on its way from its first condition to its head.
struct Way<'a> {
    rule: usize,
    question: QuestionId,
    body: &'a [super::program::Literal],
    /// By condition: still to be met.
    waiting: SmallVec<[bool; 16]>,
    bindings: SmallVec<[TermId; 16]>,
    /// The first open question that this depends on.
    lowest: Order,
}

impl<'a> Asking<'a> {
    /// Questions about a program whose fluents and moves are in `tables`, and whatever else `memory` says is a table.
    pub(super) fn new(
        program: &'a mut Program,
        tables: &'a mut [Table],
        strata: &'a Strata,
        memory: &'a mut Memory,
        limits: &'a Limits,
    ) -> Asking<'a> {
        let Program { terms, rules, .. } = program;
        // A question brings its own.
        let fuel = Fuel::new(0, &limits.budget);
        let (open, depth, round, rounds, found) = (Vec::new(), 0, 0, memory.rounds, 0);
        Asking { rules, terms, tables, strata, memory, limits, fuel, depth, open, round, rounds, found }
    }

    /// All tuples of a relation. `fuel`: rows that may be looked at and questions that may be asked.
    ///
    /// # Errors
    /// [`Exceeded`] at the first limit reached; what was found until then is forgotten.
    pub(super) fn all(self, relation: RelationId, arity: usize, fuel: &mut u64) -> Result<Vec<Given>, Exceeded> {
        self.about(relation, SmallVec::from_elem(UNBOUND, arity), fuel)
    }

    /// The tuples of a relation that have these places; otherwise as [`Asking::all`].
    ///
    /// # Errors
    /// As [`Asking::all`].
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

    /// The question with its answers, complete where the second is [`Order::MAX`].
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
            let rule = self.memory.rules_of(relation).first().copied().unwrap_or(0);
            return Err(Exceeded { rule, relation, excess: Excess::Depth });
        }
        self.depth += 1;
        self.fuel.left = self.fuel.left.saturating_sub(1);
        self.memory.get_mut(id).on_the_way = true;
        let lowest = self.answer(id);
        self.memory.get_mut(id).on_the_way = false;
        self.depth -= 1;
        Ok((id, lowest?))
    }

    /// Answers a question, as far as that can be done here: all that is missing depends on the open question returned.
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
                // The circle's first question is elsewhere.
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

    /// Every rule once, with the answers there are.
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

    /// A question is answered. Where its circle's last round brought nothing new, so is what was asked in that round;
    /// anything else that was asked on the way is left to be asked again.
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

    /// Meets the conditions that wait, the cheapest first, and adds the head for each way to meet them all. Breaks when
    /// the question needs no more answers.
    fn go_on(&mut self, way: &mut Way<'a>) -> Result<ControlFlow<()>, Exceeded> {
        let Some((at, rows)) = self.cheapest(way) else { return self.arrive(way) };
        way.waiting[at] = false;
        let flow = match &way.body[at].condition {
            Condition::Distinct(left, right) => {
                let differ = left.build(self.terms, &way.bindings) != right.build(self.terms, &way.bindings);
                if differ { self.go_on(way) } else { Ok(ControlFlow::Continue(())) }
            }
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

    /// The head, every condition being met.
    fn arrive(&mut self, way: &Way<'a>) -> Result<ControlFlow<()>, Exceeded> {
        let head = &self.rules[way.rule].head;
        let tuple: Given = head.args.iter().map(|arg| arg.build(self.terms, &way.bindings)).collect();
        let excess = |excess| Exceeded { rule: way.rule, relation: head.relation, excess };
        if tuple.iter().any(|&term| self.terms.depth(term) > self.limits.depth) {
            return Err(excess(Excess::Depth));
        }
        let question = self.memory.get_mut(way.question);
        if question.answers.insert(&tuple).1 {
            self.found += 1;
        }
        let needs_no_more = question.needs_no_more();
        if self.found as usize > self.limits.rows || self.terms.len() > self.limits.terms {
            return Err(excess(Excess::Facts));
        }
        Ok(if needs_no_more { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// Whether a ground atom holds.
    fn holds(&mut self, atom: &Atom, way: &mut Way<'a>) -> Result<bool, Exceeded> {
        let given = self.given(atom, &way.bindings);
        if self.memory.is_table(atom.relation) {
            return Ok(self.tables[atom.relation.index()].find(&given).is_some());
        }
        let (question, lowest) = self.ask(atom.relation, given)?;
        way.lowest = way.lowest.min(lowest);
        Ok(!self.memory.get(question).answers.is_empty())
    }

    /// Goes on with every row of a table that meets the condition.
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

    /// Goes on with every answer to the condition, also with those that come meanwhile.
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

    /// Goes on with the variables bound so that the atom is this tuple, where they can be.
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

    /// What is known of an atom's places.
    fn given(&mut self, atom: &Atom, bindings: &[TermId]) -> Given {
        let is_bound = |variable: u32| bindings[variable as usize] != UNBOUND;
        let place = |arg: &Pattern| if arg.all(&is_bound) { arg.build(self.terms, bindings) } else { UNBOUND };
        atom.args.iter().map(place).collect()
    }

    /// The waiting condition to meet next, with the rows to look at where it is about a table. Conditions that can only
    /// be checked come first, then what has the fewest candidates, then questions, those that leave least open first.
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

/// Binds the variables of a pattern so that it is this term; `bound` gets those that had no value before, also where
/// it cannot be.
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
