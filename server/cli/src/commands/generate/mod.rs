//! `percept generate`: writes games from papers, in any size.

pub(crate) mod goofspiel;

use percept_game::pogddl::generate;

use crate::args::{Generate, Generated};
use crate::failure::{Failure, OK, Outcome};
use crate::output;
use crate::save;

pub(crate) fn run(args: &Generate) -> Outcome {
    let (domain, problem) = match args.game {
        Generated::Racko { slots, cards } => (generate::RACKO, generate::racko(slots, cards)),
        Generated::Battleship { size, ships } => (generate::BATTLESHIP, generate::battleship(ships, size)),
        Generated::Goofspiel { cards } => return goofspiel(args, cards),
        Generated::Gops { bids, extra, open_bids } => (generate::GOPS, generate::gops(bids, extra, open_bids)),
    };
    let problem = problem.map_err(|error| Failure::new(error.to_string()))?;
    let write = |path: &std::path::Path, text: &str| save::file(path, text);
    if let Some(path) = &args.domain {
        write(path, domain)?;
    }
    match &args.output {
        Some(path) => write(path, &problem)?,
        None => output::raw(problem.as_bytes()),
    }
    Ok(OK)
}

fn goofspiel(args: &Generate, cards: usize) -> Outcome {
    if !goofspiel::CARDS.contains(&cards) {
        return Err(Failure::new(format!("from {} to {} cards", goofspiel::CARDS.start(), goofspiel::CARDS.end())));
    }
    if args.domain.is_some() {
        return Err(Failure::new("goofspiel is a single GDL description: it has no domain"));
    }
    let text = goofspiel::text(cards);
    match &args.output {
        Some(path) => save::file(path, text)?,
        None => output::raw(text.as_bytes()),
    }
    Ok(OK)
}
