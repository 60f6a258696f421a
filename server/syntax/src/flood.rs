//! Texts that are no game's, told before anything is built for their brackets.
//!
//! A tree, tokens and lists for ten million `(` take gigabytes, and nobody reads what is said about them. One pass over the
//! bytes finds out whether brackets are nested far deeper than anything reads them, or closed thousands of times without
//! having been opened, and whether one list has more variables, or declares more, than any description of a game.

use crate::{Language, TextRange, lex, token::TokenKind};

/// Brackets nested deeper, or closed more often than they were opened: no author's slip does that.
const MOST: usize = 10_000;
/// Variables in one list: no move has so many parameters.
const MOST_VARIABLES: u32 = 10_000;
/// Predicates or functions declared in one section, so many that they can only have been made to do harm. (The largest
/// published domains have some thousands.)
const MOST_DECLARED: u32 = 100_000;

/// What stands directly in an open list.
#[derive(Default)]
struct List {
    variables: u32,
    lists: u32,
    declares: bool,
}

/// The place and kind of such a flood; `None` for nearly every text.
pub(crate) fn find(language: Language, text: &str) -> Option<(TextRange, String)> {
    // Cheap for every real text: so few brackets and variables cannot flood anything.
    let count = |wanted: u8| text.bytes().filter(|byte| *byte == wanted).count();
    let variables = match language {
        Language::GdlInfix => text.len(),
        _ => count(b'?'),
    };
    if count(b'(') <= MOST && count(b')') <= MOST && variables <= MOST_VARIABLES as usize {
        return None;
    }
    if language != Language::GdlInfix && is_calm(text.as_bytes(), language, &Limits::REAL) {
        return None;
    }
    search(language, text)
}

/// What a text may have before it is looked at token by token.
struct Limits {
    depth: usize,
    lost: usize,
    variables: u32,
    lists: u32,
}

impl Limits {
    const REAL: Limits = Limits { depth: MOST, lost: MOST, variables: MOST_VARIABLES, lists: MOST_DECLARED };
}

/// Whether brackets and variables alone show that there is no flood. One look at each byte and no tokens, since every real
/// text ends here: brackets, and the `?` of variables, begin tokens wherever they stand outside of comments and strings (in GDL a
/// `?` may be inside a word: it is counted too). Never true of a flood; false also of some calm texts, such as one with a list of
/// very many facts.
fn is_calm(bytes: &[u8], language: Language, limits: &Limits) -> bool {
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

/// The same token by token.
fn search(language: Language, text: &str) -> Option<(TextRange, String)> {
    let mut open: Vec<List> = Vec::new();
    let mut lost = 0;
    let mut tokens = Vec::new();
    let mut at = 0;
    while (at as usize) < text.len() {
        tokens.clear();
        // A piece at a time, so that the tokens of the whole text are never held.
        let end = (at + 4096).min(text.len() as u32);
        at = lex::scan(language, text, TextRange::new(at, end), &mut tokens);
        for token in &tokens {
            let found = match token.kind {
                TokenKind::Open => {
                    let around = open.last_mut();
                    let declared = around.map_or(0, |list| {
                        list.lists += 1;
                        if list.declares { list.lists } else { 0 }
                    });
                    open.push(List::default());
                    match () {
                        () if open.len() > MOST => format!("brackets are nested more than {MOST} deep here"),
                        () if declared > MOST_DECLARED => {
                            format!("more than {MOST_DECLARED} names are declared in one section up to here")
                        }
                        () => continue,
                    }
                }
                TokenKind::Close => {
                    lost += usize::from(open.pop().is_none());
                    if lost <= MOST {
                        continue;
                    }
                    format!("more than {MOST} `)` up to here close nothing")
                }
                TokenKind::Variable => {
                    let Some(list) = open.last_mut() else { continue };
                    list.variables += 1;
                    if list.variables <= MOST_VARIABLES {
                        continue;
                    }
                    format!("more than {MOST_VARIABLES} variables stand in one list up to here")
                }
                TokenKind::Keyword => {
                    let word = &text[token.range.as_usize()];
                    if let Some(list) = open.last_mut() {
                        list.declares |= [":predicates", ":functions"].iter().any(|it| word.eq_ignore_ascii_case(it));
                    }
                    continue;
                }
                _ => continue,
            };
            return Some((token.range, format!("{found}: nothing is read")));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What [`is_calm`] says, counted over the scanner's tokens.
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
        /// Small limits, so that texts of a line reach them.
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
                // In prefix text a `?` inside a word is counted as well.
                prop_assert!(calm == by_tokens || language == Language::GdlPrefix && text.contains('?'), "{:?}", language);
            }
        }
    }

    #[test]
    fn a_section_that_declares_without_end_is_told() {
        let at = |head: &str, parts: usize| find(Language::Pogddl, &format!("({head} {})", "(p)".repeat(parts)));
        let most = MOST_DECLARED as usize;
        assert_eq!(at(":predicates", most), None);
        let place = ":predicates".len() + 2 + 3 * most;
        assert_eq!(at(":predicates", most + 1).map(|(range, _)| range.start as usize), Some(place));
        // Facts may be many.
        assert_eq!(at(":init", most + 1), None);
    }

    #[test]
    fn floods_are_told_at_their_place() {
        for language in [Language::GdlPrefix, Language::GdlInfix, Language::Pogddl] {
            let at = |text: &str| find(language, text).map(|(range, _)| range.start as usize);
            assert_eq!(at(&"(".repeat(MOST)), None);
            assert_eq!(at(&"(".repeat(MOST + 1)), Some(MOST));
            assert_eq!(at(&")".repeat(MOST + 1)), Some(MOST));
            assert_eq!(at(&"(a)".repeat(3 * MOST)), None);
            // Variables in lists of their own, and in one.
            assert_eq!(at(&"(a ?x)".repeat(3 * MOST)), None);
            assert_eq!(at(&format!("(a {})", "?x ".repeat(MOST))), None);
            assert_eq!(at(&format!("(a {})", "?x ".repeat(MOST + 1))), Some(3 + 3 * MOST));
            // What a comment holds is no bracket.
            assert_eq!(at(&format!(";{}\n(a)", "(".repeat(3 * MOST))), None);
        }
    }
}
