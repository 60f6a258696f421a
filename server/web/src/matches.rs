//! A match: stepped through, shown from a role's point of view, played against others.

use std::time::{Duration, Instant};

use percept_game::stepper::{ReplayEnd, Stepper};
use percept_game::{Game, MoveId, RoleId};
use percept_infoset::{AdviseOptions, Budget, Options, Wanted};
use percept_report::belief::{Effort, Worlds};
use percept_report::members::Members;
use percept_report::scene::Scene;
use percept_report::seat::Seat;
use percept_report::{names, pair, replay};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::desk::{Desk, Playable, Texts};

/// The time limit of a seat, in seconds.
const SEAT: f64 = 0.6;
/// The time limit of the proof that one move is legal, in seconds.
const PROOF: f64 = 3.0;
/// The thinking time of each of the others, in seconds.
const THINK: f64 = 0.5;
/// The draws of a quick picture of beliefs.
const DRAWS: usize = 400;
/// The default number of listed members.
const LISTED: usize = 60;

/// A place in a match.
#[derive(Deserialize)]
pub struct About {
    #[serde(flatten)]
    pub texts: Texts,
    /// The moves of all roles in each round, by name.
    #[serde(default)]
    pub history: Vec<Vec<String>>,
    /// The number of rounds; the end if absent.
    #[serde(default)]
    pub at: Option<usize>,
}

/// The way in which roles without a given move choose theirs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Others {
    #[default]
    Random,
    /// They choose by samples of their information sets, as `percept advise` does.
    Think,
}

/// Requests the state of a match, or of the same match after one more round.
#[derive(Deserialize)]
pub struct Step {
    #[serde(flatten)]
    about: About,
    /// The moves of one more round, one per role by name; `null` for roles without a given move.
    #[serde(default)]
    choose: Option<Vec<Option<String>>>,
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    others: Others,
    /// The role whose point of view is shown.
    #[serde(default)]
    role: Option<String>,
}

/// A match replayed.
pub struct Match {
    pub playable: Playable,
    pub stepper: Stepper,
    /// The round and reason at which the history no longer fits the rules.
    ended: Option<ReplayEnd>,
}

impl Match {
    pub fn game(&self) -> &Game {
        &self.playable.game
    }
}

/// Replays a match on the current rules.
///
/// # Errors
/// The answer to send instead.
pub fn replay(desk: &mut Desk, about: About) -> Result<Match, Value> {
    let playable = desk.spread(about.texts).game()?;
    let (stepper, ended) = replay::replay(&playable.game, &about.history, about.at);
    Ok(Match { playable, stepper, ended })
}

/// The role of this name.
pub fn role(game: &Game, name: &str) -> Result<RoleId, String> {
    game.role_named(name).map_err(|error| error.to_string())
}

pub fn within(seconds: f64) -> Budget {
    let time = Duration::from_secs_f64(seconds.clamp(0.01, 600.0));
    Budget { deadline: Some(Instant::now() + time), ..Budget::default() }
}

fn worlds(it: &Match, role: RoleId) -> Result<Worlds, String> {
    let view = replay::view(&it.stepper, role, it.stepper.at());
    Worlds::of(it.game(), &view, &Effort::default(), &within(SEAT)).map_err(|error| error.to_string())
}

pub fn step(desk: &mut Desk, request: Step) -> Result<Value, String> {
    let mut it = match replay(desk, request.about) {
        Ok(it) => it,
        Err(instead) => return Ok(instead),
    };
    let seat = request.role.as_deref().map(|name| role(it.game(), name)).transpose()?;
    if let Some(names) = request.choose {
        let mut moves = replay::chosen(it.game(), &names).map_err(|error| error.to_string())?;
        let mut rng = replay::random(request.seed, it.stepper.at());
        if let Some(role) = seat {
            let view = replay::view(&it.stepper, role, it.stepper.at());
            let is_legal = |mv| replay::is_known_legal(it.game(), &view, mv, &within(PROOF));
            let own = replay::own_move(it.game(), &worlds(&it, role)?, moves[role.0 as usize], is_legal, &mut rng)?;
            moves = vec![None; it.game().roles.len()];
            moves[role.0 as usize] = Some(own);
        }
        if request.others == Others::Think {
            think(&it, &mut moves, request.seed);
        }
        it.stepper.play_random(&moves, &mut rng).map_err(|error| error.to_string())?;
    }
    let mut answer = match seat {
        Some(role) => {
            let worlds = worlds(&it, role)?;
            let view = replay::view(&it.stepper, role, it.stepper.at());
            json!({ "seat": Seat::in_worlds(it.game(), &it.playable.layout, &view, &worlds) })
        }
        None => {
            let scene = Scene::of(&it.stepper, &it.playable.layout).factored(it.game(), it.playable.factored());
            json!({ "view": scene })
        }
    };
    answer["sequential"] = it.game().is_sequential.into();
    answer["roles"] =
        it.game().roles.iter().map(|role| json!({ "name": role.name, "chance": role.is_chance })).collect();
    // A player must not look at it, but the page needs it to continue from here.
    answer["moves"] = json!(names::history(it.game(), &it.stepper.joints()));
    answer["ended"] = json!(it.ended);
    if let (Some(_), Some(ended)) = (seat, answer["ended"].as_object_mut()) {
        ended.insert("why".to_string(), json!(replay::ILLEGAL_MOVE));
    }
    Ok(answer)
}

/// Chooses the moves of roles without a given one, each from its own knowledge. A role without a result moves at
/// random.
fn think(it: &Match, moves: &mut [Option<MoveId>], seed: u64) {
    let options = AdviseOptions { samples: 40, playouts: 4, opponent_decisions: 0, seed, ..AdviseOptions::default() };
    for role in it.game().role_ids() {
        let place = role.0 as usize;
        let legal = it.stepper.legal(role);
        if moves[place].is_some() || it.game().roles[place].is_chance || legal.len() < 2 {
            continue;
        }
        let view = replay::view(&it.stepper, role, it.stepper.at());
        if let Ok(advice) = percept_infoset::advise(it.game(), &view, &options, &within(THINK)) {
            moves[place] = advice.moves.iter().map(|it| it.mv).find(|mv| legal.contains(mv));
        }
    }
}

/// Requests the information set of a role.
#[derive(Deserialize)]
pub struct Infoset {
    #[serde(flatten)]
    about: About,
    role: String,
    #[serde(default)]
    limit: Option<usize>,
    #[serde(default)]
    seconds: Option<f64>,
}

pub fn infoset(desk: &mut Desk, request: Infoset) -> Result<Value, String> {
    let it = match replay(desk, request.about) {
        Ok(it) => it,
        Err(instead) => return Ok(instead),
    };
    let role = role(it.game(), &request.role)?;
    let view = replay::view(&it.stepper, role, it.stepper.at());
    let limit = request.limit.unwrap_or(LISTED).min(10_000);
    let options = Options { wanted: Wanted::All, limit, ..Options::default() };
    let report = percept_infoset::infoset(it.game(), &view, &options, &within(request.seconds.unwrap_or(10.0)));
    let report = report.map_err(|error| format!("no member was found: {error}"))?;
    Ok(json!(Members::of(it.game(), &it.playable.layout, &view, &report)))
}

/// Requests the beliefs of a role: a quick picture, or as good as a time in seconds allows.
#[derive(Deserialize)]
pub struct Beliefs {
    #[serde(flatten)]
    about: About,
    role: String,
    #[serde(default)]
    seconds: Option<f64>,
}

pub fn beliefs(desk: &mut Desk, request: Beliefs) -> Result<Value, String> {
    let it = match replay(desk, request.about) {
        Ok(it) => it,
        Err(instead) => return Ok(instead),
    };
    let role = role(it.game(), &request.role)?;
    let view = replay::view(&it.stepper, role, it.stepper.at());
    let effort = request.seconds.map_or_else(|| Effort::soon(DRAWS), |_| Effort::default());
    let worlds = Worlds::of(it.game(), &view, &effort, &within(request.seconds.unwrap_or(SEAT)));
    Ok(json!(worlds.map_err(|error| error.to_string())?.pictured(it.game(), &it.playable.layout)))
}

/// Requests two histories as boards side by side.
#[derive(Deserialize)]
pub struct Pair {
    #[serde(flatten)]
    texts: Texts,
    role: String,
    first: Vec<Vec<String>>,
    second: Vec<Vec<String>>,
}

pub fn pair(desk: &mut Desk, request: Pair) -> Result<Value, String> {
    let playable = match desk.spread(request.texts).game() {
        Ok(playable) => playable,
        Err(instead) => return Ok(instead),
    };
    let game = &*playable.game;
    let role = role(game, &request.role)?;
    let (first, second) = (pair::history(game, &request.first), pair::history(game, &request.second));
    if first.len() < request.first.len() || second.len() < request.second.len() {
        return Err("one of the two histories is no longer possible: the rules have changed".to_owned());
    }
    Ok(json!(pair::frames(game, &playable.layout, role, &first, &second)))
}
