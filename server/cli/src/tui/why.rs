//! Explanations as lines, each with its place in the rules.

use std::path::PathBuf;

use percept_game::stepper::Stepper;
use percept_report::atoms;
use percept_report::editor::Question;
use percept_report::page::{Action, Page, text, why::show};
use percept_report::place::{InEditor, Point, Position, Span};
use percept_syntax::Source;
use percept_syntax::lines::LineIndex;

/// The explanation of an atom at the stepper's place.
///
/// # Errors
/// When there is nothing to explain, in words.
pub(super) fn why(stepper: &Stepper, files: &[(PathBuf, Source)], typed: &str) -> Result<Vec<String>, String> {
    let question = Question::typed(&atoms::atoms(stepper.game(), stepper), typed);
    let sources: Vec<&Source> = files.iter().map(|(_, source)| source).collect();
    let locate = |file: usize, range: percept_syntax::TextRange| {
        let (path, source) = &files[file.min(files.len() - 1)];
        let line = Position::new(&LineIndex::new(&source.text), range.start).line as u32;
        let at = Point { line, character: 0 };
        let uri = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        InEditor { uri, range: Span { start: at, end: at } }
    };
    let answer = percept_report::why::why(stepper, &sources, &question, &locate)?;
    let mut page = Page::default();
    show(&mut page, &answer, 0);
    let line = |line: &Vec<percept_report::page::Piece>| match line.first().and_then(|it| it.action.as_ref()) {
        Some(Action::Open(at)) => format!("{}  {}:{}", text(line), at.uri, at.range.start.line),
        _ => text(line),
    };
    Ok(page.lines.iter().map(line).collect())
}
