//! Speed: the set-up time of a game, random matches and states per second, and memory.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use percept_game::Game;
use percept_game::play::{Limits, run};
use serde::Serialize;

use crate::limits::peak;

/// The measurement of one game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Measurement {
    /// The name of the game.
    pub(crate) game: String,
    /// Seconds from typed syntax to a game that is ready for its first random match.
    pub(crate) setup_s: f64,
    /// Matches per second. A match that was cut off by the time or the limit of rounds counts as a fraction, by the
    /// mean length of those that ended; 0 if none did.
    pub(crate) playouts_per_s: f64,
    /// Joint moves per second, including those of matches that were cut off at the end.
    pub(crate) states_per_s: f64,
    /// The number of threads that played.
    pub(crate) threads: usize,
    /// The peak memory of the process while this game was set up and played, if the system reports it (Linux).
    pub(crate) peak_bytes: Option<u64>,
    /// The way the game was run: `circuit` or `rules` (too large to ground).
    pub(crate) engine: &'static str,
    /// The reason why random matches are slower than they could be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) given_up: Option<String>,
}

/// Sets a game up with `make` and plays random matches for `time` on `threads` threads.
///
/// # Errors
/// The error of `make`, or that no threads could be started.
pub(crate) fn measure<E: From<rayon::ThreadPoolBuildError>>(
    name: &str,
    threads: usize,
    time: Duration,
    make: impl FnOnce() -> Result<Game, E>,
) -> Result<Measurement, E> {
    reset_peak();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let start = Instant::now();
    let game = make()?;
    let compiled = game.rules.playouts_of_many().is_some();
    let setup_s = start.elapsed().as_secs_f64();
    let next = AtomicU64::new(0);
    let start = Instant::now();
    let limits = Limits { seed: 1, deadline: Some(start + time), ..Limits::default() };
    // Long runs keep the lanes busy; the deadline ends them.
    let chunk = if compiled { 1 << 20 } else { 1 };
    let counts = pool.broadcast(|_| {
        let (mut finished, mut finished_rounds, mut rounds) = (0, 0, 0);
        while Instant::now() < start + time {
            let from = next.fetch_add(chunk, Ordering::Relaxed);
            run(&game, from..from + chunk, &limits, &mut |record| {
                rounds += u64::from(record.rounds);
                if record.terminal || record.stuck {
                    finished += 1;
                    finished_rounds += u64::from(record.rounds);
                }
            });
        }
        (finished, finished_rounds, rounds)
    });
    let add = |sum: (u64, u64, u64), count: (u64, u64, u64)| (sum.0 + count.0, sum.1 + count.1, sum.2 + count.2);
    let (finished, finished_rounds, rounds) = counts.into_iter().fold((0, 0, 0), add);
    // Matches that end at once have no states to count.
    let playouts =
        if finished_rounds == 0 { finished as f64 } else { rounds as f64 * finished as f64 / finished_rounds as f64 };
    let elapsed = start.elapsed().as_secs_f64();
    Ok(Measurement {
        game: name.to_string(),
        setup_s,
        playouts_per_s: playouts / elapsed,
        states_per_s: rounds as f64 / elapsed,
        threads,
        peak_bytes: peak(),
        engine: if compiled { "circuit" } else { "rules" },
        given_up: game.rules.given_up(),
    })
}

/// Resets the kernel's count of the peak (Linux; elsewhere the peak is that of the whole run).
fn reset_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

#[cfg(test)]
mod tests {
    use super::*;
    use percept_syntax::{Language, Source, Syntax};

    #[test]
    fn a_game_is_measured() {
        let text = "(role r) (init (n 0)) (succ 0 1) (succ 1 2) (legal r go)
            (<= (next (n ?b)) (true (n ?a)) (succ ?a ?b)) (<= terminal (true (n 2))) (goal r 1)";
        let source = Source::parse(text, Language::GdlPrefix);
        let Syntax::Gdl(description) = &source.syntax else { panic!("not GDL") };
        let make = || -> Result<Game, rayon::ThreadPoolBuildError> { Ok(Game::from_gdl(description).unwrap()) };
        let measured = measure("chain", 2, Duration::from_millis(50), make).unwrap();
        assert!(measured.playouts_per_s > 100.0 && measured.states_per_s >= measured.playouts_per_s);
        assert_eq!((measured.engine, measured.threads), ("circuit", 2));
    }
}
