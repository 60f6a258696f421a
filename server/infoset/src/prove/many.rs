//! Many questions about one game, several roles in parallel.
//!
//! A thread takes a role with all of its questions, and keeps its results for the role's next property and for its next
//! role. Each question is worked on by two threads of its own, so more parallel roles than half the number of
//! processors slow each other down.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use percept_game::{Game, RoleId};

use super::findings::{Finding, Method, Options, Verdict};
use super::matches;
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
fn each(
    game: &Game,
    questions: &[Question],
    options: &Options,
    threads: usize,
    budget: &(dyn Fn(usize) -> Budget + Sync),
    tell: &(dyn Fn(usize, Finding) + Sync),
) {
    let (all, reader) = ((0..questions.len()).collect(), Arc::new(Reader::new(game)));
    rest(game, questions, all, &reader, options, threads, budget, tell);
}

/// Like [`all`], but `tell` receives each finding as soon as there is one, with the place of its question, from which
/// `budget` gives the limits, too. Questions that are settled soon do not wait for those before them: first, each of them
/// gets `soon`, and all together get [`TURNS`] times as much. Then the others have their whole budget.
pub fn quick_first(
    game: &Game,
    questions: &[Question],
    options: &Options,
    threads: usize,
    soon: Duration,
    budget: &(dyn Fn(usize) -> Budget + Sync),
    tell: &(dyn Fn(usize, Finding) + Sync),
) {
    let reader = Arc::new(Reader::new(game));
    let mut left: Vec<usize> = (0..questions.len()).collect();
    if questions.len() > 1 && options.method == Method::Auto {
        let beside = Arc::new(reader.beside(&budget(0).share(2)));
        let mut prover = Prover::with(game, beside);
        let begin = Instant::now();
        left.retain(|&at| {
            let now = Instant::now();
            let limits = budget(at).until(now + soon);
            if now - begin > (TURNS - 1) * soon || limits.is_spent() {
                return true;
            }
            let found = prover.prove(questions[at].0, questions[at].1, options, &limits);
            let is_settled = is_settled(&found);
            if is_settled {
                tell(at, found);
            }
            !is_settled
        });
    }
    rest(game, questions, left, &reader, options, threads, budget, tell);
}

/// The number of questions with a turn of their own, before the others have to wait for the first ones.
pub const TURNS: u32 = 4;

/// True if more time would not make a better answer: a shorter pair, a checked proof, or a remark on it.
fn is_settled(finding: &Finding) -> bool {
    match &finding.verdict {
        Verdict::Refuted { method, .. } => *method != matches::NAME,
        Verdict::Proved { checked, .. } => {
            checked.is_ok() && (finding.property != Property::Goal || finding.vacuous.is_some())
        }
        Verdict::Open { .. } => false,
    }
}

/// Answers the questions at these places.
#[expect(clippy::too_many_arguments, reason = "those of its callers")]
fn rest(
    game: &Game,
    questions: &[Question],
    places: Vec<usize>,
    reader: &Arc<Reader<'_>>,
    options: &Options,
    threads: usize,
    budget: &(dyn Fn(usize) -> Budget + Sync),
    tell: &(dyn Fn(usize, Finding) + Sync),
) {
    let roles: Vec<&[usize]> = places.chunk_by(|&left, &right| questions[left].0 == questions[right].0).collect();
    let next = AtomicUsize::new(0);
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
