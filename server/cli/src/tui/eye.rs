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
        // States of a game that is not ground may differ in length: what lies beyond the end is false.
        let words = states.iter().map(|state| state.bits.len()).max().unwrap_or(0);
        let word = |state: &State, index: usize| state.bits.get(index).copied().unwrap_or(0);
        let mut certain = State::new(words * 64, 0);
        let mut possible = State::new(words * 64, 0);
        for index in 0..words {
            let all = states.iter().map(|state| word(state, index)).fold(!0, |all, word| all & word);
            certain.bits[index] = all;
            possible.bits[index] = states.iter().map(|state| word(state, index)).fold(0, |any, word| any | word) & !all;
        }
        // Numbers are shown where they are known.
        if let Some(first) = states.first().filter(|first| states.iter().all(|it| it.registers == first.registers)) {
            certain.registers = first.registers.clone();
        }
        Knowledge {
            certain: shown(game, &certain),
            possible: shown(game, &possible),
            size: Some((filter.histories().to_string(), states.len())),
        }
    }
}
