//! A match at one place with all there is to see: what a stepper shows to who may see everything.
//!
//! In: a [`Stepper`] and the game's boards. Out: [`Scene`], ready to be written as JSON. What one role may see of it is its
//! [`crate::seat::Seat`].

use percept_game::stepper::{RoleView, RoundView, StepView, Stepper};
use percept_game::{Game, RoleId};
use percept_infoset::Factored;
use schemars::JsonSchema;
use serde::Serialize;

use crate::board::{Layout, Picture};

/// A match at one place.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Scene {
    /// Rounds played before this state.
    pub round: usize,
    /// Rounds known, those after this state included.
    pub rounds: usize,
    /// Whether the match is over.
    pub terminal: bool,
    /// What each role can do, saw and gets, in the order of the rules.
    pub roles: Vec<Role>,
    /// What holds.
    pub state: Picture,
    /// The whole match, undone rounds included.
    pub history: Vec<RoundView>,
    /// By round of the history, what of its percepts the rules send to everybody who chooses: each knows that all were
    /// told. Absent where the rules are too large to tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public: Option<Vec<Vec<String>>>,
}

/// A role at one place of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Role {
    /// As the rules write it.
    pub name: String,
    /// Whether it is chance.
    pub chance: bool,
    /// The moves legal now; none once the match is over. `noop` alone where the role has to wait.
    pub legal: Vec<String>,
    /// For each legal move the cells it names: `3 2`; `3 *` is a column, `* 4` a row.
    pub places: Vec<Vec<String>>,
    /// What it perceived after the last round.
    pub percepts: Vec<String>,
    /// The goal values that hold now.
    pub goals: Vec<i64>,
}

impl Scene {
    /// Where the match stands.
    pub fn of(stepper: &Stepper, layout: &Layout) -> Scene {
        let StepView { round, rounds, terminal, roles, state, history } = stepper.view();
        let rules = &stepper.game().rules;
        let places = |id: RoleId| stepper.legal(id).into_iter().map(move |mv| layout.places(&rules.move_term(id, mv)));
        let role = |(id, it): (RoleId, RoleView)| Role {
            name: it.name,
            chance: it.chance,
            places: places(id).collect(),
            legal: it.legal,
            percepts: it.percepts,
            goals: it.goals,
        };
        let roles = stepper.game().role_ids().zip(roles).map(role).collect();
        Scene { round, rounds, terminal, roles, state: layout.picture(&state), history, public: None }
    }

    /// The same, with what of each round was public, where that is known.
    #[must_use]
    pub fn factored(self, game: &Game, factored: Option<&Factored>) -> Scene {
        let of = |factored| self.history.iter().map(|round| public(game, round, factored)).collect();
        Scene { public: factored.map(of), ..self }
    }
}

/// What a round told everybody, by name: of what its first role that chooses was told.
pub fn public(game: &Game, round: &RoundView, factored: &Factored) -> Vec<String> {
    let first = game.roles.iter().position(|role| !role.is_chance);
    let told = first.and_then(|role| round.percepts.get(role));
    told.into_iter().flatten().filter(|it| factored.is_public(it)).cloned().collect()
}
