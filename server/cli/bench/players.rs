//! `percept bench players`: the number of matches that searching players simulate in a second, at the first choice of a
//! match.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use percept_game::Game;
use percept_game::play::{Limits, play_match};
use percept_infoset::View;
use percept_players::{Briefing, Clock, Clocks, Seat, Strategy};
use serde::Serialize;

use crate::args::{BenchPlayers, Format, GameArgs};
use crate::commands::matches::{briefing, program};
use crate::failure::{Failure, OK, Outcome};
use crate::load::{Loader, title};
use crate::output;
use crate::work::Work;

/// The default games, from the shipped library.
const GAMES: [&str; 6] = [
    "kuhn-poker/kuhn-poker.kif",
    "leduc-poker/leduc-poker.kif",
    "liars-dice/liars-dice.kif",
    "goofspiel/goofspiel-5-descending.kif",
    "blind-tic-tac-toe/blind-tic-tac-toe.kif",
    "phantom-tic-tac-toe/phantom-tic-tac-toe.kif",
];
/// The number of rounds within which a role must have a choice.
const SOON: u32 = 1_000;

#[derive(Serialize)]
struct Table {
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    game: String,
    player: String,
    role: String,
    /// Rounds played before the choice.
    round: usize,
    simulations_per_s: f64,
}

pub(super) fn run(args: &BenchPlayers) -> Outcome {
    let work = Work::begin(None);
    let files: Vec<PathBuf> = match args.files.is_empty() {
        true => {
            let games = super::library()?;
            GAMES.iter().map(|file| games.join(file)).collect()
        }
        false => args.files.clone(),
    };
    let players: Vec<Strategy> = args.players.iter().map(|name| program(name)).collect::<Result<_, _>>()?;
    let mut table = Table { rows: Vec::new() };
    for file in &files {
        let game = GameArgs { game: file.clone(), domain: None, pogddl_terminal: None };
        let briefing = briefing(&Loader::new(&game, &work).load()?, &work.budget())?;
        let name = title(file);
        let Some(view) = first_choice(&briefing.game, args.seed) else {
            return Err(Failure::new(format!("no role has a choice in {name}")));
        };
        for player in &players {
            if work.is_cancelled() {
                break;
            }
            work.say(format!("{name}: {}", player.name()));
            table.rows.push(Row {
                game: name.clone(),
                player: player.name(),
                role: briefing.game.roles[usize::from(view.role.0)].name.clone(),
                round: view.rounds.len(),
                simulations_per_s: rate(player, &briefing, &view, args)?,
            });
        }
    }
    drop(work);
    match args.format {
        Format::Json => output::json("bench-players", &table),
        Format::Human => output::print(&text(&table)),
    }
    Ok(OK)
}

/// The view of the first role with a choice, in a match played at random.
fn first_choice(game: &Game, seed: u64) -> Option<View> {
    let (_, moves) = play_match(game, 0, &Limits { seed, max_rounds: SOON, ..Limits::default() });
    let mut at = game.start();
    for round in 0..=moves.len() {
        let mut roles = game.role_ids().filter(|role| !game.roles[usize::from(role.0)].is_chance);
        if let Some(role) = roles.find(|&role| !at.is_terminal() && at.legal(role).len() > 1) {
            return View::of_match(game, role, &moves[..round]).ok();
        }
        at.step(moves.get(round)?);
    }
    None
}

/// Matches that a player simulates a second while it thinks about its move.
fn rate(player: &Strategy, briefing: &Briefing, view: &View, args: &BenchPlayers) -> Result<f64, Failure> {
    let clocks = Clocks { start: Some(args.time), play: Some(args.time), ..Clocks::default() };
    let seat = Seat { briefing: briefing.clone(), role: view.role, clocks, id: "bench".into(), seed: args.seed };
    let cancel = Arc::new(AtomicBool::new(false));
    let mut sitting = player.sit(&seat);
    let failed = |trouble| Failure::new(format!("{}: {trouble}", player.name()));
    sitting.prepare(&Clock::starts(Some(args.time), None, &cancel)).map_err(failed)?;
    let before = sitting.simulations();
    let begin = Instant::now();
    sitting.choose(view, &Clock::starts(Some(args.time), None, &cancel)).map_err(failed)?;
    let done = sitting.simulations() - before;
    if done == 0 {
        return Err(Failure::new(format!("{} does not simulate matches", player.name()))
            .note("those that do are ismcts, ismcts:grave, ismcts:smooth, ismcts:regret, uct, grave and cfr"));
    }
    Ok(done as f64 / begin.elapsed().max(Duration::from_micros(1)).as_secs_f64())
}

fn text(table: &Table) -> String {
    let mut lines = vec![format!("{:26} {:14} {:>6} {:>14}", "game", "player", "round", "simulations/s")];
    for row in &table.rows {
        lines.push(format!("{:26} {:14} {:>6} {:>14.0}", row.game, row.player, row.round + 1, row.simulations_per_s));
    }
    lines.join("\n") + "\n"
}
