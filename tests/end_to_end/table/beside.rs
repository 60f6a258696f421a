//! Everything beside the game: time that runs out, giving up, and notes for the author.

use std::time::Duration;

use serde_json::{Value, json};

use super::page::{Page, Table};
use super::{BLIND, KUHN, lines};
use crate::support::{folder, percept};

fn beside(out: &std::path::Path) -> Vec<Value> {
    let path = out.with_extension("jsonl.table");
    lines(&path).iter().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn a_random_move_is_made_if_the_time_is_over() {
    let folder = folder();
    let out = folder.path().join("matches.jsonl");
    let table = Table::of(&[BLIND, "--clock", "3s", "--out", out.to_str().unwrap()]);
    let (mut white, mut black) = (table.page("white"), table.page("black"));
    assert_eq!(white.until("begin")["clock"], 3.0);
    white.play(0, 4);
    black.until_it(|it| it["turn"] == "you");
    // A page that comes back learns how much time it has; another seat does not.
    std::thread::sleep(Duration::from_millis(1200));
    let mut back = table.page("black");
    let left = back.until("clock")["left"].as_f64().expect("seconds");
    assert!((1.0..3.0).contains(&left), "{left}");
    assert_eq!(black.until("late")["round"], 0);
    let seat = black.until("seat");
    assert_eq!(seat["seat"]["round"], 1);
    assert!(seat["seat"]["history"][0]["move"].as_str().expect("a move").starts_with("(mark"), "{seat}");
    white.until_it(|it| it["seat"]["round"] == 1);
    assert!(white.traffic.iter().all(|it| !it.contains("late")));
    let file = beside(&out);
    let thought = file.iter().find_map(|it| it["round"]["thought"].as_array()).expect("a round");
    let late: Vec<bool> =
        [0, 1].map(|player| thought.iter().any(|it| it["player"] == player && it["late"] == true)).into();
    assert_eq!(late, [false, true]);
}

#[test]
fn a_program_plays_on_for_a_person_who_gives_up() {
    let folder = folder();
    let out = folder.path().join("matches.jsonl");
    let args = [BLIND, "--out", out.to_str().unwrap(), "--playclock", "0.2s", "--seat", "white=human:ann"];
    let mut table = Table::of(&args);
    let (mut white, mut black) = (table.page("white"), table.page("black"));
    white.until_it(|it| it["turn"] == "you");
    let seat = black.until_it(|it| it["turn"] == "you");
    white.wish(json!({ "wish": "leave", "match": 0 }));
    let left = json!([{ "role": "white", "name": "ann", "program": "auto" }, { "role": "black" }]);
    assert_eq!(black.until("left")["players"], left);
    white.wish(json!({ "wish": "leave", "match": 0 }));
    assert_eq!(white.until("refused")["why"], "There is no match to give up.");
    black.choose(0, &seat, &seat["moves"][0].clone());
    black.until_it(|it| it["seat"]["round"] == 1);
    table.process.kill().expect("killed");
    table.process.wait().expect("gone");
    // The program still plays after an interruption, and pages that come later learn who plays.
    let table = Table::of(&args);
    let (mut white, mut black) = (table.page("white"), table.page("black"));
    assert_eq!(white.until("begin")["players"], left);
    while black.play(0, 0).is_some() {}
    let opened: Value = serde_json::from_str(black.traffic.last().expect("a message")).expect("JSON");
    assert_eq!(opened["faults"], json!([]), "the program's moves are moves");
    assert_eq!(lines(&out).len(), 1, "the match does not count");
    // The one who stays does not wait for the one who left, who may come back.
    white.until("opened");
    white.wish(json!({ "wish": "again" }));
    assert_eq!(black.until("left")["players"][0], json!({ "role": "white", "name": "ann" }));
    assert_eq!(black.until("again"), json!({ "kind": "again", "ready": 1, "of": 2 }));
    black.wish(json!({ "wish": "again" }));
    assert_eq!(white.until("begin")["match"], 1);
}

/// The messages to p2 in a match, up to its first turn, while p1 does `more`.
fn other_wire(more: impl FnOnce(&mut Page)) -> Vec<String> {
    let table = Table::of(&[KUHN, "--seed", "4", "--clock", "60s"]);
    let (mut one, mut other) = (table.page("p1"), table.page("p2"));
    other.until_it(|it| it["kind"] == "seat" && it["seat"]["round"] == 1);
    let seat = one.until_it(|it| it["turn"] == "you");
    more(&mut one);
    one.choose(0, &seat, &json!("bet"));
    other.until_it(|it| it["turn"] == "you");
    other.traffic.retain(|it| !it.contains("\"round\":0,"));
    other.traffic
}

#[test]
fn notes_and_moves_that_were_tried_go_to_the_author_alone() {
    let quiet = other_wire(|_| {});
    let noted = other_wire(|page| {
        page.wish(json!({ "wish": "note", "match": 0, "round": 1, "text": "what is a bet?" }));
        page.until("noted");
        page.wish(json!({ "wish": "tried", "match": 0, "round": 1, "text": "2 2" }));
        page.wish(json!({ "wish": "move", "match": 0, "round": 1, "move": "(fold)" }));
        page.until("refused");
    });
    assert_eq!(quiet, noted);
    let folder = folder();
    let out = folder.path().join("matches.jsonl");
    let table = Table::of(&[KUHN, "--out", out.to_str().unwrap()]);
    let mut one = table.page("p1");
    one.until_it(|it| it["turn"] == "you");
    one.wish(json!({ "wish": "move", "match": 0, "round": 1, "move": "(fold)" }));
    one.until("refused");
    one.wish(json!({ "wish": "note", "match": 0, "round": 1, "text": "why?" }));
    one.until("noted");
    one.wish(json!({ "wish": "note", "match": 7, "round": 1, "text": "why?" }));
    assert_eq!(one.until("refused")["why"], "This match is over.");
    let mut watcher = table.page("watchers");
    watcher.until("watched");
    watcher.wish(json!({ "wish": "note", "match": 0, "round": 1, "text": "why?" }));
    assert_eq!(watcher.until("refused")["why"], "Watchers have no seat.");
    let file = beside(&out);
    let remark =
        |kind: &str, text: &str| json!({ kind: { "table": 0, "match": 0, "round": 1, "player": 0, "text": text } });
    assert!(file.contains(&remark("tried", "(fold)")) && file.contains(&remark("note", "why?")), "{file:?}");
    assert_eq!(percept(&["table", KUHN, "--clock", "5s", "--out", out.to_str().unwrap()]).code, 2);
}

#[cfg(unix)]
#[test]
fn a_browser_is_given_a_file_and_not_the_link() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let seen = folder.path().join("seen");
    let browser = folder.path().join("xdg-open");
    let script = format!(
        "#!/bin/sh\necho \"$@\" > {0}.part\ncat \"$1\" >> {0}.part\nstat -c %a \"$1\" >> {0}.part\nmv {0}.part {0}\n",
        seen.display()
    );
    std::fs::write(&browser, script).expect("written");
    std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o755)).expect("executable");
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap_or_default());
    let table = Table::with(&[KUHN, "--open"], &[("PATH", &path)]);
    let until = std::time::Instant::now() + Duration::from_secs(20);
    while !seen.exists() && std::time::Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    let text = percept_test::read(&seen);
    let (arguments, page) = text.split_once('\n').expect("arguments");
    let link = &table.links["p1"];
    assert!(page.contains(link.as_str()) && page.trim_end().ends_with("600"), "{text}");
    assert!(!arguments.contains(link.split_once('#').expect("a token").1), "{arguments}");
}
