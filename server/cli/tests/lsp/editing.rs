//! Completion, signature help, code actions, formatting, lenses, dependencies, workspace symbols.

use serde_json::{Value, json};

use crate::client::{Client, cursor};

fn document(uri: &str) -> Value {
    json!({ "textDocument": { "uri": uri } })
}

#[test]
fn completion_knows_the_place_and_replaces_the_word() {
    let mut client = Client::start();
    let (text, position) = cursor("(role white)\n(init (cell 1 b))\n(<= terminal (true (ce^)))");
    client.open("file:///a.kif", &text);
    let at = json!({ "textDocument": { "uri": "file:///a.kif" }, "position": position });
    let items = client.request("textDocument/completion", at);
    assert_eq!(items[0]["label"], "cell");
    assert_eq!(items[0]["textEdit"]["range"]["start"], json!({ "line": 2, "character": 20 }));
    assert_eq!(items[0]["textEdit"]["newText"], "cell");
}

#[test]
fn a_client_without_snippets_gets_plain_words() {
    let mut client = Client::with(json!({ "capabilities": {} }));
    let (text, position) = cursor("(role white)\n(init (cell 1 b))\n(<= terminal (true ^");
    client.open("file:///a.kif", &text);
    let at = json!({ "textDocument": { "uri": "file:///a.kif" }, "position": position });
    let items = client.request("textDocument/completion", at);
    assert!(items.as_array().unwrap().iter().all(|item| !item["textEdit"]["newText"].as_str().unwrap().contains('$')));
}

#[test]
fn signature_help_marks_the_argument() {
    let mut client = Client::start();
    let (text, position) = cursor("(<= (legal white ^");
    client.open("file:///a.kif", &text);
    let at = json!({ "textDocument": { "uri": "file:///a.kif" }, "position": position });
    let help = client.request("textDocument/signatureHelp", at);
    assert_eq!(help["signatures"][0]["label"], "(legal role move)");
    assert_eq!(help["activeParameter"], 1);
}

#[test]
fn a_finding_can_be_repaired_or_silenced() {
    let mut client = Client::start();
    let uri = "file:///a.kif";
    let text = "(role white)\n(<= (legal white (mark ?x)) (cel ?x))\n(cell 1)\n(cell 2)\n(<= (goal white 100) (cell 1))\n\
                (<= terminal (cell 1))\n";
    let found = client.open_and_check(uri, text);
    let slip = found.iter().find(|it| it["range"]["start"] == json!({ "line": 1, "character": 29 })).expect("`cel`");
    let params = json!({ "textDocument": { "uri": uri }, "range": slip["range"], "context": { "diagnostics": [] } });
    let actions = client.request("textDocument/codeAction", params);
    let actions = actions.as_array().unwrap();
    let repair = actions.iter().find(|it| it["edit"]["changes"][uri][0]["newText"] == "cell");
    assert!(repair.is_some(), "{actions:#?}");
    assert_eq!(repair.unwrap()["kind"], "quickfix");
}

#[test]
fn what_is_put_into_a_text_has_its_line_ends() {
    let mut client = Client::start();
    let uri = "file:///a.kif";
    let text = "(role white)\r\n(legal white wait)\r\n(unread a)\r\n(goal white 100)\r\n(init on)\r\n(<= terminal (true on))\r\n";
    let found = client.open_and_check(uri, text);
    let unread = found.iter().find(|it| it["code"] == "unused-relation").expect("`unread`");
    let params = json!({ "textDocument": { "uri": uri }, "range": unread["range"], "context": { "diagnostics": [] } });
    let actions = client.request("textDocument/codeAction", params);
    let mut edits = actions.as_array().unwrap().iter().map(|it| &it["edit"]["changes"][uri][0]["newText"]);
    assert!(edits.any(|it| *it == "; percept: allow(unused-relation)\r\n"), "{actions:#?}");
}

/// The text after the code action of this title at a finding.
fn acted(client: &mut Client, uri: &str, text: &str, found: &[Value], code: &str, title: &str) -> Option<String> {
    let finding = found.iter().find(|it| it["code"] == code).expect("the finding");
    let params = json!({ "textDocument": { "uri": uri }, "range": finding["range"], "context": { "diagnostics": [] } });
    let actions = client.request("textDocument/codeAction", params);
    let action = actions.as_array().unwrap().iter().find(|it| it["title"] == title)?.clone();
    let offset = |at: &Value| {
        let line: usize = text.split_inclusive('\n').take(at["line"].as_u64().unwrap() as usize).map(str::len).sum();
        line + at["character"].as_u64().unwrap() as usize
    };
    let mut after = text.to_string();
    for edit in action["edit"]["changes"][uri].as_array().unwrap().iter().rev() {
        let range = offset(&edit["range"]["start"])..offset(&edit["range"]["end"]);
        after.replace_range(range, edit["newText"].as_str().unwrap());
    }
    Some(after)
}

#[test]
fn a_form_behind_others_is_silenced_on_a_line_of_its_own() {
    let rest = "(goal white 100)\n(init on)\n(<= terminal (true on))\n";
    let infix = "legal(white, wait) :- role(white)\ngoal(white, 100)\ninit(on)\nterminal :- true(on)\n";
    let domain = "(define (domain d) (:requirements :strips :typing) (:types card))\n";
    let cases = [
        (
            "file:///a.kif",
            format!("(role white)\n  (legal white wait) (unread a) ; why\n{rest}"),
            "unused-relation",
            "\n  (legal white wait)\n  ; percept: allow(unused-relation)\n  (unread a) ; why\n",
        ),
        (
            "file:///a.hrf",
            format!("role(white). unread(a).\n{infix}"),
            "unused-relation",
            "role(white).\n; percept: allow(unused-relation)\nunread(a).\n",
        ),
        (
            "file:///a.pog",
            domain.to_string(),
            "unused-type",
            "(define (domain d) (:requirements :strips :typing)\n; percept: allow(unused-type)\n(:types card))",
        ),
    ];
    for (uri, text, code, expected) in cases {
        let mut client = Client::start();
        let found = client.open_and_check(uri, &text);
        let title = format!("Allow `{code}` in this form");
        let after = acted(&mut client, uri, &text, &found, code, &title).expect("it can be silenced");
        assert!(after.contains(expected), "{after}");
        client.change(uri, 2, json!([{ "text": after }]));
        let left = client.diagnostics(uri, 2);
        assert!(left.iter().all(|it| it["code"] != code), "{left:#?}");
    }
}

#[test]
fn a_missing_bracket_is_added_alone() {
    let mut client = Client::start();
    let uri = "file:///a.kif";
    let text =
        "(role a)\n(init step 1))\n(<= (legal a m) (true (step 1)))\n(<= terminal (true (step 1)))\n(goal a 100)\n";
    let found = client.open_and_check(uri, text);
    let after = acted(&mut client, uri, text, &found, "keyword-arity", "Add the parenthesis");
    assert_eq!(after, Some(text.replace("(init step", "(init (step")));
}

#[test]
fn formatting_changes_only_white_space() {
    let mut client = Client::start();
    let uri = "file:///a.kif";
    client.open(uri, "(role   white)\n(<= (p ?x)\n(q ?x))\n");
    let mut params = document(uri);
    params["options"] = json!({ "tabSize": 2, "insertSpaces": true });
    let edits = client.request("textDocument/formatting", params);
    let edits = edits.as_array().unwrap();
    assert!(edits.len() >= 2);
    assert!(edits.iter().all(|edit| edit["newText"].as_str().unwrap().trim().is_empty()));
}

#[test]
fn lenses_stand_on_the_first_role() {
    let mut client = Client::start();
    client.open("file:///a.kif", "; a game\n(role white)\n");
    let lenses = client.request("textDocument/codeLens", document("file:///a.kif"));
    let titles: Vec<_> = lenses.as_array().unwrap().iter().map(|lens| &lens["command"]["title"]).collect();
    assert_eq!(titles, ["▷ Step", "Check observability", "Prove"]);
    assert_eq!(lenses[0]["range"]["start"]["line"], 1);
    let off = json!({ "settings": { "percept": { "codeLens": { "enable": false } } } });
    client.notify("workspace/didChangeConfiguration", off);
    assert_eq!(client.request("textDocument/codeLens", document("file:///a.kif")), Value::Null);
}

#[test]
fn a_lens_tells_what_a_percept_is_worth() {
    let mut client = Client::start();
    let mut worth = |game: &str, change: &dyn Fn(String) -> String| {
        let uri = format!("file:///{}", game.replace('/', "-"));
        client.open(&uri, &change(percept_test::read(format!("games/{game}"))));
        let lenses = client.request("textDocument/codeLens", document(&uri));
        let lenses = lenses.as_array().unwrap().iter().filter(|lens| lens["command"]["command"] == "");
        lenses
            .map(|lens| (lens["range"]["start"]["line"].as_u64(), lens["command"]["title"].clone()))
            .collect::<Vec<_>>()
    };
    let bomb = worth("exploding-bomb/exploding-bomb.kif", &|text| text);
    assert_eq!(bomb.iter().map(|it| &it.1).collect::<Vec<_>>(), ["worth 40 to agent"], "{bomb:?}");
    assert_ne!(bomb[0].0, Some(0));
    // A percept that says nothing is worth nothing.
    let also =
        worth("exploding-bomb/exploding-bomb.kif", &|text| format!("{text}\n(<= (sees agent hm) (does agent ask))\n"));
    assert_eq!(also.iter().map(|it| &it.1).collect::<Vec<_>>(), ["worth 40 to agent", "worth nothing"], "{also:?}");
    // In a game of three, no role can guarantee anything against the other two; that does not price a percept.
    let text = percept_test::read("tests/end_to_end/traitor.kif");
    assert_eq!(worth("exploding-bomb/exploding-bomb.kif", &|_| text.clone()), []);
    // A game too large to be solved while an editor waits.
    assert_eq!(worth("blind-tic-tac-toe/blind-tic-tac-toe.kif", &|text| text), []);
}

#[test]
fn dependencies_are_a_call_hierarchy() {
    let mut client = Client::start();
    let (text, position) = cursor("(init (cell 1))\n(<= open (true (cell ?x)))\n(<= terminal (not op^en))\n");
    client.open("file:///a.kif", &text);
    let at = json!({ "textDocument": { "uri": "file:///a.kif" }, "position": position });
    let items = client.request("textDocument/prepareCallHierarchy", at);
    let item = json!({ "item": items[0] });
    assert_eq!(client.request("callHierarchy/incomingCalls", item.clone())[0]["from"]["name"], "terminal");
    assert_eq!(client.request("callHierarchy/outgoingCalls", item)[0]["to"]["name"], "cell");
}

#[test]
fn workspace_symbols_cover_files_that_are_not_open() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("other.kif"), "(hidden-relation a)\n").unwrap();
    let root = format!("file://{}", folder.path().display());
    let mut client = Client::with(json!({ "rootUri": root }));
    client.open("file:///elsewhere/open.kif", "(hidden-too b)\n");
    let found = client.request("workspace/symbol", json!({ "query": "hidden" }));
    let mut names: Vec<_> = found.as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["(hidden-relation a)", "(hidden-too b)"]);
}

#[test]
fn folders_come_into_the_workspace_and_leave_it() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(one.path().join("one.kif"), "(hidden-one a)\n").unwrap();
    std::fs::write(two.path().join("two.kif"), "(hidden-two a)\n").unwrap();
    let folder = |at: &tempfile::TempDir| json!({ "uri": format!("file://{}", at.path().display()), "name": "x" });
    let mut client = Client::with(json!({ "workspaceFolders": [folder(&one)] }));
    let mut names = |event: Value| {
        client.notify("workspace/didChangeWorkspaceFolders", json!({ "event": event }));
        let found = client.request("workspace/symbol", json!({ "query": "hidden" }));
        let mut names: Vec<String> = found.as_array().unwrap().iter().map(|it| it["name"].to_string()).collect();
        names.sort_unstable();
        names.join(" ")
    };
    assert_eq!(names(json!({ "added": [folder(&two)], "removed": [] })), r#""(hidden-one a)" "(hidden-two a)""#);
    assert_eq!(names(json!({ "added": [], "removed": [folder(&one)] })), r#""(hidden-two a)""#);
}

#[test]
fn a_domain_that_is_no_text_is_told() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("d.pog"), b"(define (domain d) (:predicates (p))) ; \x01\xff\n").unwrap();
    let uri = format!("file://{}/p.pog", folder.path().display());
    let mut client = Client::start();
    let found = client.open_and_check(&uri, "(define (problem p) (:domain d) (:init (p)))");
    let message = found[0]["message"].as_str().unwrap();
    assert!(
        message.starts_with("the domain `d` cannot be read: ") && message.contains("does not begin a UTF-8 character"),
        "{message}"
    );
}

#[test]
fn the_domain_of_a_problem_is_found_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("problems")).unwrap();
    std::fs::write(folder.path().join("domain.pog"), "(define (domain d)\n (:predicates (holds ?c)))").unwrap();
    let uri = format!("file://{}/problems/p.pog", folder.path().display());
    let mut client = Client::start();
    let (text, position) = cursor("(define (problem p) (:domain d) (:init (ho^lds ace)))");
    client.open(&uri, &text);
    let at = json!({ "textDocument": { "uri": uri }, "position": position });
    let found = client.request("textDocument/definition", at);
    assert!(found[0]["uri"].as_str().unwrap().ends_with("/domain.pog"), "{found}");
}
