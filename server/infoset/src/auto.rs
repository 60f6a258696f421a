//! Picks a method for a view, and says which and why.
//!
//! Where states are few the exact filter is done before anything else would have begun. Else the view is unrolled and probed first: that costs tens of milliseconds and tells how much is open. Few
//! combinations are listed; where the sampler does well it samples; where it does not, the exact filter is tried on
//! what probing left, and at last satisfiability, which always finds something but promises nothing.

use std::time::{Duration, Instant};

use percept_game::{Game, MoveId, RoleId};
use rustc_hash::FxHashSet;

use crate::{
    control::{Control, Stop},
    csp::{Csp, CspError, problem::Problem},
    exact::Filter,
    infoset::{Options, Report, Wanted, by_csp, by_dfs, by_exact, by_sat, empty, from_filter, listed, sampled, take},
    member::Guarantee,
    view::View,
};

/// So many combinations of moves are listed rather than counted otherwise.
const FEW: f64 = 20_000.0;

/// Below this share of attempts that end in a uniform member, sampling is given up.
const LEAST_ACCEPTANCE: f64 = 1e-4;

pub(crate) fn by_auto(game: &Game, view: &View, options: &Options, control: &Control) -> Result<Report, CspError> {
    if let Some(report) = at_once(game, view, options, control)? {
        return Ok(report);
    }
    let csp = match Csp::new(game, view, options.memory, control) {
        Ok(csp) => csp,
        Err(CspError::TooLarge(large)) => return without_network(game, view, options, control, &large.to_string()),
        Err(stopped) => return Err(stopped),
    };
    let Some(problem) = csp.problem() else {
        return Ok(Report { why: "the view contradicts the rules".into(), ..empty("csp") });
    };
    if problem.ln_combinations() <= FEW.ln() {
        return few(&csp, options, control);
    }
    let open = problem.ln_combinations() / std::f64::consts::LN_10;
    match options.wanted {
        Wanted::All => all(game, view, options, control, &csp, problem, open),
        Wanted::Uniform | Wanted::ByProbability => random(game, view, options, control, &csp, problem, open),
    }
}

/// The exact filter, where it takes no time worth mentioning.
fn at_once(game: &Game, view: &View, options: &Options, control: &Control) -> Result<Option<Report>, CspError> {
    let now = Instant::now();
    let left = control.deadline.map_or(Duration::MAX, |deadline| deadline.saturating_duration_since(now));
    let slice = control.until(now + (left / 10).min(Duration::from_millis(30)));
    match Filter::of_view(game, view, options.memory.min(8 << 20), &slice, None) {
        Ok(filter) => {
            let mut report = from_filter(game, view, options, control, &filter);
            report.why = "there are few states".into();
            Ok(Some(report))
        }
        Err(_) => match control.stop() {
            Some(stop) => Err(stop.into()),
            None => Ok(None),
        },
    }
}

/// Everything is listed; draws are made from the list.
fn few(csp: &Csp<'_>, options: &Options, control: &Control) -> Result<Report, CspError> {
    let Some(mut listing) = csp.listing(control.clone()) else {
        return Ok(empty("csp"));
    };
    let limit = if options.wanted == Wanted::All { options.limit } else { usize::MAX };
    let members = take(&mut listing, limit);
    let mut report = listed("csp", &listing, members);
    report.why = "few histories are possible".into();
    if report.complete && options.wanted != Wanted::All {
        report.draw(options);
    }
    Ok(report)
}

fn all(
    game: &Game,
    view: &View,
    options: &Options,
    control: &Control,
    csp: &Csp<'_>,
    problem: &Problem,
    open: f64,
) -> Result<Report, CspError> {
    if let Some(report) = exact_on_the_rest(game, view, options, control, problem)? {
        return Ok(report);
    }
    let Some(mut listing) = csp.listing(control.clone()) else {
        return Ok(empty("csp"));
    };
    let members = take(&mut listing, options.limit);
    let mut report = listed("csp", &listing, members);
    report.why = format!("about 1e{open:.0} combinations are open and the states do not fit the memory or the time");
    if !report.complete
        && let Some(sampler) = csp.sampler()
    {
        let pilot = sampler.draw(options.seed, false, 20_000, &control.until(Instant::now() + Duration::from_secs(1)));
        report.estimate = (pilot.tally.members > 0).then(|| sampler.estimate(&pilot.tally));
    }
    Ok(report)
}

fn random(
    game: &Game,
    view: &View,
    options: &Options,
    control: &Control,
    csp: &Csp<'_>,
    problem: &Problem,
    open: f64,
) -> Result<Report, CspError> {
    let Some(sampler) = csp.sampler() else {
        return Ok(empty("csp"));
    };
    let pilot = sampler.draw(options.seed, false, 1000, &control.until(Instant::now() + Duration::from_millis(300)));
    let acceptance = pilot.tally.acceptance();
    let estimate = sampler.estimate(&pilot.tally);
    if pilot.tally.members > 0 && estimate.mean + 5.0 * estimate.standard_error <= FEW / 10.0 {
        return few(csp, options, control);
    }
    let good = match options.wanted {
        Wanted::ByProbability => pilot.tally.members > 0 && pilot.tally.effective() > 0.01,
        _ => acceptance > LEAST_ACCEPTANCE,
    };
    if good {
        let mut report = sampled(csp, &sampler, options, control);
        report.why = format!("about 1e{open:.0} combinations are open; {:.2} of the attempts succeed", acceptance);
        return Ok(report);
    }
    if let Some(report) = exact_on_the_rest(game, view, options, control, problem)? {
        return Ok(report);
    }
    if pilot.tally.members > 0 {
        let weighted = Options { wanted: Wanted::ByProbability, ..options.clone() };
        let mut report = sampled(csp, &sampler, &weighted, control);
        if options.wanted == Wanted::Uniform {
            report.members.iter_mut().for_each(|member| member.ln_weight -= member.ln_probability);
        }
        report.why = "the weights are too uneven to reject to uniformity: use them".into();
        return Ok(report);
    }
    let mut report = by_sat(game, view, options, control)?;
    report.why = "sampling met dead ends only, and the states do not fit the memory or the time".into();
    Ok(report)
}

/// The exact filter over the moves that probing left; nothing where states do not fit or take too long.
fn exact_on_the_rest(
    game: &Game,
    view: &View,
    options: &Options,
    control: &Control,
    problem: &Problem,
) -> Result<Option<Report>, CspError> {
    let now = Instant::now();
    let slice = control.deadline.map_or(Duration::from_secs(2), |deadline| deadline.saturating_duration_since(now) / 3);
    let slice = slice.min(Duration::from_secs(10));
    let left = Left::new(problem);
    let plausible = |round: usize, role: RoleId, mv: MoveId| left.contains(round, role, mv);
    match by_exact(game, view, options, &control.until(now + slice), Some(&plausible)) {
        Ok(mut report) => {
            report.why = "the states that probing leaves fit the memory".into();
            Ok(Some(report))
        }
        Err(_) => match control.stop() {
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

/// Where the sampler's tables would be too large: the exact filter, then satisfiability if the view can be unrolled at
/// all, then the rules alone.
fn without_network(
    game: &Game,
    view: &View,
    options: &Options,
    control: &Control,
    why: &str,
) -> Result<Report, CspError> {
    let now = Instant::now();
    let slice =
        control.deadline.map_or(Duration::from_secs(60), |deadline| deadline.saturating_duration_since(now) / 2);
    let exact = by_exact(game, view, options, &control.until(now + slice), None);
    let mut report = match (exact, control.stop()) {
        (Ok(report), _) => report,
        (Err(_), Some(stop)) => return Err(stop.into()),
        (Err(_), None) => match by_sat(game, view, options, control) {
            Err(CspError::TooLarge(_)) => by_dfs(game, view, options, control),
            other => other?,
        },
    };
    report.why = why.to_string();
    Ok(report)
}

/// One way to a report where the method was named.
pub(crate) fn by_named_csp(game: &Game, view: &View, options: &Options, control: &Control) -> Result<Report, CspError> {
    let report = by_csp(game, view, options, control)?;
    if report.complete || report.stopped != Some(Stop::DeadEnds) {
        return Ok(report);
    }
    if options.wanted == Wanted::Uniform {
        let weighted = Options { wanted: Wanted::ByProbability, ..options.clone() };
        let mut report = by_csp(game, view, &weighted, control)?;
        if !report.members.is_empty() {
            report.members.iter_mut().for_each(|member| member.ln_weight -= member.ln_probability);
            report.why = "the weights are too uneven to reject to uniformity: use them".into();
            return Ok(report);
        }
    }
    let mut report = by_sat(game, view, options, control)?;
    report.why = "sampling met dead ends only".into();
    report.guarantee = if report.complete { Guarantee::All } else { Guarantee::NotUniform };
    Ok(report)
}
