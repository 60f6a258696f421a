//! Games solved as blocks, against their trees and against published numbers.

use std::sync::{Arc, Mutex};

use percept_game::Game;
use percept_infoset::Budget;
use percept_solve::blocks::Blocks;
use percept_solve::cfr::{Pair, Variant};
use percept_solve::evaluate;
use percept_solve::respond::{Profile, RespondError, Responses};
use percept_solve::tree::build;
use percept_solve::zero_sum::Payoffs;
use percept_solve::{BuildError, Checkpoint, Method, Options, Sampling, Solution, Space, Strategy, solve};
use percept_test::{game, gdl};

use crate::respond::{on_four_cells, on_six_cells, responses};

fn blocks(game: &Game) -> Option<Blocks> {
    Blocks::build(game, &Space::default(), &Budget::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn games() -> Vec<(&'static str, Game)> {
    let four = ["dark-hex/dark-hex.kif", "phantom-tic-tac-toe/phantom-tic-tac-toe.kif"];
    let whole = ["kuhn-poker/kuhn-poker.kif", "leduc-poker/leduc-poker.kif", "goofspiel/goofspiel-4.kif"];
    let four = four.into_iter().map(|name| (name, on_four_cells(name)));
    four.chain(whole.into_iter().map(|name| (name, game(name)))).collect()
}

#[test]
fn iterations_are_those_of_the_tree() {
    for (name, game) in games() {
        let blocks = blocks(&game).expect("two players with opposed goals");
        let tree = build(&game, &Space::default(), &Budget::default()).expect("a tree");
        let [first, second] = &tree.players[..] else { panic!("two players") };
        let counts = [first.infosets.len() as f64, second.infosets.len() as f64];
        assert_eq!(blocks.size.infosets, counts, "{name}: every information set is counted");
        let payoffs = Payoffs::new(&tree, 0, 1, &|goals| goals[0]);
        for variant in Variant::ALL {
            let mut plain = Pair::new(first, second, &payoffs, variant);
            let mut pair = blocks.pair(variant);
            // In Goofspiel, many moves are equally good, and rounding decides between them.
            let rounds = if name.starts_with("goofspiel") { 0 } else { 30 };
            for round in 0..=rounds {
                let (one, other) = (plain.bracket(), pair.bracket());
                let distance = (one.low - other.low).abs().max((one.high - other.high).abs());
                assert!(distance < 1e-6, "{name}, {variant:?}, {round}: {one:?}, {other:?}");
                plain.iterate();
                pair.iterate();
            }
        }
    }
}

/// A game in which views with the same future are many: the order of tries in a turn does not matter later.
#[test]
fn views_with_the_same_future_are_one() {
    let text = "(role a) (role b) (door 1) (door 2) (door 3) (init (at 1)) (succ 1 2) (succ 2 3)
        (<= (legal a (look ?d)) (door ?d) (not (true (at 3))))
        (<= (legal a wait) (true (at 3))) (legal b wait2)
        (<= (legal b (go ?d)) (true (at 3)) (door ?d))
        (<= (next (at ?n)) (true (at ?m)) (succ ?m ?n))
        (<= (next (went ?d)) (does b (go ?d))) (<= (next (went 1)) (true (at 3)) (does b wait2))
        (<= terminal (true (went ?d)))
        (<= (goal a 100) (true (went 2))) (<= (goal a 0) (not (true (went 2))))
        (<= (goal b 0) (true (went 2))) (<= (goal b 100) (not (true (went 2))))";
    let size = blocks(&gdl(text)).expect("two players").size;
    assert_eq!(size.infosets, [4.0, 1.0], "{size:?}");
    assert_eq!(size.distinct, [2, 1], "what a looked at is of no use: {size:?}");
}

#[test]
fn private_notes_are_found() {
    let size = blocks(&on_four_cells("dark-hex/dark-hex.kif")).expect("two players").size;
    assert_eq!(size.notes, 8, "each player's tries on four cells");
    assert!(size.cores < size.states / 2, "{size:?}");
}

fn solved(game: &Game, options: &Options) -> Result<Solution, BuildError> {
    blocks(game).expect("two players").solve(options, &Budget::default())
}

#[test]
fn the_strategies_are_worth_what_the_solution_says() {
    for (name, game) in games() {
        let options = Options { iterations: Some(50), target: 0.0, ..Options::default() };
        let solution = solved(&game, &options).expect("a solution");
        let strategy = solution.strategy(&game);
        let text = strategy.to_text(&["about".into()]);
        let strategy = Strategy::from_text(&text).expect("its own text");
        assert_eq!(strategy.to_text(&["about".into()]), text, "{name}");
        let [(low, high), _] = responses(&game, Profile::Table(&strategy)).bounds().expect("opposed goals");
        let [value, _] = &solution.values[..] else { panic!("two values") };
        assert!((value.low - low).abs() < 1e-5 && (value.high - high).abs() < 1e-5, "{name}: {low} {high} {value:?}");
    }
}

fn responses_of_blocks(game: &Game, profile: Profile<'_>) -> Responses {
    let found = blocks(game).expect("two players").respond(game, profile, &Space::default(), &Budget::default());
    found.unwrap_or_else(|error| panic!("{error}"))
}

/// The same values and gains as those over positions.
fn agrees(name: &str, game: &Game, profile: Profile<'_>) {
    let (ours, theirs) = (responses_of_blocks(game, profile), responses(game, profile));
    assert_eq!((ours.states, ours.steps, ours.rounds), (theirs.states, theirs.steps, theirs.rounds), "{name}");
    assert_eq!(ours.sum, theirs.sum, "{name}");
    for (one, other) in ours.roles.iter().zip(&theirs.roles) {
        let distance = (one.value - other.value).abs().max((one.best - other.best).abs());
        assert!(one.role == other.role && distance < 1e-9, "{name}: {one:?}, {other:?}");
        assert!(one.infosets >= other.infosets && one.forced >= other.forced, "{name}: {one:?}, {other:?}");
    }
}

/// The strategies of the tree do different things in views that blocks take as one, those of samples know only a part
/// of the views, and both are mixed.
#[test]
fn strategies_are_worth_what_they_are_over_positions() {
    let dice = ("liars-dice/liars-dice.kif", game("liars-dice/liars-dice.kif"));
    let abrupt = ("abrupt-dark-hex/abrupt-dark-hex.kif", on_four_cells("abrupt-dark-hex/abrupt-dark-hex.kif"));
    for (name, game) in games().into_iter().chain([dice, abrupt, ("dark hex, six cells", on_six_cells())]) {
        agrees(name, &game, Profile::Uniform);
        let few = Options { iterations: Some(7), target: 0.0, ..Options::default() };
        let tree = Options { method: Method::Cfr(Variant::Plus), ..few.clone() };
        let solution = solve(&game, &tree, &Budget::default()).expect("a solution");
        assert!(solution.tree().is_some(), "{name}");
        agrees(name, &game, Profile::Table(&solution.strategy(&game)));
        agrees(name, &game, Profile::Table(&solved(&game, &few).expect("a solution").strategy(&game)));
        let sampled = Options { method: Method::Sampling(Sampling::Outcome), iterations: Some(200), ..few };
        let sampled = solve(&game, &sampled, &Budget::default()).expect("a solution");
        agrees(name, &game, Profile::Sampled(sampled.sampled().expect("samples")));
    }
}

/// A strategy that was found over blocks is evaluated over them, and one with illegal moves is refused.
#[test]
fn strategies_of_blocks_are_evaluated_over_them() {
    let game = on_four_cells("dark-hex/dark-hex.kif");
    let (space, budget) = (Space::default(), Budget::default());
    let solution = solved(&game, &Options { iterations: Some(3), ..Options::default() }).expect("a solution");
    let strategy = solution.strategy(&game);
    let found = evaluate(&game, Profile::Table(&strategy), &space, &budget).expect("values");
    assert_eq!(found.distinct, Some(blocks(&game).expect("two players").size.distinct.iter().sum()));
    assert!(found.bounds().is_some_and(|bounds| (bounds[0].0 - solution.values[0].low).abs() < 1e-6), "{found:?}");
    // Positions of other strategies do fit.
    let uniform = evaluate(&game, Profile::Uniform, &space, &budget).expect("values");
    assert_eq!(uniform.distinct, None);
    let small = evaluate(&game, Profile::Table(&strategy), &Space { bytes: 1_000 }, &budget);
    assert!(matches!(small, Err(RespondError::TooLarge { .. })));
    let waits = "; percept strategy, version 2\n(role black)\n(view (play (1 noop)))\n";
    let waits = Strategy::from_text(waits).expect("a strategy");
    let illegal = evaluate(&game, Profile::Table(&waits), &space, &budget);
    assert!(illegal.is_err_and(|error| error.to_string().contains("`noop`")));
}

#[test]
fn without_memory_neither_a_tree_nor_blocks_are_built() {
    let game = on_four_cells("dark-hex/dark-hex.kif");
    let options = Options { blocks: true, space: Space { bytes: 400 }, ..Options::default() };
    let error = solve(&game, &options, &Budget::default()).expect_err("too large");
    assert!(matches!(error, BuildError::TooLargeWithout { .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains(" histories; without a tree: too large: "), "{text}");
    // With memory for a tree, there is no need for blocks.
    let options = Options { blocks: true, ..Options::default() };
    assert!(solve(&game, &options, &Budget::default()).expect("a tree").tree().is_some());
}

#[test]
fn an_interrupted_run_goes_on_as_if_it_had_not_been() {
    let game = game("kuhn-poker/kuhn-poker.kif");
    for variant in Variant::ALL {
        let kept: Arc<Mutex<Option<Vec<u8>>>> = Arc::default();
        let run = |iterations: u64| {
            let place = kept.clone();
            let before = kept.lock().expect("no panic").clone().map(Arc::new);
            let keep = Arc::new(move |bytes| *place.lock().expect("no panic") = Some(bytes));
            Options {
                method: Method::Cfr(variant),
                iterations: Some(iterations),
                target: 0.0,
                checkpoint: Some(Checkpoint { kept: before, keep }),
                ..Options::default()
            }
        };
        solved(&game, &run(20)).expect("a solution");
        let continued = solved(&game, &run(50)).expect("a solution");
        assert_eq!(continued.iterations, 50);
        kept.lock().expect("no panic").take();
        let whole = solved(&game, &run(50)).expect("a solution");
        assert_eq!(continued.values, whole.values, "{variant:?}");
        assert_eq!(continued.strategy(&game).to_text(&[]), whole.strategy(&game).to_text(&[]));
        // Another method or another game is refused.
        let other = Options { method: Method::Cfr(Variant::ALL[(whole.method.len() + 1) % 2]), ..run(60) };
        if other.method != Method::Cfr(variant) {
            assert!(matches!(solved(&game, &other), Err(BuildError::Checkpoint)));
        }
        let leduc = percept_test::game("leduc-poker/leduc-poker.kif");
        assert!(matches!(solved(&leduc, &run(60)), Err(BuildError::Checkpoint)));
    }
}

#[test]
fn a_table_with_a_view_that_is_missing_is_refused() {
    let text = "; percept strategy, version 2\n(role p1)\n(view (to 2 noop (card 1)))\n(view (play (1 bet)))\n";
    let error = Strategy::from_text(text).expect_err("view 2 is not there");
    assert!(error.message.contains("view 2"), "{error}");
    let text = "; percept strategy, version 2\n(role p1)\n(view (play (0.5 bet)))\n";
    assert_eq!(Strategy::from_text(text).expect_err("half").line, 3);
}

/// The numbers of information sets and the best responses to uniform play in Dark Hex, as in arXiv 2502.08938.
mod long {
    use super::*;

    /// The gains of best responses to uniform play that exp-a-spiel has, up to the value: it prints 0.333684, but the
    /// full board decides who wins, and 84 of 126 are the first player's.
    #[test]
    #[ignore = "takes minutes and 2 GB"]
    fn uniform_play_of_dark_hex() {
        let found = responses_of_blocks(&game("dark-hex/dark-hex.kif"), Profile::Uniform);
        let of = |goal: f64| (goal - 50.0) / 50.0;
        let [black, white] = &found.roles[..] else { panic!("two roles") };
        assert!((of(black.value) - 1.0 / 3.0).abs() < 1e-9 && (of(white.value) + 1.0 / 3.0).abs() < 1e-9, "{found:?}");
        let error = 0.333_684 - 1.0 / 3.0;
        assert!((black.gain() / 50.0 - error - 0.666_318).abs() < 1e-5, "{black:?}");
        assert!((white.gain() / 50.0 + error - 1.166_488).abs() < 1e-5, "{white:?}");
    }

    #[test]
    #[ignore = "takes minutes and 2 GB"]
    fn dark_hex_is_solved() {
        let game = game("dark-hex/dark-hex.kif");
        let blocks = blocks(&game).expect("two players");
        assert_eq!(blocks.size.infosets, [2_027_410.0, 2_352_067.0]);
        assert_eq!(blocks.size.forced, [1_693_440.0, 0.0]);
        let mut pair = blocks.pair(Variant::Predictive);
        let uniform = pair.bracket();
        assert!((uniform.high - 100.0).abs() < 1e-9, "{uniform:?}");
        assert!((uniform.low - (50.0 - 50.0 * 0.832_804)).abs() < 1e-4, "{uniform:?}");
        for _ in 0..20 {
            pair.iterate();
        }
        assert!(pair.bracket().exploitability() / 50.0 < 0.05, "{:?}", pair.bracket());
    }
}
