//! Random matches of POGDDL in lanes are those that the interpreter plays one by one.

use percept_game::play::{Limits, MatchRecord, play_match, run};
use percept_game::{Game, PogddlTerminal, pogddl::generate};
use percept_test::{more, pogddl};
use rand::{SeedableRng, rngs::SmallRng};
use rayon::prelude::*;

use crate::support::random_domain;

/// Compares some of `count` matches in lanes with the interpreter's.
fn compare(game: &Game, name: &str, count: u64, max_rounds: u32, step: usize) {
    let limits = Limits { seed: 5, max_rounds, ..Limits::default() };
    let mut lanes: Vec<MatchRecord> = Vec::new();
    run(game, 0..count, &limits, &mut |record| lanes.push(record.clone()));
    lanes.sort_by_key(|record| record.number);
    assert_eq!(lanes.len() as u64, count, "{name}");
    for record in lanes.iter().step_by(step) {
        let (alone, _) = play_match(game, record.number, &limits);
        assert_eq!(*record, alone, "{name}");
    }
}

/// Compares in words of all widths, with the circuits for few matches and for many.
fn compare_widths(game: &Game, name: &str, max_rounds: u32) {
    assert_eq!(game.rules.no_playouts(), None, "{name}");
    compare(game, name, 40, max_rounds, 3);
    compare(game, name, 700, max_rounds, 13);
    compare(game, name, 9000, max_rounds, 239);
}

#[test]
fn the_games_of_the_library() {
    let games = [
        "battleship/battleship-2-4.pog",
        "battleship/battleship-3-6.pog",
        "poker/king-and-jack.pog",
        "racko/racko-2-7.pog",
        "racko/racko-6-30.pog",
    ];
    for name in games {
        let game = percept_test::game(name);
        for max_rounds in [10_000, 30] {
            compare_widths(&game, name, max_rounds);
        }
    }
}

#[test]
fn generated_games() {
    let games = [
        (generate::BATTLESHIP, generate::battleship(1, 4), PogddlTerminal::NoMoves),
        (generate::BATTLESHIP, generate::battleship(5, 10), PogddlTerminal::NoMoves),
        (generate::RACKO, generate::racko(3, 9), PogddlTerminal::Payoff),
        (generate::RACKO, generate::racko(10, 60), PogddlTerminal::Payoff),
    ];
    games.into_par_iter().for_each(|(domain, problem, terminal)| {
        let problem = problem.expect("feasible");
        let game = pogddl(&[domain, &problem], terminal);
        compare_widths(&game, problem.lines().next().unwrap_or_default(), 10_000);
    });
}

/// Every construct of the language; few of these games are the same in lanes only by chance, because most draw often.
#[test]
fn random_domains() {
    let in_lanes = (0..more(150, 1500u64)).into_par_iter().filter(|&seed| {
        let mut random = SmallRng::seed_from_u64(seed);
        let mut writer = random_domain::Writer::new(&mut random);
        let texts = [writer.domain(), writer.problem()];
        let terminal = if seed % 2 == 0 { PogddlTerminal::NoMoves } else { PogddlTerminal::Payoff };
        let game = pogddl(&[&texts[0], &texts[1]], terminal);
        let name = format!("seed {seed}:\n{}\n{}", texts[0], texts[1]);
        compare(&game, &name, 600, 40, 7);
        game.rules.no_playouts().is_none()
    });
    let in_lanes = in_lanes.count();
    assert!(in_lanes > 10, "{in_lanes} games in lanes");
}
