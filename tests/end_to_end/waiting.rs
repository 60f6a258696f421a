//! A sign at once: a command prints what it knows while it works on the rest. No clock is read here: a
//! command that is stopped after its first line has not done the rest.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use crate::support::{interrupt, percept, root};

/// The first line that a command prints, and its exit code if it is interrupted then.
fn interrupted_after_a_line(args: &[&str]) -> (String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_percept"));
    command.current_dir(root()).args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the binary starts");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    out.read_line(&mut line).expect("a line");
    interrupt(&child);
    let mut rest = String::new();
    out.read_to_string(&mut rest).expect("text");
    (line.trim_end().to_string(), child.wait().expect("it ends").code())
}

#[test]
#[cfg(unix)]
fn answers_are_printed_while_others_are_sought() {
    for (args, first) in [
        (&["play", "games/cant-stop/cant-stop.kif", "-n", "1", "--time", "60"][..], "1 random match in "),
        (&["prove", "games/gops/gops-2-10-closed.pog"], "proved, "),
        (&["observe", "games/goofspiel/goofspiel-30.kif"], "a random match (seed 0), "),
    ] {
        let (line, code) = interrupted_after_a_line(args);
        assert!(line.starts_with(first), "{args:?}: {line}");
        assert_eq!(code, Some(130), "{args:?}");
    }
}

/// The screen of a command on a terminal made by `script`.
#[cfg(target_os = "linux")]
fn screen(command: &str) -> String {
    let line = format!("stty cols 200; '{}' {command}", env!("CARGO_BIN_EXE_percept"));
    let mut script = Command::new("script");
    script.args(["-qc", &line, "/dev/null"]).current_dir(root()).stdin(Stdio::null());
    String::from_utf8_lossy(&script.output().expect("`script` is there").stdout).into_owned()
}

/// True if `first` is on the screen, and before the answer, if there is one: on a slow machine the process may be ended.
#[cfg(target_os = "linux")]
fn is_before(seen: &str, first: &str, answer: &str) -> bool {
    seen.find(first).is_some_and(|first| seen.find(answer).is_none_or(|answer| first < answer))
}

/// A command that takes longer than a moment prints first answers, and says what they rest on.
#[test]
#[cfg(target_os = "linux")]
fn a_terminal_shows_bounds_while_a_game_is_solved() {
    let seen = screen("solve games/cant-stop/cant-stop.kif --time 4");
    let rules = "2 players: the value to each is between 0 and 100, by the goals in the rules";
    assert!(is_before(&seen, rules, "random matches: red"), "{seen}");
    assert!(seen.contains("random matches: red") && is_before(&seen, "random matches: red", "error: "), "{seen}");
    assert!(seen.contains("= so far: the value to each is between 0 and 100"), "{seen}");
    let seen = screen("solve games/leduc-poker/leduc-poker.kif --method cfr+ --target 1e-12 --time 5");
    assert!(is_before(&seen, "so far: the value that p1 can guarantee is between ", "two players against"), "{seen}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_shows_first_answers_of_the_other_commands() {
    let latent = "games/latent-tic-tac-toe";
    let seen = screen(&format!(
        "advise {latent}/latent-tic-tac-toe.kif {latent}/traces/found.trace --role xplayer --round 0 --samples 9999 --time 3"
    ));
    assert!(is_before(&seen, "so far: (try ", "xplayer after round 0, from"), "{seen}");
    assert!(seen.contains(" of 9999 histories"), "{seen}");
    let seen = screen("observe games/racko/racko-6-30.pog --role p1 --time 4");
    assert!(is_before(&seen, "so far: p1 knows its legal moves after rounds 0-", "p1: "), "{seen}");
    let seen = screen("prove games/stratego/stratego.kif --role red --time 6");
    let first = "so far: nothing refutes legal, terminal, goal of red in 1 random match (";
    assert!(is_before(&seen, first, "red knows"), "{seen}");
}

/// Programs that read the answer see nothing of this; if there is no answer, the message has the bounds.
#[test]
fn what_is_known_is_not_lost_if_the_time_is_too_short() {
    let run = percept(&["solve", "games/cant-stop/cant-stop.kif", "--time", "1", "--unit", "100"]);
    assert_eq!((run.code, run.out.as_str()), (3, ""), "{}", run.err);
    assert!(
        run.err.contains("= so far: the value to each is between 0 and 1, by the goals in the rules"),
        "{}",
        run.err
    );
    let run = percept(&["solve", "games/tic-tac-toe/tic-tac-toe.kif"]);
    assert!(run.err.is_empty() && run.out.starts_with("two players against each other"), "{} {}", run.out, run.err);
}

/// Each command begins with what it does; the slowest part of it comes last.
#[test]
#[cfg(target_os = "linux")]
fn a_terminal_shows_what_is_done() {
    let game = "games/cant-stop/cant-stop.kif";
    let seen = screen(&format!("play {game} -n 1"));
    let places = ["setting the game up", "1 random match", "judging the rules", "playability"].map(|it| seen.find(it));
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?} in {seen}");
    let seen = screen("test games/kuhn-poker");
    let now = seen.find("expectations").map_or("", |at| &seen[..at]);
    assert!(now.contains("done; now play"), "what is being tested: {seen}");
    let seen = screen(&format!("check {game}"));
    assert!(seen.contains(&format!("checking {game}")), "{seen}");
}
