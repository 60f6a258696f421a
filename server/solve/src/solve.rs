//! The front door: solves a game by the method that fits.

use std::sync::Arc;
use std::time::Instant;

use num_rational::BigRational;
use num_traits::ToPrimitive;
use percept_game::{Game, RoleId};
use percept_infoset::{Budget, Stop};

use crate::blocks::Blocks;
use crate::cfr::{Bracket, Pair, Variant, bracket, gains};
use crate::correlated::Correlated;
use crate::descent::{minimize, note};
use crate::general::Profile;
use crate::many::general;
use crate::options::{Method, Options, Point, Sampling};
use crate::respond::{self, RespondError, Response, respond};
use crate::sampling::{self, Sampled};
use crate::strategy::Strategy;
use crate::tree::{BuildError, Space, Tree, Treeplex, build};
use crate::zero_sum::{GoalOf, Opposed, Payoffs, opposed};
use crate::{exact, lp, plan};

/// The number of sequences of both players up to which `Auto` uses the linear program.
pub const LP_SEQUENCES: usize = 12_000;

/// The number of sequences of both players up to which an exact value is tried.
const EXACT_SEQUENCES: usize = 8_000;

/// The variant of regret minimization that `Auto` uses for larger games.
pub const DEFAULT_VARIANT: Variant = Variant::Predictive;

/// The kind of a game, which decides the meaning of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Two players with opposed goals: each can secure its value.
    ZeroSum(Opposed),
    /// One player and chance. The value of the player is the best it can expect, and that of a role without a choice
    /// the least.
    Alone,
    /// Any other game: the values are those that each role can secure.
    General,
}

/// A value of one role, in its goals.
#[derive(Clone, Debug, PartialEq)]
pub struct RoleValue {
    /// The role.
    pub role: RoleId,
    /// The lower bound of the goal that the role can secure.
    pub low: f64,
    /// The upper bound of that goal.
    pub high: f64,
    /// The value itself, if it was proved.
    pub exact: Option<BigRational>,
}

impl RoleValue {
    /// The middle of the bounds.
    pub fn middle(&self) -> f64 {
        self.exact.as_ref().and_then(ToPrimitive::to_f64).unwrap_or((self.low + self.high) / 2.0)
    }

    pub(crate) fn exactly(role: RoleId, value: BigRational) -> RoleValue {
        let number = value.to_f64().unwrap_or(f64::NAN);
        RoleValue { role, low: number, high: number, exact: Some(value) }
    }
}

/// A role's value under the strategies, and its gain from leaving them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deviation {
    /// The role.
    pub role: RoleId,
    /// The value of following the strategies, in its goals.
    pub value: f64,
    /// The greatest gain from leaving them.
    pub gain: f64,
}

/// The source of the strategies.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    Blocks { blocks: Arc<Blocks>, behaviour: [Vec<f64>; 2] },
    Tree { tree: Tree, behaviour: Vec<Vec<f64>>, fractions: Vec<Option<Vec<BigRational>>> },
    Sampled(Sampled),
}

/// The solution of a game.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The kind of the game.
    pub kind: Kind,
    /// `lp`, `cfr+`, `dcfr`, `pcfr+`, `optimum`, `mccfr-external` or `mccfr-outcome`.
    pub method: &'static str,
    /// One value for each role other than chance; empty if nothing was proved (sampling).
    pub values: Vec<RoleValue>,
    /// Half of the joint gain of both players from best responses, in the first one's goals. In a game without a value,
    /// the greatest gain of a role. `None` if it was not computed.
    pub exploitability: Option<f64>,
    /// The values of the strategies, in games without a value and after sampling (which leaves `gain` unknown, as NaN).
    pub profile: Vec<Deviation>,
    /// The joint play of regret minimization, in games without a value: a coarse correlated equilibrium.
    pub correlated: Option<Correlated>,
    /// The number of iterations of regret minimization; 0 for a linear program.
    pub iterations: u64,
    /// The seconds that the whole work took.
    pub seconds: f64,
    /// The convergence over time.
    pub curve: Vec<Point>,
    /// The reason why the work ended early, if it did.
    pub stopped: Option<Stop>,
    pub(crate) found: Origin,
}

impl Solution {
    /// The tree that was solved, if one was built.
    pub fn tree(&self) -> Option<&Tree> {
        match &self.found {
            Origin::Tree { tree, .. } => Some(tree),
            Origin::Sampled(_) | Origin::Blocks { .. } => None,
        }
    }

    /// The sampled strategies, if the game was sampled.
    pub fn sampled(&self) -> Option<&Sampled> {
        match &self.found {
            Origin::Sampled(sampled) => Some(sampled),
            Origin::Tree { .. } | Origin::Blocks { .. } => None,
        }
    }

    /// The game as blocks, if its tree was too large.
    pub fn blocks(&self) -> Option<&Blocks> {
        match &self.found {
            Origin::Blocks { blocks, .. } => Some(blocks),
            Origin::Tree { .. } | Origin::Sampled(_) => None,
        }
    }

    /// The probability of each sequence's last move, by player; `None` if there is no tree.
    pub fn behaviour(&self) -> Option<&[Vec<f64>]> {
        match &self.found {
            Origin::Tree { behaviour, .. } => Some(behaviour),
            Origin::Sampled(_) | Origin::Blocks { .. } => None,
        }
    }

    /// The strategies as tables, by the views of the roles.
    pub fn strategy(&self, game: &Game) -> Strategy {
        match &self.found {
            Origin::Tree { tree, behaviour, fractions } => Strategy::of_tree(game, tree, behaviour, fractions),
            Origin::Sampled(sampled) => sampled.strategy(game),
            Origin::Blocks { blocks, behaviour } => blocks.strategy(game, behaviour),
        }
    }
}

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
        Found::Tree(tree) => tree,
        Found::Blocks(blocks) => return blocks.solve_since(options, budget, begin),
    };
    let mut solution = match tree.deciders()[..] {
        [] => alone(tree, None),
        [player] => alone(tree, Some(player)),
        [first, second] if tree.players.len() == 2 => match opposed(&tree, first, second) {
            Some(map) => zero_sum(tree, map, options, budget, begin)?,
            None => general(game, tree, options, budget, begin)?,
        },
        _ => general(game, tree, options, budget, begin)?,
    };
    solution.seconds = begin.elapsed().as_secs_f64();
    Ok(solution)
}

/// The bytes of a tree from which on a game of two players is solved without a tree, if that is possible.
const LARGE: usize = 512 << 20;

enum Found {
    Tree(Tree),
    Blocks(Box<Blocks>),
}

fn tree_or_blocks(game: &Game, options: &Options, budget: &Budget) -> Result<Found, BuildError> {
    let small = Space { bytes: options.space.bytes.min(LARGE) };
    let space = if options.blocks && options.method != Method::Lp { &small } else { &options.space };
    let error = match build(game, space, budget) {
        Err(error @ BuildError::TooLarge { .. }) if space.bytes == small.bytes => error,
        found => return found.map(Found::Tree),
    };
    if !options.blocks || options.method == Method::Lp {
        return Err(error);
    }
    match Blocks::build(game, &options.space, budget) {
        Ok(Some(blocks)) => Ok(Found::Blocks(Box::new(blocks))),
        Err(RespondError::Stopped(stop)) => Err(stop.into()),
        _ if options.space.bytes > small.bytes => build(game, &options.space, budget).map(Found::Tree),
        _ => Err(error),
    }
}

/// The values of two players with opposed goals.
pub(crate) fn between(map: &Opposed, roles: [RoleId; 2], bracket: Bracket) -> Vec<RoleValue> {
    let Bracket { low, high } = bracket;
    let (constant, slope) = (map.constant.to_f64().unwrap_or(f64::NAN), map.slope.to_f64().unwrap_or(f64::NAN));
    let other = |value: f64| constant - slope * value;
    vec![
        RoleValue { role: roles[0], low, high, exact: None },
        RoleValue { role: roles[1], low: other(high), high: other(low), exact: None },
    ]
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

/// Plans of both players with their bounds.
pub(crate) struct Solved {
    pub plans: [Vec<f64>; 2],
    /// The face, if a linear program found them.
    face: Option<lp::Face>,
    pub bracket: Bracket,
    pub method: &'static str,
    iterations: u64,
    curve: Vec<Point>,
    stopped: Option<Stop>,
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
    if let Some((value, proved)) = prove(&tree, [0, 1], &payoffs, &goal, &solved) {
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
        stopped: solved.stopped,
        found: Origin::Tree { fractions, behaviour, tree },
    })
}

/// The exact value and the exact behaviour of both players, if the plans of a linear program prove a value.
pub(crate) fn prove(
    tree: &Tree,
    players: [usize; 2],
    payoffs: &Payoffs,
    goal: &GoalOf<'_>,
    solved: &Solved,
) -> Option<(BigRational, [Vec<BigRational>; 2])> {
    let plexes = players.map(|player| &tree.players[player]);
    let face = solved.face.as_ref()?;
    if plexes[0].sequences() + plexes[1].sequences() > EXACT_SEQUENCES {
        return None;
    }
    let [first, second] = &solved.plans;
    let worth = [
        best(plexes[0], gains(&payoffs.by_first, second, 1.0)),
        best(plexes[1], gains(&payoffs.by_second, first, -1.0)),
    ];
    let behaviour = [plan::behaviour(plexes[0], first, &worth[0]), plan::behaviour(plexes[1], second, &worth[1])];
    // The program's numbers have the same offset.
    let goal = |goals: &[i64]| goal(goals) - payoffs.offset;
    let plans = [&first[..], &second[..]];
    let (value, exactly) = exact::prove(tree, players, &goal, plans, face, [&behaviour[0], &behaviour[1]])?;
    Some((value + BigRational::from(num_bigint::BigInt::from(payoffs.offset)), exactly))
}

fn best(plex: &Treeplex, mut gains: Vec<f64>) -> Vec<f64> {
    plan::best_response(plex, &mut gains);
    gains
}

/// Solves a game of two players with opposed goals by the method that fits.
pub(crate) fn solve_pair(
    plexes: [&Treeplex; 2],
    payoffs: &Payoffs,
    options: &Options,
    budget: &Budget,
    begin: Instant,
) -> Result<Solved, BuildError> {
    let sequences = plexes[0].sequences() + plexes[1].sequences();
    let (linear, variant) = match options.method {
        Method::Lp => (true, DEFAULT_VARIANT),
        Method::Cfr(variant) => (false, variant),
        Method::Auto | Method::Sampling(_) => (sequences <= LP_SEQUENCES, DEFAULT_VARIANT),
    };
    if linear && let Some(solved) = linear_pair(plexes, payoffs, options, budget, begin) {
        return Ok(solved);
    }
    let mut pair = Pair::new(plexes[0], plexes[1], payoffs, variant);
    let (curve, stopped) = minimize(&mut pair, options, budget, begin)?;
    let plans = pair.averages();
    let bracket = bracket(plexes, payoffs, &plans[0], &plans[1]);
    let iterations = pair.iterations as u64;
    Ok(Solved { plans, face: None, bracket, method: variant.name(), iterations, curve, stopped })
}

/// Solves the linear program. `None` if its solver gives up, or its plans are worse than they should be.
fn linear_pair(
    plexes: [&Treeplex; 2],
    payoffs: &Payoffs,
    options: &Options,
    budget: &Budget,
    begin: Instant,
) -> Option<Solved> {
    let time = || budget.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    // The solver's plan is only a plan up to its tolerance; the behaviour at each information set makes it a real one.
    let real = |at: usize, found: Vec<f64>| {
        let plex = plexes[at];
        let found: Vec<f64> = found.iter().map(|&probability| probability.max(0.0)).collect();
        plan::plan(plex, &plan::behaviour(plex, &found, &vec![0.0; found.len()]))
    };
    let lp::Plans { plans: [first, second], face } = lp::both_plans(plexes[0], plexes[1], &payoffs.by_second, time())?;
    let plans = [real(0, first), real(1, second)];
    let bracket = bracket(plexes, payoffs, &plans[0], &plans[1]);
    let mut curve = Vec::new();
    note(&mut curve, begin, 1, bracket, options);
    let fits = bracket.exploitability() <= options.target.max(1e-6);
    let stopped = budget.stop();
    fits.then_some(Solved { plans, face: Some(face), bracket, method: "lp", iterations: 0, curve, stopped })
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
    let found = respond(game, respond::Profile::Sampled(sampled), space, budget)?;
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
