//! Matches in the editor: the stepper, information sets, the verdict, and traces as a language.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::client::Client;

/// A file of the project's own game library.
fn library(path: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../games").canonicalize().expect("the library");
    format!("file://{}", root.join(path).display())
}

pub fn command(client: &mut Client, name: &str, argument: Value) -> Value {
    client.request("workspace/executeCommand", json!({ "command": name, "arguments": [argument] }))
}

pub const COIN: &str = "\
(role random) (role guesser)
(init start)
(<= (legal random (toss heads)) (true start))
(<= (legal random (toss tails)) (true start))
(<= (legal guesser noop) (true start))
(<= (legal random noop) (true (fell ?s)))
(<= (legal guesser (say heads)) (true (fell ?s)))
(<= (legal guesser (say tails)) (true (fell ?s)))
(<= (next (fell ?s)) (does random (toss ?s)))
(<= (next (right)) (true (fell ?s)) (does guesser (say ?s)))
(<= (next over) (true (fell ?s)))
(<= terminal (true over))
(<= (goal guesser 100) (true (right)))
(<= (goal guesser 0) (not (true (right))))
";

#[test]
fn three_rounds_of_a_game_and_back() {
    let mut client = Client::start();
    let uri = "file:///coin.kif";
    client.open(uri, COIN);
    let step = command(&mut client, "percept.step", json!({ "uri": uri }));
    assert_eq!(step["view"]["round"], 0, "{step}");
    assert_eq!(step["view"]["roles"][0]["legal"], json!(["(toss heads)", "(toss tails)"]));
    let argument = json!({ "uri": uri, "history": [], "choose": ["(toss tails)", null] });
    let step = command(&mut client, "percept.step", argument);
    assert_eq!(step["view"]["history"][0]["moves"], json!(["(toss tails)", "noop"]));
    let history = json!([["(toss tails)", "noop"], ["noop", "(say tails)"]]);
    let step = command(&mut client, "percept.step", json!({ "uri": uri, "history": history }));
    assert_eq!(step["view"]["terminal"], true);
    assert_eq!(step["view"]["roles"][1]["goals"], json!([100]));
    let step = command(&mut client, "percept.step", json!({ "uri": uri, "history": history, "at": 1 }));
    assert_eq!(step["view"]["round"], 1);
    assert_eq!(step["view"]["rounds"], 2);
}

/// The true state must not be in the answer: whatever chance has tossed, the guesser gets the same bytes.
#[test]
fn a_seat_gives_nothing_away() {
    let mut client = Client::start();
    let uri = "file:///coin.kif";
    client.open(uri, COIN);
    let ends = ["heads", "tails"].map(|side| json!([[format!("(toss {side})"), "noop"], ["noop", "(say tails)"]]));
    for at in 0..=2 {
        for name in ["percept.step", "percept.beliefs"] {
            let mut ask = |history: &Value| {
                command(&mut client, name, json!({ "uri": uri, "history": history, "at": at, "role": "guesser" }))
            };
            let [heads, tails] = ends.each_ref().map(|history| ask(history).to_string());
            assert_eq!(heads, tails, "{name} after round {at}");
        }
    }
    let seat =
        command(&mut client, "percept.step", json!({ "uri": uri, "history": ends[0], "at": 1, "role": "guesser" }));
    assert_eq!(seat["seat"]["possible"][0], json!({ "fluent": "(fell heads)", "probability": 0.5, "error": 0.0 }));
    assert_eq!(seat["seat"]["legal"][0], json!({ "name": "(say heads)", "chance": 1.0, "places": [] }));
    assert!(seat["view"].is_null(), "nothing else is told");
}

/// The same in games whose information sets are too large to be counted: matches that look the same to a role give the
/// same bytes, whatever the others have hidden.
#[test]
fn a_seat_in_a_large_game_gives_nothing_away() {
    let mut client = Client::start();
    for (path, role, rounds) in [("battleship/battleship-3-6.pog", "p1", 9), ("racko/racko-6-30.pog", "p1", 62)] {
        let uri = library(path);
        // Random play from the server, and members of the role's information set: other matches with the same view.
        let mut step = command(&mut client, "percept.step", json!({ "uri": uri, "history": [] }));
        for seed in 0..rounds {
            let history: Vec<Value> =
                step["view"]["history"].as_array().expect("rounds").iter().map(|it| it["moves"].clone()).collect();
            step = command(
                &mut client,
                "percept.step",
                json!({ "uri": uri, "history": history, "choose": [], "seed": seed }),
            );
        }
        let real: Vec<Value> =
            step["view"]["history"].as_array().expect("rounds").iter().map(|it| it["moves"].clone()).collect();
        assert_eq!(real.len(), rounds, "{step}");
        let set = json!({ "uri": uri, "history": real, "role": role, "limit": 3, "seconds": 60 });
        let set = command(&mut client, "percept.infoset", set);
        let mut ask = |history: &Value| {
            let about = json!({ "uri": uri, "history": history, "role": role, "seconds": 120 });
            let beliefs = command(&mut client, "percept.beliefs", about.clone());
            assert_eq!(beliefs["exact"], false, "{path}: the set is too small for this test");
            (command(&mut client, "percept.step", about).to_string(), beliefs.to_string())
        };
        let members = set["members"].as_array().expect("members");
        assert!(members.len() > 1, "{set}");
        let truth = ask(&json!(real));
        for member in members {
            assert_ne!(member["moves"], json!(real), "another match");
            assert_eq!(ask(&member["moves"]), truth, "{path}");
        }
        let seat: Value = serde_json::from_str(&truth.0).expect("JSON");
        assert_ne!(seat["seat"]["over"], "undecided", "there was time enough");
    }
}

#[test]
fn the_stepper_follows_the_text() {
    let mut client = Client::start();
    let uri = "file:///coin.kif";
    client.open(uri, COIN);
    let history = json!([["(toss tails)", "noop"]]);
    client.change(
        uri,
        2,
        json!([{ "text": COIN.replace("(legal random (toss tails))", "(legal random (toss edge))") }]),
    );
    let step = command(&mut client, "percept.step", json!({ "uri": uri, "history": history }));
    assert_eq!(step["ended"]["round"], 1);
    assert_eq!(step["view"]["roles"][0]["legal"], json!(["(toss edge)", "(toss heads)"]));
    client.change(uri, 3, json!([{ "text": "(role random" }]));
    let step = command(&mut client, "percept.step", json!({ "uri": uri, "history": history }));
    assert!(step["refusals"][0]["location"]["range"].is_object(), "{step}");
}

#[test]
fn the_information_set_of_a_blind_guesser() {
    let mut client = Client::start();
    let uri = "file:///coin.kif";
    client.open(uri, COIN);
    let history = json!([["(toss tails)", "noop"]]);
    let argument = json!({ "uri": uri, "history": history, "role": "guesser" });
    let set = command(&mut client, "percept.infoset", argument);
    assert_eq!(set["complete"], true);
    assert_eq!(set["histories"], "2");
    assert_eq!(set["members"].as_array().unwrap().len(), 2);
    assert_eq!(set["members"][0]["probability"], 0.5);
}

#[test]
fn the_verdict_has_a_witness_where_the_guesser_cannot_tell() {
    let mut client = Client::start();
    let uri = "file:///coin.kif";
    client.open(uri, COIN);
    let history = json!([["(toss tails)", "noop"], ["noop", "(say tails)"]]);
    let verdict = command(&mut client, "percept.observe", json!({ "uri": uri, "history": history }));
    let findings = verdict["findings"].as_array().expect("findings");
    let goal = findings.iter().find(|it| it["property"] == "goal" && it["round"] == 2).expect("the goal at the end");
    assert_eq!(goal["verdict"], "unknown");
    assert_eq!(goal["witness"]["parting"], 1);
    assert_eq!(goal["witness"]["first_value"], "goal 100");
    assert_eq!(goal["witness"]["second_value"], "goal 0");
    let legal = findings.iter().find(|it| it["property"] == "legal" && it["round"] == 1).expect("its moves");
    assert_eq!(legal["verdict"], "known");
}

#[test]
fn a_fact_leads_to_its_rules() {
    let mut client = Client::start();
    let uri = "file:///coin.kif";
    client.open(uri, COIN);
    let rules = command(&mut client, "percept.rules", json!({ "uri": uri, "name": "(fell tails)" }));
    assert_eq!(rules["locations"][0]["range"]["start"]["line"], 8);
}

#[test]
fn a_trace_of_the_library_is_right_and_shows_percepts() {
    let mut client = Client::start();
    let uri = library("exploding-bomb/traces/ask.trace");
    let text = std::fs::read_to_string(uri.strip_prefix("file://").unwrap()).unwrap();
    assert_eq!(client.open_and_check(&uri, &text), Vec::<Value>::new());
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let hints = client.request("textDocument/inlayHint", json!({ "textDocument": { "uri": uri }, "range": range }));
    assert!(!hints.as_array().unwrap().is_empty(), "{hints}");
    let step = command(&mut client, "percept.step", json!({ "uri": uri }));
    assert_eq!(step["view"]["terminal"], true);
}

#[test]
fn a_move_that_is_not_legal_is_marked_and_the_legal_ones_are_proposed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("coin.kif"), COIN).unwrap();
    let uri = format!("file://{}/match.trace", folder.path().display());
    let mut client = Client::start();
    let found = client.open_and_check(&uri, "; game: coin.kif\n((toss tails) noop)\n(noop (say edge))\n");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["range"]["start"], json!({ "line": 2, "character": 6 }));
    let at = json!({ "textDocument": { "uri": uri }, "position": { "line": 2, "character": 11 } });
    let items = client.request("textDocument/completion", at);
    let labels: Vec<_> = items.as_array().unwrap().iter().map(|item| &item["label"]).collect();
    assert_eq!(labels, ["(say heads)", "(say tails)"]);
}

#[test]
fn long_work_is_cancelled_at_once() {
    let mut client = Client::start();
    let uri = "file:///long.kif";
    // Thirty hidden coins: far too many histories to list within the test's patience.
    let mut text = COIN.replace("(<= (next over) (true (fell ?s)))", "");
    text.push_str("(<= (next start) (true (fell ?s)))\n");
    client.open(uri, &text);
    let history: Vec<_> = (0..30).flat_map(|_| [["(toss tails)", "noop"], ["noop", "(say tails)"]]).collect();
    let argument = json!({ "uri": uri, "history": history, "role": "guesser", "limit": 10000, "seconds": 15 });
    let id = client.ask("workspace/executeCommand", json!({ "command": "percept.infoset", "arguments": [argument] }));
    client.notify("$/cancelRequest", json!({ "id": id }));
    let begun = std::time::Instant::now();
    assert_eq!(client.answer(id)["error"]["code"], -32800);
    assert!(begun.elapsed() < std::time::Duration::from_secs(5));
}

#[test]
fn a_rule_that_breaks_a_limit_is_told_instead_of_an_incomplete_answer() {
    let text = "(role r)\n(legal r on)\n(<= (next on) (does r on))\n(<= (grown z) (true on))\n\
                (<= (grown (s ?x)) (grown ?x))\n(<= (legal r (take ?x)) (grown ?x))\n(goal r 0)\n";
    let mut client = Client::start();
    let uri = "file:///grows.kif";
    client.open(uri, text);
    let step = command(&mut client, "percept.step", json!({ "uri": uri }));
    assert_eq!(step["view"]["roles"][0]["legal"], json!(["on"]));
    let step = json!({ "uri": uri, "history": [], "choose": ["on"] });
    let replayed = json!({ "uri": uri, "history": [["on"]], "role": "r" });
    for (name, argument) in [("percept.step", &step), ("percept.step", &replayed), ("percept.infoset", &replayed)] {
        let answer = command(&mut client, name, argument.clone());
        let refusal = &answer["refusals"][0];
        assert!(refusal["message"].as_str().unwrap().contains("`grown`"), "{answer}");
        assert_eq!(refusal["location"]["range"]["start"]["line"], 4, "{answer}");
    }
}
