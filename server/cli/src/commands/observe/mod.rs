//! `percept observe`: checks if every role knows its moves, the end and its goal along a match.

mod html;
pub(crate) mod human;
pub(crate) mod report;
pub(crate) mod sarif;

use percept_game::{JointMove, RoleId};
use percept_infoset::{Budget, Finding, News, ObserveOptions, Property, Size, Verdict};

use crate::args::{Observe, ReportFormat};
use crate::failure::{FOUND, Failure, OK, OPEN, Outcome};
use crate::load::{self, Loaded, Loader};
use crate::output;
use crate::save;
use crate::work::Work;

/// One match with its verdicts.
pub(crate) struct Judged {
    /// The seed that repeats a random match; `None` for a given match.
    pub seed: Option<u64>,
    pub rounds: Vec<JointMove>,
    pub findings: Vec<Finding>,
    /// The size of each role's information set (not chance's) after every round, as far as it is known.
    pub sizes: Vec<(RoleId, Vec<Size>)>,
}

/// The properties with a verdict for a role in these matches.
pub(crate) fn properties(judged: &[Judged], role: RoleId) -> Vec<Property> {
    let all = Property::ALL.into_iter().chain([Property::Own]);
    let is_judged = |property: &Property| {
        let mut findings = judged.iter().flat_map(|one| &one.findings);
        findings.any(|it| it.role == role && it.property == *property)
    };
    all.filter(is_judged).collect()
}

pub(crate) fn run(args: &Observe) -> Outcome {
    let work = Work::begin(args.work.time);
    let loaded = Loader::new(&args.game, &work).load()?.warned();
    let only = args.role.as_deref().map(|name| loaded.player(name)).transpose()?;
    let matches = match &args.trace {
        Some(path) => vec![(None, loaded.full_match(path)?)],
        None => random_matches(&loaded, args, &work)?,
    };
    if let (Some(path), Some((_, rounds))) = (&args.save_trace, matches.first()) {
        let text = load::trace_text(&loaded.game, rounds, &args.game.game, path);
        save::file(path, text)?;
    }
    let mut judged = Vec::new();
    let count = matches.len();
    loaded.sound()?;
    let stream = (args.format == ReportFormat::Human && args.output.is_none() && count == 1)
        .then(|| human::Stream::new(&loaded, &work));
    for (index, (seed, rounds)) in matches.into_iter().enumerate() {
        if !judged.is_empty() && work.is_over() {
            break;
        }
        work.say(format!("judging match {} of {count}", index + 1));
        let task = Task { seed, rounds, only, stream: stream.as_ref() };
        judged.push(judge(&loaded, task, args, &work.budget().share(count - index))?);
    }
    let is_streamed = stream.is_some();
    drop(stream);
    drop(work);
    loaded.sound()?;
    let text = match args.format {
        ReportFormat::Human if is_streamed => human::end(&judged, &args.game.game).join("\n"),
        ReportFormat::Human => human::text(&loaded, &judged, &args.game.game),
        ReportFormat::Json => output::json_text("observe", &report::report(&loaded, &judged)),
        ReportFormat::Sarif => sarif::text(&loaded, &judged),
        ReportFormat::Html => html::page(&loaded, &judged),
    };
    match &args.output {
        Some(path) => save::file(path, text)?,
        None => match args.format {
            ReportFormat::Human if is_streamed && text.is_empty() => {}
            ReportFormat::Human => output::println(text.trim_end()),
            ReportFormat::Json | ReportFormat::Sarif => output::json_line(text.trim_end()),
            ReportFormat::Html => output::raw(text.as_bytes()),
        },
    }
    let mut verdicts = judged.iter().flat_map(|one| &one.findings).map(|finding| &finding.verdict);
    let wrong = verdicts.clone().any(|verdict| matches!(verdict, Verdict::Unknown(_)));
    let open = verdicts.any(|verdict| !matches!(verdict, Verdict::Known)) || judged.len() < count;
    Ok(if wrong {
        FOUND
    } else if open {
        OPEN
    } else {
        OK
    })
}

/// A match to judge.
struct Task<'a> {
    seed: Option<u64>,
    rounds: Vec<JointMove>,
    /// The only role to judge.
    only: Option<RoleId>,
    /// If present, the findings are printed here as well.
    stream: Option<&'a human::Stream<'a>>,
}

fn judge(loaded: &Loaded, task: Task<'_>, args: &Observe, budget: &Budget) -> Result<Judged, Failure> {
    let Task { seed, rounds, only, stream } = task;
    let properties = args.property.iter().map(|&it| it.into()).collect();
    let options = ObserveOptions { announce_end: args.announce_end, only, properties, ..ObserveOptions::default() };
    let mut judged = Judged { seed, rounds, findings: Vec::new(), sizes: Vec::new() };
    let rounds = judged.rounds.clone();
    if let Some(stream) = stream {
        stream.begin(&judged);
    }
    percept_infoset::observe_each(&loaded.game, &rounds, &options, budget, &mut |news| match news {
        News::SoFar(findings) => {
            if let Some(stream) = stream {
                stream.so_far(findings);
            }
        }
        News::Role(role) => {
            judged.findings.extend(role.findings);
            judged.sizes.extend(role.sizes);
            if let Some(stream) = stream {
                stream.last_role(&judged);
            }
        }
    })
    .map_err(|error| Failure::new(error.to_string()))?;
    Ok(judged)
}

/// A match, and its seed if it is random.
type Match = (Option<u64>, Vec<JointMove>);

fn random_matches(loaded: &Loaded, args: &Observe, work: &Work) -> Result<Vec<Match>, Failure> {
    use percept_game::stepper::{StepError, Stepper};
    use rand::SeedableRng;
    /// The most rounds of a match. A longer match is judged up to here.
    const MOST: usize = 10_000;
    (0..args.matches)
        .map(|index| {
            let seed = args.work.seed.wrapping_add(index as u64);
            let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut stepper = Stepper::new(loaded.game.clone());
            while stepper.len() < MOST && !work.is_over() {
                match stepper.play_random(&[], &mut rng) {
                    Ok(()) => {}
                    Err(StepError::Over | StepError::Stuck { .. }) => break,
                    Err(error) => return Err(Failure::new(error.to_string())),
                }
            }
            Ok((Some(seed), stepper.joints()))
        })
        .collect()
}
