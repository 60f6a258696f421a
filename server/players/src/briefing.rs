//! A game as players are told of it.

use std::fmt;
use std::sync::Arc;

use percept_game::gdl::Grounding;
use percept_game::{Budget, Game, GameError};
use percept_syntax::convert::convert;
use percept_syntax::format::Options;
use percept_syntax::gdl::{Description, Formula};
use percept_syntax::{Language, Source, Syntax};

use crate::belief::Guess;

/// Every role sees every move: what a description without percepts means to players of GDL-II.
/// (The Dresden game controller adds the same rule, and the tables of Koriche et al. 2017 read such games so.)
const EVERYBODY_SEES: &str =
    "(<= (sees ?percept_r (did ?percept_o ?percept_m)) (role ?percept_r) (does ?percept_o ?percept_m))";

/// The rules of a game, and their text.
#[derive(Clone)]
pub struct Briefing {
    /// Roles and rules.
    pub game: Arc<Game>,
    /// In prefix GDL; `None` for games in other languages, which no protocol carries.
    text: Option<Arc<str>>,
    /// Whether the description says what roles perceive; where it does not, everybody sees every move.
    pub has_percepts: bool,
    /// What players may guess by, whose role it guesses for; nothing where nothing is given.
    pub guess: Option<Arc<dyn Guess>>,
}

impl fmt::Debug for Briefing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Briefing").field("roles", &self.game.roles).finish_non_exhaustive()
    }
}

/// Why a text is not a game that can be played.
#[derive(Clone, Debug, thiserror::Error)]
pub enum BriefingError {
    /// It could not be read: in words.
    #[error("{0}")]
    Text(String),
    /// Its rules mean nothing: why, each with its place.
    #[error("{}", .0.first().map_or("no game", |error| &error.message))]
    Rules(Vec<GameError>),
}

impl Briefing {
    /// A game in GDL. One that never says `sees` is one of complete information: everybody sees every move.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn of_gdl(source: &Source) -> Result<Briefing, BriefingError> {
        Briefing::of_gdl_within(source, Budget::default())
    }

    /// The same, within a budget: nothing is made of the text once it is spent.
    ///
    /// # Errors
    /// What is wrong with the text.
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

    /// A game in a language that no protocol carries: for players in this process.
    pub fn of_game(game: Arc<Game>) -> Briefing {
        Briefing { game, text: None, has_percepts: true, guess: None }
    }

    /// The same with something to guess by.
    pub fn guessing(self, guess: Arc<dyn Guess>) -> Briefing {
        Briefing { guess: Some(guess), ..self }
    }

    /// The same text with other rules behind it, such as rules that watch what they are asked.
    pub fn with_rules(self, game: Arc<Game>) -> Briefing {
        Briefing { game, ..self }
    }

    /// The description in prefix GDL, percepts of complete information included.
    pub fn text(&self) -> Option<&Arc<str>> {
        self.text.as_ref()
    }

    /// The description as it was written, without what was added for complete information.
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

/// Whether some statement defines this relation.
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
