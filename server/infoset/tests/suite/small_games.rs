//! Exact and depth-first search against published and counted sizes.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use num_bigint::BigUint;
use percept_game::{Game, JointMove, RoleId};
use percept_infoset::exact::Look;
use percept_infoset::{
    AdviseOptions, Budget, CspError, Follow, Method, MoveAdvice, ObserveOptions, Options, Property, Stop, Verdict,
    View, Wanted, advise, advise_each, impossible_round, infoset, observe, replay,
};
use percept_test::matches::named;

use crate::support;
use crate::support::games::{bids, blind_tic_tac_toe, hands, white_view};

const PAPER: Method = Method::Paper { most_constrained: true };

fn size(game: &Game, view: &View, method: Method) -> (BigUint, usize) {
    let report = infoset(game, view, &Options { method, ..Options::default() }, &Budget::default()).unwrap();
    assert!(report.complete);
    assert_eq!(BigUint::from(report.members.len()), report.histories);
    (report.histories, report.states)
}

#[test]
fn blind_tic_tac_toe_has_the_counted_sizes() {
    let game = blind_tic_tac_toe();
    let (center, corner, corner2) = (5, 3, 1);
    for (rounds, histories, states) in [
        (vec![], 1u32, 1),
        (vec![(center, true)], 17, 9),
        (vec![(center, false)], 1, 1),
        (vec![(center, false), (corner, true)], 15, 8),
        (vec![(center, false), (corner, false)], 1, 1),
        (vec![(center, true), (corner, false)], 47, 8),
        (vec![(center, true), (corner, true)], 225, 36),
        (vec![(center, true), (corner, true), (corner2, true)], 2197, 84),
        (vec![(1, true), (2, true), (4, true), (9, true)], 14113, 125),
    ] {
        let view = white_view(&game, &rounds);
        for method in [Method::Exact, Method::Dfs, Method::Csp, Method::Sat, PAPER] {
            if method == PAPER && histories > 2000 || method == Method::Sat && histories > 300 {
                continue;
            }
            assert_eq!(size(&game, &view, method), (histories.into(), states), "{rounds:?} by {method:?}");
        }
    }
}

#[test]
fn draws_are_uniform_or_by_probability() {
    let game = bids(6);
    let moves = named(&game, &[&["noop", "noop", "deal 1 4"], &["noop", "low", "noop"]]);
    let view = View::of_match(&game, RoleId(0), &moves).unwrap();
    // Cards 0 and 2 had to bid low; cards 3, 4 and 5 did so half of the time.
    let expected = |wanted, strong: bool| match (wanted, strong) {
        (Wanted::Uniform, _) => 0.2,
        (_, true) => 0.5 / 3.5,
        (_, false) => 1.0 / 3.5,
    };
    for wanted in [Wanted::Uniform, Wanted::ByProbability] {
        let options = Options { wanted, limit: 20_000, seed: 7, ..Options::default() };
        let report = infoset(&game, &view, &options, &Budget::default()).unwrap();
        assert_eq!(report.histories, 5u32.into());
        let mut seen: HashMap<Vec<JointMove>, u32> = HashMap::new();
        for member in report.members {
            *seen.entry(member.moves).or_default() += 1;
        }
        let chi_square: f64 = seen
            .iter()
            .map(|(moves, &count)| {
                let deal = game.rules.move_name(RoleId(2), moves[0][2]);
                let strong = deal.ends_with(['3', '4', '5']);
                let expected = 20_000.0 * expected(wanted, strong);
                (f64::from(count) - expected).powi(2) / expected
            })
            .sum();
        // Four degrees of freedom: p = 1e-4 at 23.5.
        assert!(seen.len() == 5 && chi_square < 23.5, "{wanted:?}: chi-square {chi_square}");
    }
}

/// Compares the methods on every `step`th view.
fn agree(game: &Game, rounds: usize, step: usize) -> usize {
    let mut views = 0;
    for (_, view) in support::reachable_views(game, rounds).into_iter().step_by(step) {
        let listed = [Method::Auto, Method::Exact, Method::Dfs, Method::Csp, Method::Sat, PAPER].map(|method| {
            let report = infoset(game, &view, &Options { method, ..Options::default() }, &Budget::default()).unwrap();
            assert!(report.complete, "{view:?}");
            let mut moves: Vec<_> = report.members.into_iter().map(|member| member.moves).collect();
            moves.sort();
            moves
        });
        for other in &listed[1..] {
            assert_eq!(listed[0], *other, "{view:?}");
        }
        assert!(!listed[0].is_empty() && listed[0].iter().all(|moves| replay(game, &view, moves).is_ok()));
        views += 1;
    }
    views
}

#[test]
fn every_reachable_view_of_small_games_is_listed_alike() {
    assert!(agree(&bids(5), 2, 1) > 20);
    assert!(agree(&blind_tic_tac_toe(), 2, 5) > 100);
}

/// The result is the same with and without pruning, including the probability of each member and of all together.
#[test]
fn looking_ahead_changes_no_set_and_no_probability() {
    let game = blind_tic_tac_toe();
    for rounds in [vec![(5, false), (3, true)], vec![(5, true), (3, false)], vec![(5, true), (3, true), (1, true)]] {
        let view = white_view(&game, &rounds);
        let [past, ahead] = [Look::Never, Look::Always].map(|look| {
            let options = Options { method: Method::Exact, look, ..Options::default() };
            infoset(&game, &view, &options, &Budget::default()).unwrap()
        });
        assert!(past.lists_all() && ahead.lists_all());
        assert_eq!((&past.histories, past.states), (&ahead.histories, ahead.states));
        for report in [&past, &ahead] {
            let sum: f64 = report.members.iter().filter_map(|member| report.probability(member)).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{sum}");
        }
    }
}

#[test]
fn uniform_samples_of_csp_pass_a_chi_square_test() {
    let game = blind_tic_tac_toe();
    for rounds in [vec![(5, true), (3, false)], vec![(5, true), (3, true)], vec![(1, true), (2, false), (6, true)]] {
        let view = white_view(&game, &rounds);
        let all = infoset(&game, &view, &Options::default(), &Budget::default()).unwrap().members.len();
        let draws = 100 * all;
        let options =
            Options { method: Method::Csp, wanted: Wanted::Uniform, limit: draws, seed: 3, ..Options::default() };
        let report = infoset(&game, &view, &options, &Budget::default()).unwrap();
        let mut seen: HashMap<Vec<JointMove>, f64> = HashMap::new();
        for member in report.members {
            *seen.entry(member.moves).or_default() += 1.0;
        }
        assert_eq!(seen.len(), all);
        let chi_square: f64 = seen.values().map(|count| (count - 100.0).powi(2) / 100.0).sum();
        let freedom = (all - 1) as f64;
        // Normal approximation, p about 1e-4.
        assert!(chi_square < freedom + 3.9 * (2.0 * freedom).sqrt() + 8.0, "{rounds:?}: {chi_square} on {freedom}");
        let estimate = report.estimate.unwrap();
        assert!((estimate.mean - all as f64).abs() <= 5.0 * estimate.standard_error, "{estimate:?}");
    }
}

#[test]
fn an_impossible_view_has_no_members() {
    let game = blind_tic_tac_toe();
    let mut view = white_view(&game, &[(5, false), (3, true), (1, true)]);
    view.rounds[2].own = view.rounds[0].own;
    for method in [Method::Exact, Method::Dfs, Method::Csp, Method::Sat, PAPER] {
        assert_eq!(size(&game, &view, method), (0u32.into(), 0));
    }
}

#[test]
fn an_impossible_view_is_blamed_on_its_round() {
    let game = blind_tic_tac_toe();
    let blamed = |rounds: &[(u32, bool)]| {
        impossible_round(&game, &white_view(&game, rounds), 1 << 26, &Budget::default()).unwrap()
    };
    assert_eq!(blamed(&[(5, false), (3, true), (1, true)]), None);
    assert_eq!(blamed(&[(5, false), (3, true), (5, true), (1, true)]), Some(3));
}

/// The game of chapter 17: legal moves are always known, but from round 3 on the end and the result are not.
#[test]
fn blind_tic_tac_toe_hides_its_end() {
    hides_its_end(ObserveOptions::default());
    // Without time for the exact filter, every verdict is a proof by satisfiability.
    hides_its_end(ObserveOptions { exact_time: Duration::ZERO, ..ObserveOptions::default() });
}

/// If neither states nor clauses fit, differences are still found among the histories close to the match.
#[test]
fn without_memory_differences_are_searched_for() {
    let game = blind_tic_tac_toe();
    let over = ["mark 1 1", "mark 1 2", "mark 2 1", "mark 3 3", "mark 2 3"];
    let black = ["mark 3 1", "mark 3 2", "mark 1 3", "mark 1 1", "mark 1 2"];
    let rounds: Vec<[&str; 3]> = over.iter().zip(black).map(|(white, black)| [*white, black, "tiebreak x"]).collect();
    let rounds: Vec<&[&str]> = rounds.iter().map(|round| round.as_slice()).collect();
    let moves = named(&game, &rounds);
    let options = ObserveOptions { memory: 20_000, ..ObserveOptions::default() };
    let findings = observe(&game, &moves, &options, &Budget::default()).unwrap().findings;
    assert_eq!(findings.len(), 2 * 3 * 6);
    assert!(findings.iter().any(|finding| finding.method == "search" && finding.verdict.name() == "unknown"));
    for finding in &findings {
        if finding.property == Property::Terminal && finding.round >= 3 {
            assert_eq!(finding.verdict.name(), "unknown", "{finding:?}");
        }
        assert!(finding.property != Property::Legal || finding.verdict.name() != "unknown", "{finding:?}");
    }
}

fn hides_its_end(options: ObserveOptions) {
    let game = blind_tic_tac_toe();
    let moves = named(
        &game,
        &[
            &["mark 1 1", "mark 3 1", "tiebreak x"],
            &["mark 1 2", "mark 3 2", "tiebreak x"],
            &["mark 2 1", "mark 3 3", "tiebreak x"],
        ],
    );
    let findings = observe(&game, &moves, &options, &Budget::default()).unwrap().findings;
    let verdict = |property, round| {
        let found = findings
            .iter()
            .find(|finding| finding.role == RoleId(0) && finding.property == property && finding.round == round);
        found.unwrap().verdict.clone()
    };
    for round in 0..=3 {
        assert_eq!(verdict(Property::Legal, round), Verdict::Known);
    }
    for round in 0..3 {
        assert_eq!(verdict(Property::Terminal, round), Verdict::Known);
    }
    let Verdict::Unknown(witness) = verdict(Property::Terminal, 3) else {
        panic!("white cannot know that it is over");
    };
    assert!(witness.first_is_match && witness.first == moves);
    // The closest history differs in the last round only.
    assert_eq!(witness.parting(), 3);
    if options.exact_time.is_zero() {
        return;
    }
    let differing = witness.first.iter().flatten().zip(witness.second.iter().flatten()).filter(|(a, b)| a != b);
    assert_eq!(differing.count(), 1);
}

#[test]
fn the_result_stays_unknown_when_the_end_is_announced() {
    let game = blind_tic_tac_toe();
    let moves = named(
        &game,
        &[
            &["mark 1 1", "mark 2 1", "tiebreak x"],
            &["mark 1 2", "mark 2 2", "tiebreak x"],
            &["mark 1 3", "mark 2 3", "tiebreak x"],
        ],
    );
    let options = ObserveOptions { announce_end: true, ..ObserveOptions::default() };
    let findings = observe(&game, &moves, &options, &Budget::default()).unwrap().findings;
    for finding in findings.iter().filter(|finding| finding.role == RoleId(0)) {
        let unknown = finding.property == Property::Goal && finding.round == 3;
        assert_eq!(finding.verdict.name(), if unknown { "unknown" } else { "known" }, "{finding:?}");
    }
}

/// Black marked the middle cell. White has two in a row, and the third wins in any case.
#[test]
fn advice_finds_the_winning_move() {
    let game = blind_tic_tac_toe();
    let moves = named(&game, &[&["mark 1 1", "mark 2 2", "tiebreak x"], &["mark 1 2", "mark 3 3", "tiebreak x"]]);
    let view = View::of_match(&game, RoleId(0), &moves).unwrap();
    // `auto` would choose the method by the time that one takes, and another method has another sample.
    let options = AdviseOptions { samples: 60, playouts: 4, method: Method::Exact, ..AdviseOptions::default() };
    let advice = advise(&game, &view, &options, &Budget::default()).unwrap();
    assert_eq!(game.rules.move_name(RoleId(0), advice.moves[0].mv), "mark 1 3");
    assert_eq!(advice.moves.len(), 7);
    assert!(advice.moves.iter().all(|advice| advice.legal > 0.999 && (0.0..=100.0).contains(&advice.value)));
    assert!(advice.effective_members > 10.0 && advice.opponent_views > 0);
    let again = advise(&game, &view, &options, &Budget::default()).unwrap();
    assert_eq!(advice.moves, again.moves);
}

/// The first values are from a few members; the last ones are those of the advice without a listener.
#[test]
fn advice_grows() {
    let game = blind_tic_tac_toe();
    let view = View { role: RoleId(0), rounds: Vec::new() };
    let options = AdviseOptions { samples: 100, playouts: 2, method: Method::Exact, ..AdviseOptions::default() };
    let mut values: Vec<(usize, usize, u64)> = Vec::new();
    let mut so_far = |moves: &[MoveAdvice], members| values.push((members, moves.len(), moves[0].playouts));
    let advice = advise_each(&game, &view, &options, &Budget::default(), Some(&mut so_far)).unwrap();
    assert_eq!(values[..4], [(1, 9, 1), (2, 9, 4), (4, 9, 8), (8, 9, 16)]);
    assert_eq!(values[4..], [(16, 9, 32), (32, 9, 64), (64, 9, 128)]);
    assert_eq!(advice.moves, advise(&game, &view, &options, &Budget::default()).unwrap().moves);
}

/// If only one history is given, only its playouts show that a value is certain.
#[test]
fn advice_from_one_history() {
    let game = blind_tic_tac_toe();
    let view = View { role: RoleId(0), rounds: Vec::new() };
    for (playouts, is_known) in [(1, false), (10, true)] {
        let options = AdviseOptions { samples: 1, playouts, ..AdviseOptions::default() };
        let moves = advise(&game, &view, &options, &Budget::default()).unwrap().moves;
        assert!(moves.iter().all(|it| it.margin.is_finite() == is_known), "{moves:?}");
        assert!(moves.iter().any(|it| it.margin > 5.0), "{moves:?}");
    }
}

/// If no move was played out in time, the match is not over.
#[test]
fn advice_that_runs_out_of_time() {
    let game = blind_tic_tac_toe();
    let view = View { role: RoleId(0), rounds: Vec::new() };
    let options = AdviseOptions { samples: 1, playouts: 300_000, ..AdviseOptions::default() };
    let advice = advise(
        &game,
        &view,
        &options,
        &Budget { deadline: Some(Instant::now() + Duration::from_millis(300)), ..Budget::default() },
    );
    assert!(matches!(advice, Err(CspError::Stopped(Stop::OutOfTime))), "{advice:?}");
}

/// Six of seven dealt cards are revealed, out of forty. Without tracing their deals, hardly any attempt would succeed.
#[test]
fn revealed_cards_are_traced_to_their_deals() {
    let game = hands(40, 7);
    let mut rounds: Vec<Vec<String>> =
        (0..7).map(|card| vec!["noop".into(), "noop".into(), format!("deal {}", 3 * card)]).collect();
    rounds.extend((0..6).map(|card| vec!["noop".into(), format!("play {}", 3 * card), "noop".into()]));
    let rounds: Vec<Vec<&str>> = rounds.iter().map(|names| names.iter().map(String::as_str).collect()).collect();
    let rounds: Vec<&[&str]> = rounds.iter().map(Vec::as_slice).collect();
    let view = View::of_match(&game, RoleId(0), &named(&game, &rounds)).unwrap();
    // The orders of the seven deals, times the choices for the seventh card.
    let size = f64::from((1..=7).product::<u32>() * 34);
    for wanted in [Wanted::Uniform, Wanted::ByProbability] {
        let options = Options { method: Method::Csp, wanted, limit: 2000, ..Options::default() };
        let report = infoset(&game, &view, &options, &Budget::default()).unwrap();
        assert_eq!((report.method, report.members.len()), ("csp", 2000));
        let estimate = report.estimate.unwrap();
        assert!((estimate.mean - size).abs() <= 5.0 * estimate.standard_error, "{estimate:?}, {size}");
        let uniform = wanted == Wanted::Uniform;
        assert!(report.effective.map_or(uniform, |worth| !uniform && worth > 500.0), "{:?}", report.effective);
    }
}

/// Follows a match round by round, by states and (with little memory) by the network.
#[test]
fn following_a_match_gives_the_same_sets() {
    let game = blind_tic_tac_toe();
    let view = white_view(&game, &[(5, true), (3, false), (1, true), (9, false), (2, true)]);
    let sorted = |report: percept_infoset::Report| {
        assert!(report.complete);
        let mut moves: Vec<_> = report.members.into_iter().map(|member| member.moves).collect();
        moves.sort();
        moves
    };
    for (memory, states_fit) in [(1 << 26, true), (72_000, false)] {
        let mut follow = Follow::new(&game, view.role, memory);
        let options = Options::default();
        let mut last = "";
        for round in 1..=view.len() {
            follow.extend(view.rounds[round - 1].clone(), &Budget::default()).unwrap();
            let followed = follow.infoset(&options, &Budget::default()).unwrap();
            last = followed.method;
            let anew = infoset(&game, &view.prefix(round), &options, &Budget::default()).unwrap();
            assert_eq!(sorted(followed), sorted(anew), "round {round}");
        }
        assert_eq!((last == "exact", follow.view()), (states_fit, &view));
    }
}
