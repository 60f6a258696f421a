//! Constructs of PDDL that matches do not have: they are read and checked, and a game with them is refused at their
//! place.

use percept_game::{Game, PogddlOptions};
use percept_syntax::{Language, Source};

/// The refused parts, each with its words.
fn refused(action: &str, init: &str) -> Vec<String> {
    let text = format!(
        "(define (domain d) (:requirements :pogddl)
           (:types role other) (:constants chance p1 - role all - other)
           (:predicates (whoseturn ?r - role) (lit)) (:functions (heat))
           (:action wait :precondition (whoseturn p1) :effect (and (not (whoseturn p1)) (observe (all (waits)))))
           {action}
           (:gain ?p - role 1 (lit)))
         (define (problem p) (:domain d) (:init (whoseturn p1) {init}))"
    );
    let source = Source::parse(text, Language::Pogddl);
    assert!(source.errors.is_empty(), "{:?}", source.errors);
    let (domain, problem) = (source.domain().expect("a domain"), source.problem().expect("a problem"));
    match Game::from_pogddl(domain, problem, &PogddlOptions::default()) {
        Ok(_) => Vec::new(),
        Err(errors) => {
            errors.iter().map(|error| format!("{}: {}", &source.text[error.range.as_usize()], error.message)).collect()
        }
    }
}

#[test]
fn what_takes_time_is_refused_where_it_stands() {
    assert_eq!(refused("", ""), Vec::<String>::new());
    let durative = "(:durative-action burn :parameters () :duration (= ?duration 5)
        :condition (at start (whoseturn p1)) :effect (at end (lit)))";
    assert_eq!(
        refused(durative, ""),
        ["burn: `burn` takes time, and matches are played move by move: make it an `:action`"]
    );
    assert_eq!(
        refused("", "(at 5 (lit))"),
        ["at: this fact is uncertain or comes later: all facts of a match hold when it begins"]
    );
}

#[test]
fn conditions_and_effects_of_plans_are_refused() {
    let action =
        |condition: &str, effect: &str| format!("(:action light :precondition {condition} :effect (and {effect}))");
    let one = |condition: &str, effect: &str| refused(&action(condition, effect), "");
    assert!(
        one("(over all (lit))", "(lit)")[0].starts_with("over all: a condition holds or fails when a move is made")
    );
    assert!(one("(preference soon (lit))", "(lit)")[0].starts_with("preference: a preference may be given up"));
    assert!(one("(sometime (lit))", "(lit)")[0].starts_with("sometime: this is about a whole plan"));
    assert!(one("(lit)", "(oneof (lit) (and))")[0].starts_with("oneof: `oneof` has no place in a match"));
    assert!(one("(lit)", "(increase (heat) #t)")[0].starts_with("#t: matches are played move by move"));
    let vars = refused("(:action light :vars (?r - role) :precondition (whoseturn ?r) :effect (lit))", "");
    assert!(vars[0].contains("put these into `:parameters`"), "{vars:?}");
}
