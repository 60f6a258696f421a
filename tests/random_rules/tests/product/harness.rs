//! Runs many cases, side by side; makes the failing ones small and prints them ready to be kept.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use percept_random_rules::sexp::{Sexp, write};
use percept_random_rules::shrink::shrink;

use super::{Checked, Failure, Tally, fail};

/// A language's cases.
#[derive(Clone, Copy)]
pub struct Cases {
    /// What a kept case's file ends in.
    pub extension: &'static str,
    /// The text of a seed, and what it was made to contain.
    pub make: fn(u64) -> (Vec<Sexp>, BTreeSet<&'static str>),
    /// Compares everything. `None`: the case has no meaning for the naive reader.
    pub check: fn(&[Sexp], u64, &mut Tally) -> Option<Checked>,
}

/// The seeds to run: so many from 0, always the same; under `PERCEPT_LONG=1` more, and as many fresh ones, which are
/// printed. `PERCEPT_RANDOM_SEED=N` or `N..M` repeats those.
pub fn seeds(light: u64, heavy: u64) -> Vec<u64> {
    if let Ok(asked) = std::env::var("PERCEPT_RANDOM_SEED") {
        let (from, until) = asked.split_once("..").unwrap_or((&asked, ""));
        let from: u64 = from.parse().expect("a number");
        let until = if until.is_empty() { from + 1 } else { until.parse().expect("a number") };
        return (from..until).collect();
    }
    if std::env::var_os("PERCEPT_LONG").is_none() {
        return (0..light).collect();
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("later than 1970").as_secs();
    let fresh = now * 1_000;
    println!("fresh seeds: PERCEPT_RANDOM_SEED={fresh}..{}", fresh + heavy / 4);
    (0..heavy).chain(fresh..fresh + heavy / 4).collect()
}

impl Cases {
    /// Runs them all and says how often what was met.
    ///
    /// # Panics
    /// Where something differs: with the smallest case of every class of differences.
    pub fn run(self, seeds: &[u64]) -> Tally {
        let next = AtomicU64::new(0);
        let (total, failures) = (Mutex::new(Tally::default()), Mutex::new(Vec::new()));
        // Panics are caught and told with the case.
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        let threads = std::thread::available_parallelism().map_or(2, usize::from).min(8);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    while let Some(&seed) = seeds.get(next.fetch_add(1, Ordering::Relaxed) as usize) {
                        let mut tally = Tally::default();
                        let (case, features) = (self.make)(seed);
                        let started = Instant::now();
                        match self.quietly(&case, seed, &mut tally) {
                            None => tally.count("without meaning", 1),
                            Some(Ok(())) => features.iter().for_each(|feature| tally.count(*feature, 1)),
                            Some(Err(failure)) => failures.lock().expect("whole").push((seed, case, failure)),
                        }
                        tally.count("cases", 1);
                        tally.count("milliseconds", started.elapsed().as_millis() as usize);
                        total.lock().expect("whole").add(&tally);
                    }
                });
            }
        });
        let mut failures = failures.into_inner().expect("whole");
        failures.sort_by_key(|(seed, ..)| *seed);
        let first: Vec<u64> = failures.iter().map(|(seed, ..)| *seed).take(12).collect();
        let mut classes = BTreeSet::new();
        failures.retain(|(.., failure)| classes.insert(failure.class.clone()));
        let told: Vec<String> = failures.iter().map(|(seed, case, failure)| self.tell(*seed, case, failure)).collect();
        std::panic::set_hook(hook);
        assert!(told.is_empty(), "{} differ, at seeds {first:?}:\n\n{}", failures.len(), told.join("\n"));
        total.into_inner().expect("whole")
    }

    fn quietly(self, case: &[Sexp], seed: u64, tally: &mut Tally) -> Option<Checked> {
        catch_unwind(AssertUnwindSafe(|| (self.check)(case, seed, tally))).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string()));
            Some(fail("panic", text.unwrap_or_default()))
        })
    }

    /// The case as small as it gets, as a file of `kept/`.
    fn tell(self, seed: u64, case: &[Sexp], failure: &Failure) -> String {
        let small = shrink(case.to_vec(), 2_000, &mut |case| {
            let found = self.quietly(case, seed, &mut Tally::default());
            matches!(found, Some(Err(found)) if found.class == failure.class)
        });
        let again = self.quietly(&small, seed, &mut Tally::default());
        let message = again.and_then(Result::err).map_or_else(|| failure.message.clone(), |failure| failure.message);
        let (class, extension) = (&failure.class, self.extension);
        format!("{message}\n--- kept/NAME.{extension}\n; seed {seed}: {class}\n{}---\n", write(&small))
    }

    /// Runs the cases of `kept/`: what once failed.
    ///
    /// # Panics
    /// Where one fails again.
    pub fn kept(self) -> usize {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("kept");
        let files = std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path());
        let files = files.filter(|path| path.extension().is_some_and(|it| it == self.extension));
        let mut count = 0;
        for path in files {
            let text = std::fs::read_to_string(&path).expect("a text");
            let seed = text.split(|c: char| !c.is_ascii_digit()).find(|word| !word.is_empty());
            let seed = seed.and_then(|seed| seed.parse().ok()).unwrap_or(0);
            let case = percept_random_rules::sexp::read(&text);
            match self.quietly(&case, seed, &mut Tally::default()) {
                Some(Ok(())) => count += 1,
                Some(Err(failure)) => panic!("{}: {}\n{}", path.display(), failure.class, failure.message),
                None => panic!("{}: means nothing", path.display()),
            }
        }
        count
    }
}

/// Fails where something was met in too few cases: then the generator has got worse. Not of cases asked for by their seeds.
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
}
