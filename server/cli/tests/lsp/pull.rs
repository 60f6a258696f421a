//! Findings for clients that pull them.

use serde_json::{Value, json};

use crate::client::Client;

const URI: &str = "file:///pull.kif";

fn pull(client: &mut Client, uri: &str, previous: Value) -> Value {
    let params = json!({ "textDocument": { "uri": uri }, "previousResultId": previous });
    client.request("textDocument/diagnostic", params)
}

fn codes(items: &Value) -> Vec<&str> {
    items.as_array().expect("a list").iter().filter_map(|it| it["code"].as_str()).collect()
}

#[test]
fn what_is_pulled_is_what_was_pushed_and_pushing_stops() {
    let mut client = Client::start();
    let text = "(role a)\n(<= (next (f ?x)) (true (g ?y)))\n(legal a (b c))\n";
    let pushed = client.open_and_check(URI, text);
    assert!(!pushed.is_empty());
    let pulled = pull(&mut client, URI, Value::Null);
    assert_eq!(pulled["kind"], "full");
    assert_eq!(pulled["items"], json!(pushed));
    // Pushed findings are withdrawn, so that none is shown twice.
    assert_eq!(client.diagnostics(URI, 1), Vec::<Value>::new());
    client.change(URI, 2, json!([{ "text": "(role a)\n(legal a)\n" }]));
    let pulled = pull(&mut client, URI, Value::Null);
    assert!(codes(&pulled["items"]).contains(&"keyword-arity"), "{pulled}");
    client.silent("textDocument/publishDiagnostics");
}

#[test]
fn an_unchanged_document_is_said_to_be_unchanged() {
    let mut client = Client::start();
    client.open(URI, "(role a)\n");
    let first = pull(&mut client, URI, Value::Null);
    let again = pull(&mut client, URI, first["resultId"].clone());
    assert_eq!(again["kind"], "unchanged");
    assert_eq!(again["resultId"], first["resultId"]);
    client.change(URI, 2, json!([{ "text": "(role b)\n(" }]));
    let changed = pull(&mut client, URI, first["resultId"].clone());
    assert_eq!(changed["kind"], "full");
    assert!(!codes(&changed["items"]).is_empty());
}

#[test]
fn a_workspace_is_judged_with_the_files_that_are_not_open() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("broken.kif"), "(role a").unwrap();
    std::fs::write(folder.path().join("notes.txt"), "(role").unwrap();
    let root = format!("file://{}", folder.path().display());
    let mut client = Client::with(json!({ "rootUri": root }));
    let report = client.request("workspace/diagnostic", json!({ "previousResultIds": [] }));
    let items = report["items"].as_array().unwrap();
    assert_eq!(items.len(), 1, "{report}");
    assert_eq!(items[0]["uri"], format!("{root}/broken.kif"));
    assert!(!codes(&items[0]["items"]).is_empty());
}

#[test]
fn a_client_that_pulls_is_told_when_the_other_file_changes_what_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let uri = |name: &str| format!("file://{}/{name}", folder.path().display());
    let mut capabilities = crate::client::capabilities();
    capabilities["workspace"] = json!({ "diagnostics": { "refreshSupport": true } });
    let mut client = Client::with(json!({ "capabilities": capabilities }));
    let domain = "(define (domain d) (:requirements :typing) (:types t) (:predicates (p ?x - t)))";
    client.open(&uri("d.pog"), domain);
    client.open(&uri("p.pog"), "(define (problem q) (:domain d) (:objects o - t) (:init (p o)))");
    pull(&mut client, &uri("d.pog"), Value::Null);
    let before = pull(&mut client, &uri("p.pog"), Value::Null);
    client.change(&uri("d.pog"), 2, json!([{ "text": domain.replace("(p ?x - t)", "(r ?x - t)") }]));
    let refresh = client.take(|message| message["method"] == "workspace/diagnostic/refresh");
    client.send(&json!({ "jsonrpc": "2.0", "id": refresh["id"], "result": null }));
    let after = pull(&mut client, &uri("p.pog"), before["resultId"].clone());
    assert_eq!(after["kind"], "full");
    assert!(codes(&after["items"]).len() > codes(&before["items"]).len(), "{after}");
    // Each opened file changed the basis of the other's findings.
    while client.poll(|message| message["method"] == "workspace/diagnostic/refresh").is_some() {}
}

/// All edits arrive at once, so the analysis may receive only the last one.
#[test]
fn what_is_pulled_amid_edits_is_told_of_when_it_grows_stale() {
    let mut capabilities = crate::client::capabilities();
    capabilities["workspace"] = json!({ "diagnostics": { "refreshSupport": true } });
    let mut client = Client::with(json!({ "capabilities": capabilities }));
    let folder = tempfile::tempdir().unwrap();
    let uri = |name: &str| format!("file://{}/{name}", folder.path().display());
    pull(&mut client, &uri("none.pog"), Value::Null);
    for time in 0..8 {
        let (d, p) = (uri(&format!("d{time}.pog")), uri(&format!("p{time}.pog")));
        let domain = format!("(define (domain d{time}) (:requirements :typing) (:types t) (:predicates (p ?x - t)))");
        client.open(&d, &domain);
        client.open(&p, &format!("(define (problem q) (:domain d{time}) (:objects o - t) (:init (p o)))"));
        let params = json!({ "textDocument": { "uri": p }, "previousResultId": null });
        let request = client.ask("textDocument/diagnostic", params);
        client.change(&d, 2, json!([{ "text": domain.replace("(p ?x - t)", "(r ?x - t)") }]));
        let before = client.answer(request)["result"].clone();
        let refresh = client.take(|message| message["method"] == "workspace/diagnostic/refresh");
        client.send(&json!({ "jsonrpc": "2.0", "id": refresh["id"], "result": null }));
        let after = pull(&mut client, &p, before["resultId"].clone());
        assert_eq!(after["kind"], "full");
        assert!(codes(&after["items"]).len() > codes(&before["items"]).len(), "{before} {after}");
    }
    while client.poll(|message| message["method"] == "workspace/diagnostic/refresh").is_some() {}
}
