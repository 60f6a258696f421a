//! What every way of running a description starts from: layered rules, and the static relations evaluated.

use percept_syntax::gdl::Description;
use rustc_hash::FxHashMap;

use super::lower::{error, lower};
use super::program::{Program, RelationId};
use super::saturate::{Exceeded, Limits, Saturation};
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
    pub role_of: FxHashMap<TermId, u16>,
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
pub fn prepare(description: &Description, limits: &Limits) -> Result<Prepared, Vec<GameError>> {
    let mut program = lower(description)?;
    let strata = stratify(&mut program)?;
    let mut tables: Vec<Table> = program.relations.iter().map(|relation| Table::new(relation.arity)).collect();
    for index in strata.cone(&program, &OUTPUTS) {
        let component = &strata.components[index];
        if !component.relations.iter().all(|&relation| strata.is_static(relation)) {
            continue;
        }
        let growing = if component.recursive { &component.relations[..] } else { &[] };
        let saturation = Saturation::new(&program, &mut tables, &component.rules, growing, &|_| false);
        saturation.run(&mut program, &mut tables, limits).map_err(|exceeded| vec![too_much(&program, exceeded)])?;
    }
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
    let role_of = role_terms.iter().enumerate().map(|(index, &term)| (term, index as u16)).collect();
    Ok(Prepared { program, strata, tables, roles, role_terms, role_of })
}

/// Says which rule broke a limit.
pub fn too_much(program: &Program, exceeded: Exceeded) -> GameError {
    let rule = &program.rules[exceeded.rule];
    let name = program.name(rule.head.relation);
    let message = if exceeded.growth {
        format!("`{name}` gets too many facts here: does a term grow without end?")
    } else {
        format!("too many combinations to try for `{name}`: its conditions share too few variables")
    };
    error(rule.range, message)
}
