//! POGDDL: an action that is never legal.

use percept_game::{MoveId, RoleId, pogddl};
use percept_infoset::Budget;
use percept_syntax::pddl::{Action, Domain, Problem};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Case, Evidence, Extent, Finding, Occasion, Rule, Severity, Watch, mends};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "dead-action", severity: Severity::Warning, page: include_str!("dead-action.md") };

/// Text rules that report the reason why an action is dead.
const TOLD_BY: &[&str] = &["never-applicable", "never-true", "contradictory-condition"];

pub(super) fn watch<'a>(case: &'a Case<'a>, _: &Budget) -> Option<Box<dyn Watch + 'a>> {
    let wanted = case.game.is_sequential && case.domain().is_some();
    wanted.then(|| Box::new(Played::default()) as Box<dyn Watch>)
}

#[derive(Default)]
struct Played {
    moves: FxHashMap<MoveId, RoleId>,
}

impl Watch for Played {
    fn state(&mut self, occasion: &Occasion<'_>) {
        for (role, legal) in occasion.game.role_ids().zip(occasion.legal) {
            for &mv in legal.iter().filter(|mv| **mv != MoveId::NOOP) {
                self.moves.entry(mv).or_insert(role);
            }
        }
    }

    fn finish(self: Box<Self>, case: &Case<'_>, extent: &Extent) -> Vec<Finding> {
        let Some(domain) = case.domain().filter(|_| extent.every_state && extent.states > 1) else { return Vec::new() };
        let head = |(&mv, &role): (&MoveId, &RoleId)| case.game.rules.move_term(role, mv).head().to_ascii_lowercase();
        let played: FxHashSet<String> = self.moves.iter().map(head).collect();
        let dead = domain.actions.iter().filter(|action| !played.contains(&action.name.text.to_ascii_lowercase()));
        let dead: Vec<&Action> = dead.map(|action| &**action).collect();
        let findings = dead.iter().map(|&action| {
            let why = match case.problem().and_then(|problem| without_object(domain, problem, action)) {
                Some((variable, types)) => format!("there is no `{types}` for `?{variable}`"),
                None => "its precondition does not hold in any state".to_string(),
            };
            let message = format!("`{}` is never legal in this problem: {why}", action.name.text);
            let mut finding =
                Finding::new(&RULE, case.here(Some(action.name.range)), message, Evidence::EveryState(extent.states));
            finding.fixes = mends::actions::revived(case, action, &dead);
            finding.told_by = Some((case.here(Some(action.range)), TOLD_BY));
            finding
        });
        findings.collect()
    }
}

/// A parameter whose types have no object, with these types.
fn without_object<'a>(domain: &Domain, problem: &Problem, action: &'a Action) -> Option<(&'a str, String)> {
    let empty = action.params.iter().find(|group| !pogddl::has_objects(domain, problem, &group.types))?;
    let types: Vec<&str> = empty.types.iter().map(|ty| ty.text.as_str()).collect();
    Some((empty.names.first()?.text.as_str(), types.join(" or ")))
}
