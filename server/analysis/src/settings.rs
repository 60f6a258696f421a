//! What the author wants to hear of: `percept.toml`, and the same settings in an editor.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Rule, Severity, rules};

/// How loud a rule is. `Off` silences it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    Off,
    Hint,
    Information,
    Warning,
    Error,
}

impl Level {
    fn severity(self) -> Option<Severity> {
        match self {
            Level::Off => None,
            Level::Hint => Some(Severity::Hint),
            Level::Information => Some(Severity::Information),
            Level::Warning => Some(Severity::Warning),
            Level::Error => Some(Severity::Error),
        }
    }
}

/// The contents of `percept.toml`:
///
/// ```toml
/// allow = ["single-use-variable"]
///
/// [rules]
/// unused-relation = "error"
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Rules that are not reported at all.
    pub allow: Vec<String>,
    /// Severity per rule, where it is not to be the rule's own.
    pub rules: BTreeMap<String, Level>,
}

impl Settings {
    /// The severity with which a finding of `rule` is reported that the rule itself thinks is `own`; `None` where the
    /// rule is silenced.
    pub fn severity(&self, rule: &Rule, own: Severity) -> Option<Severity> {
        if self.allow.iter().any(|name| name == rule.name) {
            return None;
        }
        match self.rules.get(rule.name) {
            Some(level) => level.severity(),
            None => Some(own),
        }
    }

    /// Names that are no rules, so that a slip in the settings does not pass in silence.
    pub fn unknown_rules(&self) -> Vec<&str> {
        let names = self.allow.iter().chain(self.rules.keys());
        names.map(String::as_str).filter(|name| rules::find(name).is_none()).collect()
    }
}
