//! An author's own questions: claims about all histories, and about the roles' knowledge in them.
//!
//! `docs/queries.md` describes the language. A question is read ([`Question::parse`]), written without variables for
//! the game at hand ([`Sentence`]), and answered by two lines of work side by side:
//!
//! - [`explicit`]: all histories, length by length; supports every question;
//! - [`symbolic`]: a solver searches ever longer histories: one for the question, and one more for each role that is to
//!   lack knowledge ([`wish`], [`worlds`]). From time to time it tries an induction under the invariants of the game. A
//!   counterexample is replayed before it is shown.

mod explicit;
mod facts;
mod formula;
mod pattern;
mod reply;
mod search;
mod second;
mod sentence;
mod symbolic;
mod wish;
mod worlds;
mod writer;

use percept_game::{Game, RoleId};

pub use formula::{Formula, QueryError, Question};
pub use reply::{Reply, Witness};

use super::findings::Method;
use super::lemmas::Lemmas;
use crate::Budget;
use crate::reading::Reading;
use reply::{Answer, Scope};
use search::{by_solver, search, sentence};
use sentence::Sentence;

/// The message when the second reader refuses a proof.
const REFUSED: &str =
    "the prover and the second reader of the rules disagree; this is a bug in Percept, please report it";

/// Answers a question about the histories of a game.
///
/// # Errors
/// If the question has a term that the game does not have, with its position.
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
        // Witnesses are replayed, so there is nothing left to check.
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

/// True if some match ends, by the search of ever longer matches and by induction. `None` if that is open.
pub(super) fn some_match_ends(lemmas: &mut Lemmas<'_>, budget: &Budget) -> Option<bool> {
    after_some_match(lemmas, Sentence::Terminal, budget)
}

/// True if some match ends with a goal value for a role, by the same methods.
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
