//! The reports of `observe`: verdicts at the rules that failed to show a difference, in every format; and the roles
//! that have verdicts.

use serde_json::Value;

use crate::support::{folder, percept, root, write};

const BLIND: &str = "games/blind-tic-tac-toe/blind-tic-tac-toe.kif";
const NO_LINE: &str = "games/blind-tic-tac-toe/traces/no-line.trace";

/// The text of a SARIF location, in one line.
fn text_at(location: &Value) -> String {
    let place = &location["physicalLocation"];
    let uri = place["artifactLocation"]["uri"].as_str().expect("a file");
    let path = uri.strip_prefix("file://").map_or_else(|| root().join(uri), Into::into);
    let text = std::fs::read_to_string(path).expect("the file is there");
    let number = |key: &str| place["region"][key].as_u64().expect("a number") as usize;
    let mut lines: Vec<String> = text
        .lines()
        .skip(number("startLine") - 1)
        .take(number("endLine") - number("startLine") + 1)
        .map(String::from)
        .collect();
    let last = lines.len() - 1;
    lines[last] = lines[last].chars().take(number("endColumn") - 1).collect();
    lines[0] = lines[0].chars().skip(number("startColumn") - 1).collect();
    lines.join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn sarif(args: &[&str]) -> Vec<Value> {
    let run = percept(&[args, &["--format", "sarif"]].concat());
    assert_eq!(run.err, "", "{args:?}");
    run.json()["runs"][0]["results"].as_array().expect("results").clone()
}

#[test]
fn findings_stand_at_the_rule_that_failed_to_tell() {
    let results = sarif(&["observe", BLIND, NO_LINE, "--role", "white"]);
    assert_eq!(results.len(), 1);
    assert_eq!(results[0]["ruleId"], "unknown-end");
    let place = &results[0]["locations"][0];
    assert_eq!(text_at(place), "(<= (sees ?player ok) (places ?player ?_m ?_n))");
    assert_eq!(place["message"]["text"], "gives white ok in both");
    let related: Vec<String> = results[0]["relatedLocations"].as_array().expect("rules").iter().map(text_at).collect();
    assert!(related.iter().any(|text| text.starts_with("(<= terminal (line")), "{related:?}");
}

#[test]
fn in_pogddl_it_is_the_observation_of_the_hidden_action() {
    let (game, trace) = ("games/gops/gops-2-10.pog", "games/gops/traces/one-round.trace");
    // p1 does not know the cards dealt to p2; that alone is not a fault. Its own moves are known throughout.
    let run = percept(&["observe", game, trace, "--role", "p1", "--format", "json"]);
    assert_eq!(run.err, "");
    let answer = run.json();
    let findings = answer["findings"].as_array().expect("findings");
    let legal: Vec<&Value> = findings.iter().filter(|finding| finding["property"] == "legal").collect();
    assert!(!legal.is_empty() && legal.iter().all(|finding| finding["verdict"] == "known"), "{findings:?}");
    let (game, trace) = ("games/racko/racko-6-30.pog", "games/racko/traces/opening.trace");
    let results = sarif(&["observe", game, trace, "--role", "p1"]);
    assert_eq!(results.len(), 1, "{results:?}");
    for result in results {
        let text = text_at(&result["locations"][0]);
        assert!(text.starts_with("(observe"), "{text}");
    }
}

/// A silent rule is named with its failed condition; a role that never receives a percept is named itself.
#[test]
fn silent_rules_say_what_they_lacked() {
    let place = folder();
    let rules = |sees: &str| {
        format!(
            "(role watcher) (role random) (init start)\n\
             (<= (legal random (toss heads)) (true start)) (<= (legal random (toss tails)) (true start))\n\
             (<= (legal watcher wait) (true start))\n\
             (<= (next (side ?s)) (does random (toss ?s)))\n\
             (<= terminal (true (side heads)))\n\
             (<= (legal watcher wait) (true (side tails))) (<= (legal random (toss heads)) (true (side tails)))\n\
             (goal watcher 100) (goal random 0)\n{sees}\n"
        )
    };
    let game = write(place.path(), "edge.kif", rules("(<= (sees watcher edge) (does random (toss edge)))"));
    let trace = write(place.path(), "one.trace", "(wait (toss heads))\n");
    let results = sarif(&["observe", &game, &trace]);
    assert_eq!(results.len(), 1, "{results:?}");
    assert_eq!(text_at(&results[0]["locations"][0]), "(<= (sees watcher edge) (does random (toss edge)))");
    let game = write(place.path(), "mute.kif", rules(""));
    let results = sarif(&["observe", &game, &trace]);
    assert_eq!(text_at(&results[0]["locations"][0]), "(role watcher)");
}

#[test]
fn the_page_needs_nothing_else() {
    let place = folder();
    let page = place.path().join("page.html");
    let run = percept(&["observe", BLIND, NO_LINE, "--format", "html", "-o", page.to_str().expect("UTF-8")]);
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    let page = std::fs::read_to_string(page).expect("a page");
    for outside in ["http:", "https:", "<script", "<link", "src=", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    for part in [
        "<html lang=\"en\">",
        "white does not know the end after round 3",
        "<mark><span class=\"role\">black</span> <code>(mark 2 3)</code></mark>",
        "<mark><span class=\"role\">black</span> <code>(mark 3 3)</code></mark>",
        "white after round 4: 14113 histories, 125 states",
        "blind-tic-tac-toe.kif:71",
        "prefers-color-scheme: dark",
    ] {
        assert!(page.contains(part), "{part}");
    }
    let closed = |tag: &str| {
        let open = page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
        assert_eq!(open, page.matches(&format!("</{tag}>")).count(), "{tag}");
    };
    for tag in "table tr td th div section article figure svg pre ul li mark details".split(' ') {
        closed(tag);
    }
}

#[test]
fn json_names_the_rules_once_for_each_property() {
    let run = percept(&["observe", BLIND, NO_LINE, "--role", "white", "--format", "json"]);
    let answer = run.json();
    let findings = answer["findings"].as_array().expect("findings");
    let with: Vec<_> = findings.iter().filter(|it| !it["witness"]["rules"].is_null()).collect();
    assert_eq!(with.len(), 1);
    assert_eq!(
        (&with[0]["round"], &with[0]["witness"]["rules"]["silent"][0]["range"]["start"]["line"]),
        (&3.into(), &71.into())
    );
}

#[test]
fn chance_is_not_judged_or_advised() {
    for command in [vec!["observe", BLIND, NO_LINE], vec!["advise", BLIND, NO_LINE]] {
        let run = percept(&[&command[..], &["--role", "random"]].concat());
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{command:?}");
        assert!(run.err.contains("`random` is chance") && run.err.contains("white, black"), "{}", run.err);
    }
    let run =
        percept(&["observe", "games/gops/gops-2-10.pog", "games/gops/traces/one-round.trace", "--role", "chance"]);
    assert!(run.err.contains("`chance` is chance") && run.err.contains("p1, p2"), "{}", run.err);
    // Its information set can still be computed.
    let run = percept(&["infoset", BLIND, NO_LINE, "--role", "random", "--round", "1", "--format", "json"]);
    assert_eq!((run.code, &run.json()["histories"]), (0, &"81".into()), "{}", run.err);
}

#[test]
fn one_player_alone_knows_everything() {
    let place = folder();
    let rules = "(role solo) (init (step 0)) (succ 0 1) (succ 1 2)\n\
        (<= (legal solo left) (true (step ?n))) (<= (legal solo right) (true (step ?n)))\n\
        (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))\n\
        (<= (next won) (does solo left) (true (step 1)))\n\
        (<= terminal (true (step 2))) (<= (goal solo 100) (true won)) (<= (goal solo 0) (not (true won)))\n";
    let game = write(place.path(), "solo.kif", rules);
    let run = percept(&["observe", &game, "-n", "5", "--format", "json"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let answer = run.json();
    let matches = answer["matches"].as_array().expect("matches");
    assert_eq!(matches.len(), 5);
    for one in matches {
        assert!(one["findings"].as_array().expect("findings").iter().all(|it| it["verdict"] == "known"));
        assert!(one["sizes"][0]["rounds"].as_array().expect("sizes").iter().all(|it| it["histories"] == "1"));
    }
    let trace = write(place.path(), "solo.trace", "(left)\n(right)\n");
    let run = percept(&["advise", &game, &trace, "--role", "solo", "--round", "1", "--format", "json"]);
    let answer = run.json();
    assert_eq!((&answer["moves"][0]["move"], &answer["moves"][0]["value"]), (&"left".into(), &100.0.into()));
    let run = percept(&["advise", &game, &trace, "--role", "solo"]);
    assert!(run.err.contains("the match is over"), "{}", run.err);
}

#[test]
fn traces_of_other_games_and_empty_games_are_refused() {
    let place = folder();
    let other = write(place.path(), "other.trace", "((mark 1 1) (mark 2 2))\n");
    let run = percept(&["infoset", BLIND, &other, "--role", "white"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("round 1: 2 moves for 3 roles") && run.err.contains("other.trace:1:1"), "{}", run.err);
    let (gops, racko) = ("games/gops/gops-2-10.pog", "games/racko/traces/opening.trace");
    let run = percept(&["observe", gops, racko]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("round 1: ") && run.err.contains("not legal for chance"), "{}", run.err);
    for (name, text) in [("empty.kif", ""), ("comment.kif", "; nothing\n"), ("facts.kif", "(init (f a))\n")] {
        let game = write(place.path(), name, text);
        for command in
            [vec!["observe", &*game], vec!["infoset", &game, &other, "--role", "white"], vec!["advise", &game, &other]]
        {
            let run = percept(&command);
            assert_eq!((run.code, run.out.as_str()), (2, ""), "{command:?}");
            assert!(run.err.contains("declares no role"), "{}", run.err);
        }
    }
    // A match without rounds is also a trace.
    let nothing = write(place.path(), "nothing.trace", "");
    let run = percept(&["observe", BLIND, &nothing, "--format", "json"]);
    assert_eq!((run.code, run.json()["findings"].as_array().map(Vec::len)), (0, Some(6)), "{}", run.err);
}

/// The table without external files: two positions of one cell, and a position that is impossible.
#[test]
fn the_papers_table_can_be_made_from_nothing() {
    let run = percept(&["bench", "table1", "--cell", "b-5-4", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.json()["cells"][0]["infeasible"].as_str().is_some_and(|why| why.contains("do not fit on 4x4")));
    let run = percept(&["bench", "table1", "--cell", "g-2-10", "--matches", "2", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let runs = run.json()["runs"].clone();
    assert_eq!((&runs[0]["members"], &runs[1]["members"]), (&30.into(), &1000.into()));
    for run in runs.as_array().expect("runs") {
        let cell = &run["cells"][0];
        assert_eq!((&cell["paper_csp"], &cell["paper_dfs"], &cell["positions"]), (&300.into(), &300.into(), &2.into()));
        assert_eq!((&cell["empty"], &cell["short"]), (&0.into(), &0.into()), "{cell}");
    }
}

/// Three doors, one prize: changing the door wins two times of three.
#[test]
fn advice_knows_the_best_move_and_its_value() {
    let place = folder();
    let rules = "(role guest) (role random) (init (phase hide)) (door 1) (door 2) (door 3)\n\
        (<= (legal random (hide ?d)) (true (phase hide)) (door ?d)) (<= (legal guest noop) (true (phase hide)))\n\
        (<= (legal guest (point ?d)) (true (phase point)) (door ?d)) (<= (legal random noop) (true (phase point)))\n\
        (<= (legal random (open ?d)) (true (phase open)) (door ?d) (not (true (prize ?d))) (not (true (at ?d))))\n\
        (<= (legal guest noop) (true (phase open)))\n\
        (<= (legal guest stay) (true (phase choose))) (<= (legal guest change) (true (phase choose)))\n\
        (<= (legal random noop) (true (phase choose)))\n\
        (after hide point) (after point open) (after open choose) (after choose over)\n\
        (<= (next (phase ?q)) (true (phase ?p)) (after ?p ?q))\n\
        (<= (next (prize ?d)) (does random (hide ?d))) (<= (next (prize ?d)) (true (prize ?d)))\n\
        (<= (next (opened ?d)) (does random (open ?d))) (<= (next (opened ?d)) (true (opened ?d)))\n\
        (<= (next (at ?d)) (does guest (point ?d)))\n\
        (<= (next (at ?d)) (true (at ?d)) (not (does guest change)))\n\
        (<= (next (at ?d)) (does guest change) (door ?d) (not (true (at ?d))) (not (true (opened ?d))))\n\
        (<= (sees guest (opens ?d)) (does random (open ?d)))\n\
        (<= terminal (true (phase over)))\n\
        (<= won (true (prize ?d)) (true (at ?d))) (<= (goal guest 100) won) (<= (goal guest 0) (not won)) (goal random 0)\n";
    let game = write(place.path(), "doors.kif", rules);
    let trace = write(place.path(), "doors.trace", "(noop (hide 2))\n((point 1) noop)\n(noop (open 3))\n");
    let run = percept(&["advise", &game, &trace, "--role", "guest", "-n", "2000", "--format", "json"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let answer = run.json();
    for (index, (mv, truth)) in [("change", 200.0 / 3.0), ("stay", 100.0 / 3.0)].into_iter().enumerate() {
        let found = &answer["moves"][index];
        let (value, interval) =
            (found["value"].as_f64().expect("a value"), found["interval"].as_f64().expect("half a width"));
        assert_eq!(found["move"], mv);
        // Three times the 95 % interval is never missed; 2,000 draws make it about 2 wide.
        assert!((value - truth).abs() < 3.0 * interval && (1.5..2.7).contains(&interval), "{mv}: {value} ± {interval}");
    }
}

#[test]
fn what_makes_the_difference_is_what_the_other_history_lacks() {
    // The rule's other instances fail in both histories and are irrelevant: `(opponent p2 p2)` holds in none.
    let run = percept(&["observe", "games/kuhn-poker/kuhn-poker.kif", "--seed", "3"]);
    let (before, after) = run.out.split_once("cause of the difference:").expect("p2 does not know what it got");
    assert!(before.contains("p2: does not know its goal after round 3"), "{}", run.out);
    assert!(after.contains("(wins-showdown p1) holds in A only"), "{}", run.out);
    assert!(!after.contains("(opponent p2 p2)"), "{}", run.out);
}

/// A verdict on one match does not read like one on all matches: it names the match, and the command for all matches.
#[test]
fn a_random_match_is_named() {
    let kuhn = "games/kuhn-poker/kuhn-poker.kif";
    let place = folder();
    let saved = place.path().join("match.trace").display().to_string();
    let run = percept(&["observe", kuhn, "--seed", "3", "--save-trace", &saved]);
    assert!(run.out.starts_with("a random match (seed 3), 3 rounds:\n  1. "), "{}", run.out);
    assert!(run.out.contains("p1: knows its legal moves after every round of this match\n"), "{}", run.out);
    assert!(run.out.ends_with(&format!("for every match: `percept prove {kuhn}`\n")), "{}", run.out);
    assert!(!run.out.contains("always"), "{}", run.out);
    // The same match as a trace; a given match needs no name.
    let given = percept(&["observe", kuhn, &saved]);
    assert!(run.out.contains(given.out.trim_end()) && !given.out.contains("random match"), "{}", given.out);
    let several = percept(&["observe", kuhn, "-n", "3", "--seed", "2"]);
    assert!(several.out.starts_with("3 random matches (seeds 2 to 4), 3 rounds each\n"), "{}", several.out);
    assert!(several.out.contains("p1: knows its legal moves after every round of all 3 matches\n"), "{}", several.out);
    assert!(several.out.contains("match 2 (seed 3): p2 does not know its goal"), "{}", several.out);
    let json = percept(&["observe", kuhn, "-n", "3", "--seed", "2", "--format", "json"]).json();
    let matches = json["matches"].as_array().expect("matches");
    assert_eq!(matches.iter().map(|it| it["seed"].as_u64()).collect::<Vec<_>>(), [Some(2), Some(3), Some(4)]);
    let again = percept(&["observe", kuhn, "--seed", "3", "--format", "json"]).json();
    assert_eq!(again["matches"][0]["moves"], matches[1]["moves"]);
    let given = percept(&["observe", kuhn, &saved, "--format", "json"]).json();
    assert_eq!((&given["matches"][0]["moves"], given["matches"][0].get("seed")), (&matches[1]["moves"], None));
    let html = percept(&["observe", kuhn, "--seed", "3", "--format", "html"]).out;
    assert!(html.contains("A random match, seed 3") && html.contains("known after every round"), "{html}");
    assert!(html.contains("<code>percept prove</code>") && !html.contains("always known"), "{html}");
    let results = sarif(&["observe", kuhn, "--seed", "3"]);
    let message = results[0]["message"]["text"].as_str().expect("a message");
    assert!(message.starts_with("random match (seed 3): p2 does not know its goal"), "{message}");
}
