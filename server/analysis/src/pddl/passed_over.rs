//! Actions that repeat others are skipped, also after edits, and the findings are the same. Builds with debug
//! assertions compare the findings with those of all actions, so these tests provide inputs to compare.

use super::resolve::{model, telling_model};
use crate::{Settings, check, check_pddl};
use percept_syntax::{Document, Language, Source, TextRange};

const HEAD: &str = "(define (domain roads)\n(:requirements :strips :typing :action-costs)\n(:types place truck)\n\
    (:constants home - place)\n(:predicates (at ?t - truck ?p - place) (road ?a ?b - place) (shut ?p - place) (seen))\n\
    (:functions (total-cost) (length ?a ?b - place))\n";

/// An action that differs from the others only in its names.
fn drive(number: usize) -> String {
    format!(
        "(:action drive{number} :parameters (?t{number} - truck ?a ?b - place)\n  :precondition (and (at ?t{number} ?a) (road ?a ?b))\n  \
         :effect (and (at ?t{number} ?b) (not (shut ?b)) (increase (total-cost) (length ?a ?b))))\n"
    )
}

fn domain(actions: usize) -> String {
    let actions: String = (0..actions).map(drive).collect();
    format!("{HEAD}{actions})\n")
}

fn passed_over(source: &Source) -> usize {
    let (telling, all) = (telling_model(Some(source), None), model(Some(source), None));
    assert_eq!(telling.actions.len() + telling.passed_over, all.actions.len());
    telling.passed_over
}

fn rules(source: &Source) -> Vec<&'static str> {
    check(source, &Settings::default()).iter().map(|finding| finding.rule.name).collect()
}

#[test]
fn of_actions_that_are_alike_one_is_looked_at() {
    let source = Source::parse(domain(20), Language::Pogddl);
    assert_eq!(passed_over(&source), 19);
    assert_eq!(rules(&source), ["static-predicate", "unused-predicate"]);
}

/// Complex conditions and effects are also judged once for all equal actions, if the verdict does not depend on other
/// actions.
#[test]
fn conditions_and_conditional_effects_may_say_nothing_new() {
    let bodies = [
        (":precondition (or (shut ?p) (seen)) :effect (at ?t ?p)", 18),
        (":precondition (and (seen) (not (= ?p home))) :effect (at ?t ?p)", 18),
        (":precondition (forall (?q - place) (road ?p ?q)) :effect (at ?t ?p)", 18),
        (":precondition (< (length ?p home) 4) :effect (and (at ?t ?p) (increase (total-cost) 1))", 18),
        (
            ":effect (and (at ?t ?p) (when (shut ?p) (not (shut ?p))) (forall (?q - place) (when (road ?q ?p) (seen))))",
            18,
        ),
        // A relation between two places keeps them apart if no initial state contradicts it.
        (":precondition (road ?p home) :effect (and (at ?t ?p) (not (at ?t home)))", 18),
        // The two may be one place, depending on the `road` facts elsewhere.
        (":precondition (exists (?q - place) (road ?p ?q)) :effect (and (at ?t ?p) (not (at ?t home)))", 0),
        // Each of these actions has a contradiction.
        (":precondition (or (shut ?p) (and (seen) (not (seen)))) :effect (at ?t ?p)", 0),
        (":effect (and (at ?t ?p) (when (seen) (shut ?p)) (when (seen) (shut ?p)))", 0),
    ];
    for (body, expected) in bodies {
        let action = |n: usize| format!("(:action a{n} :parameters (?t - truck ?p - place) {body})\n");
        let actions: String = (0..19).map(action).collect();
        let source = Source::parse(format!("{HEAD}{}{actions})", drive(1)), Language::Pogddl);
        assert_eq!(source.errors, []);
        assert_eq!(passed_over(&source), expected, "{body}");
        rules(&source);
    }
}

#[test]
fn what_is_new_or_wrong_is_looked_at() {
    let more = [
        ("another atom", "(:action x :parameters () :precondition (at truck home) :effect (seen))"),
        ("another atom", "(:action x :parameters (?p - place) :precondition (road ?p ?p) :effect (shut ?p))"),
        ("a constant", "(:action x :parameters (?t - truck) :precondition (road home home) :effect (at ?t home))"),
        ("an unused variable", "(:action x :parameters (?t - truck ?p ?q - place) :effect (at ?t ?p))"),
        ("a type", "(:action x :parameters (?t - place ?p - place) :effect (at ?t ?p))"),
        (
            "a contradiction",
            "(:action x :parameters (?p - place) :precondition (and (shut ?p) (not (shut ?p))) :effect (seen))",
        ),
        ("no effect", "(:action x :parameters (?a ?b - place) :precondition (road ?a ?b))"),
        ("a condition", "(:action x :parameters (?a ?b - place ?t - truck) :effect (when (road ?a ?b) (at ?t ?b)))"),
    ];
    for (what, action) in more {
        let text = domain(20).replace("(:action drive10", &format!("{action}\n(:action drive10"));
        let source = Source::parse(text, Language::Pogddl);
        assert_eq!(passed_over(&source), 19, "{what}");
        rules(&source);
    }
}

#[test]
fn no_action_of_a_game_is_passed_over() {
    let source = Source::parse(domain(20).replace(":typing", ":typing :pogddl"), Language::Pogddl);
    assert_eq!(passed_over(&source), 0);
    // An `observe` makes the domain a game.
    let observe = "(:action tell :parameters (?p - place) :precondition (shut ?p) :effect (observe (all (shut ?p))))";
    let text = domain(20).replace("(:action drive10", &format!("{observe}\n(:action drive10"));
    let source = Source::parse(text, Language::Pogddl);
    assert_eq!(passed_over(&source), 0);
    rules(&source);
}

/// With the problem of a small domain, every action is checked for the values of its variables.
#[test]
fn with_a_problem_only_large_domains_are_cut() {
    let problem = "(define (problem one) (:domain roads) (:objects a b - place t - truck)\n\
        (:init (at t a) (road a b) (= (total-cost) 0) (= (length a b) 2)) (:goal (and (at t b) (seen) (shut a))))";
    let problem = Source::parse(problem, Language::Pogddl);
    for (actions, left) in [(20, 20), (1_100, 1)] {
        let domain = Source::parse(domain(actions), Language::Pogddl);
        let telling = telling_model(Some(&domain), Some(&problem));
        assert_eq!(telling.actions.len(), left);
        let findings = check_pddl(Some(&domain), Some(&problem), &Settings::default());
        let rules: Vec<&str> = findings.iter().map(|finding| finding.rule.name).collect();
        assert_eq!(rules.iter().filter(|rule| **rule == "never-true").count(), 2, "{rules:?}");
    }
}

/// The note on an action is valid wherever the action moves, but only under the same declarations.
#[test]
fn edits_bring_to_light_what_was_passed_over() {
    let mut document = Document::new(&domain(20), Language::Pogddl);
    let mut before = rules(&document.snapshot());
    let place = |document: &Document, what: &str| document.rope().to_string().find(what).expect("it is there") as u32;
    let mut replace = |old: &str, new: &str| {
        let at = place(&document, old);
        document.edit(TextRange::new(at, at + old.len() as u32), new);
        let source = document.snapshot();
        let now = rules(&source);
        assert_eq!(now, rules(&Source::parse(source.text.clone(), Language::Pogddl)), "{new}");
        let changed = now != before;
        before = now;
        (passed_over(&source), changed)
    };
    // An edit between the actions, an edit in one of them, and its reversal.
    assert_eq!(replace("(:action drive10", "\n\n(:action drive10"), (19, false));
    assert_eq!(replace("(at ?t10 ?b)", "(at ?t10 home)"), (18, false));
    assert_eq!(replace("(at ?t10 home)", "(at ?t10 ?b)"), (19, false));
    // An edit of the first action, which represented the others.
    assert_eq!(replace("(road ?a ?b))\n  :effect", "(shut ?a))\n  :effect"), (18, false));
    assert_eq!(replace("(shut ?a))\n  :effect", "(road ?a ?b))\n  :effect"), (19, false));
    // A type that is declared differently, so that no action fits.
    assert_eq!(replace("(at ?t - truck", "(at ?t - place"), (0, true));
    assert_eq!(replace("(at ?t - place", "(at ?t - truck"), (19, true));
    // A typo in one of them, and its repair.
    assert_eq!(replace("(not (shut ?b))", "(not (shut ?b)"), (0, true));
    assert_eq!(replace("(not (shut ?b)", "(not (shut ?b))"), (19, true));
    assert_eq!(replace("(not (shut ?b))", "(not (shut ?b) (at ?t7 ?a))"), (18, true));
}
