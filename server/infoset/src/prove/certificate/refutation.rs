//! Refutations: the recorded reasons why some questions have the answer no.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::solver::steps;

/// The most bytes that a proof may unpack to.
const LARGEST: usize = 1 << 30;

/// The compression level.
const LEVEL: u8 = 5;

/// The reasons why some questions, one after the other, have the answer no: a proof with hints ([`crate::solver`]). In
/// a file it is compressed (deflate) and encoded as text (base64).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Refutation(pub Arc<[u8]>);

/// The error that a text is not a packed proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the proof is not packed as in a certificate")]
pub struct Packed;

impl TryFrom<String> for Refutation {
    type Error = Packed;

    fn try_from(text: String) -> Result<Refutation, Packed> {
        let packed = STANDARD.decode(text).map_err(|_| Packed)?;
        let bytes = miniz_oxide::inflate::decompress_to_vec_with_limit(&packed, LARGEST).map_err(|_| Packed)?;
        Ok(Refutation(bytes.into()))
    }
}

impl From<Refutation> for String {
    fn from(refutation: Refutation) -> String {
        STANDARD.encode(miniz_oxide::deflate::compress_to_vec(&refutation.0, LEVEL))
    }
}

impl Refutation {
    /// The proof in words, one line for each clause (see [`crate::solver`]); `None` if it is not a proof.
    pub fn text(&self) -> Option<String> {
        steps::text(&self.0)
    }

    /// Reads the output of [`Refutation::text`]; `None` if some line is not a line of a proof.
    pub fn from_text(text: &str) -> Option<Refutation> {
        Some(Refutation(steps::bytes(text)?.into()))
    }
}
