//! Tools about the value of a game.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Ask, Effort, Words};
use crate::commands::{solve, worth};
use crate::mcp::desk::{Desk, Game, Refusal};

/// The arguments of `solve`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Solve {
    #[serde(flatten)]
    game: Game,
    #[serde(flatten)]
    effort: Effort,
}

impl Ask for Solve {
    type Answer = solve::report::Answer;
    const NAME: &'static str = "solve";
    const TITLE: &'static str = "Compute the value of a game";
    const ABOUT: &'static str = "Computes what a game is worth to each role, if all play as well as they can with what \
        they know. `values` is what each can be sure of, between `low` and `high`; `profile`, what each gets if all \
        follow the strategies that were found. For games whose tree is small (some millions of positions).";

    fn effort(&self) -> Effort {
        self.effort
    }

    fn words(&self, desk: &mut Desk, time: Duration) -> Result<Words, Refusal> {
        let game = desk.game(&self.game)?;
        Ok(Words::json("solve").time(time).game(&game, None))
    }

    fn shorten(&self, answer: &mut Map<String, Value>) {
        if answer.contains_key("curve") {
            answer.insert("curve".to_string(), json!([]));
        }
    }
}

/// The arguments of `worth`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Worth {
    #[serde(flatten)]
    game: Game,
    #[serde(flatten)]
    effort: Effort,
}

impl Ask for Worth {
    type Answer = worth::Answer;
    const NAME: &'static str = "worth";
    const TITLE: &'static str = "Compute what each percept is worth";
    const ABOUT: &'static str = "Computes how much each percept is worth to each role: the value of the game with it and \
        without it. For small games with two roles.";

    fn effort(&self) -> Effort {
        self.effort
    }

    fn words(&self, desk: &mut Desk, time: Duration) -> Result<Words, Refusal> {
        let game = desk.game(&self.game)?;
        Ok(Words::json("worth").time(time).game(&game, None))
    }
}
