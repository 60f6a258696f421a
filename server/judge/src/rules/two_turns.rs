//! POGDDL: a state in which it is the turn of two roles.

use percept_game::{FluentId, MoveId, RoleId, Term};

use percept_infoset::Budget;

use crate::case::when;
use crate::{
    Case, Evidence, Extent, FileId, Finding, Occasion, Place, Rule, Severity, Watch, mends, turn_fluents, turns,
};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "two-turns", severity: Severity::Warning, page: include_str!("two-turns.md") };

pub(super) fn watch<'a>(case: &'a Case<'a>, _: &Budget) -> Option<Box<dyn Watch + 'a>> {
    let fluents = turn_fluents(case.game);
    (fluents.len() > 1).then(|| Box::new(Turns { fluents, found: None }) as Box<dyn Watch>)
}

struct Turns {
    fluents: Vec<(RoleId, FluentId)>,
    found: Option<(Vec<RoleId>, Evidence)>,
}

impl Turns {
    /// True if one of the roles could move if it had the turn alone.
    fn could_move(&self, occasion: &Occasion<'_>) -> bool {
        self.fluents.iter().filter(|(_, fluent)| occasion.state.has(*fluent)).any(|&(role, own)| {
            let mut state = occasion.state.clone();
            self.fluents.iter().for_each(|&(_, fluent)| state.set(fluent, fluent == own));
            occasion.game.rules.legal(&state, role).iter().any(|&mv| mv != MoveId::NOOP)
        })
    }
}

impl Watch for Turns {
    fn state(&mut self, occasion: &Occasion<'_>) {
        if self.found.is_some() {
            return;
        }
        let turns = turns(&self.fluents, occasion.state);
        // At the end it does not matter, unless the double turn causes the end.
        if turns.len() > 1 && (!occasion.is_terminal || self.could_move(occasion)) {
            self.found = Some((turns, occasion.evidence()));
        }
    }

    fn finish(self: Box<Self>, case: &Case<'_>, _: &Extent) -> Vec<Finding> {
        let Some((roles, evidence)) = self.found else { return Vec::new() };
        let rounds: &[_] = if let Evidence::Match { rounds, .. } = &evidence { rounds } else { &[] };
        let names: Vec<String> = roles.iter().map(|&role| format!("`{}`", case.name(role))).collect();
        let last = rounds.last().and_then(|joint| case.moves(joint).into_iter().next());
        let place = match &last {
            Some((_, action)) => action_place(case, action),
            None => init_place(case),
        };
        let message = match &last {
            Some((_, action)) => format!(
                "{}, after `{action}`, it is the turn of {}: remove the earlier turn with `(not (whoseturn ...))`",
                when(rounds.len()),
                names.join(" and ")
            ),
            None => {
                format!("it is the turn of {} when the match begins: one role moves at a time", names.join(" and "))
            }
        };
        let fixes = match &last {
            Some((mover, action)) => mends::actions::one_turn(case, action, mover),
            None => mends::actions::one_first_turn(case),
        };
        let mut finding = Finding::new(&RULE, place, message, evidence);
        finding.fixes = fixes;
        vec![finding]
    }
}

/// The name of the action that a ground action is an instance of.
pub(super) fn action_place(case: &Case<'_>, ground: &Term) -> Place {
    let actions = case.domain().map_or(&[][..], |domain| &domain.actions);
    case.here(actions.iter().find(|action| action.name.is(ground.head())).map(|action| action.name.range))
}

/// The word `:init`.
pub(super) fn init_place(case: &Case<'_>) -> Place {
    let problem = case.problem();
    let section = problem.and_then(|problem| problem.sections.iter().find(|section| section.keyword.is(":init")));
    section.map_or(case.here(None), |section| Place { file: FileId(1), range: section.keyword.range })
}
