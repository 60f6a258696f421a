//! Invalid behaviour of editors.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Client, at, capabilities};
use crate::storm::Dice;

const REQUESTS: &[&str] = &[
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/declaration",
    "textDocument/typeDefinition",
    "textDocument/implementation",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/signatureHelp",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/selectionRange",
    "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/range",
    "textDocument/semanticTokens/full/delta",
    "textDocument/inlayHint",
    "textDocument/codeAction",
    "textDocument/codeLens",
    "textDocument/documentLink",
    "textDocument/linkedEditingRange",
    "textDocument/formatting",
    "textDocument/rangeFormatting",
    "textDocument/onTypeFormatting",
    "textDocument/prepareCallHierarchy",
    "textDocument/diagnostic",
    "workspace/symbol",
    "workspace/diagnostic",
    "workspace/executeCommand",
];

/// Parameters that fit every request.
fn parameters(uri: &str, line: usize, character: usize) -> Value {
    let here = json!({ "line": line, "character": character });
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": here });
    json!({
        "textDocument": { "uri": uri }, "position": here, "positions": [here], "range": range,
        "context": { "includeDeclaration": true, "diagnostics": [] }, "newName": "other", "query": "a", "ch": "\n",
        "options": { "tabSize": 2, "insertSpaces": true }, "previousResultId": "0", "previousResultIds": [],
        "command": "percept.step", "arguments": [{ "uri": uri }],
    })
}

#[test]
fn every_request_is_answered_wherever_it_points() {
    let mut client = Client::start();
    client.open("file:///a.kif", "(role a)\n(<= (legal a ?x) (m ?x)) ; 😀\n(m 1)");
    client.open("file:///a.trace", "((a))\n");
    let uris = [
        "file:///a.kif",
        "file:///a.trace",
        "file:///no/such.kif",
        "untitled:x",
        "weird+scheme://h/%ff?q#f",
        "file:///",
    ];
    let mut requests = Vec::new();
    for uri in uris {
        for method in REQUESTS {
            for (line, character) in [(0, 0), (1, 33), (1, 9999), (99_999, 4_294_967_295)] {
                requests.push((method, uri, client.ask(method, parameters(uri, line, character))));
            }
        }
    }
    for (method, uri, id) in requests {
        let reply = client.answer(id);
        if let Some(error) = reply.get("error") {
            let message = error["message"].to_string();
            assert!(!message.contains("internal error"), "{method} {uri}: {message}");
        }
    }
    // The pull withdraws the pushed findings; all other messages are answers.
    while client.poll(|message| message["method"] == "textDocument/publishDiagnostics").is_some() {}
}

#[test]
fn nothing_is_answered_before_initialize_or_after_shutdown_but_with_an_error() {
    let mut client = Client::raw();
    for method in REQUESTS {
        assert_eq!(client.refused(method, parameters("file:///a.kif", 0, 0))["code"], -32002, "{method}");
    }
    client.open("file:///early.kif", "(role a");
    client.request("initialize", json!({ "processId": null, "rootUri": null, "capabilities": capabilities() }));
    client.notify("initialized", json!({}));
    client.silent("textDocument/publishDiagnostics");
    client.request("shutdown", Value::Null);
    for method in REQUESTS {
        assert_eq!(client.refused(method, parameters("file:///a.kif", 0, 0))["code"], -32600, "{method}");
    }
    client.notify("exit", Value::Null);
    assert_eq!(client.wait(), Some(0));
}

/// A random session: every request gets one answer, in any order of requests.
fn session(seed: u64) {
    let mut dice = Dice::new(seed);
    let mut client = Client::start();
    let uris = ["file:///s.kif", "file:///s.hrf", "file:///s.pog", "file:///s.trace"];
    let texts = [
        "(role a)\n(<= (legal a ?x) (m ?x))\n",
        "role(a)\nlegal(a, X) :- m(X)\n",
        "(define (domain d)",
        "((m 1))",
        "",
        "\u{feff}(role",
    ];
    let mut waiting = Vec::new();
    for step in 0..400 {
        let uri = uris[dice.roll(uris.len())];
        match dice.roll(8) {
            0 => client.open(uri, texts[dice.roll(texts.len())]),
            1 => client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } })),
            2 | 3 => {
                let line = dice.roll(4);
                let start = json!({ "line": line, "character": dice.roll(12) });
                let end = json!({ "line": line + dice.roll(2), "character": dice.roll(12) });
                let change = json!({ "range": { "start": start, "end": end }, "text": texts[dice.roll(texts.len())] });
                client.change(uri, step, json!([change]));
            }
            4 if !waiting.is_empty() => {
                let (_, id) = waiting[dice.roll(waiting.len())];
                client.notify("$/cancelRequest", json!({ "id": id }));
            }
            _ => {
                let method = REQUESTS[dice.roll(REQUESTS.len())];
                waiting.push((method, client.ask(method, parameters(uri, dice.roll(5), dice.roll(20)))));
            }
        }
    }
    for (method, id) in waiting {
        let reply = client.answer(id);
        let message = reply["error"]["message"].to_string();
        assert!(!message.contains("internal error"), "seed {seed}, {method}: {message}");
    }
    while client.poll(|message| message.get("id").is_none()).is_some() {}
}

#[test]
fn every_request_of_a_random_session_has_one_answer() {
    (1..=8).for_each(session);
}

#[test]
fn one_text_has_the_same_meaning_in_every_encoding() {
    let text = "; 😀é\r\n(role a) ; ß\t(\r(<= (legal a (m ?x))\n\t(n ?x)) ; 𝄞𝄞 (n ?y)\n(n 1)";
    let mut found = Vec::new();
    for encoding in ["utf-8", "utf-16", "utf-32"] {
        let mut offered = capabilities();
        offered["general"] = json!({ "positionEncodings": [encoding] });
        let mut client = Client::with(json!({ "capabilities": offered }));
        client.open("file:///e.kif", "");
        client.change("file:///e.kif", 2, json!([{ "text": text }]));
        // The position after the two clefs, whose width depends on the encoding.
        let width = match encoding {
            "utf-8" => 8,
            "utf-16" => 4,
            _ => 2,
        };
        let end = json!({ "line": 3, "character": 11 + width });
        let start = json!({ "line": 3, "character": 11 });
        client.change("file:///e.kif", 3, json!([{ "range": { "start": start, "end": end }, "text": "clef" }]));
        let document = json!({ "textDocument": { "uri": "file:///e.kif" } });
        let symbols = client.request("textDocument/documentSymbol", document.clone());
        let formatted = client.request(
            "textDocument/formatting",
            json!({ "textDocument": { "uri": "file:///e.kif" },
            "options": { "tabSize": 2, "insertSpaces": true } }),
        );
        let edits = formatted.as_array().unwrap().iter().map(|edit| edit["newText"].clone()).collect::<Vec<_>>();
        let names: Vec<Value> = symbols.as_array().unwrap().iter().map(|it| it["name"].clone()).collect();
        let uses = client.request("textDocument/references", {
            let mut params = at("file:///e.kif", 4, 1);
            params["context"] = json!({ "includeDeclaration": true });
            params
        });
        found.push((names, edits, uses));
    }
    assert_eq!(found[0], found[1]);
    assert_eq!(found[1], found[2]);
    assert_eq!(found[0].2.as_array().unwrap().len(), 2, "{:?}", found[0].2);
}

#[test]
fn what_is_no_character_does_not_end_the_session() {
    let mut client = Client::start();
    client.open("file:///e.kif", "(role a)");
    let frame = |body: &[u8]| [format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes(), body].concat();
    let change = |version: u8, text: &[u8]| {
        let head = format!(
            r#"{{"jsonrpc":"2.0","method":"textDocument/didChange","params":{{"textDocument":{{"uri":"file:///e.kif","version":{version}}},"contentChanges":[{{"text":""#
        );
        frame(&[head.as_bytes(), text, br#""}]}}"#].concat())
    };
    client.send_bytes(&change(2, b"(role \xf0\x9f)"));
    client.send_bytes(&change(3, br"(role \ud83d)"));
    client.send_bytes(&frame(
        br#"{"jsonrpc":"2.0","id":"half","method":"workspace/symbol","params":{"query":"\ud83d"}}"#,
    ));
    client.take(|message| message["id"] == "half");
    let symbols = client.request("textDocument/documentSymbol", json!({ "textDocument": { "uri": "file:///e.kif" } }));
    assert_eq!(symbols[0]["name"], "(role \u{fffd})");
}

#[test]
fn two_servers_share_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let uri = |name: &str| format!("file://{}/{name}", folder.path().display());
    std::fs::write(folder.path().join("d.pog"), "(define (domain d) (:requirements :strips) (:predicates (p)))")
        .unwrap();
    let problem = "(define (problem q) (:domain d) (:init (p)))";
    let (mut one, mut two) = (Client::start(), Client::start());
    one.open(&uri("q.pog"), problem);
    two.open(&uri("q.pog"), problem);
    one.change(&uri("q.pog"), 2, json!([{ "text": problem.replace("(p)", "(nothing)") }]));
    assert_ne!(one.diagnostics(&uri("q.pog"), 2), two.diagnostics(&uri("q.pog"), 1));
    let definition = two.request("textDocument/definition", at(&uri("q.pog"), 0, 40));
    assert_eq!(definition[0]["uri"], uri("d.pog"));
}

#[test]
fn a_client_that_dies_takes_the_server_with_it() {
    let mut client = Client::start().disorderly();
    client.open("file:///a.kif", "(role a)");
    // The first half of a message, without the rest.
    client.send_bytes(b"Content-Length: 500\r\n\r\n{\"jsonrpc\":");
    client.close_input();
    client.wait();
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "only Linux tells the time used")]
fn nothing_runs_while_nothing_is_asked() {
    let mut client = Client::start();
    client.open_and_check("file:///a.kif", "(role a)\n(legal a b)\n(<= terminal (true over))\n");
    client.request("textDocument/hover", at("file:///a.kif", 1, 2));
    // The judge plays the game a while after the last edit, once.
    std::thread::sleep(Duration::from_secs(3));
    let before = client.ticks().expect("the time used");
    std::thread::sleep(Duration::from_secs(3));
    let used = client.ticks().expect("still there") - before;
    eprintln!("{used} ticks of a hundredth of a second in 3 s");
    // Not a time but a count of wake-ups: a server that polls uses some, one that waits none.
    assert!(used <= 2, "{used} ticks");
}

/// An editor that restores a session: thousands of documents within a second.
#[test]
fn ten_thousand_documents_at_once_take_little_memory() {
    const MANY: usize = 10_000;
    let mut client = Client::start();
    let uri = |n: usize| format!("file:///many/{n}.kif");
    for n in 0..MANY {
        let text = format!(
            "(role a)\n(init (f {n}))\n(<= (legal a (m ?x)) (true (f ?x)))\n(<= (next (f ?x)) (does a (m ?x)))\n"
        );
        client.open(&uri(n), &text);
    }
    client.request("textDocument/hover", at(&uri(MANY - 1), 0, 7));
    client.diagnostics(&uri(MANY - 1), 1);
    let open = client.resident();
    (0..MANY).for_each(|n| client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri(n) } })));
    assert_eq!(client.request("workspace/symbol", json!({ "query": "a" })), json!([]));
    let begun = Instant::now();
    let is_small = |client: &Client| client.resident().is_none_or(|closed| closed < 100 << 10);
    while cfg!(target_env = "gnu") && !is_small(&client) && begun.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(100));
    }
    client.request("workspace/symbol", json!({ "query": "a" }));
    client.forget("textDocument/publishDiagnostics");
    if let (Some(open), Some(closed)) = (open, client.resident()) {
        assert!(open < 300 << 10, "{open} kB with {MANY} documents open");
        assert!(closed < 100 << 10 || !cfg!(target_env = "gnu"), "{closed} kB when they are closed");
    }
}

/// Messages with bytes changed, left out and doubled, in any order: the next correct message is always answered.
#[test]
fn forged_messages_are_survived() {
    let uri = "file:///forged.kif";
    let text = "(role a)\n(<= (legal a ?x) (m ?x)) ; 😀\n(m 1)\n";
    let note = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "method": method, "params": params });
    let range = json!({ "start": { "line": 1, "character": 4 }, "end": { "line": 1, "character": 9 } });
    let change =
        json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [{ "range": range, "text": "(" }] });
    let open = json!({ "textDocument": { "uri": uri, "languageId": "gdl", "version": 1, "text": text } });
    let mut seeds = vec![
        note("textDocument/didOpen", open),
        note("textDocument/didChange", change),
        note("textDocument/didClose", json!({ "textDocument": { "uri": uri } })),
        note(
            "workspace/didChangeConfiguration",
            json!({ "settings": { "percept": { "allow": ["single-use-variable"] } } }),
        ),
        note("$/cancelRequest", json!({ "id": "forged" })),
    ];
    seeds.extend(REQUESTS.iter().map(|method| {
        let mut request = note(method, parameters(uri, 1, 6));
        request["id"] = json!("forged");
        request
    }));
    let seeds: Vec<Vec<u8>> = seeds.iter().map(|seed| seed.to_string().into_bytes()).collect();
    let forged: Vec<Vec<u8>> = percept_test::mutants(&seeds, percept_test::more(5_000, 100_000), 1).collect();
    for session in forged.chunks(250) {
        let mut client = Client::start().disorderly();
        for part in session.chunks(25) {
            for body in part {
                client.send_bytes(&[format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes(), body].concat());
            }
            client.open("file:///right.kif", text);
            let id = client.ask("textDocument/hover", at("file:///right.kif", 0, 2));
            let reply = client.answer(id);
            assert!(reply["result"]["contents"].is_object(), "{reply}");
            client.notify("textDocument/didClose", json!({ "textDocument": { "uri": "file:///right.kif" } }));
        }
    }
}

mod heavy {
    use super::*;

    /// A hundred thousand edits: memory stays where it was after the first few thousand.
    #[test]
    #[ignore = "takes minutes"]
    fn a_long_day_of_typing_needs_no_more_memory() {
        let mut client = Client::start();
        let uri = "file:///day.kif";
        let mut text = String::from("(role a)\n");
        (0..300).for_each(|n| text.push_str(&format!("(<= (legal a (m{n} ?x)) (true (f{n} ?x)) (not (g ?x)))\n")));
        client.open(uri, &text);
        let mut early = None;
        let mut version = 1;
        let begun = Instant::now();
        for round in 0..100 {
            for edit in 0..1000 {
                version += 1;
                let place = json!({ "line": 1 + (version * 7) % 300, "character": 0 });
                let end = json!({ "line": 1 + ((version - 1) * 7) % 300, "character": 1 });
                let back = json!({ "line": 1 + ((version - 1) * 7) % 300, "character": 0 });
                let mut changes = vec![json!({ "range": { "start": place, "end": place }, "text": ";" })];
                if version > 2 {
                    changes.insert(0, json!({ "range": { "start": back, "end": end }, "text": "" }));
                }
                client.change(uri, version, json!(changes));
                if edit % 100 == 0 {
                    client.request("textDocument/hover", at(uri, (edit % 300) as u32, 6));
                }
            }
            client.diagnostics(uri, version);
            client.forget("textDocument/publishDiagnostics");
            let resident = client.resident().expect("the memory used: only Linux tells it");
            if round == 9 {
                early = Some(resident);
            }
            if let Some(early) = early {
                assert!(
                    resident < early * 3 / 2 + 8 * 1024,
                    "{resident} kB after {version} edits, {early} kB after 10,000"
                );
            }
        }
        eprintln!("100,000 edits in {:.1} s, {} kB", begun.elapsed().as_secs_f64(), client.resident().unwrap_or(0));
    }
}
