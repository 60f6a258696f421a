//! `percept step`: a match step by step, printed or in the interactive stepper.

pub(crate) mod print;

use std::path::Path;
use std::time::Duration;

use percept_game::stepper::Stepper;
use percept_game::{RoleId, trace};

use crate::args::{Format, GameArgs, Step, TraceForm};
use crate::failure::{Failure, OK, Outcome};
use crate::followed::Followed;
use crate::load::{Loaded, Loader};
use crate::output;
use crate::tui::{self, App};
use crate::work::Work;

/// The time for the circuit. A match that is printed once visits few states, so if the circuit takes longer, the rules
/// are interpreted.
const AT_ONCE: Duration = Duration::from_millis(400);

/// The size of a trace, in bytes, above which the circuit pays.
const LONG: u64 = 1 << 15;

fn is_long(trace: &Path) -> bool {
    std::fs::metadata(trace).is_ok_and(|about| about.len() > LONG)
}

pub(crate) fn run(args: &Step) -> Outcome {
    if args.write.is_none() && !args.print && args.format != Format::Json {
        return tui::run(|| begin(args, Loader::new(&args.game, &Work::quiet())));
    }
    let work = Work::begin(None);
    let loaded = loader(&args.game, args.trace.as_deref(), &work).load()?.warned();
    let (stepper, eye) = open(args, &loaded)?;
    if let Some(form) = args.write {
        output::raw(written(&stepper, form, eye)?.as_bytes());
        return Ok(OK);
    }
    let followed = followed(args, &loaded)?;
    let outcome = print::run(&loaded, &stepper, eye, followed.as_ref(), args.format)?;
    loaded.sound().map(|()| outcome)
}

/// The interactive stepper, at the end of the trace.
fn begin(args: &Step, loader: Loader) -> Result<App, Failure> {
    let loaded = loader.load()?;
    let (stepper, eye) = open(args, &loaded)?;
    let followed = followed(args, &loaded)?;
    Ok(App::new(loader, &loaded, stepper, eye, args.seed).following(followed))
}

fn followed(args: &Step, loaded: &Loaded) -> Result<Option<Followed>, Failure> {
    args.strategy.as_deref().map(|path| Followed::read(&loaded.game, path)).transpose()
}

/// Opens the requested match and point of view.
fn open(args: &Step, loaded: &Loaded) -> Result<(Stepper, Option<RoleId>), Failure> {
    let eye = args.role.as_deref().map(|name| loaded.role(name)).transpose()?;
    let stepper = match &args.trace {
        Some(path) => at_end(loaded, path)?,
        None => Stepper::new(loaded.game.clone()),
    };
    Ok((stepper, eye))
}

/// A stepper at the end of a match from a file.
pub(crate) fn at_end(loaded: &Loaded, trace: &Path) -> Result<Stepper, Failure> {
    let mut stepper = Stepper::new(loaded.game.clone());
    for joint in loaded.full_match(trace)? {
        stepper.play(joint).map_err(|error| Failure::new(error.to_string()))?;
    }
    Ok(stepper)
}

/// A loader for a match that is only printed.
pub(crate) fn loader(game: &GameArgs, trace: Option<&Path>, work: &Work) -> Loader {
    let loader = Loader::new(game, work);
    if trace.is_some_and(is_long) { loader } else { loader.with_circuit_in(AT_ONCE) }
}

/// Prints every round of a match, with the moves and percepts of all roles.
pub(crate) fn print(loaded: &Loaded, stepper: &Stepper) -> Outcome {
    print::run(loaded, stepper, None, None, Format::Human)
}

/// The match in one of the forms of traces.
fn written(stepper: &Stepper, form: TraceForm, role: Option<RoleId>) -> Result<String, Failure> {
    let (game, rounds) = (&**stepper.game(), stepper.joints());
    Ok(match (form, role) {
        (TraceForm::Rounds, _) => trace::write_rounds(game, &rounds),
        (TraceForm::Match, _) => trace::write_match(game, &rounds),
        (TraceForm::Plan, _) if game.is_sequential => trace::write_plan(game, &rounds),
        (TraceForm::Plan, _) => {
            let failure = Failure::new("a plan has one action a round, but here all roles move at once");
            return Err(failure.note("use --write rounds or --write match"));
        }
        (TraceForm::View, Some(role)) => {
            trace::write_view(game, &trace::view_of(game, &rounds, role, rounds.len()), "match")
        }
        (TraceForm::View, None) => return Err(Failure::new("the role is missing: name it with --role")),
    })
}
