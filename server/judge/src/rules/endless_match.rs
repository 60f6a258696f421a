//! A match that can go on for ever.

use percept_game::{JointMove, Term};

use percept_infoset::Budget;

use crate::{Case, Evidence, Extent, Finding, Rule, Severity, Watch, mends};

/// The rounds after which a proposed count ends a match.
const LIMIT: usize = 20;

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "endless-match", severity: Severity::Warning, page: include_str!("endless-match.md") };

pub(super) fn watch<'a>(_: &'a Case<'a>, _: &Budget) -> Option<Box<dyn Watch + 'a>> {
    Some(Box::new(Endless { found: None }))
}

struct Endless {
    found: Option<(Vec<JointMove>, usize)>,
}

impl Watch for Endless {
    fn lasso(&mut self, rounds: &[JointMove], back_to: usize) {
        if self.found.as_ref().is_none_or(|(other, _)| rounds.len() < other.len()) {
            self.found = Some((rounds.to_vec(), back_to));
        }
    }

    fn finish(self: Box<Self>, case: &Case<'_>, _: &Extent) -> Vec<Finding> {
        let Some((rounds, back_to)) = self.found else { return Vec::new() };
        let place = match case.domain() {
            Some(domain) => domain.name.as_ref().map(|name| name.range),
            None => case.heads("terminal").next().map(|head| head.range),
        };
        let message = format!(
            "a match can go on for ever: the state after round {} is the same as {}; count the rounds, and end the match \
             at a limit",
            rounds.len(),
            crate::case::when(back_to)
        );
        let fixes = match case.game.is_sequential {
            true => {
                let moves = rounds[back_to..].iter().flat_map(|joint| case.moves(joint)).map(|(_, action)| action);
                mends::actions::progress(case, &moves.collect::<Vec<Term>>())
            }
            false => mends::limit(case, LIMIT).into_iter().collect(),
        };
        let mut finding = Finding::new(&RULE, case.here(place), message, Evidence::Lasso { rounds, back_to });
        finding.fixes = fixes;
        // POGDDL does not require that every match ends; authors still want to know.
        if case.game.is_sequential {
            finding.severity = Severity::Information;
        }
        vec![finding]
    }
}
