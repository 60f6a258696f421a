//! `percept.step`: a match at one place, or one round further; `percept.beliefs`: the probability of every fluent for a
//! role.
//!
//! Result of `step`: `{version, view, sequential, files, ended?}`, or `{version, refusals}`. `view` is a [`Scene`].
//! `ended` `{round, why}` is the round from which the history no longer fits the rules.
//!
//! With `role` there is no `view` but a [`Seat`] as `seat`: the role's whole knowledge, and nothing else. To play a
//! round, the client names the role's own `move`, or `null` for a random one among the moves that the role knows to be
//! legal; all other roles move at random.
//!
//! Result of `beliefs`: `{version, ...}` with [`percept_report::belief::Beliefs`]; `overRounds` requests its `rounds`.

use percept_game::{MoveId, RoleId};
use percept_report::belief::{Beliefs, Effort, NoBelief, Worlds};
use percept_report::replay;
use percept_report::scene::Scene;
use percept_report::seat::Seat;
use rand::rngs::SmallRng;
use serde::Deserialize;
use serde_json::{Value, json};

use super::matches::{self, About, Match};
use crate::place::{Answer, Place};

/// The default time for a seat, in seconds.
const SECONDS: f64 = 0.6;
/// The default time for beliefs, and the number of draws: a quick picture is worth more than a slightly sharper one.
const SOON: f64 = 0.25;
const DRAWS: usize = 400;
/// The time for either if nothing was found in the default time.
const LONGER: f64 = 5.0;

/// The time for the proof that one move is legal, in seconds.
const PROOF: f64 = 10.0;

#[derive(Deserialize)]
pub(super) struct Argument {
    #[serde(flatten)]
    about: About,
    /// The moves of one more round by name; `null` moves at random. With an empty list, all roles move at random.
    #[serde(default)]
    choose: Option<Vec<Option<String>>>,
    /// The seed of the random moves.
    #[serde(default)]
    seed: u64,
    /// The role whose view is shown.
    #[serde(default)]
    role: Option<String>,
    #[serde(default)]
    seconds: Option<f64>,
}

pub(super) fn run(place: &Place, argument: Argument) -> Answer<Value> {
    let mut it = match matches::replay(place, &argument.about) {
        Ok(it) => it,
        Err(instead) => return instead.answer(),
    };
    let role = argument.role.as_deref().map(|name| it.loaded.game.role_named(name)).transpose()?;
    let wait = argument.seconds.map_or(Wait::USUAL, Wait::exactly);
    if let Some(choose) = &argument.choose {
        let mut moves = replay::chosen(&it.loaded.game, choose)?;
        let mut rng = replay::random(argument.seed, it.stepper.at());
        if let Some(role) = role {
            at_seat(place, &it, role, &mut moves, wait, &mut rng)?;
        }
        it.stepper.play_random(&moves, &mut rng).map_err(|error| error.to_string())?;
    }
    if let Some(role) = role {
        return through_eyes(place, &it, role, wait);
    }
    let scene = Scene::of(&it.stepper, it.loaded.layout()).factored(&it.loaded.game, it.loaded.factored());
    matches::whole(place, &it, || answer(&it, json!({ "view": scene })))
}

/// Adds the fields that are part of every place.
fn answer(it: &Match, mut shown: Value) -> Value {
    let files: Vec<_> = it.loaded.files.iter().map(|file| &file.uri).collect();
    shown["version"] = json!(1);
    shown["sequential"] = json!(it.loaded.game.is_sequential);
    shown["files"] = json!(files);
    shown["ended"] = json!(it.ended);
    shown
}

/// Plays a round at a seat without use of the true state: only a move that is known to be legal is made, and no other
/// role's move is chosen.
fn at_seat(
    place: &Place,
    it: &Match,
    role: RoleId,
    moves: &mut Vec<Option<MoveId>>,
    wait: Wait,
    rng: &mut SmallRng,
) -> Answer<()> {
    let game = &it.loaded.game;
    let worlds = worlds(place, it, role, it.stepper.at(), wait, &Effort::default())?;
    let view = replay::view(&it.stepper, role, it.stepper.at());
    let is_legal = |mv| {
        let budget = matches::budget(place, it, "Proving that the move is legal", Some(PROOF));
        replay::is_known_legal(game, &view, mv, &budget)
    };
    let own = replay::own_move(game, &worlds, moves[role.0 as usize], is_legal, rng);
    place.check()?;
    *moves = vec![None; game.roles.len()];
    moves[role.0 as usize] = Some(own?);
    Ok(())
}

/// A place of the match as one role knows it.
fn through_eyes(place: &Place, it: &Match, role: RoleId, wait: Wait) -> Answer<Value> {
    let seat = seat(place, it, role, wait)?;
    matches::whole(place, it, || {
        let mut answer = answer(it, json!({ "seat": seat }));
        if let Some(ended) = answer["ended"].as_object_mut() {
            ended.insert("why".to_string(), json!(replay::ILLEGAL_MOVE));
        }
        answer
    })
}

/// The time for beliefs, in seconds.
#[derive(Clone, Copy)]
pub(super) struct Wait {
    first: f64,
    /// The longer time limit if nothing was found.
    longer: Option<f64>,
}

impl Wait {
    /// The time for a seat.
    pub(super) const USUAL: Wait = Wait { first: SECONDS, longer: Some(LONGER) };

    /// Exactly the requested time.
    fn exactly(seconds: f64) -> Wait {
        Wait { first: seconds, longer: None }
    }
}

/// A role's knowledge. The true state is not used.
pub(super) fn seat(place: &Place, it: &Match, role: RoleId, wait: Wait) -> Answer<Seat> {
    let worlds = worlds(place, it, role, it.stepper.at(), wait, &Effort::default())?;
    let view = replay::view(&it.stepper, role, it.stepper.at());
    Ok(Seat::in_worlds(&it.loaded.game, it.loaded.layout(), &view, &worlds))
}

fn worlds(place: &Place, it: &Match, role: RoleId, at: usize, wait: Wait, effort: &Effort) -> Answer<Worlds> {
    let view = replay::view(&it.stepper, role, at);
    let within = |seconds| {
        let budget = matches::budget(place, it, "Computing probabilities", Some(seconds));
        Worlds::of(&it.loaded.game, &view, effort, &budget)
    };
    let mut worlds = within(wait.first);
    place.check()?;
    if let (Err(NoBelief::NotFound(_)), Some(longer)) = (&worlds, wait.longer) {
        worlds = within(longer);
        place.check()?;
    }
    Ok(worlds.map_err(|error| error.to_string())?)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BeliefsArgument {
    #[serde(flatten)]
    about: About,
    role: String,
    #[serde(default)]
    seconds: Option<f64>,
    /// Requests the beliefs after each earlier round, too.
    #[serde(default)]
    over_rounds: bool,
}

pub(super) fn beliefs(place: &Place, argument: BeliefsArgument) -> Answer<Value> {
    matches::on(place, &argument.about, |it| {
        let role = it.loaded.game.role_named(&argument.role)?;
        Ok(matches::versioned(1, &believed(place, it, role, argument.seconds, argument.over_rounds)?))
    })
}

/// The beliefs of a role: a quick picture, or as good as a time in seconds allows.
pub(super) fn believed(
    place: &Place,
    it: &Match,
    role: RoleId,
    seconds: Option<f64>,
    over_rounds: bool,
) -> Answer<Beliefs> {
    let (game, at) = (&it.loaded.game, it.stepper.at());
    let effort = match seconds {
        Some(_) => Effort::default(),
        None => Effort::soon(DRAWS),
    };
    let wait = seconds.map_or(Wait { first: SOON, longer: Some(LONGER) }, Wait::exactly);
    let worlds_at = |at| worlds(place, it, role, at, wait, &effort);
    let mut beliefs = worlds_at(at)?.pictured(game, it.loaded.layout());
    if over_rounds {
        beliefs.rounds = Some((0..=at).map(|at| Ok(worlds_at(at)?.beliefs(game))).collect::<Answer<_>>()?);
    }
    Ok(beliefs)
}
