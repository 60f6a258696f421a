//! The reachable domain: every atom that may hold at some point of some match.
//!
//! An over-approximation: negation on relations that change counts as true, moves of all roles count as possible at
//! any time they are possible at all.

use std::sync::Arc;

use percept_syntax::TextRange;

use super::prepare::{OUTPUTS, Prepared};
use super::program::{Atom, Condition, Literal, Pattern, RelationId, Rule};
use super::saturate::{Exceeded, Limits, Saturation};
use crate::terms::TermId;

/// What may hold before the round.
pub enum Start<'a> {
    /// Anything reachable from the initial state.
    Initial,
    /// These fluents.
    Possible(&'a [TermId]),
}

/// Fills the tables of all dynamic relations with the atoms that may hold.
///
/// # Errors
/// [`Exceeded`] where the domain is larger than the limits.
pub fn reach(prepared: &mut Prepared, start: &Start<'_>, limits: &Limits) -> Result<(), Exceeded> {
    let rules_before = prepared.program.rules.len();
    prepared.program.rules.push(copy_rule(RelationId::LEGAL, RelationId::DOES, 2));
    match start {
        Start::Initial => {
            prepared.program.rules.push(copy_rule(RelationId::NEXT, RelationId::TRUE, 1));
            let initial: Vec<TermId> = prepared.tables[RelationId::INIT.index()].rows().map(|row| row[0]).collect();
            insert(prepared, &initial);
        }
        Start::Possible(fluents) => insert(prepared, fluents),
    }
    let strata = &prepared.strata;
    let mut rules: Vec<usize> = (rules_before..prepared.program.rules.len()).collect();
    let mut growing = Vec::new();
    for index in strata.cone(&prepared.program, &OUTPUTS) {
        let component = &strata.components[index];
        if component.relations.iter().any(|&relation| !strata.is_static(relation)) {
            rules.extend(&component.rules);
            growing.extend(&component.relations);
        }
    }
    growing.extend([RelationId::TRUE, RelationId::DOES]);
    let Prepared { program, tables, strata, .. } = prepared;
    let saturation = Saturation::new(program, tables, &rules, &growing, &|relation| !strata.is_static(relation));
    let result = saturation.run(program, tables, limits);
    program.rules.truncate(rules_before);
    // A copying rule that breaks a limit stands for `next` or `legal`; their first rule is the place to show.
    result.map_err(|exceeded| {
        let copied = if exceeded.rule == rules_before { RelationId::LEGAL } else { RelationId::NEXT };
        let place = program.rules.iter().position(|rule| rule.head.relation == copied).unwrap_or(0);
        Exceeded { rule: if exceeded.rule < rules_before { exceeded.rule } else { place }, ..exceeded }
    })
}

fn insert(prepared: &mut Prepared, fluents: &[TermId]) {
    for &fluent in fluents {
        prepared.tables[RelationId::TRUE.index()].insert(&prepared.program.terms, &[fluent]);
    }
}

/// `to(..) :- from(..)`.
fn copy_rule(from: RelationId, to: RelationId, arity: u32) -> Rule {
    let args: Box<[Pattern]> = (0..arity).map(Pattern::Variable).collect();
    let condition = Condition::Positive(Atom { relation: from, args: args.clone() });
    Rule {
        head: Atom { relation: to, args },
        body: vec![Literal { condition, range: TextRange::default() }],
        variables: Arc::from(vec![smol_str::SmolStr::default(); arity as usize]),
        range: TextRange::default(),
        head_range: TextRange::default(),
    }
}
