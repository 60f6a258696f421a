//! The engine against a naive reading of the language, on random play of games that use all of it.

use std::collections::BTreeSet;

use percept_game::{Game, MoveId, PogddlOptions, PogddlTerminal, Scope, State, Term, plain, pogddl::generate};
use percept_test::games::parts;
use percept_test::matches::joint;
use percept_test::naive::{Naive, World};
use percept_test::{more, pogddl};
use rand::{Rng, SeedableRng, rngs::SmallRng};
use rayon::prelude::*;

use crate::support::random_domain;
use crate::support::{EVERYTHING, Evaluation};

/// The engine's state in words, which must equal that of the naive world.
fn assert_same_state(game: &Game, state: &State, world: &World, place: &str) {
    let mut facts = BTreeSet::new();
    let mut numbers = BTreeSet::new();
    for name in state.fluents().map(|fluent| game.rules.fluent_name(fluent)) {
        if name.starts_with("(= ") {
            numbers.insert(name)
        } else {
            facts.insert(name)
        };
    }
    for (name, value) in game.rules.register_names().iter().zip(&state.registers) {
        numbers.insert(format!("(= {name} {value})"));
    }
    let shown = |words: &Vec<String>| format!("({})", words.join(" "));
    let expected: BTreeSet<String> =
        world.facts.iter().map(shown).filter(|name| game.rules.find_fluent(name).is_some()).collect();
    assert_eq!(facts, expected, "{place}: facts");
    for number in numbers {
        let (term, value) = number[3..number.len() - 1].rsplit_once(' ').expect("a value");
        let words: Vec<String> = term[1..term.len() - 1].split(' ').map(str::to_owned).collect();
        assert_eq!(
            world.numbers.get(&words).copied().unwrap_or(0),
            value.parse::<i64>().expect("a number"),
            "{place}: {term}"
        );
    }
}

fn compare(texts: &[&str], terminal: PogddlTerminal, seeds: std::ops::Range<u64>, rounds: usize) -> usize {
    let mut actions = 0;
    let game = pogddl(texts, terminal);
    let (domain, problem) = parts(texts);
    let naive = Naive::new(domain, problem);
    let whole = game.rules.ground(&Scope::default()).ok();
    let mut played = BTreeSet::new();
    for seed in seeds {
        let mut random = SmallRng::seed_from_u64(seed);
        let (mut state, mut world) = (game.rules.initial(), naive.initial());
        for round in 0..rounds {
            let place = format!("seed {seed}, round {round}");
            assert_same_state(&game, &state, &world, &place);
            assert_eq!(
                game.rules.terminal(&state),
                naive.terminal(&world, terminal == PogddlTerminal::Payoff),
                "{place}"
            );
            let expected: Vec<String> =
                naive.legal(&world).iter().map(|words| format!("({})", words.join(" "))).collect();
            let mover = naive.mover(&world);
            for role in game.role_ids() {
                let name = &game.roles[role.0 as usize].name;
                assert_eq!(game.rules.goals(&state, role), [naive.payoff(&world, name)], "{place}: {name}'s goal");
                let legal: Vec<String> =
                    game.rules.legal(&state, role).iter().map(|&mv| game.rules.move_name(role, mv)).collect();
                let expected = if mover.as_ref() == Some(name) { expected.clone() } else { vec!["noop".to_owned()] };
                assert_eq!(legal, expected, "{place}: {name}");
            }
            let nothing = vec![MoveId::NOOP; game.roles.len()];
            if let Some(whole) = &whole {
                let still = Evaluation::new(whole, &state, &nothing);
                assert_eq!(still.terminal(), game.rules.terminal(&state), "{place}: terminal in the circuit");
                for role in game.role_ids() {
                    let sorted = |mut moves: Vec<MoveId>| {
                        moves.sort_unstable();
                        moves
                    };
                    assert_eq!(
                        sorted(still.legal(role)),
                        sorted(game.rules.legal(&state, role)),
                        "{place}: legal in the circuit"
                    );
                    assert_eq!(still.goals(role), game.rules.goals(&state, role), "{place}: goals in the circuit");
                }
            }
            if expected.is_empty() || game.rules.terminal(&state) {
                break;
            }
            let choice = random.random_range(0..expected.len());
            let role = game.role(mover.as_deref().expect("a mover")).expect("a role");
            let joint = joint(&game, role, game.rules.find_move(role, &expected[choice]).expect("a move"));
            played.insert(expected[choice].split(' ').next().map(str::to_owned));
            let action: Vec<String> =
                expected[choice][1..expected[choice].len() - 1].split(' ').map(str::to_owned).collect();
            let place = format!("{place}: {}", expected[choice]);
            let next = game.rules.next(&state, &joint);
            for role in game.role_ids() {
                let percepts = game.rules.percepts(&state, &joint, role);
                let messages: Vec<String> =
                    percepts.iter().map(|&percept| game.rules.percept_name(role, percept)).collect();
                assert_eq!(messages, naive.messages(&world, &action, &game.roles[role.0 as usize].name), "{place}");
                let names: Vec<Term> = messages.iter().map(|name| name.parse().expect("a name")).collect();
                assert_eq!(game.rules.percepts_named(role, &names), Some(percepts.clone()), "{place}");
                let certain = Scope {
                    possible: Some(&state),
                    certain: Some(&state),
                    observed: Some((role, &percepts)),
                    ..Scope::default()
                };
                let round = game.rules.ground(&certain).expect("small");
                check_circuit(&game, &round, &state, &joint, &next, &place);
            }
            if let Some(whole) = &whole {
                check_circuit(&game, whole, &state, &joint, &next, &place);
            }
            world = naive.next(&world, &action);
            state = next;
            actions += 1;
        }
    }
    let nodes = whole.map(|whole| whole.circuit.nodes().len());
    eprintln!("{}: played {played:?}, the whole game has {nodes:?} nodes", game.rules.register_names().join(" "));
    actions
}

fn check_circuit(
    game: &Game,
    ground: &percept_game::Ground,
    state: &State,
    joint: &[MoveId],
    next: &State,
    place: &str,
) {
    let evaluation = Evaluation::new(ground, state, joint);
    assert_eq!(evaluation.next(), *next, "{place}: next in the circuit");
    for role in game.role_ids() {
        let mut percepts = game.rules.percepts(state, joint, role);
        percepts.sort_unstable();
        assert_eq!(evaluation.sees(role), percepts, "{place}: percepts in the circuit");
    }
}

#[test]
fn a_game_that_uses_everything() {
    let problem = "(define (problem small) (:domain everything)
        (:objects b1 b2 - box g1 - bag)
        (:init (whoseturn p1) (opponent p1 p2) (opponent p2 p1) (linked g1 g1) (odd b1)
            (= (score p1) 0) (= (score p2) 1) (= (weight b1) 2) (= (weight g1) 3) (= (fuel p1) 4) (= (fuel p2) 3)))";
    compare(&[EVERYTHING, problem], PogddlTerminal::NoMoves, 0..3, 14);
    compare(&[EVERYTHING, problem], PogddlTerminal::Payoff, 3..4, 14);
}

/// Actions that assign the same values to one number in different orders, some of them only sometimes, and assignments
/// and messages under variables that would be bound with less work in another order than that of their declaration.
#[test]
fn effects_come_in_order() {
    let domain = "(define (domain order)
        (:types player - role box bag - thing)
        (:constants chance p2 - player b1 - box g1 - bag)
        (:predicates (whoseturn ?r - role) (held ?v - bag ?w - thing))
        (:functions (total) (score) (size ?v - thing))
        (:action across :parameters (?r - role) :precondition (whoseturn ?r)
            :effect (forall (?w - thing ?v - bag) (when (held ?v ?w) (and
                (assign (total) (size ?w)) (observe (all (first_moves ?w ?v)))))))
        (:action up :parameters (?r - role) :precondition (whoseturn ?r)
            :effect (and (held g1 b1) (assign (score) 1) (assign (score) 2)))
        (:action down :parameters (?r - role) :precondition (whoseturn ?r)
            :effect (and (not (held g1 b1)) (held g2 g2) (assign (score) 2) (assign (score) 1)))
        (:action back :parameters (?r - role) :precondition (whoseturn ?r)
            :effect (and (not (held g2 g2)) (assign (score) 2)
                (when (held g1 b1) (assign (score) 1)) (when (held g2 g2) (assign (score) 2))))
        (:action other :parameters (?r - role ?n - role) :precondition (and (whoseturn ?r) (not (whoseturn ?n)))
            :effect (and (not (whoseturn ?r)) (whoseturn ?n)))
        (:gain ?p - player (+ (* 10 (score)) (total)) (whoseturn ?p)))";
    let problem = "(define (problem small) (:domain order) (:objects g2 - bag)
        (:init (whoseturn chance) (held g1 g2) (held g2 b1) (= (size b1) 1) (= (size g1) 2) (= (size g2) 3)))";
    assert!(compare(&[domain, problem], PogddlTerminal::NoMoves, 0..6, 20) == 120);
}

/// `all`, `others` and `u` are marks if they only have the type `other`: an untyped variable may be a letter `u`.
#[test]
fn marks_are_no_objects() {
    let problem = "(define (problem letters) (:domain alphabet) (:init (whoseturn p1)))";
    let first_moves = |constants: &str, variable: &str| {
        let domain = format!(
            "(define (domain alphabet)
            (:types role letter other)
            (:constants p1 - role v - letter {constants})
            (:predicates (whoseturn ?r - role) (first_moves ?x))
            (:action say :parameters ({variable}) :precondition (and (whoseturn p1) (not (first_moves ?x)))
                :effect (and (first_moves ?x) (observe (p1 (first_moves ?x)))))
            (:gain ?p - role 1 (forall (?y) (first_moves ?y))))"
        );
        let texts = [domain.as_str(), problem];
        assert!(compare(&texts, PogddlTerminal::NoMoves, 0..2, 6) > 3);
        let (domain, problem) = parts(&texts);
        let plain = plain::pogddl(&domain, &problem, &PogddlOptions::default(), &[]).expect("a plain game");
        let names = |game: &Game| {
            let (state, role) = (game.rules.initial(), game.role("p1").expect("a role"));
            let mut names: Vec<String> =
                game.rules.legal(&state, role).iter().map(|&mv| game.rules.move_name(role, mv)).collect();
            names.sort_unstable();
            names
        };
        let names_here = names(&pogddl(&texts, PogddlTerminal::NoMoves));
        assert_eq!(names_here, names(&plain), "{constants}, {variable}");
        names_here.join(" ")
    };
    for variable in ["?x", "?x - object"] {
        assert_eq!(first_moves("all others u - other", variable), "(say p1) (say v)");
        assert_eq!(first_moves("all others - other u - letter", variable), "(say p1) (say u) (say v)");
        assert_eq!(first_moves("all others u - other u - letter", variable), "(say p1) (say u) (say v)");
        assert_eq!(first_moves("all others u", variable), "(say all) (say others) (say p1) (say u) (say v)");
    }
    assert_eq!(
        first_moves("all others u - other", "?x - (either other letter)"),
        "(say all) (say others) (say u) (say v)"
    );
}

#[test]
fn random_domains() {
    let seeds = 0..more(60, 800u64);
    let rounds = seeds.into_par_iter().map(|seed| {
        let mut random = SmallRng::seed_from_u64(seed);
        let mut writer = random_domain::Writer::new(&mut random);
        let texts = [writer.domain(), writer.problem()];
        let terminal = if seed % 2 == 0 { PogddlTerminal::NoMoves } else { PogddlTerminal::Payoff };
        let rounds = std::panic::catch_unwind(|| compare(&[&texts[0], &texts[1]], terminal, seed..seed + 1, 8));
        rounds.unwrap_or_else(|_| panic!("seed {seed}:\n{}\n{}", texts[0], texts[1]))
    });
    let rounds: Vec<usize> = rounds.collect();
    let (played, over) = (rounds.iter().sum::<usize>(), rounds.iter().filter(|rounds| **rounds < 8).count());
    assert!(played > 100 && over > 5, "{played} actions, {over} matches ended");
}

#[test]
fn generated_games() {
    let racko = generate::racko(2, 6).expect("feasible");
    compare(&[generate::RACKO, &racko], PogddlTerminal::Payoff, 0..6, 30);
    for open in [true, false] {
        let gops = generate::gops(2, 1, open).expect("feasible");
        compare(&[generate::GOPS, &gops], PogddlTerminal::NoMoves, 0..3, 30);
    }
    let battleship = generate::battleship(1, 3).expect("feasible");
    compare(&[generate::BATTLESHIP, &battleship], PogddlTerminal::NoMoves, 0..2, 30);
}

mod corpus {
    use percept_test::{folder, is_heavy, read};

    use super::*;

    #[test]
    #[ignore = "needs PERCEPT_CORPUS"]
    fn published_games() {
        let folder = folder("PERCEPT_CORPUS").join("pogddl");
        let small = |domain: &str, problem: &str, terminal, seeds, rounds| {
            let texts = [read(folder.join(domain)), read(folder.join("problems").join(problem))];
            compare(&[&texts[0], &texts[1]], terminal, seeds, rounds);
        };
        small("EndGame.pog", "endgame-1.pog", PogddlTerminal::NoMoves, 0..3, 40);
        small("Difference.pog", "difference-1.pog", PogddlTerminal::NoMoves, 0..2, 12);
        if is_heavy() {
            small("Gops.pog", "gops-2.10.pog", PogddlTerminal::NoMoves, 0..2, 20);
        }
    }
}
