//! The rule book: rules of the text (`percept-analysis`) and rules of the game (`percept-judge`) in one list. Where a rule finds
//! some of its cases in the text and others in the game it has a page in both, which the book shows as one.

use std::sync::LazyLock;

use percept_analysis::{Rule, Settings};
use percept_judge::rules::all as judged;

static ALL: LazyLock<Vec<&'static Rule>> = LazyLock::new(|| {
    let text = percept_analysis::rules::all();
    let is_of_both = |rule: &&Rule| text.iter().any(|known| known.name == rule.name);
    let of_text = text.iter().map(|rule| match judged().find(|judged| judged.name == rule.name) {
        None => *rule,
        Some(judged) => {
            let page: &'static str = Box::leak(format!("{}\n{}", rule.page, judged.page).into_boxed_str());
            // Made once, for as long as the program runs.
            Box::leak(Box::new(Rule { name: rule.name, severity: rule.severity, page }))
        }
    });
    of_text.chain(judged().filter(|rule| !is_of_both(rule))).collect()
});

static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| judged().map(|rule| rule.name).collect());

/// Every rule.
pub fn all() -> &'static [&'static Rule] {
    &ALL
}

/// A name that no rule has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no rule `{0}`; `percept explain` lists all rules")]
pub struct NoSuchRule(pub String);

/// As [`find`].
///
/// # Errors
/// Says where the rules are listed.
pub fn named(name: &str) -> Result<&'static Rule, NoSuchRule> {
    find(name).ok_or_else(|| NoSuchRule(name.to_owned()))
}

/// The rule of this name.
pub fn find(name: &str) -> Option<&'static Rule> {
    all().iter().copied().find(|rule| rule.name == name)
}

/// Settings in which the names of all rules are names of rules, not only those of the analysis.
pub fn knowing(settings: Settings) -> Settings {
    Settings { others: &NAMES, ..settings }
}
