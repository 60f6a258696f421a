//! The file beside the results: tables, their links, and everything that happened at them, a line of JSON each.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use percept_players::tournament::StoreError;
use serde::{Deserialize, Serialize};

use crate::playable::{Playable, Texts};

/// The format of the file.
const SCHEMA: &str = "percept-table-2";
/// The greatest size of a file that is read, in bytes.
const LONGEST: u64 = 1 << 28;

/// The first line of a file: the server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The name and version of the file format.
    pub schema: String,
    /// The seconds in which programs choose.
    pub playclock: f64,
    /// The seconds in which people choose, if they have a clock.
    pub clock: Option<f64>,
    /// The seed of all matches.
    pub seed: u64,
    /// The port of the server.
    pub port: u16,
    /// The token of the lobby, if there is one.
    pub lobby: Option<String>,
}

impl Header {
    /// The first line of a file of this format.
    pub fn new(playclock: f64, clock: Option<f64>, seed: u64, lobby: Option<String>) -> Header {
        Header { schema: SCHEMA.into(), playclock, clock, seed, port: 0, lobby }
    }

    /// True if the other header is that of the same server: only the seed, the links and the port may differ.
    fn is_same(&self, other: &Header) -> bool {
        let fixed = |it: &Header| (it.schema.clone(), it.clock, it.lobby.is_some());
        fixed(self) == fixed(other) && self.playclock == other.playclock
    }
}

/// A game that is played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameLine {
    /// The name of the game.
    pub name: String,
    /// A number that changes with its texts.
    pub rules: String,
    /// The texts of its files.
    pub texts: Texts,
    /// The end of a POGDDL match, if the command defined it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminal: Option<String>,
}

impl GameLine {
    pub(crate) fn of(game: &Playable) -> GameLine {
        let (name, rules) = (game.title.clone(), game.rules());
        GameLine { name, rules, texts: game.texts.clone(), terminal: game.terminal.clone() }
    }
}

/// The player in a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum By {
    /// A person, by name if it gave one.
    Person(Option<String>),
    /// A program, by its strategy.
    Program(String),
}

/// A seat of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatLine {
    /// The token of its link.
    pub token: String,
    /// Its player; absent if the seat is free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<By>,
}

/// A table. The last line about a table holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableLine {
    /// The number of the table.
    pub id: u64,
    /// The name of its game.
    pub game: String,
    /// The fingerprint of its rules.
    pub rules: String,
    /// The token of watchers.
    pub watchers: String,
    /// The seats in the order of the roles in the first match.
    pub seats: Vec<SeatLine>,
}

impl TableLine {
    /// The names of the players in results: people without a name are numbered if there are several.
    pub fn names(&self) -> Vec<String> {
        let people = self.seats.iter().filter(|seat| matches!(seat.by, Some(By::Person(None)))).count();
        let mut number = 0;
        let name = |seat: &SeatLine| match &seat.by {
            Some(By::Program(strategy)) => strategy.clone(),
            Some(By::Person(Some(name))) => name.clone(),
            _ => {
                number += 1;
                if people == 1 { "human".into() } else { format!("human-{number}") }
            }
        };
        self.seats.iter().map(name).collect()
    }
}

/// A decision of a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Thought {
    /// The index of the player.
    pub player: usize,
    /// The seconds from the question to the move.
    pub seconds: f64,
    /// The number of moves to choose from.
    pub moves: usize,
    /// True if the person's time was over, so that the move is a random one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub late: bool,
}

/// Something that a player did beside the game, in a round of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remark {
    /// The number of the table.
    pub table: u64,
    /// The number of the match at this table.
    #[serde(rename = "match")]
    pub number: u64,
    /// The number of rounds played.
    pub round: usize,
    /// The index of the player.
    pub player: usize,
    /// The move, or the note.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

/// A line after the first one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Line {
    /// A game.
    Game(GameLine),
    /// A new table, or its players.
    Table(TableLine),
    /// A match begins.
    Match {
        /// The number of the table.
        table: u64,
        /// The number of the match at this table.
        number: u64,
        /// The number of the match in the results.
        serial: u64,
    },
    /// A round: the moves of all roles, and the decisions of people.
    Round {
        /// The number of the table.
        table: u64,
        /// The move of each role.
        moves: Vec<String>,
        /// The decisions of people in this round.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        thought: Vec<Thought>,
    },
    /// The match has ended.
    Ended {
        /// The number of the table.
        table: u64,
        /// `over`, `stuck` or `too-long`.
        ended: String,
    },
    /// A player tried a move that is not legal.
    Tried(Remark),
    /// A player did not understand something.
    Note(Remark),
    /// A player gave up: a program plays on.
    Left(Remark),
    /// A player who gave up came back for the next match.
    Back(Remark),
    /// The table is gone.
    Closed {
        /// The number of the table.
        table: u64,
    },
}

/// A table of a file, with its last match.
#[derive(Clone, Debug, PartialEq)]
pub struct PastTable {
    /// The table.
    pub line: TableLine,
    pub(crate) last: Option<PastMatch>,
    pub(crate) left: BTreeSet<usize>,
}

impl PastTable {
    /// A table at which nothing was played.
    pub(crate) fn new(line: TableLine) -> PastTable {
        PastTable { line, last: None, left: BTreeSet::new() }
    }
}

/// The last match of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PastMatch {
    pub number: u64,
    pub serial: u64,
    pub rounds: Vec<Vec<String>>,
    pub has_ended: bool,
}

/// The content of a file, to go on from.
#[derive(Clone, Debug)]
pub struct Past {
    /// The server.
    pub header: Header,
    /// The games that were played.
    pub games: Vec<GameLine>,
    /// The tables that were not closed.
    pub tables: Vec<PastTable>,
    /// The number of matches, and of tables, that began so far.
    pub(crate) begun: (u64, u64),
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
    #[error("{} holds another table (the game, its text, the players or the clocks differ)", .path.display())]
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
    /// The program has a fault.
    #[error("the match crashed")]
    Crashed,
    /// The tournament's file cannot be continued.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The path of the file with the lines, beside that with the results.
pub fn beside(path: &Path) -> PathBuf {
    if path.extension().is_some_and(|it| it == "table") {
        return path.into();
    }
    let mut name = path.as_os_str().to_owned();
    name.push(".table");
    name.into()
}

/// Reads the complete lines of a file.
///
/// # Errors
/// If the file cannot be read, or is not one of tables.
pub fn read(path: &Path) -> Result<Option<(Header, Vec<Line>)>, KeptError> {
    let path = &beside(path);
    let bytes = match File::open(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        file => file.and_then(|file| bytes(&file)).map_err(|error| KeptError::Io { path: path.into(), error })?,
    };
    let text = String::from_utf8_lossy(&bytes);
    let mut lines = text[..text.rfind('\n').map_or(0, |at| at + 1)].lines().enumerate();
    let Some((_, first)) = lines.next() else { return Ok(None) };
    let wrong = |line: usize| KeptError::Line { path: path.into(), line: line + 1 };
    let header: Header = serde_json::from_str(first).map_err(|_| wrong(0))?;
    if header.schema != SCHEMA {
        return Err(wrong(0));
    }
    let lines = lines.map(|(at, line)| serde_json::from_str(line).map_err(|_| wrong(at)));
    Ok(Some((header, lines.collect::<Result<_, _>>()?)))
}

/// The bytes of a file that is not too long.
pub(crate) fn bytes(file: &File) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(LONGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST {
        return Err(std::io::Error::other("the file is too long"));
    }
    Ok(bytes)
}

impl Past {
    /// Reads what a file holds; `None` if there is no file yet. `header` is the server to go on with.
    ///
    /// # Errors
    /// If the file cannot be read, or is that of another server.
    pub fn read(path: &Path, header: &Header) -> Result<Option<Past>, KeptError> {
        let Some((found, lines)) = read(path)? else { return Ok(None) };
        if !found.is_same(header) {
            return Err(KeptError::Other { path: beside(path) });
        }
        let mut past = Past { header: found, games: Vec::new(), tables: Vec::new(), begun: (0, 0) };
        lines.into_iter().for_each(|line| past.take(line));
        Ok(Some(past))
    }

    fn take(&mut self, line: Line) {
        match line {
            Line::Game(game) => self.games.push(game),
            Line::Table(line) => {
                self.begun.1 = self.begun.1.max(line.id + 1);
                match self.tables.iter_mut().find(|it| it.line.id == line.id) {
                    Some(table) => table.line = line,
                    None => self.tables.push(PastTable::new(line)),
                }
            }
            Line::Match { table, number, serial } => {
                self.begun.0 = self.begun.0.max(serial + 1);
                self.change(table, |it| it.last = Some(PastMatch { number, serial, ..PastMatch::default() }));
            }
            Line::Round { table, moves, .. } => self.of_last(table, |it| it.rounds.push(moves)),
            Line::Ended { table, .. } => self.of_last(table, |it| it.has_ended = true),
            Line::Left(it) => self.change(it.table, |table| {
                table.left.insert(it.player);
            }),
            Line::Back(it) => self.change(it.table, |table| {
                table.left.remove(&it.player);
            }),
            Line::Closed { table } => self.tables.retain(|it| it.line.id != table),
            Line::Tried(_) | Line::Note(_) => {}
        }
    }

    fn change(&mut self, table: u64, change: impl FnOnce(&mut PastTable)) {
        if let Some(table) = self.tables.iter_mut().find(|it| it.line.id == table) {
            change(table);
        }
    }

    fn of_last(&mut self, table: u64, change: impl FnOnce(&mut PastMatch)) {
        self.change(table, |it| {
            if let Some(last) = &mut it.last {
                change(last);
            }
        });
    }
}
