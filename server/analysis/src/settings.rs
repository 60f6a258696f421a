//! The author's choice of rules: `percept.toml`, and the same settings in an editor.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Rule, Severity, rules};

/// The severity that the settings give a rule. `Off` silences it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The rule reports nothing.
    Off,
    /// The same as [`Severity::Hint`].
    Hint,
    /// The same as [`Severity::Information`].
    Information,
    /// The same as [`Severity::Warning`].
    Warning,
    /// The same as [`Severity::Error`].
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
    /// Rules that are not reported.
    pub allow: Vec<String>,
    /// The severities that replace the rules' own.
    pub rules: BTreeMap<String, Level>,
    /// Names of rules outside this crate that the settings may also contain.
    #[serde(skip)]
    pub others: &'static [&'static str],
}

/// An error in a `percept.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsError {
    /// The message in one line, without the place.
    pub message: String,
    /// The message with the place, as the TOML reader prints it.
    pub display: String,
    /// The place, in bytes of the text.
    pub range: Option<std::ops::Range<usize>>,
}

impl Settings {
    /// Reads the contents of a `percept.toml`.
    ///
    /// # Errors
    /// The first error in the text, with its place if it is known. Unknown names of rules are not an error here; see
    /// [`Settings::unknown_rules`].
    pub fn from_toml(text: &str) -> Result<Settings, SettingsError> {
        toml::from_str(text).map_err(|error: toml::de::Error| SettingsError {
            message: error.message().to_string(),
            display: error.to_string(),
            range: error.span(),
        })
    }

    /// These settings with `over` on top: the rules in both `allow` lists are silenced, and severities in `over` win.
    pub fn overlaid(&self, over: &Settings) -> Settings {
        let mut both = self.clone();
        both.allow.extend(over.allow.iter().cloned());
        both.rules.extend(over.rules.iter().map(|(rule, level)| (rule.clone(), *level)));
        both
    }

    /// The severity of a finding of `rule` whose severity would be `own` by default; `None` if the rule is silenced.
    pub fn severity(&self, rule: &Rule, own: Severity) -> Option<Severity> {
        if self.allow.iter().any(|name| name == rule.name) {
            return None;
        }
        match self.rules.get(rule.name) {
            Some(level) => level.severity(),
            None => Some(own),
        }
    }

    /// Names in the settings that are not rules, so that a typo is not ignored.
    pub fn unknown_rules(&self) -> Vec<&str> {
        let names = self.allow.iter().chain(self.rules.keys());
        names.map(String::as_str).filter(|name| !self.knows(name)).collect()
    }

    /// True if there is a rule of this name.
    pub fn knows(&self, name: &str) -> bool {
        rules::find(name).is_some() || self.others.contains(&name)
    }
}
