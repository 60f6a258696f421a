//! POGDDL: matches stop because no role has the turn, although a role would have a move, and no role is ever paid.

use percept_game::{FluentId, MoveId, RoleId};
use percept_infoset::Budget;

use super::two_turns::action_place;
use crate::case::when;
use crate::{Case, Evidence, Extent, Finding, Occasion, Rule, Severity, Watch, mends, turn_fluents, turns};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "lost-turn", severity: Severity::Warning, page: include_str!("lost-turn.md") };

pub(super) fn watch<'a>(case: &'a Case<'a>, _: &Budget) -> Option<Box<dyn Watch + 'a>> {
    let fluents = turn_fluents(case.game);
    (!fluents.is_empty()).then(|| Box::new(Lost { fluents, found: None, is_paid: false }) as Box<dyn Watch>)
}

struct Lost {
    fluents: Vec<(RoleId, FluentId)>,
    found: Option<(RoleId, Evidence)>,
    /// True if some match ends with a payoff.
    is_paid: bool,
}

impl Watch for Lost {
    fn state(&mut self, occasion: &Occasion<'_>) {
        if !occasion.is_terminal || self.is_paid {
            return;
        }
        let rules = &occasion.game.rules;
        if occasion.players().any(|role| rules.goals(occasion.state, role).iter().any(|&value| value != 0)) {
            self.is_paid = true;
            return;
        }
        if self.found.is_some() || !turns(&self.fluents, occasion.state).is_empty() {
            return;
        }
        let can_move = |&(role, fluent): &(RoleId, FluentId)| {
            let mut state = occasion.state.clone();
            state.set(fluent, true);
            rules.legal(&state, role).iter().any(|&mv| mv != MoveId::NOOP).then_some(role)
        };
        let rounds = (occasion.history)().len();
        let found = self.fluents.iter().find_map(can_move).filter(|_| rounds > 0);
        self.found = found.map(|role| (role, occasion.evidence()));
    }

    fn finish(self: Box<Self>, case: &Case<'_>, extent: &Extent) -> Vec<Finding> {
        // Some games do end by taking the turn away, and some of their matches have no payoff; but in every game some
        // match has one.
        let is_certain = extent.every_state && !self.is_paid;
        let Some((role, evidence)) = self.found.filter(|_| is_certain) else { return Vec::new() };
        let Evidence::Match { rounds, .. } = &evidence else { return Vec::new() };
        let last = rounds.last().and_then(|joint| case.moves(joint).into_iter().next());
        let Some((_, action)) = last else { return Vec::new() };
        let message = format!(
            "{}, after `{action}`, no role has the turn, though `{}` could move, and no match ever pays any role: give the turn to \
             a role with `(whoseturn ...)`",
            when(rounds.len()),
            case.name(role)
        );
        let mut finding = Finding::new(&RULE, action_place(case, &action), message, evidence);
        finding.fixes = mends::actions::next_turns(case, &action, case.name(role));
        vec![finding]
    }
}
