//! # percept-test: shared code of the tests of several crates
//!
//! Files of the project and of the folders in environment variables ([`mod@files`], [`needs`]), games of texts and of
//! the library ([`mod@games`]), matches on them ([`mod@matches`]), the published POGDDL games and their experiment
//! ([`published`]), pages of rule books ([`pages`]), a naive reader of POGDDL ([`naive`]), searches that do not end
//! ([`hopeless`]), and forged files ([`mod@mutants`]).
//!
//! A test that needs external files, other programs or much time is ignored, and is in a module with the name of its
//! need:
//!
//! | module | need |
//! | --- | --- |
//! | `corpus` | published games, in the folder `PERCEPT_CORPUS` |
//! | `oracle` | tables of known truths, in `PERCEPT_ORACLE`, and usually the published games, too |
//! | `seeds` | the papers, in `PERCEPT_SEEDS` |
//! | `pddl` | published PDDL of every kind, in `PERCEPT_PDDL` |
//! | `ggp` | other people's players and managers, in `PERCEPT_GGP`, and Java |
//! | `python` | a Python with PyTorch or JAX (`PERCEPT_PYTHON`) |
//! | `heavy` | minutes |
//! | `long` | a quarter of an hour and more, and the published games |
//!
//! `cargo test --workspace -- --ignored corpus:: heavy::` runs those. Tests that do more if `PERCEPT_HEAVY=1` check
//! [`is_heavy`].
//!
//! Unit tests within `percept-syntax` and `percept-game` see these two crates twice, once as built for tests and once
//! as a dependency of this crate: they can use only the functions on paths and texts.

pub mod files;
pub mod games;
pub mod hopeless;
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
