//! Findings for people: the lines of the source with marks under the tokens.

use codespan_reporting::diagnostic::{Diagnostic, Label, Severity as Shown};
use codespan_reporting::files::SimpleFiles;
use percept_analysis::{Diagnostic as Finding, FileId, Severity};

use super::Checked;
use crate::output;

/// Prints findings and how many there are; hints only if `all` of them are wanted.
pub fn print(checked: &[Checked], all: bool) {
    for one in checked {
        let mut files = SimpleFiles::new();
        let ids: Vec<usize> =
            one.files.iter().map(|(path, source)| files.add(path.display().to_string(), source.text.clone())).collect();
        let id = |file: FileId| ids[(file.0 as usize).min(ids.len() - 1)];
        let findings: Vec<Diagnostic<usize>> = one
            .findings
            .iter()
            .filter(|finding| all || finding.severity != Severity::Hint)
            .map(|finding| diagnostic(finding, &id))
            .collect();
        output::emit(&files, &findings);
    }
    output::println(&summary(checked, all));
}

fn diagnostic(finding: &Finding, id: &dyn Fn(FileId) -> usize) -> Diagnostic<usize> {
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
    let notes = finding.fixes.iter().take(3).map(|fix| format!("fix: {}", fix.title)).collect();
    Diagnostic::new(severity)
        .with_code(finding.rule.name)
        .with_message(&finding.message)
        .with_labels(labels)
        .with_notes(notes)
}

fn summary(checked: &[Checked], all: bool) -> String {
    let count = |severity| checked.iter().flat_map(|one| &one.findings).filter(|it| it.severity == severity).count();
    let mut parts = Vec::new();
    for (severity, one, many) in [
        (Severity::Error, "error", "errors"),
        (Severity::Warning, "warning", "warnings"),
        (Severity::Information, "remark", "remarks"),
        (Severity::Hint, "hint", "hints"),
    ] {
        match count(severity) {
            0 => {}
            1 => parts.push(format!("1 {one}")),
            n => parts.push(format!("{n} {many}")),
        }
    }
    let files = if checked.len() == 1 { "1 file".to_string() } else { format!("{} files", checked.len()) };
    if !all && count(Severity::Hint) > 0 {
        parts.push("hints are shown with --all".to_string());
    }
    if parts.is_empty() { format!("{files}: nothing to complain of") } else { format!("{files}: {}", parts.join(", ")) }
}
