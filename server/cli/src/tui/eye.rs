//! The view of a role: its knowledge at a place of a match, from its view alone.

use std::time::Duration;

use percept_game::stepper::Stepper;
use percept_game::{RoleId, trace};
use percept_report::belief::{Effort, NoBelief, within};
use percept_report::board::Layout;
use percept_report::seat::{self, Seat, SeatRound};

/// The time limit in the stepper, which must stay responsive.
const TIME: Duration = Duration::from_millis(700);

/// A role's knowledge at the stepper's place; the true state is not used.
///
/// # Errors
/// If it could not be determined.
pub(crate) fn seat(stepper: &Stepper, layout: &Layout, role: RoleId) -> Result<Seat, NoBelief> {
    let game = &**stepper.game();
    let view = trace::view_of(game, &stepper.joints(), role, stepper.at());
    Seat::of(game, layout, &view, &Effort::default(), &within(TIME))
}

/// A role's moves and percepts up to the stepper's place.
pub(super) fn seat_history(stepper: &Stepper, role: RoleId) -> Vec<SeatRound> {
    let game = &**stepper.game();
    seat::seat_history(game, &trace::view_of(game, &stepper.joints(), role, stepper.at()))
}
