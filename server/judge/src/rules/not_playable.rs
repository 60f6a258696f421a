//! A POGDDL game that cannot be set up.

use percept_game::{Game, PogddlOptions, PogddlTerminal};
use percept_infoset::Budget;
use percept_syntax::Source;

use crate::{Case, Evidence, FileId, Finding, Place, Rule, Severity, Watch};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "not-playable", severity: Severity::Error, page: include_str!("not-playable.md") };

/// There is no game to watch: see [`refusals`].
pub(super) fn watch<'a>(_: &'a Case<'a>, _: &Budget) -> Option<Box<dyn Watch + 'a>> {
    None
}

/// The reasons why no match of a domain and its problem can be played, each with its place; empty if one can, or if the
/// two are a task for planners and not a game, or if the budget of the set-up is spent first.
pub fn refusals(sources: &[&Source], set_up: &Budget) -> Vec<Finding> {
    let [domain_source, problem_source] = sources else { return Vec::new() };
    let (Some(domain), Some(problem)) = (domain_source.domain(), problem_source.problem()) else { return Vec::new() };
    let is_game = !domain.gains.is_empty() || domain.requirements.iter().any(|flag| flag.is(":pogddl"));
    if !is_game || sources.iter().any(|source| !source.errors.is_empty()) {
        return Vec::new();
    }
    let options = PogddlOptions { terminal: PogddlTerminal::default() };
    let errors = Game::from_pogddl_within(domain, problem, &options, set_up).err().unwrap_or_default();
    if set_up.is_spent() {
        return Vec::new();
    }
    let finding = |error: percept_game::GameError| {
        let place = Place { file: FileId(u32::from(error.in_problem)), range: error.range };
        let message = format!("no match of this game can be played: {}", error.message);
        Finding::new(&RULE, place, message, Evidence::Proof("every command that plays refuses it".to_string()))
    };
    errors.into_iter().map(finding).collect()
}
