//! Damaged descriptions: whatever still parses becomes a game that can be played and ground, or a list of errors.

use percept_game::{Game, PogddlOptions, PogddlTerminal, Scope, pogddl::generate};
use percept_syntax::pddl::Definition;
use percept_test::games::{definitions, parts};
use proptest::prelude::*;
use rand::{SeedableRng, rngs::SmallRng};

use crate::support::EVERYTHING;

const SMALL: &str = "(define (problem small) (:domain everything)
    (:objects b1 b2 - box g1 - bag)
    (:init (whoseturn p1) (opponent p1 p2) (opponent p2 p1) (linked g1 g1) (odd b1)
        (= (score p1) 0) (= (score p2) 1) (= (weight b1) 2) (= (weight g1) 3) (= (fuel p1) 4) (= (fuel p2) 3)))";

#[derive(Clone, Debug)]
enum Damage {
    Remove(usize),
    Repeat(usize),
    Swap(usize, usize),
    Replace(usize, &'static str),
}

fn damage() -> impl Strategy<Value = Damage> {
    let words = prop::sample::select(vec![
        "(",
        ")",
        "?r",
        "?x",
        "p1",
        "chance",
        "u",
        "others",
        "whoseturn",
        "-",
        "role",
        "object",
        "not",
        "and",
        "or",
        "exists",
        "forall",
        "when",
        "observe",
        "(score p1)",
        "9223372036854775807",
        "-1",
        "0",
        "(either box role)",
        "increase",
        "/",
    ]);
    prop_oneof![
        any::<usize>().prop_map(Damage::Remove),
        any::<usize>().prop_map(Damage::Repeat),
        (any::<usize>(), any::<usize>()).prop_map(|(left, right)| Damage::Swap(left, right)),
        (any::<usize>(), words).prop_map(|(at, word)| Damage::Replace(at, word)),
    ]
}

fn damaged(text: &str, damages: &[Damage]) -> String {
    let spaced = text.lines().filter(|line| !line.trim_start().starts_with(';')).collect::<Vec<_>>().join(" ");
    let spaced = spaced.replace('(', " ( ").replace(')', " ) ");
    let mut tokens: Vec<&str> = spaced.split_whitespace().collect();
    for damage in damages {
        let count = tokens.len();
        match *damage {
            Damage::Remove(at) => drop(tokens.remove(at % count)),
            Damage::Repeat(at) => tokens.insert(at % count, tokens[at % count]),
            Damage::Swap(left, right) => tokens.swap(left % count, right % count),
            Damage::Replace(at, word) => tokens[at % count] = word,
        }
    }
    tokens.join(" ")
}

fn survive(domain: &str, problem: &str, terminal: PogddlTerminal) {
    let (mut found_domain, mut found_problem) = (None, None);
    for definition in definitions(domain).into_iter().chain(definitions(problem)) {
        match definition {
            Definition::Domain(domain) => found_domain = Some(domain),
            Definition::Problem(problem) => found_problem = Some(problem),
        }
    }
    let (Some(domain), Some(problem)) = (found_domain, found_problem) else { return };
    let Ok(game) = Game::from_pogddl(&domain, &problem, &PogddlOptions { terminal }) else { return };
    let mut random = SmallRng::seed_from_u64(1);
    for rounds in [1, 3, 10] {
        let mut state = game.rules.initial();
        game.playout(&mut state, rounds, &mut random);
        let scope = Scope { possible: Some(&state), certain: Some(&state), budget: Some(100_000), ..Scope::default() };
        let _ = game.rules.ground(&scope);
    }
    let _ = game.rules.ground(&Scope { budget: Some(20_000), ..Scope::default() });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_domains(damages in prop::collection::vec(damage(), 1..4)) {
        survive(&damaged(EVERYTHING, &damages), SMALL, PogddlTerminal::NoMoves);
    }

    #[test]
    fn damaged_problems(damages in prop::collection::vec(damage(), 1..4)) {
        survive(EVERYTHING, &damaged(SMALL, &damages), PogddlTerminal::Payoff);
    }

    #[test]
    fn damaged_battleship(damages in prop::collection::vec(damage(), 1..4)) {
        let problem = generate::battleship(1, 3).expect("feasible");
        survive(&damaged(generate::BATTLESHIP, &damages), &problem, PogddlTerminal::Payoff);
    }
}

/// Millions of legal actions, or of fluents, are refused with a reason.
#[test]
fn what_is_too_large_is_refused() {
    let objects: Vec<String> = (0..60).map(|number| format!("o{number}")).collect();
    let problem = format!("(define (problem p) (:domain d) (:objects {}) (:init (whoseturn p1)))", objects.join(" "));
    let game = |effect: &str| {
        let domain = format!(
            "(define (domain d) (:constants p1 - role) (:predicates (whoseturn ?r - role) (q ?a ?b ?c ?d ?e))
                (:action a :parameters (?a ?b ?c ?d ?e) :precondition (whoseturn p1) :effect {effect}))"
        );
        let (domain, problem) = parts(&[&domain, &problem]);
        Game::from_pogddl(&domain, &problem, &PogddlOptions::default()).err().expect("too large")[0].message.clone()
    };
    assert_eq!(game("(not (whoseturn p1))"), "too large: the initial state has 1048576 legal actions or more");
    assert_eq!(game("(q ?a ?b ?c ?d ?e)"), "too large: `q` has 844596301 instances; a game may have 8388608 in all");
}
