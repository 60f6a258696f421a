//! Tests of GDL in prefix notation: the typed syntax, and the errors.

use crate::support;
use expect_test::{Expect, expect};
use percept_syntax::{Language, Source, Syntax};

fn reads(text: &str, expected: Expect) {
    let source = Source::parse(text, Language::GdlPrefix);
    assert_eq!(source.errors, []);
    expected.assert_eq(&support::statements(&source));
}

fn marks(text: &str, expected: Expect) {
    expected.assert_eq(&support::errors(Language::GdlPrefix, text));
}

#[test]
fn rules_facts_and_bare_propositions() {
    reads(
        "; a game\n(ROLE white) (init (cell 1 1 b))\n(<= terminal open) open\n(<= (next ?x) (or (not (p ?x)) (and a b)) (distinct ?x ?y))",
        expect![[r#"
            (ROLE white)
            (init (cell 1 1 b))
            (<= terminal open)
            open
            (<= (next ?x) (or (not (p ?x)) (and a b)) (distinct ?x ?y))
        "#]],
    );
}

#[test]
fn symbols_may_hold_anything() {
    reads(
        "(succ ?n++ 1a) (+ 1 2 é) (p a:-b |x| \"y\" ?)",
        expect![[r#"
        (succ ?n++ 1a)
        (+ 1 2 é)
        (p a:-b |x| "y" ?)
    "#]],
    );
}

#[test]
fn keywords_stay_terms_in_heads_and_percepts() {
    reads(
        "(sees ?p (does ?q ?m))(<= (p (not a)) (true (or a b)))",
        expect![[r#"
        (sees ?p (does ?q ?m))
        (<= (p (not a)) (true (or a b)))
    "#]],
    );
}

#[test]
fn connectives_of_any_number_of_parts_and_any_case() {
    reads(
        "(<= h (not) (NOT a b) (or) (Distinct ?x))",
        expect![[r#"
        (<= h (not) (not a b) (or) (distinct ?x))
    "#]],
    );
}

#[test]
fn carriage_returns_and_a_byte_order_mark() {
    reads(
        "\u{feff}(role\ta)\r\n(role b)\r(role c)",
        expect![[r#"
        (role a)
        (role b)
        (role c)
    "#]],
    );
}

#[test]
fn an_unclosed_rule_ends_where_the_next_begins() {
    marks(
        "(<= (next (cell ?x))\n    (true (cell ?x))\n(<= (legal white noop)\n    open)\n(role white)\n",
        expect![[r#"
            (<= (next (cell ?x))
            ^ this `(` is never closed: a `)` is missing before `(<=` begins
                (true (cell ?x))
            (<= (legal white noop)
                open)
            (role white)

        "#]],
    );
}

#[test]
fn an_unclosed_fact_ends_where_the_next_line_begins() {
    marks(
        "(role white)\n(init (cell 1 1 b)\n(init (cell 1 2 b))\n(init (cell 1 3 b))\n",
        expect![[r#"
            (role white)
            (init (cell 1 1 b)
            ^ this `(` is never closed: a `)` is missing before `(init` begins
            (init (cell 1 2 b))
            (init (cell 1 3 b))

        "#]],
    );
}

#[test]
fn conditions_that_are_not_indented_do_not_end_a_rule() {
    marks(
        "(<= (next a)\n(true (b c)\n(not (does w x))\n(<= terminal\n(true b))\n",
        expect![[r#"
            (<= (next a)
            (true (b c)
            ^ this `(` is never closed: 2 `)` are missing before `(<=` begins
            (not (does w x))
            (<= terminal
            (true b))

        "#]],
    );
}

#[test]
fn the_end_of_the_file_closes_what_is_open() {
    marks(
        "(<= (next a) (true b)",
        expect![[r#"
        (<= (next a) (true b)
        ^ this `(` is never closed: a `)` is missing before the end of the file
    "#]],
    );
}

#[test]
fn closing_brackets_without_an_opening_one() {
    marks(
        "(role white)))\n(role black)\n)\n",
        expect![[r#"
        (role white)))
                    ^^ this `)` closes nothing: remove it, or add the `(` it belongs to
        (role black)
        )
        ^ this `)` closes nothing: remove it, or add the `(` it belongs to

    "#]],
    );
}

#[test]
fn what_is_no_term() {
    marks(
        "(p ()) ((f a) b) (?x a) (<=) (next a) <= (true a)\n(p \0)",
        expect![[r#"
            (p ()) ((f a) b) (?x a) (<=) (next a) <= (true a)
               ^^ `()` is not a term: write a name after the `(`
                    ^ two `(` in a row: a list begins with the name of a relation or function
                              ^^ a variable cannot be the name of a relation or function: a list begins with a name
                                     ^^ a rule needs a head: `(<= head condition ...)`
                                                  ^^ the arrow comes first in prefix text: write `(<= head condition ...)`
            (p ␀)
               ^ this character is not allowed in a game: remove it
        "#]],
    );
}

#[test]
fn conditions_that_fall_out_of_their_rule() {
    marks(
        "(<= (next (cell ?x)))\n    (true (cell ?x))\n    (not (does w noop)))\n(<= (a)) (b))\n(<= c d))\n(<= (e))\n(f))\n",
        expect![[r#"
            (<= (next (cell ?x)))
                                ^ this `)` closes the rule too early: the rest is outside of it
                (true (cell ?x))
                (not (does w noop)))
            (<= (a)) (b))
                   ^ this `)` closes the rule too early: the rest is outside of it
            (<= c d))
                    ^ this `)` closes nothing: remove it, or add the `(` it belongs to
            (<= (e))
            (f))
               ^ this `)` closes nothing: remove it, or add the `(` it belongs to

        "#]],
    );
}

#[test]
fn a_rule_without_its_opening_bracket() {
    marks(
        "(role a)\n<= (next ?x)\n    (true ?x))\n<= (next b) (true c)\n(role b)\n(p <= a)\n",
        expect![[r#"
        (role a)
        <= (next ?x)
        ^^ a rule begins with `(<=`: the `(` is missing
            (true ?x))
        <= (next b) (true c)
        ^^ a rule begins with `(<=`: the `(` is missing
        (role b)
        (p <= a)
           ^^ `<=` begins a rule and comes directly after its `(`: `(<= head condition ...)`

    "#]],
    );
}

#[test]
fn an_unclosed_rule_whose_conditions_are_not_indented() {
    marks(
        "(<= (line ?s)\n(true (cell ?x ?s)\n(direction ?x)\n(succ ?x))\n\n(<= a b)\n",
        expect![[r#"
        (<= (line ?s)
        (true (cell ?x ?s)
        ^ this `(` is never closed: a `)` is missing before `(<=` begins
        (direction ?x)
        (succ ?x))

        (<= a b)

    "#]],
    );
}

/// Long rows of facts are read again on access. An error in the text keeps everything in memory.
#[test]
fn rows_of_facts_are_read_again_as_they_were() {
    let mut text = String::from("(role a) ; (b)\n");
    for n in 0..2_000 {
        text.push_str(match n % 700 {
            0 => "(<= (p ?x) (succ ?x 1))\nterminal (succ ?x 1) (succ (s 0) 1) ()\n",
            7 => "; (a comment)\n(succ ; and ) another\n 1 2)",
            _ => "",
        });
        text.push_str(&format!("(succ {n}\t{})\r\n(edge n{n} A b){}", n + 1, if n % 3 == 0 { "\n" } else { " " }));
    }
    let read = |text: &str| {
        let source = Source::parse(text, Language::GdlPrefix);
        let Syntax::Gdl(description) = source.syntax else { unreachable!() };
        description.statements
    };
    let kept = read(&format!("{text})"));
    assert_eq!(kept.len(), 4_000 + 1 + 3 * 5 + 3);
    let again = read(&text);
    assert!(again.each().eq(kept.each()), "one after the other");
    assert_eq!(again, kept, "as a slice");
}
