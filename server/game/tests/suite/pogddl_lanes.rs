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
    assert_eq!(game.rules.given_up(), None, "{name}");
    compare(game, name, 40, max_rounds, 3);
    compare(game, name, 700, max_rounds, 13);
    compare(game, name, 9000, max_rounds, 239);
}

#[test]
fn the_games_of_the_library() {
    let games = [
        "battleship/battleship-2-4.pog",
        "battleship/battleship-3-6.pog",
        "gops/gops-2-10-closed.pog",
        "gops/gops-2-10.pog",
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
        (generate::BATTLESHIP, generate::battleship(2, 5), PogddlTerminal::NoMoves),
        (generate::BATTLESHIP, generate::battleship(5, 10), PogddlTerminal::NoMoves),
        (generate::GOPS, generate::gops(10, 40, true), PogddlTerminal::NoMoves),
        (generate::RACKO, generate::racko(6, 30), PogddlTerminal::Payoff),
        (generate::RACKO, generate::racko(10, 60), PogddlTerminal::Payoff),
    ];
    games.into_par_iter().for_each(|(domain, problem, terminal)| {
        let problem = problem.expect("feasible");
        let game = pogddl(&[domain, &problem], terminal);
        compare_widths(&game, problem.lines().next().unwrap_or_default(), 10_000);
        let circuits = game.rules.playouts_of_many().expect("lanes").sizes().count();
        assert!(circuits > 4, "no kinds of positions: {circuits}");
    });
}

/// The score doubles, triples or falls until it has more digits than a register has in lanes; then the interpreter goes
/// on. Results are numbers of registers, of both signs.
pub(crate) const GROWING: &str = "(define (domain growing)
    (:types player - role box)
    (:constants p1 - player b1 b2 - box)
    (:predicates (whoseturn ?r - role) (full ?b - box))
    (:functions (score) (debt) (step))
    (:action twice :parameters () :precondition (and (whoseturn p1) (< (step) 100)) :effect (and
        (increase (score) (* (score) 1)) (increase (step) 1)))
    (:action fill :parameters (?b - box) :precondition (and (whoseturn p1) (not (full ?b)) (< (step) 100)) :effect (and
        (full ?b) (scale-up (score) 3) (increase (debt) (- (score) 7)) (increase (step) 1)))
    (:action empty :parameters (?b - box) :precondition (and (whoseturn p1) (full ?b) (< (debt) (* 2 (score)))) :effect (and
        (not (full ?b)) (decrease (score) (+ (debt) 1)) (decrease (debt) 2) (increase (debt) 1)
        (assign (step) (+ (step) 2))))
    (:action stop :parameters () :precondition (whoseturn p1) :effect (not (whoseturn p1)))
    (:gain ?p - player (- (score) (* 3 (debt))) (full b1)))";

pub(crate) const GROWING_PROBLEM: &str =
    "(define (problem p) (:domain growing) (:init (whoseturn p1) (= (score) 5) (= (debt) -2) (= (step) 0)))";

#[test]
fn numbers_that_grow() {
    for terminal in [PogddlTerminal::NoMoves, PogddlTerminal::Payoff] {
        let game = pogddl(&[GROWING, GROWING_PROBLEM], terminal);
        assert!(game.rules.register_names().contains(&"(score)".to_owned()));
        compare_widths(&game, "growing", 60);
        let mut greatest = 0;
        run(&game, 0..9000, &Limits { seed: 5, ..Limits::default() }, &mut |record| {
            greatest = greatest.max(record.goals[0][0].abs());
        });
        assert!(terminal == PogddlTerminal::Payoff || greatest > 1 << 20, "{greatest}");
    }
}

/// A game that may have a fault in some match is left to the interpreter, which reports it.
#[test]
fn faults_are_reported() {
    let game = |effect: &str, init: &str| {
        let domain = format!(
            "(define (domain faulty) (:types player - role) (:constants p1 - player)
            (:predicates (whoseturn ?r - role) (lit)) (:functions (score) (other))
            (:action stop :parameters () :precondition (whoseturn p1) :effect (not (whoseturn p1)))
            (:action go :parameters () :precondition (and (whoseturn p1) (not (lit))) :effect (and (lit) {effect}))
            (:gain ?p - player (score) (lit)))"
        );
        let problem = format!("(define (problem p) (:domain faulty) (:init (whoseturn p1) {init}))");
        pogddl(&[&domain, &problem], PogddlTerminal::NoMoves)
    };
    let faulty = [
        ("(scale-down (score) (other))", "(= (score) 5) (= (other) 0)"),
        ("(increase (score) 9223372036854775807)", "(= (score) 9) (= (other) 0)"),
        ("(scale-up (score) (other))", "(= (score) 4611686018427387904) (= (other) 2)"),
    ];
    for (effect, init) in faulty {
        let game = game(effect, init);
        run(&game, 0..2000, &Limits::default(), &mut |_| {});
        assert!(game.rules.fault().is_some(), "{effect}");
    }
    let right = game("(scale-down (score) 2)", "(= (score) 5) (= (other) 0)");
    run(&right, 0..2000, &Limits::default(), &mut |_| {});
    assert_eq!(right.rules.fault(), None);
}

/// Every construct of the language.
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
        game.rules.given_up().is_none()
    });
    let in_lanes = in_lanes.count();
    assert!(in_lanes > 10, "{in_lanes} games in lanes");
}

mod corpus {
    use std::time::Instant;

    use percept_game::PogddlOptions;
    use percept_test::games::parts;
    use percept_test::{entries, file_name, folder, is_heavy, read};

    use super::*;

    #[test]
    #[ignore = "needs PERCEPT_CORPUS"]
    fn published_games() {
        let folder = folder("PERCEPT_CORPUS").join("pogddl");
        let domains = ["Difference", "EndGame", "Gops", "LongBattleship", "Racko"];
        let domains = domains.map(|name| read(folder.join(format!("{name}.pog"))));
        let problems: Vec<_> = entries(folder.join("problems"));
        let compared = problems.par_iter().enumerate().filter(|(at, path)| {
            let name = file_name(path);
            let prefix = name.split('-').next().expect("a prefix");
            let of = ["difference", "endgame", "gops", "battleship", "racko"];
            let Some(index) = of.iter().position(|other| *other == prefix) else { return false };
            if !is_heavy() && at % 6 != 0 {
                return false;
            }
            let (domain, problem) = parts(&[&domains[index], &read(path)]);
            let options = PogddlOptions { terminal: PogddlTerminal::Payoff };
            let game = Game::from_pogddl(&domain, &problem, &options).expect("a game");
            let start = Instant::now();
            let why = game.rules.given_up();
            eprintln!("{name}: {why:?} in {:?}", start.elapsed());
            compare(&game, &name, 600, 300, 61);
            compare(&game, &name, 9000, 40, 1201);
            why.is_none()
        });
        let compared = compared.count();
        assert!(compared > 3, "{compared} games");
    }
}
