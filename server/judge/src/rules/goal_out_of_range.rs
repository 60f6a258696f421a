//! A goal value at the end of a match that is not between 0 and 100.

use percept_game::State;

use percept_infoset::Budget;

use crate::case::when;
use crate::{Case, Evidence, Extent, Finding, Occasion, Rule, Severity, Watch};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "goal-out-of-range", severity: Severity::Warning, page: include_str!("goal-out-of-range.md") };

pub(super) fn watch<'a>(case: &'a Case<'a>, _: &Budget) -> Option<Box<dyn Watch + 'a>> {
    let roles = case.game.roles.len();
    (!case.game.is_sequential).then(|| Box::new(Outside { of: vec![None; roles] }) as Box<dyn Watch>)
}

struct Outside {
    /// The first goal of each role that is out of range.
    of: Vec<Option<(i64, State, Evidence)>>,
}

impl Watch for Outside {
    fn state(&mut self, occasion: &Occasion<'_>) {
        if !occasion.is_terminal {
            return;
        }
        for role in occasion.players() {
            let found = &mut self.of[role.0 as usize];
            if found.is_none() {
                let goals = occasion.game.rules.goals(occasion.state, role);
                let outside = goals.into_iter().find(|value| !(0..=100).contains(value));
                *found = outside.map(|value| (value, occasion.state.clone(), occasion.evidence()));
            }
        }
    }

    fn finish(self: Box<Self>, case: &Case<'_>, _: &Extent) -> Vec<Finding> {
        let mut findings: Vec<Finding> = Vec::new();
        for (role, found) in case.game.role_ids().zip(self.of) {
            let Some((value, state, evidence)) = found else { continue };
            let name = case.name(role);
            let rounds = if let Evidence::Match { rounds, .. } = &evidence { rounds.len() } else { 0 };
            let by = case.gives(&state, name, value);
            let place = case.here(by.or_else(|| case.heads_for("goal", name).last().map(|head| head.range)));
            let message =
                format!("`{name}` gets {value} when the match is over {}: goal values are 0 to 100", when(rounds));
            if findings.iter().all(|other| other.place() != place) {
                findings.push(Finding::new(&RULE, place, message, evidence));
            }
        }
        findings
    }
}
