//! A percept that comes in every round of every match, and so says nothing.

use percept_game::{MoveId, PerceptId, RoleId, State};
use percept_infoset::Control;

use crate::{Case, Evidence, Extent, Finding, Rule, Seen, Severity, Watch};

/// See the page.
pub static RULE: Rule =
    Rule { name: "constant-percept", severity: Severity::Information, page: include_str!("constant-percept.md") };

/// Rounds below which "every round" means little.
const LEAST: u64 = 3;

pub fn watch<'a>(case: &'a Case<'a>, _: &Control) -> Option<Box<dyn Watch + 'a>> {
    let wanted = case.statements("sees").next().is_some() && !case.game.is_sequential;
    wanted.then(|| {
        let players = case.game.role_ids().filter(|role| !case.game.roles[role.0 as usize].is_chance);
        let always = players.map(|role| (role, None)).collect();
        Box::new(Constant { always, rounds: 0 }) as Box<dyn Watch>
    })
}

struct Constant {
    /// By player what has come in every round so far; `None` before the first.
    always: Vec<(RoleId, Option<Vec<PerceptId>>)>,
    rounds: u64,
}

impl Watch for Constant {
    fn round(&mut self, seen: &Seen<'_>, joint: &[MoveId], _: &State) {
        self.rounds += 1;
        for (role, always) in &mut self.always {
            if always.as_ref().is_some_and(Vec::is_empty) {
                continue;
            }
            let now = seen.game.rules.percepts(seen.state, joint, *role);
            match always {
                Some(known) => known.retain(|percept| now.contains(percept)),
                None => *always = Some(now),
            }
        }
    }

    fn finish(self: Box<Self>, case: &Case<'_>, extent: &Extent) -> Vec<Finding> {
        if !extent.every_state || self.rounds < LEAST {
            return Vec::new();
        }
        let mut findings: Vec<Finding> = Vec::new();
        for (role, always) in self.always {
            for percept in always.unwrap_or_default() {
                let percept = case.game.rules.percept_name(role, percept);
                let functor = percept.trim_start_matches('(').split([' ', ')']).next().unwrap_or_default();
                let mut heads = case.heads_for("sees", case.name(role));
                let made = heads.find(|head| head.args().get(1).is_some_and(|it| it.name.is(functor)));
                let Some(head) = made else { continue };
                let place = case.here(Some(head.range));
                let message = format!(
                    "`{}` perceives `{percept}` in every round of every match, so it learns nothing from it",
                    case.name(role)
                );
                if findings.iter().all(|known| known.place != place) {
                    findings.push(Finding::new(&RULE, place, message, Evidence::EveryState(extent.states)));
                }
            }
        }
        findings
    }
}
