use percept_syntax::gdl::Description;
use percept_syntax::pddl::Definition;
use percept_syntax::{Language, Source, Syntax};

use super::*;
use crate::pogddl::generate;
use crate::{PogddlOptions, PogddlTerminal};

fn description(text: &str) -> Description {
    let source = Source::parse(text, Language::GdlPrefix);
    assert!(source.errors.is_empty(), "{:?}", source.errors);
    let Syntax::Gdl(description) = source.syntax else { panic!("not GDL") };
    description
}

/// The bound of the ground game, and of the slice alone.
fn bounds(text: &str) -> (Option<u64>, Option<u64>) {
    let description = description(text);
    let (ground, lifted) = (Game::from_gdl(&description).unwrap(), Game::from_gdl_lifted(&description).unwrap());
    let rounds = |game: &Game| bound(game, Some(&description), &Budget::default()).map(|bound| bound.rounds);
    (rounds(&ground), rounds(&lifted))
}

const STEPS: &str = "(role a) (role b) (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4)
    (legal a (say ?x)) (legal b (say 1)) (<= (legal a (say ?x)) (word ?x)) (word 1) (word 2)
    (<= (next (said ?x)) (does a (say ?x))) (goal a 0) (goal b 0)";

#[test]
fn a_step_counter_bounds_whatever_else_happens() {
    let game = |rest: &str| format!("{} {rest}", STEPS.replace("(legal a (say ?x)) (legal b", "(legal b"));
    let counter = "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))";
    assert_eq!(bounds(&game(&format!("{counter} (<= terminal (true (step 4)))"))), (Some(3), Some(3)));
    // A counter that stops when the match does.
    let held = "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y) (not terminal))";
    assert_eq!(
        bounds(&game(&format!("{held} (<= terminal (true (step 4))) (<= terminal (true (said 2)))"))),
        (Some(3), Some(3))
    );
    // No step is left: the counter is gone.
    let gone = "(<= terminal (not counting)) (<= counting (true (step ?x)))";
    assert_eq!(bounds(&game(&format!("{counter} {gone}"))), (Some(4), Some(4)));
    // The counter does not end the match.
    assert_eq!(bounds(&game(&format!("{counter} (<= terminal (true (said 2)))"))), (None, None));
    // The counter waits for a move.
    let waits = "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y) (does a (say 1)))
        (<= (next (step ?x)) (true (step ?x)) (does a (say 2)))";
    assert_eq!(bounds(&game(&format!("{waits} (<= terminal (true (step 4)))"))), (None, None));
    // It counts the moves that a makes, and a makes one in every round.
    let moves = "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y) (does a (say ?w)))";
    assert_eq!(bounds(&game(&format!("{moves} (<= terminal (true (step 4)))"))), (Some(3), None));
    // It goes round.
    let round = "(next-step 1 2) (next-step 2 1) (<= (next (step ?y)) (true (step ?x)) (next-step ?x ?y))";
    assert_eq!(bounds(&game(&format!("{round} (<= terminal (true (step 3)))"))), (None, None));
}

#[test]
fn a_binary_counter_counts_too() {
    let text = "(role a) (legal a go) (goal a 0) (init (bit 0)) (init (bit 2))
        (<= (next (bit 0)) (not (true (bit 0))))
        (<= (next (bit 1)) (true (bit 1)) (not (true (bit 0))))
        (<= (next (bit 1)) (not (true (bit 1))) (true (bit 0)))
        (<= (next (bit 2)) (true (bit 2)) (not carry)) (<= (next (bit 2)) (not (true (bit 2))) carry)
        (<= carry (true (bit 1)) (true (bit 0)))
        (<= terminal (not (true (bit 0))) (not (true (bit 1))) (not (true (bit 2))))";
    assert_eq!(bounds(text).0, Some(3));
}

/// Two players fill four cells in turn; the match ends when no cell is empty.
const FILL: &str = "(role x) (role o) (init (control x)) (cell 1) (cell 2) (cell 3) (cell 4)
    (<= (init (empty ?c)) (cell ?c))
    (<= (legal ?r (take ?c)) (true (control ?r)) (true (empty ?c)))
    (<= (legal x wait) (true (control o))) (<= (legal o wait) (true (control x)))
    (<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))
    (<= (next (empty ?c)) (true (empty ?c)) (not (taken ?c)))
    (<= (taken ?c) (does ?r (take ?c)))
    (<= open (true (empty ?c))) (<= terminal (not open)) (goal x 0) (goal o 0)";

#[test]
fn cells_that_fill_up_bound_a_match() {
    assert_eq!(bounds(FILL).0, Some(4));
    // A player who may pass makes no end certain.
    let passing = format!("{FILL} (<= (legal ?r pass) (true (control ?r)))");
    assert_eq!(bounds(&passing).0, None);
    // Cells that come back are not a bound either.
    let back = format!("{FILL} (<= (next (empty 1)) (does ?r (take 2)))");
    assert_eq!(bounds(&back).0, None);
    // Every other round is spent waiting by both.
    let slow = "(role x) (init (turn 0)) (n 1) (n 2) (n 3) (<= (next (turn 1)) (true (turn 0)))
        (<= (next (turn 0)) (true (turn 1))) (<= (legal x (try ?n)) (n ?n) (true (turn 0)) (not (true (tried ?n))))
        (<= (legal x wait) (true (turn 1))) (<= (next (tried ?n)) (does x (try ?n)))
        (<= (next (tried ?n)) (true (tried ?n))) (goal x 0)
        (<= terminal (true (tried 1)) (true (tried 2)) (true (tried 3)))";
    assert_eq!(bounds(slow).0, Some(6));
}

fn used_up(domain: &str, problem: &str) -> Option<u64> {
    let definitions = |text: &str| match Source::parse(text, Language::Pogddl).syntax {
        Syntax::Pddl(file) => file.into_content().definitions,
        Syntax::Gdl(_) => panic!("not PDDL"),
    };
    let (Definition::Domain(domain), Definition::Problem(problem)) =
        (&definitions(domain)[0], &definitions(problem)[0])
    else {
        panic!("a domain and a problem")
    };
    let game =
        Game::from_pogddl(domain, problem, &PogddlOptions { terminal: PogddlTerminal::NoMoves }).expect("it is right");
    bound(&game, None, &Budget::default()).map(|bound| bound.rounds)
}

#[test]
fn actions_that_use_something_up_are_counted() {
    // Two bids: four cards are dealt, then exposing, two bids, settling and awarding, twice.
    let gops = generate::gops(2, 3, true).unwrap();
    let rounds = used_up(generate::GOPS, &gops).expect("a bound");
    assert!((14..=40).contains(&rounds), "{rounds}");
    // Two ships each are placed; every cell is shot at once and answered once by each.
    let battleship = generate::battleship(2, 4).unwrap();
    let rounds = used_up(generate::BATTLESHIP, &battleship).expect("a bound");
    assert!((4 + 2 * 16 * 2..=90).contains(&rounds), "{rounds}");
    // Cards go round and round.
    assert_eq!(used_up(generate::RACKO, &generate::racko(2, 6).unwrap()), None);
}

#[test]
fn numbers_that_only_fall_bound_a_match() {
    let domain = |guard: &str, effect: &str| {
        format!(
            "(define (domain count) (:requirements :typing :fluents :pogddl) (:types role)
              (:constants a - role) (:predicates (whoseturn ?r - role) (on)) (:functions (left ?r - role))
              (:action go :parameters () :precondition (and (whoseturn a) {guard}) :effect (and {effect}))
              (:gain ?r - role 1 (on)))"
        )
    };
    let problem = "(define (problem one) (:domain count) (:init (whoseturn a) (= (left a) 7)))";
    assert_eq!(used_up(&domain("(> (left a) 0)", "(decrease (left a) 1)"), problem), Some(7));
    assert_eq!(used_up(&domain("(> (left a) 0) (< (left a) 9)", "(decrease (left a) 2)"), problem), Some(4));
    assert_eq!(used_up(&domain("(> (left a) 0)", "(on)"), problem), None);
    let again = "(decrease (left a) 1) (when (= (left a) 3) (increase (left a) 2))";
    assert_eq!(used_up(&domain("(> (left a) 0)", again), problem), None);
    assert_eq!(used_up(&domain("(not (on))", "(on)"), problem), Some(1));
    assert_eq!(used_up(&domain("(not (on))", "(when (> (left a) 3) (on))"), problem), None);
}
