//! Coarse correlated equilibria, against joint play that is written down and every pure plan that leaves it.

use percept_game::Game;
use percept_infoset::Budget;
use percept_solve::correlated::Joint;
use percept_solve::tree::{Tree, Treeplex, build};
use percept_solve::{Kind, Options, Space, plan, solve};
use percept_test::gdl;

/// Three firms enter a market or stay away. One that is alone earns more than two, and three lose.
const ENTRY: &str = "(role a) (role b) (role c) (init start) (act enter) (act stay)
    (<= (legal ?p ?x) (role ?p) (act ?x))
    (<= (next (did ?p ?x)) (does ?p ?x))
    (<= terminal (true (did a ?x)))
    (<= (goal ?p 30) (true (did ?p stay)))
    (<= (in ?p) (true (did ?p enter)))
    (<= (others ?p 0) (role ?p) (role ?q) (role ?r) (distinct ?p ?q) (distinct ?p ?r) (distinct ?q ?r)
        (not (in ?q)) (not (in ?r)))
    (<= (others ?p 1) (role ?p) (role ?q) (role ?r) (distinct ?p ?q) (distinct ?p ?r) (distinct ?q ?r)
        (in ?q) (not (in ?r)))
    (<= (others ?p 2) (role ?p) (role ?q) (role ?r) (distinct ?p ?q) (distinct ?p ?r) (distinct ?q ?r)
        (in ?q) (in ?r))
    (<= (goal ?p 100) (in ?p) (others ?p 0))
    (<= (goal ?p 50) (in ?p) (others ?p 1))
    (<= (goal ?p 0) (in ?p) (others ?p 2))";

/// All plans that play one move at each information set.
fn pure(plex: &Treeplex) -> Vec<Vec<f64>> {
    let mut all = vec![Vec::new()];
    for infoset in &plex.infosets {
        let longer = |chosen: &Vec<usize>| {
            let chosen = chosen.clone();
            infoset.sequences().map(move |sequence| [&chosen[..], &[sequence]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    let behaviour = |chosen: Vec<usize>| {
        let mut behaviour = vec![0.0; plex.sequences()];
        behaviour[0] = 1.0;
        chosen.into_iter().for_each(|sequence| behaviour[sequence] = 1.0);
        plan::plan(plex, &behaviour)
    };
    all.into_iter().map(behaviour).collect()
}

/// The expected goal of a player, over all leaves.
fn worth(tree: &Tree, player: usize, plans: &[Vec<f64>]) -> f64 {
    let leaf = |leaf: usize| {
        let reach = plans.iter().zip(tree.sequences(leaf)).map(|(plan, &sequence)| plan[sequence as usize]);
        let goal = tree.outcomes[tree.leaves[leaf].outcome as usize][player];
        reach.product::<f64>() * tree.weight(leaf) * goal as f64
    };
    (0..tree.leaves.len()).map(leaf).sum()
}

fn kuhn() -> Game {
    percept_test::game("kuhn-poker/kuhn-poker.kif")
}

#[test]
fn the_gap_is_that_of_the_joint_play() {
    for (game, iterations) in [(gdl(ENTRY), 40), (kuhn(), 12)] {
        let tree = build(&game, &Space::default(), &Budget::default()).expect("a tree");
        let mut joint = Joint::new(&tree);
        let mut played: Vec<(f64, Vec<Vec<f64>>)> = Vec::new();
        for _ in 0..iterations {
            played.push((joint.weight(), joint.plans().into_iter().map(<[f64]>::to_vec).collect()));
            joint.iterate();
        }
        let average = joint.average();
        let total: f64 = played.iter().map(|(weight, _)| weight).sum();
        let mean = |worth: &dyn Fn(&[Vec<f64>]) -> f64| {
            played.iter().map(|(weight, plans)| weight * worth(plans)).sum::<f64>() / total
        };
        for player in 0..tree.players.len() {
            let value = mean(&|plans| worth(&tree, player, plans));
            let leaves = |pure: &Vec<f64>| {
                mean(&|plans| {
                    let mut plans = plans.to_vec();
                    plans[player].clone_from(pure);
                    worth(&tree, player, &plans)
                })
            };
            let best = pure(&tree.players[player]).iter().map(leaves).fold(f64::NEG_INFINITY, f64::max);
            assert!((average.values[player] - value).abs() < 1e-9, "{average:?}, {value}");
            assert!((average.gains[player] - (best - value).max(0.0)).abs() < 1e-9, "{average:?}, {best} - {value}");
        }
    }
}

#[test]
fn three_players_find_joint_play_that_nobody_leaves() {
    let solution = solve(&gdl(ENTRY), &Options { target: 0.01, ..Options::default() }, &Budget::default());
    let solution = solution.expect("a solution");
    assert_eq!(solution.kind, Kind::General);
    let correlated = solution.correlated.expect("joint play");
    assert!(correlated.gap() <= 0.05, "{correlated:?}");
    // A player that stays away has 30, so no player has less, up to the gap.
    assert!(correlated.values.iter().all(|&value| value > 29.9), "{correlated:?}");
    // Two players with opposed goals have a value instead.
    let opposed = solve(&kuhn(), &Options::default(), &Budget::default()).expect("a solution");
    assert_eq!(opposed.correlated, None);
}
