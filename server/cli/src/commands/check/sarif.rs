//! Findings in SARIF 2.1.0, which code hosts show beside the lines of a change.

use percept_analysis::{Rule, Severity};
use serde_json::{Value, json};

use super::Checked;
use super::report::{self, Range};
use crate::load::Columns;

/// The log as text.
pub fn text(checked: &[Checked]) -> String {
    let mut rules: Vec<&'static Rule> = Vec::new();
    let mut results = Vec::new();
    for one in checked {
        let columns: Vec<Columns<'_>> = one.files.iter().map(|(_, source)| Columns::new(&source.text)).collect();
        for finding in &one.findings {
            let index = rules.iter().position(|known| known.name == finding.rule.name).unwrap_or_else(|| {
                rules.push(finding.rule);
                rules.len() - 1
            });
            let place = |file: percept_analysis::FileId, range, message: Option<&str>| {
                let file_index = (file.0 as usize).min(one.files.len() - 1);
                let uri = uri(&one.files[file_index].0);
                location(&uri, &report::range_of(&columns[file_index], range), message)
            };
            let related: Vec<Value> = finding
                .related
                .iter()
                .map(|related| place(related.file, related.range, Some(&related.message)))
                .collect();
            let mut result = json!({
                "ruleId": finding.rule.name,
                "ruleIndex": index,
                "level": level(finding.severity),
                "message": { "text": finding.message },
                "locations": [place(finding.file, finding.range, None)],
            });
            if let Some(witness) = report::witness(finding, None) {
                result["properties"] = json!({ "witness": witness });
            }
            if !related.is_empty() {
                result["relatedLocations"] = Value::Array(related);
            }
            results.push(result);
        }
    }
    let rules: Vec<Value> = rules
        .iter()
        .map(|rule| {
            json!({
                "id": rule.name,
                "shortDescription": { "text": first_line(rule) },
                "help": { "text": rule.page, "markdown": rule.page },
                "defaultConfiguration": { "level": level(rule.severity) },
            })
        })
        .collect();
    serde_json::to_string_pretty(&log(&rules, &results)).expect("values have string keys")
}

/// A SARIF log of one run.
pub fn log(rules: &[Value], results: &[Value]) -> Value {
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": { "name": "percept", "version": env!("CARGO_PKG_VERSION"), "rules": rules }
            },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

pub fn location(uri: &str, range: &Range, message: Option<&str>) -> Value {
    let mut location = json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri },
            "region": {
                "startLine": range.start.line,
                "startColumn": range.start.column,
                "endLine": range.end.line,
                "endColumn": range.end.column,
            },
        },
    });
    if let Some(message) = message {
        location["message"] = json!({ "text": message });
    }
    location
}

pub fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Information | Severity::Hint => "note",
    }
}

/// A path as a relative URI reference, or a file URI where it is absolute.
pub fn uri(path: &std::path::Path) -> String {
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

fn first_line(rule: &Rule) -> String {
    let line = rule.page.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#'));
    line.unwrap_or(rule.name).to_string()
}
