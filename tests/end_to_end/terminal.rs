//! The stepper on a real terminal made by `script`, and the state of the terminal when it is ended from outside.
#![cfg(target_os = "linux")]

use std::io::Read;
use std::process::{Command, Stdio};

use crate::support::root;

const BOMB: &str = "games/exploding-bomb/exploding-bomb.kif";

/// The terminal's bytes: the stepper's process, its screen, and the terminal's settings after a signal.
fn ended_by(signal: &str) -> String {
    let program = env!("CARGO_BIN_EXE_percept");
    let stepper = format!("stty rows 24 cols 80; '{program}' step {BOMB} </dev/tty & echo pid $!; wait; stty -a");
    let mut script = Command::new("script")
        .args(["-qc", &stepper, "/dev/null"])
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("`script` is there");
    let mut out = script.stdout.take().expect("a pipe");
    let mut seen = String::new();
    let mut buffer = [0; 4096];
    let mut sent = false;
    while let Ok(count @ 1..) = out.read(&mut buffer) {
        seen.push_str(&String::from_utf8_lossy(&buffer[..count]));
        if !sent && seen.contains("\u{1b}[?1000h") {
            let pid = seen.split("pid ").nth(1).and_then(|rest| rest.split_whitespace().next()).expect("its number");
            assert!(Command::new("kill").args(["-s", signal, pid]).status().expect("`kill` is there").success());
            sent = true;
        }
    }
    script.wait().expect("it ends");
    assert!(sent, "{seen}");
    seen
}

#[test]
fn whoever_is_ended_leaves_the_terminal_as_it_was() {
    for signal in ["TERM", "HUP"] {
        let seen = ended_by(signal);
        assert!(seen.contains("\u{1b}[?1049l") && seen.contains("\u{1b}[?1000l"), "{seen}");
        assert!(seen.contains(" icanon") && seen.contains(" echo "), "{seen}");
    }
}
