//! Findings in SARIF.

use percept_analysis::FileId;
use percept_report::place::{InFile, Range};
use percept_report::sarif::{self, Log, LogResult};
use percept_syntax::TextRange;
use percept_syntax::lines::LineIndex;
use serde_json::json;

use super::Checked;
use super::report;

/// The log as text.
pub(crate) fn text(checked: &[Checked]) -> String {
    let mut log = Log::new();
    for one in checked {
        let lines: Vec<LineIndex> = one.files.iter().map(|(_, source)| LineIndex::new(&source.text)).collect();
        let place = |file: FileId, range: TextRange, message: Option<&str>| {
            let at = (file.0 as usize).min(one.files.len() - 1);
            sarif::location(&one.files[at].0, &Range::new(&lines[at], range), message)
        };
        for finding in &one.findings {
            let related = finding.related.iter().map(|it| place(it.file, it.range, Some(&it.message)));
            let witness = report::witness(finding, None).map(|witness| ("witness", json!(witness)));
            let change = finding.change.as_ref().map(|change| {
                let lines = |at: FileId| &lines[(at.0 as usize).min(one.files.len() - 1)];
                let change = change.at(|at| InFile::new(&one.file(at.file).0, lines(at.file), at.range));
                ("change", json!(change))
            });
            let result = LogResult {
                severity: finding.severity,
                message: finding.message.clone(),
                at: place(finding.file, finding.range, None),
                related: related.collect(),
                properties: witness.into_iter().chain(change).collect(),
            };
            log.finding(finding.rule, result);
        }
    }
    log.text()
}
