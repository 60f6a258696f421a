//! The search for an answer, by two lines of work side by side.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use percept_game::{Game, Ground};

use super::super::findings::Method;
use super::super::lemmas::Lemmas;
use super::explicit;
use super::formula::{QueryError, Question};
use super::reply::{Answer, Scope};
use super::sentence::Sentence;
use super::symbolic::{self, Search};
use super::wish::Plan;
use crate::Budget;

/// The reason why the solver gives no answer.
const TOO_MANY: &str = "the question is about too many histories at once for the solver";
const NO_CIRCUIT: &str = "the rules have no circuit, which this method needs";
const INCOMPLETE: &str = "the rules cannot be followed in some state";
const NEEDS_ALL: &str =
    "the question has a role's knowledge as a condition; only the search through all histories can refute it";

/// The sentence to decide for all histories, and the game's circuit, if it has one.
pub(super) fn sentence(game: &Game, question: &Question) -> Result<(Sentence, Option<Arc<Ground>>), QueryError> {
    let ground = game.rules.ground(&percept_game::Scope::default()).ok();
    let sentence = Sentence::of(game, ground.as_ref(), question)?;
    // A sentence is sometimes true if its negation is not always true.
    Ok((if question.always { sentence } else { sentence.negated() }, ground))
}

/// Decides if the sentence is true in all histories, by two lines of work side by side.
pub(super) fn search(
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
        // Without threads, as in a web page, the two run one after the other.
        let alone = matches!(thread, Some(Err(_))).then(explicitly);
        let symbolic = ground.filter(|_| method != Method::Pairs).map(|ground| {
            let mut lemmas = Lemmas::new(game, ground);
            stops(by_solver(&mut lemmas, sentence, method, scope, budget))
        });
        let explicit = thread.and_then(Result::ok).and_then(|thread| thread.join().ok());
        let nothing = match wants(Method::Pairs) {
            true => Answer::open(None),
            // The solver has no circuit to work on.
            false => Answer::Open { rounds: None, why: Some(NO_CIRCUIT) },
        };
        [symbolic, explicit, alone].into_iter().flatten().reduce(Answer::or).unwrap_or(nothing)
    });
    // If the rules failed in some state, facts may be missing.
    match game.rules.fault() {
        Some(_) => Answer::Open { rounds: None, why: Some(INCOMPLETE) },
        None => answer,
    }
}

/// Tries a few rounds, then an induction, and then as many rounds as the time allows.
pub(super) fn by_solver(
    lemmas: &mut Lemmas<'_>,
    sentence: &Sentence,
    method: Method,
    scope: &Scope,
    budget: &Budget,
) -> Answer {
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
