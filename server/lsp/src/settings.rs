//! The editor's settings, section `percept`.

use percept_analysis::Level;
use serde::Deserialize;
use serde_json::Value;

/// Every field has a default, so that a client without settings gets all features.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Settings {
    /// Findings: `allow` names rules that are not reported, `rules` gives others another severity.
    pub diagnostics: Diagnostics,
    pub inlay_hints: InlayHints,
    pub code_lens: CodeLens,
    pub pogddl: Pogddl,
    /// For each invalid value, the reason in a sentence.
    #[serde(skip)]
    pub unfit: Vec<String>,
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
    /// The end of a match, if the domain does not define it.
    pub terminal: Terminal,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Terminal {
    /// A match ends when no role has a legal action.
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
            unfit: Vec::new(),
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
    /// Reads the section itself, or an object that contains it under `percept`; an invalid field is ignored.
    pub(crate) fn read(value: &Value) -> Settings {
        let section = value.get("percept").unwrap_or(value);
        let mut unfit = Vec::new();
        let fitting = fitting(section, &mut Vec::new(), &mut unfit);
        let settings = fitting.and_then(|it| Settings::deserialize(it).ok()).unwrap_or_default();
        Settings { unfit, ..settings }
    }

    /// The settings for the rules of the analysis.
    pub(crate) fn rules(&self) -> percept_analysis::Settings {
        percept_report::book::knowing(percept_analysis::Settings {
            allow: self.diagnostics.allow.clone(),
            rules: self.diagnostics.rules.clone(),
            ..Default::default()
        })
    }
}

/// The valid fields of the value at `path`; the reasons why the others are invalid are added to `unfit`.
fn fitting<'a>(value: &'a Value, path: &mut Vec<&'a str>, unfit: &mut Vec<String>) -> Option<Value> {
    match value {
        Value::Null => None,
        Value::Object(fields) if !fields.is_empty() => {
            let mut kept = serde_json::Map::new();
            for (name, value) in fields {
                path.push(name);
                kept.extend(fitting(value, path, unfit).map(|value| (name.clone(), value)));
                path.pop();
            }
            (!kept.is_empty()).then_some(Value::Object(kept))
        }
        _ => {
            let alone = path.iter().rev().fold(value.clone(), |inner, name| serde_json::json!({ *name: inner }));
            let Err(error) = Settings::deserialize(alone) else { return Some(value.clone()) };
            let name = [&["percept"], &path[..]].concat().join(".");
            unfit.push(format!("the setting `{name}` is ignored: {error}"));
            None
        }
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
        let unfit = vec![
            "the setting `percept.codeLens` is ignored: invalid type: integer `3`, expected struct CodeLens"
                .to_string(),
        ];
        assert_eq!(Settings::read(&serde_json::json!({ "codeLens": 3 })), Settings { unfit, ..Settings::default() });
        assert_eq!(Settings::read(&Value::Null), Settings::default());
        let payoff = serde_json::json!({ "pogddl": { "terminal": "payoff" } });
        assert_eq!(Settings::read(&payoff).pogddl.terminal, Terminal::Payoff);
    }

    #[test]
    fn one_field_that_does_not_fit_leaves_the_others() {
        let read = Settings::read(&serde_json::json!({
            "codeLens": { "enable": false },
            "inlayHints": { "percepts": "no" },
            "pogddl": { "terminal": { "when": "payoff" } },
            "diagnostics": { "allow": ["unused-relation"], "rules": { "dead-rule": "hnt", "unused-type": "hint" } },
            "of-another-version": 1,
        }));
        assert!(!read.code_lens.enable && read.inlay_hints.percepts);
        assert_eq!(read.diagnostics.allow, ["unused-relation"]);
        assert_eq!(read.diagnostics.rules.keys().collect::<Vec<_>>(), ["unused-type"]);
        let mut names: Vec<_> = read.unfit.iter().filter_map(|it| it.split('`').nth(1)).collect();
        names.sort_unstable();
        let unfit =
            ["percept.diagnostics.rules.dead-rule", "percept.inlayHints.percepts", "percept.pogddl.terminal.when"];
        assert_eq!(names, unfit);
    }
}
