//! The texts of the page, with the results that are kept until they change.

use std::sync::{Arc, OnceLock};

use percept_analysis::ide::{Files, Index, Indexed};
use percept_game::Game;
use percept_game::gdl::Grounding;
use percept_infoset::Factored;
use percept_report::board::Layout;
use percept_report::half::{self, Half};
use percept_report::load::{self, LoadError};
use percept_syntax::{Language, Source};
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::PathBuf;

use crate::places::Places;

/// A game's texts as sent by the page.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Texts {
    /// A description; or a domain and a problem in either order, which may be one text.
    pub texts: Vec<Named>,
}

/// A text with the name on its tab.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Named {
    pub name: String,
    pub text: String,
}

/// A text that has been read.
pub struct Read {
    pub source: Source,
    pub index: Index,
    pub places: Places,
    /// Its number among the page's texts.
    pub number: usize,
}

/// A game's parsed texts: a description, or a domain before its problem.
pub struct Spread {
    named: Vec<Named>,
    pub read: Vec<Read>,
    game: Option<Result<Playable, Value>>,
}

/// A game with the layout of its boards.
#[derive(Clone)]
pub struct Playable {
    pub game: Arc<Game>,
    pub layout: Arc<Layout>,
    factored: Arc<OnceLock<Option<Factored>>>,
}

impl Playable {
    /// The public part of each round, computed on first use; `None` if the game is too large.
    pub fn factored(&self) -> Option<&Factored> {
        self.factored.get_or_init(|| Factored::of(&self.game).ok()).as_ref()
    }
}

/// The texts of the last request.
#[derive(Default)]
pub struct Desk {
    last: Option<Spread>,
}

impl Desk {
    /// Reads the texts, unless they are those of the last request.
    pub fn spread(&mut self, texts: Texts) -> &mut Spread {
        let last = self.last.take().filter(|last| last.named == texts.texts);
        self.last.insert(last.unwrap_or_else(|| Spread::new(texts.texts)))
    }

    /// The texts of the last request.
    pub fn last(&self) -> Option<&Spread> {
        self.last.as_ref()
    }
}

impl Spread {
    fn new(named: Vec<Named>) -> Spread {
        let mut read: Vec<Read> = named
            .iter()
            .enumerate()
            .map(|(number, it)| {
                // An empty text is a description in prefix form.
                let path = PathBuf::from(&it.name);
                let language = Language::detect(&path, &it.text).unwrap_or(Language::GdlPrefix);
                let source = Source::parse(it.text.as_str(), language);
                let index = Index::new(&source);
                Read { index, places: Places::of(&it.text), number, source }
            })
            .collect();
        let is_problem = |it: &Read| matches!(half::of_text(&it.source.text), Some(Half::Problem(_)));
        read.sort_by_key(is_problem);
        Spread { named, read, game: None }
    }

    pub fn sources(&self) -> Vec<&Source> {
        self.read.iter().map(|it| &it.source).collect()
    }

    pub fn files(&self) -> Files<'_> {
        let indexed = self.read.iter().map(|it| Indexed { source: &it.source, index: &it.index });
        Files { files: indexed.collect() }
    }

    /// The index among the files of a text of the page.
    pub fn position(&self, number: usize) -> Option<usize> {
        self.read.iter().position(|it| it.number == number)
    }

    /// The game, or the answer to send instead: `{"refusals": [{message, text, from, to}]}`.
    pub fn game(&mut self) -> Result<Playable, Value> {
        if self.game.is_none() {
            self.game = Some(self.load());
        }
        let game = self.game.clone().unwrap_or_else(|| Err(json!({ "refusals": [] })))?;
        match game.game.rules.fault() {
            None => Ok(game),
            Some(error) => Err(self.refused(&[error])),
        }
    }

    fn load(&self) -> Result<Playable, Value> {
        let plain = |message: &str| json!({ "refusals": [{ "message": message }] });
        let mut files: Vec<load::File> =
            self.read.iter().map(|it| (PathBuf::from(&self.named[it.number].name), it.source.clone())).collect();
        let Some((_, first)) = files.first() else { return Err(plain("the text is missing")) };
        if first.language == Language::Pogddl && files.len() == 1 {
            if first.domain().is_none() || first.problem().is_none() {
                return Err(plain("a domain needs a problem, and a problem its domain"));
            }
            files.push(files[0].clone());
        }
        match load::game(&files, None, &Grounding::default()) {
            Ok(game) => {
                let layout = Layout::new(&game, &files.iter().map(|(_, source)| source).collect::<Vec<_>>());
                Ok(Playable { game: Arc::new(game), layout: Arc::new(layout), factored: Arc::default() })
            }
            Err(LoadError::Broken { errors, .. }) => Err(self.refused(&errors)),
            Err(error) => Err(plain(&error.to_string())),
        }
    }

    fn refused(&self, errors: &[percept_game::GameError]) -> Value {
        let refusal = |error: &percept_game::GameError| {
            let Some(file) = self.read.get(usize::from(error.in_problem)).or(self.read.first()) else {
                return json!({ "message": error.message });
            };
            let span = file.places.span(error.range);
            json!({ "message": error.message, "text": file.number, "from": span.from, "to": span.to })
        };
        json!({ "refusals": errors.iter().map(refusal).collect::<Vec<_>>() })
    }
}
