//! An author's own questions: what is always true, and what roles know of it, over all histories.
//!
//! The language is told in `docs/queries.md`. A question is read ([`Question::parse`]), written out without variables for
//! the game at hand ([`Sentence`]), and answered by two lines of work side by side:
//!
//! - [`explicit`]: all histories, length by length; understands everything;
//! - [`symbolic`]: a solver looks for ever longer histories, one for the question and one more for each role that is to
//!   lack knowledge ([`wish`], [`worlds`]), and between a few rounds of that and many, for an induction under the
//!   invariants of the game. A counterexample is replayed before it is shown.

mod explicit;
mod facts;
mod formula;
mod pattern;
mod second;
mod sentence;
mod symbolic;
mod wish;
mod worlds;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use percept_game::{Game, Ground, JointMove, RoleId};

pub use formula::{Formula, QueryError, Question};
use sentence::Sentence;

use super::findings::Method;
use super::lemmas::Lemmas;
use crate::Budget;
use crate::reading::{Reading, Unchecked};
use symbolic::Search;
use wish::Plan;

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `always`: true in every history. `sometimes`: true in the history of the witness.
    Holds {
        /// `None` for `always`.
        witness: Option<Witness>,
        /// What settled it.
        method: &'static str,
        /// Whether a second reader of the rules came to the same answer ([`super::Reader`]), or why not. A witness is replayed.
        checked: Result<(), Unchecked>,
    },
    /// `always`: false in the history of the witness. `sometimes`: no history makes it true.
    Fails {
        /// `None` for `sometimes`.
        witness: Option<Witness>,
        /// What settled it.
        method: &'static str,
        /// As in [`Reply::Holds`].
        checked: Result<(), Unchecked>,
    },
    /// Nothing decided it in histories of up to so many rounds; `None`: not even in the first state.
    Open {
        /// Up to which nothing was found.
        rounds: Option<usize>,
        /// What kept it open, where that is known.
        why: Option<&'static str>,
    },
}

/// A history, and for each role that lacks knowledge in it, one it cannot tell from it (or from one before it here).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// Its joint moves.
    pub history: Vec<JointMove>,
    /// By role that lacks knowledge, the other history.
    pub instead: Vec<(RoleId, Vec<JointMove>)>,
}

/// How far a question goes.
struct Scope {
    /// Rounds to look at; `None`: all.
    rounds: Option<usize>,
    announce_end: bool,
}

/// Whether a sentence is true in all histories.
enum Answer {
    Holds { method: &'static str },
    Fails { witness: Witness, method: &'static str },
    Open { rounds: Option<usize>, why: Option<&'static str> },
}

/// Why the solver had nothing to say.
const TOO_MANY: &str = "it is about too many histories at once for the solver";
const NO_CIRCUIT: &str = "the rules have no circuit, which this method needs";
const INCOMPLETE: &str = "the rules cannot be followed in some state";
const REFUSED: &str =
    "the prover and the second reader of the rules disagree, which is a fault of Percept: please report it";
const NEEDS_ALL: &str =
    "somebody's knowledge is a condition in it, so only the search through all histories can refute it";

impl Answer {
    const fn open(rounds: Option<usize>) -> Answer {
        Answer::Open { rounds, why: None }
    }

    const fn is_decided(&self) -> bool {
        !matches!(self, Answer::Open { .. })
    }

    /// The one that says more.
    fn or(self, other: Answer) -> Answer {
        match (self, other) {
            (Answer::Open { rounds: a, why: x }, Answer::Open { rounds: b, why: y }) => {
                Answer::Open { rounds: a.max(b), why: x.or(y) }
            }
            (Answer::Open { .. }, decided) | (decided, _) => decided,
        }
    }
}

/// Answers a question about the histories of a game.
///
/// # Errors
/// Where the question speaks of what the game does not have, at its place.
pub fn answer(
    game: &Game,
    question: &Question,
    method: Method,
    announce_end: bool,
    budget: &Budget,
) -> Result<Reply, QueryError> {
    let (sentence, ground) = sentence(game, question)?;
    let scope = Scope { rounds: question.rounds, announce_end };
    let answer = search(game, &sentence, ground, method, &scope, budget);
    let (answer, checked) = match answer {
        Answer::Holds { method } => match second::read(game, question, &sentence, &scope, budget) {
            Reading::Checked => (Answer::Holds { method }, Ok(())),
            Reading::Unchecked(why) => (Answer::Holds { method }, Err(why)),
            Reading::Refused(_) => (Answer::Open { rounds: None, why: Some(REFUSED) }, Ok(())),
        },
        // A witness was replayed.
        other => (other, Ok(())),
    };
    Ok(match (answer, question.always) {
        (Answer::Holds { method }, true) => Reply::Holds { witness: None, method, checked },
        (Answer::Holds { method }, false) => Reply::Fails { witness: None, method, checked },
        (Answer::Fails { witness, method }, true) => Reply::Fails { witness: Some(witness), method, checked },
        (Answer::Fails { witness, method }, false) => Reply::Holds { witness: Some(witness), method, checked },
        (Answer::Open { rounds, why }, _) => Reply::Open { rounds, why },
    })
}

/// The sentence that is to be true in all histories, and the game's circuit, where it has one.
fn sentence(game: &Game, question: &Question) -> Result<(Sentence, Option<Arc<Ground>>), QueryError> {
    let ground = game.rules.ground(&percept_game::Scope::default()).ok();
    let sentence = Sentence::of(game, ground.as_ref(), question)?;
    // To be true some time is not to be false always.
    Ok((if question.always { sentence } else { sentence.negated() }, ground))
}

/// Whether the sentence is true in all histories, by two lines of work side by side.
fn search(
    game: &Game,
    sentence: &Sentence,
    ground: Option<Arc<Ground>>,
    method: Method,
    scope: &Scope,
    budget: &Budget,
) -> Answer {
    let wants = |wanted| method == Method::Auto || method == wanted;
    let decided = Arc::new(AtomicBool::new(false));
    let budget = &Budget { decided: Some(decided.clone()), ..budget.clone() };
    let stops = |answer: Answer| {
        if answer.is_decided() {
            decided.store(true, Ordering::Relaxed);
        }
        answer
    };
    let answer = std::thread::scope(|threads| {
        let explicitly = || stops(explicit::search(game, sentence, scope, budget));
        let thread = wants(Method::Pairs).then(|| std::thread::Builder::new().spawn_scoped(threads, explicitly));
        // Where no thread is to be had, in a web page, one follows the other.
        let alone = matches!(thread, Some(Err(_))).then(explicitly);
        let symbolic = ground.filter(|_| method != Method::Pairs).map(|ground| {
            let mut lemmas = Lemmas::new(game, ground);
            stops(by_solver(&mut lemmas, sentence, method, scope, budget))
        });
        let explicit = thread.and_then(Result::ok).and_then(|thread| thread.join().ok());
        let nothing = match wants(Method::Pairs) {
            true => Answer::open(None),
            // There was no circuit to ask.
            false => Answer::Open { rounds: None, why: Some(NO_CIRCUIT) },
        };
        [symbolic, explicit, alone].into_iter().flatten().reduce(Answer::or).unwrap_or(nothing)
    });
    // What was not evaluated to its end looks as if there were less of it.
    match game.rules.fault() {
        Some(_) => Answer::Open { rounds: None, why: Some(INCOMPLETE) },
        None => answer,
    }
}

/// A few rounds, an induction, and then as many rounds as there is time.
fn by_solver(lemmas: &mut Lemmas<'_>, sentence: &Sentence, method: Method, scope: &Scope, budget: &Budget) -> Answer {
    let Some(plan) = Plan::against(sentence) else { return Answer::Open { rounds: None, why: Some(TOO_MANY) } };
    let (game, ground) = (lemmas.game(), lemmas.ground.clone());
    let mut search = Search::new(game, &ground, &plan, scope, budget);
    let few = if method == Method::Induction { 0 } else { 4 };
    if let Some(answer) = search.up_to(few, budget).filter(Answer::is_decided) {
        return answer;
    }
    if matches!(method, Method::Auto | Method::Induction) {
        let limit = if method == Method::Auto { budget.most() } else { budget.clone() };
        if let Some(answer) = symbolic::induction(lemmas, &plan, scope, &mut search, &limit).filter(Answer::is_decided)
        {
            return answer;
        }
    }
    let further = matches!(method, Method::Auto | Method::Bounded);
    let answer = further.then(|| search.up_to(usize::MAX, budget)).flatten().unwrap_or_else(|| search.open());
    match answer {
        Answer::Open { rounds, .. } if !plan.exact => Answer::Open { rounds, why: Some(NEEDS_ALL) },
        other => other,
    }
}

/// Whether some match ends, by ever longer ones and by induction; `None` where that stays open.
pub(super) fn some_match_ends(lemmas: &mut Lemmas<'_>, budget: &Budget) -> Option<bool> {
    after_some_match(lemmas, Sentence::Terminal, budget)
}

/// Whether some match ends with a goal value for a role, in the same ways.
pub(super) fn some_match_ends_with_goal(lemmas: &mut Lemmas<'_>, role: RoleId, budget: &Budget) -> Option<bool> {
    let values = lemmas.ground.goals[role.0 as usize].iter().map(|&(value, _)| Sentence::Goal(role, value));
    let some = Sentence::Or(values.collect());
    after_some_match(lemmas, Sentence::And(vec![Sentence::Terminal, some]), budget)
}

fn after_some_match(lemmas: &mut Lemmas<'_>, sentence: Sentence, budget: &Budget) -> Option<bool> {
    match by_solver(lemmas, &sentence.negated(), Method::Auto, &Scope { rounds: None, announce_end: false }, budget) {
        Answer::Holds { .. } => Some(false),
        Answer::Fails { .. } => Some(true),
        Answer::Open { .. } => None,
    }
}
