//! Trajectories on disk: one line of JSON each, written during sampling, so that a killed run can be resumed.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use percept_infoset::{Budget, Stop};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::sample::{Sampling, Source, Trajectory};

/// The maximum length of a line, in bytes.
const LONGEST: u64 = 64 << 20;
/// The number of trajectories sampled between two writes.
const CHUNK: u64 = 32;

/// The first line of a file: the source of its trajectories. A file with another first line is not resumed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The name and version of the format.
    pub schema: String,
    /// The role of the network.
    pub role: String,
    /// The sampling method: `sts`, `bts` or `whole`.
    pub sampling: String,
    /// The number of samples per depth; 1 for `sts`; for `whole`, the steps of a walk.
    pub samples: u32,
    /// The strategy of the opponent.
    pub opponent: String,
    /// The seed of all matches together.
    pub seed: u64,
    /// The names of the role's moves, which distinguish one game from another.
    pub moves: Vec<String>,
    /// The names of the role's percepts.
    pub percepts: Vec<String>,
}

impl Header {
    /// The header for a source. `opponent`: the name of its strategy.
    pub fn of(source: &Source<'_>, opponent: &str) -> Header {
        let (sampling, samples) = match source.sampling {
            Sampling::Single => ("sts", 1),
            Sampling::Batch { samples } => ("bts", samples),
            Sampling::Whole { samples } => ("whole", samples),
        };
        let columns = &source.encoding.columns;
        Header {
            schema: "percept-trajectories-2".into(),
            role: columns.role.clone(),
            sampling: sampling.into(),
            samples,
            opponent: opponent.into(),
            seed: source.seed,
            moves: columns.moves.clone(),
            percepts: columns.percepts.clone(),
        }
    }
}

/// The reasons why trajectories cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file cannot be read or written.
    #[error("cannot read or write {}: {error}", path.display())]
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The file contains other data.
    #[error("{} holds trajectories of another game, or made with other settings: {what}", path.display())]
    Other {
        /// The path of the file.
        path: PathBuf,
        /// The difference between the headers.
        what: String,
    },
    /// A line of the file is not a trajectory.
    #[error("{}, line {line}: this is not a trajectory: {error}", path.display())]
    Broken {
        /// The path of the file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// The problem with the line, in words.
        error: String,
    },
    /// The budget is spent.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

/// Samples trajectories 0 to `count`; those already in the file are read, the others are added to it. Without a file
/// they are kept in memory only. `progress` gets their number.
///
/// # Errors
/// The file cannot be used, or the work was stopped; the trajectories sampled until then are in the file.
pub fn sample(
    source: &Source<'_>,
    header: &Header,
    count: u64,
    path: Option<&Path>,
    budget: &Budget,
    progress: &mut dyn FnMut(u64),
) -> Result<Vec<Trajectory>, StoreError> {
    let mut kept = path.map(|path| Kept::open(path, header)).transpose()?;
    let mut trajectories = kept.as_mut().map(|it| std::mem::take(&mut it.trajectories)).unwrap_or_default();
    trajectories.truncate(count as usize);
    while (trajectories.len() as u64) < count {
        budget.check()?;
        progress(trajectories.len() as u64);
        let next = trajectories.len() as u64;
        let chunk: Vec<Option<Trajectory>> = (next..count.min(next + CHUNK))
            .into_par_iter()
            .map(|index| (!budget.is_spent()).then(|| source.trajectory(index)))
            .collect();
        // The trajectories after a missing one are left to another run.
        let chunk: Vec<Trajectory> = chunk.into_iter().map_while(|it| it).collect();
        if let Some(kept) = &mut kept {
            kept.write(&chunk)?;
        }
        trajectories.extend(chunk);
    }
    progress(count);
    Ok(trajectories)
}

/// A file of trajectories, open at its end.
struct Kept {
    path: PathBuf,
    file: File,
    trajectories: Vec<Trajectory>,
}

impl Kept {
    /// Reads the existing lines; an incomplete last line is removed.
    fn open(path: &Path, header: &Header) -> Result<Kept, StoreError> {
        let io = |error| StoreError::Io { path: path.to_owned(), error };
        if let Ok(data) = path.metadata() {
            percept_syntax::plain(data.file_type()).map_err(io)?;
        }
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        // A second process with this file would overwrite these trajectories.
        file.try_lock().map_err(|error| io(error.into()))?;
        let mut reader = BufReader::new(file);
        let (mut good, mut line, mut number) = (0, String::new(), 0);
        let mut trajectories = Vec::new();
        loop {
            line.clear();
            let read = std::io::Read::take(&mut reader, LONGEST).read_line(&mut line).map_err(io)?;
            if read == 0 || !line.ends_with('\n') && number > 0 {
                break;
            }
            number += 1;
            let broken = |error: String| StoreError::Broken { path: path.to_owned(), line: number, error };
            if number == 1 {
                let found: Header = serde_json::from_str(&line).map_err(|error| broken(error.to_string()))?;
                check(path, &found, header)?;
            } else {
                let found: Trajectory = serde_json::from_str(&line).map_err(|error| broken(error.to_string()))?;
                if found.index != trajectories.len() as u64 {
                    return Err(broken(format!("number {} is in the place of {}", found.index, trajectories.len())));
                }
                trajectories.push(found);
            }
            good += read as u64;
        }
        let mut file = reader.into_inner();
        file.set_len(good).map_err(io)?;
        file.seek(SeekFrom::Start(good)).map_err(io)?;
        let mut kept = Kept { path: path.to_owned(), file, trajectories };
        if number == 0 {
            kept.lines(&[header])?;
        }
        Ok(kept)
    }

    fn write(&mut self, trajectories: &[Trajectory]) -> Result<(), StoreError> {
        self.lines(&trajectories.iter().collect::<Vec<_>>())
    }

    fn lines(&mut self, items: &[&impl Serialize]) -> Result<(), StoreError> {
        let mut text = String::new();
        for item in items {
            text += &serde_json::to_string(item).expect("structures with string keys and finite numbers");
            text.push('\n');
        }
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.flush());
        written.map_err(|error| StoreError::Io { path: self.path.clone(), error })
    }
}

/// Checks that the headers are equal and reports a difference.
fn check(path: &Path, found: &Header, wanted: &Header) -> Result<(), StoreError> {
    let other = |what: String| Err(StoreError::Other { path: path.to_owned(), what });
    let pairs = [
        ("schema", &found.schema, &wanted.schema),
        ("role", &found.role, &wanted.role),
        ("sampling", &found.sampling, &wanted.sampling),
        ("opponent", &found.opponent, &wanted.opponent),
    ];
    if let Some((name, found, wanted)) = pairs.iter().find(|(_, found, wanted)| found != wanted) {
        return other(format!("{name} is {found}, not {wanted}"));
    }
    match found {
        _ if found.samples != wanted.samples => {
            other(format!("{} samples a depth, not {}", found.samples, wanted.samples))
        }
        _ if found.seed != wanted.seed => other(format!("seed {}, not {}", found.seed, wanted.seed)),
        _ if found != wanted => other("the moves or percepts have other names".into()),
        _ => Ok(()),
    }
}
