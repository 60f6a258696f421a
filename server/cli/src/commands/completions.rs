//! `percept completions` prints completions for shells, `percept man` manual pages. Both are generated from the
//! definitions of the arguments.

use clap::CommandFactory;

use crate::args::{Cli, Completions, Man};
use crate::failure::{Failure, OK, Outcome};
use crate::output;

pub(crate) fn run(args: &Completions) -> Outcome {
    let mut bytes = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "percept", &mut bytes);
    output::raw(&bytes);
    Ok(OK)
}

pub(crate) fn man(args: &Man) -> Outcome {
    match &args.output {
        Some(folder) => {
            let failed = |error| Failure::io("write", folder, &error);
            std::fs::create_dir_all(folder).map_err(failed)?;
            clap_mangen::generate_to(Cli::command(), folder).map_err(failed)?;
        }
        None => {
            let mut bytes = Vec::new();
            let page = clap_mangen::Man::new(Cli::command());
            page.render(&mut bytes).map_err(|error| Failure::new(format!("the page cannot be made: {error}")))?;
            output::raw(&bytes);
        }
    }
    Ok(OK)
}
