//! `percept test`: compares games with the expectations of their authors, in `expected.toml` beside a game (`format`).
//! Each expectation is about the answer of a command (`ask`). The functions behind that command compute the answer in
//! this process, within the time of the expectation (`run`), and the values are compared (`compare`).

mod ask;
mod begin;
mod compare;
mod fill;
mod format;
mod human;
mod junit;
mod place;
pub(crate) mod report;
mod run;
mod update;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::args::{GameArgs, Test, TestFormat};
use crate::failure::{FOUND, Failure, OK, Outcome, Place};
use crate::load::Loader;
use crate::output;
use crate::watch;
use crate::work::Work;
use format::Expected;
use percept_report::files;
use run::Ran;

/// The name of a file with expectations.
const NAME: &str = "expected.toml";
/// The greatest size of a file of expectations, in bytes.
const LONGEST: usize = 10_000_000;
/// The default time of each expectation.
const TIME: Duration = Duration::from_secs(60);

/// A file with expectations.
pub(crate) struct Suite {
    pub path: PathBuf,
    /// The folder named on the command line: expectations are about files below it.
    pub root: PathBuf,
    /// The text in the file.
    pub written: String,
    /// The text with questions in place of what it leaves out; [`Suite::written`] if nothing is asked.
    pub text: String,
    pub expected: Expected,
    /// The expectations that were asked for.
    pub filled: fill::Filled,
}

/// A suite and its results.
pub(crate) struct Tested {
    pub suite: Arc<Suite>,
    pub ran: Vec<Ran>,
}

pub(crate) fn run(args: &Test) -> Outcome {
    if args.schema {
        output::raw(format::SCHEMA.as_bytes());
        return Ok(OK);
    }
    if let Some(game) = &args.begin {
        return begin::run(args, game);
    }
    if args.watch {
        return watch::run(&args.paths, || match once(args) {
            Ok(tested) => {
                output::println(&format!("{}; waiting for changes (Ctrl-C ends)", human::summary(&tested)));
            }
            Err(failure) => failure.print(),
        });
    }
    let tested = once(args)?;
    match args.format {
        TestFormat::Human => output::println(&human::summary(&tested)),
        TestFormat::Json => output::json("test", &report::report(&tested)),
        TestFormat::Junit => output::raw(junit::text(&tested)?.as_bytes()),
    }
    if args.update {
        return update::run(&tested);
    }
    Ok(if tested.iter().flat_map(|one| &one.ran).all(Ran::passed) { OK } else { FOUND })
}

/// Runs every suite; the human output reports each expectation as soon as its suite has ended.
fn once(args: &Test) -> Result<Vec<Tested>, Failure> {
    let mut suites = Vec::new();
    for (path, root) in paths(&args.paths)? {
        let suite = read(path, root)?;
        suites.push(if args.update { filled(suite)? } else { suite });
    }
    if suites.is_empty() {
        let failure = Failure::new(format!("there is no {NAME} here"));
        return Err(
            failure.note("`percept test --begin GAME` begins one for a game; `percept new` makes a game that has one")
        );
    }
    let time = args.time.unwrap_or(TIME);
    let work = Work::begin(None);
    let mut all = Vec::new();
    for suite in suites {
        let one = tested(suite, args.only.as_deref(), time, &work)?;
        if args.format == TestFormat::Human {
            work.suspend(|| human::print(&one));
        }
        all.push(one);
    }
    Ok(all)
}

/// Answers the expectations of a suite whose names contain `only`.
fn tested(suite: Suite, only: Option<&str>, time: Duration, work: &Work) -> Result<Tested, Failure> {
    let mut cases = ask::cases(&suite.expected, time.as_secs_f64());
    cases.retain(|case| only.is_none_or(|only| case.name.contains(only)));
    let suite = Arc::new(suite);
    let progress = Progress::new(suite.path.display().to_string(), cases.len());
    let ran = run::run(&suite, &cases, time, &|case| work.say(progress.began(case)), &|ran| {
        work.say(progress.ended(&ran.case));
    })?;
    Ok(Tested { suite, ran })
}

/// The expectations that are being answered, for the progress line.
struct Progress {
    file: String,
    total: usize,
    /// The number that were answered, and the names of those being worked on.
    state: Mutex<(usize, Vec<String>)>,
}

impl Progress {
    fn new(file: String, total: usize) -> Progress {
        Progress { file, total, state: Mutex::default() }
    }

    fn began(&self, case: &ask::Case) -> String {
        self.after(|_, now| now.push(case.name.clone()))
    }

    fn ended(&self, case: &ask::Case) -> String {
        self.after(|done, now| {
            *done += 1;
            if let Some(at) = now.iter().position(|name| *name == case.name) {
                now.remove(at);
            }
        })
    }

    /// The line after a change: `expected.toml: 2 of 5 done; now play, prove white goal`.
    fn after(&self, change: impl FnOnce(&mut usize, &mut Vec<String>)) -> String {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (done, now) = &mut *state;
        change(done, now);
        format!("{}: {done} of {} done; now {}", self.file, self.total, now.join(", "))
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|it| *it != Path::new("")).unwrap_or(Path::new("."))
}

/// The files with expectations at some paths: the paths themselves, or all files below a folder; each with the named
/// folder.
fn paths(given: &[PathBuf]) -> Result<Vec<(PathBuf, PathBuf)>, Failure> {
    let mut found = Vec::new();
    for path in given {
        if path.is_dir() {
            let named = files::named(path, NAME)?.into_iter();
            let named = named.map(|it| it.strip_prefix("./").map_or(it.clone(), Path::to_path_buf));
            found.extend(named.map(|it| (it, path.clone())));
        } else if files::is_description(path) && path.is_file() {
            return Err(is_a_game(path));
        } else {
            found.push((path.clone(), folder_of(path).to_path_buf()));
        }
    }
    found.sort();
    found.dedup_by(|one, other| one.0 == other.0);
    Ok(found)
}

fn read(path: PathBuf, root: PathBuf) -> Result<Suite, Failure> {
    if files::leads_out(&root, &path) {
        let message = format!("{} leads out of the folder {}: it is not read", path.display(), root.display());
        return Err(Failure::new(message));
    }
    let text = percept_syntax::read_text(&path, LONGEST).map_err(|error| Failure::io("read", &path, &error))?;
    parsed(path, root, text)
}

fn parsed(path: PathBuf, root: PathBuf, text: String) -> Result<Suite, Failure> {
    match toml::from_str::<Expected>(&text) {
        Ok(expected) => Ok(Suite { path, root, written: text.clone(), text, expected, filled: fill::Filled::new() }),
        Err(error) => {
            let range = error.span().unwrap_or(0..0);
            let range = percept_syntax::TextRange::new(range.start as u32, range.end as u32);
            let place = Place {
                file: path.display().to_string(),
                text: text.into(),
                range,
                message: error.message().to_string(),
                notes: vec!["docs/testing.md describes the format".to_string()],
            };
            Err(Failure::Located(vec![place]))
        }
    }
}

/// The suite with questions in place of what it leaves out.
fn filled(suite: Suite) -> Result<Suite, Failure> {
    let load = || {
        let game = folder_of(&suite.path).join(&suite.expected.game);
        if files::leads_out(&suite.root, &game) {
            return Err(Failure::new(format!("`{}` is outside of the folder: it is not read", suite.expected.game)));
        }
        Loader::new(&GameArgs { game, domain: None, pogddl_terminal: None }, &Work::quiet()).load()
    };
    match fill::questions(&suite.text, &suite.expected, &load)? {
        None => Ok(suite),
        Some((text, filled)) => {
            let complete = parsed(suite.path, suite.root, text)?;
            Ok(Suite { written: suite.written, filled, ..complete })
        }
    }
}

/// The answer to a game in the place of expectations.
fn is_a_game(path: &Path) -> Failure {
    let failure = Failure::new(format!(
        "{} is a game: name its folder, or a file with expectations such as {NAME}",
        path.display()
    ));
    match folder_of(path).join(NAME) {
        expected if expected.is_file() => {
            failure.note(format!("`percept test {}` runs those beside it", place_of(&expected)))
        }
        _ => failure.note(format!("begin one with `percept test --begin {}`", path.display())),
    }
}

/// The folder of a suite, as an argument.
fn place_of(expected: &Path) -> String {
    folder_of(expected).display().to_string()
}
