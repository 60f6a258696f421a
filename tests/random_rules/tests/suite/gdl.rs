//! Random rule sets of GDL-II, from their text to the verdicts about every match.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use percept_game::gdl::Grounding;
use percept_game::plain::{self, Limits};
use percept_game::{Game, GameError};
use percept_random_rules::gdl::{Naive, plots, write, write_large};
use percept_random_rules::graph::{Budget, Graph};
use percept_random_rules::sexp::{self, Sexp};
use percept_random_rules::truth::Histories;
use percept_syntax::gdl::Description;
use percept_syntax::{Language, Source, Syntax};
use percept_test::more;
use rand::{SeedableRng, rngs::SmallRng};

use crate::product;
use crate::product::harness::{Cases, Seeds, at_least, is_counting, quietly};
use crate::product::{Checked, Failure, Tally, fail, faults, lanes, steps};

const BUDGET: Budget = Budget { states: 250, rounds: 1_500 };

/// A thousand cases, those of the other language included, and half as many fresh ones.
const SEEDS: Seeds = Seeds { quick: 100, heavy: 650, fresh: 400 };

const CASES: Cases = Cases {
    extension: "kif",
    test: "gdl::random_rule_sets",
    make,
    check: |statements, seed, tally| check(statements, seed, tally, BUDGET),
};

/// Rule sets with a plot: only few of their histories fit into the budget, but all states.
const PLOT_SEEDS: Seeds = Seeds { quick: 30, heavy: 140, fresh: 80 };

const PLOT_BUDGET: Budget = Budget { states: 400, rounds: 6_000 };

const PLOTS: Cases = Cases {
    extension: "plot",
    test: "gdl::random_plots",
    make: plots::write,
    check: |statements, seed, tally| check(statements, seed, tally, PLOT_BUDGET),
};

/// More and larger rule sets, which are only played.
const LARGE_SEEDS: Seeds = Seeds { quick: 150, heavy: 3_000, fresh: 2_000 };

const LARGE: Cases = Cases { extension: "kif", test: "gdl::larger_rule_sets", make: make_large, check: check_large };

const LARGE_BUDGET: Budget = Budget { states: 80, rounds: 600 };

fn make_large(seed: u64) -> (Vec<Sexp>, BTreeSet<&'static str>) {
    let (statements, features) = write_large(seed);
    (statements, features.0)
}

fn check_large(statements: &[Sexp], _: u64, tally: &mut Tally) -> Option<Checked> {
    let naive = Naive::new(statements).ok()?;
    let graph = Graph::explore(&naive, LARGE_BUDGET).ok()?;
    Some(played(&sexp::write(statements), &graph, tally).map(|_| ()))
}

fn make(seed: u64) -> (Vec<Sexp>, BTreeSet<&'static str>) {
    let (statements, features) = write(seed);
    (statements, features.0)
}

fn check(statements: &[Sexp], seed: u64, tally: &mut Tally, budget: Budget) -> Option<Checked> {
    let naive = Naive::new(statements).ok()?;
    let graph = Graph::explore(&naive, budget).ok()?;
    Some(compare(&sexp::write(statements), &graph, seed, tally))
}

fn read(text: &str) -> Checked<Description> {
    let source = Source::parse(text, Language::GdlPrefix);
    if let Some(error) = source.errors.first() {
        return fail("syntax", format!("{error:?}"));
    }
    match source.syntax {
        Syntax::Gdl(description) => Ok(description),
        Syntax::Pddl(_) => fail("syntax", "not GDL"),
    }
}

/// True if a fault is found in the case of a seed; `None` if it cannot be planted there, or does not change the
/// meaning.
fn is_found(seed: u64, plant: impl FnOnce(&mut SmallRng, &[Sexp], &Graph) -> Option<Checked>) -> Option<bool> {
    let (statements, _) = make(seed);
    let naive = Naive::new(&statements).ok()?;
    let graph = Graph::explore(&naive, BUDGET).ok()?;
    let mut rng = SmallRng::seed_from_u64(seed ^ 0xfa17);
    // A panic also counts as found.
    quietly(|| plant(&mut rng, &statements, &graph))
        .map_or(Some(true), |checked| checked.map(|checked| checked.is_err()))
}

fn in_text(seed: u64, fault: faults::InText) -> Option<bool> {
    is_found(seed, |rng, statements, graph| {
        let wrong = fault(rng, statements)?;
        Some(compare(&sexp::write(&wrong), graph, seed, &mut Tally::default()))
    })
}

fn in_circuit(seed: u64, plant: fn(&mut SmallRng, &percept_game::Ground) -> Option<faults::InCircuit>) -> Option<bool> {
    is_found(seed, |rng, statements, graph| {
        let description = read(&sexp::write(statements)).ok()?;
        let game = Game::from_gdl(&description).ok()?;
        let lying = faults::lying(&game, rng, plant)?;
        let histories = Histories::new(graph, 4, 1_500);
        Some(product::everything(&lying, &histories, rng, seed, &mut Tally::default()))
    })
}

/// Compares every round for every way to evaluate the rules. Returns the game as it is usually made.
fn played(text: &str, graph: &Graph, tally: &mut Tally) -> Checked<Game> {
    let description = read(text)?;
    let refused = |errors: Vec<GameError>| Failure { class: "refused".into(), message: format!("{errors:?}") };
    let game = Game::from_gdl(&description).map_err(refused)?;
    product::roles(&game, graph)?;
    if is_counting() {
        return Ok(game);
    }
    steps::all(&game, graph, "as usual", tally)?;
    lanes::all(&game, graph, tally)?;
    // The grounding of large games, and the evaluation of games that are too large to ground.
    let demanding = Grounding { demand_from: 0, whole_up_to: 0, ..Grounding::default() };
    let demanding = Game::from_gdl_with(&description, &demanding).map_err(refused)?;
    steps::all(&demanding, graph, "decomposed and on demand", tally)?;
    let lifted = Game::from_gdl_lifted(&description).map_err(refused)?;
    steps::all(&lifted, graph, "lifted", tally)?;
    let asking = Game::from_gdl_asking(&description).map_err(refused)?;
    steps::all(&asking, graph, "asking", tally)?;
    // The second reader, which checks proofs.
    let plain = plain::gdl(&description, &Limits::default()).map_err(refused)?;
    product::roles(&plain, graph)?;
    steps::all(&plain, graph, "plain", tally)?;
    Ok(game)
}

fn compare(text: &str, graph: &Graph, seed: u64, tally: &mut Tally) -> Checked {
    let game = played(text, graph, tally)?;
    let histories = Histories::new(graph, 4, 1_500);
    let mut rng = SmallRng::seed_from_u64(seed);
    product::everything(&game, &histories, &mut rng, seed, tally)
}

#[test]
fn random_rule_sets() {
    let tally = CASES.run(&SEEDS.list());
    at_least(
        &tally,
        &[
            ("rounds in lanes", 10.0),
            ("chance", 0.3),
            ("three roles", 0.2),
            ("always true by recursion", 0.25),
            ("never founded", 0.15),
            ("recursion over the state", 0.15),
            ("negation above recursion", 0.08),
            ("asked through others", 0.05),
            ("dead moves", 0.4),
            ("percepts are others' moves", 0.05),
            ("fluents about two things", 0.2),
            ("moves about two things", 0.08),
            ("relations of two things", 0.04),
            ("recursion over pairs", 0.08),
            ("facts that persist", 0.04),
            ("declarations", 0.12),
            ("games in which a set holds ends and no ends", 0.01),
            ("sets of several histories", 1.0),
            ("proved by Auto", 2.0),
            ("refuted by Auto", 0.15),
            ("refuted by Matches", 0.02),
            ("unknown", 0.2),
            ("questions that hold", 0.4),
            ("questions that fail", 0.4),
            ("games with a longest match", 0.4),
            ("games that may go on for ever", 0.05),
        ],
    );
}

#[test]
fn random_plots() {
    let tally = PLOTS.run(&PLOT_SEEDS.list());
    at_least(
        &tally,
        &[
            ("players alike", 0.3),
            ("cards counted", 0.1),
            ("a number left", 0.15),
            ("hundreds of moves", 0.01),
            ("locks", 0.3),
            ("something behind the lock", 0.08),
            ("players that differ", 0.03),
            ("players that differ at first", 0.03),
            ("things that differ", 0.03),
            ("endless games", 0.25),
            ("proved by Auto", 2.0),
            ("refuted by Auto", 0.3),
        ],
    );
}

#[test]
fn larger_rule_sets_are_played_alike() {
    let tally = LARGE.run(&LARGE_SEEDS.list());
    at_least(
        &tally,
        &[
            ("rounds", 100.0),
            ("fluents about three things", 0.2),
            ("fluents about two things", 0.4),
            ("moves about two things", 0.2),
            ("recursion over pairs", 0.2),
        ],
    );
}

/// Every kind of fault is found many times. Some are not: a dropped rule may never have mattered.
#[test]
fn planted_faults_are_found() {
    let cases = more(12, 120);
    let share = |find: &(dyn Fn(u64) -> Option<bool> + Sync)| {
        let next = std::sync::atomic::AtomicU64::new(0);
        let (planted, found) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = || {
            loop {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if seed >= cases {
                    break;
                }
                if let Some(is_found) = find(seed) {
                    planted.fetch_add(1, Ordering::Relaxed);
                    found.fetch_add(usize::from(is_found), Ordering::Relaxed);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..std::thread::available_parallelism().map_or(2, usize::from).min(8) {
                scope.spawn(work);
            }
            work();
        });
        (planted.into_inner(), found.into_inner())
    };
    let mut table = Vec::new();
    for (name, fault) in faults::IN_TEXT {
        table.push((name, share(&|seed| in_text(seed, fault))));
    }
    for (name, plant) in faults::IN_CIRCUIT {
        table.push((name, share(&|seed| in_circuit(seed, plant))));
    }
    for (name, (planted, found)) in &table {
        println!("{name}: {found} of {planted}");
    }
    for (name, (planted, found)) in table {
        // Names that become equal are rare.
        assert!(found > 0 || planted == 0, "{name}: none of {planted} was found");
    }
}

#[test]
fn kept_cases() {
    CASES.kept();
    PLOTS.kept();
}
