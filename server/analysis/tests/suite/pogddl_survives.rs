//! For every text, the check ends, does not panic, and reports places in the text.

use percept_analysis::{Diagnostic, Settings, check_pddl};
use percept_syntax::{Language, Source};
use proptest::prelude::*;

const GAME: &str = "(define (domain coin) (:requirements :adl :fluents :derived-predicates :pogddl) (:types role face - thing other)
  (:constants chance p1 p2 - role heads tails - face all others u - other)
  (:predicates (whoseturn ?r - role) (shown ?f - face) (known ?x - (either role face)) (lucky ?f - face))
  (:functions (score ?r - role))
  (:derived (lucky ?f - face) (or (shown ?f) (exists (?g - face) (and (shown ?g) (not (= ?f ?g))))))
  (:action toss :parameters (?f ?g - face) :precondition (and (whoseturn chance) (not (= ?f ?g)) (< (score p1) 10))
    :effect (and (not (whoseturn chance)) (whoseturn p1) (forall (?h - face) (when (shown ?h) (not (shown ?h))))
      (increase (score p1) (- (* 2 (score p1)) 1)) (observe (p1 (tossed ?f)) (others (tossed u)))))
  (:action show :parameters (?f - face) :precondition (and (whoseturn p1) (imply (shown ?f) (known ?f)))
    :effect (and (not (whoseturn p1)) (shown ?f) (known ?f) (observe (all (shown ?f)))))
  (:gain ?p - role (score ?p) (forall (?f - face) (lucky ?f))))
(define (problem one) (:domain coin) (:objects x y - face) (:init (whoseturn chance) (known x) (= (score p1) 0) (= (score p2) 0)) (:goal (shown x)))";

fn parse(text: &str) -> Source {
    Source::parse(text.to_owned(), Language::Pogddl)
}

fn check_places(list: &[Diagnostic], sources: [Option<&Source>; 2]) {
    for d in list {
        let places = std::iter::once((d.file, d.range)).chain(d.related.iter().map(|r| (r.file, r.range)));
        let edits = d.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| (edit.file, edit.range));
        for (file, range) in places.chain(edits) {
            let source = sources[file.0 as usize].expect("a file that is there");
            assert!(source.text.get(range.as_usize()).is_some(), "{d:?}");
        }
        assert!(!d.message.is_empty());
    }
}

fn survives(domain: &str, problem: &str) {
    let (domain, problem) = (parse(domain), parse(problem));
    let settings = Settings::default();
    for pair in [[Some(&domain), Some(&problem)], [Some(&domain), None], [None, Some(&problem)]] {
        check_places(&check_pddl(pair[0], pair[1], &settings), pair);
    }
}

#[test]
fn declarations_are_added_at_places_in_the_text() {
    let rest = "(:action a :parameters () :precondition (p) :effect (q)))";
    for domain in ["(define (domain coin", "(define (domain coin (:predicates (r \u{e9}", "(define (domain coin ; x"] {
        survives(domain, "(define (problem one) (:domain coin) (:init (p)) (:goal (q)))");
    }
    // A domain without a name; the use is in the problem.
    survives("(define (domain) (:types t))", "(define (problem one) (:domain coin) (:objects a b c d) (:init (p)))");
    for begin in ["(define (domain coin)", "(define (domain coin )", "(define (domain coin ; )\n  )"] {
        let domain = parse(&format!("{begin}{rest}"));
        let findings = check_pddl(Some(&domain), None, &Settings::default());
        let finding = findings.iter().find(|finding| finding.rule.name == "unknown-predicate").expect("p and q");
        let edit = &finding.fixes[0].edits[0];
        assert_eq!(edit.range.start as usize, begin.len(), "{begin}");
        let mut text = domain.text.to_string();
        text.insert_str(edit.range.start as usize, &edit.insert);
        let again = check_pddl(Some(&parse(&text)), None, &Settings::default());
        assert!(again.iter().all(|finding| finding.rule.name != "unknown-predicate"), "{text}: {again:?}");
    }
}

/// Words and brackets in any order.
fn soup() -> impl Strategy<Value = String> {
    let words: Vec<String> =
        GAME.replace('(', " ( ").replace(')', " ) ").split_whitespace().map(str::to_owned).collect();
    prop::collection::vec(prop::sample::select(words), 0..80).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 200 } else { 2_000 }))]

    #[test]
    fn arbitrary_bytes(domain in prop::collection::vec(any::<u8>(), 0..300), problem in prop::collection::vec(any::<u8>(), 0..300)) {
        survives(&String::from_utf8_lossy(&domain), &String::from_utf8_lossy(&problem));
    }

    #[test]
    fn words_in_no_order(domain in soup(), problem in soup()) {
        survives(&domain, &problem);
        survives(&format!("(define (domain d) {domain})"), &format!("(define (problem p) (:domain d) {problem})"));
    }

    /// Moves one stretch of a game elsewhere.
    #[test]
    fn a_game_with_an_accident(from in 0..GAME.len(), length in 0..60_usize, to in 0..GAME.len()) {
        let end = (from + length).min(GAME.len());
        let without = format!("{}{}", &GAME[..from], &GAME[end..]);
        survives(&without, &without);
        let to = to.min(without.len());
        let moved = format!("{}{}{}", &without[..to], &GAME[from..end], &without[to..]);
        survives(&moved, "");
    }
}

#[test]
fn the_game_itself_is_right() {
    let source = parse(GAME);
    let list = check_pddl(Some(&source), None, &Settings::default());
    let worse: Vec<_> = list.iter().filter(|d| d.severity > percept_analysis::Severity::Hint).collect();
    assert!(worse.is_empty(), "{worse:#?}");
}

/// A rule with thousands of findings shows a thousand of them, and one more for all others that no comment silences.
#[test]
fn of_one_rule_a_thousand_findings_are_shown() {
    const ALL: usize = 3000;
    let doubled: String = (0..ALL).map(|i| format!("(p{i}) (p{i})\n")).collect();
    let text =
        format!("(define (domain d) (:predicates {doubled}(last)\n; percept: allow(duplicate-declaration)\n(last)))");
    let source = parse(&text);
    let findings = percept_analysis::check(&source, &Settings::default());
    let doubles: Vec<&Diagnostic> = findings.iter().filter(|it| it.rule.name == "duplicate-declaration").collect();
    let mut places: Vec<_> = doubles.iter().map(|it| it.range.start).collect();
    places.dedup();
    assert_eq!(places.len(), 1001);
    assert_eq!(doubles.iter().map(|it| 1 + it.more).sum::<usize>(), ALL);
    assert_eq!(doubles[1000].message, "and 2000 more findings of `duplicate-declaration`: 1000 are shown");
}
