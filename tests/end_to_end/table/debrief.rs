//! The author's report about the matches of people.

use serde_json::{Value, json};

use super::page::{Page, Table};
use super::{KUHN, play_out};
use crate::support::{folder, percept, write};

/// A match of Kuhn poker in which p1 bets and p2 passes; the report as JSON, and its page.
fn kuhn(seed: &str) -> (Value, String) {
    let folder = folder();
    let out = folder.path().join("matches.jsonl").to_str().unwrap().to_string();
    let table = Table::of(&[KUHN, "--seed", seed, "--out", &out, "--seat", "p1=human:ann"]);
    let (mut ann, mut other) = (table.page("p1"), table.page("p2"));
    let seat = ann.until_it(|it| it["turn"] == "you");
    ann.wish(json!({ "wish": "note", "match": 0, "round": 1, "text": "what <is> a\nbet?" }));
    ann.until("noted");
    ann.wish(json!({ "wish": "move", "match": 0, "round": 1, "move": "(fold)" }));
    ann.until("refused");
    let choose = |page: &mut Page, seat: &Value, name: &str| page.choose(0, seat, &json!(name));
    choose(&mut ann, &seat, "bet");
    let seat = other.until_it(|it| it["turn"] == "you");
    choose(&mut other, &seat, "pass");
    ann.until("opened");
    drop(table);
    let html = folder.path().join("report.html").to_str().unwrap().to_string();
    let run = percept(&["debrief", &out, "--format", "json", "--html", &html]);
    assert_eq!(run.code, 0, "{}", run.err);
    let human = percept(&["debrief", &out]);
    assert!(human.out.contains("p1 (ann) did not understand, after round 1: what <is> a bet?"), "{}", human.out);
    assert!(human.out.contains("p1 (ann) tried (fold) after round 1"), "{}", human.out);
    (run.json(), percept_test::read(&html))
}

#[test]
fn a_report_names_moves_in_words() {
    let folder = folder();
    let text = percept_test::read(percept_test::root().join(KUHN)) + "\n; percept: say bet \"put a coin\"\n";
    let game = write(folder.path(), "kuhn.kif", text);
    let out = folder.path().join("matches.jsonl").to_str().unwrap().to_string();
    let table = Table::of(&[&game, "--out", &out, "--seat", "p2=random"]);
    let mut page = table.page("p1");
    let seat = page.until_it(|it| it["turn"] == "you");
    page.wish(json!({ "wish": "tried", "match": 0, "round": 1, "text": "bet" }));
    page.choose(0, &seat, &json!("bet"));
    page.until("opened");
    drop(table);
    let html = folder.path().join("report.html").to_str().unwrap().to_string();
    let human = percept(&["debrief", &out, "--html", &html]).out;
    assert!(human.contains("round 2, p1 (human): put a coin"), "{human}");
    assert!(human.contains("p1 (human) tried put a coin after round 1"), "{human}");
    assert!(percept_test::read(&html).contains("<td>put a coin</td>"), "the page");
    let report = percept(&["debrief", &out, "--format", "json"]).json();
    let it = &report["matches"][0];
    assert_eq!((&it["roles"][0]["decisions"][0]["move"], &it["says"]["bet"]), (&json!("bet"), &json!("put a coin")));
}

#[test]
fn a_report_has_times_notes_and_surprise() {
    let (report, page) = kuhn("1");
    let it = &report["matches"][0];
    assert_eq!((&it["game"], &it["ended"], &it["rounds"]), (&json!("kuhn-poker"), &json!("over"), &json!(3)));
    let (ann, other) = (&it["roles"][0], &it["roles"][1]);
    assert_eq!((&ann["player"], &other["player"]), (&json!("ann"), &json!("human")));
    let decision = &ann["decisions"][0];
    assert_eq!((&decision["round"], &decision["move"], &decision["moves"]), (&json!(2), &json!("bet"), &json!(2)));
    assert!(decision["seconds"].as_f64().expect("seconds") < 60.0);
    assert_eq!(ann["tried"], json!([{ "round": 1, "text": "(fold)" }]));
    assert_eq!(ann["notes"], json!([{ "round": 1, "text": "what <is> a bet?" }]));
    // A card of three: log2 3 bits. The other's bet and pass are one of two moves: 1 bit. Its own move does not surprise a role.
    let bits = |role: &Value| -> Vec<f64> {
        role["surprise"].as_array().unwrap().iter().map(|it| it["bits"].as_f64().unwrap()).collect()
    };
    let is_close =
        |found: Vec<f64>, wanted: [f64; 3]| found.iter().zip(wanted).all(|(it, other)| (it - other).abs() < 1e-9);
    assert!(is_close(bits(ann), [3f64.log2(), 0.0, 1.0]), "{ann}");
    assert!(is_close(bits(other), [3f64.log2(), 1.0, 0.0]), "{other}");
    assert!(ann["surprise"].as_array().unwrap().iter().all(|it| it["exact"] == true));
    let summary = &report["games"][0];
    assert_eq!((&summary["decisions"], &summary["notes"], &summary["tried"]), (&json!(2), &json!(1), &json!(1)));
    // The page is one file, without scripts, and what people wrote is text.
    assert!(page.contains("what &lt;is&gt; a bet?") && !page.contains("<is>"), "{page}");
    assert!(!page.contains("<script") && !page.contains("http") && page.contains("Surprise by round"));
    assert!(!page.contains("NaN"));
}

/// Ann can lose only in the first round, by `risky`. Then both go on choosing in vain.
const EARLY: &str = "(role ann) (role bob) (base lost) (base (at 0)) (base (at 1)) (base (at 2)) (base (at 3))
(input ann safe) (input ann risky) (input bob left) (input bob right) (succ 0 1) (succ 1 2) (succ 2 3)
(init (at 0)) (legal ann safe) (legal ann risky) (legal bob left) (legal bob right)
(<= (next lost) (true (at 0)) (does ann risky) (does bob left)) (<= (next lost) (true lost))
(<= (next (at ?m)) (true (at ?n)) (succ ?n ?m)) (<= (sees ann bad) (true (at 0)) (does ann risky) (does bob left))
(<= terminal (true (at 3))) (<= (goal ann 0) (true lost)) (<= (goal ann 100) (not (true lost)))
(<= (goal bob 100) (true lost)) (<= (goal bob 0) (not (true lost)))";

#[test]
fn a_report_says_whose_result_was_certain_early() {
    let folder = folder();
    let game = write(folder.path(), "early.kif", EARLY);
    let out = folder.path().join("matches.jsonl").to_str().unwrap().to_string();
    let table = Table::of(&[&game, "--out", &out]);
    let (mut ann, mut bob) = (table.page("ann"), table.page("bob"));
    // Both make their first moves: risky and left.
    play_out(&mut ann, &mut bob, 0);
    // The author has changed the game since: the report knows the text that was played.
    drop(table);
    write(folder.path(), "early.kif", "(role nobody)");
    let report = percept(&["debrief", &out, "--format", "json", "--time", "20s"]).json();
    let roles = &report["matches"][0]["roles"];
    // Ann knows what she did. Bob does not learn it, so his goal stays open up to the end.
    assert_eq!(roles[0]["certain"], json!({ "after": 1, "goal": [0], "before": "open" }), "{roles}");
    assert_eq!(roles[1].get("certain"), None, "{roles}");
    assert_eq!(report["games"][0]["certain"], 1);
    let none = percept(&["debrief", "there-is-no-such-file.jsonl"]);
    assert_eq!(none.code, 2);
    assert!(none.err.contains("percept table --out FILE"), "{}", none.err);
}
