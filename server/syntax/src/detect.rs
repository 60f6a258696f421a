//! Which language a file is in: by its name, and where that says too little, by its content.

use std::path::Path;

use crate::{
    Language, TextRange, lex,
    token::{Token, TokenKind},
};

impl Language {
    /// The language of a file. `.hrf` is infix, `.pog` and `.pddl` are POGDDL; `.kif` and `.gdl` are GDL, prefix or
    /// infix as their text says; anything else goes by its text alone. `None` for a name and text of no game.
    pub fn detect(path: &Path, text: &str) -> Option<Language> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("").to_ascii_lowercase();
        match extension.as_str() {
            "hrf" => Some(Language::GdlInfix),
            "pog" | "pddl" => Some(Language::Pogddl),
            "kif" | "gdl" => Some(if looks_infix(text) { Language::GdlInfix } else { Language::GdlPrefix }),
            // What it is is told when it is read.
            _ if crate::pddl::rddl(text).is_some() => Some(Language::Pogddl),
            _ => by_content(text),
        }
    }
}

/// How much of a text is looked at.
const SAMPLE: usize = 64 * 1024;

fn sample(text: &str) -> &str {
    let mut end = text.len().min(SAMPLE);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// The tokens of the beginning as infix text, without comments. Infix comments include those of prefix text.
fn words(text: &str) -> Vec<Token> {
    let text = sample(text);
    let mut tokens = Vec::new();
    lex::scan(Language::GdlInfix, text, TextRange::new(0, text.len() as u32), &mut tokens);
    tokens.retain(|token| token.kind != TokenKind::Comment);
    tokens
}

/// Infix text does not begin with a bracket; prefix text begins with one, whatever mistakes follow.
fn looks_infix(text: &str) -> bool {
    let tokens = words(text);
    let applied = |pair: &[Token]| {
        pair[0].kind == TokenKind::Word && pair[1].kind == TokenKind::Open && pair[0].range.end == pair[1].range.start
    };
    match tokens.first().map(|token| token.kind) {
        None | Some(TokenKind::Open) => false,
        // A stray word before prefix text is no sign; `role(white)` and `:-` are.
        Some(_) => {
            let applied = tokens.windows(2).filter(|pair| applied(pair)).count();
            let headed =
                tokens.windows(2).filter(|pair| pair[0].kind == TokenKind::Open && starts_list(text, pair[1])).count();
            applied > headed || tokens.iter().any(|token| &text[token.range.as_usize()] == ":-")
        }
    }
}

/// A word after a `(` that begins a prefix form.
fn starts_list(text: &str, token: Token) -> bool {
    ["<=", "role", "init", "true", "does", "next", "legal", "goal", "sees", "base", "input"]
        .iter()
        .any(|word| text[token.range.as_usize()].eq_ignore_ascii_case(word))
}

fn by_content(text: &str) -> Option<Language> {
    let tokens = words(text);
    let word = |at: usize| tokens.get(at).map_or("", |token| &text[token.range.as_usize()]);
    if tokens.first()?.kind == TokenKind::Open {
        if word(1).eq_ignore_ascii_case("define") || word(1) == ":" {
            return Some(Language::Pogddl);
        }
        return tokens
            .windows(2)
            .any(|pair| pair[0].kind == TokenKind::Open && starts_list(text, pair[1]))
            .then_some(Language::GdlPrefix);
    }
    let has_rule = tokens.iter().any(|token| token.kind == TokenKind::Arrow);
    let has_role = tokens
        .windows(2)
        .any(|pair| pair[1].kind == TokenKind::Open && text[pair[0].range.as_usize()].eq_ignore_ascii_case("role"));
    (has_rule && has_role).then_some(Language::GdlInfix)
}
