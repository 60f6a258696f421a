//! Tests of the formatter: examples, and properties of every text.

use expect_test::{Expect, expect};
use percept_syntax::{
    Language, Source, Syntax, TextRange, TokenKind,
    format::{Options, apply, edits, format, format_range},
};
use proptest::prelude::*;

use crate::support;

fn formats(language: Language, text: &str, expected: Expect) {
    let source = Source::parse(text, language);
    let formatted = format(&source, &Options { width: 60, ..Options::default() });
    expected.assert_eq(&formatted);
    check(&source, &Options { width: 60, ..Options::default() }).unwrap();
}

/// Tokens without their places; trailing space of a comment is white space.
fn tokens(source: &Source) -> Vec<(TokenKind, &str)> {
    source.tokens.iter().map(|token| (token.kind, source.text[token.range.as_usize()].trim_end())).collect()
}

fn meaning(source: &Source) -> String {
    match &source.syntax {
        Syntax::Gdl(_) => support::statements(source),
        Syntax::Pddl(_) => support::shape(source),
    }
}

/// Checks that no token changes, the meaning is the same, and formatting is idempotent.
fn check(source: &Source, options: &Options) -> Result<(), String> {
    let once = Source::parse(format(source, options), source.language);
    if tokens(source) != tokens(&once) {
        return Err(format!("tokens change:\n{}\n---\n{}", source.text, once.text));
    }
    if source.errors.is_empty() && (!once.errors.is_empty() || meaning(source) != meaning(&once)) {
        return Err(format!("the meaning changes:\n{}\n---\n{}", source.text, once.text));
    }
    let twice = format(&once, options);
    if *once.text != *twice {
        return Err(format!("a second time changes it:\n{}\n--- once\n{}\n--- twice\n{twice}", source.text, once.text));
    }
    Ok(())
}

#[test]
fn prefix() {
    formats(
        Language::GdlPrefix,
        ";; a game   \n\n\n\n(role   white)(role black) ; two\n  (<=\n (next ?x)\n(true   ?x)\n   ; why\n (or (a)\n(b ?x) )\n)\n(<= (legal ?player (move ?from ?to)) (true (control ?player)) (distinct ?from ?to) (not (blocked ?from ?to)))(<= terminal open)\nopen",
        expect![[r#"
            ;; a game

            (role white) (role black) ; two
            (<= (next ?x)
                (true ?x)
                ; why
                (or (a)
                    (b ?x)))
            (<= (legal ?player (move ?from ?to))
                (true (control ?player))
                (distinct ?from ?to)
                (not (blocked ?from ?to)))
            (<= terminal open)
            open
        "#]],
    );
}

#[test]
fn infix() {
    formats(
        Language::GdlInfix,
        "%% a game  \nrole( white )   role(black).\nlegal(P,mark(X ,Y)):-\n true(cell(X,Y,b))&~ blocked ( X,Y )\n  &not(a)|\\+b % why\n\n\nnext(cell(X,Y,M)) :- does(P,mark(X,Y)) & true(cell(X,Y,b)) & marker(P,M) & distinct(X,Y)\nterminal<=open .",
        expect![[r#"
            %% a game
            role(white) role(black).
            legal(P, mark(X, Y)) :-
                true(cell(X, Y, b)) & ~blocked(X, Y)
                & not(a) | \+ b % why

            next(cell(X, Y, M)) :-
                does(P, mark(X, Y)) &
                true(cell(X, Y, b)) &
                marker(P, M) &
                distinct(X, Y)
            terminal <= open.
        "#]],
    );
}

#[test]
fn pddl() {
    formats(
        Language::Pogddl,
        "(define (domain d)\n(:requirements :typing\n:pogddl)   (:types a b -c)\n(:predicates (p ?x) ; one\n (q ?x -a ?y)\n)\n(:action go :parameters (?x - a ?y - b) :precondition (and (p ?x) (not (q ?x ?y))) :effect (observe (all (m ?x))))\n(:action stay\n:parameters ()\n:effect\n(and (p a)\n(q a b)\n))\n)",
        expect![[r#"
            (define (domain d)
            (:requirements :typing
                :pogddl)
            (:types a b - c)
            (:predicates (p ?x) ; one
                (q ?x - a ?y)
            )
            (:action go
                :parameters (?x - a ?y - b)
                :precondition (and (p ?x) (not (q ?x ?y)))
                :effect (observe (all (m ?x))))
            (:action stay
                :parameters ()
                :effect
                    (and (p a)
                         (q a b)))
            )
        "#]],
    );
}

#[test]
fn sections_go_where_the_author_has_them() {
    formats(
        Language::Pogddl,
        "(define (domain d)\n  (:types a)\n    (:constants b\n c - a))",
        expect![[r#"
        (define (domain d)
            (:types a)
            (:constants b
                c - a))
    "#]],
    );
}

#[test]
fn broken_forms_are_left_alone() {
    formats(
        Language::GdlPrefix,
        "(a   b)\n(<= (c   d)\n  (e\n(<= (f   g)   h)\n(i   j)",
        expect![[r#"
            (a b)
            (<= (c   d)
              (e
            (<= (f   g)   h)
            (i   j)
        "#]],
    );
    formats(
        Language::GdlInfix,
        "a(b ,c)\nd(e :-  f\ng :-h&i",
        expect![[r#"
            a(b, c)
            d(e :-  f
            g :-h&i
        "#]],
    );
}

#[test]
fn a_range_changes_only_what_touches_it() {
    let text = "(a   b)\n(c   d)\n(e   f)\n";
    let source = Source::parse(text, Language::GdlPrefix);
    let edits = format_range(&source, TextRange::new(9, 14), &Options::default());
    assert_eq!(apply(text, &edits), "(a   b)\n(c d)\n(e   f)\n");
    assert_eq!(edits.len(), 1);
}

#[test]
fn line_ends_and_tabs() {
    let source = Source::parse("(<= a\r\nb)\r\n", Language::GdlPrefix);
    assert_eq!(format(&source, &Options { tabs: true, ..Options::default() }), "(<= a\r\n\tb)\r\n");
    assert_eq!(format(&Source::parse("  \n", Language::GdlPrefix), &Options::default()), "");
}

mod corpus {
    use percept_test::{entries, folder};

    use super::*;

    #[test]
    #[ignore = "needs PERCEPT_CORPUS"]
    fn on_published_games() {
        let root = folder("PERCEPT_CORPUS");
        let mut count = 0;
        for folder in ["gdl", "gdl-ii", "pogddl", "pogddl/problems"] {
            for path in entries(root.join(folder)) {
                let Ok(text) = std::fs::read_to_string(&path) else { continue };
                let language = Language::detect(&path, &text).unwrap();
                for width in [40, 100] {
                    let checked =
                        check(&Source::parse(text.clone(), language), &Options { width, ..Options::default() });
                    assert!(checked.is_ok(), "{}: {}", path.display(), checked.unwrap_err());
                }
                count += 1;
            }
        }
        assert!(count > 300);
    }
}

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[() ]{1,3}",
        3 => "[\r\n\t ]{1,2}",
        3 => "[a-cX-Z0-9?:;%.,&|~+\"_-]{1,4}",
        3 => prop::sample::select(vec![
            "(<= ", " :- ", " not ", "~", "(or a b)", "(distinct ?x ?y)", "(true (cell ?x))", "role(a)", "next(p(X)) :- true(q(X)) & ",
            "\n(init (p a))", "(define (domain d) ", "(:action a :parameters (?x - t)", ":effect (and (p)\n(q))", "(:types a - b)\n", "\n; c \n",
        ]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ]
}

/// Forms whose brackets match, with breaks and comments anywhere.
fn list() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "[a-z?:-]{1,9}",
        Just("<=".to_owned()),
        Just("; c\n".to_owned()),
        Just("\n".to_owned()),
        Just("\n\n\n".to_owned())
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        prop::collection::vec(inner, 0..6).prop_map(|parts| format!("({})", parts.join(" ")))
    })
}

proptest! {
    #![proptest_config(support::cases())]

    #[test]
    fn of_anything(pieces in prop::collection::vec(piece(), 0..30), width in 1u32..50, indent in 0u32..5, tabs: bool) {
        let text = pieces.concat();
        for language in [Language::GdlPrefix, Language::GdlInfix, Language::Pogddl] {
            let source = Source::parse(text.clone(), language);
            let options = Options { width, indent, tabs };
            let checked = check(&source, &options);
            prop_assert!(checked.is_ok(), "{:?} {}", language, checked.unwrap_err());
            let edits = edits(&source, &options);
            prop_assert!(edits.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start));
        }
    }

    #[test]
    fn of_lists(parts in prop::collection::vec(list(), 0..5), width in 10u32..60) {
        let text = parts.join("");
        for language in [Language::GdlPrefix, Language::Pogddl] {
            let checked = check(&Source::parse(text.clone(), language), &Options { width, ..Options::default() });
            prop_assert!(checked.is_ok(), "{:?} {}", language, checked.unwrap_err());
        }
    }
}
