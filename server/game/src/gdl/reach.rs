//! The reachable domain: every atom that may hold at some point of some match.
//!
//! An over-approximation: negation on relations that change counts as true, moves of all roles count as possible at
//! any time they are possible at all.

use std::sync::Arc;

use percept_syntax::TextRange;

use super::demand::restrict;
use super::prepare::{OUTPUTS, Prepared};
use super::program::{Atom, Condition, Literal, Pattern, RelationId, Rule};
use super::saturate::{Exceeded, Excess, Limits, Saturation};
use super::strata::Component;
use super::table::Table;

/// Fills the tables of all dynamic relations with the atoms that may hold. A relation that would get more than
/// `demand_from` rows is evaluated on demand, where that is possible.
///
/// # Errors
/// [`Exceeded`] where the domain is larger than the limits.
pub(super) fn reach(prepared: &mut Prepared, limits: &Limits, demand_from: usize) -> Result<(), Exceeded> {
    let (rules_before, relations_before) = (prepared.program.rules.len(), prepared.program.relations.len());
    let feeding = feeding(prepared);
    let cone = prepared.strata.cone(&prepared.program, &OUTPUTS);
    let layers = cone.into_iter().map(|index| prepared.strata.components[index].clone());
    let dynamic = layers.filter(|layer| layer.relations.iter().any(|&relation| !prepared.strata.is_static(relation)));
    let (of_the_match, later) = dynamic.partition(|layer| feeding[layer.relations[0].index()]);
    let mut reaching = Reaching { fuel: limits.fuel, prepared, limits, demand_from, of_the_match, later };
    let result = reaching.fixpoint().and_then(|()| reaching.the_rest());
    let program = &mut prepared.program;
    program.rules.truncate(rules_before);
    // Rules that are none of the author's: the first rule of what they are about is the place to show.
    result.map_err(|exceeded| {
        let about = match exceeded.relation {
            RelationId::DOES => RelationId::LEGAL,
            RelationId::TRUE => RelationId::NEXT,
            // What is asked of a relation has its name.
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

/// By relation: whether `next` or `legal` depend on it through positive conditions. Negative ones do not matter, since
/// they count as true; what only they need is evaluated once, when all fluents and moves are known.
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
    /// The layers that moves and fluents depend on.
    of_the_match: Vec<Component>,
    /// The layers that are only asked about, in order.
    later: Vec<Component>,
}

impl Reaching<'_> {
    /// The fluents and moves there can be, and what they depend on. Where a relation gets too many rows on the way,
    /// this begins anew with that relation evaluated on demand.
    fn fixpoint(&mut self) -> Result<(), Exceeded> {
        let count = self.prepared.program.relations.len();
        let mut unbounded = vec![false; count];
        OUTPUTS.iter().for_each(|relation| unbounded[relation.index()] = true);
        let layers = self.of_the_match.clone();
        let mut restricted = vec![false; layers.len()];
        for (index, layer) in layers.iter().enumerate() {
            if self.restrict(&layers, index, &restricted).is_none() {
                layer.relations.iter().for_each(|relation| unbounded[relation.index()] = true);
            }
        }
        loop {
            let (rules, growing) = self.rules_of_the_match(&layers, &restricted);
            growing.iter().for_each(|relation| self.prepared.tables[relation.index()].clear());
            let Prepared { program, tables, .. } = &mut *self.prepared;
            let initial: Vec<_> = tables[RelationId::INIT.index()].rows().map(<[_]>::to_vec).collect();
            for fluent in initial {
                tables[RelationId::TRUE.index()].insert(&program.terms, &fluent);
            }
            let limit = |relation: RelationId| unbounded.get(relation.index()).is_some_and(|unbounded| !unbounded);
            let exceeded = match self.evaluate(&rules, &growing, &limit) {
                Ok(()) => break,
                Err(exceeded) => exceeded,
            };
            let layer = layers.iter().position(|layer| layer.relations.contains(&exceeded.relation));
            match layer {
                Some(layer) if exceeded.excess == Excess::Facts && limit(exceeded.relation) => {
                    // What it reads has to pass on what is asked, and cannot wait to be asked itself.
                    restricted[..layer].fill(false);
                    restricted[layer] = true;
                    for layer in &layers[..=layer] {
                        layer.relations.iter().for_each(|relation| unbounded[relation.index()] = true);
                    }
                }
                _ => return Err(exceeded),
            }
        }
        for (layer, _) in layers.iter().zip(restricted).filter(|(_, restricted)| *restricted) {
            layer.relations.iter().for_each(|relation| self.prepared.demanded[relation.index()] = true);
        }
        Ok(())
    }

    /// The rules of the fixpoint and the relations that grow in it.
    fn rules_of_the_match(&mut self, layers: &[Component], restricted: &[bool]) -> (Vec<usize>, Vec<RelationId>) {
        let copies = [(RelationId::LEGAL, RelationId::DOES, 2), (RelationId::NEXT, RelationId::TRUE, 1)];
        let mut rules = self.add(copies.map(|(from, to, arity)| copy_rule(from, to, arity)).into());
        let mut growing = vec![RelationId::TRUE, RelationId::DOES];
        for (index, layer) in layers.iter().enumerate() {
            growing.extend(&layer.relations);
            match restricted[index].then(|| self.restrict(layers, index, restricted)).flatten() {
                Some((own, asked)) => {
                    rules.extend(own);
                    growing.extend(asked);
                }
                None => rules.extend(&layer.rules),
            }
        }
        (rules, growing)
    }

    /// A layer of the match evaluated on demand: its rules, and the relations of what is asked.
    fn restrict(
        &mut self,
        layers: &[Component],
        at: usize,
        restricted: &[bool],
    ) -> Option<(Vec<usize>, Vec<RelationId>)> {
        let of = |relation: RelationId| layers.iter().position(|layer| layer.relations.contains(&relation));
        let later: Vec<RelationId> = self.later.iter().flat_map(|layer| layer.relations.clone()).collect();
        // What is itself evaluated on demand passes nothing on: it might wait for what is asked here.
        let known = |relation: RelationId| {
            !later.contains(&relation) && of(relation).is_none_or(|layer| layer != at && !restricted[layer])
        };
        self.on_demand(&layers[at], &known)
    }

    /// A layer evaluated on demand: its rules, and the relations of what is asked. `None` where somebody asks for
    /// everything: a match does, of the relations that make it up.
    fn on_demand(
        &mut self,
        layer: &Component,
        known: &dyn Fn(RelationId) -> bool,
    ) -> Option<(Vec<usize>, Vec<RelationId>)> {
        if layer.relations.iter().any(|relation| OUTPUTS.contains(relation)) {
            return None;
        }
        let all = self.of_the_match.iter().chain(&self.later).flat_map(|layer| layer.rules.iter().copied());
        let readers: Vec<usize> = all.filter(|rule| !layer.rules.contains(rule)).collect();
        let Prepared { program, tables, .. } = &mut *self.prepared;
        let restricted = restrict(program, &layer.relations, &layer.rules, &readers, known)?;
        tables.extend(program.relations[tables.len()..].iter().map(|relation| Table::new(relation.arity)));
        Some((self.add(restricted.rules), restricted.asked))
    }

    /// Everything that is only asked about, layer by layer.
    fn the_rest(&mut self) -> Result<(), Exceeded> {
        for (place, layer) in self.later.clone().iter().enumerate() {
            let growing = if layer.recursive { &layer.relations[..] } else { &[] };
            match self.evaluate(&layer.rules, growing, &|_| true) {
                Err(exceeded) if exceeded.excess == Excess::Facts => {}
                result => {
                    result?;
                    continue;
                }
            }
            layer.relations.iter().for_each(|relation| self.prepared.tables[relation.index()].clear());
            let waiting: Vec<RelationId> =
                self.later[place..].iter().flat_map(|layer| layer.relations.clone()).collect();
            match self.on_demand(layer, &|relation| !waiting.contains(&relation)) {
                Some((rules, asked)) => {
                    let growing: Vec<RelationId> = layer.relations.iter().copied().chain(asked).collect();
                    self.evaluate(&rules, &growing, &|_| false)?;
                    layer.relations.iter().for_each(|relation| self.prepared.demanded[relation.index()] = true);
                }
                None => self.evaluate(&layer.rules, growing, &|_| false)?,
            }
        }
        Ok(())
    }

    /// Adds rules to the program; their places.
    fn add(&mut self, rules: Vec<Rule>) -> Vec<usize> {
        let first = self.prepared.program.rules.len();
        self.prepared.program.rules.extend(rules);
        (first..self.prepared.program.rules.len()).collect()
    }

    /// All consequences of some rules. Relations that `bounded` picks get few rows.
    fn evaluate(
        &mut self,
        rules: &[usize],
        growing: &[RelationId],
        bounded: &dyn Fn(RelationId) -> bool,
    ) -> Result<(), Exceeded> {
        let Prepared { program, tables, strata, .. } = &mut *self.prepared;
        let saturation = Saturation::new(program, tables, rules, growing, &|relation| !strata.is_static(relation));
        let rows = |relation: RelationId| if bounded(relation) { self.demand_from } else { self.limits.rows };
        saturation.run_on(program, tables, self.limits, &rows, &mut self.fuel)
    }
}

/// `to(..) :- from(..)`.
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
