//! The description that a game was made of, kept so that its rules can be read a second time.

use std::sync::Arc;

use percept_syntax::gdl::Description;
use percept_syntax::pddl::{Domain, Problem};

use crate::plain::pogddl::Range;
use crate::plain::{self, Limits};
use crate::{Game, GameError, PogddlOptions};

/// The description behind a game. Cheap to clone.
#[derive(Clone, Default)]
pub enum Written {
    /// A GDL description.
    Gdl(Arc<Description>),
    /// A POGDDL domain, one of its problems, and the end of its matches.
    Pogddl(Arc<(Domain, Problem, PogddlOptions)>),
    /// None: the rules were made by a program.
    #[default]
    Nowhere,
}

impl Game {
    /// The same game, read a second time from its description by [`crate::plain`], which shares no code with the first
    /// reading. `None` if the game has no description.
    ///
    /// `numbers`: the ranges in which POGDDL's numbers are claimed to stay, as from [`plain::ranges`]. `goals`: as in
    /// [`plain::pogddl_for`]; GDL always has its goals.
    ///
    /// # Errors
    /// Like [`plain::gdl`] and [`plain::pogddl_for`].
    pub fn plain(&self, numbers: &[Range], goals: bool, limits: &Limits) -> Option<Result<Game, Vec<GameError>>> {
        match &self.written {
            Written::Gdl(description) => Some(plain::gdl(description, limits)),
            Written::Pogddl(it) => Some(plain::pogddl_for(&it.0, &it.1, &it.2, numbers, goals, limits)),
            Written::Nowhere => None,
        }
    }
}
