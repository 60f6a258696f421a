//! Comments that silence a rule: `; percept: allow(rule-name, other-rule)` for the next form,
//! `; percept: allow-file(rule-name)` for the whole file.

use percept_syntax::{Language, Source, Syntax, TextRange, TokenKind};
use rustc_hash::FxHashMap;

use crate::Settings;

/// The silenced ranges of one file.
#[derive(Debug, Default)]
pub(crate) struct Suppressions<'a> {
    /// The silenced ranges of each rule, sorted by start. The second number is the furthest end so far.
    entries: FxHashMap<&'a str, Vec<(u32, u32)>>,
    /// The names in such comments, with their places.
    names: Vec<(&'a str, TextRange)>,
}

impl<'a> Suppressions<'a> {
    pub(crate) fn of(source: &'a Source) -> Self {
        let mut entries: FxHashMap<&'a str, Vec<(u32, u32)>> = FxHashMap::default();
        let mut names = Vec::new();
        let mut forms: Option<Forms> = None;
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
                false => forms.get_or_insert_with(|| Forms::new(source)).after(comment.range.end),
            };
            for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
                entries.entry(name).or_default().push((range.start, range.end));
                names.push((name, source.range_of(name)));
            }
        }
        for ranges in entries.values_mut() {
            ranges.sort_unstable();
            let mut furthest = 0;
            for (_, end) in ranges {
                furthest = furthest.max(*end);
                *end = furthest;
            }
        }
        Suppressions { entries, names }
    }

    /// Names that are not rules, each with its place. A typo there would silence nothing.
    pub(crate) fn unknown<'s>(&'s self, settings: &'s Settings) -> impl Iterator<Item = (&'a str, TextRange)> + 's {
        self.names.iter().copied().filter(|(name, _)| !settings.knows(name))
    }

    /// True if a finding of `rule` at `range` is silenced.
    pub(crate) fn silence(&self, rule: &str, range: TextRange) -> bool {
        let Some(ranges) = self.entries.get(rule) else { return false };
        let before = ranges.partition_point(|(start, _)| *start <= range.start);
        ranges[..before].last().is_some_and(|(_, end)| range.end <= *end)
    }
}

/// Finds the form after each comment, in the order of the text. In infix text that is the next statement, elsewhere the
/// next balanced parenthesis or word: a comment inside a rule silences the next literal.
struct Forms<'a> {
    source: &'a Source,
    /// In prefix text and PDDL: the start of each `(` to the end of its `)`.
    closed: FxHashMap<u32, u32>,
    /// The last token that was found. All comments in a row have the same next token.
    last: usize,
}

impl<'a> Forms<'a> {
    fn new(source: &'a Source) -> Forms<'a> {
        let mut closed = FxHashMap::default();
        let mut open = Vec::new();
        for token in source.tokens.iter().filter(|_| source.language != Language::GdlInfix) {
            match token.kind {
                TokenKind::Open => open.push(token.range.start),
                TokenKind::Close => drop(open.pop().map(|start| closed.insert(start, token.range.end))),
                _ => {}
            }
        }
        Forms { source, closed, last: 0 }
    }

    fn after(&mut self, offset: u32) -> TextRange {
        let source = self.source;
        if let (Language::GdlInfix, Syntax::Gdl(description)) = (source.language, &source.syntax) {
            let next = description.statements.partition_point(|statement| statement.range.start < offset);
            return description.statements.get(next).map_or(TextRange::at(offset), |statement| statement.range);
        }
        let next = source.tokens.partition_point(|token| token.range.start < offset);
        let from = next.max(self.last);
        let code = source.tokens[from..].iter().position(|token| token.kind != TokenKind::Comment);
        self.last = code.map_or(source.tokens.len(), |code| from + code);
        let Some(first) = source.tokens.get(self.last) else {
            return TextRange::at(source.text.len() as u32);
        };
        match first.kind {
            // A bracket that is never closed contains the rest of the text.
            TokenKind::Open => {
                let end = self.closed.get(&first.range.start).copied().unwrap_or(source.text.len() as u32);
                TextRange::new(first.range.start, end)
            }
            _ => first.range,
        }
    }
}
