//! The reasons that findings give.

use percept_game::{Game, PogddlOptions};
use percept_infoset::Budget;
use percept_judge::{Case, Options, judge};
use percept_syntax::{Language, Source};

/// The findings in a domain and its problem in one text: the rule, the place, the message.
fn findings_in(text: &str) -> Vec<String> {
    let source = Source::parse(text, Language::Pogddl);
    assert!(source.errors.is_empty(), "{:?}", source.errors);
    let (domain, problem) = (source.domain().expect("a domain"), source.problem().expect("a problem"));
    let game = Game::from_pogddl(domain, problem, &PogddlOptions::default()).expect("a game");
    let case = Case::new(&game, vec![&source, &source]);
    let judgement = judge(&case, &Options::default(), &Budget::default());
    let findings = judgement.findings.iter();
    findings.map(|it| format!("{} at {}: {}", it.rule.name, case.text(it.place()), it.message)).collect()
}

fn haunted(ghosts: &str) -> String {
    format!(
        "(define (domain house) (:requirements :typing :negative-preconditions :pogddl)
           (:types role ghost - object white grey - ghost) (:constants p1 - role)
           (:predicates (whoseturn ?r - role) (haunted ?g - ghost) (lit))
           (:action go :precondition (and (whoseturn p1) (not (lit))) :effect (and (lit) (observe (p1 (gone)))))
           (:action boo :parameters (?g - ghost) :precondition (and (whoseturn p1) (not (haunted ?g))) :effect (and (haunted ?g) (observe (p1 (heard ?g)))))
           (:gain ?p - role 1 (lit)))
         (define (problem old-house) (:domain house) (:objects {ghosts}) (:init (whoseturn p1)))"
    )
}

#[test]
fn an_action_whose_parameter_has_no_object_is_dead_for_that() {
    let dead = "dead-action at boo: `boo` is never legal in this problem: there is no `ghost` for `?g`";
    assert_eq!(findings_in(&haunted("")), [dead]);
    assert_eq!(findings_in(&haunted("bill - grey")), Vec::<String>::new());
}

#[test]
fn a_number_that_no_match_can_have_is_told_and_nothing_else() {
    let counting = |first: &str| {
        format!(
            "(define (domain d) (:requirements :typing :fluents :pogddl) (:types role) (:constants p1 - role)
               (:predicates (whoseturn ?r - role)) (:functions (x))
               (:action count :precondition (whoseturn p1) :effect (and (not (whoseturn p1)) (increase (x) 10)))
               (:gain ?p - role (x) (not (whoseturn p1))))
             (define (problem p) (:domain d) (:init (whoseturn p1) (= (x) {first})))"
        )
    };
    assert_eq!(findings_in(&counting("0")), Vec::<String>::new());
    let beyond = "impossible-number at (increase (x) 10): a match reaches a number that does not fit in 64 bits \
                  (-9223372036854775808 to 9223372036854775807)";
    assert_eq!(findings_in(&counting("9223372036854775800")), [beyond]);
}
