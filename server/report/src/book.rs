//! The rule book: one list of the rules about texts (`percept-analysis`) and about games (`percept-judge`). A rule that
//! finds some cases in the text and others in the game has a page in both crates; the book shows them as one.

use std::sync::LazyLock;

use percept_analysis::{Rule, Settings};
use percept_judge::rules::all as judged;

static ALL: LazyLock<Vec<&'static Rule>> = LazyLock::new(|| {
    let text = percept_analysis::rules::all();
    let is_of_both = |rule: &&Rule| text.iter().any(|other| other.name == rule.name);
    let of_text = text.iter().map(|rule| match judged().find(|judged| judged.name == rule.name) {
        None => *rule,
        Some(judged) => {
            let page: &'static str = Box::leak(format!("{}\n{}", rule.page, judged.page).into_boxed_str());
            // The book is made once and lives as long as the program.
            Box::leak(Box::new(Rule { name: rule.name, severity: rule.severity, page }))
        }
    });
    of_text.chain(judged().filter(|rule| !is_of_both(rule))).collect()
});

static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| judged().map(|rule| rule.name).collect());

/// All rules, in the order of the book.
pub fn all() -> &'static [&'static Rule] {
    &ALL
}

/// The error that no rule has the given name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}; `percept explain` lists all rules", percept_analysis::rules::no_rule(.0))]
pub struct NoSuchRule(pub String);

/// The rule with this name, as [`find`].
///
/// # Errors
/// If there is no such rule. The message says how to list the rules.
pub fn named(name: &str) -> Result<&'static Rule, NoSuchRule> {
    find(name).ok_or_else(|| NoSuchRule(name.to_owned()))
}

/// The rule with this name, if there is one.
pub fn find(name: &str) -> Option<&'static Rule> {
    all().iter().copied().find(|rule| rule.name == name)
}

/// Settings that accept the names of all rules, not only those of the analysis.
pub fn knowing(settings: Settings) -> Settings {
    Settings { others: &NAMES, ..settings }
}
