//! Detection of a file's language: by its name, or by its content if the name does not decide.

use std::path::Path;

use crate::{
    Language, TextRange, lex,
    token::{Token, TokenKind},
};

impl Language {
    /// Detects the language of a file. `.hrf` is infix; `.pog` and `.pddl` are POGDDL; `.kif` and `.gdl` are GDL,
    /// prefix or infix depending on their text. Any other file is judged by its text alone. Returns `None` if neither
    /// name nor text is a game's.
    pub fn detect(path: &Path, text: &str) -> Option<Language> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("").to_ascii_lowercase();
        match extension.as_str() {
            "hrf" => Some(Language::GdlInfix),
            "pog" | "pddl" => Some(Language::Pogddl),
            "kif" | "gdl" => Some(if looks_infix(text) { Language::GdlInfix } else { Language::GdlPrefix }),
            // Reading the text reports its actual language.
            _ if crate::pddl::rddl(text).is_some() => Some(Language::Pogddl),
            _ => by_content(text),
        }
    }
}

/// The number of bytes of a text that are examined.
const SAMPLE: usize = 64 * 1024;

fn sample(text: &str) -> &str {
    let mut end = text.len().min(SAMPLE);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// The tokens of the beginning as infix text, without comments. The comment marks of infix text include those of prefix
/// text.
fn words(text: &str) -> Vec<Token> {
    let text = sample(text);
    let mut tokens = Vec::new();
    lex::scan(Language::GdlInfix, text, TextRange::new(0, text.len() as u32), &mut tokens);
    tokens.retain(|token| token.kind != TokenKind::Comment);
    tokens
}

/// True if the text looks like infix GDL: infix text does not begin with a bracket; prefix text does, even with
/// mistakes after it.
fn looks_infix(text: &str) -> bool {
    let tokens = words(text);
    let applied = |pair: &[Token]| {
        pair[0].kind == TokenKind::Word && pair[1].kind == TokenKind::Open && pair[0].range.end == pair[1].range.start
    };
    match tokens.first().map(|token| token.kind) {
        None | Some(TokenKind::Open) => false,
        // A stray word before prefix text does not make it infix; `role(white)` and `:-` do.
        Some(_) => {
            let applied = tokens.windows(2).filter(|pair| applied(pair)).count();
            let headed =
                tokens.windows(2).filter(|pair| pair[0].kind == TokenKind::Open && starts_list(text, pair[1])).count();
            applied > headed || tokens.iter().any(|token| &text[token.range.as_usize()] == ":-")
        }
    }
}

/// True for a word after a `(` that begins a prefix form.
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
