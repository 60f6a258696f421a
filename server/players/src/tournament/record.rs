//! Results as lines of JSON: written one by one, and read again after an interruption, without losses or duplicates.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use crate::manager::Outcome;

/// The definition of a tournament: the first line of its file. A file is only continued with the same definition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Terms {
    /// The name and version of the file format.
    pub schema: String,
    /// The names of the games.
    pub games: Vec<String>,
    /// The names of the strategies.
    pub players: Vec<String>,
    /// The seed of all matches together.
    pub seed: u64,
    /// The start clock in seconds; `None`: no clock.
    pub startclock: Option<f64>,
    /// The play clock in seconds; `None`: no clock.
    pub playclock: Option<f64>,
    /// The most simulated matches for each move.
    pub simulations: Option<u64>,
    /// The network that players guess with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
}

/// The result of one match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// The name of the game.
    pub game: String,
    /// The strategy to which the score belongs.
    pub first: String,
    /// Its opponent; `None` if the game has one role.
    pub second: Option<String>,
    /// The number of the match in its pairing, from 0.
    pub number: u64,
    /// The score of the first strategy: see [`super::score`].
    pub score: f64,
    /// The mean goal of the first strategy's roles.
    pub goal: f64,
    /// The mean goal of the other's roles; `None` without an opponent.
    pub other_goal: Option<f64>,
    /// The number of answers of the first that were late, illegal or missing.
    pub faults: usize,
    /// The number of such answers of the other.
    pub other_faults: usize,
    /// The number of rounds played.
    pub rounds: usize,
    /// The duration of the match.
    pub seconds: f64,
}

impl Played {
    /// The result of a match between the players `first` and `second`, the `number`th of theirs. `seating`: for each
    /// role, true if the first plays it, false for the second, `None` for another. `None` if the match gives no goals.
    pub fn of(
        game: &str,
        (first, second): (&str, Option<&str>),
        number: u64,
        seating: &[Option<bool>],
        outcome: &Outcome,
    ) -> Option<Played> {
        let of_side = |first: bool| sums(seating, outcome, first);
        let ((goal, faults), (other_goal, other_faults)) = (of_side(true), of_side(false));
        Some(Played {
            game: game.into(),
            first: first.into(),
            second: second.map(Into::into),
            number,
            score: super::score(seating, outcome)?,
            goal: goal.unwrap_or(0.0),
            other_goal,
            faults,
            other_faults,
            rounds: outcome.moves.len(),
            seconds: outcome.seconds,
        })
    }

    fn key(&self) -> (String, String, Option<String>, u64) {
        (self.game.clone(), self.first.clone(), self.second.clone(), self.number)
    }
}

/// The mean goal of one side's roles, and its faults.
fn sums(seating: &[Option<bool>], outcome: &Outcome, first: bool) -> (Option<f64>, usize) {
    let is_side = |at: usize| seating[at] == Some(first);
    let goals: Vec<f64> =
        (0..seating.len()).filter(|&at| is_side(at)).filter_map(|at| outcome.goals[at]).map(|it| it as f64).collect();
    let faults = outcome.faults.iter().filter(|fault| is_side(usize::from(fault.role.0))).count();
    ((!goals.is_empty()).then(|| goals.iter().sum::<f64>() / goals.len() as f64), faults)
}

/// The greatest size of a file that is continued, in bytes: some millions of matches.
const LONGEST: u64 = 1 << 30;

/// The reason why a file cannot be continued.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file cannot be read or written.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
    /// A line of the file is not a result.
    #[error("{}, line {line}: {why}", .path.display())]
    Line {
        /// The path of the file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// The fault in the line.
        why: String,
    },
    /// The path is a device, a pipe or a folder.
    #[error("{} is not a file", .path.display())]
    Special {
        /// The path of the special file.
        path: PathBuf,
    },
    /// The file is longer than any tournament.
    #[error("{} is longer than {LONGEST} bytes", .path.display())]
    TooLong {
        /// The path of the file.
        path: PathBuf,
    },
    /// The file holds another tournament.
    #[error("{} holds another tournament (games, players, seed or clocks differ)", .path.display())]
    Other {
        /// The path of the file.
        path: PathBuf,
    },
}

/// The results, in a file or only in memory.
pub struct Store {
    file: Option<(PathBuf, File)>,
    records: Vec<Played>,
    keys: FxHashSet<(String, String, Option<String>, u64)>,
}

impl Store {
    /// Keeps results only in memory.
    pub fn in_memory() -> Store {
        Store { file: None, records: Vec::new(), keys: FxHashSet::default() }
    }

    /// Opens a file of results and reads the existing ones. An incomplete last line is removed after the first line has
    /// shown that the file is a tournament. Other processes may add to the same file.
    ///
    /// # Errors
    /// Fails for a file of another tournament, a file that is not a tournament, or an error of the system. The file is
    /// then left unchanged.
    pub fn open(path: &Path, terms: &Terms) -> Result<Store, StoreError> {
        let io = |error| StoreError::Io { path: path.into(), error };
        if path.exists() && !path.is_file() {
            return Err(StoreError::Special { path: path.into() });
        }
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(io)?;
        file.lock().map_err(io)?;
        let mut bytes = Vec::new();
        (&mut file).take(LONGEST + 1).read_to_end(&mut bytes).map_err(io)?;
        if bytes.len() as u64 > LONGEST {
            return Err(StoreError::TooLong { path: path.into() });
        }
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let text = String::from_utf8_lossy(&bytes[..whole]);
        let mut store = Store { file: Some((path.into(), file)), ..Store::in_memory() };
        let is_begun = store.read(path, &text, terms)?;
        // If the first line is incomplete, the file may contain only its beginning.
        if !is_begun && !line_of(terms).as_bytes().starts_with(&bytes[whole..]) {
            let why = "this is not a line of a tournament file".to_owned();
            return Err(StoreError::Line { path: path.into(), line: 1, why });
        }
        let Some((_, file)) = &mut store.file else { return Ok(store) };
        file.set_len(whole as u64).map_err(io)?;
        file.unlock().map_err(io)?;
        if !is_begun {
            store.write(terms)?;
        }
        Ok(store)
    }

    /// Reads complete lines. False if there are none.
    fn read(&mut self, path: &Path, text: &str, terms: &Terms) -> Result<bool, StoreError> {
        let wrong = |line: usize, error: serde_json::Error| StoreError::Line {
            path: path.into(),
            line: line + 1,
            why: error.to_string(),
        };
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let Some((line, first)) = lines.next() else { return Ok(false) };
        let is_terms = |found: &Terms| found == terms;
        if !is_terms(&serde_json::from_str(first).map_err(|error| wrong(line, error))?) {
            return Err(StoreError::Other { path: path.into() });
        }
        for (line, text) in lines {
            // Two processes that begin a file together both write the definition.
            if serde_json::from_str::<Terms>(text).is_ok_and(|found| is_terms(&found)) {
                continue;
            }
            let record: Played = serde_json::from_str(text).map_err(|error| wrong(line, error))?;
            if self.keys.insert(record.key()) {
                self.records.push(record);
            }
        }
        Ok(true)
    }

    /// True if the match was played already.
    pub fn has(&self, game: &str, first: &str, second: Option<&str>, number: u64) -> bool {
        self.keys.contains(&(game.into(), first.into(), second.map(Into::into), number))
    }

    /// Adds a match, if it is not in the store. A line is written at once, so an interruption leaves complete lines and
    /// at most one incomplete line.
    ///
    /// # Errors
    /// Returns the error of the system.
    pub fn add(&mut self, record: Played) -> Result<(), StoreError> {
        if self.keys.insert(record.key()) {
            self.write(&record)?;
            self.records.push(record);
        }
        Ok(())
    }

    /// Adds a line to the end of the file, completely or not at all, even if other processes add lines.
    fn write(&mut self, line: &impl Serialize) -> Result<(), StoreError> {
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        append(file, &line_of(line)).map_err(|error| StoreError::Io { path: path.clone(), error })
    }

    /// Returns all records in the order in which they were added.
    pub fn records(&self) -> &[Played] {
        &self.records
    }
}

fn line_of(line: &impl Serialize) -> String {
    let mut text = serde_json::to_string(line).expect("our own structures have string keys and finite numbers");
    text.push('\n');
    text
}

fn append(file: &mut File, text: &str) -> std::io::Result<()> {
    file.lock()?;
    let before = file.metadata()?.len();
    let written = file.write_all(text.as_bytes());
    if written.is_err() {
        file.set_len(before)?;
    }
    file.unlock()?;
    written
}
