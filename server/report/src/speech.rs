//! The words of moves, fluents and percepts, as a person says them.
//!
//! In: the comments of a game's texts, `; percept: say (mark ?m ?n) "mark row ?m, column ?n"`, and a term. Out: its
//! [`words`](Speech::words): those of the first comment that fits, else the term without brackets, `mark 2 3`. Terms
//! within a term have their own words. The words of a percept may depend on its role: `; percept: say (sees ?r (taken
//! ?m)) "?m is taken"`; else it has the words that a move or a fluent of this form has. All pages and messages for people use this; programs get the terms, and a
//! [`Phrases`] beside them.

use std::collections::BTreeMap;

use percept_analysis::ide::sayings::{Part, Pattern, SEES, saying};
use percept_game::Term;
use percept_syntax::Source;
use rustc_hash::FxHashMap;

use crate::clean::clean;

/// Terms with the words that comments give them. Terms without such words are left out.
pub type Phrases = BTreeMap<String, String>;

/// The name of a role's percept among [`Phrases`], if its words come from a comment about percepts.
fn percept_name(role: &str, percept: &str) -> String {
    format!("({SEES} {role} {percept})")
}

/// The given words of a role's percept, else the percept itself.
pub fn phrase_of_percept<'a>(says: &'a Phrases, role: &str, percept: &'a str) -> &'a str {
    match says.is_empty() {
        true => percept,
        false => says.get(&percept_name(role, percept)).map_or_else(|| phrase(says, percept), String::as_str),
    }
}

/// The given words of a term, else the term itself.
pub fn phrase<'a>(says: &'a Phrases, term: &'a str) -> &'a str {
    says.get(term).map_or(term, String::as_str)
}

/// Words in a row, as in a sentence; words that have a comma of their own are set apart by semicolons.
pub fn joined(words: &[String]) -> String {
    words.join(separator(words))
}

/// Percepts or moves on a line: terms and single words with blanks between them, else words in a row.
pub fn row(words: &[String]) -> String {
    if words.iter().all(|it| is_single(it)) { words.join(" ") } else { joined(words) }
}

/// Words for lines that are filled one after the other: each but the last is followed by a comma, unless all are terms
/// or single words.
pub fn apart(mut words: Vec<String>) -> Vec<String> {
    let sign = separator(&words).trim_end();
    if !words.iter().all(|it| is_single(it)) {
        let last = words.len() - 1;
        words[..last].iter_mut().for_each(|it| it.push_str(sign));
    }
    words
}

/// True for a term and for a single word.
fn is_single(words: &str) -> bool {
    words.starts_with('(') || !words.contains(' ')
}

fn separator(words: &[String]) -> &'static str {
    if words.iter().any(|it| it.contains(',')) { "; " } else { ", " }
}

/// The words of a game's terms.
#[derive(Clone, Debug, Default)]
pub struct Speech {
    /// In the order of the texts, by the lower-case functor.
    sayings: FxHashMap<String, Vec<Words>>,
}

/// The words of the terms that fit a form.
#[derive(Clone, Debug)]
struct Words {
    form: Form,
    is_of_percept: bool,
    parts: Vec<Piece>,
}

/// A pattern that owns its names, which are in lower case.
#[derive(Clone, Debug)]
enum Form {
    Variable(String),
    Word(String),
    List(String, Vec<Form>),
}

#[derive(Clone, Debug)]
enum Piece {
    Text(String),
    Variable(String),
}

impl Speech {
    /// The words that the comments of some texts give. A comment with a mistake gives none.
    pub fn of(sources: &[&Source]) -> Speech {
        let mut speech = Speech::default();
        // The two halves of a game may be one text.
        let mut read: Vec<&str> = Vec::new();
        for source in sources {
            if read.iter().any(|text| std::ptr::eq(*text, &*source.text)) {
                continue;
            }
            read.push(&source.text);
            for saying in source.comment_texts().filter_map(|comment| saying(comment)?.ok()) {
                let parts = saying.parts.iter().map(piece).collect();
                let is_of_percept = saying.pattern.percept().is_some();
                let words = Words { form: form(&saying.pattern), is_of_percept, parts };
                speech.sayings.entry(saying.pattern.head().to_ascii_lowercase()).or_default().push(words);
            }
        }
        speech
    }

    /// True if no comment gives words.
    pub fn is_empty(&self) -> bool {
        self.sayings.is_empty()
    }

    /// The words of a term.
    pub fn words(&self, term: &Term) -> String {
        self.spoken(term).0
    }

    /// The words of a term if a comment gives them to it, or to a part of it; else `None`.
    pub fn given(&self, term: &Term) -> Option<String> {
        if self.is_empty() {
            return None;
        }
        let (words, is_given) = self.spoken(term);
        is_given.then_some(words)
    }

    /// The given words of a term, else the term as the rules write it: for a person who may type it back.
    pub fn shown(&self, term: &Term) -> String {
        self.given(term).unwrap_or_else(|| term.to_string())
    }

    /// The given words of a text that is a term, else the text itself.
    pub fn phrase(&self, term: &str) -> String {
        self.said_of(term).unwrap_or_else(|| term.to_owned())
    }

    /// The given words of a role's percept, else the percept itself.
    pub fn percept(&self, role: &str, percept: &str) -> String {
        self.of_percept(role, percept).unwrap_or_else(|| self.phrase(percept))
    }

    /// The words of a comment about percepts, if one fits.
    fn of_percept(&self, role: &str, percept: &str) -> Option<String> {
        let all = self.sayings.get(SEES)?;
        let term = Term::list(SEES, [Term::word(role), percept.parse().ok()?]);
        all.iter().filter(|words| words.is_of_percept).find_map(|words| self.said_by(words, &term))
    }

    /// The given words of moves to choose from, each with the term behind its words if another one has the same words;
    /// `None` for a term without given words.
    fn choices(&self, moves: &[Term]) -> Vec<Option<String>> {
        let all: Vec<(String, bool)> = moves.iter().map(|term| self.spoken(term)).collect();
        let mut count: FxHashMap<&str, usize> = FxHashMap::default();
        all.iter().for_each(|(words, _)| *count.entry(words).or_default() += 1);
        let choice = |(term, (words, is_given)): (&Term, &(String, bool))| match count[words.as_str()] {
            1 => is_given.then(|| words.clone()),
            _ => Some(format!("{words} {term}")),
        };
        moves.iter().zip(&all).map(choice).collect()
    }

    /// Moves to choose from, in given words or as terms; no two are the same.
    pub fn listed(&self, moves: &[Term]) -> Vec<String> {
        match self.is_empty() {
            true => moves.iter().map(Term::to_string).collect(),
            false => self
                .choices(moves)
                .into_iter()
                .zip(moves)
                .map(|(it, mv)| it.unwrap_or_else(|| mv.to_string()))
                .collect(),
        }
    }

    /// Adds the given words of moves to choose from.
    pub fn say_choices<'a>(&self, phrases: &mut Phrases, moves: impl IntoIterator<Item = &'a str>) {
        let moves: Vec<Term> = moves.into_iter().filter_map(|it| it.parse().ok()).collect();
        let choices = self.choices(&moves);
        phrases.extend(choices.into_iter().zip(&moves).filter_map(|(it, mv)| Some((mv.to_string(), it?))));
    }

    /// Adds the given words of other terms, such as moves that were made and percepts.
    pub fn say<'a>(&self, phrases: &mut Phrases, terms: impl IntoIterator<Item = &'a str>) {
        if self.is_empty() {
            return;
        }
        for term in terms {
            if !phrases.contains_key(term)
                && let Some(words) = self.said_of(term)
            {
                phrases.insert(term.to_owned(), words);
            }
        }
    }

    /// Like [`say`](Speech::say), for percepts of a role.
    pub fn say_percepts<'a>(&self, phrases: &mut Phrases, role: &str, percepts: impl IntoIterator<Item = &'a str>) {
        if self.is_empty() {
            return;
        }
        for percept in percepts {
            let name = percept_name(role, percept);
            match self.of_percept(role, percept).filter(|_| !phrases.contains_key(&name)) {
                Some(words) => _ = phrases.insert(name, words),
                None => self.say(phrases, [percept]),
            }
        }
    }

    /// Like [`say`](Speech::say), for terms that are read already.
    pub fn say_terms<'a>(&self, phrases: &mut Phrases, terms: impl IntoIterator<Item = &'a Term>) {
        if !self.is_empty() {
            for (term, words) in terms.into_iter().filter_map(|term| Some((term.to_string(), self.given(term)?))) {
                phrases.entry(term).or_insert(words);
            }
        }
    }

    fn said_of(&self, term: &str) -> Option<String> {
        if self.is_empty() { None } else { self.given(&term.parse().ok()?) }
    }

    /// The words, and true if a comment gave some of them.
    fn spoken(&self, term: &Term) -> (String, bool) {
        let all = self.sayings.get(&term.head().to_ascii_lowercase());
        if let Some(words) = all.into_iter().flatten().find_map(|words| self.said_by(words, term)) {
            return (words, true);
        }
        if let Some((number, value)) = term.as_value() {
            let (words, is_given) = self.spoken(number);
            return (format!("{words} = {value}"), is_given);
        }
        let (mut words, mut is_given) = (term.head().to_owned(), false);
        for arg in term.args() {
            let (inner, is_said) = self.spoken(arg);
            words = format!("{words} {inner}");
            is_given |= is_said;
        }
        (words, is_given)
    }

    /// The words for a term that fits their form.
    fn said_by(&self, words: &Words, term: &Term) -> Option<String> {
        let mut values = Vec::new();
        fits(&words.form, term, &mut values).then(|| self.filled(&words.parts, &values))
    }

    fn filled(&self, parts: &[Piece], values: &[(&str, &Term)]) -> String {
        let part = |part: &Piece| match part {
            Piece::Text(text) => text.clone(),
            Piece::Variable(name) => {
                values.iter().find(|(it, _)| it == name).map_or(String::new(), |(_, term)| self.words(term))
            }
        };
        let words: String = parts.iter().map(part).collect();
        words.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

fn form(pattern: &Pattern<'_>) -> Form {
    match pattern {
        Pattern::Variable(name) => Form::Variable(name.to_ascii_lowercase()),
        Pattern::Word(name) => Form::Word(name.to_ascii_lowercase()),
        Pattern::List(head, args) => Form::List(head.to_ascii_lowercase(), args.iter().map(form).collect()),
    }
}

fn piece(part: &Part<'_>) -> Piece {
    match part {
        Part::Text(text) => Piece::Text(clean(text)),
        Part::Variable(name) => Piece::Variable(name.to_ascii_lowercase()),
    }
}

/// True if the term has this form; `values` gets the values of its variables, each the same wherever it stands.
fn fits<'a>(form: &'a Form, term: &'a Term, values: &mut Vec<(&'a str, &'a Term)>) -> bool {
    match form {
        Form::Variable(name) => match values.iter().find(|(it, _)| it == name) {
            Some((_, value)) => *value == term,
            None => {
                values.push((name, term));
                true
            }
        },
        Form::Word(word) => !term.is_list() && term.head().eq_ignore_ascii_case(word),
        Form::List(head, args) => {
            let is_like = term.is_list() && term.head().eq_ignore_ascii_case(head) && term.args().len() == args.len();
            is_like && args.iter().zip(term.args()).all(|(form, arg)| fits(form, arg, values))
        }
    }
}

#[cfg(test)]
mod tests {
    use percept_syntax::Language;

    use super::*;

    const COMMENTS: &str = r#"
; percept: say (mark ?m ?n) "mark row ?m, column ?n"
; percept: say (move ?from ?to) "from ?from to ?to"
; percept: say (cell 1 ?n) "?n in the first row"
; percept: say (twin ?x ?x) "two of ?x"
; percept: say (left ?p) "left for ?p"
; percept: say noop "wait"
; percept: say (broken ?x) "?y"
"#;

    fn speech() -> Speech {
        Speech::of(&[&Source::parse(COMMENTS, Language::GdlPrefix)])
    }

    fn words(term: &str) -> String {
        speech().words(&term.parse().expect("a term"))
    }

    #[test]
    fn the_first_comment_that_fits_gives_the_words() {
        assert_eq!(words("(mark 2 3)"), "mark row 2, column 3");
        assert_eq!(words("(MARK 2 3)"), "mark row 2, column 3");
        assert_eq!(words("(move (cell 1 2) (cell 3 4))"), "from 2 in the first row to cell 3 4");
        assert_eq!((words("(twin a a)"), words("(twin a b)")), ("two of a".into(), "twin a b".into()));
        assert_eq!(words("(= (left ann) 3)"), "left for ann = 3");
        assert_eq!(
            (words("noop"), words("(noop)"), words("(broken 1)")),
            ("wait".into(), "noop".into(), "broken 1".into())
        );
    }

    #[test]
    fn only_given_words_stand_beside_terms() {
        let mut phrases = Phrases::new();
        speech().say(&mut phrases, ["(mark 1 2)", "(drop 3)", "(seen (mark 1 1))"]);
        let expected = [("(mark 1 2)", "mark row 1, column 2"), ("(seen (mark 1 1))", "seen mark row 1, column 1")];
        assert_eq!(phrases, expected.map(|(term, words)| (term.to_owned(), words.to_owned())).into());
        assert_eq!(speech().phrase("(drop 3)"), "(drop 3)");
    }

    #[test]
    fn a_percept_has_words_for_each_role() {
        let comments = "; percept: say (sees white (bad ?m)) \"you lost your turn at ?m\"
; percept: say (sees ?r (bad ?m)) \"?r failed at ?m\"
; percept: say (sees ?r ?p) \"?r knows ?p\"
; percept: say (bad ?m) \"move ?m\"
; percept: say white \"White\"";
        let speech = Speech::of(&[&Source::parse(comments, Language::GdlPrefix)]);
        let all = [("white", "(bad 1)"), ("black", "(bad 1)"), ("white", "(good 1)"), ("white", "(twin white)")];
        let words = ["you lost your turn at 1", "black failed at 1", "(good 1)", "twin White"];
        assert_eq!(all.map(|(role, percept)| speech.percept(role, percept)), words);
        // A move of the same form has its own words.
        assert_eq!(speech.phrase("(bad 1)"), "move 1");
        let mut phrases = Phrases::new();
        speech.say(&mut phrases, ["(bad 1)"]);
        all.iter().for_each(|(role, percept)| speech.say_percepts(&mut phrases, role, [*percept]));
        assert_eq!(all.map(|(role, percept)| phrase_of_percept(&phrases, role, percept)), words);
        assert_eq!(phrase(&phrases, "(bad 1)"), "move 1");
    }

    #[test]
    fn choices_with_the_same_words_have_their_terms() {
        let speech = Speech::of(&[&Source::parse("; percept: say (raise ?n) \"raise\"", Language::GdlPrefix)]);
        let moves = ["(raise 1)", "(raise 2)", "(f (a b))", "(f a b)", "fold"].map(|it| it.parse().expect("a term"));
        let listed = speech.listed(&moves);
        assert_eq!(listed, ["raise (raise 1)", "raise (raise 2)", "f a b (f (a b))", "f a b (f a b)", "fold"]);
    }

    #[test]
    fn words_in_a_row_stay_apart() {
        let owned = |words: &[&str]| -> Vec<String> { words.iter().map(|&it| it.to_owned()).collect() };
        assert_eq!(joined(&owned(&["wait", "go north"])), "wait, go north");
        assert_eq!(joined(&owned(&["row 1, column 2", "wait"])), "row 1, column 2; wait");
        assert_eq!(apart(owned(&["row 1, column 2", "wait"])), ["row 1, column 2;", "wait"]);
        assert_eq!(apart(owned(&["go north", "wait"])), ["go north,", "wait"]);
        assert_eq!(apart(owned(&["(go north)", "wait"])), ["(go north)", "wait"]);
        assert!(apart(Vec::new()).is_empty());
    }
}
