//! Findings and verdicts in SARIF 2.1.0, which code hosts show beside the lines of a change. The types cover only the
//! part of the standard that is written here: the crate with all of it generates its types during the build, which
//! needs forty other crates.

use std::collections::BTreeMap;
use std::path::Path;

use percept_analysis::{Rule, Severity};
use percept_infoset::Property;
use serde::Serialize;

use crate::place::Range;
use crate::words;

/// A log in progress: the rules named by its results, and the results.
#[derive(Debug, Default)]
pub struct Log {
    rules: Vec<Descriptor>,
    results: Vec<Entry>,
}

/// One result of the log.
#[derive(Debug)]
pub struct LogResult {
    /// The severity, which becomes the level of the result.
    pub severity: Severity,
    /// The message, a sentence.
    pub message: String,
    /// The place of the result.
    pub at: Location,
    /// Related places.
    pub related: Vec<Location>,
    /// Further properties by name.
    pub properties: BTreeMap<&'static str, serde_json::Value>,
}

impl Log {
    /// A log for findings of the rule book. Rules are listed in the order of their first results.
    pub fn new() -> Log {
        Log::default()
    }

    /// A log for verdicts, with a rule for each property.
    pub fn of_verdicts() -> Log {
        Log { rules: Property::ALL.into_iter().map(Descriptor::of_property).collect(), results: Vec::new() }
    }

    /// Adds a finding of the rule book.
    pub fn finding(&mut self, rule: &Rule, result: LogResult) {
        if self.rules.iter().all(|other| other.id != rule.name) {
            self.rules.push(Descriptor::of_rule(rule));
        }
        self.push(rule.name, result);
    }

    /// Adds the result that a role does not know a property. Only in a log of [`Self::of_verdicts`].
    pub fn verdict(&mut self, property: Property, result: LogResult) {
        self.push(words::rule(property), result);
    }

    fn push(&mut self, rule: &'static str, result: LogResult) {
        self.results.push(Entry {
            rule_id: rule,
            rule_index: self.rules.iter().position(|other| other.id == rule).expect("the rule is listed"),
            level: level(result.severity),
            message: Text::from(result.message),
            locations: [result.at],
            related_locations: result.related,
            properties: result.properties,
        });
    }

    /// The log as text.
    pub fn text(self) -> String {
        let driver = Driver { name: "percept", version: env!("CARGO_PKG_VERSION"), rules: self.rules };
        let run = Run { tool: Tool { driver }, column_kind: "unicodeCodePoints", results: self.results };
        let log = File { schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] };
        serde_json::to_string_pretty(&log).expect("the types of the standard have string keys")
    }
}

/// A place in a file, with its message.
pub fn location(path: &Path, range: &Range, message: Option<&str>) -> Location {
    let region = Region {
        start_line: range.start.line,
        start_column: range.start.column,
        end_line: range.end.line,
        end_column: range.end.column,
    };
    let artifact_location = Artifact { uri: uri(path) };
    Location {
        physical_location: PhysicalLocation { artifact_location, region },
        message: message.map(|message| Text::from(message.to_string())),
    }
}

/// The SARIF level of a severity.
fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Information | Severity::Hint => "note",
    }
}

/// A path as a relative URI reference, or a file URI if it is absolute.
fn uri(path: &Path) -> String {
    let mut uri = String::new();
    if path.is_absolute() {
        uri.push_str("file://");
    }
    for byte in path.to_string_lossy().replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(byte as char),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct File {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    column_kind: &'static str,
    results: Vec<Entry>,
}

#[derive(Debug, Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Debug, Serialize)]
struct Driver {
    name: &'static str,
    version: &'static str,
    rules: Vec<Descriptor>,
}

/// The standard's `reportingDescriptor`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    id: &'static str,
    short_description: Text,
    default_configuration: Configuration,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<Text>,
}

impl Descriptor {
    fn of_rule(rule: &Rule) -> Descriptor {
        let line = rule.page.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#'));
        Descriptor {
            id: rule.name,
            short_description: Text::from(line.unwrap_or(rule.name).to_string()),
            default_configuration: Configuration { level: level(rule.severity) },
            help: Some(Text { text: rule.page.to_string(), markdown: Some(rule.page) }),
        }
    }

    fn of_property(property: Property) -> Descriptor {
        Descriptor {
            id: words::rule(property),
            short_description: Text::from(format!("a role does not know {}", words::knowledge(property))),
            default_configuration: Configuration { level: level(Severity::Warning) },
            help: None,
        }
    }
}

#[derive(Debug, Serialize)]
struct Configuration {
    level: &'static str,
}

/// The standard's `message` and `multiformatMessageString`.
#[derive(Debug, Serialize)]
struct Text {
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    markdown: Option<&'static str>,
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text { text, markdown: None }
    }
}

/// The standard's `result`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Text,
    locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    properties: BTreeMap<&'static str, serde_json::Value>,
}

/// A place in a file, as [`location`] makes it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Location {
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Debug, Serialize)]
struct Artifact {
    uri: String,
}

/// Lines and columns from 1.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
}
