//! A board with a hole: every cell but one has one content when the match begins.

use std::collections::BTreeSet;

use percept_game::{FluentId, Term};
use percept_infoset::Budget;
use rustc_hash::FxHashMap;

use crate::{Case, Evidence, Extent, Finding, Rule, Severity, Watch};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "cell-without-content", severity: Severity::Warning, page: include_str!("cell-without-content.md") };

/// The least number of cells of a board, and the most fluents of a game that is examined.
const LEAST: usize = 9;
const MOST_FLUENTS: usize = 50_000;

pub(super) fn watch<'a>(case: &'a Case<'a>, _: &Budget) -> Option<Box<dyn Watch + 'a>> {
    case.description()?;
    Some(Box::new(Hole))
}

struct Hole;

impl Watch for Hole {
    fn finish(self: Box<Self>, case: &Case<'_>, _: &Extent) -> Vec<Finding> {
        let rules = &case.game.rules;
        if rules.fluent_count() > MOST_FLUENTS {
            return Vec::new();
        }
        let mut families: FxHashMap<(String, usize), Vec<Term>> = FxHashMap::default();
        for id in rules.initial().fluents() {
            let name = rules.fluent_term(id);
            families.entry((name.head().to_string(), name.args().len())).or_default().push(name);
        }
        let may_hold = |hole: &[Option<&Term>], word: &str| {
            let fits = |name: &Term| {
                name.head() == word
                    && name.args().len() == hole.len()
                    && name.args().iter().zip(hole).all(|(arg, key)| key.is_none_or(|key| key == arg))
            };
            (0..rules.fluent_count() as u32).any(|id| fits(&rules.fluent_term(FluentId(id))))
        };
        let mut families: Vec<_> = families.into_iter().collect();
        families.sort();
        let hole = families.iter().find_map(|((word, arity), facts)| {
            let value = arity.checked_sub(1).filter(|_| *arity > 2)?;
            let hole = hole(facts, value)?;
            let keys: Vec<Option<&Term>> = hole.iter().copied().map(Some).chain([None]).collect();
            // A place that can never have a value is not a cell.
            may_hold(&keys, word).then_some((word, hole, facts.len()))
        });
        let Some((word, hole, count)) = hole else { return Vec::new() };
        let keys: Vec<String> = hole.iter().map(ToString::to_string).collect();
        let message = format!(
            "`({word} {} ...)` has no content when the match begins, but each of the {count} others has one: add an `init` for it",
            keys.join(" ")
        );
        let init = case.heads("init").find(|head| head.args().first().is_some_and(|it| it.name.is(word)));
        let evidence = Evidence::Match { rounds: Vec::new(), is_shortest: true };
        vec![Finding::new(&RULE, case.here(init.map(|head| head.range)), message, evidence)]
    }
}

/// The only key without a value among all combinations of its parts' values, if every other key has one.
fn hole(facts: &[Term], value: usize) -> Option<Vec<&Term>> {
    let keys: BTreeSet<Vec<&Term>> = facts.iter().map(|fact| fact.args()[..value].iter().collect()).collect();
    let parts: Vec<BTreeSet<&Term>> =
        (0..value).map(|at| facts.iter().map(|fact| &fact.args()[at]).collect()).collect();
    let all = parts.iter().try_fold(1usize, |product, part| product.checked_mul(part.len()))?;
    if keys.len() != facts.len() || all < LEAST || keys.len() + 1 != all || parts.iter().any(|part| part.len() < 2) {
        return None;
    }
    let mut whole: Vec<Vec<&Term>> = vec![Vec::new()];
    for part in &parts {
        whole = whole.iter().flat_map(|key| part.iter().map(move |it| [&key[..], &[*it]].concat())).collect();
    }
    whole.into_iter().find(|key| !keys.contains(key))
}
