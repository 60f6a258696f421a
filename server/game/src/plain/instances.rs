//! The possible atoms, and the instances of the rules.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use smol_str::SmolStr;

use super::join::{Table, solve};
use super::layers::layers;
use super::program::{Atom, Condition, Pattern, Program, RelationId, Rule};
use super::terms::{TermId, Terms};
use super::{Limits, Refused};

/// An atom by its place in [`Plain::atoms`].
pub(super) type AtomId = u32;

/// All instances of all rules that a match can ask for.
pub(super) struct Plain {
    pub terms: Terms,
    pub atoms: Vec<(RelationId, Box<[TermId]>)>,
    /// Atoms that hold in every match, such as roles and initial fluents.
    pub always: Vec<AtomId>,
    /// The instances of each atom that may hold and may not.
    pub instances: Vec<Vec<Instance>>,
    relations: Vec<SmolStr>,
}

/// A conjunction of atoms; an atom with `false` is negated.
pub(super) type Instance = Box<[(AtomId, bool)]>;

impl Plain {
    /// The name of the atom's relation.
    pub(super) fn relation(&self, atom: AtomId) -> &str {
        &self.relations[self.atoms[atom as usize].0.index()]
    }
}

/// The relations that a match queries.
const WANTED: [RelationId; 7] = [
    RelationId::ROLE,
    RelationId::INIT,
    RelationId::LEGAL,
    RelationId::NEXT,
    RelationId::SEES,
    RelationId::GOAL,
    RelationId::TERMINAL,
];

/// The relations by the way they are evaluated.
struct Order {
    /// Relations that a match cannot change, in layers; they are evaluated directly.
    fixed: Vec<Vec<u32>>,
    is_fixed: Vec<bool>,
    /// The rest that is wanted.
    is_open: Vec<bool>,
}

fn order(program: &Program) -> Result<Order, Refused> {
    let count = program.relations.len();
    let reads = program.reads();
    check_places(program, &reads)?;
    let mut denies: Vec<(u32, u32)> = Vec::new();
    for rule in &program.rules {
        let denied = rule.body.iter().filter_map(Condition::atom).filter(|(_, holds)| !holds);
        denies.extend(denied.map(|(atom, _)| (rule.head.relation.0, atom.relation.0)));
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
    for layer in layers(&reads) {
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
    Ok(Order { fixed, is_fixed, is_open })
}

/// Checks that relations evaluated before a match do not read the state, and those evaluated before a round do not read
/// the moves.
fn check_places(program: &Program, reads: &[Vec<u32>]) -> Result<(), Refused> {
    let before_rounds = [RelationId::LEGAL, RelationId::TERMINAL, RelationId::GOAL];
    let before_matches = [(RelationId::ROLE, RelationId::TRUE), (RelationId::INIT, RelationId::TRUE)];
    let of_moves =
        [RelationId::ROLE, RelationId::INIT].into_iter().chain(before_rounds).map(|it| (it, RelationId::DOES));
    for (relation, other) in before_matches.into_iter().chain(of_moves) {
        let (mut seen, mut stack) = (vec![false; reads.len()], vec![relation.0]);
        while let Some(next) = stack.pop() {
            if !std::mem::replace(&mut seen[next as usize], true) {
                stack.extend(&reads[next as usize]);
            }
        }
        if seen[other.index()] {
            let name = |relation: RelationId| program.relations[relation.index()].to_string();
            return Err(Refused::Misplaced(name(relation), name(other)));
        }
    }
    Ok(())
}

/// True if two patterns are the same term under these values. Equal terms have one id in the table, if it has them.
fn is_same(terms: &Terms, left: &Pattern, right: &Pattern, values: &[TermId]) -> bool {
    match (left.find(terms, values), right.find(terms, values)) {
        (Some(left), Some(right)) => left == right,
        (None, None) => match (left, right) {
            (Pattern::List(left, lefts), Pattern::List(right, rights)) => {
                let mut parts = lefts.iter().zip(rights.iter());
                left == right
                    && lefts.len() == rights.len()
                    && parts.all(|(left, right)| is_same(terms, left, right, values))
            }
            _ => false,
        },
        _ => false,
    }
}

/// Grounds the program.
pub(super) fn ground(program: Program, limits: &Limits) -> Result<Plain, Refused> {
    let Order { fixed, is_fixed, is_open } = order(&program)?;
    let tables = program.relations.iter().map(|_| Table::default()).collect();
    let (atoms, heads) = (Atoms::default(), Vec::new());
    let mut grounding = Grounding { program, is_fixed, tables, limits, atoms, heads, conditions: 0 };
    for layer in fixed {
        grounding.saturate(&|relation| layer.contains(&relation.0))?;
    }
    grounding.saturate(&|relation| is_open[relation.index()])?;
    Ok(grounding.finish())
}

struct Grounding<'a> {
    program: Program,
    is_fixed: Vec<bool>,
    tables: Vec<Table>,
    limits: &'a Limits,
    atoms: Atoms,
    heads: Vec<(AtomId, Instance)>,
    conditions: usize,
}

/// The atoms by id, and the ids by content: the relation, then its arguments.
#[derive(Default)]
struct Atoms {
    all: Vec<(RelationId, Box<[TermId]>)>,
    ids: FxHashMap<Box<[u32]>, AtomId>,
}

impl Atoms {
    fn id(&mut self, relation: RelationId, args: &[TermId]) -> AtomId {
        let mut key: Args = Args::from_slice(&[relation.0]);
        key.extend_from_slice(args);
        if let Some(&id) = self.ids.get(&key[..]) {
            return id;
        }
        let id = self.all.len() as AtomId;
        self.ids.insert(key[..].into(), id);
        self.all.push((relation, args.into()));
        id
    }
}

/// The arguments of an atom; most atoms have few.
type Args = SmallVec<[TermId; 8]>;

fn built(terms: &mut Terms, atom: &Atom, values: &[TermId]) -> Args {
    atom.args.iter().map(|arg| arg.build(terms, values)).collect()
}

/// The conditions whose tables may grow, by index in the body, with their tables.
fn growing_conditions(body: &[Condition], is_growing: &[bool]) -> Vec<(usize, usize)> {
    let table = |condition: &Condition| match condition {
        Condition::Holds(atom) => Some(atom.relation.index()).filter(|table| is_growing[*table]),
        Condition::Not(_) | Condition::Distinct(..) => None,
    };
    (0..).zip(body).filter_map(|(place, condition)| Some((place, table(condition)?))).collect()
}

impl Grounding<'_> {
    /// Adds the consequences of the picked relations' rules until nothing is new. Every instance is found once: one
    /// condition reads the newest atoms, those before it the older ones.
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
        let (mut is_first, mut moved) = (true, [0; 3]);
        loop {
            self.move_on(picked, &mut moved);
            let now: Vec<usize> = self.tables.iter().map(Table::len).collect();
            if !is_first && (0..now.len()).all(|table| !is_growing[table] || old[table] == now[table]) {
                return Ok(());
            }
            for &rule in &rules {
                let growing = growing_conditions(&self.program.rules[rule].body, &is_growing);
                if growing.is_empty() && is_first {
                    self.rule(rule, None, &|_, relation| 0..now[relation.index()])?;
                }
                for &(newest, table) in &growing {
                    if old[table] == now[table] {
                        continue;
                    }
                    self.rule(rule, Some(newest), &|place, relation| {
                        let table = relation.index();
                        match place.cmp(&newest) {
                            _ if !is_growing[table] => 0..now[table],
                            Ordering::Less => 0..old[table],
                            Ordering::Equal => old[table]..now[table],
                            Ordering::Greater => 0..now[table],
                        }
                    })?;
                }
            }
            old = now;
            is_first = false;
        }
    }

    /// Turns possible next fluents into possible fluents, and possible legal moves into possible moves. `moved`: the
    /// number of rows of each that were processed.
    fn move_on(&mut self, picked: &dyn Fn(RelationId) -> bool, moved: &mut [usize; 3]) {
        let [role, init, next, legal] = [RelationId::ROLE, RelationId::INIT, RelationId::NEXT, RelationId::LEGAL];
        let ways = [(init, RelationId::TRUE), (next, RelationId::TRUE), (legal, RelationId::DOES)];
        for ((from, to), moved) in ways.into_iter().zip(moved) {
            if !picked(to) && !picked(from) {
                continue;
            }
            for row in *moved..self.tables[from.index()].len() {
                let args = Args::from_slice(self.tables[from.index()].row(row));
                if to == RelationId::TRUE || self.tables[role.index()].has(&args[..1]) {
                    self.tables[to.index()].push(&args);
                }
            }
            *moved = self.tables[from.index()].len();
        }
    }

    /// Adds the instances of a rule.
    fn rule(
        &mut self,
        index: usize,
        first: Option<usize>,
        windows: &dyn Fn(usize, RelationId) -> std::ops::Range<usize>,
    ) -> Result<(), Refused> {
        let rule = &self.program.rules[index];
        let (relation, length) = (rule.head.relation, rule.variables);
        // The values of the variables, instance after instance.
        let mut found: Vec<TermId> = Vec::new();
        let mut count = 0;
        let (terms, is_fixed) = (&self.program.terms, &self.is_fixed);
        let room = self.limits.conditions.saturating_sub(self.conditions) / (rule.body.len() + 1);
        let test = |tables: &[Table], condition: &Condition, values: &[TermId]| match condition {
            Condition::Distinct(left, right) => !is_same(terms, left, right, values),
            Condition::Not(atom) if is_fixed[atom.relation.index()] => {
                let row: Option<Args> = atom.args.iter().map(|arg| arg.find(terms, values)).collect();
                !row.is_some_and(|row| tables[atom.relation.index()].has(&row))
            }
            _ => true,
        };
        let is_spent = || self.limits.budget.is_spent();
        let is_done = solve((terms, &mut self.tables), rule, (first, windows), &test, &is_spent, &mut |values| {
            found.extend_from_slice(values);
            count += 1;
            count <= room
        });
        if !is_done {
            return Err(Refused::Stopped);
        }
        if count > room || self.atoms.all.len() > self.limits.atoms {
            return Err(Refused::TooMany(self.program.relations[relation.index()].to_string()));
        }
        (0..count).try_for_each(|instance| self.instance(index, &found[instance * length..][..length]))
    }

    /// Adds the instance of a rule whose variables have these values.
    fn instance(&mut self, index: usize, values: &[TermId]) -> Result<(), Refused> {
        let Program { terms, rules, relations } = &mut self.program;
        let Rule { head, body, .. } = &rules[index];
        let relation = head.relation;
        let args = built(terms, head, values);
        if args.iter().any(|&term| terms.depth(term) > self.limits.depth) {
            return Err(Refused::TooDeep(relations[relation.index()].to_string()));
        }
        // The part of the body that a match can change, in one allocation, because there are millions of instances.
        let mut conditions: SmallVec<[(AtomId, bool); 16]> = SmallVec::new();
        for (atom, holds) in body.iter().filter_map(Condition::atom) {
            if !self.is_fixed[atom.relation.index()] {
                let args = built(terms, atom, values);
                conditions.push((self.atoms.id(atom.relation, &args), holds));
            }
        }
        self.conditions += conditions.len() + 1;
        self.heads.push((self.atoms.id(relation, &args), conditions[..].into()));
        self.tables[relation.index()].push(&args);
        Ok(())
    }

    fn finish(mut self) -> Plain {
        // Fluents and moves that no rule reads are atoms too.
        for relation in [RelationId::TRUE, RelationId::DOES] {
            for row in 0..self.tables[relation.index()].len() {
                self.atoms.id(relation, self.tables[relation.index()].row(row));
            }
        }
        let atoms = self.atoms.all;
        let mut instances: Vec<Vec<Instance>> = vec![Vec::new(); atoms.len()];
        let mut always = Vec::new();
        for (head, conditions) in self.heads {
            if self.is_fixed[atoms[head as usize].0.index()] {
                always.push(head);
            } else {
                instances[head as usize].push(conditions);
            }
        }
        let mut seen = vec![false; atoms.len()];
        always.retain(|&atom| !std::mem::replace(&mut seen[atom as usize], true));
        let Program { terms, relations, .. } = self.program;
        Plain { terms, relations, atoms, always, instances }
    }
}
