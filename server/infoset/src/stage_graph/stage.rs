//! One step of the stage graph: a round's rules between the stage before and the stage after.

use percept_game::{Budget, FluentId, Game, JointMove, MoveId, Scope, State, TooLarge};

use crate::{
    csp::{
        engine::Engine,
        problem::{Group, Problem},
    },
    net::{Lit, Net},
    unroll::{RoundOutput, Values, one_round},
};
use percept_game::view::View;

/// A stage or a step contradicts the known facts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inconsistent;

/// The common preconditions and effects of a step's plausible actions that were not known before, as (fluent, value).
#[derive(Default, Debug)]
pub(super) struct Info {
    pub preconditions: Vec<(usize, bool)>,
    pub effects: Vec<(usize, bool)>,
}

pub(super) struct Step {
    problem: Problem,
    /// The fluents unknown before the round when the graph was begun, with their inputs.
    before: Vec<(usize, Lit)>,
    /// The fluents after the round.
    after: Vec<(usize, Lit)>,
    decided: Vec<Option<MoveId>>,
}

impl Step {
    /// Builds the step of a round from the facts known before it, and the numbers known after it.
    ///
    /// # Errors
    /// Fails if the round is too large to ground, or takes longer than the budget.
    pub(super) fn new(
        game: &Game,
        view: &View,
        round: usize,
        stage: &[Option<bool>],
        registers: &[Option<i64>],
        budget: &Budget,
    ) -> Result<(Step, Vec<Option<i64>>), TooLarge> {
        let mut possible = State::new(stage.len(), registers.len());
        let mut certain = possible.clone();
        for (index, value) in stage.iter().enumerate() {
            possible.set(FluentId(index as u32), *value != Some(false));
            certain.set(FluentId(index as u32), *value == Some(true));
        }
        let observed = Some((view.role, view.rounds[round].percepts.as_slice()));
        let scope =
            Scope { possible: Some(&possible), certain: Some(&certain), observed, budget: None, until: Some(budget) };
        let ground = game.rules.ground(&scope)?;
        let mut net = Net::new();
        let mut before = Vec::new();
        let mut state = Vec::with_capacity(stage.len());
        for (index, value) in stage.iter().enumerate() {
            state.push(match value {
                Some(true) => Lit::TRUE,
                Some(false) => Lit::FALSE,
                None => {
                    let input = net.input();
                    before.push((index, input));
                    input
                }
            });
        }
        let numbers: Vec<Values> =
            registers.iter().map(|value| value.map_or(Values::Unknown, Values::constant)).collect();
        let RoundOutput { choices, required, next, registers, faithful } =
            one_round(game, view.role, &view.rounds[round], &ground, &state, &numbers, &mut net);
        let after = next.iter().enumerate().filter(|(_, lit)| **lit != Lit::FALSE).map(|(index, lit)| (index, *lit));
        let after = after.collect();
        let groups = choices
            .iter()
            .enumerate()
            .filter(|(_, choice)| choice.moves.len() > 1)
            .map(|(role, choice)| Group {
                round,
                role,
                options: choice.moves.iter().map(|&(mv, lit)| (mv, lit.node())).collect(),
            })
            .collect();
        let decided: Vec<Option<MoveId>> =
            choices.iter().map(|choice| (choice.moves.len() == 1).then(|| choice.moves[0].0)).collect();
        let impossible = required.contains(&Lit::FALSE);
        let problem = Problem { net, groups, decided: vec![], required, faithful, impossible };
        let numbers = registers.iter().map(Values::single).collect();
        Ok((Step { problem, before, after, decided }, numbers))
    }

    pub(crate) fn all_plausible(&self) -> Vec<Vec<bool>> {
        self.problem.groups.iter().map(|group| vec![true; group.options.len()]).collect()
    }

    /// Returns the stage after. A fluent is known there only if it has the same value after every action.
    pub(super) fn frame(&self, fluents: usize) -> Vec<Option<bool>> {
        let mut stage = vec![Some(false); fluents];
        for &(fluent, lit) in &self.after {
            stage[fluent] = if lit == Lit::TRUE { Some(true) } else { None };
        }
        stage
    }

    /// Returns the joint move, if each group has one plausible action left.
    pub(super) fn joint(&self, plausible: &[Vec<bool>]) -> JointMove {
        let mut joint: JointMove = self.decided.iter().map(|mv| mv.unwrap_or(MoveId::NOOP)).collect();
        for (group, options) in self.problem.groups.iter().zip(plausible) {
            if let Some(option) = options.iter().position(|&option| option) {
                joint[group.role] = group.options[option].0;
            }
        }
        joint
    }

    /// Computes [`Info`], and drops the actions that are not plausible.
    pub(super) fn info(
        &self,
        before: &[Option<bool>],
        after: &[Option<bool>],
        plausible: &mut [Vec<bool>],
    ) -> Result<Info, Inconsistent> {
        let mut engine = Engine::new(&self.problem).map_err(|_| Inconsistent)?;
        for (fluents, stage) in [(&self.before, before), (&self.after, after)] {
            for &(fluent, lit) in fluents {
                if let Some(value) = stage[fluent] {
                    engine.learn(if value { lit } else { !lit }).map_err(|_| Inconsistent)?;
                }
            }
        }
        for (group, options) in self.problem.groups.iter().zip(&*plausible) {
            for (&(_, input), _) in group.options.iter().zip(options).filter(|(_, plausible)| !**plausible) {
                engine.learn(Lit::new(input, true)).map_err(|_| Inconsistent)?;
            }
        }
        for (group, options) in self.problem.groups.iter().zip(plausible.iter_mut()) {
            self.probe(&mut engine, group, options)?;
        }
        let changed = |fluents: &[(usize, Lit)], stage: &[Option<bool>]| {
            let new = fluents.iter().filter(|(fluent, _)| stage[*fluent].is_none());
            new.filter_map(|&(fluent, lit)| engine.value(lit).map(|value| (fluent, value))).collect()
        };
        Ok(Info { preconditions: changed(&self.before, before), effects: changed(&self.after, after) })
    }

    /// Assumes each plausible action of a group in turn; a consequence of all of them is certain.
    fn probe(&self, engine: &mut Engine<'_>, group: &Group, options: &mut [bool]) -> Result<(), Inconsistent> {
        let interesting: Vec<Lit> = self.before.iter().chain(&self.after).map(|&(_, lit)| lit).collect();
        let mut common: Option<Vec<Lit>> = None;
        for (&(_, input), plausible) in group.options.iter().zip(options.iter_mut()) {
            let lit = Lit::new(input, false);
            if !*plausible || engine.value(lit) == Some(false) {
                *plausible = false;
                continue;
            }
            let outcome = engine.assume(lit);
            if outcome.is_ok() {
                let holds = |lit: Lit| engine.value(lit) == Some(true);
                common = Some(match common {
                    None => interesting.iter().flat_map(|&lit| [lit, !lit]).filter(|&lit| holds(lit)).collect(),
                    Some(common) => common.into_iter().filter(|&lit| holds(lit)).collect(),
                });
            }
            engine.undo();
            if outcome.is_err() {
                *plausible = false;
                engine.learn(!lit).map_err(|_| Inconsistent)?;
            }
        }
        for lit in common.ok_or(Inconsistent)? {
            engine.learn(lit).map_err(|_| Inconsistent)?;
        }
        Ok(())
    }
}
