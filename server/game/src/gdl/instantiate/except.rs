//! Disjunctions over all but a few solutions.
//!
//! `(threatened ?cx ?cy ?x ?y)` by a piece on any square `?u ?v` but `?cx ?cy`, which is being captured: for every
//! square `?x ?y` there are as many disjunctions as squares to leave out, and each has as many operands as there are
//! squares. The squares left out are known before the match begins (`distinct`, and relations that do not change). So
//! the other conditions are solved once for each `?x ?y`, and a disjunction over all but one of their solutions is the
//! disjunction of the solutions before it and of those after it.

use std::ops::ControlFlow;

use rustc_hash::{FxHashMap, FxHashSet};

use super::frame::Frame;
use super::instances::Atoms;
use super::{Building, Flat, MAX_INSTANCES, Part, TooMany};
use crate::circuit::{Circuit, Lit};
use crate::gdl::join::{Source, holds, solve};
use crate::gdl::plan::{Goal, plan};
use crate::gdl::prepare::Prepared;
use crate::gdl::program::{Condition, Literal, Pattern, Rule, UNBOUND};
use crate::gdl::table;
use crate::terms::TermId;

/// The number of tuples tried first to decide if little is left out.
const PROBES: usize = 8;

/// A rule split into its filter and its other conditions.
pub(super) struct Shape {
    /// The conditions that decide which solutions are left out.
    pub filter: Vec<Literal>,
    /// The other conditions.
    pub rest: Rule,
    /// The head's variables that only the filter has.
    pub left_out: Vec<u32>,
    /// The head's other variables.
    pub key: Vec<u32>,
    /// The filter's other variables.
    pub chosen: Vec<u32>,
}

/// True if a rule's instances may be disjunctions over all but a few solutions, judged before there are gates.
pub(in crate::gdl) fn are_all_but_a_few(rule: &Rule, prepared: &mut Prepared) -> bool {
    Shape::of(rule, prepared).is_some_and(|shape| match shape.is_on_moves(prepared) {
        true => Frame::of(&shape, prepared).is_some(),
        false => shape.leaves_out_little(prepared),
    })
}

/// The solutions of the other conditions for one key: the number of the filter's values, and the gate of each.
type Items = Vec<(u32, Lit)>;

/// Numbers for tuples.
#[derive(Default)]
struct Numbered {
    ids: FxHashMap<Box<[TermId]>, u32>,
    tuples: Vec<Box<[TermId]>>,
}

impl Numbered {
    fn find(&self, tuple: &[TermId]) -> Option<u32> {
        self.ids.get(tuple).copied()
    }

    fn id(&mut self, tuple: &[TermId]) -> u32 {
        if let Some(id) = self.find(tuple) {
            return id;
        }
        let id = self.tuples.len() as u32;
        self.ids.insert(tuple.into(), id);
        self.tuples.push(tuple.into());
        id
    }
}

impl Shape {
    /// `None` if the rule does not have this shape and its instances must be listed.
    fn of(rule: &Rule, prepared: &Prepared) -> Option<Shape> {
        let Prepared { program, strata, .. } = prepared;
        let fixed = |literal: &Literal| match literal.condition.atom() {
            None => true,
            Some(atom) => strata.is_static(atom.relation) || program.relations[atom.relation.index()].domain,
        };
        let atoms = || rule.body.iter().filter_map(|literal| literal.condition.atom());
        let simple = rule.head.args.iter().all(|arg| matches!(arg, Pattern::Variable(_) | Pattern::Ground(_)));
        if !simple || atoms().any(|atom| strata.are_one(atom.relation, rule.head.relation)) {
            return None;
        }
        let mut head = Vec::new();
        rule.head.variables(&mut |variable| {
            if !head.contains(&variable) {
                head.push(variable);
            }
        });
        let of = |literals: &mut dyn Iterator<Item = &Literal>| {
            let mut found = FxHashSet::default();
            literals.for_each(|literal| {
                literal.condition.variables(&mut |variable| {
                    found.insert(variable);
                });
            });
            found
        };
        let changing = of(&mut rule.body.iter().filter(|literal| !fixed(literal)));
        // Only a condition that compares such a variable with one of the body's own leaves anything out.
        let mut left_out: FxHashSet<u32> = FxHashSet::default();
        for literal in rule.body.iter().filter(|literal| fixed(literal)) {
            let variables = of(&mut std::iter::once(literal));
            if variables.iter().any(|variable| !head.contains(variable)) {
                left_out.extend(variables.iter().filter(|it| head.contains(it) && !changing.contains(it)));
            }
        }
        let (filter, rest): (Vec<Literal>, Vec<Literal>) = rule.body.iter().cloned().partition(|literal| {
            fixed(literal) && of(&mut std::iter::once(literal)).iter().any(|it| left_out.contains(it))
        });
        let positive = |literal: &&Literal| matches!(literal.condition, Condition::Positive(_));
        let bound = of(&mut rest.iter().filter(positive));
        let (left_out, key): (Vec<u32>, Vec<u32>) = head.into_iter().partition(|it| left_out.contains(it));
        let mut chosen: Vec<u32> = of(&mut filter.iter()).into_iter().filter(|it| !left_out.contains(it)).collect();
        chosen.sort_unstable();
        let safe = key.iter().chain(&chosen).all(|variable| bound.contains(variable))
            && of(&mut rest.iter()).iter().all(|variable| bound.contains(variable));
        if left_out.is_empty() || !safe {
            return None;
        }
        let rest = Rule { body: rest, whole: None, ..rule.clone() };
        Some(Shape { filter, rest, left_out, key, chosen })
    }

    /// True if the filter keeps more than half of all combinations, estimated from its relations: `(opponent ?a ?b)`
    /// keeps one for each `?a`, `(different-cells ?cx ?cy ?x ?y)` all but one.
    fn leaves_out_little(&self, prepared: &mut Prepared) -> bool {
        let Prepared { program, tables, .. } = prepared;
        self.filter.iter().all(|literal| {
            let Condition::Positive(atom) = &literal.condition else { return true };
            let table = &mut tables[atom.relation.index()];
            let mut alike = |variables: &[u32]| {
                let is_key = |arg: &Pattern| arg.all(&|variable| variables.contains(&variable));
                let part = |arg: &Pattern| if is_key(arg) { table::Shape::Key } else { table::Shape::Any };
                let shape: Vec<table::Shape> = atom.args.iter().map(part).collect();
                table.rows_alike(&program.terms, &shape)
            };
            let pairs = alike(&self.left_out) * alike(&self.chosen);
            table.is_empty() || pairs * 2.0 > f64::from(table.len())
        })
    }

    /// True if the other conditions depend on moves, according to the strata.
    fn is_on_moves(&self, Prepared { strata, .. }: &Prepared) -> bool {
        let mut atoms = self.rest.body.iter().filter_map(|literal| literal.condition.atom());
        atoms.any(|atom| strata.on_moves[atom.relation.index()])
    }

    /// True if the filter keeps these values.
    fn keeps(&self, prepared: &Prepared, bindings: &[TermId]) -> bool {
        let Prepared { program, tables, .. } = prepared;
        self.filter.iter().all(|literal| holds(&literal.condition, &program.terms, tables, bindings))
    }
}

/// A head: the row of its relation, the number of the values it leaves out, and the number of its key.
struct Head {
    row: u32,
    left_out: u32,
    key: u32,
}

/// The atoms of a rule's head, split into left-out values and keys.
#[derive(Default)]
pub(super) struct Heads {
    heads: Vec<Head>,
    left_out: Numbered,
    keys: Numbered,
}

impl Heads {
    pub(super) fn of(rule: &Rule, shape: &Shape, prepared: &Prepared) -> Heads {
        let mut heads = Heads::default();
        let mut bindings = vec![UNBOUND; rule.variables.len()];
        let (mut left_out, mut key) = (Vec::new(), Vec::new());
        let table = &prepared.tables[rule.head.relation.index()];
        for row in 0..table.len() {
            bindings.fill(UNBOUND);
            let fits = rule.head.args.iter().zip(table.row(row)).all(|(arg, &term)| match arg {
                Pattern::Variable(variable) => {
                    let before = std::mem::replace(&mut bindings[*variable as usize], term);
                    before == UNBOUND || before == term
                }
                Pattern::Ground(ground) => *ground == term,
                Pattern::Compound(..) => false,
            });
            if fits {
                pick(&bindings, &shape.left_out, &mut left_out);
                pick(&bindings, &shape.key, &mut key);
                let (left_out, key) = (heads.left_out.id(&left_out), heads.keys.id(&key));
                heads.heads.push(Head { row, left_out, key });
            }
        }
        heads
    }

    /// For each head, its row and the values it leaves out.
    pub(super) fn rows(&self) -> impl Iterator<Item = (u32, &[TermId])> {
        self.heads.iter().map(|head| (head.row, &*self.left_out.tuples[head.left_out as usize]))
    }
}

fn pick(bindings: &[TermId], variables: &[u32], values: &mut Vec<TermId>) {
    values.clear();
    values.extend(variables.iter().map(|&variable| bindings[variable as usize]));
}

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
                let part = Part::Gate(gate);
                flat.push(offset + head.row, if gate == Lit::TRUE { &[] } else { std::slice::from_ref(&part) });
            }
        }
        Ok(true)
    }

    /// The solutions of the other conditions, by key. `None` if they depend on moves: such disjunctions are made
    /// smaller in another way (see `factor`).
    fn items(&mut self, shape: &Shape, heads: &Heads) -> Result<Option<(Vec<Items>, Numbered)>, TooMany> {
        let Prepared { program, tables, strata, .. } = &mut *self.prepared;
        let goal = Goal { first: None, bound: &[], heads_only: false, ignore_negative: &|_| false };
        let plan = plan(&shape.rest, &goal, &program.terms, tables);
        plan.complete(&program.terms, tables);
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

pub(super) fn bind(bindings: &mut [TermId], variables: &[u32], values: &[TermId]) {
    variables.iter().zip(values).for_each(|(&variable, &value)| bindings[variable as usize] = value);
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
