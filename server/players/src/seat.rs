//! A player in its thread, from the manager's side.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use percept_game::MoveId;
use percept_infoset::{Round, View};

use crate::clock::Clock;
use crate::player::{Seat, Trouble};
use crate::strategies::Strategy;
use crate::wire::shown;

/// The interval between two checks of a flag that may end the match.
pub(crate) const GLANCE: Duration = Duration::from_millis(100);

/// The limits of a wait.
#[derive(Clone, Copy, Default)]
pub(crate) struct Until<'a> {
    /// The latest time; `None`: no limit.
    pub time: Option<Instant>,
    /// Set by another thread if the match must end.
    pub ended: Option<&'a AtomicBool>,
    /// Set by another thread if the waiting caller is gone; the match goes on.
    pub gone: Option<&'a AtomicBool>,
}

impl Until<'_> {
    /// Limits a wait by a time, and by the end of the match.
    pub(crate) fn new(time: Option<Instant>, ended: Option<&Arc<AtomicBool>>) -> Until<'_> {
        Until { time, ended: ended.map(|flag| &**flag), gone: None }
    }

    pub(crate) fn is_ended(&self) -> bool {
        self.ended.is_some_and(|ended| ended.load(Ordering::Relaxed))
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.gone.is_some_and(|gone| gone.load(Ordering::Relaxed))
    }

    /// True if the wait is over.
    pub(crate) fn is_over(&self) -> bool {
        self.is_ended() || self.is_gone() || self.time.is_some_and(|time| Instant::now() >= time)
    }

    /// The time to wait before the next check of the flags; `None`: no limit.
    pub(crate) fn slice(&self) -> Option<Duration> {
        let left = self.time.map(|time| time.saturating_duration_since(Instant::now()));
        let glance = (self.ended.is_some() || self.gone.is_some()).then_some(GLANCE);
        left.into_iter().chain(glance).min()
    }
}

/// A question to a player. Both carry the new rounds; `Play` also carries the time of the question.
enum Question {
    Play(Vec<Round>, Instant),
    Stop(Vec<Round>),
}

/// An answer, with the number of the question.
struct Answer {
    number: usize,
    /// `None`: the player is ready.
    mv: Result<Option<MoveId>, Trouble>,
    at: Instant,
    remark: Option<String>,
}

/// A player in its running thread.
pub(crate) struct Occupied {
    questions: Sender<Question>,
    answers: Receiver<Answer>,
    count: usize,
    /// Interrupts the player's search.
    cancel: Arc<AtomicBool>,
    pub remark: Option<String>,
    /// The time of the answer to the last question; `None` without an answer.
    pub answered: Option<Instant>,
}

impl Drop for Occupied {
    fn drop(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
    }
}

impl Occupied {
    /// Seats a player, which begins to get ready.
    pub(crate) fn new(seat: Seat, strategy: Strategy) -> Occupied {
        Occupied::with(seat, strategy, ())
    }

    /// Like [`Occupied::new`]; `kept` is dropped when the player's thread ends.
    pub(crate) fn with(seat: Seat, strategy: Strategy, kept: impl Send + 'static) -> Occupied {
        let (questions, inbox) = channel();
        let (answering, answers) = channel();
        let cancel = Arc::new(AtomicBool::new(false));
        let flag = cancel.clone();
        let name = shown(&format!("{} plays {}", strategy.name(), seat.role_name())).into_owned();
        let run = move || {
            let work = || live(&seat, &strategy, &inbox, &answering, &flag);
            if catch_unwind(AssertUnwindSafe(work)).is_err() {
                if let Strategy::Human(person) = &strategy {
                    person.crashed();
                }
                let mv = Err(Trouble::Died("the player crashed".into()));
                let _ = answering.send(Answer { number: usize::MAX, mv, at: Instant::now(), remark: None });
            }
            drop(kept);
        };
        // Without a thread the channel is closed, so every question gets the answer that the player died.
        let _ = thread::Builder::new().name(name).spawn(run);
        Occupied { questions, answers, count: 0, cancel, remark: None, answered: None }
    }

    /// Waits until the player is ready.
    ///
    /// # Errors
    /// Returns the reason if it is not ready; it still gets questions.
    pub(crate) fn ready(&mut self, until: &Until<'_>) -> Result<(), Trouble> {
        self.wait(0, until).map(|_| ())
    }

    /// Asks for a move, with the rounds since the last question.
    pub(crate) fn ask(&mut self, seen: Vec<Round>) {
        self.count += 1;
        self.answered = None;
        let _ = self.questions.send(Question::Play(seen, Instant::now()));
    }

    /// Waits for the answer to the last question.
    ///
    /// # Errors
    /// Returns the reason why there is none.
    pub(crate) fn answer(&mut self, until: &Until<'_>) -> Result<MoveId, Trouble> {
        let answer = self.wait(self.count, until)?;
        answer.ok_or_else(|| Trouble::Nonsense("ready".into()))
    }

    /// Waits for an answer.
    fn wait(&mut self, number: usize, until: &Until<'_>) -> Result<Option<MoveId>, Trouble> {
        loop {
            let answer = match until.slice() {
                None => self.answers.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(slice) => self.answers.recv_timeout(slice),
            };
            match answer {
                Err(RecvTimeoutError::Timeout) if until.is_over() => {
                    if until.is_ended() {
                        self.cancel.store(true, Ordering::Relaxed);
                    }
                    return Err(Trouble::Late);
                }
                Err(RecvTimeoutError::Timeout) => {}
                // An answer to an earlier question came too late.
                Ok(answer) if answer.number < number => {}
                Ok(answer) => {
                    self.remark = answer.remark.or(self.remark.take());
                    self.answered = Some(answer.at);
                    return answer.mv;
                }
                Err(RecvTimeoutError::Disconnected) => return Err(Trouble::Died("the player is gone".into())),
            }
        }
    }

    /// Informs the player that the match is over, with the last rounds it saw.
    pub(crate) fn stop(self, seen: Vec<Round>, until: Option<Instant>) {
        let _ = self.questions.send(Question::Stop(seen));
        // A remote player that sends a last message gets its time; a late one is cut short.
        let wait = until.map(|until| until.saturating_duration_since(Instant::now()));
        match wait {
            Some(wait) => while matches!(self.answers.recv_timeout(wait), Ok(answer) if answer.number != usize::MAX) {},
            None => while matches!(self.answers.recv(), Ok(answer) if answer.number != usize::MAX) {},
        }
    }
}

/// The main loop of a player.
fn live(
    seat: &Seat,
    strategy: &Strategy,
    questions: &Receiver<Question>,
    answers: &Sender<Answer>,
    cancel: &Arc<AtomicBool>,
) {
    let mut player = strategy.sit(seat);
    let mut view = View { role: seat.role, rounds: Vec::new() };
    let clock = Clock::starts(seat.clocks.start, None, cancel);
    let ready = player.prepare(&clock).map(|()| None);
    let _ = answers.send(Answer { number: 0, mv: ready, at: Instant::now(), remark: player.remark() });
    let mut number = 0;
    while let Ok(question) = questions.recv() {
        match question {
            Question::Play(seen, begin) => {
                number += 1;
                view.rounds.extend(seen);
                // A player that was still busy has less time.
                let left = seat.clocks.play.map(|clock| clock.saturating_sub(begin.elapsed()));
                let clock = Clock::starts(left, seat.clocks.simulations, cancel);
                let mv = player.choose(&view, &clock).map(Some);
                if answers.send(Answer { number, mv, at: Instant::now(), remark: player.remark() }).is_err() {
                    return;
                }
            }
            Question::Stop(seen) => {
                view.rounds.extend(seen);
                player.end(&view);
                let _ = answers.send(Answer { number: usize::MAX, mv: Ok(None), at: Instant::now(), remark: None });
                return;
            }
        }
    }
}
