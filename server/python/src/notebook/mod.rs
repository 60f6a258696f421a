//! The looks of objects: at the prompt as the terminal does, in a notebook as the panel and the report do.

pub mod tree;
pub mod views;

use percept_game::stepper::shown;
use percept_report::board::Layout;
use percept_report::names::listed;
use percept_report::page::boards::{Marks, Room, paint};
use percept_report::page::text;
use percept_report::wrap::{at_most, in_columns, wrapped};
use percept_syntax::Source;
use pyo3::prelude::*;

use crate::border::guard;
use crate::html;
use crate::objects::{Inner, State, name_of};

/// The width and the most lines of a state at the prompt, the width of a cell, and the most boards side by side.
const WIDTH: usize = 100;
const LINES: usize = 40;
const CELL: usize = 12;
const BESIDE: usize = 3;
/// The most moves that are listed for a role.
const MOVES: usize = 12;

impl Inner {
    /// The layout of the game's boards.
    pub fn layout(&self) -> &Layout {
        self.layout.get_or_init(|| {
            let sources: Vec<&Source> = self.files.iter().map(|(_, source)| source).collect();
            Layout::new(&self.game, &sources)
        })
    }
}

impl State {
    fn title(&self) -> String {
        let rounds = match self.moves.len() {
            0 => "before the first round".to_string(),
            round => format!("after round {round}"),
        };
        let end = if self.terminal { ": the match is over" } else { "" };
        format!("{} {rounds}{end}", self.inner.name())
    }

    fn goal(&self, role: percept_game::RoleId) -> String {
        let values: Vec<String> = self.inner.game.rules.goals(&self.state, role).iter().map(i64::to_string).collect();
        if values.is_empty() { "no goal".to_string() } else { values.join(" and ") }
    }

    fn legal_names(&self, role: percept_game::RoleId) -> Vec<String> {
        let game = &self.inner.game;
        self.legal_moves(role).into_iter().map(|mv| name_of(game, role, mv)).collect()
    }
}

#[pymethods]
impl State {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        guard(py, || {
            let game = &self.inner.game;
            let picture = self.inner.layout().picture(&shown(game, &self.state));
            let room = Room { width: WIDTH, cell: CELL, beside: BESIDE };
            let drawn = paint(&picture.boards, &picture.legend, room, &Marks::default());
            let mut lines: Vec<String> = drawn.iter().map(|line| text(line).trim_end().to_string()).collect();
            for group in picture.rest() {
                lines.extend(wrapped(&group.functor, &group.fluents, WIDTH));
            }
            let numbers: Vec<String> =
                picture.numbers.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            lines.extend(in_columns(&numbers, WIDTH));
            if lines.is_empty() {
                lines.push("(nothing holds)".to_string());
            }
            let mut lines = at_most(LINES, lines, WIDTH);
            for role in game.role_ids() {
                let about = &game.roles[role.0 as usize];
                match self.legal_names(role) {
                    _ if self.terminal && !about.is_chance => {
                        lines.push(format!("{}: {}", about.name, self.goal(role)));
                    }
                    legal if self.terminal || legal == ["noop"] => {}
                    legal => lines.push(format!("{} may: {}", about.name, listed(&legal, MOVES))),
                }
            }
            Ok(format!("{}\n{}", self.title(), lines.join("\n")))
        })
    }

    /// The whole state, as one who may see everything sees it.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        guard(py, || {
            let game = &self.inner.game;
            let picture = self.inner.layout().picture(&shown(game, &self.state));
            let row = |role: percept_game::RoleId| {
                let about = &game.roles[role.0 as usize];
                let seen = self.percepts.last().map(|seen| &seen[role.0 as usize][..]).unwrap_or_default();
                let speech = &self.inner.layout().speech;
                let words = |&it| speech.percept(&about.name, &game.rules.percept_name(role, it));
                let seen: Vec<String> = seen.iter().map(words).collect();
                let name = html::escape(&about.name);
                let may = match self.terminal {
                    true if about.is_chance => String::new(),
                    true => format!("goal {}", self.goal(role)),
                    false => listed(&self.legal_names(role), MOVES),
                };
                let seen = match () {
                    () if about.is_chance || self.moves.is_empty() => String::new(),
                    () if seen.is_empty() => "nothing".to_string(),
                    () => percept_report::speech::row(&seen),
                };
                vec![
                    if about.is_chance { format!("{name} <span class=\"quiet\">(chance)</span>") } else { name },
                    html::escape(&seen),
                    html::escape(&may),
                ]
            };
            let rows: Vec<Vec<String>> = game.role_ids().map(row).collect();
            let last = if self.terminal { "in the end" } else { "may" };
            let body = html::heading(&self.title()) + &html::picture(&picture);
            Ok(html::page(&(body + "<div>" + &html::table(&["role", "perceived", last], &rows) + "</div>")))
        })
    }
}

/// An output cell with this body, which has to be HTML already.
#[pyfunction]
pub fn html_page(body: &str) -> String {
    html::page(body)
}

/// Text as HTML.
#[pyfunction]
pub fn html_escape(text: &str) -> String {
    html::escape(text)
}
