//! The strategy of one role over views of which those with the same future are one: a small automaton, instead of an
//! entry for each view with all its rounds.
//!
//! As text, there is a line for each view. Views are numbered from 0 in the order of the lines, and 0 is the view before
//! the first round. `to` names the view after a round: its number, the own move, and the percepts. Moves with the
//! probability 0 are left out:
//!
//! ```text
//! (role p2)
//! (view (to 1 noop (card 1)) (to 2 noop (card 2)))
//! (view (play (0.25 bet) (0.75 pass)) (to 3 bet (did p1 bet)))
//! ```

use std::io::{self, Write};

use percept_game::sexpr;
use rustc_hash::FxHashMap;

use super::ViewRound;
use super::words::{SLACK, StrategyError, probability, view_round};

/// The strategy of one role, by views that stand for all views with the same future.
#[derive(Clone, Debug, Default)]
pub struct Shared {
    /// The role.
    pub role: String,
    rounds: Vec<ViewRound>,
    round_ids: FxHashMap<ViewRound, u32>,
    moves: Vec<String>,
    move_ids: FxHashMap<String, u32>,
    /// For each view the end of its steps, and of its moves.
    ends: Vec<(u32, u32)>,
    /// The number of a round, and of the view after it.
    steps: Vec<(u32, u32)>,
    /// The number of a move, and its probability.
    plays: Vec<(u32, f64)>,
}

impl Shared {
    /// A strategy without a view.
    pub(crate) fn new(role: String) -> Shared {
        Shared { role, ..Shared::default() }
    }

    /// The number of views.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there are no views.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The approximate number of bytes that it takes.
    pub(crate) fn bytes(&self) -> usize {
        8 * self.ends.capacity() + 8 * self.steps.capacity() + 16 * self.plays.capacity()
    }

    /// Adds to the view being made a step to another one.
    pub(crate) fn step(&mut self, round: ViewRound, view: u32) {
        let id = self.round(round);
        self.steps.push((id, view));
    }

    /// Adds to the view being made a step by a round that has a number already.
    pub(crate) fn step_by(&mut self, round: u32, view: u32) {
        self.steps.push((round, view));
    }

    /// Adds to the view being made a move with a number.
    pub(crate) fn play(&mut self, mv: u32, probability: f64) {
        self.plays.push((mv, probability));
    }

    /// Completes the view being made.
    pub(crate) fn end(&mut self) {
        self.ends.push((self.steps.len() as u32, self.plays.len() as u32));
    }

    /// The number of a round.
    pub(crate) fn round(&mut self, round: ViewRound) -> u32 {
        let fresh = self.rounds.len() as u32;
        *self.round_ids.entry(round).or_insert_with_key(|round| {
            self.rounds.push(round.clone());
            fresh
        })
    }

    /// The number of a move.
    pub(crate) fn mv(&mut self, name: &str) -> u32 {
        if let Some(&id) = self.move_ids.get(name) {
            return id;
        }
        let id = self.moves.len() as u32;
        self.moves.push(name.to_string());
        self.move_ids.insert(name.to_string(), id);
        id
    }

    /// All moves that are in some view.
    pub fn moves(&self) -> &[String] {
        &self.moves
    }

    /// All rounds that are in some view.
    pub(crate) fn rounds(&self) -> &[ViewRound] {
        &self.rounds
    }

    /// The moves at a view with their probabilities, by number; empty if there is no choice.
    pub(crate) fn plays(&self, view: u32) -> &[(u32, f64)] {
        let (from, to) = (self.begin(view).1, self.ends[view as usize].1);
        &self.plays[from as usize..to as usize]
    }

    fn begin(&self, view: u32) -> (u32, u32) {
        view.checked_sub(1).map_or((0, 0), |before| self.ends[before as usize])
    }

    /// The view after a view and a round, by number.
    pub(crate) fn after(&self, view: u32, round: u32) -> Option<u32> {
        let (from, to) = (self.begin(view).0, self.ends[view as usize].0);
        self.steps[from as usize..to as usize].iter().find(|step| step.0 == round).map(|step| step.1)
    }

    /// The behaviour at a view; `None` if it is not listed or there is no choice.
    pub(crate) fn at(&self, view: &[ViewRound]) -> Option<Vec<(String, f64)>> {
        let after = |at: u32, round: &ViewRound| self.after(at, *self.round_ids.get(round)?);
        let view = view.iter().try_fold(0, after)?;
        let plays = self.plays(view);
        let named = |&(mv, probability): &(u32, f64)| (self.moves[mv as usize].clone(), probability);
        (!plays.is_empty()).then(|| plays.iter().map(named).collect())
    }

    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "\n(role {})", self.role)?;
        for view in 0..self.len() as u32 {
            write!(out, "(view")?;
            let plays = self.plays(view);
            if !plays.is_empty() {
                write!(out, " (play")?;
                for &(mv, probability) in plays.iter().filter(|it| it.1 > 0.0) {
                    write!(out, " ({probability} {})", self.moves[mv as usize])?;
                }
                write!(out, ")")?;
            }
            for &(round, after) in &self.steps[self.begin(view).0 as usize..self.ends[view as usize].0 as usize] {
                let ViewRound { own, percepts } = &self.rounds[round as usize];
                write!(out, " (to {after} {}", own.as_deref().unwrap_or("-"))?;
                percepts.iter().try_for_each(|percept| write!(out, " {percept}"))?;
                write!(out, ")")?;
            }
            writeln!(out, ")")?;
        }
        Ok(())
    }

    /// Reads a line that begins with `(view`.
    pub(crate) fn line(&mut self, number: usize, text: &str) -> Result<(), StrategyError> {
        let wrong = |message: String| StrategyError { line: number, message };
        let wanted = || wrong("a view is written `(view (play (1 MOVE) ...) (to VIEW MOVE PERCEPT ...) ...)`".into());
        let read = sexpr::read(text).map_err(|unread| wrong(unread.message.into()))?;
        let [view] = &read[..] else { return Err(wanted()) };
        for item in view.after("view").ok_or_else(wanted)? {
            if let Some(moves) = item.after("play") {
                let mut sum = 0.0;
                for mv in moves {
                    let Some([chance, name]) = mv.list() else { return Err(wanted()) };
                    let (chance, _) = chance.word().and_then(probability).ok_or_else(wanted)?;
                    sum += chance;
                    let mv = self.mv(&name.show());
                    self.play(mv, chance);
                }
                if (sum - 1.0_f64).abs() > SLACK {
                    return Err(wrong(format!("the probabilities of this view add up to {sum}, not to 1")));
                }
            } else if let Some([after, round @ ..]) = item.after("to") {
                let after = after.word().and_then(|it| it.parse().ok()).ok_or_else(wanted)?;
                self.step(view_round(round).ok_or_else(wanted)?, after);
            } else {
                return Err(wanted());
            }
        }
        if self.steps.len().max(self.plays.len()) > u32::MAX as usize / 2 {
            return Err(wrong("there are too many views".into()));
        }
        self.end();
        Ok(())
    }

    /// Checks that the views named are there.
    pub(crate) fn check(&self, line: usize) -> Result<(), StrategyError> {
        let missing = self.steps.iter().find(|step| step.1 as usize >= self.len());
        let wrong = |step: &(u32, u32)| StrategyError {
            line,
            message: format!("view {} of {} is named, but there are only {}", step.1, self.role, self.len()),
        };
        missing.map_or(Ok(()), |step| Err(wrong(step)))
    }
}
