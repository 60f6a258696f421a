//! Through the eyes of a role: what it knows at a place of a match, from its view alone.

use std::time::Duration;

use percept_game::stepper::Stepper;
use percept_game::{RoleId, trace};
use percept_report::belief::{Effort, NoBelief, within};
use percept_report::board::Layout;
use percept_report::seat::{self, Lived, Seat};

/// How much the stepper spends on it, so that it stays quick.
const TIME: Duration = Duration::from_millis(700);

/// What a role knows after so many rounds; nothing of the true state goes in.
///
/// # Errors
/// Where nothing could be found out.
pub(crate) fn seat(stepper: &Stepper, layout: &Layout, role: RoleId) -> Result<Seat, NoBelief> {
    let game = &**stepper.game();
    let view = trace::view_of(game, &stepper.joints(), role, stepper.at());
    Seat::of(game, layout, &view, &Effort::default(), &within(TIME))
}

/// What a role did and saw in so many rounds.
pub(super) fn lived(stepper: &Stepper, role: RoleId) -> Vec<Lived> {
    let game = &**stepper.game();
    seat::lived(game, &trace::view_of(game, &stepper.joints(), role, stepper.at()))
}
