//! # percept-learn: guessing hidden information
//!
//! In: a [`percept_game::Game`] of two roles that choose (chance may move, too) and, for a search, a
//! [`percept_infoset::View`]. Out: trajectories to learn from, a network that guesses the moves of the opponent and
//! chance, and histories found with it. The source is Seitz, Milyukov and Lisy, *Learning to guess opponent's
//! information in large partially observable games* (2021).
//!
//! This crate does not depend on rule languages, editors or commands. It needs only a simulator: the legal moves of a
//! state, the successor of a joint move and its percepts. (The names of all moves and percepts come from the ground
//! rules if there are any, and else from random matches.)
//!
//! ```text
//! game ── vocabulary ── encoding ──────────────┐
//! └── sample (STS, BTS, whole) ── store (JSONL) ── train ── network ── file (safetensors)
//! view ── hrs, ordered at random, as given, or by the network (NISG) ── members, re-simulated
//! ```
//!
//! ## Reasons for a separate implementation of networks
//! The paper's network is two LSTMs and a linear layer. A framework adds automatic differentiation for every other
//! shape of network, at the price of its build: candle is 155 crates and took 0.2 s for a training step of 32 sequences
//! of 15 rounds with 128 hidden units; burn did not finish building in seven minutes. [`lstm`] and [`network`] are some
//! 300 lines over `ndarray`, whose gradients a test compares with finite differences. Two savings go beyond those of a
//! framework: one-hot inputs are sums of rows, and all prefixes of a match share one encoder.
//!
//! ## Where a change belongs
//!
//! | to | go to |
//! | --- | --- |
//! | change the input of a network, or its guesses | `encode.rs`; `network.rs` (its shape, forward and backward passes), `train.rs` |
//! | sample other trajectories, search in another order | `sample.rs`, `hrs.rs` |

#![warn(missing_docs, unreachable_pub)]

pub mod calibration;
pub mod course;
pub mod encode;
pub mod file;
pub mod hrs;
pub mod lstm;
pub mod network;
pub mod nisg;
pub mod resample;
pub mod retrace;
pub mod sample;
pub mod store;
pub mod train;
pub mod vocabulary;

/// The reasons why a game cannot be learned.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unfit {
    /// The game does not have two roles that choose; holds their number.
    #[error("guessing hidden information needs two roles that choose; this game has {0}")]
    Roles(usize),
    /// The role is chance.
    #[error("`{0}` is the role of chance: it has nothing to guess")]
    Chance(String),
}

/// The opponent of a role, in a game of two roles that choose.
///
/// # Errors
/// The game has more or fewer such roles, or `role` is chance.
pub fn opponent(game: &percept_game::Game, role: percept_game::RoleId) -> Result<percept_game::RoleId, Unfit> {
    let choosers: Vec<_> = game.role_ids().filter(|it| !game.roles[it.0 as usize].is_chance).collect();
    if choosers.len() != 2 {
        return Err(Unfit::Roles(choosers.len()));
    }
    let other = choosers.iter().find(|&&it| it != role).copied();
    match other {
        Some(other) if choosers.contains(&role) => Ok(other),
        _ => Err(Unfit::Chance(game.roles.get(role.0 as usize).map_or(String::new(), |it| it.name.clone()))),
    }
}
