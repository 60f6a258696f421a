//! `percept prove`: proves or refutes that every role knows its moves, the end and its goal in every match.

mod answers;
mod first_look;
mod fragment;
pub(crate) mod question;
mod refusal;
mod repair;
pub(crate) mod report;

use std::io::IsTerminal;
use std::num::NonZero;
use std::path::Path;
use std::time::{Duration, Instant};

use percept_game::{RoleId, plain};
use percept_infoset::prove::certificate::{self, Certificate};
use percept_infoset::prove::{Finding, Method, Options, Prover, Verdict, many};
use percept_infoset::{Budget, Property};
use percept_report::verdict::{Emptiness, Vacuity};
use percept_report::{names, words};
use serde::Serialize;

use crate::args::{CheckFormat, Prove, ProveMethod};
use crate::failure::{FOUND, Failure, OK, OPEN, Outcome};
use crate::late;
use crate::load::{Loaded, Loader};
use crate::output;
use crate::save;
use crate::work::Work;
use answers::Answers;
use first_look::FirstLook;

/// The default time for each role and property.
const TIME: Duration = Duration::from_secs(30);

/// The time in which a question is settled before those in front of it, and its share of a short `--time`.
const SOON: Duration = Duration::from_millis(500);
const SHARE: u32 = 20;

/// Time to decide if any match ends, when a certificate is checked.
const VACUITY: Duration = Duration::from_secs(5);

/// The largest certificate that is read, in bytes.
const LARGEST: usize = 512 << 20;

pub(crate) fn run(args: &Prove) -> Outcome {
    // The set-up has the time of one question; each of them begins its own.
    let set_up = Work::begin(args.work.time);
    let loaded = Loader::new(&args.game, &set_up).load()?.warned();
    drop(set_up);
    if let Some(path) = &args.check {
        return check(&loaded, args, path);
    }
    if let Some(text) = &args.query {
        return question::run(&loaded, text, args);
    }
    if args.fragment {
        return fragment::run(&loaded, args);
    }
    let findings = prove(&loaded, args)?;
    if let Some(path) = &args.certificate {
        write_certificate(&loaded, &findings, args, path)?;
    }
    let repaired = args.repair.then(|| repair::all(&loaded, &findings, args));
    match args.format {
        CheckFormat::Json => {
            output::json_versioned("prove", 2, &report::report(&loaded, &findings, repaired.as_deref()))
        }
        CheckFormat::Human => {
            if !is_streamed(args) {
                output::println(&report::text(&loaded, &findings));
            }
            let is_refuted = |finding: &&Finding| matches!(finding.verdict, Verdict::Refuted { .. });
            match (repaired.filter(|it| !it.is_empty()), findings.iter().find(is_refuted)) {
                (Some(repaired), _) => output::println(&repair::text(&repaired)),
                // For people only: programs that read a file do not need the hint.
                (None, Some(finding)) if !args.repair && std::io::stdout().is_terminal() => output::println(&format!(
                    "\n`--repair` searches percepts that would let {} know {}",
                    names::role(&loaded.game, finding.role),
                    words::knowledge(finding.property),
                )),
                _ => {}
            }
        }
        CheckFormat::Sarif => output::json_line(&report::sarif(&loaded, &findings)),
    }
    refusal::tell(&loaded, &findings, args.announce_end);
    loaded.sound()?;
    let refuted = findings.iter().any(|finding| matches!(finding.verdict, Verdict::Refuted { .. }));
    let open = findings.iter().any(|finding| matches!(finding.verdict, Verdict::Open { .. }));
    Ok(if refuted {
        FOUND
    } else if open {
        OPEN
    } else {
        OK
    })
}

fn prove(loaded: &Loaded, args: &Prove) -> Result<Vec<Finding>, Failure> {
    let game = &*loaded.game;
    let roles: Vec<RoleId> = match &args.role {
        Some(name) => vec![loaded.role(name)?],
        None => game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance).collect(),
    };
    let work = Work::begin(None);
    let options = Options { method: method(args.method), depth: args.depth, announce_end: args.announce_end };
    let time = args.work.time.unwrap_or(TIME);
    let wanted = || args.property.iter().map(|&it| Property::from(it));
    work.say("looking for proofs");
    let questions: Vec<many::Question> = match &args.property[..] {
        [] => many::questions(game, roles),
        _ => roles.iter().flat_map(|&role| wanted().map(move |property| (role, property))).collect(),
    };
    let threads = args.threads.map_or_else(many::threads, NonZero::get);
    let about = |(at, &(role, property)): (usize, &many::Question)| {
        let who = &game.roles[role.0 as usize].name;
        work.control_saying(&format!("question {} of {}, {} of {who}", at + 1, questions.len(), property.name()))
    };
    let budgets: Vec<Budget> = questions.iter().enumerate().map(about).collect();
    let (game, asked) = (loaded.game.clone(), questions.clone());
    let look = FirstLook::new(&loaded.game, &questions, args.announce_end);
    if is_streamed(args) {
        look.begin(work.notes(), &work.budget());
    }
    let mut answers = Answers::new(loaded, &questions, &work, look, is_streamed(args), args.property.is_empty());
    let soon = SOON.min(time / SHARE);
    late::answers(
        time.saturating_add(many::TURNS * soon),
        move |tell| {
            let budget = |at: usize| Budget { deadline: Instant::now().checked_add(time), ..budgets[at].clone() };
            many::quick_first(&game, &asked, &options, threads, soon, &budget, &|at, finding| tell((at, finding)));
        },
        |(at, finding)| answers.add(at, finding),
    )?;
    Ok(answers.end())
}

/// True if each verdict is printed as soon as it is known.
fn is_streamed(args: &Prove) -> bool {
    args.format == CheckFormat::Human && args.certificate.is_none()
}

fn write_certificate(loaded: &Loaded, findings: &[Finding], args: &Prove, path: &Path) -> Result<(), Failure> {
    let [finding] = findings else {
        return Err(Failure::new("a certificate is of one role and one property").note("add --role and --property"));
    };
    let Verdict::Proved { argument: Some(argument), .. } = &finding.verdict else {
        let refuted = matches!(finding.verdict, Verdict::Refuted { .. });
        let message = "there is no proof to write";
        return Err(match refuted {
            true => Failure::new(message)
                .note("it is refuted: run `percept prove` without --certificate to see the matches"),
            false => Failure::open(message).note("try a longer --time"),
        });
    };
    let work = Work::begin(Some(args.work.time.unwrap_or(TIME)));
    let (role, property) = (finding.role, finding.property);
    let numbers = plain::ranges(&loaded.game);
    let floor = loaded.plain(&numbers, property, &work.budget())?;
    let (game, floor) = (&loaded.game, (&floor, &numbers[..]));
    let certificate = certificate::write(game, floor, role, property, args.announce_end, argument, &work.budget());
    let certificate = certificate.map_err(|why| {
        let message = format!("the proof could not be written: {why}");
        let failure = match why {
            certificate::Invalid::Stopped(_) => Failure::open(message),
            _ => Failure::new(message),
        };
        failure.note("try a longer --time, or another --method")
    })?;
    let text = serde_json::to_string(&certificate).expect("our own structures have string keys and finite numbers");
    save::file(path, text)
}

/// The result for a certificate.
#[derive(Serialize)]
struct Checked<'a> {
    right: bool,
    role: &'a str,
    property: &'a str,
    /// For a correct proof about goals: true if it is vacuous; `null` if that is undecided.
    #[serde(skip_serializing_if = "Option::is_none")]
    vacuous: Option<Vacuity>,
    /// The reason why it is vacuous.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<Emptiness>,
    /// The reason why it proves nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

fn check(loaded: &Loaded, args: &Prove, path: &Path) -> Outcome {
    let bytes = crate::load::bytes(path, LARGEST)?;
    let certificate: Certificate = serde_json::from_slice(&bytes)
        .map_err(|error| Failure::new(format!("{} is not a certificate: {error}", path.display())))?;
    let Certificate { role, property: about, .. } = &certificate;
    let role_asked = args.role.as_ref().is_none_or(|name| name.eq_ignore_ascii_case(role));
    let property_asked = args.property.is_empty() || args.property.iter().any(|&it| Property::from(it).name() == about);
    let work = Work::begin(args.work.time);
    let mut code = FOUND;
    let property = Property::named(about);
    let result = match role_asked && property_asked {
        true => {
            // An unknown property is refused by the check.
            let property = property.unwrap_or(Property::Goal);
            let floor = loaded.plain(&certificate.numbers, property, &work.budget())?;
            certificate::check(&floor, &certificate, &work.budget()).map_err(|why| {
                if matches!(why, certificate::Invalid::Stopped(_)) {
                    code = OPEN;
                }
                why.to_string()
            })
        }
        false => Err(format!("it is about another question: {about} of {role}")),
    };
    let asks = matches!(result, Ok((_, Property::Goal)));
    let limit = work.budget().until(Instant::now() + VACUITY);
    let ends = asks.then(|| loaded.game.role(role).and_then(|role| Prover::new(&loaded.game).ends(role, &limit)));
    drop(work);
    let summary = match &result {
        Ok((_, property)) => {
            let note = ends.map_or(String::new(), |ends| words::vacuity(ends, role));
            format!("the proof is right: {role} always knows {}{note}", words::knowledge(*property))
        }
        Err(why) => format!("the certificate proves nothing: {why}"),
    };
    match args.format {
        CheckFormat::Json => {
            let why = result.as_ref().err().cloned();
            let vacuous = ends.map(Vacuity::of);
            let reason = ends.flatten().and_then(Emptiness::of);
            let checked = Checked { right: result.is_ok(), role, property: about, vacuous, reason, why };
            output::json("prove-check", &checked);
        }
        CheckFormat::Human => output::println(&summary),
        CheckFormat::Sarif => {
            return Err(Failure::new("a checked proof is not a list of findings").note("use --format json"));
        }
    }
    Ok(if result.is_ok() { OK } else { code })
}

fn method(method: ProveMethod) -> Method {
    match method {
        ProveMethod::Auto => Method::Auto,
        ProveMethod::Structure => Method::Structure,
        ProveMethod::Induction => Method::Induction,
        ProveMethod::Bounded => Method::Bounded,
        ProveMethod::Pairs => Method::Pairs,
        ProveMethod::Leap => Method::Leap,
        ProveMethod::Matches => Method::Matches,
    }
}
