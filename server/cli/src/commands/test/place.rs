//! The place of a value in a file of expectations.

use std::ops::Range;

use toml_edit::{Document, Item, Table};

use super::ask::Case;

/// A file that was read with the places of its parts.
pub(super) struct Places(Option<Document<String>>);

impl Places {
    pub(super) fn new(text: &str) -> Places {
        Places(Document::parse(text.to_string()).ok())
    }

    /// The place of the value at these keys below the expectation, or of the innermost table that exists.
    pub(super) fn of(&self, case: &Case, keys: &[String]) -> Range<usize> {
        let Some(document) = &self.0 else { return 0..0 };
        let root = document.as_table();
        let Some(table) = table(root, case) else { return 0..0 };
        let mut best = table.span().unwrap_or(0..0);
        if let (None, Some(game)) = (case.kind.table(), root.get("game")) {
            best = game.span().unwrap_or(best);
        }
        let mut item = None;
        for key in keys {
            let next = match item {
                None => table.get(key),
                Some(item) => Item::as_table_like(item).and_then(|it| it.get(key)),
            };
            let Some(next) = next else { break };
            best = next.span().unwrap_or(best);
            item = Some(next);
        }
        best
    }
}

fn table<'t>(root: &'t Table, case: &Case) -> Option<&'t Table> {
    match case.kind.table() {
        None => Some(root),
        Some(name) => root.get(name)?.as_array_of_tables()?.get(case.index),
    }
}
