//! Many questions about one game, several roles in parallel.
//!
//! A thread takes a role with all of its questions, and keeps its results for the role's next property and for its next
//! role. Each question is worked on by two threads of its own, so more parallel roles than half the number of
//! processors slow each other down.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use percept_game::{Game, RoleId};

use super::findings::{Finding, Options, Verdict};
use super::prover::Prover;
use super::reader::Reader;
use crate::verdict::Property;
use crate::{Budget, Stop};

/// A role and a property.
pub type Question = (RoleId, Property);

/// The default questions about a game and some of its roles ([`crate::own::properties`]).
pub fn questions(game: &Game, roles: impl IntoIterator<Item = RoleId>) -> Vec<Question> {
    let properties = crate::own::properties(game);
    roles
        .into_iter()
        .flat_map(|role| properties.iter().map(move |&property| (role, property)).collect::<Vec<_>>())
        .collect()
}

/// The findings that are worth reporting: without unrequested ones that say nothing new
/// ([`crate::own::goes_without_saying`]).
pub fn worth_saying(findings: Vec<Finding>) -> Vec<Finding> {
    let is_proved = |it: &Finding| matches!(it.verdict, Verdict::Proved { .. });
    findings.into_iter().filter(|it| !crate::own::goes_without_saying(it.property, is_proved(it))).collect()
}

/// The best number of parallel roles on this machine.
#[must_use]
pub fn threads() -> usize {
    (std::thread::available_parallelism().map_or(1, NonZero::get) / 2).max(1)
}

/// Answers all questions, with at most `threads` parallel roles. `budget` gives the limits of each question when its
/// turn comes. The findings are in the order of the questions; their verdicts do not depend on the threads.
pub fn all(
    game: &Game,
    questions: &[Question],
    options: &Options,
    threads: usize,
    budget: &(dyn Fn(Question) -> Budget + Sync),
) -> Vec<Finding> {
    let found = Mutex::new(Vec::with_capacity(questions.len()));
    each(game, questions, options, threads, &|at| budget(questions[at]), &|at, finding| {
        if let Ok(mut found) = found.lock() {
            found.push((at, finding));
        }
    });
    let mut found = found.into_inner().unwrap_or_default();
    found.sort_unstable_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, finding)| finding).collect()
}

/// Like [`all`]: `tell` receives each finding as soon as there is one, with the place of its question, from which
/// `budget` gives the limits, too.
pub fn each(
    game: &Game,
    questions: &[Question],
    options: &Options,
    threads: usize,
    budget: &(dyn Fn(usize) -> Budget + Sync),
    tell: &(dyn Fn(usize, Finding) + Sync),
) {
    let places: Vec<usize> = (0..questions.len()).collect();
    let roles: Vec<&[usize]> = places.chunk_by(|&left, &right| questions[left].0 == questions[right].0).collect();
    let next = AtomicUsize::new(0);
    let reader = Arc::new(Reader::new(game));
    let work = || {
        let mut prover = Prover::with(game, reader.clone());
        while let Some(places) = roles.get(next.fetch_add(1, Ordering::Relaxed)) {
            for &at in *places {
                let ((role, property), limits) = (questions[at], budget(at));
                tell(
                    at,
                    match limits.stop() {
                        // The remaining questions are not needed.
                        Some(Stop::Cancelled) => Finding::open(role, property),
                        _ => prover.prove(role, property, options, &limits),
                    },
                );
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(roles.len()) {
            scope.spawn(work);
        }
        work();
    });
}
