//! Bad input is refused with a message at its place.

use crate::support::{folder, percept, percept_in, write};

const BLIND: &str = "games/blind-tic-tac-toe/blind-tic-tac-toe.kif";

#[test]
fn an_illegal_move_names_round_role_and_the_legal_moves() {
    let place = folder();
    let text = "((mark 1 1) (mark 2 3) (tiebreak x))\n((mark 1 1) (mark 2 2) (tiebreak x))\n";
    let trace = write(place.path(), "match.trace", text);
    for command in [vec!["step", BLIND, &trace, "--print"], vec!["observe", BLIND, &trace]] {
        let run = percept(&command);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{command:?}");
        assert!(run.err.contains("round 2: `(mark 1 1)` is not legal for white; the legal moves are "), "{}", run.err);
        assert!(run.err.contains("(mark 1 2), (mark 1 3), (mark 2 1)"), "{}", run.err);
        assert!(run.err.contains("match.trace:2:2"), "{}", run.err);
    }
}

#[test]
fn a_missing_domain_says_where_it_was_looked_for() {
    let place = folder();
    std::fs::create_dir_all(place.path().join("a/b")).expect("folders");
    let problem = "(define (problem p) (:domain nowhere) (:objects) (:init))";
    write(place.path(), "a/b/p.pog", problem);
    write(place.path(), "a/other.pog", "(define (domain elsewhere) (:requirements :pogddl))");
    for command in [vec!["check", "a/b/p.pog"], vec!["play", "a/b/p.pog"]] {
        let run = percept_in(place.path(), &command);
        assert_ne!(run.code, 0, "{command:?}");
        assert!(run.err.contains("needs the domain `nowhere`"), "{}", run.err);
        assert!(run.err.contains("a/b") && run.err.contains("looked in"), "{}", run.err);
        assert!(run.err.contains("`elsewhere`"), "{}", run.err);
        assert!(run.err.contains("--domain"), "{}", run.err);
    }
}

#[test]
fn binary_junk_is_refused() {
    let place = folder();
    let junk: Vec<u8> = (0..4096u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let path = write(place.path(), "junk.kif", &junk);
    for command in [vec!["check", &path], vec!["play", &path], vec!["step", BLIND, &path, "--print"]] {
        let run = percept(&command);
        assert_eq!(run.code, 2, "{command:?}");
        assert!(run.err.starts_with("error: "), "{}", run.err);
        let junk = |c: char| c.is_control() && c != '\n' || c == char::REPLACEMENT_CHARACTER;
        assert!(!run.err.contains(junk), "the junk itself was printed: {}", run.err);
    }
    // The other files are checked all the same.
    let run = percept(&["check", &path, BLIND, "--format", "json"]);
    assert_eq!((run.code, run.json()["files"].as_u64()), (2, Some(1)));
}

#[test]
fn nothing_there() {
    for command in [
        vec!["check", "no-such-file.kif"],
        vec!["play", "no-such-file.kif"],
        vec!["infoset", BLIND, "no-such.trace", "--role", "white"],
        vec!["check", "LICENSE-MIT"],
        vec!["check", ".ci"],
        vec!["play", "games"],
    ] {
        let run = percept(&command);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{command:?}");
        assert!(run.err.starts_with("error: "), "{command:?} {}", run.err);
    }
}

#[test]
fn roles_and_rounds_that_are_not_there() {
    let trace = "games/blind-tic-tac-toe/traces/transcript.trace";
    let run = percept(&["infoset", BLIND, trace, "--role", "red"]);
    assert!(run.err.contains("there is no role `red`; the roles are white, black, random"), "{}", run.err);
    let run = percept(&["infoset", BLIND, trace]);
    assert!(run.err.contains("--role"), "{}", run.err);
    let run = percept(&["infoset", BLIND, trace, "--role", "white", "--round", "9"]);
    assert!(run.err.contains("there is no round 9"), "{}", run.err);
    let view = "games/blind-tic-tac-toe/traces/transcript-white.trace";
    let run = percept(&["observe", BLIND, view]);
    assert!(run.err.contains("name the role, or begin with `(start id role)`"), "{}", run.err);
}

#[test]
fn a_view_that_no_history_gives() {
    let place = folder();
    // No role can have marked the middle before the first round.
    let text = "(play m 0 nil nil)\n(play m 1 (mark 2 2) nil)\n(play m 2 (mark 2 2) (ok))\n";
    let trace = write(place.path(), "view.trace", text);
    let run = percept(&["infoset", BLIND, &trace, "--role", "white", "--format", "json"]);
    assert_eq!(run.code, 1, "{}", run.err);
    let answer = run.json();
    assert_eq!((&answer["histories"], &answer["complete"]), (&"0".into(), &true.into()));
    assert_eq!(answer["impossible_round"], 2);
}

#[test]
fn own_moves_of_a_view_do_not_count_in_pogddl() {
    let place = folder();
    let record = "(start m p2)\n(play m 1 nil ((stronger u)))\n(play m 2 nil ((p1chose bet)))\n";
    let ask = |last: &str| {
        let view = write(place.path(), "v.trace", format!("{record}{last}\n"));
        percept(&["infoset", "games/poker/king-and-jack.pog", &view, "--role", "p2"])
    };
    let run = ask("(play m 3 (p2-choose pass) ((p2chose bet)))");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("warning: this view's own moves do not count"), "{}", run.err);
    assert!(run.err.contains("v.trace:4:11"), "{}", run.err);
    let same = ask("(play m 3 nil ((p2chose bet)))");
    assert_eq!((same.code, same.err.as_str()), (0, ""));
}

#[test]
fn what_is_no_text_is_told_at_its_line() {
    let place = folder();
    let trace = write(place.path(), "t.trace", b"(deal-stronger p1)\n(p1-choose \xff)\n");
    let run = percept(&["infoset", "games/poker/king-and-jack.pog", &trace, "--role", "p2"]);
    assert!(run.code == 2 && run.err.contains("t.trace:2:12"), "{}", run.err);
}

#[test]
fn a_game_with_mistakes_is_not_run() {
    let place = folder();
    let path = write(place.path(), "bad.kif", "(role white)\n(<= (legal white a) (true (f ?x))\n");
    let run = percept(&["play", &path]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("bad.kif:2:"), "{}", run.err);
}

#[test]
fn time_is_kept() {
    let start = std::time::Instant::now();
    let run = percept(&["play", BLIND, "-n", "1000000000", "--time", "1", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(start.elapsed().as_secs() < 20);
}

const DOMAIN: &str = "(define (domain d) (:requirements :strips) (:predicates (p) (q))
  (:action a :parameters () :precondition (p) :effect (and (q) (not (p))))
  (:action b :parameters () :precondition (q) :effect (and (p) (not (q)))))\n";

/// The command line decides; ambiguous files are not guessed.
#[test]
fn the_domain_named_is_the_domain() {
    let place = folder();
    for folder in ["problems", "domains"] {
        std::fs::create_dir(place.path().join(folder)).expect("a folder");
    }
    write(place.path(), "domains/d.pog", DOMAIN);
    write(place.path(), "problems/p.pog", "(define (problem x) (:domain d) (:init (p)) (:goal (q)))\n");
    let check = |files: &[&str]| percept_in(place.path(), &[&["check"], files].concat());
    // The domain is in `domains`, beside the folder of the problem.
    let run = check(&["problems/p.pog"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    // Two domains are in the problem's own folder.
    write(place.path(), "problems/one.pog", DOMAIN);
    write(place.path(), "problems/two.pog", DOMAIN.replace("(p)", "(r)"));
    let run = check(&["problems/p.pog"]);
    // It is reported once, in the finding.
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    assert!(run.out.contains("2 files define the domain `d`") && run.out.contains("two.pog"), "{}", run.out);
    let run = percept_in(place.path(), &["play", "problems/p.pog", "-n", "1"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("2 files define the domain `d`"), "{}", run.err);
    // The named domain is used, in any order of the files, and the findings in the problem come from it.
    for files in [["domains/d.pog", "problems/p.pog"], ["problems/p.pog", "problems/one.pog"]] {
        let run = check(&files);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    }
    let run = check(&["problems/two.pog", "problems/p.pog"]);
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    assert!(run.out.contains("unknown-predicate") && run.out.contains("problems/p.pog"), "{}", run.out);
    // The same holds for a file with another name.
    write(place.path(), "domains/e.pog", DOMAIN.replace("(domain d)", "(domain e)"));
    let run = check(&["domains/e.pog", "problems/p.pog"]);
    assert!(run.code == 0 && run.out.contains("warning[domain-mismatch]"), "{}", run.out);
    let run = check(&["problems/one.pog", "problems/two.pog", "problems/p.pog"]);
    assert!(run.code == 1 && run.out.contains("2 files define the domain `d`"), "{}", run.out);
}

/// A folder that is checked is searched as a workspace is, however deep in it the problem lies.
#[test]
fn the_domain_is_looked_for_in_the_folder_that_is_checked() {
    let place = folder();
    for folder in ["all/problems/easy", "all/domains"] {
        std::fs::create_dir_all(place.path().join(folder)).expect("a folder");
    }
    write(place.path(), "all/domains/d.pog", DOMAIN);
    write(place.path(), "all/problems/easy/p.pog", "(define (problem x) (:domain d) (:init (s)) (:goal (q)))\n");
    let run = percept_in(place.path(), &["check", "all"]);
    assert_eq!((run.code, run.err.as_str()), (1, ""), "{}", run.out);
    assert!(run.out.contains("error[unknown-predicate]") && run.out.contains("p.pog:1:"), "{}", run.out);
    // A problem alone has no workspace.
    let run = percept_in(place.path(), &["check", "all/problems/easy/p.pog"]);
    assert!(run.code == 1 && run.err.contains("needs the domain `d`, which was not found"), "{}", run.err);
}

/// Commands never wait for input that may not come, and the error for an unreadable file has the reason.
#[cfg(unix)]
#[test]
fn no_files_and_odd_files() {
    let place = folder();
    let pipe = std::process::Command::new("mkfifo").arg(place.path().join("pipe.kif")).status();
    assert!(pipe.is_ok_and(|status| status.success()), "no pipe could be made");
    std::os::unix::fs::symlink(place.path().join("loop.kif"), place.path().join("loop.kif")).expect("a link");
    std::os::unix::fs::symlink(place.path(), place.path().join("again")).expect("a link");
    write(place.path(), "latin.kif", b"(role\x01wei\xdf)");
    let big = std::fs::File::create(place.path().join("big.kif")).expect("a file");
    big.set_len(65 << 20).expect("a hole");
    let pipe = place.path().join("pipe.kif").display().to_string();
    let cases = [
        ("pipe.kif", "pipe.kif is a pipe, not a file"),
        ("/dev/zero", "/dev/zero is a device, not a file"),
        ("loop.kif", "cannot read loop.kif"),
        ("latin.kif", "the file is not text: byte 9 does not begin a UTF-8 character"),
        ("big.kif", "the file has 65 MB; game descriptions up to 64 MB are read"),
    ];
    for (file, words) in cases {
        for command in [vec!["check", file], vec!["fmt", file], vec!["convert", file, "--to", "hrf"]] {
            let run = percept_in(place.path(), &command);
            assert_eq!((run.code, run.out.as_str()), (2, ""), "{command:?}");
            assert!(run.err.contains(words), "{command:?}: {}", run.err);
        }
    }
    for command in [
        vec!["check", BLIND, "--config", &pipe],
        vec!["step", BLIND, &pipe, "--print"],
        vec!["play", &pipe],
        vec!["prove", BLIND, "--check", &pipe],
        vec!["bench", "lsp", &pipe],
    ] {
        let run = percept(&command);
        assert_eq!(run.code, 2, "{command:?}: {}", run.err);
        assert!(run.err.contains("is a pipe"), "{command:?}: {}", run.err);
    }
    // A folder that leads into itself, and the good file in it.
    write(place.path(), "good.pog", DOMAIN);
    let run = percept_in(place.path(), &["check", ".", "--format", "json"]);
    assert_eq!((run.code, run.json()["files"].as_u64()), (2, Some(1)), "{}", run.err);
}

#[test]
fn an_empty_file_is_no_game() {
    let place = folder();
    for (name, rule) in [("a.pog", "nothing-defined"), ("a.kif", "incomplete-game"), ("a.hrf", "incomplete-game")] {
        for text in ["", "; later\n"] {
            write(place.path(), name, text);
            let run = percept_in(place.path(), &["check", name]);
            assert!(run.code == 1 && run.out.contains(rule), "{name}: {}", run.out);
        }
    }
}
