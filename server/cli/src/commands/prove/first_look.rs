//! The evidence of random matches about the questions that are still open, on a terminal.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use percept_game::{Game, RoleId};
use percept_infoset::prove::{Look, many};
use percept_infoset::{Budget, Property};
use percept_report::names;
use percept_report::words::{self, counted};

use crate::pace::Pace;

/// The time for random matches, and the most of them.
const LOOKING: Duration = Duration::from_millis(800);
const MATCHES: u64 = 64;

/// A look at random matches, and the questions without an answer.
#[derive(Clone)]
pub(super) struct FirstLook {
    game: Arc<Game>,
    announce_end: bool,
    open: Arc<Mutex<Vec<many::Question>>>,
}

impl FirstLook {
    pub(super) fn new(game: &Arc<Game>, questions: &[many::Question], announce_end: bool) -> FirstLook {
        FirstLook { game: game.clone(), announce_end, open: Arc::new(Mutex::new(questions.to_vec())) }
    }

    /// Looks on a thread of its own: nothing waits for it. Prints a line if some questions are still open then.
    pub(super) fn begin(&self, print: impl Fn(&str) + Send + 'static, budget: &Budget) {
        let (this, budget) = (self.clone(), budget.until(Instant::now() + LOOKING));
        // Without a thread, the line is missing.
        let _ = thread::Builder::new().name("first look".into()).spawn(move || {
            let questions = this.open().clone();
            // Progress is that of the proofs.
            let budget = Budget { progress: None, ..budget };
            let pace = Pace::begin();
            let look = Look::at(&this.game, &questions, this.announce_end, MATCHES, &budget);
            thread::sleep(pace.patience());
            let open = this.open();
            let text = this.text(&look, &open);
            if !text.is_empty() {
                print(&text.join("\n"));
            }
        });
    }

    pub(super) fn answered(&self, question: many::Question) {
        self.open().retain(|it| *it != question);
    }

    /// No line is printed from now on.
    pub(super) fn end(&self) {
        self.open().clear();
    }

    fn open(&self) -> MutexGuard<'_, Vec<many::Question>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn text(&self, look: &Look, open: &[many::Question]) -> Vec<String> {
        let name = |role: RoleId| names::role(&self.game, role);
        let refuted = look.refuted.iter().filter(|it| open.contains(&it.0));
        let refuted = refuted.map(|&((role, property), ref pair)| {
            let (what, rounds) = (words::knowledge(property), words::rounds(pair.left.len()));
            format!("so far: {} does not always know {what}, in matches of {rounds}", name(role))
        });
        let mut lines: Vec<String> = refuted.collect();
        let others: Vec<&many::Question> =
            open.iter().filter(|open| look.refuted.iter().all(|it| it.0 != **open)).collect();
        if look.rounds > 0 && !others.is_empty() {
            let of_role = |asked: &[&many::Question]| {
                let properties: Vec<&str> = asked.iter().map(|it| Property::name(it.1)).collect();
                format!("{} of {}", properties.join(", "), name(asked[0].0))
            };
            let questions: Vec<String> = others.chunk_by(|left, right| left.0 == right.0).map(of_role).collect();
            lines.push(format!(
                "so far: nothing refutes {} in {} ({}, compared with {} that look the same)",
                questions.join("; "),
                counted(look.matches, "random match", "random matches"),
                words::rounds(look.rounds as usize),
                counted(look.states as usize, "state", "states"),
            ));
        }
        lines
    }
}
