//! Numbers that no match can have are reported at their place, by the rules for play and by the plain ones.

use percept_game::{Game, JointMove, MoveId, PogddlOptions, plain};
use percept_syntax::{Language, Source};

/// A role counts once: `condition` and `effect` are those of its action, `gain` its payoff. `init` gives the initial
/// numbers.
fn counting(condition: &str, effect: &str, gain: &str, init: &str) -> Source {
    let text = format!(
        "(define (domain d) (:requirements :typing :fluents :conditional-effects :pogddl)
           (:types role other) (:constants p1 - role all - other)
           (:predicates (whoseturn ?r - role) (lit)) (:functions (x) (y) (z))
           (:action count :precondition (and (whoseturn p1) {condition})
             :effect (and (not (whoseturn p1)) {effect} (observe (all (counted)))))
           {gain})
         (define (problem p) (:domain d) (:init (whoseturn p1) {init}))"
    );
    let source = Source::parse(text, Language::Pogddl);
    assert!(source.errors.is_empty(), "{:?}", source.errors);
    source
}

/// Plays to the end and asks for everything on the way.
fn play(game: &Game) {
    let mut at = game.start();
    while !at.is_terminal() {
        let joint: JointMove = game.role_ids().map(|role| at.legal(role)[0]).collect();
        assert_ne!(joint, [MoveId::NOOP]);
        game.role_ids().for_each(|role| assert!(at.goals(role).len() == 1 && at.percepts(&joint, role).len() < 2));
        at.step(&joint);
    }
    game.role_ids().for_each(|role| assert_eq!(at.goals(role).len(), 1));
}

/// The place of the fault, and its message.
fn fault(source: &Source) -> Option<String> {
    let (domain, problem) = (source.domain().expect("a domain"), source.problem().expect("a problem"));
    let game = Game::from_pogddl(domain, problem, &PogddlOptions::default()).expect("a game");
    assert!(game.rules.fault().is_none());
    play(&game);
    let fault = game.rules.fault()?;
    Some(format!("{}: {}", &source.text[fault.range.as_usize()], fault.message))
}

/// The message of the plain rules, with every number as a register, or within its range.
fn plain_fault(source: &Source, in_ranges: bool) -> Option<String> {
    let (domain, problem) = (source.domain().expect("a domain"), source.problem().expect("a problem"));
    let options = PogddlOptions::default();
    let game = Game::from_pogddl(domain, problem, &options).expect("a game");
    let ranges = if in_ranges { plain::ranges(&game) } else { Vec::new() };
    let plain = plain::pogddl(domain, problem, &options, &ranges).expect("a plain game");
    play(&plain);
    plain.rules.fault().map(|fault| fault.message)
}

const BEYOND: &str =
    "a match reaches a number that does not fit in 64 bits (-9223372036854775808 to 9223372036854775807)";
const GREATEST: &str = "(= (x) 9223372036854775805) (= (y) 9223372036854775805)";
const LEAST: &str = "(= (x) -9223372036854775805)";

#[test]
fn what_leaves_64_bits_is_told_at_its_place() {
    let gain = "(:gain ?p - role (x) (and))";
    for (effect, init, place) in [
        ("(increase (x) 10)", GREATEST, "(increase (x) 10)"),
        ("(decrease (x) 10)", LEAST, "(decrease (x) 10)"),
        ("(scale-up (x) 2)", GREATEST, "(scale-up (x) 2)"),
        ("(assign (x) (- (+ (x) 9) 9))", GREATEST, "(+ (x) 9)"),
        ("(assign (x) (* (y) 9))", GREATEST, "(* (y) 9)"),
        ("(assign (x) (- 9223372036854775807 -1))", "", "(- 9223372036854775807 -1)"),
        ("(when (< 0 (- (x) 9)) (lit))", LEAST, "(- (x) 9)"),
    ] {
        let source = counting("", effect, gain, init);
        assert_eq!(fault(&source), Some(format!("{place}: {BEYOND}")));
        let is_condition = effect.starts_with("(when");
        let plainly = (!is_condition).then(|| "a match reaches a number that does not fit in 64 bits".to_owned());
        assert_eq!(plain_fault(&source, false), plainly, "{effect}");
    }
    // Three gains, of which two are too much together.
    let gains = "(:gain ?p - role (x) (and)) (:gain ?p - role (y) (lit)) (:gain ?p - role -5 (and))";
    assert_eq!(fault(&counting("", "(lit)", gains, GREATEST)), Some(format!("(y): {BEYOND}")));
    assert!(plain_fault(&counting("", "(lit)", gains, GREATEST), true).is_some());
    assert!(plain_fault(&counting("", "(increase (x) 10)", gain, GREATEST), true).is_some());
}

#[test]
fn a_division_by_zero_is_told_where_it_decides() {
    let by_zero = |place: &str| Some(format!("{place}: a match divides by zero here"));
    let (gain, init) = ("(:gain ?p - role (x) (and))", "(= (x) 7)");
    let source = counting("", "(assign (x) (/ (x) (z)))", gain, init);
    assert_eq!(fault(&source), by_zero("(/ (x) (z))"));
    assert_eq!(fault(&counting("", "(scale-down (x) 0)", gain, init)), by_zero("(scale-down (x) 0)"));
    assert_eq!(fault(&counting("", "(lit)", "(:gain ?p - role (/ 7 (z)) (and))", init)), by_zero("(/ 7 (z))"));
    let plainly = counting("", "(assign (x) (/ (y) (z))) (increase (z) 0) (increase (y) 1)", gain, init);
    assert_eq!(plain_fault(&plainly, false).as_deref(), Some("a match divides by zero"));
    // In a condition it is 0, because its guard may be evaluated later; an action not taken or a gain not paid is not a
    // fault.
    for (condition, effect, gain) in [
        ("(or (= (z) 0) (< (/ (x) (z)) 1))", "(when (< 0 (z)) (assign (x) (/ (x) (z))))", gain),
        ("(< (/ (x) (z)) 1)", "(lit)", "(:gain ?p - role (/ 7 (z)) (not (= (z) 0)))"),
        ("", "(assign (z) 1)", "(:gain ?p - role (/ 7 (z)) (and))"),
    ] {
        let source = counting(condition, effect, gain, init);
        assert_eq!((fault(&source), plain_fault(&source, false)), (None, None), "{effect}");
    }
}

#[test]
fn the_ends_of_64_bits_are_no_fault() {
    let gain = "(:gain ?p - role (x) (and))";
    for effect in
        ["(increase (x) 2)", "(assign (x) (+ (x) 2))", "(assign (x) 9) (increase (x) 9)", "(scale-down (x) -1)"]
    {
        let source = counting("", effect, gain, GREATEST);
        assert_eq!((fault(&source), plain_fault(&source, false)), (None, None), "{effect}");
    }
}
