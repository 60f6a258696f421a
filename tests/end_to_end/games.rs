//! The games of `games/`: each folder's `expected.toml` says what percept must find in them. Its format:
//!
//! ```toml
//! game = "blind-tic-tac-toe.kif"        # a description, or a POGDDL problem
//! also = ["blind-tic-tac-toe.hrf"]      # the same game written otherwise: everything must be found there, too
//! faults = ["termination"]              # what `percept play` finds wrong (default: nothing)
//!
//! [[infoset]]                           # `percept infoset`
//! trace = "traces/exercise-1-1.trace"
//! role = "white"
//! round = 2                             # default: the end of the trace
//! histories = "15"
//! states = 8                            # optional
//! members = [["(deal x)", "pass"]]      # optional: per history the moves made, waiting roles left out
//!
//! [[observe]]                           # `percept observe`: rounds after which a property is not known;
//! trace = "traces/no-line.trace"        # it must be known after all others
//! role = "white"
//! announce_end = false                  # default
//! unknown = { legal = [], terminal = [3, 4], goal = [] }
//!
//! [[prove]]                             # `percept prove`
//! role = "white"
//! legal = "proved"                      # or "refuted 3": by a pair of 3 rounds
//!
//! [[solve]]                             # `percept solve`: values as (goal - zero) / unit, by role
//! zero = 50                             # default: 0
//! unit = 25                             # default: 1
//! exact = { p1 = "-1/18" }              # proved fractions
//! low = { p1 = -0.0856 }                # or bounds of what each role can make sure of
//! high = { p1 = -0.0855 }
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;

use crate::support::{percept_in, root};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    game: String,
    #[serde(default)]
    also: Vec<String>,
    #[serde(default)]
    faults: Vec<String>,
    #[serde(default)]
    infoset: Vec<Infoset>,
    #[serde(default)]
    observe: Vec<Observe>,
    #[serde(default)]
    prove: Vec<Prove>,
    #[serde(default)]
    solve: Vec<Solve>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Solve {
    #[serde(default)]
    zero: f64,
    #[serde(default = "one")]
    unit: f64,
    #[serde(default)]
    exact: BTreeMap<String, String>,
    #[serde(default)]
    low: BTreeMap<String, f64>,
    #[serde(default)]
    high: BTreeMap<String, f64>,
}

fn one() -> f64 {
    1.0
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Infoset {
    trace: String,
    role: String,
    round: Option<usize>,
    histories: String,
    states: Option<u64>,
    members: Option<BTreeSet<Vec<String>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Observe {
    trace: String,
    role: String,
    #[serde(default)]
    announce_end: bool,
    unknown: Unknown,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Unknown {
    legal: Vec<u64>,
    terminal: Vec<u64>,
    goal: Vec<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Prove {
    role: String,
    legal: Option<String>,
    terminal: Option<String>,
    goal: Option<String>,
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
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    let answer = run.json();
    let findings = answer["findings"].as_array().expect("a list of findings");
    let loud: Vec<_> = findings.iter().filter(|it| it["severity"] != "hint").collect();
    assert!(loud.is_empty(), "{loud:#?}");
}

#[test]
fn random_matches_are_well_formed() {
    each(|folder, game, expected| {
        let run = percept_in(folder, &["play", game, "-n", "50", "--seed", "1", "--format", "json"]);
        assert_eq!(run.code, i32::from(!expected.faults.is_empty()), "{game}: {} {}", run.out, run.err);
        let answer = run.json();
        assert_eq!(answer["matches"], 50);
        let faults = answer["faults"].as_array().expect("a list of faults");
        let faults: Vec<_> = faults.iter().filter_map(|fault| fault["property"].as_str()).collect();
        assert_eq!(faults, expected.faults, "{game}");
    });
}

#[test]
fn information_sets_are_as_expected() {
    each(|folder, game, expected| {
        for one in &expected.infoset {
            for method in ["exact", "dfs", "csp"] {
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
                if let Some(expected) = &one.members {
                    let made = |member: &serde_json::Value| -> Vec<String> {
                        let moves = member["moves"].as_array().into_iter().flatten();
                        let moves = moves.flat_map(|joint| joint.as_array().into_iter().flatten());
                        moves.filter_map(|mv| mv.as_str()).filter(|mv| *mv != "noop").map(String::from).collect()
                    };
                    assert_eq!(members.iter().map(made).collect::<BTreeSet<_>>(), *expected, "{args:?}");
                }
            }
        }
    });
}

#[test]
fn verdicts_along_matches_are_as_expected() {
    each(|folder, game, expected| {
        for one in &expected.observe {
            let mut args = vec!["observe", game, &one.trace, "--role", &one.role, "--format", "json"];
            if one.announce_end {
                args.push("--announce-end");
            }
            let run = percept_in(folder, &args);
            assert_eq!(run.err, "", "{args:?}");
            let answer = run.json();
            let findings = answer["findings"].as_array().expect("a list of findings");
            let mut any = false;
            for (property, unknown) in
                [("legal", &one.unknown.legal), ("terminal", &one.unknown.terminal), ("goal", &one.unknown.goal)]
            {
                let of = |verdict: &str| -> Vec<u64> {
                    let these = findings.iter().filter(|it| it["property"] == property && it["verdict"] == verdict);
                    these.filter_map(|it| it["round"].as_u64()).collect()
                };
                assert_eq!(of("unknown"), *unknown, "{property}, {args:?}");
                assert_eq!(of("undecided"), Vec::<u64>::new(), "{property}, {args:?}");
                assert!(!of("known").is_empty(), "{property}, {args:?}");
                any |= !unknown.is_empty();
            }
            for finding in findings.iter().filter(|it| it["verdict"] == "unknown") {
                let witness = &finding["witness"];
                assert_ne!(witness["first_value"], witness["second_value"], "{args:?}");
                let round = finding["round"].as_u64().expect("a number") as usize;
                assert_eq!(witness["first"].as_array().map(Vec::len), Some(round), "{args:?}");
                assert_eq!(witness["second"].as_array().map(Vec::len), Some(round), "{args:?}");
            }
            assert_eq!(run.code, i32::from(any), "{args:?}");
        }
    });
}

#[test]
fn verdicts_for_every_match_are_as_expected() {
    each(|folder, game, expected| {
        for one in &expected.prove {
            let args = ["prove", game, "--role", &one.role, "--time", "60", "--format", "json"];
            let run = percept_in(folder, &args);
            assert_eq!(run.err, "", "{args:?}");
            let answer = run.json();
            let findings = answer["findings"].as_array().expect("a list of findings");
            for (property, expected) in [("legal", &one.legal), ("terminal", &one.terminal), ("goal", &one.goal)] {
                let Some(expected) = expected else { continue };
                let finding = findings.iter().find(|it| it["property"] == property).expect("a finding per property");
                let mut found = finding["verdict"].as_str().unwrap_or_default().to_string();
                if found == "refuted" {
                    found = format!("{found} {}", finding["depth"]);
                }
                assert_eq!(found, *expected, "{property} {args:?}");
            }
        }
    });
}

#[test]
fn values_are_as_expected() {
    each(|folder, game, expected| {
        for one in &expected.solve {
            let (zero, unit) = (one.zero.to_string(), one.unit.to_string());
            let args = ["solve", game, "--zero", &zero, "--unit", &unit, "--target", "1e-5", "--format", "json"];
            let run = percept_in(folder, &args);
            assert_eq!((run.code, run.err.as_str()), (0, ""), "{args:?}");
            let answer = run.json();
            let value = |role: &str| {
                let values = answer["values"].as_array().expect("a list of values");
                let value = values.iter().find(|it| it["role"] == role).expect("a value for each role");
                if value["in_units"].is_null() { value.clone() } else { value["in_units"].clone() }
            };
            for (role, exact) in &one.exact {
                assert_eq!(value(role)["exact"], **exact, "{role} {args:?}");
            }
            for (role, low) in &one.low {
                assert!(value(role)["low"].as_f64().is_some_and(|it| it >= *low), "{role} {} {args:?}", value(role));
            }
            for (role, high) in &one.high {
                assert!(value(role)["high"].as_f64().is_some_and(|it| it <= *high), "{role} {} {args:?}", value(role));
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
