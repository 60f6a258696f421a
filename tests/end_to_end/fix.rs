//! `percept check --fix`: repairs are made, checked, and written in one step; guesses are made only on request.

use std::fs;

use crate::support::{folder, percept, percept_in, write};

/// A game that is right.
const GAME: &str = "\
(role white)
(init (cell 1 b))
(index 1)
(<= (base (cell ?x ?m)) (index ?x) (mark ?m))
(<= (input white (mark ?x)) (index ?x))
(mark b)
(mark w)
(<= (legal white (mark ?x))
    (true (cell ?x b)))
(<= (next (cell ?x w))
    (does white (mark ?x)))
(<= terminal
    (true (cell 1 w)))
(<= (goal white 100)
    (true (cell 1 w)))
(<= (goal white 0)
    (not (true (cell 1 w))))
(<= (sees white (marked ?x))
    (does white (mark ?x)))
";

fn read(path: &str) -> String {
    fs::read_to_string(path).expect("the file is there")
}

#[test]
fn a_missing_bracket_is_put_back() {
    let place = folder();
    let path = write(place.path(), "one.kif", GAME.replace("(true (cell ?x b)))", "(true (cell ?x b))"));
    assert_eq!(percept(&["check", &path]).code, 1);
    let run = percept(&["check", &path, "--fix"]);
    assert_eq!(read(&path), GAME, "{}", run.out);
    assert_eq!(run.code, 0, "{}", run.out);
    assert!(run.out.contains("one.kif:8: Add `)`") && run.out.contains("(syntax-error)"), "{}", run.out);
}

#[test]
fn a_bracket_too_many_goes() {
    let place = folder();
    let path = write(
        place.path(),
        "one.kif",
        GAME.replace("(does white (mark ?x)))\n(<= terminal", "(does white (mark ?x))))\n(<= terminal"),
    );
    let run = percept(&["check", &path, "--fix"]);
    assert_eq!((read(&path).as_str(), run.code), (GAME, 0), "{}", run.out);
}

#[test]
fn a_diff_writes_nothing_and_can_be_applied() {
    let place = folder();
    let broken = GAME.replace("(<= (next (cell ?x w))", "(<= (next (cell ?x w)");
    let path = write(place.path(), "one.kif", &broken);
    let run = percept_in(place.path(), &["check", "one.kif", "--fix", "--diff"]);
    assert_eq!((run.code, read(&path)), (1, broken));
    assert!(run.out.starts_with("--- a/one.kif\n+++ b/one.kif\n@@"), "{}", run.out);
    assert!(run.out.contains("\n-(<= (next (cell ?x w)\n+(<= (next (cell ?x w))\n"), "{}", run.out);
    let absolute = percept_in(place.path(), &["check", &path, "--fix", "--diff"]);
    assert_eq!(absolute.out, run.out, "seen from the current folder");
    // The result of `patch` equals that of `--fix`.
    let patch = write(place.path(), "patch", &run.out);
    let done = std::process::Command::new("patch").args(["-p1", "-s", "-i", &patch]).current_dir(place.path()).status();
    match done {
        Ok(status) => assert!(status.success() && read(&path) == GAME),
        Err(_) => println!("skipped: there is no `patch`"),
    }
    assert_eq!(percept_in(place.path(), &["check", "one.kif", "--diff"]).code, 0, "nothing is left to repair");
}

#[test]
fn guesses_are_made_only_when_asked() {
    let place = folder();
    let slip = GAME.replace("(not (true (cell 1 w)))", "(not (true (cel 1 w)))");
    let path = write(place.path(), "one.kif", &slip);
    let run = percept(&["check", &path, "--fix"]);
    assert_eq!((run.code, read(&path)), (1, slip), "{}", run.out);
    assert!(run.out.contains("1 repair was not made, because it is a guess: --fix=all makes"), "{}", run.out);
    let run = percept(&["check", &path, "--fix=all"]);
    assert_eq!((run.code, read(&path).as_str()), (0, GAME), "{}", run.out);
}

#[test]
fn both_halves_of_a_pogddl_game_are_repaired() {
    let place = folder();
    let run = percept_in(place.path(), &["new", "quiz", "--language", "pogddl"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let game = place.path().join("quiz");
    let files: Vec<_> = fs::read_dir(&game).expect("a folder").map(|it| it.expect("a file").path()).collect();
    for path in files.into_iter().filter(|path| path.extension().is_some_and(|it| it == "pog" || it == "pddl")) {
        let path = path.to_str().expect("a name").to_string();
        let right = read(&path);
        // The last bracket of the file.
        let cut = right.trim_end().strip_suffix(')').expect("a form").to_string();
        fs::write(&path, cut).expect("a place");
        let run = percept(&["check", &path, "--fix", "--no-judge"]);
        let bare = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(bare(&read(&path)), bare(&right), "{}", run.out);
    }
}

#[test]
fn what_is_named_is_changed_and_nothing_else() {
    let place = folder();
    let broken = GAME.replace("(<= (next (cell ?x w))", "(<= (next (cell ?x w)");
    let (one, other) = (write(place.path(), "one.kif", &broken), write(place.path(), "other.kif", &broken));
    assert_eq!(percept(&["check", &one, "--fix"]).code, 0);
    assert_eq!((read(&one).as_str(), read(&other)), (GAME, broken));
    let names: Vec<_> = fs::read_dir(place.path()).expect("a folder").collect();
    assert_eq!(names.len(), 2, "no temporary file stays");
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::PermissionsExt;
    let place = folder();
    let path = write(place.path(), "one.kif", GAME.replace("(<= (next (cell ?x w))", "(<= (next (cell ?x w)"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("the file is ours");
    let link = place.path().join("link.kif");
    std::os::unix::fs::symlink("one.kif", &link).expect("a link");
    assert_eq!(percept(&["check", link.to_str().expect("a name"), "--fix"]).code, 0);
    assert!(fs::symlink_metadata(&link).expect("it is there").is_symlink());
    assert_eq!(fs::metadata(&path).expect("it is there").permissions().mode() & 0o777, 0o640);
    assert_eq!(read(&path), GAME);
}

#[test]
fn windows_line_ends_stay() {
    let place = folder();
    let right = GAME.replace('\n', "\r\n");
    let path = write(place.path(), "one.kif", right.replace("(<= (next (cell ?x w))", "(<= (next (cell ?x w)"));
    assert_eq!(percept(&["check", &path, "--fix"]).code, 0);
    assert_eq!(read(&path), right);
}

#[test]
fn machines_get_their_report_alone() {
    let place = folder();
    let path = write(place.path(), "one.kif", GAME.replace("(<= (next (cell ?x w))", "(<= (next (cell ?x w)"));
    let run = percept(&["check", &path, "--fix", "--format", "json"]);
    let findings = run.json()["findings"].as_array().cloned().expect("a list");
    assert!(findings.iter().all(|it| it["severity"] != "error"), "{}", run.out);
    assert!(run.err.contains("fixed "), "{}", run.err);
}

/// A name that is misspelt twice in one line, and a bracket: one run repairs everything.
#[test]
fn one_run_mends_all_that_it_can() {
    let place = folder();
    let domain = "(define (domain hunt)\n  (:requirements :typing :negative-preconditions)\n  (:types burrow)\n  \
        (:predicates (fox ?b - burrow) (path ?a ?b - burrow))\n  (:action run\n    :parameters (?a - borrow ?b - borrow)\n    \
        :precondition (and (fox ?a) (path ?a ?b) (not (fox ?b)))\n    :effect (and (fox ?b) (not (fox ?a))))\n";
    let problem = "(define (problem hill)\n  (:domain hunt)\n  (:objects north south - burrow)\n  \
        (:init (fox north) (path north south))\n  (:goal (fox south)))\n";
    let path = write(place.path(), "hunt.pddl", domain);
    write(place.path(), "hill.pddl", problem);
    percept_in(place.path(), &["check", "--fix=all", "."]);
    let mended = read(&path);
    assert!(!mended.contains("borrow"), "{mended}");
    let run = percept_in(place.path(), &["check", "."]);
    assert_eq!(run.code, 0, "{}", run.out);
    percept_in(place.path(), &["check", "--fix=all", "."]);
    assert_eq!(read(&path), mended, "a second run finds nothing");
}

/// Repairs of two rules that undo each other do not go on: a digit written twice, at every place of a game.
#[test]
fn repairs_of_a_slip_come_to_an_end() {
    let place = folder();
    let game = percept_test::files::read("games/guess-dice/guess-dice.kif");
    let digits = game.char_indices().filter(|(at, it)| it.is_ascii_digit() && game[..*at].ends_with(' '));
    for (at, digit) in digits {
        let path = write(place.path(), "one.kif", format!("{}{digit}{}", &game[..at], &game[at..]));
        percept(&["check", &path, "--fix=all", "--no-judge"]);
        let lines = read(&path).lines().count();
        assert!(lines <= game.lines().count() + 4, "{lines} lines after a slip at {at}");
    }
}
