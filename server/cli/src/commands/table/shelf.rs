//! The games of a lobby, and games from the texts of a table's file.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use percept_game::gdl::Grounding;
use percept_players::{Arena, Briefing};
use percept_report::board::Layout;
use percept_report::files;
use percept_report::load::{self, File};
use percept_syntax::{Source, Syntax};
use percept_table::{Playable, Shelf, Texts};

use crate::args::Terminal;
use crate::limits;
use crate::load::title;
use percept_infoset::Budget;

/// The time to set up a game that a visitor chose.
const SETTING_UP: Duration = Duration::from_secs(60);

/// The games in a folder.
pub(super) struct Folder {
    names: Vec<String>,
    paths: Vec<PathBuf>,
}

impl Folder {
    /// Searches a folder, and those in it, for games without syntax errors.
    pub(super) fn of(folder: &Path) -> Folder {
        let is_game = |path: &PathBuf| {
            load::sources(path, None).is_ok_and(|files| files.iter().all(|(_, source)| source.errors.is_empty()))
        };
        let paths: Vec<PathBuf> = files::searched(folder).into_iter().filter(is_game).collect();
        let file = |path: &PathBuf| path.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
        // The shortest form that no other game has: `game`, `game.kif`, or `folder/game.kif`.
        let is_sole =
            |of: &dyn Fn(&PathBuf) -> String, path: &PathBuf| paths.iter().filter(|it| of(it) == of(path)).count() == 1;
        let name = |path: &PathBuf| match () {
            () if is_sole(&|path| title(path), path) => title(path),
            () if is_sole(&file, path) => file(path),
            () => path.strip_prefix(folder).unwrap_or(path).display().to_string(),
        };
        Folder { names: paths.iter().map(name).collect(), paths }
    }

    fn path(&self, name: &str) -> Result<&Path, String> {
        let at = self.names.iter().position(|it| it == name).ok_or("there is no such game")?;
        Ok(&self.paths[at])
    }
}

impl Shelf for Folder {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn texts(&self, name: &str) -> Result<Texts, String> {
        load::sources(self.path(name)?, None).map(|files| texts(&files)).map_err(|error| error.to_string())
    }

    fn game(&self, name: &str, texts: Texts) -> Result<Playable, String> {
        of_texts(name, &texts, None, &set_up())
    }
}

/// The limits of setting up a game.
pub(crate) fn set_up() -> Budget {
    Budget { cancel: Some(limits::cancel()), ..Budget::default() }.until(Instant::now() + SETTING_UP)
}

/// The names and the contents of files.
pub(super) fn texts(files: &[File]) -> Texts {
    let name = |path: &Path| path.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
    files.iter().map(|(path, source)| (name(path), source.text.to_string())).collect()
}

/// The game of texts from a table's file.
///
/// # Errors
/// The reason why they are not a game.
pub(crate) fn of_texts(
    name: &str,
    texts: &[(String, String)],
    terminal: Option<&str>,
    budget: &Budget,
) -> Result<Playable, String> {
    let file = |(path, text): &(String, String)| {
        let path = PathBuf::from(path);
        let source = files::parse(&path, text.clone().into_bytes()).map_err(|error| error.to_string())?;
        Ok((path, source))
    };
    let files = texts.iter().map(file).collect::<Result<Vec<_>, String>>()?;
    playable(name, &files, terminal.and_then(|it| clap::ValueEnum::from_str(it, false).ok()), budget)
}

/// The game of files, for people.
///
/// # Errors
/// The reason why they are not a game.
pub(super) fn playable(
    name: &str,
    files: &[File],
    terminal: Option<Terminal>,
    budget: &Budget,
) -> Result<Playable, String> {
    let briefing = match &files[0].1.syntax {
        Syntax::Gdl(_) => Briefing::of_gdl_within(&files[0].1, budget.clone()).map_err(|error| error.to_string())?,
        Syntax::Pddl(_) => {
            let grounding = Grounding { budget: budget.clone(), set_up: budget.clone(), ..Grounding::default() };
            let game = load::game(files, terminal.map(Into::into), &grounding).map_err(|error| error.to_string())?;
            Briefing::of_game(Arc::new(game))
        }
    };
    let arena = Arena::new(briefing);
    let sources: Vec<&Source> = files.iter().map(|(_, source)| source).collect();
    let layout = Arc::new(Layout::new(arena.game(), &sources));
    let written = |it: Terminal| clap::ValueEnum::to_possible_value(&it).map(|it| it.get_name().to_string());
    let terminal = terminal.and_then(written);
    Ok(Playable { title: name.into(), texts: texts(files), terminal, arena, layout })
}
