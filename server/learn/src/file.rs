//! Files of networks: safetensors, with the names of all columns and the origin of the network in the header.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use ndarray::Array2;
use safetensors::SafeTensorError;
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};

use crate::encode::{Columns, Deed};
use crate::network::{NAMES, Network, Shape, Weights};
use crate::train::{Epoch, Training};

/// The largest size of a file, in bytes.
pub const MAX_BYTES: u64 = 1 << 30;
/// The largest width of a layer.
const MOST_UNITS: usize = 1 << 14;

/// The training of a network.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Origin {
    /// The name of the game.
    pub game: String,
    /// The number of training matches.
    pub trajectories: u64,
    /// The number of validation matches.
    pub validation: u64,
    /// The sampling method: `sts`, `bts` or `whole`.
    pub sampling: String,
    /// The number of samples per depth; 1 for `sts`.
    pub samples: u32,
    /// The strategy of the opponent in the training matches.
    pub opponent: String,
    /// The seed of the training matches.
    pub seed: u64,
    /// The settings of the training; `None` for an untrained network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub training: Option<Training>,
    /// The epoch of these weights; `None` for an untrained network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<Epoch>,
}

/// A network with all data needed to use it.
#[derive(Clone, PartialEq, Debug)]
pub struct Saved {
    /// The meaning of the inputs and outputs.
    pub columns: Columns,
    /// The network with its weights.
    pub network: Network<f32>,
    /// The origin of the weights.
    pub origin: Origin,
}

/// The reasons why a file cannot be used as a network.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// The path of the file.
        path: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write {}: {error}", path.display())]
    Write {
        /// The path of the file.
        path: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The file is not a network.
    #[error("{} is not a network that `percept learn` wrote: {what}", path.display())]
    Broken {
        /// The path of the file.
        path: PathBuf,
        /// The problem with its content.
        what: FormatError,
    },
}

/// The reasons why bytes are not a network.
#[derive(Debug, thiserror::Error)]
pub enum FormatError {
    /// The file is too large.
    #[error("it is larger than {} MB", MAX_BYTES >> 20)]
    Size,
    /// The bytes are not tensors.
    #[error(transparent)]
    Tensors(#[from] SafeTensorError),
    /// The tensors are those of another program.
    #[error("its header does not name a game")]
    Foreign,
    /// The header is not valid JSON of this program.
    #[error("its header: {0}")]
    Header(#[from] serde_json::Error),
    /// The file was written by another version of this program.
    #[error("it is of version {0}; this program reads version 1")]
    Version(u32),
    /// The number of hidden units is zero or too large.
    #[error("{0} hidden units")]
    Units(usize),
    /// One of the tensors does not match the header.
    #[error("{name}{what}")]
    Part {
        /// The name of the tensor.
        name: &'static str,
        /// The problem with the tensor, such as ` holds numbers that are not finite`.
        what: String,
    },
}

type Pair = (String, Vec<String>);

/// The header: one entry, so that the same network is the same file.
#[derive(Serialize, Deserialize)]
struct Header {
    version: u32,
    role: String,
    moves: Vec<String>,
    percepts: Vec<String>,
    /// For each other role, its moves with its private percepts.
    others: Vec<(String, Vec<Pair>)>,
    hidden: usize,
    looks_back: bool,
    origin: Origin,
}

const ENTRY: &str = "percept-network";

/// Writes a network; an existing file is intact until the new one is complete.
///
/// # Errors
/// The file cannot be written.
pub fn write(path: &Path, saved: &Saved) -> Result<(), FileError> {
    let io = |error| FileError::Write { path: path.to_owned(), error };
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".part");
    std::fs::write(&temporary, to_bytes(saved)).map_err(io)?;
    std::fs::rename(&temporary, path).map_err(io)
}

/// Serializes a network to the bytes of a file.
pub fn to_bytes(saved: &Saved) -> Vec<u8> {
    let columns = &saved.columns;
    let deeds = |deeds: &Vec<Deed>| deeds.iter().map(|it| (it.mv.clone(), it.percepts.clone())).collect();
    let header = Header {
        version: 1,
        role: columns.role.clone(),
        moves: columns.moves.clone(),
        percepts: columns.percepts.clone(),
        others: columns.others.iter().map(|(name, it)| (name.clone(), deeds(it))).collect(),
        hidden: saved.network.shape.hidden,
        looks_back: saved.network.shape.looks_back,
        origin: saved.origin.clone(),
    };
    let header = serde_json::to_string(&header).expect("a structure with string keys and finite numbers");
    let bytes: Vec<Vec<u8>> =
        saved.network.weights.parts.iter().map(|part| part.iter().flat_map(|it| it.to_le_bytes()).collect()).collect();
    let views = NAMES.iter().zip(&saved.network.weights.parts).zip(&bytes).map(|((name, part), bytes)| {
        let view = TensorView::new(Dtype::F32, vec![part.nrows(), part.ncols()], bytes);
        (*name, view.expect("as many bytes as numbers"))
    });
    let entry = HashMap::from([(ENTRY.to_string(), header)]);
    safetensors::serialize(views.collect::<Vec<_>>(), Some(entry)).expect("distinct names, a header of text")
}

/// Reads a network.
///
/// # Errors
/// The file does not exist or was not written by this program.
pub fn read(path: &Path) -> Result<Saved, FileError> {
    let io = |error| FileError::Read { path: path.to_owned(), error };
    let broken = |what| FileError::Broken { path: path.to_owned(), what };
    let bytes = percept_syntax::read(path, MAX_BYTES as usize).map_err(io)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(broken(FormatError::Size));
    }
    from_bytes(&bytes).map_err(broken)
}

/// Reads a network from the bytes of a file.
///
/// # Errors
/// The problem with the bytes.
pub fn from_bytes(bytes: &[u8]) -> Result<Saved, FormatError> {
    let (_, metadata) = SafeTensors::read_metadata(bytes)?;
    let entry = metadata.metadata().as_ref().and_then(|it| it.get(ENTRY)).ok_or(FormatError::Foreign)?;
    let header: Header = serde_json::from_str(entry)?;
    if header.version != 1 {
        return Err(FormatError::Version(header.version));
    }
    if !(1..=MOST_UNITS).contains(&header.hidden) {
        return Err(FormatError::Units(header.hidden));
    }
    let deeds = |deeds: Vec<Pair>| deeds.into_iter().map(|(mv, percepts)| Deed { mv, percepts }).collect();
    let columns = Columns {
        role: header.role,
        moves: header.moves,
        percepts: header.percepts,
        others: header.others.into_iter().map(|(name, it)| (name, deeds(it))).collect(),
    };
    let shape = Shape {
        inputs: columns.inputs(),
        hidden: header.hidden,
        blocks: columns.blocks(),
        looks_back: header.looks_back,
    };
    let tensors = SafeTensors::deserialize(bytes)?;
    let part = |(&name, size): (&&'static str, (usize, usize))| {
        let wrong = |what| FormatError::Part { name, what };
        let view = tensors.tensor(name).map_err(|error| wrong(format!(": {error}")))?;
        if view.dtype() != Dtype::F32 || view.shape() != [size.0, size.1] {
            let (shape, kind) = (view.shape(), view.dtype());
            return Err(wrong(format!(" is {shape:?} of {kind:?}, not {} x {} of F32", size.0, size.1)));
        }
        let numbers = view.data().chunks_exact(4).map(|it| f32::from_le_bytes([it[0], it[1], it[2], it[3]]));
        let numbers: Vec<f32> = numbers.collect();
        if numbers.iter().any(|it| !it.is_finite()) {
            return Err(wrong(" holds numbers that are not finite".to_owned()));
        }
        Array2::from_shape_vec(size, numbers).map_err(|error| wrong(format!(": {error}")))
    };
    let parts: Result<Vec<_>, FormatError> = NAMES.iter().zip(shape.sizes()).map(part).collect();
    Ok(Saved { columns, network: Network { shape, weights: Weights { parts: parts? } }, origin: header.origin })
}
