//! `percept infoset`: lists the histories that a role cannot tell from the real one.

use std::time::Instant;

use percept_game::stepper::shown;
use percept_game::trace::{View, write_view};
use percept_game::{Game, Term};
use percept_infoset::exact::Look;
use percept_infoset::{Guarantee, Member, Options, Report, Stop, Target, own};
use percept_learn::hrs::{self, Hrs};
use percept_learn::{nisg::Guesser, vocabulary::Vocabulary};
use percept_report::belief::{Belief, Effort, Worlds};
use percept_report::board::{Layout, Picture};
use percept_report::speech::apart;
use percept_report::words::{counted, rounds, runs};
use percept_report::{names, signs};
use schemars::JsonSchema;
use serde::Serialize;

use crate::args::{Format, Infoset, Method, Wanted};
use crate::failure::{FOUND, Failure, OK, OPEN, Outcome};
use crate::load::{Loaded, Loader};
use crate::work::Work;
use crate::{output, show, wrap};

/// The default number of members shown.
const SHOWN: usize = 100;
/// The number of members up to which a set is counted although fewer are shown.
pub(crate) const COUNTED: usize = 10_000;

#[derive(Serialize, JsonSchema)]
pub(crate) struct Answer {
    role: String,
    /// The number of rounds played.
    round: usize,
    method: &'static str,
    /// The reason for the method, if it was chosen automatically.
    why: String,
    /// True if `histories` and `states` are the proved size of the set.
    complete: bool,
    histories: String,
    states: usize,
    /// True if `members` holds every member of the set.
    all_listed: bool,
    /// `none` (members are listed, each at most once), `from` (draws from the requested distribution), `weighted`.
    draws: &'static str,
    /// The relation of `members` to the whole set.
    guarantee: &'static str,
    /// The reason why the work ended early.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
    /// For weighted draws: the estimated number of histories with its standard error.
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate: Option<Size>,
    /// For weighted draws: the equivalent number of independent draws.
    #[serde(skip_serializing_if = "Option::is_none")]
    effective: Option<f64>,
    /// For a view that no history gives: the first round that is impossible.
    #[serde(skip_serializing_if = "Option::is_none")]
    impossible_round: Option<usize>,
    /// Rounds in which the view does not determine the role's own move, as far as this is known quickly.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    own_unknown: Vec<usize>,
    seconds: f64,
    members: Vec<Listed>,
}

#[derive(Serialize, JsonSchema)]
struct Size {
    mean: f64,
    standard_error: f64,
}

#[derive(Serialize, JsonSchema)]
struct Listed {
    /// For each round, a move of each role in the order of the roles.
    moves: Vec<Vec<String>>,
    /// The probability among all members, if chance and the other roles move uniformly; absent unless all members are
    /// known.
    #[serde(skip_serializing_if = "Option::is_none")]
    probability: Option<f64>,
    /// For weighted draws: the share in the sum of the weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    weight: Option<f64>,
    /// Natural logarithm of the probability of the others' moves, if they are chosen uniformly.
    ln_likelihood: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<Picture>,
}

pub(crate) fn run(args: &Infoset) -> Outcome {
    let work = Work::begin(args.work.time);
    let loaded = Loader::new(&args.game, &work).load()?.warned();
    let game = &*loaded.game;
    let view = loaded.view(&args.trace, args.role.as_deref(), args.round)?;
    work.say("searching histories");
    if args.beliefs {
        return beliefs(&loaded, &view, work, args.format);
    }
    if args.network.is_some() && args.method != Method::Nisg {
        return Err(Failure::new("--network needs --method nisg"));
    }
    let guessed = guess(game, &view, args, &work)?;
    let options = Options {
        method: guessed.as_ref().map_or_else(|| method(args.method, args.paper), |_| Ok(Default::default()))?,
        wanted: match args.sample {
            Wanted::All => percept_infoset::Wanted::All,
            Wanted::Uniform => percept_infoset::Wanted::Uniform,
            Wanted::Probability => percept_infoset::Wanted::ByProbability,
        },
        limit: args.members.filter(|&members| members > 0).unwrap_or(SHOWN),
        // Sets of this size are counted although fewer members are shown.
        counted: if args.members.is_none_or(|members| members == 0) { COUNTED } else { 0 },
        seed: args.work.seed,
        look: if args.no_look_ahead { Look::Never } else { Look::WhereNeeded },
        ..Options::default()
    };
    if args.format == Format::Human {
        // A search may take seconds, and the view is known.
        work.suspend(|| print_view(game, &view));
    }
    let found = match guessed {
        Some(report) => Ok(report),
        None => percept_infoset::infoset(game, &view, &options, &work.budget()),
    };
    let mut report = found.map_err(|stop| Failure::open(format!("no member was found: {stop}")))?;
    report.shorten(args.members.unwrap_or(SHOWN));
    let empty = report.complete && report.histories == num_bigint::BigUint::ZERO;
    let layout = args.states.then(|| loaded.layout());
    let mut answer = answer(game, &view, &report, layout.as_ref());
    match empty {
        true => answer.impossible_round = impossible_round(game, &view, &work.budget()),
        false => answer.own_unknown = own_unknown(game, &view, &work.budget()),
    }
    drop(work);
    loaded.sound()?;
    match args.format {
        Format::Json => output::json_versioned("infoset", 3, &answer),
        Format::Human => print(&loaded, &report, &answer),
    }
    let short = report.members.len() < args.members.unwrap_or(SHOWN) && !report.complete;
    Ok(match report.stopped {
        _ if empty => FOUND,
        Some(stop) if stop != Stop::Enough && short => OPEN,
        _ => OK,
    })
}

/// Searches by heuristic rejection sampling, if requested: at random, or in the order of a network's guesses.
fn guess(game: &Game, view: &View, args: &Infoset, work: &Work) -> Result<Option<Report>, Failure> {
    if !matches!(args.method, Method::Hrs | Method::Nisg) {
        return Ok(None);
    }
    if args.paper {
        return Err(Failure::new("--paper needs --method csp"));
    }
    if args.sample != Wanted::All {
        return Err(Failure::new("hrs and nisg list members in their own order: --sample needs another method"));
    }
    let limit = args.members.filter(|&members| members > 0).unwrap_or(COUNTED);
    let budget = work.budget();
    let report = match args.method {
        Method::Hrs => {
            let order = Box::new(hrs::AtRandom::new(args.work.seed));
            hrs::report(&mut Hrs::new(game, view, order, budget), "hrs", limit)
        }
        _ => {
            let path = args.network.as_deref().ok_or_else(|| {
                Failure::new("--method nisg needs --network FILE").note("`percept learn GAME --out FILE` writes one")
            })?;
            let guesser = guesser(game, path)?;
            if guesser.encoding.role != view.role {
                let (guesser_role, viewer) = (&guesser.encoding.columns.role, &game.roles[view.role.0 as usize].name);
                let message = format!("{} guesses for {guesser_role}, not for {viewer}", path.display());
                return Err(Failure::new(message).note(format!("`percept learn --role {viewer}` makes one that does")));
            }
            let mut search = guesser.search(game, view, args.work.seed, budget);
            hrs::report(&mut search, "nisg", limit)
        }
    };
    Ok(Some(report))
}

/// A network from a file, bound to a game.
pub(crate) fn guesser(game: &Game, path: &std::path::Path) -> Result<Guesser, Failure> {
    let saved = percept_learn::file::read(path).map_err(|error| Failure::new(error.to_string()))?;
    Guesser::new(game, &Vocabulary::of(game), &saved)
        .map_err(|error| Failure::new(format!("{}: {error}", path.display())))
}

/// The probability of every fluent.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Believed {
    role: String,
    round: usize,
    method: &'static str,
    /// True if the probabilities are exact.
    exact: bool,
    /// If not exact: the number of independent draws behind the probabilities.
    #[serde(skip_serializing_if = "Option::is_none")]
    effective: Option<f64>,
    histories: String,
    seconds: f64,
    beliefs: Vec<Belief>,
}

/// The default time for beliefs.
const BELIEVING: std::time::Duration = std::time::Duration::from_secs(5);
/// The number of draws without a time limit.
const FEW: usize = 300;

fn beliefs(loaded: &Loaded, view: &View, work: Work, format: Format) -> Outcome {
    let game = &*loaded.game;
    let begin = Instant::now();
    let mut budget = work.budget();
    let effort = match budget.deadline {
        Some(_) => Effort::default(),
        None => Effort::soon(FEW),
    };
    budget.deadline = budget.deadline.or(begin.checked_add(BELIEVING));
    let worlds = Worlds::of(game, view, &effort, &budget);
    drop(work);
    loaded.sound()?;
    let worlds = match worlds {
        Ok(worlds) => worlds,
        Err(percept_report::belief::NoBelief::Impossible) => {
            output::println("no history of the game gives this view");
            return Ok(FOUND);
        }
        Err(error) => return Err(Failure::open(error.to_string())),
    };
    let answer = Believed {
        role: game.roles[view.role.0 as usize].name.clone(),
        round: view.rounds.len(),
        method: worlds.method,
        exact: worlds.is_exact(),
        effective: worlds.effective,
        histories: worlds.histories.clone(),
        seconds: begin.elapsed().as_secs_f64(),
        beliefs: worlds.beliefs(game),
    };
    match format {
        Format::Json => output::json_versioned("infoset", 3, &answer),
        Format::Human => print_beliefs(loaded, &answer),
    }
    Ok(OK)
}

/// Prints boards with percentages, then certain facts, then the rest with bars.
fn print_beliefs(loaded: &Loaded, answer: &Believed) {
    let boards = loaded.layout().shades(answer.beliefs.iter().map(|it| (&it.fluent, it.probability)));
    let how = match answer.effective {
        None => "exact".to_string(),
        Some(effective) => format!("estimated, worth {effective:.0} independent draws"),
    };
    let mut lines = vec![format!(
        "{} after {}: {} ({how}, {:.3} s)",
        answer.role,
        rounds(answer.round),
        signs::histories(&answer.histories),
        answer.seconds
    )];
    boards.iter().for_each(|it| lines.extend(show::boards(std::slice::from_ref(it), &[], wrap::WIDTH)));
    let drawn: rustc_hash::FxHashSet<&Term> =
        boards.iter().flat_map(|it| it.cells.iter().flatten()).flat_map(|it| &it.fluents).collect();
    let (certain, open): (Vec<&Belief>, Vec<&Belief>) =
        answer.beliefs.iter().filter(|it| !drawn.contains(&it.fluent)).partition(|it| it.probability >= 1.0);
    let names: Vec<String> = certain.into_iter().map(|it| loaded.speech.shown(&it.fluent)).collect();
    if !names.is_empty() {
        lines.extend(wrap::wrapped("certain", &apart(names), wrap::WIDTH));
    }
    for it in open {
        let error = if answer.exact { String::new() } else { format!(" ± {:.1}", it.error * 100.0) };
        lines.push(format!("{:>6.2} %{error}  {}", it.probability * 100.0, loaded.speech.shown(&it.fluent)));
    }
    output::println(&lines.join("\n"));
}

/// The first round that no history explains; `None` if the search takes too long.
fn impossible_round(game: &Game, view: &percept_infoset::View, budget: &percept_infoset::Budget) -> Option<usize> {
    let mut filter = percept_infoset::exact::Filter::new(game, percept_infoset::DEFAULT_MEMORY);
    for round in 1..=view.len() {
        if filter.advance(view, budget, None).is_err() {
            let memory = percept_infoset::DEFAULT_MEMORY;
            return percept_infoset::impossible_round(game, view, memory, budget).ok().flatten();
        }
        if filter.last().states.is_empty() {
            return Some(round);
        }
    }
    None
}

/// The time limit to determine the own moves that a view does not reveal.
const TELLING: std::time::Duration = std::time::Duration::from_secs(1);

/// The rounds in which the view does not determine the role's own move.
fn own_unknown(game: &Game, view: &View, budget: &percept_infoset::Budget) -> Vec<usize> {
    let soon = budget.until(Instant::now() + TELLING);
    let disclosures = own::disclosures(game, view, percept_infoset::DEFAULT_MEMORY, &soon);
    (1..)
        .zip(disclosures)
        .filter(|(_, disclosures)| *disclosures == own::Disclosure::Nothing)
        .map(|(round, _)| round)
        .collect()
}

pub(crate) fn method(method: Method, paper: bool) -> Result<percept_infoset::Method, Failure> {
    Ok(match (method, paper) {
        (Method::Csp | Method::Auto, true) => percept_infoset::Method::Paper { most_constrained: false },
        (_, true) => return Err(Failure::new("--paper needs --method csp")),
        (Method::Auto, _) => percept_infoset::Method::Auto,
        (Method::Exact, _) => percept_infoset::Method::Exact,
        (Method::Dfs, _) => percept_infoset::Method::Dfs,
        (Method::Csp, _) => percept_infoset::Method::Csp,
        (Method::Sat, _) => percept_infoset::Method::Sat,
        (Method::Hrs | Method::Nisg, _) => {
            return Err(Failure::new("hrs and nisg are methods of `percept infoset` alone"));
        }
    })
}

/// The kind of the members: draws or not, weighted or not.
fn draws(guarantee: Guarantee) -> &'static str {
    match guarantee {
        Guarantee::All | Guarantee::Distinct | Guarantee::Found => "none",
        Guarantee::Uniform | Guarantee::Probability => "from",
        Guarantee::Weighted(_) => "weighted",
    }
}

fn guarantee(guarantee: Guarantee) -> &'static str {
    match guarantee {
        Guarantee::All => "all members, each once",
        Guarantee::Uniform => "independent draws, each member equally likely",
        Guarantee::Distinct => "different members, each as likely as any other to be among them",
        Guarantee::Probability => "independent draws, as likely as chance and uniform opponents make them",
        Guarantee::Weighted(Target::Uniform) => {
            "independent draws with weights: counted by weight, each member is equally likely"
        }
        Guarantee::Weighted(Target::Probability) => {
            "independent draws with weights: counted by weight, members are as likely as chance and uniform opponents make them"
        }
        Guarantee::Found => "members in the order in which they were found, not a random sample",
    }
}

fn answer(game: &Game, view: &View, report: &Report, layout: Option<&Layout>) -> Answer {
    let weights = report.weights();
    let member = |(index, it): (usize, &Member)| Listed {
        moves: it
            .moves
            .iter()
            .map(|joint| game.role_ids().zip(joint).map(|(role, &mv)| game.rules.move_name(role, mv)).collect())
            .collect(),
        probability: report.probability(it),
        weight: weights.as_ref().map(|weights| weights[index]),
        ln_likelihood: it.ln_probability,
        state: layout.map(|layout| layout.picture(&shown(game, &it.state))),
    };
    Answer {
        role: game.roles[view.role.0 as usize].name.clone(),
        round: view.rounds.len(),
        method: report.method,
        why: report.why.clone(),
        complete: report.complete,
        histories: report.histories.to_string(),
        states: report.states,
        all_listed: report.lists_all(),
        draws: draws(report.guarantee),
        guarantee: guarantee(report.guarantee),
        stopped: report.stopped.map(|stop| stop.to_string()),
        estimate: report.estimate.map(|it| Size { mean: it.mean, standard_error: it.standard_error }),
        effective: report.effective,
        impossible_round: None,
        own_unknown: Vec::new(),
        seconds: report.seconds,
        members: report.members.iter().enumerate().map(member).collect(),
    }
}

/// Prints the moves and percepts of the role.
fn print_view(game: &Game, view: &View) {
    let mut lines = vec![format!("{} after {}:", game.roles[view.role.0 as usize].name, rounds(view.len()))];
    lines.extend(write_view(game, view, "view").lines().skip(2).map(|line| format!("  {line}")));
    output::println(&lines.join("\n"));
}

fn print(loaded: &Loaded, report: &Report, answer: &Answer) {
    let (game, speech) = (&*loaded.game, &loaded.speech);
    let mut lines = Vec::new();
    let size = match (answer.complete, &*answer.histories) {
        (true, "0") => "no history of the game gives this view".to_string(),
        (true, "1") => "1 history: the role knows everything".to_string(),
        (true, n) => format!("{}, {}", signs::histories(n), counted(answer.states, "state", "states")),
        (false, n) => {
            format!("{} found, {}; there may be more", signs::histories(n), counted(answer.states, "state", "states"))
        }
    };
    let why = if answer.why.is_empty() { String::new() } else { format!(": {}", answer.why) };
    lines.push(format!("{size} (method {}{why}; {:.3} s)", answer.method, answer.seconds));
    if let Some(round) = answer.impossible_round {
        lines.push(format!("round {round} is the first that is impossible; is this a trace of another game?"));
    }
    if !answer.own_unknown.is_empty() {
        lines.push(format!("the view does not determine the move of {} in {}", answer.role, runs(&answer.own_unknown)));
    }
    if let Some(size) = &answer.estimate {
        lines.push(format!("estimated size: {:.4e} ± {:.1e}", size.mean, size.standard_error));
    }
    if let Some(effective) = answer.effective {
        lines.push(format!("effective sample size: {effective:.0} of {} draws", answer.members.len()));
    }
    if let Some(stopped) = &answer.stopped {
        lines.push(format!("ended early: {stopped}"));
    }
    lines.push(listed_line(answer));
    for (index, (member, listed)) in report.members.iter().zip(&answer.members).enumerate() {
        lines.push(format!("{}. {}", index + 1, worth(listed)));
        lines.extend(member.moves.iter().map(|joint| format!("   {}", names::line(game, speech, joint))));
        if let Some(state) = &listed.state {
            lines.extend(show::state(state, speech, wrap::WIDTH).into_iter().map(|line| format!("     {line}")));
        }
    }
    output::println(&lines.join("\n"));
}

/// The number of the members that follow, their relation to the set, and how to get more.
fn listed_line(answer: &Answer) -> String {
    let (shown, guarantee) = (answer.members.len(), answer.guarantee);
    let end = if shown == 0 { "" } else { ":" };
    if answer.all_listed {
        return format!("{guarantee}{end}");
    }
    match (answer.draws, answer.complete) {
        ("none", true) => {
            format!(
                "{shown} of {} members listed (-n {} lists all), {guarantee}{end}",
                answer.histories, answer.histories
            )
        }
        ("none", false) => format!("{shown} members listed (-n lists more), {guarantee}{end}"),
        _ => format!("{shown} draws (-n makes more), {guarantee}{end}"),
    }
}

/// The weight of a member.
fn worth(listed: &Listed) -> String {
    let likelihood = || format!("likelihood {:.3e}", listed.ln_likelihood.exp());
    match (listed.weight, listed.probability) {
        (Some(weight), _) => format!("weight {weight:.3e}, {}", likelihood()),
        (None, Some(probability)) => format!("probability {probability:.4}"),
        (None, None) => likelihood(),
    }
}
