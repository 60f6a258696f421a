//! The rule book: rules of the text (`percept-analysis`) and rules of the game (`percept-judge`) in one list. Where a rule finds
//! some of its cases in the text and others in the game it has a page in both, which the book shows as one.

use std::sync::LazyLock;

use percept_analysis::{Rule, Settings, Severity};

static JUDGED: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let severity = |severity| match severity {
        percept_judge::Severity::Information => Severity::Information,
        percept_judge::Severity::Warning => Severity::Warning,
        percept_judge::Severity::Error => Severity::Error,
    };
    let rule =
        |rule: &percept_judge::Rule| Rule { name: rule.name, severity: severity(rule.severity), page: rule.page };
    percept_judge::rules::all().map(rule).collect()
});

static ALL: LazyLock<Vec<&'static Rule>> = LazyLock::new(|| {
    let text = percept_analysis::rules::all();
    let is_of_both = |rule: &&Rule| text.iter().any(|known| known.name == rule.name);
    let of_text = text.iter().map(|rule| match JUDGED.iter().find(|judged| judged.name == rule.name) {
        None => *rule,
        Some(judged) => {
            let page: &'static str = Box::leak(format!("{}\n{}", rule.page, judged.page).into_boxed_str());
            // Made once, for as long as the program runs.
            Box::leak(Box::new(Rule { name: rule.name, severity: rule.severity, page }))
        }
    });
    of_text.chain(JUDGED.iter().filter(|rule| !is_of_both(rule))).collect()
});

static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| JUDGED.iter().map(|rule| rule.name).collect());

/// Every rule.
pub fn all() -> &'static [&'static Rule] {
    &ALL
}

/// The rule of this name.
pub fn find(name: &str) -> Option<&'static Rule> {
    all().iter().copied().find(|rule| rule.name == name)
}

/// A rule of the judge as one of the book.
pub fn judged(rule: &percept_judge::Rule) -> &'static Rule {
    JUDGED.iter().find(|known| known.name == rule.name).expect("every rule of the judge is in its list")
}

/// Settings in which the names of all rules are names of rules, not only those of the analysis.
pub fn knowing(settings: Settings) -> Settings {
    Settings { others: &NAMES, ..settings }
}
