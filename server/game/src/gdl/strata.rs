//! The dependencies of relations: the order of evaluation, and the relations that depend on the state or the moves.

use super::lower::error;
use super::program::{Condition, Program, RelationId};
use super::split::split;
use crate::GameError;
use crate::components::components;

/// The relations in layers of evaluation.
#[derive(Clone, Debug)]
pub(crate) struct Strata {
    /// The components, each relation in one of them; a relation is after all those it depends on.
    pub components: Vec<Component>,
    /// For each relation, true if it depends on `true`.
    pub on_state: Vec<bool>,
    /// For each relation, true if it depends on `does`.
    pub on_moves: Vec<bool>,
}

#[derive(Clone, Debug)]
pub(crate) struct Component {
    pub relations: Vec<RelationId>,
    /// The rules whose head is one of the relations.
    pub rules: Vec<usize>,
    /// True if some relation depends on itself.
    pub recursive: bool,
}

impl Strata {
    /// True if the relation is the same in every state.
    pub(crate) fn is_static(&self, relation: RelationId) -> bool {
        !self.on_state[relation.index()] && !self.on_moves[relation.index()]
    }

    /// True if two relations are in one component.
    pub(crate) fn are_one(&self, left: RelationId, right: RelationId) -> bool {
        self.components.iter().any(|it| it.relations.contains(&left) && it.relations.contains(&right))
    }

    /// The components that `wanted` need, in order.
    pub(crate) fn cone(&self, program: &Program, wanted: &[RelationId]) -> Vec<usize> {
        let mut needed = vec![false; program.relations.len()];
        wanted.iter().for_each(|relation| needed[relation.index()] = true);
        let mut result = Vec::new();
        for (index, component) in self.components.iter().enumerate().rev() {
            if !component.relations.iter().any(|relation| needed[relation.index()]) {
                continue;
            }
            result.push(index);
            for &rule in &component.rules {
                for atom in program.rules[rule].body.iter().filter_map(|literal| literal.condition.atom()) {
                    needed[atom.relation.index()] = true;
                }
            }
        }
        result.reverse();
        result
    }
}

/// Layers the program.
///
/// # Errors
/// If a relation depends on its own negation, or a keyword on a relation that it must not depend on.
pub(super) fn stratify(program: &mut Program) -> Result<Strata, Vec<GameError>> {
    let layers = Layers::new(program);
    split(program, &layers.on_negative_cycles(program), &layers.component_of);
    let Layers { edges, rules_of, found, component_of } = Layers::new(program);
    let mut errors = negative_cycles(program, &component_of);
    let on_state = depends_on(RelationId::TRUE, &found, &edges);
    let on_moves = depends_on(RelationId::DOES, &found, &edges);
    errors.extend(misplaced(program, &on_state, &on_moves));
    if !errors.is_empty() {
        return Err(errors);
    }
    let components = found
        .into_iter()
        .map(|members| Component {
            recursive: members.len() > 1 || edges[members[0] as usize].contains(&members[0]),
            rules: members.iter().flat_map(|&member| rules_of[member as usize].iter().copied()).collect(),
            relations: members.into_iter().map(RelationId).collect(),
        })
        .collect();
    Ok(Strata { components, on_state, on_moves })
}

/// The graph of the relations.
struct Layers {
    edges: Vec<Vec<u32>>,
    rules_of: Vec<Vec<usize>>,
    found: Vec<Vec<u32>>,
    component_of: Vec<usize>,
}

impl Layers {
    fn new(program: &Program) -> Layers {
        let count = program.relations.len();
        let mut edges: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut rules_of: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (index, rule) in program.rules.iter().enumerate() {
            rules_of[rule.head.relation.index()].push(index);
            for atom in rule.body.iter().filter_map(|literal| literal.condition.atom()) {
                edges[rule.head.relation.index()].push(atom.relation.0);
            }
        }
        edges.iter_mut().for_each(|targets| {
            targets.sort_unstable();
            targets.dedup();
        });
        let found = components(&edges);
        let mut component_of = vec![0; count];
        for (index, members) in found.iter().enumerate() {
            members.iter().for_each(|&member| component_of[member as usize] = index);
        }
        Layers { edges, rules_of, found, component_of }
    }

    fn on_negative_cycles(&self, program: &Program) -> Vec<RelationId> {
        let mut result = Vec::new();
        for rule in &program.rules {
            for literal in &rule.body {
                if let Condition::Negative(atom) = &literal.condition
                    && self.component_of[atom.relation.index()] == self.component_of[rule.head.relation.index()]
                {
                    result.extend([atom.relation, rule.head.relation]);
                }
            }
        }
        result.sort_unstable();
        result.dedup();
        result
    }
}

fn depends_on(source: RelationId, components: &[Vec<u32>], edges: &[Vec<u32>]) -> Vec<bool> {
    let mut result = vec![false; edges.len()];
    result[source.index()] = true;
    for members in components {
        let depends = members.iter().any(|&member| {
            result[member as usize] || edges[member as usize].iter().any(|&target| result[target as usize])
        });
        if depends {
            members.iter().for_each(|&member| result[member as usize] = true);
        }
    }
    result
}

fn negative_cycles(program: &Program, component_of: &[usize]) -> Vec<GameError> {
    let mut errors = Vec::new();
    for rule in &program.rules {
        for literal in &rule.body {
            if let Condition::Negative(atom) = &literal.condition
                && component_of[atom.relation.index()] == component_of[rule.head.relation.index()]
            {
                let name = program.name(rule.head.relation);
                let message = format!("`{name}` depends on its own negation: the rules are not stratified");
                errors.push(error(literal.range, message));
            }
        }
    }
    errors
}

/// The errors of keywords that depend on the state or the moves but must not.
fn misplaced(program: &Program, on_state: &[bool], on_moves: &[bool]) -> Vec<GameError> {
    let mut errors = Vec::new();
    let mut report = |relation: RelationId, what: &str, depends: &dyn Fn(RelationId) -> bool| {
        for rule in program.rules.iter().filter(|rule| rule.head.relation == relation) {
            let culprit =
                rule.body.iter().find(|literal| literal.condition.atom().is_some_and(|atom| depends(atom.relation)));
            if let Some(literal) = culprit {
                let name = program.name(relation);
                errors.push(error(literal.range, format!("`{name}` must not depend on {what}")));
            }
        }
    };
    for relation in [RelationId::ROLE, RelationId::INIT] {
        let depends = |other: RelationId| on_state[other.index()] || on_moves[other.index()];
        report(relation, "the state or the moves", &depends);
    }
    for relation in [RelationId::LEGAL, RelationId::TERMINAL, RelationId::GOAL] {
        report(relation, "`does`", &|other| on_moves[other.index()]);
    }
    errors
}
