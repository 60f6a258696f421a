//! Many tables at once, and servers that are killed again and again. `PERCEPT` names the program, such as a release.

use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use rand::{Rng, SeedableRng, rngs::SmallRng};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::sleep;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::BLIND;
use super::page::Table;
use crate::support::{folder, write};

/// The tables, and the moves at each of them.
const TABLES: usize = 200;
const MOVES: usize = 30;
/// The mean time in which a person thinks.
const THINKS: Duration = Duration::from_secs(3);

/// Three people pass numbers around: each hears only the one before.
fn whispers() -> String {
    let succ: String = (0..MOVES).map(|at| format!("(succ {at} {}) ", at + 1)).collect();
    format!(
        "(role ann) (role bob) (role cid) (after ann bob) (after bob cid) (after cid ann) {succ}
(number 1) (number 2) (number 3) (number 4) (number 5) (base (turn ?r)) (base (at ?n)) (base (said ?r ?n))
(<= (base (at ?n)) (succ ?n ?m)) (<= (base (at ?m)) (succ ?n ?m)) (<= (base (turn ?r)) (role ?r))
(<= (base (said ?r ?n)) (role ?r) (number ?n)) (<= (input ?r (say ?n)) (role ?r) (number ?n)) (<= (input ?r noop) (role ?r))
(init (turn ann)) (init (at 0))
(<= (legal ?r (say ?n)) (true (turn ?r)) (number ?n)) (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(<= (next (turn ?s)) (true (turn ?r)) (after ?r ?s)) (<= (next (at ?m)) (true (at ?n)) (succ ?n ?m))
(<= (next (said ?r ?n)) (does ?r (say ?n))) (<= (next (said ?r ?n)) (true (said ?r ?n)) (not (true (turn ?r))))
(<= (sees ?s (heard ?n)) (does ?r (say ?n)) (after ?r ?s))
(<= terminal (true (at {MOVES}))) (<= (goal ?r 100) (true (said ?r 5))) (<= (goal ?r 0) (role ?r) (not (true (said ?r 5))))"
    )
    .replace("(base (turn ?r)) (base (at ?n)) (base (said ?r ?n))\n", "\n")
}

type Socket = WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>;

async fn sit(site: &str, token: &str) -> Socket {
    let mut request = format!("ws://{site}/line").into_client_request().expect("an address");
    request.headers_mut().insert("origin", format!("http://{site}").parse().expect("an origin"));
    let (mut line, _) = connect_async(request).await.expect("a line");
    line.send(Message::text(json!({ "wish": "sit", "token": token }).to_string())).await.expect("sent");
    line
}

async fn next(line: &mut Socket) -> Value {
    loop {
        match line.next().await.expect("an open line").expect("a message") {
            Message::Text(text) => return serde_json::from_str(&text).expect("JSON"),
            Message::Close(_) => panic!("the line was closed"),
            _ => {}
        }
    }
}

async fn until(line: &mut Socket, is_it: impl Fn(&Value) -> bool) -> Value {
    loop {
        let message = next(line).await;
        if is_it(&message) {
            return message;
        }
    }
}

/// Sets up tables with three people each; returns the tokens of the seats.
async fn tables(site: String, token: String, tables: std::ops::Range<usize>) -> Vec<[String; 3]> {
    let mut lobby = sit(&site, &token).await;
    let mut all = Vec::new();
    let wish = async |lobby: &mut Socket, wish: Value| {
        // As fast as the server allows.
        sleep(Duration::from_millis(210)).await;
        lobby.send(Message::text(wish.to_string())).await.expect("sent");
    };
    for table in tables {
        let mut tokens = Vec::new();
        for (seat, name) in ["ann", "bob", "cid"].iter().enumerate() {
            wish(&mut lobby, json!({ "wish": "take", "table": table, "seat": seat, "name": name })).await;
            let yours = until(&mut lobby, |it| it["kind"] == "yours" || it["kind"] == "refused").await;
            tokens.push(yours["token"].as_str().expect("a seat").to_string());
        }
        all.push(tokens.try_into().expect("three seats"));
    }
    all
}

/// Plays a match; sends the time from each click to the next knowledge of each other seat.
async fn play(site: String, tokens: [String; 3], seed: u64, times: mpsc::UnboundedSender<Duration>) {
    let mut dice = SmallRng::seed_from_u64(seed);
    let mut lines = Vec::new();
    for token in &tokens {
        lines.push(sit(&site, token).await);
    }
    for at in 0..MOVES {
        let mover = at % 3;
        let seat = until(&mut lines[mover], |it| it["turn"] == "you" && it["seat"]["round"] == at).await;
        sleep(THINKS.mul_f64(dice.random_range(0.1..1.9))).await;
        let name = &seat["moves"][dice.random_range(0..5)];
        let mv = json!({ "wish": "move", "match": 0, "round": at, "move": name });
        lines[mover].send(Message::text(mv.to_string())).await.expect("sent");
        let clicked = Instant::now();
        let wait = async |line: &mut Socket| {
            until(line, |it| it["seat"]["round"] == at + 1).await;
            clicked.elapsed()
        };
        let mut others = lines.iter_mut().enumerate().filter(|(seat, _)| *seat != mover).map(|(_, line)| line);
        let (one, other) = (others.next().expect("three seats"), others.next().expect("three seats"));
        let took = tokio::join!(wait(one), wait(other));
        [took.0, took.1].into_iter().for_each(|took| times.send(took).expect("it is read"));
        // The knowledge of the next mover was read above.
        if at + 1 < MOVES {
            lines[(at + 1) % 3]
                .send(Message::text(json!({ "wish": "beliefs", "on": false }).to_string()))
                .await
                .expect("sent");
        }
    }
}

/// Prints the time from a click to the other seats' pages, and the memory of the server.
#[test]
#[ignore = "takes minutes"]
fn two_hundred_tables_of_three_play_at_once() {
    let games = folder();
    write(games.path(), "whispers.kif", whispers());
    let out = games.path().join("matches.jsonl");
    let table = Table::of(&[games.path().to_str().unwrap(), "--out", out.to_str().unwrap()]);
    let token = table.links["lobby"].split_once('#').expect("a token").1.to_string();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let mut times = runtime.block_on(async {
        let mut lobby = sit(&table.site, &token).await;
        for _ in 0..TABLES {
            lobby
                .send(Message::text(json!({ "wish": "newTable", "game": "whispers" }).to_string()))
                .await
                .expect("sent");
            sleep(Duration::from_millis(210)).await;
        }
        until(&mut lobby, |it| it["tables"].as_array().is_some_and(|all| all.len() == TABLES)).await;
        drop(lobby);
        let parts = (0..20).map(|at| {
            let size = TABLES / 20;
            tokio::spawn(tables(table.site.clone(), token.clone(), at * size..(at + 1) * size))
        });
        let parts: Vec<_> = parts.collect();
        let mut seats = Vec::new();
        for part in parts {
            seats.extend(part.await.expect("tables"));
        }
        let (sender, mut receiver) = mpsc::unbounded_channel();
        let matches = seats.into_iter().enumerate();
        let matches: Vec<_> = matches
            .map(|(at, tokens)| tokio::spawn(play(table.site.clone(), tokens, at as u64, sender.clone())))
            .collect();
        drop(sender);
        for it in matches {
            it.await.expect("a match");
        }
        let mut times = Vec::new();
        while let Ok(time) = receiver.try_recv() {
            times.push(time);
        }
        times
    });
    times.sort();
    let at = |share: f64| times[(share * (times.len() - 1) as f64) as usize].as_secs_f64() * 1000.0;
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", table.process.id())).unwrap_or_default();
    let ticks: u64 = stat.split(' ').skip(13).take(2).filter_map(|it| it.parse::<u64>().ok()).sum();
    let status = std::fs::read_to_string(format!("/proc/{}/status", table.process.id())).unwrap_or_default();
    let peak =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    println!(
        "{TABLES} tables, {} messages after a click: p50 {:.1} ms, p99 {:.1} ms, most {:.1} ms; {:.1} s of work, \
         peak memory {} MB",
        times.len(),
        at(0.5),
        at(0.99),
        at(1.0),
        ticks as f64 / 100.0,
        peak.unwrap_or_default() / 1024
    );
    assert_eq!(times.len(), TABLES * MOVES * 2);
    assert!(peak.is_none_or(|peak| peak < 1 << 20), "more than a gigabyte: {peak:?} kB");
}

/// The rounds that a page knows.
fn history(seat: &Value) -> Vec<Value> {
    seat["seat"]["history"].as_array().cloned().unwrap_or_default()
}

#[test]
#[ignore = "takes minutes"]
fn no_page_forgets_a_round_however_often_the_server_is_killed() {
    let folder = folder();
    let out = folder.path().join("matches.jsonl");
    let args = [BLIND, "--out", out.to_str().unwrap()];
    let mut dice = SmallRng::seed_from_u64(7);
    let mut knowledge = [Vec::new(), Vec::new()];
    let mut finished = 0;
    for _ in 0..60 {
        let mut table = Table::of(&args);
        let mut pages = [table.page("white"), table.page("black")];
        let kill = dice.random_range(0..6);
        for step in 0..6 {
            for (at, page) in pages.iter_mut().enumerate() {
                let message = page.until_it(|it| it["turn"] == "you" || it["kind"] == "opened");
                if message["kind"] == "opened" {
                    page.wish(json!({ "wish": "again" }));
                    knowledge[at].clear();
                    continue;
                }
                let now = history(&message);
                assert!(now.starts_with(&knowledge[at]), "a page forgot a round: {:?}, then {now:?}", knowledge[at]);
                knowledge[at] = now;
            }
            if pages.iter().any(|page| page.traffic.last().is_some_and(|it| it.contains("\"opened\""))) {
                finished += 1;
                knowledge = [Vec::new(), Vec::new()];
                continue;
            }
            for page in &mut pages {
                let begin = page.traffic.iter().rev().find(|it| it.contains("\"begin\"")).expect("a match");
                let begin: Value = serde_json::from_str(begin).expect("JSON");
                let number = begin["match"].as_u64().expect("a number");
                let seat: Value = serde_json::from_str(page.traffic.last().expect("a seat")).expect("JSON");
                let moves = seat["moves"].as_array().expect("moves");
                let name = moves[dice.random_range(0..moves.len())].clone();
                page.choose(number, &seat, &name);
            }
            if step == kill {
                std::thread::sleep(Duration::from_micros(dice.random_range(0..20_000)));
                break;
            }
        }
        table.process.kill().expect("killed");
        table.process.wait().expect("gone");
    }
    assert!(finished > 3, "only {finished} matches came to an end");
}
