//! The width of the terminal, and lines broken to it.

use std::io::IsTerminal;

pub(crate) use percept_report::wrap::*;

/// The greatest width of lines on the terminal; `None` if the output goes elsewhere.
pub(crate) fn terminal_width() -> Option<usize> {
    let size = std::io::stdout().is_terminal().then(ratatui::crossterm::terminal::size)?;
    size.ok().map(|(columns, _)| usize::from(columns).clamp(20, WIDTH))
}

/// A line of prose, broken to the width of the terminal. Elsewhere lines stay whole, because programs read them.
pub(crate) fn fitted(line: String) -> Vec<String> {
    match terminal_width() {
        Some(width) => broken(&line, width),
        None => vec![line],
    }
}
