//! `percept prove --repair`: a proposal is inserted, and then the property holds; `percept play --coverage`.

use crate::support::{folder, percept, root, write};

const BLIND: &str = "games/blind-tic-tac-toe/blind-tic-tac-toe.kif";
const PHANTOM: &str = "games/phantom-tic-tac-toe/phantom-tic-tac-toe.kif";

/// A text with the insertions of a repair, from the last place to the first.
fn with(text: &str, edits: &[serde_json::Value]) -> String {
    let mut text = text.to_string();
    for edit in edits.iter().rev() {
        text.insert_str(edit["at"].as_u64().expect("a place") as usize, edit["text"].as_str().expect("lines"));
    }
    text
}

/// Inserts each repair of a file into its text and proves the repaired property.
fn inserted(game: &str, role: &str, property: &str) -> Vec<(String, f64)> {
    let ask = ["prove", game, "--role", role, "--property", property, "--repair", "--time", "60", "--format", "json"];
    let answer = percept(&ask).json();
    let complaints = |path: &str| {
        let found = percept(&["check", path, "--no-judge", "--format", "json"]).json();
        let all = found["findings"].as_array().expect("findings").clone();
        let loud = all.into_iter().filter(|it| it["severity"] != "information" && it["severity"] != "hint");
        let mut rules: Vec<String> = loud.map(|it| it["rule"].as_str().expect("a rule").to_string()).collect();
        rules.sort();
        rules
    };
    let before = complaints(game);
    let repairs = answer["repairs"][0]["repairs"].as_array().expect("repairs").clone();
    assert!(!repairs.is_empty(), "{answer}");
    let text = std::fs::read_to_string(root().join(game)).expect("the game");
    let folder = folder();
    let ending = game.rsplit('.').next().expect("an ending");
    repairs
        .iter()
        .map(|repair| {
            let edits = repair["edits"].as_array().expect("edits");
            assert!(edits.iter().all(|it| it["file"] == 0), "the description");
            let text = with(&text, edits);
            let path = write(folder.path(), &format!("repaired.{ending}"), &text);
            let run = percept(&["prove", &path, "--role", role, "--property", property, "--time", "60"]);
            assert_eq!(run.code, 0, "{}{}", run.out, repair["edits"]);
            assert_eq!(
                complaints(&path),
                before,
                "what is asked for on purpose is not complained of: {}",
                repair["edits"]
            );
            (repair["says"].as_str().expect("words").to_string(), repair["bits"].as_f64().expect("counted"))
        })
        .collect()
}

#[test]
fn chapter_17s_white_is_told_the_end() {
    let repairs = inserted(BLIND, "white", "terminal");
    assert!(repairs.iter().any(|(says, _)| says == "Tell white when the match ends"), "{repairs:?}");
    assert!(
        repairs.iter().any(|(says, _)| says.contains("which `line` hold and whether `open` holds after each round")),
        "{repairs:?}"
    );
    assert!(repairs.is_sorted_by(|one, other| one.1 <= other.1), "the one that reveals least comes first: {repairs:?}");
    let bits = |part: &str| repairs.iter().find(|it| it.0.contains(part)).map(|it| it.1);
    // All of black's moves are more than that the match is over.
    assert!(bits("when the match ends") < bits("which move black made").or(Some(f64::MAX)), "{repairs:?}");
}

#[test]
fn the_same_in_infix_notation() {
    let repairs = inserted("games/blind-tic-tac-toe/blind-tic-tac-toe.hrf", "black", "terminal");
    assert!(repairs.iter().any(|(says, _)| says == "Tell black when the match ends"), "{repairs:?}");
}

/// New percepts are declared, too, if a game declares its percepts.
#[test]
fn repairs_declare_what_they_tell() {
    let text = std::fs::read_to_string(root().join(PHANTOM)).expect("the game");
    assert!(text.contains("(percept "), "it declares its percepts");
    let repairs = inserted(PHANTOM, "black", "terminal");
    for kind in ["when the match ends", "`line` hold and whether `open`", "(cell ?x1 ?x2", "which move white made"] {
        assert!(repairs.iter().any(|(says, _)| says.contains(kind)), "{kind}: {repairs:?}");
    }
}

/// Knowledge of the coin is worth half of the goal; learning it afterwards is worth nothing.
#[test]
fn a_repair_has_its_worth_where_the_game_can_be_solved() {
    let coin = "tests/editors/fixtures/coin.kif";
    let ask = ["prove", coin, "--role", "guesser", "--property", "goal", "--repair", "--format", "json"];
    let answer = percept(&ask).json();
    let repairs = answer["repairs"][0]["repairs"].as_array().expect("repairs");
    let worth = |part: &str| {
        let found = repairs.iter().find(|it| it["says"].as_str().is_some_and(|says| says.contains(part)));
        found.unwrap_or_else(|| panic!("{part}: {answer}"))["worth"].as_f64()
    };
    assert_eq!(worth("its goal when the match ends"), Some(0.0));
    assert_eq!(worth("which move random made"), Some(50.0));
    let all: Vec<Option<f64>> = repairs.iter().map(|it| it["worth"].as_f64()).collect();
    assert!(all.is_sorted(), "of what tells as much, what is worth least comes first: {answer}");
    let output = percept(&ask[..7]).out;
    assert!(output.contains("1.00 bits, worth 50 to guesser"), "{output}");
}

/// Three players lack the same: one rule tells them all, and then each of them always knows its goal.
#[test]
fn one_proposal_serves_all_roles_that_lack_the_same() {
    const TRAITOR: &str = "tests/end_to_end/traitor.kif";
    let ask = ["prove", TRAITOR, "--property", "goal", "--repair", "--format", "json"];
    let answer = percept(&ask).json();
    let [all] = &answer["repairs"].as_array().expect("repairs")[..] else { panic!("one for all: {answer}") };
    assert_eq!(all["roles"], serde_json::json!(["ann", "bob", "cid"]), "{answer}");
    let text = std::fs::read_to_string(root().join(TRAITOR)).expect("the game");
    let folder = folder();
    let repairs = all["repairs"].as_array().expect("repairs");
    assert!(repairs.len() >= 2, "{answer}");
    for repair in repairs {
        let edits = repair["edits"].as_array().expect("edits");
        let lines = edits[0]["text"].as_str().expect("lines");
        assert_eq!(lines.matches("(sees ").count(), 1, "{lines}");
        assert!(lines.contains("(role ?r)") && lines.contains("-seen"), "{lines}");
        let path = write(folder.path(), "told.kif", with(&text, edits));
        let run = percept(&["prove", &path, "--property", "goal"]);
        assert_eq!((run.code, run.out.matches("proved").count()), (0, 3), "{}{lines}", run.out);
        let gives = repair["gives"].as_array().expect("roles");
        assert!(gives.len() == 3 && gives.iter().all(|it| it["bits"].is_f64()), "{repair}");
    }
    let says: Vec<&str> = repairs.iter().map(|it| it["says"].as_str().expect("words")).collect();
    assert!(says.contains(&"Tell every player its goal when the match ends"), "{says:?}");
    let run = percept(&ask[..5]);
    assert!(run.out.contains("so that ann, bob and cid always know their goals (each is proved"), "{}", run.out);
    // One role alone is named.
    let one = percept(&["prove", TRAITOR, "--role", "bob", "--property", "goal", "--repair"]);
    assert!(one.out.contains("Tell bob its goal when") && one.out.contains("(sees bob (goal-seen"), "{}", one.out);
    // Two of three: a rule for each, and no word about the third.
    let percepts =
        "(<= (sees cid (vote ?p ?q)) (does ?p (vote ?q)))\n(<= (sees cid (it is ?p)) (does random (traitor ?p)))\n";
    let path = write(folder.path(), "two.kif", text + percepts);
    let two = percept(&["prove", &path, "--property", "goal", "--repair"]);
    let has_both =
        two.out.contains("(sees ann (goal-seen ?value))") && two.out.contains("(sees bob (goal-seen ?value))");
    assert!(has_both && two.out.contains("Tell ann and bob their goals when"), "{}", two.out);
    assert!(!two.out.contains("(sees cid (goal-seen"), "{}", two.out);
}

/// A name that the game has is not used for a percept, and a percept that another role gets keeps its name.
#[test]
fn percepts_are_named_for_what_they_tell() {
    let text = std::fs::read_to_string(root().join("tests/editors/fixtures/coin.kif")).expect("the game");
    let folder = folder();
    let repaired = |name: &str, text: String| {
        let path = write(folder.path(), name, text);
        percept(&["prove", &path, "--role", "guesser", "--property", "goal", "--repair"]).out
    };
    let plain = repaired("plain.kif", text.clone());
    assert!(plain.contains("(sees guesser (goal-seen ?value))"), "{plain}");
    assert!(plain.contains("(move-seen random (toss ?x1))"), "{plain}");
    let taken = repaired("taken.kif", format!("{text}\n(<= (goal-seen ?x) (true ?x))\n"));
    assert!(taken.contains("(sees guesser (goal-told ?value))"), "{taken}");
    let others = repaired("others.kif", format!("{text}\n(<= (sees random (goal-seen 100)) terminal)\n"));
    assert!(others.contains("(sees guesser (goal-seen ?value))"), "{others}");
    // A fact or a move without details: whether, when.
    assert!(!plain.contains("which `noop`") && !plain.contains("that hold"), "{plain}");
}

/// Poker: the role that does not know the other's card learns how it was dealt.
#[test]
fn an_observe_is_proposed() {
    let (poker, domain) = ("games/poker/king-and-jack.pog", "games/poker/poker.pog");
    let ask = ["prove", poker, "--role", "p2", "--property", "goal", "--repair", "--format", "json"];
    let answer = percept(&ask).json();
    let repair = &answer["repairs"][0]["repairs"][0];
    let edits = repair["edits"].as_array().expect("edits");
    assert!(edits[0]["text"].as_str().is_some_and(|text| text.contains("(observe (p2 (told-")), "{answer}");
    assert!(repair["worth"].as_f64().is_some_and(|worth| (worth - 1.0 / 3.0).abs() < 1e-6), "{answer}");
    let text = with(&std::fs::read_to_string(root().join(domain)).expect("the domain"), edits);
    let folder = folder();
    let domain = write(folder.path(), "poker.pog", &text);
    let problem = std::fs::read_to_string(root().join(poker)).expect("the problem");
    let problem = write(folder.path(), "king-and-jack.pog", &problem);
    let run = percept(&["prove", &problem, "--role", "p2", "--property", "goal"]);
    assert_eq!(run.code, 0, "{}", run.out);
    let run = percept(&["check", &domain, &problem, "--no-judge"]);
    assert!(run.code == 0 && !run.out.contains("warning"), "{}", run.out);
}

/// Racko: neither the deal of a card nor the card that was handed over is enough; both together are.
#[test]
fn two_observes_are_proposed_where_one_does_not_suffice() {
    let (racko, domain) = ("games/racko/racko-2-7.pog", "games/racko/racko.pog");
    let ask =
        ["prove", racko, "--role", "p1", "--property", "terminal", "--repair", "--time", "100", "--format", "json"];
    let answer = percept(&ask).json();
    let repairs = answer["repairs"][0]["repairs"].as_array().expect("repairs");
    assert!(!repairs.is_empty(), "{answer}");
    let text = std::fs::read_to_string(root().join(domain)).expect("the domain");
    let problem = std::fs::read_to_string(root().join(racko)).expect("the problem");
    let proves = |edits: &[serde_json::Value]| {
        let folder = folder();
        write(folder.path(), "racko.pog", with(&text, edits));
        let problem = write(folder.path(), "racko-2-7.pog", &problem);
        percept(&["prove", &problem, "--role", "p1", "--property", "terminal", "--time", "100"]).code
    };
    let edits = repairs[0]["edits"].as_array().expect("edits");
    assert_eq!(edits.len(), 2, "at two places: {answer}");
    assert_eq!(proves(edits), 0, "both: {edits:?}");
    assert_eq!(proves(&edits[..1]), 1, "the first alone: {edits:?}");
    assert_eq!(proves(&edits[1..]), 1, "the second alone: {edits:?}");
    let output = percept(&ask[..9]).out;
    assert_eq!(output.matches("before line").count() % 2, 0, "every place is named: {output}");
}

#[test]
fn what_is_known_needs_no_repair() {
    let run = percept(&["prove", BLIND, "--role", "white", "--property", "legal", "--repair"]);
    assert_eq!((run.code, run.out.contains("so that")), (0, false), "{}", run.out);
}

#[test]
fn coverage_says_what_never_happened() {
    let text = std::fs::read_to_string(root().join(BLIND)).expect("the game");
    let folder = folder();
    let path = write(
        folder.path(),
        "dead.kif",
        format!("{text}(<= (sees white never) (true (cell 1 1 b)) (line white) (line black))\n"),
    );
    let run = percept(&["play", &path, "-n", "40", "--coverage"]);
    assert!(run.out.contains("in 40 matches of "), "{}", run.out);
    assert!(run.out.contains("of the rules never fired") || run.out.contains(" rules never fired"), "{}", run.out);
    let met = percept(&["play", &path, "-n", "40", "--coverage", "--format", "json"]).json();
    let rules = met["coverage"]["rules"].as_array().expect("rules");
    let dead: Vec<&str> =
        rules.iter().filter(|it| it["fired"] == 0).map(|it| it["says"].as_str().expect("words")).collect();
    assert!(dead.contains(&"(sees white never)"), "{dead:?}");
    let placed = rules.iter().find(|it| it["says"] == "(sees ?player ok)").expect("its rule");
    assert!(placed["fired"].as_u64() > Some(40), "{placed}");
}
