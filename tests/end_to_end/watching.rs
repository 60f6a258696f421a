//! `percept check --watch`: a changed file is checked again, until the command is stopped.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::support::{folder, root, write};

/// A change that is not reported by then was missed.
const PATIENCE: Duration = Duration::from_secs(60);
const DONE: &str = "waiting for changes (Ctrl-C ends)";

/// Ends the program even if the test fails.
struct Watching(Child);

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The output of one check.
fn report(lines: &Receiver<String>) -> String {
    let mut output = String::new();
    loop {
        let line = lines.recv_timeout(PATIENCE).unwrap_or_else(|why| panic!("{why} after {output}"));
        if line == DONE {
            return output;
        }
        output += &format!("{line}\n");
    }
}

/// Reads checks until one fits: one save may be several changes.
fn until(lines: &Receiver<String>, fits: impl Fn(&str) -> bool) {
    while !fits(&report(lines)) {}
}

#[test]
fn what_is_changed_is_checked_again() {
    let place = folder();
    let game = root().join("games/tic-tac-toe/tic-tac-toe.kif");
    let right = std::fs::read_to_string(game).expect("the game");
    let path = write(place.path(), "game.kif", &right);
    let child = Command::new(env!("CARGO_BIN_EXE_percept"))
        .args(["check", "--watch", "--no-judge", &path])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut watching = Watching(child.expect("the binary starts"));
    let output = watching.0.stdout.take().expect("piped");
    let (tell, lines) = channel();
    std::thread::spawn(move || {
        BufReader::new(output).lines().map_while(Result::ok).all(|line| tell.send(line).is_ok())
    });
    let is_sound = |text: &str| text.contains("1 file") && !text.contains("warning");
    assert!(is_sound(&report(&lines)));
    write(place.path(), "game.kif", format!("{right}\n(<= (legal nobody wait) (true nothing))\n"));
    until(&lines, |text| text.contains("`nobody` is not a role"));
    write(place.path(), "game.kif", &right);
    until(&lines, is_sound);
    assert!(watching.0.try_wait().expect("it is ours").is_none(), "it goes on watching");
}
