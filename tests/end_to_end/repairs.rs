//! `percept prove --repair`: what is proposed is inserted, and then it is so; `percept play --coverage`.

use crate::support::{folder, percept, root, write};

const BLIND: &str = "games/blind-tic-tac-toe/blind-tic-tac-toe.kif";

/// Inserts each repair of a file into its text and proves what it is for.
fn inserted(game: &str, role: &str, property: &str) -> Vec<(String, f64)> {
    let ask = ["prove", game, "--role", role, "--property", property, "--repair", "--time", "60", "--format", "json"];
    let answer = percept(&ask).json();
    let repairs = answer["repairs"][0]["repairs"].as_array().expect("repairs").clone();
    assert!(!repairs.is_empty(), "{answer}");
    let text = std::fs::read_to_string(root().join(game)).expect("the game");
    let folder = folder();
    let ending = game.rsplit('.').next().expect("an ending");
    repairs
        .iter()
        .map(|repair| {
            assert_eq!(repair["file"], 0, "the description");
            let mut text = text.clone();
            let at = repair["at"].as_u64().expect("a place") as usize;
            text.insert_str(at, repair["text"].as_str().expect("lines"));
            let path = write(folder.path(), &format!("repaired.{ending}"), &text);
            let run = percept(&["prove", &path, "--role", role, "--property", property, "--time", "60"]);
            assert_eq!(run.code, 0, "{}{}", run.out, repair["text"]);
            let run = percept(&["check", &path, "--no-judge"]);
            assert_eq!(run.code, 0, "{}{}", run.out, run.err);
            assert!(
                !run.out.contains("next-in-body"),
                "what is asked for on purpose is not complained of: {}",
                run.out
            );
            (repair["says"].as_str().expect("words").to_string(), repair["bits"].as_f64().expect("counted"))
        })
        .collect()
}

#[test]
fn chapter_17s_white_is_told_the_end() {
    let repairs = inserted(BLIND, "white", "terminal");
    assert!(repairs.iter().any(|(says, _)| says == "tell white when the match is over"), "{repairs:?}");
    assert!(repairs.iter().any(|(says, _)| says.contains("`line` and `open`")), "{repairs:?}");
    assert!(repairs.is_sorted_by(|one, other| one.1 <= other.1), "what tells least first: {repairs:?}");
    let told = |part: &str| repairs.iter().find(|it| it.0.contains(part)).map(|it| it.1);
    // All of black's moves are more than that the match is over.
    assert!(told("when the match is over") < told("which `mark` black does").or(Some(f64::MAX)), "{repairs:?}");
}

#[test]
fn the_same_in_infix_notation() {
    let repairs = inserted("games/blind-tic-tac-toe/blind-tic-tac-toe.hrf", "black", "terminal");
    assert!(repairs.iter().any(|(says, _)| says == "tell black when the match is over"), "{repairs:?}");
}

#[test]
fn what_is_known_needs_no_repair() {
    let run = percept(&["prove", BLIND, "--role", "white", "--property", "legal", "--repair"]);
    assert_eq!((run.code, run.out.contains("so that")), (0, false), "{}", run.out);
}

#[test]
fn coverage_says_what_never_happened() {
    let text = std::fs::read_to_string(root().join(BLIND)).expect("the game");
    let folder = folder();
    let path = write(
        folder.path(),
        "dead.kif",
        format!("{text}(<= (sees white never) (true (cell 1 1 b)) (line white) (line black))\n"),
    );
    let run = percept(&["play", &path, "-n", "40", "--coverage"]);
    assert!(run.out.contains("in 40 matches of "), "{}", run.out);
    assert!(run.out.contains("of the rules never fired") || run.out.contains(" rules never fired"), "{}", run.out);
    let met = percept(&["play", &path, "-n", "40", "--coverage", "--format", "json"]).json();
    let rules = met["coverage"]["rules"].as_array().expect("rules");
    let dead: Vec<&str> =
        rules.iter().filter(|it| it["fired"] == 0).map(|it| it["says"].as_str().expect("words")).collect();
    assert!(dead.contains(&"(sees white never)"), "{dead:?}");
    let placed = rules.iter().find(|it| it["says"] == "(sees ?player ok)").expect("its rule");
    assert!(placed["fired"].as_u64() > Some(40), "{placed}");
}
