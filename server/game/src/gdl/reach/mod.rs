//! The reachable domain: every atom that may hold at some point of some match.
//!
//! An over-approximation: negation on relations that change counts as true, and moves of all roles count as possible
//! together whenever each is possible at all.

mod later;
mod sizes;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use percept_syntax::TextRange;
use rustc_hash::FxHashMap;

use self::sizes::{Growing, Measured, Sizes};
use super::demand::{Demand, Passing, Restricted, bound_places, restrict, variables_of};
use super::found::{BodySolutions, Layout};
use super::instantiate::are_all_but_a_few;
use super::limits::{Exceeded, Excess, Limits};
use super::prepare::{OUTPUTS, Prepared};
use super::program::{Atom, Condition, Literal, Pattern, RelationId, Rule};
use super::saturate::{Growth, Saturation};
use super::strata::Component;
use super::table::Table;

/// The divisor of the maximum number of rows. If another relation reaches the maximum, a relation with more rows than
/// this quotient is expected to exceed it, too: starting over for it later would cost more.
const GROWING: usize = 16;

/// Fills the tables of all dynamic relations with the atoms that may hold. A relation that would get more than
/// `demand_from` rows is evaluated on demand, if possible. Returns the solutions of rule bodies that were found on the
/// way.
///
/// # Errors
/// [`Exceeded`] if the domain is larger than the limits.
pub(super) fn reach(prepared: &mut Prepared, limits: &Limits, demand_from: usize) -> Result<BodySolutions, Exceeded> {
    let (rules_before, relations_before) = (prepared.program.rules.len(), prepared.program.relations.len());
    let mut reaching = Reaching::new(prepared, limits, demand_from);
    let result = reaching.fixpoint().and_then(|restricted| reaching.the_rest(&restricted));
    let found = reaching.found;
    let Prepared { program, tables, strata, .. } = &mut *prepared;
    program.rules.truncate(rules_before);
    // Most indexes are not read again, and they take memory.
    let relations = (0..relations_before).filter(|at| !strata.is_static(RelationId(*at as u32)));
    relations.for_each(|at| tables[at].drop_indexes());
    // The demand is of no further use.
    for (table, relation) in tables.iter_mut().zip(&program.relations).skip(relations_before) {
        *table = Table::new(relation.arity);
    }
    // An error in a rule that the author did not write is shown at the first rule of the relation that it is about.
    result.map(|()| found).map_err(|exceeded| {
        let about = match exceeded.relation {
            RelationId::DOES => RelationId::LEGAL,
            RelationId::TRUE => RelationId::NEXT,
            // The demand on a relation has the name of that relation.
            relation if relation.index() >= relations_before => {
                let name = program.relations[relation.index()].name;
                let of = program.relations.iter().position(|it| it.name == name);
                RelationId(of.map_or(RelationId::NEXT.0, |of| of as u32))
            }
            relation => relation,
        };
        let place = || program.rules.iter().position(|rule| rule.head.relation == about).unwrap_or(0);
        let rule = if exceeded.rule < rules_before { exceeded.rule } else { place() };
        Exceeded { rule, relation: about, excess: exceeded.excess }
    })
}

/// For each relation, true if `next` or `legal` depend on it through positive conditions. Negative conditions do not
/// matter, because they count as true; the relations that only they need are evaluated once, when all fluents and moves
/// are known.
fn feeding(prepared: &Prepared) -> Vec<bool> {
    let Prepared { program, strata, .. } = prepared;
    let mut feeding = vec![false; program.relations.len()];
    let mut rules_of: Vec<Vec<usize>> = vec![Vec::new(); program.relations.len()];
    program.rules.iter().enumerate().for_each(|(index, rule)| rules_of[rule.head.relation.index()].push(index));
    let mut stack = vec![RelationId::TRUE, RelationId::DOES, RelationId::NEXT, RelationId::LEGAL];
    while let Some(relation) = stack.pop() {
        if std::mem::replace(&mut feeding[relation.index()], true) {
            continue;
        }
        for literal in rules_of[relation.index()].iter().flat_map(|&rule| &program.rules[rule].body) {
            match &literal.condition {
                Condition::Positive(atom) if !strata.is_static(atom.relation) => stack.push(atom.relation),
                _ => {}
            }
        }
    }
    feeding
}

struct Reaching<'a> {
    prepared: &'a mut Prepared,
    limits: &'a Limits,
    fuel: u64,
    demand_from: usize,
    /// The components that depend on the state, in order.
    layers: Vec<Component>,
    /// The layer of each relation that depends on the state.
    layer_of: Vec<Option<usize>>,
    /// For each layer, true if moves and fluents depend on it. The others are only queried.
    of_the_match: Vec<bool>,
    /// The relations that are evaluated on demand in the fixpoint, with the demand on them.
    demands: Vec<(RelationId, Demand)>,
    /// True if rules pass all bindings on, because what is evaluated on demand had too many rows otherwise.
    passing_all: bool,
    /// The measurements of [`Sizes`].
    measured: Measured,
    /// For each layer, true if a match reads all of it, because it has one of the keyword relations that define the
    /// match.
    is_output: Vec<bool>,
    found: BodySolutions,
    /// For each rule with an additional condition on the demand in front, the rule of the program that it represents.
    stand_for: FxHashMap<usize, usize>,
    /// The number of the program's own rules.
    own_rules: usize,
}

/// For each layer, true if it is selected.
type Layers = [bool];

impl<'a> Reaching<'a> {
    fn new(prepared: &'a mut Prepared, limits: &'a Limits, demand_from: usize) -> Reaching<'a> {
        let feeding = feeding(prepared);
        let Prepared { program, strata, .. } = &*prepared;
        let cone = strata.cone(program, &OUTPUTS).into_iter().map(|index| &strata.components[index]);
        let is_dynamic = |layer: &&Component| layer.relations.iter().any(|&relation| !strata.is_static(relation));
        let layers: Vec<Component> = cone.filter(is_dynamic).cloned().collect();
        let mut layer_of = vec![None; program.relations.len()];
        for (at, layer) in layers.iter().enumerate() {
            layer.relations.iter().for_each(|relation| layer_of[relation.index()] = Some(at));
        }
        let made_up = |relation: &RelationId| {
            OUTPUTS.contains(relation) || [RelationId::TRUE, RelationId::DOES].contains(relation)
        };
        Reaching {
            fuel: limits.fuel,
            limits,
            demand_from,
            layer_of,
            of_the_match: layers.iter().map(|layer| feeding[layer.relations[0].index()]).collect(),
            is_output: layers.iter().map(|layer| layer.relations.iter().any(made_up)).collect(),
            layers,
            demands: Vec::new(),
            passing_all: false,
            measured: Measured::default(),
            found: BodySolutions::default(),
            stand_for: FxHashMap::default(),
            own_rules: program.rules.len(),
            prepared,
        }
    }

    /// Finds the fluents and moves that can be reached, and everything they depend on. If a relation gets too many rows
    /// on the way, this starts over with that relation evaluated on demand; if it still gets too many, with its readers
    /// on demand, too; and at last with more bindings passed on. Returns the layers evaluated on demand.
    fn fixpoint(&mut self) -> Result<Vec<bool>, Exceeded> {
        let mut restricted = vec![false; self.layers.len()];
        // Layers whose number of rows cannot be reduced, or has been reduced already.
        let mut unbounded = self.unbounded();
        loop {
            let (rules, growing) = self.rules_of_the_match(&restricted);
            self.forget(&growing);
            let tables = &mut self.prepared.tables;
            let initial: Vec<_> = tables[RelationId::INIT.index()].rows().map(<[_]>::to_vec).collect();
            for fluent in initial {
                tables[RelationId::TRUE.index()].insert(&fluent);
            }
            let layer_of = self.layer_of.clone();
            let layer = |relation: RelationId| layer_of.get(relation.index()).copied().flatten();
            let few = Some(self.demand_from);
            let limit = |relation: RelationId| layer(relation).filter(|at| !unbounded[*at]).and(few);
            let exceeded = match self.evaluate(&rules, &growing, &limit) {
                Ok(()) => return Ok(restricted),
                Err(exceeded) => exceeded,
            };
            match layer(exceeded.relation) {
                Some(at) if exceeded.excess == Excess::Facts && !unbounded[at] => {
                    self.restrict_also(at, &mut restricted, &mut unbounded);
                    self.restrict_large(&mut restricted, &mut unbounded);
                }
                Some(at) if exceeded.excess == Excess::Facts && restricted[at] => {
                    if !self.restrict_a_reader(&mut restricted, &mut unbounded) {
                        if std::mem::replace(&mut self.passing_all, true) {
                            return Err(exceeded);
                        }
                        restricted.fill(false);
                        unbounded = self.unbounded();
                    }
                }
                _ => return Err(exceeded),
            }
        }
    }

    /// The layers whose number of rows cannot be reduced by their readers.
    fn unbounded(&self) -> Vec<bool> {
        let layers = self.is_output.iter().zip(&self.of_the_match);
        layers.map(|(is_output, of_the_match)| *is_output || !of_the_match).collect()
    }

    /// Drops the rows of relations, and the solutions kept about them.
    fn forget(&mut self, relations: &[RelationId]) {
        relations.iter().for_each(|relation| self.prepared.forget(*relation));
        self.found.forget(&self.prepared.program, relations);
    }

    /// Also evaluates all layers on demand that have, or will have, many rows, if that does not weaken the demand on
    /// another: starting over for each of them would take longer than all the rest.
    fn restrict_large(&self, restricted: &mut [bool], unbounded: &mut [bool]) {
        let large = self.large();
        for at in (0..restricted.len()).rev().filter(|at| large[*at] && !unbounded[*at]).collect::<Vec<_>>() {
            let mut all = restricted.to_vec();
            all[at] = true;
            let (before, after) = (self.bound(restricted), self.bound(&all));
            if after[at] > 0 && (0..all.len()).all(|other| !restricted[other] || after[other] >= before[other]) {
                (restricted[at], unbounded[at]) = (true, true);
            }
        }
    }

    /// The layers that have many rows, and those that pass on all arguments of such a layer: with any further
    /// conditions, they have about as many rows once moves and fluents are known. The rows of a recursion cannot be
    /// predicted.
    fn large(&self) -> Vec<bool> {
        let rows = |relation: &RelationId| self.prepared.tables[relation.index()].len() as usize;
        let mut large = vec![false; self.layers.len()];
        for (at, layer) in self.layers.iter().enumerate() {
            let mut rules = layer.rules.iter().map(|&rule| &self.prepared.program.rules[rule]);
            let of_large = |atom: &Atom| self.layer_of(atom.relation).is_some_and(|below| large[below]);
            large[at] = layer.relations.iter().map(rows).sum::<usize>() > self.demand_from / GROWING
                || (!layer.recursive && rules.any(|rule| hands_on(rule, &of_large)));
        }
        large
    }

    /// Evaluates one more layer of the match on demand, if that does not make its readers query more.
    fn restrict_also(&self, at: usize, restricted: &mut [bool], unbounded: &mut [bool]) {
        let picked = |from: &Layers, from_layer: usize| -> Vec<bool> {
            (0..from.len()).map(|other| other == at || (from[other] && other >= from_layer)).collect()
        };
        let (before, alone) = (self.bound(restricted), self.bound(&picked(restricted, usize::MAX)));
        let mut all = picked(restricted, 0);
        let mut after = self.bound(&all);
        let mut first = 0;
        if after[at] < alone[at] || (0..at).any(|below| restricted[below] && after[below] < before[below]) {
            // The layers it reads have to pass the demand on, so they cannot wait for their own.
            first = at;
            all = picked(restricted, first);
            after = self.bound(&all);
        }
        unbounded[at] = true;
        if after[at] > 0 && (at + 1..all.len()).all(|above| !restricted[above] || after[above] >= before[above]) {
            unbounded[..first].fill(true);
            restricted.copy_from_slice(&all);
        }
    }

    /// For each layer, the number of arguments that every reader binds, if the picked layers of the match are evaluated
    /// on demand.
    fn bound(&self, picked: &Layers) -> Vec<usize> {
        let (relations, own, readers) = self.split(picked, &self.of_the_match);
        let complete = self.known_in_match(picked);
        let Prepared { program, tables, strata, .. } = &*self.prepared;
        let sizes = Sizes { tables, strata, growing: Growing::Dynamic, measured: &self.measured };
        let is_known = |relation: RelationId| self.layer_of(relation).is_none_or(|at| complete[at]);
        let passing =
            Passing { is_known: &is_known, rows: &|atom, bound| sizes.of(atom, bound), all: self.passing_all };
        let bound = bound_places(program, &relations, &own, &readers, &passing);
        let mut by_layer = vec![0; self.layers.len()];
        for (relation, bound) in relations.iter().zip(bound) {
            by_layer[self.layer_of(*relation).expect("of a layer")] += bound.len();
        }
        by_layer
    }

    /// Also evaluates a layer on demand that reads those which are, if one of them has too many rows nevertheless: the
    /// layer then queries them only for its own queries. Returns false if there is none left.
    fn restrict_a_reader(&self, restricted: &mut [bool], unbounded: &mut [bool]) -> bool {
        for reader in 0..restricted.len() {
            if !unbounded[reader] && self.reads(reader, restricted) {
                self.restrict_also(reader, restricted, unbounded);
                if restricted[reader] {
                    return true;
                }
            }
        }
        false
    }

    fn layer_of(&self, relation: RelationId) -> Option<usize> {
        self.layer_of.get(relation.index()).copied().flatten()
    }

    /// The relations of the picked layers, their rules, and the rules of the other layers of `among`, which may read
    /// them.
    fn split(&self, picked: &Layers, among: &Layers) -> (Vec<RelationId>, Vec<usize>, Vec<usize>) {
        let (mut relations, mut own, mut readers) = (Vec::new(), Vec::new(), Vec::new());
        for (at, layer) in self.layers.iter().enumerate().filter(|(at, _)| among[*at]) {
            if picked[at] {
                relations.extend(&layer.relations);
                own.extend(&layer.rules);
            } else {
                readers.extend(&layer.rules);
            }
        }
        (relations, own, readers)
    }

    /// The layers that pass bindings on in the fixpoint. A layer evaluated on demand does not, because it might wait
    /// for that demand.
    fn known_in_match(&self, restricted: &Layers) -> Vec<bool> {
        self.of_the_match
            .iter()
            .zip(restricted)
            .map(|(of_the_match, restricted)| *of_the_match && !restricted)
            .collect()
    }

    /// The rules of the fixpoint and the relations that grow in it.
    fn rules_of_the_match(&mut self, restricted: &Layers) -> (Vec<usize>, Vec<RelationId>) {
        let copies = [(RelationId::LEGAL, RelationId::DOES, 2), (RelationId::NEXT, RelationId::TRUE, 1)];
        let mut rules = self.add(copies.map(|(from, to, arity)| copy_rule(from, to, arity)).into());
        let mut growing = vec![RelationId::TRUE, RelationId::DOES];
        let of_the_match = self.of_the_match.clone();
        for (layer, _) in self.layers.iter().zip(&of_the_match).filter(|(_, of_the_match)| **of_the_match) {
            growing.extend(&layer.relations);
        }
        let complete = self.known_in_match(restricted);
        let (_, own, readers) = self.split(restricted, &of_the_match);
        rules.extend(readers);
        self.demands.clear();
        match self.restrict(restricted, &of_the_match, &complete, Growing::Dynamic) {
            Some((relations, Restricted { rules: answering, asking, demands })) => {
                let answering = self.answering(answering);
                rules.extend(answering);
                rules.extend(self.add(asking));
                growing.extend(demands.iter().map(|demands| demands.relation));
                self.demands.extend(relations.into_iter().zip(demands));
            }
            None => rules.extend(own),
        }
        (rules, growing)
    }

    /// Restricts the picked layers of `among` to the queries of the others, and adds tables for the demand.
    fn restrict(
        &mut self,
        picked: &Layers,
        among: &Layers,
        complete: &Layers,
        growing: Growing,
    ) -> Option<(Vec<RelationId>, Restricted)> {
        let (relations, own, readers) = self.split(picked, among);
        let Prepared { program, tables, strata, .. } = &mut *self.prepared;
        let sizes = Sizes { tables, strata, growing, measured: &self.measured };
        let layer_of = |relation: RelationId| self.layer_of.get(relation.index()).copied().flatten();
        let is_known = |relation: RelationId| layer_of(relation).is_none_or(|at| complete[at]);
        let passing =
            Passing { is_known: &is_known, rows: &|atom, bound| sizes.of(atom, bound), all: self.passing_all };
        let restricted = restrict(program, &relations, &own, &readers, &passing)?;
        tables.extend(program.relations[tables.len()..].iter().map(|relation| Table::new(relation.arity)));
        Some((relations, restricted))
    }

    /// Adds rules to the program and returns their indices.
    fn add(&mut self, rules: Vec<Rule>) -> Vec<usize> {
        let first = self.prepared.program.rules.len();
        self.prepared.program.rules.extend(rules);
        (first..self.prepared.program.rules.len()).collect()
    }

    /// Adds rules that each represent a rule of the program.
    fn answering(&mut self, rules: Vec<(usize, Rule)>) -> Vec<usize> {
        let (of, rules): (Vec<usize>, Vec<Rule>) = rules.into_iter().unzip();
        let places = self.add(rules);
        self.stand_for.extend(places.iter().copied().zip(of));
        places
    }

    /// Derives all consequences of some rules. Relations that `few` bounds get no more rows than that.
    fn evaluate(
        &mut self,
        rules: &[usize],
        growing: &[RelationId],
        few: &dyn Fn(RelationId) -> Option<usize>,
    ) -> Result<(), Exceeded> {
        let many = self.limits.rows;
        self.evaluate_up_to(rules, growing, &|relation| match relation {
            RelationId::LEGAL | RelationId::DOES | RelationId::NEXT | RelationId::TRUE => many.min(self.limits.leaves),
            _ => few(relation).unwrap_or(many),
        })
    }

    /// The layout of a rule's solutions, if they are kept.
    fn layout(&mut self, rule: usize) -> Option<Layout> {
        let (of, in_front) = match self.stand_for.get(&rule) {
            Some(of) => (*of, 1),
            None => (rule, 0),
        };
        if of >= self.own_rules {
            return None;
        }
        let own = self.prepared.program.rules[of].clone();
        (!are_all_but_a_few(&own, self.prepared)).then(|| Layout::of(self.prepared, of, in_front)).flatten()
    }

    /// Like [`Reaching::evaluate`], with a limit of rows for every relation.
    fn evaluate_up_to(
        &mut self,
        rules: &[usize],
        growing: &[RelationId],
        rows: &dyn Fn(RelationId) -> usize,
    ) -> Result<(), Exceeded> {
        let mut layouts: FxHashMap<usize, Layout> =
            rules.iter().filter_map(|&rule| Some((rule, self.layout(rule)?))).collect();
        let Prepared { program, tables, strata, .. } = &mut *self.prepared;
        let saturation = Saturation::new(program, tables, rules, growing, &|relation| !strata.is_static(relation));
        // A relation that is not listed counts as one that changes.
        let is_fixed = |relation: RelationId| relation.index() < strata.on_state.len() && strata.is_static(relation);
        let saturation = saturation.keeping(&mut layouts).bounded(program, tables, &is_fixed);
        let growth = Growth { rows, limits: self.limits };
        saturation.run_keeping(program, tables, &growth, &mut self.fuel, &mut self.found)
    }
}

/// True if the head has all variables of some positive condition that is picked.
fn hands_on(rule: &Rule, picked: &dyn Fn(&Atom) -> bool) -> bool {
    let head = variables_of(&rule.head);
    let handed_on = |atom: &Atom| atom.args.iter().all(|arg| arg.all(&|variable| head.contains(&variable)));
    rule.body.iter().any(|literal| match &literal.condition {
        Condition::Positive(atom) => !atom.args.is_empty() && picked(atom) && handed_on(atom),
        _ => false,
    })
}

/// The rule `to(..) :- from(..)`.
fn copy_rule(from: RelationId, to: RelationId, arity: u32) -> Rule {
    let args: Box<[Pattern]> = (0..arity).map(Pattern::Variable).collect();
    let condition = Condition::Positive(Atom { relation: from, args: args.clone() });
    Rule {
        head: Atom { relation: to, args },
        body: vec![Literal { condition, range: TextRange::default() }],
        variables: Arc::from(vec![smol_str::SmolStr::default(); arity as usize]),
        range: TextRange::default(),
        head_range: TextRange::default(),
        whole: None,
    }
}
