//! Compares heuristic rejection sampling with a search without any order, and checks its order.

use std::collections::BTreeSet;

use percept_game::{Cursor, Game, JointMove};
use percept_infoset::{Budget, Dfs, Member, Members, View};
use percept_learn::hrs::{AsListed, AtRandom, Given, Hrs, Order};
use percept_learn::retrace::Retrace;
use percept_test::game;

use crate::support::{cards, played, secrets, view};

fn games() -> Vec<Game> {
    vec![cards(), secrets(), game("goofspiel/goofspiel-4.kif"), game("kuhn-poker/kuhn-poker.kif")]
}

fn all(game: &Game, view: &View, order: Box<dyn Order>) -> Vec<Vec<JointMove>> {
    let mut search = Hrs::new(game, view, order, Budget::default());
    let found: Vec<_> = search.by_ref().map(|it| it.moves).collect();
    assert!(search.complete());
    found
}

/// Finds the same sets as Algorithm DFS-Infoset in any order, each history once.
#[test]
fn finds_the_whole_set() {
    for game in games() {
        for seed in 0..6 {
            let moves = played(&game, seed);
            for role in 0..2 {
                for rounds in 0..=moves.len() {
                    let view = view(&game, role, &moves[..rounds]);
                    let expected: BTreeSet<_> = Dfs::new(&game, &view, Budget::default()).map(|it| it.moves).collect();
                    for order in [Box::new(AsListed) as Box<dyn Order>, Box::new(AtRandom::new(seed))] {
                        let found = all(&game, &view, order);
                        assert_eq!(found.len(), expected.len());
                        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected);
                    }
                }
            }
        }
    }
}

/// A search finds the whole set after any number of restarts, each history once.
#[test]
fn beginning_anew_loses_nothing() {
    for game in games() {
        for seed in 0..4 {
            let view = view(&game, 0, &played(&game, seed));
            let expected: BTreeSet<_> = Dfs::new(&game, &view, Budget::default()).map(|it| it.moves).collect();
            for patience in [1, 2, 7, 50] {
                let order = Box::new(AtRandom::new(seed));
                let mut search = Hrs::new(&game, &view, order, Budget::default()).anew_after(patience);
                let found: Vec<_> = search.by_ref().map(|it| it.moves).collect();
                assert!(search.complete());
                assert_eq!(found.len(), expected.len());
                assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected);
            }
        }
    }
}

/// Histories simulated from their first difference to the last one are the same members as those simulated from the
/// start, in any order, including histories that do not fit.
#[test]
fn retraced_histories_are_simulated_histories() {
    for game in games() {
        for seed in 0..6 {
            let moves = played(&game, seed);
            for role in 0..2 {
                let view = view(&game, role, &moves);
                let mut retrace = Retrace::new(&game, &view);
                let mut histories = all(&game, &view, Box::new(AtRandom::new(seed)));
                histories.extend((0..4).map(|other| played(&game, other)));
                histories.push(moves[..moves.len() - 1].to_vec());
                histories.push([moves.clone(), moves.clone()].concat());
                histories.extend(histories.clone().into_iter().rev());
                for history in histories {
                    let expected = Member::checked(&game, &view, history.clone());
                    assert_eq!(retrace.member(&history), expected, "{history:?}");
                }
            }
        }
    }
}

/// Greater values first, equal ones in the order of the game.
#[test]
fn goes_by_the_order_it_is_given() {
    let game = secrets();
    let view = view(&game, 0, &played(&game, 1)[..1]);
    let listed = all(&game, &view, Box::new(AsListed));
    let of = |joint: &JointMove| listed.iter().position(|it| it[0] == *joint).unwrap();
    let equal = all(&game, &view, Box::new(Given(|_: &mut dyn Cursor, _: usize, _: &JointMove| 1.0)));
    assert_eq!(equal, listed);
    let moves = listed.clone();
    let value = move |_: &mut dyn Cursor, _: usize, joint: &JointMove| {
        moves.iter().position(|it| it[0] == *joint).map_or(0.0, |place| place as f64)
    };
    let reversed = all(&game, &view, Box::new(Given(value)));
    assert_eq!(reversed.iter().map(|it| of(&it[0])).collect::<Vec<_>>(), (0..listed.len()).rev().collect::<Vec<_>>());
}
