//! Words for moves and fluents, from comments `percept: say ...`, in all that is shown to people.

use crate::playing::run_with_input;
use crate::support::{folder, percept, read, root, write};

const WUMPUS: &str = "games/wumpus/wumpus.kif";
const GOLD: &str = "games/wumpus/traces/gold.trace";
const RACKO: &str = "games/racko/racko-2-7.pog";
const BLIND: &str = "games/blind-tic-tac-toe/blind-tic-tac-toe.kif";
const SAY: &str =
    "\n; percept: say (mark ?m ?n) \"mark row ?m, column ?n\"\n; percept: say (tried ?p ?m ?n) \"?p tried ?m, ?n\"\n";

/// Blind Tic-Tac-Toe with words, in a folder.
fn blind(folder: &std::path::Path) -> String {
    write(folder, "blind.kif", read(BLIND) + SAY)
}

#[test]
fn a_stepper_says_moves_and_states_in_words() {
    let print = percept(&["step", WUMPUS, GOLD, "--print"]).out;
    for words in [
        "random hide the pit in column 3, row 1",
        "hunter pick up the gold",
        "hunter may: go east, go north, pick up the gold",
        "climb out",
    ] {
        assert!(print.contains(words), "{words}: {print}");
    }
    assert!(!print.contains("(go ") && !print.contains("(hide "), "{print}");
    let seen = percept(&["step", WUMPUS, GOLD, "--role", "hunter", "--print"]).out;
    assert!(seen.contains("hunter climb out of the cave") && !seen.contains("(go "), "{seen}");
    // Programs read the terms.
    let answer = percept(&["step", WUMPUS, GOLD, "--role", "hunter", "--format", "json"]).json();
    let seat = &answer["seats"][4];
    assert_eq!(seat["history"][3]["move"], "(go north)");
    assert_eq!(seat["says"]["(go north)"], "go north");
    let states = percept(&["step", WUMPUS, GOLD, "--format", "json"]).json();
    assert_eq!(states["places"][4]["played"]["moves"][1], "(go north)");
    // A trace has no words.
    let trace = percept(&["step", WUMPUS, GOLD, "--write", "rounds"]).out;
    assert!(trace.contains("(go north)") && !trace.contains("hide the"), "{trace}");
}

#[test]
fn actions_have_words() {
    let print = percept(&["step", RACKO, "games/racko/traces/small.trace", "--print"]).out;
    assert!(print.contains(" for slot a01") && print.contains("draw a card"), "{print}");
    assert!(!print.contains("(deal "), "{print}");
}

#[test]
fn reports_say_the_words() {
    let folder = folder();
    let game = blind(folder.path());
    let proved = percept(&["prove", &game, "--role", "white", "--property", "terminal"]).out;
    assert!(proved.contains("mark row ") && !proved.contains("(mark "), "{proved}");
    let trace = "games/blind-tic-tac-toe/traces/transcript.trace";
    let plain = percept(&["observe", BLIND, trace, "--format", "json"]).json();
    let worded = percept(&["observe", &game, trace, "--format", "json"]).json();
    let histories = |answer: &serde_json::Value| answer.to_string().matches("(mark ").count();
    assert_eq!(histories(&plain), histories(&worded), "programs read the same");
    let page = percept(&["observe", &game, trace, "--format", "html"]).out;
    assert!(page.contains("<span title=\"(mark ") && page.contains(")\">mark row "), "{}", page.len());
    assert!(!page.contains("<code>(mark "), "a move without words");
}

#[test]
fn a_person_types_the_words_or_the_term() {
    let folder = folder();
    let game = blind(folder.path());
    for typed in ["mark row 2, column 2", "mark 2 2", "(mark 2 2)", "5"] {
        let run =
            run_with_input(&["match", &game, "--role", "white=human", "--role", "black=random"], &format!("{typed}\n"));
        assert!(run.out.contains("    5  mark row 2, column 2"), "{}", run.out);
        let place = run.out.split("after round 1, as white knows it").nth(1).expect("a second round");
        assert!(place.trim_start().starts_with("you made mark row 2, column 2;"), "{typed}: {place}");
    }
}

#[test]
fn comments_are_checked_and_kept() {
    let folder = folder();
    let game = blind(folder.path());
    let run = percept(&["check", &game, "--no-judge"]);
    assert!(run.code == 0 && !run.out.contains("unknown-hint"), "{}", run.out);
    let formatted = percept(&["fmt", "--check", &game]);
    assert_eq!(formatted.code, percept(&["fmt", "--check", root().join(BLIND).to_str().expect("UTF-8")]).code);
    percept(&["fmt", &game]);
    let text = std::fs::read_to_string(&game).expect("the game");
    assert!(SAY.lines().all(|line| text.contains(line)), "{text}");
    let slip = write(folder.path(), "slip.kif", read(BLIND) + &SAY.replace("?n\"", "?x\""));
    let out = percept(&["check", &slip, "--no-judge"]);
    let all = out.out + &out.err;
    assert!(all.contains("unknown-hint") && all.contains("`?x` is not a variable of the pattern"), "{all}");
    // A comment with a slip gives no words.
    let print = percept(&["step", &slip, "--print"]).out;
    assert!(print.contains("white may: (mark 1 1)"), "{print}");
}

/// After any move, ann has none.
const STUCK: &str = "; percept: say (go ?d) \"walk ?d\"
(role ann) (init (at 1)) (dir north) (dir south)
(<= (legal ann (go ?d)) (dir ?d) (true (at 1))) (<= (next (at 2)) (does ann (go ?d)) (dir ?d))
(<= terminal (true (at 3))) (<= (next (at 3)) (true (at 2))) (goal ann 100)";

#[test]
fn matches_that_show_a_finding_are_in_words() {
    let folder = folder();
    let game = write(folder.path(), "stuck.kif", STUCK);
    let out = |args: &[&str]| {
        let run = percept(args);
        run.out + &run.err
    };
    let checked = out(&["check", &game]);
    assert!(checked.contains("role-without-move") && checked.contains("ann walk "), "{checked}");
    assert!(!checked.contains("((go "), "{checked}");
    let played = out(&["play", &game, "--matches", "20"]);
    assert!(played.contains("playability: ") && played.contains("  ann walk "), "{played}");
    let faults = percept(&["play", &game, "--matches", "20", "--format", "json"]).json()["faults"].to_string();
    assert!(faults.contains("(go ") && !faults.contains("walk"), "{faults}");
}

#[test]
fn a_tree_has_words_and_the_terms_as_titles() {
    let folder = folder();
    let text = read("games/kuhn-poker/kuhn-poker.kif") + "\n; percept: say bet \"put a coin & wait\"\n";
    let (game, svg) = (write(folder.path(), "kuhn.kif", text), folder.path().join("tree.svg"));
    let run = percept(&["solve", &game, "--tree", svg.to_str().expect("UTF-8")]);
    assert_eq!(run.code, 0, "{}", run.err);
    let drawn = std::fs::read_to_string(svg).expect("a tree");
    assert!(drawn.contains("<title>bet</title>put a coin &amp; wait<"), "{drawn}");
    assert!(drawn.contains("p2\n1. noop; sees "), "{drawn}");
    assert_eq!(drawn.matches("class=\"set\"").count(), 12, "the same sets as without words");
}

#[test]
fn a_fault_in_a_match_names_the_move_in_words() {
    let folder = folder();
    let game = blind(folder.path());
    let run = run_with_input(&["match", &game, "--role", "white=human", "--role", "black=random"], "");
    assert!(run.out.contains("; mark row "), "{}", run.out);
    assert!(!run.out.contains("; (mark "), "{}", run.out);
}

/// Kuhn poker in which each percept has words, p1's card others than p2's.
fn told_kuhn(folder: &std::path::Path) -> String {
    let say = "
; percept: say (sees p1 (card ?c)) \"a first card, the ?c\"
; percept: say (sees ?r (card ?c)) \"a card for ?r, the ?c\"
; percept: say (sees ?r (did ?a ?c)) \"?a, who did ?c\"
";
    write(folder, "kuhn.kif", read("games/kuhn-poker/kuhn-poker.kif") + say)
}

#[test]
fn percepts_have_words_for_each_role() {
    let folder = folder();
    let game = told_kuhn(folder.path());
    let checked = percept(&["check", &game, "--no-judge"]);
    assert!(checked.code == 0 && !checked.out.contains("unknown-hint"), "{}{}", checked.out, checked.err);
    let trace = folder.path().join("match.trace");
    let trace = trace.to_str().expect("UTF-8");
    percept(&["match", &game, "--role", "p1=random", "--role", "p2=random", "--save-trace", trace]);
    let print = percept(&["step", &game, trace, "--print"]).out;
    assert!(
        print.contains("p1 perceives a first card, the ") && print.contains("p2 perceives a card for p2, the "),
        "{print}"
    );
    assert!(print.contains("perceives p1, who did ") && !print.contains("(card "), "{print}");
    let own = percept(&["step", &game, trace, "--print", "--role", "p2"]).out;
    assert!(own.contains("perceives a card for p2, the "), "{own}");
    let seats = percept(&["step", &game, trace, "--role", "p2", "--format", "json"]).json();
    let seat = &seats["seats"][1];
    let percept_name = seat["history"][0]["percepts"][0].as_str().expect("a percept");
    assert!(percept_name.starts_with("(card "), "programs read terms: {seat}");
    let words = seat["says"][format!("(sees p2 {percept_name})")].as_str().expect("words");
    assert!(words.starts_with("a card for p2, the "), "{seat}");
    let person = run_with_input(&["match", &game, "--role", "p1=human", "--role", "p2=random"], "1\n1\n");
    assert!(person.out.contains("you perceived: a first card, the "), "{}", person.out);
    let observed = percept(&["observe", &game, trace, "--property", "goal"]).out;
    let page = percept(&["observe", &game, trace, "--format", "html"]).out;
    assert!(page.contains("<span title=\"(card ") && page.contains(">a first card, the "), "{}", page.len());
    assert!(!observed.contains("(card "), "{observed}");
}

#[test]
fn messages_have_words_for_each_receiver() {
    let folder = folder();
    let text = read("games/racko/racko.pog")
        + "\n; percept: say (sees ?r (dealt ?s u)) \"a card face down in ?s\"
; percept: say (sees p1 (dealt ?s ?c)) \"the ?c in your slot ?s\"\n";
    let domain = write(folder.path(), "racko.pog", text);
    let problem = write(folder.path(), "racko-2-7.pog", read(RACKO));
    let checked = percept(&["check", &domain, "--no-judge"]);
    assert!(!checked.out.contains("unknown-hint") && !checked.err.contains("unknown-hint"), "{}", checked.err);
    let print = percept(&["step", &problem, "games/racko/traces/small.trace", "--print"]);
    assert!(print.out.contains("p1 perceives the c05 in your slot a01"), "{}{}", print.out, print.err);
    assert!(print.out.contains("p2 perceives a card face down in a01"), "{}", print.out);
}

#[test]
fn slips_in_words_of_percepts_are_found() {
    let folder = folder();
    for (pattern, message) in [
        ("(sees p3 (card ?c))", "`p3` is not a role"),
        ("(sees ?r (crad ?c))", "`crad` is not a percept: did you mean `card`?"),
        ("(sees ?r (card ?c ?d))", "`card` has 1 argument, but the pattern has 2"),
        ("(sees ?r ?c)", "the words of a percept need its role and its name"),
        ("(sees (card ?c))", "the words of a percept need its role and its name"),
    ] {
        let text = format!("{}\n; percept: say {pattern} \"?c\"\n", read("games/kuhn-poker/kuhn-poker.kif"));
        let out = percept(&["check", &write(folder.path(), "slip.kif", text), "--no-judge"]);
        let all = out.out + &out.err;
        assert!(all.contains("unknown-hint") && all.contains(message), "{pattern}: {all}");
    }
}
