//! What is known of a POGDDL domain and its problem.

use percept_syntax::{Source, Syntax, pddl::Definition};

use crate::{Diagnostic, FileId, Settings, check_pddl};

/// Checks a file whose other half is not known. Ranges are in [`FileId`] 0, whichever half it is.
pub fn check_alone(source: &Source, settings: &Settings) -> Vec<Diagnostic> {
    let is_problem = match &source.syntax {
        Syntax::Pddl(file) => matches!(file.definitions.first(), Some(Definition::Problem(_))),
        Syntax::Gdl(_) => false,
    };
    if !is_problem {
        return check_pddl(Some(source), None, settings);
    }
    let mut list = check_pddl(None, Some(source), settings);
    for diagnostic in &mut list {
        diagnostic.file = FileId(0);
        diagnostic.related.iter_mut().for_each(|related| related.file = FileId(0));
        let edits = diagnostic.fixes.iter_mut().flat_map(|fix| &mut fix.edits);
        edits.for_each(|edit| edit.file = FileId(0));
    }
    list
}
