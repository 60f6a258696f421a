//! Languages that look like PDDL, or are in files of the same kind, and are different.

use crate::{Language, Source, Syntax, TextRange, TokenKind};

/// A language that this crate does not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The name of the language: `HDDL`.
    pub name: &'static str,
    /// The purpose of the language.
    pub what: &'static str,
    /// The place of the word that identifies it.
    pub range: TextRange,
}

/// A language with its purpose and its words, which neither PDDL nor POGDDL has.
type DialectMarks = (&'static str, &'static str, &'static [&'static str]);

const KNOWN: [DialectMarks; 3] = [
    (
        "HDDL",
        "planning with hierarchical tasks",
        &[
            ":hierarchy",
            ":method-preconditions",
            ":task",
            ":method",
            ":htn",
            ":subtasks",
            ":ordered-subtasks",
            ":ordered-tasks",
        ],
    ),
    (
        "MA-PDDL",
        "planning for several agents",
        &[":multi-agent", ":unfactored-privacy", ":factored-privacy", ":private", ":agent"],
    ),
    (
        "PPDDL",
        "planning with probabilities",
        &[":probabilistic-effects", ":rewards", ":mdp", ":goal-reward", ":goal-probability", PROBABILISTIC],
    ),
];
/// The effect of PPDDL: the only one of these words without a colon.
const PROBABILISTIC: &str = "probabilistic";
/// The kinds of definitions in a file of RDDL.
const RDDL: [&str; 3] = ["domain", "instance", "non-fluents"];
/// The words of POGDDL: a file with one of them is a game, whatever else it has.
const GAME: [&str; 2] = [":pogddl", ":gain"];

impl Dialect {
    /// The other language of a PDDL file, identified by its first word of such a language.
    pub fn of(source: &Source) -> Option<Dialect> {
        if source.language != Language::Pogddl {
            return None;
        }
        if matches!(&source.syntax, Syntax::Pddl(file) if file.places().is_some()) {
            // It was none when it was read as a whole, and edits with such words lead to that.
            return None;
        }
        if let Some(range) = rddl(&source.text) {
            return Some(Dialect { name: "RDDL", what: "planning with random variables", range });
        }
        let mut found = None;
        for (at, token) in source.tokens.iter().enumerate() {
            let is_word = token.kind == TokenKind::Word && at > 0 && source.tokens[at - 1].kind == TokenKind::Open;
            if token.kind != TokenKind::Keyword && !is_word {
                continue;
            }
            let word = &source.text[token.range.as_usize()];
            let is_in = |words: &[&str]| words.iter().any(|other| other.eq_ignore_ascii_case(word));
            if is_in(&GAME) {
                return None;
            }
            let entry = || KNOWN.iter().find(|(.., words)| is_in(words));
            if found.is_none()
                && (token.kind == TokenKind::Keyword || is_weighed(source, at))
                && let Some((name, what, _)) = entry()
            {
                found = Some(Dialect { name, what, range: token.range });
            }
        }
        found
    }
}

/// True if a word is followed by a probability, as `probabilistic` is.
fn is_weighed(source: &Source, at: usize) -> bool {
    let weighs = |kind| matches!(kind, TokenKind::Number | TokenKind::Word | TokenKind::Open);
    source.tokens.get(at + 1).is_some_and(|next| weighs(next.kind))
}

/// The first word of a text of RDDL: `domain name {`.
pub(crate) fn rddl(text: &str) -> Option<TextRange> {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    while let Some(comment) = rest.strip_prefix("//") {
        rest = comment.find(['\n', '\r']).map_or("", |end| comment[end..].trim_start());
    }
    let first = rest.split_whitespace().next()?;
    let behind = rest[first.len()..].trim_start();
    let name = behind.split(|c: char| c.is_whitespace() || c == '{').next()?;
    let is_rddl = RDDL.contains(&first) && !name.is_empty() && behind[name.len()..].trim_start().starts_with('{');
    is_rddl.then(|| TextRange::of_part(text, first))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Option<&'static str> {
        Dialect::of(&Source::parse(text, Language::Pogddl)).map(|dialect| dialect.name)
    }

    #[test]
    fn other_languages_are_known_by_their_words() {
        assert_eq!(name("(define (domain d) (:task t :parameters ()))"), Some("HDDL"));
        assert_eq!(name("(define (problem p) (:domain d) (:HTN :subtasks (and (t))))"), Some("HDDL"));
        assert_eq!(name("(define (domain d) (:predicates (:private ?a (p ?a))))"), Some("MA-PDDL"));
        assert_eq!(name("(define (domain d) (:action a :effect (probabilistic 1/2 (p))))"), Some("PPDDL"));
        assert_eq!(name("// lights\ndomain lights {\n types { x : object; };\n}"), Some("RDDL"));
    }

    #[test]
    fn games_and_plain_pddl_are_not() {
        assert_eq!(name("(define (domain d) (:requirements :pogddl :rewards))"), None);
        assert_eq!(name("(define (domain task) (:predicates (method ?agent)))"), None);
        assert_eq!(name("; domain x {\n(define (domain d))"), None);
        assert_eq!(name("domain"), None);
        assert_eq!(name("(define (domain d) (:predicates (probabilistic) (probabilistic ?x)))"), None);
    }
}
