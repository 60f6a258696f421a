//! Tests of PDDL and POGDDL: the typed syntax, and the errors.

use crate::support;
use expect_test::{Expect, expect};
use percept_syntax::{Language, Source, Syntax};

fn reads(text: &str, expected: Expect) {
    let source = Source::parse(text, Language::Pogddl);
    assert_eq!(support::marked(&source).matches('^').count(), 0, "{}", support::marked(&source));
    expected.assert_eq(&support::shape(&source));
}

fn marks(text: &str, expected: Expect) {
    expected.assert_eq(&support::errors(Language::Pogddl, text));
}

/// A domain with the sections inside.
fn domain(sections: &str) -> String {
    format!("(define (domain d) {sections})")
}

#[test]
fn declarations() {
    reads(
        &domain(
            "(:requirements :typing :pogddl)(:types a b - c d)(:constants p1 1a - (either role x))(:predicates (at ?x ?y - c ?z)(q))(:functions (f ?p -role)(g) - number (h))",
        ),
        expect![[
            r#"File { definitions: [Domain(Domain { name: Some(Name { text: "d" }), sections: [Section { keyword: Name { text: ":requirements" } }, Section { keyword: Name { text: ":types" } }, Section { keyword: Name { text: ":constants" } }, Section { keyword: Name { text: ":predicates" } }, Section { keyword: Name { text: ":functions" } }], requirements: [Name { text: ":typing" }, Name { text: ":pogddl" }], types: [TypedGroup { names: [Name { text: "a" }, Name { text: "b" }], types: [Name { text: "c" }] }, TypedGroup { names: [Name { text: "d" }], types: [] }], constants: [TypedGroup { names: [Name { text: "p1" }, Name { text: "1a" }], types: [Name { text: "role" }, Name { text: "x" }] }], predicates: [Signature { name: Name { text: "at" }, params: [TypedGroup { names: [Name { text: "x" }, Name { text: "y" }], types: [Name { text: "c" }] }, TypedGroup { names: [Name { text: "z" }], types: [] }] }, Signature { name: Name { text: "q" }, params: [] }], functions: [FunctionDecl { signature: Signature { name: Name { text: "f" }, params: [TypedGroup { names: [Name { text: "p" }], types: [Name { text: "role" }] }] }, result: Some(Name { text: "number" }) }, FunctionDecl { signature: Signature { name: Name { text: "g" }, params: [] }, result: Some(Name { text: "number" }) }, FunctionDecl { signature: Signature { name: Name { text: "h" }, params: [] }, result: None }], actions: [], derived: [], gains: [], timed: [], constraints: [] })], outside: [] }"#
        ]],
    );
}

#[test]
fn actions_with_observe_and_gains() {
    reads(
        &domain(
            "(:action deal :parameters (?c - card) :precondition (and (not (out ?c)) (>= (score p1) 2.5) (= ?c ace))
              :effect (and (out ?c) (not (in ?c)) (when (p) (observe (p1 p2 (card ?c)) (others (card u)))) (forall (?x) (increase (score ?x) -1)) (assign (turn) (+ (turn) 1))))
             (:action pass :precondition () :effect ())
             (:gain ?p - role (* 2 (score ?p)) (won ?p)) (:gain ?p - role pot (exists (?x - c) (imply (a) (b))))
             (:derived (above ?x ?y - c) (or (on ?x ?y) (forall (?z) (at ?z))))",
        ),
        expect![[r#"File { definitions: [Domain(Domain { name: Some(Name { text: "d" }), sections: [Section { keyword: Name { text: ":action" } }, Section { keyword: Name { text: ":action" } }, Section { keyword: Name { text: ":gain" } }, Section { keyword: Name { text: ":gain" } }, Section { keyword: Name { text: ":derived" } }], requirements: [], types: [], constants: [], predicates: [], functions: [], actions: [Action { name: Name { text: "deal" }, params: [TypedGroup { names: [Name { text: "c" }], types: [Name { text: "card" }] }], vars: [], precondition: Some(And { parts: [Not { inner: Atom(Atom { name: Name { text: "out" }, args: [Arg { name: Name { text: "c" }, is_variable: true }] }) }, Compare { op: GreaterEqual, left: Fluent(Atom { name: Name { text: "score" }, args: [Arg { name: Name { text: "p1" }, is_variable: false }] }), right: Number { text: "2.5" } }, Equal { left: Arg { name: Name { text: "c" }, is_variable: true }, right: Arg { name: Name { text: "ace" }, is_variable: false } }] }), effect: Some(And { parts: [Add(Atom { name: Name { text: "out" }, args: [Arg { name: Name { text: "c" }, is_variable: true }] }), Delete { atom: Atom { name: Name { text: "in" }, args: [Arg { name: Name { text: "c" }, is_variable: true }] } }, When { condition: Atom(Atom { name: Name { text: "p" }, args: [] }), effect: Observe { recipients: [Recipient { receivers: [Arg { name: Name { text: "p1" }, is_variable: false }, Arg { name: Name { text: "p2" }, is_variable: false }], message: Some(Atom { name: Name { text: "card" }, args: [Arg { name: Name { text: "c" }, is_variable: true }] }) }, Recipient { receivers: [Arg { name: Name { text: "others" }, is_variable: false }], message: Some(Atom { name: Name { text: "card" }, args: [Arg { name: Name { text: "u" }, is_variable: false }] }) }] } }, Forall { params: [TypedGroup { names: [Name { text: "x" }], types: [] }], effect: Assign { op: Increase, target: Atom { name: Name { text: "score" }, args: [Arg { name: Name { text: "x" }, is_variable: true }] }, value: Number { text: "-1" } } }, Assign { op: Assign, target: Atom { name: Name { text: "turn" }, args: [] }, value: Operation { op: Add, operands: [Fluent(Atom { name: Name { text: "turn" }, args: [] }), Number { text: "1" }] } }] }), senses: None, fields: [Section { keyword: Name { text: ":parameters" } }, Section { keyword: Name { text: ":precondition" } }, Section { keyword: Name { text: ":effect" } }] }, Action { name: Name { text: "pass" }, params: [], vars: [], precondition: None, effect: None, senses: None, fields: [Section { keyword: Name { text: ":precondition" } }, Section { keyword: Name { text: ":effect" } }] }], derived: [Derived { head: Signature { name: Name { text: "above" }, params: [TypedGroup { names: [Name { text: "x" }, Name { text: "y" }], types: [Name { text: "c" }] }] }, body: Or { parts: [Atom(Atom { name: Name { text: "on" }, args: [Arg { name: Name { text: "x" }, is_variable: true }, Arg { name: Name { text: "y" }, is_variable: true }] }), Forall { params: [TypedGroup { names: [Name { text: "z" }], types: [] }], body: Atom(Atom { name: Name { text: "at" }, args: [Arg { name: Name { text: "z" }, is_variable: true }] }) }] } }], gains: [Gain { params: [TypedGroup { names: [Name { text: "p" }], types: [Name { text: "role" }] }], value: Operation { op: Multiply, operands: [Number { text: "2" }, Fluent(Atom { name: Name { text: "score" }, args: [Arg { name: Name { text: "p" }, is_variable: true }] })] }, condition: Atom(Atom { name: Name { text: "won" }, args: [Arg { name: Name { text: "p" }, is_variable: true }] }) }, Gain { params: [TypedGroup { names: [Name { text: "p" }], types: [Name { text: "role" }] }], value: Fluent(Atom { name: Name { text: "pot" }, args: [] }), condition: Exists { params: [TypedGroup { names: [Name { text: "x" }], types: [Name { text: "c" }] }], body: Imply { left: Atom(Atom { name: Name { text: "a" }, args: [] }), right: Atom(Atom { name: Name { text: "b" }, args: [] }) } } }], timed: [], constraints: [] })], outside: [] }"#]],
    );
}

#[test]
fn a_problem_behind_a_header() {
    reads(
        "\"pddl\"\r\n(DEFINE (Problem p) (:domain d) (:objects a b)\r\n\t(:init (at a) (not (at b)) (= (score a) 3) (= pot 0)) (:goal (and)))",
        expect![[
            r#"File { definitions: [Problem(Problem { name: Some(Name { text: "p" }), domain: Some(Name { text: "d" }), sections: [Section { keyword: Name { text: ":domain" } }, Section { keyword: Name { text: ":objects" } }, Section { keyword: Name { text: ":init" } }, Section { keyword: Name { text: ":goal" } }], requirements: [], objects: [TypedGroup { names: [Name { text: "a" }, Name { text: "b" }], types: [] }], init: [Fact(Atom { name: Name { text: "at" }, args: [Arg { name: Name { text: "a" }, is_variable: false }] }), Negated { atom: Atom { name: Name { text: "at" }, args: [Arg { name: Name { text: "b" }, is_variable: false }] } }, Value { target: Atom { name: Name { text: "score" }, args: [Arg { name: Name { text: "a" }, is_variable: false }] }, value: Number { text: "3" } }, Value { target: Atom { name: Name { text: "pot" }, args: [] }, value: Number { text: "0" } }], goal: Some(And { parts: [] }), constraints: [], metric: None })], outside: [] }"#
        ]],
    );
}

#[test]
fn glued_tokens() {
    reads(
        &domain("(:predicates (aircraft?a) (at ?x -block ?y -slot-2))"),
        expect![[
            r#"File { definitions: [Domain(Domain { name: Some(Name { text: "d" }), sections: [Section { keyword: Name { text: ":predicates" } }], requirements: [], types: [], constants: [], predicates: [Signature { name: Name { text: "aircraft" }, params: [TypedGroup { names: [Name { text: "a" }], types: [] }] }, Signature { name: Name { text: "at" }, params: [TypedGroup { names: [Name { text: "x" }], types: [Name { text: "block" }] }, TypedGroup { names: [Name { text: "y" }], types: [Name { text: "slot-2" }] }] }], functions: [], actions: [], derived: [], gains: [], timed: [], constraints: [] })], outside: [] }"#
        ]],
    );
}

#[test]
fn pddl_outside_pogddl_is_named_and_no_error() {
    let text = "(define (domain d) (:durative-action a :duration (= ?duration 1)) (:action b :observe (p) :precondition (preference n (p)) :effect (oneof (p) (q))))
        (define (problem p) (:domain d) (:init (at 20 (p)) (oneof (a) (b))) (:goal (and (always (p)))) (:metric minimize (total-time)) (:constraints (and)))";
    let source = Source::parse(text, Language::Pogddl);
    assert_eq!(source.errors, []);
    let Syntax::Pddl(file) = &source.syntax else { unreachable!() };
    let named: Vec<String> =
        file.outside.iter().map(|outside| format!("{}: {}", outside.keyword.text, outside.what)).collect();
    expect![[r#"
        :durative-action: a durative action
        :observe: contingent PDDL's field for sensing; in POGDDL `(observe ...)` is an effect
        preference: a preference
        oneof: a non-deterministic effect; in POGDDL `chance` moves
        at: a timed initial literal
        oneof: an uncertain initial fact of contingent PDDL; in POGDDL `chance` moves first
        always: a trajectory constraint
        :metric: a plan metric
        :constraints: trajectory constraints"#]]
    .assert_eq(&named.join("\n"));
}

#[test]
fn an_unclosed_section_ends_where_the_next_begins() {
    marks(
        "(define (domain d)\n(:types a b\n(:predicates (p)\n(:action a\n  :effect (and (p) (observe (p1 (m)))\n(:gain ?p - role 1 (p)))\n",
        expect![[r#"
            (define (domain d)
            (:types a b
            ^ this `(` is never closed: a `)` is missing before `(:predicates` begins
            (:predicates (p)
            ^ this `(` is never closed: a `)` is missing before `(:action` begins
            (:action a
              :effect (and (p) (observe (p1 (m)))
                      ^ this `(` is never closed: 2 `)` are missing before `(:gain` begins
            (:gain ?p - role 1 (p)))

        "#]],
    );
}

#[test]
fn a_section_closed_too_early() {
    marks(
        "(define (domain d)\n(:predicates (p))\n  (q ?x)\n  (r))\n(:action a))\n(define (problem p) (:domain d) (:init))",
        expect![[r#"
            (define (domain d)
            (:predicates (p))
                            ^ this `)` closes `(:predicates` too early: the rest is outside of it
              (q ?x)
              (r))
            (:action a))
            (define (problem p) (:domain d) (:init))
        "#]],
    );
}

#[test]
fn definitions_that_say_too_little() {
    marks(
        "(:define (domain d) (requirements :typing))\n(define (:action a))\n(define (problem p))\n(define (problem) (:domain d))\nfoo\n(define (domain d) (:init (p)) (:foo))",
        expect![[r#"
            (:define (domain d) (requirements :typing))
             ^^^^^^^ write `define`, without the `:`
                                ^^^^^^^^^^^^^ write `(:requirements`, with a `:`
            (define (:action a))
             ^^^^^^ a definition begins with its kind and name: write `(domain name)` or `(problem name)` after `define`
            (define (problem p))
             ^^^^^^ a problem needs the name of its domain: add `(:domain name)`
            (define (problem) (:domain d))
             ^^^^^^ a problem needs an initial state: add `(:init ...)`
                    ^^^^^^^^^ a name is missing: `(problem name)`
            foo
            ^^^ a file holds `(define (domain name) ...)` or `(define (problem name) ...)`
            (define (domain d) (:init (p)) (:foo))
                                ^^^^^ `:init` belongs in a problem, and this is a domain
                                            ^^^^ `:foo` is not a section of PDDL or POGDDL
        "#]],
    );
}

#[test]
fn sections_without_a_definition() {
    marks(
        "(:action a :effect (p))\n(:action b :effect (q))",
        expect![[r#"
        (:action a :effect (p))
         ^^^^^^^ a section belongs inside a definition: put `(define (domain name)` before the sections and `)` after them
        (:action b :effect (q))
    "#]],
    );
}

#[test]
fn mistakes_in_actions() {
    marks(
        &domain(
            "
(:action :parameters ?x :precondition p :effect)
(:action b :parameters (x) (p) (q) :precondition (p ?x) (q ?x) :foo ())
(:action c :precondition (and (not (p) (q)) ((p)) (?x) (when (p) (q)) (exists ?o - role (p)))
  :effect (and (or (p) (q)) (not (and (p) (q))) (increase (f)) (p (q))))
(:action d :effect (observe p1 (m)))
(:action e :effect (and (observe) (observe (p1)) (observe ((m))) (observe (p1 (m) (p2 (n))))))
(:gain (?p - role) 1 (p))
(:gain ?p - role 1)
(:derived (p ?x))
",
        ),
        expect![[r#"
            (define (domain d) 
            (:action :parameters ?x :precondition p :effect)
             ^^^^^^^ an action needs a name: `(:action name :parameters (...) ...)`
                                 ^^ variables are listed in parentheses: `(?x - type)`
                                                  ^ a condition needs parentheses: `(p)`
                                                    ^^^^^^^ there is nothing after `:effect`: write `()` or leave it out
            (:action b :parameters (x) (p) (q) :precondition (p ?x) (q ?x) :foo ())
                                    ^ variables begin with `?`: write `?x`
                                       ^ a field such as `:precondition` or `:effect` is expected here: check the position of each `)` before it
                                                                    ^ join the parts of `:precondition` with `and`: `:precondition (and ... ...)`
                                                                           ^^^^ `:foo` is not a field of an action: they are :parameters, :precondition, :effect
            (:action c :precondition (and (not (p) (q)) ((p)) (?x) (when (p) (q)) (exists ?o - role (p)))
                                                   ^ `not` takes one condition, so this one is extra: check the position of each `)`
                                                        ^ two `(` in a row: one `(` is enough
                                                               ^^ `?x` is a variable, but a name is expected here
                                                                    ^^^^ `when` belongs in an effect, and this is a condition
                                                                                          ^^^^^^^^^ variables are listed in parentheses: `(?x - type)`
              :effect (and (or (p) (q)) (not (and (p) (q))) (increase (f)) (p (q))))
                            ^^ `or` is a condition, but an effect is expected here: put it into `(when condition effect)`
                                             ^ in an effect `not` deletes one atom: write a `(not ...)` for each
                                                             ^^^^^^^^ `increase` takes a function and a value: `(score ?p) 1`
                                                                              ^ the arguments of `p` are names and variables: a `)` is missing before this `(`, or the `(` is extra
            (:action d :effect (observe p1 (m)))
                                        ^^ a receiver and its message need parentheses: `(observe (p1 (card ?c)))`
            (:action e :effect (and (observe) (observe (p1)) (observe ((m))) (observe (p1 (m) (p2 (n))))))
                                     ^^^^^^^ `observe` needs a receiver and a message: `(observe (p1 (card ?c)))`
                                                       ^^^^ a message in parentheses is missing after the receivers
                                                                      ^ a receiver is missing: write a role, a variable, `all` or `others` before the message
                                                                                              ^ a receiver gets one message here: close it with `)` before the next one
            (:gain (?p - role) 1 (p))
                   ^ the variables of `:gain` are written without parentheses: `(:gain ?p - role 1 (won ?p))`
            (:gain ?p - role 1)
             ^^^^^ a gain is written `(:gain ?p - role value condition)`
            (:derived (p ?x))
             ^^^^^^^^^^^^^^^^ a condition is missing after `:derived`
            )
        "#]],
    );
}

#[test]
fn parentheses_missing_or_too_many_in_actions() {
    marks(
        &domain(
            "
(:action a :parameters (?x) :precondition (p ?x) (q ?x) :effect (and (p ?x)) (not (q ?x)) (p u))
(:action b :parameters (?x) :effect (when (p ?x) (observe ((?x (shows u)) (others (u))))))
(:action c :parameters (?x) (p ?x) :effect (p ?x) q)
(:gain ?p - role (won ?p) 1)
",
        ),
        expect![[r#"
            (define (domain d) 
            (:action a :parameters (?x) :precondition (p ?x) (q ?x) :effect (and (p ?x)) (not (q ?x)) (p u))
                                                             ^ join the parts of `:precondition` with `and`: `:precondition (and ... ...)`
                                                                                         ^ a `)` before this closes the `and` too early
            (:action b :parameters (?x) :effect (when (p ?x) (observe ((?x (shows u)) (others (u))))))
                                                                      ^ leave out the parentheses around all the receivers: `(observe (p1 (card ?c)) (p2 (u)))`
            (:action c :parameters (?x) (p ?x) :effect (p ?x) q)
                                        ^ a field such as `:precondition` or `:effect` is expected here: check the position of each `)` before it
                                                              ^ a field such as `:precondition` or `:effect` is expected here: check the position of each `)` before it
            (:gain ?p - role (won ?p) 1)
                                      ^ the value comes before the condition: `(:gain ?p - role 1 (won ?p))`
            )
        "#]],
    );
}

#[test]
fn the_last_section_closed_too_early() {
    marks(
        "(define (domain d)\n(:predicates (p))\n  (q ?x)\n  (r)))\n",
        expect![[r#"
        (define (domain d)
        (:predicates (p))
                        ^ this `)` closes `(:predicates` too early: the rest is outside of it
          (q ?x)
          (r)))

    "#]],
    );
    marks(
        "(define (domain d)\n(:predicates (p)\n  (q ?x))\n) (r))\n",
        expect![[r#"
            (define (domain d)
            (:predicates (p)
              (q ?x))
            ) (r))
              ^ a file holds `(define (domain name) ...)` or `(define (problem name) ...)`

        "#]],
    );
}
