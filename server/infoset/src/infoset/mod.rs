//! The entry point of the crate: one question, any method.

mod auto;

use std::time::Instant;

use num_bigint::BigUint;
use percept_game::Game;
use rand::{
    SeedableRng,
    distr::{Distribution, weighted::WeightedIndex},
};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashSet;

use crate::{
    Budget, Stop,
    csp::{
        Csp, CspError,
        sampler::{Draws, Estimate, Sampler},
    },
    dfs::Dfs,
    exact::{Counts, Draw, DrawWeight, Filter, Listing, Look, Plausible},
    member::{Guarantee, Member, Members, Target, effective_size, ln_sum},
    sat,
    stage_graph::{PaperCsp, PaperOptions},
};
use auto::{by_auto, by_named_csp};
use percept_game::view::View;

pub(crate) use auto::by_probed;

/// The method that finds members.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// Picks one of the others and reports the reason.
    #[default]
    Auto,
    /// Filters all possible states, round by round, with counts.
    Exact,
    /// Depth-first search of the game tree.
    Dfs,
    /// Draws from the stage graph, with weights.
    Csp,
    /// Satisfiability with random polarities: finds members of any set, with an unspecified distribution.
    Sat,
    /// The paper's CSP-InfosetSample, without improvements.
    Paper {
        /// True if the group with the fewest options is decided next, false if the groups follow the order of the
        /// rounds.
        most_constrained: bool,
    },
}

impl Method {
    /// Returns the method's name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Method::Auto => "auto",
            Method::Exact => "exact",
            Method::Dfs => "dfs",
            Method::Csp => "csp",
            Method::Sat => "sat",
            Method::Paper { .. } => "paper",
        }
    }
}

/// The members to return.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Wanted {
    /// All members, each once (up to the limit).
    #[default]
    All,
    /// Random members, each equally likely.
    Uniform,
    /// Random members, as likely as chance and uniform opponents make them.
    ByProbability,
}

/// The members to find, the method, and its limits.
#[derive(Clone, Debug)]
pub struct Options {
    /// The method that finds members.
    pub method: Method,
    /// The members to return: all of them, or random ones.
    pub wanted: Wanted,
    /// The greatest number of members to return.
    pub limit: usize,
    /// With [`Wanted::All`]: sets of up to this many members are counted by a list, even if it is more than `limit`. Of
    /// larger sets, only `limit` members are made.
    pub counted: usize,
    /// The seed of random draws.
    pub seed: u64,
    /// The memory the method may use, in bytes.
    pub memory: usize,
    /// With [`Method::Exact`]: when the filter looks ahead.
    pub look: Look,
    /// With [`Method::Csp`]: if random members are requested of a set that has hardly more than `limit`, lists all of
    /// them instead, each once.
    pub whole: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            method: Method::Auto,
            wanted: Wanted::All,
            limit: usize::MAX,
            counted: 0,
            seed: 0,
            memory: crate::DEFAULT_MEMORY,
            look: Look::default(),
            whole: false,
        }
    }
}

impl Options {
    /// The number of members after which a list that is not complete ends.
    pub(crate) fn listed(&self) -> usize {
        if self.wanted == Wanted::All { self.limit.max(self.counted) } else { self.limit }
    }
}

/// The result of a search for members.
#[derive(Clone, Debug)]
pub struct Report {
    /// The name of the method that was used.
    pub method: &'static str,
    /// The reason for the method if it was picked automatically; mostly empty if it was requested by name.
    pub why: String,
    /// The members found, up to the limit.
    pub members: Vec<Member>,
    /// The sense in which `members` represents the set.
    pub guarantee: Guarantee,
    /// True if `histories` is the proved size of the set (although `members` may be fewer).
    pub complete: bool,
    /// The number of histories: exact if `complete`, else the number of distinct ones found.
    pub histories: BigUint,
    /// The number of distinct states in which they end: of all members if `complete`, else of those found.
    pub states: usize,
    /// The reason why the search ended early.
    pub stopped: Option<Stop>,
    /// The number of histories, estimated from weighted draws.
    pub estimate: Option<Estimate>,
    /// The worth of weighted draws, as a number of independent draws without weights.
    pub effective: Option<f64>,
    /// If `complete`: the natural logarithm of the sum of all members' probabilities (see [`Member::ln_probability`]).
    pub ln_mass: Option<f64>,
    /// The duration of the search in seconds.
    pub seconds: f64,
}

impl Report {
    /// True if `members` are all members of the set, each once.
    pub fn lists_all(&self) -> bool {
        self.complete && self.guarantee == Guarantee::All && self.histories == self.members.len().into()
    }

    /// Keeps at most `members` of the members; `guarantee` and `effective` are then those of the kept ones.
    pub fn shorten(&mut self, members: usize) {
        if members >= self.members.len() {
            return;
        }
        self.members.truncate(members);
        if self.guarantee == Guarantee::All {
            self.guarantee = Guarantee::Found;
        }
        if self.effective.is_some() {
            self.effective = Some(effective_size(&self.members));
        }
    }

    /// Returns the probability of a member among all members, if chance and every other role move uniformly; `None` if
    /// not all members are known.
    pub fn probability(&self, member: &Member) -> Option<f64> {
        Some((member.ln_probability - self.ln_mass?).exp())
    }

    /// Returns each member's share of the sum of the weights; `None` if members have no weights.
    pub fn weights(&self) -> Option<Vec<f64>> {
        let ln_weights = self.members.iter().map(|member| member.ln_weight);
        let sum = ln_sum(ln_weights.clone());
        self.guarantee.is_weighted().then(|| ln_weights.map(|ln| (ln - sum).exp()).collect())
    }

    /// Returns each member's share if members count by their probability under chance and uniform opponents, whatever
    /// their own guarantee is.
    pub fn chances(&self) -> Vec<f64> {
        let ln = self.members.iter().map(|member| self.ln_chance(member));
        let sum = ln_sum(ln.clone());
        ln.map(|ln| (ln - sum).exp()).collect()
    }

    /// The logarithm of the weight with which a member counts by its probability under chance and uniform opponents.
    pub(crate) fn ln_chance(&self, member: &Member) -> f64 {
        match self.guarantee {
            Guarantee::Probability => 0.0,
            Guarantee::Weighted(Target::Probability) => member.ln_weight,
            Guarantee::All
            | Guarantee::Uniform
            | Guarantee::Distinct
            | Guarantee::Weighted(Target::Uniform)
            | Guarantee::Found => member.ln_weight + member.ln_probability,
        }
    }

    /// Replaces the complete list by random draws from it.
    pub(crate) fn draw(&mut self, options: &Options) {
        let ln_weight = |member: &Member| match options.wanted {
            Wanted::ByProbability => member.ln_probability,
            _ => 0.0,
        };
        self.guarantee = match options.wanted {
            Wanted::ByProbability => Guarantee::Probability,
            _ => Guarantee::Uniform,
        };
        let greatest = self.members.iter().map(ln_weight).fold(f64::NEG_INFINITY, f64::max);
        let weights = self.members.iter().map(|member| (ln_weight(member) - greatest).exp());
        let Ok(choice) = WeightedIndex::new(weights) else {
            return;
        };
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
        let limit = if options.limit == usize::MAX { self.members.len() } else { options.limit };
        self.members = (0..limit).map(|_| self.members[choice.sample(&mut rng)].clone()).collect();
    }
}

/// Finds members of the information set of a view.
///
/// # Errors
/// Fails if the limits were reached without a result, or if the method does not fit the game.
pub fn infoset(game: &Game, view: &View, options: &Options, budget: &Budget) -> Result<Report, CspError> {
    let start = Instant::now();
    let mut report = match options.method {
        Method::Auto => by_auto(game, view, options, budget),
        Method::Exact => by_named_exact(game, view, options, budget),
        Method::Dfs => Ok(by_dfs(game, view, options, budget)),
        Method::Csp => by_named_csp(game, view, options, budget),
        Method::Sat => by_sat(game, view, options, budget),
        Method::Paper { most_constrained } => by_paper(game, view, most_constrained, options, budget),
    }?;
    report.shorten(options.limit);
    report.seconds = start.elapsed().as_secs_f64();
    Ok(report)
}

/// The divisor of the memory for states before the filter looks ahead.
const UNPRUNED_SHARE: usize = 64;

/// Filters by past rounds alone if that fits the memory. If not, the filter looks ahead. If the network of the view is
/// too large for that, it filters by past rounds with all of the memory.
fn by_named_exact(game: &Game, view: &View, options: &Options, budget: &Budget) -> Result<Report, CspError> {
    let past = |memory: usize| Filter::of_view(game, view, memory, budget, None).map_err(CspError::from);
    let ahead = || match Filter::looking_ahead(game, view, options.memory, budget) {
        Err(CspError::TooLarge(_)) => past(options.memory).map(|filter| (filter, "")),
        other => other.map(|filter| (filter, "states that later rounds rule out were left out")),
    };
    let (filter, why) = match options.look {
        Look::Never => (past(options.memory)?, ""),
        Look::Always => ahead()?,
        Look::WhereNeeded => match past(options.memory / UNPRUNED_SHARE) {
            Err(CspError::Stopped(Stop::OutOfMemory)) => ahead()?,
            other => (other?, ""),
        },
    };
    Ok(Report { why: why.into(), ..from_filter(game, view, options, budget, &filter) })
}

/// Filters if it will end in time ([`Filter::within_reach`]), for a caller that has another method.
pub(crate) fn by_exact(
    game: &Game,
    view: &View,
    options: &Options,
    budget: &Budget,
    plausible: Option<&Plausible<'_>>,
) -> Result<Report, CspError> {
    let filter = Filter::within_reach(game, view, options.memory, budget, plausible)?;
    Ok(from_filter(game, view, options, budget, &filter))
}

/// Lists or draws the requested members from the layers of a filter.
pub(crate) fn from_filter(game: &Game, view: &View, options: &Options, budget: &Budget, filter: &Filter<'_>) -> Report {
    let counts = Counts::new(filter);
    let mut stopped = None;
    let (members, guarantee) = match options.wanted {
        Wanted::All => {
            let mut listing = Listing::new(game, view, filter, &counts, budget.clone());
            let members = take(&mut listing, options.limit);
            stopped = listing.stopped();
            let all = *counts.total() == members.len().into();
            (members, if all { Guarantee::All } else { Guarantee::Found })
        }
        Wanted::Uniform => {
            (draw(game, view, filter, &counts, DrawWeight::Uniformly, options, budget), Guarantee::Uniform)
        }
        Wanted::ByProbability => {
            (draw(game, view, filter, &counts, DrawWeight::ByProbability, options, budget), Guarantee::Probability)
        }
    };
    Report {
        method: "exact",
        why: String::new(),
        members,
        guarantee,
        complete: true,
        histories: counts.total().clone(),
        states: filter.last().states.len(),
        stopped: stopped.or_else(|| budget.stop()),
        estimate: None,
        effective: None,
        ln_mass: Some(counts.ln_mass()),
        seconds: 0.0,
    }
}

fn draw(
    game: &Game,
    view: &View,
    filter: &Filter<'_>,
    counts: &Counts,
    weight: DrawWeight,
    options: &Options,
    budget: &Budget,
) -> Vec<Member> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
    let draw = Draw::new(filter, counts, weight);
    let mut members = Vec::new();
    while members.len() < options.limit && budget.stop().is_none() {
        let Some(member) = draw.history(&mut rng).and_then(|history| Member::checked(game, view, history)) else {
            break;
        };
        members.push(member);
    }
    members
}

pub(crate) fn by_dfs(game: &Game, view: &View, options: &Options, budget: &Budget) -> Report {
    let mut search = Dfs::new(game, view, budget.clone());
    let members = take(&mut search, options.listed());
    listed("dfs", &search, members)
}

pub(crate) fn by_csp(game: &Game, view: &View, options: &Options, budget: &Budget) -> Result<Report, CspError> {
    let csp = Csp::new(game, view, options.memory, budget)?;
    let listed_within = if options.whole { budget.share(2) } else { budget.clone() };
    let Some(mut listing) = csp.listing(listed_within) else {
        return Ok(empty("csp"));
    };
    if options.wanted == Wanted::All {
        let members = take(&mut listing, options.listed());
        return Ok(listed("csp", &listing, members));
    }
    let Some(sampler) = csp.sampler() else {
        return Ok(empty("csp"));
    };
    // If rejection yields no draw in half of the time, all of the time would yield few. Weights cost nothing.
    let is_rejected = options.wanted == Wanted::Uniform;
    let is_uniform = is_rejected && !sampler.draw(options.seed, true, 1, &budget.share(2)).ln_weights.is_empty();
    let draws = sampler.draw(options.seed, is_uniform, options.limit, budget);
    if options.whole {
        // Draws cost nothing compared with their replay, and estimate the number of histories.
        let few = options.limit as f64;
        let Estimate { mean, standard_error } = sampler.estimate(&draws.tally);
        let is_few = mean > 0.0 && mean + 5.0 * standard_error <= few;
        let members = if is_few { take(&mut listing, options.limit) } else { Vec::new() };
        if is_few && listing.complete() {
            return Ok(listed("csp", &listing, members));
        }
    }
    if is_rejected && !is_uniform {
        let weighted = Options { wanted: Wanted::ByProbability, ..options.clone() };
        let mut report = replayed(&csp, &sampler, &draws, &weighted, budget);
        weighted_uniform(&mut report);
        return Ok(report);
    }
    Ok(replayed(&csp, &sampler, &draws, options, budget))
}

/// Draws random members by a sampler: exactly uniform ones, or weighted ones.
pub(crate) fn sampled(csp: &Csp<'_>, sampler: &Sampler<'_>, options: &Options, budget: &Budget) -> Report {
    let draws = sampler.draw(options.seed, options.wanted == Wanted::Uniform, options.limit, budget);
    replayed(csp, sampler, &draws, options, budget)
}

/// Makes members of the draws.
fn replayed(csp: &Csp<'_>, sampler: &Sampler<'_>, draws: &Draws, options: &Options, budget: &Budget) -> Report {
    let uniform = options.wanted == Wanted::Uniform;
    let mut members = csp.members(draws, budget);
    if !uniform {
        members.iter_mut().for_each(|member| member.ln_weight += member.ln_probability);
    }
    let histories: FxHashSet<_> = members.iter().map(|member| &member.moves).collect();
    let states: FxHashSet<_> = members.iter().map(|member| &member.state).collect();
    let stopped = if members.len() >= options.limit { Stop::Enough } else { budget.stop().unwrap_or(Stop::DeadEnds) };
    Report {
        histories: histories.len().into(),
        states: states.len(),
        guarantee: if uniform { Guarantee::Uniform } else { Guarantee::Weighted(Target::Probability) },
        complete: false,
        stopped: Some(stopped),
        estimate: Some(sampler.estimate(&draws.tally)),
        effective: (!uniform).then(|| effective_size(&members)),
        ln_mass: None,
        members,
        ..empty("csp")
    }
}

pub(crate) fn by_sat(game: &Game, view: &View, options: &Options, budget: &Budget) -> Result<Report, CspError> {
    let mut search = sat::Listing::new(game, view, options.memory, options.seed, budget)?;
    let members = take(&mut search, options.listed());
    Ok(listed("sat", &search, members))
}

fn by_paper(
    game: &Game,
    view: &View,
    most_constrained: bool,
    options: &Options,
    budget: &Budget,
) -> Result<Report, CspError> {
    let full_set = options.wanted == Wanted::All;
    let paper = PaperOptions { full_set, most_constrained, seed: options.seed };
    let mut search = PaperCsp::new(game, view, paper, budget.clone())?;
    let members = take(&mut search, options.listed());
    Ok(listed("paper", &search, members))
}

/// The report of an empty set.
pub(crate) fn empty(method: &'static str) -> Report {
    Report {
        method,
        why: String::new(),
        members: vec![],
        guarantee: Guarantee::All,
        complete: true,
        histories: BigUint::ZERO,
        states: 0,
        stopped: None,
        estimate: None,
        effective: None,
        ln_mass: Some(f64::NEG_INFINITY),
        seconds: 0.0,
    }
}

/// Changes weighted draws to weights that make every member equally likely, for use if rejection to uniformity would
/// leave too few.
pub(crate) fn weighted_uniform(report: &mut Report) {
    report.members.iter_mut().for_each(|member| member.ln_weight -= member.ln_probability);
    report.guarantee = Guarantee::Weighted(Target::Uniform);
    report.effective = Some(effective_size(&report.members));
    report.why = "the weights are too uneven to reject to uniformity: use them".into();
}

/// Returns at most `limit` members; one more step settles if these were all.
pub(crate) fn take(search: &mut impl Members, limit: usize) -> Vec<Member> {
    let mut members = Vec::new();
    while members.len() < limit {
        match search.next() {
            Some(member) => members.push(member),
            None => break,
        }
    }
    members
}

/// The report of a search that lists distinct members.
pub(crate) fn listed(method: &'static str, search: &impl Members, members: Vec<Member>) -> Report {
    let complete = search.complete();
    let states: FxHashSet<_> = members.iter().map(|member| &member.state).collect();
    let histories: FxHashSet<_> = members.iter().map(|member| &member.moves).collect();
    Report {
        method,
        why: String::new(),
        guarantee: if complete { Guarantee::All } else { Guarantee::Found },
        ln_mass: complete.then(|| ln_sum(members.iter().map(|member| member.ln_probability))),
        complete,
        histories: histories.len().into(),
        states: states.len(),
        stopped: search.stopped().or((!complete).then_some(Stop::Enough)),
        estimate: None,
        effective: None,
        seconds: 0.0,
        members,
    }
}
