//! Edits are applied in the order in which they are sent, whatever other work is running.

use serde_json::{Value, json};

use crate::client::{Client, at};

const URI: &str = "file:///sync.kif";

fn names(symbols: &Value) -> Vec<&str> {
    symbols.as_array().map(|list| list.iter().filter_map(|it| it["name"].as_str()).collect()).unwrap_or_default()
}

#[test]
fn every_request_sees_the_text_of_its_own_place() {
    let mut client = Client::start();
    client.open(URI, "(role r0)\n");
    let mut requests = Vec::new();
    for version in 2..300 {
        let line = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 99 } });
        client.change(URI, version, json!([{ "range": line, "text": format!("(role r{version})") }]));
        requests.push((version, client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": URI } }))));
    }
    for (version, id) in requests {
        let reply = client.answer(id);
        assert_eq!(names(&reply["result"]), [format!("(role r{version})")]);
    }
}

#[test]
fn surrogates_line_ends_and_missing_last_line_breaks_are_counted_right() {
    let mut client = Client::with(json!({ "capabilities": {} }));
    client.open(URI, "; 😀\r\n(role a)\r(role b)");
    let edit = |start: (u32, u32), end: (u32, u32), text: &str| {
        let range = json!({ "start": { "line": start.0, "character": start.1 },
                            "end": { "line": end.0, "character": end.1 } });
        json!({ "range": range, "text": text })
    };
    // The pair is two units; the second edit is counted in the text after the first.
    client.change(URI, 2, json!([edit((0, 2), (0, 4), "é"), edit((2, 6), (2, 7), "c")]));
    let symbols = client.request("textDocument/documentSymbol", json!({ "textDocument": { "uri": URI } }));
    let list: Vec<_> = symbols.as_array().unwrap().iter().map(|it| &it["name"]).collect();
    assert_eq!(list, ["role", "(role a)", "(role c)"]);
    // Beyond the end of the line and of the text: clamped.
    client.change(URI, 3, json!([edit((2, 99), (99, 0), "\n(role d)")]));
    let symbols = client.request("textDocument/documentSymbol", json!({ "textDocument": { "uri": URI } }));
    assert_eq!(symbols.as_array().unwrap().len(), 4);
}

#[test]
fn a_change_without_a_range_replaces_everything() {
    let mut client = Client::start();
    client.open(URI, "(role a)");
    client.change(URI, 2, json!([{ "text": "(role b)" }]));
    let symbols = client.request("textDocument/documentSymbol", json!({ "textDocument": { "uri": URI } }));
    assert_eq!(names(&symbols), ["(role b)"]);
}

/// The syntax errors after each edit of a document that was opened empty.
fn errors_after(uri: &str, edits: &[Value]) -> Vec<usize> {
    let mut client = Client::start();
    client.open_as(uri, "gdl", "");
    let mut found = Vec::new();
    for (edit, version) in edits.iter().zip(2..) {
        client.change(uri, version, json!([edit]));
        let findings = client.diagnostics(uri, version);
        found.push(findings.iter().filter(|it| it["code"] == "syntax-error").count());
    }
    found
}

#[test]
fn the_dialect_is_that_of_the_text() {
    let insert = |line: u32, character: u32, text: &str| {
        let at = json!({ "line": line, "character": character });
        json!({ "range": { "start": at, "end": at }, "text": text })
    };
    let whole = |text: &str| json!({ "text": text });
    for uri in ["file:///new.gdl", "file:///new.kif", "untitled:new"] {
        // A text is pasted into an empty document, into one with only a comment, and over a whole document.
        let infix = "role(white)\nlegal(white, X) :- p(X) & q(X)\n";
        assert_eq!(errors_after(uri, &[insert(0, 0, infix)]), [0]);
        assert_eq!(errors_after(uri, &[whole("; new\n"), insert(1, 0, infix)]), [0, 0]);
        assert_eq!(errors_after(uri, &[whole("(role white)"), whole(infix), whole("(role white)")]), [0, 0, 0]);
        // If it is typed, the dialect changes as soon as the text is correct in the other one.
        let typed: Vec<Value> = (0..).zip("role(white)".chars()).map(|(at, c)| insert(0, at, &c.to_string())).collect();
        assert_eq!(errors_after(uri, &typed).last(), Some(&0));
        // A slip changes nothing: only the stray words are errors, not every rule.
        let slip = [whole("(role white)\n(init (on a))\n"), insert(0, 0, "p(x) ")];
        assert_eq!(errors_after(uri, &slip)[0], 0);
        assert!(errors_after(uri, &slip)[1] <= 2);
    }
}

#[test]
fn unknown_documents_are_no_accident() {
    let mut client = Client::start();
    client.change("file:///never-opened.kif", 7, json!([{ "text": "x" }]));
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": "file:///never-opened.kif" } }));
    client.open_as("untitled:Untitled-1", "gdl", "(role a)");
    client.open_as("file:///notes.txt", "plaintext", "hello");
    assert_eq!(client.request("textDocument/hover", at("file:///notes.txt", 0, 0)), Value::Null);
    assert_ne!(client.request("textDocument/hover", at("untitled:Untitled-1", 0, 2)), Value::Null);
}

#[test]
fn a_killed_client_leaves_nothing_behind() {
    let mut client = Client::start().disorderly();
    client.open(URI, "(role a)");
    for _ in 0..50 {
        client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": URI } }));
    }
    client.close_input();
    client.wait();
}
