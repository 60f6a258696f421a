//! Findings for people: the lines of the source with marks under the tokens.

use codespan_reporting::diagnostic::{Diagnostic, Label, Severity as Shown};
use percept_analysis::{FileId, Severity};
use percept_report::words::counted;
use percept_report::{Finding, Proof};

use super::Checked;
use crate::output;
use crate::pieces::{Pieces, Texts};
use std::path::Path;

/// The most lines of a match to show, and the number of them from its end.
const SHOWN: usize = 10;
const LAST: usize = 4;

/// Prints findings and their number; hints only if `all` is set.
pub(super) fn print(checked: &[Checked], all: bool) {
    for one in checked {
        let names: Vec<String> = one.files.iter().map(|(path, _)| path.display().to_string()).collect();
        let files = Texts(
            names.iter().zip(one.files.iter()).map(|(name, (_, source))| Pieces::new(name, &source.text)).collect(),
        );
        let id = |file: FileId| (file.0 as usize).min(names.len() - 1);
        let findings: Vec<Diagnostic<usize>> = one
            .findings
            .iter()
            .enumerate()
            .filter(|(_, finding)| all || finding.severity != Severity::Hint)
            .map(|(index, finding)| {
                let trace = one.traces.iter().find(|(of, _)| *of == index).map(|(_, path)| path.as_path());
                diagnostic(finding, trace, &id)
            })
            .collect();
        output::emit(&files, &findings);
    }
    output::println(&summary(checked, all));
}

fn diagnostic(finding: &Finding, trace: Option<&Path>, id: &dyn Fn(FileId) -> usize) -> Diagnostic<usize> {
    let severity = match finding.severity {
        Severity::Error => Shown::Error,
        Severity::Warning => Shown::Warning,
        Severity::Information => Shown::Note,
        Severity::Hint => Shown::Help,
    };
    let mut labels = vec![Label::primary(id(finding.file), finding.range.as_usize())];
    for related in &finding.related {
        labels.push(Label::secondary(id(related.file), related.range.as_usize()).with_message(&related.message));
    }
    let mut notes: Vec<String> = finding.fixes.iter().take(3).map(|fix| format!("fix: {}", fix.title)).collect();
    notes.extend(finding.change.as_ref().map(|change| change.message.clone()));
    notes.extend(finding.proof.as_ref().map(|proof| shown(proof, trace)));
    Diagnostic::new(severity)
        .with_code(finding.rule.name)
        .with_message(&finding.message)
        .with_labels(labels)
        .with_notes(notes)
}

/// The evidence of a finding: the match, or the reason.
fn shown(proof: &Proof, trace: Option<&Path>) -> String {
    let witness = match proof {
        Proof::Reason(reason) => return reason.clone(),
        Proof::Witness(witness) => witness,
    };
    let mut lines = vec![witness.because.clone()];
    for (number, all) in witness.wording.iter().enumerate() {
        lines.extend((number > 0).then(|| "and".to_string()));
        rounds(all, &mut lines);
    }
    lines.extend(trace.map(|path| format!("written to {}", path.display())));
    lines.join("\n")
}

/// The rounds of a match. A long match is shown by its beginning and by the last rounds, which show the finding.
fn rounds(all: &[String], lines: &mut Vec<String>) {
    let count = all.len();
    let left_out = if count > SHOWN { SHOWN - LAST..count - LAST } else { count..count };
    for (number, line) in all.iter().enumerate() {
        if number == left_out.start && !left_out.is_empty() {
            lines.push(format!("  ... {} rounds (--save-trace FOLDER writes all of them)", left_out.len()));
        }
        if !left_out.contains(&number) {
            lines.push(format!("  {line}"));
        }
    }
}

fn summary(checked: &[Checked], all: bool) -> String {
    let count = |severity| {
        let all = checked.iter().flat_map(|one| &one.findings);
        all.filter(|it| it.severity == severity).map(|it| 1 + it.more).sum::<usize>()
    };
    let mut parts = Vec::new();
    for (severity, one, many) in [
        (Severity::Error, "error", "errors"),
        (Severity::Warning, "warning", "warnings"),
        (Severity::Information, "note", "notes"),
        (Severity::Hint, "hint", "hints"),
    ] {
        match count(severity) {
            0 => {}
            n => parts.push(counted(n, one, many)),
        }
    }
    let files = counted(checked.len(), "file", "files");
    if !all && count(Severity::Hint) > 0 {
        parts.push("hints are shown with --all".to_string());
    }
    if parts.is_empty() { format!("{files}: no findings") } else { format!("{files}: {}", parts.join(", ")) }
}
