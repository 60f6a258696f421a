//! Proofs that every match ends: a number of rounds that no match exceeds.
//!
//! There are three ways, each sound and none complete: clocks and facts that change for good in the circuit of a round
//! (`circuit`); the clocks alone if a GDL game is too large to ground (`slice`); facts that actions use up in POGDDL
//! ([`crate::pogddl`]).

pub(crate) mod circuit;
mod slice;
mod ternary;

#[cfg(test)]
mod tests;

use percept_syntax::gdl::Description;

use crate::gdl::Grounding;
use crate::{Budget, Game, Scope};

/// A length that no match exceeds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
pub struct Bound {
    /// No match has more.
    pub rounds: u64,
    /// The reason in words.
    pub because: String,
}

/// A bound on the length of every match, if one is found before the budget is spent. `description` is the text of a GDL
/// game: it helps with games too large to ground.
pub fn bound(game: &Game, description: Option<&Description>, budget: &Budget) -> Option<Bound> {
    if budget.is_spent() {
        return None;
    }
    if game.is_sequential {
        return game.rules.used_up(budget);
    }
    let of = |game: &Game| {
        let ground = game.rules.ground(&Scope::default()).ok()?;
        circuit::bound(&game.rules.initial(), &ground, &|fluent| game.rules.fluent_name(fluent), budget)
    };
    match game.rules.playouts() {
        Some(_) => of(game),
        None => {
            let grounding = Grounding { budget: budget.clone(), set_up: budget.clone(), ..Grounding::default() };
            of(&Game::from_gdl_with(&slice::slice(description?)?, &grounding).ok()?)
        }
    }
}
