//! Findings as data: the JSON of `check --format json`.

use percept_analysis::{Severity, TextEdit};
use percept_syntax::TextRange;
use serde::Serialize;

use super::Checked;
use crate::load::Columns;

#[derive(Serialize)]
pub struct Report {
    pub findings: Vec<Finding>,
    pub files: usize,
}

#[derive(Serialize)]
pub struct Finding {
    pub file: String,
    pub rule: &'static str,
    /// `error`, `warning`, `information` or `hint`.
    pub severity: &'static str,
    pub range: Range,
    pub message: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<Related>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fixes: Vec<Fix>,
}

/// Lines and columns from 1; columns count characters; the end is exclusive.
#[derive(Serialize, Clone)]
pub struct Range {
    pub start: Position,
    pub end: Position,
}

#[derive(Serialize, Clone)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

#[derive(Serialize)]
pub struct Related {
    pub file: String,
    pub range: Range,
    pub message: String,
}

#[derive(Serialize)]
pub struct Fix {
    pub title: String,
    pub edits: Vec<Edit>,
}

#[derive(Serialize)]
pub struct Edit {
    pub file: String,
    pub range: Range,
    pub insert: String,
}

pub fn report(checked: &[Checked]) -> Report {
    Report { findings: checked.iter().flat_map(findings).collect(), files: checked.len() }
}

pub fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Information => "information",
        Severity::Hint => "hint",
    }
}

fn findings(checked: &Checked) -> Vec<Finding> {
    let columns: Vec<Columns<'_>> = checked.files.iter().map(|(_, source)| Columns::new(&source.text)).collect();
    let name = |file| checked.file(file).0.display().to_string();
    let range = |file: percept_analysis::FileId, range: TextRange| {
        range_of(&columns[(file.0 as usize).min(columns.len() - 1)], range)
    };
    let edit = |edit: &TextEdit| Edit {
        file: name(edit.file),
        range: range(edit.file, edit.range),
        insert: edit.insert.clone(),
    };
    let finding = |it: &percept_analysis::Diagnostic| Finding {
        file: name(it.file),
        rule: it.rule.name,
        severity: severity(it.severity),
        range: range(it.file, it.range),
        message: it.message.clone(),
        related: it
            .related
            .iter()
            .map(|related| Related {
                file: name(related.file),
                range: range(related.file, related.range),
                message: related.message.clone(),
            })
            .collect(),
        fixes: it
            .fixes
            .iter()
            .map(|fix| Fix { title: fix.title.clone(), edits: fix.edits.iter().map(edit).collect() })
            .collect(),
    };
    checked.findings.iter().map(finding).collect()
}

pub fn range_of(columns: &Columns<'_>, range: TextRange) -> Range {
    let position = |byte| {
        let (line, column) = columns.at(byte);
        Position { line, column }
    };
    Range { start: position(range.start), end: position(range.end) }
}
