//! `percept solve`: computes the value of a game to its roles, and strategies.

mod evaluate;
mod html;
pub(crate) mod report;
mod so_far;

use std::path::Path;
use std::sync::Arc;

use percept_infoset::{Budget, View};
use percept_report::files;
use percept_report::tree::{self, TreeError};
use percept_solve::cfr::Variant;
use percept_solve::{BuildError, Checkpoint, Method, Options, Point, Sampling, Solution, Space};

use crate::args::{Format, Solve, SolveArgs, SolveMethod};
use crate::failure::{Failure, OK, Outcome};
use crate::limits;
use crate::load::{Loaded, Loader};
use crate::output;
use crate::save;
use crate::work::Work;

pub(crate) use report::{Units, number};
use so_far::SoFar;

pub(crate) fn run(args: &Solve) -> Outcome {
    let work = Work::begin(args.work.time);
    let loaded = Loader::new(&args.game, &work).load()?;
    let units = Units { zero: args.solve.zero, unit: args.solve.unit };
    if let Some(strategies) = &args.evaluate {
        return evaluate::run(&loaded, strategies, &units, args.format, work);
    }
    let options = options(&args.solve, args.work.seed);
    if args.bounds && !matches!(options.method, Method::Sampling(_)) {
        let why = "--bounds belongs to --method mccfr: the other methods bound the values without it";
        return Err(Failure::new(why));
    }
    work.say("building the game tree");
    let (print, is_for_people) = (work.notes(), args.format == Format::Human);
    let so_far = SoFar::new(&loaded.game, units, move |line| {
        if is_for_people {
            print(line)
        }
    });
    if is_for_people {
        so_far.begin(args.work.seed, &work.budget());
    }
    let bounds = so_far.clone();
    limits::note_at_end(move || bounds.note());
    let (watch, bounds) = (work.watch(), so_far.clone());
    let options = Options {
        bounds: args.bounds,
        blocks: true,
        checkpoint: args.checkpoint.as_deref().map(checkpoint).transpose()?,
        watch: Some(Arc::new(move |point: &Point| {
            watch(progress(point, &units));
            bounds.point(point);
        })),
        ..options
    };
    let solution = percept_solve::solve(&loaded.game, &options, &work.budget());
    so_far.end();
    drop(work);
    let solution = solution.map_err(|error| unsolved(error, &so_far))?;
    loaded.sound()?;
    if let Some(path) = &args.strategy {
        let (strategy, about) = (solution.strategy(&loaded.game), about(&loaded, &solution, &units));
        save::stream(path, &|out| strategy.write(&about, out)).map_err(|error| Failure::io("write", path, &error))?;
    }
    if let Some(path) = &args.tree {
        write(path, &picture(&loaded, &solution, args.depth)?)?;
    }
    if let Some(path) = &args.html {
        write(path, &html::page(&loaded, &solution, &units))?;
    }
    match args.format {
        Format::Json => output::json("solve", &report::answer(&loaded.game, &solution, &units)),
        Format::Human => {
            let no_bounds = args.bounds && solution.exploitability.is_none();
            let note = if no_bounds { "no bounds: the best responses were not complete\n" } else { "" };
            output::print(&format!("{}{note}", report::human(&loaded.game, &solution, &units)));
        }
    }
    Ok(OK)
}

/// The most bytes that the tree of a game may take without `--memory`. With it, the tree may take half of the memory:
/// the other half is for the work on the tree.
const MEMORY: usize = 2 << 30;

/// The solver's options, from those of the command line.
pub(crate) fn options(args: &SolveArgs, seed: u64) -> Options {
    let method = match args.method {
        SolveMethod::Auto => Method::Auto,
        SolveMethod::Lp => Method::Lp,
        SolveMethod::CfrPlus => Method::Cfr(Variant::Plus),
        SolveMethod::Dcfr => Method::Cfr(Variant::Discounted),
        SolveMethod::PcfrPlus => Method::Cfr(Variant::Predictive),
        SolveMethod::Mccfr => Method::Sampling(Sampling::Auto),
        SolveMethod::MccfrExternal => Method::Sampling(Sampling::External),
        SolveMethod::MccfrOutcome => Method::Sampling(Sampling::Outcome),
    };
    Options {
        method,
        target: args.target * args.unit,
        iterations: args.iterations,
        space: space(),
        seed,
        watch: None,
        bounds: false,
        blocks: false,
        checkpoint: None,
    }
}

/// The most bytes that a tree, or the states of a game, may take.
fn space() -> Space {
    Space { bytes: limits::memory().map_or(MEMORY, |it| it / 2) }
}

fn progress(point: &Point, units: &Units) -> String {
    let Point { iterations, bracket, .. } = point;
    let exploitability = units.apart(bracket.exploitability());
    format!("iteration {iterations}: between {:.6} and {:.6}, {exploitability:.2e}", bracket.low, bracket.high)
}

/// The most bytes of a checkpoint that is read, without `--memory`.
const CHECKPOINT: usize = 4 << 30;

/// The place where the state of regret minimization is kept, with what is there.
fn checkpoint(path: &Path) -> Result<Checkpoint, Failure> {
    let kept = match path.try_exists() {
        Ok(false) => None,
        _ => Some(Arc::new(files::read(path, limits::memory().unwrap_or(CHECKPOINT))?)),
    };
    let path = path.to_path_buf();
    let keep = move |bytes: Vec<u8>| {
        if let Err(error) = save::write(&path, &bytes) {
            output::say(&format!("the state was not kept in {}: {error}", path.display()));
        }
    };
    Ok(Checkpoint { kept, keep: Arc::new(keep) })
}

/// Like [`failure`], with the bounds that are known.
fn unsolved(error: BuildError, so_far: &SoFar) -> Failure {
    let is_open = matches!(error, BuildError::TooLarge { .. } | BuildError::Stopped(_));
    let bounds = if is_open { so_far.best() } else { None };
    let failure = failure(error);
    match bounds {
        Some(bounds) => failure.note(bounds),
        None => failure,
    }
}

/// The reason why a game was not solved, with a way out.
pub(crate) fn failure(error: BuildError) -> Failure {
    const SAMPLE: &str = "--method mccfr plays samples instead; with --bounds, best responses bound the values";
    let message = error.to_string();
    match error {
        BuildError::TooLarge { .. } | BuildError::TooLargeWithout { .. } => {
            Failure::open(message).note(MORE_MEMORY).note(SAMPLE)
        }
        BuildError::Stopped(_) => Failure::open(message).note(more()).note(SAMPLE),
        BuildError::UnknownMoves { .. } => Failure::new(message)
            .note("a player that does not know its moves has no strategy; `percept observe` shows two matches"),
        BuildError::Forgets { .. } => Failure::new(message).note(
            "add an `observe` of its own moves; `percept prove --property own` shows two matches that look alike to it",
        ),
        _ => Failure::new(message),
    }
}

const MORE_MEMORY: &str = "--memory gives more, as in --memory 16G";

/// The option that lets stopped work go on: it was stopped by its memory, or by its time.
fn more() -> &'static str {
    if limits::is_out_of_memory() { MORE_MEMORY } else { "--time gives more, as in --time 600" }
}

/// Writes a file of the answer.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    save::file(path, text)
}

/// The tree with the strategies.
fn picture(loaded: &Loaded, solution: &Solution, depth: Option<usize>) -> Result<String, Failure> {
    let strategy = solution.strategy(&loaded.game);
    let behaviour = |view: &View| {
        let moves = strategy.at(&loaded.game, view);
        moves.map(|moves| moves.to_vec()).unwrap_or_default()
    };
    let path = loaded.files.first().map(|(path, _)| path.file_stem().unwrap_or_default().to_string_lossy());
    let title = path.unwrap_or_default();
    let drawn = tree::draw(&loaded.game, &loaded.speech, &title, depth, &behaviour, &Budget::default());
    drawn.map(|picture| picture.svg).map_err(|error| match error {
        TreeError::TooLarge => Failure::open(error.to_string()).note("--depth says how many, as in --depth 3"),
        _ => Failure::new(error.to_string()),
    })
}

/// The heading of a strategy.
fn about(loaded: &Loaded, solution: &Solution, units: &Units) -> Vec<String> {
    let files: Vec<String> = loaded.files.iter().map(|(path, _)| path.display().to_string()).collect();
    let mut lines = vec![format!("game: {}", files.join(", "))];
    lines.extend(report::human(&loaded.game, solution, units).lines().map(String::from));
    lines
}
