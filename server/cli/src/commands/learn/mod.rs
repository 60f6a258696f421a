//! `percept learn`: a network that guesses the opponent's hidden moves.

mod opponent;

use std::path::Path;

use percept_game::RoleId;
use percept_learn::course::{Course, CourseError, News, Opponent, Plan, Subject, learn};
use percept_learn::file;
use percept_learn::sample::Sampling;
use percept_learn::store::StoreError;
use percept_learn::train::{Epoch, Training};
use serde::Serialize;

use crate::args::{Format, Learn};
use crate::failure::{Failure, OK, OPEN, Outcome};
use crate::load::{Loaded, Loader, title};
use crate::output;
use crate::work::Work;

#[derive(Serialize)]
struct Answer<'a> {
    role: &'a str,
    trajectories: u64,
    validation: u64,
    sampling: &'a str,
    samples: u32,
    /// The numbers of inputs and outputs of the network, and of its parameters.
    inputs: usize,
    outputs: usize,
    weights: usize,
    best: Epoch,
    epochs: &'a [Epoch],
    /// The reason why training ended early, other than lack of progress.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
    sampling_s: f64,
    training_s: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_bytes: Option<u64>,
}

pub(crate) fn run(args: &Learn) -> Outcome {
    let work = Work::begin(args.work.time);
    let loaded = Loader::new(&args.game, &work).load()?.warned();
    let role = role(&loaded, args.role.as_deref())?;
    writable(&args.out)?;
    let title = title(&args.game.game);
    let (name, strategy) = opponent::of(&args.opponent, &loaded.game, args.simulations, args.single)?;
    let opponent = Opponent { name: &name, strategy: &*strategy };
    let subject = Subject { game: &loaded.game, title: &title, role, opponent: &opponent };
    let human = args.format == Format::Human;
    let total = plan(args).trajectories + plan(args).validation;
    let mut news = |news: News| match news {
        News::Sampled(sampled) => work.say(format!("{sampled} of {total} matches sampled")),
        News::Epoch(epoch) => {
            work.say(format!("epoch {}: validation loss {:.5}", epoch.epoch, epoch.validation));
            if human {
                work.suspend(|| output::println(&line(&epoch)));
            }
        }
    };
    let course = learn(&subject, &plan(args), args.keep.as_deref(), &work.budget(), &mut news).map_err(failure)?;
    drop(work);
    loaded.sound()?;
    file::write(&args.out, &course.saved).map_err(|error| Failure::new(error.to_string()))?;
    let answer = answer(&course);
    match args.format {
        Format::Json => output::json("learn", &answer),
        Format::Human => output::println(&answer_text(&answer, &args.out)),
    }
    Ok(if course.trained.stopped.is_some() { OPEN } else { OK })
}

/// The role that guesses: the one named, or the first that chooses.
fn role(loaded: &Loaded, name: Option<&str>) -> Result<RoleId, Failure> {
    let game = &loaded.game;
    let role = match name {
        Some(name) => loaded.role(name)?,
        None => game.role_ids().find(|role| !game.roles[role.0 as usize].is_chance).unwrap_or(RoleId(0)),
    };
    percept_learn::opponent(game, role).map_err(|error| Failure::new(error.to_string()))?;
    Ok(role)
}

/// An unwritable file is reported before the work.
fn writable(path: &Path) -> Result<(), Failure> {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match folder.is_dir() && !path.is_dir() {
        true => Ok(()),
        false => Err(Failure::new(format!("cannot write {}: not a file in a folder that exists", path.display()))),
    }
}

fn plan(args: &Learn) -> Plan {
    Plan {
        trajectories: args.trajectories,
        validation: args.validation.unwrap_or(args.trajectories.div_ceil(10)),
        sampling: match () {
            () if args.single => Sampling::Single,
            () if args.paper => Sampling::Batch { samples: args.samples },
            () => Sampling::Whole { samples: args.samples },
        },
        hidden: args.hidden.into(),
        looks_back: !args.paper,
        training: Training {
            epochs: args.epochs,
            patience: args.patience,
            batch: args.batch.into(),
            rate: args.rate,
            seed: args.work.seed,
            ..Training::default()
        },
    }
}

fn failure(error: CourseError) -> Failure {
    match error {
        CourseError::Store(StoreError::Stopped(stop)) => Failure::open(format!("no network was trained: {stop}"))
            .note("with --keep FILE, the matches sampled so far are kept for the next run"),
        error => Failure::new(error.to_string()),
    }
}

fn answer(course: &Course) -> Answer<'_> {
    let shape = &course.saved.network.shape;
    let origin = &course.saved.origin;
    Answer {
        role: &course.saved.columns.role,
        trajectories: origin.trajectories,
        validation: origin.validation,
        sampling: &origin.sampling,
        samples: origin.samples,
        inputs: shape.inputs,
        outputs: shape.outputs(),
        weights: course.saved.network.weights.parts.iter().map(|part| part.len()).sum(),
        best: course.trained.best,
        epochs: &course.trained.epochs,
        stopped: course.trained.stopped.map(|it| it.to_string()),
        sampling_s: course.sampling_s,
        training_s: course.training_s,
        peak_bytes: crate::limits::peak(),
    }
}

fn line(epoch: &Epoch) -> String {
    let Epoch { epoch, training, validation } = epoch;
    format!("epoch {epoch:>3}: training loss {training:.6}, validation loss {validation:.6}")
}

fn answer_text(answer: &Answer<'_>, path: &Path) -> String {
    let mut lines = vec![
        format!(
            "{}: {} matches and {} for validation, sampled in {:.1} s; {} epochs in {:.1} s",
            answer.role,
            answer.trajectories,
            answer.validation,
            answer.sampling_s,
            answer.epochs.len() - 1,
            answer.training_s
        ),
        format!(
            "best after epoch {}: training loss {:.6}, validation loss {:.6}",
            answer.best.epoch, answer.best.training, answer.best.validation
        ),
        format!(
            "{}: {} weights; a round is {} columns, a guess {}",
            path.display(),
            answer.weights,
            answer.inputs,
            answer.outputs
        ),
    ];
    if let Some(stopped) = &answer.stopped {
        lines.push(format!("ended early: {stopped}"));
    }
    lines.join("\n")
}
