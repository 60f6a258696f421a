//! A role's knowledge of its own moves in POGDDL: a thief tries the digits of a lock, and sometimes learns the digit.

use std::time::{Duration, Instant};

use percept_game::trace::{self, Trace};
use percept_game::{Game, MoveId, PogddlTerminal, RoleId};
use percept_infoset::own::{self, Disclosure};
use percept_infoset::prove::certificate;
use percept_infoset::prove::{Method, Options, Prover, Verdict, is_real, many};
use percept_infoset::{Budget, DEFAULT_MEMORY, ObserveOptions, Property, View, observe};

use crate::support::both::Both;

const THIEF: RoleId = RoleId(1);

/// The lock opens at one of three digits; the thief has `tries` tries, and perceives `answer` after each.
fn texts(answer: &str, tries: usize) -> [String; 2] {
    let domain = format!(
        "(define (domain lock)
            (:requirements :typing :equality :negative-preconditions :conditional-effects :pogddl)
            (:types role digit time other)
            (:constants chance thief - role t0 t1 t2 t3 t4 - time all others u - other)
            (:predicates (whoseturn ?r - role) (opens ?d - digit) (now ?t - time) (then ?t ?s - time) (open))
            (:action lock
                :parameters (?d - digit)
                :precondition (whoseturn chance)
                :effect (and (not (whoseturn chance)) (whoseturn thief) (opens ?d)))
            (:action try
                :parameters (?d - digit ?t ?s - time)
                :precondition (and (whoseturn thief) (now ?t) (then ?t ?s) (not (open)))
                :effect (and (not (now ?t)) (now ?s) (when (opens ?d) (open)) {answer}))
            (:gain ?p - role 1 (and (= ?p thief) (open))))"
    );
    let then: String = (0..tries).map(|at| format!(" (then t{at} t{})", at + 1)).collect();
    let problem = format!(
        "(define (problem lock-{tries}) (:domain lock) (:objects one two three - digit)
            (:init (whoseturn chance) (now t0){then}))"
    );
    [domain, problem]
}

/// The thief only hears a click if it was right.
const CLICKS: &str = "(when (opens ?d) (observe (thief (click))))";
/// The thief learns the digit; it has to count the tries itself.
const DIGIT: &str = "(observe (thief (tried ?d)))";
/// The thief learns the whole move.
const MOVE: &str = "(observe (thief (try ?d ?t ?s)))";
/// The thief learns the digit, except at the last try.
const NOT_LAST: &str = "(when (not (now t2)) (observe (thief (tried ?d))))";

fn game(answer: &str, tries: usize) -> Both {
    let [domain, problem] = texts(answer, tries);
    let both = Both::pogddl(&[&domain, &problem], PogddlTerminal::NoMoves);
    assert_eq!(both.game.role("thief"), Some(THIEF));
    both
}

fn minute() -> Budget {
    Budget { deadline: Some(Instant::now() + Duration::from_secs(60)), ..Budget::default() }
}

fn verdict(game: &Game, method: Method) -> Verdict {
    let options = Options { method, ..Options::default() };
    let verdict = Prover::new(game).prove(THIEF, Property::Own, &options, &minute()).verdict;
    if let Verdict::Refuted { pair, .. } = &verdict {
        assert!(is_real(game, THIEF, Property::Own, pair), "{pair:?}");
        let own = |history: &[Vec<MoveId>]| history.last().expect("a round")[THIEF.0 as usize];
        assert_ne!(own(&pair.left), own(&pair.right));
    }
    verdict
}

fn rounds(verdict: &Verdict) -> Option<usize> {
    match verdict {
        Verdict::Refuted { pair, .. } => Some(pair.left.len()),
        _ => None,
    }
}

#[test]
fn answers_that_come_sometimes_do_not_tell_the_move() {
    let Both { game, .. } = game(CLICKS, 3);
    for method in [Method::Auto, Method::Bounded, Method::Pairs] {
        assert_eq!(rounds(&verdict(&game, method)), Some(2), "{method:?}");
    }
    // Random matches refute it, too, but not necessarily by a shortest pair.
    assert!(rounds(&verdict(&game, Method::Matches)).is_some_and(|rounds| rounds >= 2));
    for method in [Method::Structure, Method::Induction] {
        assert!(!matches!(verdict(&game, method), Verdict::Proved { .. }), "{method:?}");
    }
    // The search goes to the requested depth, and no deeper.
    let options = Options { method: Method::Pairs, depth: Some(1), ..Options::default() };
    let open = Prover::new(&game).prove(THIEF, Property::Own, &options, &minute()).verdict;
    assert_eq!(open, Verdict::Open { depth: 1 });
}

#[test]
fn a_move_that_is_told_is_known() {
    let digit = game(DIGIT, 3).game;
    for method in [Method::Auto, Method::Bounded, Method::Pairs, Method::Induction] {
        assert!(matches!(verdict(&digit, method), Verdict::Proved { .. }), "{method:?}");
    }
    // If the percept is the whole move, the rules alone prove it.
    for method in [Method::Auto, Method::Structure] {
        let verdict = verdict(&game(MOVE, 3).game, method);
        assert!(matches!(verdict, Verdict::Proved { method: "structure", .. }), "{method:?}: {verdict:?}");
    }
}

#[test]
fn a_move_that_is_not_told_late_is_found_late() {
    let Both { game, .. } = game(NOT_LAST, 3);
    for method in [Method::Auto, Method::Bounded, Method::Pairs] {
        assert_eq!(rounds(&verdict(&game, method)), Some(4), "{method:?}");
    }
}

/// Proofs can be followed on a second reading of the rules, but not if the rules reveal less.
#[test]
fn proofs_can_be_written_down_and_followed() {
    for (answer, method) in
        [(DIGIT, Method::Bounded), (DIGIT, Method::Pairs), (DIGIT, Method::Induction), (MOVE, Method::Structure)]
    {
        let Both { game: right, plain, numbers } = game(answer, 3);
        let Verdict::Proved { argument: Some(argument), .. } = verdict(&right, method) else {
            panic!("no proof by {method:?}");
        };
        let write = |plain: &Game| {
            certificate::write(&right, (plain, &numbers), THIEF, Property::Own, false, &argument, &minute())
        };
        let written = write(&plain).unwrap_or_else(|why| panic!("{method:?}: {why}"));
        assert_eq!(certificate::check(&plain, &written, &minute()), Ok((THIEF, Property::Own)), "{method:?}");
        for other in [CLICKS, NOT_LAST] {
            let untold = game(other, 3).plain;
            let again = write(&untold).and_then(|written| certificate::check(&untold, &written, &minute()));
            assert!(again.is_err(), "{method:?} {other}");
            assert!(certificate::check(&untold, &written, &minute()).is_err(), "{method:?} {other}");
        }
    }
}

fn played(game: &Game, text: &str) -> Vec<Vec<MoveId>> {
    match trace::read(game, text.as_bytes()) {
        Ok(Trace::Match(rounds)) => rounds,
        other => panic!("{other:?}"),
    }
}

const MATCH: &str = "(lock two) (try one t0 t1) (try three t1 t2) (try two t2 t3)";

#[test]
fn along_a_match_each_round_is_judged() {
    let unknown = |answer: &str, exact: bool| -> Vec<usize> {
        let Both { game, .. } = game(answer, 3);
        let exact_time = if exact { Duration::from_secs(60) } else { Duration::ZERO };
        let options = ObserveOptions { exact_time, ..ObserveOptions::default() };
        let observed = observe(&game, &played(&game, MATCH), &options, &minute()).expect("a match");
        let own = observed.findings.iter().filter(|it| it.property == Property::Own);
        own.inspect(|it| assert!(matches!(it.verdict, percept_infoset::Verdict::Unknown(_)), "{it:?}"))
            .map(|it| it.round)
            .collect()
    };
    for exact in [true, false] {
        // After a click, the digit of the last round is known; the digits of the tries before it are not.
        assert_eq!(unknown(CLICKS, exact), [2, 3, 4], "{exact}");
        assert_eq!(unknown(DIGIT, exact), [0; 0], "{exact}");
        assert_eq!(unknown(NOT_LAST, exact), [4], "{exact}");
    }
    // On request, known properties are reported, too: in all rounds except the beginning.
    let Both { game, .. } = game(DIGIT, 3);
    let options = ObserveOptions { properties: vec![Property::Own], ..ObserveOptions::default() };
    let observed = observe(&game, &played(&game, MATCH), &options, &minute()).expect("a match");
    assert_eq!(observed.findings.iter().map(|it| it.round).collect::<Vec<_>>(), [1, 2, 3, 4]);
}

#[test]
fn a_view_tells_the_moves_that_all_its_histories_share() {
    let shown = |answer: &str| -> Vec<String> {
        let Both { game, .. } = game(answer, 3);
        let view = View::of_match(&game, THIEF, &played(&game, MATCH)).expect("a match");
        let disclosures = own::disclosures(&game, &view, DEFAULT_MEMORY, &minute());
        let name = |disclosures: &Disclosure| match disclosures {
            Disclosure::Made(mv) => game.rules.move_name(THIEF, *mv),
            Disclosure::Nothing => "?".to_string(),
            Disclosure::Undecided => panic!("undecided"),
        };
        disclosures.iter().map(name).collect()
    };
    assert_eq!(shown(CLICKS), ["noop", "?", "?", "?"]);
    assert_eq!(shown(DIGIT), ["noop", "(try one t0 t1)", "(try three t1 t2)", "(try two t2 t3)"]);
    assert_eq!(shown(NOT_LAST), ["noop", "(try one t0 t1)", "(try three t1 t2)", "?"]);
}

#[test]
fn unasked_only_what_is_not_known_is_told() {
    let verdicts = |game: &Game| -> Vec<(Property, &'static str)> {
        let questions = many::questions(game, [THIEF]);
        let findings = many::all(game, &questions, &Options::default(), 1, &|_| minute());
        many::worth_saying(findings).into_iter().map(|it| (it.property, it.verdict.name())).collect()
    };
    let own =
        |game: &Game| verdicts(game).into_iter().filter(|it| it.0 == Property::Own).map(|it| it.1).collect::<Vec<_>>();
    assert_eq!(own(&game(CLICKS, 2).game), ["refuted"]);
    assert_eq!(own(&game(DIGIT, 2).game), [""; 0]);
}
