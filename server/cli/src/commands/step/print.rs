//! Every round of a match, printed.

use percept_game::RoleId;
use percept_game::stepper::{RoundView, StepView, Stepper};
use serde::Serialize;

use super::{Followed, weighed};
use crate::args::Format;
use crate::failure::{OK, Outcome};
use crate::{output, show};
use percept_report::names::listed;

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
    /// With `--strategy`: by role of `roles`, the probability of each of its legal moves; `null` where the file is silent.
    #[serde(skip_serializing_if = "Option::is_none")]
    strategy: Option<Vec<Option<Vec<f64>>>>,
    /// Absent in the view of one role, which does not see the state.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<percept_game::stepper::Shown>,
}

pub fn run(stepper: &Stepper, eye: Option<RoleId>, followed: Option<&Followed>, format: Format) -> Outcome {
    let mut stepper = stepper.clone();
    let game = stepper.game().clone();
    let names: Vec<String> = game.roles.iter().map(|role| role.name.clone()).collect();
    let mut places = Vec::new();
    for round in 0..=stepper.len() {
        stepper.jump(round);
        let mut view = stepper.view();
        let played = round.checked_sub(1).map(|index| view.history[index].clone());
        if let (Some(followed), Format::Human) = (followed, format) {
            weigh(&mut view, followed, &stepper);
        }
        match format {
            Format::Json => places.push(place(view, played, eye, followed.map(|it| probabilities(it, &stepper, eye)))),
            Format::Human => output::println(&text(&view, played.as_ref(), &names, eye, game.is_sequential)),
        }
    }
    if format == Format::Json {
        output::json("step", &Report { roles: names, places });
    }
    Ok(OK)
}

/// By role that is shown.
fn probabilities(followed: &Followed, stepper: &Stepper, eye: Option<RoleId>) -> Vec<Option<Vec<f64>>> {
    let shown = stepper.game().role_ids().filter(|role| eye.is_none_or(|eye| eye == *role));
    shown.map(|role| followed.here(stepper, role)).collect()
}

/// Writes the probabilities beside the names of the moves.
fn weigh(view: &mut StepView, followed: &Followed, stepper: &Stepper) {
    for (role, shown) in stepper.game().role_ids().zip(&mut view.roles) {
        for (name, probability) in shown.legal.iter_mut().zip(followed.here(stepper, role).unwrap_or_default()) {
            *name = weighed(name, probability);
        }
    }
}

fn place(
    view: StepView,
    mut played: Option<RoundView>,
    eye: Option<RoleId>,
    strategy: Option<Vec<Option<Vec<f64>>>>,
) -> Place {
    let StepView { round, terminal, mut roles, state, .. } = view;
    if let Some(eye) = eye {
        let own = eye.0 as usize;
        roles = vec![roles.swap_remove(own)];
        if let Some(played) = &mut played {
            played.moves = vec![played.moves.swap_remove(own)];
            played.percepts = vec![played.percepts.swap_remove(own)];
        }
    }
    Place { played, round, terminal, roles, strategy, state: eye.is_none().then_some(state) }
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
            listed(&played.percepts[own], usize::MAX)
        )],
    };
    if !view.terminal {
        lines.push(format!("  may: {}", listed(&view.roles[own].legal, LISTED)));
    }
    lines.join("\n")
}
