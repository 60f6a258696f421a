//! A role that has no legal move although the match goes on.

use percept_game::circuit::Lit;
use percept_game::{Ground, MoveId, RoleId};

use percept_infoset::Budget;

use crate::case::when;
use crate::{Case, Evidence, Extent, Finding, Fix, Occasion, Rule, Severity, Watch};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "role-without-move", severity: Severity::Error, page: include_str!("role-without-move.md") };

/// The most rules for `legal` that are named beside a finding.
const NAMED: usize = 3;

/// In sequential games the other roles do not move, and a match without a move is over.
pub(super) fn watch<'a>(case: &'a Case<'a>, _: &Budget) -> Option<Box<dyn Watch + 'a>> {
    let roles = case.game.roles.len();
    (!case.game.is_sequential).then(|| Box::new(Stuck { of: vec![None; roles] }) as Box<dyn Watch>)
}

struct Stuck {
    /// The evidence for each role.
    of: Vec<Option<Evidence>>,
}

impl Watch for Stuck {
    fn state(&mut self, occasion: &Occasion<'_>) {
        for (legal, found) in occasion.legal.iter().zip(&mut self.of) {
            if legal.is_empty() && found.is_none() {
                *found = Some(occasion.evidence());
            }
        }
    }

    fn targets(&self, ground: &Ground) -> Vec<Vec<Vec<Lit>>> {
        let open = self.of.iter().zip(&ground.moves).filter(|(found, _)| found.is_none());
        let stuck = |(_, moves): (_, &Vec<(MoveId, Lit)>)| {
            let none = moves.iter().map(|(_, legal)| vec![!*legal]);
            none.chain([vec![!ground.terminal]]).collect()
        };
        open.map(stuck).collect()
    }

    fn finish(self: Box<Self>, case: &Case<'_>, _: &Extent) -> Vec<Finding> {
        let found = case.game.role_ids().zip(self.of).filter_map(|(role, found)| Some((role, found?)));
        let found: Vec<(RoleId, Evidence)> = found.collect();
        // Each cause is reported once: if several roles are stuck at the same time, the first, with the others' names.
        let mut groups: Vec<(Vec<RoleId>, Evidence)> = Vec::new();
        for (role, evidence) in found {
            match groups.iter_mut().find(|(_, other)| *other == evidence) {
                Some((roles, _)) => roles.push(role),
                None => groups.push((vec![role], evidence)),
            }
        }
        groups.into_iter().map(|(roles, evidence)| finding(case, &roles, evidence)).collect()
    }
}

fn finding(case: &Case<'_>, roles: &[RoleId], evidence: Evidence) -> Finding {
    let rounds = if let Evidence::Match { rounds, .. } = &evidence { rounds.len() } else { 0 };
    let names: Vec<String> = roles.iter().map(|&role| format!("`{}`", case.name(role))).collect();
    let name = case.name(roles[0]);
    let rules: Vec<_> = case.heads_for("legal", name).collect();
    let message = match (rules.is_empty(), &names[..]) {
        (true, [only]) => format!("{only} never has a legal move: add a rule for `(legal {name} ...)`"),
        (_, [only]) => format!(
            "{only} has no legal move {}, though the match goes on: every role moves in every round, so add a move such as `noop`",
            when(rounds)
        ),
        (_, all) => format!(
            "{} have no legal move {}, though the match goes on: every role moves in every round",
            all.join(" and "),
            when(rounds)
        ),
    };
    let mut finding = Finding::new(&RULE, case.role_place(roles[0]), message, evidence);
    if let Some(last) = case.statements("legal").last().filter(|_| case.is_prefix()) {
        let moves: Vec<String> = roles.iter().map(|role| format!("(legal {} noop)", case.name(*role))).collect();
        finding.fixes.push(Fix::statement(case.here(Some(last.range)), &moves.join("\n")));
    }
    let rules = rules.into_iter().take(NAMED);
    rules.fold(finding, |finding, head| finding.related(case.here(Some(head.range)), "gives it no move then"))
}
