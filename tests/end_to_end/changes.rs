//! `percept check` beside git: a finding that the last commit does not have names the statement that was lost since
//! then.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{folder, percept, percept_in, write};

/// A coin that is tossed, seen two rounds later, and kept by one rule until then.
const TOSS: &str = "(role random)\n(role guesser)\n(side heads)\n(side tails)\n(init (step 1))\n\
    (<= (legal random (toss ?s)) (side ?s) (true (step 1)))\n(<= (legal random noop) (not (true (step 1))))\n\
    (<= (legal guesser noop) (not (true (step 3))))\n(<= (legal guesser (say ?s)) (side ?s) (true (step 3)))\n\
    (<= (next (fell ?s)) (does random (toss ?s)))\n(<= (next (fell ?s)) (true (fell ?s)))\n\
    (<= (next (step 2)) (true (step 1)))\n(<= (next (step 3)) (true (step 2)))\n(<= (next (step 4)) (true (step 3)))\n\
    (<= (next right) (true (fell ?s)) (does guesser (say ?s)))\n\
    (<= (sees guesser right) (true (fell ?s)) (does guesser (say ?s)))\n(<= terminal (true (step 4)))\n\
    (<= (goal guesser 100) (true right))\n(<= (goal guesser 0) (not (true right)))\n";
const KEPT: &str = "(<= (next (fell ?s)) (true (fell ?s)))";

/// Runs git in a folder; false if there is no git.
fn git(folder: &Path, args: &[&str]) -> bool {
    let mut git = Command::new("git");
    git.arg("-C").arg(folder).args(["-c", "user.name=a", "-c", "user.email=a@example.org"]).args(args);
    git.output().is_ok_and(|output| {
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        true
    })
}

#[test]
fn a_finding_names_what_was_removed_since_the_last_commit() {
    let place = folder();
    let path = write(place.path(), "toss.kif", TOSS);
    if !git(place.path(), &["init", "-q"]) {
        return;
    }
    let lost = TOSS.replace(&format!("{KEPT}\n"), "");
    write(place.path(), "toss.kif", &lost);
    assert!(!percept(&["check", &path]).out.contains("last commit"), "there is no commit yet");
    write(place.path(), "toss.kif", TOSS);
    git(place.path(), &["add", "toss.kif"]);
    git(place.path(), &["commit", "-q", "--no-verify", "-m", "a toss"]);
    write(place.path(), "toss.kif", &lost);
    let message = format!("a rule was removed since the last commit: `{KEPT}`");
    let human = percept_in(place.path(), &["check", "toss.kif"]);
    assert!(human.out.contains(&message), "{}\n{}", human.out, human.err);
    // The variables of a hook do not lead to another repository.
    let elsewhere = folder();
    let run = Command::new(env!("CARGO_BIN_EXE_percept"))
        .args(["check", "--format", "json", &path])
        .env("GIT_DIR", elsewhere.path())
        .output()
        .expect("the binary starts");
    let answer: Value = serde_json::from_slice(&run.stdout).expect("JSON");
    let expected = json!({ "message": message, "kind": "removed", "was": KEPT });
    assert_eq!(answer["findings"][0]["change"], expected, "{answer:#}");
    // No change is named beside a finding that the last commit also has.
    git(place.path(), &["commit", "-q", "--no-verify", "-a", "-m", "a lost toss"]);
    write(place.path(), "toss.kif", lost.replace("(goal guesser 0)", "(goal guesser 1)"));
    let human = percept(&["check", &path]);
    assert!(human.out.contains("fluent-not-kept") && !human.out.contains("last commit"), "{}", human.out);
}
