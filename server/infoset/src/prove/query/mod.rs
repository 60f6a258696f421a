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

/// Why a proof is not believed.
const REFUSED: &str =
    "the prover and the second reader of the rules disagree, which is a fault of Percept: please report it";

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
