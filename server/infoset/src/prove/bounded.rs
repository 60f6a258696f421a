//! Depth by depth: two matches of `k` rounds that differ in a property but look the same to the role.
//!
//! One incremental solver; the first depth with a model gives a shortest pair. A register with too many possible values
//! is left free in the encoding, so "no pair" is still right, and a pair is checked by replay.

use std::sync::Arc;

use percept_game::circuit::Lit;
use percept_game::symmetry::Symmetries;
use percept_game::{FluentId, Game, Ground, JointMove, MoveId, RoleId, Scope, State, TooLarge};

use super::candidates;
use super::findings::{Pair, is_real};
use super::setting::Setting;
use super::tally::Tally;
use super::twin::{Copy, Moves, Symbolic};
use crate::clauses::Clauses;
use crate::net::Net;
use crate::unroll::Values;
use crate::verdict::Property;
use crate::{Budget, Stop};

/// Nodes of the formula and literals of its copies beyond which no further round is added.
pub(super) const MOST_NODES: usize = 40_000_000;

/// An unrolled pair of matches, ready for questions about its last states.
pub struct Bounded<'a> {
    game: &'a Game,
    role: RoleId,
    /// The circuit of the whole game. `None` if it is too large; then every round has a circuit of its own, for the
    /// fluents possible by then.
    whole: Option<Arc<Ground>>,
    net: Net,
    clauses: Clauses,
    rounds: Vec<Twin>,
    /// The size of the copies of all earlier rounds.
    held: usize,
    now: Twin,
    /// True if both matches are the same one, for questions about a single match.
    single: bool,
    tallies: Vec<Tally>,
}

/// One round of both matches, and the circuit that it copies.
struct Twin {
    ground: Arc<Ground>,
    a: Arc<Copy>,
    b: Arc<Copy>,
    states: (Symbolic, Symbolic),
}

/// The result of a query at one depth.
pub enum Answer {
    /// No such pair at this depth.
    None,
    /// Two matches that the role cannot tell apart and that differ in the property, replayed.
    Pair(Pair),
    /// The time was up, or the pair that was found is none: registers may be encoded loosely.
    Unknown,
}

/// The reason why the matches were not made longer.
#[derive(Debug, thiserror::Error)]
pub enum Halt {
    /// A round is too large for its budget.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The budget was spent.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

impl<'a> Bounded<'a> {
    /// Both matches at depth 0, in the initial state.
    ///
    /// # Errors
    /// If even the first round is too large to ground, or time ran out.
    pub fn new(game: &'a Game, role: RoleId, whole: Option<Arc<Ground>>, budget: &Budget) -> Result<Self, Halt> {
        let search = Bounded::with(game, role, whole, Clauses::new(budget), false)?;
        Ok(Bounded { tallies: Tally::all(game), ..search })
    }

    /// Like [`Bounded::new`], over the caller's clauses. `single`: one match only, which is its own twin.
    ///
    /// # Errors
    /// Like [`Bounded::new`].
    pub fn with(
        game: &'a Game,
        role: RoleId,
        whole: Option<Arc<Ground>>,
        clauses: Clauses,
        single: bool,
    ) -> Result<Self, Halt> {
        let mut net = Net::new();
        let first = game.rules.initial();
        let constant = |index| if first.has(FluentId(index)) { Lit::TRUE } else { Lit::FALSE };
        let fluents = (0..game.rules.fluent_count() as u32).map(constant).collect();
        let registers = first.registers.iter().map(|&value| Values::constant(value)).collect();
        let state = Symbolic { fluents, registers, made: Vec::new() };
        let states = (state.clone(), state);
        let now = Twin::new(game, role, whole.as_ref(), &mut net, states, single, &clauses)?;
        let (rounds, tallies) = (Vec::new(), Vec::new());
        Ok(Bounded { game, role, whole, net, clauses, rounds, held: 0, now, single, tallies })
    }

    /// One match of the given number of rounds, for questions without a role. `None` if it is too large.
    pub fn single(game: &'a Game, whole: Arc<Ground>, rounds: usize, budget: &Budget) -> Option<Self> {
        let base = Bounded::with(game, RoleId(0), Some(whole), Clauses::for_proofs(budget), true).ok()?;
        let mut base = Bounded { tallies: Tally::all(game), ..base };
        while base.depth() < rounds {
            base.deepen().ok()?;
        }
        Some(base)
    }

    /// The number of rounds unrolled so far.
    pub fn depth(&self) -> usize {
        self.rounds.len()
    }

    /// The number of nodes of the formula, plus the size of the copies of its rounds.
    pub fn size(&self) -> usize {
        self.net.len() + self.held
    }

    /// Sets the budget of all further work.
    pub(super) fn limit(&mut self, budget: &Budget) {
        self.clauses.limit(budget);
    }

    fn setting<'s>(&'s self, twin: &'s Twin) -> Setting<'s> {
        Setting { game: self.game, ground: &twin.ground, role: self.role, made: &[] }
    }

    /// Goes one round deeper.
    ///
    /// # Errors
    /// If the next round is too large to ground, or time ran out; no further query is allowed then.
    pub fn deepen(&mut self) -> Result<(), Halt> {
        self.clauses.check()?;
        let setting = Setting { game: self.game, ground: &self.now.ground, role: self.role, made: &[] };
        let Twin { a, b, .. } = &self.now;
        setting.demand_round(&mut self.net, &mut self.clauses, a);
        if !self.single {
            setting.demand_round(&mut self.net, &mut self.clauses, b);
        }
        setting.demand_same_percepts(&mut self.net, &mut self.clauses, a, b);
        let next_a = setting.next(&mut self.net, a);
        let next_b = if self.single { next_a.clone() } else { setting.next(&mut self.net, b) };
        let Twin { states: (old_a, _), .. } = &self.now;
        // A fact about one match holds for the other as well, because both satisfy the same clauses.
        let (net, clauses) = (&mut self.net, &mut self.clauses);
        self.tallies.retain_mut(|tally| tally.follow(net, clauses, &old_a.fluents, &next_a.fluents));
        for tally in &self.tallies {
            tally.tell(net, clauses, &next_a.fluents);
            tally.tell(net, clauses, &next_b.fluents);
        }
        // An interrupted count is useless.
        self.clauses.check()?;
        let (whole, states) = (self.whole.as_ref(), (next_a, next_b));
        let next = Twin::new(self.game, self.role, whole, &mut self.net, states, self.single, &self.clauses)?;
        self.held += self.now.size();
        self.rounds.push(std::mem::replace(&mut self.now, next));
        Ok(())
    }

    /// Restricts the first moves to one of each orbit, for the role with the largest saving: a symmetry turns a pair of
    /// matches and their observations into another pair. To be called once, when there is a first round.
    pub fn look_up_to(&mut self, symmetries: &Symmetries) {
        let Some(first) = self.rounds.first() else { return };
        let spared = |role: RoleId| -> Vec<Lit> {
            let moves = first.ground.moves[role.0 as usize].iter().map(|(mv, _)| mv.0 as usize + 1).max().unwrap_or(0);
            let least = symmetries.orbits(moves, |symmetry, mv| symmetry.mv(role, MoveId(mv)).0);
            let others = (0..moves as u32).filter(|&mv| least[mv as usize] != mv);
            let lits = others.filter_map(|mv| first.a.does.get(&(role, MoveId(mv))).copied());
            lits.filter(|&lit| lit != Lit::FALSE).collect()
        };
        let most = self.game.role_ids().map(spared).max_by_key(Vec::len).unwrap_or_default();
        most.into_iter().for_each(|lit| self.clauses.add(&self.net, vec![!lit]));
    }

    /// Asks if the property can differ at this depth.
    pub fn ask(&mut self, property: Property) -> Answer {
        let differ = self.differ(property);
        self.answer(differ, property)
    }

    /// Asks if the role can have made one of these moves in the last round of one match, and a different one of them in
    /// that of the other.
    pub fn ask_of_moves(&mut self, wanted: &dyn Fn(MoveId) -> bool) -> Answer {
        let Some(last) = self.rounds.last() else { return Answer::None };
        let (net, role) = (&mut self.net, self.role);
        let does = |copy: &Copy| -> Vec<(MoveId, Lit)> {
            let own = copy.does.iter().filter(|((of, mv), _)| *of == role && wanted(*mv));
            own.map(|((_, mv), lit)| (*mv, *lit)).collect()
        };
        let (a, b) = (does(&last.a), does(&last.b));
        let one = net.or(a.iter().map(|it| it.1).collect::<Vec<_>>());
        let other = net.or(b.iter().map(|it| it.1).collect::<Vec<_>>());
        let of = |list: &[(MoveId, Lit)], mv| list.iter().find(|it| it.0 == mv).map_or(Lit::FALSE, |it| it.1);
        let differ: Vec<Lit> = a.iter().map(|&(mv, lit)| net.and([lit, !of(&b, mv)])).collect();
        let differ = net.or(differ);
        let target = net.and([one, other, differ]);
        self.answer(target, Property::Own)
    }

    /// Solves for two matches in which this literal is true, so that they differ in the property.
    fn answer(&mut self, differ: Lit, property: Property) -> Answer {
        match self.clauses.solve(&self.net, &[differ]) {
            Some(false) => Answer::None,
            None => Answer::Unknown,
            Some(true) => {
                let history = |side: fn(&Twin) -> &Copy| {
                    self.rounds.iter().map(|twin| side(twin).joint(&self.setting(twin), &self.clauses)).collect()
                };
                let pair = Pair { left: history(|twin| &twin.a), right: history(|twin| &twin.b) };
                match is_real(self.game, self.role, property, &pair) {
                    true => Answer::Pair(pair),
                    false => Answer::Unknown,
                }
            }
        }
    }

    /// A match of exactly this many rounds whose last state satisfies all of these clauses over the literals of the
    /// round's circuit; `Some(None)` if there is none, `None` if time ran out.
    pub fn reach(&mut self, wanted: &[Vec<Lit>]) -> Option<Option<Vec<JointMove>>> {
        let mut all = Vec::with_capacity(wanted.len());
        for clause in wanted {
            let parts: Vec<Lit> = clause.iter().map(|&lit| self.now.a.lit(lit)).collect();
            all.push(self.net.or(parts));
        }
        let all = self.net.and(all);
        let is_found = self.clauses.solve(&self.net, &[all])?;
        let history = || self.rounds.iter().map(|twin| twin.a.joint(&self.setting(twin), &self.clauses)).collect();
        Some(is_found.then(history))
    }

    /// For each target, true if it can hold at this depth; `targets` makes them from both states. `made`: the history
    /// variables. `None` if time ran out.
    pub(crate) fn which(
        &mut self,
        targets: impl FnOnce(&mut Net, &Symbolic, &Symbolic) -> Vec<Lit>,
        made: &[(RoleId, MoveId)],
    ) -> Option<Vec<bool>> {
        let (targets, net, clauses) = self.targets(targets, made);
        candidates::possible(net, clauses, &targets)
    }

    /// The targets of both states at this depth, and the formula to ask about them; as [`Bounded::which`].
    pub(crate) fn targets(
        &mut self,
        targets: impl FnOnce(&mut Net, &Symbolic, &Symbolic) -> Vec<Lit>,
        made: &[(RoleId, MoveId)],
    ) -> (Vec<Lit>, &mut Net, &mut Clauses) {
        let (mut a, mut b) = self.now.states.clone();
        a.made = made.iter().map(|key| self.made(key, |twin| &twin.a)).collect();
        b.made = made.iter().map(|key| self.made(key, |twin| &twin.b)).collect();
        let targets = targets(&mut self.net, &a, &b);
        (targets, &mut self.net, &mut self.clauses)
    }

    /// The states in all rounds before this depth.
    pub(crate) fn before(&self) -> Vec<(Symbolic, Symbolic)> {
        self.rounds.iter().map(|twin| twin.states.clone()).collect()
    }

    /// A literal that is true if the property differs at this depth, and the formula to ask about it.
    pub(crate) fn difference(&mut self, property: Property) -> (Lit, &mut Net, &mut Clauses) {
        let target = self.differ(property);
        (target, &mut self.net, &mut self.clauses)
    }

    /// A literal that is true if the property differs at this depth: for properties of states in the last states, for
    /// own moves in the last round.
    fn differ(&mut self, property: Property) -> Lit {
        let twin = if property == Property::Own { self.rounds.last() } else { Some(&self.now) };
        let Some(twin) = twin else { return Lit::FALSE };
        let setting = Setting { game: self.game, ground: &twin.ground, role: self.role, made: &[] };
        setting.differ(&mut self.net, property, &twin.a, &twin.b)
    }

    /// A literal that is true if a match lasts longer than this depth, and the formula to ask about it.
    pub(crate) fn continuation(&mut self) -> (Lit, &mut Net, &mut Clauses) {
        let target = self.can_go_on();
        (target, &mut self.net, &mut self.clauses)
    }

    /// Returns the clauses, after the last question.
    pub(crate) fn into_clauses(self) -> Clauses {
        self.clauses
    }

    /// True if a move was made in one of the rounds so far.
    fn made(&mut self, key: &(RoleId, MoveId), side: fn(&Twin) -> &Copy) -> Lit {
        let does: Vec<Lit> = self.rounds.iter().filter_map(|twin| side(twin).does.get(key).copied()).collect();
        self.net.or(does)
    }

    /// True if any match lasts longer than this depth: if not, no deeper pair exists either. `None` if time ran out.
    pub fn goes_on(&mut self) -> Option<bool> {
        let target = self.can_go_on();
        self.clauses.solve(&self.net, &[target])
    }

    /// A literal that is true if a match is not over and every role that has to move can; otherwise the match is stuck.
    fn can_go_on(&mut self) -> Lit {
        let setting = Setting { game: self.game, ground: &self.now.ground, role: self.role, made: &[] };
        setting.can_go_on(&mut self.net, &self.now.a)
    }
}

impl Twin {
    /// The approximate number of literals kept for this round.
    fn size(&self) -> usize {
        self.a.size() + if Arc::ptr_eq(&self.a, &self.b) { 0 } else { self.b.size() }
    }

    fn new(
        game: &Game,
        role: RoleId,
        whole: Option<&Arc<Ground>>,
        net: &mut Net,
        (a, b): (Symbolic, Symbolic),
        single: bool,
        clauses: &Clauses,
    ) -> Result<Twin, Halt> {
        let ground = match whole {
            Some(ground) => ground.clone(),
            None => round(game, &a.fluents, &b.fluents, clauses.budget())?,
        };
        let setting = Setting { game, ground: &ground, role, made: &[] };
        let copy_a = Arc::new(setting.copy(net, &a, Moves::Own, &[]));
        // The copies of a round may be large.
        clauses.check()?;
        let copy_b = match single {
            true => copy_a.clone(),
            false => Arc::new(setting.copy(net, &b, Moves::Shared(&copy_a.does), &[])),
        };
        clauses.check()?;
        Ok(Twin { ground, a: copy_a, b: copy_b, states: (a, b) })
    }
}

/// The circuit of a round in which a fluent is possible if either state may have it, and certain if both do have it.
fn round(game: &Game, a: &[Lit], b: &[Lit], until: &Budget) -> Result<Arc<Ground>, TooLarge> {
    let (mut possible, mut certain) = (State::new(a.len(), 0), State::new(a.len(), 0));
    for (index, (&a, &b)) in a.iter().zip(b).enumerate() {
        possible.set(FluentId(index as u32), a != Lit::FALSE || b != Lit::FALSE);
        certain.set(FluentId(index as u32), a == Lit::TRUE && b == Lit::TRUE);
    }
    let scope = Scope { possible: Some(&possible), certain: Some(&certain), until: Some(until), ..Scope::default() };
    game.rules.ground(&scope)
}
