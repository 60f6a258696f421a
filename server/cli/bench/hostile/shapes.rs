//! Texts that no author writes: long lists of every kind, deep nesting, repeated names, open brackets.

/// A kind of text, of any size.
pub(super) struct Shape {
    /// The ending of the file's name.
    pub extension: &'static str,
    pub name: &'static str,
    /// The number of parts in the table's row.
    pub size: usize,
    /// The text with this number of parts.
    pub text: fn(usize) -> String,
}

const fn shape(extension: &'static str, name: &'static str, size: usize, text: fn(usize) -> String) -> Shape {
    Shape { extension, name, size, text }
}

/// Every shape, by language.
pub(super) const SHAPES: &[Shape] = &[
    shape("kif", "opens", 10_000_000, |n| "(".repeat(n)),
    shape("kif", "closes", 10_000_000, |n| ")".repeat(n)),
    shape("kif", "deep", 5_000_000, |n| format!("(p {}a{})", "(f ".repeat(n), ")".repeat(n))),
    shape("kif", "deep not", 5_000, |n| format!("(<= p {}a{})", "(not ".repeat(n), ")".repeat(n))),
    shape("kif", "one atom", 200_000, |n| format!("(p {})", "a ".repeat(n))),
    shape("kif", "one word", 1_000_000, |n| format!("(p {})", "a".repeat(n))),
    shape("kif", "facts", 50_000, |n| each(n, |i| format!("(p {i})\n"))),
    shape("kif", "facts on one line", 50_000, |n| each(n, |i| format!("(p {i})"))),
    shape("kif", "order", 50_000, |n| each(n, |i| format!("(later {i} {})\n", i + 1))),
    shape("kif", "repeated facts", 50_000, |n| "(p a)\n".repeat(n)),
    shape("kif", "relations", 50_000, |n| each(n, |i| format!("(p{i} a)\n"))),
    shape("kif", "slips", 10_000, |n| each(n, |i| format!("(<= (relation{i} ?x) (realtion{i} ?x))\n"))),
    shape("kif", "chain", 20_000, |n| each(n, |i| format!("(<= (p{} ?x) (p{i} ?x))\n", i + 1))),
    shape("kif", "cycle", 20_000, |n| each(n, |i| format!("(<= (p{} ?x) (p{i} ?x))\n", (i + 1) % n))),
    shape("kif", "negative cycle", 20_000, |n| each(n, |i| format!("(<= (p{} a) (not (p{i} a)))\n", (i + 1) % n))),
    shape("kif", "repeated rules", 20_000, |n| "(<= (p ?x) (q ?x) (r ?x))\n".repeat(n)),
    shape("kif", "variables", 20_000, |n| format!("(<= p {})\n(q a)", each(n, |i| format!("(q ?x{i}) ")))),
    shape("kif", "unsafe variables", 20_000, |n| format!("(<= (p {}) (q a))", each(n, |i| format!("?x{i} ")))),
    shape("kif", "alternatives", 20_000, |n| format!("(<= (p ?x) (or {}))", each(n, |i| format!("(q{i} ?x) ")))),
    shape("kif", "disjunctions", 10_000, |n| {
        format!("(<= (p ?x) {})", each(n, |i| format!("(or (q{i} ?x) (r{i} ?x)) ")))
    }),
    shape("kif", "roles", 5_000, |n| {
        each(n, |i| format!("(role r{i})(legal r{i} noop)(goal r{i} 100)\n")) + "terminal"
    }),
    shape("kif", "fluents", 20_000, |n| {
        each(n, |i| format!("(init (f {i}))(<= (next (f {i})) (true (f {i})))\n")) + "(role a)"
    }),
    shape("kif", "numbers", 50_000, |n| each(n, |i| format!("(succ {i} {})\n", i + 1))),
    shape("kif", "comments", 200_000, |n| "; comment\n".repeat(n)),
    shape("kif", "one comment", 5_000_000, |n| format!("; {}\n(p a)", "c".repeat(n))),
    shape("kif", "silenced", 20_000, |n| "; percept: allow(unsafe-variable)\n(<= (p ?x) (q ?y))\n".repeat(n)),
    shape("kif", "unclosed", 50_000, |n| "(p a\n".repeat(n)),
    shape("kif", "unclosed rules", 50_000, |n| "(<= (p ?x)\n(q ?x)\n".repeat(n)),
    shape("kif", "closed early", 20_000, |n| "(<= (p ?x))\n  (q ?x))\n".repeat(n)),
    shape("kif", "words", 50_000, |n| "a ".repeat(n)),
    shape("kif", "arrows", 50_000, |n| "<= p\n".repeat(n)),
    shape("kif", "one number", 1_000_000, |n| format!("(p {})", "9".repeat(n))),
    shape("kif", "silenced in a row", 20_000, |n| {
        "; percept: allow(unsafe-variable)\n".repeat(n) + &"(<= (p ?x) (q ?y))\n".repeat(n)
    }),
    shape("kif", "inputs", 20_000, |n| {
        each(n, |i| format!("(input a (move {i}))(<= (legal a (move {i})) (true (f {i})))\n")) + "(role a)"
    }),
    shape("kif", "percepts", 20_000, |n| each(n, |i| format!("(<= (sees a (p {i})) (does a m{i}))\n")) + "(role a)"),
    shape("kif", "strangers", 20_000, |n| each(n, |i| format!("(legal x{i} noop)\n")) + "(role a)"),
    shape("kif", "conditions", 20_000, |n| format!("(<= (p ?x) {})", each(n, |i| format!("(q{i} ?x) ")))),
    shape("kif", "negations", 20_000, |n| format!("(<= (p ?x) (q ?x) {})", each(n, |i| format!("(not (r{i} ?x)) ")))),
    shape("kif", "negative rules", 20_000, |n| each(n, |i| format!("(<= (p c{i}) (not (p d{i})))\n"))),
    shape("kif", "arities", 2_000, |n| each(n, |i| format!("(p{})\n", " a".repeat(i % 50)))),
    shape("hrf", "opens", 10_000_000, |n| "(".repeat(n)),
    shape("hrf", "closes", 10_000_000, |n| ")".repeat(n)),
    shape("hrf", "nots", 1_000_000, |n| format!("p :- {}a.", "~".repeat(n))),
    shape("hrf", "conjunction", 50_000, |n| format!("p(X) :- {}q(X).", "q(X) & ".repeat(n))),
    shape("hrf", "disjunction", 20_000, |n| format!("p(X) :- {}q(X).", each(n, |i| format!("q{i}(X) | ")))),
    shape("hrf", "facts", 50_000, |n| each(n, |i| format!("p({i}).\n"))),
    shape("hrf", "unclosed", 50_000, |n| "p(a\n".repeat(n)),
    shape("pog", "opens", 10_000_000, |n| "(".repeat(n)),
    shape("pog", "closes", 10_000_000, |n| ")".repeat(n)),
    shape("pog", "deep", 5_000_000, |n| action("", &format!("{}(p){}", "(and ".repeat(n), ")".repeat(n)), "(p)")),
    shape("pog", "unused parameters", 100_000, |n| {
        action(&format!("{}- card", each(n, |i| format!("?x{i} "))), "(p)", "(not (p))")
    }),
    shape("pog", "repeated predicates", 200_000, |n| domain(&format!("(:predicates {})", "(p)\n".repeat(n)))),
    shape("pog", "predicates", 50_000, |n| domain(&format!("(:predicates {})", each(n, |i| format!("(p{i})\n"))))),
    shape("pog", "types", 20_000, |n| {
        domain(&format!("(:types {}) (:predicates (p))", each(n, |i| format!("t{i} - t{} ", i + 1))))
    }),
    shape("pog", "actions", 10_000, |n| {
        let one = |i| format!("(:action a{i} :parameters () :precondition (p) :effect (not (p)))\n");
        domain(&("(:predicates (p))".to_string() + &each(n, one)))
    }),
    shape("pog", "conjunction", 50_000, |n| action("", &format!("(and {})", "(p) ".repeat(n)), "(not (p))")),
    shape("pog", "disjunction", 20_000, |n| action("", &format!("(or {})", "(p) (not (p)) ".repeat(n)), "(not (p))")),
    shape("pog", "effects", 50_000, |n| action("", "(p)", &format!("(and {})", "(not (p)) ".repeat(n)))),
    shape("pog", "messages", 50_000, |n| {
        action("", "(p)", &format!("(observe p1 {})", each(n, |i| format!("(m{i}) "))))
    }),
    shape("pog", "initial facts", 50_000, |n| {
        format!("(define (problem x) (:domain none) (:init {}))", each(n, |i| format!("(p o{i}) ")))
    }),
    shape("pog", "constants", 50_000, |n| {
        domain(&format!("(:constants {})(:predicates (p))", each(n, |i| format!("c{i} "))))
    }),
    shape("pog", "repeated constants", 50_000, |n| {
        domain(&format!("(:constants {})(:predicates (p))", "c ".repeat(n)))
    }),
    shape("pog", "functions", 20_000, |n| domain(&format!("(:functions {})", each(n, |i| format!("(f{i})\n"))))),
    shape("pog", "wide predicate", 50_000, |n| {
        domain(&format!("(:predicates (p {}))", each(n, |i| format!("?x{i} "))))
    }),
    shape("pog", "derived", 10_000, |n| {
        domain(&("(:predicates (p))".to_string() + &each(n, |i| format!("(:derived (q{i}) (p))\n"))))
    }),
    shape("pog", "gains", 10_000, |n| {
        domain(&("(:types role)(:predicates (p))".to_string() + &"(:gain ?r - role 1 (p))\n".repeat(n)))
    }),
    shape("pog", "turns", 10_000, |n| {
        let part = |i| {
            format!(
                "(:action a{i} :parameters () :precondition (and (whoseturn p1) (free))\n :effect (and (not (whoseturn p1)) \
                 (observe (all (a{i})))))\n"
            )
        };
        let head = "(:types role)(:constants p1 - role)(:predicates (whoseturn ?r - role) (free))\n";
        domain(&(head.to_string() + &each(n, part)))
    }),
    shape("pog", "whens", 20_000, |n| {
        action("", "(p)", &format!("(and {})", each(n, |i| format!("(when (q{i}) (not (p))) "))))
    }),
    shape("pog", "foralls", 20_000, |n| {
        action("", &format!("(and {})", each(n, |i| format!("(forall (?x{i} - card) (p)) "))), "(not (p))")
    }),
    shape("pog", "defines", 20_000, |n| "(define (domain d))\n".repeat(n)),
    shape("pog", "unclosed actions", 20_000, |n| {
        "(define (domain d)\n".to_string() + &"(:action a\n :parameters (?x\n".repeat(n)
    }),
];

fn each(n: usize, part: impl Fn(usize) -> String) -> String {
    (0..n).map(part).collect()
}

fn domain(sections: &str) -> String {
    format!("(define (domain d) (:requirements :adl)\n{sections})\n")
}

fn action(parameters: &str, precondition: &str, effect: &str) -> String {
    domain(&format!(
        "(:types card) (:predicates (p)) (:action a :parameters ({parameters}) :precondition {precondition} :effect {effect})"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_have_names_of_their_own_and_grow() {
        for (at, shape) in SHAPES.iter().enumerate() {
            let same = |other: &Shape| (other.extension, other.name) == (shape.extension, shape.name);
            assert!(!SHAPES[..at].iter().any(same), "{}", shape.name);
            let (small, large) = ((shape.text)(100).len(), (shape.text)(200).len());
            assert!(large > small + 90, "{}: {small} {large}", shape.name);
        }
    }
}
