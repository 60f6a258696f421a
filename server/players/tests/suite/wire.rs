//! Matches over the loopback address: our manager with our player in every dialect, and with players that fail.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use percept_players::host::{Host, HostOptions};
use percept_players::wire::{Protocol, Request};
use percept_players::{Address, Arena, Briefing, Clocks, Ended, FaultKind, MatchOptions, Outcome, Strategy};
use percept_test::{more, mutants};

use crate::support::port::{Sleeper, body, hosted, hosted_with, post, raw};
use crate::support::{gdl, tic_tac_toe};

fn remote(address: SocketAddr, protocol: Option<Protocol>) -> Strategy {
    Strategy::Remote(Address { address: address.to_string(), protocol })
}

/// Clocks that are never reached in these tests, so that nothing depends on the machine.
fn patient(id: &str) -> MatchOptions {
    let minute = Some(Duration::from_secs(60));
    let clocks = Clocks { start: minute, play: minute, simulations: Some(200), ..Clocks::default() };
    MatchOptions { id: id.into(), clocks, ..MatchOptions::default() }
}

/// Clocks that are missed on purpose.
fn hasty(id: &str) -> MatchOptions {
    let clocks = Clocks {
        start: Some(Duration::from_millis(700)),
        play: Some(Duration::from_millis(700)),
        grace: Duration::from_millis(300),
        simulations: None,
    };
    MatchOptions { id: id.into(), clocks, ..MatchOptions::default() }
}

fn played(briefing: &Briefing, seats: &[Strategy], options: &MatchOptions) -> Outcome {
    Arena::new(briefing.clone()).play(seats, options)
}

#[test]
fn percepts_travel_in_all_three_dialects() {
    let bomb = gdl("exploding-bomb/exploding-bomb.kif");
    for protocol in [None, Some(Protocol::Chapter17), Some(Protocol::Dresden), Some(Protocol::Dresden2011)] {
        let address = hosted("table");
        let outcome = played(&bomb, &[Strategy::Random, remote(address, protocol)], &patient("m1"));
        assert_eq!(outcome.faults, [], "{protocol:?}");
        // The agent asked, learned the answer, and cut the right wire.
        assert_eq!(outcome.goals[1], Some(90), "{protocol:?}");
    }
}

#[test]
fn games_without_percepts_are_played_in_gdl_1() {
    let game = tic_tac_toe();
    let seats = [remote(hosted("random"), None), remote(hosted("uct"), None)];
    let outcome = played(&game, &seats, &patient("Match.1"));
    assert_eq!((outcome.ended, &outcome.faults[..]), (Ended::Over, &[][..]));
    assert!(outcome.moves.len() >= 5);
}

#[test]
fn a_game_with_percepts_is_refused_in_gdl_1() {
    let bomb = gdl("exploding-bomb/exploding-bomb.kif");
    let seats = [Strategy::Random, remote(hosted("legal"), Some(Protocol::Gdl1))];
    let outcome = played(&bomb, &seats, &patient("m"));
    assert_eq!(outcome.faults[0].kind, FaultKind::Unreachable);
    assert!(outcome.faults[0].detail.contains("carries no percepts"));
}

/// A socket with an action for each connection.
fn socket(mut act: impl FnMut(TcpStream, usize) + Send + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for (number, stream) in listener.incoming().enumerate() {
            act(stream.unwrap(), number);
        }
    });
    address
}

/// Every round costs the player a random move, and the match is played to its end.
fn costs_only_itself(address: SocketAddr, options: &MatchOptions, kind: FaultKind) -> Vec<String> {
    let bomb = gdl("exploding-bomb-arming/exploding-bomb-arming.kif");
    let begin = Instant::now();
    let outcome = played(&bomb, &[remote(address, None), Strategy::Legal], options);
    assert_eq!(outcome.ended, Ended::Over);
    assert_eq!(outcome.moves.len(), 3);
    let of_first = |fault: &&percept_players::Fault| fault.role.0 == 0 && fault.round > 0;
    let found: Vec<FaultKind> = outcome.faults.iter().filter(of_first).map(|fault| fault.kind).collect();
    assert!(found == [kind; 3], "{:?}", outcome.faults);
    assert!(outcome.faults.iter().all(|fault| fault.role.0 == 0), "{:?}", outcome.faults);
    // Far beyond the clocks, so that a busy machine does not matter; this excludes an endless wait.
    assert!(begin.elapsed() < Duration::from_secs(60));
    outcome.faults.into_iter().map(|fault| fault.detail).collect()
}

#[test]
fn a_socket_that_says_nothing_is_late() {
    let mut kept = Vec::new();
    costs_only_itself(socket(move |stream, _| kept.push(stream)), &hasty("m"), FaultKind::Late);
}

#[test]
fn a_byte_a_second_is_late() {
    let slow = |mut stream: TcpStream, _: usize| {
        thread::spawn(move || {
            let _ = stream.read(&mut [0; 1 << 14]);
            for byte in b"HTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\nnoop" {
                if stream.write_all(&[*byte]).is_err() {
                    return;
                }
                thread::sleep(Duration::from_secs(1));
            }
        });
    };
    costs_only_itself(socket(slow), &hasty("m"), FaultKind::Late);
}

#[test]
fn an_answer_without_end_is_cut_off() {
    let endless = |mut stream: TcpStream, _: usize| {
        thread::spawn(move || {
            let _ = stream.read(&mut [0; 1 << 14]);
            let _ = stream.write_all(b"HTTP/1.0 200 OK\r\n\r\n");
            let chunk = vec![b'x'; 1 << 16];
            while stream.write_all(&chunk).is_ok() {}
        });
    };
    let address = socket(endless);
    let details = costs_only_itself(address, &patient("m"), FaultKind::Nonsense);
    let too_long = format!("{address} answered more than {} bytes", 1 << 20);
    assert!(details.contains(&too_long), "{details:?}");
}

#[test]
fn an_answer_that_is_no_text_is_said_to_be_none() {
    let noise = |mut stream: TcpStream, _: usize| {
        let _ = stream.read(&mut [0; 1 << 14]);
        let _ = stream.write_all(b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n\xff\xfe");
    };
    let address = socket(noise);
    let details = costs_only_itself(address, &patient("m"), FaultKind::Nonsense);
    assert!(details.contains(&format!("{address} sent an answer that is not text")), "{details:?}");
}

#[test]
fn a_player_that_is_gone_is_unreachable() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    costs_only_itself(address, &patient("m"), FaultKind::Unreachable);
}

#[test]
fn a_player_that_closes_at_once_is_unreachable() {
    costs_only_itself(socket(|stream, _| drop(stream)), &patient("m"), FaultKind::Unreachable);
}

#[test]
fn answers_that_are_not_moves_are_nonsense() {
    let nonsense = |mut stream: TcpStream, number: usize| {
        let mut buffer = [0; 1 << 14];
        let _ = stream.read(&mut buffer);
        let answers = ["ready", "(fly away)", "((((", "\u{0}\u{1}"];
        let answer = answers[number.min(3)];
        let _ = write!(stream, "HTTP/1.0 200 OK\r\nContent-Length: {}\r\n\r\n{answer}", answer.len());
    };
    costs_only_itself(socket(nonsense), &patient("m"), FaultKind::Nonsense);
}

#[test]
fn a_foreign_request_gets_a_clear_refusal() {
    let address = hosted("legal");
    assert_eq!(body(&post(address, "( INFO )")), "((name Percept) (status available))");
    assert_eq!(body(&raw(address, "GET /%28info%29 HTTP/1.0\r\n\r\n")), "send messages by POST");
    assert_eq!(body(&post(address, "(play nobody 0 nil nil)")), "busy");
    for (message, refusal) in [
        ("(dance)", "`dance` is not a message type; the types are info, preview, start, play, stop and abort"),
        ("(play", "this is not a message: this `(` is never closed; add a `)`"),
        ("hello", "this is not a message: it must be a single list"),
        ("(start m1 white)", "a start message has the form `(start id role (rules) startclock playclock)`"),
        (
            "(start m1 white ((role white)) ten 10)",
            "a start message has the form `(start id role (rules) startclock playclock)`",
        ),
        (
            "(start m1 black ((role white) (legal white go) (<= terminal (true x)) (goal white 0)) 10 10)",
            "`black` is not a role of these rules",
        ),
    ] {
        let answer = post(address, message);
        assert!(answer.starts_with("HTTP/1.0 400"), "{answer}");
        assert_eq!(body(&answer), refusal);
    }
    let deep = format!("(play {}", "(".repeat(100_000));
    assert!(post(address, &deep).starts_with("HTTP/1.0 400"));
    assert!(raw(address, "POST / HTTP/1.0\r\n\r\n").starts_with("HTTP/1.0 411"));
    assert!(raw(address, "BREW / HTTP/1.0\r\n\r\n").starts_with("HTTP/1.0 405"));
    let huge = raw(address, "POST / HTTP/1.0\r\nContent-Length: 1073741824\r\n\r\n(play");
    assert!(huge.starts_with("HTTP/1.0 413"), "{huge}");
    assert!(raw(address, "\u{1}\u{2}\u{3} nonsense\r\n\r\n").starts_with("HTTP/1"), "not HTTP");
    // The player still plays.
    assert_eq!(body(&post(address, "(info)")), "((name Percept) (status available))");
}

/// The Dresden controller writes in capital letters; so does the answer.
#[test]
fn answers_come_in_the_case_of_the_description() {
    let address = hosted("table");
    let rules = gdl("exploding-bomb/exploding-bomb.kif");
    let plain: String =
        rules.plain_text().unwrap().lines().filter(|line| !line.starts_with(';')).collect::<Vec<_>>().join(" ");
    let start = format!("(START DM2 AGENT ({}) 60 60)", plain.to_uppercase());
    assert_eq!(body(&post(address, &start)), "ready");
    assert_eq!(body(&post(address, "(INFO)")), "((name Percept) (status busy))");
    assert_eq!(body(&post(address, "(PLAY DM2 0 NIL NIL)")), "NOOP");
    assert_eq!(body(&post(address, "(PLAY dm2 0 NIL NIL)")), "busy");
    assert_eq!(body(&post(address, "(play DM2 1 noop ())")), "ASK");
    assert_eq!(body(&post(address, "(PLAY DM2 2 ASK (BLUE ))")), "(CUT RED)");
    assert_eq!(body(&post(address, "(STOP DM2 3 (CUT RED) ())")), "done");
    assert_eq!(body(&post(address, "(STOP DM2 3 (CUT RED) ())")), "busy");
}

/// The player learns the manager's substitute as its own move.
#[test]
fn a_player_goes_on_from_the_move_that_was_made_for_it() {
    let address = hosted("table");
    let rules = gdl("exploding-bomb/exploding-bomb.kif");
    let start = format!("(start m agent ({}) 60 60)", rules.plain_text().unwrap());
    assert_eq!(body(&post(address, &start)), "ready");
    assert_eq!(body(&post(address, "(play m 0 nil nil)")), "noop");
    assert_eq!(body(&post(address, "(play m 1 noop nil)")), "ask");
    // The agent asked too late: noop was played, so it has no information.
    let cut = post(address, "(play m 2 noop nil)");
    assert!(["(cut red)", "(cut blue)"].contains(&body(&cut)), "{cut}");
    assert_eq!(body(&post(address, "(abort m)")), "aborted");
}

#[test]
fn many_matches_at_once_lose_nothing() {
    let bomb = gdl("exploding-bomb/exploding-bomb.kif");
    let count = more(12, 200) as usize;
    let arena = Arena::new(bomb);
    let outcomes: Vec<Outcome> = thread::scope(|scope| {
        let play = |number: usize| {
            let arena = &arena;
            move || arena.play(&[Strategy::Random, remote(hosted("table"), None)], &patient(&format!("m{number}")))
        };
        let running: Vec<_> = (0..count).map(|number| scope.spawn(play(number))).collect();
        running.into_iter().map(|it| it.join().unwrap()).collect()
    });
    assert!(outcomes.iter().all(|outcome| outcome.goals[1] == Some(90) && outcome.faults.is_empty()));
}

#[test]
fn one_host_plays_many_matches_at_once() {
    let kuhn = gdl("kuhn-poker/kuhn-poker.kif");
    let matches = more(40, 200) as usize;
    let options = HostOptions { simulations: Some(50), matches, ..HostOptions::default() };
    let seats = [hosted_with("ismcts", options.clone()), hosted_with("random", options)];
    let mut remotes = seats.into_iter().map(|seat| remote(seat, None));
    let seat = |role: &percept_game::Role| if role.is_chance { None } else { remotes.next() };
    let seats: Vec<Strategy> = kuhn.game.roles.iter().map(seat).map(|seat| seat.unwrap_or(Strategy::Random)).collect();
    let all = thread::scope(|scope| {
        let begin = |number| {
            let (kuhn, seats) = (&kuhn, &seats);
            scope.spawn(move || played(kuhn, seats, &patient(&format!("many-{number}"))))
        };
        let running: Vec<_> = (0..matches).map(begin).collect();
        running.into_iter().map(|one| one.join().unwrap()).collect::<Vec<Outcome>>()
    });
    assert!(all.iter().all(|one| one.ended == Ended::Over && one.faults.is_empty()), "{all:?}");
    // Each match had dice of its own.
    let first = &all[0].moves;
    assert!(all.iter().any(|one| &one.moves != first));
}

#[test]
fn who_has_no_room_for_another_match_says_so() {
    let bomb = gdl("exploding-bomb/exploding-bomb.kif");
    let host = Host::new("random".parse().unwrap(), HostOptions { matches: 2, ..HostOptions::default() });
    let start = |id| format!("(start {id} agent ({}) 10 10)", bomb.text().unwrap());
    assert_eq!(host.answer(&start("one")).as_deref(), Ok("ready"));
    assert_eq!(host.answer(&start("one")).as_deref(), Ok("busy"), "it is being played");
    assert!(host.answer("(info)").unwrap().contains("available"));
    assert_eq!(host.answer(&start("two")).as_deref(), Ok("ready"));
    assert_eq!(host.answer(&start("three")).as_deref(), Ok("busy"));
    assert!(host.answer("(info)").unwrap().contains("busy"));
    for id in ["one", "two"] {
        assert_eq!(host.answer(&format!("(play {id} 0 nil nil)")).as_deref(), Ok("noop"));
    }
    assert_eq!(host.answer("(play three 0 nil nil)").as_deref(), Ok("busy"));
    assert_eq!(host.answer("(abort one)").as_deref(), Ok("aborted"));
    assert_eq!(host.answer(&start("three")).as_deref(), Ok("ready"));
    // A match that cannot be played leaves its place free.
    assert_eq!(host.answer("(abort two)").as_deref(), Ok("aborted"));
    assert!(host.answer("(start four nobody ((role agent)) 10 10)").is_err());
    assert_eq!(host.answer(&start("five")).as_deref(), Ok("ready"));
}

/// A game without percepts whose players think for the whole clock.
fn thinking(strategy: &str) -> (Arc<Host>, String) {
    let host = Host::new(strategy.parse().unwrap(), HostOptions::default());
    (Arc::new(host), tic_tac_toe().plain_text().unwrap().to_string())
}

/// A manager that gives a match up does not wait until the player has thought, and the player has room for the next
/// one.
#[test]
fn abort_and_stop_are_answered_at_once() {
    for message in ["(abort m)", "(stop m nil)"] {
        let (host, rules) = thinking("ismcts");
        assert_eq!(host.answer(&format!("(start m xplayer ({rules}) 1 60)")).as_deref(), Ok("ready"));
        let copy = host.clone();
        let playing = thread::spawn(move || copy.answer("(play m nil)"));
        thread::sleep(Duration::from_millis(500));
        let begin = Instant::now();
        assert!(host.answer(message).is_ok());
        assert!(begin.elapsed() < Duration::from_secs(10), "{message}: {:?}", begin.elapsed());
        assert!(host.answer("(info)").unwrap().contains("available"));
        playing.join().unwrap().unwrap();
        assert!(begin.elapsed() < Duration::from_secs(10), "{message}: {:?}", begin.elapsed());
    }
}

/// A start message is answered by the end of its clock, even if the rules take long; they are set up in the background.
#[test]
fn a_player_is_ready_in_its_start_clock() {
    let rules = gdl("stratego/stratego.kif").text().unwrap().to_string();
    let begin = Instant::now();
    let source = percept_syntax::Source::parse(rules.as_str(), percept_syntax::Language::GdlPrefix);
    let briefing = Briefing::of_gdl(&source).unwrap();
    let usual = begin.elapsed();
    let role = briefing.game.roles.iter().find(|role| !role.is_chance).unwrap();
    let host = Host::new(Strategy::Legal, HostOptions::default());
    let begin = Instant::now();
    assert_eq!(host.answer(&format!("(start m {} ({rules}) 0 60)", role.name)).as_deref(), Ok("ready"));
    assert!(begin.elapsed() < usual.mul_f64(0.7), "{:?} of {usual:?}", begin.elapsed());
    let mv = host.answer("(play m 0 nil nil)").unwrap();
    let legal = briefing.game.rules.legal(&briefing.game.rules.initial(), briefing.game.role(&role.name).unwrap());
    let names: Vec<String> =
        legal.iter().map(|&mv| briefing.game.rules.move_name(briefing.game.role(&role.name).unwrap(), mv)).collect();
    assert!(names.contains(&mv), "{mv}");
}

/// In the first round the legal moves are known, independent of the player.
#[test]
fn some_legal_move_is_better_than_none() {
    let (_, rules) = thinking("legal");
    let host = Host::new(Strategy::Human(Arc::new(Sleeper { late: Duration::from_secs(2) })), HostOptions::default());
    assert_eq!(host.answer(&format!("(start m xplayer ({rules}) 1 1)")).as_deref(), Ok("ready"));
    assert_eq!(host.answer("(play m nil)").as_deref(), Ok("(mark 1 1)"));
}

/// The wait for one role does not use the time of another role.
#[test]
fn the_slowest_answer_is_a_role_s_own() {
    let slow = |mut stream: TcpStream, number: usize| {
        let _ = stream.read(&mut [0; 1 << 14]);
        if number > 0 {
            thread::sleep(Duration::from_millis(400));
        }
        let answer = if number == 0 { "ready" } else { "(mark 1 1)" };
        let _ = write!(stream, "HTTP/1.0 200 OK\r\nContent-Length: {}\r\n\r\n{answer}", answer.len());
    };
    let options = MatchOptions { max_rounds: 1, ..patient("m") };
    let outcome = played(&tic_tac_toe(), &[remote(socket(slow), None), Strategy::Legal], &options);
    assert!(outcome.slowest[0] >= Duration::from_millis(400), "{:?}", outcome.slowest);
    assert!(outcome.slowest[1] < Duration::from_millis(400), "{:?}", outcome.slowest);
}

#[test]
fn forged_messages_are_refused_or_read() {
    let seeds = [
        "(info)",
        "(play m1 3 (mark 1 2) ((sees a) b))",
        "(abort m1)",
        "(stop m1 nil)",
        "(start m1 white ((role white) (<= (next (f ?x)) (true (f ?x)) (not (does white (a \"?x\"))))) 10 2.5)",
    ];
    let seeds = seeds.map(|it| it.as_bytes().to_vec());
    let (mut read, mut refused) = (0, 0);
    for text in mutants(&seeds, more(5_000, 1_000_000), 1) {
        match Request::read(&String::from_utf8_lossy(&text)) {
            Ok(_) => read += 1,
            Err(error) => {
                assert!(error.to_string().len() < 1_000, "{error}");
                refused += 1;
            }
        }
    }
    assert!(read > 0 && refused > 0, "{read} read, {refused} refused");
}
