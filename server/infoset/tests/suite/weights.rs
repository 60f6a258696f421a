//! Weighted draws have, by their weights, the distribution of the members. The truth comes from the exact filter by
//! past rounds alone, which shares nothing with the sampler.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use percept_game::play::{Limits, play_match};
use percept_game::pogddl::generate;
use percept_game::{Game, JointMove};
use percept_infoset::exact::{Counts, Filter};
use percept_infoset::{Budget, Guarantee, Method, Options, Target, View, Wanted, infoset};
use percept_test::games::declared;
use percept_test::{game, games, is_heavy, pogddl, read};

use crate::support::side_by_side::side_by_side;

/// The number of weighted draws in each set.
fn draws(extent: Extent) -> usize {
    if extent.is_heavy() { 100_000 } else { 10_000 }
}

/// The greatest tolerated distance between the distributions of draws and members, in total variation.
fn far(extent: Extent) -> f64 {
    if extent.is_heavy() { 0.02 } else { 0.06 }
}

/// The extent of the comparison.
#[derive(Clone, Copy, PartialEq)]
enum Extent {
    /// The usual extent, with more draws if `PERCEPT_HEAVY` is set.
    Usual,
    /// The long extent, for the heavy suite: more matches of our games, their larger sets, and published ones.
    Long,
}

impl Extent {
    fn is_heavy(self) -> bool {
        self == Extent::Long || is_heavy()
    }
}

/// The number of outcomes above which they are merged: no hundred thousand draws would show the shares of many
/// outcomes.
const OUTCOMES: usize = 16;

/// The number of states above which a set is skipped, except in the longest run.
const QUICK: usize = 20_000;

type Distribution = HashMap<u64, f64>;

/// The number of an outcome: some outcomes are merged if there are many.
fn outcome(joint: &JointMove, outcomes: usize) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for mv in joint {
        hash = (hash ^ u64::from(mv.0)).wrapping_mul(0x0100_0000_01b3);
    }
    hash ^= hash >> 29;
    if outcomes > OUTCOMES { hash % OUTCOMES as u64 } else { hash }
}

fn distance(left: &Distribution, right: &Distribution) -> f64 {
    let share = |of: &Distribution, key: &u64| of.get(key).copied().unwrap_or(0.0);
    let mut keys: Vec<&u64> = left.keys().chain(right.keys()).collect();
    keys.sort_unstable();
    keys.dedup();
    keys.iter().map(|key| (share(left, key) - share(right, key)).abs()).sum::<f64>() / 2.0
}

/// For each round, the probability of each joint move among the members, from the filter's edges, and their number.
fn truth(filter: &Filter<'_>, counts: &Counts) -> Vec<(Distribution, usize)> {
    let round = |(round, layer): (usize, &percept_infoset::exact::Layer)| {
        let mass = |edge: &percept_infoset::exact::Edge| {
            layer.mass[edge.from as usize] * edge.probability * counts.mass[round + 1][edge.to as usize]
        };
        let total: f64 = layer.edges.iter().map(mass).sum();
        let alive: std::collections::HashSet<u32> =
            layer.edges.iter().filter(|edge| mass(edge) > 0.0).map(|edge| edge.joint).collect();
        let mut shares = Distribution::new();
        for edge in &layer.edges {
            let key = outcome(&layer.joints[edge.joint as usize], alive.len());
            *shares.entry(key).or_default() += mass(edge) / total;
        }
        (shares, alive.len())
    };
    filter.layers.iter().enumerate().take(filter.rounds()).map(round).collect()
}

/// True if both methods ran: then the draws must have the right distribution.
fn compare(name: &str, game: &Game, view: &View, extent: Extent) -> bool {
    let budget = Budget::default();
    let Ok(filter) = Filter::of_view(game, view, 32 << 20, &budget, None) else { return false };
    let counts = Counts::new(&filter);
    if extent == Extent::Usual && filter.layers.iter().map(|layer| layer.states.len()).sum::<usize>() > QUICK {
        return false;
    }
    // A single member leaves nothing to compare.
    if *counts.total() == 1u32.into() {
        return false;
    }
    let wanted = Wanted::ByProbability;
    let options = Options { method: Method::Csp, wanted, limit: draws(extent), seed: 11, ..Options::default() };
    let Ok(report) = infoset(game, view, &options, &budget) else { return false };
    if report.guarantee != Guarantee::Weighted(Target::Probability) || report.members.len() < draws(extent) {
        return false;
    }
    let weights = report.weights().expect("weighted draws have weights");
    assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{name}");
    let worth = report.effective.expect("weighted draws are worth something");
    let squares: f64 = weights.iter().map(|weight| weight * weight).sum();
    assert!((worth * squares - 1.0).abs() < 1e-6, "{name}: {worth}");
    let mut farthest = 0.0f64;
    for (round, (expected, outcomes)) in truth(&filter, &counts).iter().enumerate() {
        let mut drawn = Distribution::new();
        for (member, weight) in report.members.iter().zip(&weights) {
            *drawn.entry(outcome(&member.moves[round], *outcomes)).or_default() += weight;
        }
        farthest = farthest.max(distance(expected, &drawn));
    }
    // In small sets, each member is compared.
    if *counts.total() <= OUTCOMES.into() {
        let all = Options { method: Method::Exact, limit: OUTCOMES, ..Options::default() };
        let all = infoset(game, view, &all, &budget).expect("it fits");
        assert!(all.lists_all(), "{name}");
        let key = |moves: &[JointMove]| outcome(&moves.concat(), 0);
        let expected = all.members.iter().map(|it| (key(&it.moves), all.probability(it).expect("all are known")));
        let mut drawn = Distribution::new();
        for (member, weight) in report.members.iter().zip(&weights) {
            *drawn.entry(key(&member.moves)).or_default() += weight;
        }
        let expected: Distribution = expected.collect();
        assert!((expected.values().sum::<f64>() - 1.0).abs() < 1e-9, "{name}: {expected:?}");
        farthest = farthest.max(distance(&expected, &drawn));
    }
    eprintln!("{name}: {} histories, distance {farthest:.4}, worth {worth:.0}", counts.total());
    assert!(farthest < far(extent), "{name}: distance {farthest}, worth {worth}");
    true
}

/// Compares the sets of every player after parts of random matches; returns the number of comparisons.
fn along_matches(name: &str, game: &Game, matches: u64, extent: Extent) -> usize {
    let mut compared = 0;
    for number in 0..matches {
        let (_, rounds) = play_match(game, number, &Limits { seed: 3, max_rounds: 60, ..Limits::default() });
        let parts = [rounds.len().div_ceil(2), rounds.len().div_ceil(3), rounds.len()];
        for part in parts.into_iter().take(if extent == Extent::Long { 3 } else { 1 }) {
            for role in game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance) {
                let view = View::of_match(game, role, &rounds[..part]).expect("a match");
                let name = format!("{name}, match {number}, {part} rounds, {}", game.roles[role.0 as usize].name);
                compared += usize::from(compare(&name, game, &view, extent));
            }
        }
    }
    compared
}

/// The number of sets of our own games that were compared.
fn of_our_games(matches: u64, extent: Extent) -> usize {
    let problems = [
        ("gops/gops.pog", generate::gops(2, 10, false).expect("it fits")),
        ("racko/racko.pog", generate::racko(2, 7).expect("it fits")),
        ("battleship/battleship.pog", generate::battleship(2, 4).expect("it fits")),
    ];
    let mut all: Vec<(&str, Game)> = ["blind-tic-tac-toe", "kuhn-poker", "hidden-matching-pennies", "exploding-bomb"]
        .map(|name| (name, game(&format!("{name}/{name}.kif"))))
        .into();
    all.extend(problems.map(|(domain, problem)| {
        let texts = [&*read(games().join(domain)), &*problem];
        (domain, pogddl(&texts, declared(&texts)))
    }));
    let compared = AtomicUsize::new(0);
    side_by_side(&all, |(name, game)| {
        compared.fetch_add(along_matches(name, game, matches, extent), Ordering::Relaxed);
    });
    let compared = compared.into_inner();
    eprintln!("{compared} sets compared");
    compared
}

#[test]
fn draws_from_our_games_are_distributed_as_their_members() {
    let compared = of_our_games(1, Extent::Usual);
    assert!(compared >= 8, "{compared}");
}

/// A set of 30 hidden bids: hardly any attempt succeeds with uniform draws, which must leave time for weighted ones.
#[test]
fn rejection_leaves_time_for_weights() {
    let game = game("goofspiel/goofspiel-30.kif");
    let (_, rounds) = play_match(&game, 1, &Limits { seed: 3, max_rounds: 60, ..Limits::default() });
    let role = game.role_ids().next().expect("a role");
    let view = View::of_match(&game, role, &rounds).expect("a match");
    let options = Options { method: Method::Csp, wanted: Wanted::Uniform, limit: 50, ..Options::default() };
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(4);
    let budget = Budget { deadline: Some(deadline), ..Budget::default() };
    let report = infoset(&game, &view, &options, &budget).expect("in time");
    assert!(!report.members.is_empty(), "{:?}", report.stopped);
    assert!(matches!(report.guarantee, Guarantee::Uniform | Guarantee::Weighted(Target::Uniform)));
}

mod long {
    use percept_test::games::published_gdl;
    use percept_test::published::positions;
    use percept_test::{entries, file_name, folder};

    use super::*;

    #[test]
    #[ignore = "takes very long"]
    fn draws_from_many_matches_of_our_games_are_distributed_as_their_members() {
        let compared = of_our_games(5, Extent::Long);
        assert!(compared >= 8, "{compared}");
    }

    #[test]
    #[ignore = "needs PERCEPT_CORPUS and takes very long"]
    fn draws_from_published_games_are_distributed_as_their_members() {
        let mut compared = 0;
        for path in entries(folder("PERCEPT_CORPUS").join("gdl-ii")) {
            let Some(game) = published_gdl(&path) else { continue };
            compared += along_matches(&file_name(&path), &game, 1, Extent::Long);
        }
        eprintln!("{compared} sets of GDL-II games compared");
        assert!(compared > 0, "{compared}");
    }

    #[test]
    #[ignore = "needs PERCEPT_ORACLE and PERCEPT_CORPUS, and takes very long"]
    fn draws_from_published_positions_are_distributed_as_their_members() {
        let mut compared = 0;
        for position in positions(|_, number| number == 0) {
            let view = View::of_match(&position.game, position.role, &position.moves()).expect("a match");
            compared += usize::from(compare(&position.cell, &position.game, &view, Extent::Long));
        }
        eprintln!("{compared} published positions compared");
        assert!(compared > 0, "{compared}");
    }
}
