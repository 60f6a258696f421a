//! `percept table`: people in browsers, through real lines.

mod beside;
mod crash;
mod debrief;
mod heavy;
mod lobby;
mod page;

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::support::{folder, percept, read, write};
use futures_util::SinkExt;
use page::{Page, Table};

const BLIND: &str = "games/blind-tic-tac-toe/blind-tic-tac-toe.kif";
const KUHN: &str = "games/kuhn-poker/kuhn-poker.kif";

/// Plays a match to the end; returns it opened.
fn play_out(white: &mut Page, black: &mut Page, number: u64) -> Value {
    for round in 0.. {
        // Both aim at the same cell at times.
        if white.play(number, round / 2).is_none() {
            break;
        }
        black.play(number, 0);
    }
    serde_json::from_str(white.traffic.last().expect("a message")).expect("JSON")
}

#[test]
fn a_seat_gets_words_with_its_moves() {
    let folder = folder();
    let say =
        "\n; percept: say (mark ?m ?n) \"mark row ?m, column ?n\"\n; percept: say (sees ?r ok) \"the mark of ?r\"\n";
    let text = read(BLIND) + say;
    let game = write(folder.path(), "blind.kif", text);
    let table = Table::of(&[&game]);
    let (mut white, mut black) = (table.page("white"), table.page("black"));
    let seat = white.play(0, 4).expect("a turn");
    assert_eq!(seat["moves"][4], "(mark 2 2)");
    for says in [&seat["says"], &seat["seat"]["says"]] {
        assert_eq!(says["(mark 2 2)"], "mark row 2, column 2", "{seat}");
    }
    black.play(0, 0);
    let opened = play_out(&mut white, &mut black, 0);
    assert_eq!(opened["says"]["(mark 2 2)"], "mark row 2, column 2", "{opened}");
    // A percept has its words by role, on the seat and when all is opened.
    for role in ["white", "black"] {
        assert_eq!(opened["says"][format!("(sees {role} ok)")], format!("the mark of {role}"), "{opened}");
    }
    let last = white.traffic.iter().rev().find(|it| it.contains("\"seat\"")).expect("a seat");
    assert!(last.contains("\"(sees white ok)\":\"the mark of white\"") && !last.contains("black ok"), "{last}");
}

#[test]
fn two_people_play_to_the_end_and_exchange_seats() {
    let folder = folder();
    let table = Table::of(&[BLIND]);
    let (mut white, mut black, mut watcher) = (table.page("white"), table.page("black"), table.page("watchers"));
    assert_eq!(white.until("begin")["role"], "white");
    assert_eq!(watcher.until("begin")["role"], Value::Null);
    let seat = white.play(0, 4).expect("a turn");
    assert_eq!(seat["moves"].as_array().unwrap().len(), 9, "{seat}");
    assert_eq!(white.until("chosen")["move"], seat["moves"][4]);
    black.play(0, 0);
    let after = white.until("seat");
    assert_eq!((&after["seat"]["round"], &after["turn"]), (&json!(1), &json!("you")));
    // Another page, as after a lost line or on another device, knows the same and has the same seat.
    let last = white.traffic.last().cloned();
    drop(white);
    let mut white = table.page("white");
    white.until("seat");
    assert_eq!(white.traffic.last().cloned(), last);
    white.wish(json!({ "wish": "look", "round": 1 }));
    assert_eq!(white.until("refused")["why"], "The match is not over.");
    white.wish(json!({ "wish": "move", "match": 0, "round": 1, "move": "(mark 9 9)" }));
    assert_eq!(white.until("refused")["why"], "This is not one of your moves.");
    white.choose(0, &after, &after["moves"][1].clone());
    black.play(0, 0);
    let opened = play_out(&mut white, &mut black, 0);
    assert_eq!(opened["ended"], "over");
    assert_eq!(watcher.until("opened"), opened);
    watcher.traffic.pop();
    assert!(watcher.traffic.len() > 3 && watcher.traffic.iter().all(|it| !it.contains("mark")));
    // The saved match is one of the game.
    let trace = write(folder.path(), "match.trace", opened["trace"].as_str().unwrap());
    let step = percept(&["step", BLIND, &trace, "--print"]);
    assert_eq!(step.code, 0, "{}", step.err);
    // The truth after a round is shown on request, and the seats are exchanged once both want it.
    black.until("opened");
    black.wish(json!({ "wish": "look", "round": 0 }));
    assert_eq!(black.until("truth")["round"], 0);
    black.wish(json!({ "wish": "again" }));
    assert_eq!(white.until("again"), json!({ "kind": "again", "ready": 1, "of": 2 }));
    white.wish(json!({ "wish": "again" }));
    let begin = white.until("begin");
    assert_eq!((&begin["match"], &begin["role"]), (&json!(1), &json!("black")));
    assert_eq!(black.until("begin")["role"], "white");
}

#[test]
fn beliefs_are_sent_to_those_who_ask_for_them() {
    let table = Table::of(&[KUHN, "--seed", "1"]);
    let mut page = table.page("p1");
    let plain = page.until_it(|it| it["turn"] == "you");
    assert_eq!((&plain["seat"]["possible"], &plain["seat"]["histories"]), (&json!([]), &json!("")));
    page.wish(json!({ "wish": "beliefs", "on": true }));
    let shaded = page.until("seat");
    assert_ne!(shaded["seat"]["histories"], "");
    assert_eq!(shaded["moves"], plain["moves"]);
}

#[test]
fn strangers_are_refused() {
    let table = Table::of(&[BLIND, "--seat", "black=random"]);
    let origin = format!("http://{}", table.site);
    for token in ["", "0123456789abcdef0123456789abcdef", "not a token"] {
        let mut page = Page::with(&table.site, token);
        let refused = page.next().expect("an answer");
        assert_eq!(refused["why"], "This link does not belong to a seat of this table.");
        assert!(page.next().is_none());
    }
    let is_refused = |host: &str, origin: &str| match Page::open(&table.site, host, origin) {
        Err(Error::Http(answer)) => answer.status() == 403,
        _ => false,
    };
    assert!(is_refused(&table.site, "http://evil.example"));
    assert!(is_refused(&table.site, "null"));
    assert!(is_refused("evil.example", "http://evil.example"));
    assert!(!is_refused(&table.site, &origin));
    assert!(table.get("/", "Host: evil.example").starts_with("HTTP/1.1 403"));
    // The page names no other site, and its policy allows none.
    let page = table.get("/", &format!("Host: {}", table.site));
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("default-src 'none'; script-src 'self'"), "{page}");
    for path in ["/", "/page.js", "/page.css"] {
        let answer = table.get(path, &format!("Host: {}", table.site));
        assert!(!answer.contains("http://") && !answer.contains("https://"), "{path} names a site");
        assert!(table.links.values().filter_map(|it| it.split_once('#')).all(|(_, token)| !answer.contains(token)));
    }
    // A message that is too large, one that is none, and too many of them end the line, not the table.
    let mut large = table.page("white");
    large.until("seat");
    large.send(Message::text("x".repeat(5000)));
    assert!(large.next().is_none());
    let mut odd = table.page("white");
    odd.until("seat");
    odd.send(Message::text("{}"));
    assert_eq!(odd.until("refused")["why"], "This is not a message of this page.");
    let mut quick = table.page("white");
    quick.until("seat");
    (0..30).for_each(|_| {
        let flood = Message::text(json!({ "wish": "look", "round": 0 }).to_string());
        let _ = quick.runtime.block_on(quick.line.send(flood));
    });
    quick.until_it(|it| it["why"].as_str().is_some_and(|why| why.contains("too many messages")));
    assert!(quick.next().is_none());
    assert!(table.page("white").play(0, 0).is_some());
}

/// One match of Kuhn poker: p1 bets and p2 passes. Both wires up to the end, and the cards.
fn kuhn(seed: u64) -> ([Vec<String>; 2], [String; 2]) {
    let table = Table::of(&[KUHN, "--seed", &seed.to_string()]);
    let mut pages = [table.page("p1"), table.page("p2")];
    // The second one is there before the first one moves.
    pages[1].until_it(|it| it["kind"] == "seat" && it["seat"]["round"] == 1);
    let choose = |page: &mut Page, name: &str| {
        let seat = page.until_it(|it| it["turn"] == "you");
        page.choose(0, &seat, &json!(name));
    };
    choose(&mut pages[0], "bet");
    choose(&mut pages[1], "pass");
    let opened = pages.each_mut().map(|page| page.until("opened"))[0].clone();
    let deal = opened["rounds"][0]["moves"][2].as_str().expect("a deal").to_string();
    let cards: Vec<&str> = deal.trim_matches(['(', ')']).split(' ').skip(1).collect();
    let wires = pages.map(|mut page| {
        page.traffic.pop();
        // A page that came before the deal has one message more.
        page.traffic.retain(|it| !it.contains("\"round\":0,"));
        page.traffic
    });
    (wires, [cards[0].to_string(), cards[1].to_string()])
}

#[test]
fn the_wire_of_a_seat_is_the_same_whatever_the_others_hold() {
    let mut wires: BTreeMap<(usize, String), (String, Vec<String>)> = BTreeMap::new();
    let mut compared = [0; 2];
    for seed in 0..12 {
        let (traffic, cards) = kuhn(seed);
        for seat in 0..2 {
            let (own, other) = (&cards[seat], &cards[1 - seat]);
            let all = traffic[seat].join("\n");
            assert!(all.contains(&format!("(card {own})")), "{all}");
            assert!(!all.contains(&format!("(card {other})")), "{all}");
            assert!(!all.contains(&format!("(holds p{} {other})", 2 - seat)), "{all}");
            let (found, before) =
                wires.entry((seat, own.clone())).or_insert_with(|| (other.clone(), traffic[seat].clone()));
            assert_eq!(before, &traffic[seat]);
            compared[seat] += usize::from(found != other);
        }
    }
    assert!(compared.iter().all(|&count| count > 0), "no two deals with the same card: {compared:?}");
}

/// White's knowledge, beliefs included, after a round in which black marked a cell at the same time.
fn white_while_black_marks(cell: &str) -> String {
    let table = Table::of(&[BLIND, "--seed", "3"]);
    let (mut white, mut black) = (table.page("white"), table.page("black"));
    for (page, name) in [(&mut black, cell), (&mut white, "(mark 1 1)")] {
        let seat = page.until_it(|it| it["turn"] == "you");
        page.choose(0, &seat, &json!(name));
    }
    white.wish(json!({ "wish": "beliefs", "on": true }));
    // The message without beliefs may come first.
    white.until_it(|it| it["turn"] == "you" && it["seat"]["round"] == 1 && it["seat"]["histories"] != "");
    white.traffic.pop().expect("a message")
}

#[test]
fn a_hidden_mark_does_not_change_a_byte() {
    assert_eq!(white_while_black_marks("(mark 2 2)"), white_while_black_marks("(mark 3 3)"));
}

#[test]
fn a_match_goes_on_after_a_kill() {
    let folder = folder();
    let out = folder.path().join("matches.jsonl");
    let args = [BLIND, "--out", out.to_str().unwrap()];
    let mut table = Table::of(&args);
    let (mut white, mut black) = (table.page("white"), table.page("black"));
    white.play(0, 4);
    black.play(0, 0);
    let before = white.until("seat");
    assert_eq!(before["seat"]["round"], 1);
    // A second server does not take the same file.
    assert_eq!(percept(&["table", BLIND, "--out", args[2]]).code, 2);
    table.process.kill().expect("killed");
    table.process.wait().expect("gone");
    let links = table.links.clone();
    let table = Table::of(&args);
    assert_eq!(table.links, links);
    let (mut white, mut black) = (table.page("white"), table.page("black"));
    assert_eq!(white.until_it(|it| it["turn"] == "you"), before);
    let seat = before;
    white.choose(0, &seat, &seat["moves"][1].clone());
    black.play(0, 0);
    let opened = play_out(&mut white, &mut black, 0);
    assert_eq!(lines(&out).len(), 2, "the terms and one match");
    drop(table);
    // A finished match is shown again, and is not counted twice.
    let table = Table::of(&args);
    assert_eq!(table.page("black").until("opened"), opened);
    assert_eq!(lines(&out).len(), 2);
    let played: Value = serde_json::from_str(&lines(&out)[1]).expect("a line of a tournament");
    assert_eq!((&played["first"], &played["second"]), (&json!("human-1"), &json!("human-2")));
    assert_eq!(percept(&["table", KUHN, "--out", args[2]]).code, 2);
}

fn lines(path: &Path) -> Vec<String> {
    percept_test::read(path).lines().map(str::to_string).collect()
}
