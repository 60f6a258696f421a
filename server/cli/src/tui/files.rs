//! The files of the game and of matches: reading again, saving, loading.

use std::path::{Path, PathBuf};

use percept_game::stepper::Stepper;
use percept_game::trace::{self, Trace};

use super::app::{App, Over, Prompt};
use crate::load;
use crate::save;

impl App {
    /// Reads the files again and replays the match on the new rules.
    pub(crate) fn reload(&mut self) {
        let loaded = match self.loader.load() {
            Ok(loaded) => loaded,
            Err(failure) => {
                self.message = format!("the files changed, but have mistakes: {}", failure.summary());
                return;
            }
        };
        self.files = loaded.files.clone();
        self.layout = loaded.layout();
        self.cursor = None;
        let rounds = self.stepper.len();
        let (stepper, end) = self.stepper.replay_on(loaded.game.clone());
        self.stepper = stepper;
        self.eye = self.eye.filter(|eye| (eye.0 as usize) < self.stepper.game().roles.len());
        self.message = match end {
            Some(end) => format!(
                "the files changed; the match ends before round {} until the rules allow that round again: {}",
                end.round, end.why
            ),
            None => format!("the files changed; {rounds} rounds were replayed"),
        };
        let message = std::mem::take(&mut self.message);
        self.refresh();
        self.message = message;
    }

    /// An unused file name for the match.
    pub(super) fn free_name(&self) -> String {
        let name = |number: usize| match number {
            1 => "match.trace".to_string(),
            number => format!("match-{number}.trace"),
        };
        (1..1000).map(name).find(|name| !Path::new(name).exists()).unwrap_or_else(|| name(1000))
    }

    /// Saves the match to a file of this name. An existing file needs a confirmation; the game's own files are never
    /// overwritten.
    pub(super) fn save(&mut self, name: &str) {
        let same = |path: &PathBuf| match (path.canonicalize(), Path::new(name).canonicalize()) {
            (Ok(one), Ok(other)) => one == other,
            _ => false,
        };
        if self.paths.iter().any(same) {
            self.message = format!("{name} is the game itself: save the match under another name");
        } else if Path::new(name).exists() {
            self.over = Over::Prompt(Prompt::Replace, name.to_string(), true);
        } else {
            self.write(name);
        }
    }

    /// Writes the match to a file, even if the file exists.
    pub(super) fn write(&mut self, name: &str) {
        let game = self.paths.last().map_or(Path::new(""), PathBuf::as_path);
        let text = load::trace_text(self.stepper.game(), &self.stepper.joints(), game, Path::new(name));
        self.message = match save::write(Path::new(name), text.as_bytes()) {
            Ok(()) => format!("saved {} rounds as {name}", self.stepper.len()),
            Err(error) => format!("cannot write {name}: {error}"),
        };
    }

    pub(super) fn load(&mut self, name: &str) {
        let read = load::bytes(Path::new(name), percept_syntax::MAX_BYTES).map_err(|error| error.to_string());
        let game = self.stepper.game().clone();
        let rounds = read.and_then(|bytes| match trace::read(&game, &bytes) {
            Ok(Trace::Match(rounds)) => Ok(rounds),
            Ok(Trace::View(_)) => Err(format!("{name} is the view of one role, not a match")),
            Err(error) => Err(error.to_string()),
        });
        match rounds {
            Err(message) => self.message = message,
            Ok(rounds) => {
                let mut stepper = Stepper::new(game);
                let played = rounds.into_iter().try_for_each(|joint| stepper.play(joint));
                self.message = match played {
                    Ok(()) => format!("loaded {} rounds from {name}", stepper.len()),
                    Err(error) => error.to_string(),
                };
                self.stepper = stepper;
                let message = std::mem::take(&mut self.message);
                self.refresh();
                self.message = message;
            }
        }
    }
}
