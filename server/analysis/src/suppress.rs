//! Comments that silence a rule: `; percept: allow(rule-name, other-rule)` for the next form,
//! `; percept: allow-file(rule-name)` for the whole file.

use percept_syntax::{Language, Source, Syntax, TextRange};

use crate::Settings;

/// The silenced places of one file.
#[derive(Debug, Default)]
pub struct Suppressions<'a> {
    entries: Vec<(&'a str, TextRange)>,
    /// Names in such comments with their places.
    names: Vec<(&'a str, TextRange)>,
}

impl<'a> Suppressions<'a> {
    pub fn of(source: &'a Source) -> Self {
        let mut entries = Vec::new();
        let mut names = Vec::new();
        for comment in &source.comments {
            let Some(text) = source.text.get(comment.range.as_usize()) else { continue };
            let Some(at) = text.find("percept:") else { continue };
            let order = text[at + "percept:".len()..].trim_start();
            let (list, whole_file) = match (order.strip_prefix("allow("), order.strip_prefix("allow-file(")) {
                (Some(list), _) => (list, false),
                (_, Some(list)) => (list, true),
                _ => continue,
            };
            let Some((list, _)) = list.split_once(')') else { continue };
            let range = match whole_file {
                true => TextRange::new(0, source.text.len() as u32),
                false => next_form(source, comment.range.end),
            };
            for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
                entries.push((name, range));
                // Both are parts of one text.
                let start = (name.as_ptr() as usize - source.text.as_ptr() as usize) as u32;
                names.push((name, TextRange::new(start, start + name.len() as u32)));
            }
        }
        Suppressions { entries, names }
    }

    /// Names that are no rules, each at its place: a slip there would silence nothing.
    pub fn unknown<'s>(&'s self, settings: &'s Settings) -> impl Iterator<Item = (&'a str, TextRange)> + 's {
        self.names.iter().copied().filter(|(name, _)| !settings.knows(name))
    }

    /// Whether a finding of `rule` at `range` is silenced.
    pub fn silence(&self, rule: &str, range: TextRange) -> bool {
        self.entries.iter().any(|(name, form)| *name == rule && form.contains_range(range))
    }
}

/// The form that begins first after `offset`: in infix text the next statement, elsewhere the next balanced
/// parenthesis or word, so that a comment inside a rule silences the next literal.
fn next_form(source: &Source, offset: u32) -> TextRange {
    if let (Language::GdlInfix, Syntax::Gdl(description)) = (source.language, &source.syntax) {
        let next = description.statements.iter().find(|statement| statement.range.start >= offset);
        return next.map_or(TextRange::at(offset), |statement| statement.range);
    }
    let bytes = source.text.as_bytes();
    let mut at = offset as usize;
    let mut start = None;
    let mut depth = 0_u32;
    while at < bytes.len() {
        match bytes[at] {
            b';' => {
                while at < bytes.len() && bytes[at] != b'\n' {
                    at += 1;
                }
                if depth == 0 && start.is_some() {
                    break;
                }
            }
            b'(' => {
                start.get_or_insert(at);
                depth += 1;
                at += 1;
            }
            b')' => {
                depth = depth.saturating_sub(1);
                at += 1;
                if depth == 0 {
                    break;
                }
            }
            byte if byte.is_ascii_whitespace() && depth == 0 && start.is_some() => break,
            byte => {
                if !byte.is_ascii_whitespace() {
                    start.get_or_insert(at);
                }
                at += 1;
            }
        }
    }
    TextRange::new(start.unwrap_or(at) as u32, at as u32)
}
