//! `percept.step`: a match at one place, and one round further.
//!
//! Result: `{version, view, game, files, ended?}`, or `{version, refusals}`. `view` is
//! [`percept_game::stepper::StepView`]: `round`, `rounds`, `terminal`, `roles` (each with `legal`, `percepts`,
//! `goals`), `state` (`groups` of fluents, with `boards`), `history` (each round's `moves` and `percepts`).
//! `ended` `{round, why}` says where the history does not fit the rules any more.

use percept_game::MoveId;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use serde::Deserialize;
use serde_json::{Value, json};

use super::matches::{self, About};
use crate::backend::{Answer, Failure};
use crate::ingress::Place;

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
}

pub fn run(place: &Place, argument: Argument) -> Answer<Value> {
    let mut it = match matches::replay(place, &argument.about) {
        Ok(it) => it,
        Err(result) => return Ok(result),
    };
    if let Some(choose) = argument.choose {
        let game = it.loaded.game.clone();
        let find = |(role, name): (percept_game::RoleId, &Option<String>)| match name {
            None => Ok(None),
            Some(name) => match game.rules.find_move(role, name) {
                Some(mv) => Ok(Some(mv)),
                None => Err(format!("{} has no move `{name}`", game.roles[role.0 as usize].name)),
            },
        };
        let chosen: Vec<Option<MoveId>> = game.role_ids().zip(&choose).map(find).collect::<Result<_, _>>()?;
        let mut rng = SmallRng::seed_from_u64(seed_of(argument.seed, it.stepper.at()));
        it.stepper.play_random(&chosen, &mut rng).map_err(|error| Failure::Message(error.to_string()))?;
    }
    let view = it.stepper.view();
    if let Err(result) = matches::sound(place, &it.loaded) {
        return Ok(result);
    }
    let files: Vec<_> = it.loaded.files.iter().map(|file| &file.uri).collect();
    Ok(json!({
        "version": 1,
        "view": view,
        "sequential": it.loaded.game.is_sequential,
        "files": files,
        "ended": it.ended.map(|(round, why)| json!({ "round": round, "why": why })),
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
