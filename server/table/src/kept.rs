//! The open files of a server: matches that were interrupted go on after their last round, with the same links.
//!
//! `FILE` is a tournament's file with a line for each finished match. Beside it, `FILE.table` has the tables (with the
//! secrets of their links, so only its owner may read it), and the rounds of every match, each written before it is
//! sent.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use percept_players::tournament::{Played, Store, Terms};
use serde::Serialize;

use crate::lines::{self, Header, KeptError, Line, Past};

/// The open files of a server, or none.
pub struct Kept {
    files: Option<Files>,
    /// The number of matches that began.
    matches: AtomicU64,
}

struct Files {
    path: PathBuf,
    file: Mutex<File>,
    /// The same file, and the length of what is certainly on the disk. One wait serves all lines before it.
    disk: Mutex<(File, u64)>,
    results: Mutex<Store>,
}

impl Kept {
    /// Keeps nothing.
    pub fn nothing() -> Kept {
        Kept { files: None, matches: AtomicU64::new(0) }
    }

    /// Opens the files, and writes the header if they are new. `players` are the names in the results, if they are
    /// known before the first match.
    ///
    /// # Errors
    /// If a file cannot be written, or is in use.
    pub fn open(
        path: &Path,
        header: &Header,
        past: Option<&Past>,
        games: &[String],
        players: &[String],
    ) -> Result<Kept, KeptError> {
        let beside = lines::beside(path);
        let io = |error| KeptError::Io { path: beside.clone(), error };
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&beside).map_err(io)?;
        file.try_lock().map_err(|_| KeptError::Busy { path: beside.clone() })?;
        let bytes = lines::bytes(&file).map_err(io)?;
        let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        // The last line of a server that was killed may be incomplete.
        file.set_len(end as u64).map_err(io)?;
        if end == 0 {
            append(&mut file, &text(header)).map_err(io)?;
        }
        let results = Store::open(path, &terms(header, games, players))?;
        let disk = (file.try_clone().map_err(io)?, 0);
        let matches = AtomicU64::new(past.map_or(0, |it| it.begun.0));
        let files = Files { path: beside, file: file.into(), disk: disk.into(), results: results.into() };
        Ok(Kept { files: Some(files), matches })
    }

    /// The number of a new match in the results.
    pub(crate) fn serial(&self) -> u64 {
        self.matches.fetch_add(1, Ordering::Relaxed)
    }

    /// Adds a line, and waits until it is on the disk.
    pub(crate) fn write(&self, line: &Line) -> Result<(), KeptError> {
        let Some(files) = &self.files else { return Ok(()) };
        let io = |error| KeptError::Io { path: files.path.clone(), error };
        let end = append(&mut lock(&files.file), &text(line)).map_err(io)?;
        let mut disk = lock(&files.disk);
        if disk.1 < end {
            let end = lock(&files.file).metadata().map_err(io)?.len();
            disk.0.sync_data().map_err(io)?;
            disk.1 = end;
        }
        Ok(())
    }

    /// Adds a finished match. The same match is added only once.
    pub(crate) fn end(&self, table: u64, ended: &str, played: Vec<Played>) -> Result<(), KeptError> {
        let Some(files) = &self.files else { return Ok(()) };
        let mut results = lock(&files.results);
        played.into_iter().try_for_each(|it| results.add(it))?;
        drop(results);
        self.write(&Line::Ended { table, ended: ended.into() })
    }

    pub(crate) fn no_match(&self) -> KeptError {
        KeptError::NoMatch { path: self.files.as_ref().map(|it| it.path.clone()).unwrap_or_default() }
    }
}

fn lock<T>(it: &Mutex<T>) -> MutexGuard<'_, T> {
    it.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The definition of the results.
fn terms(header: &Header, games: &[String], players: &[String]) -> Terms {
    let mut players = players.to_vec();
    players.sort();
    players.dedup();
    Terms {
        schema: "percept-tournament-1".into(),
        games: games.to_vec(),
        players,
        seed: header.seed,
        startclock: None,
        playclock: Some(header.playclock),
        simulations: None,
        network: None,
    }
}

fn text(line: &impl Serialize) -> String {
    let mut text = serde_json::to_string(line).expect("our own structures have string keys and finite numbers");
    text.push('\n');
    text
}

/// Adds a line, completely or not at all; returns the new length.
fn append(file: &mut File, text: &str) -> std::io::Result<u64> {
    let before = file.metadata()?.len();
    let written = file.write_all(text.as_bytes());
    if written.is_err() {
        file.set_len(before)?;
    }
    written.map(|()| before + text.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::{By, PastMatch, Remark, SeatLine, TableLine, beside};

    fn header(playclock: f64) -> Header {
        Header::new(playclock, None, 7, None)
    }

    fn open(path: &Path, past: Option<&Past>) -> Result<Kept, KeptError> {
        let players = ["human-1".to_string(), "human-2".into()];
        Kept::open(path, &header(1.0), past, &["game".to_string()], &players)
    }

    fn table(by: Option<By>) -> Line {
        let seats = vec![SeatLine { token: "0".repeat(32), by }];
        Line::Table(TableLine { id: 0, game: "game".into(), rules: "1".into(), watchers: "1".repeat(32), seats })
    }

    fn round(moves: &[&str]) -> Line {
        Line::Round { table: 0, moves: moves.iter().map(ToString::to_string).collect(), thought: Vec::new() }
    }

    #[test]
    fn a_round_that_was_cut_off_is_played_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.jsonl");
        assert!(Past::read(&path, &header(1.0)).unwrap().is_none());
        let kept = open(&path, None).unwrap();
        kept.write(&table(None)).unwrap();
        kept.write(&table(Some(By::Person(Some("ann".into()))))).unwrap();
        kept.write(&Line::Match { table: 0, number: 0, serial: kept.serial() }).unwrap();
        kept.end(0, "over", Vec::new()).unwrap();
        kept.write(&Line::Match { table: 0, number: 1, serial: kept.serial() }).unwrap();
        kept.write(&round(&["a", "b"])).unwrap();
        kept.write(&Line::Left(Remark { table: 0, number: 1, round: 1, player: 0, text: String::new() })).unwrap();
        assert!(matches!(open(&path, None), Err(KeptError::Busy { .. })));
        drop(kept);
        let whole = std::fs::read_to_string(beside(&path)).unwrap();
        std::fs::write(beside(&path), format!("{whole}{{\"round\":[\"c\"")).unwrap();
        let past = Past::read(&path, &header(1.0)).unwrap().unwrap();
        let it = &past.tables[0];
        let rounds = vec![vec!["a".to_string(), "b".into()]];
        assert_eq!(it.last, Some(PastMatch { number: 1, serial: 1, rounds, has_ended: false }));
        assert_eq!((past.tables.len(), it.line.names(), it.left.len()), (1, vec!["ann".to_string()], 1));
        let kept = open(&path, Some(&past)).unwrap();
        assert_eq!(kept.serial(), 2);
        kept.write(&round(&["c", "d"])).unwrap();
        drop(kept);
        let past = Past::read(&path, &header(1.0)).unwrap().unwrap();
        assert_eq!(past.tables[0].last.as_ref().unwrap().rounds.len(), 2);
        assert!(matches!(Past::read(&path, &header(2.0)), Err(KeptError::Other { .. })));
        std::fs::write(beside(&path), "not a table\n").unwrap();
        assert!(matches!(Past::read(&path, &header(1.0)), Err(KeptError::Line { line: 1, .. })));
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_reads_the_links() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.jsonl");
        drop(open(&path, None).unwrap());
        let mode = std::fs::metadata(beside(&path)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
