//! Why some questions have the answer no, as it stands in a certificate.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::solver::steps;

/// Bytes that a proof may unpack to.
const LARGEST: usize = 1 << 30;

/// How hard to pack.
const LEVEL: u8 = 5;

/// Why some questions, one after the other, have the answer no: a proof with hints ([`crate::solver`]). In a file it is
/// packed (deflate) and written in letters (base64).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Refutation(pub Arc<[u8]>);

/// Why a text is no packed proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a proof cannot be unpacked")]
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
    /// The proof in words, a line for each clause ([`crate::solver`] tells how); `None` where it is none.
    pub fn text(&self) -> Option<String> {
        steps::text(&self.0)
    }

    /// What [`Refutation::text`] wrote; `None` where some line is no line of a proof.
    pub fn from_text(text: &str) -> Option<Refutation> {
        Some(Refutation(steps::bytes(text)?.into()))
    }
}
