//! The model of the terminal stepper, and the user's actions.

use std::cell::{Cell, OnceCell, RefCell};
use std::path::PathBuf;

use percept_game::stepper::{StepView, Stepper};
use percept_game::{MoveId, RoleId, Term};
use percept_report::board::{self, Layout, Picture};
use percept_report::seat::{IsOver, Move, Seat, SeatRound};
use percept_syntax::Source;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use ratatui::layout::Rect;

use super::ask::Ask;
use crate::failure::Failure;
use crate::followed::Followed;
use crate::load::{self, Loaded, Loader};

/// The subject of a prompt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Prompt {
    Jump,
    Save,
    /// The file exists.
    Replace,
    Load,
    Find,
}

impl Prompt {
    pub(super) fn text(self) -> &'static str {
        match self {
            Prompt::Jump => "go to round",
            Prompt::Save => "save the match as",
            Prompt::Replace => "the file exists: enter replaces it",
            Prompt::Load => "load the match from",
            Prompt::Find => "find a move",
        }
    }
}

/// The overlay above the match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Over {
    Nothing,
    /// The keys, and the first line that is shown.
    Help(usize),
    /// An explanation, and the first line that is shown.
    Why(Vec<String>, usize),
    /// A question, the typed text, and whether that text is only a proposal, which the first letter replaces.
    Prompt(Prompt, String, bool),
    /// The atoms that can be explained.
    Ask(Ask),
}

/// Sizes that are known only after drawing.
#[derive(Default)]
pub(super) struct ScreenSizes {
    /// The number of lines of the state that are shown at once, and the greatest first line.
    pub state_page: Cell<usize>,
    pub state_end: Cell<usize>,
    /// The number of moves that are shown at once.
    pub moves_page: Cell<usize>,
    /// The number of lines of an explanation or of the help that are shown at once.
    pub why_page: Cell<usize>,
    /// The greatest first line of an explanation or of the help.
    pub why_end: Cell<usize>,
    /// The clickable areas, with their meaning.
    pub spots: RefCell<Vec<(Rect, Spot)>>,
}

/// The meaning of a place on the screen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Spot {
    /// A cell of a board, by its name in moves.
    Cell(String),
    /// A line of the moves.
    Move(usize),
    /// The state after a round.
    Round(usize),
    /// The moves of a role.
    Role(usize),
}

/// The stepper's state.
pub(crate) struct App {
    pub(super) loader: Loader,
    pub(super) title: String,
    pub(super) stepper: Stepper,
    pub(super) paths: Vec<PathBuf>,
    pub(super) files: Vec<(PathBuf, Source)>,
    /// The content to draw; recomputed after every change.
    pub(super) view: StepView,
    pub(super) layout: Layout,
    pub(super) picture: Picture,
    /// The role whose moves are listed.
    pub(super) focus: usize,
    /// The marked line of the list.
    pub(super) line: usize,
    /// Moves picked for the next round.
    pub(super) picked: Vec<Option<MoveId>>,
    /// The role through whose eyes the match is shown.
    pub(super) eye: Option<RoleId>,
    followed: Option<Followed>,
    /// The probability of each move of each role here, from the strategy file.
    pub(super) weights: Vec<Option<Vec<f64>>>,
    /// That role's knowledge, computed on first use, so that keys do not wait for it. See [`App::seat`].
    seat: OnceCell<Result<Seat, String>>,
    /// The cells chosen on boards, in the order in which the move is to name them.
    pub(super) chosen: Vec<String>,
    /// The cell under the cursor, while the keys move on a board.
    pub(super) cursor: Option<(usize, usize, usize)>,
    /// True if there are colours.
    pub(super) colours: bool,
    /// The first line of the state that is shown.
    pub(super) scroll: usize,
    /// The scroll ranges and steps of the last drawing.
    pub(super) drawn: ScreenSizes,
    pub(super) over: Over,
    pub(super) message: String,
    /// The rule whose evaluation exceeded a limit; from then on the picture may be incomplete.
    pub(super) fault: Option<String>,
    rng: Xoshiro256PlusPlus,
    done: bool,
}

impl App {
    pub(crate) fn new(loader: Loader, loaded: &Loaded, stepper: Stepper, eye: Option<RoleId>, seed: u64) -> App {
        let paths: Vec<PathBuf> = loaded.files.iter().map(|(path, _)| path.clone()).collect();
        let title = paths.last().and_then(|path| path.file_name()).map(|name| name.to_string_lossy().into_owned());
        let layout = loaded.layout();
        let mut app = App {
            loader,
            title: title.unwrap_or_default(),
            view: stepper.view(),
            picture: Picture::default(),
            layout,
            picked: vec![None; stepper.game().roles.len()],
            stepper,
            paths,
            files: loaded.files.clone(),
            focus: 0,
            line: 0,
            eye,
            followed: None,
            weights: Vec::new(),
            seat: OnceCell::new(),
            chosen: Vec::new(),
            cursor: None,
            colours: std::env::var_os("NO_COLOR").is_none_or(|it| it.is_empty()),
            scroll: 0,
            drawn: ScreenSizes::default(),
            over: Over::Nothing,
            message: "press ? for help".to_string(),
            fault: None,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            done: false,
        };
        app.refresh();
        app
    }

    /// Shows the probabilities of a strategy file beside the moves.
    pub(crate) fn following(mut self, followed: Option<Followed>) -> App {
        self.followed = followed;
        self.refresh();
        self
    }

    pub(crate) fn is_done(&self) -> bool {
        self.done
    }

    pub(crate) fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    pub(super) fn quit(&mut self) {
        self.done = true;
    }

    /// Recomputes all dependent data after the match or the place in it changed.
    pub(super) fn refresh(&mut self) {
        self.view = self.stepper.view();
        self.picked = vec![None; self.stepper.game().roles.len()];
        self.weights = match &self.followed {
            Some(followed) => self.stepper.game().role_ids().map(|role| followed.here(&self.stepper, role)).collect(),
            None => Vec::new(),
        };
        self.picture = self.layout.picture(&self.view.state);
        self.chosen.clear();
        self.seat = OnceCell::new();
        let game = self.stepper.game().clone();
        self.fault = game.rules.fault().map(|error| {
            let (path, source) = &self.files[usize::from(error.in_problem).min(self.files.len() - 1)];
            let place = load::place(path, &source.text, error.range, &error.message);
            format!("error: this may be incomplete: {}", Failure::Located(vec![place]).summary())
        });
        let acts = |role: usize| !game.roles[role].is_chance && self.view.roles[role].legal.len() > 1;
        let own = self.eye.map(|eye| eye.0 as usize);
        let waits = |role: usize| self.view.roles[role].legal == ["noop"];
        let mut roles = 0..game.roles.len();
        let chosen = own.or_else(|| roles.clone().find(|&role| acts(role)));
        self.focus = chosen.or_else(|| roles.find(|&role| !waits(role))).unwrap_or(0);
        self.line = 0;
    }

    /// In the view of a role: its knowledge, or the reason why it cannot be determined. Nothing else may be shown then.
    pub(super) fn seat(&self) -> Option<&Result<Seat, String>> {
        let found = |eye| super::eye::seat(&self.stepper, &self.layout, eye).map_err(|error| error.to_string());
        self.eye.map(|eye| self.seat.get_or_init(|| found(eye)))
    }

    /// The listed moves: the legal ones of the role in focus that name the chosen cells; in the view of a role, those
    /// that it knows to be legal.
    pub(super) fn moves(&self) -> Vec<MoveId> {
        let moves: Vec<MoveId> = match self.seat() {
            Some(Ok(seat)) => seat.legal.iter().filter(|it| it.chance >= 1.0).map(|it| it.mv).collect(),
            Some(Err(_)) => Vec::new(),
            None => self.stepper.legal(self.role()),
        };
        moves.into_iter().filter(|&mv| self.chosen.is_empty() || self.fits(mv)).collect()
    }

    /// The moves and percepts of the role whose view is shown: it knows these in any case.
    pub(super) fn seat_history(&self) -> Vec<SeatRound> {
        self.eye.map(|eye| super::eye::seat_history(&self.stepper, eye)).unwrap_or_default()
    }

    /// The moves that may be legal, as far as the role knows. They are listed after the others, and cannot be made.
    pub(super) fn perhaps(&self) -> Vec<&Move> {
        match self.seat() {
            Some(Ok(seat)) => seat.legal.iter().filter(|it| it.chance < 1.0).collect(),
            _ => Vec::new(),
        }
    }

    /// The role in focus.
    pub(super) fn role(&self) -> RoleId {
        RoleId(self.focus as u16)
    }

    /// The name of a move of the role in focus.
    pub(super) fn called(&self, mv: MoveId) -> Term {
        self.stepper.game().rules.move_term(self.role(), mv)
    }

    /// Moves of the role in focus in its words, no two the same.
    pub(super) fn labels(&self, moves: &[MoveId]) -> Vec<String> {
        self.layout.speech.listed(&moves.iter().map(|&mv| self.called(mv)).collect::<Vec<_>>())
    }

    /// True if a move names the chosen cells, in their order.
    fn fits(&self, mv: MoveId) -> bool {
        let places = self.layout.places(&self.called(mv));
        let named = self.chosen.iter().zip(&places).all(|(cell, place)| board::names(place, cell));
        places.len() >= self.chosen.len() && named
    }

    pub(super) fn select(&mut self, step: isize) {
        let last = (self.moves().len() + self.perhaps().len()).saturating_sub(1);
        self.line = self.line.saturating_add_signed(step).min(last);
    }

    /// Scrolls the state by pages.
    pub(super) fn scroll(&mut self, pages: isize) {
        let page = self.drawn.state_page.get().saturating_sub(1).max(1) as isize;
        self.scroll = self.scroll.saturating_add_signed(pages * page).min(self.drawn.state_end.get());
    }

    pub(super) fn next_role(&mut self, step: isize) {
        // The view of a role shows only its own moves.
        if self.eye.is_some() {
            return;
        }
        let roles = self.stepper.game().roles.len() as isize;
        if roles > 0 {
            self.focus = (self.focus as isize + step).rem_euclid(roles) as usize;
            self.line = 0;
        }
    }

    /// Picks the marked move; once every role that has a choice has picked, the round is played. Chance moves at
    /// random unless a move was picked for it.
    pub(super) fn pick(&mut self) {
        let Some(&mv) = self.moves().get(self.line) else {
            self.message = match self.perhaps().is_empty() {
                true => "there is no move to pick".to_string(),
                false => "this move may not be legal: it cannot be picked".to_string(),
            };
            return;
        };
        self.chosen.clear();
        self.picked[self.focus] = Some(mv);
        // A seat does not show which other roles have a choice: they move at random.
        if self.eye.is_some() {
            return self.play();
        }
        let game = self.stepper.game().clone();
        let waits = |role: usize| {
            self.picked[role].is_none() && !game.roles[role].is_chance && self.view.roles[role].legal.len() != 1
        };
        match (0..game.roles.len()).find(|&role| waits(role)) {
            Some(role) => {
                self.focus = role;
                self.line = 0;
                self.message = format!("pick a move for {}", game.roles[role].name);
            }
            None => self.play(),
        }
    }

    /// Plays the round: picked moves, and random ones for the others.
    pub(super) fn play(&mut self) {
        let mut picked = std::mem::take(&mut self.picked);
        if let Some(eye) = self.eye
            && picked[eye.0 as usize].is_none()
        {
            // Only a move that is known to be legal: any other would reveal facts that the role cannot know.
            let moves = self.moves();
            let Some(&mv) = moves.choose(&mut self.rng) else {
                self.message = "no move is known to be legal".to_string();
                self.picked = picked;
                return;
            };
            picked[eye.0 as usize] = Some(mv);
        }
        self.message = match self.stepper.play_random(&picked, &mut self.rng) {
            Ok(()) => String::new(),
            Err(error) => error.to_string(),
        };
        self.refresh();
        if self.knows_the_end() && self.message.is_empty() {
            self.message = "the match is over".to_string();
        }
    }

    /// True if the viewer knows that the match is over.
    pub(super) fn knows_the_end(&self) -> bool {
        match self.seat() {
            Some(seat) => seat.as_ref().is_ok_and(|seat| seat.over == IsOver::Yes),
            None => self.view.terminal,
        }
    }

    pub(super) fn undo(&mut self) {
        self.message = if self.stepper.undo() { String::new() } else { "this is the start".to_string() };
        self.refresh();
    }

    pub(super) fn redo(&mut self) {
        self.message = if self.stepper.redo() { String::new() } else { "no round was undone".to_string() };
        self.refresh();
    }

    pub(super) fn jump(&mut self, round: usize) {
        self.stepper.jump(round);
        self.message = format!("round {}", self.stepper.at());
        self.refresh();
    }

    /// Shows the match in the view of the next role, and after the last role the whole state.
    pub(super) fn next_eye(&mut self) {
        let roles = &self.stepper.game().roles;
        let from = self.eye.map_or(0, |eye| eye.0 as usize + 1);
        let next = (from..roles.len()).find(|&role| !roles[role].is_chance);
        self.eye = next.map(|role| RoleId(role as u16));
        self.message = match next {
            Some(role) => format!("what {} knows", roles[role].name),
            None => "everything".to_string(),
        };
        self.refresh();
    }

    /// Marks the next move whose words or name contain the text.
    pub(super) fn find(&mut self, text: &str) {
        let Some(role) = self.view.roles.get(self.focus) else { return };
        let moves = self.moves();
        let n = moves.len();
        let names = self.labels(&moves);
        let has = |at: &usize| names[*at].contains(text) || self.called(moves[*at]).to_string().contains(text);
        let found = (1..=n).map(|step| (self.line + step) % n).find(has);
        match found {
            Some(at) => self.line = at,
            None => self.message = format!("no legal move of {} contains `{text}`", role.name),
        }
    }

    /// Explains why an atom holds or not, given in the words of the list or as the rules write it.
    pub(super) fn why(&mut self, typed: &str) {
        if self.eye.is_some() {
            self.message =
                "reasons would reveal more than this role knows; press e until everything is shown".to_string();
            return;
        }
        match super::why::why(&self.stepper, &self.files, typed) {
            Ok(lines) => {
                self.message.clear();
                self.over = Over::Why(lines, 0);
            }
            Err(message) => self.message = message,
        }
    }
}
