//! Replays recordings of matches with other programs (`wires/`, made by `ggp.rs`) without these programs.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;
use std::time::Duration;

use crate::support::tic_tac_toe;
use percept_players::host::{Host, HostOptions};
use percept_players::{Address, Arena, Clocks, Ended, MatchOptions, Strategy};

/// Requests and answers of a recording.
fn wire(name: &str) -> Vec<(String, String)> {
    let text = percept_test::read(format!("server/players/tests/wires/{name}.jsonl"));
    let line = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        (value["request"].as_str().unwrap().to_string(), value["answer"].as_str().unwrap().to_string())
    };
    text.lines().map(line).collect()
}

fn body(message: &str) -> &str {
    message.split_once("\r\n\r\n").or_else(|| message.split_once("\n\n")).expect("a head and a body").1
}

/// Sends a manager's messages to our player again: it answers all of them, in the same way, because it searches by
/// number.
fn is_answered(name: &str, strategy: &str) {
    let options = HostOptions { simulations: Some(300), ..HostOptions::default() };
    let host = Host::new(strategy.parse().unwrap(), options);
    let mut moves = 0;
    for (request, answer) in wire(name) {
        let answered = host.answer(body(&request)).unwrap_or_else(|refusal| panic!("{refusal}: {request}"));
        assert_eq!(answered, body(&answer), "{request}");
        moves +=
            usize::from(!["ready", "done", "busy"].contains(&answered.as_str()) && !answered.starts_with("((name"));
    }
    assert!(moves >= 3, "{moves}");
}

#[test]
fn what_the_server_of_ggp_base_says_is_answered() {
    is_answered("ggp-base-server", "uct");
}

#[test]
fn what_the_dresden_controller_says_is_answered() {
    is_answered("dresden-gdl-1", "uct");
    is_answered("dresden-gdl-2", "table");
}

/// Answers as the recorded player did, one connection after the other.
fn like(name: &str) -> Strategy {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let recorded = wire(name);
    thread::spawn(move || {
        for (stream, (request, answer)) in listener.incoming().zip(recorded) {
            let mut stream = stream.unwrap();
            let mut received = vec![0; request.len()];
            // The port in the head may have another length; the players' protocol compares the rest.
            let count = stream.read(&mut received).unwrap();
            assert!(count > 0);
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    Strategy::Remote(Address { address, protocol: None })
}

/// The recorded players of ggp-base play their match with our manager again.
#[test]
fn the_players_of_ggp_base_are_understood() {
    let clocks =
        Clocks { start: Some(Duration::from_secs(60)), play: Some(Duration::from_secs(60)), ..Clocks::default() };
    let options = MatchOptions { id: "Percept.1".into(), clocks, ..MatchOptions::default() };
    let arena = Arena::new(tic_tac_toe());
    let seats = [like("ggp-base-random-gamer"), like("ggp-base-monte-carlo-gamer")];
    let outcome = arena.play(&seats, &options);
    assert_eq!((outcome.ended, &outcome.faults[..]), (Ended::Over, &[][..]));
    assert_eq!(outcome.moves.len(), wire("ggp-base-random-gamer").len() - 2);
}
