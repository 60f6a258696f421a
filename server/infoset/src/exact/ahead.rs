//! Looking ahead: finds the states that some later round of the view rules out, so that they need not be kept until
//! then.
//!
//! The view is unrolled into a network, in which a state after `n` rounds is the values of that stage's literals. Their
//! consequences, by propagation in both directions, may contradict the view's requirements of the rounds to come. Then
//! no member goes through the state, and it is dropped. No member is lost: a dropped state has no way to the end, so it
//! counts as zero.
//!
//! This shares the network and its propagation with `csp` (not its probing, its sampler or its search). If one of them
//! is to check the other, the filter runs without looking ahead ([`Look::Never`]).

use percept_game::{FluentId, Game, MoveId, RoleId, State};
use rustc_hash::FxHashMap;

use crate::{
    Budget,
    csp::{CspError, engine::Engine, gates, problem::Problem},
    net::Lit,
    unroll::{Unrolled, Values},
};
use percept_game::view::View;

/// The condition under which the exact filter looks ahead.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Look {
    /// Looks ahead if the states would not fit the memory without it.
    #[default]
    WhereNeeded,
    /// Filters by past rounds alone: slower and larger, but shares nothing with other methods.
    Never,
    /// Looks ahead in every view.
    Always,
}

/// Decides the parts of a round to keep: the moves to try, and the states they lead to. Rounds count from 0.
pub(super) trait Keep {
    fn keeps_move(&self, round: usize, role: RoleId, mv: MoveId) -> bool;
    /// `rounds` is the number of rounds before the state.
    fn keeps_state(&mut self, rounds: usize, state: &State) -> bool;
}

/// The stages of an unrolled view.
pub(super) struct Stages {
    problem: Problem,
    /// The fluents and registers after each number of rounds.
    stages: Vec<(Vec<Lit>, Vec<Values>)>,
    /// The input of each move that is open, by round and role; moves that are not possible are absent.
    moves: Vec<Vec<FxHashMap<MoveId, Option<u32>>>>,
}

impl Stages {
    /// Unrolls the view. `memory` is in bytes.
    ///
    /// # Errors
    /// Fails if the network would be too large, or on interruption.
    pub(super) fn new(game: &Game, view: &View, memory: usize, budget: &Budget) -> Result<Stages, CspError> {
        let mut unrolled = Unrolled::new(game, view.role, gates(memory));
        let stage = |unrolled: &Unrolled<'_>| {
            let (fluents, registers) = unrolled.stage();
            (fluents.to_vec(), registers.to_vec())
        };
        let mut stages = vec![stage(&unrolled)];
        for seen in &view.rounds {
            budget.check()?;
            budget.report("rounds unrolled", unrolled.rounds(), Some(view.len()));
            unrolled.advance(seen, Some(budget))?;
            stages.push(stage(&unrolled));
        }
        let open = |sole: bool, lit: Lit| if sole { None } else { Some(lit.node()) };
        let moves = unrolled.choices.iter().map(|roles| {
            let moves = roles
                .iter()
                .map(|choice| choice.moves.iter().map(|&(mv, lit)| (mv, open(choice.moves.len() == 1, lit))).collect());
            moves.collect()
        });
        let moves = moves.collect();
        Ok(Stages { problem: Problem::whole(unrolled), stages, moves })
    }

    /// Propagates the view's requirements; `None` if they contradict each other.
    pub(super) fn ahead(&self) -> Option<Ahead<'_>> {
        Engine::new(&self.problem).ok().map(|engine| Ahead { stages: self, engine })
    }
}

/// Judges moves and states by the requirements of the whole view.
pub(super) struct Ahead<'a> {
    stages: &'a Stages,
    engine: Engine<'a>,
}

impl Ahead<'_> {
    /// Sets all fluents and registers of a state in its stage; false on a contradiction.
    fn is_consistent(&mut self, rounds: usize, state: &State) -> bool {
        let (fluents, registers) = &self.stages.stages[rounds];
        let wanted = |holds: bool, lit: Lit| if holds { lit } else { !lit };
        for (index, &lit) in fluents.iter().enumerate() {
            let lit = wanted(state.has(FluentId(index as u32)), lit);
            if lit != Lit::TRUE && self.engine.learn(lit).is_err() {
                return false;
            }
        }
        for (values, &value) in registers.iter().zip(&state.registers) {
            let Values::OneOf(values) = values else { continue };
            let Some(&(_, lit)) = values.iter().find(|(other, _)| *other == value) else { return false };
            if lit != Lit::TRUE && self.engine.learn(lit).is_err() {
                return false;
            }
        }
        true
    }
}

impl Keep for Ahead<'_> {
    fn keeps_move(&self, round: usize, role: RoleId, mv: MoveId) -> bool {
        let input = self.stages.moves[round][role.0 as usize].get(&mv);
        input.is_some_and(|input| input.is_none_or(|input| self.engine.node_value(input) != Some(false)))
    }

    fn keeps_state(&mut self, rounds: usize, state: &State) -> bool {
        // The constant is assumed only to open a level.
        let _ = self.engine.assume(Lit::TRUE);
        let kept = self.is_consistent(rounds, state);
        self.engine.undo();
        kept
    }
}
