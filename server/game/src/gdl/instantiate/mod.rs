//! From the reachable domain to the circuit: every instance of every rule becomes a conjunction, every atom the
//! disjunction of its instances.

mod except;
mod frame;
mod instances;
mod recursion;
mod shape;
mod unread;
mod whole;

pub(super) use except::are_all_but_a_few;
use instances::{Atoms, Instances, Reading};
use recursion::resolve;
use rustc_hash::FxHashMap;
use unread::forget_unread;

use super::Grounding;
use super::factor::{Conjunctions, Factors};
use super::found::{BodySolutions, OfRule};
use super::join::{Fuel, Plan, Source, solve};
use super::limits::{Exceeded, Excess};
use super::plan::{Goal, plan};
use super::prepare::{OUTPUTS, Prepared};
use super::program::{Condition, Literal, RelationId, Rule};
use super::table::Table;
use crate::circuit::{Circuit, Lit};
use crate::terms::Terms;
use crate::{FluentId, MoveId, RoleId};

/// The gate of every reachable atom, by relation and row. Static relations have none; their atoms are true.
pub(super) type Gates = Vec<Vec<Lit>>;

/// The maximum number of instances of one layer, and of their conditions: more would take hundreds of megabytes.
const MAX_INSTANCES: usize = 20_000_000;
const MAX_PARTS: usize = 60_000_000;

/// The ids of the leaves.
pub(super) struct Leaves<'a> {
    /// The fluent of each row of `true`.
    pub fluents: &'a [FluentId],
    /// The role and move of each row of `does`; `None` if the first argument is not a role.
    pub moves: &'a [Option<(RoleId, MoveId)>],
}

/// Builds the circuit of all relations that a match needs. `found` are the solutions of bodies that are known.
///
/// # Errors
/// [`Exceeded`] if there are too many instances or gates.
pub(super) fn instantiate(
    prepared: &mut Prepared,
    mut found: BodySolutions,
    leaves: &Leaves<'_>,
    grounding: &Grounding,
) -> Result<(Circuit, Gates), Exceeded> {
    let mut circuit = Circuit::new();
    let mut gates: Gates = vec![Vec::new(); prepared.tables.len()];
    gates[RelationId::TRUE.index()] = leaves.fluents.iter().map(|&fluent| circuit.fluent(fluent)).collect();
    let does = |leaf: &Option<(RoleId, MoveId)>| leaf.map_or(Lit::FALSE, |(role, mv)| circuit.does(role, mv));
    gates[RelationId::DOES.index()] = leaves.moves.iter().map(does).collect();
    let mut fuel = Fuel::new(grounding.fuel, &grounding.budget);
    let mut costs = vec![0; prepared.tables.len()];
    let mut factors = Factors::new(&circuit, &gates[RelationId::DOES.index()]);
    let cone = prepared.strata.cone(&prepared.program, &OUTPUTS);
    forget_unread(prepared, &mut found, &cone, &fuel);
    let mut read_last = read_last(prepared, &cone);
    for index in cone {
        let component = prepared.strata.components[index].clone();
        let dynamic = component.relations.iter().any(|&relation| !prepared.strata.is_static(relation));
        if !dynamic || [RelationId::TRUE, RelationId::DOES].contains(&component.relations[0]) {
            continue;
        }
        let mut building = Building {
            prepared,
            circuit: &mut circuit,
            gates: &mut gates,
            found: &mut found,
            costs: &mut costs,
            fuel: &mut fuel,
            factors: &mut factors,
            grounding,
        };
        building.component(&component.relations, &component.rules, component.recursive)?;
        for relation in read_last.remove(&index).unwrap_or_default() {
            prepared.forget(relation);
            gates[relation.index()] = Vec::new();
        }
    }
    Ok((circuit, gates))
}

/// For each component of a cone, the relations that neither a later component nor an output reads.
fn read_last(prepared: &Prepared, cone: &[usize]) -> FxHashMap<usize, Vec<RelationId>> {
    let Prepared { program, strata, .. } = prepared;
    let mut by_component: FxHashMap<usize, Vec<RelationId>> = FxHashMap::default();
    let mut is_read = vec![false; program.relations.len()];
    OUTPUTS.iter().for_each(|relation| is_read[relation.index()] = true);
    for &index in cone.iter().rev() {
        let component = &strata.components[index];
        let rules = component.rules.iter().map(|&rule| &program.rules[rule]);
        let bodies = rules.flat_map(|rule| rule.body.iter().chain(rule.whole.iter().flat_map(|whole| &whole.body)));
        let atoms = bodies.filter_map(|literal| Some(literal.condition.atom()?.relation));
        for relation in atoms.chain(component.relations.iter().copied()) {
            if !std::mem::replace(&mut is_read[relation.index()], true) {
                by_component.entry(index).or_default().push(relation);
            }
        }
    }
    by_component
}

/// A condition of an instance, in one word: large games have millions of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Part(u32);

/// The meaning of a condition.
enum Kind {
    /// A finished gate.
    Gate(Lit),
    /// An atom of the component at work.
    Member(u32),
}

impl Part {
    /// The bit of atoms. Neither gates nor atoms come near it: their numbers are limited.
    const MEMBER: u32 = 1 << 31;

    fn gate(lit: Lit) -> Part {
        assert!(lit.0 < Part::MEMBER, "too many gates");
        Part(lit.0)
    }

    fn member(atom: u32) -> Part {
        assert!(atom < Part::MEMBER, "too many atoms");
        Part(atom | Part::MEMBER)
    }

    fn kind(self) -> Kind {
        match self.0 & Part::MEMBER {
            0 => Kind::Gate(Lit(self.0)),
            _ => Kind::Member(self.0 & !Part::MEMBER),
        }
    }
}

/// Rule instances, one after the other in one buffer.
#[derive(Default)]
struct Flat {
    /// For each instance, the member that is its head, and the end of its parts in `parts`.
    heads: Vec<(u32, u32)>,
    parts: Vec<Part>,
}

impl Flat {
    fn push(&mut self, head: u32, parts: &[Part]) {
        self.parts.extend_from_slice(parts);
        self.heads.push((head, self.parts.len() as u32));
    }

    /// Adds all instances of another.
    fn append(&mut self, other: Flat) {
        if self.heads.is_empty() {
            *self = other;
            return;
        }
        let start = self.parts.len() as u32;
        self.parts.extend(other.parts);
        self.heads.extend(other.heads.into_iter().map(|(head, end)| (head, start + end)));
    }

    /// Forgets all instances after the first `count`.
    fn truncate(&mut self, count: usize) {
        self.heads.truncate(count);
        self.parts.truncate(self.heads.last().map_or(0, |&(_, end)| end as usize));
    }

    fn parts(&self, instance: u32) -> &[Part] {
        let start = if instance == 0 { 0 } else { self.heads[instance as usize - 1].1 };
        &self.parts[start as usize..self.heads[instance as usize].1 as usize]
    }

    /// The instances in the order of their heads, and the index at which those of each of `members` heads begin and
    /// end.
    fn by_head(&self, members: usize) -> (Vec<u32>, Vec<u32>) {
        let heads = self.heads.iter().enumerate();
        grouped(heads.map(|(instance, &(head, _))| (head, instance as u32)), members)
    }
}

/// Sorts items by group, keeping their order within a group. Returns them with the index at which each of `groups`
/// begins and ends.
fn grouped(items: impl ExactSizeIterator<Item = (u32, u32)> + Clone, groups: usize) -> (Vec<u32>, Vec<u32>) {
    let mut begins = vec![0u32; groups + 2];
    items.clone().for_each(|(group, _)| begins[group as usize + 2] += 1);
    (2..begins.len()).for_each(|at| begins[at] += begins[at - 1]);
    let mut sorted = vec![0; items.len()];
    for (group, item) in items {
        let place = &mut begins[group as usize + 1];
        sorted[*place as usize] = item;
        *place += 1;
    }
    (sorted, begins)
}

/// The error when the instances of a rule were not all found.
struct TooMany;

/// Limits on the search for instances.
#[derive(Clone, Copy)]
struct Most {
    /// The maximum number of instances, including those already found.
    instances: usize,
    /// If more combinations than this are expected, none is tried.
    expected: f64,
}

struct Building<'a> {
    prepared: &'a mut Prepared,
    circuit: &'a mut Circuit,
    gates: &'a mut Gates,
    found: &'a mut BodySolutions,
    /// For each relation, the number of operands of its gates, without those that existed before.
    costs: &'a mut [usize],
    fuel: &'a mut Fuel,
    factors: &'a mut Factors,
    grounding: &'a Grounding,
}

impl Building<'_> {
    fn component(&mut self, relations: &[RelationId], rules: &[usize], recursive: bool) -> Result<(), Exceeded> {
        // Members are the atoms of all relations of the component, one relation after the other.
        let mut offsets = vec![u32::MAX; self.prepared.tables.len()];
        let mut members = 0;
        for &relation in relations {
            offsets[relation.index()] = members as u32;
            members += self.prepared.tables[relation.index()].len() as usize;
        }
        let before = self.circuit.operand_count();
        let mut flat = Flat::default();
        for &rule in rules {
            self.rule(rule, &offsets, &mut flat)?;
        }
        let values = if recursive { resolve(self.circuit, &flat, members) } else { self.disjunctions(&flat, members) };
        drop(flat);
        if self.circuit.nodes().len() > self.grounding.nodes {
            return Err(Exceeded { rule: rules[0], relation: relations[0], excess: Excess::Work });
        }
        for &relation in relations {
            self.costs[relation.index()] = self.circuit.operand_count() - before;
            let start = offsets[relation.index()] as usize;
            let count = self.prepared.tables[relation.index()].len() as usize;
            self.gates[relation.index()] = values[start..start + count].to_vec();
        }
        Ok(())
    }

    /// Gives every atom its gate, if no atom depends on another.
    fn disjunctions(&mut self, flat: &Flat, members: usize) -> Vec<Lit> {
        self.factors.learn(self.circuit);
        let (instances, begins) = flat.by_head(members);
        let mut conjunctions = Conjunctions::default();
        let mut values = vec![Lit::FALSE; members];
        for (value, of_head) in values.iter_mut().zip(begins.windows(2)) {
            conjunctions.clear();
            for &instance in &instances[of_head[0] as usize..of_head[1] as usize] {
                conjunctions.push(flat.parts(instance).iter().map(gate_of));
            }
            *value = self.factors.disjunction(self.circuit, &conjunctions);
            self.factors.learn(self.circuit);
        }
        values
    }

    /// Finds the instances of a rule: of its remainder beside its parts, or of the whole rule if that is smaller.
    fn rule(&mut self, index: usize, offsets: &[u32], flat: &mut Flat) -> Result<(), Exceeded> {
        let rule = self.prepared.program.rules[index].clone();
        let relation = rule.head.relation;
        let exceeded = |excess| Err(Exceeded { rule: index, relation, excess });
        if self.fuel.is_late() {
            return exceeded(Excess::Time);
        }
        if self.prepared.program.relations[relation.index()].domain {
            return Ok(());
        }
        let before = flat.heads.len();
        let listed = match self.found.take(index) {
            Some(instances) => self.known_instances(&rule, &instances, offsets, flat),
            None => self.listed_or_shared(&rule, offsets, flat),
        };
        match listed {
            Ok(()) => self.or_whole(&rule, offsets, before, flat),
            Err(TooMany) if self.fuel.is_late() => return exceeded(Excess::Time),
            Err(TooMany) => return exceeded(Excess::Work),
        }
        Ok(())
    }

    /// Finds the instances of a rule; those of one atom become a single instance if that saves much.
    fn listed_or_shared(&mut self, rule: &Rule, offsets: &[u32], flat: &mut Flat) -> Result<(), TooMany> {
        match self.all_but_a_few(rule, offsets, flat)? {
            true => Ok(()),
            false => self.instances(rule, offsets, Most { instances: MAX_INSTANCES, expected: f64::INFINITY }, flat),
        }
    }

    /// Collects the instances of a rule from the solutions of its body.
    fn known_instances(
        &mut self,
        rule: &Rule,
        instances: &OfRule,
        offsets: &[u32],
        flat: &mut Flat,
    ) -> Result<(), TooMany> {
        let Prepared { program, tables, strata, .. } = &*self.prepared;
        let atoms = Atoms { program, strata, gates: self.gates };
        let reading = Reading { atoms, tables, offsets, rule, on_demand: false };
        let mut found = Instances::new(&reading, flat, MAX_INSTANCES);
        found.add_all(instances);
        if found.are_too_many() { Err(TooMany) } else { Ok(()) }
    }

    /// Collects the instances of a rule.
    fn instances(&mut self, rule: &Rule, offsets: &[u32], most: Most, flat: &mut Flat) -> Result<(), TooMany> {
        let Prepared { program, tables, strata, demanded, .. } = &mut *self.prepared;
        let on_demand = demanded[rule.head.relation.index()];
        let plan = plan_of(rule, on_demand, &program.terms, tables);
        if plan.cost > most.expected {
            return Err(TooMany);
        }
        plan.complete(&program.terms, tables);
        let atoms = Atoms { program, strata, gates: self.gates };
        let reading = Reading { atoms, tables, offsets, rule, on_demand };
        let source = Source {
            terms: &program.terms,
            tables,
            windows: None,
            accept: Some(&|relation, row| reading.is_working(relation) || atoms.may_hold(relation, row)),
            may_be_absent: &|relation, row| atoms.may_fail(relation, row),
        };
        // Candidates tried without success cost as much as instances; a whole rule is not worth many of them.
        let mut share = self.fuel.share(most.instances as u64 * 4);
        let before = share.left;
        let mut found = Instances::new(&reading, flat, most.instances);
        let result = solve(&plan, &source, &[], &mut share, &mut |solution| found.add(solution));
        let are_too_many = found.are_too_many();
        self.fuel.left -= before - share.left;
        match result {
            Ok(()) if !are_too_many => Ok(()),
            _ => Err(TooMany),
        }
    }
}

/// Plans the order in which a rule is solved for its instances. On demand, the table of its head has only the heads in
/// demand, so the head is one more condition and comes first.
fn plan_of(rule: &Rule, on_demand: bool, terms: &Terms, tables: &mut [Table]) -> Plan {
    let mut query = rule.clone();
    if on_demand {
        query.body.push(Literal { condition: Condition::Positive(rule.head.clone()), range: rule.head_range });
    }
    let first = on_demand.then_some(rule.body.len());
    let goal = Goal { first, bound: &[], heads_only: false, ignore_negative: &|_| false };
    plan(&query, &goal, terms, tables)
}

fn gate_of(part: &Part) -> Lit {
    match part.kind() {
        Kind::Gate(lit) => lit,
        Kind::Member(_) => Lit::FALSE,
    }
}
