//! Runs many cases in parallel, minimizes the failing ones and prints them as files for `kept/`.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, Once};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use percept_random_rules::sexp::{Sexp, write};
use percept_random_rules::shrink::shrink;

use super::{Checked, Failure, Tally, fail};

/// The cases of a language.
#[derive(Clone, Copy)]
pub struct Cases {
    /// The extension of a kept case's file.
    pub extension: &'static str,
    /// The text of a seed, with its features.
    pub make: fn(u64) -> (Vec<Sexp>, BTreeSet<&'static str>),
    /// The test that runs a case again.
    pub test: &'static str,
    /// Compares all answers. `None`: the case has no meaning for the naive reader.
    pub check: fn(&[Sexp], u64, &mut Tally) -> Option<Checked>,
}

/// Seeds that are always the same in a quick run and under `PERCEPT_HEAVY=1`, and the number of fresh ones in the
/// latter.
#[derive(Clone, Copy)]
pub struct Seeds {
    pub quick: u64,
    pub heavy: u64,
    pub fresh: u64,
}

impl Seeds {
    /// The seeds to run. `PERCEPT_RANDOM_SEED=N` or `N..M` selects only these.
    ///
    /// # Panics
    /// The variable is not a number or range.
    pub fn list(self) -> Vec<u64> {
        if let Ok(seeds) = std::env::var("PERCEPT_RANDOM_SEED") {
            let (from, until) = seeds.split_once("..").unwrap_or((&seeds, ""));
            let from: u64 = from.parse().expect("a number");
            let until = if until.is_empty() { from + 1 } else { until.parse().expect("a number") };
            return (from..until).collect();
        }
        if !percept_test::is_heavy() {
            return (0..self.quick).collect();
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("later than 1970").as_secs();
        let from = now * 1_000;
        println!("fresh seeds: PERCEPT_RANDOM_SEED={from}..{}", from + self.fresh);
        (0..self.heavy).chain(from..from + self.fresh).collect()
    }
}

/// True if only verdicts about every match are compared, and differences are counted, not reported: the number of games
/// that find a fault planted in the provers.
pub fn is_counting() -> bool {
    std::env::var_os("PERCEPT_RANDOM_COUNT").is_some()
}

thread_local! {
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Does work whose panics are caught, and not printed by this thread. The hook that prints them belongs to the whole
/// program, in which other tests run at the same time, so it is installed once and checks the thread.
pub fn quietly<R>(work: impl FnOnce() -> R) -> std::thread::Result<R> {
    static IN_PLACE: Once = Once::new();
    IN_PLACE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !IS_QUIET.get() {
                usual(panic);
            }
        }));
    });
    let before = IS_QUIET.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    IS_QUIET.set(before);
    done
}

/// The time limit for minimizing all failing cases together.
const SHRINKING: Duration = Duration::from_secs(90);

impl Cases {
    /// Runs all seeds and returns the counts of their features.
    ///
    /// # Panics
    /// An answer differs: with the smallest case of every class of differences. Under `PERCEPT_RANDOM_COUNT=1` only
    /// their number is printed.
    pub fn run(self, seeds: &[u64]) -> Tally {
        let next = AtomicU64::new(0);
        let (total, failures) = (Mutex::new(Tally::default()), Mutex::new(Vec::new()));
        let slowest = Mutex::new(BTreeSet::new());
        let threads = std::thread::available_parallelism().map_or(2, usize::from).min(8);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    while let Some(&seed) = seeds.get(next.fetch_add(1, Ordering::Relaxed) as usize) {
                        let mut tally = Tally::default();
                        let (case, features) = (self.make)(seed);
                        let started = Instant::now();
                        match self.caught(&case, seed, &mut tally) {
                            None => tally.count("without meaning", 1),
                            Some(Ok(())) => features.iter().for_each(|feature| tally.count(*feature, 1)),
                            Some(Err(failure)) => {
                                // Printed at once, in case the run is stopped early.
                                eprintln!("seed {seed}: {}; {}", failure.class, self.again(seed));
                                failures.lock().expect("whole").push((seed, case, failure));
                            }
                        }
                        tally.count("cases", 1);
                        let milliseconds = started.elapsed().as_millis() as usize;
                        tally.count("milliseconds", milliseconds);
                        let mut slowest = slowest.lock().expect("whole");
                        slowest.insert((milliseconds, seed));
                        if slowest.len() > 3 {
                            slowest.pop_first();
                        }
                        total.lock().expect("whole").add(&tally);
                    }
                });
            }
        });
        println!("the slowest, in milliseconds, and their seeds: {:?}", slowest.into_inner().expect("whole"));
        let mut failures = failures.into_inner().expect("whole");
        failures.sort_by_key(|(seed, ..)| *seed);
        if is_counting() {
            println!("counted: {} of {} differ, {}", failures.len(), seeds.len(), self.test);
            return total.into_inner().expect("whole");
        }
        let first: Vec<u64> = failures.iter().map(|(seed, ..)| *seed).take(12).collect();
        let mut classes = BTreeSet::new();
        failures.retain(|(.., failure)| classes.insert(failure.class.clone()));
        let until = Instant::now() + SHRINKING;
        let lines: Vec<String> =
            failures.iter().map(|(seed, case, failure)| self.tell(*seed, case, failure, until)).collect();
        assert!(lines.is_empty(), "{} differ, at seeds {first:?}:\n\n{}", failures.len(), lines.join("\n"));
        total.into_inner().expect("whole")
    }

    /// Reports panics with the case.
    fn caught(self, case: &[Sexp], seed: u64, tally: &mut Tally) -> Option<Checked> {
        quietly(|| (self.check)(case, seed, tally)).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string()));
            Some(fail("panic", text.unwrap_or_default()))
        })
    }

    /// The command that runs a case again.
    fn again(self, seed: u64) -> String {
        format!("again: PERCEPT_RANDOM_SEED={seed} cargo test -p percept-random-rules --test suite {}", self.test)
    }

    /// The case as small as possible within the time, as a file of `kept/`.
    fn tell(self, seed: u64, case: &[Sexp], failure: &Failure, until: Instant) -> String {
        let small = shrink(case.to_vec(), 2_000, &mut |case| {
            if Instant::now() > until {
                return false;
            }
            let found = self.caught(case, seed, &mut Tally::default());
            matches!(found, Some(Err(found)) if found.class == failure.class)
        });
        let smaller = self.caught(&small, seed, &mut Tally::default());
        let message = smaller.and_then(Result::err).map_or_else(|| failure.message.clone(), |failure| failure.message);
        let (class, extension) = (&failure.class, self.extension);
        let again = self.again(seed);
        format!("{message}\n{again}\n--- kept/NAME.{extension}\n; seed {seed}: {class}\n{}---\n", write(&small))
    }

    /// Runs the cases of `kept/`, all of which have failed once.
    ///
    /// # Panics
    /// A case fails again.
    pub fn kept(self) -> usize {
        let mut files = percept_test::entries(percept_test::path("tests/random_rules/kept"));
        files.retain(|path| path.extension().is_some_and(|it| it == self.extension));
        let mut count = 0;
        for path in files {
            let text = percept_test::read(&path);
            let seed = text.split(|c: char| !c.is_ascii_digit()).find(|word| !word.is_empty());
            let seed = seed.and_then(|seed| seed.parse().ok()).unwrap_or(0);
            let case = percept_random_rules::sexp::read(&text);
            match self.caught(&case, seed, &mut Tally::default()) {
                Some(Ok(())) => count += 1,
                Some(Err(failure)) => panic!("{}: {}\n{}", path.display(), failure.class, failure.message),
                None => panic!("{}: means nothing", path.display()),
            }
        }
        count
    }
}

/// Fails if a feature occurs in too few cases, because then the generator has become worse. Does not apply to cases
/// selected by seed.
pub fn at_least(tally: &Tally, shares: &[(&str, f64)]) {
    let cases = tally.of("cases") as f64;
    println!("{tally:#?}");
    if std::env::var_os("PERCEPT_RANDOM_SEED").is_some() {
        return;
    }
    for (what, share) in shares {
        let found = tally.of(what) as f64 / cases;
        assert!(found >= *share, "`{what}`: {found:.2} per case, less than {share}");
    }
    // The number of proofs without time for a check depends on the machine; the number that the second reader cannot
    // read does not.
    let (proofs, unread) = (tally.of("proofs"), tally.of("proofs unchecked: too large"));
    assert!(20 * unread <= proofs, "of {proofs} proofs {unread} are too large for the second reader");
}
