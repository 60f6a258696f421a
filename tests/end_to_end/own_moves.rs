//! A role's knowledge of its own moves: one answer from every command about it.

use std::path::Path;

use serde_json::Value;

use crate::support::{Run, folder, percept, write};

/// A code of two pegs, each white or black; `answer` is the breaker's percept of its guess.
fn code(place: &Path, answer: &str) -> [String; 2] {
    let domain = format!(
        "; percept: terminal = no-moves
(define (domain pegs)
    (:requirements :typing :equality :negative-preconditions :disjunctive-preconditions :conditional-effects :pogddl)
    (:types role peg try other)
    (:constants chance breaker - role white black - peg first second third - try all others u - other)
    (:predicates (whoseturn ?r - role) (code ?one ?two - peg) (left ?t - try) (broken))
    (:action think
        :parameters (?one ?two - peg)
        :precondition (whoseturn chance)
        :effect (and (not (whoseturn chance)) (whoseturn breaker) (code ?one ?two)))
    (:action guess
        :parameters (?one ?two - peg ?t - try)
        :precondition (and (whoseturn breaker) (left ?t) (not (broken))
            (or (= ?t first) (and (= ?t second) (not (left first))) (and (= ?t third) (not (left second)) (not (left first)))))
        :effect (and (not (left ?t)) (when (code ?one ?two) (broken)) {answer}))
    (:gain ?p - role 1 (and (= ?p breaker) (broken))))
"
    );
    let problem = "(define (problem pegs-2) (:domain pegs)
    (:init (whoseturn chance) (left first) (left second) (left third)))
";
    [write(place, "pegs.pog", domain), write(place, "pegs-2.pog", problem)]
}

/// The breaker perceives that it was right, or that one peg was right.
const SOMETIMES: &str = "(when (code ?one ?two) (observe (breaker (right))))
            (forall (?a ?b - peg) (when (and (code ?a ?b) (or (= ?a ?one) (= ?b ?two))) (observe (breaker (a-peg)))))";
/// The breaker also learns its guess.
const ALWAYS: &str = "(observe (breaker (guessed ?one ?two)))
            (when (code ?one ?two) (observe (breaker (right))))";
/// The breaker learns its guess, except the last time, when it receives nothing at all.
const UNTIL_THE_LAST: &str = "(when (not (= ?t third)) (observe (breaker (guessed ?one ?two))))
            (when (and (not (= ?t third)) (code ?one ?two)) (observe (breaker (right))))";

const TRACE: &str = "(think white black)\n(guess black white first)\n(guess white white second)\n";

fn ask(place: &Path, answer: &str, command: &str, more: &[&str]) -> Run {
    let [domain, problem] = code(place, answer);
    let trace = write(place, "match.trace", TRACE);
    let args: Vec<&str> = match command {
        "check" => vec!["check", &domain, &problem],
        "observe" | "infoset" | "step" => vec![command, &problem, &trace],
        _ => vec![command, &problem],
    };
    percept(&[&args, more].concat())
}

fn findings(run: &Run) -> Vec<Value> {
    run.json()["findings"].as_array().unwrap_or_else(|| panic!("{}\n{}", run.out, run.err)).clone()
}

#[test]
fn check_shows_two_matches_that_look_alike() {
    let place = folder();
    let run = ask(place.path(), SOMETIMES, "check", &["--all"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    for part in [
        "unseen-own-move",
        "`breaker` does not know which `guess` it made",
        "look alike to it",
        "add `(observe (breaker (guess ?one ?two ?t)))`",
    ] {
        assert!(run.out.contains(part), "{part}\n{}", run.out);
    }
    assert_eq!(run.out.matches("unseen-own-move").count(), 1, "{}", run.out);
    let run = ask(place.path(), SOMETIMES, "check", &["--format", "json"]);
    let found: Vec<Value> = findings(&run).into_iter().filter(|it| it["rule"] == "unseen-own-move").collect();
    assert_eq!(found.len(), 1);
    let witness = &found[0]["witness"];
    let [first, second] = ["match", "other"].map(|it| witness[it].as_array().expect("a match").len());
    assert_eq!((first, second, &witness["shortest"]), (2, 2, &true.into()), "{witness}");
    for (answer, rounds) in [(ALWAYS, None), (UNTIL_THE_LAST, Some(4))] {
        let found = findings(&ask(place.path(), answer, "check", &["--format", "json"]));
        let own = found.iter().find(|it| it["rule"] == "unseen-own-move");
        let shown = own.map(|it| it["witness"]["other"].as_array().expect("a match").len());
        assert_eq!(shown, rounds, "{answer}: {own:?}");
    }
}

/// If a finding of the text covers it, there is no finding about matches.
#[test]
fn one_cause_is_told_once() {
    let place = folder();
    for answer in ["", "(observe (chance (guessed ?one ?two)))"] {
        let found = findings(&ask(place.path(), answer, "check", &["--format", "json"]));
        let own: Vec<&Value> = found.iter().filter(|it| it["rule"] == "unseen-own-move").collect();
        assert_eq!(own.len(), 1, "{own:?}");
        assert!(own[0]["witness"].is_null(), "{own:?}");
    }
}

#[test]
fn prove_says_it_where_it_is_not_so_and_where_it_is_asked() {
    let place = folder();
    let own = |answer: &str, more: &[&str]| -> Vec<(String, Value)> {
        let run = ask(place.path(), answer, "prove", &[more, &["--format", "json"]].concat());
        let own = findings(&run).into_iter().filter(|it| it["property"] == "own");
        own.map(|it| (it["verdict"].as_str().expect("a verdict").to_owned(), it["depth"].clone())).collect()
    };
    assert_eq!(own(SOMETIMES, &[]), [("refuted".to_owned(), 2.into())]);
    assert_eq!(own(UNTIL_THE_LAST, &[]), [("refuted".to_owned(), 4.into())]);
    assert_eq!(own(ALWAYS, &[]), []);
    assert_eq!(own(ALWAYS, &["--property", "own"]), [("proved".to_owned(), Value::Null)]);
    let run = ask(place.path(), SOMETIMES, "prove", &["--property", "own"]);
    assert_eq!(run.code, 1);
    for part in [
        "refuted  breaker does not always know its own moves",
        "breaker sees the same in A and B (2 rounds):",
        "A: it made (guess",
    ] {
        assert!(run.out.contains(part), "{part}\n{}", run.out);
    }
    // In GDL-II the language guarantees it.
    let run = percept(&["prove", "games/exploding-bomb/exploding-bomb.kif", "--property", "own"]);
    assert!(
        run.code == 0 && run.out.starts_with("proved, checked  agent always knows its own moves (definition"),
        "{}",
        run.out
    );
}

#[test]
fn a_proof_of_it_can_be_written_down() {
    let place = folder();
    let file = place.path().join("own.json");
    let file = file.to_str().expect("a path");
    let run = ask(place.path(), ALWAYS, "prove", &["--role", "breaker", "--property", "own", "--certificate", file]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let run = ask(place.path(), ALWAYS, "prove", &["--check", file]);
    assert_eq!(
        (run.code, run.out.trim_end()),
        (0, "the proof is right: breaker always knows its own moves"),
        "{}",
        run.err
    );
    let run = ask(place.path(), SOMETIMES, "prove", &["--check", file]);
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
}

#[test]
fn observe_infoset_and_a_seat_say_the_same() {
    let place = folder();
    let run = ask(place.path(), SOMETIMES, "observe", &[]);
    assert_eq!(run.code, 1);
    assert!(run.out.contains("breaker: does not know its own moves after rounds 2-3"), "{}", run.out);
    assert!(run.out.contains("breaker: A (guess "), "{}", run.out);
    let run = ask(place.path(), SOMETIMES, "infoset", &["--role", "breaker", "-n", "0"]);
    assert!(run.out.contains("the view does not determine the move of breaker in rounds 2-3"), "{}", run.out);
    let run = ask(place.path(), SOMETIMES, "infoset", &["--role", "breaker", "-n", "0", "--format", "json"]);
    assert_eq!(run.json()["own_unknown"], serde_json::json!([2, 3]));
    let seat = |answer: &str| -> Vec<Value> {
        let run = ask(place.path(), answer, "step", &["--print", "--role", "breaker", "--format", "json"]);
        let answer = run.json();
        let last = answer["seats"].as_array().expect("seats").last().expect("the end").clone();
        last["history"].as_array().expect("rounds").iter().map(|it| it["move"].clone()).collect()
    };
    assert_eq!(seat(SOMETIMES), ["noop".into(), Value::Null, Value::Null]);
    let moves = ["noop", "(guess black white first)", "(guess white white second)"];
    for answer in [ALWAYS, UNTIL_THE_LAST] {
        assert_eq!(seat(answer), moves);
        let run = ask(place.path(), answer, "observe", &[]);
        assert!(!run.out.contains("own moves"), "{}", run.out);
        let run = ask(place.path(), answer, "infoset", &["--role", "breaker", "-n", "0"]);
        assert!(!run.out.contains("which move it made"), "{}", run.out);
        let run = ask(place.path(), answer, "observe", &["--property", "own"]);
        assert_eq!(
            (run.code, run.out.lines().next()),
            (0, Some("breaker: knows its own moves after every round of this match")),
            "{}",
            run.err
        );
    }
}

/// A player that never decides again has perfect recall, whatever it does not know of its last move.
#[test]
fn solve_refuses_where_a_decision_follows() {
    let place = folder();
    let run = ask(place.path(), SOMETIMES, "solve", &[]);
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(
        run.err.contains(
            "breaker forgets its own moves: before its move in round 3 it does not know whether it made `(guess "
        ),
        "{}",
        run.err
    );
    assert!(run.err.contains("percept prove --property own"), "{}", run.err);
    for answer in [ALWAYS, UNTIL_THE_LAST] {
        let run = ask(place.path(), answer, "solve", &[]);
        assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    }
}
