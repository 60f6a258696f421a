//! A document in the form that the pure functions need: its unit, indexed, and its number in it.

use std::collections::HashMap;
use std::sync::Arc;

use percept_analysis::FileId;
use percept_analysis::ide::{FileRange, Files, Indexed};
use tower_lsp::lsp_types::{Location, Position, Range, TextEdit, Url, WorkspaceEdit};

use crate::place::Place;
use crate::positions::Encoding;
use crate::snapshot::File;
use crate::units;

/// A document and the other files of its unit.
pub(crate) struct View {
    pub file: Arc<File>,
    pub id: FileId,
    pub files: Vec<Arc<File>>,
    pub encoding: Encoding,
}

impl View {
    /// `None` for a document that is neither open nor on disk, or is not a game's text.
    pub(crate) fn of(place: &Place, uri: &Url) -> Option<View> {
        let file = crate::games::file(&place.snapshot, uri)?;
        file.source()?;
        let files: Vec<Arc<File>> = units::of(&place.snapshot, &file).texts().into_iter().cloned().collect();
        let id = files.iter().position(|it| Arc::ptr_eq(it, &file))?;
        Some(View { file, id: FileId(id as u32), files, encoding: place.snapshot.encoding() })
    }

    /// The view of a document and the byte offset of a position in it.
    pub(crate) fn at(place: &Place, uri: &Url, position: Position) -> Option<(View, u32)> {
        let view = View::of(place, uri)?;
        let offset = view.file.offset(position, view.encoding);
        Some((view, offset))
    }

    /// Like [`View::at`]. If a problem's name belongs to its domain, the domain's other problems are included.
    pub(crate) fn of_name(place: &Place, uri: &Url, position: Position) -> Option<(View, u32)> {
        let (mut view, offset) = View::at(place, uri, position)?;
        let symbol = view.files().at(view.id, offset).map(|(symbol, _)| symbol.clone());
        let domain = view.files[0].clone();
        let is_of_domain = symbol
            .is_some_and(|symbol| symbol.scope.is_none() && domain.index().is_some_and(|index| index.has(&symbol)));
        if is_of_domain && !Arc::ptr_eq(&domain, &view.file) {
            let unit = units::of(&place.snapshot, &domain);
            let others = unit.texts().into_iter().filter(|it| view.files.iter().all(|other| other.uri != it.uri));
            let others: Vec<Arc<File>> = others.cloned().collect();
            view.files.extend(others);
        }
        Some((view, offset))
    }

    /// The unit's files with their indexes.
    pub(crate) fn files(&self) -> Files<'_> {
        let indexed = self.files.iter().filter_map(|file| {
            let source: &percept_syntax::Source = file.source()?;
            Some(Indexed { source, index: file.index()? })
        });
        Files { files: indexed.collect() }
    }

    pub(crate) fn range(&self, range: percept_syntax::TextRange) -> Range {
        self.file.range(range, self.encoding)
    }

    /// Edits to the unit's files in the protocol's form.
    pub(crate) fn workspace_edit(&self, edits: &[percept_analysis::TextEdit]) -> WorkspaceEdit {
        workspace_edit(&self.files, edits, self.encoding)
    }

    pub(crate) fn location(&self, place: FileRange) -> Option<Location> {
        Some(self.files.get(place.file.0 as usize)?.location(place.range, self.encoding))
    }
}

/// Edits whose file numbers are indices in `files`.
pub(super) fn workspace_edit(
    files: &[Arc<File>],
    edits: &[percept_analysis::TextEdit],
    encoding: Encoding,
) -> WorkspaceEdit {
    let mut changes: HashMap<Url, Vec<TextEdit>> = HashMap::new();
    for edit in edits {
        let Some(file) = files.get(edit.file.0 as usize) else { continue };
        let range = file.range(edit.range, encoding);
        changes.entry(file.uri.clone()).or_default().push(TextEdit::new(range, with_line_ends(file, &edit.insert)));
    }
    WorkspaceEdit::new(changes)
}

/// The text to insert, with the line ends of the file.
fn with_line_ends(file: &File, insert: &str) -> String {
    match insert.contains('\n') && !insert.contains('\r') && file.text().contains("\r\n") {
        true => insert.replace('\n', "\r\n"),
        false => insert.to_string(),
    }
}
