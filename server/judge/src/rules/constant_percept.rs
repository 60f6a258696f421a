//! A percept that comes in every round of every match, and so carries no information.

use percept_game::circuit::Lit;
use percept_game::{MoveId, PerceptId, RoleId, Scope, State};
use percept_infoset::Budget;
use percept_infoset::prove::never;

use crate::{Case, Evidence, Extent, Finding, Occasion, Rule, Severity, Watch};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "constant-percept", severity: Severity::Information, page: include_str!("constant-percept.md") };

/// The least number of rounds for "every round" to be meaningful.
const LEAST: u64 = 3;

pub(super) fn watch<'a>(case: &'a Case<'a>, budget: &Budget) -> Option<Box<dyn Watch + 'a>> {
    let wanted = case.statements("sees").next().is_some() && !case.game.is_sequential;
    wanted.then(|| {
        let players = case.game.role_ids().filter(|role| !case.game.roles[role.0 as usize].is_chance);
        let always = players.map(|role| (role, None)).collect();
        Box::new(Constant { always, rounds: 0, budget: budget.clone() }) as Box<dyn Watch>
    })
}

struct Constant {
    /// For each player the percepts that came in every round so far; `None` before the first round.
    always: Vec<(RoleId, Option<Vec<PerceptId>>)>,
    rounds: u64,
    budget: Budget,
}

impl Constant {
    /// Keeps the percepts that induction proves to come in every round, if not every round was seen.
    fn prove(&mut self, case: &Case<'_>) {
        let ground = case.game.rules.ground(&Scope::default()).ok();
        let mut gates: Vec<Lit> = Vec::new();
        let names = |always: &[(RoleId, Option<Vec<PerceptId>>)]| -> Vec<(RoleId, PerceptId)> {
            always.iter().flat_map(|(role, percepts)| percepts.iter().flatten().map(|it| (*role, *it))).collect()
        };
        let percepts = names(&self.always);
        if let Some(ground) = &ground {
            let gate = |&(role, percept): &(RoleId, PerceptId)| {
                let mut gates = ground.sees[role.0 as usize].iter();
                gates.find(|(id, _)| *id == percept).map(|(_, lit)| !*lit)
            };
            gates = percepts.iter().map(gate).collect::<Option<_>>().unwrap_or_default();
        }
        let proved = match &ground {
            Some(ground) if !gates.is_empty() && self.budget.stop().is_none() => {
                never::in_no_round(case.game, ground, &gates, &self.budget).unwrap_or_default()
            }
            _ => Vec::new(),
        };
        let is_proved = |role: RoleId, percept: PerceptId| {
            percepts.iter().zip(&proved).any(|(it, proved)| *proved && *it == (role, percept))
        };
        for (role, percepts) in &mut self.always {
            percepts.iter_mut().for_each(|percepts| percepts.retain(|percept| is_proved(*role, *percept)));
        }
    }
}

impl Watch for Constant {
    fn round(&mut self, occasion: &Occasion<'_>, joint: &[MoveId], _: &State) {
        self.rounds += 1;
        for (role, always) in &mut self.always {
            if always.as_ref().is_some_and(Vec::is_empty) {
                continue;
            }
            let now = occasion.game.rules.percepts(occasion.state, joint, *role);
            match always {
                Some(common) => common.retain(|percept| now.contains(percept)),
                None => *always = Some(now),
            }
        }
    }

    fn finish(mut self: Box<Self>, case: &Case<'_>, extent: &Extent) -> Vec<Finding> {
        if self.rounds < LEAST {
            return Vec::new();
        }
        if !extent.every_state {
            self.prove(case);
        }
        let evidence = match extent.every_state {
            true => Evidence::EveryState(extent.states),
            false => Evidence::Proof(
                "it follows from facts that hold in the first state and that no round breaks (a proof by induction)"
                    .to_string(),
            ),
        };
        let mut findings: Vec<Finding> = Vec::new();
        for (role, always) in self.always {
            for percept in always.unwrap_or_default() {
                let percept = case.game.rules.percept_term(role, percept);
                let mut heads = case.heads_for("sees", case.name(role));
                let made = heads.find(|head| head.args().get(1).is_some_and(|it| it.name.is(percept.head())));
                let Some(head) = made else { continue };
                let place = case.here(Some(head.range));
                let message = format!(
                    "`{}` perceives `{percept}` in every round of every match, so it learns nothing from it",
                    case.name(role)
                );
                if findings.iter().all(|other| other.place() != place) {
                    findings.push(Finding::new(&RULE, place, message, evidence.clone()));
                }
            }
        }
        findings
    }
}
