//! The actions of the keys.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::app::{App, Over, Prompt, Spot};
use super::ask::Ask;

/// The keys, for the help page.
pub(super) const HELP: [(&str, &str); 19] = [
    ("up, down", "mark a move"),
    ("J, K", "mark a move one page down, one page up"),
    ("tab, left, right", "another role's moves"),
    ("enter", "pick the move; the round is played when every role has one"),
    ("r", "play the round, with random moves for roles without a pick"),
    ("u, backspace", "undo a round"),
    ("U, y", "redo a round"),
    ("home, end", "go to the start, to the last round"),
    ("g", "go to a round"),
    ("b", "to the board and back: arrows move, enter chooses cells until one move is left"),
    ("mouse", "a cell, a move (twice picks it), a round, a role; the wheel scrolls"),
    ("/", "find a move by a part of its name"),
    ("e", "through the next role's eyes: its knowledge, with probabilities"),
    ("w", "why something holds, or why not: choose it or type it"),
    ("page up, page down", "scroll the state"),
    ("s", "save the match"),
    ("o", "load a match"),
    ("R", "read the files again (automatic when they change)"),
    ("q, ctrl-c", "leave"),
];

/// True if a key leaves the stepper before it has begun.
pub(super) fn leaves(key: KeyEvent) -> bool {
    let with_control = key.modifiers.contains(KeyModifiers::CONTROL);
    matches!((key.code, with_control), (KeyCode::Char('q'), false) | (KeyCode::Char('c'), true))
}

impl App {
    pub(crate) fn key(&mut self, key: KeyEvent) {
        let code = key.code;
        // Keyboards with a third level send both modifiers for its characters.
        match (key.modifiers.contains(KeyModifiers::CONTROL), key.modifiers.contains(KeyModifiers::ALT)) {
            (true, false) => return self.with_control(code),
            (false, true) => return,
            _ => {}
        }
        match std::mem::replace(&mut self.over, Over::Nothing) {
            Over::Prompt(prompt, text, proposed) => self.prompt_key(prompt, text, proposed, code),
            Over::Ask(ask) => self.ask_key(ask, code),
            // Any other key closes the overlay.
            Over::Why(lines, first) => {
                if let Some(first) = self.paged(first, code) {
                    self.over = Over::Why(lines, first);
                }
            }
            Over::Help(first) => {
                if let Some(first) = self.paged(first, code) {
                    self.over = Over::Help(first);
                }
            }
            Over::Nothing => self.match_key(code),
        }
    }

    /// Keys with ctrl leave, or change the typed text.
    fn with_control(&mut self, code: KeyCode) {
        match (&mut self.over, code) {
            (_, KeyCode::Char('c')) => self.quit(),
            (Over::Prompt(..) | Over::Ask(_), KeyCode::Char('h')) => {
                self.key(KeyEvent::new(KeyCode::Backspace, KeyModifiers::NONE));
            }
            (Over::Prompt(_, text, proposed), KeyCode::Char('u')) => {
                text.clear();
                *proposed = false;
            }
            (Over::Prompt(_, text, proposed), KeyCode::Char('w')) => {
                let last = text.trim_end().rsplit(char::is_whitespace).next().unwrap_or_default();
                text.truncate(text.trim_end().len() - last.len());
                *proposed = false;
            }
            _ => {}
        }
    }

    /// Types pasted text into an open question, up to the end of its first line; ignored elsewhere.
    pub(crate) fn paste(&mut self, text: &str) {
        if matches!(self.over, Over::Prompt(..) | Over::Ask(_)) {
            let line = text.split(['\r', '\n']).next().unwrap_or_default().chars().filter(|c| !c.is_control());
            line.for_each(|c| self.key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE)));
        }
    }

    fn match_key(&mut self, code: KeyCode) {
        if self.cursor.is_some() && self.board_key(code) {
            return;
        }
        match code {
            KeyCode::Char('q') => self.quit(),
            KeyCode::Char('?') => self.over = Over::Help(0),
            KeyCode::Up | KeyCode::Char('k') => self.select(-1),
            KeyCode::Down | KeyCode::Char('j') => self.select(1),
            KeyCode::Tab | KeyCode::Right => self.next_role(1),
            KeyCode::BackTab | KeyCode::Left => self.next_role(-1),
            KeyCode::Enter => self.pick(),
            KeyCode::Char('r') => self.play(),
            KeyCode::Char('u') | KeyCode::Backspace => self.undo(),
            KeyCode::Char('U' | 'y') => self.redo(),
            KeyCode::Home => self.jump(0),
            KeyCode::End => self.jump(usize::MAX),
            KeyCode::Char('e') => self.next_eye(),
            KeyCode::Char('R') => self.reload(),
            KeyCode::Char('J') => self.select(self.drawn.moves_page.get().max(1) as isize),
            KeyCode::Char('K') => self.select(-(self.drawn.moves_page.get().max(1) as isize)),
            KeyCode::PageDown => self.scroll(1),
            KeyCode::PageUp => self.scroll(-1),
            KeyCode::Char('g') => self.over = Over::Prompt(Prompt::Jump, String::new(), false),
            KeyCode::Char('s') => self.over = Over::Prompt(Prompt::Save, self.free_name(), true),
            KeyCode::Char('o') => self.over = Over::Prompt(Prompt::Load, String::new(), false),
            KeyCode::Char('w') if self.eye.is_some() => self.why(""),
            KeyCode::Char('w') => self.over = Over::Ask(Ask::new(self)),
            KeyCode::Char('b') => self.toggle_board(),
            KeyCode::Char('/') => self.over = Over::Prompt(Prompt::Find, String::new(), false),
            _ => {}
        }
    }

    /// Handles a key while the cursor is on a board; true if the key was used.
    fn board_key(&mut self, code: KeyCode) -> bool {
        match code {
            KeyCode::Up => self.steer(-1, 0),
            KeyCode::Down => self.steer(1, 0),
            KeyCode::Left => self.steer(0, -1),
            KeyCode::Right => self.steer(0, 1),
            KeyCode::Tab => self.next_board(),
            KeyCode::Esc if !self.chosen.is_empty() => self.chosen.clear(),
            KeyCode::Esc => self.cursor = None,
            KeyCode::Enter => {
                if let Some(place) = self.cursor_cell().map(|cell| cell.place.clone()) {
                    self.choose_cell(&place);
                }
            }
            _ => return false,
        }
        true
    }

    /// A click or a turn of the wheel.
    pub(crate) fn mouse(&mut self, event: MouseEvent) {
        match (&self.over, event.kind) {
            (Over::Nothing, MouseEventKind::Down(MouseButton::Left)) => {
                let at = Position { x: event.column, y: event.row };
                let spots = self.drawn.spots.borrow();
                let spot = spots.iter().find(|(area, _)| area.contains(at)).map(|(_, spot)| spot.clone());
                drop(spots);
                match spot {
                    Some(Spot::Cell(place)) => self.choose_cell(&place),
                    Some(Spot::Move(line)) if self.line == line => self.pick(),
                    Some(Spot::Move(line)) => self.line = line,
                    Some(Spot::Round(round)) => self.jump(round),
                    Some(Spot::Role(role)) => self.next_role(role as isize - self.focus as isize),
                    None => {}
                }
            }
            (Over::Nothing, MouseEventKind::ScrollDown) => self.scroll_lines(3),
            (Over::Nothing, MouseEventKind::ScrollUp) => self.scroll_lines(-3),
            (_, MouseEventKind::ScrollDown) => self.key(KeyEvent::new(KeyCode::Down, KeyModifiers::NONE)),
            (_, MouseEventKind::ScrollUp) => self.key(KeyEvent::new(KeyCode::Up, KeyModifiers::NONE)),
            _ => {}
        }
    }

    fn scroll_lines(&mut self, lines: isize) {
        self.scroll = self.scroll.saturating_add_signed(lines).min(self.drawn.state_end.get());
    }

    /// The first line to show after a key that scrolls the overlay; `None` if the key closes it.
    fn paged(&self, first: usize, code: KeyCode) -> Option<usize> {
        let page = self.drawn.why_page.get();
        let step = match code {
            KeyCode::Down | KeyCode::Char('j') => 1,
            KeyCode::Up | KeyCode::Char('k') => -1,
            KeyCode::PageDown | KeyCode::Char(' ') => page.max(1) as isize,
            KeyCode::PageUp => -(page.max(1) as isize),
            _ => return None,
        };
        Some(first.saturating_add_signed(step).min(self.drawn.why_end.get()))
    }

    fn prompt_key(&mut self, prompt: Prompt, mut text: String, proposed: bool, code: KeyCode) {
        // The file with the new name may exist, too, so the user is asked again.
        let prompt = if prompt == Prompt::Replace && !proposed { Prompt::Save } else { prompt };
        match code {
            KeyCode::Esc => return,
            KeyCode::Enter => return self.answer(prompt, text.trim()),
            KeyCode::Backspace => _ = text.pop(),
            KeyCode::Char(c) => {
                // Typing replaces a proposal; to change it, move the cursor into it first.
                if proposed {
                    text.clear();
                }
                text.push(c);
            }
            _ => {
                self.over = Over::Prompt(prompt, text, proposed);
                return;
            }
        }
        self.over = Over::Prompt(prompt, text, false);
    }

    fn ask_key(&mut self, mut ask: Ask, code: KeyCode) {
        match code {
            KeyCode::Esc => return,
            KeyCode::Enter => {
                if let Some(atom) = ask.chosen() {
                    self.why(&atom);
                }
                return;
            }
            KeyCode::Down | KeyCode::Tab => ask.select(1),
            KeyCode::Up | KeyCode::BackTab => ask.select(-1),
            KeyCode::PageDown => ask.select(10),
            KeyCode::PageUp => ask.select(-10),
            KeyCode::Backspace => ask.back(),
            KeyCode::Char(c) => ask.typed(c),
            _ => {}
        }
        self.over = Over::Ask(ask);
    }

    fn answer(&mut self, prompt: Prompt, text: &str) {
        match prompt {
            _ if text.is_empty() => {}
            Prompt::Jump => match text.parse() {
                Ok(round) => self.jump(round),
                Err(_) => self.message = format!("`{text}` is not a round"),
            },
            Prompt::Save => self.save(text),
            Prompt::Replace => self.write(text),
            Prompt::Load => self.load(text),
            Prompt::Find => self.find(text),
        }
    }
}
