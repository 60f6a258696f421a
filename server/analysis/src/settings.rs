//! The author's settings: `percept.toml`, and the same settings in an editor.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Rule, Severity, rules};

/// The severity setting of a rule. `Off` silences it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The rule is silent.
    Off,
    /// The severity [`Severity::Hint`].
    Hint,
    /// The severity [`Severity::Information`].
    Information,
    /// The severity [`Severity::Warning`].
    Warning,
    /// The severity [`Severity::Error`].
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
    /// The severity of rules, if it differs from the rule's own.
    pub rules: BTreeMap<String, Level>,
    /// Names of rules that are not rules of the text: they may be named, too.
    #[serde(skip)]
    pub others: &'static [&'static str],
}

/// The reason why a `percept.toml` is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsError {
    /// In a line, without the place.
    pub message: String,
    /// The message of the TOML parser, with the place.
    pub display: String,
    /// Bytes of the text.
    pub range: Option<std::ops::Range<usize>>,
}

impl Settings {
    /// Reads the contents of a `percept.toml`.
    ///
    /// # Errors
    /// The first error in the text, with its place if known. Unknown rule names are not errors here; see
    /// [`Settings::unknown_rules`].
    pub fn from_toml(text: &str) -> Result<Settings, SettingsError> {
        toml::from_str(text).map_err(|error: toml::de::Error| SettingsError {
            message: error.message().to_string(),
            display: error.to_string(),
            range: error.span(),
        })
    }

    /// These settings overlaid with others: both `allow` lists apply, and a rule's severity is the other's if it has
    /// one.
    pub fn overlaid(&self, over: &Settings) -> Settings {
        let mut both = self.clone();
        both.allow.extend(over.allow.iter().cloned());
        both.rules.extend(over.rules.iter().map(|(rule, level)| (rule.clone(), *level)));
        both
    }

    /// The severity of a finding of `rule` whose own severity is `own`; `None` if the rule is silenced.
    pub fn severity(&self, rule: &Rule, own: Severity) -> Option<Severity> {
        if self.allow.iter().any(|name| name == rule.name) {
            return None;
        }
        match self.rules.get(rule.name) {
            Some(level) => level.severity(),
            None => Some(own),
        }
    }

    /// Unknown rule names, so that a slip in the settings is reported.
    pub fn unknown_rules(&self) -> Vec<&str> {
        let names = self.allow.iter().chain(self.rules.keys());
        names.map(String::as_str).filter(|name| !self.knows(name)).collect()
    }

    /// True if there is a rule of this name.
    pub fn knows(&self, name: &str) -> bool {
        rules::find(name).is_some() || self.others.contains(&name)
    }
}
