//! GDL and GDL-II: from a typed description to a [`Game`].
//!
//! ```text
//! Description -> lower -> Program (lifted rules) -> strata, static relations (prepare)
//!     -> reachable domain, ground circuit -> compiled rules
//!     -> lifted reasoner, where the ground game would be too large
//! ```

#![allow(dead_code)]

mod explain;
mod factor;
pub(crate) mod ground;
mod instantiate;
mod join;
mod lifted;
mod lower;
pub(crate) mod names;
mod prepare;
mod program;
mod reach;
mod saturate;
mod split;
mod strata;
mod table;
mod unify;

use std::sync::Arc;

pub use explain::{Explainer, Explanation, Failure, Reason, Support};
use percept_syntax::gdl::Description;

use crate::compiled::GroundRules;
use crate::{Game, GameError, Rules};
use lifted::Lifted;
use saturate::Limits;

/// Tuples tried before grounding gives up; about a second.
const GROUNDING_FUEL: u64 = 25_000_000;
/// Larger circuits are left to the lifted reasoner.
const MAX_NODES: usize = 1_200_000;

impl Game {
    /// The game that a description defines.
    ///
    /// # Errors
    /// What keeps the rules from being run, each at its place: malformed or unsafe rules, negation through recursion,
    /// keywords that depend on what they must not, no role, relations that grow without end.
    pub fn from_gdl(description: &Description) -> Result<Game, Vec<GameError>> {
        let limits = Limits::default();
        let prepared = prepare::prepare(description, &limits)?;
        let roles = prepared.roles.clone();
        let grounding = Limits { fuel: GROUNDING_FUEL, ..limits };
        let rules: Arc<dyn Rules> = match ground::ground(prepared.clone(), &grounding, MAX_NODES) {
            Ok(ground) => Arc::new(GroundRules::new(ground)),
            Err(_) => Arc::new(Lifted::new(prepared, limits)),
        };
        Ok(Game { roles, rules, knows_own_moves: true, is_sequential: false })
    }

    /// The same game on the lifted reasoner, whatever its size: slower, for comparison.
    ///
    /// # Errors
    /// As [`Game::from_gdl`].
    pub fn from_gdl_lifted(description: &Description) -> Result<Game, Vec<GameError>> {
        let limits = Limits::default();
        let prepared = prepare::prepare(description, &limits)?;
        let roles = prepared.roles.clone();
        let rules = Arc::new(Lifted::new(prepared, limits));
        Ok(Game { roles, rules, knows_own_moves: true, is_sequential: false })
    }
}
