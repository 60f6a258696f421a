//! `--time`, `--memory` and Ctrl-C hold: an answer, or a message that there is none, comes within the time and the
//! memory.

#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{folder, interrupt, root, write};

/// A game that never ends, in which chance makes moves that no role sees.
const ENDLESS: &str = "(role a) (role random) (init (n 0)) (<= (legal a m)) (<= (legal random x)) (<= (legal random y))
(<= (next (h ?x)) (does random ?x)) (<= (next (n 0)) (true (n 0))) (<= terminal (true (never))) (init (other))
(<= (next (never)) (true (other)) (true (never))) (<= (goal a 100))";

/// The most memory for each byte of a file of facts, and for a small game besides.
const FACTOR: u64 = 16;
const BESIDES: u64 = 40_000_000;

/// The time and memory of a run.
struct Taken {
    code: Option<i32>,
    time: Duration,
    /// The most memory that it had in use, in bytes.
    memory: u64,
    out: String,
    err: String,
}

fn begin(args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_percept"));
    command.current_dir(root()).args(args).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts")
}

/// Waits for a run and measures its memory; a run of more than a minute is ended.
fn taken(mut child: Child, from: Instant) -> Taken {
    let read = |mut pipe: Box<dyn std::io::Read + Send>| {
        std::thread::spawn(move || {
            let mut text = Vec::new();
            pipe.read_to_end(&mut text).expect("a pipe");
            String::from_utf8_lossy(&text).into_owned()
        })
    };
    let out = read(Box::new(child.stdout.take().expect("a pipe")));
    let err = read(Box::new(child.stderr.take().expect("a pipe")));
    let mut memory = 0;
    let status = loop {
        memory = memory.max(peak(child.id()));
        match child.try_wait().expect("a child") {
            Some(status) => break status,
            None if from.elapsed() > Duration::from_secs(60) => child.kill().expect("it runs"),
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let time = from.elapsed();
    Taken { code: status.code(), time, memory, out: out.join().expect("text"), err: err.join().expect("text") }
}

fn peak(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|it| it.parse::<u64>().ok()).unwrap_or(0) * 1024
}

fn run(args: &[&str]) -> Taken {
    taken(begin(args), Instant::now())
}

/// A run that receives an interrupt after a moment; its time is counted from there.
fn interrupted(args: &[&str]) -> Taken {
    let child = begin(args);
    std::thread::sleep(Duration::from_millis(400));
    interrupt(&child);
    taken(child, Instant::now())
}

#[test]
fn a_match_without_end_is_played_within_the_time() {
    let own = folder();
    let game = write(own.path(), "endless.kif", ENDLESS);
    let run = run(&["observe", &game, "-n", "1", "--time", "0.5"]);
    assert!(run.out.len() < 100_000, "{} bytes", run.out.len());
    assert!(run.code.is_some_and(|code| [0, 1, 3].contains(&code)), "{:?}: {}", run.code, run.err);
}

/// A time too short for a match leaves everything undecided.
#[test]
fn no_match_in_the_time_is_no_success() {
    let run = run(&["play", "games/blind-tic-tac-toe/blind-tic-tac-toe.kif", "--time", "1ms"]);
    let is_without_match = run.out.is_empty() || run.out.starts_with("0 of 100");
    assert_eq!(run.code == Some(3), is_without_match, "{:?}: {}{}", run.code, run.out, run.err);
}

/// Racko with sixty cards.
fn large(folder: &Path) -> String {
    let [problem, domain] = ["problem.pog", "domain.pog"].map(|name| folder.join(name).display().to_string());
    let made = run(&["generate", "racko", "-o", &problem, "--domain", &domain]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    problem
}

#[test]
fn memory_ends_work() {
    let own = folder();
    let racko = large(own.path());
    let run = run(&["solve", &racko, "--memory", "60M", "--time", "30"]);
    assert_eq!(run.code, Some(3), "{}\n{}", run.out, run.err);
    assert!(run.memory < 72_000_000, "{} bytes", run.memory);
    assert!(run.err.contains("memory"), "{}", run.err);
}

/// Expectations are checked in this process: they share its memory, and each has the given time.
#[test]
fn expectations_keep_the_limits() {
    let place = folder();
    let game = place.path().join("large.kif");
    run(&["generate", "goofspiel", "--cards", "12", "-o", game.to_str().expect("a plain path")]);
    write(
        place.path(),
        "expected.toml",
        "game = \"large.kif\"\n[[solve]]\n[[query]]\nask = \"terminal\"\nverdict = \"fails\"\n",
    );
    let at = place.path().to_str().expect("a plain path");
    let small = run(&["--memory", "60M", "test", "--only", "solve", at]);
    assert!(small.out.contains("stopped: the memory is used up"), "{}{}", small.out, small.err);
    assert!(small.memory < 70 << 20, "{} bytes", small.memory);
    let short = run(&["test", "--only", "solve", "--time", "1", at]);
    assert!(short.out.contains("out of time"), "{}{}", short.out, short.err);
    assert!(short.time < Duration::from_secs(10), "{:?}", short.time);
    let other = run(&["test", "--only", "query", "--time", "30", at]);
    assert_eq!(other.code, Some(0), "{}{}", other.out, other.err);
}

/// Games whose set-up, or whose first round, takes minutes: a search that finds nothing, a rule with eight free variables,
/// and a recursion that counts in binary.
fn hostile(folder: &Path) -> Vec<String> {
    let game = |rules: &str| {
        format!(
            "(role a) (role random) (init (n)) (<= (next (n)) (true (n))) (<= (legal a m) (true (n))) (legal random x)
             (<= terminal (not (true (n)))) (goal a 100) {rules}"
        )
    };
    let things: String = (0..60).map(|thing| format!("(thing c{thing}) ")).collect();
    let variables: String = (0..8).map(|at| format!("?v{at} ")).collect();
    let each: String = (0..8).map(|at| format!("(thing ?v{at}) ")).collect();
    let bits = 26;
    let carry = |low: usize| {
        let high: String = (low + 1..bits).map(|at| format!("?b{at} ")).collect();
        format!("(<= (count {high} 1 {}) (count {high} 0 {})) ", "0 ".repeat(low), "1 ".repeat(low))
    };
    let counts: String = (0..bits).map(carry).collect();
    let any: String = (0..bits).map(|at| format!("?b{at} ")).collect();
    let texts = [
        ("search.kif", percept_test::hopeless::gdl("(<= (next (f)) odd) (<= odd SEARCH)")),
        ("wide.kif", game(&format!("{things} (<= (legal a (go {variables})) {each})"))),
        ("count.kif", game(&format!("(count {}) {counts} (<= (legal a (go ?b0)) (count {any}))", "0 ".repeat(bits)))),
        ("search.pog", percept_test::hopeless::pogddl("(:derived (odd) (exists (PLACES) (and SEARCH)))", "", "(odd)")),
    ];
    texts.iter().map(|(name, text)| write(folder, name, text)).collect()
}

/// The commands that set a game up, with their other arguments.
fn set_ups<'a>(game: &'a str, trace: &'a str, out: &'a str) -> Vec<Vec<&'a str>> {
    let role = if game.ends_with("search.kif") {
        "r"
    } else if game.ends_with("pog") {
        "p1"
    } else {
        "a"
    };
    vec![
        vec!["play", game],
        vec!["observe", game, "-n", "1"],
        vec!["infoset", game, trace, "--role", role],
        vec!["advise", game, trace, "--role", role],
        vec!["prove", game, "--role", role, "--property", "legal"],
        vec!["prove", game, "--query", "terminal"],
        vec!["prove", game, "--fragment"],
        vec!["solve", game],
        vec!["worth", game],
        vec!["export", game, "--to", "efg"],
        vec!["export", game, "--to", "dimacs", "--depth", "2"],
        vec!["learn", game, "--out", out],
        // The findings of the text are there, although the set-up does not end.
        vec!["check", game],
    ]
}

/// Set-up is a part of the time, and of what Ctrl-C ends, in every command.
#[test]
fn set_up_keeps_the_limits() {
    let own = folder();
    let (trace, out) = (write(own.path(), "empty.trace", ""), own.path().join("network").display().to_string());
    let mut over = Vec::new();
    for game in &hostile(own.path()) {
        for command in set_ups(game, &trace, &out) {
            let run = run(&[&command[..], &["--time", "0.5", "--memory", "200M"]].concat());
            // A machine that does other work, too, is slower. For `prove`, set-up has a time of its own.
            let is_late = run.time > Duration::from_millis(3000);
            if is_late || run.memory > 240 << 20 || run.code.is_none_or(|code| code > 3) {
                let memory = run.memory >> 20;
                over.push(format!("{command:?}: {:?}, {memory} MB, code {:?}: {}", run.time, run.code, run.err.trim()));
            }
        }
    }
    assert!(over.is_empty(), "{}", over.join("\n"));
}

#[test]
fn interrupts_end_set_up() {
    let own = folder();
    let (trace, out) = (write(own.path(), "empty.trace", ""), own.path().join("network").display().to_string());
    let game = &hostile(own.path())[0];
    let others = [vec!["match", game.as_str()], vec!["step", game, "--print"]];
    for command in set_ups(game, &trace, &out).into_iter().filter(|it| it[0] != "check").chain(others) {
        let run = interrupted(&command);
        assert_eq!(run.code, Some(130), "{command:?}: {}\n{}", run.out, run.err);
        assert!(run.time < Duration::from_millis(1500), "{command:?}: {:?}", run.time);
    }
}

/// A long file of facts with a small game, judged.
#[test]
fn facts_take_memory_in_proportion() {
    let own = folder();
    let rules = "(role ann) (init (at n0)) (<= (base (at ?x)) (edge ?x ?y)) (<= (base (at ?y)) (edge ?x ?y))
        (<= (input ann (go ?y)) (edge ?x ?y)) (<= (legal ann (go ?y)) (true (at ?x)) (edge ?x ?y))
        (<= (next (at ?y)) (does ann (go ?y))) (<= terminal (true (at n9))) (goal ann 100)\n";
    let facts = (0..100_000).map(|n| format!("(edge square-{} square-{})\n", n / 10, n * 7 % 10_007));
    let text = rules.to_owned() + &facts.collect::<String>();
    let run = run(&["check", &write(own.path(), "facts.kif", &text), "--time", "20"]);
    assert!(run.code.is_some_and(|code| code <= 1), "{:?}: {}", run.code, run.err);
    // Not compared with a short run: it may end before its peak is seen.
    let most = BESIDES + FACTOR * text.len() as u64;
    assert!(run.memory < most, "{} bytes for {} of text, more than {most}", run.memory, text.len());
}

#[test]
fn what_does_not_look_at_the_flag_ends_with_the_process() {
    let own = folder();
    let run = interrupted(&["prove", &large(own.path()), "--method", "induction"]);
    assert_eq!(run.code, Some(130), "{}\n{}", run.out, run.err);
}

mod corpus {
    use super::*;

    /// The largest descriptions in a folder and its subfolders.
    fn largest(folder: &Path, ending: &str, count: usize) -> Vec<String> {
        let mut found = Vec::new();
        let mut open = vec![folder.to_path_buf()];
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(folder).expect("a folder") {
                let entry = entry.expect("an entry");
                if entry.file_type().expect("a kind").is_dir() {
                    open.push(entry.path());
                } else if entry.path().extension().is_some_and(|it| it == ending) {
                    found.push((entry.metadata().expect("a file").len(), entry.path()));
                }
            }
        }
        found.sort_by(|one, other| other.cmp(one));
        found.into_iter().take(count).map(|(_, path)| path.to_str().expect("UTF-8").to_string()).collect()
    }

    fn commands(game: &str) -> Vec<Vec<String>> {
        let words = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
        vec![
            words(&["play", game]),
            words(&["play", game, "--coverage"]),
            words(&["observe", game, "-n", "1"]),
            words(&["solve", game]),
            words(&["worth", game]),
            words(&["export", game, "--to", "efg"]),
            words(&["check", game]),
        ]
    }

    /// Every command on the largest games, with two seconds and 200 MB.
    #[test]
    #[ignore = "needs PERCEPT_CORPUS and takes minutes"]
    fn every_command_keeps_its_limits() {
        let corpus = percept_test::folder("PERCEPT_CORPUS");
        let games = largest(&corpus, "kif", 12);
        let mut over = Vec::new();
        for game in &games {
            for command in commands(game) {
                let mut words: Vec<&str> = command.iter().map(String::as_str).collect();
                words.extend(["--time", "2", "--memory", "200M"]);
                let run = run(&words);
                // A machine that does other work, too, is slower to start and to end.
                let late = run.time > Duration::from_millis(3500);
                let large = run.memory > 240_000_000;
                if late || large || run.code.is_none_or(|code| code > 3) {
                    let (time, memory) = (run.time.as_secs_f64(), run.memory / 1_000_000);
                    over.push(format!("{words:?}: {time:.2} s, {memory} MB, code {:?}: {}", run.code, run.err.trim()));
                }
            }
        }
        assert!(!games.is_empty());
        assert!(over.is_empty(), "{}", over.join("\n"));
    }
}
