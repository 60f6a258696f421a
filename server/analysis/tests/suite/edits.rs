//! The oracle of everything that is kept between keystrokes: after any edits, tokens, typed syntax, errors and findings
//! are those of the same text parsed from scratch, and earlier snapshots are unchanged.
//!
//! `PERCEPT_CASES` sets the number of cases of the properties.

use std::fmt::Debug;

use percept_analysis::{Settings, check, check_pddl};
use percept_syntax::{Document, Language, Source, TextRange};
use proptest::prelude::*;

const PREFIX: &str = "(role white) (role black)\n(init (cell 1 b)) ; é 😀\n(<= (legal ?r noop) (role ?r))\n\
    ; percept: allow(single-use-variable)\n(<= (next (cell ?m ?x))\n    (true (cell ?m ?y))\n    (does ?r (mark ?m))\n    (or (distinct ?m 1) (not (true (cell ?m b)))))\n\
    (<= (sees ?r (at ?m)) (role ?r) (does white (mark ?m)))\n(<= terminal (true (cell 1 x)))\n(goal white 100)\n(goal black 0)\n";

const INFIX: &str = "role(white)\nrole(black)\ninit(cell(1,b)) % é 😀\nlegal(R,noop) :- role(R)\n\
    next(cell(M,X)) :- true(cell(M,Y)) & does(R,mark(M)) & (distinct(M,1) | ~true(cell(M,b)))\nterminal :- true(cell(1,x))\n\
    goal(white,100)\ngoal(black,0)\n";

const DOMAIN: &str = "(define (domain cards) ; é 😀\n  (:requirements :typing :negative-preconditions :conditional-effects :pogddl)\n\
    \x20 (:types role card)\n  (:constants dealer - role)\n\
    \x20 (:predicates (has ?r - role ?c - card) (seen ?c - card) (turn ?r - role) (lost ?r - role))\n  (:functions (score ?r - role))\n\
    \x20 ; deals a card\n  (:action deal\n    :parameters (?r - role ?c - card)\n    :precondition (and (turn dealer) (not (seen ?c)))\n\
    \x20   :effect (and (has ?r ?c) (seen ?c)\n      (forall (?o - role) (when (has ?o ?c) (observe (?o (dealt ?c)))))))\n\
    \x20 ; percept: allow(unused-parameter)\n  (:action pass :parameters (?r - role)\n    :precondition (turn ?r) :effect (and (not (turn ?r)) (turn dealer) (observe (?r (passed)))))\n\
    \x20 (:derived (beaten ?r - role) (exists (?c - card) (and (has ?r ?c) (lost ?r))))\n\
    \x20 (:gain ?r - role (score ?r) (not (lost ?r))))\n";

const PROBLEM: &str = "(define (problem two)\r\n  (:domain cards)\r\n  (:objects ann bob - role é ace - card)\r\n\
    \x20 (:init (turn dealer) (= (score ann) 1) (= (score bob) 2))\r\n  (:goal (lost ann)))\r\n";

/// A domain for planners, of whose actions only those with new content are checked. Each is on a line of its own, so
/// that a repeated line is a repeated action.
const PLANS: &str = "(define (domain plans) ; é 😀\n(:requirements :strips :typing :negative-preconditions :action-costs)\n\
    (:types place truck)\n(:constants home - place)\n(:predicates (at ?t - truck ?p - place) (road ?a ?b - place) (open ?p - place) (seen))\n\
    (:functions (total-cost) (length ?a ?b - place))\n\
    (:action go :parameters (?t - truck ?a ?b - place) :precondition (and (at ?t ?a) (road ?a ?b)) :effect (and (at ?t ?b) (not (at ?t ?a))))\n\
    (:action drive :parameters (?x - truck ?y ?z - place) :precondition (and (at ?x ?y) (road ?y ?z)) :effect (and (at ?x ?z) (not (at ?x ?y))))\n\
    ; percept: allow(unused-parameter)\n\
    (:action ride :parameters (?t - truck ?a ?b - place) :precondition (and (at ?t ?a) (road ?a ?b)) :effect (and (at ?t ?b) (not (at ?t ?a))))\n\
    (:action toll :parameters (?a ?b - place) :precondition (road ?a ?b) :effect (and (open ?b) (increase (total-cost) (length ?a ?b))))\n\
    (:action pay :parameters (?a ?b - place) :precondition (road ?a ?b) :effect (and (open ?b) (increase (total-cost) (length ?a ?b))))\n\
    (:action look :parameters () :precondition (not (seen)) :effect (seen))\n(:action see :parameters () :precondition (not (seen)) :effect (seen))\n\
    (:action home :parameters (?t - truck) :precondition (open home) :effect (at ?t home))\n\
    (:action back :parameters (?t - truck) :precondition (open home) :effect (at ?t home))\n\
    (:action some :parameters (?t - truck) :precondition (or (seen) (open home)) :effect (when (seen) (at ?t home))))\n";

/// Texts that are typed, pasted or left over: pieces that begin, end or hide something.
const PIECES: &[&str] = &[
    "(",
    ")",
    " ",
    "\n",
    "\r\n",
    "\r",
    ";",
    "; percept: allow(unused-parameter)\n",
    "; percept: allow-file(syntax-error)\n",
    "\"",
    "?",
    ":",
    "-",
    "x",
    "é",
    "😀",
    "\u{a0}",
    "\u{feff}",
    "\0",
    "not ",
    "~",
    ".",
    "&",
    ":-",
    "<= ",
    "(<= ",
    "?x",
    "white",
    "(:action deal :parameters (?c - card) :effect (seen ?c))\n",
    "(:predicates (seen ?c))\n",
    "(:types role card)\n",
    "(define (domain cards) ",
    "(define (problem two) (:domain cards) ",
    ")))\n",
    "(role white)\n",
    "(and ",
    ":effect ",
    ":parameters (",
    "(observe (all (it ?c)))",
    "(next (cell 1 x))\n",
    "next(cell(1,x)) :- ",
    "(at ?t home) ",
    "(:action go :parameters (?t - truck) :precondition (open home) :effect (at ?t home))\n",
    "- place ",
];

/// One edit, valid in every text: its kind, its place (cut to the text), and its size or the number of a piece.
#[derive(Clone, Copy, Debug)]
struct Step {
    kind: u32,
    at: u32,
    size: u32,
}

const KINDS: u32 = 12;

/// The range that a step replaces in a text, on the borders of characters, and the new text.
fn resolve(step: Step, text: &str) -> (TextRange, String) {
    let floor = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let at = floor(step.at as usize % (text.len() + 1));
    let piece = PIECES[step.size as usize % PIECES.len()];
    let behind = |length: usize| floor(at.saturating_add(length)).max(at);
    let line_start = text[..at].rfind('\n').map_or(0, |found| found + 1);
    let line_end = text[at..].find('\n').map_or(text.len(), |found| at + found + 1);
    let some_lines = text[line_start..].match_indices('\n').nth(step.size as usize % 6);
    let lines = line_start..some_lines.map_or(text.len(), |(found, _)| line_start + found + 1);
    // The first of these characters after the place, or else in the text.
    let sign = |signs: &[char]| text[at..].find(signs).map(|found| at + found).or_else(|| text.find(signs));
    let one = |at: Option<usize>| at.map_or(0..0, |at| at..at + 1);
    let (range, insert) = match step.kind % KINDS {
        // The most frequent edits in practice: a letter more, a letter less, inside one form.
        0 | 1 => (at..at, piece.to_owned()),
        2 => (at..behind(1 + step.size as usize % 3), String::new()),
        3 => (at..behind(step.size as usize % 200), piece.to_owned()),
        4 => (one(sign(&['(', ')'])), String::new()),
        5 => (one(sign(&[';', '"', '%'])), String::new()),
        6 => (line_start..line_start, "; ".to_owned()),
        7 => (lines.clone(), String::new()),
        8 => (line_end..line_end, text[lines].to_owned()),
        9 => (line_start..line_end, text[line_start..line_end].replace("\r\n", "\n").replace('\n', "\r\n")),
        10 => (0..text.len(), text.replace("\r\n", "\n")),
        _ => {
            let word = sign(&['?', ':', '(']).unwrap_or(at) + usize::from(!text.is_empty());
            let word = floor(word);
            let end = text[word..].find([' ', ')', '(', '\n', ',']).map_or(text.len(), |found| word + found);
            (word..end, piece.to_owned())
        }
    };
    (TextRange::new(range.start as u32, range.end as u32), insert)
}

fn is_same(what: &str, kept: &impl Debug, fresh: &impl Debug, text: &str) {
    // Debug shows every field, also those that equality leaves out.
    let (kept, fresh) = (format!("{kept:?}"), format!("{fresh:?}"));
    if kept == fresh {
        return;
    }
    let differs = kept.bytes().zip(fresh.bytes()).take_while(|(a, b)| a == b).count().saturating_sub(120);
    let near = |all: &str| all.chars().skip(differs).take(400).collect::<String>();
    panic!("{what} of an edited text differ:\n   kept ...{}\n   fresh ...{}\n{text:?}", near(&kept), near(&fresh));
}

/// Asserts that everything reported about a text is the same without its history.
fn is_as_fresh(source: &Source, partner: Option<&Source>, text: &str) {
    assert_eq!(&*source.text, text, "the text itself");
    let fresh = Source::parse(text, source.language);
    is_same("tokens", &source.tokens, &fresh.tokens, text);
    is_same("comments", &source.comments, &fresh.comments, text);
    is_same("syntax", &source.syntax, &fresh.syntax, text);
    is_same("errors", &source.errors, &fresh.errors, text);
    let settings = Settings::default();
    is_same("findings", &check(source, &settings), &check(&fresh, &settings), text);
    if let Some(partner) = partner {
        let together = |domain: &Source| check_pddl(Some(domain), Some(partner), &settings);
        is_same("findings of the pair", &together(source), &together(&fresh), text);
        let swapped = |problem: &Source| check_pddl(Some(partner), Some(problem), &settings);
        is_same("findings as a problem", &swapped(source), &swapped(&fresh), text);
    }
}

/// Edits a text. Compares everything after the last step, and after the steps for which `look` returns true.
fn follow(start: &str, language: Language, partner: Option<&Source>, steps: &[Step], look: impl Fn(usize) -> bool) {
    let mut text = start.to_owned();
    let mut document = Document::new(start, language);
    let mut earlier: Vec<(Source, String)> = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        let (range, insert) = resolve(*step, &text);
        document.edit(range, &insert);
        text.replace_range(range.as_usize(), &insert);
        if look(number) || number + 1 == steps.len() {
            let source = document.snapshot();
            is_as_fresh(&source, partner, &text);
            earlier.push((source, text.clone()));
        }
    }
    // The parts that later snapshots share with these have not changed.
    for (source, text) in earlier.iter().step_by(3) {
        is_as_fresh(source, partner, text);
    }
}

fn steps() -> impl Strategy<Value = Vec<(Step, bool)>> {
    let step = (0..KINDS, any::<u32>(), 0u32..1000).prop_map(|(kind, at, size)| Step { kind, at, size });
    prop::collection::vec((step, prop::bool::weighted(0.7)), 1..16)
}

fn cases() -> ProptestConfig {
    ProptestConfig { cases: percept_test::cases(150), failure_persistence: None, ..Default::default() }
}

fn follow_all(steps: &[(Step, bool)], start: &str, language: Language, partner: Option<&Source>) {
    let (steps, looks): (Vec<Step>, Vec<bool>) = steps.iter().copied().unzip();
    follow(start, language, partner, &steps, |number| looks[number]);
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn an_edited_game_is_as_fresh(steps in steps()) {
        follow_all(&steps, PREFIX, Language::GdlPrefix, None);
        follow_all(&steps, INFIX, Language::GdlInfix, None);
    }

    #[test]
    fn an_edited_domain_is_as_fresh(steps in steps()) {
        let problem = Source::parse(PROBLEM, Language::Pogddl);
        follow_all(&steps, DOMAIN, Language::Pogddl, Some(&problem));
    }

    #[test]
    fn an_edited_problem_is_as_fresh(steps in steps()) {
        let domain = Source::parse(DOMAIN, Language::Pogddl);
        follow_all(&steps, PROBLEM, Language::Pogddl, Some(&domain));
    }

    #[test]
    fn an_edited_domain_for_planners_is_as_fresh(steps in steps()) {
        follow_all(&steps, PLANS, Language::Pogddl, None);
    }

    #[test]
    fn an_edited_file_of_both_is_as_fresh(steps in steps()) {
        follow_all(&steps, &format!("{DOMAIN}{PROBLEM}"), Language::Pogddl, None);
    }
}

#[test]
fn the_texts_are_read_and_found_sound() {
    let errors = |text: &str, language| Source::parse(text, language).errors;
    assert_eq!(errors(PREFIX, Language::GdlPrefix), []);
    assert_eq!(errors(INFIX, Language::GdlInfix), []);
    assert_eq!(errors(DOMAIN, Language::Pogddl), []);
    assert_eq!(errors(PLANS, Language::Pogddl), []);
    assert_eq!(errors(PROBLEM, Language::Pogddl), []);
}

/// Typing inside one action, letter by letter and back again: the most frequent edit of all.
#[test]
fn every_letter_typed_and_taken_back_is_as_fresh() {
    let place = DOMAIN.find("(not (seen ?c))").expect("it is there");
    let mut document = Document::new(DOMAIN, Language::Pogddl);
    let mut text = DOMAIN.to_owned();
    let typed = " (lost ?r) ; é\r\n (has dealer ace))";
    let mut at = place;
    for letter in typed.chars() {
        document.edit(TextRange::at(at as u32), letter.encode_utf8(&mut [0; 4]));
        text.insert(at, letter);
        at += letter.len_utf8();
        is_as_fresh(&document.snapshot(), None, &text);
    }
    for letter in typed.chars().rev() {
        at -= letter.len_utf8();
        document.edit(TextRange::new(at as u32, (at + letter.len_utf8()) as u32), "");
        text.remove(at);
        is_as_fresh(&document.snapshot(), None, &text);
    }
    assert_eq!(text, DOMAIN);
}

mod corpus {
    use std::path::{Path, PathBuf};

    use percept_test::{entries, folder, lossy};

    use super::*;

    fn published(corpus: &Path) -> Vec<(PathBuf, Language)> {
        let mut files = Vec::new();
        for (folder, otherwise) in [("gdl", None), ("gdl-ii", None), ("pogddl", Some(Language::Pogddl))] {
            for path in entries(corpus.join(folder)).into_iter().filter(|path| path.is_file()) {
                let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
                match (extension.as_str(), otherwise) {
                    ("kif" | "gdl", None) => files.push((path, Language::GdlPrefix)),
                    ("hrf", None) => files.push((path, Language::GdlInfix)),
                    ("pog" | "pddl", Some(language)) => files.push((path, language)),
                    _ => {}
                }
            }
        }
        files.sort_by(|a, b| a.0.cmp(&b.0));
        files
    }

    #[test]
    #[ignore = "needs PERCEPT_CORPUS"]
    fn edited_published_files_are_as_fresh() {
        let files = published(&folder("PERCEPT_CORPUS"));
        assert!(files.len() > 100, "only {} published files", files.len());
        for (number, (path, language)) in files.iter().enumerate() {
            let text = lossy(path);
            // The same numbers for the same list of files.
            let mut state = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(number as u64 + 1) | 1;
            let mut dice = move || {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 32) as u32
            };
            let steps: Vec<Step> = (0..10).map(|_| Step { kind: dice(), at: dice(), size: dice() % 1000 }).collect();
            follow(&text, *language, None, &steps, |number| number % 3 != 1);
        }
    }
}
