//! `percept prove --query`: an author's own question.

use std::time::Instant;

use percept_game::JointMove;
use percept_infoset::Control;
use percept_infoset::prove::query::{Question, Reply, answer};
use serde::Serialize;

use super::report::names;
use crate::args::{CheckFormat, Prove};
use crate::failure::{FOUND, Failure, OK, Outcome};
use crate::load::Loaded;
use crate::work::Work;
use crate::{output, show};

#[derive(Serialize)]
struct Answer {
    query: String,
    /// `holds`, `fails` or `open`.
    verdict: &'static str,
    /// Rounds looked at, where it stays open.
    depth: Option<usize>,
    history: Option<Vec<Vec<String>>>,
    instead: Vec<Instead>,
}

/// A history that the role cannot tell from the one given.
#[derive(Serialize)]
struct Instead {
    role: String,
    history: Vec<Vec<String>>,
}

pub fn run(loaded: &Loaded, text: &str, args: &Prove) -> Outcome {
    let game = &*loaded.game;
    if args.format == CheckFormat::Sarif {
        return Err(Failure::new("the answer to a question is no list of findings").note("use --format json"));
    }
    let mut question = Question::parse(game, text)
        .map_err(|error| Failure::new(error.to_string()).note(text).note(format!("{}^", " ".repeat(error.at))))?;
    question.rounds = question.rounds.or(args.depth);
    let work = Work::begin(None);
    work.say("looking through all histories");
    let deadline = Instant::now().checked_add(args.work.time.unwrap_or(super::TIME));
    let control = Control { deadline, ..work.control() };
    let reply = answer(game, &question, &control);
    drop(work);
    let (verdict, depth, history, instead) = match &reply {
        Reply::Holds { history } => ("holds", None, history.as_ref(), &[][..]),
        Reply::Fails { history, instead } => ("fails", None, history.as_ref(), &instead[..]),
        Reply::Open { rounds } => ("open", Some(*rounds), None, &[][..]),
    };
    let role = |role: percept_game::RoleId| game.roles[role.0 as usize].name.clone();
    match args.format {
        CheckFormat::Json => {
            let instead =
                instead.iter().map(|(who, history)| Instead { role: role(*who), history: names(game, history) });
            let history = history.map(|history| names(game, history));
            let answer = Answer { query: text.to_owned(), verdict, depth, history, instead: instead.collect() };
            output::json("query", &answer);
        }
        CheckFormat::Human | CheckFormat::Sarif => {
            let mut lines = vec![match depth {
                Some(rounds) => format!("open: nothing decides it in matches of up to {rounds} rounds"),
                None => verdict.to_owned(),
            }];
            let rounds = |history: &[JointMove]| -> Vec<String> {
                let numbered = history.iter().enumerate();
                numbered.map(|(index, joint)| format!("  {:>3}. {}", index + 1, show::joint(game, joint))).collect()
            };
            if let Some(history) = history {
                lines.push(format!("after {} rounds:", history.len()));
                lines.extend(rounds(history));
            }
            for (who, history) in instead {
                lines.push(format!("{} cannot tell it from:", role(*who)));
                lines.extend(rounds(history));
            }
            output::println(&lines.join("\n"));
        }
    }
    Ok(if matches!(reply, Reply::Fails { .. }) { FOUND } else { OK })
}
