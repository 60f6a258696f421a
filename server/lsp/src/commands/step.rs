//! `percept.step`: a match at one place, and one round further; `percept.beliefs`: how likely every fluent is to a role.
//!
//! Result of `step`: `{version, view, sequential, files, ended?}`, or `{version, refusals}`. `view` is
//! [`percept_game::stepper::StepView`]: `round`, `rounds`, `terminal`, `roles` (each with `legal`, `percepts`, `goals`, and
//! `places`: for each legal move the cells it names), `state` ([`percept_report::board::Picture`]: `boards`, `legend`,
//! `groups` of fluents, `numbers`), `history` (each round's `moves` and `percepts`). `ended` `{round, why}` says where the
//! history does not fit the rules any more.
//!
//! With `role` there is no `view` but a `seat` ([`percept_report::seat::Seat`]): what that role knows, and nothing else. A
//! round is then played by naming its own `move`, or with `null` at random among the moves it knows to be legal; everybody
//! else moves at random.
//!
//! Result of `beliefs`: `{version, role, round, method, exact, effective?, histories, boards, legend, beliefs: [{fluent,
//! probability, error}]}`, and with `overRounds` `rounds: [[{fluent, probability, error}]]`, the beliefs after each round.

use percept_game::{MoveId, RoleId, trace};
use percept_infoset::{Claims, View, certain};
use percept_report::belief::{Budget, NoBelief, Worlds};
use percept_report::seat::Seat;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use serde::Deserialize;
use serde_json::{Value, json};

use super::matches::{self, About, Match};
use crate::backend::{Answer, Failure};
use crate::ingress::Place;

/// What a seat may take, in seconds, unless asked otherwise.
const SECONDS: f64 = 0.6;
/// What beliefs may take, and for how many draws: a picture of what may be, soon, is worth more than one a little sharper.
const SOON: f64 = 0.25;
const DRAWS: usize = 400;
/// What either may take where nothing was found in that time.
const LONGER: f64 = 5.0;

/// What the proof that one move is legal may take, in seconds.
const PROOF: f64 = 10.0;

#[derive(Deserialize)]
pub struct Argument {
    #[serde(flatten)]
    about: About,
    /// One more round: a move per role by name; `null` moves at random. An empty list: everybody at random.
    #[serde(default)]
    choose: Option<Vec<Option<String>>>,
    /// For the random moves.
    #[serde(default)]
    seed: u64,
    /// Through whose eyes.
    #[serde(default)]
    role: Option<String>,
    #[serde(default)]
    seconds: Option<f64>,
}

pub fn run(place: &Place, argument: Argument) -> Answer<Value> {
    let mut it = match matches::replay(place, &argument.about) {
        Ok(it) => it,
        Err(result) => return Ok(result),
    };
    let role = argument.role.as_deref().map(|name| matches::role(&it.loaded.game, name)).transpose()?;
    if let Some(choose) = &argument.choose {
        let mut chosen = chosen(&it, choose)?;
        let mut rng = SmallRng::seed_from_u64(seed_of(argument.seed, it.stepper.at()));
        if let Some(role) = role {
            at_seat(place, &it, role, &mut chosen, argument.seconds, &mut rng)?;
        }
        it.stepper.play_random(&chosen, &mut rng).map_err(|error| Failure::Message(error.to_string()))?;
    }
    if let Some(role) = role {
        return through_eyes(place, &it, role, argument.seconds);
    }
    let view = it.stepper.view();
    if let Err(result) = matches::sound(place, &it.loaded) {
        return Ok(result);
    }
    let layout = it.loaded.layout();
    let mut shown = json!(view);
    shown["state"] = json!(layout.picture(&view.state));
    for (role, value) in view.roles.iter().zip(shown["roles"].as_array_mut().into_iter().flatten()) {
        value["places"] = role.legal.iter().map(|name| layout.places(name)).collect::<Vec<_>>().into();
    }
    Ok(answer(&it, json!({ "view": shown })))
}

/// What is said of every place.
fn answer(it: &Match, mut shown: Value) -> Value {
    let files: Vec<_> = it.loaded.files.iter().map(|file| &file.uri).collect();
    shown["version"] = json!(1);
    shown["sequential"] = json!(it.loaded.game.is_sequential);
    shown["files"] = json!(files);
    shown["ended"] = json!(it.ended.as_ref().map(|(round, why)| json!({ "round": round, "why": why })));
    shown
}

fn chosen(it: &Match, choose: &[Option<String>]) -> Answer<Vec<Option<MoveId>>> {
    let game = &it.loaded.game;
    let find = |(role, name): (RoleId, &Option<String>)| match name {
        None => Ok(None),
        Some(name) => match game.rules.find_move(role, name) {
            Some(mv) => Ok(Some(mv)),
            None => Err(format!("{} has no move `{name}`", game.roles[role.0 as usize].name)),
        },
    };
    Ok(game.role_ids().zip(choose).map(find).collect::<Result<_, _>>()?)
}

/// Sees to it that a round played at a seat asks nothing of the true state: only a move that is known to be legal is made,
/// and nobody else's is chosen.
fn at_seat(
    place: &Place,
    it: &Match,
    role: RoleId,
    chosen: &mut Vec<Option<MoveId>>,
    seconds: Option<f64>,
    rng: &mut SmallRng,
) -> Answer<()> {
    let own = chosen.get(role.0 as usize).copied().flatten();
    let at = it.stepper.at();
    let worlds = worlds(place, it, role, at, seconds.ok_or([SECONDS, LONGER]), &Budget::default())?;
    let game = &it.loaded.game;
    let moves = worlds.legal(game);
    let known: Vec<MoveId> = moves.iter().filter(|(_, chance)| *chance >= 1.0).map(|(mv, _)| *mv).collect();
    let name = &game.roles[role.0 as usize].name;
    let own = match own {
        Some(own) if known.contains(&own) => own,
        Some(own) => {
            let mv = game.rules.move_name(role, own);
            match proved_legal(place, it, role, own)? {
                Some(true) => own,
                Some(false) => {
                    return Err(Failure::Message(format!("{name} does not know whether `{mv}` is legal")));
                }
                None => {
                    let why = format!("whether {name} knows that `{mv}` is legal was not found out in {PROOF} seconds");
                    return Err(Failure::Message(why));
                }
            }
        }
        None => match known.choose(rng) {
            Some(&known) => known,
            // What all draws say is tried one by one.
            None => {
                let likely = moves.iter().filter(|(_, chance)| !worlds.is_exact() && *chance > 0.5).take(8);
                let mut proved = likely.map(|&(mv, _)| Ok::<_, Failure>((mv, proved_legal(place, it, role, mv)?)));
                let found = proved.find(|it| !matches!(it, Ok((_, None | Some(false))))).transpose()?;
                found.ok_or_else(|| Failure::Message(format!("{name} knows of no legal move")))?.0
            }
        },
    };
    *chosen = vec![None; game.roles.len()];
    chosen[role.0 as usize] = Some(own);
    Ok(())
}

/// Whether a role can know that a move of its is legal; `None` where that is not found out in time. Only its view is looked
/// at.
fn proved_legal(place: &Place, it: &Match, role: RoleId, mv: MoveId) -> Answer<Option<bool>> {
    let control = matches::control(place, it, "Proving that the move is legal", Some(PROOF));
    let claims = Claims { legal: vec![mv], ..Claims::default() };
    let view = view(it, role, it.stepper.at());
    let proved = certain(&it.loaded.game, &view, &claims, percept_infoset::DEFAULT_MEMORY, &control);
    place.check()?;
    Ok(match proved {
        Ok((proved, _)) if !proved.is_empty() => Some(true),
        Ok((_, true)) => Some(false),
        Ok((_, false)) | Err(_) => None,
    })
}

/// A place of the match as one role knows it. The true state is not looked at.
fn through_eyes(place: &Place, it: &Match, role: RoleId, seconds: Option<f64>) -> Answer<Value> {
    let game = &it.loaded.game;
    let worlds = worlds(place, it, role, it.stepper.at(), seconds.ok_or([SECONDS, LONGER]), &Budget::default())?;
    if let Err(result) = matches::sound(place, &it.loaded) {
        return Ok(result);
    }
    let seat = Seat::in_worlds(game, it.loaded.layout(), &view(it, role, it.stepper.at()), &worlds);
    let mut answer = answer(it, json!({ "seat": seat }));
    // Whose move no longer fits, and why, is nothing that the role was told.
    if let Some(ended) = answer["ended"].as_object_mut() {
        ended.insert("why".to_string(), json!("a move is not legal any more"));
    }
    Ok(answer)
}

fn view(it: &Match, role: RoleId, at: usize) -> View {
    trace::view_of(&it.loaded.game, &it.stepper.joints()[..at], role, at)
}

/// `seconds`: as was asked for, or else how much and, where that was too short, how much more.
fn worlds(
    place: &Place,
    it: &Match,
    role: RoleId,
    at: usize,
    seconds: Result<f64, [f64; 2]>,
    budget: &Budget,
) -> Answer<Worlds> {
    let view = view(it, role, at);
    let within = |seconds| {
        let control = matches::control(place, it, "Weighing what may be", Some(seconds));
        Worlds::of(&it.loaded.game, &view, budget, &control)
    };
    let mut worlds = within(seconds.unwrap_or_else(|[first, _]| first));
    place.check()?;
    if let (Err(NoBelief::NotFound(_)), Err([_, longer])) = (&worlds, seconds) {
        worlds = within(longer);
        place.check()?;
    }
    worlds.map_err(|error: NoBelief| Failure::Message(error.to_string()))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BeliefsArgument {
    #[serde(flatten)]
    about: About,
    role: String,
    #[serde(default)]
    seconds: Option<f64>,
    /// Also after each earlier round.
    #[serde(default)]
    over_rounds: bool,
}

pub fn beliefs(place: &Place, argument: BeliefsArgument) -> Answer<Value> {
    let it = match matches::replay(place, &argument.about) {
        Ok(it) => it,
        Err(result) => return Ok(result),
    };
    let game = &it.loaded.game;
    let role = matches::role(game, &argument.role)?;
    let at = it.stepper.at();
    let budget = Budget { members: DRAWS, ..Budget::default() };
    let worlds_at = |at| worlds(place, &it, role, at, argument.seconds.ok_or([SOON, LONGER]), &budget);
    let worlds = worlds_at(at)?;
    let beliefs = worlds.beliefs(game);
    let layout = it.loaded.layout();
    let boards = layout.shades(beliefs.iter().map(|it| (it.fluent.as_str(), it.probability)));
    let rounds = match argument.over_rounds {
        true => Some((0..=at).map(|at| Ok(worlds_at(at)?.beliefs(game))).collect::<Answer<Vec<_>>>()?),
        false => None,
    };
    if let Err(result) = matches::sound(place, &it.loaded) {
        return Ok(result);
    }
    Ok(json!({
        "version": 1,
        "role": game.roles[role.0 as usize].name,
        "round": at,
        "method": worlds.method,
        "exact": worlds.is_exact(),
        "effective": worlds.effective,
        "histories": worlds.histories,
        "legend": layout.legend(&boards),
        "boards": boards,
        "beliefs": beliefs,
        "rounds": rounds,
    }))
}

/// A seed for the moves of a round. Whatever a client counts up from round to round, no two rounds share one.
fn seed_of(seed: u64, round: usize) -> u64 {
    // The golden ratio of 2^64, by which neighbours fall far apart.
    seed.wrapping_add((round as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_rounds_share_a_seed() {
        for (up, first) in [(0u64, 7u64), (1, 0), (1, 6), (1, 1 << 31), (2, 5)] {
            let mut seeds: Vec<u64> = (0..200).map(|round| seed_of(first + up * round as u64, round)).collect();
            seeds.sort_unstable();
            seeds.dedup();
            assert_eq!(seeds.len(), 200, "counting up by {up} from {first}");
        }
    }
}
