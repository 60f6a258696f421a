//! The action that is made, as gates over sets of actions.
//!
//! Many facts change with every action that has certain arguments: a slot gets the new card whatever the old one was,
//! unless it is the same. Such a set is a *box*: the actions of a schema with an argument in one set, another argument
//! in another one, and so on. Because exactly one action is made, a box is a conjunction of a few sets of actions with
//! one argument, negated or not, instead of a disjunction of all its actions.

use rustc_hash::FxHashMap;

use super::super::model::Obj;
use super::candidates::Candidate;
use super::gates::Gates;
use crate::circuit::Lit;

/// From this number of actions on, a box has fewer operands than its actions.
const LEAST: usize = 3;

/// The literals that state which candidate is made.
pub(super) struct Does {
    /// For each candidate, the literal that it is made.
    pub made: Vec<Lit>,
    boxes: Option<Boxes>,
}

/// The candidates by their arguments.
struct Boxes {
    schemas: FxHashMap<u16, Schema>,
    /// For each candidate, its schema and arguments.
    actions: Vec<(u16, Box<[Obj]>)>,
}

/// The candidates of one schema.
struct Schema {
    /// All of them, ascending.
    all: Vec<u32>,
    /// For each parameter, its values, ascending.
    by_value: Vec<Vec<WithValue>>,
}

/// The candidates with a value of a parameter, and their disjunction once it was needed.
type WithValue = (Obj, Vec<u32>, Option<Lit>);

/// The values that a box allows for one parameter.
struct Side {
    param: usize,
    /// Indices into the parameter's values.
    places: Vec<usize>,
}

impl Does {
    /// The literals of all candidates, without boxes.
    pub(super) fn plain(made: Vec<Lit>) -> Does {
        Does { made, boxes: None }
    }

    /// The literals of all candidates, with boxes. `counts`: for each schema, the number of its parameters.
    pub(super) fn in_boxes(made: Vec<Lit>, candidates: &[Candidate], counts: impl Fn(u16) -> usize) -> Does {
        let action = |it: &Candidate| (it.schema, it.frame[..counts(it.schema)].into());
        let actions: Vec<(u16, Box<[Obj]>)> = candidates.iter().map(action).collect();
        let mut schemas: FxHashMap<u16, Schema> = FxHashMap::default();
        for (index, (schema, _)) in actions.iter().enumerate() {
            let new = || Schema { all: Vec::new(), by_value: Vec::new() };
            schemas.entry(*schema).or_insert_with(new).all.push(index as u32);
        }
        for (id, schema) in &mut schemas {
            schema.by_value = (0..counts(*id))
                .map(|param| {
                    let mut values: FxHashMap<Obj, Vec<u32>> = FxHashMap::default();
                    let value = |index: &u32| actions[*index as usize].1[param];
                    schema.all.iter().for_each(|index| values.entry(value(index)).or_default().push(*index));
                    let mut values: Vec<_> = values.into_iter().map(|(value, with)| (value, with, None)).collect();
                    values.sort_unstable_by_key(|(value, ..)| *value);
                    values
                })
                .collect();
        }
        Does { made, boxes: Some(Boxes { schemas, actions }) }
    }

    /// Literals, one of which holds if and only if one of these candidates is made (ascending, without repeats).
    pub(super) fn one_of(&mut self, gates: &mut Gates, candidates: &[u32]) -> Vec<Lit> {
        let Does { made, boxes } = self;
        let alone = |candidates: &[u32], lits: &mut Vec<Lit>| {
            lits.extend(candidates.iter().map(|&candidate| made[candidate as usize]));
        };
        let mut lits = Vec::new();
        let Some(Boxes { schemas, actions }) = boxes else {
            alone(candidates, &mut lits);
            return lits;
        };
        let schema = |candidate: &u32| actions[*candidate as usize].0;
        for group in candidates.chunk_by(|left, right| schema(left) == schema(right)) {
            let found = match schemas.get_mut(&schema(&group[0])) {
                Some(schema) if group.len() >= LEAST => schema.as_box(gates, made, actions, group),
                _ => None,
            };
            match found {
                Some(lit) => lits.push(lit),
                None => alone(group, &mut lits),
            }
        }
        lits
    }
}

impl Schema {
    /// The gate of these candidates if they are a box.
    fn as_box(&mut self, gates: &mut Gates, made: &[Lit], actions: &[(u16, Box<[Obj]>)], group: &[u32]) -> Option<Lit> {
        let mut sides: Vec<Side> = Vec::new();
        for (param, values) in self.by_value.iter().enumerate() {
            let place = |index: &u32| {
                let value = actions[*index as usize].1[param];
                values.binary_search_by_key(&value, |(value, ..)| *value).expect("a value of a candidate")
            };
            let mut places: Vec<usize> = group.iter().map(place).collect();
            places.sort_unstable();
            places.dedup();
            if places.len() < values.len() {
                sides.push(Side { param, places });
            }
        }
        if self.count(&sides, actions, None) != group.len() {
            return None;
        }
        // Sides that follow from the others are left out, the widest first.
        sides.sort_by_key(|side| std::cmp::Reverse(side.places.len()));
        let mut at = 0;
        while at < sides.len() {
            if self.count(&sides, actions, Some(at)) == group.len() {
                sides.remove(at);
            } else {
                at += 1;
            }
        }
        let mut parts = Vec::new();
        let mut is_within = false;
        for Side { param, places } in &sides {
            let values = self.by_value[*param].len();
            let is_positive = 2 * places.len() <= values;
            let listed = (0..values).filter(|place| places.binary_search(place).is_ok() == is_positive);
            let lits: Vec<Lit> = listed.map(|place| self.with(gates, made, *param, place)).collect();
            let lit = gates.circuit.or(lits);
            parts.push(if is_positive { lit } else { !lit });
            is_within |= is_positive;
        }
        if !is_within {
            parts.push(gates.circuit.or(self.all.iter().map(|&index| made[index as usize])));
        }
        Some(gates.circuit.and(parts))
    }

    /// The number of candidates within all sides, or all but one of them.
    fn count(&self, sides: &[Side], actions: &[(u16, Box<[Obj]>)], except: Option<usize>) -> usize {
        let sides = || sides.iter().enumerate().filter(|(at, _)| Some(*at) != except).map(|(_, side)| side);
        let lists = |side: &Side| side.places.iter().map(|&place| &self.by_value[side.param][place].1).collect();
        let size = |side: &&Side| side.places.iter().map(|&place| self.by_value[side.param][place].1.len()).sum();
        let Some(narrow) = sides().min_by_key(|side| -> usize { size(side) }) else { return self.all.len() };
        let is_within = |index: &&u32| {
            sides().all(|side| {
                let value = actions[**index as usize].1[side.param];
                let place = self.by_value[side.param].binary_search_by_key(&value, |(value, ..)| *value);
                place.is_ok_and(|place| side.places.binary_search(&place).is_ok())
            })
        };
        let lists: Vec<&Vec<u32>> = lists(narrow);
        lists.into_iter().flatten().filter(is_within).count()
    }

    /// The gate that an action with this value of a parameter is made.
    fn with(&mut self, gates: &mut Gates, made: &[Lit], param: usize, place: usize) -> Lit {
        let (_, candidates, lit) = &mut self.by_value[param][place];
        *lit.get_or_insert_with(|| gates.circuit.or(candidates.iter().map(|&index| made[index as usize])))
    }
}
