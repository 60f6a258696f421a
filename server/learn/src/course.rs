//! The whole path from a game to a network that guesses: sample, encode, train.

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

/// The settings of the matches, the network and the training.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Plan {
    /// The number of matches to learn from.
    pub trajectories: u64,
    /// The number of additional matches for validation.
    pub validation: u64,
    /// The method that makes examples of the matches.
    pub sampling: Sampling,
    /// The number of units of the network's state.
    pub hidden: usize,
    /// True if the decoder also gets the round that it has to explain.
    pub looks_back: bool,
    /// The settings of the training.
    pub training: Training,
}

/// The opponent in the training matches, with its name.
pub struct Opponent<'a> {
    /// The name of the strategy on the command line.
    pub name: &'a str,
    /// The strategy of the opponent.
    pub strategy: &'a dyn Strategy,
}

/// The game, the guessing role and its opponent.
pub struct Subject<'a> {
    /// The game of the matches.
    pub game: &'a Game,
    /// The name of the game in the file of the network.
    pub title: &'a str,
    /// The role for which the network guesses.
    pub role: RoleId,
    /// The opponent of that role.
    pub opponent: &'a Opponent<'a>,
}

/// A report of progress.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum News {
    /// The number of matches sampled so far.
    Sampled(u64),
    /// An epoch of training is complete.
    Epoch(Epoch),
}

/// The results of learning.
#[derive(Clone, Debug)]
pub struct Course {
    /// The network with its origin.
    pub saved: Saved,
    /// The course of the training.
    pub trained: Trained,
    /// The time of sampling, in seconds.
    pub sampling_s: f64,
    /// The time of training, in seconds.
    pub training_s: f64,
}

/// The reasons why learning fails.
#[derive(Debug, thiserror::Error)]
pub enum CourseError {
    /// The game does not support such a network.
    #[error(transparent)]
    Unfit(#[from] Unfit),
    /// The trajectories cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is nothing to learn; contains the name of the role.
    #[error("the matches show nothing to guess: only {0} ever had a choice")]
    Nothing(String),
}

/// Learns to guess for a role. `keep`: a file for the trajectories.
///
/// # Errors
/// The game is unsuitable, the file cannot be used, or sampling was stopped. If training is stopped, the network
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
