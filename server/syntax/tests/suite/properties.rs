//! Properties of every text: no panic, ranges inside the text, and edits with the same result as a fresh parse.

use crate::support;
use percept_syntax::{Document, Language, Source, TextRange};
use proptest::prelude::*;

const LANGUAGES: [Language; 3] = [Language::GdlPrefix, Language::GdlInfix, Language::Pogddl];

/// Pieces of games and of other text.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[() ]{1,3}",
        2 => "[\r\n\t ]",
        3 => "[a-cX-Z0-9?:;%.,&|~<=+*\"_-]{1,4}",
        2 => prop::sample::select(vec![
            "(<= ", " :- ", " not ", "~", "(or ", "(distinct ?x ?y)", "(true (cell ?x))", "role(a)", "next(p(X)) :- true(q(X)) & ",
            "\n(init (p a))", "(define (domain d) ", "(define (problem p) (:domain d) ", "(:action a :parameters (", ":precondition (and ",
            ":effect (", "(observe (p1 ", "(:gain ?p - role 1 ", "(:types a - ", "(forall (?x - t) ", "(when ", "(:init (= (f) 1) ", "\n; c\n", "\0",
        ]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..40).prop_map(|pieces| pieces.concat())
}

/// A section of a domain, usually a correct one.
fn section() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => (0..4u8).prop_map(|n| format!(
            "(:action a{n}\n  :parameters (?x ?ÿ - t) ; (comment\r\n  :precondition (and (p ?x) (not (q ?ÿ)))\n  :effect (and (not (p ?x)) (q ?ÿ)))"
        )),
        2 => prop::sample::select(vec![
            "(:types t)", "(:predicates (p ?x - t) (q ?x - t))", "(:ACTION b :effect (observe (all (m))))", "; a comment (",
            "(:durative-action d :parameters ())", "(:action)", "(:gain ?p - role 1 (p ?p))", "(:derived (d) (p a))", "(:acton c)", "(", ")", "word",
        ]).prop_map(str::to_owned),
        1 => text(),
    ]
}

/// An edit of an author: a letter, a bracket, a line break, the beginning of a form.
fn edit() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just(String::new()),
        4 => "[a-z ()?;\r\n]",
        2 => section(),
        2 => prop::sample::select(vec![
            "\r\n", ";", "(:action x)", "(:init (p a))", "(define (domain e))", ")(define (problem p)", ":effect (p)", "))", "((", "é", "\u{feff}", "\"",
        ]).prop_map(str::to_owned),
        1 => piece(),
    ]
}

/// The length of the common beginning, up to the end of a character.
fn common(one: &str, other: &str) -> usize {
    one.chars().zip(other.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum()
}

/// The length of the common end, from the beginning of a character.
fn common_end(one: &str, other: &str) -> usize {
    one.chars().rev().zip(other.chars().rev()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum()
}

fn equal(left: &Source, right: &Source) -> Result<(), TestCaseError> {
    prop_assert_eq!(&left.text, &right.text);
    prop_assert_eq!(&left.tokens, &right.tokens);
    prop_assert_eq!(&left.syntax, &right.syntax);
    prop_assert_eq!(&left.comments, &right.comments);
    prop_assert_eq!(&left.errors, &right.errors);
    Ok(())
}

proptest! {
    #![proptest_config(support::cases())]

    #[test]
    fn every_text_is_read(text in text()) {
        for language in LANGUAGES {
            support::check_ranges(&Source::parse(text.clone(), language));
        }
    }

    #[test]
    fn every_byte_string_is_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for language in LANGUAGES {
            match Source::from_bytes(bytes.clone(), language) {
                Ok(source) => support::check_ranges(&source),
                Err(refusal) => prop_assert!(refusal.to_string().starts_with("the file ")),
            }
            support::check_ranges(&Source::parse(String::from_utf8_lossy(&bytes).into_owned(), language));
        }
    }

    #[test]
    fn edits_lead_where_a_fresh_parse_leads(
        start in text(),
        edits in prop::collection::vec((any::<u32>(), 0u32..12, piece(), any::<bool>()), 1..12),
    ) {
        for language in LANGUAGES {
            let mut document = Document::new(&start, language);
            for (at, length, insert, look) in &edits {
                let at = at % (document.rope().len_bytes() as u32 + 2);
                document.edit(TextRange::new(at, at + length), insert);
                if *look {
                    let source = document.snapshot();
                    equal(&source, &Source::parse(source.text.clone(), language))?;
                }
            }
            let source = document.snapshot();
            equal(&source, &Source::parse(source.text.clone(), language))?;
        }
    }

    #[test]
    fn edits_of_a_domain_lead_where_a_fresh_parse_leads(
        actions in prop::collection::vec(section(), 1..8),
        edits in prop::collection::vec((any::<u32>(), 0u32..3, any::<u32>(), edit(), any::<bool>()), 1..16),
    ) {
        let start = format!("(define (domain d)\n{}\n)\n", actions.join("\n"));
        let mut document = Document::new(&start, Language::Pogddl);
        let mut before = start;
        for (at, length, choice, insert, look) in &edits {
            let length = if choice % 5 == 0 { length * 40 } else { *length };
            let at = at % (document.rope().len_bytes() as u32 + 2);
            document.edit(TextRange::new(at, at + length), insert);
            if *look {
                let source = document.snapshot();
                equal(&source, &Source::parse(source.text.clone(), Language::Pogddl))?;
            }
            if choice % 3 == 0 {
                // Repairs the damage, as an author does who undoes an edit.
                let all = document.rope().to_string();
                let shared = common(&all, &before);
                let end = all.len() - common_end(&all[shared..], &before[shared..]);
                let insert = &before[shared..before.len() - (all.len() - end)];
                document.edit(TextRange::new(shared as u32, end as u32), insert);
                let source = document.snapshot();
                prop_assert_eq!(&*source.text, &before);
                equal(&source, &Source::parse(source.text.clone(), Language::Pogddl))?;
            }
            before = document.rope().to_string();
        }
        let source = document.snapshot();
        equal(&source, &Source::parse(source.text.clone(), Language::Pogddl))?;
    }

    #[test]
    fn edits_are_those_of_a_string(
        start in ".{0,20}",
        edits in prop::collection::vec((0u32..30, 0u32..30, ".{0,3}"), 1..6),
    ) {
        let mut text = start.clone();
        let mut document = Document::new(&start, Language::GdlPrefix);
        for (from, to, insert) in edits {
            let floor = |mut at: usize| {
                at = at.min(text.len());
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                at
            };
            let from_byte = floor(from as usize);
            let to_byte = floor(to as usize).max(from_byte);
            text.replace_range(from_byte..to_byte, &insert);
            document.edit(TextRange { start: from, end: to }, &insert);
        }
        prop_assert_eq!(&*document.snapshot().text, text);
    }
}
