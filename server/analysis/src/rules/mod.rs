//! The rule book. A rule is one file (`gdl/unsafe_variable.rs`) with its page beside it (`gdl/unsafe-variable.md`). The
//! file has `pub static RULE: Rule` and `pub fn check(facts: &Facts, findings: &mut Findings)`. Only a `mod` line and a
//! line in the list `RULES` of its language's `mod.rs` connect it to the rest.

pub mod gdl;
pub mod pogddl;

use std::sync::LazyLock;

use crate::{Rule, Severity};

static SYNTAX_ERROR: Rule =
    Rule { name: "syntax-error", severity: Severity::Error, page: include_str!("syntax-error.md") };

/// The rule under which the parser's own errors are reported, in every language.
pub fn syntax_error() -> &'static Rule {
    &SYNTAX_ERROR
}

static OTHER_ENCODING: Rule =
    Rule { name: "other-encoding", severity: Severity::Information, page: include_str!("other-encoding.md") };

/// The rule about the encoding of a file, in every language.
pub(crate) fn other_encoding() -> &'static Rule {
    &OTHER_ENCODING
}

/// The rule that reports other languages.
pub(crate) fn outside_pogddl() -> &'static Rule {
    &pogddl::OUTSIDE
}

static UNKNOWN_RULE: Rule =
    Rule { name: "unknown-rule", severity: Severity::Warning, page: include_str!("unknown-rule.md") };

/// The rule about comments that silence an unknown rule, in every language.
pub fn unknown_rule() -> &'static Rule {
    &UNKNOWN_RULE
}

static UNKNOWN_HINT: Rule =
    Rule { name: "unknown-hint", severity: Severity::Warning, page: include_str!("unknown-hint.md") };

/// The rule about comments that say how something is drawn, in every language.
pub(crate) fn unknown_hint() -> &'static Rule {
    &UNKNOWN_HINT
}

/// The message about a rule name that does not exist, without a way out.
pub fn no_rule(name: &str) -> String {
    format!("no rule is called `{name}`")
}

static ALL: LazyLock<Vec<&'static Rule>> = LazyLock::new(|| {
    let gdl = gdl::RULES.iter().map(|(rule, _)| *rule);
    let pogddl = pogddl::RULES.iter().map(|(rule, _)| *rule);
    [&SYNTAX_ERROR, &UNKNOWN_RULE, &UNKNOWN_HINT, &OTHER_ENCODING].into_iter().chain(gdl).chain(pogddl).collect()
});

/// Every rule of every language.
pub fn all() -> &'static [&'static Rule] {
    &ALL
}

/// The rule of this name.
pub fn find(name: &str) -> Option<&'static Rule> {
    all().iter().copied().find(|rule| rule.name == name)
}
