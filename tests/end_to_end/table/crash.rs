//! A fault of the program at one table. The rules of a game cause none, so these tests serve tables themselves.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use percept_game::JointMove;
use percept_infoset::{Budget, View};
use percept_players::{Arena, Briefing, Guess};
use percept_report::board::Layout;
use percept_syntax::{Language, Source};
use percept_table::{Doors, Event, Hall, Kept, Listen, Playable, Shelf, Terms, Texts, Token, serve};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use super::page::Page;

/// Two roles and chance name numbers up to the given one; the roles hear each other. Three rounds.
fn echoes(most: usize) -> String {
    let numbers: String = (1..=most).map(|it| format!("(number {it}) ")).collect();
    format!(
        "(role ann) (role bob) (role random) (other ann bob) (other bob ann) {numbers} (succ 0 1) (succ 1 2) (succ 2 3)
(base (at 0)) (base (at 1)) (base (at 2)) (base (at 3)) (<= (input ?r (say ?n)) (role ?r) (number ?n)) (init (at 0))
(<= (legal ?r (say ?n)) (role ?r) (number ?n)) (<= (next (at ?m)) (true (at ?n)) (succ ?n ?m))
(<= (sees ?s (heard ?n)) (does ?r (say ?n)) (other ?r ?s))
(<= terminal (true (at 3))) (<= (goal ann 100) terminal) (<= (goal bob 100) terminal)"
    )
}

/// A guess with a fault.
struct Faulty;

impl Guess for Faulty {
    fn role(&self) -> &str {
        "bob"
    }

    fn draw(&self, _: &View, _: usize, _: u64, _: &Budget) -> Vec<Vec<JointMove>> {
        panic!("a fault in the thread of bob")
    }
}

/// A small game, and one with too many joint moves for a list: bob's thread has to guess.
struct Games;

impl Shelf for Games {
    fn names(&self) -> &[String] {
        static NAMES: LazyLock<[String; 2]> = LazyLock::new(|| ["large".into(), "small".into()]);
        &*NAMES
    }

    fn texts(&self, name: &str) -> Result<Texts, String> {
        Ok(vec![(format!("{name}.kif"), echoes(if name == "large" { 300 } else { 2 }))])
    }

    fn game(&self, name: &str, texts: Texts) -> Result<Playable, String> {
        let source = Source::parse(&*texts[0].1, Language::GdlPrefix);
        let briefing = Briefing::of_gdl(&source).map_err(|error| error.to_string())?;
        let arena = Arena::new(briefing.guessing(Arc::new(Faulty)));
        let layout = Arc::new(Layout::new(arena.game(), &[]));
        Ok(Playable { title: name.into(), texts, terminal: None, arena, layout })
    }
}

/// A lobby in this process; its site and the token of its link.
struct Lobby {
    site: String,
    token: String,
    hall: Arc<Hall>,
    runtime: Option<Runtime>,
}

impl Lobby {
    fn with(listen: Listen) -> Lobby {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
        let token = Token::new().expect("random numbers");
        let terms = Terms { playclock: Duration::from_secs(1), clock: None, seed: 1 };
        let text = token.text();
        let hall = Arc::new(Hall::new(terms, Kept::nothing(), Some((token, Box::new(Games))), listen));
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).expect("a port");
        let site = listener.local_addr().expect("an address").to_string();
        let doors = Doors::new([127, 0, 0, 1].into(), &[]).expect("doors");
        runtime.spawn(serve(listener, hall.clone(), doors));
        Lobby { site, token: text, hall, runtime: Some(runtime) }
    }

    fn page(&self) -> Page {
        Page::with(&self.site, &self.token)
    }

    /// Sets up a table of a game between ann and bob; their lines.
    fn table(&self, number: u64, game: &str) -> [Page; 2] {
        let mut lobby = self.page();
        lobby.wish(json!({ "wish": "newTable", "game": game }));
        let has_it = |it: &Value| it["tables"].as_array().is_some_and(|all| all.iter().any(|it| it["id"] == number));
        lobby.until_it(has_it);
        [(0, "ann"), (1, "bob")].map(|(seat, name)| {
            lobby.wish(json!({ "wish": "take", "table": number, "seat": seat, "name": name }));
            let yours = lobby.until("yours");
            Page::with(&self.site, yours["token"].as_str().expect("a token"))
        })
    }
}

impl Drop for Lobby {
    fn drop(&mut self) {
        self.hall.close();
        self.runtime.take().into_iter().for_each(Runtime::shutdown_background);
    }
}

/// Both seats of a table learn that it is closed, and the lobby forgets it.
fn is_closed(lobby: &Lobby, pages: &mut [Page], left: &Value) {
    for page in pages.iter_mut() {
        assert_eq!(page.until("refused")["why"], "The match crashed, and the table is closed.");
    }
    lobby.page().until_it(|it| {
        let ids: Option<Vec<_>> = it["tables"].as_array().map(|all| all.iter().map(|it| it["id"].clone()).collect());
        ids.is_some_and(|ids| json!(ids) == *left)
    });
    let token = pages[0].token.clone();
    let refused = Page::with(&lobby.site, &token).until("refused");
    assert_eq!(refused["why"], "This link does not belong to a seat of this table.");
}

/// Plays a match to its end, in which no player had a fault.
fn play_out([ann, bob]: &mut [Page; 2]) {
    while ann.play(0, 0).is_some() {
        bob.play(0, 1);
    }
    assert_eq!(bob.until("opened")["faults"], json!([]));
}

#[test]
fn a_crash_of_a_match_ends_one_table() {
    let lobby = Lobby::with(Arc::new(|event| {
        assert!(!matches!(event, Event::Round { table: 0, rounds: 2 }), "a fault at the first table");
    }));
    let (mut first, mut second) = (lobby.table(0, "small"), lobby.table(1, "small"));
    second.iter_mut().for_each(|page| drop(page.play(0, 0)));
    for _ in 0..2 {
        first.iter_mut().for_each(|page| drop(page.play(0, 0)));
    }
    is_closed(&lobby, &mut first, &json!([1]));
    play_out(&mut second);
    // The lobby still sets up tables.
    play_out(&mut lobby.table(2, "small"));
}

#[test]
fn a_crash_of_the_thread_of_a_person_ends_one_table() {
    let lobby = Lobby::with(Arc::new(|_| {}));
    let (mut first, mut second) = (lobby.table(0, "small"), lobby.table(1, "large"));
    first.iter_mut().for_each(|page| drop(page.play(0, 0)));
    second.iter_mut().for_each(|page| drop(page.play(0, 1)));
    is_closed(&lobby, &mut second, &json!([0]));
    play_out(&mut first);
}
