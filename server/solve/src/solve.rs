//! The front door: solves a game by the method that fits.

use std::time::Instant;

use num_rational::BigRational;
use num_traits::ToPrimitive;
use percept_game::Game;
use percept_infoset::{Budget, Stop};

use crate::blocks::Blocks;
use crate::cfr::gains;
use crate::evaluate::evaluate;
use crate::general::Profile;
use crate::many::general;
use crate::opposed::{best, prove, solve_pair};
use crate::options::{Method, Options, Sampling};
use crate::respond::{self, RespondError, Response};
use crate::sampling;
use crate::solution::{Deviation, Kind, Origin, RoleValue, Solution, between};
use crate::together::{Joint, together};
use crate::tree::{BuildError, Space, Tree, build};
use crate::zero_sum::{Opposed, Payoffs, opposed};
use crate::{exact, plan};

/// Solves a game.
///
/// # Errors
/// If the game has no extensive form, or time runs out while the tree is built. If time runs out later, that is not an
/// error: the answer is the best one so far.
pub fn solve(game: &Game, options: &Options, budget: &Budget) -> Result<Solution, BuildError> {
    let begin = Instant::now();
    if let Method::Sampling(scheme) = options.method {
        return sampled(game, options, scheme, budget, begin);
    }
    let tree = match tree_or_blocks(game, options, budget)? {
        Form::Tree(tree) => tree,
        Form::Blocks(blocks) => return blocks.solve_since(options, budget, begin),
    };
    let mut solution = match tree.deciders()[..] {
        [] => alone(tree, None),
        [player] => alone(tree, Some(player)),
        [first, second] if tree.players.len() == 2 => match opposed(&tree, first, second) {
            Some(map) => zero_sum(tree, map, options, budget, begin)?,
            None => unopposed(game, tree, options, budget, begin)?,
        },
        _ => unopposed(game, tree, options, budget, begin)?,
    };
    solution.seconds = begin.elapsed().as_secs_f64();
    Ok(solution)
}

/// The bytes of a tree from which on a game of two players is solved without a tree, if that is possible.
const LARGE: usize = 512 << 20;

enum Form {
    Tree(Tree),
    Blocks(Box<Blocks>),
}

fn tree_or_blocks(game: &Game, options: &Options, budget: &Budget) -> Result<Form, BuildError> {
    let small = Space { bytes: options.space.bytes.min(LARGE) };
    let space = if options.blocks && options.method != Method::Lp { &small } else { &options.space };
    let error = match build(game, space, budget) {
        Err(error @ BuildError::TooLarge { .. }) if space.bytes == small.bytes => error,
        found => return found.map(Form::Tree),
    };
    if !options.blocks || options.method == Method::Lp {
        return Err(error);
    }
    // A tree leaves half of the memory for iterations. Blocks count what these take.
    let whole = Space { bytes: options.space.bytes / 8 * 15 };
    match Blocks::build(game, &whole, budget) {
        Ok(Some(blocks)) => Ok(Form::Blocks(Box::new(blocks))),
        Err(RespondError::Stopped(stop)) => Err(stop.into()),
        Err(why @ RespondError::TooLarge { .. }) if is_hopeless(&error, &options.space) => match error {
            BuildError::TooLarge { size, .. } => Err(BuildError::TooLargeWithout { size, why: why.to_string() }),
            error => Err(error),
        },
        _ if options.space.bytes > small.bytes => build(game, &options.space, budget).map(Form::Tree),
        _ => Err(error),
    }
}

/// True if the tree does not fit in the whole memory either: each history takes more than a byte.
fn is_hopeless(error: &BuildError, space: &Space) -> bool {
    let BuildError::TooLarge { size, .. } = error else { return false };
    size.histories.to_f64().is_none_or(|histories| histories > space.bytes as f64)
}

/// The solution of a game whose goals are not those of two opponents.
fn unopposed(
    game: &Game,
    tree: Tree,
    options: &Options,
    budget: &Budget,
    begin: Instant,
) -> Result<Solution, BuildError> {
    let joint = if options.method == Method::Auto { together(&tree, options, budget) } else { None };
    match joint {
        Some(joint) => Ok(as_team(tree, joint)),
        None => general(game, tree, options, budget, begin),
    }
}

/// The solution if all players have the same goals.
fn as_team(tree: Tree, joint: Joint) -> Solution {
    let is_proved = joint.low == joint.high;
    let number = |goal: &BigRational| goal.to_f64().unwrap_or(f64::NAN);
    let value = |role| match is_proved {
        true => RoleValue::exactly(role, joint.low.clone()),
        false => RoleValue { role, low: number(&joint.low), high: number(&joint.high), exact: None },
    };
    Solution {
        kind: Kind::Together,
        method: "branch and bound",
        values: tree.players.iter().map(|plex| value(plex.role)).collect(),
        // If one player could gain, the joint strategy would not be the best.
        exploitability: is_proved.then_some(0.0),
        profile: Vec::new(),
        correlated: None,
        iterations: joint.steps,
        seconds: 0.0,
        curve: Vec::new(),
        stopped: joint.stopped,
        found: Origin::Tree {
            fractions: joint.behaviour.iter().map(|behaviour| exact::pure(behaviour)).collect(),
            behaviour: joint.behaviour,
            tree,
        },
    }
}

/// The solution if at most one role has a choice.
fn alone(tree: Tree, player: Option<usize>) -> Solution {
    let plans: Vec<Vec<f64>> = tree.players.iter().map(plan::uniform).collect();
    let worth = Profile::new(&tree, plans).worth;
    let behaviour: Vec<Vec<f64>> = tree
        .players
        .iter()
        .zip(&worth)
        .map(|(plex, worth)| plan::behaviour(plex, &vec![0.0; plex.sequences()], worth))
        .collect();
    let value = |at: usize| {
        // A role without a choice can secure at least the goal that the other leaves it.
        let chooser = player.unwrap_or(at);
        let sign = if chooser == at { 1 } else { -1 };
        let goal = |goals: &[i64]| sign * goals[at];
        let role = tree.players[at].role;
        match exact::optimum(&tree, chooser, &goal) {
            Some(best) => RoleValue::exactly(role, best * BigRational::from(num_bigint::BigInt::from(sign))),
            None => {
                let best = sign as f64 * plan::optimum(&tree, chooser, &goal);
                RoleValue { role, low: best, high: best, exact: None }
            }
        }
    };
    let fractions = behaviour.iter().map(|behaviour| exact::pure(behaviour));
    Solution {
        kind: Kind::Alone,
        method: "optimum",
        values: (0..tree.players.len()).map(value).collect(),
        exploitability: Some(0.0),
        profile: Vec::new(),
        correlated: None,
        iterations: 0,
        seconds: 0.0,
        curve: Vec::new(),
        stopped: None,
        found: Origin::Tree { fractions: fractions.collect(), behaviour, tree },
    }
}

fn zero_sum(
    tree: Tree,
    map: Opposed,
    options: &Options,
    budget: &Budget,
    begin: Instant,
) -> Result<Solution, BuildError> {
    let goal = |goals: &[i64]| goals[0];
    let payoffs = Payoffs::new(&tree, 0, 1, &goal);
    let plexes = [&tree.players[0], &tree.players[1]];
    let solved = solve_pair(plexes, &payoffs, options, budget, begin)?;
    let worth = [
        best(plexes[0], gains(&payoffs.by_first, &solved.plans[1], 1.0)),
        best(plexes[1], gains(&payoffs.by_second, &solved.plans[0], -1.0)),
    ];
    let mut behaviour: Vec<Vec<f64>> =
        (0..2).map(|at| plan::behaviour(plexes[at], &solved.plans[at], &worth[at])).collect();
    let (mut exact, mut fractions) = (None, vec![None, None]);
    if let Some((value, proved)) = prove(&tree, [0, 1], &payoffs, &goal, &solved, budget) {
        let numbers = |fractions: &Vec<BigRational>| fractions.iter().map(|it| it.to_f64().unwrap_or(0.0)).collect();
        behaviour = proved.iter().map(numbers).collect();
        fractions = proved.into_iter().map(Some).collect();
        exact = Some(value);
    }
    let roles = [plexes[0].role, plexes[1].role];
    let values = match exact {
        Some(value) => {
            let other = map.other(&value);
            vec![RoleValue::exactly(roles[0], value), RoleValue::exactly(roles[1], other)]
        }
        None => between(&map, roles, solved.bracket),
    };
    // Without time for the proof, the bounds stand.
    let stopped = if values[0].exact.is_some() { solved.stopped } else { solved.stopped.or(budget.stop()) };
    let exploitability = if values[0].exact.is_some() { 0.0 } else { solved.bracket.exploitability() };
    Ok(Solution {
        kind: Kind::ZeroSum(map),
        method: solved.method,
        values,
        exploitability: Some(exploitability),
        profile: Vec::new(),
        correlated: None,
        iterations: solved.iterations,
        seconds: 0.0,
        curve: solved.curve,
        stopped,
        found: Origin::Tree { fractions, behaviour, tree },
    })
}

fn sampled(
    game: &Game,
    options: &Options,
    scheme: Sampling,
    budget: &Budget,
    begin: Instant,
) -> Result<Solution, BuildError> {
    let sampling = if options.bounds { budget.share(2) } else { budget.clone() };
    let (sampled, mut stopped) = sampling::run(game, options, scheme, &sampling)?;
    let roles = game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance);
    let profile = roles.zip(&sampled.values).map(|(role, &value)| Deviation { role, value, gain: f64::NAN }).collect();
    let mut solution = Solution {
        kind: Kind::General,
        method: if sampled.scheme == Sampling::Outcome { "mccfr-outcome" } else { "mccfr-external" },
        values: Vec::new(),
        exploitability: None,
        profile,
        correlated: None,
        iterations: sampled.iterations,
        seconds: 0.0,
        curve: Vec::new(),
        stopped: None,
        found: Origin::Sampled(sampled),
    };
    if options.bounds && stopped != Some(Stop::Cancelled) {
        // That the time for sampling is over was the plan.
        stopped = stopped.filter(|&stop| stop != Stop::OutOfTime);
        match bounded(game, &mut solution, &options.space, budget) {
            Err(RespondError::Stopped(stop)) => stopped = Some(stop),
            done => done.map_err(|error| BuildError::Unbounded(error.to_string()))?,
        }
    }
    (solution.stopped, solution.seconds) = (stopped, begin.elapsed().as_secs_f64());
    Ok(solution)
}

/// Adds what best responses prove about sampled strategies.
fn bounded(game: &Game, solution: &mut Solution, space: &Space, budget: &Budget) -> Result<(), RespondError> {
    let Some(sampled) = solution.sampled() else { return Ok(()) };
    let found = evaluate(game, respond::Profile::Sampled(sampled), space, budget)?;
    if let Some(stop) = found.stopped {
        return Err(stop.into());
    }
    let deviation = |it: &Response| Deviation { role: it.role, value: it.value, gain: it.gain() };
    solution.profile = found.roles.iter().map(deviation).collect();
    solution.exploitability = found.roles.iter().map(Response::gain).reduce(f64::max);
    if let (Some(bounds), Some(sum)) = (found.bounds(), found.sum) {
        let whole = |number: i64| BigRational::from(num_bigint::BigInt::from(number));
        let value = |(it, (low, high)): (&Response, (f64, f64))| RoleValue { role: it.role, low, high, exact: None };
        solution.kind = Kind::ZeroSum(Opposed { constant: whole(sum), slope: whole(1) });
        solution.values = found.roles.iter().zip(bounds).map(value).collect();
        solution.exploitability = Some((bounds[0].1 - bounds[0].0) / 2.0);
    }
    Ok(())
}
