//! Many places at once give the same answers as a cursor for each of them.

use percept_game::{Game, Lanes, MoveId, PogddlTerminal};
use percept_test::{game, pogddl};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::pogddl_lanes::{GROWING, GROWING_PROBLEM};

/// Random matches, `rounds` long in all, in lanes that begin at different times and some of which stay empty; each
/// round is compared between the lanes and a cursor.
fn say_the_same(game: &Game, name: &str, rounds: usize) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut lanes = game.rules.lanes().expect("a game in lanes");
    let mut states = vec![None; Lanes::COUNT];
    let mut at = game.start();
    let (mut ended, mut perceived) = (0, 0);
    for _ in 0..rounds {
        for (lane, state) in states.iter_mut().enumerate() {
            if state.is_none() && rng.random_bool(0.3) {
                *state = Some(game.rules.initial());
                lanes.put(lane, &game.rules.initial());
            } else if let Some(state) = state
                && rng.random_bool(0.05)
            {
                lanes.put(lane, state);
            }
        }
        lanes.look();
        let mut joints = vec![Vec::new(); Lanes::COUNT];
        for role in game.role_ids() {
            lanes.read(role);
            for (lane, state) in states.iter().enumerate() {
                let Some(state) = state else { continue };
                at.go(state);
                let legal = at.legal(role);
                assert_eq!(lanes.count(lane) as usize, legal.len());
                let mut listed = vec![MoveId::NOOP];
                lanes.legal_into(lane, &mut listed);
                assert_eq!(listed[1..], legal);
                assert_eq!(lanes.over() >> lane & 1 == 1, at.is_terminal());
                if at.is_terminal() {
                    continue;
                }
                let number = rng.random_range(0..legal.len());
                assert_eq!(lanes.nth(lane, number as u32), legal[number]);
                joints[lane].push(legal[number]);
                // Some queries come before the moves.
                lanes.make(lane, role, legal[number]);
            }
        }
        for (lane, state) in states.iter_mut().enumerate() {
            if lanes.over() >> lane & 1 == 1 && state.is_some() {
                at.go(state.as_ref().expect("a match"));
                game.role_ids().for_each(|role| assert_eq!(lanes.goals(lane, role), at.goals(role)));
                *state = None;
                ended += 1;
            }
        }
        let there = (0..Lanes::COUNT).filter(|&lane| states[lane].is_some()).fold(0, |there, lane| there | 1 << lane);
        for role in game.role_ids() {
            let mut percepts = vec![Vec::new(); Lanes::COUNT];
            lanes.percepts_into(role, there, &mut percepts);
            for (lane, state) in states.iter().enumerate() {
                match state {
                    Some(state) => assert_eq!(percepts[lane], game.rules.percepts(state, &joints[lane], role)),
                    None => assert!(percepts[lane].is_empty()),
                }
                perceived += percepts[lane].len();
            }
        }
        lanes.step();
        for (lane, state) in states.iter_mut().enumerate() {
            if let Some(state) = state {
                *state = game.rules.next(state, &joints[lane]);
                assert_eq!(lanes.states()[lane], *state);
            }
        }
    }
    assert!(ended > 0 && perceived > 0, "{name}: {ended} ended, {perceived} perceived");
}

#[test]
fn lanes_say_what_cursors_say() {
    for (path, rounds) in [
        ("kuhn-poker/kuhn-poker.kif", 60),
        ("exploding-bomb/exploding-bomb.kif", 60),
        ("goofspiel/goofspiel-5-descending.kif", 30),
        ("phantom-tic-tac-toe/phantom-tic-tac-toe.kif", 60),
        ("latent-tic-tac-toe/latent-tic-tac-toe.kif", 150),
        ("poker/king-and-jack.pog", 60),
        ("battleship/battleship-2-4.pog", 150),
        ("racko/racko-2-7.pog", 100),
        ("gops/gops-2-10.pog", 100),
    ] {
        say_the_same(&game(path), path, rounds);
    }
}

/// Numbers that become too large for their digits, and states that are put into lanes with such numbers.
#[test]
fn large_numbers_have_cursors_in_lanes() {
    let growing = GROWING.replace("(full ?b) (scale-up", "(full ?b) (observe (all (full ?b))) (scale-up");
    for terminal in [PogddlTerminal::NoMoves, PogddlTerminal::Payoff] {
        say_the_same(&pogddl(&[&growing, GROWING_PROBLEM], terminal), "growing", 150);
    }
}
