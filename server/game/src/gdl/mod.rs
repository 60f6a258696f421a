//! GDL and GDL-II: from a typed description to a [`Game`].
//!
//! ```text
//! Description -> lower -> Program (lifted rules) -> strata, static relations (prepare)
//!     -> reachable domain, ground circuit -> compiled rules
//!     -> lifted reasoner, where the ground game would be too large
//! ```

#![allow(dead_code)]

mod components;
mod join;
mod lifted;
mod lower;
mod names;
mod prepare;
mod program;
mod saturate;
mod split;
mod strata;
mod table;
mod unify;

use std::sync::Arc;

use percept_syntax::gdl::Description;

use crate::{Game, GameError};
use lifted::Lifted;
use saturate::Limits;

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
        let rules = Arc::new(Lifted::new(prepared, limits));
        Ok(Game { roles, rules, knows_own_moves: true, is_sequential: false })
    }
}
