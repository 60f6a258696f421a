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
fn a_name_of_the_domain_is_the_same_from_either_end() {
    let folder = tempfile::tempdir().unwrap();
    let uri = |name: &str| format!("file://{}/{name}", folder.path().display());
    let domain = "(define (domain d) (:constants ace)\n (:predicates (holds ?c)))";
    let problem = |name: &str| {
        format!("(define (problem {name}) (:domain d)\n (:objects ten)\n (:init (holds ace) (holds ten)))")
    };
    std::fs::write(folder.path().join("d.pog"), domain).unwrap();
    std::fs::write(folder.path().join("two.pog"), problem("two")).unwrap();
    let mut client = Client::start();
    client.open(&uri("one.pog"), &problem("one"));
    let mut changed = |name: &str, line: u32, character: u32| {
        let at = json!({ "textDocument": { "uri": uri(name) }, "position": { "line": line, "character": character },
                         "context": { "includeDeclaration": true }, "newName": "other" });
        let edit = client.request("textDocument/rename", at.clone());
        let mut files: Vec<String> = edit["changes"].as_object().expect("files").keys().cloned().collect();
        files.sort();
        let mut found: Vec<String> = client
            .request("textDocument/references", at)
            .as_array()
            .expect("a list")
            .iter()
            .map(|it| it["uri"].as_str().expect("a file").to_string())
            .collect();
        found.sort();
        found.dedup();
        assert_eq!(found, files);
        files
    };
    let all = [uri("d.pog"), uri("one.pog"), uri("two.pog")];
    assert_eq!(changed("d.pog", 1, 15), all);
    assert_eq!(changed("one.pog", 2, 9), all);
    assert_eq!(changed("one.pog", 2, 15), all);
    // An object that only problems declare is each one's own.
    assert_eq!(changed("one.pog", 1, 11), [uri("one.pog")]);
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
    assert_eq!(error["message"], "there is already a relation `q`");
}

const GAME: &str = "(role white)\n(role black)\n(init (on noon))\n(<= (legal ?r (go left)) (role ?r))\n\
    (legal black left)\n(<= (next (on ?x)) (does white (go ?x)))\n(<= terminal (true (on left)))\n(goal white 1)\n(goal black 1)\n";

/// The changes of a rename, file by file: line, column and new text of each place.
fn renamed(client: &mut Client, uri: &str, offset: usize, new: &str) -> Vec<String> {
    let (line, column) =
        (GAME[..offset].matches('\n').count(), offset - GAME[..offset].rfind('\n').map_or(0, |at| at + 1));
    let at =
        json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": column }, "newName": new });
    let edit = client.request("textDocument/rename", at);
    let mut places = Vec::new();
    for (uri, edits) in edit["changes"].as_object().expect("files") {
        for edit in edits.as_array().expect("edits") {
            let start = &edit["range"]["start"];
            let name = uri.rsplit('/').next().unwrap_or_default();
            places.push(format!(
                "{name}:{}:{} {}",
                start["line"],
                start["character"],
                edit["newText"].as_str().unwrap_or_default()
            ));
        }
    }
    places.sort();
    places
}

#[test]
fn the_moves_of_open_traces_are_renamed_as_well() {
    let mut client = Client::start();
    let (game, trace) = ("file:///game/a.kif", "file:///game/a.trace");
    client.open(game, GAME);
    client.open(trace, "; game: a.kif\n((go left) left) ; go left\n");
    client.open("file:///game/unreadable.trace", "; game: a.kif\n((go right) left)\n");
    let function = GAME.find("(go").expect("a move") + 1;
    let found = renamed(&mut client, game, function, "walk");
    assert_eq!(found, ["a.kif:3:15 walk", "a.kif:5:32 walk", "a.trace:1:2 walk"]);
    let constant = GAME.find("left").expect("a constant");
    let found = renamed(&mut client, game, constant, "west");
    let places = ["a.kif:3:18 west", "a.kif:4:13 west", "a.kif:6:23 west", "a.trace:1:11 west", "a.trace:1:5 west"];
    assert_eq!(found, places);
    let at = json!({ "textDocument": { "uri": trace }, "position": { "line": 1, "character": 3 } });
    let error = client.refused("textDocument/prepareRename", at);
    assert_eq!(error["message"], "rename this in the text of the game: open traces are renamed, too");
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
