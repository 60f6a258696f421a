//! Rules whose heads leave out a few solutions each: a filter, and the other conditions.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::gdl::join::{Plan, holds};
use crate::gdl::plan::{Goal, plan};
use crate::gdl::prepare::Prepared;
use crate::gdl::program::{Condition, Literal, Pattern, Rule, UNBOUND};
use crate::gdl::table;
use crate::terms::TermId;

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

/// Numbers for tuples.
#[derive(Default)]
pub(super) struct Numbered {
    ids: FxHashMap<Box<[TermId]>, u32>,
    pub tuples: Vec<Box<[TermId]>>,
}

impl Numbered {
    pub(super) fn find(&self, tuple: &[TermId]) -> Option<u32> {
        self.ids.get(tuple).copied()
    }

    pub(super) fn id(&mut self, tuple: &[TermId]) -> u32 {
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
    pub(super) fn of(rule: &Rule, prepared: &Prepared) -> Option<Shape> {
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
    pub(super) fn leaves_out_little(&self, prepared: &mut Prepared) -> bool {
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
    pub(super) fn is_on_moves(&self, Prepared { strata, .. }: &Prepared) -> bool {
        let mut atoms = self.rest.body.iter().filter_map(|literal| literal.condition.atom());
        atoms.any(|atom| strata.on_moves[atom.relation.index()])
    }

    /// True if the filter keeps these values.
    pub(super) fn keeps(&self, prepared: &Prepared, bindings: &[TermId]) -> bool {
        all_hold(self.filter.iter(), prepared, bindings)
    }

    /// The order in which the other conditions are solved.
    pub(super) fn plan(&self, Prepared { program, tables, .. }: &mut Prepared) -> Plan {
        let goal = Goal { first: None, bound: &[], heads_only: false, ignore_negative: &|_| false };
        let plan = plan(&self.rest, &goal, &program.terms, tables);
        plan.complete(&program.terms, tables);
        plan
    }
}

/// True if conditions that do not change hold under a binding.
pub(super) fn all_hold<'a>(
    mut literals: impl Iterator<Item = &'a Literal>,
    Prepared { program, tables, .. }: &Prepared,
    bindings: &[TermId],
) -> bool {
    literals.all(|literal| holds(&literal.condition, &program.terms, tables, bindings))
}

/// A head: the row of its relation, the number of the values it leaves out, and the number of its key.
pub(super) struct Head {
    pub row: u32,
    pub left_out: u32,
    pub key: u32,
}

/// The atoms of a rule's head, split into left-out values and keys.
#[derive(Default)]
pub(super) struct Heads {
    pub heads: Vec<Head>,
    pub left_out: Numbered,
    pub keys: Numbered,
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

pub(super) fn pick(bindings: &[TermId], variables: &[u32], values: &mut Vec<TermId>) {
    values.clear();
    values.extend(variables.iter().map(|&variable| bindings[variable as usize]));
}

pub(super) fn bind(bindings: &mut [TermId], variables: &[u32], values: &[TermId]) {
    variables.iter().zip(values).for_each(|(&variable, &value)| bindings[variable as usize] = value);
}
