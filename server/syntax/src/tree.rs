//! The use of tree-sitter: from text to a tree that always covers the whole text, and from the tree to tokens.

use tree_sitter::{Parser, Tree};

use crate::{Language, TextRange, lex, token::Token};

/// The grammar of a language.
pub(crate) fn grammar(language: Language) -> tree_sitter::Language {
    match language {
        Language::GdlPrefix => percept_grammar::GDL.into(),
        Language::GdlInfix => percept_grammar::GDL_INFIX.into(),
        Language::Pogddl => percept_grammar::POGDDL.into(),
    }
}

pub(crate) fn parser(language: Language) -> Parser {
    let mut parser = Parser::new();
    parser.set_language(&grammar(language)).expect("the grammars are generated for this version of tree-sitter");
    parser
}

/// All tokens, comments included, in the order of the text. Walks the leaves once; for characters that tree-sitter
/// skipped, the scanner gives the tokens.
pub(crate) fn tokens(tree: &Tree, language: Language, text: &str) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(text.len() / 4);
    walk(tree, language, text, 0, &mut tokens, &mut |_| false);
    tokens
}

/// The numbers of bytes that are equal at the beginning and the end of a text and its edited version.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unchanged {
    pub before: u32,
    pub after: u32,
    /// The length of the old text.
    pub old_length: u32,
}

impl Unchanged {
    /// All of a text that has just been read.
    pub(crate) fn all(length: usize) -> Unchanged {
        let length = length as u32;
        Unchanged { before: length, after: length, old_length: length }
    }

    /// Records an edit that left `before` bytes at the beginning and `after` bytes at the end.
    pub(crate) fn narrow(&mut self, before: u32, after: u32) {
        self.before = self.before.min(before);
        self.after = self.after.min(after);
    }
}

/// The numbers of tokens that are equal at the beginning and the end of a text and its edited version.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Same {
    pub before: usize,
    pub after: usize,
}

/// The tokens of an edited text, with the leaves of its tree.
pub(crate) fn tokens_again(
    tree: &Tree,
    language: Language,
    text: &str,
    old: &[Token],
    unchanged: Unchanged,
) -> Vec<Token> {
    again(text, old, unchanged, |from, tokens, done| walk(tree, language, text, from, tokens, done)).0
}

/// The tokens of an edited text, with the scanner.
pub(crate) fn scan_again(language: Language, text: &str, old: &[Token], unchanged: Unchanged) -> (Vec<Token>, Same) {
    again(text, old, unchanged, |mut from, tokens, done| {
        while (from as usize) < text.len() {
            let end = (from + 256).min(text.len() as u32);
            from = lex::scan(language, text, TextRange::new(from, end), tokens);
            if done(tokens) {
                return;
            }
        }
    })
}

/// A token depends only on its own characters, so the old ones before and after the edits are still valid, and only
/// those between are searched: `walk` appends those from an offset on until its last argument returns true.
fn again(
    text: &str,
    old: &[Token],
    unchanged: Unchanged,
    walk: impl FnOnce(u32, &mut Vec<Token>, &mut dyn FnMut(&mut Vec<Token>) -> bool),
) -> (Vec<Token>, Same) {
    // A token that touches the edits may have changed.
    let kept = old.partition_point(|token| token.range.end < unchanged.before);
    let mut rest = &old[old.partition_point(|token| token.range.start <= unchanged.old_length - unchanged.after)..];
    let moved = |token: &Token| {
        let shift = |at: u32| at + text.len() as u32 - unchanged.old_length;
        Token { kind: token.kind, range: TextRange::new(shift(token.range.start), shift(token.range.end)) }
    };
    let mut tokens = Vec::with_capacity(old.len() + 16);
    tokens.extend_from_slice(&old[..kept]);
    let from = tokens.last().map_or(0, |token| token.range.end);
    let mut seen = kept;
    let mut after = 0;
    walk(from, &mut tokens, &mut |tokens| {
        // Done if a token begins at the place of an old one after the edits: from there on all are equal.
        while seen < tokens.len() {
            let start = tokens[seen].range.start;
            while rest.first().is_some_and(|token| moved(token).range.start < start) {
                rest = &rest[1..];
            }
            if rest.first().is_some_and(|token| moved(token).range.start == start) {
                tokens.truncate(seen);
                after = rest.len();
                tokens.extend(rest.iter().map(moved));
                return true;
            }
            seen += 1;
        }
        false
    });
    (tokens, Same { before: kept, after })
}

/// Appends the tokens from the offset `from`, which must not be inside a token, until `done` returns true.
fn walk(
    tree: &Tree,
    language: Language,
    text: &str,
    from: u32,
    tokens: &mut Vec<Token>,
    done: &mut dyn FnMut(&mut Vec<Token>) -> bool,
) {
    let mut at = from;
    let mut cursor = tree.walk();
    let mut is_seeking = from > 0;
    'walk: loop {
        let is_inside = match is_seeking {
            true => cursor.goto_first_child_for_byte(from as usize).is_some(),
            false => cursor.goto_first_child(),
        };
        if is_inside {
            continue;
        }
        is_seeking = false;
        let node = cursor.node();
        let (start, end) = (node.start_byte() as u32, node.end_byte() as u32);
        if start > at {
            at = lex::scan(language, text, TextRange::new(at, start), tokens);
        }
        if end > at {
            at = lex::scan(language, text, TextRange::new(at, end), tokens);
            if done(tokens) {
                return;
            }
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                break 'walk;
            }
        }
    }
    lex::scan(language, text, TextRange::new(at, text.len() as u32), tokens);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Pieces that matter in one of the languages, and arbitrary text.
    fn text() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            "(or|nothing|order|NOT|-1|1a|<=|:-){1,2}",
            "[()]{1,3}",
            "[ \t\r\n]",
            "[a-zA-Z0-9?:;%.,&|~<=>+*\"'_-]{1,4}",
            Just("not".to_owned()),
            Just("(<= ".to_owned()),
            Just(" :- ".to_owned()),
            Just("(:action ".to_owned()),
            any::<char>().prop_map(String::from),
        ];
        proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn leaves_and_scanner_agree(text in text()) {
            for language in [Language::GdlPrefix, Language::GdlInfix, Language::Pogddl] {
                let tree = parser(language).parse(&text, None).unwrap();
                let mut scanned = Vec::new();
                lex::scan(language, &text, TextRange::new(0, text.len() as u32), &mut scanned);
                prop_assert_eq!(&tokens(&tree, language, &text), &scanned, "{:?}", language);
            }
        }
    }
}
