//! POGDDL: a number that is too large for a match.

use percept_game::GameError;
use percept_infoset::Budget;

use crate::{Case, Evidence, FileId, Finding, Place, Rule, Severity, Watch};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "impossible-number", severity: Severity::Error, page: include_str!("impossible-number.md") };

/// The rules for play report the number: see [`impossible_number`].
pub(super) fn watch<'a>(_: &'a Case<'a>, _: &Budget) -> Option<Box<dyn Watch + 'a>> {
    None
}

/// The number at which the rules for play stopped; `None` in GDL, where it is a limit of the program.
pub fn impossible_number(case: &Case<'_>, fault: GameError) -> Option<Finding> {
    case.domain()?;
    let place = Place { file: FileId(u32::from(fault.in_problem)), range: fault.range };
    let evidence = Evidence::Proof("every command that reaches it fails".to_string());
    Some(Finding::new(&RULE, place, fault.message, evidence))
}
