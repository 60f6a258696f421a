//! A role that has two goal values when a match is over.

use percept_game::circuit::Lit;
use percept_game::{Ground, RoleId, State, Term};

use percept_infoset::Budget;

use crate::case::when;
use crate::{Case, Evidence, Extent, Finding, Occasion, Rule, Severity, Watch, mends};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "two-goals", severity: Severity::Error, page: include_str!("two-goals.md") };

/// The most values of a role that the solver is asked about.
const MOST_VALUES: usize = 12;

pub(super) fn watch<'a>(case: &'a Case<'a>, _: &Budget) -> Option<Box<dyn Watch + 'a>> {
    let roles = case.game.roles.len();
    let players = case.players().collect();
    (!case.game.is_sequential).then(|| Box::new(Several { players, of: vec![None; roles] }) as Box<dyn Watch>)
}

struct Several {
    players: Vec<RoleId>,
    /// The first state of each role with several goals.
    of: Vec<Option<(Vec<i64>, State, Evidence)>>,
}

impl Watch for Several {
    fn state(&mut self, occasion: &Occasion<'_>) {
        if !occasion.is_terminal {
            return;
        }
        for role in occasion.players() {
            let found = &mut self.of[role.0 as usize];
            if found.is_none() {
                let goals = occasion.game.rules.goals(occasion.state, role);
                *found = (goals.len() > 1).then(|| (goals, occasion.state.clone(), occasion.evidence()));
            }
        }
    }

    fn targets(&self, ground: &Ground) -> Vec<Vec<Vec<Lit>>> {
        let mut targets = Vec::new();
        for role in self.players.iter().filter(|role| self.of[role.0 as usize].is_none()) {
            let goals = &ground.goals[role.0 as usize];
            for (at, (_, goal)) in goals.iter().enumerate() {
                // This value, and one of those after it.
                let others: Vec<Lit> = goals[at + 1..].iter().map(|(_, other)| *other).collect();
                if !others.is_empty() && goals.len() <= MOST_VALUES {
                    targets.push(vec![vec![ground.terminal], vec![*goal], others]);
                }
            }
        }
        targets
    }

    fn finish(self: Box<Self>, case: &Case<'_>, _: &Extent) -> Vec<Finding> {
        let mut findings: Vec<Finding> = Vec::new();
        for (role, found) in case.game.role_ids().zip(self.of) {
            let Some((values, state, evidence)) = found else { continue };
            let name = case.name(role);
            let rounds = if let Evidence::Match { rounds, .. } = &evidence { rounds.len() } else { 0 };
            let by = |value: &i64| case.gives(&state, name, *value);
            let rules: Vec<Option<_>> = values.iter().map(by).collect();
            let later = rules.iter().flatten().max_by_key(|range| range.start).copied();
            let place = later.or_else(|| case.heads_for("goal", name).last().map(|head| head.range));
            let listed: Vec<String> = values.iter().map(i64::to_string).collect();
            let message = format!(
                "`{name}` has the goal values {} when the match is over {}: a role has one value only, so let each of these rules \
                 exclude the case of the other",
                listed.join(" and "),
                when(rounds)
            );
            let mut finding = Finding::new(&RULE, case.here(place), message, evidence);
            for (value, rule) in values.iter().zip(&rules) {
                let goal = Term::list("goal", [Term::word(name), Term::word(value.to_string())]);
                let since = case.since(&state, &[], &goal);
                if let Some(rule) = rule.filter(|rule| Some(*rule) != place || !since.is_empty()) {
                    finding = finding.related(case.here(Some(rule)), format!("{value} holds by this rule{since}"));
                }
            }
            if let [Some(one), Some(other), ..] = rules[..] {
                finding.fixes.extend(mends::apart(case, one, other));
            }
            // If one pair of rules gives both roles two values, it is one cause and one finding.
            match findings.iter_mut().find(|other| other.place() == finding.place() && other.related == finding.related)
            {
                Some(_) => {}
                None => findings.push(finding),
            }
        }
        findings
    }
}
