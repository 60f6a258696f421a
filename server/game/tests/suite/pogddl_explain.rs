//! Explanations in POGDDL: compared with the engine in every state of random matches, and in words for known positions.

use std::collections::BTreeSet;
use std::sync::Arc;

use percept_game::play::{Limits, play_match};
use percept_game::pogddl::{Explainer, Reason, generate};
use percept_game::stepper::Stepper;
use percept_game::{MoveId, PogddlTerminal, RoleId};
use percept_test::games::parts;
use percept_test::matches::{joint, mover};
use percept_test::pogddl;

use crate::support::EVERYTHING;

const SMALL: &str = "(define (problem small) (:domain everything)
    (:objects b1 b2 - box g1 - bag)
    (:init (whoseturn p1) (opponent p1 p2) (opponent p2 p1) (linked g1 g1) (odd b1)
        (= (score p1) 0) (= (score p2) 1) (= (weight b1) 2) (= (weight g1) 3) (= (fuel p1) 4) (= (fuel p2) 3)))";

/// One line for each reason, with the text at its place.
fn lines(why: &Reason, texts: [&str; 2], depth: usize, out: &mut Vec<String>) {
    let place = why.place.map(|place| &texts[usize::from(place.in_problem)][place.range.as_usize()]);
    let place = place.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    let place = place.map(|text| format!("  <- {}", text.chars().take(60).collect::<String>())).unwrap_or_default();
    let mark = if why.holds { "+" } else { "-" };
    out.push(format!("{}{mark} {}{place}", "  ".repeat(depth), why.says));
    why.parts.iter().for_each(|part| lines(part, texts, depth + 1, out));
}

fn check(texts: [&str; 2], seed: u64) {
    let game = Arc::new(pogddl(&texts, PogddlTerminal::NoMoves));
    let (domain, problem) = parts(&texts);
    let explainer = Explainer::new(&game, &domain, &problem).expect("it is right");
    let (_, rounds) = play_match(&game, seed, &Limits { seed, max_rounds: 12, ..Limits::default() });
    let mut stepper = Stepper::new(game.clone());
    let mut actions: BTreeSet<String> = BTreeSet::new();
    for joint in rounds {
        stepper.play(joint).expect("legal");
    }
    for at in 0..=stepper.len() {
        stepper.jump(at);
        let mover = game.role_ids().find(|&role| game.rules.legal(stepper.state(), role) != [MoveId::NOOP]);
        let legal: BTreeSet<String> = mover.map_or(BTreeSet::new(), |role| {
            stepper.legal(role).iter().map(|&mv| game.rules.move_name(role, mv)).collect()
        });
        actions.extend(legal.iter().cloned());
        // Actions that were legal at some time: right now, or why not.
        for action in &actions {
            let why = explainer.explain(&stepper, action).expect("an action");
            assert_eq!(why.holds, legal.contains(action), "{action} after round {at}");
            assert_eq!(why.parts.iter().all(|part| part.holds), why.holds, "{action} after round {at}: {why:?}");
        }
        // A fact that was added last in a round held from then on.
        for fluent in stepper.state().fluents().filter(|&fluent| !game.rules.fluent_name(fluent).starts_with("(= ")) {
            let name = game.rules.fluent_name(fluent);
            let why = explainer.explain(&stepper, &name).expect("a fact");
            assert!(why.holds);
            let round = why.parts[0]
                .says
                .strip_prefix("added in round ")
                .map(|rest| rest.split(' ').next().and_then(|round| round.parse::<usize>().ok()).expect("a round"));
            let since = round.unwrap_or(0);
            assert!(stepper.states()[since..=at].iter().all(|state| state.has(fluent)), "{name} since {since} at {at}");
            assert!(round.is_some() || stepper.states()[0].has(fluent), "{name} at {at}");
        }
        // Every message that was sent has its clause.
        for (role, percepts) in
            at.checked_sub(1).map_or(&[][..], |round| &stepper.rounds()[round].percepts).iter().enumerate()
        {
            for &percept in percepts {
                let role = RoleId(role as u16);
                let question =
                    format!("(sees {} {})", game.roles[role.0 as usize].name, game.rules.percept_name(role, percept));
                let why = explainer.explain(&stepper, &question).expect("a message");
                assert!(why.holds && why.parts[0].holds && why.parts[0].place.is_some(), "{question}: {why:?}");
            }
        }
    }
}

#[test]
fn reasons_agree_with_the_engine() {
    for seed in 0..6 {
        check([EVERYTHING, SMALL], seed);
        check([generate::RACKO, &generate::racko(2, 6).unwrap()], seed);
        check([generate::GOPS, &generate::gops(2, 1, true).unwrap()], seed);
        check([generate::BATTLESHIP, &generate::battleship(1, 3).unwrap()], seed);
    }
}

#[test]
fn reasons_in_words() {
    let battleship = generate::battleship(1, 3).unwrap();
    let texts = [generate::BATTLESHIP, battleship.as_str()];
    let game = Arc::new(pogddl(&texts, PogddlTerminal::NoMoves));
    let (domain, problem) = parts(&texts);
    let explainer = Explainer::new(&game, &domain, &problem).expect("it is right");
    let mut stepper = Stepper::new(game.clone());
    for action in ["(place p1 p2 patrol c01r01 across)", "(place p2 p1 patrol c02r02 down)", "(shoot p1 c01r01)"] {
        let role = mover(&game, stepper.state()).expect("a mover");
        let mv = game.rules.find_move(role, action).expect("a move");
        stepper.play(joint(&game, role, mv)).expect("legal");
    }
    let mut out = Vec::new();
    for question in [
        "(answer-hit p1 p2 c01r01 patrol)",
        "(answer-miss p1 p2 c01r01)",
        "(place p1 p2 patrol c01r01 across)",
        "(taken p1 c02r01)",
        "(taken p1 c03r03)",
        "(inphase shooting)",
        "(unhit p2 patrol)",
        "(sees p2 (shoots p1 c01r01))",
        "(sees p2 (hits p1 patrol))",
        "(goal p1)",
        "(answer-hit)",
        "terminal",
    ] {
        let why = explainer.explain(&stepper, question).expect(question);
        lines(&why, texts, 0, &mut out);
    }
    expect_test::expect_file!["support/battleship_reasons.txt"].assert_eq(&format!("{}\n", out.join("\n")));
    assert!(explainer.explain(&stepper, "(swim p1)").is_err());
    assert!(explainer.explain(&stepper, "(shoot p1 c01r01 c01r01)").is_err());
    assert!(explainer.explain(&stepper, "(shoot c01r01 p1)").is_err());
}
