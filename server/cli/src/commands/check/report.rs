//! Findings as data: the JSON of `check --format json`.

use percept_analysis::{FileId, TextEdit};
use percept_report::Proof;
use percept_report::changes::Change;
use percept_report::place::{InFile, Range};
use percept_syntax::TextRange;
use percept_syntax::lines::LineIndex;
use schemars::JsonSchema;
use serde::Serialize;

use super::Checked;

#[derive(Serialize, JsonSchema)]
pub(crate) struct Report {
    pub findings: Vec<Finding>,
    /// The number of findings that are errors, and of those that are warnings.
    pub errors: usize,
    pub warnings: usize,
    pub files: usize,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Finding {
    pub file: String,
    pub rule: &'static str,
    /// `error`, `warning`, `information` or `hint`.
    pub severity: &'static str,
    pub range: Range,
    pub message: String,
    /// The number of further findings of the rule that this one represents, if a rule has thousands.
    #[serde(skip_serializing_if = "is_zero")]
    pub more: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<Related>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fixes: Vec<Fix>,
    /// The match that shows it, if the finding is about the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Witness>,
    /// The reason why it is true in every match, if it is not shown by a match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<String>,
    /// A statement that was removed or changed since the last commit, which has no such finding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<Change<InFile>>,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// A match that shows a finding.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Witness {
    /// The joint moves (POGDDL: actions).
    pub r#match: Vec<String>,
    /// The second match, if the finding needs two that look alike.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other: Vec<String>,
    /// True if no shorter match shows it.
    pub shortest: bool,
    /// The round whose state equals the final one, if the match returns to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub back_to: Option<usize>,
    /// The file of the trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
}

/// The evidence of a finding, in the form of the report.
pub(crate) fn witness(finding: &percept_report::Finding, trace: Option<&std::path::Path>) -> Option<Witness> {
    finding.witness().map(|witness| Witness {
        r#match: witness.lines.clone(),
        other: witness.other.clone(),
        shortest: witness.is_shortest,
        back_to: witness.back_to,
        trace: trace.map(|path| path.display().to_string()),
    })
}

fn reason(finding: &percept_report::Finding) -> Option<String> {
    match &finding.proof {
        Some(Proof::Reason(reason)) => Some(reason.clone()),
        _ => None,
    }
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Related {
    #[serde(flatten)]
    pub place: InFile,
    pub message: String,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Fix {
    pub title: String,
    /// True if `--fix` makes it; otherwise it is a guess, which only `--fix=all` makes.
    pub safe: bool,
    pub edits: Vec<Edit>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Edit {
    #[serde(flatten)]
    pub place: InFile,
    pub insert: String,
}

pub(crate) fn report(checked: &[Checked]) -> Report {
    let findings: Vec<Finding> = checked.iter().flat_map(findings).collect();
    let count = |severity: &str| findings.iter().filter(|it| it.severity == severity).map(|it| 1 + it.more).sum();
    Report { errors: count("error"), warnings: count("warning"), findings, files: checked.len() }
}

fn findings(checked: &Checked) -> Vec<Finding> {
    let lines: Vec<LineIndex> = checked.files.iter().map(|(_, source)| LineIndex::new(&source.text)).collect();
    let place = |file: FileId, range: TextRange| {
        InFile::new(&checked.file(file).0, &lines[(file.0 as usize).min(lines.len() - 1)], range)
    };
    let edit = |edit: &TextEdit| Edit { place: place(edit.file, edit.range), insert: edit.insert.clone() };
    let trace = |at: usize| checked.traces.iter().find(|(of, _)| *of == at).map(|(_, path)| path.as_path());
    let finding = |(at, it): (usize, &percept_report::Finding)| Finding {
        file: checked.file(it.file).0.display().to_string(),
        rule: it.rule.name,
        severity: it.severity.name(),
        range: place(it.file, it.range).range,
        message: it.message.clone(),
        more: it.more,
        related: it
            .related
            .iter()
            .map(|related| Related { place: place(related.file, related.range), message: related.message.clone() })
            .collect(),
        fixes: it
            .fixes
            .iter()
            .map(|fix| Fix { title: fix.title.clone(), safe: fix.is_safe, edits: fix.edits.iter().map(edit).collect() })
            .collect(),
        witness: witness(it, trace(at)),
        proof: reason(it),
        change: it.change.as_ref().map(|change| change.at(|at| place(at.file, at.range))),
    };
    checked.findings.iter().enumerate().map(finding).collect()
}
