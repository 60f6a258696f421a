//! Long work shows its progress, can be stopped, and ends when the game is edited.

use serde_json::{Value, json};

use crate::client::{Client, capabilities};
use crate::matches::COIN;

const URI: &str = "file:///long.kif";

/// More random matches of an endless game than the test can wait for.
fn endless() -> (String, Value) {
    let mut text = COIN.replace("(<= (next over) (true (fell ?s)))", "");
    text.push_str("(<= (next start) (true (fell ?s)))\n");
    (text, json!({ "uri": URI, "matches": 100_000, "seconds": 60 }))
}

fn ask(client: &mut Client, command: &str, argument: Value, token: Value) -> i64 {
    let mut params = json!({ "command": command, "arguments": [argument] });
    if !token.is_null() {
        params["workDoneToken"] = token;
    }
    client.ask("workspace/executeCommand", params)
}

fn progress(client: &mut Client, kind: &str) -> Value {
    client.take(|message| message["method"] == "$/progress" && message["params"]["value"]["kind"] == kind)
}

#[test]
fn progress_is_shown_under_the_clients_name() {
    let mut client = Client::start();
    client.open(URI, COIN);
    let argument = json!({ "uri": URI, "history": [["(toss tails)", "noop"]], "role": "guesser" });
    let id = ask(&mut client, "percept.infoset", argument, json!("mine"));
    let begin = progress(&mut client, "begin");
    assert_eq!(begin["params"]["token"], "mine");
    assert_eq!(begin["params"]["value"]["cancellable"], true);
    assert_eq!(client.answer(id)["result"]["histories"], "2");
    progress(&mut client, "end");
    while client.poll(|message| message["method"] == "$/progress").is_some() {}
}

#[test]
fn the_button_beside_the_progress_stops_the_work() {
    let mut offered = capabilities();
    offered["window"] = json!({ "workDoneProgress": true });
    let mut client = Client::with(json!({ "capabilities": offered }));
    let (text, argument) = endless();
    client.open(URI, &text);
    let id = ask(&mut client, "percept.coverage", argument, Value::Null);
    let create = client.take(|message| message["method"] == "window/workDoneProgress/create");
    client.send(&json!({ "jsonrpc": "2.0", "id": create["id"], "result": null }));
    let begin = progress(&mut client, "begin");
    assert_eq!(begin["params"]["token"], create["params"]["token"]);
    client.notify("window/workDoneProgress/cancel", json!({ "token": create["params"]["token"] }));
    assert_eq!(client.answer(id)["error"]["code"], -32800);
    progress(&mut client, "end");
    while client.poll(|message| message["method"] == "$/progress").is_some() {}
}

#[test]
fn an_edit_of_the_game_ends_work_on_it() {
    let mut client = Client::start();
    let (text, argument) = endless();
    client.open(URI, &text);
    client.open("file:///other.kif", COIN);
    let id = ask(&mut client, "percept.coverage", argument, Value::Null);
    // An edit of another text does not stop the work; an edit of the game does.
    client.change("file:///other.kif", 2, json!([{ "text": "(role a)" }]));
    client.change(URI, 2, json!([{ "text": COIN }]));
    assert_eq!(client.answer(id)["error"]["code"], -32801);
}
