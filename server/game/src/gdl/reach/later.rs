//! The relations that are only queried, once all fluents and moves are known.

use rustc_hash::FxHashMap;

use super::sizes::Growing;
use super::{Layers, Reaching};
use crate::gdl::demand::{Demand, Restricted};
use crate::gdl::limits::{Exceeded, Excess};
use crate::gdl::prepare::Prepared;
use crate::gdl::program::{RelationId, Rule};
use crate::gdl::table::Table;

/// The maximum number of rows of the demand on a layer, and of combinations tried for them. Beyond that it is cheaper
/// to evaluate the whole layer.
const MOST_ASKED: usize = 1_000_000;
const MOST_TRIED: u64 = 20_000_000;

impl Reaching<'_> {
    /// Evaluates everything that is only queried, layer by layer. A layer with too many rows waits until the demand on
    /// it is known, and so do all its readers. Layers that the match evaluated on demand also wait, if these readers
    /// query more.
    pub(super) fn the_rest(&mut self, restricted: &Layers) -> Result<(), Exceeded> {
        let again = self.asked_again(restricted);
        let mut waiting = again.clone();
        for (relation, demand) in &self.demands {
            self.prepared.demanded[relation.index()] = !demand.bound.is_empty();
        }
        for at in 0..self.layers.len() {
            if self.of_the_match[at] {
                continue;
            }
            waiting[at] = self.reads(at, &waiting);
            if waiting[at] {
                continue;
            }
            match self.all_of(at, !self.is_output[at]) {
                Err(exceeded) if exceeded.excess == Excess::Facts && !self.is_output[at] => waiting[at] = true,
                result => result?,
            }
        }
        match waiting.contains(&true) {
            true => self.on_demand(&waiting, &again),
            false => Ok(()),
        }
    }

    /// Drops the rows of a layer, which is no longer evaluated on demand.
    fn forget_layer(&mut self, at: usize) {
        let relations = self.layers[at].relations.clone();
        self.forget(&relations);
        relations.iter().for_each(|relation| self.prepared.demanded[relation.index()] = false);
    }

    /// The layers that were evaluated on demand with the match and that other layers query, too, with the layers that
    /// they read.
    fn asked_again(&self, restricted: &Layers) -> Vec<bool> {
        let mut again = vec![false; restricted.len()];
        for at in (0..restricted.len()).rev().filter(|at| restricted[*at]) {
            let asks = |above: &usize| !self.of_the_match[*above] || again[*above];
            let mut only = vec![false; restricted.len()];
            only[at] = true;
            again[at] = (0..restricted.len()).filter(asks).any(|above| self.reads(above, &only));
        }
        again
    }

    /// True if a layer reads one of `layers`.
    pub(super) fn reads(&self, at: usize, layers: &Layers) -> bool {
        let rules = self.layers[at].rules.iter().map(|&rule| &self.prepared.program.rules[rule]);
        let mut atoms = rules.flat_map(|rule| &rule.body).filter_map(|literal| literal.condition.atom());
        atoms.any(|atom| self.layer_of(atom.relation).is_some_and(|below| layers[below]))
    }

    /// Finds all rows of a layer whose conditions are evaluated.
    fn all_of(&mut self, at: usize, bounded: bool) -> Result<(), Exceeded> {
        let layer = self.layers[at].clone();
        let growing = if layer.recursive { &layer.relations[..] } else { &[] };
        let few = bounded.then_some(self.demand_from);
        self.evaluate(&layer.rules, growing, &|_| few)
    }

    /// Evaluates the waiting layers: first the demand on each, from the top down; then the answers, from the bottom up.
    fn on_demand(&mut self, waiting: &Layers, again: &Layers) -> Result<(), Exceeded> {
        // Layers whose demand is so large that evaluating the whole layer is less work.
        let mut whole = self.is_output.clone();
        let complete: Vec<bool> = waiting.iter().map(|waiting| !waiting).collect();
        let all = vec![true; waiting.len()];
        loop {
            let layers: Vec<bool> = waiting.iter().zip(&whole).map(|(waiting, whole)| *waiting && !whole).collect();
            let Some((relations, restricted)) = self.restrict(&layers, &all, &complete, Growing::None) else {
                return (0..waiting.len()).filter(|at| waiting[*at]).try_for_each(|at| {
                    self.forget_layer(at);
                    self.all_of(at, false)
                });
            };
            match self.ask(&layers, &relations, &restricted) {
                Ok(()) => {
                    let kept = self.answered(again, &relations, &restricted.demands);
                    return self.answer(waiting, &layers, &kept, &relations, restricted);
                }
                Err((exceeded, at)) if matches!(exceeded.excess, Excess::Facts | Excess::Work) => whole[at] = true,
                Err((exceeded, _)) => return Err(exceeded),
            }
        }
    }

    /// Derives the demand on each layer, from the top down. Fails with the layer whose demand is too large.
    fn ask(
        &mut self,
        layers: &Layers,
        relations: &[RelationId],
        restricted: &Restricted,
    ) -> Result<(), (Exceeded, usize)> {
        let mut asking: Vec<Vec<Rule>> = vec![Vec::new(); layers.len()];
        let mut growing: Vec<Vec<RelationId>> = vec![Vec::new(); layers.len()];
        let mut at_of = FxHashMap::default();
        for (relation, demand) in relations.iter().zip(&restricted.demands) {
            let at = self.layer_of(*relation).expect("of a layer");
            at_of.insert(demand.relation, at);
            growing[at].push(demand.relation);
        }
        restricted.asking.iter().for_each(|rule| asking[at_of[&rule.head.relation]].push(rule.clone()));
        for at in (0..layers.len()).rev().filter(|at| layers[*at]) {
            let rules = self.add(std::mem::take(&mut asking[at]));
            let growing = if self.layers[at].recursive { &growing[at][..] } else { &[] };
            let fuel = self.fuel;
            self.fuel = fuel.min(MOST_TRIED);
            let result = self.evaluate_up_to(&rules, growing, &|_| MOST_ASKED);
            self.fuel += fuel - fuel.min(MOST_TRIED);
            result.map_err(|exceeded| (exceeded, at))?;
        }
        Ok(())
    }

    /// The layers of `again` whose current demand was met before, together with the demand on all layers that they
    /// read.
    fn answered(&self, again: &Layers, relations: &[RelationId], demands: &[Demand]) -> Vec<bool> {
        let mut kept = vec![false; again.len()];
        let mut anew = vec![false; again.len()];
        for at in (0..again.len()).filter(|at| again[*at]) {
            let was_asked = |relation: &RelationId| {
                let now = relations.iter().position(|it| it == relation).map(|of| &demands[of]);
                let before = self.demands.iter().find(|it| it.0 == *relation).map(|it| &it.1);
                now.zip(before).is_some_and(|(now, before)| self.is_known(now, before))
            };
            kept[at] = self.layers[at].relations.iter().all(was_asked) && !self.reads(at, &anew);
            anew[at] = !kept[at];
        }
        kept
    }

    /// True if the present demand is a part of the demand before.
    fn is_known(&self, now: &Demand, before: &Demand) -> bool {
        let places = before.bound.iter().map(|place| now.bound.iter().position(|it| it == place));
        let Some(places) = places.collect::<Option<Vec<usize>>>() else { return false };
        let [now, before] = [now, before].map(|demand| &self.prepared.tables[demand.relation.index()]);
        let mut tuple = Vec::new();
        now.rows().all(|row| {
            tuple.clear();
            tuple.extend(places.iter().map(|&place| row[place]));
            before.find(&tuple).is_some()
        })
    }

    /// Takes the whole demand on a layer as its table, without checking which tuples can hold, if that is sound: the
    /// circuit checks that anyway, and joins the same conditions for it.
    fn may_all_hold(&mut self, at: usize, relations: &[RelationId], demands: &[Demand]) -> bool {
        let Prepared { program, tables, .. } = &mut *self.prepared;
        let &[relation] = &self.layers[at].relations[..] else { return false };
        let of = relations.iter().position(|it| *it == relation).expect("asked of a layer");
        let demand = demands[of].relation;
        let [whole, part] = [relation, demand].map(|it| &program.relations[it.index()]);
        // The circuit takes the candidates to try from a domain.
        if self.layers[at].recursive || whole.domain || part.arity < whole.arity {
            return false;
        }
        tables[relation.index()] = std::mem::replace(&mut tables[demand.index()], Table::new(part.arity));
        true
    }

    /// Finds the rows of the waiting layers, from the bottom up: for those in demand, the answers, unless these are
    /// kept; for the others, all rows.
    fn answer(
        &mut self,
        waiting: &Layers,
        layers: &Layers,
        kept: &Layers,
        relations: &[RelationId],
        restricted: Restricted,
    ) -> Result<(), Exceeded> {
        let mut answering: Vec<Vec<(usize, Rule)>> = vec![Vec::new(); waiting.len()];
        for (of, rule) in restricted.rules {
            let at = self.layer_of(rule.head.relation).expect("of a layer");
            answering[at].push((of, rule));
        }
        for at in (0..waiting.len()).filter(|at| waiting[*at] && !kept[*at]) {
            self.forget_layer(at);
            if !layers[at] {
                self.all_of(at, false)?;
                continue;
            }
            if self.may_all_hold(at, relations, &restricted.demands) {
                continue;
            }
            let rules = self.answering(std::mem::take(&mut answering[at]));
            let layer = self.layers[at].clone();
            let growing = if layer.recursive { &layer.relations[..] } else { &[] };
            self.evaluate(&rules, growing, &|_| None)?;
        }
        for (relation, demand) in relations.iter().zip(restricted.demands) {
            if !self.layer_of(*relation).is_some_and(|at| kept[at]) {
                self.prepared.demanded[relation.index()] = !demand.bound.is_empty();
            }
        }
        Ok(())
    }
}
