//! The whole way from a game to a network that guesses: sample, encode, train.

use std::path::Path;
use std::time::Instant;

use percept_game::{Game, RoleId};
use percept_infoset::Budget;

use crate::Unfit;
use crate::encode::{Encoding, Pairs};
use crate::file::{Origin, Saved};
use crate::network::{Network, Shape};
use crate::sample::{Example, Sampling, Source, Strategy, pairs};
use crate::store::{self, Header, StoreError};
use crate::train::{Epoch, Trained, Training, train};
use crate::vocabulary::Vocabulary;

/// What to learn from, how much, and how.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Plan {
    /// Matches to learn from.
    pub trajectories: u64,
    /// More of them, to judge by.
    pub validation: u64,
    /// How examples are made of them.
    pub sampling: Sampling,
    /// Units of the network's state.
    pub hidden: usize,
    /// Whether the decoder is shown the round it is to explain.
    pub looks_back: bool,
    /// How it is trained.
    pub training: Training,
}

/// The opponent in the matches that are learned from, and what it is called.
pub struct Opponent<'a> {
    /// As it is asked for.
    pub name: &'a str,
    /// How it moves.
    pub strategy: &'a dyn Strategy,
}

/// Who guesses, in which game, against whom.
pub struct Subject<'a> {
    /// What is played.
    pub game: &'a Game,
    /// What the game is called in the file of the network.
    pub title: &'a str,
    /// Whose network it is.
    pub role: RoleId,
    /// Who plays against it.
    pub opponent: &'a Opponent<'a>,
}

/// How far it has come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum News {
    /// So many matches are sampled.
    Sampled(u64),
    /// An epoch was trained.
    Epoch(Epoch),
}

/// What it came to.
#[derive(Clone, Debug)]
pub struct Course {
    /// The network and where it comes from.
    pub saved: Saved,
    /// How the training went.
    pub trained: Trained,
    /// Seconds of sampling and of training.
    pub sampling_s: f64,
    /// How long it was trained.
    pub training_s: f64,
}

/// Why nothing was learned.
#[derive(Debug, thiserror::Error)]
pub enum CourseError {
    /// The game has no such network.
    #[error(transparent)]
    Unfit(#[from] Unfit),
    /// The data cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is nothing to learn: why.
    #[error("the matches show nothing to guess: nobody but {0} ever had anything to do")]
    Nothing(String),
}

/// Learns to guess for a role. `keep`: a file for the trajectories.
///
/// # Errors
/// Where the game does not fit, the file cannot be used, or sampling was stopped. When training is stopped, what was
/// learned until then is returned.
pub fn learn(
    subject: &Subject<'_>,
    plan: &Plan,
    keep: Option<&Path>,
    budget: &Budget,
    news: &mut dyn FnMut(News),
) -> Result<Course, CourseError> {
    let Subject { game, role, opponent, .. } = *subject;
    let begin = Instant::now();
    let vocabulary = Vocabulary::of(game);
    let encoding = Encoding::new(game, role, &vocabulary, &Pairs::new())?;
    let (strategy, seed) = (opponent.strategy, plan.training.seed);
    let source = Source { game, encoding: &encoding, strategy, sampling: plan.sampling, seed };
    let header = Header::of(&source, opponent.name);
    let count = plan.trajectories + plan.validation;
    let trajectories =
        store::sample(&source, &header, count, keep, budget, &mut |sampled| news(News::Sampled(sampled)))?;
    let sampling_s = begin.elapsed().as_secs_f64();
    let encoding = Encoding::new(game, role, &vocabulary, &pairs(trajectories.iter()))?;
    if encoding.columns.outputs() == 0 {
        return Err(CourseError::Nothing(encoding.columns.role));
    }
    let examples: Vec<Example> = trajectories.iter().map(|it| Example::of(it, &encoding)).collect();
    let (training, validation) = examples.split_at(plan.trajectories as usize);
    let shape = Shape {
        inputs: encoding.columns.inputs(),
        hidden: plan.hidden,
        blocks: encoding.columns.blocks(),
        looks_back: plan.looks_back,
    };
    let network = Network::new(shape, seed);
    let watch = &mut |epoch: &Epoch| news(News::Epoch(*epoch));
    let trained = train(network, training, validation, &plan.training, budget, watch);
    let origin = Origin {
        game: subject.title.into(),
        trajectories: plan.trajectories,
        validation: plan.validation,
        sampling: header.sampling,
        samples: header.samples,
        opponent: header.opponent,
        seed,
        training: Some(plan.training),
        best: Some(trained.best),
    };
    let saved = Saved { columns: encoding.columns, network: trained.network.clone(), origin };
    Ok(Course { saved, trained, sampling_s, training_s: begin.elapsed().as_secs_f64() - sampling_s })
}
