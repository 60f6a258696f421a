//! The games of `games/`: each folder's `expected.toml` has the expected results (docs/testing.md), and `percept test`
//! checks them. The tests here cover properties that an expectation cannot express: every method agrees, witnesses
//! differ, traces are written in every form.

use std::path::Path;

use serde::Deserialize;

use crate::support::{percept_in, root};

#[derive(Deserialize)]
struct Expected {
    game: String,
    #[serde(default)]
    also: Vec<String>,
    #[serde(default)]
    infoset: Vec<Infoset>,
    #[serde(default)]
    observe: Vec<Observe>,
}

#[derive(Deserialize)]
struct Infoset {
    trace: String,
    role: String,
    round: Option<usize>,
    histories: String,
    states: Option<u64>,
}

#[derive(Deserialize)]
struct Observe {
    trace: String,
    role: String,
}

/// Every folder of games with its expectations.
fn each(mut test: impl FnMut(&Path, &str, &Expected)) {
    let mut folders = 0;
    for entry in std::fs::read_dir(root().join("games")).expect("there are games").flatten() {
        let folder = entry.path();
        let Ok(text) = std::fs::read_to_string(folder.join("expected.toml")) else { continue };
        let expected: Expected = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for game in std::iter::once(&expected.game).chain(&expected.also) {
            test(&folder, game, &expected);
        }
        folders += 1;
    }
    assert!(folders >= 6, "only {folders} folders of games have expectations");
}

#[test]
fn every_game_says_what_it_is() {
    for entry in std::fs::read_dir(root().join("games")).expect("there are games").flatten() {
        let folder = entry.path();
        if folder.join("traces").is_dir() {
            for file in ["README.md", "expected.toml"] {
                assert!(folder.join(file).is_file(), "{} has no {file}", folder.display());
            }
        }
    }
}

#[test]
fn nothing_is_wrong_with_the_games() {
    let run = percept_in(&root(), &["check", "games", "--format", "json"]);
    // On a busy machine, a note may say that there was little time.
    let is_note = |line: &str| line.starts_with("note: ") && line.contains("the clock ended the search");
    assert!(run.code == 0 && run.err.lines().all(is_note), "{}\n{}", run.err, run.out);
    let answer = run.json();
    let findings = answer["findings"].as_array().expect("a list of findings");
    let loud: Vec<_> = findings.iter().filter(|it| it["severity"] != "hint").collect();
    assert!(loud.is_empty(), "{loud:#?}");
}

#[test]
fn information_sets_are_as_expected() {
    each(|folder, game, expected| {
        for one in &expected.infoset {
            // A search by all histories takes half a minute for it.
            let is_large = game == "latent-tic-tac-toe.kif" && one.role == "xplayer";
            let is_left_out = |method: &str| is_large && method != "csp" && !percept_test::is_heavy();
            for method in ["exact", "dfs", "csp"].into_iter().filter(|method| !is_left_out(method)) {
                let mut args = vec!["infoset", game, &one.trace, "--role", &one.role, "--method", method];
                let round = one.round.map(|round| round.to_string());
                if let Some(round) = &round {
                    args.extend(["--round", round]);
                }
                args.extend(["-n", "100000", "--format", "json"]);
                let run = percept_in(folder, &args);
                assert_eq!(run.err, "", "{args:?}");
                let answer = run.json();
                assert_eq!(answer["complete"], true, "{args:?}");
                assert_eq!(answer["histories"], *one.histories, "{args:?}");
                if let Some(states) = one.states {
                    assert_eq!(answer["states"], states, "{args:?}");
                }
                let members = answer["members"].as_array().expect("a list of members");
                assert_eq!(members.len().to_string(), one.histories, "{args:?}");
            }
        }
    });
}

/// The users' command checks matches, information sets, verdicts, proofs and values.
#[test]
fn the_games_are_as_expected() {
    let run = percept_in(&root(), &["test", "games"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    let summary = run.out.lines().last().unwrap_or_default();
    let count: usize = summary.split(' ').next().and_then(|it| it.parse().ok()).unwrap_or_default();
    assert!(count > 100 && summary.ends_with("all as expected"), "{summary}");
}

#[test]
fn witnesses_are_as_long_as_the_match_and_differ() {
    each(|folder, game, expected| {
        for one in &expected.observe {
            let args = ["observe", game, &one.trace, "--role", &one.role, "--format", "json"];
            let run = percept_in(folder, &args);
            assert_eq!(run.err, "", "{args:?}");
            let answer = run.json();
            let findings = answer["findings"].as_array().expect("a list of findings");
            for property in ["legal", "terminal", "goal"] {
                let holds = findings.iter().any(|it| it["property"] == property && it["verdict"] == "known");
                assert!(holds, "{property}, {args:?}");
            }
            for finding in findings.iter().filter(|it| it["verdict"] == "unknown") {
                let witness = &finding["witness"];
                assert_ne!(witness["first_value"], witness["second_value"], "{args:?}");
                let round = finding["round"].as_u64().expect("a number") as usize;
                assert_eq!(witness["first"].as_array().map(Vec::len), Some(round), "{args:?}");
                assert_eq!(witness["second"].as_array().map(Vec::len), Some(round), "{args:?}");
            }
        }
    });
}

#[test]
fn a_match_is_written_in_every_form_and_read_again() {
    let place = crate::support::folder();
    let file = |name: &str| place.path().join(name).display().to_string();
    for (game, forms) in [
        ("games/blind-tic-tac-toe/blind-tic-tac-toe.kif", &["rounds", "match"][..]),
        ("games/racko/racko-2-7.pog", &["rounds", "match", "plan"]),
    ] {
        let saved = file("saved.json");
        let run =
            percept_in(&root(), &["play", game, "-n", "1", "--seed", "4", "--states", "0", "--save-trace", &saved]);
        assert_eq!(run.err, "");
        let first = percept_in(&root(), &["step", game, &saved, "--write", "rounds"]).out;
        assert!(first.lines().count() > 3, "{first}");
        for form in forms {
            let written = file(form);
            let run = percept_in(&root(), &["step", game, &saved, "--write", form]);
            std::fs::write(&written, &run.out).expect("it can be written");
            assert_eq!(percept_in(&root(), &["step", game, &written, "--write", "rounds"]).out, first, "{form}");
        }
        let role = if game.contains("racko") { "p1" } else { "white" };
        let view = percept_in(&root(), &["step", game, &saved, "--write", "view", "--role", role]);
        std::fs::write(file("view"), &view.out).expect("it can be written");
        let of = |trace: &str| {
            let run =
                percept_in(&root(), &["infoset", game, trace, "--role", role, "--round", "2", "--format", "json"]);
            run.json()["histories"].clone()
        };
        assert_eq!(of(&file("view")), of(&saved), "{}", view.out);
    }
    let run = percept_in(&root(), &["step", "games/kuhn-poker/kuhn-poker.kif", "--write", "plan"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("a plan has one action a round"), "{}", run.err);
}

#[test]
fn bounds_are_proved_and_evidence_is_named() {
    let play =
        |game: &str| percept_in(&root(), &["play", game, "-n", "20", "--states", "0", "--format", "json"]).json();
    // Two bids: four cards dealt, and twice a prize, two bids, settling and awarding.
    let gops = play("games/gops/gops-2-10.pog");
    assert_eq!((&gops["bound"]["rounds"], &gops["rounds"]["max"]), (&14.into(), &14.into()));
    let kuhn = play("games/kuhn-poker/kuhn-poker.kif");
    let check = |answer: &serde_json::Value, property: &str| {
        let checks = answer["checks"].as_array().expect("a list").clone();
        checks.into_iter().find(|check| check["property"] == property).expect("it is judged")
    };
    assert_eq!(check(&kuhn, "playability")["verdict"], "open");
    assert_eq!(check(&kuhn, "playability")["by"], "matches");
    assert_eq!(check(&gops, "termination")["by"], "proof");
    assert!(kuhn["not_every_state"].as_str().is_some_and(|why| why.contains("more than 0 states")));
    let all = percept_in(&root(), &["play", "games/kuhn-poker/kuhn-poker.kif", "--format", "json"]).json();
    assert_eq!(check(&all, "playability")["by"], "every-state");
    assert_eq!(all["every_match"]["longest"], 4);
}

const FREE_STAKES: &str = "games/free-stakes/free-stakes.kif";

/// The number behind `(name role ...)` or `(name ...)` among the facts of a place, one for each fact of that name.
fn numbers(place: &serde_json::Value, name: &str) -> Vec<i64> {
    let groups = place["state"]["groups"].as_array().expect("groups");
    let facts =
        groups.iter().filter(|it| it["functor"] == name).flat_map(|it| it["fluents"].as_array().expect("facts"));
    let last = |fact: &serde_json::Value| fact.as_str()?.trim_end_matches(')').rsplit(' ').next()?.parse().ok();
    facts.filter_map(last).collect()
}

/// Exercise 4: $200 in all, whatever is played; no bet below $5; over when a player is broke, and otherwise after six
/// duels.
#[test]
fn free_stakes_keep_the_money_together() {
    let place = crate::support::folder();
    let (mut broke, mut six, mut bets) = (0, 0, 0);
    for seed in 0..16 {
        let saved = place.path().join("match.json").display().to_string();
        let seed = seed.to_string();
        let play = ["observe", FREE_STAKES, "--seed", &seed, "--role", "alice", "--save-trace", &saved];
        let run = percept_in(&root(), &play);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
        let answer = percept_in(&root(), &["step", FREE_STAKES, &saved, "--print", "--format", "json"]).json();
        let places = answer["places"].as_array().expect("places");
        let mut before = vec![100, 100];
        for (round, at) in places.iter().enumerate() {
            let money = numbers(at, "money");
            assert_eq!((money.len(), money.iter().sum::<i64>()), (2, 200), "seed {seed}, round {round}: {at}");
            assert!(money.iter().all(|it| it % 5 == 0 && *it >= 0), "seed {seed}, round {round}: {at}");
            let stakes = numbers(at, "put");
            assert!(stakes.iter().all(|it| (5..=200).contains(it)), "seed {seed}, round {round}: {at}");
            bets += stakes.len();
            let is_over = round + 1 == places.len();
            assert_eq!(at["terminal"], is_over, "seed {seed}, round {round}");
            assert_eq!(is_over, money.contains(&0) || numbers(at, "duel") == [7], "seed {seed}, round {round}");
            // The payment is at most the money of the poorer of the two.
            let paid = (money[0] - before[0]).abs();
            assert!(paid <= *before.iter().min().expect("two"), "seed {seed}, round {round}: {paid} of {before:?}");
            before = money;
        }
        if before.contains(&0) { broke += 1 } else { six += 1 }
    }
    assert!(broke > 1 && six > 1 && bets > 20, "{broke} {six} {bets}");
}

/// The verdicts on exercise 4 with $20 each instead of $100; the rules do not mention the amount.
#[test]
fn in_free_stakes_everybody_knows_what_it_must() {
    let text = std::fs::read_to_string(root().join(FREE_STAKES)).expect("the game");
    let is_kept = |line: &&str| match line.strip_prefix("(plus5 ").and_then(|rest| rest.split(' ').next()) {
        Some(less) => less.parse::<u32>().is_ok_and(|less| less < 40),
        None => true,
    };
    let small: Vec<&str> = text.lines().filter(is_kept).collect();
    let small = small.join("\n").replace("(money ?player 100)", "(money ?player 20)");
    let place = crate::support::folder();
    let game = crate::support::write(place.path(), "small.kif", small);
    let run = percept_in(&root(), &["prove", &game, "--format", "json"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    let answer = run.json();
    let findings = answer["findings"].as_array().expect("findings");
    assert_eq!(findings.len(), 6);
    assert!(findings.iter().all(|it| it["verdict"] == "proved" && it["reason"].is_null()), "{}", run.out);
}
