//! Definition, references, highlights, rename: one document and a pair.

use serde_json::{Value, json};

use crate::client::{Client, cursor};

const DOMAIN: &str = "file:///game/domain.pog";
const PROBLEM: &str = "file:///game/problem.pog";

fn places(found: &Value) -> Vec<String> {
    let place = |it: &Value| {
        let start = &it["range"]["start"];
        format!("{}:{}:{}", it["uri"].as_str().unwrap_or_default(), start["line"], start["character"])
    };
    found.as_array().expect("a list").iter().map(place).collect()
}

#[test]
fn a_definition_is_found_in_the_other_file() {
    let mut client = Client::start();
    client.open(DOMAIN, "(define (domain d)\n (:predicates (holds ?c - card)))");
    let (text, position) = cursor("(define (problem p) (:domain d)\n (:init (ho^lds ace)))");
    client.open(PROBLEM, &text);
    let at = json!({ "textDocument": { "uri": PROBLEM }, "position": position });
    assert_eq!(places(&client.request("textDocument/definition", at.clone())), [format!("{DOMAIN}:1:15")]);
    let mut with = at.clone();
    with["context"] = json!({ "includeDeclaration": true });
    let all = places(&client.request("textDocument/references", with));
    assert_eq!(all, [format!("{DOMAIN}:1:15"), format!("{PROBLEM}:1:9")]);
    let mut with = at.clone();
    with["newName"] = json!("has");
    let edit = client.request("textDocument/rename", with);
    assert_eq!(edit["changes"][DOMAIN][0]["newText"], "has");
    assert_eq!(edit["changes"][PROBLEM][0]["newText"], "has");
}

#[test]
fn a_rename_that_collides_is_refused_with_a_reason() {
    let mut client = Client::start();
    let (text, position) = cursor("(p^ a)\n(q b)\n");
    client.open("file:///a.kif", &text);
    let mut at = json!({ "textDocument": { "uri": "file:///a.kif" }, "position": position });
    let prepared = client.request("textDocument/prepareRename", at.clone());
    assert_eq!(prepared["placeholder"], "p");
    at["newName"] = json!("q");
    let error = client.refused("textDocument/rename", at);
    assert_eq!(error["message"], "there is a relation `q` already");
}

#[test]
fn several_games_do_not_mix() {
    let mut client = Client::start();
    client.open("file:///a.kif", "(p a)");
    let (text, position) = cursor("(p^ b)");
    client.open("file:///b.kif", &text);
    let at = json!({ "textDocument": { "uri": "file:///b.kif" }, "position": position,
                     "context": { "includeDeclaration": true } });
    assert_eq!(places(&client.request("textDocument/references", at)), ["file:///b.kif:0:1"]);
}
