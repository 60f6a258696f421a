//! Tests of trajectories: their content, their independence of threads, the resumption of a cut file.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use percept_game::MoveId;
use percept_infoset::{Budget, View};
use percept_learn::encode::Pairs;
use percept_learn::resample::walk;
use percept_learn::sample::{Example, Sampling, Source, Strategy, Trajectory, Uniform, pairs};
use percept_learn::store::{Header, StoreError, sample};
use percept_test::game;
use rand::SeedableRng;
use rand::distr::{Distribution, weighted::WeightedIndex};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::support::{cards, encoding, played, secrets, view};

fn trajectories(sampling: Sampling, threads: usize, path: Option<&std::path::Path>, count: u64) -> Vec<Trajectory> {
    let game = game("goofspiel/goofspiel-5-descending.kif");
    let encoding = encoding(&game, 0, &Pairs::new());
    let source = Source { game: &game, encoding: &encoding, strategy: &Uniform, sampling, seed: 7 };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let header = Header::of(&source, "random");
    pool.install(|| sample(&source, &header, count, path, &Budget::default(), &mut |_| ()).unwrap())
}

/// After a round won with the highest card, batch sampling gives every lower card the same probability.
#[test]
fn batches_are_shares_of_what_fits() {
    let game = cards();
    let encoding = encoding(&game, 0, &Pairs::new());
    let sampling = Sampling::Batch { samples: 2000 };
    let source = Source { game: &game, encoding: &encoding, strategy: &Uniform, sampling, seed: 3 };
    let mut met = 0;
    for index in 0..60 {
        let bid = source.trajectory(index).turns[1].clone();
        assert!((bid.others[0].iter().map(|it| it.2).sum::<f32>() - 1.0).abs() < 1e-5);
        if bid.own.as_deref() == Some("king") && bid.percepts == ["win"] {
            met += 1;
            let moves: Vec<&str> = bid.others[0].iter().map(|it| it.0.as_str()).collect();
            assert_eq!(moves, ["jack", "queen"]);
            assert!(bid.others[0].iter().all(|it| (it.2 - 0.5).abs() < 0.05), "{:?}", bid.others[0]);
        }
    }
    assert!(met > 0);
}

/// Walks that start at histories with the probabilities of chance and uniform opponents contain each deed as often as
/// its probability given all observations.
#[test]
fn walks_come_to_exact_shares() {
    let games = [
        (game("goofspiel/goofspiel-4.kif"), 3),
        (game("goofspiel/goofspiel-5-descending.kif"), 4),
        (game("phantom-tic-tac-toe/phantom-tic-tac-toe.kif"), 4),
        (secrets(), 2),
    ];
    for (game, rounds) in games {
        let sampled = |source: &Source<'_>| (0..300).map(|index| source.trajectory(index)).collect::<Vec<_>>();
        let bare = encoding(&game, 0, &Pairs::new());
        let sampling = Sampling::Whole { samples: 8 };
        let source = Source { game: &game, encoding: &bare, strategy: &Uniform, sampling, seed: 3 };
        let encoding = encoding(&game, 0, &pairs(sampled(&source).iter()));
        for seed in 0..3 {
            let moves = played(&game, seed);
            let view = view(&game, 0, &moves[..rounds.min(moves.len())]);
            let members: Vec<_> = percept_infoset::Dfs::new(&game, &view, Budget::default()).collect();
            let weights: Vec<f64> = members.iter().map(|it| it.ln_probability.exp()).collect();
            let exact = encoding.information(&game, members.iter().map(|it| it.moves.as_slice()).zip(weights.clone()));
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let chosen = WeightedIndex::new(&weights).unwrap();
            let mut found = vec![vec![0.0; encoding.columns.outputs()]; view.len()];
            const WALKS: usize = 400;
            for _ in 0..WALKS {
                let start = &members[chosen.sample(&mut rng)].moves;
                let (counts, places) = walk(&game, &encoding, &view, start, 160, &mut rng).unwrap();
                assert_eq!(places, 20);
                for (row, counts) in found.iter_mut().zip(&counts) {
                    for (index, counts) in counts.iter().enumerate() {
                        for (deed, count) in counts {
                            if let Some(column) = encoding.column(index, deed) {
                                row[column as usize] += f64::from(*count) / (20 * WALKS) as f64;
                            }
                        }
                    }
                }
            }
            for (found, exact) in found.iter().flatten().zip(exact.iter().flatten()) {
                assert!((found - exact).abs() < 0.06, "{found}, not {exact}, of {} histories", members.len());
            }
        }
    }
}

/// A single trajectory contains exactly the deeds of its match.
#[test]
fn single_trajectories_say_what_was_done() {
    for trajectory in trajectories(Sampling::Single, 1, None, 5) {
        assert_eq!(trajectory.turns.len(), 5);
        let bids: std::collections::BTreeSet<&String> = trajectory.turns.iter().map(|it| &it.others[0][0].0).collect();
        assert_eq!(bids.len(), 5, "each card is bid once");
        assert!(trajectory.turns.iter().all(|it| it.others[0].len() == 1 && it.others[0][0].2 == 1.0));
    }
}

#[test]
fn threads_do_not_matter() {
    let sampling = Sampling::Batch { samples: 20 };
    assert_eq!(trajectories(sampling, 1, None, 40), trajectories(sampling, 3, None, 40));
}

#[test]
fn a_cut_file_is_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kept.jsonl");
    let sampling = Sampling::Batch { samples: 20 };
    let whole = trajectories(sampling, 2, Some(&path), 40);
    let text = std::fs::read(&path).unwrap();
    // Simulates a process killed in the middle of a line.
    std::fs::write(&path, &text[..text.len() * 2 / 3]).unwrap();
    assert_eq!(trajectories(sampling, 2, Some(&path), 40), whole);
    assert_eq!(std::fs::read(&path).unwrap(), text);
}

#[test]
fn files_of_other_settings_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kept.jsonl");
    trajectories(Sampling::Single, 1, Some(&path), 3);
    let game = secrets();
    let encoding = encoding(&game, 0, &Pairs::new());
    let sampling = Sampling::Single;
    let source = Source { game: &game, encoding: &encoding, strategy: &Uniform, sampling, seed: 7 };
    let refused = sample(&source, &Header::of(&source, "random"), 3, Some(&path), &Budget::default(), &mut |_| ());
    assert!(matches!(refused, Err(StoreError::Other { .. })), "{refused:?}");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("\"index\":1", "\"index\":8", 1)).unwrap();
    let header = Header { moves: vec![], ..Header::of(&source, "random") };
    let broken = sample(&source, &header, 3, Some(&path), &Budget::default(), &mut |_| ());
    assert!(broken.is_err());
}

/// Rows in columns are the same as those of the encoding of a view.
#[test]
fn examples_are_encoded_alike() {
    let game = secrets();
    let bare = encoding(&game, 0, &Pairs::new());
    let source = Source { game: &game, encoding: &bare, strategy: &Uniform, sampling: Sampling::Single, seed: 1 };
    let sampled: Vec<Trajectory> = (0..50).map(|index| source.trajectory(index)).collect();
    let encoding = encoding(&game, 0, &pairs(sampled.iter()));
    for trajectory in &sampled {
        let example = Example::of(trajectory, &encoding);
        for (turn, (inputs, target)) in trajectory.turns.iter().zip(example.inputs.iter().zip(&example.targets)) {
            assert_eq!(inputs.len(), 1 + turn.percepts.len());
            assert_eq!(target.len(), 1);
            let deed = &encoding.columns.others[0].1[target[0].0 as usize];
            assert_eq!((&deed.mv, &deed.percepts), (&turn.others[0][0].0, &turn.others[0][0].1));
        }
    }
}

/// An opponent that stops the work during a match.
struct Ending(Arc<AtomicBool>);

impl Strategy for Ending {
    fn weights(&self, _: &View, legal: &[MoveId], _: u64) -> Vec<f64> {
        self.0.store(true, Ordering::Relaxed);
        vec![1.0; legal.len()]
    }
}

/// After a stop, the match being sampled is the last one, and it is kept.
#[test]
fn what_is_stopped_samples_no_more_matches() {
    let game = game("goofspiel/goofspiel-5-descending.kif");
    let encoding = encoding(&game, 0, &Pairs::new());
    let cancel = Arc::new(AtomicBool::new(false));
    let strategy = &Ending(cancel.clone());
    let source = Source { game: &game, encoding: &encoding, strategy, sampling: Sampling::Single, seed: 7 };
    let budget = Budget { cancel: Some(cancel), ..Budget::default() };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kept");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let stopped =
        pool.install(|| sample(&source, &Header::of(&source, "ending"), 100, Some(&path), &budget, &mut |_| ()));
    assert!(matches!(stopped, Err(StoreError::Stopped(_))));
    // The header and one match.
    assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 2);
}
