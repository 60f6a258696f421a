//! SARIF output has the places, rules and levels that a code host asks for. (tests/python reads it with independent
//! types of the standard.)

use serde_json::Value;

use crate::support::{folder, percept, write};

/// Reads the output of a command; returns the rules of its results.
fn read(args: &[&str]) -> Vec<String> {
    let log = percept(&[args, &["--format", "sarif"]].concat()).json();
    assert_eq!((&log["version"], log["runs"].as_array().map(Vec::len)), (&"2.1.0".into(), Some(1)));
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let run = &log["runs"][0];
    let mut named = Vec::new();
    for result in list(&run["results"]) {
        let index = result["ruleIndex"].as_u64().expect("the place of its rule") as usize;
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"], "{args:?}");
        assert!(result["message"]["text"].is_string() && result["level"].is_string(), "{args:?}");
        for location in list(&result["locations"]).iter().chain(&list(&result["relatedLocations"])) {
            let place = &location["physicalLocation"];
            assert!(place["artifactLocation"]["uri"].is_string(), "{args:?}");
            let number = |key: &str| place["region"][key].as_u64().expect("a number");
            let (start, end) = ((number("startLine"), number("startColumn")), (number("endLine"), number("endColumn")));
            assert!((1, 1) <= start && start <= end, "{args:?}: {start:?} {end:?}");
        }
        named.push(result["ruleId"].as_str().expect("a rule").to_string());
    }
    named
}

#[test]
fn findings() {
    let place = folder();
    let gdl = write(place.path(), "one two.kif", "(role white)\n(<= (legal white a) (true (f ?x))\n");
    let domain = write(place.path(), "d.pog", "(define (domain d) (:action a :effect (p)))");
    assert!(!read(&["check", &gdl]).is_empty());
    assert!(!read(&["check", &domain]).is_empty());
    assert!(!read(&["check", "tests/end_to_end/ten-mistakes.kif"]).is_empty());
    assert!(read(&["check", "games/gops"]).iter().all(|rule| !rule.is_empty()));
}

#[test]
fn verdicts() {
    let folder = "games/blind-tic-tac-toe";
    let game = format!("{folder}/blind-tic-tac-toe.kif");
    let trace = format!("{folder}/traces/no-line.trace");
    assert_eq!(read(&["observe", &game, &trace, "--role", "white"]), ["unknown-end"]);
    assert!(read(&["prove", &game, "--role", "white", "--time", "60"]).contains(&"unknown-end".to_string()));
    let (gops, trace) = ("games/gops/gops-2-10.pog", "games/gops/traces/one-round.trace");
    read(&["observe", gops, trace, "--role", "p1"]);
}
