//! SARIF output is complete SARIF 2.1.0: it is read with types made from the schema of the standard.

use serde_sarif::sarif::Sarif;

use crate::support::{folder, percept, write};

/// Reads the output of a command; returns the rules of its results.
fn read(args: &[&str]) -> Vec<String> {
    let run = percept(&[args, &["--format", "sarif"]].concat());
    let log: Sarif = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{args:?}: {error}\n{}", run.out));
    assert_eq!(log.version, serde_json::json!("2.1.0"));
    assert_eq!(log.runs.len(), 1);
    let results = log.runs[0].results.as_deref().unwrap_or_default();
    let rules = log.runs[0].tool.driver.rules.as_deref().unwrap_or_default();
    let mut named = Vec::new();
    for result in results {
        let id = result.rule_id.as_ref().expect("a rule");
        let index = result.rule_index.expect("its place") as usize;
        assert_eq!(rules[index].id, *id, "{args:?}");
        for location in result.locations.iter().flatten().chain(result.related_locations.iter().flatten()) {
            let place = location.physical_location.as_ref().expect("a place");
            assert!(place.artifact_location.as_ref().is_some_and(|it| it.uri.is_some()), "{args:?}");
            let region = place.region.as_ref().expect("a region");
            let start = (region.start_line.expect("a line"), region.start_column.expect("a column"));
            let end = (region.end_line.expect("a line"), region.end_column.expect("a column"));
            assert!((1, 1) <= start && start <= end, "{args:?}: {start:?} {end:?}");
        }
        named.push(id.clone());
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
