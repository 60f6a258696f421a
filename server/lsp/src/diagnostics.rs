//! Findings in the form of the protocol.

use std::sync::Arc;

use percept_analysis as analysis;
use percept_report::changes::{Changes, Since};
use percept_report::{Finding, Proof, Witness, join, only_text, workspace};
use percept_syntax::TextRange;
use serde_json::{Value, json};
use tower_lsp::lsp_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, NumberOrString, Url,
};

use crate::basis::{Basis, InText};
use crate::file::are_same;
use crate::games;
use crate::rulebook;
use crate::shared::Shared;
use crate::snapshot::{File, Kind, Snapshot};

/// The findings of one document.
pub(crate) fn find(snapshot: &Snapshot, shared: &Shared, basis: &Basis) -> Vec<Diagnostic> {
    if basis.file.kind() == Kind::Trace {
        return trace(snapshot, shared, &basis.file);
    }
    let mut found = findings(shared, basis, &basis.rules());
    name_changes(shared, basis, &mut found);
    let mut all: Vec<Diagnostic> = found.iter().map(|(files, finding)| to_proto(snapshot, files, finding)).collect();
    all.extend(basis.verdict.iter().flat_map(|verdict| verdict.findings(snapshot, &basis.file)));
    all
}

/// The findings in the basis's own file, each with the files that its file numbers refer to.
pub(crate) fn findings(shared: &Shared, basis: &Basis, rules: &analysis::Settings) -> Vec<(Vec<Arc<File>>, Finding)> {
    let text = shared.found_in_text(basis, || basis.unit.findings(&basis.file, rules));
    let Some(judged) = &basis.judged else { return text_findings(&text) };
    let files = judged.files.clone();
    let is_error = |(_, finding): &(_, analysis::Diagnostic)| finding.severity == analysis::Severity::Error;
    let sources = games::sources(&files);
    if text.iter().any(is_error) || workspace::is_broken(&sources, rules) {
        return text_findings(&text);
    }
    // The file numbers of a domain's findings refer to the same places for all its problems.
    let plain: Vec<analysis::Diagnostic> = text.iter().map(|(_, finding)| finding.clone()).collect();
    let mut all = text_findings(&text);
    for finding in join(plain, &judged.judged, &sources, rules) {
        let here = files.get(finding.file.0 as usize).is_some_and(|file| Arc::ptr_eq(file, &basis.file));
        if finding.proof.is_some() && here {
            all.push((files.clone(), finding));
        }
    }
    all
}

fn text_findings(text: &[InText]) -> Vec<(Vec<Arc<File>>, Finding)> {
    let finding = |(files, finding): &InText| (files.clone(), only_text(vec![finding.clone()]).remove(0));
    text.iter().map(finding).collect()
}

/// Names the changes since the last good text beside errors and warnings, which that text did not have.
fn name_changes(shared: &Shared, basis: &Basis, found: &mut [(Vec<Arc<File>>, Finding)]) {
    let is_bad = |(_, finding): &&mut (Vec<Arc<File>>, Finding)| finding.severity >= analysis::Severity::Warning;
    let mut bad = found.iter_mut().filter(is_bad).peekable();
    let Some(good) = bad.peek().and_then(|_| shared.good.of(basis.uri())) else { return };
    // Findings about the same files are adjacent.
    while let Some((files, first)) = bad.next() {
        let files = files.clone();
        let before = files.iter().map(|now| good.iter().find(|old| old.uri == now.uri).unwrap_or(now));
        let before: Vec<Arc<File>> = before.cloned().collect();
        let (old, now) = (games::sources(&before), games::sources(&files));
        let changes = Changes::new(&old, &now, Since::GoodText);
        let of = |finding: &Finding| changes.as_ref().and_then(|changes| changes.of(finding));
        first.change = of(first);
        while let Some((_, finding)) = bad.next_if(|(others, _)| are_same(others, &files)) {
            finding.change = of(finding);
        }
    }
}

/// The findings in a trace: at most one, because later rounds depend on it.
fn trace(snapshot: &Snapshot, shared: &Shared, file: &Arc<File>) -> Vec<Diagnostic> {
    let Some(problem) = problem(snapshot, shared, file) else { return Vec::new() };
    let (range, severity) = match problem.place {
        Some((_, range)) => (file.range(range, snapshot.encoding()), DiagnosticSeverity::ERROR),
        // The trace itself has no fault, so the finding is a hint on its first line.
        None => (file.range(TextRange::at(0), snapshot.encoding()), DiagnosticSeverity::WARNING),
    };
    vec![Diagnostic {
        range,
        severity: Some(severity),
        code: Some(NumberOrString::String("trace".into())),
        source: Some("percept".into()),
        message: problem.message,
        ..Default::default()
    }]
}

/// The problem of a trace: it names no game, the texts are not a game, or a move does not fit.
fn problem(snapshot: &Snapshot, shared: &Shared, file: &Arc<File>) -> Option<games::Refusal> {
    match shared.load(snapshot, &file.uri) {
        Err(refusals) => refusals.into_iter().next().map(|refusal| match &refusal.place {
            Some((other, _)) if !Arc::ptr_eq(other, file) => games::Refusal {
                message: format!("the game of this trace cannot be played: {}", refusal.message),
                place: None,
            },
            _ => refusal,
        }),
        Ok(loaded) => match games::read_any(&loaded.game, file.text()) {
            Ok(_) => None,
            Err(error) => Some(games::Refusal { message: error.message, place: Some((file.clone(), error.range)) }),
        },
    }
}

/// A finding in the form of the protocol; `files` are the files that its file numbers refer to.
pub(crate) fn to_proto(snapshot: &Snapshot, files: &[Arc<File>], finding: &Finding) -> Diagnostic {
    let encoding = snapshot.encoding();
    let file = &files[finding.file.0 as usize];
    let related = finding.related.iter().filter_map(|related| {
        let file = files.get(related.file.0 as usize)?;
        Some(DiagnosticRelatedInformation {
            location: file.location(related.range, encoding),
            message: related.message.clone(),
        })
    });
    let change = finding.change.as_ref().map(|change| {
        let place = change.place.unwrap_or_else(|| finding.place());
        let file = files.get(place.file.0 as usize).unwrap_or(file);
        DiagnosticRelatedInformation { location: file.location(place.range, encoding), message: change.message.clone() }
    });
    let is_related = snapshot.session.client.related_information;
    let related: Vec<_> = if is_related { change.clone().into_iter().chain(related).collect() } else { Vec::new() };
    let mut message = match &finding.proof {
        None => finding.message.clone(),
        Some(Proof::Reason(reason)) => format!("{}\n{reason}", finding.message),
        Some(Proof::Witness(witness)) => format!("{}\n{}", finding.message, shown(witness)),
    };
    if let Some(change) = change.filter(|_| !is_related) {
        message += &format!("\n{}", change.message);
    }
    Diagnostic {
        range: file.range(finding.range, encoding),
        severity: Some(severity(finding.severity)),
        code: Some(NumberOrString::String(finding.rule.name.into())),
        code_description: rulebook::page(finding.rule).map(|href: Url| CodeDescription { href }),
        source: Some("percept".into()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        tags: finding.tag.map(|analysis::Tag::Unnecessary| vec![DiagnosticTag::UNNECESSARY]),
        data: finding.witness().map(|witness| json!({ "witness": steps(files, witness) })),
    }
}

/// The text of a witness for a message: the first rounds of its match, or matches.
fn shown(witness: &Witness) -> String {
    const LINES: usize = 5;
    let mut text = witness.because.clone();
    for (number, lines) in witness.wording.iter().enumerate() {
        text += if number == 0 { "" } else { "\nand" };
        lines.iter().take(LINES).for_each(|line| text += &format!("\n  {line}"));
        if lines.len() > LINES {
            text += &format!("\n  ... {} more", lines.len() - LINES);
        }
    }
    text
}

/// A witness in the form of `percept.step` and the editors' `percept.stepThere`: the game's file and the moves by name.
pub(crate) fn steps(files: &[Arc<File>], witness: &Witness) -> Value {
    json!({ "uri": files.last().map(|file| file.uri.clone()), "history": witness.moves, "at": witness.moves.len() })
}

fn severity(severity: analysis::Severity) -> DiagnosticSeverity {
    match severity {
        analysis::Severity::Error => DiagnosticSeverity::ERROR,
        analysis::Severity::Warning => DiagnosticSeverity::WARNING,
        analysis::Severity::Information => DiagnosticSeverity::INFORMATION,
        analysis::Severity::Hint => DiagnosticSeverity::HINT,
    }
}
