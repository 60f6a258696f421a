//! Every round of a match, printed.

use percept_game::RoleId;
use percept_game::stepper::{RoundView, StepView, Stepper};
use serde::Serialize;

use crate::args::Format;
use crate::failure::{OK, Outcome};
use crate::{output, show};

/// How many legal moves are listed per role.
const LISTED: usize = 40;

#[derive(Serialize)]
struct Report {
    roles: Vec<String>,
    /// One more than there are rounds: the start, and after each round.
    places: Vec<Place>,
}

#[derive(Serialize)]
struct Place {
    /// The round that led here; absent at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<RoundView>,
    round: usize,
    terminal: bool,
    roles: Vec<percept_game::stepper::RoleView>,
    /// Absent in the view of one role, which does not see the state.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<percept_game::stepper::Shown>,
}

pub fn run(stepper: &Stepper, eye: Option<RoleId>, format: Format) -> Outcome {
    let mut stepper = stepper.clone();
    let game = stepper.game().clone();
    let names: Vec<String> = game.roles.iter().map(|role| role.name.clone()).collect();
    let mut places = Vec::new();
    for round in 0..=stepper.len() {
        stepper.jump(round);
        let view = stepper.view();
        let played = round.checked_sub(1).map(|index| view.history[index].clone());
        match format {
            Format::Json => places.push(place(view, played, eye)),
            Format::Human => output::println(&text(&view, played.as_ref(), &names, eye, game.is_sequential)),
        }
    }
    if format == Format::Json {
        output::json("step", &Report { roles: names, places });
    }
    Ok(OK)
}

fn place(view: StepView, mut played: Option<RoundView>, eye: Option<RoleId>) -> Place {
    let StepView { round, terminal, mut roles, state, .. } = view;
    if let Some(eye) = eye {
        let own = eye.0 as usize;
        roles = vec![roles.swap_remove(own)];
        if let Some(played) = &mut played {
            played.moves = vec![played.moves.swap_remove(own)];
            played.percepts = vec![played.percepts.swap_remove(own)];
        }
    }
    Place { played, round, terminal, roles, state: eye.is_none().then_some(state) }
}

fn text(
    view: &StepView,
    played: Option<&RoundView>,
    names: &[String],
    eye: Option<RoleId>,
    sequential: bool,
) -> String {
    let Some(eye) = eye else {
        let mut lines = played.map_or_else(|| vec!["start".to_string()], |it| show::round(names, it, sequential));
        lines.extend(show::place(view, LISTED));
        return lines.join("\n");
    };
    let own = eye.0 as usize;
    let mut lines = match played {
        None => vec!["start".to_string()],
        Some(played) => vec![format!(
            "round {}: {} {}, perceives {}",
            played.round,
            names[own],
            played.moves[own],
            show::listed(&played.percepts[own], usize::MAX)
        )],
    };
    if !view.terminal {
        lines.push(format!("  may: {}", show::listed(&view.roles[own].legal, LISTED)));
    }
    lines.join("\n")
}
