//! Templates for frequent forms, with places to fill in. Completion offers them at the beginning of a statement.

use percept_syntax::Language;

/// A text with numbered places to fill in (`${1:name}`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Template {
    /// The word that finds it.
    pub label: &'static str,
    /// Its purpose, in a few words.
    pub detail: &'static str,
    /// The text, with places to fill in as `${1:name}`.
    pub text: &'static str,
}

/// Returns the templates of a language: those for a whole file if `whole`, else those for a part.
pub fn templates(language: Language, whole: bool) -> &'static [Template] {
    match (language, whole) {
        (Language::GdlPrefix, true) => &[GAME],
        (Language::GdlPrefix, false) => PREFIX,
        (Language::GdlInfix, true) => &[INFIX_GAME],
        (Language::GdlInfix, false) => INFIX,
        (Language::Pogddl, true) => &[DOMAIN, PROBLEM],
        (Language::Pogddl, false) => SECTIONS,
    }
}

const GAME: Template = Template {
    label: "game",
    detail: "a whole game: guess the coin that chance has laid",
    text: "\
(role ${1:guesser})
(role random)

(side heads)
(side tails)

; Chance lays a coin in the first round; in the second its side is guessed.
(init (stage 1))

(<= (legal random (lay ?s)) (true (stage 1)) (side ?s))
(<= (legal random noop) (true (stage 2)))
(<= (legal $1 noop) (true (stage 1)))
(<= (legal $1 (say ?s)) (true (stage 2)) (side ?s))

(<= (next (stage 2)) (true (stage 1)))
(<= (next (stage 3)) (true (stage 2)))
(<= (next (laid ?s)) (does random (lay ?s)))
(<= (next (laid ?s)) (true (laid ?s)))
(<= (next (said ?s)) (does $1 (say ?s)))

; Without this percept, `$1` would never learn the result.
(<= (sees $1 (was ?s)) (true (stage 2)) (true (laid ?s)))

(<= terminal (true (stage 3)))

(<= right (true (laid ?s)) (true (said ?s)))
(<= (goal $1 100) right)
(<= (goal $1 0) (not right))
$0",
};

const PREFIX: &[Template] = &[
    Template { label: "rule", detail: "a rule", text: "(<= (${1:head})\n    (${2:literal}))" },
    Template {
        label: "legal rule",
        detail: "conditions for a legal move",
        text: "(<= (legal ${1:?r} ${2:(move ?x)})\n    (true ${3:(control ?r)}))",
    },
    Template {
        label: "next rule",
        detail: "a fluent that holds after a round",
        text: "(<= (next ${1:(fluent ?x)})\n    (does ${2:?r} ${3:(move ?x)}))",
    },
    Template {
        label: "frame rule",
        detail: "a fluent that keeps its value",
        text: "(<= (next ${1:(fluent ?x)})\n    (true $1)\n    (not ${2:(changed ?x)}))",
    },
    Template {
        label: "sees rule",
        detail: "a percept of a role",
        text: "(<= (sees ${1:?r} ${2:(percept ?x)})\n    (does ${3:?p} ${4:(move ?x)}))",
    },
];

const INFIX_GAME: Template = Template {
    label: "game",
    detail: "a whole game: guess the coin that chance has laid",
    text: "\
role(${1:guesser})
role(random)

side(heads)
side(tails)

% Chance lays a coin in the first round; in the second its side is guessed.
init(stage(1))

legal(random, lay(S)) :- true(stage(1)) & side(S)
legal(random, noop) :- true(stage(2))
legal($1, noop) :- true(stage(1))
legal($1, say(S)) :- true(stage(2)) & side(S)

next(stage(2)) :- true(stage(1))
next(stage(3)) :- true(stage(2))
next(laid(S)) :- does(random, lay(S))
next(laid(S)) :- true(laid(S))
next(said(S)) :- does($1, say(S))

% Without this percept, `$1` would never learn the result.
sees($1, was(S)) :- true(stage(2)) & true(laid(S))

terminal :- true(stage(3))

right :- true(laid(S)) & true(said(S))
goal($1, 100) :- right
goal($1, 0) :- ~right
$0",
};

const INFIX: &[Template] = &[
    Template { label: "rule", detail: "a rule", text: "${1:head} :-\n    ${2:literal}" },
    Template {
        label: "legal rule",
        detail: "conditions for a legal move",
        text: "legal(${1:R}, ${2:move(X)}) :-\n    true(${3:control(R)})",
    },
    Template {
        label: "next rule",
        detail: "a fluent that holds after a round",
        text: "next(${1:fluent(X)}) :-\n    does(${2:R}, ${3:move(X)})",
    },
    Template {
        label: "sees rule",
        detail: "a percept of a role",
        text: "sees(${1:R}, ${2:percept(X)}) :-\n    does(${3:P}, ${4:move(X)})",
    },
];

const DOMAIN: Template = Template {
    label: "domain",
    detail: "a POGDDL domain: guess the coin that chance has laid",
    text: "\
(define (domain ${1:coin})
    (:requirements :strips :typing :conditional-effects :existential-preconditions :equality :pogddl)
    (:types role side other)
    (:constants
        ${2:p1} chance - role
        heads tails - side
        all others u - other)
    (:predicates
        (whoseturn ?r - role)
        (laid ?s - side)
        (said ?s - side))
    (:action lay
        :parameters (?s - side)
        :precondition (whoseturn chance)
        :effect (and
            (laid ?s)
            (not (whoseturn chance))
            (whoseturn $2)
            (observe (all (laid u)))))
    (:action say
        :parameters (?s - side)
        :precondition (whoseturn $2)
        :effect (and
            (said ?s)
            (not (whoseturn $2))
            (forall (?was - side)
                    (when (laid ?was) (observe (all (said ?s ?was)))))))
    (:gain ?p - role 1 (and (= ?p $2) (exists (?s - side) (and (laid ?s) (said ?s))))))
$0",
};

const PROBLEM: Template = Template {
    label: "problem",
    detail: "a problem of a domain",
    text: "\
(define (problem ${1:one})
    (:domain ${2:coin})
    (:init (whoseturn ${3:chance})))
$0",
};

const SECTIONS: &[Template] = &[
    Template {
        label: ":action with observe",
        detail: "an action that every role observes",
        text: "(:action ${1:name}\n    :parameters (${2:?x - type})\n    :precondition ${3:(whoseturn p1)}\n    \
               :effect (and\n        ${4:(done ?x)}\n        (observe (all ($1 ?x)))))",
    },
    Template { label: ":gain rule", detail: "a payoff", text: "(:gain ?p - role ${1:1} (${2:won} ?p))" },
];

/// Returns the text with the default in every place.
pub fn filled(text: &str) -> String {
    let mut names: Vec<(String, String)> = Vec::new();
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(inner) = rest.strip_prefix('{') {
            let Some(end) = inner.find('}') else { break };
            let (number, name) = inner[..end].split_once(':').unwrap_or((&inner[..end], ""));
            names.push((number.to_string(), name.to_string()));
            out.push_str(name);
            rest = &inner[end + 1..];
        } else {
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let name = names.iter().find(|(number, _)| *number == rest[..digits]);
            out.push_str(name.map_or("", |(_, name)| name));
            rest = &rest[digits..];
        }
    }
    out + rest
}
