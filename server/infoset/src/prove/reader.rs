//! The independent checker: follows a proof on the rules as written before it is called proved.
//!
//! In: a game, and a prover's claim with its argument. Out: a [`Reading`]: followed, not followed with the reason, or
//! refused. The rules are read from the description again ([`Game::plain`]), and no data of the prover takes part:
//!
//! 1. If all pairs of states can be listed on the plain rules, they are listed and checked ([`Closure`]): then not even
//!    the translation of a round into clauses is trusted.
//! 2. Else the prover's argument is written as a certificate and followed ([`super::certificate`]).
//! 3. If that is refused or cannot be written, the pairs are tried once more, with the remaining time.
//!
//! A refusal is a bug in Percept, in the prover or in the checker. A caller that gets one must not report `proved`.

use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use percept_game::plain::{self, Limits, pogddl::Range};
use percept_game::{Game, Ground, RoleId, Scope, Written};
use rustc_hash::FxHashMap;

use super::certificate::{self, Basis, Invalid};
use super::closure::{Closure, Hole, Rounds};
use super::findings::Argument;
use crate::Budget;
use crate::reading::{Reading, Unchecked};
use crate::verdict::Property;

/// The number of gates in a round up to which all pairs of states are tried first.
const FEW_GATES: usize = 3_000;

/// The time for that attempt, for each role.
const BRIEFLY: Duration = Duration::from_millis(100);

/// The most conditions and atoms of the plain rules, about half a gigabyte.
const LIMITS: (usize, usize) = (15_000_000, 1_500_000);

/// Reads the rules of one game once, and follows proofs about it. Threads can share it.
pub struct Reader<'a> {
    game: &'a Game,
    /// The prover's circuit of the game; `None` if the game is too large, or time was short.
    ground: OnceLock<Option<Arc<Ground>>>,
    numbers: OnceLock<Vec<Range>>,
    /// The plain game without goals, and the one with goals.
    plain: [Mutex<Slot>; 2],
    /// The parts of proofs already followed, shared between properties.
    followed: [Mutex<Vec<Basis>>; 2],
    /// All pairs of states for a role, in the plain game without or with goals; `None` if there are too many.
    pairs: Mutex<FxHashMap<(RoleId, bool), Listed>>,
}

/// All pairs of states and the rounds from each state, if they are few.
type Listed = Option<Arc<(Closure, Rounds)>>;

/// The state of a plain game that is made on demand.
enum Slot {
    New,
    Made(Arc<Game>),
    /// The time was too short; the time spent on the attempt.
    GaveUp(Duration),
    TooLarge,
}

impl<'a> Reader<'a> {
    /// A reader that has not read the rules yet.
    pub fn new(game: &'a Game) -> Reader<'a> {
        let plain = [Mutex::new(Slot::New), Mutex::new(Slot::New)];
        Reader {
            game,
            ground: OnceLock::new(),
            numbers: OnceLock::new(),
            plain,
            followed: Default::default(),
            pairs: Mutex::default(),
        }
    }

    /// A reader that shares only the circuit with this one. What it gives up in a short time, this one still tries.
    pub(super) fn beside(&self, budget: &Budget) -> Reader<'a> {
        let reader = Reader::new(self.game);
        // It has no circuit yet.
        let _ = reader.ground.set(self.ground(budget).cloned());
        reader
    }

    /// The prover's circuit, made once, with the first caller's budget.
    pub(super) fn ground(&self, budget: &Budget) -> Option<&Arc<Ground>> {
        let made = || self.game.rules.ground(&Scope { until: Some(budget), ..Scope::default() }).ok();
        self.ground.get_or_init(made).as_ref()
    }

    /// Follows a proof that `role` always knows `property`.
    pub fn follow(
        &self,
        (role, property): (RoleId, Property),
        announce_end: bool,
        argument: &Argument,
        budget: &Budget,
    ) -> Reading {
        let plain = match self.plain(property, budget) {
            Ok(plain) => plain,
            Err(why) => return Reading::Unchecked(why),
        };
        let is_few = self.ground(budget).is_some_and(|it| it.circuit.nodes().len() <= FEW_GATES);
        if is_few && let Some(pairs) = self.pairs(&plain, role, self.with_goals(property), budget) {
            let (pairs, rounds) = &*pairs;
            match pairs.check(rounds, &plain, (role, property), budget) {
                Ok(()) => return Reading::Checked,
                // A role that learns of the end has more knowledge than the pairs show.
                Err(Hole::Differs(..)) if announce_end => {}
                Err(Hole::Stopped(_)) => return Reading::Unchecked(Unchecked::Time),
                Err(why) => return Reading::Refused(why.to_string()),
            }
        }
        let refused = match self.written(&plain, (role, property), announce_end, argument, budget) {
            Ok(()) => return Reading::Checked,
            Err(why) => why,
        };
        match refused {
            // If following was interrupted, unread parts look like a fault of the proof.
            _ if budget.is_spent() => return Reading::Unchecked(Unchecked::Time),
            Invalid::Stopped(_) => return Reading::Unchecked(Unchecked::Time),
            Invalid::TooLarge if matches!(argument, Argument::Pairs) => return Reading::Unchecked(Unchecked::Memory),
            _ => {}
        }
        // An argument that cannot be written may still be right.
        let by_pairs =
            listed(&plain, role, budget).map(|(pairs, rounds)| pairs.check(&rounds, &plain, (role, property), budget));
        match by_pairs {
            Some(Ok(())) => Reading::Checked,
            _ if budget.is_spent() => Reading::Unchecked(Unchecked::Time),
            _ if refused == Invalid::TooLarge => Reading::Unchecked(Unchecked::Memory),
            _ if refused == Invalid::Untold => Reading::Unchecked(Unchecked::NoProof),
            _ => Reading::Refused(refused.to_string()),
        }
    }

    /// Writes the argument as a certificate and follows it.
    fn written(
        &self,
        plain: &Game,
        (role, property): (RoleId, Property),
        announce_end: bool,
        argument: &Argument,
        budget: &Budget,
    ) -> Result<(), Invalid> {
        // The solver of web pages writes no proofs.
        if cfg!(target_family = "wasm") {
            return Err(Invalid::Untold);
        }
        budget.report("the proof, once more", 0, None);
        let floor = (plain, self.numbers());
        let proved = (self.game, self.ground(budget).map(|it| &**it));
        let followed = &self.followed[usize::from(self.with_goals(property))];
        let bases = followed.lock().map(|bases| bases.clone()).unwrap_or_default();
        let bounds = (&*bases, budget);
        let written = certificate::write_of(proved, floor, (role, property), announce_end, argument, bounds)?;
        certificate::check_after(plain, &written, bounds)?;
        if let (Some(basis), Ok(mut bases)) = (Basis::of(&written), followed.lock())
            && !bases.contains(&basis)
        {
            bases.push(basis);
        }
        Ok(())
    }

    /// The ranges in which numbers are claimed to stay.
    pub(crate) fn numbers(&self) -> &[Range] {
        self.numbers.get_or_init(|| plain::ranges(self.game))
    }

    /// All pairs of states that the role cannot tell apart, if they are few.
    fn pairs(&self, plain: &Game, role: RoleId, goals: bool, budget: &Budget) -> Listed {
        let mut pairs = self.pairs.lock().ok()?;
        let briefly = || budget.share(4).until(Instant::now() + BRIEFLY);
        pairs.entry((role, goals)).or_insert_with(|| listed(plain, role, &briefly()).map(Arc::new)).clone()
    }

    /// True if the plain game for this property has goals; in GDL it always has.
    fn with_goals(&self, property: Property) -> bool {
        matches!(self.game.written, Written::Gdl(_)) || property == Property::Goal
    }

    /// The rules, read a second time.
    ///
    /// # Errors
    /// The reason why they could not be read.
    pub(crate) fn plain(&self, property: Property, budget: &Budget) -> Result<Arc<Game>, Unchecked> {
        if matches!(self.game.written, Written::Nowhere) {
            return Err(Unchecked::NoDescription);
        }
        let goals = self.with_goals(property);
        let mut slot = self.plain[usize::from(goals)].lock().map_err(|_| Unchecked::Memory)?;
        let left = budget.deadline.map_or(Duration::MAX, |at| at.saturating_duration_since(Instant::now()));
        match &*slot {
            Slot::Made(game) => return Ok(game.clone()),
            Slot::TooLarge => return Err(Unchecked::Memory),
            // The last attempt took too long for the time that is left.
            Slot::GaveUp(after) if left < 2 * *after => return Err(Unchecked::Time),
            Slot::New | Slot::GaveUp(_) => {}
        }
        let begin = Instant::now();
        budget.report("the rules, once more", 0, None);
        let limits = Limits { conditions: LIMITS.0, atoms: LIMITS.1, budget: budget.clone(), ..Limits::default() };
        let made = self.game.plain(self.numbers(), goals, &limits).ok_or(Unchecked::NoDescription)?;
        let (now, answer) = match made {
            // Roles are identified by their numbers throughout.
            Ok(game) if game.roles != self.game.roles => return Err(Unchecked::OtherNames),
            Ok(game) => {
                let game = Arc::new(game);
                (Slot::Made(game.clone()), Ok(game))
            }
            Err(_) if budget.is_spent() => (Slot::GaveUp(begin.elapsed()), Err(Unchecked::Time)),
            Err(_) => (Slot::TooLarge, Err(Unchecked::Memory)),
        };
        *slot = now;
        answer
    }
}

/// All pairs of states that the role cannot tell apart, and all rounds. `None` if there are too many, or no time.
fn listed(plain: &Game, role: RoleId, budget: &Budget) -> Option<(Closure, Rounds)> {
    let pairs = Closure::of(plain, role, budget)?;
    let rounds = pairs.rounds(plain, role, budget).ok()?;
    Some((pairs, rounds))
}
