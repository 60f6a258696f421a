//! A game as its players receive it.

use std::fmt;
use std::sync::Arc;

use percept_game::gdl::Grounding;
use percept_game::{Budget, Game, GameError};
use percept_syntax::convert::convert;
use percept_syntax::format::Options;
use percept_syntax::gdl::{Description, Formula};
use percept_syntax::{Language, Source, Syntax};

use crate::belief::Guess;

/// The rule that every role sees every move: the meaning, for players of GDL-II, of a description without percepts.
/// (The Dresden game controller adds the same rule, and the tables of Koriche et al. 2017 read such games so.)
const EVERYBODY_SEES: &str =
    "(<= (sees ?percept_r (did ?percept_o ?percept_m)) (role ?percept_r) (does ?percept_o ?percept_m))";

/// The rules of a game, and their text.
#[derive(Clone)]
pub struct Briefing {
    /// The roles and the rules.
    pub game: Arc<Game>,
    /// The text in prefix GDL; `None` for games in other languages, which no protocol carries.
    text: Option<Arc<str>>,
    /// True if the description defines percepts. If not, every role sees every move.
    pub has_percepts: bool,
    /// A source of guesses for the role that it serves, if there is one.
    pub guess: Option<Arc<dyn Guess>>,
}

impl fmt::Debug for Briefing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Briefing").field("roles", &self.game.roles).finish_non_exhaustive()
    }
}

/// The reason why a text is not a game that can be played.
#[derive(Clone, Debug, thiserror::Error)]
pub enum BriefingError {
    /// The text could not be read, for this reason.
    #[error("{0}")]
    Text(String),
    /// The rules are invalid: the errors, each with its position.
    #[error("{}", .0.first().map_or("no game", |error| &error.message))]
    Rules(Vec<GameError>),
}

impl Briefing {
    /// Reads a game in GDL. A description without `sees` is one of complete information: every role sees every move.
    ///
    /// # Errors
    /// Returns the fault in the text.
    pub fn of_gdl(source: &Source) -> Result<Briefing, BriefingError> {
        Briefing::of_gdl_within(source, Budget::default())
    }

    /// Like [`Briefing::of_gdl`], within a budget: once it is spent, no game is made.
    ///
    /// # Errors
    /// Returns the fault in the text.
    pub fn of_gdl_within(source: &Source, budget: Budget) -> Result<Briefing, BriefingError> {
        let Syntax::Gdl(description) = &source.syntax else {
            return Err(BriefingError::Text("this is not a description in GDL".into()));
        };
        if let Some(error) = source.errors.first() {
            return Err(BriefingError::Text(error.message.clone()));
        }
        let has_percepts = says(description, "sees");
        let text = match source.language {
            Language::GdlPrefix => source.text.clone(),
            _ => convert(source, Language::GdlPrefix, &Options::default())
                .map_err(|refusal| BriefingError::Text(refusal.message))?
                .text
                .into(),
        };
        let text = if has_percepts { text } else { format!("{text}\n{EVERYBODY_SEES}\n").into() };
        let description = if text == source.text { description.clone() } else { read(&text)? };
        let grounding = Grounding { set_up: budget.clone(), budget, ..Grounding::default() };
        let game = Game::from_gdl_with(&description, &grounding).map_err(BriefingError::Rules)?;
        Ok(Briefing { game: Arc::new(game), text: Some(text), has_percepts, guess: None })
    }

    /// Wraps a game in a language that no protocol carries, for players in this process.
    pub fn of_game(game: Arc<Game>) -> Briefing {
        Briefing { game, text: None, has_percepts: true, guess: None }
    }

    /// Adds a source of guesses.
    pub fn guessing(self, guess: Arc<dyn Guess>) -> Briefing {
        Briefing { guess: Some(guess), ..self }
    }

    /// Replaces the rules behind the text, for example with rules that watch their queries.
    pub fn with_rules(self, game: Arc<Game>) -> Briefing {
        Briefing { game, ..self }
    }

    /// Returns the description in prefix GDL, including the percepts added for complete information.
    pub fn text(&self) -> Option<&Arc<str>> {
        self.text.as_ref()
    }

    /// Returns the description as it was written, without the percepts added for complete information.
    pub fn plain_text(&self) -> Option<&str> {
        let text = self.text.as_deref()?;
        Some(if self.has_percepts { text } else { text.trim_end().strip_suffix(EVERYBODY_SEES).unwrap_or(text) })
    }
}

/// A description that was written here.
fn read(text: &Arc<str>) -> Result<Description, BriefingError> {
    match Source::parse(text.clone(), Language::GdlPrefix).syntax {
        Syntax::Gdl(description) => Ok(description),
        Syntax::Pddl(_) => Err(BriefingError::Text("this is not a description in GDL".into())),
    }
}

/// True if some statement defines this relation.
fn says(description: &Description, relation: &str) -> bool {
    let heads = description.statements.iter().filter_map(|statement| statement.head.as_ref());
    heads.into_iter().any(|head| head.name.text.eq_ignore_ascii_case(relation))
        || description.statements.iter().any(|statement| statement.body.iter().any(|part| in_body(part, relation)))
}

fn in_body(part: &Formula, relation: &str) -> bool {
    let mut found = false;
    part.atoms(false, &mut |atom, _| found |= atom.name.text.eq_ignore_ascii_case(relation));
    found
}
