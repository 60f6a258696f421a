//! Matches in the editor: the stepper, information sets, the verdict, and traces as a language.

use serde_json::{Value, json};

use crate::client::Client;

/// A file of the project's own game library.
fn library(path: &str) -> String {
    format!("file://{}", percept_test::games().join(path).display())
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

/// Only `left` sees the move of `right`; all roles learn whether both did the same.
const PEEK: &str = "\
(role left) (role right)
(init (round 0))
(succ 0 1) (succ 1 2)
(<= (legal ?r a) (role ?r))
(<= (legal ?r b) (role ?r))
(<= (next (round ?n)) (true (round ?m)) (succ ?m ?n))
(<= same (does left ?m) (does right ?m))
(<= (sees ?r same) (role ?r) same)
(<= (sees left (did ?m)) (does right ?m))
(<= terminal (true (round 2)))
(<= (goal ?r 100) (role ?r))
";

#[test]
fn what_everybody_is_told_is_set_apart_round_by_round() {
    let mut client = Client::start();
    let uri = "file:///peek.kif";
    client.open(uri, PEEK);
    let history = json!([["a", "a"], ["a", "b"]]);
    let step = command(&mut client, "percept.step", json!({ "uri": uri, "history": history }));
    assert_eq!(step["view"]["public"], json!([["same"], []]), "{step}");
    assert_eq!(step["view"]["history"][0]["percepts"][0].as_array().map(Vec::len), Some(2), "{step}");
    // The rules have changed, and so have the answers: now only `left` learns it.
    client.change(uri, 2, json!([{ "text": PEEK.replace("(sees ?r same) (role ?r)", "(sees left same)") }]));
    let step = command(&mut client, "percept.step", json!({ "uri": uri, "history": history }));
    assert_eq!(step["view"]["public"], json!([[], []]), "{step}");
    // The list of public percepts would inform a role about the others: a seat does not contain it.
    let step = command(&mut client, "percept.step", json!({ "uri": uri, "history": history, "role": "right" }));
    assert!(step.get("view").is_none() && step["seat"].is_object(), "{step}");
    assert!(step["seat"].get("public").is_none(), "{step}");
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
    let folder = tempfile::tempdir().expect("a folder");
    let domain = folder.path().join("battleship.pog");
    let problem = folder.path().join("five-ships.pog");
    let made = std::process::Command::new(env!("CARGO_BIN_EXE_percept"))
        .args(["generate", "battleship", "-o"])
        .args([&problem, std::path::Path::new("--domain"), &domain])
        .status();
    assert!(made.expect("it runs").success());
    let ships = format!("file://{}", problem.display());
    for (uri, role, rounds) in [(ships, "p1", 30)] {
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
        let set = json!({ "uri": uri, "history": real, "role": role, "limit": 2, "seconds": 60 });
        let set = command(&mut client, "percept.infoset", set);
        let mut ask = |history: &Value| {
            let about = json!({ "uri": uri, "history": history, "role": role, "seconds": percept_test::more(6, 12) });
            let beliefs = command(&mut client, "percept.beliefs", about.clone());
            assert_eq!(beliefs["exact"], false, "{uri}: the set is too small for this test");
            (command(&mut client, "percept.step", about).to_string(), beliefs.to_string())
        };
        let members = set["members"].as_array().expect("members");
        assert!(members.len() > 1, "{set}");
        let truth = ask(&json!(real));
        assert!(members.iter().any(|member| member["moves"] != json!(real)), "another match");
        for member in members {
            assert_eq!(ask(&member["moves"]), truth, "{uri}");
        }
        let seat: Value = serde_json::from_str(&truth.0).expect("JSON");
        assert_ne!(seat["seat"]["over"], "undecided", "there was time enough");
    }
}

/// No percept reveals the end: a repair is proposed and inserted, and then the end is known.
#[test]
fn a_repair_is_proposed_proved_and_inserted() {
    let mut client = Client::start();
    let uri = "file:///coin.kif";
    client.open(uri, COIN);
    let argument = json!({ "uri": uri, "role": "guesser", "property": "goal" });
    let found = command(&mut client, "percept.repair", argument.clone());
    assert_eq!(found["known"], false, "{found}");
    let repairs = found["repairs"].as_array().expect("repairs");
    assert!(repairs.len() >= 2, "{found}");
    // The least informative repair comes first, and each states its information.
    let bits: Vec<f64> = repairs.iter().map(|it| it["bits"].as_f64().expect("counted")).collect();
    assert!(bits.is_sorted() && (bits[0] - 1.0).abs() < 1e-9, "the coin is one bit: {bits:?}");
    for repair in repairs {
        let mut text = COIN.to_string();
        let range = &repair["edits"][0]["range"]["start"];
        let line = range["line"].as_u64().expect("a line") as usize;
        let at = text.split_inclusive('\n').take(line).map(str::len).sum::<usize>();
        text.insert_str(at, repair["edits"][0]["newText"].as_str().expect("a text"));
        let other = "file:///repaired.kif";
        client.open(other, &text);
        let proved =
            command(&mut client, "percept.prove", json!({ "uri": other, "role": "guesser", "property": "goal" }));
        assert_eq!(proved["findings"][0]["verdict"], "proved", "{repair}");
        client.notify("textDocument/didClose", json!({ "textDocument": { "uri": other } }));
    }
    // The finding now offers the repairs.
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let ask = json!({ "textDocument": { "uri": uri }, "range": whole, "context": { "diagnostics": [] } });
    let actions = client.request("textDocument/codeAction", ask);
    let offered = actions.as_array().expect("actions").iter().filter(|it| {
        it["title"].as_str().is_some_and(|title| title.starts_with("Tell guesser ")) && it["edit"].is_object()
    });
    assert_eq!(offered.count(), repairs.len(), "{actions}");
}

#[test]
fn a_pair_of_histories_as_boards() {
    let mut client = Client::start();
    let uri = library("blind-tic-tac-toe/blind-tic-tac-toe.kif");
    let proofs = json!({ "uri": uri, "role": "white", "property": "terminal" });
    let proofs = command(&mut client, "percept.prove", proofs);
    let pair = &proofs["findings"][0]["witness"];
    let argument = json!({ "uri": uri, "role": "white", "first": pair["first"], "second": pair["second"] });
    let frames = command(&mut client, "percept.pair", argument);
    let all = frames["frames"].as_array().expect("frames");
    assert_eq!(all.len(), pair["first"].as_array().expect("rounds").len() + 1, "{frames}");
    assert_eq!(all[0]["differs"], json!([]), "they begin alike");
    let last = &all[all.len() - 1];
    assert_ne!(last["first"]["terminal"], last["second"]["terminal"]);
    for place in last["differs"].as_array().expect("cells") {
        let [board, row, column] = [0, 1, 2].map(|at| place[at].as_u64().expect("a number") as usize);
        let cell = |side: &str| last[side]["boards"][board]["cells"][row][column]["fluents"].clone();
        assert_ne!(cell("first"), cell("second"));
    }
}

#[test]
fn coverage_counts_what_random_matches_meet() {
    let mut client = Client::start();
    let uri = "file:///coin.kif";
    let text = format!(
        "{COIN}(<= (sees guesser wet) (true (fell ?s)) (true (fell edge)))\n(<= (sees guesser dry) (true (fell ?s)))\n"
    );
    client.open(uri, &text);
    let met = command(&mut client, "percept.coverage", json!({ "uri": uri, "matches": 50 }));
    assert_eq!((met["matches"].as_u64(), met["rounds"].as_u64()), (Some(50), Some(100)), "{met}");
    let line = |rule: &Value| rule["location"]["range"]["start"]["line"].as_u64().expect("a line") as usize;
    let rules: Vec<(String, u64)> = met["rules"]
        .as_array()
        .expect("rules")
        .iter()
        .map(|rule| {
            (text.lines().nth(line(rule)).expect("a line").to_string(), rule["fired"].as_u64().expect("a count"))
        })
        .collect();
    let fired = |part: &str| {
        rules.iter().find(|(text, _)| text.contains(part)).unwrap_or_else(|| panic!("{part}: {rules:?}")).1
    };
    assert_eq!(fired("(sees guesser wet)"), 0);
    assert_eq!(fired("(sees guesser dry)"), 50);
    assert_eq!(fired("(legal guesser noop)"), 50);
    assert_eq!(fired("terminal"), 50, "at the end of each match");
    let stuck = met["rules"].as_array().expect("rules").iter().find(|rule| rule["fired"] == 0).expect("one");
    let at = stuck["stuck"]["start"]["character"].as_u64().expect("a place") as usize;
    assert!(text.lines().nth(line(stuck)).expect("a line")[at..].starts_with("(true (fell edge))"), "{stuck}");
    assert_eq!(met["percepts"], json!([{ "role": "guesser", "name": "dry", "count": 50 }]), "`wet` cannot come at all");
}

#[test]
fn anything_can_be_asked_for_its_reasons() {
    let mut client = Client::start();
    let uri = "file:///coin.kif";
    client.open(uri, &COIN.replace("(role random)", "(<= (sees guesser ok) (does guesser (say ?s)))\n(role random)"));
    let history = json!([["(toss tails)", "noop"]]);
    let about = json!({ "uri": uri, "history": history });
    let answer = command(&mut client, "percept.askable", about.clone());
    let atoms = answer["atoms"].as_array().expect("atoms");
    for (says, holds) in [
        ("fact: (fell tails)", true),
        ("fact: (fell heads)", false),
        ("move: guesser (say heads)", true),
        ("move: random (toss heads)", false),
        ("percept: guesser ok", false),
        ("end: the match is not over", false),
        ("goal: guesser 100", false),
    ] {
        let atom = atoms.iter().find(|it| it["says"] == says).unwrap_or_else(|| panic!("{says}: {answer}"));
        assert_eq!(atom["holds"], holds, "{says}");
        let mut question = about.clone();
        question.as_object_mut().expect("an object").extend(atom["question"].as_object().expect("one").clone());
        let why = command(&mut client, "percept.why", question);
        assert_eq!(why["why"]["holds"], holds, "{says}: {why}");
    }
}

#[test]
fn hovering_over_a_round_counts_what_it_ruled_out() {
    let mut client = Client::start();
    let game = library("blind-tic-tac-toe/blind-tic-tac-toe.kif");
    let uri = library("blind-tic-tac-toe/traces/x.trace");
    let name = game.rsplit('/').next().expect("a name");
    let text = format!("; game: ../{name}\n((mark 1 1) (mark 1 1) (tiebreak x))\n");
    client.open_as(&uri, "percept-trace", &text);
    let at = json!({ "textDocument": { "uri": uri }, "position": { "line": 1, "character": 3 } });
    let hover = client.request("textDocument/hover", at);
    let says = hover["contents"]["value"].as_str().expect("a text").to_string();
    // White marked 1 1: nine moves of black and two of the coin. Its mark is not placed if black aims at the same cell
    // and the coin favours black.
    assert!(says.contains("white sees `ok`: rules out 1 of 18 histories; 17 are left"), "{says}");
    assert!(says.contains("black sees nothing: rules out 17 of 18 histories; 1 are left"), "{says}");

    // A list of messages does not name its role: either player can have received this one.
    let uri = library("blind-tic-tac-toe/traces/y.trace");
    let text =
        format!("; game: ../{name}\n(play m 0 nil nil)\n(play m 1 (mark 1 1) (ok))\n(play m 2 (mark 2 2) nil)\n");
    client.open_as(&uri, "percept-trace", &text);
    let mut hover = |line: u32| {
        let at = json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": 3 } });
        client.request("textDocument/hover", at)["contents"]["value"].as_str().map(str::to_string)
    };
    assert_eq!(hover(1), None, "nothing was played yet");
    let says = hover(2).expect("a text");
    assert!(says.contains("white sees `ok`: rules out 1 of 18 histories; 17 are left"), "{says}");
    assert!(says.contains("black sees `ok`: rules out 1 of 18 histories; 17 are left"), "{says}");
    assert!(
        hover(3).is_some_and(|says| says.contains("white sees nothing: rules out 225 of 272 histories; 47 are left"))
    );
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

/// Expectations are written beside a saved game, once.
#[test]
fn expectations_are_begun() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = folder.path().join("coin.kif");
    std::fs::write(&game, COIN).expect("a file");
    let mut client = Client::start();
    let uri = format!("file://{}", game.display());
    client.open(&uri, COIN);
    let begun = command(&mut client, "percept.beginTest", json!({ "uri": uri }));
    assert!(begun["uri"].as_str().is_some_and(|uri| uri.ends_with("/expected.toml")), "{begun}");
    let text = std::fs::read_to_string(folder.path().join("expected.toml")).expect("it was written");
    assert_eq!((begun["version"].as_u64(), begun["text"].as_str()), (Some(1), Some(text.as_str())));
    assert!(text.contains("game = \"coin.kif\"") && text.contains("role = \"guesser\""), "{text}");
    let again = json!({ "command": "percept.beginTest", "arguments": [{ "uri": uri }] });
    let refused = client.refused("workspace/executeCommand", again);
    assert!(refused["message"].as_str().is_some_and(|it| it.contains("already exists")), "{refused}");
}
