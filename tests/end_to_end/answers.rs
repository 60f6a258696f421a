//! The evidence around an answer: weights and their worth, the completeness of a list, vacuous proofs, the
//! interpretation of unsafe rules, and exit codes that distinguish wrong, open and interrupted.

use serde_json::Value;

use crate::support::{folder, percept, root, write};

const BLIND: &str = "games/blind-tic-tac-toe/blind-tic-tac-toe.kif";
const NO_LINE: &str = "games/blind-tic-tac-toe/traces/no-line.trace";
const GOPS: &str = "games/gops/gops-2-10-closed.pog";
const CLOSED: &str = "games/gops/traces/closed.trace";

#[test]
fn weighted_draws_come_with_their_weights() {
    let ask = ["infoset", GOPS, CLOSED, "--role", "p1", "--sample", "probability", "-n", "500"];
    let json = percept(&[&ask[..], &["--method", "csp", "--format", "json"]].concat()).json();
    assert_eq!((&json["version"], &json["draws"]), (&3.into(), &"weighted".into()));
    let members = json["members"].as_array().expect("members");
    let weights: Vec<f64> = members.iter().map(|it| it["weight"].as_f64().expect("a weight")).collect();
    assert_eq!(weights.len(), 500);
    assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    let worth = 1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>();
    assert!((json["effective"].as_f64().expect("a size") - worth).abs() < 1e-6 * worth, "{worth}");
    assert!(members.iter().all(|it| it["probability"].is_null()), "the size of the set is not known");
    let text = percept(&[&ask[..], &["--method", "csp"]].concat()).out;
    assert!(text.contains(&format!("effective sample size: {worth:.0} of 500 draws")), "{text}");
    assert!(text.contains("500 draws") && text.contains("with weights"), "{text}");
    assert!(text.lines().any(|line| line.starts_with("1. weight ")), "{text}");
    // If the method can draw from the distribution, no weights are needed.
    let json = percept(&[&ask[..], &["--method", "exact", "--format", "json"]].concat()).json();
    assert_eq!((&json["draws"], &json["complete"]), (&"from".into(), &true.into()));
    let members = json["members"].as_array().expect("members");
    assert!(members.iter().all(|it| it["weight"].is_null() && it["probability"].as_f64().is_some()));
}

#[test]
fn a_list_says_whether_it_is_the_set() {
    let ask = ["infoset", BLIND, NO_LINE, "--role", "white"];
    let run = percept(&ask);
    assert!(run.out.contains("100 of 14113 members listed (-n 14113 lists all)"), "{}", run.out);
    assert!(!run.out.contains("all members"), "{}", run.out);
    for (more, listed, all) in
        [(&["-n", "0"][..], 0, false), (&[][..], 100, false), (&["-n", "20000"][..], 14113, true)]
    {
        let json = percept(&[&ask[..], more, &["--format", "json"]].concat()).json();
        assert_eq!((&json["complete"], &json["all_listed"]), (&true.into(), &all.into()), "{more:?}");
        assert_eq!(json["members"].as_array().map(Vec::len), Some(listed), "{more:?}");
        let sum: f64 =
            json["members"].as_array().into_iter().flatten().filter_map(|it| it["probability"].as_f64()).sum();
        assert!(if all { (sum - 1.0).abs() < 1e-9 } else { sum < 0.9 }, "{more:?}: {sum}");
    }
}

/// Two states that alternate: no match ends. `stuck`: after one round no role can move.
fn endless(stuck: bool) -> String {
    let legal = if stuck { "(<= (legal a go) (true one))" } else { "(legal a go)" };
    format!(
        "(role a) (role b) (init one) {legal} (legal b wait) (<= (next two) (true one)) (<= (next one) (true two))
        (<= (sees b tick) (true one)) (<= terminal (true one) (true two)) (goal a 100) (<= (goal b 0) (true one))
        (<= (goal b 50) (true two))"
    )
}

#[test]
fn a_proof_about_ends_that_never_come_is_vacuous() {
    let place = folder();
    for stuck in [false, true] {
        let game = write(place.path(), "endless.kif", endless(stuck));
        let json = percept(&["prove", &game, "--property", "goal", "--format", "json"]).json();
        for finding in json["findings"].as_array().expect("findings") {
            assert_eq!((&finding["verdict"], &finding["vacuous"]), (&"proved".into(), &true.into()), "{finding}");
        }
        let run = percept(&["prove", &game, "--role", "b"]);
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(run.out.contains("goal; but no match ever ends, so this says nothing"), "{}", run.out);
        assert_eq!(run.out.matches("says nothing").count(), 1, "{}", run.out);
    }
    let file = place.path().join("goal.json");
    let file = file.to_str().expect("UTF-8");
    let game = write(place.path(), "endless.kif", endless(false));
    let ask = ["prove", &game, "--role", "a", "--property", "goal", "--certificate", file];
    assert_eq!(percept(&ask).code, 0);
    let run = percept(&["prove", &game, "--check", file]);
    assert!(run.code == 0 && run.out.contains("so this says nothing"), "{}", run.out);
    let proved =
        percept(&["prove", "games/tic-tac-toe/tic-tac-toe.kif", "--property", "goal", "--format", "json"]).json();
    for finding in proved["findings"].as_array().expect("findings") {
        assert_eq!(finding["vacuous"], false, "{finding}");
    }
}

/// Like [`a_proof_about_ends_that_never_come_is_vacuous`], for matches that end without a goal for a role, and for
/// endless matches in POGDDL.
#[test]
fn a_proof_about_goals_that_a_role_never_has_is_vacuous() {
    let place = folder();
    let prove = |args: &[&str]| {
        let all = [&["prove"], args, &["--property", "goal"]].concat();
        let text = percept(&all).out;
        let json = percept(&[&all[..], &["--format", "json"]].concat()).json();
        let each =
            |it: &Value| (it["role"].clone(), it["verdict"].clone(), it["vacuous"].clone(), it["reason"].clone());
        (text, json["findings"].as_array().expect("findings").iter().map(each).collect::<Vec<_>>())
    };
    let expected = |role: &str, vacuous: bool, reason: Value| (role.into(), "proved".into(), vacuous.into(), reason);
    // No rule gives b a goal; c has one only before the end.
    let rules = "(role a) (role b) (role c) (init here) (<= (legal ?r go) (role ?r)) (<= (next over) (true here))
        (<= terminal (true over)) (goal a 50) (<= (goal c 100) (true here))";
    let (text, found) = prove(&[&write(place.path(), "goals.kif", rules)]);
    let none = || Value::from("no-goal");
    assert_eq!(found, [expected("a", false, Value::Null), expected("b", true, none()), expected("c", true, none())]);
    assert!(text.contains("b always knows its goal; but b never has a goal, so this says nothing"), "{text}");
    assert_eq!(text.matches("says nothing").count(), 2, "{text}");
    let domain = |end: &str| {
        format!(
            "(define (domain d) (:requirements :typing :pogddl) (:types role other)
              (:constants p1 p2 - role all others u - other) (:predicates (whoseturn ?r - role) (done))
              (:action go :parameters () :precondition (and (whoseturn p1) (not (done))) :effect (and {end} (observe (all (went)))))
              (:gain ?p - role 1 (and (whoseturn ?p) (done))))
             (define (problem one) (:domain d) (:init (whoseturn p1)))"
        )
    };
    // Only p1 can be paid; and a match that goes on for ever.
    let (text, found) = prove(&[&write(place.path(), "ends.pog", domain("(done)"))]);
    assert_eq!(found, [expected("p1", false, Value::Null), expected("p2", true, none())], "{text}");
    assert!(text.contains("p2 always knows its goal; but p2 never has a goal, so this says nothing"), "{text}");
    let (text, found) = prove(&[&write(place.path(), "endless.pog", domain("(whoseturn p1)"))]);
    let never = || Value::from("no-end");
    assert_eq!(found, [expected("p1", true, never()), expected("p2", true, never())], "{text}");
    assert_eq!(text.matches("no match ever ends, so this says nothing").count(), 2, "{text}");
}

#[test]
fn unsafe_rules_that_are_played_are_told() {
    let place = folder();
    let text = "(role a) (role b) (init (n 1)) (init (n 2)) (legal ?r go) (<= (next (n 3)) (true (n 1)))
        (<= terminal (true (n ?x)) (not (true (n 2)))) (<= (next (n 4)) (not (true (n ?z)))) (goal ?r 50)";
    let game = write(place.path(), "unsafe.kif", text);
    let trace = write(place.path(), "one.trace", "(go go)\n");
    for command in [
        vec!["step", &game, &trace, "--print"],
        vec!["play", &game, "-n", "5"],
        vec!["infoset", &game, &trace, "--role", "a"],
        vec!["observe", &game, &trace],
        vec!["prove", &game, "--time", "5"],
        vec!["advise", &game, &trace, "--role", "a", "--round", "0"],
    ] {
        let run = percept(&command);
        assert!(run.err.contains("no positive condition binds `?r`; taken to be any role"), "{command:?} {}", run.err);
        assert!(run.err.contains("taken to mean that this holds for no `?z` at all"), "{command:?} {}", run.err);
        assert!(run.err.contains("unsafe.kif:1:"), "{command:?} {}", run.err);
        assert!(!run.out.is_empty(), "{command:?}");
    }
    assert_eq!(percept(&["check", &game]).code, 1);
}

#[test]
fn open_is_not_wrong() {
    let battleship = "games/battleship/battleship-3-6.pog";
    for (args, code) in [
        (vec!["prove", BLIND, "--role", "white", "--property", "legal"], 0),
        (vec!["prove", BLIND, "--role", "white", "--property", "goal"], 1),
        (vec!["prove", BLIND, "--role", "white", "--property", "goal", "--method", "bounded", "--depth", "1"], 3),
        // If one property is wrong and another one open, the exit code is that of a wrong one.
        (vec!["prove", BLIND, "--role", "white", "--method", "bounded", "--depth", "3"], 1),
        (vec!["prove", BLIND, "--query", "(always (implies terminal (knows white terminal)))", "--depth", "2"], 0),
        (vec!["prove", BLIND, "--query", "(always (implies terminal (knows white terminal)))"], 1),
        (vec!["prove", battleship, "--query", "(sometimes 200 terminal)", "--method", "bounded", "--time", "1ms"], 3),
        (vec!["infoset", BLIND, NO_LINE, "--role", "white"], 0),
        (vec!["infoset", GOPS, CLOSED, "--role", "p1", "--method", "dfs", "--time", "1ms"], 3),
        (vec!["observe", BLIND, NO_LINE, "--role", "white"], 1),
        (vec!["prove", "no-such-game.kif"], 2),
    ] {
        let run = percept(&args);
        assert_eq!(run.code, code, "{args:?}: {}{}", run.out, run.err);
    }
    let help = percept(&["help"]).out;
    let page = std::fs::read_to_string(root().join("docs/commands.md")).expect("there is a page");
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for (code, means) in [
        (0, "no problem"),
        (1, "a problem in the game"),
        (2, "the command failed"),
        (3, "undecided within the limits of time, memory or rounds"),
        (130, "stopped by Ctrl-C"),
    ] {
        assert!(help.contains(&format!("{code} {means}")), "{code}: {help}");
        assert!(page.contains(&format!("| {code} | {means}")), "{code}");
    }
}

/// A search that would go on for long, and is interrupted as soon as it `is_ready`.
#[cfg(target_os = "linux")]
fn interrupted(is_ready: impl Fn(u32) -> bool) -> std::process::Output {
    use std::process::{Command, Stdio};
    let endless = ["infoset", "games/racko/racko-6-30.pog", "games/racko/traces/opening.trace"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_percept"));
    command.current_dir(root()).args(endless).args(["--role", "p1", "--method", "dfs", "-n", "1000000000"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    while !is_ready(child.id()) {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    crate::support::interrupt(&child);
    child.wait_with_output().expect("it ends")
}

/// After Ctrl-C partial results are printed, and the exit code is the one that shells use.
#[cfg(target_os = "linux")]
#[test]
fn interrupted_is_neither_wrong_nor_open() {
    // The search has begun after a second of the processor's time, however many others want the processor.
    let is_busy = |process| {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).expect("it runs");
        let after_name = stat.rsplit(')').next().expect("a name in brackets");
        after_name.split_whitespace().nth(11).and_then(|it| it.parse::<u64>().ok()).expect("ticks") >= 100
    };
    let output = interrupted(is_busy);
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("ended early: cancelled"), "{text}");
}

/// Ctrl-C while a game is set up says that, and advises nothing.
#[cfg(target_os = "linux")]
#[test]
fn interrupted_at_once_is_said() {
    let listens = |process| {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("signals that are caught");
        u64::from_str_radix(caught.trim(), 16).expect("a mask") >> 1 & 1 == 1
    };
    let output = interrupted(listens);
    let [out, err] = [&output.stdout, &output.stderr].map(|it| String::from_utf8_lossy(it).into_owned());
    assert_eq!(output.status.code(), Some(130), "{err}");
    assert!(out.contains("ended early: cancelled") || err.contains("stopped by Ctrl-C"), "{out}{err}");
    assert!(!err.contains("allow more"), "{err}");
}

/// A proof stands beside what is wrong with the game: a role without a goal at the end of some matches.
#[test]
fn a_proof_of_a_broken_game_says_so() {
    let rules = "(role a) (init zero) (legal a go) (legal a stay) (<= (sees a ?m) (does a ?m))
        (<= (next (did ?m)) (does a ?m)) (<= terminal (true (did ?m))) (<= (goal a 100) (true (did go)))";
    let folder = folder();
    let path = write(folder.path(), "broken.kif", rules);
    let broken = percept(&["prove", &path, "--property", "goal"]).out;
    assert!(broken.contains("a always knows its goal; but some matches end without a goal for a"), "{broken}");
    let whole = write(folder.path(), "whole.kif", format!("{rules} (<= (goal a 0) (true (did stay)))"));
    let whole = percept(&["prove", &whole, "--property", "goal"]).out;
    assert!(whole.contains("a always knows its goal (") && !whole.contains("but"), "{whole}");
}
