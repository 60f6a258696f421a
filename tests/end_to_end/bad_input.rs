//! Bad input is refused politely, at its place.

use crate::support::{folder, percept, percept_in, write};

const BLIND: &str = "games/blind-tic-tac-toe/blind-tic-tac-toe.kif";

#[test]
fn an_illegal_move_names_round_role_and_the_legal_moves() {
    let place = folder();
    let text = "((mark 1 1) (mark 2 3) (tiebreak x))\n((mark 1 1) (mark 2 2) (tiebreak x))\n";
    let trace = write(place.path(), "match.trace", text);
    for command in [vec!["step", BLIND, &trace, "--print"], vec!["observe", BLIND, &trace]] {
        let run = percept(&command);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{command:?}");
        assert!(run.err.contains("round 2: `(mark 1 1)` is not legal for white; legal are: "), "{}", run.err);
        assert!(run.err.contains("(mark 1 2), (mark 1 3), (mark 2 1)"), "{}", run.err);
        assert!(run.err.contains("match.trace:2:2"), "{}", run.err);
    }
}

#[test]
fn a_missing_domain_says_where_it_was_looked_for() {
    let place = folder();
    std::fs::create_dir_all(place.path().join("a/b")).expect("folders");
    let problem = "(define (problem p) (:domain nowhere) (:objects) (:init))";
    write(place.path(), "a/b/p.pog", problem);
    write(place.path(), "a/other.pog", "(define (domain elsewhere) (:requirements :pogddl))");
    for command in [vec!["check", "a/b/p.pog"], vec!["play", "a/b/p.pog"]] {
        let run = percept_in(place.path(), &command);
        assert_ne!(run.code, 0, "{command:?}");
        assert!(run.err.contains("needs the domain `nowhere`"), "{}", run.err);
        assert!(run.err.contains("a/b") && run.err.contains("looked in"), "{}", run.err);
        assert!(run.err.contains("`elsewhere`"), "{}", run.err);
        assert!(run.err.contains("--domain"), "{}", run.err);
    }
}

#[test]
fn binary_junk_is_refused() {
    let place = folder();
    let junk: Vec<u8> = (0..4096u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let path = write(place.path(), "junk.kif", &junk);
    for command in [vec!["check", &path], vec!["play", &path], vec!["step", BLIND, &path, "--print"]] {
        let run = percept(&command);
        assert_eq!(run.code, 2, "{command:?}");
        assert!(run.err.starts_with("error: "), "{}", run.err);
        let junk = |c: char| c.is_control() && c != '\n' || c == char::REPLACEMENT_CHARACTER;
        assert!(!run.err.contains(junk), "the junk itself was printed: {}", run.err);
    }
    // The other files are checked all the same.
    let run = percept(&["check", &path, BLIND, "--format", "json"]);
    assert_eq!((run.code, run.json()["files"].as_u64()), (2, Some(1)));
}

#[test]
fn nothing_there() {
    for command in [
        vec!["check", "no-such-file.kif"],
        vec!["play", "no-such-file.kif"],
        vec!["infoset", BLIND, "no-such.trace", "--role", "white"],
        vec!["check", "LICENSE-MIT"],
        vec!["check", ".ci"],
        vec!["play", "games"],
    ] {
        let run = percept(&command);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{command:?}");
        assert!(run.err.starts_with("error: "), "{command:?} {}", run.err);
    }
}

#[test]
fn roles_and_rounds_that_are_not_there() {
    let trace = "games/blind-tic-tac-toe/traces/transcript.trace";
    let run = percept(&["infoset", BLIND, trace, "--role", "red"]);
    assert!(run.err.contains("there is no role `red`; the roles are white, black, random"), "{}", run.err);
    let run = percept(&["infoset", BLIND, trace]);
    assert!(run.err.contains("--role"), "{}", run.err);
    let run = percept(&["infoset", BLIND, trace, "--role", "white", "--round", "9"]);
    assert!(run.err.contains("there is no round 9"), "{}", run.err);
    let view = "games/blind-tic-tac-toe/traces/transcript-white.trace";
    let run = percept(&["observe", BLIND, view]);
    assert!(run.err.contains("the moves of all roles") || run.err.contains("whose view"), "{}", run.err);
}

#[test]
fn a_view_that_no_history_gives() {
    let place = folder();
    // Nobody can have marked the middle before the first round.
    let text = "(play m 0 nil nil)\n(play m 1 (mark 2 2) nil)\n(play m 2 (mark 2 2) (ok))\n";
    let trace = write(place.path(), "view.trace", text);
    let run = percept(&["infoset", BLIND, &trace, "--role", "white", "--format", "json"]);
    assert_eq!(run.code, 1, "{}", run.err);
    let answer = run.json();
    assert_eq!((&answer["histories"], &answer["complete"]), (&"0".into(), &true.into()));
    assert_eq!(answer["impossible_round"], 2);
}

#[test]
fn a_game_with_mistakes_is_not_run() {
    let place = folder();
    let path = write(place.path(), "bad.kif", "(role white)\n(<= (legal white a) (true (f ?x))\n");
    let run = percept(&["play", &path]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("bad.kif:2:"), "{}", run.err);
}

#[test]
fn time_is_kept() {
    let start = std::time::Instant::now();
    let run = percept(&["play", BLIND, "-n", "1000000000", "--time", "1", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(start.elapsed().as_secs() < 20);
}
