//! `percept bench table2`: the experiment of Koriche et al. 2017, reduced: `mac-ucb-ii` against UCT, CFR and GRAVE, and
//! alone if the game has one role, beside the numbers printed in the paper.
//!
//! The paper played 100 matches per pair with 180 and 15 seconds on four threads of a fast machine, and against players
//! by other authors; ours are implemented from their papers, with one thread each and much shorter clocks. With 100
//! matches a score is accurate to about ten points.

use serde::Serialize;

use crate::args::{BenchTable2, Format, Part, Tournament};
use crate::commands::tournament::answer;
use crate::failure::{Failure, OK, OPEN, Outcome};
use crate::load::title;
use crate::output;

/// The paper's own player, and its opponents.
const OURS: &str = "mac-ucb-ii";
const OTHERS: [&str; 3] = ["uct", "cfr", "grave"];

/// A row of the table: the names of the game's files (in small letters), its name in the table, and its cells against
/// UCT, CFR and GRAVE.
const PAIRS: [(&str, &str, [f64; 3]); 16] = [
    ("amazonstorus", "Amazons torus 10x10", [62.0, 73.0, 46.0]),
    ("breakthroughsuicide", "Breakthrough suicide", [71.0, 80.0, 54.0]),
    ("chess", "Chess", [58.0, 82.0, 71.0]),
    ("hex", "Hex", [81.0, 76.0, 64.0]),
    ("shmup", "Shmup", [75.0, 66.0, 51.0]),
    ("skirmishzerosum", "Skirmish zero-sum", [63.0, 77.0, 63.0]),
    ("ttcc4", "TTCC4 2P", [79.0, 83.0, 50.0]),
    ("othellosuicide", "Reversi Suicide", [86.0, 86.0, 57.0]),
    ("backgammon", "Backgammon", [70.0, 66.7, 54.6]),
    ("cantstop", "Can't Stop", [73.1, 67.5, 62.1]),
    ("pickomino", "Pickomino", [65.2, 60.6, 60.2]),
    ("yahtzee", "Yahtzee", [72.1, 72.3, 53.9]),
    ("vis_pacman", "Pacman", [57.2, 58.9, 55.1]),
    ("sheepandwolf", "Sheep & Wolf", [68.2, 56.2, 55.0]),
    ("latenttictactoe", "TicTacToe Latent Random 10x10", [82.6, 78.7, 69.1]),
    ("war", "War (card game)", [72.0, 69.1, 66.0]),
];

/// Rows of games for one role: MAC-UCB-II, UCT, CFR, GRAVE.
const ALONE: [(&str, &str, [f64; 4]); 5] = [
    ("guess", "GuessDice", [15.0, 15.7, 16.0, 16.5]),
    ("mastermind", "MasterMind", [67.8, 53.8, 68.1, 60.1]),
    ("montyhall", "Monty Hall", [65.2, 62.2, 63.1, 64.3]),
    ("vacuumcleaner", "Vacuum Cleaner Random", [61.5, 34.0, 46.0, 58.8]),
    ("wumpus", "Wumpus", [32.1, 40.1, 44.1, 51.2]),
];

#[derive(Serialize)]
struct Answer {
    rows: Vec<Row>,
    complete: bool,
}

#[derive(Serialize)]
struct Row {
    game: String,
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<String>,
    score: f64,
    low: f64,
    high: f64,
    matches: usize,
    paper: Option<f64>,
}

pub(super) fn run(args: &BenchTable2) -> Outcome {
    if let Some(file) = args.files.iter().find(|file| published(&title(file)).is_none()) {
        let names: Vec<&str> = PAIRS.iter().map(|row| row.0).chain(ALONE.iter().map(|row| row.0)).collect();
        return Err(Failure::new(format!("{} is not a game of the table", file.display()))
            .note(format!("names begin with one of {}", names.join(", "))));
    }
    let players: Vec<String> = std::iter::once(OURS).chain(OTHERS).map(String::from).collect();
    let tournament = Tournament {
        games: args.files.clone(),
        players,
        matches: args.matches,
        beliefs: crate::args::BeliefArgs::default(),
        clocks: args.clocks,
        out: args.out.clone(),
        html: None,
        jobs: args.jobs,
        seed: args.seed,
        only: Some(OURS.into()),
        part: Part::WHOLE,
        pogddl_terminal: None,
        format: args.format,
    };
    let results = answer(&tournament)?;
    let rows = results.pairs.iter().map(|cell| {
        let row = published(&cell.game);
        let place = |name: &str| std::iter::once(OURS).chain(OTHERS).position(|it| it == name);
        let paper = match (&cell.second, row) {
            (Some(second), Some((_, Cells::Pair(cells)))) => place(second).and_then(|at| cells.get(at - 1).copied()),
            (None, Some((_, Cells::Alone(cells)))) => place(&cell.first).and_then(|at| cells.get(at).copied()),
            _ => None,
        };
        Row {
            game: row.map_or_else(|| cell.game.clone(), |(name, _)| name.into()),
            file: cell.game.clone(),
            player: cell.second.is_none().then(|| cell.first.clone()),
            against: cell.second.clone(),
            score: 100.0 * cell.score,
            low: 100.0 * cell.low,
            high: 100.0 * cell.high,
            matches: cell.matches,
            paper,
        }
    });
    let answer = Answer { rows: rows.collect(), complete: results.complete };
    match args.format {
        Format::Json => output::json("bench-table2", &answer),
        Format::Human => output::print(&text(&answer)),
    }
    Ok(if answer.complete { OK } else { OPEN })
}

#[derive(Clone, Copy)]
enum Cells {
    Pair([f64; 3]),
    Alone([f64; 4]),
}

/// The row of a file's name: the one with the longest beginning in common.
fn published(stem: &str) -> Option<(&'static str, Cells)> {
    let stem = stem.to_lowercase().replace('-', "");
    let pair = PAIRS.iter().filter(|row| stem.starts_with(row.0)).max_by_key(|row| row.0.len());
    if let Some((_, name, cells)) = pair {
        return Some((*name, Cells::Pair(*cells)));
    }
    let (_, name, cells) = ALONE.iter().find(|row| stem.starts_with(row.0))?;
    Some((*name, Cells::Alone(*cells)))
}

fn text(answer: &Answer) -> String {
    let mut lines = vec![format!("{:<32} {:<12} {:>7}  {:>15}  {:>7}", "game", "", "percent", "95 %", "paper")];
    for row in &answer.rows {
        let who = row.against.as_deref().map(|it| format!(": {it}")).or_else(|| row.player.clone()).unwrap_or_default();
        let paper = row.paper.map_or("-".into(), |it| format!("{it:.1}"));
        lines.push(format!(
            "{:<32} {who:<12} {:>7.1}  {:>6.1} to {:>5.1}  {paper:>7}",
            row.game, row.score, row.low, row.high
        ));
    }
    if !answer.complete {
        lines.push("not all matches were played".into());
    }
    lines.push(String::new());
    lines.join("\n")
}
