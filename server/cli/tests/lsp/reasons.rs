//! Explanations, findings of the verdict in the text, links, linked names, and numbers of ground instances.

use serde_json::{Value, json};

use crate::client::{Client, at};
use crate::matches::{COIN, command};

const URI: &str = "file:///coin.kif";

fn history() -> Value {
    json!([["(toss tails)", "noop"], ["noop", "(say tails)"]])
}

/// The text a location covers.
fn covered(location: &Value) -> String {
    let line = |key: &str| location["range"][key]["line"].as_u64().unwrap() as usize;
    let column = |key: &str| location["range"][key]["character"].as_u64().unwrap() as usize;
    assert_eq!(line("start"), line("end"));
    COIN.lines().nth(line("start")).unwrap()[column("start")..column("end")].to_string()
}

#[test]
fn a_fact_is_explained_by_the_round_that_led_to_it() {
    let mut client = Client::start();
    client.open(URI, COIN);
    let why = command(&mut client, "percept.why", json!({ "uri": URI, "history": history(), "fluent": "(right)" }));
    assert_eq!((&why["round"], &why["since"]), (&json!(1), &json!(2)));
    assert_eq!(why["why"]["holds"], true);
    let reason = &why["why"]["reasons"][0];
    assert_eq!(covered(&reason["rule"]), "(<= (next (right)) (true (fell ?s)) (does guesser (say ?s)))");
    assert_eq!(reason["bindings"], json!([["s", "tails"]]));
    assert_eq!(reason["support"][1]["literal"], "(does guesser (say tails))");
    assert_eq!(covered(&reason["support"][1]["location"]), "(does guesser (say ?s))");
}

#[test]
fn what_does_not_hold_is_explained_by_what_failed() {
    let mut client = Client::start();
    client.open(URI, COIN);
    let argument = json!({ "uri": URI, "history": history(), "at": 0, "role": "guesser", "move": "(say heads)" });
    let why = command(&mut client, "percept.why", argument);
    assert_eq!(why["why"]["holds"], false);
    assert_eq!(covered(&why["why"]["failures"][0]["failed"][0]["location"]), "(true (fell ?s))");
    // The start is given by `init`.
    let start = command(&mut client, "percept.why", json!({ "uri": URI, "history": [], "fluent": "start" }));
    assert_eq!(start["why"]["holds"], true);
    assert_eq!((&start["since"], &why["since"]), (&json!(0), &json!(null)), "a fact of the start, and a move");
    let refused = json!({ "command": "percept.why", "arguments": [{ "uri": URI, "atom": "(nothing like it)" }] });
    client.refused("workspace/executeCommand", refused);
}

/// The texts of the problem and the domain, in one file.
const POKER: &str = concat!(
    include_str!("../../../../games/poker/poker.pog"),
    include_str!("../../../../games/poker/king-and-jack.pog")
);

/// The line of the first place below an explanation.
fn line_of(why: &Value) -> &'static str {
    let line = why["location"]["range"]["start"]["line"].as_u64();
    match (line, why["parts"].as_array()) {
        (Some(line), _) => POKER.lines().nth(line as usize).unwrap(),
        (None, Some(parts)) => parts.iter().map(line_of).find(|line| !line.is_empty()).unwrap_or_default(),
        (None, None) => "",
    }
}

#[test]
fn in_pogddl_a_reason_goes_down_to_facts_at_their_places() {
    let uri = "file:///poker.pog";
    let mut client = Client::start();
    client.open(uri, POKER);
    let history = json!([["(deal-stronger p2)", "noop", "noop"], ["noop", "(p1-choose bet)", "noop"]]);
    let why =
        command(&mut client, "percept.why", json!({ "uri": uri, "history": history, "fluent": "(chose p1 bet)" }));
    assert_eq!(why["why"]["holds"], true, "{why}");
    assert!(line_of(&why["why"]).contains("(chose p1 ?c)"), "{why:#}");
    let argument = json!({ "uri": uri, "history": history, "role": "p2", "move": "(p1-choose pass)" });
    let why = command(&mut client, "percept.why", argument);
    assert_eq!(why["why"]["holds"], false, "{why}");
    assert!(line_of(&why["why"]).contains(":precondition (whoseturn p1)"), "{why:#}");
}

#[test]
fn a_verdict_stands_at_the_rule_until_the_text_changes() {
    let mut client = Client::start();
    let before = client.open_and_check(URI, COIN);
    assert!(before.iter().all(|it| it["code"] != "observability"));
    command(&mut client, "percept.observe", json!({ "uri": URI, "history": history() }));
    let found = client.diagnostics(URI, 1);
    let goal = found.iter().find(|it| it["code"] == "observability").expect("a finding");
    // The guesser receives no percept at all, so its role is to blame, and then the rule that causes the difference.
    assert_eq!(covered(goal), "(role guesser)");
    assert!(goal["message"].as_str().unwrap().ends_with("\nno rule gives guesser a percept"), "{goal}");
    let related = goal["relatedInformation"].as_array().expect("related places");
    assert_eq!(covered(&related[0]["location"]), "(goal guesser 100)");
    assert_eq!(covered(&related[1]["location"]), "(true (right))");
    client.change(URI, 2, json!([{ "text": format!("{COIN};") }]));
    assert!(client.diagnostics(URI, 2).iter().all(|it| it["code"] != "observability"));
}

#[test]
fn a_trace_links_to_its_game_and_a_problem_to_its_domain() {
    let folder = tempfile::tempdir().unwrap();
    let uri = |name: &str| format!("file://{}/{name}", folder.path().display());
    std::fs::write(folder.path().join("coin.kif"), COIN).unwrap();
    std::fs::write(folder.path().join("d.pog"), "(define (domain d) (:requirements :strips) (:predicates (p)))")
        .unwrap();
    let mut client = Client::start();
    client.open(&uri("match.trace"), ";; game: coin.kif\n((toss tails) noop)\n");
    let links = client.request("textDocument/documentLink", json!({ "textDocument": { "uri": uri("match.trace") } }));
    assert_eq!(links[0]["target"], uri("coin.kif"));
    assert_eq!(links[0]["range"]["start"], json!({ "line": 0, "character": 9 }));
    client.open(&uri("p.pog"), "(define (problem q) (:domain d) (:init (p)))");
    let links = client.request("textDocument/documentLink", json!({ "textDocument": { "uri": uri("p.pog") } }));
    assert_eq!(links[0]["target"], uri("d.pog"));
}

#[test]
fn a_variable_is_edited_in_its_rule_alone() {
    let mut client = Client::start();
    client.open(URI, COIN);
    let linked = client.request("textDocument/linkedEditingRange", at(URI, 8, 16));
    assert_eq!(linked["ranges"].as_array().unwrap().len(), 2);
    assert_eq!(linked["ranges"][1]["start"]["line"], 8);
    assert_eq!(client.request("textDocument/linkedEditingRange", at(URI, 8, 11)), Value::Null);
}

#[test]
fn ground_instances_are_counted_aside() {
    let mut client = Client::start();
    client.open(URI, COIN);
    let count = loop {
        let hover = client.request("textDocument/hover", at(URI, 8, 11));
        let text = hover["contents"]["value"].as_str().unwrap().to_string();
        if let Some(count) = text.split(" · ").find(|part| part.contains("ground instance")) {
            break count.to_string();
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    };
    // Heads and tails.
    assert_eq!(count, "2 ground instances");
}

#[test]
fn a_client_without_markdown_gets_plain_words() {
    let plain = json!({ "textDocument": { "hover": { "contentFormat": ["plaintext"] } } });
    let mut client = Client::with(json!({ "capabilities": plain }));
    client.open(URI, COIN);
    let hover = client.request("textDocument/hover", at(URI, 8, 11));
    assert_eq!(hover["contents"]["kind"], "plaintext");
    assert!(!hover["contents"]["value"].as_str().unwrap().contains('`'));
}
