//! `percept advise`: recommends a move, from samples of the information set (ChooseMove of Richards & Amir 2012).

use percept_infoset::{AdviseOptions, MoveAdvice, advise_each};
use percept_report::speech::Speech;
use percept_report::words::counted;
use serde::Serialize;

use crate::args::{Advise, Format};
use crate::failure::{Failure, OK, Outcome};
use crate::load::Loader;
use crate::output;
use crate::pace::Newest;
use crate::work::Work;

#[derive(Serialize)]
struct Answer {
    role: String,
    /// The number of rounds played.
    round: usize,
    /// The moves, best first.
    moves: Vec<Valued>,
    /// The number of members sampled, and their worth as independent draws.
    samples: usize,
    effective: f64,
    /// The method that found the members.
    method: &'static str,
}

#[derive(Serialize)]
struct Valued {
    r#move: String,
    /// The estimated goal, and half the width of its 95 % interval; `null` after a single playout.
    value: f64,
    interval: Option<f64>,
    /// The share of the sampled histories in which the move is legal.
    legal: f64,
    playouts: u64,
}

pub(crate) fn run(args: &Advise) -> Outcome {
    let work = Work::begin(args.work.time);
    let loaded = Loader::new(&args.game, &work).load()?.warned();
    let game = &*loaded.game;
    args.role.as_deref().map(|name| loaded.player(name)).transpose()?;
    let view = loaded.view(&args.trace, args.role.as_deref(), args.round)?;
    work.say("searching histories");
    let options = AdviseOptions { samples: args.samples, seed: args.work.seed, ..AdviseOptions::default() };
    let newest = Newest::begin(work.notes());
    let mut so_far = |moves: &[MoveAdvice], members: usize| {
        if let (Some(best), Format::Human) = (moves.first(), args.format) {
            let name = loaded.speech.phrase(&game.rules.move_name(view.role, best.mv));
            let others = counted(moves.len(), "move", "moves");
            newest.say(format!(
                "so far: {name}  {}, the best of {others} in {members} of {} histories",
                estimate(best, members),
                args.samples
            ));
        }
    };
    let advice = advise_each(game, &view, &options, &work.budget(), Some(&mut so_far))
        .map_err(|error| Failure::open(format!("no move could be judged: {error}")))?;
    drop((newest, work));
    loaded.sound()?;
    let role = &game.roles[view.role.0 as usize].name;
    if advice.moves.is_empty() {
        let round = view.rounds.len();
        return Err(Failure::new(format!("{role} has nothing to choose after round {round}: the match is over")));
    }
    let valued = |it: &MoveAdvice| Valued {
        r#move: game.rules.move_name(view.role, it.mv),
        value: it.value,
        interval: it.margin.is_finite().then_some(it.margin),
        legal: it.legal,
        playouts: it.playouts,
    };
    let answer = Answer {
        role: role.clone(),
        round: view.rounds.len(),
        moves: advice.moves.iter().map(valued).collect(),
        samples: advice.sample.members.len(),
        effective: advice.effective_members,
        method: advice.sample.method,
    };
    match args.format {
        Format::Json => output::json("advise", &answer),
        Format::Human => print(&answer, &loaded.speech),
    }
    Ok(OK)
}

/// The value of a move, with its interval unless it is from too few members to have one.
fn estimate(it: &MoveAdvice, members: usize) -> String {
    const FEW: usize = 8;
    let interval =
        if it.margin.is_finite() && members >= FEW { format!(" ± {:.1}", it.margin) } else { String::new() };
    format!("{:.1}{interval}", it.value)
}

fn print(answer: &Answer, speech: &Speech) {
    let mut lines = vec![format!(
        "{} after round {}, from {} histories (worth {:.0}; method {})",
        answer.role, answer.round, answer.samples, answer.effective, answer.method
    )];
    let names: Vec<String> = answer.moves.iter().map(|it| speech.phrase(&it.r#move)).collect();
    let width = names.iter().map(|it| it.chars().count()).max().unwrap_or(0);
    for (it, name) in answer.moves.iter().zip(&names) {
        let legal = if it.legal < 1.0 { format!("  legal in {:.0} %", 100.0 * it.legal) } else { String::new() };
        let interval = it.interval.map_or_else(String::new, |interval| format!(" ± {interval:.1}"));
        let playouts = counted(it.playouts as usize, "playout", "playouts");
        lines.push(format!("{:width$}  {:6.1}{interval}  ({playouts}){legal}", name, it.value));
    }
    output::println(&lines.join("\n"));
}
