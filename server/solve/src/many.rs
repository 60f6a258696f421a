//! Games of more than two players, or with goals that are not opposed: what each role can secure, strategies of all, and
//! joint play.

use std::time::Instant;

use percept_game::{Game, RoleId};
use percept_infoset::Budget;

use crate::cfr::{Bracket, Variant};
use crate::correlated::{Correlated, Joint};
use crate::descent::note;
use crate::general::Crowd;
use crate::opposed::{prove, solve_pair};
use crate::options::{Method, Options};
use crate::plan;
use crate::solution::{Deviation, Kind, Origin, RoleValue, Solution};
use crate::tree::{BuildError, Tree, build_for};
use crate::zero_sum::Payoffs;

/// Solves games with more players, or with goals that are not opposed.
pub(crate) fn general(
    game: &Game,
    tree: Tree,
    options: &Options,
    budget: &Budget,
    begin: Instant,
) -> Result<Solution, BuildError> {
    let variant = match options.method {
        Method::Cfr(variant) => variant,
        _ => Variant::Plus,
    };
    // Half of the time is for the values that the roles can secure.
    let half = budget.share(2);
    let mut values = Vec::new();
    let mut method = variant.name();
    for player in 0..tree.players.len() {
        let role = tree.players[player].role;
        let (value, how) = secured(game, &tree, role, player, options, &half, begin)?;
        values.push(value);
        if how == "lp" {
            method = "lp, cfr+";
        }
    }
    // Half of the rest is for independent strategies, the other half for joint play.
    let learning = budget.share(2);
    let mut crowd = Crowd::new(&tree, variant);
    let mut curve = Vec::new();
    let mut look = 1;
    let most = options.iterations.unwrap_or(20_000);
    let (profile, stopped) = loop {
        crowd.iterate();
        let enough = crowd.iterations as u64 >= most;
        let stop = learning.stop();
        if crowd.iterations < look && !enough && stop.is_none() {
            continue;
        }
        look = crowd.iterations + (crowd.iterations / 8).max(1);
        let profile = crowd.profile();
        let bracket = Bracket { low: 0.0, high: 2.0 * profile.greatest() };
        note(&mut curve, begin, crowd.iterations as u64, (None, bracket), options);
        if stop.is_some() || enough || profile.greatest() <= options.target {
            break (profile, stop);
        }
    };
    let iterations = crowd.iterations as u64;
    let correlated = correlated(&tree, most, options, budget);
    let behaviour: Vec<Vec<f64>> = (0..tree.players.len())
        .map(|at| plan::behaviour(&tree.players[at], &profile.plans[at], &profile.worth[at]))
        .collect();
    let deviation =
        |at: usize| Deviation { role: tree.players[at].role, value: profile.values[at], gain: profile.deviations[at] };
    Ok(Solution {
        kind: Kind::General,
        method,
        values,
        exploitability: Some(profile.greatest()),
        profile: (0..tree.players.len()).map(deviation).collect(),
        correlated: Some(correlated),
        iterations,
        seconds: 0.0,
        curve,
        stopped,
        found: Origin::Tree { fractions: vec![None; behaviour.len()], behaviour, tree },
    })
}

/// Joint play, until no player gains by leaving it, or for `most` iterations. After the budget is spent, it is one.
fn correlated(tree: &Tree, most: u64, options: &Options, budget: &Budget) -> Correlated {
    let mut joint = Joint::new(tree);
    let mut look = 1;
    loop {
        joint.iterate();
        let enough = joint.iterations >= most || budget.stop().is_some();
        if joint.iterations < look && !enough {
            continue;
        }
        look = joint.iterations + (joint.iterations / 8).max(1);
        let average = joint.average();
        if enough || average.gap() <= options.target {
            return average;
        }
    }
}

/// The goal that a role can secure if all others work against it and share their percepts.
fn secured(
    game: &Game,
    tree: &Tree,
    role: RoleId,
    player: usize,
    options: &Options,
    budget: &Budget,
    begin: Instant,
) -> Result<(RoleValue, &'static str), BuildError> {
    let others: Vec<RoleId> = tree.players.iter().map(|plex| plex.role).filter(|&other| other != role).collect();
    let options = &Options { checkpoint: None, ..options.clone() };
    let (tree, player, other) = match others.len() {
        1 => (std::borrow::Cow::Borrowed(tree), player, 1 - player),
        _ => {
            let joint = build_for(game, &[vec![role], others], &options.space, budget)?;
            (std::borrow::Cow::Owned(joint), 0, 1)
        }
    };
    let payoffs = Payoffs::new(&tree, player, other, &|goals| goals[player]);
    let plexes = [&tree.players[player], &tree.players[other]];
    let solved = solve_pair(plexes, &payoffs, options, budget, begin)?;
    let exact =
        prove(&tree, [player, other], &payoffs, &|goals| goals[player], &solved, budget).map(|(value, _)| value);
    let value = match exact {
        Some(value) => RoleValue::exactly(role, value),
        None => RoleValue { role, low: solved.bracket.low, high: solved.bracket.high, exact: None },
    };
    Ok((value, solved.method))
}
