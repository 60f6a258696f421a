//! Random matches are the same for every way to play them.

use std::cell::Cell;
use std::sync::Arc;

use percept_game::onward::{Opening, play_on};
use percept_game::play::{Limits, MatchRecord, Summary, play, play_match, run};
use percept_game::pogddl::generate;
use percept_game::stepper::Stepper;
use percept_game::{Game, MoveId, PogddlTerminal, RoleId};
use percept_test::{description, gdl, pogddl};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Two roles and chance, matches of different lengths, a dead end, states with one and with several moves.
const WALK: &str = "
    (role left) (role random) (role right)
    (init (at 3)) (init (clock 0))
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
    (tick 0 1) (tick 1 2) (tick 2 0)
    (<= (legal left (jump ?n)) (succ ?m ?n) (true (at ?m)))
    (<= (legal left stay) (not (true (at 5))))
    (<= (legal right wait) (true (clock ?c)) (distinct ?c 2))
    (<= (legal right (pull ?n)) (true (clock 1)) (succ ?n ?m) (true (at ?m)))
    (<= (legal right back) (true (clock 2)) (not (true (at 1))))
    (<= (legal random (coin ?side)) (side ?side)) (side heads) (side tails)
    (<= (next (at ?n)) (does left (jump ?n)) (does random (coin heads)))
    (<= (next (at ?n)) (does left (jump ?m)) (does random (coin tails)) (true (at ?n)) (not (does right back)))
    (<= (next (at ?n)) (does left (jump ?m)) (does random (coin tails)) (succ ?n ?k) (true (at ?k)) (does right back))
    (<= (next (at ?n)) (does left stay) (does right (pull ?n)))
    (<= (next (at ?n)) (does left stay) (true (at ?n)) (not pulled) (not (does right back)))
    (<= (next (at ?n)) (does left stay) (does right back) (succ ?n ?k) (true (at ?k)))
    (<= pulled (does right (pull ?n)))
    (<= (next (clock ?d)) (true (clock ?c)) (tick ?c ?d))
    (<= terminal (true (at 6))) (<= terminal (true (at 0)))
    (<= (goal left 100) (true (at 6))) (<= (goal left 0) (not (true (at 6))))
    (<= (goal right 100) (true (at 0))) (<= (goal right 0) (not (true (at 0)))) (goal random 0)";

fn read(lifted: bool) -> Game {
    let description = &description(WALK);
    if lifted { Game::from_gdl_lifted(description).unwrap() } else { Game::from_gdl(description).unwrap() }
}

fn records(game: &Game, count: u64, limits: &Limits) -> Vec<MatchRecord> {
    let mut records = Vec::new();
    run(game, 0..count, limits, &mut |record| records.push(record.clone()));
    records.sort_by_key(|record| record.number);
    records
}

#[test]
fn lanes_circuit_and_lifted_reasoner_play_the_same_matches() {
    let (ground, lifted) = (read(false), read(true));
    assert!(ground.rules.playouts().is_some() && lifted.rules.playouts().is_none());
    let limits = Limits { seed: 5, max_rounds: 40, ..Limits::default() };
    let lanes = records(&ground, 700, &limits);
    let one_by_one: Vec<MatchRecord> = (0..700).map(|number| play_match(&ground, number, &limits).0).collect();
    assert_eq!(lanes, one_by_one);
    assert_eq!(lanes, records(&lifted, 700, &limits));
    let kinds: [fn(&MatchRecord) -> bool; 3] = [|m| m.terminal, |m| m.stuck, |m| m.rounds > 30];
    for what in kinds {
        assert!(lanes.iter().any(what) && !lanes.iter().all(what), "the game shows all kinds of ends");
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let game = read(false);
    let limits = Limits { seed: 1, max_rounds: 100, ..Limits::default() };
    let with = |threads| -> Summary {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| play(&game, 1000, &limits, &|_| true))
    };
    let summary = with(1);
    assert_eq!(summary, with(3));
    assert_eq!(summary.matches, 1000);
    assert_ne!(summary, play(&game, 1000, &Limits { seed: 2, ..limits }, &|_| true));
    let lengths = summary.lengths().unwrap();
    assert!(lengths.mean.mean > f64::from(lengths.shortest) && lengths.mean.mean < f64::from(lengths.longest));
    let finished: u64 = summary.roles[0].results.values().sum();
    assert_eq!(finished + summary.stuck + summary.unfinished, 1000);
}

#[test]
fn a_match_limit_stops_a_game_without_end() {
    let text = "(role r) (init p) (legal r a) (<= (next p) (true p)) (<= terminal (not (true p))) (goal r 0)";
    let game = gdl(text);
    let summary = play(&game, 100, &Limits { seed: 0, max_rounds: 50, ..Limits::default() }, &|_| true);
    assert_eq!((summary.unfinished, summary.rounds, summary.shortest), (100, 5000, 50));
    assert_eq!(game.rules.legal(&game.rules.initial(), percept_game::RoleId(0)), [MoveId(0)]);
}

#[test]
fn matches_of_pogddl_are_legal_and_counted_right() {
    let games = [
        pogddl(&[generate::RACKO, &generate::racko(3, 9).unwrap()], PogddlTerminal::Payoff),
        pogddl(&[generate::BATTLESHIP, &generate::battleship(2, 9).unwrap()], PogddlTerminal::NoMoves),
        pogddl(&[generate::GOPS, &generate::gops(3, 66, false).unwrap()], PogddlTerminal::NoMoves),
    ];
    for game in games.map(Arc::new) {
        let limits = Limits { seed: 3, max_rounds: 400, ..Limits::default() };
        for (number, record) in records(&game, 5, &limits).iter().enumerate() {
            let (again, moves) = play_match(&game, number as u64, &limits);
            assert_eq!(*record, again);
            assert_eq!(moves.len(), record.rounds as usize);
            let mut stepper = Stepper::new(game.clone());
            let mut branching = vec![(0, 0); game.roles.len()];
            for joint in moves {
                let mover = joint.iter().position(|&mv| mv != MoveId::NOOP).unwrap();
                let legal = stepper.legal(RoleId(mover as u16)).len() as u32;
                branching[mover] = (branching[mover].0 + u64::from(legal), branching[mover].1.max(legal));
                stepper.play(joint).unwrap();
            }
            assert_eq!(record.branching, branching);
            assert_eq!(record.terminal, stepper.is_over());
            for role in game.role_ids() {
                assert_eq!(record.goals[role.0 as usize], game.rules.goals(stepper.state(), role));
            }
        }
    }
}

/// Every match and every sum, on one thread and on several, for each engine there is.
#[test]
fn matches_and_sums_do_not_depend_on_the_number_of_threads() {
    let games = [
        ("ground GDL", read(false)),
        ("lifted GDL", read(true)),
        ("Racko", pogddl(&[generate::RACKO, &generate::racko(3, 9).unwrap()], PogddlTerminal::Payoff)),
        ("GOPS", pogddl(&[generate::GOPS, &generate::gops(3, 66, false).unwrap()], PogddlTerminal::NoMoves)),
    ];
    for (name, game) in games {
        let limits = Limits { seed: 11, max_rounds: 60, ..Limits::default() };
        // Not a multiple of the lanes nor of any chunk.
        const COUNT: u64 = 157;
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| play(&game, COUNT, &limits, &|_| true))
        };
        let alone = on(1);
        for threads in [2, 3, 8] {
            assert_eq!(alone, on(threads), "{name} on {threads} threads");
        }
        // The benchmark's counts, cut into parallel pieces, equal those of one piece.
        let count = |pieces: u64| {
            let mut records = std::thread::scope(|scope| {
                let piece = |at: u64| {
                    let (game, limits) = (&game, &limits);
                    scope.spawn(move || {
                        let mut records = Vec::new();
                        let range = COUNT * at / pieces..COUNT * (at + 1) / pieces;
                        run(game, range, limits, &mut |record| records.push(record.clone()));
                        records
                    })
                };
                let threads: Vec<_> = (0..pieces).map(piece).collect();
                threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect::<Vec<MatchRecord>>()
            });
            records.sort_by_key(|record| record.number);
            records
        };
        let whole = count(1);
        assert_eq!(whole, count(2), "{name}");
        assert_eq!(whole, count(5), "{name}");
        assert_eq!(whole.iter().map(|record| u64::from(record.rounds)).sum::<u64>(), alone.rounds, "{name}");
        let other = play(&game, COUNT, &Limits { seed: 12, ..limits }, &|_| true);
        assert_ne!(alone, other, "{name}: the seed does matter");
    }
}

/// If rounds take long, the end of a match is not awaited.
#[test]
fn a_match_is_stopped_in_its_middle() {
    let game = read(true);
    let state = game.rules.initial();
    let calls = Cell::new(0);
    let stop = || calls.replace(calls.get() + 1) >= 2;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let openings = [Opening { state: &state, first: None }];
    assert!(!play_on(&game, &openings, 9, &mut rng, &stop, &mut |_, _| panic!("the match was not over")));
}
