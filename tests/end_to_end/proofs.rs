//! `percept prove --certificate` and `--check`: a proof is written to a file and followed again, or is refused.

use crate::support::{folder, percept, root};

const BLIND: &str = "games/blind-tic-tac-toe/blind-tic-tac-toe.kif";
const KUHN: &str = "games/kuhn-poker/kuhn-poker.kif";

#[test]
fn a_proof_is_written_checked_and_refused_where_it_does_not_belong() {
    let folder = folder();
    let path = folder.path().join("legal.json");
    let file = path.to_str().expect("a path in UTF-8");
    for method in ["structure", "induction"] {
        let ask = ["prove", BLIND, "--role", "white", "--property", "legal", "--method", method, "--certificate", file];
        let run = percept(&ask);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{method}");
        let run = percept(&["prove", BLIND, "--check", file, "--role", "white", "--property", "legal"]);
        assert_eq!(run.code, 0, "{}{}", run.out, run.err);
        assert!(run.out.contains("white always knows its legal moves"), "{}", run.out);
    }
    let answer = percept(&["prove", BLIND, "--check", file, "--format", "json"]).json();
    assert_eq!((&answer["schema"], &answer["right"]), (&"percept-prove-check".into(), &true.into()));
    // A certificate for another question, and for another game.
    for (game, more) in [(BLIND, ["--role", "black"]), (BLIND, ["--property", "goal"]), (KUHN, ["--time", "60"])] {
        let run = percept(&["prove", game, "--check", file, more[0], more[1]]);
        assert_eq!(run.code, 1, "{game} {more:?}: {}", run.out);
        assert!(run.out.contains("proves nothing"), "{}", run.out);
    }
    // A file cut short, and files that are none.
    let text = std::fs::read(&path).expect("it was written");
    for broken in [&text[..text.len() / 2], b"", b"{}", b"[1]", b"\xff\xfe\x00"] {
        std::fs::write(&path, broken).expect("there is room");
        let run = percept(&["prove", BLIND, "--check", file]);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{broken:?}");
        assert!(run.err.contains("is not a certificate"), "{}", run.err);
    }
    let run = percept(&["prove", BLIND, "--check", "games"]);
    assert_eq!(run.code, 2, "{}", run.out);
}

#[test]
fn what_is_not_proved_cannot_be_written() {
    let folder = folder();
    let path = folder.path().join("goal.json");
    let file = path.to_str().expect("a path in UTF-8");
    let run = percept(&["prove", BLIND, "--role", "white", "--property", "goal", "--certificate", file]);
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(!path.exists());
}

#[test]
fn the_table_replays_every_refutation() {
    let path = root().join(KUHN);
    let run = percept(&["bench", "prove", path.to_str().expect("UTF-8"), BLIND, "--time", "20", "--format", "json"]);
    let table = run.json();
    let rows = table["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 12, "two games, two players each, three properties");
    for row in rows {
        let refuted = row["verdict"] == "refuted";
        assert_eq!(row["replays"], if refuted { true.into() } else { serde_json::Value::Null }, "{row}");
        assert_eq!(row["witness"].is_object(), refuted, "{row}");
    }
    assert!(rows.iter().any(|row| row["game"] == "kuhn-poker.kif" && row["verdict"] == "proved"));
}

/// Random matches show a pair, long or short; they do not answer custom queries.
#[test]
fn random_matches_refute() {
    let ask = |more: &[&str]| percept(&[&["prove", BLIND, "--role", "white", "--method", "matches"], more].concat());
    let run = ask(&["--property", "goal", "--format", "json"]);
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    let finding = &run.json()["findings"][0];
    assert_eq!((&finding["verdict"], &finding["method"]), (&"refuted".into(), &"matches".into()), "{finding}");
    assert!(finding["depth"].as_u64().is_some_and(|rounds| rounds >= 3), "{finding}");
    // A known property is never refuted, and stays open.
    let run = ask(&["--property", "legal", "--time", "0.2s"]);
    assert_eq!(run.code, 3, "{}{}", run.out, run.err);
    let question = "(always (implies terminal (knows white (goal white ?v))))";
    let run = percept(&["prove", BLIND, "--method", "matches", "--query", question]);
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("use another --method"), "{}", run.err);
}
