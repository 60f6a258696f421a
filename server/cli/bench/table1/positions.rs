//! The positions of the experiment: from a file, or from random matches.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use percept_game::play::{Limits, play_match};
use percept_game::pogddl::generate;
use percept_game::trace::{self, Trace};
use percept_game::{Game, JointMove, MoveId, RoleId};
use percept_infoset::View;
use serde::Deserialize;

use super::paper::{self, TABLE};
use crate::args::{GameArgs, Terminal};
use crate::failure::Failure;
use crate::load::{Loader, pogddl};
use crate::work::Work;

/// One position of a cell.
pub(crate) struct Position {
    pub game: Arc<Game>,
    /// Seconds to read the rules.
    pub load_s: f64,
    pub view: View,
    /// The size of the information set, if known.
    pub size: Option<u64>,
    pub reference: Option<Reference>,
}

/// The results of the paper's own program in a position.
#[derive(Deserialize, Clone)]
pub(crate) struct Reference {
    pub solutions: Option<u64>,
    pub init_s: Option<f64>,
    pub search_s: Option<f64>,
}

/// The positions of a cell, or the reason why it has none.
pub(crate) enum Cell {
    Positions(Vec<Position>),
    Infeasible(String),
}

/// Positions of a cell of the table: random matches, each up to the first decision after a share of it.
///
/// # Errors
/// If Percept's own rules cannot be read, which would be a bug.
pub(crate) fn played(
    game: paper::Game,
    row: usize,
    column: usize,
    positions: u64,
    seed: u64,
    share: f64,
) -> Result<Cell, Failure> {
    let (domain, problem) = match game {
        paper::Game::Racko => (generate::RACKO, generate::racko(row, column)),
        paper::Game::Battleship => (generate::BATTLESHIP, generate::battleship(row, column)),
        paper::Game::Gops => (generate::GOPS, generate::gops(row, column, false)),
    };
    let problem = match problem {
        Ok(problem) => problem,
        Err(infeasible) => return Ok(Cell::Infeasible(infeasible.to_string())),
    };
    let start = Instant::now();
    let game = Arc::new(pogddl(domain, &problem)?);
    let load_s = start.elapsed().as_secs_f64();
    let limits = Limits { seed, ..Limits::default() };
    let position = |number| {
        let (_, rounds) = play_match(&game, number, &limits);
        let (round, role) = decision(&game, &rounds, share).ok_or_else(|| Failure::new("no role has a choice"))?;
        let view = trace::view_of(&game, &rounds, role, round);
        Ok(Position { game: game.clone(), load_s, view, size: None, reference: None })
    };
    (0..positions).map(position).collect::<Result<_, _>>().map(Cell::Positions)
}

/// The first round after a share of the match in which a role other than chance moves; if there is none, the last one
/// before it.
fn decision(game: &Game, rounds: &[JointMove], share: f64) -> Option<(usize, RoleId)> {
    let states = trace::states(game, rounds);
    let after = ((share * rounds.len() as f64) as usize).min(rounds.len());
    let order = (after..rounds.len()).chain((0..after).rev());
    let mover = |round: usize| {
        let waits = |role: RoleId| game.rules.legal(&states[round], role) == [MoveId::NOOP];
        game.role_ids().find(|&role| !game.roles[role.0 as usize].is_chance && !waits(role))
    };
    order.into_iter().find_map(|round| mover(round).map(|role| (round, role)))
}

/// A line of a file of positions.
#[derive(Deserialize)]
pub(crate) struct Line {
    cell: String,
    domain: String,
    problem: String,
    terminal: Option<String>,
    role: String,
    round: usize,
    trace: Vec<String>,
    size: Option<u64>,
    reference: Option<Reference>,
}

/// The lines of a file of positions whose cells begin with `prefix`, by cell in the order of the file.
///
/// # Errors
/// If a line cannot be read; the message names it.
pub(crate) fn of_file(path: &Path, prefix: &str) -> Result<Vec<(String, Vec<Line>)>, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::io("read", path, &error))?;
    let mut cells: Vec<(String, Vec<Line>)> = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let line: Line = serde_json::from_str(line).map_err(|error| {
            Failure::new(format!("{}:{}: this is not a position: {error}", path.display(), index + 1))
        })?;
        if !line.cell.starts_with(prefix) {
            continue;
        }
        match cells.last_mut() {
            Some((cell, lines)) if *cell == line.cell => lines.push(line),
            _ => cells.push((line.cell.clone(), vec![line])),
        }
    }
    Ok(cells)
}

/// The position of a line; its game is searched in `folder`.
///
/// # Errors
/// If a file cannot be read, or the moves are not a match of the game.
pub(crate) fn read(line: &Line, folder: &Path) -> Result<Position, Failure> {
    let start = Instant::now();
    let find = |name: &str| {
        let places = [folder.join(name), folder.join("problems").join(name)];
        places
            .into_iter()
            .find(|path| path.is_file())
            .ok_or_else(|| Failure::new(format!("{name} is neither in {0} nor in {0}/problems", folder.display())))
    };
    let terminal = match line.terminal.as_deref() {
        Some("payoff") => Some(Terminal::Payoff),
        _ => Some(Terminal::NoMoves),
    };
    let game = GameArgs { game: find(&line.problem)?, domain: Some(find(&line.domain)?), pogddl_terminal: terminal };
    let loaded = Loader::new(&game, &Work::quiet()).load()?;
    let load_s = start.elapsed().as_secs_f64();
    let rounds = match trace::read(&loaded.game, line.trace.join("\n").as_bytes()) {
        Ok(Trace::Match(rounds)) => rounds,
        Ok(Trace::View(_)) => return Err(Failure::new(format!("{}: the trace is a view", line.cell))),
        Err(error) => return Err(Failure::new(format!("{}: {error}", line.cell))),
    };
    let view = trace::view_of(&loaded.game, &rounds, loaded.role(&line.role)?, line.round);
    let reference = line.reference.clone();
    Ok(Position { game: loaded.game, load_s, view, size: line.size, reference })
}

/// The requested cells of the table, with their block.
pub(crate) fn cells(prefix: &str) -> Vec<(String, paper::Game, usize, usize)> {
    let mut all = Vec::new();
    for block in &TABLE {
        for (row, &first) in block.rows.iter().enumerate() {
            for (column, &second) in block.columns.iter().enumerate() {
                let cell = block.cell(row, column);
                if cell.starts_with(prefix) {
                    all.push((cell, block.game, first, second));
                }
            }
        }
    }
    all
}
