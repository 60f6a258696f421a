//! `percept prove --query`: answers a question of the author.

use clap::ValueEnum;
use percept_game::{Game, JointMove, RoleId};
use percept_infoset::prove::Unchecked;
use percept_infoset::prove::query::{QueryError, Question, Reply, Witness, answer};
use schemars::JsonSchema;
use serde::Serialize;

use crate::args::{CheckFormat, Prove, ProveMethod};
use crate::failure::{FOUND, Failure, OK, OPEN, Outcome};
use crate::load::Loaded;
use crate::output;
use crate::work::Work;
use percept_report::{names, words};

#[derive(Serialize, JsonSchema)]
pub(crate) struct Answer {
    query: String,
    /// `holds`, `fails` or `open`.
    verdict: &'static str,
    method: Option<&'static str>,
    /// True if a second reading of the rules has the same answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    checked: Option<bool>,
    /// The reason why it was not checked, such as `no time`.
    #[serde(skip_serializing_if = "Option::is_none")]
    unchecked: Option<String>,
    /// If the question is open: the number of rounds that do not decide it.
    depth: Option<usize>,
    history: Option<Vec<Vec<String>>>,
    instead: Vec<Instead>,
}

/// A history that the role cannot tell from the given one.
#[derive(Serialize, JsonSchema)]
struct Instead {
    role: String,
    history: Vec<Vec<String>>,
}

pub(super) fn run(loaded: &Loaded, text: &str, args: &Prove) -> Outcome {
    let game = &*loaded.game;
    if args.format == CheckFormat::Sarif {
        return Err(Failure::new("the answer to a query is not a list of findings").note("use --format json"));
    }
    if let ProveMethod::Leap | ProveMethod::Matches = args.method {
        let name = args.method.to_possible_value().map_or_else(String::new, |it| it.get_name().to_string());
        return Err(Failure::new(format!("--method {name} cannot answer a query")).note("use another --method"));
    }
    let work = Work::begin(Some(args.work.time.unwrap_or(super::TIME)));
    let mut question = Question::parse(game, text).map_err(|error| failure(&error, text))?;
    question.rounds = question.rounds.or(args.depth);
    work.say("looking through all histories");
    let method = super::method(args.method);
    let reply =
        answer(game, &question, method, args.announce_end, &work.budget()).map_err(|error| failure(&error, text))?;
    drop(work);
    match args.format {
        CheckFormat::Json => output::json("query", &report(game, text, &reply)),
        CheckFormat::Human | CheckFormat::Sarif => output::println(&lines(loaded, &reply).join("\n")),
    }
    loaded.sound()?;
    Ok(match reply {
        Reply::Holds { .. } => OK,
        Reply::Fails { .. } => FOUND,
        Reply::Open { .. } => OPEN,
    })
}

/// The mistake, shown below its line.
pub(crate) fn failure(error: &QueryError, text: &str) -> Failure {
    let at = error.at.min(text.len());
    let begin = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let line = text[begin..].lines().next().unwrap_or_default();
    let column = text[begin..at].chars().count();
    Failure::new(error.message.clone()).note(line).note(format!("{}^", " ".repeat(column)))
}

fn report(game: &Game, text: &str, reply: &Reply) -> Answer {
    let (verdict, method, checked, depth, witness) = match reply {
        Reply::Holds { witness, method, checked } => ("holds", Some(*method), Some(*checked), None, witness.as_ref()),
        Reply::Fails { witness, method, checked } => ("fails", Some(*method), Some(*checked), None, witness.as_ref()),
        Reply::Open { rounds, .. } => ("open", None, None, *rounds, None),
    };
    let instead = witness.map(|witness| &witness.instead[..]).unwrap_or_default().iter();
    let name = |role: RoleId| names::role(game, role).to_string();
    let instead =
        instead.map(|(who, history)| Instead { role: name(*who), history: names::history(game, history) }).collect();
    let history = witness.map(|witness| names::history(game, &witness.history));
    // A witness is replayed.
    let checked = checked.filter(|_| witness.is_none());
    let unchecked = checked.and_then(Result::err).map(|why| why.to_string());
    let checked = checked.map(|it| it.is_ok());
    Answer { query: text.to_owned(), verdict, method, checked, unchecked, depth, history, instead }
}

/// The first line of an answer: `holds, checked (induction)`, or `fails (bounded)` before its witness.
fn settled(verdict: &str, method: &str, checked: Result<(), Unchecked>, witness: Option<&Witness>) -> String {
    match witness {
        Some(_) => format!("{verdict} ({method})"),
        None => format!("{verdict}, {} ({method})", words::checked(checked)),
    }
}

fn lines(loaded: &Loaded, reply: &Reply) -> Vec<String> {
    let game = &*loaded.game;
    let (line, witness) = match reply {
        Reply::Holds { witness, method, checked } => {
            (settled("holds", method, *checked, witness.as_ref()), witness.as_ref())
        }
        Reply::Fails { witness, method, checked } => {
            (settled("fails", method, *checked, witness.as_ref()), witness.as_ref())
        }
        Reply::Open { rounds, why } => {
            let rounds = rounds.map(|rounds| format!("undecided in matches of up to {rounds} rounds"));
            let parts: Vec<String> = rounds.into_iter().chain(why.map(str::to_owned)).collect();
            match parts.is_empty() {
                true => ("open: out of time before the first state was visited".to_owned(), None),
                false => (format!("open: {}", parts.join("; ")), None),
            }
        }
    };
    let mut lines = vec![line];
    let Some(witness) = witness else { return lines };
    let rounds = |history: &[JointMove]| -> Vec<String> {
        let numbered = history.iter().enumerate();
        numbered
            .map(|(index, joint)| format!("  {:>3}. {}", index + 1, names::line(game, &loaded.speech, joint)))
            .collect()
    };
    match witness.history.len() {
        0 => lines.push("at the beginning".to_owned()),
        1 => lines.push("after 1 round:".to_owned()),
        count => lines.push(format!("after {count} rounds:")),
    }
    lines.extend(rounds(&witness.history));
    for (who, history) in &witness.instead {
        lines.push(format!("{} cannot tell it from:", game.roles[who.0 as usize].name));
        lines.extend(rounds(history));
    }
    lines
}
