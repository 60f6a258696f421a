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

/// Answers all questions, with at most `threads` parallel roles. `control` gives the limits of each question when its
/// turn comes. The findings are in the order of the questions; their verdicts do not depend on the threads.
pub fn all(
    game: &Game,
    questions: &[Question],
    options: &Options,
    threads: usize,
    budget: &(dyn Fn(Question) -> Budget + Sync),
) -> Vec<Finding> {
    let roles: Vec<&[Question]> = questions.chunk_by(|left, right| left.0 == right.0).collect();
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(questions.len())));
    let reader = Arc::new(Reader::new(game));
    let work = || {
        let mut prover = Prover::with(game, reader.clone());
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(questions) = roles.get(index) else { break };
            let answer = |&(role, property): &Question| {
                let limits = budget((role, property));
                match limits.stop() {
                    // The remaining questions are not needed.
                    Some(Stop::Cancelled) => Finding::open(role, property),
                    _ => prover.prove(role, property, options, &limits),
                }
            };
            let findings: Vec<Finding> = questions.iter().map(answer).collect();
            if let Ok(mut found) = found.lock() {
                found.push((index, findings));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(roles.len()) {
            scope.spawn(work);
        }
        work();
    });
    let mut found = found.into_inner().unwrap_or_default();
    found.sort_unstable_by_key(|(index, _)| *index);
    found.into_iter().flat_map(|(_, findings)| findings).collect()
}
