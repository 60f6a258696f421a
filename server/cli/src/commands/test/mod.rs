//! `percept test`: compares games with the expectations of their authors, in `expected.toml` beside a game (`format`).
//! Each expectation is about the answer of a command (`ask`). The functions behind that command compute the answer in
//! this process, within the time of the expectation (`run`), and the values are compared (`compare`).

mod ask;
mod compare;
mod format;
mod human;
mod junit;
mod place;
mod report;
mod run;
mod update;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::args::{Test, TestFormat};
use crate::failure::{FOUND, Failure, OK, Outcome, Place};
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
    pub text: String,
    pub expected: Expected,
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
        suites.push(read(path, root)?);
    }
    if suites.is_empty() {
        return Err(Failure::new(format!("there is no {NAME} here")).note("`percept new` makes a game that has one"));
    }
    let time = args.time.unwrap_or(TIME);
    let work = Work::begin(None);
    let begin = Instant::now();
    let mut tested = Vec::new();
    for suite in suites {
        let mut cases = ask::cases(&suite.expected, time.as_secs_f64());
        cases.retain(|case| args.only.as_ref().is_none_or(|only| case.name.contains(only.as_str())));
        let suite = Arc::new(suite);
        let shown = suite.path.display().to_string();
        work.say(format!("{shown}: {} expectations", cases.len()));
        let ran = run::run(&suite, &cases, time, &|ran: &Ran| {
            work.say(format!("{shown}: {} ({:.1} s)", ran.case.name, begin.elapsed().as_secs_f64()));
        })?;
        let one = Tested { suite, ran };
        if args.format == TestFormat::Human {
            work.suspend(|| human::print(&one));
        }
        tested.push(one);
    }
    Ok(tested)
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
    match toml::from_str::<Expected>(&text) {
        Ok(expected) => Ok(Suite { path, root, text, expected }),
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
