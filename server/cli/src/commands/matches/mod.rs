//! `percept match`: plays matches between players, or against a person.

pub(crate) mod guess;
mod report;
mod screen;

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use percept_game::stepper::Stepper;
use percept_game::trace;
use percept_infoset::Budget;
use percept_players::{Arena, Briefing, Clocks, MatchOptions, Outcome as Played, Strategy};
use percept_syntax::Syntax;

use crate::args::{ClockArgs, Format, Match};
use crate::failure::{Failure, OK, Outcome};
use crate::load::{Loaded, Loader};
use crate::output;
use crate::save;
use crate::work::Work;

/// The default clocks.
const START: Duration = Duration::from_secs(10);
const PLAY: Duration = Duration::from_secs(2);

pub(crate) fn run(args: &Match) -> Outcome {
    let set_up = Work::begin(None);
    let loaded = Loader::new(&args.game, &set_up).load()?;
    let (briefing, network) = guess::with(briefing(&loaded, &set_up.budget())?, &args.beliefs)?;
    let arena = Arena::new(briefing);
    drop(set_up);
    let mut seats = seats(&loaded, &args.roles)?;
    for seat in &mut seats {
        if let Strategy::Remote(address) = seat {
            address.protocol = args.protocol;
        }
    }
    let is_watched = seats.iter().any(|seat| matches!(seat, Strategy::Human(_)));
    if is_watched && args.jobs > 1 {
        return Err(Failure::new("a person plays one match at a time: remove --jobs"));
    }
    // Ctrl-C ends the match at the next round; a second one ends the process. A person sees no progress line.
    let work = if is_watched { Work::quiet() } else { Work::begin(None) };
    let played = play_all(&arena, &seats, args, &work, is_watched);
    drop(work);
    loaded.sound()?;
    if let (Some(path), Some(first)) = (&args.save_trace, played.first()) {
        let text = trace::write_for(arena.game(), &first.moves, path);
        save::file(path, text)?;
    }
    if is_watched && args.format == Format::Human {
        open_up(&loaded, &played)?;
    }
    let guesses = network.map(|it| it.guesses());
    match args.format {
        Format::Json => output::json("match", &report::answer(arena.game(), &seats, &played, guesses)),
        Format::Human => {
            output::print(&report::human(arena.game(), &loaded.speech, &seats, &played, guesses.as_ref()));
        }
    }
    Ok(OK)
}

/// The game in the form that players receive, set up once more within a budget.
///
/// # Errors
/// If the game has an error, or the budget is spent.
pub(crate) fn briefing(loaded: &Loaded, set_up: &Budget) -> Result<Briefing, Failure> {
    let (_, source) = &loaded.files[0];
    match source.syntax {
        Syntax::Gdl(_) => Briefing::of_gdl_within(source, set_up.clone()).map_err(|error| match set_up.is_spent() {
            true => Failure::open(error.to_string()),
            false => Failure::new(error.to_string()),
        }),
        Syntax::Pddl(_) => Ok(Briefing::of_game(loaded.game.clone())),
    }
}

/// The clocks of the options. The default clocks apply unless simulations are counted instead.
pub(crate) fn clocks(args: &ClockArgs) -> Clocks {
    let counted = args.simulations.is_some();
    Clocks {
        start: args.startclock.or((!counted).then_some(START)),
        play: args.playclock.or((!counted).then_some(PLAY)),
        simulations: args.simulations,
        ..Clocks::default()
    }
}

/// A strategy by its name that does not need a person at the terminal.
///
/// # Errors
/// If there is none. The message names all strategies.
pub(crate) fn program(name: &str) -> Result<Strategy, Failure> {
    name.parse().map_err(|error: percept_players::StrategyError| Failure::new(error.to_string()))
}

/// The player of each role.
fn seats(loaded: &Loaded, strategies: &[String]) -> Result<Vec<Strategy>, Failure> {
    let mut seats = vec![Strategy::Random; loaded.game.roles.len()];
    let mut named = vec![false; seats.len()];
    for text in strategies {
        let Some((role, name)) = text.split_once('=') else {
            return Err(Failure::new(format!("`{text}` does not name a role and its strategy"))
                .note("write --role ROLE=STRATEGY, such as --role white=auto"));
        };
        let role = loaded.player(role)?;
        let at = role.0 as usize;
        if std::mem::replace(&mut named[at], true) {
            return Err(Failure::new(format!("{} is played by two strategies", loaded.game.roles[at].name)));
        }
        seats[at] = match name {
            "human" => Strategy::Human(Arc::new(screen::Screen { layout: loaded.layout() })),
            name => program(name)?,
        };
    }
    Ok(seats)
}

/// Plays all matches, in the order of their numbers.
fn play_all(arena: &Arena, seats: &[Strategy], args: &Match, work: &Work, is_watched: bool) -> Vec<Played> {
    let next = AtomicU64::new(0);
    let played: Mutex<Vec<(u64, Played)>> = Mutex::default();
    let play = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= args.matches || work.is_cancelled() {
                return;
            }
            if !is_watched {
                work.say(format!("match {} of {}", number + 1, args.matches));
            }
            let options = MatchOptions {
                id: format!("match-{}-{number}", args.seed),
                clocks: clocks(&args.clocks),
                // Far apart, so that the matches of two seeds share no random numbers.
                seed: args.seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
                max_rounds: args.max_rounds,
                // People have a clock only if one was requested.
                waits: is_watched && args.clocks.playclock.is_none(),
                cancel: Some(work.cancel.clone()),
                ..MatchOptions::default()
            };
            let outcome = arena.play(seats, &options);
            if let Ok(mut played) = played.lock() {
                played.push((number, outcome));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..args.jobs {
            scope.spawn(play);
        }
        play();
    });
    let mut played = played.into_inner().unwrap_or_default();
    played.sort_by_key(|(number, _)| *number);
    played.into_iter().map(|(_, outcome)| outcome).collect()
}

/// Shows a person the moves of every role after the match.
fn open_up(loaded: &Loaded, played: &[Played]) -> Result<(), Failure> {
    let game = &loaded.game;
    for outcome in played {
        output::println("\nthe match, with the moves of all roles:");
        let mut stepper = Stepper::new(game.clone());
        for joint in &outcome.moves {
            stepper.play(joint.clone()).map_err(|error| Failure::new(error.to_string()))?;
        }
        super::step::print(loaded, &stepper)?;
    }
    Ok(())
}
