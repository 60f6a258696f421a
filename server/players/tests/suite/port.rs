//! A player on a public port: no client can keep it from answering, make it use much memory, or reach it by a web page.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use percept_game::Budget;
use percept_players::host::{Admission, Host, HostOptions};
use percept_players::wire::Limits;
use percept_players::{Briefing, Strategy};
use percept_syntax::{Language, Source};

use crate::support::port::{Sleeper, body, hosted, post, raw, request, rest, sent, served};
use crate::support::tic_tac_toe_text;

/// Far beyond the measured times, so that a busy machine does not matter; this excludes waiting for a clock.
const SOON: Duration = Duration::from_secs(20);
/// A clock in seconds that is longer than any test.
const LONG: u32 = 9999;

fn sleeper(matches: usize) -> Host {
    Host::new(Strategy::Human(Arc::new(Sleeper::default())), HostOptions { matches, ..HostOptions::default() })
}

fn start(id: &str) -> String {
    format!("(start {id} xplayer ({}) 60 {LONG})", tic_tac_toe_text())
}

fn is_free(address: SocketAddr) -> bool {
    body(&post(address, "(info)")).contains("available")
}

/// Repeats a request until the answer fits.
fn becomes(what: &str, mut holds: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < SOON, "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn info_and_abort_are_answered_while_plays_wait() {
    const MATCHES: usize = 40;
    // There are fewer threads than waits, so none of them is free for anything else.
    let threads = 2;
    let limits = Limits { connections: 100, ..Limits::default() };
    let address = served(sleeper(MATCHES), limits, Admission::default(), threads);
    let ids: Vec<String> = (0..MATCHES).map(|number| format!("m{number}")).collect();
    for id in &ids {
        assert_eq!(body(&post(address, &start(id))), "ready");
    }
    let waits: Vec<_> = ids.iter().map(|id| sent(address, &request(&format!("(play {id} nil)")))).collect();
    let begin = Instant::now();
    assert!(!is_free(address));
    for id in &ids[1..] {
        assert_eq!(body(&post(address, &format!("(abort {id})"))), "aborted");
    }
    assert_eq!(body(&post(address, "(stop m0 nil)")), "done");
    assert!(is_free(address));
    for wait in waits {
        assert_eq!(body(&rest(wait)), "busy");
    }
    assert!(begin.elapsed() < SOON, "{:?}", begin.elapsed());
}

#[test]
fn one_play_of_a_match_waits_and_the_others_are_told_so() {
    let limits = Limits { connections: 1100, ..Limits::default() };
    let address = served(sleeper(1), limits, Admission::default(), 8);
    assert_eq!(body(&post(address, &start("m"))), "ready");
    let mut waits: Vec<_> = (0..260).map(|_| sent(address, &request("(play m nil)"))).collect();
    let first = waits.remove(0);
    for wait in waits {
        assert_eq!(body(&rest(wait)), "busy");
    }
    assert_eq!(body(&post(address, "(abort m)")), "aborted");
    assert_eq!(body(&rest(first)), "busy");
}

#[test]
fn a_wait_ends_when_its_client_goes() {
    // One thread may wait: if the first wait did not end, the next match could not begin.
    let address = served(sleeper(2), Limits::default(), Admission::default(), 1);
    assert_eq!(body(&post(address, &start("m"))), "ready");
    let wait = sent(address, &request("(play m nil)"));
    becomes("the first waits", || body(&post(address, "(play m nil)")) == "busy");
    drop(wait);
    assert_eq!(body(&post(address, &start("n"))), "ready");
    // Bytes after the message change nothing.
    let wait = sent(address, &(request("(play n nil)") + "\r\n\r\n"));
    becomes("the first waits", || body(&post(address, "(play n nil)")) == "busy");
    drop(wait);
    // START also waits: the match is kept, because its manager may go on.
    let long = format!("(start o a ({}) {LONG} {LONG})", heavy());
    assert_eq!(body(&post(address, "(abort n)")), "aborted");
    let wait = sent(address, &request(&long));
    becomes("the match begins", || !is_free(address));
    drop(wait);
    let again = sent(address, &request("(play m nil)"));
    becomes("it waits again", || body(&post(address, "(play m nil)")) == "busy");
    assert_eq!(body(&post(address, "(abort m)")), "aborted");
    assert_eq!(body(&rest(again)), "busy");
    assert_eq!(body(&post(address, "(abort o)")), "aborted");
}

/// Rules that are ground in seconds.
fn heavy() -> String {
    let mut rules = String::from("(role a)(init (s 0))(<= (legal a (m ?x ?y)) (d ?x)(d ?y))");
    (0..64).for_each(|n| rules += &format!("(d {n})"));
    for n in 0..12 {
        let (b, c, d) = ((n + 1) % 12, (n + 3) % 12, (n + 5) % 12);
        rules += &format!("(<= (next (f{n} ?x ?y ?z)) (does a (m ?x ?y)) (d ?z) (not (true (f{b} ?y ?z ?x))))");
        rules += &format!(
            "(<= (next (f{n} ?x ?y ?z)) (true (f{n} ?x ?y ?z)) (true (f{c} ?z ?w ?x)) (true (f{d} ?w ?y ?x)))"
        );
    }
    rules + "(<= terminal (true (f0 1 2 3)))(goal a 100)"
}

#[test]
fn setting_up_ends_when_it_is_told_to() {
    let source = Source::parse(heavy(), Language::GdlPrefix);
    let begin = Instant::now();
    Briefing::of_gdl(&source).unwrap();
    let usual = begin.elapsed();
    let cancel = Arc::new(true.into());
    let begin = Instant::now();
    let refused = Briefing::of_gdl_within(&source, Budget { cancel: Some(cancel), ..Budget::default() });
    assert!(refused.is_err_and(|error| error.to_string().contains("cancelled")));
    assert!(begin.elapsed() < usual / 4, "{:?} of {usual:?}", begin.elapsed());
}

/// The number of threads of this process that set up a match with this prefix.
#[cfg(target_os = "linux")]
fn set_ups(of: &str) -> usize {
    let name = format!("set-up of {of}");
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let names = tasks.filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("comm")).ok());
    names.filter(|it| it.starts_with(&name)).count()
}

#[cfg(target_os = "linux")]
#[test]
fn a_storm_of_starts_and_aborts_leaves_few_threads() {
    let address = hosted("legal");
    let rules = heavy();
    let mut most = 0;
    for number in 0..30 {
        let wait = sent(address, &request(&format!("(start st{number} a ({rules}) {LONG} 1)")));
        becomes("the match begins", || !is_free(address));
        most = most.max(set_ups("st"));
        post(address, &format!("(abort st{number})"));
        assert_eq!(body(&rest(wait)), "busy");
    }
    // There are two such threads, and those that are about to end.
    assert!((1..=4).contains(&most), "{most} matches were set up at once");
    becomes("all threads end", || set_ups("st") == 0);
    assert!(is_free(address));
}

#[test]
fn only_a_start_may_be_long() {
    let address = hosted("legal");
    let limits = Limits::default();
    let long = |kind: &str, bytes: usize| format!("({kind}{})", " a".repeat(bytes / 2));
    assert!(post(address, &long("info", limits.small - 100)).starts_with("HTTP/1.0 200"));
    for kind in ["info", "play m", "abort", "dance", ""] {
        let answer = post(address, &long(kind, 2 * limits.small));
        assert!(answer.starts_with("HTTP/1.0 413"), "{kind}: {answer}");
        assert_eq!(body(&answer), "a message without a description has at most 1048576 bytes");
    }
    let comment = format!(";{}", "a".repeat(2 * limits.small));
    assert!(post(address, &comment).starts_with("HTTP/1.0 413"));
    let answer = post(address, &long("start", 2 * limits.small));
    assert!(answer.starts_with("HTTP/1.0 400"), "{answer}");
    assert!(post(address, &long("preview", 2 * limits.small)).starts_with("HTTP/1.0 200"));
    let answer = post(address, &long("start", limits.request + 1));
    assert_eq!(body(&answer), "a message has at most 4194304 bytes");
    // The identifier is also limited: it is kept and printed.
    let answer = post(address, &format!("(start ({}) white ((role white)) 1 1)", "a ".repeat(10_000)));
    assert!(body(&answer).starts_with("a start message has the form"), "{answer}");
}

#[test]
fn all_messages_together_have_little_room() {
    let limits = Limits { together: 256 << 10, ..Limits::default() };
    let address = served(sleeper(1), limits, Admission::default(), 2);
    let long = request(&format!("(start m a ({}) 1 1)", " ".repeat(250 << 10)));
    let mut half = None;
    becomes("there is no more room", || {
        // The first of the two takes the room.
        half = Some(sent(address, &long[..200 << 10]));
        thread::sleep(Duration::from_millis(50));
        post(address, &long).starts_with("HTTP/1.0 503")
    });
    assert!(is_free(address), "small messages have room");
    drop(half);
    becomes("there is room again", || post(address, &long).starts_with("HTTP/1.0 400"));
}

/// News that arrives before there is a player is kept for it, up to a limit.
#[test]
fn what_is_told_early_is_bounded() {
    let host = Host::new("legal".parse().unwrap(), HostOptions::default());
    assert_eq!(host.answer(&format!("(start m a ({}) 0 0)", heavy())).as_deref(), Ok("ready"));
    let news = format!("(play m ({}))", "a ".repeat(400_000));
    assert_eq!(host.answer(&news).as_deref(), Ok("nil"));
    let refusal = host.answer(&news).unwrap_err();
    assert_eq!(refusal.to_string(), "too much was sent while the rules are still being set up");
    assert_eq!(host.answer("(abort m)").as_deref(), Ok("aborted"));
}

#[test]
fn connections_that_stay_silent_make_room() {
    let limits = Limits { connections: 8, arrival: Duration::from_secs(600), ..Limits::default() };
    let address = served(sleeper(1), limits, Admission::default(), 2);
    let begin = Instant::now();
    let silent: Vec<_> = (0..20).map(|_| sent(address, "POST / HTTP/1.0\r\n")).collect();
    assert!(is_free(address));
    assert!(begin.elapsed() < SOON);
    drop(silent);
}

fn with_header(header: &str) -> String {
    request("(info)").replacen("Accept: text/delim", header, 1)
}

#[test]
fn web_pages_are_refused() {
    let address = hosted("legal");
    let refused = |text: &str, status: u16, why: &str| {
        let answer = raw(address, text);
        assert!(answer.starts_with(&format!("HTTP/1.0 {status}")), "{answer}");
        assert_eq!(body(&answer), why);
        assert!(!answer.contains("access-control"), "{answer}");
    };
    let rebound = "this request is for `evil.example:80`, not for the address that the player listens on; --allow-host allows a name";
    refused(&with_header("Host: evil.example:80"), 403, rebound);
    refused(
        &with_header("Origin: http://evil.example"),
        403,
        "a web page (`http://evil.example`) may not send messages; --allow-origin allows one",
    );
    refused(&with_header("Origin: null"), 403, "a web page (`null`) may not send messages; --allow-origin allows one");
    refused("GET /(abort%20m) HTTP/1.0\r\n\r\n", 405, "send messages by POST");
    refused("OPTIONS / HTTP/1.0\r\n\r\n", 405, "send messages by POST");
    let preflight = "OPTIONS / HTTP/1.0\r\nOrigin: http://evil.example\r\n\r\n";
    refused(preflight, 403, "a web page (`http://evil.example`) may not send messages; --allow-origin allows one");
    // Managers name the address, or nothing.
    for header in [format!("Host: {address}"), "Host: localhost".into(), "Content-Type: text/html".into()] {
        assert!(raw(address, &with_header(&header)).starts_with("HTTP/1.0 200"), "{header}");
    }
}

#[test]
fn who_is_allowed_is_answered() {
    let mut admission = Admission::default();
    admission.allow_host("player.example").unwrap();
    admission.allow_origin("http://localhost:8000").unwrap();
    admission.allow_get(true);
    let address = served(sleeper(1), Limits::default(), admission, 2);
    assert!(raw(address, &with_header("Host: player.example:9147")).starts_with("HTTP/1.0 200"));
    assert_eq!(body(&raw(address, "GET /%28info%29 HTTP/1.0\r\n\r\n")), "((name Percept) (status available))");
    for request in [
        with_header("Origin: http://localhost:8000"),
        "OPTIONS / HTTP/1.0\r\nOrigin: http://localhost:8000\r\n\r\n".into(),
    ] {
        let answer = raw(address, &request);
        assert!(answer.starts_with("HTTP/1.0 200"), "{answer}");
        assert!(answer.contains("access-control-allow-origin: http://localhost:8000\r\n"), "{answer}");
    }
    let picture = "GET /%28info%29 HTTP/1.0\r\nSec-Fetch-Site: cross-site\r\n\r\n";
    assert!(raw(address, picture).starts_with("HTTP/1.0 403"));
    assert!(raw(address, &with_header("Origin: http://localhost:8001")).starts_with("HTTP/1.0 403"));
}

#[test]
fn what_is_said_of_a_match_has_no_control_characters() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let log = lines.clone();
    let host = Host::new("legal".parse().unwrap(), HostOptions::default());
    let host = host.watched_by(move |line| log.lock().unwrap().push(line.to_string()));
    let id = "\u{1b}[2J\u{9b}\u{202e}m";
    assert_eq!(host.answer(&start(id)).as_deref(), Ok("ready"));
    assert_eq!(host.answer(&format!("(stop {id} nil)")).as_deref(), Ok("done"));
    let shown = "match \\u{1b}[2J\\u{9b}\\u{202e}m";
    assert_eq!(
        *lines.lock().unwrap(),
        [format!("{shown}: playing xplayer"), format!("{shown} is over after 0 rounds")]
    );
}
