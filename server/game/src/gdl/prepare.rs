//! What every way of running a description starts from: layered rules, and the static relations evaluated.

use percept_syntax::gdl::Description;

use super::decompose::decompose;
use super::lower::{error, lower};
use super::program::{Program, RelationId};
use super::saturate::{Exceeded, Excess, Limits, Saturation};
use super::strata::{Strata, stratify};
use super::table::Table;
use crate::terms::TermId;
use crate::{GameError, Role};

/// A description ready to be ground or interpreted.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub program: Program,
    pub strata: Strata,
    /// By relation; the dynamic ones are empty.
    pub tables: Vec<Table>,
    pub roles: Vec<Role>,
    pub role_terms: Vec<TermId>,
    /// By relation: whether its table holds only what some rule asks for.
    pub demanded: Vec<bool>,
}

/// How rule bodies are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bodies {
    /// As the author wrote them, for explanations.
    Whole,
    /// Taken apart by [`decompose`], for everything that evaluates them.
    Decomposed,
}

/// The relations a match asks for.
pub const OUTPUTS: [RelationId; 7] = [
    RelationId::ROLE,
    RelationId::INIT,
    RelationId::LEGAL,
    RelationId::NEXT,
    RelationId::SEES,
    RelationId::GOAL,
    RelationId::TERMINAL,
];

/// Lowers and layers a description and evaluates what does not change during a match.
///
/// # Errors
/// See [`lower`] and [`stratify`]; also no roles, and static relations that grow without end.
pub fn prepare(description: &Description, bodies: Bodies) -> Result<Prepared, Vec<GameError>> {
    let mut program = lower(description)?;
    let mut strata = stratify(&mut program)?;
    if bodies == Bodies::Decomposed {
        // Only now: what stratification says, it says about the rules as they were written.
        decompose(&mut program);
        strata = stratify(&mut program)?;
    }
    let tables = evaluate_static(&mut program, &strata, &OUTPUTS, &Limits::STATIC)
        .map_err(|exceeded| vec![too_much(&program, exceeded)])?;
    let role_terms: Vec<TermId> = tables[RelationId::ROLE.index()].rows().map(|row| row[0]).collect();
    if role_terms.is_empty() {
        let range = description.statements.first().map(|statement| statement.range).unwrap_or_default();
        return Err(vec![error(range, "the description declares no role: write `(role name)`")]);
    }
    if role_terms.len() > usize::from(u16::MAX) {
        return Err(vec![error(description.statements[0].range, "more than 65535 roles")]);
    }
    let roles = role_terms
        .iter()
        .map(|&term| {
            let name = program.terms.show(term);
            Role { is_chance: name.eq_ignore_ascii_case("random"), name }
        })
        .collect();
    let demanded = vec![false; program.relations.len()];
    Ok(Prepared { program, strata, tables, roles, role_terms, demanded })
}

/// The tables of what `wanted` needs and is the same in every state; the others are empty.
///
/// # Errors
/// [`Exceeded`] where a relation breaks a limit.
pub fn evaluate_static(
    program: &mut Program,
    strata: &Strata,
    wanted: &[RelationId],
    limits: &Limits,
) -> Result<Vec<Table>, Exceeded> {
    let mut tables: Vec<Table> = program.relations.iter().map(|relation| Table::new(relation.arity)).collect();
    for index in strata.cone(program, wanted) {
        let component = &strata.components[index];
        if !component.relations.iter().all(|&relation| strata.is_static(relation)) {
            continue;
        }
        let growing = if component.recursive { &component.relations[..] } else { &[] };
        let saturation = Saturation::new(program, &mut tables, &component.rules, growing, &|_| false);
        saturation.run(program, &mut tables, limits)?;
    }
    Ok(tables)
}

/// Says which rule keeps a game from being ground.
pub fn too_large(program: &Program, exceeded: Exceeded) -> String {
    let name = program.name(exceeded.relation);
    match exceeded.excess {
        Excess::Work => format!("the rules of `{name}` have too many instances"),
        Excess::Facts => format!("`{name}` can hold for too many arguments"),
        Excess::Depth => format!("terms in `{name}` can grow without end"),
        Excess::Time => format!("the time was up at the rules of `{name}`"),
    }
}

/// Says which rule broke a limit.
pub fn too_much(program: &Program, exceeded: Exceeded) -> GameError {
    let rule = &program.rules[exceeded.rule];
    let name = program.name(rule.head.relation);
    let message = match exceeded.excess {
        Excess::Work => format!("too many combinations to try for `{name}`: its conditions share too few variables"),
        Excess::Facts => {
            format!("`{name}` holds for too many arguments to list them all: bind its variables by narrower conditions")
        }
        Excess::Depth => format!("`{name}` gets deeper and deeper terms: does its recursion end?"),
        Excess::Time => format!("the time was up while `{name}` was evaluated"),
    };
    error(rule.range, message)
}
