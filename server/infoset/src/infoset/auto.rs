//! Picks a method for a view, and reports the method and the reason.
//!
//! If there are few states, the exact filter is done before another method could begin. If not, the view is unrolled
//! and probed, which costs a few milliseconds and shows the number of open moves. A short pilot of the sampler then
//! estimates the number of histories, and detects histories that end in the same states. Few histories are listed, few
//! states are filtered, and all other sets are sampled if the sampler succeeds often enough. If it does not, the exact
//! filter is tried on the moves that probing left open. The last resort is satisfiability, which always finds members
//! but promises no distribution.

use std::time::{Duration, Instant};

use percept_game::{Game, MoveId, RoleId};
use rustc_hash::FxHashSet;

use crate::{
    Budget, Stop,
    csp::{
        Csp, CspError,
        problem::Problem,
        sampler::{Estimate, Sampler, Tally},
    },
    exact::Filter,
    infoset::{
        Options, Report, Wanted, by_csp, by_dfs, by_exact, by_sat, empty, from_filter, listed, sampled, take,
        weighted_uniform,
    },
    member::{Guarantee, Target, effective_size},
};
use percept_game::view::View;

/// Up to this number of combinations of moves, the members are listed.
const FEW: f64 = 20_000.0;

/// Members drawn to learn about a set.
const PILOT: usize = 1000;

/// The number of drawn members that are replayed to see if they end in the same states.
const ENDS: usize = 200;

/// The time for a first try of the exact filter, before anything is known of the set.
const AT_ONCE: Duration = Duration::from_millis(15);

/// The longest time for the exact filter on the moves that probing left, if drawn members end in the same states and if
/// they do not. It gives up much sooner if its rounds grow too fast.
const FILTERING: Duration = Duration::from_secs(3);
const SHORTLY: Duration = Duration::from_secs(1);

/// If a smaller share of the attempts ends in a uniform member, sampling is given up.
const LEAST_ACCEPTANCE: f64 = 1e-4;

/// The work for a list of members of a large set before another method is used, in words of memory read: about two
/// seconds. It is counted, so that the choice does not depend on the machine.
const MOST_WORK: f64 = 2e9;

/// A search that has found fewer members than this by then is given up.
const HARDLY_ANY: usize = 64;

pub(crate) fn by_auto(game: &Game, view: &View, options: &Options, budget: &Budget) -> Result<Report, CspError> {
    if let Some(report) = at_once(game, view, options, budget)? {
        return Ok(report);
    }
    let csp = match Csp::new(game, view, options.memory, budget) {
        Ok(csp) => csp,
        Err(CspError::TooLarge(large)) => return without_network(game, view, options, budget, &large.to_string()),
        Err(stopped) => return Err(stopped),
    };
    by_probed(game, view, &csp, options, budget)
}

/// Picks the best method for a probed view.
pub(crate) fn by_probed(
    game: &Game,
    view: &View,
    csp: &Csp<'_>,
    options: &Options,
    budget: &Budget,
) -> Result<Report, CspError> {
    let Some(problem) = csp.problem() else {
        return Ok(Report { why: "the view contradicts the rules".into(), ..empty("csp") });
    };
    if problem.ln_combinations() <= FEW.ln() {
        return few(csp, options, budget);
    }
    let Some(sampler) = csp.sampler() else {
        return Ok(empty("csp"));
    };
    let set = Set { game, view, csp, problem, pilot: Pilot::new(csp, &sampler, options, budget), sampler };
    match options.wanted {
        Wanted::All => set.all(options, budget),
        Wanted::Uniform | Wanted::ByProbability => set.random(options, budget),
    }
}

/// Properties of a set, estimated from a few draws.
struct Pilot {
    tally: Tally,
    estimate: Estimate,
    /// The effective share of the draws: the number of independent draws by probability (under chance and uniform
    /// opponents) that they are worth, divided by their number.
    effective: f64,
    /// True if some of them ended in the same state. There are then few states, even if there are many histories.
    repeats: bool,
}

impl Pilot {
    fn new(csp: &Csp<'_>, sampler: &Sampler<'_>, options: &Options, budget: &Budget) -> Pilot {
        let slice = budget.share(3).until(Instant::now() + Duration::from_millis(300));
        let mut draws = sampler.draw(options.seed, false, PILOT, &slice);
        let estimate = sampler.estimate(&draws.tally);
        draws.shorten(ENDS.min(options.limit.max(64)));
        let mut ends = csp.members(&draws, budget);
        ends.iter_mut().for_each(|member| member.ln_weight += member.ln_probability);
        let effective = effective_size(&ends) / ends.len().max(1) as f64;
        let states: FxHashSet<_> = ends.iter().map(|member| &member.state).collect();
        // One coincidence is possible among twenty thousand states.
        Pilot { tally: draws.tally, estimate, effective, repeats: states.len() + 1 < ends.len() }
    }

    /// True if there are hardly more than `histories` histories.
    fn at_most(&self, histories: f64) -> bool {
        self.tally.members > 0 && self.estimate.mean + 5.0 * self.estimate.standard_error <= histories
    }

    fn is_even(&self) -> bool {
        self.tally.acceptance() > LEAST_ACCEPTANCE
    }

    /// The share of the attempts that end in a member, before any rejection for uniformity.
    fn success(&self) -> f64 {
        self.tally.members as f64 / self.tally.attempts.max(1) as f64
    }
}

/// A set too large to be listed without a pilot.
struct Set<'a> {
    game: &'a Game,
    view: &'a View,
    csp: &'a Csp<'a>,
    problem: &'a Problem,
    sampler: Sampler<'a>,
    pilot: Pilot,
}

impl Set<'_> {
    /// Returns distinct members, up to the limit.
    fn all(&self, options: &Options, budget: &Budget) -> Result<Report, CspError> {
        let pilot = &self.pilot;
        let listing = pilot.at_most(FEW);
        if !listing && (pilot.repeats || pilot.tally.members == 0) {
            let slice = if pilot.repeats { FILTERING } else { SHORTLY };
            if let Some(report) = exact_on_the_rest(self.game, self.view, options, budget, self.problem, slice)? {
                return Ok(report);
            }
        }
        // The set is far larger than the limit: the first members in the order of a search would all be alike.
        if pilot.estimate.mean > 2.0 * options.listed() as f64 {
            let is_quick = |share: f64| options.limit as f64 / share * self.sampler.work() <= MOST_WORK;
            if pilot.is_even() && is_quick(pilot.tally.acceptance()) {
                return Ok(self.distinct(Wanted::Uniform, options, budget));
            }
            if is_quick(pilot.success()) {
                return Ok(self.distinct(Wanted::ByProbability, options, budget));
            }
        }
        self.searched(options, budget)
    }

    /// Lists members by search. If it meets hardly any, satisfiability takes over.
    fn searched(&self, options: &Options, budget: &Budget) -> Result<Report, CspError> {
        let nodes = MOST_WORK / (8 * self.problem.option_count().max(1)) as f64;
        let Some(listing) = self.csp.listing(budget.clone()) else {
            return Ok(empty("csp"));
        };
        let mut listing = listing.giving_up_after(nodes as u64, options.limit.min(HARDLY_ANY));
        let members = take(&mut listing, options.listed());
        let mut report = listed("csp", &listing, members);
        report.why = self.why();
        if report.stopped == Some(Stop::OutOfSteps) && budget.stop().is_none() {
            let by_sat = by_sat(self.game, self.view, options, budget)?;
            if by_sat.complete || by_sat.members.len() > report.members.len() {
                report = Report { why: report.why, ..by_sat };
            }
        }
        if !report.complete && self.pilot.tally.members > 0 {
            report.estimate = Some(self.pilot.estimate);
        }
        Ok(report)
    }

    /// Draws members and drops repeats. If they are drawn uniformly, each member is as likely as any other to be among
    /// the result.
    fn distinct(&self, drawn: Wanted, options: &Options, budget: &Budget) -> Report {
        let mut report = distinct(self.csp, &self.sampler, &Options { wanted: drawn, ..options.clone() }, budget);
        report.why = self.why();
        report
    }

    /// The reason to report: the estimated number of histories, and its consequence.
    fn why(&self) -> String {
        let Pilot { tally, estimate, repeats, .. } = &self.pilot;
        let ends =
            if *repeats { "over states that do not fit the memory or the time" } else { "over about as many states" };
        match tally.members {
            0 => format!("1e{:.0} combinations of moves are open and few of them fit", self.open()),
            _ => format!(
                "about {:.1e} histories {ends}; {:.2} of the attempts succeed",
                estimate.mean,
                tally.acceptance()
            ),
        }
    }

    /// The decimal logarithm of the number of combinations of moves.
    fn open(&self) -> f64 {
        self.problem.ln_combinations() / std::f64::consts::LN_10
    }

    /// Returns random draws.
    fn random(&self, options: &Options, budget: &Budget) -> Result<Report, CspError> {
        let pilot = &self.pilot;
        if pilot.at_most(FEW / 10.0) {
            return few(self.csp, options, budget);
        }
        let good = match options.wanted {
            Wanted::ByProbability => pilot.tally.members > 0 && pilot.effective > 0.05,
            _ => pilot.is_even(),
        };
        if good {
            let mut report = sampled(self.csp, &self.sampler, options, budget);
            report.why = self.why();
            return Ok(report);
        }
        let slice = if pilot.repeats { FILTERING } else { SHORTLY };
        if let Some(report) = exact_on_the_rest(self.game, self.view, options, budget, self.problem, slice)? {
            return Ok(report);
        }
        if pilot.tally.members > 0 {
            let weighted = Options { wanted: Wanted::ByProbability, ..options.clone() };
            let mut report = sampled(self.csp, &self.sampler, &weighted, budget);
            match options.wanted {
                Wanted::Uniform => weighted_uniform(&mut report),
                _ => report.why = "the weights are uneven, and the states do not fit the memory or the time".into(),
            }
            return Ok(report);
        }
        let mut report = by_sat(self.game, self.view, options, budget)?;
        report.why = "sampling met only dead ends, and the states do not fit the memory or the time".into();
        Ok(report)
    }
}

/// Draws as wanted and drops repeats.
fn distinct(csp: &Csp<'_>, sampler: &Sampler<'_>, options: &Options, budget: &Budget) -> Report {
    let mut moves_so_far: FxHashSet<Vec<percept_game::JointMove>> = FxHashSet::default();
    let mut report = empty("csp");
    let mut members = Vec::new();
    let mut seed = options.seed;
    while members.len() < options.limit && budget.stop().is_none() {
        let missing = options.limit - members.len();
        let part = Options { seed, limit: missing, ..options.clone() };
        let mut new = sampled(csp, sampler, &part, budget);
        if new.members.is_empty() {
            break;
        }
        let drawn = std::mem::take(&mut new.members);
        members.extend(drawn.into_iter().filter(|member| moves_so_far.insert(member.moves.clone())));
        if report.estimate.is_none() {
            report = new;
        }
        // Another stream of the generator.
        seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    }
    let states: FxHashSet<_> = members.iter().map(|member| &member.state).collect();
    report.states = states.len();
    report.histories = members.len().into();
    report.guarantee = match options.wanted {
        Wanted::Uniform => Guarantee::Distinct,
        _ => Guarantee::Found,
    };
    // Without the repeats, the weights have lost their meaning.
    members.iter_mut().for_each(|member| member.ln_weight = 0.0);
    let stopped = if members.len() < options.limit { budget.stop().unwrap_or(Stop::DeadEnds) } else { Stop::Enough };
    Report { members, complete: false, stopped: Some(stopped), effective: None, ..report }
}

/// Runs the exact filter if it takes negligible time.
fn at_once(game: &Game, view: &View, options: &Options, budget: &Budget) -> Result<Option<Report>, CspError> {
    let now = Instant::now();
    let left = budget.deadline.map_or(Duration::MAX, |deadline| deadline.saturating_duration_since(now));
    let slice = budget.until(now + (left / 10).min(AT_ONCE));
    match Filter::of_view(game, view, options.memory.min(8 << 20), &slice, None) {
        Ok(filter) => {
            let mut report = from_filter(game, view, options, budget, &filter);
            report.why = "there are few states".into();
            Ok(Some(report))
        }
        Err(_) => match budget.stop() {
            Some(stop) => Err(stop.into()),
            None => Ok(None),
        },
    }
}

/// Lists all members; draws are made from the list.
fn few(csp: &Csp<'_>, options: &Options, budget: &Budget) -> Result<Report, CspError> {
    let Some(mut listing) = csp.listing(budget.clone()) else {
        return Ok(empty("csp"));
    };
    let limit = if options.wanted == Wanted::All { options.listed() } else { usize::MAX };
    let members = take(&mut listing, limit);
    let mut report = listed("csp", &listing, members);
    report.why = "few histories are possible".into();
    if report.complete && options.wanted != Wanted::All {
        report.draw(options);
    }
    Ok(report)
}

/// Runs the exact filter over the moves that probing left; `None` if the states do not fit or take too long.
fn exact_on_the_rest(
    game: &Game,
    view: &View,
    options: &Options,
    budget: &Budget,
    problem: &Problem,
    slice: Duration,
) -> Result<Option<Report>, CspError> {
    let now = Instant::now();
    let left = budget.deadline.map_or(Duration::MAX, |deadline| deadline.saturating_duration_since(now));
    let slice = slice.min(left / 3);
    let left = Left::new(problem);
    let plausible = |round: usize, role: RoleId, mv: MoveId| left.contains(round, role, mv);
    match by_exact(game, view, options, &budget.until(now + slice), Some(&plausible)) {
        Ok(mut report) => {
            report.why = "the states that probing leaves fit the memory".into();
            Ok(Some(report))
        }
        Err(_) => match budget.stop() {
            Some(stop) => Err(stop.into()),
            None => Ok(None),
        },
    }
}

/// The moves that probing left, by round and role.
struct Left(Vec<Vec<FxHashSet<MoveId>>>);

impl Left {
    fn new(problem: &Problem) -> Left {
        let decided = problem.decided.iter();
        let mut left: Vec<Vec<FxHashSet<MoveId>>> =
            decided.map(|roles| roles.iter().map(|mv| mv.iter().copied().collect()).collect()).collect();
        for group in &problem.groups {
            left[group.round][group.role].extend(group.options.iter().map(|&(mv, _)| mv));
        }
        Left(left)
    }

    fn contains(&self, round: usize, role: RoleId, mv: MoveId) -> bool {
        self.0[round][role.0 as usize].contains(&mv)
    }
}

/// If the sampler's tables would be too large: tries the exact filter, then satisfiability if the view can be unrolled,
/// then the rules alone.
fn without_network(
    game: &Game,
    view: &View,
    options: &Options,
    budget: &Budget,
    why: &str,
) -> Result<Report, CspError> {
    let now = Instant::now();
    let slice = budget.deadline.map_or(Duration::from_secs(60), |deadline| deadline.saturating_duration_since(now) / 2);
    let exact = by_exact(game, view, options, &budget.until(now + slice), None);
    let mut report = match (exact, budget.stop()) {
        (Ok(report), _) => report,
        (Err(_), Some(stop)) => return Err(stop.into()),
        (Err(_), None) => match by_sat(game, view, options, budget) {
            Err(CspError::TooLarge(_)) => by_dfs(game, view, options, budget),
            other => other?,
        },
    };
    report.why = why.to_string();
    Ok(report)
}

/// Makes a report with `csp`, the method that was requested by name.
pub(crate) fn by_named_csp(game: &Game, view: &View, options: &Options, budget: &Budget) -> Result<Report, CspError> {
    let report = by_csp(game, view, options, budget)?;
    if report.complete || report.stopped != Some(Stop::DeadEnds) {
        return Ok(report);
    }
    if report.guarantee == Guarantee::Weighted(Target::Uniform) && !report.members.is_empty() {
        return Ok(report);
    }
    if report.guarantee == Guarantee::Uniform {
        let weighted = Options { wanted: Wanted::ByProbability, ..options.clone() };
        let mut report = by_csp(game, view, &weighted, budget)?;
        if !report.members.is_empty() {
            weighted_uniform(&mut report);
            return Ok(report);
        }
    }
    let mut report = by_sat(game, view, options, budget)?;
    report.why = "sampling met only dead ends".into();
    report.guarantee = if report.complete { Guarantee::All } else { Guarantee::Found };
    Ok(report)
}
