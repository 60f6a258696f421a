//! The atoms that can be explained: facts, percepts, moves, the end, goals; narrowed by typing.

use super::app::App;

/// The list, the text typed to narrow it, and the marked line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Ask {
    items: Vec<Item>,
    pub(super) typed: String,
    pub(super) line: usize,
}

/// An atom that can be explained.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Item {
    /// The text on the screen.
    pub text: String,
    /// The atom to explain.
    atom: String,
}

impl Ask {
    /// All atoms on the screen, the most useful first. They are not offered in the view of a role, because explanations
    /// reveal too much.
    pub(super) fn new(app: &App) -> Ask {
        let mut items = Vec::new();
        let mut add = |text: String, atom: String| items.push(Item { text, atom });
        for fluent in app.view.state.groups.iter().flat_map(|group| &group.fluents) {
            add(format!("fact     {fluent}"), fluent.to_string());
        }
        for role in &app.view.roles {
            if role.chance {
                continue;
            }
            for percept in &role.percepts {
                add(format!("percept  {} sees {percept}", role.name), format!("(sees {} {percept})", role.name));
            }
        }
        let sequential = app.stepper.game().is_sequential;
        for role in &app.view.roles {
            for mv in role.legal.iter().filter(|mv| *mv != "noop") {
                let atom = if sequential { mv.clone() } else { format!("(legal {} {mv})", role.name) };
                add(format!("move     {} {mv}", role.name), atom);
            }
        }
        add("end      terminal".to_string(), "terminal".to_string());
        for role in app.view.roles.iter().filter(|role| !role.chance && app.view.terminal) {
            for goal in &role.goals {
                let atom =
                    if sequential { format!("(goal {})", role.name) } else { format!("(goal {} {goal})", role.name) };
                add(format!("goal     {} {goal}", role.name), atom);
            }
        }
        Ask { items, typed: String::new(), line: 0 }
    }

    /// The items that contain the typed text.
    pub(super) fn matching(&self) -> Vec<&Item> {
        let wanted = self.typed.to_lowercase();
        self.items.iter().filter(|item| item.text.to_lowercase().contains(&wanted)).collect()
    }

    /// The atom to explain: the marked line or, if nothing fits, the typed text.
    pub(super) fn chosen(&self) -> Option<String> {
        let matching = self.matching();
        match matching.get(self.line) {
            Some(item) => Some(item.atom.clone()),
            None => (!self.typed.trim().is_empty()).then(|| self.typed.trim().to_string()),
        }
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
