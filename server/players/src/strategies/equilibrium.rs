//! Play by the table of a solved game: a file of `percept solve --strategy`, or a table solved before the match.
//!
//! A linear program's plan is undefined at places that the opponent never reaches against it. Real opponents do reach
//! them, so the table there is that of regret minimization, which visited those places.
//!
//! Results that depend only on the rules are kept for further matches of the same game.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use percept_game::{Game, MoveId};
use percept_infoset::View;
use percept_solve::cfr::Variant;
use percept_solve::{Kind, Method, Options, Sampling, Space, Strategy as Table, Tree, plan, solve};
use rand::Rng;

use super::StrategyError;
use super::head::{Head, Look};
use crate::clock::Clock;
use crate::player::{Player, Seat, Trouble};

/// The memory for the tree of a game that is solved before the match, in bytes.
const MEMORY: usize = 512 << 20;
/// The number of sampled traversals of a game too large for a tree, without a clock.
const ITERATIONS: u64 = 20_000;
/// The most iterations of regret minimization, without a clock.
const MOST_ITERATIONS: u64 = 20_000;

/// The number of iterations of regret minimization for the places that the plan does not reach.
const WANDERINGS: u64 = 500;

/// A solved game.
#[derive(Clone, Debug)]
pub struct Solved {
    pub table: Table,
    /// The method of the solution, and its quality.
    pub about: String,
    /// True if the table guarantees a value (two opposed players, or a single one).
    pub has_value: bool,
    /// The most that a best response gains against it; `None` if unknown.
    pub exploitability: Option<f64>,
}

/// The source of tables: a file, or solving.
pub struct Equilibrium {
    file: Option<(PathBuf, Arc<Solved>)>,
    solved: Mutex<Vec<(Arc<Game>, Arc<Solved>)>>,
}

/// The fallback for a game that is too large for a tree.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Otherwise {
    Sample,
    GiveUp,
}

/// The greatest size of a table, in bytes.
const LONGEST: usize = 1 << 30;

impl Equilibrium {
    /// Solves each game before its match.
    pub fn on_the_spot() -> Equilibrium {
        Equilibrium { file: None, solved: Mutex::default() }
    }

    /// Reads a table from a file.
    ///
    /// # Errors
    /// Fails if the file cannot be read or is not a table.
    pub fn read(path: PathBuf) -> Result<Equilibrium, StrategyError> {
        let text = percept_syntax::read_text(&path, LONGEST).map_err(|error| error.to_string());
        let table = text.and_then(|text| Table::from_text(&text).map_err(|error| error.to_string()));
        let table = table.map_err(|why| StrategyError::Table { path: path.clone(), why })?;
        let about = format!("the table {}", path.display());
        let solved = Solved { table, about, has_value: true, exploitability: None };
        Ok(Equilibrium { file: Some((path, Arc::new(solved))), solved: Mutex::default() })
    }

    /// Returns the name as users write it: `equilibrium`, or with the file of its table.
    pub fn name(&self) -> String {
        match &self.file {
            Some((path, _)) => format!("equilibrium:{}", path.display()),
            None => "equilibrium".into(),
        }
    }

    /// Returns the table of a game; `None` if it could not be solved.
    pub fn of(&self, seat: &Seat, clock: &Clock, otherwise: Otherwise) -> Option<Arc<Solved>> {
        if let Some((_, solved)) = &self.file {
            return Some(solved.clone());
        }
        // The player of the other side waits for the same answer.
        let mut cache = self.solved.lock().ok()?;
        if let Some((_, solved)) = cache.iter().find(|(game, _)| Arc::ptr_eq(game, &seat.briefing.game)) {
            return Some(solved.clone());
        }
        let solved = Arc::new(solved_now(seat.game(), clock, otherwise)?);
        cache.push((seat.briefing.game.clone(), solved.clone()));
        Some(solved)
    }
}

fn solved_now(game: &Game, clock: &Clock, otherwise: Otherwise) -> Option<Solved> {
    let iterations = clock.left().is_none().then_some(MOST_ITERATIONS);
    let options = Options { space: Space { bytes: MEMORY }, iterations, ..Options::default() };
    let solution = match solve(game, &options, &clock.share(0.8).budget()) {
        Ok(solution) => solution,
        Err(_) if otherwise == Otherwise::Sample => {
            let iterations = clock.left().is_none().then_some(ITERATIONS);
            let options = Options { method: Method::Sampling(Sampling::Auto), iterations, ..options };
            solve(game, &options, &clock.budget()).ok()?
        }
        Err(_) => return None,
    };
    let exploitability = solution.exploitability;
    let about = match exploitability {
        Some(points) => format!("{}, exploitability {points:.4}", solution.method),
        None => format!("{}, {} iterations, exploitability unknown", solution.method, solution.iterations),
    };
    let has_value = matches!(solution.kind, Kind::ZeroSum(_) | Kind::Alone | Kind::Together);
    let mut table = solution.strategy(game);
    if let (Kind::ZeroSum(_), Some(tree), Some(behaviour)) = (&solution.kind, solution.tree(), solution.behaviour()) {
        let options = Options {
            method: Method::Cfr(Variant::Plus),
            iterations: Some(WANDERINGS),
            space: Space { bytes: MEMORY },
            ..Options::default()
        };
        if let Ok(wandered) = solve(game, &options, &clock.budget()) {
            mend(&mut table, &wandered.strategy(game), &reached(tree, behaviour));
        }
    }
    Some(Solved { table, about, has_value, exploitability })
}

/// Takes the entries for unreached places from another table of the same game.
fn mend(table: &mut Table, other: &Table, reached: &[bool]) {
    let entries = table.entries().iter().zip(other.entries()).zip(reached);
    let strayed = entries.filter(|((own, other), reached)| !**reached && own.view == other.view);
    let strayed: Vec<_> = strayed.map(|((_, other), _)| other.clone()).collect();
    strayed.into_iter().for_each(|entry| table.add(entry));
}

/// True for each information set that chance and the other players let its player reach; player by player, in the order
/// of the tree, which is that of a strategy's entries.
fn reached(tree: &Tree, behaviour: &[Vec<f64>]) -> Vec<bool> {
    let plans: Vec<Vec<f64>> = tree.players.iter().zip(behaviour).map(|(plex, it)| plan::plan(plex, it)).collect();
    let mut reached = Vec::new();
    for (player, plex) in tree.players.iter().enumerate() {
        let mut mass = vec![0.0; plex.sequences()];
        for leaf in 0..tree.leaves.len() {
            let sequences = tree.sequences(leaf);
            let others = (0..plans.len()).filter(|&other| other != player);
            let others: f64 = others.map(|other| plans[other][sequences[other] as usize]).product();
            mass[sequences[player] as usize] += tree.weight(leaf) * others;
        }
        let first = reached.len();
        reached.resize(first + plex.infosets.len(), false);
        for (at, infoset) in plex.infosets.iter().enumerate().rev() {
            let sum: f64 = mass[infoset.sequences()].iter().sum();
            reached[first + at] = sum > 1e-9;
            mass[infoset.parent as usize] += sum;
        }
    }
    reached
}

/// A player that follows a table, and moves at random at places without an entry.
pub(super) struct ByTable<'g> {
    seat: &'g Seat,
    head: Head<'g>,
    source: Arc<Equilibrium>,
    solved: Option<Arc<Solved>>,
    astray: usize,
}

impl<'g> ByTable<'g> {
    pub(super) fn new(seat: &'g Seat, source: Arc<Equilibrium>) -> ByTable<'g> {
        ByTable { seat, head: Head::new(seat), source, solved: None, astray: 0 }
    }

    pub(super) fn with(seat: &'g Seat, source: Arc<Equilibrium>, solved: Arc<Solved>) -> ByTable<'g> {
        ByTable { solved: Some(solved), ..ByTable::new(seat, source) }
    }

    fn by_table(&mut self, view: &View) -> Option<MoveId> {
        let game = self.seat.game();
        let moves = self.solved.as_ref()?.table.at(game, view)?;
        let mut rest: f64 = self.head.rng.random();
        let mut likely = moves.iter().filter(|(_, probability)| *probability > 0.0).peekable();
        while let Some((name, probability)) = likely.next() {
            rest -= probability;
            if rest < 0.0 || likely.peek().is_none() {
                return game.rules.find_move(view.role, name);
            }
        }
        None
    }
}

impl Player for ByTable<'_> {
    fn prepare(&mut self, clock: &Clock) -> Result<(), Trouble> {
        self.solved = self.source.of(self.seat, clock, Otherwise::Sample);
        Ok(())
    }

    fn choose(&mut self, view: &View, clock: &Clock) -> Result<MoveId, Trouble> {
        if let Some(mv) = self.by_table(view) {
            return Ok(mv);
        }
        match self.head.look(view, clock)? {
            Look::Only(only) => Ok(only),
            Look::Among(moves) => {
                self.astray += 1;
                Ok(moves[self.head.rng.random_range(0..moves.len())])
            }
        }
    }

    fn remark(&self) -> Option<String> {
        let about = self.solved.as_ref().map_or("the game could not be solved", |solved| &solved.about);
        let astray = if self.astray > 0 { format!("; {} moves at random", self.astray) } else { String::new() };
        Some(format!("{about}{astray}"))
    }
}
