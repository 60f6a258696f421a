//! Games: created from files or texts, with queries about their rules.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use codespan_reporting::diagnostic::{Diagnostic, Label, Severity as Shown};
use codespan_reporting::files::SimpleFiles;
use codespan_reporting::term::{Config, emit_into_string};
use percept_analysis::{Settings, Severity};
use percept_game::gdl::Grounding;
use percept_game::trace::{self, Trace};
use percept_game::{GameError, PogddlTerminal, RoleId, bound};
use percept_report::load::{self as loading, File, LoadError};
use percept_report::{book, workspace};
use percept_solve::Space;
use percept_solve::respond::longest;
use percept_syntax::lines::{Encoding, LineIndex};
use percept_syntax::{Language, Source, Syntax, TextRange};
use pyo3::prelude::*;

use crate::border::{error, guard, plain, rows, work};
use crate::objects::*;

/// The most bytes of states that are walked for the longest match.
const WALKED: usize = 16 << 20;

/// A finding of `percept check` in a game.
#[pyclass(frozen, get_all, module = "percept")]
pub struct Finding {
    /// The file that contains the finding.
    file: String,
    /// The kebab-case name of the rule; empty if the problem has no rule of its own.
    rule: String,
    /// `error`, `warning`, `information` or `hint`.
    severity: &'static str,
    /// The line, from 1; columns count characters.
    line: u32,
    column: u32,
    /// The end of the finding, exclusive.
    end_line: u32,
    end_column: u32,
    message: String,
}

#[pymethods]
impl Finding {
    fn __repr__(&self) -> String {
        let Finding { file, line, column, severity, rule, message, .. } = self;
        format!("<Finding {file}:{line}:{column} {severity} {rule}: {message}>")
    }

    fn __str__(&self) -> String {
        format!("{}:{}:{}: {}: {}", self.file, self.line, self.column, self.severity, self.message)
    }
}

/// Places in the texts of a game.
struct Places<'f> {
    files: &'f [File],
    lines: Vec<LineIndex>,
}

impl<'f> Places<'f> {
    fn new(files: &'f [File]) -> Places<'f> {
        Places { files, lines: files.iter().map(|(_, source)| LineIndex::new(&source.text)).collect() }
    }

    fn finding(&self, file: usize, range: TextRange, rule: &str, severity: Severity, message: &str) -> Finding {
        let file = file.min(self.files.len() - 1);
        let (start, end) = self.lines[file].positions(range, Encoding::Utf32);
        Finding {
            file: self.files[file].0.display().to_string(),
            rule: rule.to_string(),
            severity: severity.name(),
            line: start.line + 1,
            column: start.column + 1,
            end_line: end.line + 1,
            end_column: end.column + 1,
            message: message.to_string(),
        }
    }

    fn diagnostic(&self, it: &percept_analysis::Diagnostic) -> Finding {
        self.finding(it.file.0 as usize, it.range, it.rule.name, it.severity, &it.message)
    }
}

/// The findings in the text alone.
fn text_findings(files: &[File]) -> Vec<percept_analysis::Diagnostic> {
    let sources: Vec<&Source> = files.iter().map(|(_, source)| source).collect();
    workspace::findings(&sources, &book::knowing(Settings::default()))
}

/// The exception for files that are not a game: with the errors of `percept check`, or with the message of the engine
/// if the text has none.
fn no_game(py: Python<'_>, why: LoadError) -> PyErr {
    let (files, errors) = match why {
        LoadError::Broken { files, errors } => (files, errors),
        LoadError::NotAGame { message, note } => {
            return error(py, "GameError", (format!("{message}: {note}"), Vec::<Finding>::new()));
        }
        LoadError::File(_) | LoadError::Domain { .. } => {
            return error(py, "LoadError", (why.to_string(),));
        }
    };
    let places = Places::new(&files);
    let wrong: Vec<percept_analysis::Diagnostic> =
        text_findings(&files).into_iter().filter(|finding| finding.severity == Severity::Error).collect();
    let findings: Vec<Finding> = if wrong.is_empty() {
        let of = |error: &GameError| {
            places.finding(usize::from(error.in_problem), error.range, "", Severity::Error, &error.message)
        };
        errors.iter().map(of).collect()
    } else {
        wrong.iter().map(|finding| places.diagnostic(finding)).collect()
    };
    let shown = if wrong.is_empty() {
        let of = |error: &GameError| {
            Diagnostic::new(Shown::Error).with_message(&error.message).with_labels(vec![Label::primary(
                usize::from(error.in_problem).min(files.len() - 1),
                error.range.as_usize(),
            )])
        };
        errors.iter().map(of).collect()
    } else {
        wrong.iter().map(|finding| diagnostic(finding, files.len())).collect::<Vec<_>>()
    };
    error(py, "GameError", (written(&files, &shown), findings))
}

/// A finding with its places, for [`written`].
fn diagnostic(finding: &percept_analysis::Diagnostic, files: usize) -> Diagnostic<usize> {
    let mut labels = vec![Label::primary((finding.file.0 as usize).min(files - 1), finding.range.as_usize())];
    for related in &finding.related {
        let file = (related.file.0 as usize).min(files - 1);
        labels.push(Label::secondary(file, related.range.as_usize()).with_message(&related.message));
    }
    let notes = finding.fixes.iter().take(3).map(|fix| format!("fix: {}", fix.title)).collect();
    Diagnostic::new(Shown::Error)
        .with_code(finding.rule.name)
        .with_message(&finding.message)
        .with_labels(labels)
        .with_notes(notes)
}

/// Errors as `percept check` prints them.
fn written(files: &[File], errors: &[Diagnostic<usize>]) -> String {
    let mut texts = SimpleFiles::new();
    for (path, source) in files {
        texts.add(path.display().to_string(), &*source.text);
    }
    let shown = errors.iter().map(|it| emit_into_string(&Config::default(), &texts, it).unwrap_or_default());
    percept_report::clean::clean(shown.collect::<String>().trim_end())
}

fn terminal_of(py: Python<'_>, terminal: Option<&str>) -> PyResult<Option<PogddlTerminal>> {
    match terminal {
        None => Ok(None),
        Some("no-moves") => Ok(Some(PogddlTerminal::NoMoves)),
        Some("payoff") => Ok(Some(PogddlTerminal::Payoff)),
        Some(other) => Err(plain(py, format!("`terminal` is `no-moves` or `payoff`, not `{other}`"))),
    }
}

fn make(
    py: Python<'_>,
    terminal: Option<PogddlTerminal>,
    files: impl FnOnce() -> Result<Vec<File>, LoadError> + Send,
) -> PyResult<Game> {
    let made = work(py, None, move |_| {
        Ok(files().and_then(|files| {
            let game = loading::game(&files, terminal, &Grounding::default())?;
            Ok(Inner { game, files, terminal, spaces: OnceLock::new(), layout: OnceLock::new() })
        }))
    })?;
    made.map(|inner| Game { inner: Arc::new(inner) }).map_err(|why| no_game(py, why))
}

/// Loads the game of a file.
#[pyfunction]
#[pyo3(signature = (path, *, domain=None, pogddl_terminal=None, terminal=None))]
pub fn load(
    py: Python<'_>,
    path: PathBuf,
    domain: Option<PathBuf>,
    pogddl_terminal: Option<&str>,
    terminal: Option<&str>,
) -> PyResult<Game> {
    guard(py, || {
        // `terminal` is the older name.
        let terminal = terminal_of(py, pogddl_terminal.or(terminal))?;
        make(py, terminal, move || loading::sources(&path, domain.as_deref()))
    })
}

/// Creates a game from a text.
#[pyfunction]
#[pyo3(signature = (text, *, domain=None, language="gdl", pogddl_terminal=None, terminal=None, name="game"))]
pub fn parse(
    py: Python<'_>,
    text: &str,
    domain: Option<&str>,
    language: &str,
    pogddl_terminal: Option<&str>,
    terminal: Option<&str>,
    name: &str,
) -> PyResult<Game> {
    guard(py, || {
        let mut files = vec![(name.to_string(), text.to_string(), language.to_string())];
        if let Some(domain) = domain {
            files.insert(0, (format!("domain of {name}"), domain.to_string(), language.to_string()));
        }
        rebuild(py, files, pogddl_terminal.or(terminal))
    })
}

/// Rebuilds a game from the result of [`Game::__reduce__`].
#[pyfunction]
pub fn _rebuild(py: Python<'_>, files: Vec<(String, String, String)>, terminal: Option<&str>) -> PyResult<Game> {
    guard(py, || rebuild(py, files, terminal))
}

fn rebuild(py: Python<'_>, files: Vec<(String, String, String)>, terminal: Option<&str>) -> PyResult<Game> {
    let terminal = terminal_of(py, terminal)?;
    let language = |name: &str| {
        let wrong = || plain(py, format!("`language` is `gdl`, `gdl-infix` or `pogddl`, not `{name}`"));
        Language::named(name).ok_or_else(wrong)
    };
    let files: Vec<(String, String, Language)> =
        files.into_iter().map(|(path, text, name)| Ok((path, text, language(&name)?))).collect::<PyResult<_>>()?;
    if let Some((path, text, _)) = files.iter().find(|(_, text, _)| text.len() > percept_syntax::MAX_BYTES) {
        return Err(plain(py, format!("{path} has {} bytes, which is too long", text.len())));
    }
    make(py, terminal, move || {
        let parse =
            |(path, text, language): (String, String, Language)| (PathBuf::from(path), Source::parse(&*text, language));
        let mut files: Vec<File> = files.into_iter().map(parse).collect();
        if let [(_, one)] = &files[..]
            && let Syntax::Pddl(_) = one.syntax
        {
            files.push(files[0].clone());
        }
        Ok(files)
    })
}

impl Game {
    /// The role with this name or number.
    ///
    /// # Errors
    /// Lists the existing roles.
    pub fn role(&self, py: Python<'_>, role: &Role) -> PyResult<RoleId> {
        role_of(py, &self.inner.game, role)
    }
}

#[pymethods]
impl Game {
    /// The names of all roles, chance included, in the order of declaration.
    #[getter]
    fn roles(&self) -> Vec<&str> {
        self.inner.game.roles.iter().map(|role| role.name.as_str()).collect()
    }

    /// The names of the roles that choose.
    #[getter]
    fn players(&self) -> Vec<&str> {
        self.inner.game.roles.iter().filter(|role| !role.is_chance).map(|role| role.name.as_str()).collect()
    }

    /// The names of the roles that move by chance.
    #[getter]
    fn chance(&self) -> Vec<&str> {
        self.inner.game.roles.iter().filter(|role| role.is_chance).map(|role| role.name.as_str()).collect()
    }

    #[getter]
    fn is_sequential(&self) -> bool {
        self.inner.game.is_sequential
    }

    #[getter]
    fn knows_own_moves(&self) -> bool {
        self.inner.game.knows_own_moves
    }

    /// The files: the description, or the domain and the problem.
    #[getter]
    fn files(&self) -> Vec<String> {
        self.inner.files.iter().map(|(path, _)| path.display().to_string()).collect()
    }

    /// The name of the file (of the problem) without its ending.
    #[getter]
    pub fn name(&self) -> String {
        self.inner.name()
    }

    /// `gdl`, `gdl-infix` or `pogddl`.
    #[getter]
    fn language(&self) -> &'static str {
        self.inner.files[0].1.language.name()
    }

    /// The state before the first move.
    fn initial(&self, py: Python<'_>) -> PyResult<State> {
        guard(py, || Ok(State::initial(&self.inner)))
    }

    /// Reads the state after the moves of a trace: text in any form that percept reads, with all roles' moves.
    fn deserialize(&self, py: Python<'_>, text: &str) -> PyResult<State> {
        guard(py, || match trace::read(&self.inner.game, text.as_bytes()) {
            Ok(Trace::Match(rounds)) => {
                State::replay(&self.inner, &rounds).map_err(|why| crate::border::no_match(py, &why))
            }
            Ok(Trace::View(_)) => Err(error(py, "TraceError", ("this is the view of one role, not a match", 0))),
            Err(why) => Err(error(py, "TraceError", (why.message, why.round.unwrap_or(0)))),
        })
    }

    /// Reads a trace from a file.
    fn read(&self, py: Python<'_>, path: PathBuf) -> PyResult<State> {
        let bytes = guard(py, || {
            percept_report::files::read(&path, trace::MAX_BYTES)
                .map_err(|why| error(py, "LoadError", (why.to_string(),)))
        })?;
        self.deserialize(py, &String::from_utf8_lossy(&bytes))
    }

    /// The names of all moves that a role may ever have; the index in this list is the number of the move.
    fn moves(&self, py: Python<'_>, role: Role) -> PyResult<Vec<String>> {
        guard(py, || {
            let role = self.role(py, &role)?;
            let inner = &self.inner;
            let spaces = work(py, None, |_| inner.spaces())?;
            Ok(spaces.numbers.moves[role.0 as usize].iter().map(|&mv| name_of(&inner.game, role, mv)).collect())
        })
    }

    /// The names of all percepts that a role may ever get; the index in this list is the number of the percept.
    fn percepts(&self, py: Python<'_>, role: Role) -> PyResult<Vec<String>> {
        guard(py, || {
            let role = self.role(py, &role)?;
            let spaces = work(py, None, |_| self.inner.spaces())?;
            let rules = &self.inner.game.rules;
            Ok(spaces.numbers.percepts[role.0 as usize].iter().map(|&it| rules.percept_name(role, it)).collect())
        })
    }

    /// The least and the greatest goal of a role; `None` if they are not known in advance.
    fn goal_range(&self, py: Python<'_>, role: Role) -> PyResult<Option<(i64, i64)>> {
        guard(py, || {
            let role = self.role(py, &role)?;
            Ok(work(py, None, |_| self.inner.spaces())?.goals[role.0 as usize])
        })
    }

    /// A number of rounds that no match exceeds, by a proof or, in small games, by a walk over all states; `None` if none
    /// was found within the time.
    #[pyo3(signature = (*, time=5.0))]
    fn max_rounds(&self, py: Python<'_>, time: f64) -> PyResult<Option<u64>> {
        guard(py, || {
            let inner = &self.inner;
            work(py, Some(time), |budget| {
                let description = match &inner.files[0].1.syntax {
                    Syntax::Gdl(description) => Some(description),
                    Syntax::Pddl(_) => None,
                };
                let proved = bound::bound(&inner.game, description, budget).map(|bound| bound.rounds);
                // The limit is one of space, so that the number does not depend on the speed of the machine.
                let longest = || longest(&inner.game, &Space { bytes: WALKED }, budget).map(|rounds| rounds as u64);
                Ok(proved.or_else(longest))
            })
        })
    }

    /// The findings of `percept check`: in the text, and in its matches within `time` seconds.
    #[pyo3(signature = (*, time=1.0))]
    fn findings(&self, py: Python<'_>, time: f64) -> PyResult<Py<PyAny>> {
        guard(py, || {
            let inner = &self.inner;
            let findings: Vec<Finding> = work(py, Some(time), |budget| {
                let text = text_findings(&inner.files);
                let sources: Vec<&Source> = inner.files.iter().map(|(_, source)| source).collect();
                let settings = book::knowing(Settings::default());
                let found = percept_report::with_game(&inner.game, text, &sources, &settings, budget);
                let places = Places::new(&inner.files);
                Ok(found.iter().map(|it| places.diagnostic(it)).collect())
            })?;
            rows(py, "Findings", findings)
        })
    }

    fn __repr__(&self) -> String {
        format!("<Game {} of {}>", self.name(), self.players().join(", "))
    }

    fn __copy__<'py>(slf: Bound<'py, Self>) -> Bound<'py, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    /// Pickles a game as its texts, so that it can be sent to a machine without its files.
    #[expect(clippy::type_complexity, reason = "what pickle wants")]
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Vec<(String, String, &'static str)>, Option<&'static str>))> {
        let file =
            |(path, source): &File| (path.display().to_string(), source.text.to_string(), source.language.name());
        let terminal = self.inner.terminal.map(|terminal| match terminal {
            PogddlTerminal::NoMoves => "no-moves",
            PogddlTerminal::Payoff => "payoff",
        });
        let rebuild = py.import("percept._percept")?.getattr("_rebuild")?;
        Ok((rebuild, (self.inner.files.iter().map(file).collect(), terminal)))
    }
}
