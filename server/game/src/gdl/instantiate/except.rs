//! Disjunctions over all but a few solutions.
//!
//! `(threatened ?cx ?cy ?x ?y)` by a piece on any square `?u ?v` but `?cx ?cy`, which is being captured: for every
//! square `?x ?y` there are as many disjunctions as squares to leave out, and each has as many operands as there are
//! squares. The squares left out are known before the match begins (`distinct`, and relations that do not change). So
//! the other conditions are solved once for each `?x ?y`, and a disjunction over all but one of their solutions is the
//! disjunction of the solutions before it and of those after it.

use std::ops::ControlFlow;

use super::frame::Frame;
use super::instances::Atoms;
use super::shape::{Heads, Numbered, Shape, bind, pick};
use super::{Building, Flat, MAX_INSTANCES, Part, TooMany};
use crate::circuit::{Circuit, Lit};
use crate::gdl::join::{Source, solve};
use crate::gdl::prepare::Prepared;
use crate::gdl::program::{Condition, Rule, UNBOUND};
use crate::terms::TermId;

/// The number of tuples tried first to decide if little is left out.
const PROBES: usize = 8;

/// True if a rule's instances may be disjunctions over all but a few solutions, judged before there are gates.
pub(in crate::gdl) fn are_all_but_a_few(rule: &Rule, prepared: &mut Prepared) -> bool {
    Shape::of(rule, prepared).is_some_and(|shape| match shape.is_on_moves(prepared) {
        true => Frame::of(&shape, prepared).is_some(),
        false => shape.leaves_out_little(prepared),
    })
}

/// The solutions of the other conditions for one key: the number of the filter's values, and the gate of each.
type Items = Vec<(u32, Lit)>;

impl Building<'_> {
    /// Adds the instances of a rule, one for each atom of its head, if they leave little out of the same disjunction.
    /// Returns false if this does not help, or if the instances are too few for it to matter.
    pub(super) fn all_but_a_few(&mut self, rule: &Rule, offsets: &[u32], flat: &mut Flat) -> Result<bool, TooMany> {
        let Some(shape) = Shape::of(rule, self.prepared) else { return Ok(false) };
        if let Some(frame) = Frame::of(&shape, self.prepared) {
            return self.all_but_a_few_moves(rule, &shape, &frame, offsets, flat);
        }
        if self.prepared.tables[rule.head.relation.index()].len() as usize <= self.grounding.whole_up_to / 4
            || !shape.leaves_out_little(self.prepared)
        {
            return Ok(false);
        }
        self.factors.learn(self.circuit);
        let heads = Heads::of(rule, &shape, self.prepared);
        let Some((items, chosen)) = self.items(&shape, &heads)? else { return Ok(false) };
        let listed: usize = heads.heads.iter().map(|head| items[head.key as usize].len()).sum();
        let pairs = heads.left_out.tuples.len() * chosen.tuples.len();
        let always = self.grounding.whole_up_to == 0;
        if !always && pairs > listed {
            return Ok(false);
        }
        let most = if always { usize::MAX } else { listed / 4 };
        let Some(excluded) = self.excluded(&shape, &heads, &chosen, most) else { return Ok(false) };
        let offset = offsets[rule.head.relation.index()];
        let mut uses = vec![0u32; items.len()];
        heads.heads.iter().for_each(|head| uses[head.key as usize] += 1);
        let circuit = &mut *self.circuit;
        let mut sharing: Vec<AllBut> =
            items.into_iter().zip(uses).map(|(items, uses)| AllBut::new(items, uses, circuit)).collect();
        for head in &heads.heads {
            let gate = sharing[head.key as usize].gate(circuit, &excluded[head.left_out as usize]);
            if gate != Lit::FALSE {
                let part = Part::gate(gate);
                flat.push(offset + head.row, if gate == Lit::TRUE { &[] } else { std::slice::from_ref(&part) });
            }
        }
        Ok(true)
    }

    /// The solutions of the other conditions, by key. `None` if they depend on moves: such disjunctions are made
    /// smaller in another way (see `factor`).
    fn items(&mut self, shape: &Shape, heads: &Heads) -> Result<Option<(Vec<Items>, Numbered)>, TooMany> {
        let plan = shape.plan(self.prepared);
        let Prepared { program, tables, strata, .. } = &*self.prepared;
        let (atoms, factors) = (Atoms { program, strata, gates: self.gates }, &*self.factors);
        let source = Source {
            terms: &program.terms,
            tables,
            windows: None,
            accept: Some(&|relation, row| atoms.may_hold(relation, row)),
            may_be_absent: &|relation, row| atoms.may_fail(relation, row),
        };
        let mut chosen = Numbered::default();
        let mut items: Vec<Items> = vec![Vec::new(); heads.keys.tuples.len()];
        let (mut values, mut parts) = (Vec::new(), Vec::new());
        let (mut on_moves, mut count) = (false, 0);
        let result = solve(&plan, &source, &[], self.fuel, &mut |solution| {
            pick(solution.bindings, &shape.key, &mut values);
            let Some(key) = heads.keys.find(&values) else { return ControlFlow::Continue(()) };
            pick(solution.bindings, &shape.chosen, &mut values);
            let id = chosen.id(&values);
            parts.clear();
            for (literal, &row) in shape.rest.body.iter().zip(solution.rows) {
                match &literal.condition {
                    Condition::Positive(atom) if !atoms.is_domain(atom.relation) => {
                        parts.push(atoms.gate(atom.relation, row))
                    }
                    Condition::Negative(atom) if row != u32::MAX => parts.push(!atoms.gate(atom.relation, row)),
                    _ => {}
                }
            }
            on_moves |= parts.iter().any(|part| factors.depends(*part));
            if on_moves {
                return ControlFlow::Break(());
            }
            items[key as usize].push((id, self.circuit.and(parts.iter().copied())));
            count += 1;
            if count > MAX_INSTANCES { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        match result {
            Ok(()) if count <= MAX_INSTANCES => Ok((!on_moves).then_some((items, chosen))),
            _ => Err(TooMany),
        }
    }

    /// For each of the tuples that may be left out: the chosen tuples that the filter rejects, ascending. `None` if all
    /// heads together leave out more than `most`.
    ///
    /// A filter that keeps little (`(both ?i ?j ?v)`, a table with one value for each pair) is detected by its first
    /// few tuples, because trying all of them would take the square of the table.
    fn excluded(&self, shape: &Shape, heads: &Heads, chosen: &Numbered, most: usize) -> Option<Vec<Vec<u32>>> {
        let tuples = &heads.left_out.tuples;
        let mut bindings = vec![UNBOUND; shape.rest.variables.len()];
        let mut dropped = |tuple: &[TermId]| -> Vec<u32> {
            bind(&mut bindings, &shape.left_out, tuple);
            let of_chosen = (0..chosen.tuples.len() as u32).filter(|&id| {
                bind(&mut bindings, &shape.chosen, &chosen.tuples[id as usize]);
                !shape.keeps(self.prepared, &bindings)
            });
            of_chosen.collect()
        };
        if most < usize::MAX {
            let probes = tuples.iter().step_by(tuples.len().div_ceil(PROBES).max(1));
            let (count, left_out) = probes.fold((0, 0), |(count, sum), tuple| (count + 1, sum + dropped(tuple).len()));
            if left_out > count * chosen.tuples.len() / 2 {
                return None;
            }
        }
        let mut uses = vec![0usize; tuples.len()];
        heads.heads.iter().for_each(|head| uses[head.left_out as usize] += 1);
        let mut left_out = 0;
        let each = tuples.iter().zip(&uses).map(|(tuple, uses)| {
            let dropped = dropped(tuple);
            left_out += dropped.len() * uses;
            (left_out <= most).then_some(dropped)
        });
        each.collect()
    }
}

/// The disjunction over some items, for repeated queries that leave a few out.
struct AllBut {
    /// Ascending by the number of the filter's values.
    items: Items,
    /// For each index, the disjunction of the items before it, and of those from it on. Empty if few queries are
    /// expected.
    before: Vec<Lit>,
    from: Vec<Lit>,
    /// The disjunction of all items, made on first use. Most queries need this one.
    all: Option<Lit>,
}

impl AllBut {
    /// Up to this number of queries, the disjunctions in `before` and `from` cost more than they save.
    const FEW: u32 = 6;

    fn new(mut items: Items, uses: u32, circuit: &mut Circuit) -> AllBut {
        items.retain(|(_, gate)| *gate != Lit::FALSE);
        items.sort_unstable();
        items.dedup();
        let (mut before, mut from) = (Vec::new(), Vec::new());
        if uses > AllBut::FEW && items.len() > 2 {
            before.push(Lit::FALSE);
            from.push(Lit::FALSE);
            for (_, gate) in &items {
                before.push(circuit.or([before[before.len() - 1], *gate]));
            }
            for (_, gate) in items.iter().rev() {
                from.push(circuit.or([from[from.len() - 1], *gate]));
            }
            from.reverse();
        }
        AllBut { items, before, from, all: None }
    }

    /// The disjunction without the items of `left_out`, which is ascending.
    fn gate(&mut self, circuit: &mut Circuit, left_out: &[u32]) -> Lit {
        let places: Vec<usize> = left_out
            .iter()
            .flat_map(|id| {
                let start = self.items.partition_point(|item| item.0 < *id);
                start..start + self.items[start..].iter().take_while(|item| item.0 == *id).count()
            })
            .collect();
        let (&[first, ..], &[.., last]) = (&places[..], &places[..]) else {
            let all = || circuit.or(self.items.iter().map(|item| item.1));
            return *self.all.get_or_insert_with(all);
        };
        if self.before.is_empty() {
            let kept = (0..self.items.len()).filter(|place| places.binary_search(place).is_err());
            return circuit.or(kept.map(|place| self.items[place].1));
        }
        let between = (first..last).filter(|place| places.binary_search(place).is_err());
        let ends = [self.before[first], self.from[last + 1]];
        circuit.or(between.map(|place| self.items[place].1).chain(ends))
    }
}
