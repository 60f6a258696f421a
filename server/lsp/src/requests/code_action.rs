//! `textDocument/codeAction`: the repairs of findings, and silencing a rule for one form.

use std::sync::Arc;

use percept_analysis as analysis;
use percept_report::repair::Insertion;
use percept_syntax::{Language, Source, TextRange};
use serde_json::json;
use tower_lsp::lsp_types::*;

use crate::diagnostics;
use crate::games;
use crate::place::{Answer, Place};
use crate::snapshot::{File, Kind};
use crate::verdicts;

/// The longest text, in bytes, that is searched for brackets: a search in a longer one would be noticeable at a
/// keystroke.
const LOOKED_THROUGH: usize = 256 << 10;
/// The most syntax errors of one request for which brackets are searched.
const LOOKED_FOR: usize = 3;

pub(crate) fn handle(place: &Place, params: CodeActionParams) -> Answer<Option<CodeActionResponse>> {
    let wanted = params.context.only.as_deref();
    if wanted.is_some_and(|kinds| {
        !kinds.iter().any(|kind| kind.as_str().is_empty() || kind.as_str().starts_with("quickfix"))
    }) {
        return Ok(Some(Vec::new()));
    }
    let Some(file) = games::file(&place.snapshot, &params.text_document.uri) else { return Ok(None) };
    let range = file.text_range(params.range, place.snapshot.encoding());
    let basis = place.shared.basis(&place.snapshot, &file);
    let rules = basis.rules();
    let mut actions = Vec::new();
    let mut looked = 0;
    for (files, finding) in diagnostics::findings(&place.shared, &basis, &rules) {
        if finding.range.start > range.end || range.start > finding.range.end {
            continue;
        }
        let diagnostic = diagnostics::to_proto(&place.snapshot, &files, &finding);
        let is_looked_for = finding.rule.name == "syntax-error" && looked < LOOKED_FOR;
        looked += usize::from(is_looked_for);
        let brackets = if is_looked_for { brackets(&files, &finding, &rules) } else { Vec::new() };
        let fixes = finding.fixes.iter().filter(|fix| !breaks_syntax(&files, fix)).chain(&brackets);
        for (number, fix) in fixes.enumerate() {
            actions.push(CodeActionOrCommand::CodeAction(CodeAction {
                title: fix.title.clone(),
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![diagnostic.clone()]),
                edit: Some(super::view::workspace_edit(&files, &fix.edits, place.snapshot.encoding())),
                is_preferred: Some(number == 0),
                ..Default::default()
            }));
        }
        if let Some(witness) = finding.witness().filter(|_| place.snapshot.session.client.step_there) {
            actions.push(CodeActionOrCommand::CodeAction(CodeAction {
                title: match witness.moves.len() {
                    0 => "Step there: the first state".to_string(),
                    rounds => format!("Step there: the match of {rounds} rounds that shows it"),
                },
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![diagnostic.clone()]),
                command: Some(Command {
                    title: "Step there".to_string(),
                    command: "percept.stepThere".to_string(),
                    arguments: Some(vec![diagnostics::steps(&files, witness)]),
                }),
                ..Default::default()
            }));
        }
        if let Some(edit) = silence(&file, &finding) {
            actions.push(CodeActionOrCommand::CodeAction(CodeAction {
                title: format!("Allow `{}` in this form", finding.rule.name),
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![diagnostic]),
                edit: Some(super::view::workspace_edit(
                    std::slice::from_ref(&file),
                    &[edit],
                    place.snapshot.encoding(),
                )),
                ..Default::default()
            }));
        }
    }
    actions.extend(repairs(place, &file, range));
    Ok(Some(actions))
}

/// The repairs of missing knowledge that were found, or the offer to search for them.
fn repairs(place: &Place, file: &Arc<File>, range: TextRange) -> Vec<CodeActionOrCommand> {
    let Some(verdict) = place.shared.verdict(&place.snapshot, file) else { return Vec::new() };
    let encoding = place.snapshot.encoding();
    let mut actions = Vec::new();
    let here = verdict.notes(file).filter(|note| note.range.start <= range.end && range.start <= note.range.end);
    for note in here {
        let Some((role, property)) = &note.about else { continue };
        let action = CodeAction {
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![verdicts::diagnostic(note, file, encoding)]),
            ..CodeAction::default()
        };
        let Some(found) = &note.repairs else {
            let command = Command {
                title: "Look for a repair".to_string(),
                command: "percept.repair".to_string(),
                arguments: Some(vec![json!({ "uri": file.uri, "role": role, "property": property })]),
            };
            let title = format!("Show what {role} would have to see ({property})");
            actions.push(CodeActionOrCommand::CodeAction(CodeAction { title, command: Some(command), ..action }));
            continue;
        };
        for insert in found {
            let edit = |it: &Insertion| analysis::TextEdit {
                file: analysis::FileId(it.file as u32),
                range: TextRange::at(it.at),
                insert: it.text.clone(),
            };
            let edits: Vec<_> = insert.edits.iter().map(edit).collect();
            actions.push(CodeActionOrCommand::CodeAction(CodeAction {
                title: insert.title.clone(),
                edit: Some(super::view::workspace_edit(verdict.files(), &edits, encoding)),
                ..action.clone()
            }));
        }
    }
    actions
}

/// The repairs of a missing or extra bracket, which are searched only on request.
fn brackets(files: &[Arc<File>], finding: &analysis::Diagnostic, rules: &analysis::Settings) -> Vec<analysis::Fix> {
    let source = files.get(finding.file.0 as usize).and_then(|file| file.source());
    let Some(source) = source.filter(|source| source.text.len() <= LOOKED_THROUGH) else { return Vec::new() };
    let check = |source: &Source| analysis::check(source, rules);
    analysis::repair::syntax(source, finding, &check).into_iter().map(|repair| repair.fix).collect()
}

/// True if a repair would leave more syntax errors than before.
fn breaks_syntax(files: &[Arc<File>], fix: &analysis::Fix) -> bool {
    (0..).zip(files).any(|(number, file)| {
        let mut edits = fix.edits.iter().filter(|edit| edit.file == analysis::FileId(number)).peekable();
        let source = file.source().filter(|source| source.text.len() <= LOOKED_THROUGH && edits.peek().is_some());
        source.is_some_and(|source| {
            let after = Source::parse(analysis::repair::edited(&source.text, edits), source.language);
            after.errors.len() > source.errors.len()
        })
    })
}

/// A comment above the outermost form that contains the finding; a form after others on its line gets a line of its
/// own. Errors should be repaired, not silenced.
fn silence(file: &File, finding: &analysis::Diagnostic) -> Option<analysis::TextEdit> {
    if finding.severity == analysis::Severity::Error {
        return None;
    }
    let source = file.source()?;
    let folds = analysis::ide::structure::enclosing(source, finding.range.start);
    let whole = TextRange::new(0, source.text.len() as u32);
    let outermost = match file.kind() {
        // A POGDDL file is one form; the form inside it is used.
        Kind::Game(Language::Pogddl) => {
            folds.iter().rev().filter(|range| **range != whole && source.text[range.as_usize()].starts_with('(')).nth(1)
        }
        _ => folds.iter().rev().find(|range| **range != whole),
    };
    let start = outermost.copied().unwrap_or(finding.range).start as usize;
    let line = source.text[..start].rfind('\n').map_or(0, |at| at + 1);
    let blanks: String = source.text[line..].chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
    let comment = format!("{blanks}; percept: allow({})\n", finding.rule.name);
    let before = source.text[line..start].trim_end().len();
    let (range, insert) = match before {
        0 => (TextRange::at(line as u32), comment),
        _ => (TextRange::new((line + before) as u32, start as u32), format!("\n{comment}{blanks}")),
    };
    Some(analysis::TextEdit { file: analysis::FileId(0), range, insert })
}
