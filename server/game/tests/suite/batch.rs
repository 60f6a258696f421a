//! A batch gives the same results as the states of its matches one by one: in lanes and by states, restarted and not.

use std::sync::Arc;

use percept_game::batch::{Batch, Illegal, NO_GOAL, NO_MOVE, Numbers};
use percept_game::play::{Limits, run};
use percept_game::{Game, JointMove, RoleId, Scope, State};
use percept_test::game;

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

/// Steps a batch and, with the rules, its states one by one; compares all answers.
fn beside_states(game: &Game, size: usize, rounds: usize) {
    let (numbers, rules) = (numbers(game), &game.rules);
    let mut batch = batch(game, size);
    let mut states: Vec<State> = vec![rules.initial(); size];
    let roles = game.roles.len();
    let mut moves = vec![0; size * roles];
    let mut ended = 0;
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
                    [one] => one as i32,
                    _ => NO_GOAL,
                };
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
    assert!(ended > size, "matches were not played to their ends");
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

#[test]
fn games_that_are_no_circuit_move_by_states() {
    beside_states(&game("gops/gops-2-10.pog"), 40, 40);
}

#[test]
fn lanes_of_pogddl_move_as_their_states_would() {
    for (path, rounds) in [("poker/king-and-jack.pog", 20), ("racko/racko-2-7.pog", 60)] {
        let game = game(path);
        assert!(game.rules.playouts().is_some());
        beside_states(&game, 150, rounds);
    }
}

#[test]
fn a_batch_that_draws_its_moves_plays_the_random_matches_of_its_seed() {
    for path in ["leduc-poker/leduc-poker.kif", "battleship/battleship-2-4.pog", "racko/racko-2-7.pog"] {
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
        let expected: Vec<i32> =
            record.goals.iter().map(|goals| goals.first().map_or(NO_GOAL, |&goal| goal as i32)).collect();
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
