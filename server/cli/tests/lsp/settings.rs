//! The editor's settings and `percept.toml`.

use std::path::Path;

use serde_json::{Value, json};

use crate::client::{Client, capabilities};

const TEXT: &str = "(role a)\n(f 1)\n(<= (legal a m) (f ?x))\n(unused 1)\n";

fn codes(found: &[Value]) -> Vec<String> {
    found.iter().filter_map(|it| it["code"].as_str().map(str::to_string)).collect()
}

fn uri(folder: &Path, name: &str) -> String {
    format!("file://{}", folder.join(name).display())
}

#[test]
fn the_settings_file_silences_as_on_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let game = uri(folder.path(), "deep/game.kif");
    let mut client = Client::start();
    let all = codes(&client.open_and_check(&game, TEXT));
    assert!(
        all.contains(&"unused-relation".to_string()) && all.contains(&"single-use-variable".to_string()),
        "{all:?}"
    );
    std::fs::write(
        folder.path().join("percept.toml"),
        "allow = [\"unused-relation\"]\n[rules]\nsingle-use-variable = \"error\"\n",
    )
    .unwrap();
    client.notify(
        "workspace/didChangeWatchedFiles",
        json!({ "changes": [{ "uri": uri(folder.path(), "percept.toml"), "type": 1 }] }),
    );
    let found = client.diagnostics(&game, 1);
    assert!(!codes(&found).contains(&"unused-relation".to_string()));
    let single = found.iter().find(|it| it["code"] == "single-use-variable").expect("still there");
    assert_eq!(single["severity"], 1);
    // The editor's settings take precedence over the folder's.
    let settings = json!({ "percept": { "diagnostics": { "rules": { "single-use-variable": "hint" } } } });
    client.notify("workspace/didChangeConfiguration", json!({ "settings": settings }));
    let found = client.diagnostics(&game, 1);
    let single = found.iter().find(|it| it["code"] == "single-use-variable").expect("still there");
    assert_eq!(single["severity"], 4);
}

#[test]
fn a_mistake_in_the_settings_file_is_shown_there() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("percept.toml"), "allow = [\n  \"no-such-rule\",\n]\n").unwrap();
    let mut client = Client::start();
    client.open(&uri(folder.path(), "game.kif"), TEXT);
    let toml = uri(folder.path(), "percept.toml");
    let about = |message: &Value| {
        message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == json!(toml)
    };
    let found = client.take(about);
    assert_eq!(found["params"]["diagnostics"][0]["range"]["start"], json!({ "line": 1, "character": 3 }));
    std::fs::write(folder.path().join("percept.toml"), "").unwrap();
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": toml, "type": 2 }] }));
    assert_eq!(client.take(about)["params"]["diagnostics"], json!([]));
}

#[test]
fn a_client_that_offers_its_settings_is_asked_for_them() {
    let mut offered = capabilities();
    offered["workspace"] = json!({ "configuration": true });
    let mut client = Client::with(json!({ "capabilities": offered }));
    let request = client.take(|message| message["method"] == "workspace/configuration");
    assert_eq!(request["params"]["items"][0]["section"], "percept");
    let settings = json!({ "diagnostics": { "allow": ["unused-relation"] } });
    client.send(&json!({ "jsonrpc": "2.0", "id": request["id"], "result": [settings] }));
    client.open("file:///asked.kif", TEXT);
    // The answer and the text arrive separately; in the end the settings apply.
    loop {
        if !codes(&client.diagnostics("file:///asked.kif", 1)).contains(&"unused-relation".to_string()) {
            break;
        }
    }
}

#[test]
fn a_setting_that_does_not_fit_is_told_and_leaves_the_others() {
    let options = json!({ "diagnostics": { "allow": ["unused-relation"] }, "codeLens": 3 });
    let mut client = Client::with(json!({ "initializationOptions": options }));
    let log = client.take(|message| message["method"] == "window/logMessage");
    let message = log["params"]["message"].as_str().unwrap();
    assert!(message.starts_with("the setting `percept.codeLens` is ignored: "), "{message}");
    let found = codes(&client.open_and_check("file:///unfit.kif", TEXT));
    assert!(!found.contains(&"unused-relation".to_string()), "{found:?}");
    let settings = json!({ "percept": { "diagnostics": { "rules": { "single-use-variable": "hnt" } } } });
    client.notify("workspace/didChangeConfiguration", json!({ "settings": settings }));
    let log = client.take(|message| message["method"] == "window/logMessage");
    let message = log["params"]["message"].as_str().unwrap();
    assert!(
        message.starts_with("the setting `percept.diagnostics.rules.single-use-variable` is ignored: "),
        "{message}"
    );
}

#[test]
fn a_client_that_watches_files_is_asked_to() {
    let mut offered = capabilities();
    offered["workspace"] = json!({ "didChangeWatchedFiles": { "dynamicRegistration": true } });
    let mut client = Client::with(json!({ "capabilities": offered }));
    let request = client.take(|message| message["method"] == "client/registerCapability");
    let watchers = request["params"]["registrations"][0]["registerOptions"]["watchers"].to_string();
    assert!(watchers.contains("**/percept.toml") && watchers.contains("**/*.kif"), "{watchers}");
    client.send(&json!({ "jsonrpc": "2.0", "id": request["id"], "result": null }));
}
