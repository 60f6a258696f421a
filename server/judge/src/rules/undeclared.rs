//! Fluents and moves that come about although `base` and `input` leave them out.

use percept_game::gdl::{Declared, Watch as Names};
use percept_game::{FluentId, MoveId, RoleId};

use percept_infoset::Budget;

use crate::case::when;
use crate::{Case, Evidence, Extent, Finding, Rule, Seen, Severity, Watch};

/// See the page.
pub(super) static FLUENT: Rule =
    Rule { name: "undeclared-fluent", severity: Severity::Warning, page: include_str!("undeclared-fluent.md") };
/// See the page.
pub(super) static MOVE: Rule =
    Rule { name: "undeclared-move", severity: Severity::Warning, page: include_str!("undeclared-move.md") };

pub(super) fn watch<'a>(case: &'a Case<'a>, _: &Budget) -> Option<Box<dyn Watch + 'a>> {
    let declared = Declared::of(case.description()?).ok()?;
    let wanted = declared.has_fluents() || declared.has_moves();
    wanted.then(|| Box::new(Undeclared { declared, known: Known::default(), fluent: None, mv: None }) as Box<dyn Watch>)
}

struct Undeclared {
    declared: Declared,
    known: Known,
    fluent: Option<(FluentId, Evidence)>,
    mv: Option<(RoleId, MoveId, Evidence)>,
}

impl Watch for Undeclared {
    fn state(&mut self, seen: &Seen<'_>) {
        let mut names = Names::new(seen.game, &self.declared);
        if self.fluent.is_none() {
            let mut new = seen.state.fluents().filter(|fluent| self.known.fluents.insert(*fluent));
            let outside = new.find(|&fluent| !names.knows_fluent(fluent));
            self.fluent = outside.map(|fluent| (fluent, seen.evidence()));
        }
        if self.mv.is_none() {
            let legal = seen.game.role_ids().zip(seen.legal);
            let mut moves = legal.flat_map(|(role, legal)| legal.iter().map(move |&mv| (role, mv)));
            let outside = moves.find(|&(role, mv)| self.known.moves.insert((role, mv)) && !names.knows_move(role, mv));
            self.mv = outside.map(|(role, mv)| (role, mv, seen.evidence()));
        }
    }

    fn finish(self: Box<Self>, case: &Case<'_>, _: &Extent) -> Vec<Finding> {
        let place = |word: &str| case.here(case.heads(word).next().map(|head| head.range));
        let rounds = |evidence: &Evidence| if let Evidence::Match { rounds, .. } = evidence { rounds.len() } else { 0 };
        let fluent = self.fluent.map(|(fluent, evidence)| {
            let name = case.game.rules.fluent_name(fluent);
            let message = format!(
                "`{name}` holds {}, but `base` does not have it: programs that rely on `base` play another game",
                when(rounds(&evidence))
            );
            Finding::new(&FLUENT, place("base"), message, evidence)
        });
        let mv = self.mv.map(|(role, mv, evidence)| {
            let (name, role) = (case.game.rules.move_name(role, mv), case.name(role));
            let message = format!(
                "`{name}` is legal for `{role}` {}, but `input` does not have it: programs that rely on `input` play another game",
                when(rounds(&evidence))
            );
            Finding::new(&MOVE, place("input"), message, evidence)
        });
        fluent.into_iter().chain(mv).collect()
    }
}

/// What was asked about already.
#[derive(Default)]
struct Known {
    fluents: rustc_hash::FxHashSet<FluentId>,
    moves: rustc_hash::FxHashSet<(RoleId, MoveId)>,
}
