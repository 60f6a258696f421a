//! The file of a table: a match that was interrupted goes on after its last round, with the same links.
//!
//! `FILE` is a tournament's file with a line for each finished match. Beside it, `FILE.table` has the table (with the
//! secrets of its links, so only its owner may read it), and the rounds of every match, each written before it is sent.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use percept_players::tournament::{Played, Store, StoreError, Terms};
use serde::{Deserialize, Serialize};

/// The format of the file.
const SCHEMA: &str = "percept-table-1";
/// The greatest size of a file that is continued, in bytes.
const LONGEST: u64 = 1 << 28;

/// The first line of a file: the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The name and version of the file format.
    pub schema: String,
    /// The name of the game.
    pub game: String,
    /// A number that changes with the game's text.
    pub rules: String,
    /// The names of the players, in the order of the roles in the first match.
    pub players: Vec<String>,
    /// The seconds in which programs choose.
    pub playclock: f64,
    /// The seed of all matches.
    pub seed: u64,
    /// The port of the server.
    pub port: u16,
    /// The token of each person; absent for programs.
    pub seats: Vec<Option<String>>,
    /// The token of watchers.
    pub watchers: String,
}

impl Header {
    /// The header of a new table without links.
    pub fn new(game: &str, texts: &[&str], players: Vec<String>, playclock: f64, seed: u64) -> Header {
        let (schema, game, rules) = (SCHEMA.into(), game.into(), fingerprint(texts));
        Header { schema, game, rules, players, playclock, seed, port: 0, seats: Vec::new(), watchers: String::new() }
    }

    /// True if the other header is that of the same table: only the seed, the links and the port may differ.
    fn is_same(&self, other: &Header) -> bool {
        let fixed = |it: &Header| (it.schema.clone(), it.game.clone(), it.rules.clone(), it.players.clone());
        fixed(self) == fixed(other) && self.playclock == other.playclock
    }

    fn terms(&self) -> Terms {
        let mut players = self.players.clone();
        players.sort();
        players.dedup();
        Terms {
            schema: "percept-tournament-1".into(),
            games: vec![self.game.clone()],
            players,
            seed: self.seed,
            startclock: None,
            playclock: Some(self.playclock),
            simulations: None,
            network: None,
        }
    }
}

/// FNV-1a of texts: the same in every version of this program.
fn fingerprint(texts: &[&str]) -> String {
    let bytes = texts.iter().flat_map(|text| text.bytes().chain([0]));
    let hash =
        bytes.fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    format!("{hash:016x}")
}

/// A line after the first one.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    /// A match with this number begins.
    Match(u64),
    /// A round: the moves of all roles.
    Moves(Vec<String>),
    /// The match has ended.
    Ended(String),
}

/// The content of a file: the table, and its last match.
#[derive(Clone, Debug)]
pub struct Past {
    /// The table.
    pub header: Header,
    number: u64,
    rounds: Vec<Vec<String>>,
    has_ended: bool,
}

/// The reason why a file cannot be continued.
#[derive(Debug, thiserror::Error)]
pub enum KeptError {
    /// The file cannot be read or written.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The file is not one of a table.
    #[error("{}, line {line}: this is not a line of a table's file", .path.display())]
    Line {
        /// The path of the file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
    },
    /// The file holds another table.
    #[error("{} holds another table (the game, its text, the players or the clock differ)", .path.display())]
    Other {
        /// The path of the file.
        path: PathBuf,
    },
    /// Another server has the file.
    #[error("{} is in use by another table", .path.display())]
    Busy {
        /// The path of the file.
        path: PathBuf,
    },
    /// The match in the file is not one of the game.
    #[error("{}: the last match is not one of this game", .path.display())]
    NoMatch {
        /// The path of the file.
        path: PathBuf,
    },
    /// The tournament's file cannot be continued.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The open files of a table, or none.
pub struct Kept {
    files: Option<(PathBuf, Mutex<File>, Mutex<Store>)>,
    /// The match to go on with: its number, its rounds, and true if it has ended.
    pub(crate) last: (u64, Vec<Vec<String>>, bool),
}

impl Kept {
    /// Keeps nothing.
    pub fn nothing() -> Kept {
        Kept { files: None, last: (0, Vec::new(), false) }
    }

    /// The path of the file with the rounds.
    pub fn beside(path: &Path) -> PathBuf {
        let mut name = path.as_os_str().to_owned();
        name.push(".table");
        name.into()
    }

    /// Reads what a file holds; `None` if there is no file yet. `header` is the table to go on with.
    ///
    /// # Errors
    /// If the file cannot be read, or is that of another table.
    pub fn past(path: &Path, header: &Header) -> Result<Option<Past>, KeptError> {
        let path = &Kept::beside(path);
        let bytes = match File::open(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            file => file.and_then(|file| read(&file)).map_err(|error| KeptError::Io { path: path.into(), error })?,
        };
        let text = String::from_utf8_lossy(&bytes);
        let mut lines = whole(&text).lines().enumerate();
        let Some((_, first)) = lines.next() else { return Ok(None) };
        let wrong = |line: usize| KeptError::Line { path: path.into(), line: line + 1 };
        let found: Header = serde_json::from_str(first).map_err(|_| wrong(0))?;
        if !found.is_same(header) {
            return Err(KeptError::Other { path: path.into() });
        }
        let mut past = Past { header: found, number: 0, rounds: Vec::new(), has_ended: false };
        for (at, line) in lines {
            match serde_json::from_str(line).map_err(|_| wrong(at))? {
                Line::Match(number) => past = Past { number, rounds: Vec::new(), has_ended: false, ..past },
                Line::Moves(moves) => past.rounds.push(moves),
                Line::Ended(_) => past.has_ended = true,
            }
        }
        Ok(Some(past))
    }

    /// Opens the files, and writes the header if they are new.
    ///
    /// # Errors
    /// If a file cannot be written, or is in use.
    pub fn open(path: &Path, header: &Header, past: Option<Past>) -> Result<Kept, KeptError> {
        let beside = Kept::beside(path);
        let io = |error| KeptError::Io { path: beside.clone(), error };
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&beside).map_err(io)?;
        file.try_lock().map_err(|_| KeptError::Busy { path: beside.clone() })?;
        let bytes = read(&file).map_err(io)?;
        let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        // The last line of a server that was killed may be incomplete.
        file.set_len(end as u64).map_err(io)?;
        if end == 0 {
            write(&mut file, header).map_err(io)?;
        }
        let store = Store::open(path, &header.terms())?;
        let last = past.map_or((0, Vec::new(), false), |it| (it.number, it.rounds, it.has_ended));
        Ok(Kept { files: Some((beside, Mutex::new(file), Mutex::new(store))), last })
    }

    pub(crate) fn begin(&self, number: u64) -> Result<(), KeptError> {
        self.write(&Line::Match(number))
    }

    pub(crate) fn round(&self, moves: Vec<String>) -> Result<(), KeptError> {
        self.write(&Line::Moves(moves))
    }

    /// Adds a finished match. The same match is added only once.
    pub(crate) fn end(&self, ended: &str, played: Vec<Played>) -> Result<(), KeptError> {
        let Some((_, _, store)) = &self.files else { return Ok(()) };
        let mut store = store.lock().unwrap_or_else(PoisonError::into_inner);
        played.into_iter().try_for_each(|it| store.add(it))?;
        drop(store);
        self.write(&Line::Ended(ended.into()))
    }

    pub(crate) fn no_match(&self) -> KeptError {
        KeptError::NoMatch { path: self.files.as_ref().map(|(path, ..)| path.clone()).unwrap_or_default() }
    }

    fn write(&self, line: &Line) -> Result<(), KeptError> {
        let Some((path, file, _)) = &self.files else { return Ok(()) };
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        write(&mut file, line).map_err(|error| KeptError::Io { path: path.clone(), error })
    }
}

fn read(file: &File) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(LONGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST {
        return Err(std::io::Error::other("the file is too long"));
    }
    Ok(bytes)
}

/// The complete lines of a text.
fn whole(text: &str) -> &str {
    &text[..text.rfind('\n').map_or(0, |at| at + 1)]
}

/// Adds a line, completely or not at all.
fn write(file: &mut File, line: &impl Serialize) -> std::io::Result<()> {
    let mut text = serde_json::to_string(line)?;
    text.push('\n');
    let before = file.metadata()?.len();
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_data());
    if written.is_err() {
        file.set_len(before)?;
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(playclock: f64) -> Header {
        Header::new("game", &["(role a)"], vec!["human-1".into(), "human-2".into()], playclock, 7)
    }

    #[test]
    fn a_round_that_was_cut_off_is_played_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.jsonl");
        assert!(Kept::past(&path, &header(1.0)).unwrap().is_none());
        let kept = Kept::open(&path, &header(1.0), None).unwrap();
        kept.begin(0).unwrap();
        kept.end("over", Vec::new()).unwrap();
        kept.begin(1).unwrap();
        kept.round(vec!["a".into(), "b".into()]).unwrap();
        assert!(matches!(Kept::open(&path, &header(1.0), None), Err(KeptError::Busy { .. })));
        drop(kept);
        let beside = Kept::beside(&path);
        let whole = std::fs::read_to_string(&beside).unwrap();
        std::fs::write(&beside, format!("{whole}{{\"moves\":[\"c\"")).unwrap();
        let past = Kept::past(&path, &header(1.0)).unwrap().unwrap();
        let kept = Kept::open(&path, &past.header.clone(), Some(past)).unwrap();
        assert_eq!(kept.last, (1, vec![vec!["a".to_string(), "b".into()]], false));
        kept.round(vec!["c".into(), "d".into()]).unwrap();
        drop(kept);
        assert_eq!(Kept::past(&path, &header(1.0)).unwrap().unwrap().rounds.len(), 2);
        assert!(matches!(Kept::past(&path, &header(2.0)), Err(KeptError::Other { .. })));
        std::fs::write(&beside, "not a table\n").unwrap();
        assert!(matches!(Kept::past(&path, &header(1.0)), Err(KeptError::Line { line: 1, .. })));
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_reads_the_links() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.jsonl");
        drop(Kept::open(&path, &header(1.0), None).unwrap());
        let mode = std::fs::metadata(Kept::beside(&path)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
