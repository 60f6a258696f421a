//! GDL in infix notation.

use crate::support;
use expect_test::{Expect, expect};
use percept_syntax::{Language, Source};

fn reads(text: &str, expected: Expect) {
    let source = Source::parse(text, Language::GdlInfix);
    assert_eq!(source.errors, []);
    expected.assert_eq(&support::statements(&source));
}

fn marks(text: &str, expected: Expect) {
    expected.assert_eq(&support::errors(Language::GdlInfix, text));
}

#[test]
fn every_spelling_in_the_wild() {
    reads(
        "% comment\n; another\nrole(a) role(b).\np(X) :- q(X) & (r(X) | ~s(?x)), not t(Y) | \\+ f(1) or g\nterminal <= open.",
        expect![[r#"
            (role a)
            (role b)
            (<= (p ?X) (or (and (q ?X) (or (r ?X) (not (s ?x))) (not (t ?Y))) (not (f 1)) g))
            (<= terminal open)
        "#]],
    );
}

#[test]
fn several_rules_on_a_line() {
    reads(
        "legal(random,noop)   :- ~true(step(1))     legal(agent,noop)    :- true(step(1))     next(a) :- true(b) & c  goal(agent,0) :- explodes ",
        expect![[r#"
            (<= (legal random noop) (not (true (step 1))))
            (<= (legal agent noop) (true (step 1)))
            (<= (next a) (true b) c)
            (<= (goal agent 0) explodes)
        "#]],
    );
}

#[test]
fn prefix_style_connectives() {
    reads(
        "h :- or(a, b & c) & and(d, ~e) & distinct(X, f(Y))",
        expect![[r#"
        (<= h (or a (and b c)) (and d (not e)) (distinct ?X (f ?Y)))
    "#]],
    );
}

#[test]
fn each_underscore_is_a_variable_of_its_own() {
    reads(
        "p(X) :- q(X, _, _) & r(_)\nq(_)",
        expect![[r#"
        (<= (p ?X) (q ?X ?_ ?_#2) (r ?_#3))
        (q ?_)
    "#]],
    );
}

#[test]
fn negation_binds_tightest() {
    reads(
        "h :- ~a & b\nh :- ~(a & b)\nh :- not not a",
        expect![[r#"
        (<= h (not a) b)
        (<= h (not (and a b)))
        (<= h (not (not a)))
    "#]],
    );
}

#[test]
fn mistakes_stay_in_their_statement() {
    marks(
        "legal(x, mark(Y) :- true(Y)\nlegal(x, mark(Y))) :- true(Y)\nnext(X) :- a & & b\nnext(X) :- a &\nnext(Y) :- a & ~\nnext(Z) :- ~(a | b\nsees(x, Y) :- does(x, ~y)\nFoo(a)\np(a = b)\np(a b)\nterminal :- open)\n",
        expect![[r#"
            legal(x, mark(Y) :- true(Y)
                 ^ this `(` is never closed: a `)` is missing before `:-`
            legal(x, mark(Y))) :- true(Y)
                             ^ this `)` closes nothing: remove it, or add the `(` it belongs to
            next(X) :- a & & b
                           ^ one `&` joins two conditions: remove the second
            next(X) :- a &
                         ^ a condition is missing after this `&`
            next(Y) :- a & ~
                           ^ a condition is missing after `~`
            next(Z) :- ~(a | b
                        ^ this `(` is never closed: a `)` is missing before the next statement
            sees(x, Y) :- does(x, ~y)
                                  ^ a term is expected here, not `~`
            Foo(a)
            ^^^ a relation or function begins with a small letter: a capital, `_` or `?` begins a variable
            p(a = b)
                ^ `=` has no meaning here: remove it
            p(a b)
                ^ a `,` is missing before `b`
            terminal :- open)
                            ^ this `)` closes nothing: remove it, or add the `(` it belongs to

        "#]],
    );
}
