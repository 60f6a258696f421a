//! Results as lines of JSON: written as they come, read back after an interruption, nothing lost and nothing doubled.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// What a tournament is: the first line of its file. Another one is not continued in the same file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Terms {
    /// The name and version of the form.
    pub schema: String,
    /// What the games are called.
    pub games: Vec<String>,
    /// The strategies.
    pub players: Vec<String>,
    /// Of all matches together.
    pub seed: u64,
    /// In seconds; `None`: no clock.
    pub startclock: Option<f64>,
    /// In seconds; `None`: no clock.
    pub playclock: Option<f64>,
    /// At most so many simulated matches for each move.
    pub simulations: Option<u64>,
    /// The network that players guess by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
}

/// One match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// Which of the games.
    pub game: String,
    /// The strategy whose score this is.
    pub first: String,
    /// Its opponent; `None` where the game has one role.
    pub second: Option<String>,
    /// Within its pairing, from 0.
    pub number: u64,
    /// Of the first: see [`super::score`].
    pub score: f64,
    /// The mean goal of the first one's roles, and of the other's.
    pub goal: f64,
    /// `None` where nobody else plays.
    pub other_goal: Option<f64>,
    /// Answers of the first that were late, illegal or missing.
    pub faults: usize,
    /// The same of the other.
    pub other_faults: usize,
    /// How many were played.
    pub rounds: usize,
    /// How long it took.
    pub seconds: f64,
}

impl Played {
    fn key(&self) -> (String, String, Option<String>, u64) {
        (self.game.clone(), self.first.clone(), self.second.clone(), self.number)
    }
}

/// Why a file cannot be continued.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file cannot be read or written.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// A line of it is no result.
    #[error("{}, line {line}: {why}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong with it, in words.
        why: String,
    },
    /// It holds another tournament.
    #[error("{} holds another tournament (games, players, seed or clocks differ)", .path.display())]
    Other {
        /// The file.
        path: PathBuf,
    },
}

/// The results, in a file or only here.
pub struct Store {
    file: Option<(PathBuf, File)>,
    records: Vec<Played>,
    known: FxHashSet<(String, String, Option<String>, u64)>,
}

impl Store {
    /// Results that are kept nowhere else.
    pub fn in_memory() -> Store {
        Store { file: None, records: Vec::new(), known: FxHashSet::default() }
    }

    /// Results in a file: those that are there already are read. A last line that was cut off is taken away.
    ///
    /// # Errors
    /// A file of another tournament, one that is something else, or what the system says.
    pub fn open(path: &Path, terms: &Terms) -> Result<Store, StoreError> {
        let io = |error| StoreError::Io { path: path.into(), error };
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        file.set_len(whole as u64).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        let mut store = Store { file: Some((path.into(), file)), ..Store::in_memory() };
        let text = String::from_utf8_lossy(&bytes[..whole]);
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let wrong = |line: usize, error: serde_json::Error| StoreError::Line {
            path: path.into(),
            line: line + 1,
            why: error.to_string(),
        };
        match lines.next() {
            None => store.write(terms)?,
            Some((line, first)) => {
                let found: Terms = serde_json::from_str(first).map_err(|error| wrong(line, error))?;
                if found != *terms {
                    return Err(StoreError::Other { path: path.into() });
                }
            }
        }
        for (line, text) in lines {
            let record: Played = serde_json::from_str(text).map_err(|error| wrong(line, error))?;
            if store.known.insert(record.key()) {
                store.records.push(record);
            }
        }
        Ok(store)
    }

    /// Whether a match was played already.
    pub fn has(&self, game: &str, first: &str, second: Option<&str>, number: u64) -> bool {
        self.known.contains(&(game.into(), first.into(), second.map(Into::into), number))
    }

    /// Adds a match, if it is not there yet. A line is written at once, so that an interruption leaves whole lines and at
    /// most one that is cut off.
    ///
    /// # Errors
    /// What the system says.
    pub fn add(&mut self, record: Played) -> Result<(), StoreError> {
        if self.known.insert(record.key()) {
            self.write(&record)?;
            self.records.push(record);
        }
        Ok(())
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), StoreError> {
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        let mut text = serde_json::to_string(line).expect("our own structures have string keys and finite numbers");
        text.push('\n');
        file.write_all(text.as_bytes()).map_err(|error| StoreError::Io { path: path.clone(), error })
    }

    /// All of them, in the order in which they came.
    pub fn records(&self) -> &[Played] {
        &self.records
    }
}
