//! Losses without a symptom: the game continues with fewer fluents than its author intended.
//!
//! A loss is reported if a family of fluents holds for one round only, early in every match, is not a flag or a phase,
//! and would change moves, percepts or results later in the same matches if it were kept; or if moves make it again and
//! again, only `goal` reads it, and keeping it would change results.

use percept_game::{JointMove, RoleId, State};
use percept_infoset::Budget;

use super::kept::{Family, Kept, Lost, Match};
use super::{cause, random};
use crate::{Case, Finding};

/// The least number of matches that must differ, and the number of matches played.
const LEAST: usize = 3;

pub(super) fn find(case: &Case<'_>, families: &[Family<'_>], budget: &Budget) -> Option<Finding> {
    let is_asked = |family: &Family<'_>| family.arity > 0 && !family.is_flag();
    let relevant: Vec<Family> = families.iter().filter_map(Family::unkept).filter(is_asked).collect();
    if relevant.is_empty() {
        return None;
    }
    let matches = random(case, budget);
    let is_gathered =
        |family: &Family| matches.iter().any(|one| family.is_lost_repeatedly(one)) && family.is_only_counted(case);
    let of = |family: &&Family| {
        family.is_only_begun() || matches.iter().all(|one| family.dies_out(one)) || is_gathered(family)
    };
    relevant.iter().filter(of).find_map(|family| {
        let mut shown = matches.iter().filter_map(|one| {
            let lost = one.lost(family).next()?;
            budget.count(4 * one.rounds.len() as u64 * case.game.price());
            let kept = one.keeping(case.game, family)?;
            (budget.stop().is_none() && is_otherwise(case, family, one, &kept, lost)).then_some((one, lost))
        });
        let (one, lost) = shown.next()?;
        (shown.take(LEAST - 1).count() == LEAST - 1).then(|| cause(case, family, lost, one)).flatten()
    })
}

/// True if players would see a difference two rounds or more after the loss.
fn is_otherwise(case: &Case<'_>, family: &Family<'_>, one: &Match, kept: &Kept, lost: Lost) -> bool {
    let rules = &case.game.rules;
    // If a game ends because an initial fluent is gone, later rounds show nothing.
    if family.is_only_begun() && rules.terminal(&one.states[lost.held + 1]) {
        return !rules.terminal(&kept.states[lost.held + 1]);
    }
    let from = lost.held + 2;
    (from..one.states.len()).any(|at| {
        let (was, is) = (&one.states[at], &kept.states[at]);
        let joint: Option<&JointMove> = one.rounds.get(at);
        let sees = |state: &State, role: RoleId| joint.map(|joint| rules.percepts(state, joint, role));
        let differs = |role: RoleId| {
            sees(was, role) != sees(is, role) || (joint.is_some() && rules.legal(was, role) != rules.legal(is, role))
        };
        let is_end = joint.is_none() && case.players().any(|role| rules.goals(was, role) != rules.goals(is, role));
        is_end || case.game.role_ids().any(differs)
    })
}
