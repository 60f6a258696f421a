//! The players' knowledge if they have no time to determine it.

use std::sync::Arc;
use std::time::Duration;

use crate::support::{gdl, rules};
use percept_game::RoleId;
use percept_infoset::{Round, View};
use percept_players::{Arena, Belief, Briefing, Clock, Clocks, FaultKind, MatchOptions, Strategy};

/// One of two roles chooses a number of three digits in each of three rounds; the other perceives it, and makes one of
/// two moves.
fn numbers() -> Briefing {
    rules(
        "(role a) (role b) (init (round 0)) (then 0 1) (then 1 2) (then 2 3)
        (digit 0) (digit 1) (digit 2) (digit 3) (digit 4) (digit 5) (digit 6) (digit 7) (digit 8) (digit 9)
        (<= (legal a go) (true (round ?n))) (<= (legal a stay) (true (round ?n)))
        (<= (legal b (say ?x ?y ?z)) (digit ?x) (digit ?y) (digit ?z))
        (<= (sees a (said ?x ?y ?z)) (does b (say ?x ?y ?z)))
        (<= (next (heard ?x ?y ?z)) (does b (say ?x ?y ?z)))
        (<= (next (round ?k)) (true (round ?n)) (then ?n ?k))
        (<= terminal (true (round 3))) (goal a 50) (goal b 50)",
    )
}

fn clock(time: Duration) -> Clock {
    Clock::starts(Some(time), None, &Arc::default())
}

/// A round for which the time was too short is caught up later.
#[test]
fn a_belief_that_is_behind_catches_up() {
    let game = numbers().game;
    let rules = &game.rules;
    let mut belief = Belief::new(&game, RoleId(0), 1);
    let mut at = game.start();
    let mut view = View { role: RoleId(0), rounds: Vec::new() };
    for round in 0..2 {
        let joint = vec![at.legal(RoleId(0))[0], at.legal(RoleId(1))[500 + round]];
        view.rounds.push(Round::of(&game, &mut *at, &joint, RoleId(0)));
        at.step(&joint);
        belief.observe(&view, false, &clock(Duration::ZERO));
        assert!(belief.is_behind() && !belief.is_complete() && belief.moves().is_empty());
    }
    belief.observe(&view, false, &clock(Duration::from_secs(60)));
    assert!(!belief.is_behind() && belief.is_complete());
    assert_eq!(belief.members().len(), 1);
    assert_eq!(belief.members()[0].place.state, *at.state());
    assert_eq!(belief.moves(), rules.legal(at.state(), RoleId(0)));
}

/// Without any time, a player that cannot determine its moves reports this; it does not report that no match fits.
#[test]
fn who_had_no_time_says_so() {
    let clocks = Clocks { play: Some(Duration::ZERO), ..Clocks::default() };
    let options = MatchOptions { clocks, ..MatchOptions::default() };
    for name in ["random", "choosemove", "table"] {
        let outcome = Arena::new(numbers()).play(&[name.parse().unwrap(), Strategy::Legal], &options);
        let of_first: Vec<_> = outcome.faults.iter().filter(|fault| fault.role.0 == 0).collect();
        assert!(!of_first.is_empty());
        for fault in of_first {
            assert_eq!(fault.kind, FaultKind::NoMove, "{name}: {fault:?}");
            assert_eq!(fault.detail, "had no time to determine its legal moves", "{name}");
        }
    }
}

/// One member is found without further time, so that a legal move is known.
#[test]
fn a_legal_move_takes_hardly_any_time() {
    let clocks = Clocks { play: Some(Duration::ZERO), ..Clocks::default() };
    let options = MatchOptions { clocks, ..MatchOptions::default() };
    let game = gdl("goofspiel/goofspiel-5-descending.kif");
    for name in ["random", "choosemove", "table"] {
        let outcome = Arena::new(game.clone()).play(&[name.parse().unwrap(), Strategy::Random], &options);
        assert_eq!(outcome.faults, [], "{name}");
    }
}
