//! Text in lines of limited width: broken at blanks, after titles, in columns.

use std::fmt::Display;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The greatest width of a printed line.
pub const WIDTH: usize = 110;

/// The indentation of further lines or columns.
const GAP: usize = 4;

/// The number of terminal columns of a text: some characters take two, some none.
pub fn columns(text: &str) -> usize {
    text.width()
}

/// The text, padded with blanks to a width.
pub fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

/// The beginning of a text that fits.
pub fn clipped(text: &str, width: usize) -> &str {
    let mut taken = 0;
    let end = text.char_indices().find(|(_, c)| {
        taken += c.width().unwrap_or(0);
        taken > width
    });
    end.map_or(text, |(end, _)| &text[..end])
}

/// The end of a text that fits, after a sign if it was cut.
pub fn end_of(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_string();
    }
    let mut rest = text.chars();
    while columns(rest.as_str()) >= width.max(1) && rest.next().is_some() {}
    format!("…{}", rest.as_str())
}

/// Names after a title, broken into lines.
pub fn wrapped<T: Display>(title: &str, names: &[T], width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = format!("{title}:");
    for name in names.iter().map(T::to_string) {
        if columns(&line) + 1 + columns(&name) > width && line.len() > title.len() + 1 {
            lines.push(std::mem::replace(&mut line, "   ".to_string()));
        }
        line.push(' ');
        line.push_str(&name);
    }
    lines.push(line);
    lines
}

/// A line broken at blanks into lines of a width; further lines are indented one step more than the first.
pub fn broken(line: &str, width: usize) -> Vec<String> {
    if columns(line) <= width {
        return vec![line.to_string()];
    }
    let text = line.trim_start();
    let indent = &line[..line.len() - text.len()];
    hung(indent, text, width, &format!("{indent}{}", " ".repeat(GAP)))
}

/// The words of a text after `first`; further lines are indented.
fn hung(first: &str, text: &str, width: usize, indent: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut current = first.to_string();
    for word in text.split_whitespace() {
        let gap = usize::from(!current.is_empty() && !current.ends_with(' '));
        if !current.trim().is_empty() && columns(&current) + gap + columns(word) > width {
            let full = std::mem::replace(&mut current, format!("{indent}{word}"));
            lines.push(full.trim_end().to_string());
            continue;
        }
        current.push_str(&" ".repeat(gap));
        current.push_str(word);
    }
    lines.push(current);
    lines
}

/// Like [`broken`], but words that are wider than a line are cut, so that everything is visible.
pub fn folded(line: &str, width: usize) -> Vec<String> {
    broken(line, width).into_iter().flat_map(|line| cut(line, width)).collect()
}

/// A text after a beginning that stays as it is, with everything visible.
pub fn folded_after(first: &str, text: &str, width: usize) -> Vec<String> {
    let lines = hung(first, text, width, &" ".repeat(GAP));
    lines.into_iter().flat_map(|line| cut(line, width)).collect()
}

/// At most `count` lines; the last ends with a sign if more follow.
pub fn at_most(count: usize, mut lines: Vec<String>, width: usize) -> Vec<String> {
    if lines.len() > count {
        lines.truncate(count);
        if let Some(last) = lines.last_mut() {
            *last = format!("{}…", clipped(last, width.saturating_sub(1)));
        }
    }
    lines
}

/// Pieces of a line that fit a width, with its indentation.
fn cut(line: String, width: usize) -> Vec<String> {
    let indent = " ".repeat(line.len() - line.trim_start().len());
    let mut pieces = Vec::new();
    let mut rest = line;
    while columns(&rest) > width {
        let end = clipped(&rest, width).len();
        if end <= indent.len() {
            break;
        }
        let further = format!("{indent}{}", &rest[end..]);
        rest.truncate(end);
        pieces.push(std::mem::replace(&mut rest, further));
    }
    pieces.push(rest);
    pieces
}

/// Short texts in as many columns as fit, read downwards.
pub fn in_columns(texts: &[String], width: usize) -> Vec<String> {
    let widest = texts.iter().map(|text| columns(text)).max().unwrap_or(0) + GAP;
    let count = (width.saturating_add(GAP) / widest.max(1)).clamp(1, texts.len().max(1));
    let height = texts.len().div_ceil(count);
    let row = |row: usize| {
        let cells = texts.iter().skip(row).step_by(height.max(1)).map(|text| padded(text, widest));
        cells.collect::<String>().trim_end().to_string()
    };
    (0..height).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_wider_than_a_line_are_cut() {
        assert_eq!(folded("(at abcdefghijklm b)", 10), ["(at", "    abcdef", "    ghijkl", "    m", "    b)"]);
        assert_eq!(folded("格格格格格", 5), ["格格", "格格", "格"]);
        assert_eq!(folded("    ab", 4), ["    ab"]);
        assert_eq!(folded_after("12  %  ", "(at bomb room)", 14), ["12  %  (at", "    bomb room)"]);
        assert_eq!(at_most(2, folded("ab cd 12345 678", 9), 9), ["ab cd", "    1234…"]);
    }

    #[test]
    fn wide_signs_take_two_columns() {
        assert_eq!(wrapped("at", &["(格 2 1)", "(格 2 2)"], 14), ["at: (格 2 1)", "    (格 2 2)"]);
        assert_eq!(broken("格格 格格 格", 9), ["格格 格格", "    格"]);
        assert_eq!((padded("格", 3), clipped("a格格", 4), clipped("格", 1)), ("格 ".to_string(), "a格", ""));
        assert_eq!(
            (end_of("/a/long/path", 6), end_of("格格格", 4), end_of("abc", 3)),
            ("…/path".into(), "…格".into(), "abc".into())
        );
    }
}
