//! Proofs from the structure of the rules alone, compared with all pairs of states: a certificate with only "structure"
//! is forged for every question, and the check must refuse it if two histories that look alike differ.

use std::time::Duration;

use percept_game::{Game, RoleId};
use percept_infoset::prove::certificate::{self, Certificate, Invalid, Proof};
use percept_infoset::{Budget, Property};
use percept_test::more;

use super::random::{circuit_game, planning_game, rules_game};
use super::{MethodVerdict, exhaustive, questions};

/// A certificate without a reason.
fn forged(game: &Game, role: RoleId, property: Property) -> Certificate {
    Certificate {
        format: certificate::VERSION,
        role: game.roles[role.0 as usize].name.clone(),
        property: property.name().to_owned(),
        announce_end: false,
        numbers: Vec::new(),
        proof: Proof::Structure,
    }
}

/// The numbers of forged certificates that are accepted, and of those that are refused although the claim is true.
fn accepted(seeds: u64, game: fn(u64) -> Game) -> (usize, usize) {
    let (mut right, mut missed) = (0, 0);
    for seed in 0..seeds {
        let game = game(seed);
        for (role, property) in questions(&game) {
            let verdict = exhaustive(&game, role, Duration::from_secs(5))[property as usize];
            match (certificate::check(&game, &forged(&game, role, property), &Budget::default()), verdict) {
                (Ok(_), MethodVerdict::Refuted(rounds)) => {
                    panic!("game {seed}: {property:?} of {role:?} is not known, a pair of {rounds} rounds differs")
                }
                (Ok(_), _) => right += 1,
                (Err(Invalid::Wrong(_)), MethodVerdict::Proved) => missed += 1,
                (Err(Invalid::Wrong(_)), _) => {}
                (Err(why), _) => panic!("{why}"),
            }
        }
    }
    (right, missed)
}

#[test]
fn structure_never_shows_what_is_false() {
    let circuits = accepted(more(150, 3_000), circuit_game);
    let rules = accepted(more(60, 1_000), rules_game);
    let plans = accepted(more(60, 1_000), planning_game);
    println!("accepted, missed: circuits {circuits:?}, rules {rules:?}, plans {plans:?}");
    assert!(circuits.0 > 20 && rules.0 > 5, "{circuits:?} {rules:?} {plans:?}");
}
