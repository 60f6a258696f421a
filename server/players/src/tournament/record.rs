//! Results as lines of JSON: written as they come, read back after an interruption, nothing lost and nothing doubled.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
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

/// Longest file that is continued, in bytes: some millions of matches.
const LONGEST: u64 = 1 << 30;

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
    /// A device, a pipe or a folder.
    #[error("{} is not a file", .path.display())]
    Special {
        /// The path.
        path: PathBuf,
    },
    /// It is longer than any tournament.
    #[error("{} is longer than {LONGEST} bytes", .path.display())]
    TooLong {
        /// The file.
        path: PathBuf,
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

    /// Results in a file: those that are there already are read. A last line that was cut off is taken away, once the first
    /// line has shown that the file is one of ours. Other processes may add to the same file.
    ///
    /// # Errors
    /// A file of another tournament, one that is something else, or what the system says: then it is left as it was.
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
        // Of a first line that was cut off nothing else can be there.
        if !is_begun && !line_of(terms).as_bytes().starts_with(&bytes[whole..]) {
            let why = "this is no line of a tournament".to_owned();
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

    /// Reads whole lines. False if there is none.
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
            // Two processes that begin a file together both say what it is.
            if serde_json::from_str::<Terms>(text).is_ok_and(|found| is_terms(&found)) {
                continue;
            }
            let record: Played = serde_json::from_str(text).map_err(|error| wrong(line, error))?;
            if self.known.insert(record.key()) {
                self.records.push(record);
            }
        }
        Ok(true)
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

    /// Adds a line to the end of the file, whole or not at all, whoever else adds lines.
    fn write(&mut self, line: &impl Serialize) -> Result<(), StoreError> {
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        append(file, &line_of(line)).map_err(|error| StoreError::Io { path: path.clone(), error })
    }

    /// All of them, in the order in which they came.
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
