//! Prints every round of a match.

use percept_game::stepper::{RoundView, StepView, Stepper};
use percept_game::{RoleId, Term};
use percept_infoset::Factored;
use percept_report::board::{Layout, Picture};
use percept_report::scene;
use percept_report::seat::{IsOver, Seat};
use percept_report::speech::{Speech, phrase, phrase_of_percept};
use schemars::JsonSchema;
use serde::Serialize;

use crate::args::Format;
use crate::failure::{Failure, OK, Outcome};
use crate::followed::{Followed, weighed};
use crate::load::Loaded;
use crate::{output, show};
use percept_report::names::listed;

/// The most legal moves listed per role.
const LISTED: usize = 40;

#[derive(Serialize, JsonSchema)]
pub(crate) struct Report {
    roles: Vec<String>,
    /// The start, and the place after each round.
    places: Vec<Place>,
}

#[derive(Serialize, JsonSchema)]
struct Place {
    /// The round that led here; absent at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<RoundView>,
    /// The public percepts of the round that led here, as listed in `played`; absent at the start, and if the rules are
    /// too large to determine them.
    #[serde(skip_serializing_if = "Option::is_none")]
    public: Option<Vec<String>>,
    round: usize,
    terminal: bool,
    roles: Vec<percept_game::stepper::RoleView>,
    /// With `--strategy`: for each role of `roles`, the probability of each of its legal moves; `null` if the file has
    /// none.
    #[serde(skip_serializing_if = "Option::is_none")]
    strategy: Option<Vec<Option<Vec<f64>>>>,
    state: Picture,
}

/// One role's knowledge at the start and after every round.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Seats {
    role: String,
    seats: Vec<Seat>,
}

pub(super) fn run(
    loaded: &Loaded,
    stepper: &Stepper,
    eye: Option<RoleId>,
    followed: Option<&Followed>,
    format: Format,
) -> Outcome {
    let layout = loaded.layout();
    let mut stepper = stepper.clone();
    if let Some(eye) = eye {
        return through(&layout, &mut stepper, eye, followed, format);
    }
    let game = stepper.game().clone();
    let names: Vec<String> = game.roles.iter().map(|role| role.name.clone()).collect();
    let mut places = Vec::new();
    let players = game.roles.iter().filter(|role| !role.is_chance).count();
    // A game for one player needs no name on each line.
    let factored = (format == Format::Json || players > 1).then(|| Factored::of(&game).ok()).flatten();
    for round in 0..=stepper.len() {
        stepper.jump(round);
        let view = stepper.view();
        let played = round.checked_sub(1).map(|index| view.history[index].clone());
        let public = played.as_ref().zip(factored.as_ref()).map(|(it, factored)| scene::public(&game, it, factored));
        let picture = layout.picture(&view.state);
        match format {
            Format::Json => {
                let StepView { round, terminal, roles, .. } = view;
                let strategy = followed.map(|it| game.role_ids().map(|role| it.here(&stepper, role)).collect());
                places.push(Place { played, public, round, terminal, roles, strategy, state: picture });
            }
            Format::Human => {
                let round = |it| show::round(&names, &it, &layout.speech, public.as_deref(), game.is_sequential);
                let mut lines = played.map_or_else(|| vec!["start".to_string()], round);
                let moves = moves(&stepper, &layout.speech, followed);
                lines.extend(show::place(&view, &picture, &layout.speech, &moves, LISTED));
                output::println(&lines.join("\n"));
            }
        }
    }
    if format == Format::Json {
        output::json_versioned("step", 2, &Report { roles: names, places });
    }
    Ok(OK)
}

/// The legal moves of each role in its words, with the probabilities of a strategy.
fn moves(stepper: &Stepper, speech: &Speech, followed: Option<&Followed>) -> Vec<Vec<String>> {
    let game = stepper.game();
    let of_role = |role| {
        let moves: Vec<Term> = stepper.legal(role).iter().map(|&mv| game.rules.move_term(role, mv)).collect();
        let mut names = speech.listed(&moves);
        let weights = followed.and_then(|it| it.here(stepper, role)).unwrap_or_default();
        names.iter_mut().zip(weights).for_each(|(name, weight)| *name = weighed(name, weight));
        names
    };
    game.role_ids().map(of_role).collect()
}

/// One role's knowledge, round by round.
fn through(
    layout: &Layout,
    stepper: &mut Stepper,
    eye: RoleId,
    followed: Option<&Followed>,
    format: Format,
) -> Outcome {
    let mut seats = Vec::new();
    for round in 0..=stepper.len() {
        stepper.jump(round);
        let seat = crate::tui::seat(stepper, layout, eye).map_err(|error| Failure::open(error.to_string()))?;
        if format == Format::Human {
            let mut shown = seat.clone();
            shown.legal.iter_mut().for_each(|it| it.name = phrase(&seat.says, &it.name).to_owned());
            // A strategy depends only on the role's knowledge, so its numbers reveal nothing else.
            if let Some(weights) = followed.and_then(|it| it.here(stepper, eye)) {
                let legal = stepper.legal(eye);
                for mv in shown.legal.iter_mut().filter(|mv| mv.chance >= 1.0) {
                    let at = legal.iter().position(|&it| it == mv.mv);
                    if let Some(&weight) = at.and_then(|at| weights.get(at)) {
                        mv.name = weighed(&mv.name, weight);
                    }
                }
            }
            output::println(&seat_text(&shown));
        }
        seats.push(seat);
    }
    if format == Format::Json {
        let role = stepper.game().roles[eye.0 as usize].name.clone();
        output::json_versioned("step", 2, &Seats { role, seats });
    }
    Ok(OK)
}

fn seat_text(seat: &Seat) -> String {
    let mut lines = match seat.history.last() {
        None => vec!["start".to_string()],
        Some(round) => {
            let made = round.own.as_deref().map_or("(it does not know its own move)", |own| phrase(&seat.says, own));
            let percepts: Vec<&str> =
                round.percepts.iter().map(|it| phrase_of_percept(&seat.says, &seat.role, it)).collect();
            let percepts = listed(&percepts, usize::MAX);
            vec![format!("round {}: {} {made}, perceives {percepts}", round.round, seat.role)]
        }
    };
    let moves = |certain: bool| -> Vec<String> {
        seat.legal.iter().filter(|it| (it.chance >= 1.0) == certain).map(|it| it.name.clone()).collect()
    };
    match seat.over {
        IsOver::Yes => lines.push(format!(
            "  the match is over: {}",
            match &seat.goals {
                Some(goals) => goals.iter().map(i64::to_string).collect::<Vec<_>>().join(" and "),
                None => "it does not know its goal".to_string(),
            }
        )),
        IsOver::Unknown => lines.push("  it does not know whether the match is over".to_string()),
        _ => {}
    }
    if seat.over != IsOver::Yes {
        lines.push(format!("  may: {}", listed(&moves(true), LISTED)));
        let perhaps = moves(false);
        if !perhaps.is_empty() {
            lines.push(format!("  perhaps: {}", listed(&perhaps, LISTED)));
        }
    }
    lines.join("\n")
}
