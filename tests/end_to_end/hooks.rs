//! The commands of pre-commit and CI: every command of the hooks' list and of the page is valid.

use crate::support::{folder, percept_in, root, write};

const BROKEN: &str = "(role white\n(init (step 1))\n(<= (legal white wait) (true (step 1)))\n(<= (next (step 2)) (does white wait))\n(<= terminal (true (step 2)))\n(<= (goal white 100) (true (step 2)))\n(<= (goal white 0) (true (step 1)))\n";

/// The arguments behind `key` on each line of a file with this key: `entry: percept check`.
fn entries(page: &str, key: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(root().join(page)).expect("the page is there");
    let lines = text.lines().filter_map(|line| line.trim_start().strip_prefix(key));
    lines.map(|entry| entry.split_whitespace().skip(1).map(String::from).collect()).collect()
}

#[test]
fn every_hook_runs() {
    let hooks = entries(".pre-commit-hooks.yaml", "entry: ");
    assert_eq!(hooks.len(), 4);
    for args in hooks.into_iter().chain(entries("docs/ci.md", "entry: ")) {
        let place = folder();
        assert_eq!(percept_in(place.path(), &["new", "quiz"]).code, 0);
        let game = place.path().join("quiz");
        let mut args: Vec<&str> = args.iter().map(String::as_str).collect();
        let passes_names = args != ["test"];
        if passes_names {
            args.push("quiz.kif");
        }
        let good = percept_in(&game, &args);
        assert_eq!(good.code, 0, "{args:?}: {}{}", good.out, good.err);
        let text = std::fs::read_to_string(game.join("quiz.kif")).expect("a game");
        write(&game, "quiz.kif", text.replacen(')', "", 1));
        let bad = percept_in(&game, &args);
        match args[0] {
            "test" => assert_ne!(bad.code, 0, "{}", bad.out),
            "check" if !args.contains(&"--fix") => assert_eq!(bad.code, 1, "{}", bad.out),
            // These commands change files, which pre-commit detects.
            _ => assert!(bad.code <= 1, "{}", bad.err),
        }
    }
}

#[test]
fn ci_gets_its_report() {
    let page = std::fs::read_to_string(root().join("docs/ci.md")).expect("the page is there");
    let place = folder();
    std::fs::create_dir(place.path().join("games")).expect("a folder");
    write(&place.path().join("games"), "one.kif", BROKEN);
    let line = page.lines().find_map(|line| line.split_once("run: percept check ")).expect("a step that checks").1;
    let (args, file) = line.split_once(" > ").expect("a file for the report");
    assert!(page.contains(&format!("sarif_file: {file},")), "what is written is what is uploaded");
    let args: Vec<&str> = std::iter::once("check").chain(args.split(' ')).collect();
    let run = percept_in(place.path(), &args);
    assert_eq!((run.code, run.json()["runs"][0]["results"][0]["ruleId"].as_str()), (1, Some("syntax-error")));
}
