//! The complete picture of a match at one place, for a stepper whose user may see everything.
//!
//! In: a [`Stepper`] and the game's boards. Out: [`Scene`], ready to be written as JSON. The part that one role may see
//! is its [`crate::seat::Seat`].

use percept_game::stepper::{RoleView, RoundView, StepView, Stepper};
use percept_game::{Game, RoleId};
use percept_infoset::Factored;
use schemars::JsonSchema;
use serde::Serialize;

use crate::board::{Layout, Picture};
use crate::speech::{Phrases, Speech};

/// A match at one place.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Scene {
    /// The number of rounds before this state.
    pub round: usize,
    /// The number of known rounds, including those after this state.
    pub rounds: usize,
    /// True if the match is over.
    pub terminal: bool,
    /// The moves, percepts and goal of each role, in the order of the rules.
    pub roles: Vec<Role>,
    /// The state.
    pub state: Picture,
    /// The whole match, undone rounds included.
    pub history: Vec<RoundView>,
    /// For each round of the history, the percepts that the rules send to every role that chooses: each knows that all
    /// received them. Absent if the rules are too large to decide it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public: Option<Vec<Vec<String>>>,
    /// The words of moves, percepts and fluents to which the rules' comments give some; a percept whose words depend on
    /// its role is named `(sees ROLE PERCEPT)`.
    #[serde(skip_serializing_if = "Phrases::is_empty")]
    pub says: Phrases,
}

/// A role at one place of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Role {
    /// The name of the role.
    pub name: String,
    /// True if the role is chance.
    pub chance: bool,
    /// The legal moves; none once the match is over. Only `noop` if the role has to wait.
    pub legal: Vec<String>,
    /// For each legal move the cells it names: `3 2`; `3 *` is a column, `* 4` a row.
    pub places: Vec<Vec<String>>,
    /// The percepts of the last round.
    pub percepts: Vec<String>,
    /// The goal values that hold now.
    pub goals: Vec<i64>,
}

impl Scene {
    /// The scene at the stepper's place.
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
        let roles: Vec<Role> = stepper.game().role_ids().zip(roles).map(role).collect();
        let state = layout.picture(&state);
        let says = phrases(&layout.speech, &roles, &state, &history);
        Scene { round, rounds, terminal, roles, state, history, public: None, says }
    }

    /// Adds the public percepts of each round, if they are known.
    #[must_use]
    pub fn factored(self, game: &Game, factored: Option<&Factored>) -> Scene {
        let of = |factored| self.history.iter().map(|round| public(game, round, factored)).collect();
        Scene { public: factored.map(of), ..self }
    }
}

fn phrases(speech: &Speech, roles: &[Role], state: &Picture, history: &[RoundView]) -> Phrases {
    let mut says = Phrases::new();
    roles.iter().for_each(|role| speech.say_choices(&mut says, role.legal.iter().map(String::as_str)));
    speech.say(&mut says, history.iter().flat_map(|it| &it.moves).map(String::as_str));
    for (at, role) in roles.iter().enumerate() {
        let seen = history.iter().filter_map(|it| it.percepts.get(at)).flatten();
        speech.say_percepts(&mut says, &role.name, seen.chain(&role.percepts).map(String::as_str));
    }
    state.say(speech, &mut says);
    says
}

/// The public percepts of a round by name, as its first role that chooses received them.
pub fn public(game: &Game, round: &RoundView, factored: &Factored) -> Vec<String> {
    let first = game.roles.iter().position(|role| !role.is_chance);
    let percepts = first.and_then(|role| round.percepts.get(role));
    percepts.into_iter().flatten().filter(|it| factored.is_public(it)).cloned().collect()
}
