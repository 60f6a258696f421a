//! Reports of `play` about games that are not well-formed: each fault is found by visiting every state and, if there
//! are too many, by random matches, and the match that is shown has the fault.

use std::time::Instant;

use percept_game::gdl::Declared;
use percept_game::play::{Limits, Summary, play};
use percept_game::{Budget, Game, JointMove, PogddlTerminal, RoleId, State};
use percept_judge::properties::{By, Check, Checked, Inquiry, Property, Verdict, check};
use percept_judge::{Bounds, GaveUp};
use percept_test::{description, gdl, pogddl};

const LIMITS: Limits = Limits { seed: 7, max_rounds: 60, deadline: None };

/// The game is judged by every state, and by matches alone.
fn both(game: &Game) -> [Checked; 2] {
    let summary: Summary = play(game, 300, &LIMITS, &|_| true);
    [1_000_000, 0].map(|states| judged(game, states, &summary, &LIMITS, &Budget::default()))
}

fn judged(game: &Game, states: usize, summary: &Summary, limits: &Limits, budget: &Budget) -> Checked {
    let bounds = Bounds { states, ..Bounds::default() };
    check(game, &Inquiry { description: None, bounds, summary, limits, budget })
}

fn of(checked: &Checked, property: Property, role: Option<u16>) -> &Check {
    let is_it = |check: &&Check| check.property == property && check.role == role.map(RoleId);
    checked.checks.iter().find(is_it).expect("the property is judged")
}

fn faults(checked: &Checked) -> Vec<(Property, Option<u16>)> {
    let faults = checked.checks.iter().filter(|check| check.is_fault());
    faults.map(|check| (check.property, check.role.map(|role| role.0))).collect()
}

/// The states of a match, every round of which is legal.
fn states(game: &Game, rounds: &[JointMove]) -> Vec<State> {
    let mut states = vec![game.rules.initial()];
    for joint in rounds {
        let state = states.last().expect("one");
        assert!(!game.rules.terminal(state));
        for (role, mv) in game.role_ids().zip(joint) {
            assert!(game.rules.legal(state, role).contains(mv));
        }
        states.push(game.rules.next(state, joint));
    }
    states
}

fn example(check: &Check) -> &[JointMove] {
    check.example.as_deref().unwrap_or_else(|| panic!("no match shows: {}", check.message))
}

/// A walk on a line of five places that ends at either side.
const WALK: &str = "(role a) (role b) (init (at 3)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
    (<= (legal a left)) (<= (legal a right)) (legal b wait)
    (<= (next (at ?m)) (does a left) (true (at ?n)) (succ ?m ?n))
    (<= (next (at ?m)) (does a right) (true (at ?n)) (succ ?n ?m))
    (<= terminal (true (at 1))) (<= terminal (true (at 5)))
    (<= (goal a 100) (true (at 5))) (<= (goal a 0) (not (true (at 5))))
    (<= (goal b 100) (true (at 1))) (<= (goal b 0) (not (true (at 1))))";

#[test]
fn a_match_that_comes_back_to_a_state_has_no_end() {
    let game = gdl(WALK);
    let [every, played] = both(&game);
    assert_eq!(faults(&every), [(Property::Termination, None)]);
    let check = of(&every, Property::Termination, None);
    assert_eq!(check.by, By::EveryState);
    let states = states(&game, example(check));
    let last = states.last().expect("a state");
    assert!(states[..states.len() - 1].contains(last), "the last state was there before");
    assert_eq!(every.every_state.as_ref().map(|all| (all.states, all.longest)), Ok((5, None)));
    // All matches end, which proves nothing.
    assert_eq!(faults(&played), []);
    assert_eq!(of(&played, Property::Termination, None).verdict, Verdict::Open);
    assert!(matches!(played.every_state, Err(GaveUp::States(0))));
}

#[test]
fn matches_that_never_end_are_given_up() {
    let [every, played] = both(&gdl(&WALK.replace("(<= terminal", "(<= over")));
    for checked in [every, played] {
        let check = of(&checked, Property::Termination, None);
        assert_eq!((check.verdict, checked.bound.as_ref()), (Verdict::Fails, None), "{}", check.message);
    }
}

#[test]
fn dead_ends_are_found() {
    let text = WALK.replace("(legal b wait)", "(<= (legal b wait) (not (true (at 2))))");
    let game = gdl(&text);
    for checked in both(&game) {
        let check = of(&checked, Property::Playability, None);
        assert_eq!(check.verdict, Verdict::Fails);
        assert!(check.message.starts_with("b has no legal move after round "), "{}", check.message);
        let states = states(&game, example(check));
        let last = states.last().expect("a state");
        assert!(!game.rules.terminal(last) && game.rules.legal(last, RoleId(1)).is_empty());
    }
}

#[test]
fn missing_and_double_goals_are_found() {
    let missing = gdl(&WALK.replace("(<= (goal b 0) (not (true (at 1))))", ""));
    let double = gdl(&format!("{WALK} (<= (goal b 20) (true (at 1)))"));
    for (game, values) in [(missing, vec![]), (double, vec![20, 100])] {
        for checked in both(&game) {
            assert_ne!(of(&checked, Property::Goals, Some(0)).verdict, Verdict::Fails);
            let check = of(&checked, Property::Goals, Some(1));
            assert_eq!(check.verdict, Verdict::Fails, "{}", check.message);
            let states = states(&game, example(check));
            let last = states.last().expect("a state");
            assert!(game.rules.terminal(last));
            let mut goals = game.rules.goals(last, RoleId(1));
            goals.sort_unstable();
            assert_eq!(goals, values);
        }
    }
}

/// The walk, with goals that fall on the way to the left.
fn falling() -> Game {
    gdl(&WALK.replace(
        "(<= (goal a 0) (not (true (at 5))))",
        "(<= (goal a 50) (true (at 4)))
        (<= (goal a 30) (true (at 3))) (<= (goal a 10) (true (at 2))) (<= (goal a 0) (true (at 1)))",
    ))
}

#[test]
fn goals_that_fall_are_told_and_are_no_fault() {
    let game = falling();
    for checked in both(&game) {
        let check = of(&checked, Property::Monotonicity, Some(0));
        assert_eq!((check.verdict, check.is_fault()), (Verdict::Fails, false));
        let states = states(&game, example(check));
        let goal = |state: &State| game.rules.goals(state, RoleId(0))[0];
        let [.., before, after] = &states[..] else { panic!("two states") };
        assert!(goal(after) < goal(before));
        assert_ne!(of(&checked, Property::Monotonicity, Some(1)).verdict, Verdict::Fails);
    }
}

/// The time for matches is over when they are judged: a match is played again in the judge's time, or reported without
/// an example if that is over, too.
#[test]
fn matches_are_looked_at_in_the_time_of_the_judge() {
    let game = falling();
    let summary = play(&game, 300, &LIMITS, &|_| true);
    let over = Limits { deadline: Some(Instant::now()), ..LIMITS };
    let judged = |budget: Budget| {
        let checked = judged(&game, 0, &summary, &over, &budget);
        [Property::Monotonicity, Property::Winnability].map(|property| of(&checked, property, Some(0)).clone())
    };
    let [falls, won] = judged(Budget::default());
    assert_eq!((falls.verdict, won.verdict), (Verdict::Fails, Verdict::Holds));
    assert!(falls.example.is_some() && won.example.is_some());
    let [falls, won] = judged(Budget::default().until(Instant::now()));
    assert_eq!((falls.verdict, won.verdict), (Verdict::Open, Verdict::Holds));
    assert_eq!((falls.example, won.example), (None, None));
    assert!(falls.message.contains("no time"), "{}", falls.message);
}

#[test]
fn a_role_that_cannot_win_is_named() {
    let game = gdl(&WALK.replace("(goal b 100)", "(goal b 60)"));
    let [every, played] = both(&game);
    let check = of(&every, Property::Winnability, Some(1));
    assert_eq!((check.verdict, check.message.as_str()), (Verdict::Fails, "b can get 60 at best, not 100"));
    assert_eq!(of(&every, Property::Winnability, Some(0)).verdict, Verdict::Holds);
    assert_eq!(of(&played, Property::Winnability, Some(1)).verdict, Verdict::Open);
    let won = of(&played, Property::Winnability, Some(0));
    assert_eq!((won.verdict, won.by), (Verdict::Holds, By::Matches));
    let states = states(&game, example(won));
    assert_eq!(game.rules.goals(states.last().expect("a state"), RoleId(0)), [100]);
}

#[test]
fn a_right_game_has_no_faults() {
    let clock = "(init (step 0)) (next-step 0 1) (next-step 1 2) (next-step 2 3)
        (<= (next (step ?n)) (true (step ?m)) (next-step ?m ?n)) (<= terminal (true (step 3)))";
    let game = gdl(&format!("{WALK} {clock}"));
    let [every, played] = both(&game);
    for checked in [&every, &played] {
        assert_eq!(faults(checked), []);
        assert_eq!(checked.bound.as_ref().map(|bound| bound.rounds), Some(3));
        assert_eq!(of(checked, Property::Termination, None).verdict, Verdict::Holds);
    }
    assert_eq!(every.every_state.as_ref().map(|all| all.longest), Ok(Some(3)));
    assert_eq!(of(&played, Property::Termination, None).by, By::Proof);
}

#[test]
fn the_budget_is_kept() {
    let text = "(role r) (bit 1) (bit 2) (bit 3) (bit 4) (bit 5) (bit 6) (bit 7) (bit 8) (bit 9) (bit 10) (bit 11)
        (<= (legal r (flip ?b)) (bit ?b)) (goal r 0)
        (<= (next (on ?b)) (does r (flip ?b)) (not (true (on ?b))))
        (<= (next (on ?b)) (true (on ?b)) (not (flipped ?b))) (<= (flipped ?b) (does r (flip ?b)))
        (<= terminal (true (on 1)) (true (on 2)) (true (on 3)))";
    let game = gdl(text);
    let exhaust = |bounds, late: bool| {
        let budget = Budget { deadline: late.then(Instant::now), ..Budget::default() };
        percept_judge::exhaust(&game, &Declared::default(), &bounds, &budget).map(|all| all.states)
    };
    let wide = Bounds::default();
    // A match ends when three bits are on: seven eighths of the states are left, and those that end it are reachable.
    assert_eq!(exhaust(wide, false), Ok(1 << 11));
    assert_eq!(exhaust(Bounds { states: 100, ..wide }, false), Err(GaveUp::States(100)));
    assert_eq!(exhaust(Bounds { bytes: 10_000, ..wide }, false), Err(GaveUp::Bytes(10_000)));
    assert_eq!(exhaust(Bounds { joint_moves: 999, ..wide }, false), Err(GaveUp::JointMoves(999)));
    assert_eq!(exhaust(wide, true), Err(GaveUp::Time(0)));
}

#[test]
fn two_roles_turn_is_a_fault_in_pogddl() {
    let domain = |effect: &str| {
        format!(
            "(define (domain two) (:requirements :typing :negative-preconditions :pogddl) (:types role)
              (:constants a b - role) (:predicates (whoseturn ?r - role) (done ?r - role))
              (:action go :parameters (?r - role) :precondition (and (whoseturn ?r) (not (done ?r)))
                :effect (and (done ?r) {effect} (observe (?r (went ?r)))))
              (:gain ?r - role 1 (done ?r)))"
        )
    };
    let problem = "(define (problem one) (:domain two) (:init (whoseturn a)))";
    let game = |effect: &str| pogddl(&[&domain(effect), problem], PogddlTerminal::NoMoves);
    for checked in both(&game("(whoseturn b)")) {
        let check = of(&checked, Property::Turns, None);
        assert_eq!(
            (check.verdict, check.message.as_str()),
            (Verdict::Fails, "after round 1 it is the turn of a and b")
        );
        assert_eq!(example(check).len(), 1);
    }
    for checked in both(&game("(not (whoseturn ?r)) (whoseturn b)")) {
        assert_eq!(of(&checked, Property::Turns, None).verdict, Verdict::Holds);
        assert_eq!(checked.bound.as_ref().map(|bound| bound.rounds), Some(2));
    }
}

/// A game that counts to three, without its declarations.
const COUNT: &str = "(role a) (role b) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3) (legal b wait)
    (<= (legal a (go ?n)) (true (n ?m)) (succ ?m ?n)) (<= (next (n ?n)) (does a (go ?n)))
    (<= terminal (true (n 3))) (goal a 100) (goal b 100)";

/// The checks of `base` and `input` of the counting game, by every state and by matches, on either engine.
fn declared(declarations: &str) -> Vec<Vec<Check>> {
    let description = description(&format!("{declarations} {COUNT}"));
    let limits = Limits { seed: 7, ..Limits::default() };
    let games = [Game::from_gdl(&description).unwrap(), Game::from_gdl_lifted(&description).unwrap()];
    let judge = |(game, states): (&Game, usize)| {
        let summary: Summary = play(game, 20, &limits, &|_| true);
        let bounds = Bounds { states, ..Bounds::default() };
        let inquiry = Inquiry {
            description: Some(&description),
            bounds,
            summary: &summary,
            limits: &limits,
            budget: &Budget::default(),
        };
        let checks = check(game, &inquiry).checks.into_iter();
        let kept: Vec<Check> = checks.filter(|it| matches!(it.property, Property::Base | Property::Input)).collect();
        for it in &kept {
            if it.verdict == Verdict::Fails {
                assert!(it.is_fault() && states_are_legal(game, example(it)));
            }
        }
        kept
    };
    games.iter().flat_map(|game| [(game, 1000), (game, 0)]).map(judge).collect()
}

fn states_are_legal(game: &Game, rounds: &[JointMove]) -> bool {
    states(game, rounds).len() == rounds.len() + 1
}

#[test]
fn a_fluent_outside_base_and_a_move_outside_input_are_reported_and_stay_in_the_game() {
    let wrong = "(base (n 0)) (base (n 1)) (input a (go 1)) (input a (go 3)) (input b wait) (input a wait)";
    for checks in declared(wrong) {
        let messages: Vec<&str> = checks.iter().map(|check| check.message.as_str()).collect();
        let expected = [
            "`(n 2)` holds after round 2, but `base` does not declare it",
            "`(go 2)` is legal for a after round 1, but `input` does not declare it",
        ];
        assert_eq!(messages, expected);
        let lengths: Vec<usize> = checks.iter().map(|check| example(check).len()).collect();
        assert_eq!(lengths, [2, 1]);
    }
    // The game is the same whatever is declared.
    let [with, without] = [wrong, ""].map(|declared| gdl(&format!("{declared} {COUNT}")));
    let limits = Limits::default();
    assert_eq!(play(&with, 50, &limits, &|_| true), play(&without, 50, &limits, &|_| true));
}

/// No rule has to read a declaration, so a wrong one is ignored unless some rule reads it.
#[test]
fn wrong_declarations_do_not_keep_a_game_from_being_played() {
    let wrong =
        "(base (n ?x)) (<= (input ?r ?m) (role ?r)) (<= (percept ?r ?p) (role ?r) (distinct ?p ?q)) (base (n 0) (n 1))";
    let [with, without] = [wrong, ""].map(|declared| gdl(&format!("{declared} {COUNT}")));
    let limits = Limits::default();
    assert_eq!(play(&with, 50, &limits, &|_| true), play(&without, 50, &limits, &|_| true));
    let read = description(&format!("(base (n ?x)) (<= (goal a 50) (base (n 7))) {COUNT}"));
    assert!(Game::from_gdl(&read).is_err());
}

#[test]
fn nothing_is_said_of_what_is_not_declared() {
    assert!(declared("").iter().all(Vec::is_empty));
    for checks in declared("(input b wait) (<= (input a (go ?n)) (succ ?m ?n))") {
        assert_eq!(checks.iter().map(|check| check.property).collect::<Vec<_>>(), [Property::Input]);
        assert_ne!(checks[0].verdict, Verdict::Fails);
    }
}

#[test]
fn right_declarations_are_proved_on_the_ground_game_and_seen_on_the_other() {
    let right = "(<= (base (n ?n)) (succ ?n ?m)) (base (n 3)) (base (unused)) (<= (input a (go ?n)) (succ ?m ?n))
        (input b wait)";
    let verdicts: Vec<Vec<(Verdict, By)>> =
        declared(right).iter().map(|checks| checks.iter().map(|check| (check.verdict, check.by)).collect()).collect();
    let (proved, all, seen) =
        ((Verdict::Holds, By::Proof), (Verdict::Holds, By::EveryState), (Verdict::Open, By::Matches));
    assert_eq!(verdicts, [vec![proved; 2], vec![proved; 2], vec![all; 2], vec![seen; 2]]);
}

#[test]
fn hostile_declarations_are_no_more_than_reported() {
    // In the initial state; no instance at all; of another role; about the state; without end.
    for (text, expected) in [
        ("(base (m 0))", "`(n 0)` holds in the initial state, but `base` does not declare it"),
        ("(<= (base (n ?x)) (succ ?x ?x))", "`(n 0)` holds in the initial state, but `base` does not declare it"),
        (
            "(input b (go 1)) (input b wait)",
            "`(go 1)` is legal for a in the initial state, but `input` does not declare it",
        ),
        ("(base (n ?x))", "it was not checked: unsafe rule: no positive condition binds `?x` in the head"),
        ("(<= (base ?f) (true ?f))", "it was not checked: `base` depends on the state or the moves"),
        (
            "(num 0) (<= (num (s ?x)) (num ?x)) (<= (base (n ?x)) (num ?x))",
            "it was not checked: `num` builds deeper and deeper terms: check that its recursion ends",
        ),
    ] {
        for checks in declared(text) {
            assert_eq!(checks.len(), 1, "{text}");
            assert_eq!(checks[0].message, expected);
        }
    }
}

/// After `b`, chance has a move that nests deeper than a term may, so the rules cannot determine it or its successors.
#[test]
fn where_the_rules_are_too_large_for_a_state_not_every_state_is_visited() {
    let deep = format!("{}?x{}", "(s ".repeat(150), ")".repeat(150));
    let game = gdl(&format!(
        "(role p) (role random) (init start) (letter z) (legal p go)
         (<= (legal random a) (true start)) (<= (legal random b) (true start)) (<= (legal random c) (true ok))
         (<= (big {deep}) (true grow) (letter ?x)) (<= (bigger {deep}) (big ?x))
         (<= (legal random {deep}) (bigger ?x))
         (<= (next ok) (does random a)) (<= (next grow) (does random b)) (<= (next end) (not (true start)))
         (<= terminal (true end)) (goal p 0)"
    ));
    let found = percept_judge::exhaust(&game, &Declared::default(), &Bounds::default(), &Budget::default());
    assert_eq!(found.map(|found| found.states), Err(GaveUp::Incomplete));
}
