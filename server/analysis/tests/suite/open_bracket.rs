//! The findings in a file while a bracket is open in the other one.

use percept_analysis::{Settings, check_pddl};
use percept_syntax::{Language, Source};

/// An action that needs numbers, at offsets that the problem's text also has.
const DOMAIN: &str = "(define (domain d) (:requirements :strips :pogddl)\n(:predicates (whoseturn ?r) (p))\n\
    (:action a :parameters () :precondition (< (n) 1) :effect (p)))";

fn findings(problem: &str) -> Vec<String> {
    let parse = |text: &str| Source::parse(text.to_owned(), Language::Pogddl);
    let found = check_pddl(Some(&parse(DOMAIN)), Some(&parse(problem)), &Settings::default());
    found.iter().filter(|it| it.rule.name == "missing-requirement").map(|it| it.message.clone()).collect()
}

#[test]
fn a_domain_is_looked_at_while_a_bracket_is_open_in_the_problem() {
    let whole = format!("(define (problem q) (:domain d)\n{}(:init (p)))", " ".repeat(200));
    let open = format!("(define (problem q) (:domain d)\n(:init (p){}", " (p)".repeat(100));
    assert_eq!(findings(&whole).len(), 1, "numbers need a requirement");
    assert_eq!(findings(&open), findings(&whole));
}
