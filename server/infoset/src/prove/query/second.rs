//! Puts the same question to the rules as written ([`Reader`]).
//!
//! The question is first written out for the plain game by itself, so that nothing depends on facts that the first game
//! folded away. A variable ranges over a game's names, and the plain game has more of them. If the answers differ, the
//! first game's sentence is put to the plain game, name by name. Only if that fails, too, do the two readings disagree.

use percept_game::{Game, Term};

use super::formula::Question;
use super::reply::{Answer, Scope};
use super::search::{search, sentence};
use super::sentence::Sentence;
use crate::Budget;
use crate::prove::findings::Method;
use crate::prove::reader::Reader;
use crate::reading::{Reading, Unchecked};
use crate::verdict::Property;

/// Checks that the plain game has the same answer to a question that holds in the game. `first`: the question as
/// written out for the game.
pub(super) fn read(game: &Game, question: &Question, first: &Sentence, scope: &Scope, budget: &Budget) -> Reading {
    let plain = match Reader::new(game).plain(Property::Goal, budget) {
        Ok(plain) => plain,
        Err(why) => return Reading::Unchecked(why),
    };
    let Ok((own, ground)) = sentence(&plain, question) else { return Reading::Unchecked(Unchecked::OtherNames) };
    let ask = |sentence| search(&plain, &inside(&plain, sentence), ground.clone(), Method::Auto, scope, budget);
    match ask(own) {
        Answer::Holds { .. } => return Reading::Checked,
        Answer::Open { .. } => return Reading::Unchecked(Unchecked::Time),
        Answer::Fails { .. } => {}
    }
    match renamed(game, &plain, first).map(ask) {
        Some(Answer::Fails { .. }) => Reading::Refused("the question has a different answer there".to_owned()),
        Some(Answer::Open { .. }) => Reading::Unchecked(Unchecked::Time),
        Some(Answer::Holds { .. }) | None => Reading::Unchecked(Unchecked::OtherNames),
    }
}

/// The sentence, with the claim that no number leaves the range for which the plain game was made.
fn inside(plain: &Game, sentence: Sentence) -> Sentence {
    match plain.rules.outside() {
        Some(outside) => Sentence::And(vec![Sentence::Not(Box::new(Sentence::Fluent(outside))), sentence]),
        None => sentence,
    }
}

/// Translates a sentence about the game to the plain game. `None` if that has no name for a fluent or a number.
fn renamed(game: &Game, plain: &Game, it: &Sentence) -> Option<Sentence> {
    let (rules, other) = (&game.rules, &plain.rules);
    let all = |parts: &[Sentence]| parts.iter().map(|part| renamed(game, plain, part)).collect::<Option<Vec<_>>>();
    Some(match it {
        Sentence::Constant(value) => Sentence::Constant(*value),
        Sentence::Terminal => Sentence::Terminal,
        Sentence::Can(role) => Sentence::Can(*role),
        Sentence::Goal(role, value) => Sentence::Goal(*role, *value),
        Sentence::Fluent(fluent) => Sentence::Fluent(other.fluent_named(&rules.fluent_term(*fluent))?),
        // A move that is unknown to the plain game is never legal there.
        Sentence::Legal(role, mv) => match other.move_named(*role, &rules.move_term(*role, *mv)) {
            Some(mv) => Sentence::Legal(*role, mv),
            None => Sentence::Constant(false),
        },
        Sentence::Number(register, value) => {
            let name: &Term = &rules.register_terms().get(*register as usize)?.clone();
            let register = other.register_terms().iter().position(|old| old == name)?;
            Sentence::Number(register as u32, *value)
        }
        Sentence::Not(part) => Sentence::Not(Box::new(renamed(game, plain, part)?)),
        Sentence::And(parts) => Sentence::And(all(parts)?),
        Sentence::Or(parts) => Sentence::Or(all(parts)?),
        Sentence::Knows(role, part) => Sentence::Knows(*role, Box::new(renamed(game, plain, part)?)),
    })
}
