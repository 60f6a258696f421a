//! `percept.coverage`: the rules, conditions and percepts that random matches have met.
//!
//! Argument: `uri`, `matches` (200), `seed`, `seconds`. Result: `{version, matches, rounds, lacking?, says,
//! rules, percepts}`. A rule (in POGDDL an action) is `{location, head, fired, stuck?}`: the number of rounds in which it
//! fired and, if it never did, the condition that never held when those before it did. A percept is `{role, name,
//! count}`.

use percept_judge::Case;
use percept_judge::coverage::{Covered, Matches, Percept, coverage};
use percept_report::editor::{Coverage, CoveredPercept, CoveredRule};
use serde::Deserialize;
use serde_json::Value;

use super::matches::{self, About, versioned};
use crate::games;
use crate::place::{Answer, Place};

/// The default numbers of random matches, of rounds in each, and of seconds.
const MATCHES: u64 = 200;
const ROUNDS: usize = 1000;
const SECONDS: f64 = 10.0;

#[derive(Deserialize)]
pub(super) struct Argument {
    #[serde(flatten)]
    about: About,
    #[serde(default)]
    matches: Option<u64>,
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    seconds: Option<f64>,
}

pub(super) fn run(place: &Place, argument: Argument) -> Answer<Value> {
    let about = argument.about.at_the_start();
    matches::work(place, &about, "Playing random matches", Some(argument.seconds.unwrap_or(SECONDS)), |it, budget| {
        let sources = games::sources(&it.loaded.files);
        let game = &it.loaded.game;
        let wanted =
            Matches { matches: argument.matches.unwrap_or(MATCHES).min(100_000), rounds: ROUNDS, seed: argument.seed };
        let met = coverage(&Case::new(game, sources), &wanted, budget);
        let encoding = place.snapshot.encoding();
        let rule = |rule: &Covered| {
            let file = &it.loaded.files[rule.place.file.0 as usize];
            CoveredRule {
                location: file.place(rule.place.range, encoding),
                head: file.span(rule.head, encoding),
                fired: rule.fired,
                stuck: rule.stuck().map(|range| file.span(range, encoding)),
            }
        };
        let percept = |it: Percept| CoveredPercept {
            role: game.roles[it.role.0 as usize].name.clone(),
            name: it.name,
            count: it.count,
        };
        let rules = met.rules.iter().map(rule).collect();
        let percepts = met.percepts.into_iter().map(percept).collect();
        let answer = Coverage::new(met.matches, met.rounds, met.lacking, rules, percepts);
        Ok(versioned(1, &answer))
    })
}
