//! The work for sets too large to be listed: only the requested members are made, and a method that finds hardly any is
//! given up for another one.

use num_bigint::BigUint;
use percept_game::RoleId;
use percept_game::play::{Limits, play_match};
use percept_infoset::{
    Budget, Guarantee, Method, News, ObserveOptions, Options, Stop, View, infoset, observe, observe_each,
};
use percept_test::{game, gdl};

use crate::support::games::{blind_tic_tac_toe, white_view};

/// Forty coins that the player does not see, each a fluent of its own.
fn coins() -> String {
    let succ: String = (0..40).map(|n| format!("(succ {n} {}) ", n + 1)).collect();
    format!(
        "(role p) (role random) (init (round 0)) (legal p wait) (legal random heads) (legal random tails) {succ}
        (<= (next (round ?m)) (true (round ?n)) (succ ?n ?m))
        (<= (next (head ?n)) (true (round ?n)) (does random heads)) (<= (next (head ?n)) (true (head ?n)))
        (<= terminal (true (round 40))) (goal p 50)"
    )
}

#[test]
fn a_set_is_counted_although_fewer_members_are_listed() {
    let game = blind_tic_tac_toe();
    let view = white_view(&game, &[(1, true), (2, true), (4, true), (9, true)]);
    for method in [Method::Auto, Method::Exact, Method::Dfs, Method::Csp] {
        let listed = |counted| {
            let options = Options { method, limit: 10, counted, ..Options::default() };
            infoset(&game, &view, &options, &Budget::default()).unwrap()
        };
        let report = listed(20_000);
        assert_eq!((report.complete, &report.histories), (true, &BigUint::from(14113u32)), "{method:?}");
        assert_eq!((report.members.len(), report.guarantee), (10, Guarantee::Found), "{method:?}");
        assert!(!report.lists_all());
        if matches!(method, Method::Dfs | Method::Csp) {
            assert_eq!((listed(0).complete, listed(0).histories), (false, 10u32.into()), "{method:?}");
        }
    }
}

#[test]
fn of_a_set_too_large_to_be_counted_only_the_listed_members_are_made() {
    let game = gdl(&coins());
    let (_, moves) = play_match(&game, 0, &Limits::default());
    let view = View::of_match(&game, RoleId(0), &moves).unwrap();
    let options = Options { limit: 10, counted: 10_000, ..Options::default() };
    let report = infoset(&game, &view, &options, &Budget::default()).unwrap();
    assert_eq!((report.members.len(), report.guarantee), (10, Guarantee::Distinct), "{}", report.why);
    // The number of members that were made.
    assert_eq!(report.histories, 10u32.into());
    let size = report.estimate.expect("it is estimated").mean;
    assert!((size / 2f64.powi(40) - 1.0).abs() < 0.01, "{size}");
}

/// In a match of 35 rounds, uniform draws succeed in one attempt of thousands. Before, they were made without end.
#[test]
fn if_uniform_draws_hardly_ever_succeed_any_members_are_listed() {
    let game = game("latent-tic-tac-toe/latent-tic-tac-toe.kif");
    let long = (0..).map(|number| play_match(&game, number, &Limits::default()).1).find(|moves| moves.len() >= 35);
    let moves = long.expect("a long match");
    let view = View::of_match(&game, RoleId(0), &moves).unwrap();
    let options = Options { limit: 100, counted: 10_000, ..Options::default() };
    let report = infoset(&game, &view, &options, &Budget::default()).unwrap();
    assert_eq!((report.members.len(), report.guarantee), (100, Guarantee::Found), "{}", report.why);
    assert!(!report.complete && report.stopped == Some(Stop::Enough));
    assert!(report.members.iter().all(|member| percept_infoset::replay(&game, &view, &member.moves).is_ok()));
}

/// The exact filter is stopped after one state, so only the first rounds have findings then.
#[test]
fn the_findings_of_the_first_method_are_told_before_those_of_the_others() {
    let game = blind_tic_tac_toe();
    let (_, moves) = play_match(&game, 0, &Limits::default());
    let options = ObserveOptions { memory: 20_000, ..ObserveOptions::default() };
    let (mut so_far, mut whole) = (Vec::new(), Vec::new());
    observe_each(&game, &moves, &options, &Budget::default(), &mut |news| match news {
        News::SoFar(findings) if whole.is_empty() => so_far.push(findings.len()),
        News::SoFar(_) => {}
        News::Role(role) => whole.push(role.findings.len()),
    })
    .unwrap();
    assert!(so_far.first().is_some_and(|count| (1..whole[0]).contains(count)), "{so_far:?} of {whole:?}");
    assert_eq!(so_far.last(), whole.first(), "before the second reading");
}

#[test]
fn the_roles_of_a_match_are_told_one_by_one() {
    let game = blind_tic_tac_toe();
    let (_, moves) = play_match(&game, 0, &Limits::default());
    let (options, budget) = (Default::default(), Budget::default());
    let mut roles = Vec::new();
    observe_each(&game, &moves, &options, &budget, &mut |news| {
        if let News::Role(role) = news {
            roles.push(role);
        }
    })
    .unwrap();
    let all = observe(&game, &moves, &options, &budget).unwrap();
    assert_eq!(roles.len(), 2);
    assert!(roles.iter().all(|one| one.sizes.len() == 1 && one.findings.iter().all(|it| it.role == one.sizes[0].0)));
    let sizes: Vec<_> = roles.iter().flat_map(|one| one.sizes.clone()).collect();
    assert_eq!(sizes, all.sizes);
    assert_eq!(roles.iter().map(|one| one.findings.len()).sum::<usize>(), all.findings.len());
}
