//! The match a command is about.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use percept_game::NoSuchRole;
use percept_game::stepper::{ReplayEnd, Stepper};
use percept_infoset::{Budget, Progress, Property};
use percept_report::{editor, replay, words};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tower_lsp::lsp_types::Url;

use crate::games::{self, Loaded, Refusal};
use crate::outbox::Reporter;
use crate::place::{Answer, Failure, Place};
use crate::snapshot::Kind;
use crate::verdicts::{Note, Verdict};

/// The time between two signs of life.
const PACE: Duration = Duration::from_millis(100);

/// The game and the history of a command.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct About {
    pub uri: Url,
    /// The moves of all roles by name, for each round.
    #[serde(default)]
    pub history: Option<Vec<Vec<String>>>,
    /// The number of rounds played; the end if absent.
    #[serde(default)]
    pub at: Option<usize>,
}

impl About {
    /// A query about the same game, independent of the current match.
    pub(super) fn at_the_start(self) -> About {
        About { history: Some(Vec::new()), at: None, ..self }
    }
}

/// A match replayed on the current rules.
pub(super) struct Match {
    pub loaded: Loaded,
    pub stepper: Stepper,
    /// The round at which the replay of the history ended early, and the reason.
    pub ended: Option<ReplayEnd>,
}

/// The reason why a command has no answer of its own.
pub(super) enum Instead {
    /// The text is not a game, or a rule exceeded a limit.
    Refused(Vec<editor::Refusal>),
    /// A failure for the client.
    Failed(Failure),
}

impl Instead {
    /// The answer to the client.
    pub(super) fn answer(self) -> Answer<Value> {
        match self {
            Instead::Refused(refusals) => Ok(json!({ "version": 1, "refusals": refusals })),
            Instead::Failed(failure) => Err(failure),
        }
    }
}

impl From<Failure> for Instead {
    fn from(failure: Failure) -> Instead {
        Instead::Failed(failure)
    }
}

impl From<NoSuchRole> for Instead {
    fn from(error: NoSuchRole) -> Instead {
        Instead::Failed(error.into())
    }
}

impl From<String> for Instead {
    fn from(message: String) -> Instead {
        Instead::Failed(message.into())
    }
}

/// Answers a query about a match replayed on the current rules. A rule that exceeds a limit meanwhile, or an edit of
/// the text, replaces the answer by a refusal.
pub(super) fn on(place: &Place, about: &About, answer: impl FnOnce(&Match) -> Result<Value, Instead>) -> Answer<Value> {
    let it = match replay(place, about) {
        Ok(it) => it,
        Err(instead) => return instead.answer(),
    };
    let given = answer(&it);
    place.check()?;
    sound(place, &it.loaded).and(given).or_else(Instead::answer)
}

/// Like [`on`], for long work with a time limit in seconds; shows its progress under `title`.
pub(super) fn work(
    place: &Place,
    about: &About,
    title: &str,
    seconds: Option<f64>,
    answer: impl FnOnce(&Match, &Budget) -> Result<Value, Instead>,
) -> Answer<Value> {
    on(place, about, |it| answer(it, &budget(place, it, title, seconds)))
}

/// Loads the game and replays the history.
///
/// # Errors
/// The refusal of a text that is not a game.
pub(super) fn replay(place: &Place, about: &About) -> Result<Match, Instead> {
    let loaded = load(place, &about.uri)?;
    let rounds = match &about.history {
        Some(_) => Vec::new(),
        None => {
            let file = games::file(&place.snapshot, &about.uri).filter(|file| file.kind() == Kind::Trace);
            let rounds = file.map(|file| games::read_trace(&loaded.game, &file)).transpose();
            rounds.map_err(|refusal| refused(place, &[refusal]))?.unwrap_or_default()
        }
    };
    let (mut stepper, ended) = replay::replay(&loaded.game, about.history.as_deref().unwrap_or_default(), about.at);
    if about.history.is_none() {
        for joint in rounds {
            let _ = stepper.play(joint);
        }
        stepper.jump(about.at.unwrap_or(usize::MAX));
    }
    // The view of this place is computed now, so that it is known to be complete.
    let _ = stepper.view();
    sound(place, &loaded)?;
    Ok(Match { loaded, stepper, ended })
}

/// Loads the game that a document is, or is a match of.
///
/// # Errors
/// The refusal of a text that is not a game.
pub(super) fn load(place: &Place, uri: &Url) -> Result<Loaded, Instead> {
    place.shared.load(&place.snapshot, uri).map_err(|refusals| refused(place, &refusals))
}

/// The answer, unless the rules exceeded a limit meanwhile: then the result that reports it.
pub(super) fn whole(place: &Place, it: &Match, answer: impl FnOnce() -> Value) -> Answer<Value> {
    sound(place, &it.loaded).map(|()| answer()).or_else(Instead::answer)
}

/// An answer with the version of its form.
pub(super) fn versioned(version: u32, answer: &impl Serialize) -> Value {
    let mut value = json!(answer);
    value["version"] = json!(version);
    value
}

/// Checks that every answer of the rules so far was complete.
///
/// # Errors
/// The rule whose evaluation exceeded a limit.
pub(super) fn sound(place: &Place, loaded: &Loaded) -> Result<(), Instead> {
    let Some(error) = loaded.game.rules.fault() else { return Ok(()) };
    let file = loaded.files.get(usize::from(error.in_problem)).or(loaded.files.first());
    let at = file.map(|file| (file.clone(), error.range));
    Err(refused(place, &[Refusal { message: error.message, place: at }]))
}

/// The reason why a command has no game to work on.
pub(super) fn refused(place: &Place, refusals: &[Refusal]) -> Instead {
    let encoding = place.snapshot.encoding();
    let refusal = |it: &Refusal| editor::Refusal {
        message: it.message.clone(),
        location: it.place.as_ref().map(|(file, range)| file.place(*range, encoding)),
    };
    Instead::Refused(refusals.iter().map(refusal).collect())
}

/// Ends a command that judged the knowledge of roles: returns the verdicts, and keeps them at the rules as `notes`
/// until one of the game's texts changes.
pub(super) fn judged<T>(place: &Place, loaded: &Loaded, verdicts: T, notes: Vec<Note>) -> Result<T, Instead> {
    sound(place, loaded)?;
    place.shared.remember_verdict(Verdict::new(loaded.files.clone(), notes));
    place.state.look_again();
    Ok(verdicts)
}

/// Limits of long work on a match: the request's token, which an edit of the game also fires, and a time in seconds.
/// Shows the progress until the result is dropped.
pub(super) fn budget(place: &Place, about: &Match, title: &str, seconds: Option<f64>) -> Budget {
    place.rest_on(&about.loaded.files);
    let seconds = seconds.unwrap_or(10.0).clamp(0.01, 600.0);
    Budget {
        cancel: Some(place.token.flag()),
        deadline: Some(Instant::now() + Duration::from_secs_f64(seconds)),
        progress: Some(listener(reporter(place, title))),
        ..Budget::default()
    }
}

/// Shows the progress of long work, under the client's name for it or the server's own.
pub(super) fn reporter(place: &Place, title: &str) -> Reporter {
    let offered = place.snapshot.session.client.progress;
    place.outbox.progress(title, place.progress.clone(), offered, &place.live, &place.token)
}

/// Forwards progress, but no faster than a person can read.
fn listener(reporter: Reporter) -> Arc<dyn Fn(&Progress) + Send + Sync> {
    let last = Mutex::new(None::<Instant>);
    Arc::new(move |step: &Progress| {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_some_and(|last| last.elapsed() < PACE) {
            return;
        }
        *last = Some(Instant::now());
        let part = step.total.filter(|&total| total > 0);
        let percentage = part.map(|total| (step.done.min(total) * 100 / total) as u32);
        reporter.say(words::progress(step), percentage);
    })
}

/// The property of this name.
///
/// # Errors
/// If no property has this name. The message lists the properties.
pub(super) fn property(name: &str) -> Result<Property, String> {
    Property::named(name).ok_or_else(|| format!("there is no property `{name}`: legal, terminal, goal or own"))
}
