//! `percept tournament`: plays every pair of strategies on every game.

mod html;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use percept_players::tournament::{
    Cell, Pairing, Played, Rating, Store, StoreError, Terms, cells, pairings, play, ratings, seating, seed,
};
use percept_players::{Arena, Clocks, Ended, MatchOptions, Strategy};
use serde::Serialize;

use super::matches;
use crate::args::{Format, GameArgs, Tournament};
use crate::failure::{Failure, OK, OPEN, Outcome};
use crate::load::{Loaded, Loader, title};
use crate::output;
use crate::save;
use crate::work::Work;

#[derive(Serialize)]
pub(crate) struct Answer {
    pub pairs: Vec<Cell>,
    pub ratings: Vec<Rating>,
    /// The numbers of matches that were played now, and that were recorded before.
    pub played: usize,
    pub resumed: usize,
    /// The number of matches that gave no goals and are not counted.
    pub void: usize,
    /// True if all matches were played.
    pub complete: bool,
}

pub(crate) fn run(args: &Tournament) -> Outcome {
    let answer = answer(args)?;
    if let Some(path) = &args.html {
        let page = html::page(&args.games, &answer);
        save::file(path, page)?;
    }
    match args.format {
        Format::Json => output::json("tournament", &answer),
        Format::Human => output::print(&human(&answer)),
    }
    Ok(if answer.complete { OK } else { OPEN })
}

/// Plays a tournament, or the rest of it.
///
/// # Errors
/// If its games, its players or its file are invalid.
pub(crate) fn answer(args: &Tournament) -> Result<Answer, Failure> {
    let set_up = Work::begin(None);
    let field = Field::new(args, &set_up)?;
    drop(set_up);
    let mut store = match &args.out {
        Some(path) => Store::open(path, &field.terms).map_err(failure)?,
        None => Store::in_memory(),
    };
    let resumed = store.records().len();
    let work = Work::begin(None);
    let void = field.play(args, &mut store, &work)?;
    let complete = !work.is_cancelled();
    drop(work);
    for loaded in &field.loaded {
        loaded.sound()?;
    }
    // In the order of the lists, independent of the order of completion.
    let place = |all: &[String], name: &str| all.iter().position(|one| one == name);
    let mut records = store.records().to_vec();
    records.sort_by_key(|it| {
        let Terms { games, players, .. } = &field.terms;
        let second = it.second.as_deref().and_then(|second| place(players, second));
        (place(games, &it.game), place(players, &it.first), second, it.number)
    });
    let pairs = records.iter().filter_map(|it| Some((it.first.as_str(), it.second.as_deref()?, it.score)));
    Ok(Answer {
        pairs: cells(&records),
        ratings: ratings(pairs),
        played: records.len() - resumed,
        resumed,
        void,
        complete,
    })
}

fn failure(error: StoreError) -> Failure {
    let other = matches!(error, StoreError::Other { .. });
    let failure = Failure::new(error.to_string());
    if other {
        failure.note("give another file to --out, or the same games, players, seed and clocks")
    } else {
        failure
    }
}

/// Games and strategies.
struct Field {
    loaded: Vec<Loaded>,
    arenas: Vec<Arena>,
    players: Vec<Strategy>,
    terms: Terms,
    clocks: Clocks,
}

impl Field {
    fn new(args: &Tournament, work: &Work) -> Result<Field, Failure> {
        let mut loaded = Vec::new();
        for game in &args.games {
            let args = GameArgs { game: game.clone(), domain: None, pogddl_terminal: args.pogddl_terminal };
            loaded.push(Loader::new(&args, work).load()?);
        }
        let arena = |it: &Loaded| {
            Ok(Arena::new(matches::guess::with(matches::briefing(it, &work.budget())?, &args.beliefs)?.0))
        };
        let arenas = loaded.iter().map(arena).collect::<Result<Vec<_>, Failure>>()?;
        if args.players.iter().any(|name| name == "human") {
            return Err(Failure::new("a tournament has no human players: use `percept match`"));
        }
        let players = args.players.iter().map(|name| matches::program(name)).collect::<Result<Vec<_>, _>>()?;
        let names: Vec<String> = players.iter().map(Strategy::name).collect();
        if let Some(twice) = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name)) {
            return Err(Failure::new(format!("{} is named twice", twice.1)));
        }
        let clocks = matches::clocks(&args.clocks);
        let terms = Terms {
            schema: "percept-tournament-1".into(),
            games: args.games.iter().map(|path| title(path)).collect(),
            players: names,
            seed: args.seed,
            startclock: clocks.start.map(|clock| clock.as_secs_f64()),
            playclock: clocks.play.map(|clock| clock.as_secs_f64()),
            simulations: clocks.simulations,
            network: args.beliefs.network.as_ref().map(|path| title(path)),
        };
        if let Some((at, game)) = terms.games.iter().enumerate().find(|(at, game)| terms.games[..*at].contains(game)) {
            return Err(Failure::new(format!("game {} is called {game}, like another one", at + 1)));
        }
        Ok(Field { loaded, arenas, players, terms, clocks })
    }

    /// Plays the remaining matches; returns the number of matches without goals.
    fn play(&self, args: &Tournament, store: &mut Store, work: &Work) -> Result<usize, Failure> {
        let mut pairings = pairings(&self.arenas, self.players.len());
        if pairings.is_empty() {
            return Err(Failure::new("one strategy alone can play only games for one role: name a second one"));
        }
        if let Some(only) = &args.only {
            let Some(at) = self.terms.players.iter().position(|name| name == only) else {
                return Err(Failure::new(format!("{only} is not among the players")));
            };
            pairings.retain(|it| it.second.is_none_or(|second| [it.first, second].contains(&at)));
        }
        // In the order of the match numbers, so that an interrupted run has results for every pair.
        let all = (0..args.matches).flat_map(|number| pairings.iter().map(move |pairing| (pairing, number)));
        let open: Vec<(&Pairing, u64)> =
            args.part.of(all).filter(|(pairing, number)| !self.is_known(store, pairing, *number)).collect();
        let total = open.len();
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let shared = Mutex::new((store, 0, None));
        let threads = match args.jobs {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            some => usize::from(some),
        };
        let worker = || {
            while !work.is_cancelled() {
                let Some((pairing, number)) = open.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
                let record = self.play_one(args, pairing, *number, work);
                let Ok(mut shared) = shared.lock() else { return };
                match record {
                    Some(Some(record)) => match shared.0.add(record) {
                        Ok(()) => {}
                        Err(error) => {
                            shared.2 = Some(error);
                            return;
                        }
                    },
                    Some(None) => shared.1 += 1,
                    // An interrupted match counts as not begun.
                    None => return,
                }
                work.say(format!("{} of {total} matches", done.fetch_add(1, Ordering::Relaxed) + 1));
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(worker);
            }
            worker();
        });
        match shared.into_inner() {
            Ok((_, _, Some(error))) => Err(failure(error)),
            Ok((_, void, None)) => Ok(void),
            Err(_) => Err(Failure::new("a match crashed")),
        }
    }

    fn is_known(&self, store: &Store, pairing: &Pairing, number: u64) -> bool {
        let names = &self.terms.players;
        let second = pairing.second.map(|at| names[at].as_str());
        store.has(&self.terms.games[pairing.game], &names[pairing.first], second, number)
    }

    /// Plays one match; `None` if it was interrupted, no record if it gave no goals.
    fn play_one(&self, args: &Tournament, pairing: &Pairing, number: u64, work: &Work) -> Option<Option<Played>> {
        let arena = &self.arenas[pairing.game];
        let options = MatchOptions {
            id: format!("tournament-{}-{number}", args.seed),
            clocks: self.clocks,
            seed: seed(args.seed, pairing, number),
            cancel: Some(work.cancel.clone()),
            ..MatchOptions::default()
        };
        let outcome = play(arena, pairing, &self.players, number, &options);
        if outcome.ended == Ended::Cancelled || work.is_cancelled() {
            return None;
        }
        let seating = seating(arena, pairing, number);
        let names = &self.terms.players;
        let pair = (names[pairing.first].as_str(), pairing.second.map(|at| names[at].as_str()));
        Some(Played::of(&self.terms.games[pairing.game], pair, number, &seating, &outcome))
    }
}

fn human(answer: &Answer) -> String {
    let mut lines = Vec::new();
    if answer.resumed > 0 {
        lines.push(format!("{} matches were there already, {} were played now", answer.resumed, answer.played));
    }
    let title = |cell: &Cell| match &cell.second {
        Some(second) => format!("{}: {} against {second}", cell.game, cell.first),
        None => format!("{}: {}", cell.game, cell.first),
    };
    let width = answer.pairs.iter().map(|cell| title(cell).chars().count()).max().unwrap_or(0);
    for cell in &answer.pairs {
        let percent = |share: f64| 100.0 * share;
        let goals = match cell.goals {
            (own, Some(other)) => format!("goals {own:.1} : {other:.1}"),
            (own, None) => format!("goals {own:.1}"),
        };
        let faults = cell.faults.0 + cell.faults.1;
        let faults = if faults > 0 { format!(", {faults} faults") } else { String::new() };
        lines.push(format!(
            "{:width$}  {:5.1} % ({:.1} to {:.1}) of {} matches, {goals}{faults}",
            title(cell),
            percent(cell.score),
            percent(cell.low),
            percent(cell.high),
            cell.matches
        ));
    }
    if !answer.ratings.is_empty() {
        lines.push("ratings:".into());
        lines.extend(
            answer.ratings.iter().map(|it| format!("  {:+6.0}  {} ({} matches)", it.rating, it.player, it.matches)),
        );
    }
    if answer.void > 0 {
        lines.push(format!("{} matches gave no goals and count for nothing", answer.void));
    }
    if !answer.complete {
        lines.push("not all matches were played".into());
    }
    lines.push(String::new());
    lines.join("\n")
}
