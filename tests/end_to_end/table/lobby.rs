//! A lobby: several tables, and nothing of one of them at another.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::page::{Page, Table};
use super::{KUHN, lines};
use crate::support::{folder, percept, root};

/// A folder with two games.
fn games() -> tempfile::TempDir {
    let folder = folder();
    for name in ["kuhn-poker", "blind-tic-tac-toe"] {
        let file = format!("{name}.kif");
        std::fs::copy(root().join("games").join(name).join(&file), folder.path().join(file)).expect("copied");
    }
    std::fs::write(folder.path().join("broken.kif"), "(role").expect("written");
    folder
}

/// A wish that is answered with a link.
fn link(lobby: &mut Page, wish: Value) -> String {
    lobby.wish(wish);
    lobby.until("yours")["token"].as_str().expect("a token").to_string()
}

fn sit(lobby: &mut Page, table: u64, seat: usize, name: &str) -> String {
    link(lobby, json!({ "wish": "take", "table": table, "seat": seat, "name": name }))
}

fn tables(lobby: &mut Page, count: usize) -> Value {
    lobby.until_it(|it| it["tables"].as_array().is_some_and(|all| all.len() == count))
}

fn refusal(lobby: &mut Page, wish: Value) -> String {
    lobby.wish(wish);
    lobby.until("refused")["why"].as_str().expect("a reason").to_string()
}

/// A lobby with a table of Kuhn poker between ann and bob; their lines.
fn seated(table: &Table) -> (Page, Page, Page) {
    let mut lobby = table.page("lobby");
    lobby.wish(json!({ "wish": "newTable", "game": "kuhn-poker" }));
    tables(&mut lobby, 1);
    let (ann, bob) = (sit(&mut lobby, 0, 0, "ann"), sit(&mut lobby, 0, 1, "bob"));
    let (ann, bob) = (Page::with(&table.site, &ann), Page::with(&table.site, &bob));
    (lobby, ann, bob)
}

#[test]
fn people_sit_down_by_name_and_programs_take_free_seats() {
    let games = games();
    let table = Table::of(&[games.path().to_str().unwrap()]);
    let mut lobby = table.page("lobby");
    let first = lobby.until("lobby");
    assert_eq!(first["games"], json!(["blind-tic-tac-toe", "kuhn-poker"]), "a broken text is not a game");
    let (mut ann, mut other) = (sit_alone(&table, &mut lobby), table.page("lobby"));
    let gathering = ann.until("gathering");
    assert_eq!(gathering["players"], json!([{ "role": "p1", "name": "ann" }, { "role": "p2", "free": true }]));
    // No seat and no name is taken twice, and programs that read files are not offered.
    let take = |seat: usize, name: &str| json!({ "wish": "take", "table": 0, "seat": seat, "name": name });
    assert_eq!(refusal(&mut other, take(0, "bob")), "This seat is not free any more.");
    assert!(refusal(&mut other, take(1, "ann")).starts_with("A player at this table has this name"));
    assert!(refusal(&mut other, take(1, "<b>")).starts_with("A name has at most"));
    let program = |strategy: &str| json!({ "wish": "program", "table": 0, "seat": 1, "strategy": strategy });
    assert_eq!(refusal(&mut other, program("equilibrium:/etc/passwd")), "There is no such program.");
    assert_eq!(refusal(&mut other, json!({ "wish": "newTable", "game": "../x" })), "There is no such game.");
    assert_eq!(refusal(&mut other, json!({ "wish": "remove", "table": 0 })), "People sit at this table.");
    assert!(
        refusal(&mut other, json!({ "wish": "move", "match": 0, "round": 0, "move": "x" }))
            .starts_with("This is a lobby")
    );
    assert_eq!(refusal(&mut ann, take(1, "eve")), "This is not a lobby.");
    other.wish(program("random"));
    let begin = ann.until("begin");
    assert_eq!(begin["players"], json!([{ "role": "p1", "name": "ann" }, { "role": "p2", "program": "random" }]));
    ann.play(0, 0);
    ann.until_it(|it| it["kind"] == "opened" || it["turn"] == "you");
    // A table without people can be removed, and programs alone do not play.
    other.wish(json!({ "wish": "newTable", "game": "kuhn-poker" }));
    tables(&mut other, 2);
    other.wish(json!({ "wish": "program", "table": 1, "seat": 0, "strategy": "random" }));
    let last = json!({ "wish": "program", "table": 1, "seat": 1, "strategy": "random" });
    assert!(refusal(&mut other, last).starts_with("A table of programs alone"));
    other.wish(json!({ "wish": "remove", "table": 1 }));
    tables(&mut other, 1);
}

fn sit_alone(table: &Table, lobby: &mut Page) -> Page {
    lobby.wish(json!({ "wish": "newTable", "game": "kuhn-poker" }));
    tables(lobby, 1);
    Page::with(&table.site, &sit(lobby, 0, 0, "ann"))
}

#[test]
fn nothing_of_a_table_is_seen_at_another() {
    let games = games();
    let table = Table::of(&[games.path().to_str().unwrap(), "--seed", "1"]);
    let (mut lobby, mut ann, mut bob) = seated(&table);
    lobby.wish(json!({ "wish": "newTable", "game": "blind-tic-tac-toe" }));
    tables(&mut lobby, 2);
    let tokens = [sit(&mut lobby, 1, 0, "cid"), sit(&mut lobby, 1, 1, "dan")];
    let watched = link(&mut lobby, json!({ "wish": "watch", "table": 1 }));
    let [mut cid, mut dan] = tokens.clone().map(|token| Page::with(&table.site, &token));
    let mut watcher = Page::with(&table.site, &watched);
    ann.play(0, 0);
    bob.until_it(|it| it["kind"] == "opened" || it["turn"] == "you");
    cid.play(0, 4);
    dan.play(0, 0);
    cid.until_it(|it| it["seat"]["round"] == 1);
    watcher.until_it(|it| it["rounds"] == 1);
    let mut late = table.page("lobby");
    late.until("lobby");
    lobby.traffic.retain(|it| !it.contains("yours"));
    for (page, theirs) in [(&ann, false), (&bob, false), (&cid, true), (&dan, true)] {
        let all = page.traffic.join("\n");
        assert_eq!((all.contains("mark"), all.contains("cid")), (theirs, theirs), "{all}");
        assert_eq!(all.contains("ann"), !theirs);
    }
    // The lobby and watchers see who plays, and no move. A link is only sent to the page that took the seat.
    for page in [&lobby, &late, &watcher] {
        let all = page.traffic.join("\n");
        assert!(!all.contains("mark") && !all.contains("bet") && !all.contains("round\":"), "{all}");
        assert!(tokens.iter().chain([&watched]).all(|token| !all.contains(token.as_str())));
    }
    let seats: BTreeSet<&String> = tokens.iter().chain([&watched]).collect();
    assert_eq!(seats.len(), 3);
}

#[test]
fn a_lobby_goes_on_after_a_kill() {
    let (games, folder) = (games(), folder());
    let out = folder.path().join("evening.jsonl");
    let args = [games.path().to_str().unwrap(), "--out", out.to_str().unwrap(), "--seed", "1"];
    let mut table = Table::of(&args);
    let (mut lobby, mut ann, mut bob) = seated(&table);
    lobby.wish(json!({ "wish": "newTable", "game": "blind-tic-tac-toe" }));
    tables(&mut lobby, 2);
    let cid = sit(&mut lobby, 1, 0, "cid");
    ann.play(0, 0);
    let before = bob.until_it(|it| it["turn"] == "you");
    table.process.kill().expect("killed");
    table.process.wait().expect("gone");
    let links = table.links.clone();
    // The author changes the rules meanwhile: tables go on with theirs, and new ones have the changed rules.
    let file = games.path().join("kuhn-poker.kif");
    let text = std::fs::read_to_string(&file).expect("read");
    std::fs::write(&file, text.replace("(role p2)", "(role p2) (role p3)")).expect("written");
    let table = Table::of(&args);
    assert_eq!(table.links, links);
    let token = |page: &Page| page.token.clone();
    let (mut ann, mut bob) = (Page::with(&table.site, &token(&ann)), Page::with(&table.site, &token(&bob)));
    assert_eq!(bob.until_it(|it| it["turn"] == "you"), before);
    let mut cid = Page::with(&table.site, &cid);
    assert_eq!(cid.until("gathering")["players"][0]["name"], "cid");
    bob.choose(0, &before, &before["moves"][0].clone());
    for page in [&mut ann, &mut bob] {
        page.until_it(|it| it["kind"] == "opened" || it["turn"] == "you");
    }
    while ann.traffic.last().is_some_and(|it| !it.contains("\"opened\"")) {
        let seat: Value = serde_json::from_str(ann.traffic.last().unwrap()).unwrap();
        ann.choose(0, &seat, &seat["moves"][0].clone());
        ann.until_it(|it| it["kind"] == "opened" || it["turn"] == "you");
    }
    let played: Value = serde_json::from_str(&lines(&out)[1]).expect("a line of a tournament");
    assert_eq!(
        (&played["game"], &played["first"], &played["second"]),
        (&json!("kuhn-poker"), &json!("ann"), &json!("bob"))
    );
    // Matches are numbered over all tables, so none is lost as a double.
    assert_eq!(played["number"], 0);
    assert_eq!(percept(&["table", KUHN, "--out", args[2]]).code, 2);
    let mut lobby = table.page("lobby");
    lobby.wish(json!({ "wish": "newTable", "game": "kuhn-poker" }));
    let list = tables(&mut lobby, 3);
    let seats = list["tables"][2]["seats"].as_array().map(Vec::len);
    assert_eq!(seats, Some(3), "{list}");
}
