//! `percept observe`: does every role know its moves, the end and its goal along a match?

mod html;
mod human;
pub(crate) mod report;
mod sarif;

use percept_game::{JointMove, RoleId, trace};
use percept_infoset::{Finding, ObserveOptions, Verdict};

use crate::args::{Observe, ReportFormat};
use crate::failure::{FOUND, Failure, OK, Outcome};
use crate::load::{Loaded, Loader};
use crate::output;
use crate::work::Work;

/// One match and what was found out about it.
pub struct Judged {
    pub rounds: Vec<JointMove>,
    pub findings: Vec<Finding>,
    /// Per role (not chance) the size of its information set after every round, as far as it is known.
    pub sizes: Vec<(RoleId, Vec<Size>)>,
}

/// The size of an information set.
pub struct Size {
    pub round: usize,
    pub histories: num_bigint::BigUint,
    pub states: usize,
}

pub fn run(args: &Observe) -> Outcome {
    let loaded = Loader::new(&args.game).load()?;
    let only = args.role.as_deref().map(|name| loaded.role(name)).transpose()?;
    let work = Work::begin(args.work.time);
    let matches = match &args.trace {
        Some(path) => vec![loaded.full_match(path)?],
        None => random_matches(&loaded, args, &work)?,
    };
    let mut judged = Vec::new();
    for rounds in matches {
        if !judged.is_empty() && work.is_over() {
            break;
        }
        judged.push(judge(&loaded, rounds, only, args, &work)?);
    }
    drop(work);
    let text = match args.format {
        ReportFormat::Human => human::text(&loaded, &judged),
        ReportFormat::Json => output::json_text("observe", &report::report(&loaded, &judged)),
        ReportFormat::Sarif => sarif::text(&loaded, &judged),
        ReportFormat::Html => html::page(&loaded, &judged),
    };
    match &args.output {
        Some(path) => std::fs::write(path, text).map_err(|error| Failure::io("write", path, &error))?,
        None => output::println(text.trim_end()),
    }
    let is_known = |finding: &Finding| !matches!(finding.verdict, Verdict::Unknown(_));
    Ok(if judged.iter().all(|one| one.findings.iter().all(is_known)) { OK } else { FOUND })
}

fn judge(
    loaded: &Loaded,
    rounds: Vec<JointMove>,
    only: Option<RoleId>,
    args: &Observe,
    work: &Work,
) -> Result<Judged, Failure> {
    let game = &*loaded.game;
    let options = ObserveOptions { announce_end: args.announce_end, ..ObserveOptions::default() };
    let mut findings = percept_infoset::observe(game, &rounds, &options, &work.control())
        .map_err(|error| Failure::new(error.to_string()))?;
    findings.retain(|finding| only.is_none_or(|only| finding.role == only));
    let roles = game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance);
    let roles = roles.filter(|role| only.is_none_or(|only| *role == only));
    let sizes = roles.map(|role| (role, sizes(loaded, &rounds, role, work))).collect();
    Ok(Judged { rounds, findings, sizes })
}

/// The exact size of a role's information set after every round, as far as memory and time allow.
fn sizes(loaded: &Loaded, rounds: &[JointMove], role: RoleId, work: &Work) -> Vec<Size> {
    let game = &*loaded.game;
    let view = super::infoset::convert(&trace::view_of(game, rounds, role, rounds.len()));
    let control = work.control();
    let mut filter = percept_infoset::exact::Filter::new(game, percept_infoset::DEFAULT_MEMORY);
    let mut sizes = Vec::new();
    for round in 0..=rounds.len() {
        if round > 0 && filter.advance(&view, &control, None).is_err() {
            break;
        }
        sizes.push(Size { round, histories: filter.histories(), states: filter.last().states.len() });
    }
    sizes
}

fn random_matches(loaded: &Loaded, args: &Observe, work: &Work) -> Result<Vec<Vec<JointMove>>, Failure> {
    use percept_game::stepper::{StepError, Stepper};
    use rand::SeedableRng;
    /// A match that is not over by then is judged as far as it went.
    const MOST: usize = 10_000;
    (0..args.matches)
        .map(|index| {
            let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(args.work.seed.wrapping_add(index as u64));
            let mut stepper = Stepper::new(loaded.game.clone());
            while stepper.len() < MOST && !work.is_cancelled() {
                match stepper.play_random(&[], &mut rng) {
                    Ok(()) => {}
                    Err(StepError::Over | StepError::Stuck { .. }) => break,
                    Err(error) => return Err(Failure::new(error.to_string())),
                }
            }
            Ok(stepper.joints())
        })
        .collect()
}
