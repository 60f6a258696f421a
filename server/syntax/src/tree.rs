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
