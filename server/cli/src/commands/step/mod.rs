//! `percept step`: a match step by step, printed or in the interactive stepper.

mod print;

use percept_game::stepper::Stepper;
use percept_game::{RoleId, trace};

use crate::args::{Format, Step, TraceForm};
use crate::failure::{Failure, OK, Outcome};
use crate::load::Loader;
use crate::output;
use crate::tui::{self, App};

pub fn run(args: &Step) -> Outcome {
    let loader = Loader::new(&args.game);
    let loaded = loader.load()?.warned();
    let eye = args.role.as_deref().map(|name| loaded.role(name)).transpose()?;
    let mut stepper = Stepper::new(loaded.game.clone());
    if let Some(path) = &args.trace {
        for joint in loaded.full_match(path)? {
            stepper.play(joint).map_err(|error| Failure::new(error.to_string()))?;
        }
    }
    if let Some(form) = args.write {
        output::print(&written(&stepper, form, eye)?);
        return Ok(OK);
    }
    if args.print || args.format == Format::Json {
        let outcome = print::run(&stepper, eye, args.format)?;
        return loaded.sound().map(|()| outcome);
    }
    let outcome = tui::run(App::new(loader, &loaded, stepper, eye, args.seed))?;
    loaded.sound().map(|()| outcome)
}

/// The match in one of the forms that traces have.
fn written(stepper: &Stepper, form: TraceForm, role: Option<RoleId>) -> Result<String, Failure> {
    let (game, rounds) = (&**stepper.game(), stepper.joints());
    Ok(match (form, role) {
        (TraceForm::Rounds, _) => trace::write_rounds(game, &rounds),
        (TraceForm::Match, _) => trace::write_match(game, &rounds),
        (TraceForm::Plan, _) if game.is_sequential => trace::write_plan(game, &rounds),
        (TraceForm::Plan, _) => {
            let failure = Failure::new("a plan has one action a round, but here all roles move at once");
            return Err(failure.note("write --write rounds or --write match"));
        }
        (TraceForm::View, Some(role)) => {
            trace::write_view(game, &trace::view_of(game, &rounds, role, rounds.len()), "match")
        }
        (TraceForm::View, None) => return Err(Failure::new("whose view? name a role with --role")),
    })
}
