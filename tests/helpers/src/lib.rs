//! # percept-test: what the tests of several crates need
//!
//! Files of the project and of the folders that variables name ([`mod@files`], [`needs`]), games of texts and of the library
//! ([`mod@games`]), matches on them ([`mod@matches`]), the published POGDDL games and their experiment ([`published`]), pages of rule books
//! ([`pages`]), a naive reader of POGDDL ([`naive`]), and forged files ([`mod@mutants`]).
//!
//! A test that needs something from outside or long time is ignored, and stands in a module that is named by its need:
//!
//! | module | what it needs |
//! | --- | --- |
//! | `corpus` | published games, in the folder `PERCEPT_CORPUS` |
//! | `oracle` | tables of known truths, in `PERCEPT_ORACLE`, and mostly the published games, too |
//! | `seeds` | the papers, in `PERCEPT_SEEDS` |
//! | `pddl` | published PDDL of every kind, in `PERCEPT_PDDL` |
//! | `ggp` | other people's players and managers, in `PERCEPT_GGP`, and Java |
//! | `python` | a Python with PyTorch or JAX (`PERCEPT_PYTHON`) |
//! | `heavy` | minutes |
//! | `long` | a quarter of an hour and more, and the published games |
//!
//! `cargo test --workspace -- --ignored corpus:: heavy::` runs those. Tests that do more where `PERCEPT_HEAVY=1` ask
//! [`is_heavy`].
//!
//! Unit tests within `percept-syntax` and `percept-game` see these two crates twice, once as built for tests and once as this
//! crate has them: there only what speaks of paths and texts is of use.

pub mod files;
pub mod games;
pub mod matches;
pub mod mutants;
pub mod naive;
pub mod needs;
pub mod pages;
pub mod published;

pub use files::{entries, file_name, files, games, lossy, path, read, root, source};
pub use games::{description, game, gdl, pogddl};
pub use mutants::mutants;
pub use needs::{cases, folder, is_heavy, more};
