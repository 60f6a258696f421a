//! POGDDL: an action that can be played in the turn of another role, although nearly all actions belong to one role.

use std::collections::BTreeMap;

use percept_game::{MoveId, RoleId, Term};
use percept_infoset::Budget;
use rustc_hash::FxHashMap;

use super::two_turns::action_place;
use crate::case::when;
use crate::{Case, Evidence, Extent, Finding, Occasion, Rule, Severity, Watch, mends};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "action-without-turn", severity: Severity::Warning, page: include_str!("action-without-turn.md") };

/// At most one in this many actions may be open to every role without looking intended.
const RARE: usize = 3;

pub(super) fn watch<'a>(case: &'a Case<'a>, _: &Budget) -> Option<Box<dyn Watch + 'a>> {
    let wanted = case.game.is_sequential && case.game.roles.len() > 1;
    wanted.then(|| Box::new(Movers { of: FxHashMap::default() }) as Box<dyn Watch>)
}

/// The roles that may play a ground action, and for the second of them the match after which it may.
struct Movers {
    of: FxHashMap<MoveId, (RoleId, Option<(RoleId, Evidence)>)>,
}

impl Watch for Movers {
    fn state(&mut self, occasion: &Occasion<'_>) {
        for (role, legal) in occasion.game.role_ids().zip(occasion.legal) {
            for &mv in legal.iter().filter(|mv| **mv != MoveId::NOOP) {
                let (first, second) = self.of.entry(mv).or_insert((role, None));
                if *first != role && second.is_none() {
                    *second = Some((role, occasion.evidence()));
                }
            }
        }
    }

    fn finish(self: Box<Self>, case: &Case<'_>, _: &Extent) -> Vec<Finding> {
        let is_chance = |role: RoleId| case.game.roles[role.0 as usize].is_chance;
        // For each action, the role that it belongs to.
        let mut shared: BTreeMap<String, Option<(Term, RoleId, RoleId, Evidence)>> = BTreeMap::new();
        for (mv, (first, second)) in self.of {
            let ground = case.game.rules.move_term(first, mv);
            let entry = shared.entry(ground.head().to_string()).or_default();
            let Some((second, evidence)) = second else { continue };
            let names_mover = ground.args().iter().any(|arg| {
                arg.head().eq_ignore_ascii_case(case.name(first)) || arg.head().eq_ignore_ascii_case(case.name(second))
            });
            let is_better = entry.as_ref().is_none_or(|(other, ..)| *other > ground);
            // Every role may have a pass; but an action that names one role, or that chance plays, belongs to one.
            if is_better && (names_mover || is_chance(first) != is_chance(second)) {
                *entry = Some((ground, first, second, evidence));
            }
        }
        let count = shared.values().flatten().count();
        if count * RARE > shared.len() {
            return Vec::new();
        }
        let findings = shared.into_values().flatten().map(|(ground, first, second, evidence)| {
            let rounds = if let Evidence::Match { rounds, .. } = &evidence { rounds.len() } else { 0 };
            let message = format!(
                "`{ground}` can be played by `{}`, and {} by `{}`: every role with the turn may play it; add `(whoseturn ...)` to the \
                 precondition",
                case.name(first),
                when(rounds),
                case.name(second)
            );
            let mut finding = Finding::new(&RULE, action_place(case, &ground), message, evidence);
            finding.fixes = mends::actions::required_turns(case, &ground);
            finding
        });
        findings.collect()
    }
}
