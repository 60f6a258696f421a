//! A person plays in the editor: `percept.match`.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::Client;
use crate::matches::{COIN, command};

const URI: &str = "file:///coin.kif";

/// A coin that is shown only after the guess. (In a description without `sees`, every role sees every move.)
fn hidden_coin() -> String {
    format!("{COIN}(<= (sees guesser (was ?s)) (true (fell ?s)))\n")
}

fn start(client: &mut Client, more: Value) -> Value {
    let mut argument = json!({ "action": "start", "uri": URI, "role": "guesser", "playclock": 0.1, "startclock": 0.1 });
    for (key, value) in more.as_object().into_iter().flatten() {
        argument[key] = value.clone();
    }
    command(client, "percept.match", argument)
}

fn play(client: &mut Client, of: &Value, mv: Value) -> Value {
    command(client, "percept.match", json!({ "action": "move", "match": of["match"], "move": mv }))
}

fn refused(client: &mut Client, argument: Value) -> String {
    let error =
        client.refused("workspace/executeCommand", json!({ "command": "percept.match", "arguments": [argument] }));
    error["message"].as_str().expect("words").to_string()
}

#[test]
fn a_match_is_played_to_its_end_and_then_opened() {
    let mut client = Client::start();
    client.open(URI, &hidden_coin());
    let first = start(&mut client, json!({ "seed": 1 }));
    assert_eq!(first["turn"], "you", "{first}");
    assert_eq!(first["allSeen"], false);
    assert_eq!(first["moves"], json!(["noop"]));
    assert_eq!(first["players"], json!({ "guesser": "human" }));
    let second = play(&mut client, &first, json!("noop"));
    assert_eq!(second["seat"]["round"], 1, "{second}");
    assert_eq!(second["seat"]["history"], json!([{ "round": 1, "move": "noop", "percepts": [] }]));
    assert_eq!(second["seat"]["possible"][0], json!({ "fluent": "(fell heads)", "probability": 0.5, "error": 0.0 }));
    assert_eq!(second["moves"], json!(["(say heads)", "(say tails)"]));
    assert_eq!(second["seat"]["legal"][0], json!({ "name": "(say heads)", "chance": 1.0, "places": [] }));
    let why = refused(&mut client, json!({ "action": "move", "match": first["match"], "move": "(say edge)" }));
    assert_eq!(why, "`(say edge)` is not a move that you know to be legal");
    let end = play(&mut client, &first, json!("(say tails)"));
    assert_eq!((&end["turn"], &end["record"]["ended"]), (&json!("nobody"), &json!("over")), "{end}");
    let history = &end["record"]["history"];
    assert_eq!(history[1], json!(["noop", "(say tails)"]));
    let goal = if history[0][0] == "(toss tails)" { 100 } else { 0 };
    assert_eq!(end["record"]["goals"], json!({ "guesser": goal }));
    // The stepper accepts the record.
    let step = command(&mut client, "percept.step", json!({ "uri": URI, "history": history }));
    assert_eq!(step["view"]["roles"][1]["goals"], json!([goal]));
    assert_eq!(
        refused(&mut client, json!({ "action": "move", "match": first["match"], "move": null })),
        "the match is over"
    );
}

/// A game without `sees`: plain GDL, in which moves are public.
#[test]
fn a_game_without_percepts_is_played_with_every_move_seen() {
    let mut client = Client::start();
    client.open(URI, COIN);
    let first = start(&mut client, json!({ "seed": 1 }));
    assert_eq!(first["allSeen"], true, "{first}");
    let second = play(&mut client, &first, json!("noop"));
    let percepts = second["seat"]["history"][0]["percepts"].as_array().expect("percepts");
    assert!(percepts.iter().any(|it| it.as_str().is_some_and(|it| it.contains("random (toss "))), "{second}");
}

/// The person receives the same bytes for every toss until the match has ended.
#[test]
fn nothing_is_told_that_the_role_does_not_know() {
    let mut client = Client::start();
    client.open(URI, &hidden_coin());
    let mut decks = Vec::new();
    for seed in 0..8 {
        let first = start(&mut client, json!({ "seed": seed }));
        let second = play(&mut client, &first, json!("noop"));
        let end = command(&mut client, "percept.match", json!({ "action": "giveUp", "match": first["match"] }));
        assert_eq!(end["record"]["ended"], "given-up", "{end}");
        let plain = |it: &Value| {
            let mut it = it.clone();
            it["match"] = Value::Null;
            it.to_string()
        };
        decks.push((end["record"]["history"][0][0].clone(), plain(&first), plain(&second)));
    }
    assert!(
        decks.iter().any(|it| it.0 == "(toss heads)") && decks.iter().any(|it| it.0 == "(toss tails)"),
        "{decks:?}"
    );
    assert!(decks.iter().all(|it| (&it.1, &it.2) == (&decks[0].1, &decks[0].2)), "{decks:#?}");
}

/// Two players name a side at the same time; the second wins if they are the same.
const PENNIES: &str = "\
(role even) (role odd)
(init start)
(<= (legal ?r (show heads)) (role ?r) (true start))
(<= (legal ?r (show tails)) (role ?r) (true start))
(<= (next (shown ?r ?s)) (does ?r (show ?s)))
(<= (sees ?r seen) (role ?r) (true start))
(<= alike (true (shown even ?s)) (true (shown odd ?s)))
(<= terminal (not (true start)))
(<= (goal even 100) alike)
(<= (goal even 0) (not alike))
(<= (goal odd 0) alike)
(<= (goal odd 100) (not alike))
";

#[test]
fn opponents_think_and_are_named() {
    let mut client = Client::start();
    let uri = "file:///pennies.kif";
    client.open(uri, PENNIES);
    let about = json!({ "uri": uri, "role": "even", "players": { "odd": "legal" } });
    let first = start(&mut client, about);
    assert_eq!(first["players"], json!({ "even": "human", "odd": "legal" }));
    let end = play(&mut client, &first, json!("(show heads)"));
    assert_eq!(end["record"]["history"], json!([["(show heads)", "(show heads)"]]), "{end}");
    assert_eq!(end["record"]["goals"], json!({ "even": 100, "odd": 0 }));
    assert_eq!(end["record"]["errors"], json!([]));
}

#[test]
fn what_is_asked_amiss_is_refused_in_words() {
    let mut client = Client::start();
    client.open(URI, &hidden_coin());
    let with = |more: Value| {
        let mut argument = json!({ "action": "start", "uri": URI, "role": "guesser" });
        for (key, value) in more.as_object().into_iter().flatten() {
            argument[key] = value.clone();
        }
        argument
    };
    for (more, why) in [
        (json!({ "role": "judge" }), "there is no role `judge`; the roles are random, guesser"),
        (json!({ "role": "random" }), "random is chance: it has no player"),
        (json!({ "players": { "guesser": "uct" } }), "guesser is played by you, not by a strategy"),
        (json!({ "players": { "judge": "uct" } }), "there is no role `judge`; the roles are random, guesser"),
        (
            json!({ "players": { "random": "remote:localhost:1" } }),
            "a match in the editor is played on this machine alone",
        ),
    ] {
        assert_eq!(refused(&mut client, with(more)), why);
    }
    let unknown = refused(&mut client, with(json!({ "players": { "random": "genius" } })));
    assert!(unknown.starts_with("`genius` is not a strategy; the strategies are auto, ismcts"), "{unknown}");
    let none = refused(&mut client, json!({ "action": "look", "match": "77" }));
    assert!(none.starts_with("there is no match 77 any more"), "{none}");
    client.change(URI, 2, json!([{ "text": "(role guesser" }]));
    let broken = start(&mut client, json!({}));
    assert!(broken["refusals"][0]["location"]["range"].is_object(), "{broken}");
}

#[test]
fn matches_are_few_and_end_with_their_document() {
    let mut client = Client::start();
    client.open(URI, &hidden_coin());
    let names: Vec<Value> = (0..5).map(|_| start(&mut client, json!({}))["match"].clone()).collect();
    let look = |name: &Value| json!({ "action": "look", "match": name });
    assert!(refused(&mut client, look(&names[0])).starts_with("there is no match 1 any more"));
    assert_eq!(command(&mut client, "percept.match", look(&names[4]))["turn"], "you");
    client.change(URI, 2, json!([{ "text": format!("{}; longer\n", hidden_coin()) }]));
    assert_eq!(command(&mut client, "percept.match", look(&names[4]))["changed"], true);
    let left = command(&mut client, "percept.match", json!({ "action": "leave", "match": names[3] }));
    assert_eq!(left["match"], names[3]);
    assert!(refused(&mut client, look(&names[3])).starts_with("there is no match 4 any more"));
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": URI } }));
    for name in &names[1..] {
        assert!(refused(&mut client, look(name)).starts_with("there is no match"));
    }
}

/// The wait for slow opponents can be cancelled; the server answers other requests meanwhile, and the match goes on.
#[test]
fn waiting_is_cancelled_at_once_and_blocks_nobody() {
    let mut client = Client::start();
    let uri = "file:///pennies.kif";
    client.open(uri, PENNIES);
    // Two seconds: the opponent plays the pennies again and again until then.
    let about = json!({ "uri": uri, "role": "even", "players": { "odd": "ismcts" }, "playclock": 2.0 });
    let first = start(&mut client, about);
    let begun = Instant::now();
    let argument = json!({ "action": "move", "match": first["match"], "move": "(show tails)" });
    let id = client.ask("workspace/executeCommand", json!({ "command": "percept.match", "arguments": [argument] }));
    let again = json!({ "action": "look", "match": first["match"] });
    let meanwhile = command(&mut client, "percept.match", again.clone());
    assert!(meanwhile["record"].is_null() || begun.elapsed() > Duration::from_secs(1), "{meanwhile}");
    client.notify("$/cancelRequest", json!({ "id": id }));
    let reply = client.answer(id);
    assert!(reply["error"]["code"] == -32800 || begun.elapsed() > Duration::from_secs(1), "{reply}");
    let end = loop {
        let now = command(&mut client, "percept.match", again.clone());
        if now["turn"] == "nobody" {
            break now;
        }
        assert!(begun.elapsed() < Duration::from_secs(15), "{now}");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(end["record"]["history"][0][0], "(show tails)", "{end}");
}

/// No mistake in the rules can crash the server or leave a client waiting.
#[test]
fn a_match_in_which_nobody_can_move_ends() {
    let mut client = Client::start();
    let uri = "file:///stuck.kif";
    client.open(
        uri,
        "(role r)\n(init a)\n(<= (legal r go) (true a))\n(<= (next b) (true a))\n(<= terminal (true c))\n(goal r 0)\n",
    );
    let first = start(&mut client, json!({ "uri": uri, "role": "r" }));
    let end = play(&mut client, &first, json!("go"));
    assert_eq!(end["record"]["ended"], "stuck", "{end}");
}
