//! A batch gives the same results as the states of its matches one by one: in lanes and by states, restarted and not.

use std::sync::Arc;

use percept_game::batch::{Batch, Illegal, NO_GOAL, NO_MOVE, Numbers};
use percept_game::play::{Limits, run};
use percept_game::{Game, JointMove, PogddlTerminal, RoleId, Scope, State};
use percept_test::{game, more, pogddl};
use rand::{SeedableRng, rngs::SmallRng};
use rayon::prelude::*;

use crate::pogddl_lanes::{GROWING, GROWING_PROBLEM};
use crate::support::random_domain;

fn numbers(game: &Game) -> Arc<Numbers> {
    let ground = game.rules.ground(&Scope::default()).unwrap();
    Arc::new(Numbers::new(&ground, game.roles.len()))
}

fn batch(game: &Game, size: usize) -> Batch {
    Batch::new(game, &numbers(game), size, 7, 1 << 30).unwrap()
}

fn over(batch: &mut Batch) -> Vec<u8> {
    let mut over = vec![9; batch.len()];
    batch.over(&mut over);
    over
}

/// Compares a batch with its states until many matches have ended. Returns the greatest goal.
fn beside_states(game: &Game, size: usize, rounds: usize) -> i32 {
    let (ended, greatest) = steps_beside_states(game, size, rounds);
    assert!(ended > size, "matches were not played to their ends");
    greatest
}

/// Steps a batch and, with the rules, its states one by one; compares all answers. Returns the number of matches that
/// ended, and the greatest absolute goal.
fn steps_beside_states(game: &Game, size: usize, rounds: usize) -> (usize, i32) {
    let (numbers, rules) = (numbers(game), &game.rules);
    let mut batch = batch(game, size);
    let mut states: Vec<State> = vec![rules.initial(); size];
    let roles = game.roles.len();
    let mut moves = vec![0; size * roles];
    let (mut ended, mut greatest) = (0, 0);
    for _ in 0..rounds {
        let terminal: Vec<bool> = states.iter().map(|state| rules.terminal(state)).collect();
        assert_eq!(over(&mut batch), terminal.iter().map(|&over| u8::from(over)).collect::<Vec<_>>());
        for role in game.role_ids() {
            let width = numbers.moves[role.0 as usize].len();
            let mut mask = vec![7; size * width];
            batch.legal(role, &mut mask);
            for (at, state) in states.iter().enumerate() {
                let mut row = vec![0; width];
                if !terminal[at] {
                    rules.legal(state, role).iter().for_each(|&mv| row[numbers.of_move(role, mv).unwrap()] = 1);
                }
                assert_eq!(mask[at * width..][..width], row);
            }
        }
        let mut goals = vec![0; size * roles];
        batch.goals(&mut goals);
        batch.choose(&mut moves);
        let mut masks: Vec<Vec<u8>> = numbers.percepts.iter().map(|percepts| vec![7; size * percepts.len()]).collect();
        let mut sees: Vec<(RoleId, &mut [u8])> =
            game.role_ids().zip(&mut masks).map(|(role, mask)| (role, &mut mask[..])).collect();
        batch.step(&moves, &mut sees).unwrap();
        for (at, state) in states.iter_mut().enumerate() {
            for role in game.role_ids() {
                let expected = match rules.goals(state, role)[..] {
                    [one] => i32::try_from(one).unwrap_or(NO_GOAL),
                    _ => NO_GOAL,
                };
                greatest = greatest.max(expected.saturating_abs());
                assert_eq!(goals[at * roles + role.0 as usize], expected);
            }
            let row = &moves[at * roles..][..roles];
            if terminal[at] {
                assert!(row.iter().all(|&number| number == NO_MOVE));
                assert!(game.role_ids().all(|role| {
                    let width = numbers.percepts[role.0 as usize].len();
                    masks[role.0 as usize][at * width..][..width].iter().all(|&seen| seen == 0)
                }));
                continue;
            }
            let joint: JointMove =
                row.iter().zip(&numbers.moves).map(|(&number, moves)| moves[number as usize]).collect();
            for role in game.role_ids() {
                let width = numbers.percepts[role.0 as usize].len();
                let mut row = vec![0; width];
                let seen = rules.percepts(state, &joint, role);
                seen.iter().for_each(|&it| row[numbers.of_percept(role, it).unwrap()] = 1);
                assert_eq!(masks[role.0 as usize][at * width..][..width], row);
            }
            *state = rules.next(state, &joint);
        }
        // Some matches are restarted, so that matches are in different rounds.
        let done = states.iter().filter(|state| rules.terminal(state)).count();
        if done > size / 3 {
            ended += done;
            assert_eq!(batch.restart(), done);
            states.iter_mut().filter(|state| rules.terminal(state)).for_each(|state| *state = rules.initial());
        }
    }
    (ended, greatest)
}

#[test]
fn lanes_of_all_widths_move_as_their_states_would() {
    for (path, size, rounds) in [
        ("blind-tic-tac-toe/blind-tic-tac-toe.kif", 50, 40),
        ("kuhn-poker/kuhn-poker.kif", 150, 30),
        ("liars-dice/liars-dice.kif", 700, 30),
        ("goofspiel/goofspiel-4.kif", 1100, 20),
        ("exploding-bomb-arming/exploding-bomb-arming.kif", 1500, 20),
    ] {
        beside_states(&game(path), size, rounds);
    }
}

/// True if the batches of a game are in lanes, and true if it has registers there.
fn is_in_lanes(game: &Game) -> (bool, bool) {
    game.rules.bit_round().map_or((false, false), |round| (true, round.registers.is_some()))
}

#[test]
fn lanes_of_pogddl_move_as_their_states_would() {
    for (path, size, rounds) in [
        ("poker/king-and-jack.pog", 150, 20),
        ("racko/racko-2-7.pog", 150, 60),
        ("battleship/battleship-2-4.pog", 40, 240),
        ("gops/gops-2-10.pog", 150, 80),
        ("gops/gops-2-10-closed.pog", 1500, 70),
    ] {
        let game = game(path);
        assert_eq!(is_in_lanes(&game), (true, path.starts_with("gops")), "{path}");
        beside_states(&game, size, rounds);
    }
}

/// A number that is divided has no gates.
#[test]
fn games_that_are_no_circuit_move_by_states() {
    let halved = GROWING.replace("(scale-up (score) 3)", "(scale-down (score) 2)");
    for terminal in [PogddlTerminal::NoMoves, PogddlTerminal::Payoff] {
        let game = pogddl(&[&halved, GROWING_PROBLEM], terminal);
        assert_eq!(is_in_lanes(&game), (false, false));
        beside_states(&game, 40, 60);
    }
}

/// Numbers that become too large for their 16 digits, so that goals are beyond 2^17: those matches go on by states, and are in lanes again once they are
/// restarted.
#[test]
fn matches_with_large_numbers_leave_the_lanes_and_return() {
    for (terminal, size) in
        [(PogddlTerminal::NoMoves, 100), (PogddlTerminal::Payoff, 100), (PogddlTerminal::NoMoves, 700)]
    {
        let game = pogddl(&[GROWING, GROWING_PROBLEM], terminal);
        assert_eq!(is_in_lanes(&game), (true, true));
        let greatest = beside_states(&game, size, 90);
        assert!(terminal == PogddlTerminal::Payoff || greatest > 1 << 17, "{greatest}");
        plays_random_matches(&game);
    }
}

/// The order in which a binding is found is not that of the names, and strays draw in it, too.
#[test]
fn strays_draw_their_moves_in_the_order_of_random_play() {
    let shift = "(:action shift :parameters (?a ?b - box) :precondition (and (whoseturn p1) (full ?b) (not (full ?a)))
        :effect (and (full ?a) (not (full ?b)) (scale-up (score) 2))) (:action stop";
    let growing = GROWING.replace("b1 b2 - box", "b1 b2 b3 b4 b5 - box").replace("(:action stop", shift);
    let game = pogddl(&[&growing, GROWING_PROBLEM], PogddlTerminal::NoMoves);
    assert_eq!(is_in_lanes(&game), (true, true));
    plays_random_matches(&game);
}

/// Every construct of the language.
#[test]
fn random_domains() {
    let in_lanes: Vec<(bool, bool)> = (0..more(120, 1200u64))
        .into_par_iter()
        .filter_map(|seed| {
            let mut random = SmallRng::seed_from_u64(seed);
            let mut writer = random_domain::Writer::new(&mut random);
            let texts = [writer.domain(), writer.problem()];
            let terminal = if seed % 2 == 0 { PogddlTerminal::NoMoves } else { PogddlTerminal::Payoff };
            let game = pogddl(&[&texts[0], &texts[1]], terminal);
            game.rules.ground(&Scope::default()).ok()?;
            steps_beside_states(&game, 70, 12);
            Some(is_in_lanes(&game))
        })
        .collect();
    let with_registers = in_lanes.iter().filter(|it| **it == (true, true)).count();
    assert!(with_registers > 5, "{with_registers} games with registers in lanes of {}", in_lanes.len());
}

#[test]
fn a_batch_that_draws_its_moves_plays_the_random_matches_of_its_seed() {
    for path in
        ["leduc-poker/leduc-poker.kif", "battleship/battleship-2-4.pog", "racko/racko-2-7.pog", "gops/gops-2-10.pog"]
    {
        plays_random_matches(&game(path));
    }
}

fn plays_random_matches(game: &Game) {
    let (size, roles) = (1200, game.roles.len());
    let mut batch = batch(game, size);
    let mut moves = vec![0; size * roles];
    while over(&mut batch).contains(&0) {
        batch.choose(&mut moves);
        batch.step(&moves, &mut []).unwrap();
    }
    let mut goals = vec![0; size * roles];
    batch.goals(&mut goals);
    let rounds = batch.rounds();
    let limits = Limits { seed: 7, ..Limits::default() };
    run(game, 0..size as u64, &limits, &mut |record| {
        let at = record.number as usize;
        assert_eq!(rounds[at], record.rounds);
        let expected: Vec<i32> = record
            .goals
            .iter()
            .map(|goals| goals.first().map_or(NO_GOAL, |&goal| i32::try_from(goal).unwrap_or(NO_GOAL)))
            .collect();
        assert_eq!(goals[at * roles..][..roles], expected);
    });
}

#[test]
fn an_illegal_move_leaves_the_batch_as_it_was() {
    let game = game("kuhn-poker/kuhn-poker.kif");
    let (size, roles) = (2000, game.roles.len());
    let mut batch = batch(&game, size);
    let mut moves = vec![0; size * roles];
    batch.choose(&mut moves);
    let mut wrong = moves.clone();
    (wrong[1500 * roles + 1], wrong[1700 * roles]) = (99, -5);
    assert_eq!(batch.step(&wrong, &mut []), Err(Illegal { at: 1500, role: RoleId(1), number: 99 }));
    assert!(batch.rounds().iter().all(|&rounds| rounds == 0));
    batch.step(&moves, &mut []).unwrap();
    assert!(batch.rounds().iter().all(|&rounds| rounds == 1));
}

#[test]
fn a_batch_beyond_the_limit_says_so() {
    let game = game("kuhn-poker/kuhn-poker.kif");
    let error = Batch::new(&game, &numbers(&game), 1 << 40, 0, 1 << 30).err().unwrap();
    assert!(error.bytes > error.limit && error.size == 1 << 40);
}
