//! The editor's settings, section `percept`.

use percept_analysis::Level;
use serde::Deserialize;
use serde_json::Value;

/// Every field has a default, so that a client which sends nothing gets everything.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Settings {
    /// Findings: `allow` names rules that are not reported, `rules` gives others another severity.
    pub diagnostics: Diagnostics,
    pub inlay_hints: InlayHints,
    pub code_lens: CodeLens,
    pub pogddl: Pogddl,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
pub(crate) struct Diagnostics {
    pub allow: Vec<String>,
    pub rules: std::collections::BTreeMap<String, Level>,
}

#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct InlayHints {
    /// The percepts each role gets in a round of a trace.
    pub percepts: bool,
}

#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(default)]
pub(crate) struct CodeLens {
    pub enable: bool,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
pub(crate) struct Pogddl {
    /// When a match ends, where the domain does not say.
    pub terminal: Terminal,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Terminal {
    /// When nobody has a legal action.
    #[default]
    NoMoves,
    /// Also when the payoffs of all roles together are more than zero.
    Payoff,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            diagnostics: Diagnostics::default(),
            inlay_hints: InlayHints::default(),
            code_lens: CodeLens { enable: true },
            pogddl: Pogddl::default(),
        }
    }
}

impl Default for InlayHints {
    fn default() -> Self {
        InlayHints { percepts: true }
    }
}

impl Default for CodeLens {
    fn default() -> Self {
        CodeLens { enable: true }
    }
}

impl Settings {
    /// Reads the section itself or an object that holds it under `percept`; what does not fit counts as absent.
    pub(crate) fn read(value: &Value) -> Settings {
        let section = value.get("percept").unwrap_or(value);
        Settings::deserialize(section).unwrap_or_default()
    }

    /// What the rules of the analysis are to be told.
    pub(crate) fn rules(&self) -> percept_analysis::Settings {
        percept_report::book::knowing(percept_analysis::Settings {
            allow: self.diagnostics.allow.clone(),
            rules: self.diagnostics.rules.clone(),
            ..Default::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_may_be_wrapped_partial_or_wrong() {
        let wrapped = serde_json::json!({ "percept": { "inlayHints": { "percepts": false } } });
        assert!(!Settings::read(&wrapped).inlay_hints.percepts);
        assert!(Settings::read(&wrapped).code_lens.enable);
        assert_eq!(Settings::read(&serde_json::json!({ "codeLens": 3 })), Settings::default());
        let payoff = serde_json::json!({ "pogddl": { "terminal": "payoff" } });
        assert_eq!(Settings::read(&payoff).pogddl.terminal, Terminal::Payoff);
    }
}
