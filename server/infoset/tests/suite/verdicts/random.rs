//! Random games as texts: every text that the readers accept is a game.

use std::fmt::Write;

use percept_game::{Game, PogddlTerminal};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng, rngs::SmallRng};

use super::{gdl, pogddl};
use crate::support::random_game::random_game;

/// A circuit in which a role may not even know its own moves.
pub fn circuit_game(seed: u64) -> Game {
    Game { knows_own_moves: !seed.is_multiple_of(3), ..random_game(seed) }
}

/// A few conditions on the state, each negated or not.
fn conditions(rng: &mut SmallRng, most: usize) -> Vec<String> {
    let one = |rng: &mut SmallRng| {
        let atom = format!("(true f{})", rng.random_range(0..4));
        negated(rng, atom)
    };
    (0..rng.random_range(0..=most)).map(|_| one(rng)).collect()
}

fn negated(rng: &mut SmallRng, atom: String) -> String {
    if rng.random() { atom } else { format!("(not {atom})") }
}

/// Rules over four fluents and a step counter, for two players and chance.
pub fn rules_game(seed: u64) -> Game {
    let text = rules_text(seed);
    gdl(&text).unwrap_or_else(|| panic!("no game:\n{text}"))
}

fn rules_text(seed: u64) -> String {
    let mut rng = SmallRng::seed_from_u64(seed);
    let rng = &mut rng;
    let mut text = "(role left) (role right) (role random) (init (step 0))\n".to_owned();
    let last = rng.random_range(2..5);
    for step in 0..last {
        writeln!(text, "(<= (next (step {})) (true (step {step})))", step + 1).expect("memory");
    }
    for fluent in 0..4 {
        if rng.random_bool(0.3) {
            writeln!(text, "(init f{fluent})").expect("memory");
        }
        for _ in 0..rng.random_range(1..3) {
            let (state, moves) = (conditions(rng, 2).join(" "), actions(rng, 1));
            writeln!(text, "(<= (next f{fluent}) {state} {moves})").expect("memory");
        }
    }
    for (role, count) in [("left", 2), ("right", 2), ("random", 2)] {
        writeln!(text, "(legal {role} m0)").expect("memory");
        for index in 1..count {
            writeln!(text, "(<= (legal {role} m{index}) {})", conditions(rng, 1).join(" ")).expect("memory");
        }
        writeln!(text, "(<= (goal {role} 50) {})", conditions(rng, 1).join(" ")).expect("memory");
        writeln!(text, "(<= (goal {role} 100) {})", conditions(rng, 2).join(" ")).expect("memory");
    }
    for role in ["left", "right"] {
        for index in 0..rng.random_range(1..5) {
            let (state, moves) = (conditions(rng, 1).join(" "), actions(rng, 1));
            writeln!(text, "(<= (sees {role} p{index}) {state} {moves})").expect("memory");
        }
    }
    writeln!(text, "(<= terminal (true (step {last})))").expect("memory");
    writeln!(text, "(<= terminal (true (step 1)) (true f0) (true f1))").expect("memory");
    text
}

/// At most `most` conditions on the joint move.
fn actions(rng: &mut SmallRng, most: usize) -> String {
    let one = |rng: &mut SmallRng| {
        let role = ["left", "right", "random"].choose(rng).expect("three");
        let atom = format!("(does {role} m{})", rng.random_range(0..2));
        negated(rng, atom)
    };
    (0..rng.random_range(0..=most)).map(|_| one(rng)).collect::<Vec<_>>().join(" ")
}

/// A planning domain in which chance, `a` and `b` move in turn, some fluents are hidden, and messages are sent at
/// random.
pub fn planning_game(seed: u64) -> Game {
    let domain = planning_domain(seed);
    let problem = "(define (problem p) (:domain d) (:init (whoseturn chance) (at s0) (= (points) 1)))";
    let terminal = if seed % 4 == 3 { PogddlTerminal::Payoff } else { PogddlTerminal::NoMoves };
    pogddl(&domain, problem, terminal).unwrap_or_else(|why| panic!("{why}\n{domain}"))
}

fn planning_domain(seed: u64) -> String {
    let mut rng = SmallRng::seed_from_u64(seed);
    let rng = &mut rng;
    let steps = rng.random_range(3..6);
    let stages: Vec<String> = (0..=steps).map(|step| format!("s{step}")).collect();
    let mut text = format!(
        "(define (domain d) (:requirements :typing :equality :conditional-effects :fluents :negative-preconditions :pogddl)
 (:types role stage other)
 (:constants chance a b - role {} - stage all others u - other)
 (:predicates (whoseturn ?r - role) (at ?s - stage) (f0) (f1) (f2) (f3))
 (:functions (points))\n",
        stages.join(" ")
    );
    // The roles move in turn. Some steps are two actions long, because a role may move twice.
    let order: Vec<&str> = std::iter::once("chance")
        .chain((0..steps).map(|_| *["a", "b", "chance"].choose(rng).expect("three")))
        .collect();
    for step in 0..steps {
        for choice in 0..rng.random_range(2..4) {
            let precondition = if choice == 0 { String::new() } else { literals(rng, 1) };
            let mut effects = format!("(not (at s{step})) (at s{})", step + 1);
            if order[step] != order[step + 1] {
                write!(effects, " (not (whoseturn {})) (whoseturn {})", order[step], order[step + 1]).expect("memory");
            }
            for _ in 0..rng.random_range(1..4) {
                write!(effects, " {}", effect(rng)).expect("memory");
            }
            writeln!(
                text,
                " (:action m{step}-{choice} :parameters () :precondition (and (whoseturn {}) (at s{step}) {precondition})
  :effect (and {effects}))",
                order[step]
            )
            .expect("memory");
        }
    }
    let (left, right) = (literals(rng, 1), literals(rng, 1));
    writeln!(text, " (:gain ?p - role (points) (and (at s{steps}) {left}))").expect("memory");
    writeln!(text, " (:gain ?p - role 1 (and (= ?p a) {right} (at s{steps}))))").expect("memory");
    text
}

fn literals(rng: &mut SmallRng, most: usize) -> String {
    let literal = |rng: &mut SmallRng| {
        let atom = format!("(f{})", rng.random_range(0..4));
        negated(rng, atom)
    };
    (0..rng.random_range(0..=most)).map(|_| literal(rng)).collect::<Vec<_>>().join(" ")
}

fn effect(rng: &mut SmallRng) -> String {
    let plain = match rng.random_range(0..8) {
        0..4 => {
            let atom = format!("(f{})", rng.random_range(0..4));
            negated(rng, atom)
        }
        4 => "(increase (points) 1)".to_owned(),
        _ => {
            let who = ["a", "b", "all", "a b"].choose(rng).expect("four");
            let what = ["(told)", "(hello)"].choose(rng).expect("two");
            match rng.random_range(0..3) {
                0 => format!("(observe (a {what}) (others (nothing)))"),
                _ => format!("(observe ({who} {what}))"),
            }
        }
    };
    let condition = literals(rng, 1);
    if condition.is_empty() { plain } else { format!("(when {condition} {plain})") }
}
