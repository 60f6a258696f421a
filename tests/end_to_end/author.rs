//! The author's path: a new game, its expectations, and the report when they fail.

use std::path::Path;

use crate::support::{folder, percept_in, write};

/// Every kind of new game in every language is free of findings, formatted, and meets its own expectations.
#[test]
fn a_new_game_is_as_it_expects() {
    for language in ["kif", "hrf", "pogddl"] {
        for like in ["board", "cards", "hidden-move", "one-player"] {
            let place = folder();
            let made = percept_in(place.path(), &["new", "night-ships", "--language", language, "--like", like]);
            assert_eq!((made.code, made.err.as_str()), (0, ""), "{language} {like}");
            let run = |args: &[&str]| percept_in(&place.path().join("night-ships"), args);
            let check = run(&["check", "."]);
            assert_eq!(check.code, 0, "{language} {like}: {}", check.out);
            assert!(check.out.contains("no findings"), "{language} {like}: {}", check.out);
            assert_eq!(run(&["fmt", "--check", "."]).code, 0, "{language} {like}");
            let test = run(&["test"]);
            assert_eq!((test.code, test.err.as_str()), (0, ""), "{language} {like}: {}", test.out);
            assert!(test.out.contains("all as expected"), "{}", test.out);
        }
    }
}

#[test]
fn nothing_is_written_over() {
    let place = folder();
    write(place.path(), "mine", "precious");
    let run = percept_in(place.path(), &["new", "mine"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("mine already exists"), "{}", run.err);
    let run = percept_in(place.path(), &["new", "../Mine"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("cannot name a game"), "{}", run.err);
}

/// A game with expectations that are wrong in every way.
fn wrong(place: &Path) {
    let made = percept_in(place, &["new", "gold", "--like", "one-player"]);
    assert_eq!(made.code, 0, "{}", made.err);
    write(
        &place.join("gold"),
        "expected.toml",
        r#"game = "gold.kif"
faults = ["termination"] # it always ends

[[step]]
trace = "traces/first.trace"
round = 1
holds = ["(gold 3)", "(gold 2)"]
lacks = ["( round   1 )"]
legal = { player = ["(listen 1)"] }
terminal = true

[[step]]
trace = "traces/first.trace"
goals = { player = 0 }
percepts = { player = [] }

[[infoset]]
trace = "traces/first.trace"
role = "player"
round = 2
histories = "3" # one door is out
states = 3
members = [["(put 1)", "(listen 1)"]]

[[observe]]
trace = "traces/first.trace"
role = "player"
unknown = { goal = [3] }

[[prove]]
role = "player"
legal = "refuted 2"

[[query]]
ask = "(always (implies terminal (knows player (goal player ?v))))"
verdict = "fails"

[[solve]]
exact = { player = "1/2" }
low = { player = 80 }
"#,
    );
}

#[test]
fn what_is_not_as_expected_is_told_at_its_place() {
    let place = folder();
    wrong(place.path());
    let run = percept_in(place.path(), &["test", "gold", "--format", "json"]);
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    let answer = run.json();
    let tests = answer["tests"].as_array().expect("a list");
    let lines: Vec<String> = tests
        .iter()
        .flat_map(|test| {
            let name = test["name"].as_str().unwrap_or_default();
            let error = test["error"].as_str().map(|error| format!("{name}: {error}"));
            let differences = test["differences"].as_array().cloned().unwrap_or_default().into_iter();
            let differences = differences.map(move |it| {
                let word = |key: &str| it[key].as_str().unwrap_or_default().to_string();
                format!(
                    "{}:{} {name}: {}: {} -> {}",
                    it["line"],
                    it["column"],
                    word("key"),
                    word("expected"),
                    word("found")
                )
            });
            differences.chain(error).collect::<Vec<_>>()
        })
        .collect();
    expect_test::expect![[r#"
        2:10 play: faults: ["termination"] -> []
        7:9 step traces/first.trace after round 1: holds: ["(gold 2)", "(gold 3)"] -> ["(gold 3)"]
        8:9 step traces/first.trace after round 1: lacks: ["( round   1 )"] -> []
        9:20 step traces/first.trace after round 1: legal.player: ["(listen 1)"] -> ["(listen 1)", "(listen 2)", "(listen 3)"]
        10:12 step traces/first.trace after round 1: terminal: true -> false
        15:23 step traces/first.trace: percepts.player: [] -> ["gold"]
        14:20 step traces/first.trace: goals.player: 0 -> 100
        21:13 infoset player traces/first.trace after round 2: histories: "3" -> "2"
        22:10 infoset player traces/first.trace after round 2: states: 3 -> 2
        23:11 infoset player traces/first.trace after round 2: members: [["(put 1)", "(listen 1)"]] -> [["(put 2)", "(listen 1)"], ["(put 3)", "(listen 1)"]]
        28:20 observe player traces/first.trace: unknown.goal: [3] -> []
        32:9 prove player legal: legal: "refuted 2" -> "proved"
        36:11 query (always (implies terminal (knows player (goal player ?v)))): verdict: "fails" -> "holds"
        39:20 solve: exact.player: "1/2" -> "200/3"
        40:18 solve: low.player: 80.0 -> 66.66666666666667"#]].assert_eq(&lines.join("\n"));
}

#[test]
fn an_update_writes_what_was_found_and_keeps_the_rest() {
    let place = folder();
    wrong(place.path());
    let run = percept_in(place.path(), &["test", "gold", "--update"]);
    assert_eq!(run.code, 0, "{} {}", run.out, run.err);
    assert!(run.out.contains("- histories = \"3\" # one door is out"), "{}", run.out);
    let text = std::fs::read_to_string(place.path().join("gold/expected.toml")).expect("it is there");
    expect_test::expect![[r#"
        game = "gold.kif"
        faults = [] # it always ends

        [[step]]
        trace = "traces/first.trace"
        round = 1
        holds = ["(gold 3)"]
        lacks = []
        legal = { player = ["(listen 1)", "(listen 2)", "(listen 3)"] }
        terminal = false

        [[step]]
        trace = "traces/first.trace"
        goals = { player = 100 }
        percepts = { player = ["gold"] }

        [[infoset]]
        trace = "traces/first.trace"
        role = "player"
        round = 2
        histories = "2" # one door is out
        states = 2
        members = [["(put 2)", "(listen 1)"], ["(put 3)", "(listen 1)"]]

        [[observe]]
        trace = "traces/first.trace"
        role = "player"
        unknown = { goal = [] }

        [[prove]]
        role = "player"
        legal = "proved"

        [[query]]
        ask = "(always (implies terminal (knows player (goal player ?v))))"
        verdict = "holds"

        [[solve]]
        exact = { player = "200/3" }
        low = { player = 66.66666666666667 }
    "#]]
    .assert_eq(&text);
    let again = percept_in(place.path(), &["test", "gold"]);
    assert_eq!(again.code, 0, "{}", again.out);
}

#[test]
fn mistakes_in_expectations_have_their_place() {
    let place = folder();
    let made = percept_in(place.path(), &["new", "gold"]);
    assert_eq!(made.code, 0);
    let path = place.path().join("gold/expected.toml");
    std::fs::write(&path, "game = \"gold.kif\"\n[[prove]]\nroll = \"seeker\"\n").expect("it can be written");
    let run = percept_in(place.path(), &["test"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("unknown field `roll`") && run.err.contains("expected.toml:3:1"), "{}", run.err);
    std::fs::write(&path, "game = \"golden.kif\"\n").expect("it can be written");
    let run = percept_in(place.path(), &["test"]);
    assert_eq!(run.code, 1);
    assert!(run.out.contains("nothing could be compared") && run.out.contains("golden.kif"), "{}", run.out);
}

#[test]
fn test_runners_can_read_it() {
    let place = folder();
    wrong(place.path());
    let run = percept_in(place.path(), &["test", "--format", "junit", "--only", "prove"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.out.starts_with("<?xml"), "{}", run.out);
    assert!(run.out.contains("tests=\"1\"") && run.out.contains("failures=\"1\""), "{}", run.out);
    assert!(run.out.contains("expected &quot;refuted 2&quot;, found &quot;proved&quot;"), "{}", run.out);
}

#[test]
fn shells_and_man_know_every_command() {
    let place = folder();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = percept_in(place.path(), &["completions", shell]);
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        assert!(run.out.contains("infoset") && run.out.contains("pogddl-terminal"), "{shell}");
    }
    let run = percept_in(place.path(), &["man", "--output", "man"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let page = std::fs::read_to_string(place.path().join("man/percept-infoset.1")).expect("a page for each command");
    assert!(page.contains(".TH percept-infoset 1"), "{page}");
}

/// Expectations from an untrusted source: their strings are names, never options, and files outside are not read.
#[test]
fn expectations_of_a_stranger_are_only_read() {
    let place = folder();
    let game = "(role a) (init open) (<= (legal a stay) (true open)) (<= terminal (true done)) (<= (next done) (true open)) (goal a 100)";
    std::fs::create_dir(place.path().join("theirs")).expect("a folder");
    let mine = write(place.path(), "mine.txt", "precious words");
    let theirs = place.path().join("theirs");
    write(&theirs, "game.kif", game);
    write(&theirs, "--output=x.kif", game);
    let run = |expected: &str| {
        write(&theirs, "expected.toml", expected);
        percept_in(place.path(), &["test", "theirs"])
    };
    for expected in [
        format!("game = \"--output={mine}\"\n[[observe]]\ntrace = \"game.kif\"\nrole = \"a\"\nunknown = {{}}\n"),
        format!("game = \"game.kif\"\n[[observe]]\ntrace = \"--output={mine}\"\nrole = \"a\"\nunknown = {{}}\n"),
        format!("game = \"game.kif\"\n[[prove]]\nrole = \"--certificate={mine}\"\nlegal = \"known\"\n"),
        format!("game = \"game.kif\"\n[[query]]\nask = \"--certificate={mine}\"\nverdict = \"proved\"\n"),
        format!("game = \"game.kif\"\n[[step]]\ntrace = \"{mine}\"\n"),
        "game = \"game.kif\"\n[[step]]\ntrace = \"../mine.txt\"\n".to_string(),
    ] {
        let run = run(&expected);
        assert_ne!(run.code, 0, "{expected}\n{}", run.out);
        assert!(!run.out.contains("precious") && !run.err.contains("precious"), "{expected}\n{}{}", run.out, run.err);
        assert_eq!(std::fs::read_to_string(&mine).expect("it is there"), "precious words", "{expected}");
    }
    let outside = run("game = \"game.kif\"\n[[step]]\ntrace = \"../mine.txt\"\n");
    assert!(outside.out.contains("is outside of the folder"), "{}", outside.out);
    // An odd name is a name.
    assert_eq!(run("game = \"--output=x.kif\"\n").code, 0);
}

const TRAITOR: &str = include_str!("traitor.kif");

/// A game without expectations gets a file with what holds; a second one is refused.
#[test]
fn expectations_are_begun_from_a_game() {
    let place = folder();
    write(place.path(), "traitor.kif", TRAITOR);
    let run = |args: &[&str]| percept_in(place.path(), args);
    let wrong = run(&["test", "traitor.kif"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("traitor.kif is a game: name its folder"), "{}", wrong.err);
    assert!(wrong.err.contains("percept test --begin traitor.kif"), "{}", wrong.err);
    assert!(run(&["test"]).err.contains("percept test --begin GAME"));
    let begun = run(&["test", "--begin", "traitor.kif"]);
    assert_eq!((begun.code, begun.err.as_str()), (0, ""), "{}", begun.out);
    assert!(begun.out.starts_with("expected.toml:\n") && begun.out.contains("next:\n  percept test"), "{}", begun.out);
    let text = std::fs::read_to_string(place.path().join("expected.toml")).expect("it was written");
    for role in ["ann", "bob", "cid"] {
        let part = format!(
            "\n[[prove]]\nrole = \"{role}\"\nlegal = \"proved\"\nterminal = \"proved\"\ngoal = \"refuted 2\"\n"
        );
        assert!(text.contains(&part), "{text}");
    }
    let test = run(&["test"]);
    assert!(test.code == 0 && test.out.contains("4 expectations in 1 file: all as expected"), "{}", test.out);
    let again = run(&["test", "--begin", "traitor.kif"]);
    assert_eq!(again.code, 2);
    assert!(again.err.contains("expected.toml already exists"), "{}", again.err);
    assert_eq!(std::fs::read_to_string(place.path().join("expected.toml")).expect("it is there"), text, "unchanged");
}

const ENDLESS: &str =
    "(role a) (init on) (legal a go) (<= (next on) (true on)) (<= terminal (true off)) (<= (goal a 1) (true on))";

/// Faults are expected, and named; in POGDDL the game is the problem, and known own moves go without saying.
#[test]
fn expectations_begin_with_what_is() {
    let place = folder();
    write(place.path(), "endless.kif", ENDLESS);
    let run = |args: &[&str]| percept_in(place.path(), args);
    let begun = run(&["test", "--begin", "endless.kif"]);
    assert_eq!(begun.code, 0, "{}", begun.err);
    assert!(begun.out.contains("faults = [\"termination\""), "{}", begun.out);
    assert!(begun.out.contains("the game has faults: "), "{}", begun.out);
    let poker = place.path().join("poker");
    std::fs::create_dir(&poker).expect("a folder");
    for name in ["poker.pog", "king-and-jack.pog"] {
        std::fs::copy(crate::support::root().join("games/poker").join(name), poker.join(name)).expect("a copy");
    }
    let domain = run(&["test", "--begin", "poker/poker.pog"]);
    assert!(domain.code == 2 && domain.err.contains("is a domain; a match needs a problem of it"), "{}", domain.err);
    let begun = run(&["test", "--begin", "poker/king-and-jack.pog"]);
    assert!(begun.code == 0 && begun.out.contains("percept test poker"), "{}{}", begun.out, begun.err);
    assert!(!begun.out.contains("own = \"proved\""), "it goes without saying: {}", begun.out);
    assert_eq!(run(&["test", "poker"]).code, 0);
}

/// An expectation that expects nothing is an error at its line; `--update` fills it, and a file that expects nothing.
#[test]
fn what_is_left_out_is_filled() {
    let place = folder();
    assert_eq!(percept_in(place.path(), &["new", "gold", "--like", "one-player"]).code, 0);
    let folder = place.path().join("gold");
    let run = |args: &[&str]| percept_in(&folder, args);
    let text = || std::fs::read_to_string(folder.join("expected.toml")).expect("it is there");
    let empty = "game = \"gold.kif\"\n\n[[prove]] # mine\nrole = \"player\"\n\n[[step]]\ntrace = \"traces/first.trace\"\nround = 1\n\n[[infoset]]\ntrace = \"traces/first.trace\"\nrole = \"player\"\n";
    write(&folder, "expected.toml", empty);
    let test = run(&["test"]);
    assert_eq!(test.code, 1, "{}", test.out);
    assert!(test.out.contains("FAIL  prove player") && test.out.contains("expected.toml:3:1"), "{}", test.out);
    assert!(test.out.contains("expected.toml:6:1") && test.out.contains("expected.toml:10:1"), "{}", test.out);
    assert_eq!(test.out.matches("nothing is expected here; `percept test --update` writes what holds").count(), 3);
    let update = run(&["test", "--update"]);
    assert_eq!(update.code, 0, "{}{}", update.out, update.err);
    assert!(
        update.out.contains("new   prove player") && update.out.contains("  + legal = \"proved\""),
        "{}",
        update.out
    );
    let filled = text();
    assert!(
        filled.contains("[[prove]] # mine\nrole = \"player\"\nlegal = \"proved\"\nterminal = \"proved\"\n"),
        "{filled}"
    );
    assert!(
        filled.contains("histories = \"") && filled.contains("terminal = false") && !filled.contains("?"),
        "{filled}"
    );
    assert_eq!(run(&["test"]).code, 0, "{filled}");
    // A file that names the game alone.
    write(&folder, "expected.toml", "game = \"gold.kif\"\n");
    assert_eq!(run(&["test", "--update"]).code, 0);
    assert!(text().contains("[[prove]]\nrole = \"player\"\nlegal = \"proved\""), "{}", text());
    // One with expectations of its own gets no others.
    let own = "game = \"gold.kif\"\n\n[[prove]]\nrole = \"player\"\nlegal = \"proved\"\n";
    write(&folder, "expected.toml", own);
    assert_eq!((run(&["test", "--update"]).code, text()), (0, own.to_string()));
}
