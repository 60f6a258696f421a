//! A match that is over before the first move.

use percept_game::{Role, Term};
use percept_infoset::Budget;

use super::two_turns::init_place;
use crate::{Case, Evidence, Extent, Finding, Occasion, Rule, Severity, Watch, mends};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "over-at-start", severity: Severity::Error, page: include_str!("over-at-start.md") };

pub(super) fn watch<'a>(_: &'a Case<'a>, _: &Budget) -> Option<Box<dyn Watch + 'a>> {
    Some(Box::new(Over { looked: false, found: None }))
}

struct Over {
    looked: bool,
    found: Option<Evidence>,
}

impl Watch for Over {
    fn state(&mut self, occasion: &Occasion<'_>) {
        // The first state is shown first.
        if !std::mem::replace(&mut self.looked, true) && occasion.is_terminal {
            self.found = Some(occasion.evidence());
        }
    }

    fn finish(self: Box<Self>, case: &Case<'_>, _: &Extent) -> Vec<Finding> {
        let Some(evidence) = self.found else { return Vec::new() };
        let start = case.game.rules.initial();
        if !case.game.is_sequential {
            let head = case.reasons(&start, &[], &Term::word("terminal")).into_iter().next();
            let place = case.here(head.or_else(|| case.heads("terminal").next().map(|head| head.range)));
            let since = case.since(&start, &[], &Term::word("terminal"));
            let message = format!(
                "this holds when the match begins{since}, so no role ever moves: end the match only after a move"
            );
            let mut finding = Finding::new(&RULE, place, message, evidence);
            finding.fixes.extend(mends::conditions_at_start(case));
            finding.fixes.extend(mends::opposites(case, place.range));
            return vec![finding];
        }
        // Derived turns are facts, too.
        let has_turn = |role: &Role| case.game.rules.fact(&start, &role.turn()) == Some(true);
        let mover = case.game.roles.iter().find(|role| has_turn(role));
        let message = match mover.is_some() {
            true => "no role has a legal action when the match begins, so it is over at once".to_string(),
            false => "no role has the turn when the match begins: add `(whoseturn ...)` with the role that moves first"
                .to_string(),
        };
        let mut finding = Finding::new(&RULE, init_place(case), message, evidence);
        finding.fixes =
            mover.map_or_else(|| mends::actions::first_turns(case), |role| mends::actions::openings(case, &role.name));
        vec![finding]
    }
}
