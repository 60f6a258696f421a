//! A role that has no goal value when a match is over.

use percept_infoset::Budget;

use crate::case::when;
use crate::{Case, Evidence, Extent, Finding, Occasion, Rule, Severity, Watch};
use percept_game::circuit::Lit;
use percept_game::{Ground, RoleId, State, Term};

/// See the page.
pub(super) static RULE: Rule = Rule { name: "no-goal", severity: Severity::Error, page: include_str!("no-goal.md") };

pub(super) fn watch<'a>(case: &'a Case<'a>, _: &Budget) -> Option<Box<dyn Watch + 'a>> {
    let roles = case.game.roles.len();
    let players = case.players().collect();
    (!case.game.is_sequential).then(|| Box::new(Without { players, of: vec![None; roles] }) as Box<dyn Watch>)
}

struct Without {
    players: Vec<RoleId>,
    /// The first state of each role without a goal.
    of: Vec<Option<(State, Evidence)>>,
}

impl Watch for Without {
    fn state(&mut self, occasion: &Occasion<'_>) {
        if !occasion.is_terminal {
            return;
        }
        for role in occasion.players() {
            let found = &mut self.of[role.0 as usize];
            if found.is_none() && occasion.game.rules.goals(occasion.state, role).is_empty() {
                *found = Some((occasion.state.clone(), occasion.evidence()));
            }
        }
    }

    fn targets(&self, ground: &Ground) -> Vec<Vec<Vec<Lit>>> {
        let open = self.players.iter().filter(|role| self.of[role.0 as usize].is_none());
        let without = |role: &RoleId| {
            let none = ground.goals[role.0 as usize].iter().map(|(_, goal)| vec![!*goal]);
            none.chain([vec![ground.terminal]]).collect()
        };
        open.map(without).collect()
    }

    fn finish(self: Box<Self>, case: &Case<'_>, _: &Extent) -> Vec<Finding> {
        let mut findings: Vec<Finding> = Vec::new();
        for (role, found) in case.game.role_ids().zip(self.of) {
            let Some((state, evidence)) = found else { continue };
            let name = case.name(role);
            if let Some(same) = findings.iter_mut().find(|other| other.evidence == evidence) {
                same.message = same.message.replacen("` has no", &format!("` (like `{name}`) has no"), 1);
                continue;
            }
            let rounds = if let Evidence::Match { rounds, .. } = &evidence { rounds.len() } else { 0 };
            let heads: Vec<_> = case.heads_for("goal", name).collect();
            let (place, message) = match heads.last() {
                None => (
                    case.role_place(role),
                    format!(
                        "`{name}` has no rule for its goal: add `(<= (goal {name} 50) ...)` for every way a match can end"
                    ),
                ),
                Some(last) => (
                    case.here(Some(last.range)),
                    format!(
                        "`{name}` has no goal value when the match is over {}: none of its rules for `goal` holds then; \
                         add one, or let one of them hold in this case too",
                        when(rounds)
                    ),
                ),
            };
            let finding = Finding::new(&RULE, place, message, evidence);
            let ends = case.reasons(&state, &[], &Term::word("terminal")).into_iter().take(1);
            findings.push(ends.fold(finding, |finding, head| {
                finding.related(case.here(Some(head)), "the match is over by this rule")
            }));
        }
        findings
    }
}
