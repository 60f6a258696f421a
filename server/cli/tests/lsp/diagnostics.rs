//! Findings: published with their version, at their place, and taken back when the document is closed.

use serde_json::json;

use crate::client::Client;

#[test]
fn a_syntax_error_is_published_fixed_and_taken_back() {
    let mut client = Client::start();
    let uri = "file:///a.kif";
    let found = client.open_and_check(uri, "(role white)\n(role black\n");
    let error = found.iter().find(|it| it["code"] == "syntax-error").expect("the open parenthesis");
    assert_eq!(error["severity"], 1);
    assert_eq!(error["source"], "percept");
    let page = error["codeDescription"]["href"].as_str().expect("a page of the rule book");
    assert!(page.starts_with("file:///") && page.ends_with("syntax-error.md"), "{page}");
    let end = json!({ "line": 1, "character": 11 });
    client.change(uri, 2, json!([{ "range": { "start": end, "end": end }, "text": ")" }]));
    let found = client.diagnostics(uri, 2);
    assert!(found.iter().all(|it| it["code"] != "syntax-error"), "{found:#?}");
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    client.take(|message| {
        message["method"] == "textDocument/publishDiagnostics"
            && message["params"]["diagnostics"] == json!([])
            && message["params"]["uri"] == uri
    });
}
