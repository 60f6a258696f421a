//! Fast recognition of texts without a flood, from their bytes alone.

use crate::{Language, lex};

/// The limits of a text that is not examined token by token.
pub(super) struct Limits {
    /// The number of brackets that are open at once.
    pub depth: usize,
    /// The number of closing brackets without an opening one.
    pub lost: usize,
    /// The number of variables directly in one list.
    pub variables: u32,
    /// The number of lists directly in one list.
    pub lists: u32,
}

/// True if brackets and variables alone show that the text has no flood. Looks at each byte once and makes no tokens,
/// because nearly every real text needs no more: brackets, and the `?` of variables, begin tokens in every position
/// outside of comments and strings (in GDL a `?` may be inside a word: it is also counted). Never true for a flood;
/// false for some calm texts too, such as one with a list of very many facts.
pub(super) fn is_calm(bytes: &[u8], language: Language, limits: &Limits) -> bool {
    let has_strings = language == Language::Pogddl;
    let mut open: Vec<(u32, u32)> = Vec::new();
    let mut lost = 0;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'(' => {
                if let Some((_, lists)) = open.last_mut() {
                    *lists += 1;
                    if *lists > limits.lists {
                        return false;
                    }
                }
                open.push((0, 0));
                if open.len() > limits.depth {
                    return false;
                }
            }
            b')' => {
                lost += usize::from(open.pop().is_none());
                if lost > limits.lost {
                    return false;
                }
            }
            b'?' => {
                if let Some((variables, _)) = open.last_mut() {
                    *variables += 1;
                    if *variables > limits.variables {
                        return false;
                    }
                }
            }
            b';' => at = lex::comment(bytes, at),
            b'"' if has_strings => at = lex::string(bytes, at - 1),
            _ => {}
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{TextRange, token::TokenKind};

    /// The result of [`is_calm`], counted over the scanner's tokens.
    fn is_calm_by_tokens(language: Language, text: &str, limits: &Limits) -> bool {
        let mut tokens = Vec::new();
        lex::scan(language, text, TextRange::new(0, text.len() as u32), &mut tokens);
        let mut open = Vec::new();
        let (mut deepest, mut lost, mut variables, mut lists) = (0, 0, 0, 0);
        for token in tokens {
            match token.kind {
                TokenKind::Open => {
                    if let Some((_, inside)) = open.last_mut() {
                        *inside += 1;
                        lists = lists.max(*inside);
                    }
                    open.push((0, 0));
                    deepest = deepest.max(open.len());
                }
                TokenKind::Close => lost += usize::from(open.pop().is_none()),
                TokenKind::Variable => {
                    if let Some((inside, _)) = open.last_mut() {
                        *inside += 1;
                        variables = variables.max(*inside);
                    }
                }
                _ => {}
            }
        }
        deepest <= limits.depth && lost <= limits.lost && variables <= limits.variables && lists <= limits.lists
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        /// Uses small limits, which texts of one line reach.
        #[test]
        fn bytes_and_tokens_agree(
            text in proptest::collection::vec(prop_oneof![
                3 => "[()]{1,3}".boxed(),
                3 => prop::sample::select(vec![" ", "\r", "\n", ";", "\"", "?", ":", "a", "-", "\0"]).prop_map(str::to_owned).boxed(),
                1 => any::<char>().prop_map(String::from).boxed(),
            ], 0..40).prop_map(|pieces| pieces.concat()),
            (depth, lost, variables, lists) in (1usize..5, 0usize..4, 0u32..4, 0u32..4),
        ) {
            let limits = Limits { depth, lost, variables, lists };
            for language in [Language::GdlPrefix, Language::Pogddl] {
                let calm = is_calm(text.as_bytes(), language, &limits);
                let by_tokens = is_calm_by_tokens(language, &text, &limits);
                prop_assert!(by_tokens || !calm, "{:?}: a flood is missed", language);
                // In prefix text a `?` inside a word is also counted.
                prop_assert!(calm == by_tokens || language == Language::GdlPrefix && text.contains('?'), "{:?}", language);
            }
        }
    }
}
