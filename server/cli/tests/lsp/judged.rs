//! The judge's findings in an open game: published after a pause together with the findings of the text, withdrawn by
//! an edit; the stepper accepts the match of a finding.

use serde_json::{Value, json};

use crate::client::Client;

/// No role gets a goal value when the match is over after the first round.
const GAME: &str = "(role white)\n(init (step 1))\n(<= (legal white go))\n(<= (next (step 2)) (does white go))\n\
                    (<= terminal (true (step 2)))\n(<= (goal white 100) (true (step 1)))\n";

fn judged(client: &mut Client, uri: &str, version: i64) -> Vec<Value> {
    let has_it = |message: &Value| {
        let found = message["params"]["diagnostics"].as_array().into_iter().flatten();
        message["method"] == "textDocument/publishDiagnostics"
            && message["params"]["uri"] == uri
            && message["params"]["version"] == version
            && found.into_iter().any(|it| it["code"] == "no-goal")
    };
    client.take(has_it)["params"]["diagnostics"].as_array().expect("a list").clone()
}

#[test]
fn a_match_that_shows_a_finding_can_be_stepped() {
    let mut client = Client::with(json!({ "initializationOptions": { "stepThere": true } }));
    let uri = "file:///judged.kif";
    let text = client.open_and_check(uri, GAME);
    let found = judged(&mut client, uri, 1);
    let finding = found.iter().find(|it| it["code"] == "no-goal").expect("found");
    assert_eq!(finding["severity"], 1);
    assert_eq!(finding["range"]["start"]["line"], 5);
    // The findings of the text remain.
    assert!(text.iter().all(|known| found.contains(known)), "{found:#?}");
    let params = json!({ "textDocument": { "uri": uri }, "range": finding["range"], "context": { "diagnostics": [] } });
    let actions = client.request("textDocument/codeAction", params);
    let mut actions = actions.as_array().expect("a list").iter();
    let there = actions.find(|it| it["command"]["command"] == "percept.stepThere").expect("an action");
    let place = &there["command"]["arguments"][0];
    assert_eq!(place, &finding["data"]["witness"]);
    let step = client.request("workspace/executeCommand", json!({ "command": "percept.step", "arguments": [place] }));
    assert_eq!(step["view"]["terminal"], true, "{step:#?}");
    assert_eq!(step["view"]["round"], 1);
    assert_eq!(step["view"]["roles"][0]["goals"], json!([]));
}

#[test]
fn an_edit_takes_a_judgement_back() {
    let mut client = Client::start();
    let uri = "file:///judged.kif";
    client.open_and_check(uri, GAME);
    judged(&mut client, uri, 1);
    let end = json!({ "line": 6, "character": 0 });
    let repair = json!([{ "range": { "start": end, "end": end }, "text": "(<= (goal white 0) (true (step 2)))\n" }]);
    client.change(uri, 2, repair);
    let found = client.diagnostics(uri, 2);
    assert!(found.iter().all(|it| it["code"] != "no-goal"), "{found:#?}");
    // A client that cannot open the stepper is not offered it.
    let params = json!({ "textDocument": { "uri": uri }, "range": { "start": { "line": 0, "character": 0 }, "end": end },
        "context": { "diagnostics": [] } });
    let actions = client.request("textDocument/codeAction", params).to_string();
    assert!(!actions.contains("stepThere"), "{actions}");
}
