//! GDL and GDL-II: from a typed description to a [`Game`].
//!
//! ```text
//! Description -> lower -> Program (lifted rules) -> strata, static relations (prepare)
//!     -> reachable domain, ground circuit -> compiled rules
//!     -> lifted reasoner, if the ground game would be too large: derives all consequences of a state or, if these are
//!        too many to list, answers single queries
//! ```

mod asking;
mod closure;
mod constant;
mod declared;
mod decompose;
mod demand;
mod explain;
mod factor;
#[cfg(test)]
mod fixture;
mod found;
pub(crate) mod ground;
mod ground_rules;
mod helpers;
mod instantiate;
mod join;
mod lifted;
mod limits;
mod lower;
mod merge;
pub(crate) mod names;
mod plan;
mod prepare;
pub(crate) mod program;
mod reach;
mod saturate;
mod split;
mod strata;
mod table;
mod unequal;
mod unify;
mod unique;

use std::sync::Arc;

pub use declared::{DeclarationError, Declared, Watch};
pub use explain::{Explainer, Explanation, Failure, Reason, Support};
use percept_syntax::gdl::Description;

use crate::{Budget, Game, GameError, Role, Rules, Written};
use ground_rules::GroundRules;
use lifted::{CircuitRefusal, Lifted};
use limits::Limits;
use prepare::Bodies;

/// Limits on the cost of grounding, and thresholds for its alternatives.
#[derive(Clone, Debug)]
pub struct Grounding {
    /// The number of tuples tried, once for the reachable domain and once for the circuit. The default takes a few
    /// seconds.
    pub fuel: u64,
    /// The number of nodes of the circuit; larger games are left to the lifted reasoner. With the instances it is made
    /// of, the default stays below 2 GB.
    pub nodes: usize,
    /// A relation with more rows than this is evaluated on demand, if possible.
    pub demand_from: usize,
    /// A decomposed rule is also tried whole if it has at most this many instances, or at most half as many as its
    /// parts have operands. It is used whole if that makes the smaller circuit. 0: never.
    pub whole_up_to: usize,
    /// The budget after which a game that is not yet ground is left to the lifted reasoner.
    pub budget: Budget,
    /// The budget of the whole set-up: once it is spent, there is no game.
    pub set_up: Budget,
}

impl Default for Grounding {
    fn default() -> Grounding {
        Grounding {
            fuel: 80_000_000,
            nodes: 4_000_000,
            demand_from: 120_000,
            whole_up_to: 20_000,
            budget: Budget::default(),
            set_up: Budget::default(),
        }
    }
}

/// Returns the interpretations of rules that are not safe, each at its position. Published files have such rules, so they
/// are played. Empty if the description is not a game ([`Game::from_gdl`] gives the reasons), or the set-up may not go
/// on.
pub fn remarks(description: &Description, set_up: &Budget) -> Vec<GameError> {
    lower::lower(description, set_up).map_or_else(|_| Vec::new(), |program| program.remarks)
}

/// Returns a game with the description that it was made of.
fn written(description: &Description, roles: Vec<Role>, rules: Arc<dyn Rules>) -> Game {
    let written = Written::Gdl(Arc::new(description.clone()));
    Game { roles, rules, knows_own_moves: true, is_sequential: false, written }
}

impl Game {
    /// Builds the game that a description defines.
    ///
    /// # Errors
    /// Returns the mistakes because of which the rules cannot be run, each at its position: malformed or unsafe rules,
    /// negation through recursion, keywords that depend on relations they must not depend on, no role, relations that
    /// grow without end.
    pub fn from_gdl(description: &Description) -> Result<Game, Vec<GameError>> {
        Game::from_gdl_with(description, &Grounding::default())
    }

    /// Like [`Game::from_gdl`], with other limits.
    ///
    /// # Errors
    /// Like [`Game::from_gdl`]; also if the set-up may not go on.
    pub fn from_gdl_with(description: &Description, grounding: &Grounding) -> Result<Game, Vec<GameError>> {
        let (limits, set_up) = (Limits::default(), &grounding.set_up);
        let prepared = prepare::prepare_within(description, Bodies::Decomposed, set_up)?;
        let roles = prepared.roles.clone();
        let rules: Arc<dyn Rules> = match ground::ground(prepared.clone().with_unlisted_as_dynamic(), grounding) {
            Ok(ground) => Arc::new(GroundRules::new(ground)),
            Err(exceeded) => {
                GameError::if_spent(set_up)?;
                let why = CircuitRefusal::of(&prepared.program, prepared.too_much.unwrap_or(exceeded));
                let lifted = match prepared.too_much {
                    Some(_) => {
                        Lifted::new(prepare::prepare_within(description, Bodies::Whole, set_up)?, limits).mixing()
                    }
                    None => Lifted::new(prepared, limits).choosing(description),
                };
                Arc::new(lifted.because(why))
            }
        };
        Ok(written(description, roles, rules))
    }

    /// Builds the same game on the reasoner that answers single queries, whatever its size: for comparison.
    ///
    /// # Errors
    /// Like [`Game::from_gdl`].
    pub fn from_gdl_asking(description: &Description) -> Result<Game, Vec<GameError>> {
        let prepared = prepare::prepare_what_can_be_listed(description, Bodies::Whole)?;
        let roles = prepared.roles.clone();
        let rules = Arc::new(Lifted::new(prepared, Limits::default()).asking());
        Ok(written(description, roles, rules))
    }

    /// Builds the same game on the lifted reasoner, whatever its size: slower, for comparison.
    ///
    /// # Errors
    /// Like [`Game::from_gdl`], and if a relation that is the same in every state cannot be listed.
    pub fn from_gdl_lifted(description: &Description) -> Result<Game, Vec<GameError>> {
        let limits = Limits::default();
        let prepared = prepare::prepare(description, Bodies::Decomposed)?;
        let roles = prepared.roles.clone();
        let rules = Arc::new(Lifted::new(prepared, limits));
        Ok(written(description, roles, rules))
    }
}
