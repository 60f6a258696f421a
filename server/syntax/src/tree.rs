//! tree-sitter's part: from text to a tree that always covers the whole text, and from the tree to tokens.

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

/// All tokens, comments included, in the order of the text. Walks the leaves once; where tree-sitter skipped
/// characters, the scanner says what they are.
pub(crate) fn tokens(tree: &Tree, language: Language, text: &str) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(text.len() / 4);
    let mut done = 0u32;
    let mut cursor = tree.walk();
    'walk: loop {
        if cursor.goto_first_child() {
            continue;
        }
        let node = cursor.node();
        let (start, end) = (node.start_byte() as u32, node.end_byte() as u32);
        if start > done {
            lex::scan(language, text, TextRange::new(done, start), &mut tokens);
        }
        if end > start {
            lex::scan(language, text, TextRange::new(start, end), &mut tokens);
            done = end;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                break 'walk;
            }
        }
    }
    lex::scan(language, text, TextRange::new(done, text.len() as u32), &mut tokens);
    tokens
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Pieces that matter to one language or another, and anything else.
    fn text() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
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
