//! Queries in words, by every method, compared with their meaning by definition.

use percept_game::{Game, JointMove};
use percept_infoset::prove::Method;
use percept_infoset::prove::query::{QueryError, Question, Reply, Witness, answer};
use percept_random_rules::query::Vocabulary;
use percept_random_rules::truth::Histories;
use rand::{Rng, rngs::SmallRng};

use super::{Checked, Tally, fail, has_registers, impatient, patient, words};

/// Compares the answers to one random query.
pub fn ask(game: &Game, histories: &Histories<'_>, rng: &mut SmallRng, tally: &mut Tally) -> Checked {
    let is_fluent = |name: &str| !name.starts_with("(= ") && game.rules.find_fluent(name).is_some();
    let vocabulary = Vocabulary::of(histories.graph, is_fluent);
    let formula = vocabulary.formula(rng, 3);
    let announced = rng.random_bool(0.3);
    let truth = formula.truth(histories, &vocabulary, announced);
    let shortest = (0..truth.len()).filter(|&at| !truth[at]).map(|at| histories.all[at].length).min();
    tally.count(if shortest.is_some() { "questions that fail" } else { "questions that hold" }, 1);
    // If a goal may be any number, a variable cannot range over it; the query is refused with that reason.
    let endless = |error: &QueryError| has_registers(game) && error.message.contains("not known in advance");
    let ask = |text: &str, method: Method, must_decide: bool| -> Checked<Option<Reply>> {
        let question =
            Question::parse(game, text).or_else(|error| fail("question not understood", format!("{text}: {error}")))?;
        let budget = if must_decide { patient(game) } else { impatient() };
        match answer(game, &question, method, announced, &budget) {
            Ok(reply) => Ok(Some(reply)),
            Err(error) if endless(&error) => Ok(None),
            Err(error) => fail("question not answered", format!("{text}: {error}")),
        }
    };
    let bounded = format!("(always {} {formula})", histories.depth);
    let mut questions = vec![(Method::Pairs, bounded.clone(), true), (Method::Auto, bounded.clone(), true)];
    questions.push((Method::Bounded, bounded, false));
    questions.push((Method::Induction, format!("(always {formula})"), false));
    if histories.is_complete {
        questions.push((Method::Auto, format!("(always {formula})"), true));
    }
    for (method, text, must_decide) in questions {
        let Some(reply) = ask(&text, method, must_decide)? else {
            tally.count("questions about endless goals", 1);
            return Ok(());
        };
        let class = |what: &str| format!("{what} to a question by {method:?}");
        let place =
            || format!("{text} by {method:?}, announced: {announced}: {reply:?}; false after {shortest:?} rounds");
        match &reply {
            Reply::Holds { .. } if shortest.is_some() => return fail(class("false yes"), place()),
            Reply::Holds { .. } => tally.count(format!("yes by {method:?}"), 1),
            Reply::Fails { witness: Some(witness), .. } => {
                let length = witness.history.len();
                let beyond = length > histories.depth && !histories.is_complete;
                if shortest != Some(length) && !(beyond && shortest.is_none()) {
                    return fail(class("false no"), place());
                }
                if !beyond && !shows(game, histories, &truth, witness, announced) {
                    return fail(class("false witness"), place());
                }
                tally.count(format!("no by {method:?}"), 1);
            }
            Reply::Fails { witness: None, .. } => return fail(class("no witness"), place()),
            Reply::Open { .. } if must_decide && !has_registers(game) => {
                return fail(class("no answer"), place());
            }
            Reply::Open { .. } => tally.count(format!("open question by {method:?}"), 1),
        }
    }
    let text = format!("(sometimes {} (not {formula}))", histories.depth);
    let Some(reply) = ask(&text, Method::Auto, true)? else { return Ok(()) };
    let place = || format!("{text}: {reply:?}; true after {shortest:?} rounds");
    match (&reply, shortest) {
        (Reply::Holds { witness: Some(witness), .. }, Some(length)) if witness.history.len() == length => Ok(()),
        (Reply::Fails { .. }, None) | (Reply::Open { .. }, _) => Ok(()),
        _ => fail("false answer to a question about some history", place()),
    }
}

/// True if the formula is false in the witness's history, and its other histories are indistinguishable as claimed.
fn shows(game: &Game, histories: &Histories<'_>, truth: &[bool], witness: &Witness, announced: bool) -> bool {
    let place = |history: &[JointMove]| {
        let moves: Vec<Vec<String>> = history.iter().map(|joint| words(game, joint)).collect();
        super::knowledge::find(histories, &moves)
    };
    let Some(at) = place(&witness.history) else { return false };
    let over = |at: usize| histories.graph.nodes[histories.all[at].node].terminal;
    let mut before = vec![at];
    for (role, history) in &witness.instead {
        let Some(other) = place(history) else { return false };
        let role = role.0 as usize;
        let like = |at: &usize| {
            histories.all[*at].views[role] == histories.all[other].views[role]
                && (!announced || over(*at) == over(other))
        };
        if !before.iter().any(like) {
            return false;
        }
        before.push(other);
    }
    !truth[at]
}
