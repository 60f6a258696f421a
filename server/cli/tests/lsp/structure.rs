//! Folding and selection.

use serde_json::json;

use crate::client::Client;

#[test]
fn rules_fold_and_selections_grow() {
    let mut client = Client::start();
    let uri = "file:///a.hrf";
    client.open(uri, "% a\n% comment\nlegal(white, noop) :-\n  true(control(black))\n");
    let folds = client.request("textDocument/foldingRange", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(folds[0], json!({ "startLine": 0, "endLine": 1, "kind": "comment" }));
    assert_eq!(folds[1]["startLine"], 2);
    let positions = json!([{ "line": 3, "character": 9 }]);
    let params = json!({ "textDocument": { "uri": uri }, "positions": positions });
    let grown = client.request("textDocument/selectionRange", params);
    assert_eq!(grown[0]["range"]["end"], json!({ "line": 3, "character": 14 }));
    assert!(grown[0]["parent"]["parent"].is_object());
}
