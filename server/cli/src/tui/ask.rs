//! The atoms that can be explained: facts, percepts, moves, the end, goals; narrowed by typing.

use percept_report::atoms::{self, Atom};

use super::app::App;

/// The list, the text typed to narrow it, and the marked line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Ask {
    items: Vec<Atom>,
    pub(super) typed: String,
    pub(super) line: usize,
}

impl Ask {
    /// All atoms at this place. Not in the view of a role, because explanations reveal too much.
    pub(super) fn new(app: &App) -> Ask {
        Ask { items: atoms::atoms(app.stepper.game(), &app.stepper), typed: String::new(), line: 0 }
    }

    /// The items that contain the typed text.
    pub(super) fn matching(&self) -> Vec<&Atom> {
        let wanted = self.typed.to_lowercase();
        self.items.iter().filter(|item| item.says.to_lowercase().contains(&wanted)).collect()
    }

    /// The atom to explain: the marked line or, if nothing fits, the typed text.
    pub(super) fn chosen(&self) -> Option<String> {
        let named = self.matching().get(self.line).map(|item| item.says.as_str());
        named.or(Some(self.typed.trim()).filter(|typed| !typed.is_empty())).map(str::to_owned)
    }

    pub(super) fn select(&mut self, step: isize) {
        let last = self.matching().len().saturating_sub(1);
        self.line = self.line.saturating_add_signed(step).min(last);
    }

    pub(super) fn typed(&mut self, c: char) {
        self.typed.push(c);
        self.line = 0;
    }

    pub(super) fn back(&mut self) {
        self.typed.pop();
        self.line = 0;
    }
}
