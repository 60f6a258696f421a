//! A match: stepped through, seen through a role's eyes, played against others.

use std::time::{Duration, Instant};

use percept_game::stepper::{Stepper, shown};
use percept_game::{Game, MoveId, RoleId, trace};
use percept_infoset::{AdviseOptions, Control, Options, View, Wanted};
use percept_report::belief::{Budget, Worlds};
use percept_report::names;
use percept_report::seat::Seat;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::desk::{Desk, Playable, Texts};

/// What a seat may take, in seconds.
const SEAT: f64 = 0.6;
/// What each of the others may think, in seconds.
const THINK: f64 = 0.5;
/// Members listed unless asked otherwise.
const LISTED: usize = 60;

/// A place in a match.
#[derive(Deserialize)]
pub struct About {
    #[serde(flatten)]
    pub texts: Texts,
    /// Per round the moves of all roles, by name.
    #[serde(default)]
    pub history: Vec<Vec<String>>,
    /// After how many rounds; the end where absent.
    #[serde(default)]
    pub at: Option<usize>,
}

/// How those move of whom nothing is said.
#[derive(Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Others {
    #[default]
    Random,
    /// By samples of what they know, as `percept advise` does.
    Think,
}

/// Where a match stands, or one round further.
#[derive(Deserialize)]
pub struct Step {
    #[serde(flatten)]
    about: About,
    /// One more round: a move per role by name; `null` for those of whom nothing is said.
    #[serde(default)]
    choose: Option<Vec<Option<String>>>,
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    others: Others,
    /// Through whose eyes.
    #[serde(default)]
    role: Option<String>,
}

/// A match replayed.
pub struct Match {
    pub playable: Playable,
    pub stepper: Stepper,
    /// Where the history does not fit the rules any more, and why.
    ended: Option<(usize, String)>,
}

impl Match {
    pub fn game(&self) -> &Game {
        &self.playable.game
    }
}

/// Replays a match on the rules as they are now.
///
/// # Errors
/// The answer to give instead.
pub fn replay(desk: &mut Desk, about: About) -> Result<Match, Value> {
    let playable = desk.spread(about.texts).game()?;
    let mut stepper = Stepper::new(playable.game.clone());
    let mut ended = None;
    for (index, names) in about.history.iter().enumerate() {
        let played = chosen(&playable.game, &names.iter().cloned().map(Some).collect::<Vec<_>>()).and_then(|joint| {
            let joint: Vec<MoveId> = joint.into_iter().flatten().collect();
            stepper.play(joint).map_err(|error| error.to_string())
        });
        if let Err(why) = played {
            ended = Some((index + 1, why));
            break;
        }
    }
    stepper.jump(about.at.unwrap_or(usize::MAX));
    Ok(Match { playable, stepper, ended })
}

fn chosen(game: &Game, names: &[Option<String>]) -> Result<Vec<Option<MoveId>>, String> {
    if names.len() != game.roles.len() {
        return Err(format!("{} moves for {} roles", names.len(), game.roles.len()));
    }
    let find = |(role, name): (RoleId, &Option<String>)| match name {
        None => Ok(None),
        Some(name) => match game.rules.find_move(role, name) {
            Some(mv) => Ok(Some(mv)),
            None => Err(format!("{} has no move `{name}`", names::role(game, role))),
        },
    };
    game.role_ids().zip(names).map(find).collect()
}

/// The role of this name.
pub fn role(game: &Game, name: &str) -> Result<RoleId, String> {
    game.role(name).ok_or_else(|| format!("there is no role `{name}`"))
}

pub fn within(seconds: f64) -> Control {
    let time = Duration::from_secs_f64(seconds.clamp(0.01, 600.0));
    Control { deadline: Some(Instant::now() + time), ..Control::default() }
}

fn view(game: &Game, stepper: &Stepper, role: RoleId, at: usize) -> View {
    trace::view_of(game, &stepper.joints()[..at], role, at)
}

fn worlds(it: &Match, role: RoleId) -> Result<Worlds, String> {
    let view = view(it.game(), &it.stepper, role, it.stepper.at());
    Worlds::of(it.game(), &view, &Budget::default(), &within(SEAT)).map_err(|error| error.to_string())
}

pub fn step(desk: &mut Desk, asked: Step) -> Result<Value, String> {
    let mut it = match replay(desk, asked.about) {
        Ok(it) => it,
        Err(instead) => return Ok(instead),
    };
    let seat = asked.role.as_deref().map(|name| role(it.game(), name)).transpose()?;
    if let Some(names) = asked.choose {
        let mut moves = match names.is_empty() {
            true => vec![None; it.game().roles.len()],
            false => chosen(it.game(), &names)?,
        };
        // No two rounds of a match share a seed: the golden ratio of 2^64, by which neighbours fall far apart.
        let far = (it.stepper.at() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut rng = SmallRng::seed_from_u64(asked.seed.wrapping_add(far));
        if let Some(role) = seat {
            own_move(&it, role, &mut moves, &mut rng)?;
        }
        if asked.others == Others::Think {
            think(&it, &mut moves, asked.seed);
        }
        it.stepper.play_random(&moves, &mut rng).map_err(|error| error.to_string())?;
    }
    let mut answer = match seat {
        Some(role) => {
            let worlds = worlds(&it, role)?;
            let view = view(it.game(), &it.stepper, role, it.stepper.at());
            json!({ "seat": Seat::in_worlds(it.game(), &it.playable.layout, &view, &worlds) })
        }
        None => seen(&it),
    };
    answer["sequential"] = it.game().is_sequential.into();
    answer["roles"] =
        it.game().roles.iter().map(|role| json!({ "name": role.name, "chance": role.is_chance })).collect();
    // A player may not look at it, but the page needs it to go on from here.
    answer["moves"] = json!(names::history(it.game(), &it.stepper.joints()));
    // Whose move no longer fits, and why, is nothing that a role was told.
    let told = |why: String| if seat.is_some() { "a move is not legal any more".to_string() } else { why };
    answer["ended"] = json!(it.ended.map(|(round, why)| json!({ "round": round, "why": told(why) })));
    Ok(answer)
}

/// All that there is to see at a place.
fn seen(it: &Match) -> Value {
    let (view, layout) = (it.stepper.view(), &it.playable.layout);
    let mut shown = json!(view);
    shown["state"] = json!(layout.picture(&view.state));
    for (role, value) in view.roles.iter().zip(shown["roles"].as_array_mut().into_iter().flatten()) {
        value["places"] = role.legal.iter().map(|name| layout.places(name)).collect::<Vec<_>>().into();
    }
    json!({ "view": shown })
}

/// A round played at a seat asks nothing of the true state: only a move that is known to be legal is made, and nobody else's is
/// chosen.
fn own_move(it: &Match, role: RoleId, moves: &mut Vec<Option<MoveId>>, rng: &mut SmallRng) -> Result<(), String> {
    let worlds = worlds(it, role)?;
    let legal = worlds.legal(it.game());
    let known: Vec<MoveId> = legal.into_iter().filter(|(_, chance)| *chance >= 1.0).map(|(mv, _)| mv).collect();
    let name = names::role(it.game(), role);
    let own = match moves[role.0 as usize] {
        Some(own) if known.contains(&own) => own,
        Some(own) => {
            return Err(format!("{name} does not know whether `{}` is legal", it.game().rules.move_name(role, own)));
        }
        None => *known.choose(rng).ok_or_else(|| format!("{name} knows of no legal move"))?,
    };
    *moves = vec![None; it.game().roles.len()];
    moves[role.0 as usize] = Some(own);
    Ok(())
}

/// The moves of those of whom nothing was said, each from what it knows. Who finds none moves at random.
fn think(it: &Match, moves: &mut [Option<MoveId>], seed: u64) {
    let options = AdviseOptions { samples: 40, playouts: 4, opponent_decisions: 0, seed, ..AdviseOptions::default() };
    for role in it.game().role_ids() {
        let place = role.0 as usize;
        let legal = it.stepper.legal(role);
        if moves[place].is_some() || it.game().roles[place].is_chance || legal.len() < 2 {
            continue;
        }
        let view = view(it.game(), &it.stepper, role, it.stepper.at());
        if let Ok(advice) = percept_infoset::advise(it.game(), &view, &options, &within(THINK)) {
            moves[place] = advice.moves.iter().map(|it| it.mv).find(|mv| legal.contains(mv));
        }
    }
}

/// What a role cannot tell apart.
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

pub fn infoset(desk: &mut Desk, asked: Infoset) -> Result<Value, String> {
    let it = match replay(desk, asked.about) {
        Ok(it) => it,
        Err(instead) => return Ok(instead),
    };
    let role = role(it.game(), &asked.role)?;
    let view = view(it.game(), &it.stepper, role, it.stepper.at());
    let limit = asked.limit.unwrap_or(LISTED).min(10_000);
    let options = Options { wanted: Wanted::All, limit, ..Options::default() };
    let report = percept_infoset::infoset(it.game(), &view, &options, &within(asked.seconds.unwrap_or(10.0)));
    let report = report.map_err(|error| format!("no member was found: {error}"))?;
    let members = report.members.iter().zip(report.chances()).map(|(member, probability)| {
        json!({
            "moves": names::history(it.game(), &member.moves),
            "probability": probability,
            "state": it.playable.layout.picture(&shown(it.game(), &member.state)),
        })
    });
    Ok(json!({
        "role": asked.role,
        "round": it.stepper.at(),
        "method": report.method,
        "complete": report.complete,
        "histories": report.histories.to_string(),
        "states": report.states,
        "stopped": report.stopped.map(|stop| stop.to_string()),
        "members": members.collect::<Vec<_>>(),
    }))
}
