//! Conditions that all but a few moves meet.
//!
//! "A cell keeps its piece unless the move touches it": for every cell there is a disjunction of nearly all moves. A
//! role makes exactly one move in a round, so the disjunction is the negation of that of the few other moves. These are
//! found by the values that inequalities compare; the pairs of a cell and a move that meet the condition, of which a
//! board of `n` times `n` cells has `n` to the fourth, are never listed.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::instances::Atoms;
use super::shape::{Heads, Shape, all_hold, bind};
use super::{Building, Flat, Part, TooMany};
use crate::circuit::Lit;
use crate::gdl::join::{Source, solve};
use crate::gdl::prepare::Prepared;
use crate::gdl::program::{Condition, Literal, Pattern, RelationId, Rule, UNBOUND};
use crate::terms::{TermId, Terms};

/// A rule about one move, conditions on it that do not change, and inequalities with the head's variables.
pub(super) struct Frame<'a> {
    /// For each inequality, the side of the head and the side of the move.
    sides: Vec<(&'a Pattern, &'a Pattern)>,
    /// The conditions on the head alone, which do not change.
    on_head: Vec<&'a Literal>,
}

/// The value of one side of an inequality: a constant, or a functor and its arguments.
type Value = SmallVec<[u32; 4]>;

/// The number of a value that equals nothing.
const NOTHING: u32 = u32::MAX;

/// The moves that a frame is about.
struct Moves {
    lits: Vec<Lit>,
    /// For each inequality, the numbers of its values.
    ids: Vec<FxHashMap<Value, u32>>,
    /// For each move, the number of its value in each inequality, or [`NOTHING`].
    numbers: Vec<u32>,
}

impl Moves {
    /// Adds the value of a move in one inequality.
    fn push_number(&mut self, side: usize, value: Option<Value>) {
        let number = value.map_or(NOTHING, |value| {
            let ids = &mut self.ids[side];
            let fresh = ids.len() as u32;
            *ids.entry(value).or_insert(fresh)
        });
        self.numbers.push(number);
    }

    /// For one inequality, the moves with each value.
    fn by_number(&self, side: usize) -> Vec<Vec<Lit>> {
        let mut moves = vec![Vec::new(); self.ids[side].len()];
        for (mv, numbers) in self.lits.iter().zip(self.numbers.chunks(self.ids.len())) {
            if let Some(moves) = moves.get_mut(numbers[side] as usize) {
                moves.push(*mv);
            }
        }
        moves
    }
}

impl<'a> Frame<'a> {
    /// `None` if the rule is not of this kind.
    pub(super) fn of(shape: &'a Shape, prepared: &Prepared) -> Option<Frame<'a>> {
        let changes =
            |literal: &&Literal| literal.condition.atom().is_some_and(|atom| !prepared.strata.is_static(atom.relation));
        let mut changing = shape.rest.body.iter().filter(changes);
        let (Some(only), None) = (changing.next(), changing.next()) else { return None };
        let is_move = matches!(&only.condition, Condition::Positive(atom) if atom.relation == RelationId::DOES);
        if !is_move || !shape.key.is_empty() {
            return None;
        }
        let of_head = |variable: u32| shape.left_out.contains(&variable);
        let of_move = |variable: u32| shape.chosen.contains(&variable);
        let mut frame = Frame { sides: Vec::new(), on_head: Vec::new() };
        for literal in &shape.filter {
            let mut is_on_head = true;
            literal.condition.variables(&mut |variable| is_on_head &= of_head(variable));
            match &literal.condition {
                _ if is_on_head => frame.on_head.push(literal),
                Condition::Distinct(left, right) if left.all(&of_head) && right.all(&of_move) => {
                    frame.sides.push((left, right));
                }
                Condition::Distinct(left, right) if right.all(&of_head) && left.all(&of_move) => {
                    frame.sides.push((right, left));
                }
                _ => return None,
            }
        }
        Some(frame)
    }
}

/// The value of a side under a binding. `None` if the table does not have one of its terms, so that it equals nothing.
fn value(side: &Pattern, terms: &Terms, bindings: &[TermId]) -> Option<Value> {
    if let Pattern::Compound(functor, args) = side {
        let args = args.iter().map(|arg| arg.find(terms, bindings).map(|term| term.0));
        return std::iter::once(Some(functor.0)).chain(args).collect();
    }
    let term = side.find(terms, bindings)?;
    match terms.args(term) {
        Some(args) => Some(std::iter::once(terms.functor(term).0).chain(args.iter().map(|arg| arg.0)).collect()),
        None => Some(SmallVec::from_slice(&[term.0])),
    }
}

impl Building<'_> {
    /// Adds the instances of a frame's rule, one for each atom of its head. Returns false if a move stands for several
    /// solutions.
    pub(super) fn all_but_a_few_moves(
        &mut self,
        rule: &Rule,
        shape: &Shape,
        frame: &Frame<'_>,
        offsets: &[u32],
        flat: &mut Flat,
    ) -> Result<bool, TooMany> {
        let Some(moves) = self.moves_of(shape, frame)? else { return Ok(false) };
        let by_number: Vec<Vec<Vec<Lit>>> = (0..frame.sides.len()).map(|side| moves.by_number(side)).collect();
        let all = self.factors.all_but(self.circuit, moves.lits.iter().copied());
        let heads = Heads::of(rule, shape, self.prepared);
        let offset = offsets[rule.head.relation.index()];
        let mut bindings = vec![UNBOUND; rule.variables.len()];
        let mut left_out = Vec::new();
        for (row, values) in heads.rows() {
            bind(&mut bindings, &shape.left_out, values);
            if !all_hold(frame.on_head.iter().copied(), self.prepared, &bindings) {
                continue;
            }
            left_out.clear();
            for (side, (of_head, _)) in frame.sides.iter().enumerate() {
                let value = value(of_head, &self.prepared.program.terms, &bindings);
                let number = value.and_then(|value| moves.ids[side].get(&value));
                left_out.extend(number.into_iter().flat_map(|number| &by_number[side][*number as usize]));
            }
            left_out.sort_unstable();
            left_out.dedup();
            let gate = all.without(self.circuit, &left_out);
            if gate != Lit::FALSE {
                let part = Part::gate(gate);
                flat.push(offset + row, if gate == Lit::TRUE { &[] } else { std::slice::from_ref(&part) });
            }
        }
        Ok(true)
    }

    /// The moves of a frame. `None` if one of them has several solutions.
    fn moves_of(&mut self, shape: &Shape, frame: &Frame<'_>) -> Result<Option<Moves>, TooMany> {
        let plan = shape.plan(self.prepared);
        let Prepared { program, tables, strata, .. } = &*self.prepared;
        let atoms = Atoms { program, strata, gates: self.gates };
        let source = Source {
            terms: &program.terms,
            tables,
            windows: None,
            accept: Some(&|relation, row| atoms.may_hold(relation, row)),
            may_be_absent: &|relation, row| atoms.may_fail(relation, row),
        };
        let is_move = |literal: &Literal| literal.condition.atom().is_some_and(|it| it.relation == RelationId::DOES);
        let at = shape.rest.body.iter().position(is_move).expect("a frame has a move");
        let sides = frame.sides.len();
        let mut moves = Moves { lits: Vec::new(), ids: vec![FxHashMap::default(); sides], numbers: Vec::new() };
        // By node; the leaves of moves are among the first.
        let mut places: Vec<u32> = Vec::new();
        let mut is_one_each = true;
        let solved = solve(&plan, &source, &[], self.fuel, &mut |solution| {
            let mv = atoms.gate(RelationId::DOES, solution.rows[at]);
            for (side, (_, of_move)) in frame.sides.iter().enumerate() {
                moves.push_number(side, value(of_move, &program.terms, solution.bindings));
            }
            if places.len() <= mv.node() as usize {
                places.resize(mv.node() as usize + 1, u32::MAX);
            }
            match &mut places[mv.node() as usize] {
                place if *place == u32::MAX => {
                    *place = moves.lits.len() as u32;
                    moves.lits.push(mv);
                }
                place => {
                    let (known, new) = moves.numbers.split_at(moves.lits.len() * sides);
                    is_one_each = known[*place as usize * sides..][..sides] == *new;
                    moves.numbers.truncate(moves.lits.len() * sides);
                }
            }
            if is_one_each { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        match solved {
            Ok(()) => Ok(is_one_each.then_some(moves)),
            Err(_) => Err(TooMany),
        }
    }
}
