//! What a role knows at a place of a match: the fluents that hold in every history it cannot tell apart, and those
//! that hold in some.

use std::time::{Duration, Instant};

use percept_game::stepper::{Shown, Stepper, shown};
use percept_game::{RoleId, State, trace};
use percept_infoset::Control;
use percept_infoset::exact::Filter;

/// How much the stepper spends on it, so that it stays quick.
const TIME: Duration = Duration::from_millis(700);
const MEMORY: usize = 128 << 20;

/// What a role knows.
pub struct Knowledge {
    /// Fluents that certainly hold.
    pub certain: Shown,
    /// Fluents that may hold.
    pub possible: Shown,
    /// How many histories, and in how many states they end; `None` where they are too many.
    pub size: Option<(String, usize)>,
}

impl Knowledge {
    pub fn of(stepper: &Stepper, role: RoleId) -> Knowledge {
        let game = &**stepper.game();
        let view = trace::view_of(game, &stepper.joints(), role, stepper.at());
        let view = crate::commands::infoset::convert(&view);
        let control = Control { deadline: Instant::now().checked_add(TIME), ..Control::default() };
        let Ok(filter) = Filter::of_view(game, &view, MEMORY, &control, None) else {
            return Knowledge { certain: Shown::default(), possible: Shown::default(), size: None };
        };
        let states = &filter.last().states;
        let mut certain = states.first().cloned().unwrap_or_else(|| game.rules.initial());
        let mut possible = State::new(certain.bits.len() * 64, 0);
        for state in states {
            for (index, word) in state.bits.iter().enumerate() {
                certain.bits[index] &= word;
                possible.bits[index] |= word;
            }
            // A number that differs is not known, and not shown.
            if state.registers != certain.registers {
                certain.registers = Box::default();
            }
        }
        for (possible, certain) in possible.bits.iter_mut().zip(&certain.bits) {
            *possible &= !certain;
        }
        Knowledge {
            certain: shown(game, &certain),
            possible: shown(game, &possible),
            size: Some((filter.histories().to_string(), states.len())),
        }
    }
}
