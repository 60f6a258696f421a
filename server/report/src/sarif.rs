//! Findings and verdicts in SARIF 2.1.0, which code hosts show beside the lines of a change.

use std::path::Path;

use percept_analysis::{Rule, Severity};
use percept_infoset::Property;
pub use serde_sarif::sarif::Location;
use serde_sarif::sarif::{
    ArtifactLocation, Message, MultiformatMessageString, PhysicalLocation, PropertyBag, Region, ReportingConfiguration,
    ReportingDescriptor, Result, ResultLevel, Run, Sarif, Tool, ToolComponent,
};

use crate::place::Range;
use crate::words;

/// A log in progress: the rules named by its results, and the results.
#[derive(Debug, Default)]
pub struct Log {
    rules: Vec<ReportingDescriptor>,
    results: Vec<Result>,
}

/// One result of the log.
#[derive(Debug)]
pub struct LogResult {
    /// `error`, `warning` or `note`.
    pub level: ResultLevel,
    /// The message, a sentence.
    pub message: String,
    /// The place of the result.
    pub at: Location,
    /// Related places.
    pub related: Vec<Location>,
    /// Further properties by name.
    pub properties: Vec<(&'static str, serde_json::Value)>,
}

impl Log {
    /// A log for findings of the rule book. Rules are listed in the order of their first results.
    pub fn new() -> Log {
        Log::default()
    }

    /// A log for verdicts, with a rule for each property.
    pub fn of_verdicts() -> Log {
        Log { rules: Property::ALL.into_iter().map(of_property).collect(), results: Vec::new() }
    }

    /// Adds a finding of the rule book.
    pub fn finding(&mut self, rule: &Rule, told: LogResult) {
        if self.rules.iter().all(|known| known.id != rule.name) {
            let line = rule.page.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#'));
            let title = line.unwrap_or(rule.name);
            self.rules.push(descriptor(rule.name, title, level(rule.severity), Some(rule.page)));
        }
        self.push(rule.name, told);
    }

    /// Adds the result that a role does not know a property. Only in a log of [`Self::of_verdicts`].
    pub fn verdict(&mut self, property: Property, told: LogResult) {
        if self.rules.iter().all(|known| known.id != words::rule(property)) {
            self.rules.push(of_property(property));
        }
        self.push(words::rule(property), told);
    }

    fn push(&mut self, rule: &str, told: LogResult) {
        let index = self.rules.iter().position(|known| known.id == rule).expect("the rule is listed");
        let mut result = Result::builder()
            .rule_id(rule)
            .rule_index(index as i64)
            .level(told.level)
            .message(&told.message)
            .locations(vec![told.at])
            .build();
        result.related_locations = Some(told.related).filter(|related| !related.is_empty());
        if !told.properties.is_empty() {
            let all: std::collections::BTreeMap<String, serde_json::Value> =
                told.properties.into_iter().map(|(name, value)| (name.to_string(), value)).collect();
            result.properties = Some(PropertyBag::builder().additional_properties(all).build());
        }
        self.results.push(result);
    }

    /// The log as text.
    pub fn text(self) -> String {
        let driver =
            ToolComponent::builder().name("percept").version(env!("CARGO_PKG_VERSION")).rules(self.rules).build();
        let run =
            Run::builder().tool(Tool::from(driver)).column_kind("unicodeCodePoints").results(self.results).build();
        let log = Sarif::builder()
            .schema("https://json.schemastore.org/sarif-2.1.0.json")
            .version("2.1.0")
            .runs(vec![run])
            .build();
        serde_json::to_string_pretty(&log).expect("the types of the standard have string keys")
    }
}

/// The rule for a property.
fn of_property(property: Property) -> ReportingDescriptor {
    let title = format!("a role does not know {}", words::known(property));
    descriptor(words::rule(property), &title, ResultLevel::Warning, None)
}

fn descriptor(name: &str, title: &str, level: ResultLevel, page: Option<&str>) -> ReportingDescriptor {
    let mut descriptor = ReportingDescriptor::builder()
        .id(name)
        .short_description(MultiformatMessageString::from(&title.to_string()))
        .default_configuration(ReportingConfiguration::builder().level(level.to_string()).build())
        .build();
    descriptor.help = page.map(|page| MultiformatMessageString::builder().text(page).markdown(page).build());
    descriptor
}

/// A place in a file, with its message.
pub fn location(path: &Path, range: &Range, message: Option<&str>) -> Location {
    let region = Region::builder()
        .start_line(range.start.line as i64)
        .start_column(range.start.column as i64)
        .end_line(range.end.line as i64)
        .end_column(range.end.column as i64)
        .build();
    let place = PhysicalLocation::builder()
        .artifact_location(ArtifactLocation::builder().uri(uri(path)).build())
        .region(region)
        .build();
    let mut location = Location::builder().physical_location(place).build();
    location.message = message.map(Message::from);
    location
}

/// The SARIF level of a severity.
pub fn level(severity: Severity) -> ResultLevel {
    match severity {
        Severity::Error => ResultLevel::Error,
        Severity::Warning => ResultLevel::Warning,
        Severity::Information | Severity::Hint => ResultLevel::Note,
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
