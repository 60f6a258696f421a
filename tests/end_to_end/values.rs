//! The values of games and percepts, strategies, and exports: through the binary, compared with games edited by hand.

use std::fs::{read_to_string, write};

use serde_json::Value;

use crate::support::{folder, percept, percept_in, root};

const BOMB: &str = "games/exploding-bomb/exploding-bomb.kif";
const KUHN: &str = "games/kuhn-poker/kuhn-poker.kif";

/// The middle of the bounds that a role can secure.
fn value(solved: &Value, role: &str) -> f64 {
    let values = solved["values"].as_array().expect("values");
    let of = values.iter().find(|it| it["role"] == role).unwrap_or_else(|| panic!("{solved}"));
    (of["low"].as_f64().expect("a number") + of["high"].as_f64().expect("a number")) / 2.0
}

#[test]
fn asking_is_worth_forty() {
    let run = percept(&["worth", BOMB, "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let json = run.json();
    let [row] = &json["percepts"].as_array().expect("percepts")[..] else { panic!("{json}") };
    assert_eq!(row["role"], "agent", "{json}");
    let number = |key: &str| row[key].as_f64().unwrap_or_else(|| panic!("{key}: {json}"));
    assert_eq!([number("value"), number("without"), number("public")], [90.0, 50.0, 90.0], "{json}");

    // The same rule taken out by hand.
    let place = folder();
    let text = read_to_string(root().join(BOMB)).expect("the game");
    let rule = "(<= (sees agent ?wire) (does agent ask) (true (armed ?wire)))";
    assert!(text.contains(rule));
    write(place.path().join("silent.kif"), text.replace(rule, "")).expect("a file");
    let silent = percept_in(place.path(), &["solve", "silent.kif", "--format", "json"]);
    assert_eq!(value(&silent.json(), "agent"), 50.0);
    let output = percept(&["worth", BOMB]).out;
    assert!(output.contains("+40"), "{output}");
    let sampled = percept(&["worth", BOMB, "--method", "mccfr", "--iterations", "10"]);
    assert_eq!(sampled.code, 2);
    assert!(sampled.err.contains("sampling proves no value") && !sampled.err.contains("large"), "{}", sampled.err);
}

/// Two of three players can take everything from the third, so its guarantee is zero with and without a percept.
#[test]
fn a_guarantee_that_never_changes_prices_no_percept() {
    const TRAITOR: &str = "tests/end_to_end/traitor.kif";
    let run = percept(&["worth", TRAITOR]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(
        run.out.contains("no percept changes what a role can guarantee if all others play together"),
        "{}",
        run.out
    );
    assert!(run.out.contains("`percept solve`"), "what to use: {}", run.out);
    assert!(!run.out.contains("only to it"), "no table of zeros: {}", run.out);
    let json = percept(&["worth", TRAITOR, "--format", "json"]).json();
    assert!(json["note"].as_str().is_some_and(|note| note.starts_with("no percept changes")), "{json}");
    let bomb = percept(&["worth", BOMB, "--format", "json"]).json();
    assert!(bomb["note"].is_null(), "{bomb}");
}

#[test]
fn the_showdown_of_poker_is_worth_nothing() {
    let run = percept(&["worth", "games/poker/king-and-jack.pog", "--format", "json"]);
    let json = run.json();
    let rows: Vec<&Value> = json["percepts"].as_array().expect("percepts").iter().collect();
    let last = rows.iter().filter_map(|row| row["line"].as_u64()).max().expect("a line");
    for row in rows.iter().filter(|row| row["line"] == last) {
        let (value, without) = (row["value"].as_f64().expect("a value"), row["without"].as_f64().expect("a value"));
        assert!((value - without).abs() < 1e-9, "{row}");
    }
    // The percept of p1's card is worth all that p1 wins.
    let first = rows.iter().find(|row| row["role"] == "p1").expect("p1");
    let lost = first["value"].as_f64().expect("a value") - first["without"].as_f64().expect("a value");
    assert!((lost - 1.0 / 3.0).abs() < 1e-9, "{json}");
}

/// Both parts of the answer are in the requested units.
#[test]
fn a_profile_is_in_units_too() {
    let command = ["solve", "server/solve/tests/suite/dilemma.kif", "--zero", "60", "--unit", "20"];
    let output = percept(&command).out;
    assert!(output.contains("  a  -2 (20 points)\n"), "{output}");
    assert!(output.contains("  a  -2  (could gain 0) (20 points)\n"), "{output}");
    let json = percept(&[&command[..], &["--format", "json"]].concat()).json();
    assert_eq!(json["profile"][0]["in_units"]["value"], -2.0, "{json}");
    assert_eq!(json["profile"][0]["value"], 20.0, "{json}");
}

/// The numbers of leaves and information sets in the text of a tree, counted by a separate reader.
fn counted(efg: &str) -> (usize, usize, usize) {
    let lines = efg.lines().filter(|line| ["t ", "p ", "c "].iter().any(|kind| line.starts_with(kind)));
    let (mut nodes, mut leaves, mut infosets) = (0, 0, std::collections::BTreeSet::new());
    for line in lines {
        nodes += 1;
        leaves += usize::from(line.starts_with("t "));
        if line.starts_with("p ") {
            // `p "" player number ...`
            let words: Vec<&str> = line.split('"').nth(2).expect("after the name").split_whitespace().collect();
            infosets.insert((words[0].to_string(), words[1].to_string()));
        }
    }
    (nodes, leaves, infosets.len())
}

#[test]
fn trees_are_written_whole() {
    let place = folder();
    for (game, infosets) in [(KUHN, 12), (BOMB, 4), ("games/poker/king-and-jack.pog", 4)] {
        let path = place.path().join("tree.efg");
        let shown = path.display().to_string();
        let run = percept(&["export", game, "--to", "efg", "-o", &shown, "--format", "json"]);
        assert_eq!(run.code, 0, "{}", run.err);
        let json = run.json();
        let text = read_to_string(&path).expect("a tree");
        assert!(text.starts_with("EFG 2 R "), "{text}");
        let (nodes, leaves, sets) = counted(&text);
        let count = |key: &str| json[key].as_u64().expect("a number") as usize;
        assert_eq!((nodes, leaves, sets), (count("nodes"), count("leaves"), count("infosets")), "{game}");
        assert_eq!(sets, infosets, "{game}");
        // Without a file, the same text is printed.
        assert_eq!(percept(&["export", game, "--to", "efg"]).out, text);
    }
}

#[test]
fn clauses_have_the_numbers_they_announce() {
    let run = percept(&["export", KUHN, "--to", "dimacs", "--depth", "3"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let header = run.out.lines().find(|line| line.starts_with("p cnf ")).expect("a header");
    let numbers: Vec<i64> = header.split_whitespace().skip(2).map(|it| it.parse().expect("a number")).collect();
    let clauses: Vec<&str> =
        run.out.lines().filter(|line| !line.starts_with(['c', 'p']) && !line.trim().is_empty()).collect();
    assert_eq!(clauses.len() as i64, numbers[1]);
    for clause in clauses {
        let literals: Vec<i64> = clause.split_whitespace().map(|it| it.parse().expect("a literal")).collect();
        assert_eq!(literals.last(), Some(&0), "{clause}");
        assert!(literals.iter().all(|literal| literal.abs() <= numbers[0]), "{clause}");
    }
    assert!(percept(&["export", KUHN, "--to", "asp", "--depth", "3"]).out.contains("over"));
    let unsaid = percept(&["export", KUHN, "--to", "asp"]);
    assert_eq!(unsaid.code, 2);
    assert!(unsaid.err.contains("--depth"), "{}", unsaid.err);
    let late = percept(&["export", KUHN, "--to", "asp", "--depth", "3", "--time", "0"]);
    assert_eq!((late.code, late.out.as_str()), (3, ""), "{}", late.err);
    assert!(late.err.contains("out of time"), "{}", late.err);
    let large = percept(&["export", KUHN, "--to", "efg", "--nodes", "5"]);
    assert_eq!((large.code, large.out.as_str()), (2, ""), "{}", large.err);
    // The report about an export is not part of it.
    assert!(percept(&["export", KUHN, "--to", "efg"]).err.starts_with("efg: "));
}

#[test]
fn a_strategy_stands_beside_the_moves() {
    let place = folder();
    let file = place.path().join("kuhn.strategy").display().to_string();
    assert_eq!(percept(&["solve", KUHN, "--strategy", &file]).code, 0);
    let trace = "games/kuhn-poker/traces/bet-pass.trace";
    let run = percept(&["step", KUHN, trace, "--print", "--strategy", &file]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains(" %"), "{}", run.out);
    let json = percept(&["step", KUHN, trace, "--format", "json", "--strategy", &file]).json();
    let mut choices = 0;
    for place in json["places"].as_array().expect("places") {
        for (role, weights) in
            place["roles"].as_array().expect("roles").iter().zip(place["strategy"].as_array().expect("strategies"))
        {
            let Some(weights) = weights.as_array() else { continue };
            assert_eq!(weights.len(), role["legal"].as_array().expect("moves").len());
            let sum: f64 = weights.iter().filter_map(Value::as_f64).sum();
            assert!((sum - 1.0).abs() < 1e-6, "{place}");
            choices += 1;
        }
    }
    assert!(choices >= 2, "{json}");
    // A file that is not a strategy, or belongs to another game, is refused.
    let wrong = percept(&["step", BOMB, "--print", "--strategy", &file]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("another game"), "{}", wrong.err);
    assert_eq!(percept(&["step", KUHN, "--print", "--strategy", KUHN]).code, 2);
    let nowhere = percept_in(place.path(), &["solve", &root().join(KUHN).display().to_string(), "--strategy", "-"]);
    assert_eq!(nowhere.code, 2);
    assert!(!place.path().join("-").exists());
}

/// `--evaluate` reads what `--strategy` writes; a solution leaves nothing to gain.
#[test]
fn strategies_are_evaluated() {
    let place = folder();
    let file = place.path().join("kuhn.strategy").display().to_string();
    assert_eq!(percept(&["solve", KUHN, "--strategy", &file]).code, 0);
    let number = |role: &Value, key: &str| role[key].as_f64().unwrap_or_else(|| panic!("{key}: {role}"));
    let json = percept(&["solve", KUHN, "--evaluate", &file, "--format", "json"]).json();
    // The first player never bets, so the second only ever answers a pass.
    let expected = [(875.0 / 18.0, 6), (925.0 / 18.0, 3)];
    for (role, (value, infosets)) in json["roles"].as_array().expect("roles").iter().zip(expected) {
        for (key, expected) in [("value", value), ("best", value), ("gain", 0.0)] {
            assert!((number(role, key) - expected).abs() < 1e-9, "{key}: {json}");
        }
        assert_eq!(role["infosets"], infosets, "{json}");
    }
    let uniform = ["solve", KUHN, "--evaluate", "uniform", "--zero", "50", "--unit", "25"];
    let run = percept(&uniform);
    assert!(run.out.contains("p1     0.125            0.5       0.375  6\n"), "{}", run.out);
    assert!(run.out.contains("so p1 can secure between -0.41666667 and 0.5"), "{}", run.out);
    let json = percept(&[&uniform[..], &["--format", "json"]].concat()).json();
    assert!((number(&json["roles"][1]["in_units"], "gain") - 65.0 / 120.0).abs() < 1e-9, "{json}");
    // A table by views with the same future, in which both players move at random.
    let shared = place.path().join("shared.strategy").display().to_string();
    write(&shared, "; percept strategy, version 2\n\n(role p1)\n(view)\n").expect("a file");
    let run = percept(&["solve", KUHN, "--evaluate", &shared, "--zero", "50", "--unit", "25"]);
    assert!(run.out.contains("p1     0.125            0.5       0.375  6\n"), "{}{}", run.out, run.err);
    assert!(run.out.contains("no positions: all information sets are counted"), "{}", run.out);

    let sampled = ["solve", KUHN, "--method", "mccfr", "--iterations", "500"];
    let bounded = percept(&[&sampled[..], &["--bounds", "--format", "json"]].concat()).json();
    assert_eq!((&bounded["kind"], bounded["values"].as_array().map(Vec::len)), (&"zero-sum".into(), Some(2)));
    assert!(number(&bounded["values"][0], "low") < 875.0 / 18.0, "{bounded}");
    assert!(percept(&[&sampled[..], &["--bounds"]].concat()).out.contains("(could gain "));
    assert!(percept(&sampled).out.starts_with("samples only"));
    let run = percept(&["solve", KUHN, "--bounds"]);
    assert!(run.code != 0 && run.err.contains("--bounds belongs to --method mccfr"), "{}", run.err);

    let run = percept(&["solve", BOMB, "--evaluate", &file]);
    assert!(run.code != 0 && run.err.contains("strategy of another game"), "{}", run.err);
    let run = percept(&["solve", KUHN, "--evaluate", &file, "--method", "lp"]);
    assert!(run.code != 0 && run.err.contains("--method"), "{}", run.err);
    let endless = "games/blind-tic-tac-toe-without-chance/blind-tic-tac-toe-without-chance.kif";
    let run = percept(&["solve", endless, "--evaluate", "uniform"]);
    assert!(run.code != 0 && run.err.contains("for ever"), "{}", run.err);
}
