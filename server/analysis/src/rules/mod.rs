//! The rule book. A rule is one file (`gdl/unsafe_variable.rs`) with its page beside it (`gdl/unsafe-variable.md`);
//! the name in the list of its language's `mod.rs` is all that connects it to the rest.

pub mod gdl;
pub mod pogddl;

use std::sync::LazyLock;

use crate::{Rule, Severity};

/// Declares the rule modules of a language and lists them in order of precedence: of two findings about exactly the
/// same tokens the one of the earlier rule is kept. Each module has `pub static RULE: Rule` and
/// `pub fn check(model: &Model, findings: &mut Findings)`.
macro_rules! rule_modules {
    ($model:ty: $($module:ident),* $(,)?) => {
        $(mod $module;)*

        /// A rule's check over what is known of the description.
        pub(crate) type Check = fn(&$model, &mut $crate::Findings);

        /// The rules in order of precedence.
        pub(crate) static RULES: &[(&$crate::Rule, Check)] = &[$((&$module::RULE, $module::check)),*];
    };
}
pub(crate) use rule_modules;

static SYNTAX_ERROR: Rule =
    Rule { name: "syntax-error", severity: Severity::Error, page: include_str!("syntax-error.md") };

/// The rule under which the parser's own errors are reported, in every language.
pub fn syntax_error() -> &'static Rule {
    &SYNTAX_ERROR
}

static UNKNOWN_RULE: Rule =
    Rule { name: "unknown-rule", severity: Severity::Warning, page: include_str!("unknown-rule.md") };

/// The rule about comments that silence a rule that there is not, in every language.
pub fn unknown_rule() -> &'static Rule {
    &UNKNOWN_RULE
}

static ALL: LazyLock<Vec<&'static Rule>> = LazyLock::new(|| {
    let gdl = gdl::RULES.iter().map(|(rule, _)| *rule);
    let pogddl = pogddl::RULES.iter().map(|(rule, _)| *rule);
    [&SYNTAX_ERROR, &UNKNOWN_RULE].into_iter().chain(gdl).chain(pogddl).collect()
});

/// Every rule of every language.
pub fn all() -> &'static [&'static Rule] {
    &ALL
}

/// The rule of this name.
pub fn find(name: &str) -> Option<&'static Rule> {
    all().iter().copied().find(|rule| rule.name == name)
}
