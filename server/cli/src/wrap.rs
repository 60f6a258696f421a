//! Text in lines of a width: broken at blanks, after titles, in columns.

use std::fmt::Display;
use std::io::IsTerminal;

/// How wide a line of printed text may get.
pub(crate) const WIDTH: usize = 110;

/// How far further lines or columns stand off.
const GAP: usize = 4;

/// How wide lines may be on the terminal; `None` where what is printed goes elsewhere.
pub(crate) fn terminal_width() -> Option<usize> {
    let size = std::io::stdout().is_terminal().then(ratatui::crossterm::terminal::size)?;
    size.ok().map(|(columns, _)| usize::from(columns).clamp(20, WIDTH))
}

/// A line of prose, broken where the terminal is too narrow for it. Elsewhere lines stay whole: programs read them.
pub(crate) fn fitted(line: String) -> Vec<String> {
    match terminal_width() {
        Some(width) => broken(&line, width),
        None => vec![line],
    }
}

/// Names after a title, broken into lines.
pub(crate) fn wrapped<T: Display>(title: &str, names: &[T], width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = format!("{title}:");
    for name in names.iter().map(T::to_string) {
        if line.chars().count() + 1 + name.chars().count() > width && line.len() > title.len() + 1 {
            lines.push(std::mem::replace(&mut line, "   ".to_string()));
        }
        line.push(' ');
        line.push_str(&name);
    }
    lines.push(line);
    lines
}

/// A line broken at blanks into lines of a width, the further ones indented a step more than the first.
pub(crate) fn broken(line: &str, width: usize) -> Vec<String> {
    if line.chars().count() <= width {
        return vec![line.to_string()];
    }
    let indent = line.len() - line.trim_start().len();
    let mut lines = Vec::new();
    let mut current = " ".repeat(indent);
    for word in line.split_whitespace() {
        let is_empty = current.trim().is_empty();
        if !is_empty && current.chars().count() + 1 + word.chars().count() > width {
            lines.push(std::mem::replace(&mut current, format!("{}{word}", " ".repeat(indent + GAP))));
            continue;
        }
        if !is_empty {
            current.push(' ');
        }
        current.push_str(word);
    }
    lines.push(current);
    lines
}

/// Short texts in as many columns as fit, read downwards.
pub(crate) fn in_columns(texts: &[String], width: usize) -> Vec<String> {
    let widest = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0) + GAP;
    let columns = (width.saturating_add(GAP) / widest.max(1)).clamp(1, texts.len().max(1));
    let height = texts.len().div_ceil(columns);
    let row = |row: usize| {
        let cells = texts.iter().skip(row).step_by(height.max(1)).map(|text| format!("{text:<widest$}"));
        cells.collect::<String>().trim_end().to_string()
    };
    (0..height).map(row).collect()
}
