//! All methods on random games: the same sets, the same verdicts, and never a history of another view.

use std::{collections::HashSet, time::Duration};

use percept_game::{Game, JointMove, RoleId};
use percept_infoset::exact::Look;
use percept_infoset::{
    Budget, Method, ObserveOptions, Options, View, Wanted, impossible_round, infoset, observe, play, replay,
};
use percept_test::matches::random;
use proptest::prelude::*;

use crate::support::random_game::random_game;

fn listed(game: &Game, view: &View, method: Method) -> HashSet<Vec<JointMove>> {
    let report = infoset(game, view, &Options { method, ..Options::default() }, &Budget::default()).unwrap();
    assert!(report.complete, "{method:?}");
    let count = report.members.len();
    let set: HashSet<_> = report.members.into_iter().map(|member| member.moves).collect();
    assert_eq!(set.len(), count, "{method:?} lists a history twice");
    set
}

const PAPER: Method = Method::Paper { most_constrained: false };

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn all_methods_find_the_same_set(seed in any::<u64>(), role in 0u16..2, rounds in 0usize..4, blind in any::<bool>()) {
        let mut game = random_game(seed);
        game.knows_own_moves = !blind;
        let moves = random(&game, seed, rounds);
        let view = View::of_match(&game, RoleId(role), &moves).unwrap();
        let dfs = listed(&game, &view, Method::Dfs);
        prop_assert!(dfs.contains(&moves));
        for method in [Method::Exact, Method::Csp, Method::Sat, Method::Auto, PAPER] {
            prop_assert_eq!(&listed(&game, &view, method), &dfs, "{:?}", method);
        }
    }

    #[test]
    fn looking_ahead_changes_nothing(seed in any::<u64>(), role in 0u16..2, rounds in 0usize..5, other in any::<u64>(),
        blind in any::<bool>(), alien in any::<bool>()) {
        let mut game = random_game(seed);
        game.knows_own_moves = !blind;
        // Also with views of another game, which are mostly impossible.
        let played = if alien { Game { knows_own_moves: !blind, ..random_game(other) } } else { game.clone() };
        let view = View::of_match(&played, RoleId(role), &random(&played, other, rounds)).unwrap();
        let [past, ahead] = [Look::Never, Look::Always].map(|look| {
            let options = Options { method: Method::Exact, look, ..Options::default() };
            infoset(&game, &view, &options, &Budget::default()).unwrap()
        });
        let key = |report: &percept_infoset::Report| {
            let mut members: Vec<_> = report.members.iter().map(|it| it.moves.clone()).collect();
            members.sort();
            members
        };
        prop_assert_eq!(key(&past), key(&ahead));
        prop_assert_eq!((&past.histories, past.states), (&ahead.histories, ahead.states));
        if !past.members.is_empty() {
            prop_assert!((past.ln_mass.unwrap() - ahead.ln_mass.unwrap()).abs() < 1e-9);
        }
    }

    #[test]
    fn views_of_nothing_are_refused_by_all(seed in any::<u64>(), other in any::<u64>(), rounds in 1usize..4) {
        // The percepts of one game under the rules of another: mostly impossible.
        let (game, stranger) = (random_game(seed), random_game(other));
        let view = View::of_match(&stranger, RoleId(0), &random(&stranger, other, rounds)).unwrap();
        let dfs = listed(&game, &view, Method::Dfs);
        for method in [Method::Exact, Method::Csp, Method::Sat, PAPER] {
            prop_assert_eq!(&listed(&game, &view, method), &dfs, "{:?}", method);
        }
        let blamed = impossible_round(&game, &view, 1 << 26, &Budget::default()).unwrap();
        prop_assert_eq!(blamed.is_some(), dfs.is_empty());
        if let Some(round) = blamed {
            prop_assert!(listed(&game, &view.prefix(round), Method::Dfs).is_empty());
            prop_assert!(!listed(&game, &view.prefix(round - 1), Method::Dfs).is_empty());
        }
    }

    #[test]
    fn samplers_return_members_only_and_estimate_without_bias(seed in any::<u64>(), rounds in 1usize..4) {
        let game = random_game(seed);
        let moves = random(&game, seed, rounds);
        let view = View::of_match(&game, RoleId(1), &moves).unwrap();
        let all = listed(&game, &view, Method::Dfs);
        for wanted in [Wanted::Uniform, Wanted::ByProbability] {
            let options = Options { method: Method::Csp, wanted, limit: 500, seed, ..Options::default() };
            let report = infoset(&game, &view, &options, &Budget::default()).unwrap();
            prop_assert!(!report.members.is_empty());
            for member in &report.members {
                prop_assert!(all.contains(&member.moves) && replay(&game, &view, &member.moves).is_ok());
            }
            if let Some(estimate) = report.estimate {
                let error = (estimate.mean - all.len() as f64).abs();
                prop_assert!(error <= 6.0 * estimate.standard_error, "{:?} {}", estimate, all.len());
            }
        }
    }

    #[test]
    fn verdicts_agree(seed in any::<u64>(), rounds in 0usize..4, announce_end in any::<bool>()) {
        let game = random_game(seed);
        let moves = random(&game, seed, rounds);
        let states = play(&game, &moves).unwrap();
        let exact = ObserveOptions { announce_end, ..ObserveOptions::default() };
        let sat = ObserveOptions { exact_time: Duration::ZERO, ..exact.clone() };
        let by_exact = observe(&game, &moves, &exact, &Budget::default()).unwrap().findings;
        let by_sat = observe(&game, &moves, &sat, &Budget::default()).unwrap().findings;
        prop_assert_eq!(by_exact.len(), 2 * 3 * states.len());
        prop_assert_eq!(by_exact.len(), by_sat.len());
        for (left, right) in by_exact.iter().zip(&by_sat) {
            prop_assert_eq!(left.verdict.name(), right.verdict.name(), "{:?} {:?}", left, right);
        }
    }
}
