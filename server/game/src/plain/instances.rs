//! Which atoms may hold, and the instances of the rules.

use rustc_hash::FxHashMap;

use super::join::{Table, solve};
use super::{Limits, Refused};
use crate::components::components;
use crate::gdl::program::{Atom, Condition, Literal, Pattern, Program, RelationId};
use crate::terms::{TermId, Terms};

/// An atom by its place in [`Plain::atoms`].
pub(super) type AtomId = u32;

/// All instances of all rules that a match can ask for.
pub(super) struct Plain {
    pub terms: Terms,
    pub atoms: Vec<(RelationId, Box<[TermId]>)>,
    /// Atoms that are so in every match, such as roles and what holds at first.
    pub always: Vec<AtomId>,
    /// By atom that may hold and may not: its instances.
    pub instances: Vec<Vec<Instance>>,
    relations: Vec<String>,
}

/// A conjunction of atoms, negated where `false` stands beside them.
pub(super) type Instance = Box<[(AtomId, bool)]>;

impl Plain {
    /// The name of the atom's relation.
    pub(super) fn relation(&self, atom: AtomId) -> &str {
        &self.relations[self.atoms[atom as usize].0.index()]
    }
}

/// What a match asks for.
const WANTED: [RelationId; 7] = [
    RelationId::ROLE,
    RelationId::INIT,
    RelationId::LEGAL,
    RelationId::NEXT,
    RelationId::SEES,
    RelationId::GOAL,
    RelationId::TERMINAL,
];

/// Instances after which is looked whether there is time left.
const STRIDE: u32 = 4096;

/// The relations by how they are evaluated.
struct Order {
    /// Relations that a match cannot change, in layers; each is evaluated as it is.
    fixed: Vec<Vec<u32>>,
    is_fixed: Vec<bool>,
    /// The rest that is wanted.
    is_open: Vec<bool>,
}

fn order(program: &Program) -> Order {
    let count = program.relations.len();
    let mut reads: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut denies: Vec<(u32, u32)> = Vec::new();
    for rule in &program.rules {
        for literal in &rule.body {
            let Some(atom) = literal.condition.atom() else { continue };
            reads[rule.head.relation.index()].push(atom.relation.0);
            if matches!(literal.condition, Condition::Negative(_)) {
                denies.push((rule.head.relation.0, atom.relation.0));
            }
        }
    }
    let mut wanted = vec![false; count];
    let mut stack: Vec<u32> = WANTED.iter().map(|relation| relation.0).collect();
    while let Some(relation) = stack.pop() {
        if !std::mem::replace(&mut wanted[relation as usize], true) {
            stack.extend(&reads[relation as usize]);
        }
    }
    let mut is_fixed = vec![false; count];
    let mut fixed = Vec::new();
    for layer in components(&reads) {
        let is_state = |relation: &u32| [RelationId::TRUE.0, RelationId::DOES.0].contains(relation);
        let reads_open = |relation: &u32| {
            let mut reads = reads[*relation as usize].iter();
            reads.any(|read| !layer.contains(read) && !is_fixed[*read as usize])
        };
        let denies_itself = denies.iter().any(|(head, read)| layer.contains(head) && layer.contains(read));
        let open = layer.iter().any(|relation| is_state(relation) || reads_open(relation)) || denies_itself;
        if !open && layer.iter().any(|relation| wanted[*relation as usize]) {
            layer.iter().for_each(|relation| is_fixed[*relation as usize] = true);
            fixed.push(layer);
        }
    }
    let is_open = (0..count).map(|relation| wanted[relation] && !is_fixed[relation]).collect();
    Order { fixed, is_fixed, is_open }
}

/// Whether two patterns are the same term under the bindings. Equal terms are one in the table, if it has them.
fn is_same(terms: &Terms, left: &Pattern, right: &Pattern, bindings: &[TermId]) -> bool {
    match (left.find(terms, bindings), right.find(terms, bindings)) {
        (Some(left), Some(right)) => left == right,
        (None, None) => match (left, right) {
            (Pattern::Compound(left, lefts), Pattern::Compound(right, rights)) => {
                let mut parts = lefts.iter().zip(rights.iter());
                left == right
                    && lefts.len() == rights.len()
                    && parts.all(|(left, right)| is_same(terms, left, right, bindings))
            }
            _ => false,
        },
        _ => false,
    }
}

/// Grounds the program.
pub(super) fn ground(program: Program, limits: &Limits) -> Result<Plain, Refused> {
    let order = order(&program);
    let tables = program.relations.iter().map(|_| Table::default()).collect();
    let mut grounding =
        Grounding { program, order, tables, limits, ids: FxHashMap::default(), heads: Vec::new(), conditions: 0 };
    for layer in grounding.order.fixed.clone() {
        grounding.saturate(&|relation| layer.contains(&relation.0))?;
    }
    let open = grounding.order.is_open.clone();
    grounding.saturate(&|relation| open[relation.index()])?;
    Ok(grounding.finish())
}

struct Grounding<'a> {
    program: Program,
    order: Order,
    tables: Vec<Table>,
    limits: &'a Limits,
    ids: FxHashMap<(RelationId, Box<[TermId]>), AtomId>,
    heads: Vec<(AtomId, Instance)>,
    conditions: usize,
}

impl Grounding<'_> {
    fn id(&mut self, relation: RelationId, args: Box<[TermId]>) -> AtomId {
        let next = self.ids.len() as AtomId;
        *self.ids.entry((relation, args)).or_insert(next)
    }

    /// Adds what the rules of the picked relations derive, until nothing is new. Every instance is found once: with one
    /// condition among the newest atoms, those before it among the older ones.
    fn saturate(&mut self, picked: &dyn Fn(RelationId) -> bool) -> Result<(), Refused> {
        let rules: Vec<usize> =
            (0..self.program.rules.len()).filter(|&rule| picked(self.program.rules[rule].head.relation)).collect();
        let moving = [RelationId::TRUE, RelationId::DOES].into_iter().filter(|&relation| picked(relation));
        let is_growing: Vec<bool> = {
            let mut growing = vec![false; self.tables.len()];
            rules.iter().for_each(|&rule| growing[self.program.rules[rule].head.relation.index()] = true);
            moving.for_each(|relation| growing[relation.index()] = true);
            growing
        };
        let mut old = vec![0; self.tables.len()];
        let mut is_first = true;
        loop {
            self.move_on(picked);
            let now: Vec<usize> = self.tables.iter().map(Table::len).collect();
            if !is_first && (0..now.len()).all(|table| !is_growing[table] || old[table] == now[table]) {
                return Ok(());
            }
            for &rule in &rules {
                let growing: Vec<usize> = self.program.rules[rule]
                    .body
                    .iter()
                    .enumerate()
                    .filter(|(_, literal)| {
                        matches!(&literal.condition, Condition::Positive(atom) if is_growing[atom.relation.index()])
                    })
                    .map(|(index, _)| index)
                    .collect();
                if growing.is_empty() && is_first {
                    self.rule(rule, None, &|_, relation| 0..now[relation.index()])?;
                }
                for &newest in &growing {
                    self.rule(rule, Some(newest), &|index, relation| {
                        let table = relation.index();
                        match index.cmp(&newest) {
                            _ if !is_growing[table] => 0..now[table],
                            std::cmp::Ordering::Less => 0..old[table],
                            std::cmp::Ordering::Equal => old[table]..now[table],
                            std::cmp::Ordering::Greater => 0..now[table],
                        }
                    })?;
                }
            }
            old = now;
            is_first = false;
        }
    }

    /// What may hold next may hold; what may be legal may be done.
    fn move_on(&mut self, picked: &dyn Fn(RelationId) -> bool) {
        let [role, init, next, legal] = [RelationId::ROLE, RelationId::INIT, RelationId::NEXT, RelationId::LEGAL];
        for (from, to) in [(init, RelationId::TRUE), (next, RelationId::TRUE), (legal, RelationId::DOES)] {
            if !picked(to) && !picked(from) {
                continue;
            }
            for row in 0..self.tables[from.index()].len() {
                let args: Box<[TermId]> = self.tables[from.index()].row(row).into();
                if to == RelationId::TRUE || self.tables[role.index()].has(&args[..1]) {
                    self.tables[to.index()].push(args);
                }
            }
        }
    }

    fn rule(
        &mut self,
        index: usize,
        first: Option<usize>,
        windows: &dyn Fn(usize, RelationId) -> std::ops::Range<usize>,
    ) -> Result<(), Refused> {
        let rule = self.program.rules[index].clone();
        let is_fixed = self.order.is_fixed.clone();
        let mut found: Vec<Vec<TermId>> = Vec::new();
        let terms = &self.program.terms;
        let room = self.limits.conditions.saturating_sub(self.conditions) / (rule.body.len() + 1);
        let (mut tried, mut stopped) = (0u32, self.limits.budget.is_spent());
        let mut goes_on = || {
            tried = tried.wrapping_add(1);
            stopped |= tried.is_multiple_of(STRIDE) && self.limits.budget.is_spent();
            !stopped
        };
        solve(
            (terms, &mut self.tables),
            &rule,
            first,
            windows,
            &mut |tables, condition, bindings| match condition {
                Condition::Distinct(left, right) => !is_same(terms, left, right, bindings),
                Condition::Negative(atom) if is_fixed[atom.relation.index()] => {
                    let row: Option<Vec<TermId>> = atom.args.iter().map(|arg| arg.find(terms, bindings)).collect();
                    !row.is_some_and(|row| tables[atom.relation.index()].has(&row))
                }
                _ => true,
            },
            &mut |bindings| {
                found.push(bindings.to_vec());
                found.len() <= room && goes_on()
            },
        );
        if stopped {
            return Err(Refused::Stopped);
        }
        let name = self.program.name(rule.head.relation).to_owned();
        if found.len() > room || self.ids.len() > self.limits.atoms {
            return Err(Refused::TooMany(name));
        }
        for bindings in found {
            let head = self.build(&rule.head, &bindings);
            if head.iter().any(|&term| self.program.terms.depth(term) > self.limits.depth) {
                return Err(Refused::TooDeep(name));
            }
            let conditions = self.conditions(&rule.body, &bindings);
            self.conditions += conditions.len() + 1;
            let id = self.id(rule.head.relation, head.clone());
            self.heads.push((id, conditions));
            self.tables[rule.head.relation.index()].push(head);
        }
        Ok(())
    }

    fn build(&mut self, atom: &Atom, bindings: &[TermId]) -> Box<[TermId]> {
        atom.args.iter().map(|arg| arg.build(&mut self.program.terms, bindings)).collect()
    }

    /// What of a body a match can change.
    fn conditions(&mut self, body: &[Literal], bindings: &[TermId]) -> Instance {
        let mut conditions = Vec::new();
        for literal in body {
            let (atom, holds) = match &literal.condition {
                Condition::Positive(atom) => (atom, true),
                Condition::Negative(atom) => (atom, false),
                Condition::Distinct(..) => continue,
            };
            if !self.order.is_fixed[atom.relation.index()] {
                let args = self.build(atom, bindings);
                conditions.push((self.id(atom.relation, args), holds));
            }
        }
        conditions.into()
    }

    fn finish(mut self) -> Plain {
        // Fluents and moves that no rule reads are atoms too.
        for relation in [RelationId::TRUE, RelationId::DOES] {
            for row in 0..self.tables[relation.index()].len() {
                let args: Box<[TermId]> = self.tables[relation.index()].row(row).into();
                self.id(relation, args);
            }
        }
        let mut atoms: Vec<(RelationId, Box<[TermId]>)> = vec![(RelationId::TRUE, Box::default()); self.ids.len()];
        for ((relation, args), id) in self.ids {
            atoms[id as usize] = (relation, args);
        }
        let mut instances: Vec<Vec<Instance>> = vec![Vec::new(); atoms.len()];
        let mut always = Vec::new();
        for (head, conditions) in self.heads {
            if self.order.is_fixed[atoms[head as usize].0.index()] {
                always.push(head);
            } else {
                instances[head as usize].push(conditions);
            }
        }
        let mut seen = vec![false; atoms.len()];
        always.retain(|&atom| !std::mem::replace(&mut seen[atom as usize], true));
        let names = self.program.relations.iter().map(|relation| self.program.terms.name(relation.name).to_owned());
        Plain { relations: names.collect(), terms: self.program.terms, atoms, always, instances }
    }
}
