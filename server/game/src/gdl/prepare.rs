//! The common start of every way to run a description: layers of rules, and the evaluated static relations.

use percept_syntax::gdl::Description;

use super::asking::{Asking, Memory};
use super::constant::separate;
use super::decompose::decompose;
use super::limits::{Exceeded, Excess, Limits};
use super::lower::{error, lower};
use super::program::{Atom, KEYWORDS, Pattern, Program, RelationId};
use super::saturate::Saturation;
use super::strata::{Strata, stratify};
use super::table::Table;
use crate::terms::TermId;
use crate::{Budget, GameError, Pace, Role};

/// A description ready to be ground or interpreted.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    pub program: Program,
    pub strata: Strata,
    /// The table of each relation; those of dynamic relations are empty.
    pub tables: Vec<Table>,
    pub roles: Vec<Role>,
    pub role_terms: Vec<TermId>,
    /// For each relation, true if its table has only the tuples that some rule queries.
    pub demanded: Vec<bool>,
    /// For each relation, true if it is the same in every state but has too many tuples to list, or depends on such a
    /// relation. Its table is empty.
    pub unlisted: Vec<bool>,
    /// The limit that an unlisted relation exceeded, if there are any.
    pub too_much: Option<Exceeded>,
}

impl Prepared {
    /// True if a relation's table is complete before a match begins.
    pub(crate) fn is_listed(&self, relation: RelationId) -> bool {
        self.strata.is_static(relation) && !self.unlisted[relation.index()]
    }

    /// Drops the rows of a relation, and the memory they take.
    pub(crate) fn forget(&mut self, relation: RelationId) {
        let table = &mut self.tables[relation.index()];
        *table = Table::new(self.program.relations[relation.index()].arity);
    }

    /// Treats unlisted relations as if they depended on the state, so that they are ground on demand.
    pub(crate) fn with_unlisted_as_dynamic(mut self) -> Prepared {
        for (on_state, unlisted) in self.strata.on_state.iter_mut().zip(&self.unlisted) {
            *on_state |= unlisted;
        }
        self
    }
}

/// The form of rule bodies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bodies {
    /// The rules as the author wrote them, for explanations.
    Whole,
    /// The rules as split by [`decompose`], for evaluation.
    Decomposed,
}

/// The relations that a match reads.
pub(super) const OUTPUTS: [RelationId; 7] = [
    RelationId::ROLE,
    RelationId::INIT,
    RelationId::LEGAL,
    RelationId::NEXT,
    RelationId::SEES,
    RelationId::GOAL,
    RelationId::TERMINAL,
];

/// Lowers and layers a description and evaluates everything that does not change during a match.
///
/// # Errors
/// See [`prepare_what_can_be_listed`]; also static relations with too many tuples to be listed.
pub(super) fn prepare(description: &Description, bodies: Bodies) -> Result<Prepared, Vec<GameError>> {
    let prepared = prepare_what_can_be_listed(description, bodies)?;
    match prepared.too_much {
        Some(exceeded) => Err(vec![too_much(&prepared.program, exceeded)]),
        None => Ok(prepared),
    }
}

/// Like [`prepare`], but leaves static relations with too many tuples unlisted.
///
/// # Errors
/// See [`lower`] and [`stratify`]; also no roles, and static relations whose terms grow without end.
pub(super) fn prepare_what_can_be_listed(
    description: &Description,
    bodies: Bodies,
) -> Result<Prepared, Vec<GameError>> {
    prepare_within(description, bodies, &Budget::NONE)
}

/// Like [`prepare_what_can_be_listed`], as long as the budget is not spent.
///
/// # Errors
/// The same, or if it ended early.
pub(super) fn prepare_within(
    description: &Description,
    bodies: Bodies,
    budget: &Budget,
) -> Result<Prepared, Vec<GameError>> {
    let mut program = lower(description, budget)?;
    let mut strata = stratify(&mut program)?;
    GameError::if_spent(budget)?;
    if bodies == Bodies::Decomposed {
        // Only after stratification, whose errors must be about the rules as written.
        if separate(&mut program) {
            strata = stratify(&mut program)?;
        }
        decompose(&mut program, &strata, evaluate_static);
        strata = stratify(&mut program)?;
        GameError::if_spent(budget)?;
    }
    let limits = Limits { budget: budget.clone(), ..Limits::STATIC };
    let (mut tables, unlisted, mut exceeded) = evaluate_static(&mut program, &strata, &OUTPUTS, &limits);
    GameError::if_spent(budget)?;
    if bodies == Bodies::Decomposed {
        forget_facts(&mut program, &mut strata, &unlisted, &mut exceeded);
    }
    if let Some(exceeded) = exceeded {
        if exceeded.excess == Excess::Depth {
            return Err(vec![too_much(&program, exceeded)]);
        }
        for relation in [RelationId::ROLE, RelationId::INIT].into_iter().filter(|it| unlisted[it.index()]) {
            ask_for_all(&mut program, &mut tables, &strata, &unlisted, relation, &limits)
                .map_err(|_| vec![too_much(&program, exceeded)])?;
        }
    }
    let role_terms: Vec<TermId> = tables[RelationId::ROLE.index()].rows().map(|row| row[0]).collect();
    if role_terms.is_empty() {
        let range = description.statements.each().next().map(|statement| statement.range).unwrap_or_default();
        return Err(vec![error(range, "the description declares no role: write `(role name)`")]);
    }
    if role_terms.len() > usize::from(u16::MAX) {
        return Err(vec![error(description.statements[0].range, "the description declares more than 65535 roles")]);
    }
    let roles = role_terms
        .iter()
        .map(|&term| {
            let name = program.terms.show(term);
            Role { is_chance: name.eq_ignore_ascii_case("random"), name }
        })
        .collect();
    let demanded = vec![false; program.relations.len()];
    Ok(Prepared { program, strata, tables, roles, role_terms, demanded, unlisted, too_much: exceeded })
}

/// Returns the tables of the static relations that `wanted` needs; the others are empty. Also returns the relations
/// that have too many tuples to be listed, or depend on one that does, and the first limit that was exceeded.
pub(super) fn evaluate_static(
    program: &mut Program,
    strata: &Strata,
    wanted: &[RelationId],
    limits: &Limits,
) -> (Vec<Table>, Vec<bool>, Option<Exceeded>) {
    let mut tables: Vec<Table> = program.relations.iter().map(|relation| Table::new(relation.arity)).collect();
    let mut unlisted = vec![false; program.relations.len()];
    let mut first = None;
    for index in strata.cone(program, wanted) {
        let component = &strata.components[index];
        if !component.relations.iter().all(|&relation| strata.is_static(relation)) {
            continue;
        }
        let mut read = component.rules.iter().flat_map(|&rule| &program.rules[rule].body);
        let mut is_unlisted =
            read.any(|literal| literal.condition.atom().is_some_and(|atom| unlisted[atom.relation.index()]));
        if !is_unlisted {
            let growing = if component.recursive { &component.relations[..] } else { &[] };
            let (facts, rules): (Vec<usize>, Vec<usize>) =
                component.rules.iter().partition(|&&rule| program.rules[rule].is_fact());
            let listed = list(program, &facts, &mut tables, limits).and_then(|()| {
                let saturation = Saturation::new(program, &mut tables, &rules, growing, &|_| false);
                saturation.run(program, &mut tables, limits)
            });
            if let Err(exceeded) = listed {
                first.get_or_insert(exceeded);
                is_unlisted = true;
            }
        }
        if is_unlisted {
            for relation in &component.relations {
                tables[relation.index()] = Table::new(program.relations[relation.index()].arity);
                unlisted[relation.index()] = true;
            }
        }
    }
    (tables, unlisted, first)
}

/// Puts facts into their tables.
fn list(program: &Program, facts: &[usize], tables: &mut [Table], limits: &Limits) -> Result<(), Exceeded> {
    let mut tuple: Vec<TermId> = Vec::new();
    let mut pace = Pace::default();
    for &rule in facts {
        let Atom { relation, args } = &program.rules[rule].head;
        let exceeded = |excess| Err(Exceeded { rule, relation: *relation, excess });
        tuple.clear();
        tuple.extend(args.iter().filter_map(|arg| if let Pattern::Ground(term) = arg { Some(*term) } else { None }));
        let table = &mut tables[relation.index()];
        table.insert(&tuple);
        if tuple.iter().any(|&term| program.terms.depth(term) > limits.depth) {
            return exceeded(Excess::Depth);
        }
        if table.len() as usize > limits.rows || program.terms.len() > limits.terms {
            return exceeded(Excess::Facts);
        }
        if pace.stop(&limits.budget).is_some() {
            return exceeded(Excess::Time);
        }
    }
    Ok(())
}

/// Drops the facts of listed relations: only their tables are read from now on, and many facts take much memory. Facts
/// of keywords are few.
fn forget_facts(program: &mut Program, strata: &mut Strata, unlisted: &[bool], exceeded: &mut Option<Exceeded>) {
    let mut numbers = Vec::with_capacity(program.rules.len());
    let mut kept = 0;
    program.rules.retain(|rule| {
        let relation = rule.head.relation;
        let is_listed = strata.is_static(relation) && !unlisted[relation.index()];
        let is_kept = !is_listed || relation.index() < KEYWORDS.len() || !rule.is_fact();
        numbers.push(is_kept.then_some(kept));
        kept += usize::from(is_kept);
        is_kept
    });
    program.rules.shrink_to_fit();
    for component in &mut strata.components {
        component.rules = component.rules.iter().filter_map(|&rule| numbers[rule]).collect();
    }
    if let Some(exceeded) = exceeded {
        // Its relation is not listed.
        exceeded.rule = numbers[exceeded.rule].unwrap_or(0);
    }
}

/// Fills the table of a static relation by a query for all its tuples.
fn ask_for_all(
    program: &mut Program,
    tables: &mut [Table],
    strata: &Strata,
    unlisted: &[bool],
    relation: RelationId,
    limits: &Limits,
) -> Result<(), Exceeded> {
    let is_table = |relation: RelationId| strata.is_static(relation) && !unlisted[relation.index()];
    let mut memory = Memory::new(program, is_table);
    let arity = program.relations[relation.index()].arity;
    let found =
        Asking::new(program, tables, strata, &mut memory, limits).all(relation, arity, &mut limits.fuel.clone())?;
    for tuple in found {
        tables[relation.index()].insert(&tuple);
    }
    Ok(())
}

/// Describes the relation that keeps a game from being ground.
pub(super) fn too_large(program: &Program, exceeded: Exceeded) -> String {
    let name = program.name(exceeded.relation);
    match exceeded.excess {
        Excess::Work => format!("the rules of `{name}` have too many instances"),
        Excess::Facts => format!("`{name}` can hold for too many arguments"),
        Excess::Depth => format!("terms in `{name}` can grow without end"),
        Excess::Nesting => format!("the recursion of `{name}` has too many steps"),
        Excess::Time => format!("the rules of `{name}`"),
    }
}

/// The error of the rule that exceeded a limit.
pub(super) fn too_much(program: &Program, exceeded: Exceeded) -> GameError {
    let rule = &program.rules[exceeded.rule];
    let name = program.name(rule.head.relation);
    let message = match exceeded.excess {
        Excess::Work => format!("too many combinations to try for `{name}`: its conditions share too few variables"),
        Excess::Facts => {
            format!("`{name}` holds for too many arguments to list: bind its variables with narrower conditions")
        }
        Excess::Depth => format!("`{name}` builds deeper and deeper terms: check that its recursion ends"),
        Excess::Nesting => format!("the recursion of `{name}` has too many steps"),
        Excess::Time => format!("time limit reached while evaluating `{name}`"),
    };
    error(rule.range, message)
}
