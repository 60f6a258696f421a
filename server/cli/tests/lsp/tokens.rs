//! Semantic tokens: the delta applied to the old tokens is the new tokens, a range is a part of the whole.

use serde_json::{Value, json};

use crate::client::Client;

const URI: &str = "file:///a.kif";

fn numbers(data: &Value) -> Vec<u64> {
    data.as_array().expect("numbers").iter().filter_map(Value::as_u64).collect()
}

#[test]
fn a_delta_leads_to_the_full_answer() {
    let mut client = Client::start();
    client.open(URI, "(role a)\n(role b)\n(<= (p ?x) (role ?x))\n");
    let document = json!({ "textDocument": { "uri": URI } });
    let before = client.request("textDocument/semanticTokens/full", document.clone());
    let place = json!({ "start": { "line": 1, "character": 6 }, "end": { "line": 1, "character": 6 } });
    client.change(URI, 2, json!([{ "range": place, "text": "x) (role " }]));
    let mut params = document.clone();
    params["previousResultId"] = before["resultId"].clone();
    let delta = client.request("textDocument/semanticTokens/full/delta", params);
    let mut tokens = numbers(&before["data"]);
    for edit in delta["edits"].as_array().expect("a delta") {
        let start = edit["start"].as_u64().unwrap() as usize;
        let end = start + edit["deleteCount"].as_u64().unwrap() as usize;
        tokens.splice(start..end, numbers(&edit["data"]));
    }
    let after = client.request("textDocument/semanticTokens/full", document);
    assert_eq!(tokens, numbers(&after["data"]));
}

#[test]
fn an_unknown_result_is_answered_in_full() {
    let mut client = Client::start();
    client.open(URI, "(role a)");
    let params = json!({ "textDocument": { "uri": URI }, "previousResultId": "never" });
    let answer = client.request("textDocument/semanticTokens/full/delta", params);
    assert_eq!(numbers(&answer["data"]).len(), 10);
}

#[test]
fn a_range_is_a_part() {
    let mut client = Client::start();
    client.open(URI, "(role a)\n(role b)\n");
    let range = json!({ "start": { "line": 1, "character": 0 }, "end": { "line": 2, "character": 0 } });
    let params = json!({ "textDocument": { "uri": URI }, "range": range });
    let answer = client.request("textDocument/semanticTokens/range", params);
    assert_eq!(numbers(&answer["data"])[..3], [1, 1, 4]);
}
