//! Trajectories on disk: a line of JSON each, written as they are made, so that a killed run goes on where it was.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use percept_infoset::{Budget, Stop};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::sample::{Sampling, Source, Trajectory};

/// The longest line that is read, in bytes.
const LONGEST: u64 = 64 << 20;
/// Trajectories sampled between two writes.
const CHUNK: u64 = 32;

/// The first line of a file: what its trajectories are of. A file whose first line is another is not gone on with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The name and version of the form.
    pub schema: String,
    /// Whose network it is for.
    pub role: String,
    /// `sts`, `bts` or `whole`.
    pub sampling: String,
    /// Samples a depth; 1 for `sts`; for `whole`, the steps of a walk.
    pub samples: u32,
    /// The strategy it is played against.
    pub opponent: String,
    /// Of all matches together.
    pub seed: u64,
    /// The names of the role's moves and percepts: another game has others.
    pub moves: Vec<String>,
    /// As `moves`.
    pub percepts: Vec<String>,
}

impl Header {
    /// What a source makes. `opponent`: what its strategy is called.
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

/// Why trajectories were not kept.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file cannot be read or written.
    #[error("cannot read or write {}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// It holds other data.
    #[error("{} holds trajectories of another game, or made with other settings: {what}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What differs.
        what: String,
    },
    /// A line of it is no example.
    #[error("{}, line {line}: this is not a trajectory: {error}", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong with it, in words.
        error: String,
    },
    /// The budget was spent.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

/// Samples trajectories 0 to `count`, keeping those that the file has already, and adding the others to it. Without a
/// file they are kept in memory alone. `progress` is told how many there are.
///
/// # Errors
/// Where the file cannot be used, or the work was stopped; what was sampled until then is in the file.
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
        // What comes after one that is missing is sampled by another run.
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
    /// Reads what is there; a last line that was cut off is cut off altogether.
    fn open(path: &Path, header: &Header) -> Result<Kept, StoreError> {
        let io = |error| StoreError::Io { path: path.to_owned(), error };
        if let Ok(data) = path.metadata() {
            percept_syntax::plain(data.file_type()).map_err(io)?;
        }
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        // Whoever else keeps trajectories there would write over these.
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
                    return Err(broken(format!("number {} stands where {} should", found.index, trajectories.len())));
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

/// Says what differs.
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
