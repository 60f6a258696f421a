//! Training for a game, then every method along the test matches.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use percept_game::{Game, JointMove, RoleId};
use percept_infoset::{Budget, Guarantee, Options, Report, View, Wanted, infoset};
use percept_learn::calibration::Calibration;
use percept_learn::course::{News, Opponent, Plan, Subject, learn};
use percept_learn::hrs::{self, AtRandom, Hrs};
use percept_learn::nisg::{FIRST_PATIENCE, Guesser};
use percept_learn::sample::{Sampling, Uniform};
use percept_learn::train::Training;
use percept_learn::vocabulary::Vocabulary;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Claims, Depth, METHODS, Measured, MethodTally};
use crate::args::BenchNisg;
use crate::failure::Failure;
use crate::work::Work;

/// The most histories to find in a set.
const LIMIT: usize = 50_000;
/// Draws that approximate the exact shares of larger sets.
const DRAWS: usize = 2_000;
/// The most rounds of a match.
const MOST_ROUNDS: usize = 1_000;
/// The number of depths of a game that are tested with `--small`.
const SMALL_DEPTHS: usize = 6;
/// The offset between the seeds of test matches and training matches.
const OTHERS: u64 = 0x7e57_0000_0000;

/// The time for each information set and method.
pub(super) fn time(args: &BenchNisg) -> Duration {
    args.time.unwrap_or(Duration::from_millis(if args.small { 100 } else { 500 }))
}

fn plan(args: &BenchNisg) -> Plan {
    let small = |small: u64, whole: u64| if args.small { small } else { whole };
    let trajectories = args.trajectories.unwrap_or(small(200, 500));
    let samples = args.samples.unwrap_or(small(200, 500) as u32);
    Plan {
        trajectories,
        validation: trajectories.div_ceil(10),
        sampling: match () {
            () if args.single => Sampling::Single,
            () if args.paper => Sampling::Batch { samples },
            () => Sampling::Whole { samples },
        },
        hidden: small(64, 128) as usize,
        looks_back: !args.paper,
        training: Training {
            epochs: args.epochs.unwrap_or(small(30, 60) as u32),
            seed: args.seed,
            ..Training::default()
        },
    }
}

/// The sums of one method at one depth.
#[derive(Clone, Copy, Default)]
struct Tally {
    histories: u64,
    none: u64,
    all: u64,
}

/// Trains and tests; `None` if it was stopped before any test.
pub(super) fn game(name: &str, game: &Game, args: &BenchNisg, work: &Work) -> Result<Option<Measured>, Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::new(format!("{name}: {error}"));
    let role = game.role_ids().find(|role| !game.roles[role.0 as usize].is_chance).unwrap_or(RoleId(0));
    let opponent = Opponent { name: "random", strategy: &Uniform };
    let subject = Subject { game, title: name, role, opponent: &opponent };
    let mut news = |news: News| match news {
        News::Sampled(count) => work.say(format!("{name}: {count} matches sampled")),
        News::Epoch(it) => work.say(format!("{name}: epoch {}, validation loss {:.5}", it.epoch, it.validation)),
    };
    let course = learn(&subject, &plan(args), None, &work.budget(), &mut news).map_err(|error| failed(&error))?;
    let guesser = Guesser::new(game, &Vocabulary::of(game), &course.saved).map_err(|error| failed(&error))?;
    let tests = args.tests.unwrap_or(if args.small { 20 } else { 2_000 });
    let mut tallies = BTreeMap::<usize, (u64, [Tally; METHODS.len()])>::new();
    let mut calibration = Calibration::default();
    for test in 0..tests {
        let moves = random_match(game, args.seed ^ OTHERS ^ test);
        let every = args.every.map_or(if args.small { moves.len().div_ceil(SMALL_DEPTHS) } else { 1 }, usize::from);
        let whole = View::of_match(game, role, &moves).map_err(|error| failed(&error))?;
        for depth in (every..=moves.len()).step_by(every.max(1)) {
            if work.is_cancelled() {
                break;
            }
            work.say(format!("{name}: test {} of {tests}, depth {depth}", test + 1));
            let view = whole.prefix(depth);
            let (sets, tally) = tallies.entry(depth).or_default();
            *sets += 1;
            let reports = reports(game, &view, &guesser, args, test);
            for (tally, report) in tally.iter_mut().zip(&reports) {
                let method_tally = report.as_ref().map_or(0, |it| it.members.len() as u64);
                tally.histories += method_tally;
                tally.none += u64::from(method_tally == 0);
                tally.all += u64::from(report.as_ref().is_some_and(Report::lists_all));
            }
            if let Some(exact) = reports.last().and_then(Option::as_ref) {
                calibrate(&mut calibration, game, &view, &guesser, exact, time(args));
            }
        }
    }
    let depths = tallies.into_iter().map(|(depth, (sets, tallies))| Depth {
        depth,
        sets,
        methods: tallies.iter().map(|it| method_tally(it, sets)).collect(),
    });
    let depths: Vec<Depth> = depths.collect();
    Ok((!depths.is_empty()).then(|| Measured {
        game: name.to_string(),
        trajectories: plan(args).trajectories,
        tests,
        training_loss: course.trained.best.training,
        validation_loss: course.trained.best.validation,
        epochs: course.trained.epochs.last().map_or(0, |it| it.epoch),
        sampling_s: course.sampling_s,
        training_s: course.training_s,
        claims: Claims::of(&depths),
        depths,
        entropies: calibration.entropies(),
        reliability: calibration.reliability(),
    }))
}

fn method_tally(tally: &Tally, sets: u64) -> MethodTally {
    let share = |count: u64| count as f64 / sets as f64;
    MethodTally { histories: share(tally.histories), none: share(tally.none), all: share(tally.all) }
}

fn random_match(game: &Game, seed: u64) -> Vec<JointMove> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut at = game.start();
    let mut moves = Vec::new();
    while moves.len() < MOST_ROUNDS && !at.is_terminal() {
        let legal: Vec<_> = game.role_ids().map(|role| at.legal(role)).collect();
        if legal.iter().any(Vec::is_empty) {
            break;
        }
        let joint: JointMove = legal.iter().map(|moves| moves[rng.random_range(0..moves.len())]).collect();
        at.step(&joint);
        moves.push(joint);
    }
    moves
}

/// The histories that each method finds within the time, all of them re-simulated; `None` if a method has no result.
/// The network's guess is part of its time.
fn reports(
    game: &Game,
    view: &View,
    guesser: &Guesser,
    args: &BenchNisg,
    test: u64,
) -> [Option<Report>; METHODS.len()] {
    let within = || Budget { deadline: Instant::now().checked_add(time(args)), ..Budget::default() };
    let seed = args.seed ^ test;
    let at_random = || Hrs::new(game, view, Box::new(AtRandom::new(seed)), within());
    let random = hrs::report(&mut at_random(), "hrs", LIMIT);
    let random_anew = hrs::report(&mut at_random().anew_after(FIRST_PATIENCE), "hrs-anew", LIMIT);
    let budget = within();
    let led = hrs::report(&mut guesser.search_once(game, view, seed, budget), "nisg", LIMIT);
    let budget = within();
    let led_anew = hrs::report(&mut guesser.search(game, view, seed, budget), "nisg-anew", LIMIT);
    let by = |method| {
        let options = Options { method, wanted: Wanted::All, limit: LIMIT, seed: test, ..Options::default() };
        infoset(game, view, &options, &within()).ok()
    };
    let csp = by(percept_infoset::Method::Csp);
    let exact = by(percept_infoset::Method::Exact);
    [Some(random), Some(random_anew), Some(led), Some(led_anew), csp, exact]
}

/// Compares the guess with the exact shares: of all members, or of draws from them.
fn calibrate(
    calibration: &mut Calibration,
    game: &Game,
    view: &View,
    guesser: &Guesser,
    exact: &Report,
    time: Duration,
) {
    let drawn;
    let report = if exact.lists_all() {
        exact
    } else {
        let options = Options {
            method: percept_infoset::Method::Exact,
            wanted: Wanted::ByProbability,
            limit: DRAWS,
            ..Options::default()
        };
        // Draws begin with the filter that has just finished in time; drawing may take some more.
        let budget = Budget { deadline: Instant::now().checked_add(time * 2), ..Budget::default() };
        match infoset(game, view, &options, &budget) {
            Ok(report) if report.guarantee == Guarantee::Probability && !report.members.is_empty() => drawn = report,
            _ => return,
        }
        &drawn
    };
    let weights = report.chances();
    let histories = report.members.iter().map(|it| it.moves.as_slice()).zip(weights);
    let shares = guesser.encoding.information(game, histories);
    calibration.add(&guesser.encoding, &guesser.guess(view), &shares);
}
