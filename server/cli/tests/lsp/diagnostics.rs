//! Findings: published with their version, at their place, and withdrawn when the document is closed.

use serde_json::{Value, json};

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

#[test]
fn a_problem_whose_domain_is_misspelt_is_read_with_the_near_one_of_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let uri = |name: &str| format!("file://{}/{name}", folder.path().display());
    let domain = |name: &str| format!("(define (domain {name}) (:requirements :strips) (:predicates (open ?x)))");
    std::fs::write(folder.path().join("doors.pddl"), domain("doors")).unwrap();
    std::fs::write(folder.path().join("windows.pddl"), domain("windows")).unwrap();
    let problem =
        |domain: &str| format!("(define (problem p) (:domain {domain})\n (:objects hall)\n (:init (opne hall)))");
    let rules = |found: &[Value]| -> Vec<(String, u64)> {
        let rule =
            |it: &Value| (it["code"].as_str().unwrap().to_owned(), it["range"]["start"]["line"].as_u64().unwrap());
        found.iter().map(rule).collect()
    };
    let mut client = Client::start();
    // The misspelt name is reported, and so are findings that need the domain.
    client.open(&uri("p.pddl"), &problem("dors"));
    let found = rules(&client.diagnostics(&uri("p.pddl"), 1));
    assert_eq!(found, [("domain-mismatch".to_owned(), 0), ("unknown-predicate".to_owned(), 2)], "{found:?}");
    // If two domains are equally near, none is chosen.
    client.open(&uri("q.pddl"), &problem("stairs"));
    let found = rules(&client.diagnostics(&uri("q.pddl"), 1));
    assert_eq!(found, [("domain-not-found".to_owned(), 0)], "{found:?}");
}

/// The errors of a domain are reported once, at the domain, even if only its problem is open.
#[test]
fn a_broken_domain_is_told_where_its_problem_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let uri = |name: &str| format!("file://{}/{name}", folder.path().display());
    let domain = |place: &str| {
        format!(
            "(define (domain hide) (:requirements :typing :equality :pogddl)\n (:types role place other)\n \
             (:constants chance seeker - role all others u - other)\n \
             (:predicates (whoseturn ?r - role) (hidden ?p - place))\n \
             (:action hide :parameters (?p - {place}) :precondition (whoseturn chance)\n \
             :effect (and (not (whoseturn chance)) (hidden ?p)))\n (:gain ?r - role 1 (= ?r seeker)))"
        )
    };
    let problem = "(define (problem p) (:domain hide)\n (:objects attic cellar - place)\n (:init (whoseturn chance)))";
    std::fs::write(folder.path().join("hide.pog"), domain("plcae")).unwrap();
    let mut client = Client::start();
    client.open(&uri("p.pog"), problem);
    let report = client.take(|message| {
        message["method"] == "textDocument/publishDiagnostics"
            && message["params"]["uri"] == uri("hide.pog")
            && message["params"]["diagnostics"] != json!([])
    });
    let found = report["params"]["diagnostics"].as_array().unwrap();
    assert_eq!((found.len(), &found[0]["code"]), (1, &json!("unknown-type")), "{found:?}");
    assert_eq!(client.diagnostics(&uri("p.pog"), 1), Vec::<Value>::new());
    client.silent("textDocument/publishDiagnostics");
    // A client that pulls receives them with the problem.
    let capabilities = json!({ "textDocument": { "diagnostic": { "relatedDocumentSupport": true } } });
    let mut client = Client::with(json!({ "capabilities": capabilities }));
    client.open(&uri("p.pog"), problem);
    let pulled = client.request("textDocument/diagnostic", json!({ "textDocument": { "uri": uri("p.pog") } }));
    assert_eq!(pulled["items"], json!([]));
    assert_eq!(pulled["relatedDocuments"][&uri("hide.pog")]["items"][0]["code"], "unknown-type", "{pulled}");
}

#[test]
fn a_trace_is_no_way_out_of_the_workspace() {
    let game = "(role white)\n(<= (legal white go))\n(<= terminal (true over))\n(<= (next over))\n(goal white 100)\n";
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret.kif"), game).unwrap();
    let workspace = tempfile::tempdir().unwrap();
    std::fs::create_dir(workspace.path().join("traces")).unwrap();
    std::fs::write(workspace.path().join("game.kif"), game).unwrap();
    let secret = outside.path().join("secret.kif");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&secret, workspace.path().join("link.kif")).unwrap();
    let root = format!("file://{}", workspace.path().display());
    let mut client = Client::with(json!({ "rootUri": root }));
    let uri = format!("{root}/traces/a.trace");
    assert_eq!(client.open_and_check(&uri, "; game: ../game.kif\n(go)\n"), Vec::<Value>::new());
    let relative = format!("../../{}/secret.kif", outside.path().file_name().unwrap().display());
    let mut version = 1;
    for path in [&*secret.to_string_lossy(), &relative, "../link.kif", "//host/share/x.kif"] {
        version += 1;
        client.change(&uri, version, json!([{ "text": format!("; game: {path}\n(go)\n") }]));
        let found = client.diagnostics(&uri, version);
        assert_eq!(found[0]["message"], format!("the game `{path}` is outside of the workspace, and is not read"));
        assert_eq!(found[0]["range"]["start"], json!({ "line": 0, "character": 8 }));
        let links = client.request("textDocument/documentLink", json!({ "textDocument": { "uri": uri } }));
        assert_eq!(links, json!([]));
    }
}
