//! A game from its files: a GDL description, or a POGDDL problem with the domain that it needs.

use std::path::{Path, PathBuf};

use percept_game::gdl::Grounding;
use percept_game::{Game, GameError, PogddlOptions, PogddlTerminal};
use percept_syntax::pddl::{Domain, Problem};
use percept_syntax::{Source, Syntax, TextRange};
use rustc_hash::FxHashSet;

use crate::domain::{self, Disk, Missing};
use crate::files::{self, FileError};

/// A text and its path. A POGDDL game has two texts: its domain, then its problem (which may be in the same file).
pub type File = (PathBuf, Source);

/// The most syntax errors, or errors of the rules, that are reported for one game.
const SYNTAX_TOLD: usize = 10;
const TOLD: usize = 20;

/// The reason why a path gives no game.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The text is not in a supported language.
    #[error(transparent)]
    File(#[from] FileError),
    /// The problem's domain was not found, or more than one was.
    #[error("{}", domain_message(.problem, .missing))]
    Domain {
        /// The problem's file, as named by the user.
        problem: PathBuf,
        /// The missing domain, and the folders searched for it.
        missing: Box<Missing>,
    },
    /// A description that is not a game.
    #[error("{message}")]
    NotAGame {
        /// The missing part.
        message: String,
        /// The way out.
        note: &'static str,
    },
    /// The text is broken, or its rules are not a game: one or more errors, each with its place.
    #[error("{}", .errors.first().map_or("", |error| &error.message))]
    Broken {
        /// The files that the errors' places refer to: see [`GameError::in_problem`].
        files: Vec<File>,
        /// The first errors, in the order of the text.
        errors: Vec<GameError>,
    },
}

fn domain_message(problem: &Path, missing: &Missing) -> String {
    match missing {
        Missing::Several { .. } => format!("which domain does {} need? {}", problem.display(), missing.message()),
        Missing::Unreadable { .. } => format!("{} needs a domain: {}", problem.display(), missing.message()),
        Missing::Nowhere { name, .. } => {
            format!("{} needs the domain `{name}`, which was not found", problem.display())
        }
    }
}

/// The files that make the game at `path`. `domain` names the domain's file; else it is looked for by its name.
///
/// # Errors
/// If a file cannot be read or found.
pub fn sources(path: &Path, domain: Option<&Path>) -> Result<Vec<File>, LoadError> {
    let source = files::source(path)?;
    let own = (path.to_path_buf(), source.clone());
    if let Syntax::Gdl(_) = source.syntax {
        return Ok(vec![own]);
    }
    let not_a_game = |message: String, note| Err(LoadError::NotAGame { message, note });
    let wanted = source.problem().map(|problem| problem.domain.clone());
    match (source.domain().is_some(), wanted, domain) {
        (true, Some(_), None) => Ok(vec![own.clone(), own]),
        (true, None, _) => not_a_game(
            format!("{} is a domain; a match needs a problem of it", path.display()),
            "name the problem's file instead; its domain is found by name",
        ),
        (_, _, Some(domain)) => Ok(vec![(domain.to_path_buf(), files::source(domain)?), own]),
        (false, Some(Some(name)), None) => {
            let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
            let found = domain::find(&Disk, &absolute, &name.text, &[])
                .map_err(|missing| LoadError::Domain { problem: path.to_path_buf(), missing: missing.into() })?;
            let its = files::source(&found)?;
            Ok(vec![(found, its), own])
        }
        (false, Some(None), None) => not_a_game(
            format!("{} does not name its domain", path.display()),
            "write `(:domain name)` in the problem, or give --domain FILE",
        ),
        (false, None, None) if !source.errors.is_empty() => Err(broken_text(&own.0.clone(), vec![own])),
        (false, None, None) => not_a_game(
            format!("{} defines neither a domain nor a problem", path.display()),
            "a POGDDL file begins with `(define (problem name) ...` or `(define (domain ...`",
        ),
    }
}

/// The game of some files. `terminal` defines the end of a POGDDL match if the domain does not.
///
/// # Errors
/// If a text has syntax errors, because its meaning is then unknown; or if the rules are not a game.
pub fn game(files: &[File], terminal: Option<PogddlTerminal>, grounding: &Grounding) -> Result<Game, LoadError> {
    if let Some((path, _)) = files.iter().find(|(_, source)| !source.errors.is_empty()) {
        return Err(broken_text(path, files.to_vec()));
    }
    let sources: Vec<&Source> = files.iter().map(|(_, source)| source).collect();
    of_sources(&sources, terminal, grounding).map_err(|errors| broken(files.to_vec(), errors, TOLD))
}

/// The first errors, one for each place: a second one about the same token follows from the first.
fn broken(files: Vec<File>, errors: Vec<GameError>, most: usize) -> LoadError {
    let is_one = files.len() < 2 || files[0].0 == files[1].0;
    let mut places = FxHashSet::default();
    let errors = errors.into_iter().filter(|error| places.insert((error.in_problem && !is_one, error.range)));
    LoadError::Broken { errors: errors.take(most).collect(), files }
}

/// The game of some texts without syntax errors: a description; or a domain and a problem, which may be one text twice.
/// Like [`game`].
///
/// # Errors
/// If the rules are not a game.
pub fn of_sources(
    sources: &[&Source],
    terminal: Option<PogddlTerminal>,
    grounding: &Grounding,
) -> Result<Game, Vec<GameError>> {
    match &sources[0].syntax {
        Syntax::Gdl(description) => Game::from_gdl_with(description, grounding),
        Syntax::Pddl(_) => {
            let (domain, problem, options) = halves(sources, terminal)?;
            Game::from_pogddl_within(domain, problem, &options, &grounding.set_up)
        }
    }
}

/// The syntax errors of one of the files.
fn broken_text(path: &Path, files: Vec<File>) -> LoadError {
    let at = files.iter().position(|(own, source)| own == path && !source.errors.is_empty()).unwrap_or(0);
    let errors = files[at].1.errors.iter();
    let errors = errors.map(|it| GameError { message: it.message.clone(), range: it.range, in_problem: at == 1 });
    let errors = errors.collect();
    broken(files, errors, SYNTAX_TOLD)
}

/// The two halves of a POGDDL game, and the end of its matches.
pub type Halves<'a> = (&'a Domain, &'a Problem, PogddlOptions);

/// The domain and the problem among two POGDDL texts. The domain's own definition of the end takes precedence over
/// `terminal`.
///
/// # Errors
/// If one of them is missing.
pub fn halves<'a>(sources: &[&'a Source], terminal: Option<PogddlTerminal>) -> Result<Halves<'a>, Vec<GameError>> {
    let wrong = |message: &str, in_problem| {
        vec![GameError { message: message.to_string(), range: TextRange::at(0), in_problem }]
    };
    let domain = sources[0].domain().ok_or_else(|| wrong("this file defines no domain", false))?;
    let problem = sources.get(1).and_then(|source| source.problem());
    let problem = problem.ok_or_else(|| wrong("this file defines no problem", true))?;
    let declared = PogddlOptions::declared(&sources[0].text, &sources[0].comments);
    Ok((domain, problem, PogddlOptions { terminal: declared.or(terminal).unwrap_or_default() }))
}
