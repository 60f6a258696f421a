//! Tests of the network: its gradients against finite differences, its learning, its dependence on the seed only, its
//! file.

use percept_game::{Game, RoleId};
use percept_infoset::Budget;
use percept_learn::course::{Course, Opponent, Plan, Subject, learn};
use percept_learn::encode::Foreign;
use percept_learn::file::{self, from_bytes, to_bytes};
use percept_learn::network::{NAMES, Network, Shape, elements};
use percept_learn::nisg::Guesser;
use percept_learn::sample::{Example, Sampling, Uniform};
use percept_learn::train::Training;
use percept_learn::vocabulary::Vocabulary;
use percept_test::{game, more, mutants};

use crate::support::{played, secrets, view};

/// Two matches of different lengths; in one round of the first, the second role had no choice.
fn examples() -> Vec<Example> {
    vec![
        Example {
            inputs: vec![vec![0, 3], vec![1], vec![2, 4]],
            targets: vec![vec![(0, 0.25), (1, 0.75), (3, 1.0)], vec![(2, 1.0)], vec![(1, 1.0), (4, 1.0)]],
            done: vec![vec![(1, 1.0), (3, 1.0)], vec![(2, 1.0)], vec![(1, 1.0), (4, 1.0)]],
            anew: vec![],
        },
        Example {
            inputs: vec![vec![], vec![0, 1, 2]],
            targets: vec![vec![(2, 0.5), (3, 0.5)], vec![(0, 1.0), (4, 1.0)]],
            done: vec![vec![(2, 1.0), (3, 1.0)], vec![(0, 1.0), (4, 1.0)]],
            anew: vec![],
        },
    ]
}

fn shape(looks_back: bool) -> Shape {
    Shape { inputs: 5, hidden: 4, blocks: vec![3, 2], looks_back }
}

#[test]
fn gradients_are_those_of_finite_differences() {
    let examples = examples();
    let all: Vec<&Example> = examples.iter().collect();
    for looks_back in [false, true] {
        let network = Network::<f64>::new(shape(looks_back), 5);
        let lesson = network.learn(&all);
        assert!((lesson.error - network.error(&all)).abs() < 1e-12);
        for (part, name) in NAMES.iter().enumerate() {
            let mut greatest = 0.0f64;
            for place in 0..network.weights.parts[part].len() {
                let at = |change: f64| {
                    let mut moved = network.clone();
                    moved.weights.parts[part].as_slice_mut().unwrap()[place] += change;
                    moved.error(&all)
                };
                let expected = (at(1e-5) - at(-1e-5)) / 2e-5;
                let found = lesson.gradient.parts[part].as_slice().unwrap()[place];
                assert!(
                    (expected - found).abs() < 1e-7 * expected.abs().max(1.0),
                    "{name} {place}: {found}, not {expected}"
                );
                greatest = greatest.max(found.abs());
            }
            assert!(greatest > 1e-6 || (*name == "decoder.input" && !looks_back), "{name} has no gradient");
        }
    }
}

/// One column, one hidden unit: nothing to guess, and no error.
#[test]
fn the_smallest_network() {
    let shape = Shape { inputs: 1, hidden: 1, blocks: vec![1], looks_back: true };
    let targets = vec![vec![(0, 1.0)], vec![]];
    let example = Example { inputs: vec![vec![0], vec![]], done: targets.clone(), targets, anew: vec![] };
    let lesson = Network::<f64>::new(shape.clone(), 1).learn(&[&example]);
    assert_eq!(lesson.error, 0.0);
    let wider = Shape { hidden: 3, ..shape };
    assert!(Network::<f64>::new(wider, 1).learn(&[&example]).gradient.parts.iter().flatten().all(|it| *it == 0.0));
}

/// Every prefix of a match counts as a separate example, and earlier outputs do not depend on later inputs.
#[test]
fn all_beginnings_are_learned_at_once() {
    let examples = examples();
    let network = Network::<f64>::new(shape(true), 5);
    let mut error = 0.0;
    for example in &examples {
        for rounds in 1..=example.inputs.len() {
            let guess = network.guess(&example.inputs[..rounds]);
            for round in 0..rounds {
                let target = example.target(round, rounds);
                for block in [0..3, 3..5] {
                    if target.iter().any(|it| block.contains(&(it.0 as usize))) {
                        let wanted =
                            |column| target.iter().find(|it| it.0 as usize == column).map_or(0.0, |it| f64::from(it.1));
                        error +=
                            block.clone().map(|column| (guess[[round, column]] - wanted(column)).powi(2)).sum::<f64>();
                    }
                    assert!(
                        (guess.row(round).iter().skip(block.start).take(block.len()).sum::<f64>() - 1.0).abs() < 1e-9
                    );
                }
            }
        }
    }
    let all: Vec<&Example> = examples.iter().collect();
    assert!((network.error(&all) - error).abs() < 1e-9);
    // In the first match, the first round is in three prefixes; the second, in which one role had no choice, is in two.
    assert_eq!(elements(&all[..1], &[3, 2]), 3 * 5 + 2 * 3 + 5);
}

fn course(game: &Game, seed: u64, threads: usize, epochs: u32) -> Course {
    let plan = Plan {
        trajectories: 60,
        validation: 10,
        sampling: Sampling::Whole { samples: 100 },
        hidden: 16,
        looks_back: true,
        training: Training { epochs, seed, ..Training::default() },
    };
    let opponent = Opponent { name: "random", strategy: &Uniform };
    let subject = Subject { game, title: "test", role: RoleId(0), opponent: &opponent };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| learn(&subject, &plan, None, &Budget::default(), &mut |_| ()).unwrap())
}

#[test]
fn the_same_seed_gives_the_same_file_with_any_number_of_threads() {
    let game = secrets();
    let one = course(&game, 1, 1, 3);
    assert_eq!(to_bytes(&one.saved), to_bytes(&course(&game, 1, 3, 3).saved));
    assert_ne!(to_bytes(&one.saved), to_bytes(&course(&game, 2, 1, 3).saved));
}

#[test]
fn the_loss_falls() {
    let epochs = course(&game("goofspiel/goofspiel-5-descending.kif"), 1, 2, 25).trained.epochs;
    let (first, best) = (epochs[0].validation, epochs.iter().map(|it| it.validation).fold(1.0, f64::min));
    assert!(best < first * 0.75, "from {first} to {best}");
}

#[test]
fn networks_are_read_as_they_were_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("network.safetensors");
    let saved = course(&secrets(), 1, 2, 1).saved;
    file::write(&path, &saved).unwrap();
    assert_eq!(file::read(&path).unwrap(), saved);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// A damaged file is either refused with a reason, or read as the network that was written.
#[test]
fn broken_files_are_refused() {
    let saved = course(&secrets(), 1, 2, 1).saved;
    let bytes = to_bytes(&saved);
    for length in [0, 1, 7, 8, 9, 100, bytes.len() / 2, bytes.len() - 1] {
        assert!(from_bytes(&bytes[..length]).is_err(), "{length} bytes");
    }
    for place in (0..bytes.len().min(4000)).step_by(7) {
        let mut changed = bytes.clone();
        changed[place] ^= 0x55;
        let _ = from_bytes(&changed);
    }
    let text = String::from_utf8_lossy(&bytes[8..]).into_owned();
    assert!(text.contains("percept-network"));
    let huge = u64::MAX.to_le_bytes();
    assert!(from_bytes(&[&huge[..], &bytes[8..]].concat()).is_err());
}

#[test]
fn a_network_of_another_game_is_refused() {
    let saved = course(&secrets(), 1, 2, 1).saved;
    let other = game("goofspiel/goofspiel-4.kif");
    let refused = Guesser::new(&other, &Vocabulary::of(&other), &saved).unwrap_err();
    assert_eq!(refused, Foreign::Role("a".into()));
    let (four, five) = (game("goofspiel/goofspiel-4-descending.kif"), game("goofspiel/goofspiel-5-descending.kif"));
    let of_four = course(&four, 1, 2, 1).saved;
    let refused = Guesser::new(&five, &Vocabulary::of(&five), &of_four).unwrap_err();
    assert_eq!(refused, Foreign::Unknown { role: "p1".into(), mv: "(bid 5)".into() });
    let of_five = course(&five, 1, 2, 1).saved;
    let refused = Guesser::new(&four, &Vocabulary::of(&four), &of_five).unwrap_err();
    assert_eq!(refused, Foreign::Move { role: "p1".into(), mv: "(bid 5)".into() });
}

/// A search in the order of any network finds whole sets.
#[test]
fn a_network_leads_to_every_history() {
    let game = game("goofspiel/goofspiel-5-descending.kif");
    let saved = course(&game, 1, 2, 5).saved;
    let guesser = Guesser::new(&game, &Vocabulary::of(&game), &saved).unwrap();
    for seed in 100..140 {
        let view = view(&game, 0, &played(&game, seed)[..4]);
        let mut led: Vec<_> = guesser.search(&game, &view, seed, Budget::default()).map(|it| it.moves).collect();
        let mut whole: Vec<_> = percept_infoset::Dfs::new(&game, &view, Budget::default()).map(|it| it.moves).collect();
        led.sort();
        whole.sort();
        assert_eq!(led, whole);
    }
}

mod python {
    use super::*;

    /// The same network by automatic differentiation in PyTorch or JAX (`second_opinion.py`); `PERCEPT_PYTHON` names
    /// the Python that has one of them.
    #[test]
    #[ignore = "needs Python with PyTorch or JAX"]
    fn another_library_finds_the_same_gradients() {
        let python = std::env::var("PERCEPT_PYTHON").unwrap_or_else(|_| "python3".into());
        let script = percept_test::path("server/learn/tests/second_opinion.py");
        for looks_back in [false, true] {
            let examples = examples();
            let all: Vec<&Example> = examples.iter().collect();
            let network = Network::<f64>::new(shape(looks_back), 9);
            let lesson = network.learn(&all);
            let rows = |parts: &[ndarray::Array2<f64>]| {
                let rows = parts.iter().map(|part| part.rows().into_iter().map(|row| row.to_vec()).collect::<Vec<_>>());
                NAMES.iter().map(|it| it.to_string()).zip(rows).collect::<std::collections::BTreeMap<_, _>>()
            };
            let shown = examples
                .iter()
                .map(|it| serde_json::json!({"inputs": it.inputs, "targets": it.targets, "done": it.done}));
            let task = serde_json::json!({
                "blocks": network.shape.blocks,
                "hidden": network.shape.hidden,
                "parts": rows(&network.weights.parts),
                "examples": shown.collect::<Vec<_>>(),
                "error": lesson.error,
                "gradient": rows(&lesson.gradient.parts),
            });
            let file = tempfile::NamedTempFile::new().unwrap();
            std::fs::write(file.path(), task.to_string()).unwrap();
            let output = std::process::Command::new(&python).arg(&script).arg(file.path()).output();
            let output = output.unwrap_or_else(|error| panic!("{python} cannot be started: {error}"));
            let shown = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
            println!("{shown}");
            assert_eq!(output.status.code(), Some(0), "77: {python} has neither PyTorch nor JAX\n{shown}");
        }
    }
}

#[test]
fn forged_files_are_refused_or_are_networks() {
    let seeds = [to_bytes(&course(&secrets(), 1, 2, 1).saved)];
    let mut refused = 0;
    for bytes in mutants(&seeds, more(2_000, 100_000), 1) {
        refused += usize::from(from_bytes(&bytes).is_err());
    }
    assert!(refused > 0);
}
