//! From a document to the game that it describes, and to the current match.

use std::any::Any;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use percept_game::gdl::Grounding;
use percept_game::trace::{self, Trace, TraceError};
use percept_game::{Game, GameError, JointMove, PogddlOptions, PogddlTerminal};
use percept_infoset::Factored;
use percept_report::blame::{Blamer, Rule};
use percept_report::board::Layout;
use percept_report::domain;
use percept_report::load;
use percept_report::place::InEditor;
use percept_syntax::pddl::{Domain, Problem};
use percept_syntax::{Source, Syntax, TextRange};
use tower_lsp::lsp_types::Url;

use crate::positions::Encoding;
use crate::settings::Terminal;
use crate::snapshot::{File, Kind, Snapshot};
use crate::units;

/// A game with its files.
#[derive(Clone)]
pub(crate) struct Loaded {
    pub game: Arc<Game>,
    /// The description, or the domain and the problem.
    pub files: Vec<Arc<File>>,
    /// The layout of its boards, computed on first use.
    pub layout: Arc<OnceLock<Layout>>,
    /// The public percepts, computed on first use; `None` inside if the round is too large to decide it.
    pub factored: Arc<OnceLock<Option<Factored>>>,
    /// Answers that took long, so that a page is painted again at once.
    pub memo: Arc<Memo>,
}

/// The most remembered answers about a game.
const REMEMBERED: usize = 32;

/// An answer of any type, or the reason why there is none.
type Remembered = Result<Arc<dyn Any + Send + Sync>, String>;

/// Answers by their questions, the newest first.
#[derive(Default)]
pub(crate) struct Memo(Mutex<Vec<(String, Remembered)>>);

impl Memo {
    /// The answer to a question, or the reason why there is none; `None` if the question is new.
    pub(crate) fn get<T: Any + Send + Sync>(&self, question: &str) -> Option<Result<Arc<T>, String>> {
        let answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = answers.iter().find(|(it, _)| it == question)?.1.clone();
        answer.map(|it| it.downcast().ok()).transpose()
    }

    /// Remembers an answer.
    pub(crate) fn keep<T: Any + Send + Sync>(&self, question: String, answer: Result<Arc<T>, String>) {
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        answers.insert(0, (question, answer.map(|it| it as _)));
        answers.truncate(REMEMBERED);
    }

    /// Forgets failures, so that they are tried again.
    pub(crate) fn retry(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|(_, answer)| answer.is_ok());
    }
}

/// The descriptions among some files, in their order.
pub(crate) fn sources(files: &[Arc<File>]) -> Vec<&Source> {
    files.iter().filter_map(|file| file.source().map(|source| &**source)).collect()
}

impl Loaded {
    /// The layout of the game's boards.
    pub(crate) fn layout(&self) -> &Layout {
        self.layout.get_or_init(|| Layout::new(&self.game, &sources(&self.files)))
    }

    /// The public percepts of the game. `None` if its round is too large to decide it.
    pub(crate) fn factored(&self) -> Option<&Factored> {
        self.factored.get_or_init(|| Factored::of(&self.game).ok()).as_ref()
    }

    /// Searches for the rules behind a role's missing knowledge.
    pub(crate) fn blamer(&self) -> Blamer<'_> {
        let source = self.files[0].source().expect("a game is made of descriptions");
        Blamer::new(&self.game, source)
    }

    /// Returns a function that gives the place of a rule.
    pub(crate) fn locate(&self, encoding: Encoding) -> impl Fn(&Rule) -> InEditor {
        move |rule| self.files[rule.file].place(rule.range, encoding)
    }
}

/// The reasons why a document is not a game, with their places if they have one.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub message: String,
    pub place: Option<(Arc<File>, TextRange)>,
}

impl Refusal {
    fn new(message: impl Into<String>) -> Vec<Refusal> {
        vec![Refusal { message: message.into(), place: None }]
    }
}

/// An open document, or a file on disk.
pub(crate) fn file(snapshot: &Snapshot, uri: &Url) -> Option<Arc<File>> {
    if let Some(file) = snapshot.file(uri) {
        return Some(file.clone());
    }
    snapshot.session.disk.file(&uri.to_file_path().ok()?)
}

/// The files of the game that a document is, or is a match of.
///
/// # Errors
/// The reason why there is none.
pub(crate) fn files_at(snapshot: &Snapshot, uri: &Url) -> Result<Vec<Arc<File>>, Vec<Refusal>> {
    let Some(file) = file(snapshot, uri) else { return Err(Refusal::new(format!("{uri} cannot be read"))) };
    files(snapshot, &file)
}

/// The game of a document, grounded as far as allowed, and not cached.
///
/// # Errors
/// If the document is not a game.
pub(crate) fn load_within(
    snapshot: &Snapshot,
    file: &Arc<File>,
    grounding: &Grounding,
) -> Result<Loaded, Vec<Refusal>> {
    let files = files(snapshot, file)?;
    let game = build(&files, terminal(snapshot, &files[0]), grounding)?;
    Ok(Loaded { game: Arc::new(game), files, layout: Arc::default(), factored: Arc::default(), memo: Arc::default() })
}

/// The files of the game a document is, or is a match of.
///
/// # Errors
/// The reason why there is none.
pub(crate) fn files(snapshot: &Snapshot, file: &Arc<File>) -> Result<Vec<Arc<File>>, Vec<Refusal>> {
    match file.kind() {
        Kind::Trace => files_of(snapshot, &game_of_trace(snapshot, file)?),
        Kind::Game(_) => files_of(snapshot, file),
    }
}

/// The files a game is made of.
fn files_of(snapshot: &Snapshot, file: &Arc<File>) -> Result<Vec<Arc<File>>, Vec<Refusal>> {
    units::of(snapshot, file).game(file).map_err(|why| Refusal::new(why.to_string()))
}

/// The end of a match: the domain's own definition takes precedence over the setting.
pub(crate) fn terminal(snapshot: &Snapshot, file: &File) -> PogddlTerminal {
    let declared = file.source().and_then(|source| PogddlOptions::declared(&source.text, &source.comments));
    declared.unwrap_or(match snapshot.settings.pogddl.terminal {
        Terminal::NoMoves => PogddlTerminal::NoMoves,
        Terminal::Payoff => PogddlTerminal::Payoff,
    })
}

/// The game that the files make.
///
/// # Errors
/// The errors in the files.
pub(crate) fn build(
    files: &[Arc<File>],
    terminal: PogddlTerminal,
    grounding: &Grounding,
) -> Result<Game, Vec<Refusal>> {
    let refused = |errors: Vec<GameError>| {
        let refusal = |error: GameError| {
            let file = files[usize::from(error.in_problem).min(files.len() - 1)].clone();
            Refusal { message: error.message, place: Some((file, error.range)) }
        };
        errors.into_iter().map(refusal).collect::<Vec<_>>()
    };
    for file in files {
        if let Some(error) = file.source().and_then(|source| source.errors.first()) {
            return Err(vec![Refusal {
                message: format!("syntax: {}", error.message),
                place: Some((file.clone(), error.range)),
            }]);
        }
    }
    match &sources(files)[..] {
        [] | [Source { syntax: Syntax::Pddl(_), .. }] => {
            Err(Refusal::new("a domain needs a problem, and a problem its domain"))
        }
        sources => load::of_sources(sources, Some(terminal), grounding).map_err(refused),
    }
}

/// The domain and the problem that a POGDDL game's files hold.
pub(crate) fn halves(files: &[Arc<File>]) -> Option<(&Domain, &Problem)> {
    let source = |at: usize| files.get(at)?.source();
    Some((source(0)?.domain()?, source(1)?.problem()?))
}

/// The game a trace is a match of: named by `; game: path` in one of its first lines, or the only game in its folder
/// or the nearest one above.
fn game_of_trace(snapshot: &Snapshot, trace: &Arc<File>) -> Result<Arc<File>, Vec<Refusal>> {
    let Ok(path) = trace.uri.to_file_path() else {
        return Err(Refusal::new("save the trace beside its game, so that the game can be found"));
    };
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    let head = trace.head();
    if let Some(range) = named_game(&head) {
        return named(snapshot, trace, &folder, &head[range.as_usize()], range);
    }
    for folder in folder.ancestors().take(3) {
        let games = games_in(snapshot, folder);
        if let Some(game) = only(&games) {
            return Ok(game.clone());
        }
        if !games.is_empty() {
            let names: Vec<&str> = games.iter().filter_map(|it| it.uri.path().rsplit('/').next()).collect();
            let names = names.join(", ");
            return Err(Refusal::new(format!(
                "which game? write `; game: NAME` in the first line, NAME one of {names}"
            )));
        }
    }
    Err(Refusal::new("no game was found beside this trace; write `; game: PATH` in its first line"))
}

/// The game that a trace in a folder names. It is read only if [`Inside`] allows it: a trace may come from a stranger,
/// and its path may lead to a private file or to another machine.
fn named(
    snapshot: &Snapshot,
    trace: &Arc<File>,
    folder: &Path,
    name: &str,
    range: TextRange,
) -> Result<Arc<File>, Vec<Refusal>> {
    let inside = Inside::of(folder, &snapshot.session.roots);
    // The path is first checked as text, because even asking if a file exists may reach another machine.
    let wanted = straight(&folder.join(name));
    let is_inside = inside.has(&wanted);
    let real = if is_inside { std::fs::canonicalize(&wanted).ok() } else { None };
    if !is_inside || real.as_ref().is_some_and(|real| !inside.real().has(real)) {
        let message = format!("the game `{name}` is outside of the workspace, and is not read");
        return Err(vec![Refusal { message, place: Some((trace.clone(), range)) }]);
    }
    let uri = Url::from_file_path(real.unwrap_or(wanted)).ok();
    let found = uri.and_then(|uri| file(snapshot, &uri)).filter(|it| matches!(it.kind(), Kind::Game(_)));
    found.ok_or_else(|| Refusal::new(format!("the game `{name}` named in this trace was not found")))
}

/// The allowed places for the game of a trace: below the trace's folder and in the workspace. If the workspace is
/// unknown, also directly in the parent folder, because traces often are in a folder beside their game.
struct Inside {
    folders: Vec<PathBuf>,
    above: Option<PathBuf>,
}

impl Inside {
    fn of(folder: &Path, roots: &[PathBuf]) -> Inside {
        let workspace = domain::workspace(folder, roots);
        let above = folder.parent().filter(|_| workspace.is_none()).map(Path::to_path_buf);
        let own = std::iter::once(folder.to_path_buf());
        Inside { folders: own.chain(workspace).chain(roots.iter().cloned()).collect(), above }
    }

    /// The same places with all links resolved.
    fn real(&self) -> Inside {
        let real = |folder: &PathBuf| std::fs::canonicalize(folder).ok();
        Inside { folders: self.folders.iter().filter_map(real).collect(), above: self.above.as_ref().and_then(real) }
    }

    fn has(&self, path: &Path) -> bool {
        self.folders.iter().any(|folder| path.starts_with(folder))
            || self.above.as_deref().is_some_and(|above| path.parent() == Some(above))
    }
}

/// The path without `.` and `..`.
fn straight(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(out.pop()),
            part => out.push(part),
        }
    }
    out
}

/// The range of the path in `; game: path`, which is searched in the first lines.
pub(crate) fn named_game(text: &str) -> Option<TextRange> {
    let mut start = 0;
    for line in text.split_inclusive('\n').take(10) {
        let named =
            line.trim().strip_prefix(';').and_then(|rest| rest.trim_start_matches(';').trim().strip_prefix("game:"));
        if let Some(path) = named.map(str::trim).filter(|path| !path.is_empty()) {
            let at = start + line.find(path)?;
            return Some(TextRange::new(at as u32, (at + path.len()) as u32));
        }
        start += line.len();
    }
    None
}

fn games_in(snapshot: &Snapshot, folder: &Path) -> Vec<Arc<File>> {
    let paths: Vec<PathBuf> = snapshot.session.disk.folder(folder);
    let files = paths.into_iter().filter_map(|path| file(snapshot, &Url::from_file_path(path).ok()?));
    files.filter(|it| matches!(it.kind(), Kind::Game(_))).collect()
}

/// The only game among files. The same game in both notations counts as one, and so does a domain with one problem.
fn only(games: &[Arc<File>]) -> Option<&Arc<File>> {
    let stem =
        |file: &File| file.uri.path().rsplit('/').next().and_then(|name| name.split('.').next()).map(str::to_string);
    let first = games.first()?;
    let prefix = games.iter().find(|it| it.uri.path().ends_with(".kif")).unwrap_or(first);
    if games.iter().all(|game| stem(game) == stem(first)) {
        return Some(prefix);
    }
    let is_problem = |file: &&Arc<File>| file.head().to_ascii_lowercase().contains("(problem");
    let mut problems = games.iter().filter(is_problem);
    match (problems.next(), problems.next()) {
        (Some(problem), None) if games.len() == 2 => Some(problem),
        _ => None,
    }
}

/// The traces in a text. A view that does not name its role gives one trace for every role that can have had it.
///
/// # Errors
/// The error in the trace, with its place.
pub(crate) fn read_any(game: &Game, text: &str) -> Result<Vec<Trace>, TraceError> {
    trace::read(game, text.as_bytes()).map(|trace| vec![trace]).or_else(|error| {
        let players = game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance);
        let views: Vec<Trace> =
            players.filter_map(|role| trace::read_for(game, text.as_bytes(), Some(role)).ok()).collect();
        if views.is_empty() { Err(error) } else { Ok(views) }
    })
}

/// The joint moves in a trace.
///
/// # Errors
/// The error in the trace, with its place.
pub(crate) fn read_trace(game: &Game, file: &Arc<File>) -> Result<Vec<JointMove>, Refusal> {
    match trace::read(game, file.text().as_bytes()) {
        Ok(Trace::Match(rounds)) => Ok(rounds),
        Ok(Trace::View(_)) => Err(Refusal { message: "this is one role's view, not a match".into(), place: None }),
        Err(error) => Err(Refusal { message: error.message, place: Some((file.clone(), error.range)) }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_names_its_game_in_a_comment() {
        let named = |text: &'static str| named_game(text).map(|range| &text[range.as_usize()]);
        assert_eq!(named("; game: ../poker.kif\n(a b)"), Some("../poker.kif"));
        assert_eq!(named(";; of interest\r\n;;game: x.pog\r\n"), Some("x.pog"));
        assert_eq!(named("(game: x)"), None);
    }

    #[test]
    fn the_game_of_a_trace_is_inside() {
        let at = |name: &str| straight(&Path::new("/w/a/traces").join(name));
        let inside = Inside { folders: vec!["/w/a/traces".into(), "/w/a".into()], above: None };
        for name in ["x.kif", "../x.kif", "b/../../b/x.kif", "/w/a/x.kif"] {
            assert!(inside.has(&at(name)), "{name}");
        }
        for name in ["../../x.kif", "/etc/x.kif", "../../a2/x.kif", "/w/a/../x.kif"] {
            assert!(!inside.has(&at(name)), "{name}");
        }
        let inside = Inside::of(Path::new("/nowhere/traces"), &[]);
        assert!(inside.has(Path::new("/nowhere/x.kif")));
        assert!(!inside.has(Path::new("/nowhere/other/x.kif")));
    }
}
