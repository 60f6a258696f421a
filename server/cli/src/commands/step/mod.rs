//! `percept step`: a match step by step, printed or in the interactive stepper.

mod print;

use percept_game::stepper::Stepper;

use crate::args::{Format, Step};
use crate::failure::{Failure, Outcome};
use crate::load::Loader;
use crate::tui::{self, App};

pub fn run(args: &Step) -> Outcome {
    let loader = Loader::new(&args.game);
    let loaded = loader.load()?;
    let eye = args.role.as_deref().map(|name| loaded.role(name)).transpose()?;
    let mut stepper = Stepper::new(loaded.game.clone());
    if let Some(path) = &args.trace {
        for joint in loaded.full_match(path)? {
            stepper.play(joint).map_err(|error| Failure::new(error.to_string()))?;
        }
    }
    if args.print || args.format == Format::Json {
        let outcome = print::run(&stepper, eye, args.format)?;
        return loaded.sound().map(|()| outcome);
    }
    let outcome = tui::run(App::new(loader, &loaded, stepper, eye, args.seed))?;
    loaded.sound().map(|()| outcome)
}
