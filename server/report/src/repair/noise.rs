//! The findings that the lines of a repair cause themselves, such as a rule that derives nothing.

use std::time::Duration;

use percept_analysis::{Settings, Severity};
use percept_game::Game;
use percept_infoset::Budget;
use percept_judge::Options;
use percept_syntax::Source;

use super::{RepairQuery, Repaired, texts};
use crate::book;

/// The work to judge each game.
const JUDGING: Duration = Duration::from_millis(300);

/// The judge of repairs.
pub(super) struct Noise<'q> {
    query: &'q RepairQuery<'q>,
    budget: &'q Budget,
    /// The rules with findings in the unchanged game, once for each finding.
    before: Vec<&'static str>,
}

impl<'q> Noise<'q> {
    pub(super) fn new(query: &'q RepairQuery<'q>, budget: &'q Budget) -> Noise<'q> {
        let before = rules_with_findings(query.game, &query.sources, budget);
        Noise { query, budget, before }
    }

    /// True if the changed game has a finding that the unchanged one does not have.
    pub(super) fn is_in(&self, it: &Repaired) -> bool {
        let files = texts(self.query, &it.repair.edits);
        let sources: Vec<&Source> = files.iter().map(|(_, source)| source).collect();
        let after = rules_with_findings(&it.game, &sources, self.budget);
        let count = |of: &[&str], rule: &str| of.iter().filter(|it| **it == rule).count();
        after.iter().any(|rule| count(&after, rule) > count(&self.before, rule))
    }
}

/// The rules with findings about matches, but hints.
fn rules_with_findings(game: &Game, sources: &[&Source], budget: &Budget) -> Vec<&'static str> {
    let mut own = percept_judge::budget(JUDGING);
    own.cancel = budget.cancel.clone();
    let judged = crate::judge(game, sources, &Options::default(), &own);
    let found = crate::join(Vec::new(), &judged, sources, &book::knowing(Settings::default()));
    let loud = found.into_iter().filter(|it| it.severity > Severity::Hint);
    loud.map(|it| it.rule.name).collect()
}
