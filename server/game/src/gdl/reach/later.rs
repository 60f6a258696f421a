//! What is only asked about, once all fluents and moves are known.

use rustc_hash::FxHashMap;

use super::sizes::Growing;
use super::{Layers, Reaching};
use crate::gdl::demand::{Asked, Restricted};
use crate::gdl::limits::{Exceeded, Excess};
use crate::gdl::prepare::Prepared;
use crate::gdl::program::{RelationId, Rule};
use crate::gdl::table::Table;

/// Rows of what is asked of a layer, and combinations tried for them; where there would be more, it is cheaper to
/// evaluate all of it.
const MOST_ASKED: usize = 1_000_000;
const MOST_TRIED: u64 = 20_000_000;

impl Reaching<'_> {
    /// Everything that is only asked about, layer by layer. What has too many rows waits until it is known what is asked of
    /// it, and with it all that reads it; so do the layers of which the match asked something and these ask more.
    pub(super) fn the_rest(&mut self, restricted: &Layers) -> Result<(), Exceeded> {
        let again = self.asked_again(restricted);
        let mut waiting = again.clone();
        for (relation, asked) in &self.asked {
            self.prepared.demanded[relation.index()] = !asked.bound.is_empty();
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

    /// Drops the rows of a layer; it is not evaluated on demand any more.
    fn forget_layer(&mut self, at: usize) {
        let relations = self.layers[at].relations.clone();
        self.forget(&relations);
        relations.iter().for_each(|relation| self.prepared.demanded[relation.index()] = false);
    }

    /// Of the layers that were evaluated on demand with the match, those that others ask, too, and what these read.
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

    /// Whether a layer reads one of these.
    fn reads(&self, at: usize, layers: &Layers) -> bool {
        let rules = self.layers[at].rules.iter().map(|&rule| &self.prepared.program.rules[rule]);
        let mut atoms = rules.flat_map(|rule| &rule.body).filter_map(|literal| literal.condition.atom());
        atoms.any(|atom| self.layer_of(atom.relation).is_some_and(|below| layers[below]))
    }

    /// All rows of a layer whose conditions are evaluated.
    fn all_of(&mut self, at: usize, bounded: bool) -> Result<(), Exceeded> {
        let layer = self.layers[at].clone();
        let growing = if layer.recursive { &layer.relations[..] } else { &[] };
        let few = bounded.then_some(self.demand_from);
        self.evaluate(&layer.rules, growing, &|_| few)
    }

    /// The waiting layers: first what is asked of each, from above; then the answers, from below.
    fn on_demand(&mut self, waiting: &Layers, again: &Layers) -> Result<(), Exceeded> {
        // Where so much is asked that all of it is less work.
        let mut whole = self.is_output.clone();
        let known: Vec<bool> = waiting.iter().map(|waiting| !waiting).collect();
        let all = vec![true; waiting.len()];
        loop {
            let asked: Vec<bool> = waiting.iter().zip(&whole).map(|(waiting, whole)| *waiting && !whole).collect();
            let Some((relations, restricted)) = self.restrict(&asked, &all, &known, Growing::None) else {
                return (0..waiting.len()).filter(|at| waiting[*at]).try_for_each(|at| {
                    self.forget_layer(at);
                    self.all_of(at, false)
                });
            };
            match self.ask(&asked, &relations, &restricted) {
                Ok(()) => {
                    let kept = self.answered(again, &relations, &restricted.asked);
                    return self.answer(waiting, &asked, &kept, &relations, restricted);
                }
                Err((exceeded, at)) if matches!(exceeded.excess, Excess::Facts | Excess::Work) => whole[at] = true,
                Err((exceeded, _)) => return Err(exceeded),
            }
        }
    }

    /// What is asked of each layer, from above. Fails with the layer of which too much is asked.
    fn ask(
        &mut self,
        layers: &Layers,
        relations: &[RelationId],
        restricted: &Restricted,
    ) -> Result<(), (Exceeded, usize)> {
        let mut asking: Vec<Vec<Rule>> = vec![Vec::new(); layers.len()];
        let mut growing: Vec<Vec<RelationId>> = vec![Vec::new(); layers.len()];
        let mut at_of = FxHashMap::default();
        for (relation, asked) in relations.iter().zip(&restricted.asked) {
            let at = self.layer_of(*relation).expect("of a layer");
            at_of.insert(asked.relation, at);
            growing[at].push(asked.relation);
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

    /// The layers among those that are asked again of which all that is asked was asked before, as of all they read.
    fn answered(&self, again: &Layers, relations: &[RelationId], asked: &[Asked]) -> Vec<bool> {
        let mut kept = vec![false; again.len()];
        let mut anew = vec![false; again.len()];
        for at in (0..again.len()).filter(|at| again[*at]) {
            let was_asked = |relation: &RelationId| {
                let now = relations.iter().position(|it| it == relation).map(|of| &asked[of]);
                let before = self.asked.iter().find(|it| it.0 == *relation).map(|it| &it.1);
                now.zip(before).is_some_and(|(now, before)| self.is_known(now, before))
            };
            kept[at] = self.layers[at].relations.iter().all(was_asked) && !self.reads(at, &anew);
            anew[at] = !kept[at];
        }
        kept
    }

    /// Whether all that is asked now was asked before.
    fn is_known(&self, now: &Asked, before: &Asked) -> bool {
        let places = before.bound.iter().map(|place| now.bound.iter().position(|it| it == place));
        let Some(places) = places.collect::<Option<Vec<usize>>>() else { return false };
        let [now, before] = [now, before].map(|asked| &self.prepared.tables[asked.relation.index()]);
        let mut tuple = Vec::new();
        now.rows().all(|row| {
            tuple.clear();
            tuple.extend(places.iter().map(|&place| row[place]));
            before.find(&tuple).is_some()
        })
    }

    /// Has all that is asked of a layer in its table, without a look at what of it can hold, where that is right: the circuit
    /// finds that out anyway, and joins the same conditions for it.
    fn may_all_hold(&mut self, at: usize, relations: &[RelationId], asked: &[Asked]) -> bool {
        let Prepared { program, tables, .. } = &mut *self.prepared;
        let &[relation] = &self.layers[at].relations[..] else { return false };
        let of = relations.iter().position(|it| *it == relation).expect("asked of a layer");
        let asked = asked[of].relation;
        let [whole, known] = [relation, asked].map(|it| &program.relations[it.index()]);
        // A domain is what tells the circuit what to look at.
        if self.layers[at].recursive || whole.domain || known.arity < whole.arity {
            return false;
        }
        tables[relation.index()] = std::mem::replace(&mut tables[asked.index()], Table::new(known.arity));
        true
    }

    /// The rows of the waiting layers, from below: of those that are asked, the answers, where these are not kept; all of the
    /// others.
    fn answer(
        &mut self,
        waiting: &Layers,
        asked: &Layers,
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
            if !asked[at] {
                self.all_of(at, false)?;
                continue;
            }
            if self.may_all_hold(at, relations, &restricted.asked) {
                continue;
            }
            let rules = self.answering(std::mem::take(&mut answering[at]));
            let layer = self.layers[at].clone();
            let growing = if layer.recursive { &layer.relations[..] } else { &[] };
            self.evaluate(&rules, growing, &|_| None)?;
        }
        for (relation, asked) in relations.iter().zip(restricted.asked) {
            if !self.layer_of(*relation).is_some_and(|at| kept[at]) {
                self.prepared.demanded[relation.index()] = !asked.bound.is_empty();
            }
        }
        Ok(())
    }
}
