//! The match as one network: for each round the circuit of the rules over the literals of the round before. The role's
//! own moves are put in, and their direct consequences are folded away.
//!
//! Inputs are the moves that the role does not know: one group of inputs per round and role, of which exactly one
//! holds. The view becomes literals that must hold: the percepts, the absence of all others, and that the match was not
//! over.

mod round;
mod values;

use std::sync::Arc;

use percept_game::{FluentId, Game, Ground, Limit, MoveId, RoleId, Scope, State, TooLarge};
use rustc_hash::FxHashMap;

use crate::Budget;
use crate::net::{Lit, Net};
use percept_game::view::Round as SeenRound;
pub(crate) use round::{Goals, Round};
pub(crate) use values::Values;

/// The moves one role may make in one round. If there is only one, its literal is true. If not, each has an input of
/// its own, and exactly one of them holds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choice {
    pub moves: Vec<(MoveId, Lit)>,
}

/// The properties that a role should know of a state, as literals.
#[derive(Clone, Debug)]
pub(crate) struct Properties {
    pub terminal: Lit,
    pub legal: Vec<(MoveId, Lit)>,
    pub goals: Vec<(i64, Lit)>,
}

/// A view, unrolled for the rounds passed to [`Unrolled::advance`].
pub(crate) struct Unrolled<'a> {
    game: &'a Game,
    role: RoleId,
    pub net: Net,
    /// The possible moves, by round and role.
    pub choices: Vec<Vec<Choice>>,
    /// The requirements, each with the round (from 0) from which it comes.
    pub required: Vec<(usize, Lit)>,
    /// True if the network is equivalent to the rules. If false, it admits solutions that are not histories.
    pub(crate) faithful: bool,
    /// The literal of each fluent in the current state.
    state: Vec<Lit>,
    registers: Vec<Values>,
    /// One circuit for every round, if the rules keep one without fixpoint groups. Its translation folds the decisions
    /// of the rounds before, and only visits the gates it needs.
    kept: Option<&'a Arc<Ground>>,
    budget: usize,
}

impl<'a> Unrolled<'a> {
    /// The network before the first round. `budget` is the greatest number of gates.
    pub(crate) fn new(game: &'a Game, role: RoleId, budget: usize) -> Unrolled<'a> {
        let initial = game.rules.initial();
        let mut state = vec![Lit::FALSE; game.rules.fluent_count()];
        for fluent in initial.fluents() {
            state[fluent.0 as usize] = Lit::TRUE;
        }
        Unrolled {
            game,
            role,
            net: Net::new(),
            choices: vec![],
            required: vec![],
            faithful: true,
            state,
            registers: initial.registers.iter().map(|&value| Values::constant(value)).collect(),
            // Loops are solved again in every round; for them, a circuit restricted to the possible facts pays off.
            kept: game.rules.kept().filter(|ground| ground.circuit.groups().is_empty()),
            budget,
        }
    }

    pub(crate) fn game(&self) -> &'a Game {
        self.game
    }

    pub(crate) fn rounds(&self) -> usize {
        self.choices.len()
    }

    /// The state after the rounds so far: the literal of each fluent, and the possible values of each register.
    pub(crate) fn stage(&self) -> (&[Lit], &[Values]) {
        (&self.state, &self.registers)
    }

    /// The possible and the certain facts of the current state, in the form the rules need.
    fn scope(&self) -> (State, State) {
        let registers = self.registers.len();
        let (mut possible, mut certain) =
            (State::new(self.state.len(), registers), State::new(self.state.len(), registers));
        for (index, &lit) in self.state.iter().enumerate() {
            possible.set(FluentId(index as u32), lit != Lit::FALSE);
            certain.set(FluentId(index as u32), lit == Lit::TRUE);
        }
        (possible, certain)
    }

    /// The circuit of the next round if its percepts are given, else of the position alone.
    fn ground(&self, seen: Option<&SeenRound>, until: Option<&Budget>) -> Result<Arc<Ground>, TooLarge> {
        if let Some(kept) = self.kept {
            return Ok(kept.clone());
        }
        let (possible, certain) = self.scope();
        let scope = Scope {
            possible: Some(&possible),
            certain: Some(&certain),
            observed: seen.map(|seen| (self.role, seen.percepts.as_slice())),
            budget: None,
            until,
        };
        if seen.is_some() { self.game.rules.ground(&scope) } else { self.game.rules.position(&scope, self.role) }
    }

    fn check_budget(&self) -> Result<(), TooLarge> {
        if self.net.len() > self.budget {
            let what = format!("the view, unrolled to round {}", self.rounds());
            return Err(TooLarge { what, limit: Limit::Nodes(self.budget) });
        }
        Ok(())
    }

    /// Adds the next round and the role's knowledge of it. `until` limits the time for its circuit.
    ///
    /// # Errors
    /// Fails if the network would exceed the budget, or the circuit takes too long.
    pub(crate) fn advance(&mut self, seen: &SeenRound, until: Option<&Budget>) -> Result<(), TooLarge> {
        let ground = self.ground(Some(seen), until)?;
        let index = self.rounds();
        let output = one_round(self.game, self.role, seen, &ground, &self.state, &self.registers, &mut self.net);
        self.faithful &= output.faithful;
        self.state = output.next;
        self.registers = output.registers;
        self.choices.push(output.choices);
        self.required.extend(output.required.into_iter().map(|lit| (index, lit)));
        self.check_budget()
    }

    /// The properties that the view's role should know in the current state.
    ///
    /// # Errors
    /// See [`Unrolled::advance`].
    pub(crate) fn properties(&mut self, until: Option<&Budget>) -> Result<Properties, TooLarge> {
        let ground = self.ground(None, until)?;
        let role = self.role.0 as usize;
        let mut round = Round::new(&ground, &self.state, &self.registers, &mut self.net);
        let properties = Properties {
            terminal: round.lit(ground.terminal),
            legal: ground.moves[role].iter().map(|&(mv, gate)| (mv, round.lit(gate))).collect(),
            // In the first state of a view every number is known, so no goal becomes a term.
            goals: round.goals(role).0,
        };
        self.faithful &= round.faithful;
        self.check_budget()?;
        Ok(properties)
    }
}

/// A round, translated.
pub(crate) struct RoundOutput {
    /// The choice of each role.
    pub choices: Vec<Choice>,
    pub required: Vec<Lit>,
    /// The literal of each fluent after the round.
    pub next: Vec<Lit>,
    pub registers: Vec<Values>,
    pub(crate) faithful: bool,
}

/// Translates one round of a view over the literals of the state before it.
pub(crate) fn one_round(
    game: &Game,
    viewer: RoleId,
    seen: &SeenRound,
    ground: &Ground,
    state: &[Lit],
    registers: &[Values],
    net: &mut Net,
) -> RoundOutput {
    let mut required = Vec::new();
    let mut round = Round::new(ground, state, registers, net);
    required.push(!round.lit(ground.terminal));
    let mut choices = Vec::new();
    for role in game.role_ids() {
        let own = seen.own.filter(|_| role == viewer);
        choices.push(choice(&mut round, ground, role, own, &mut required));
    }
    for (role, choice) in choices.iter().enumerate() {
        round.moves.extend(choice.moves.iter().map(|&(mv, lit)| ((RoleId(role as u16), mv), lit)));
    }
    percepts(&mut round, ground, viewer, seen, &mut required);
    let mut next = vec![Lit::FALSE; state.len()];
    for &(fluent, gate) in &ground.next {
        let lit = round.lit(gate);
        if fluent.0 as usize >= next.len() {
            next.resize(fluent.0 as usize + 1, Lit::FALSE);
        }
        next[fluent.0 as usize] = lit;
    }
    let registers = round.updated();
    RoundOutput { choices, required, next, registers, faithful: round.faithful }
}

/// The moves of one role in one round; requires that they are legal.
fn choice(
    round: &mut Round<'_>,
    ground: &Ground,
    role: RoleId,
    own: Option<MoveId>,
    required: &mut Vec<Lit>,
) -> Choice {
    let mut moves = Vec::new();
    for &(mv, gate) in &ground.moves[role.0 as usize] {
        if own.is_some_and(|own| own != mv) {
            continue;
        }
        let legal = round.lit(gate);
        if legal != Lit::FALSE {
            moves.push((mv, legal));
        }
    }
    if let [(mv, legal)] = moves[..] {
        required.push(legal);
        return Choice { moves: vec![(mv, Lit::TRUE)] };
    }
    if moves.is_empty() {
        required.push(Lit::FALSE);
    }
    for (_, lit) in &mut moves {
        let input = round.net.input();
        required.push(round.net.or([!input, *lit]));
        *lit = input;
    }
    Choice { moves }
}

/// Requires that the role perceived exactly these percepts.
fn percepts(round: &mut Round<'_>, ground: &Ground, viewer: RoleId, seen: &SeenRound, required: &mut Vec<Lit>) {
    let mut gates: FxHashMap<_, Lit> = FxHashMap::default();
    for &(percept, gate) in &ground.sees[viewer.0 as usize] {
        let gate = round.lit(gate);
        let gate_of = gates.entry(percept).or_insert(Lit::FALSE);
        *gate_of = round.net.or([*gate_of, gate]);
    }
    for percept in &seen.percepts {
        required.push(gates.remove(percept).unwrap_or(Lit::FALSE));
    }
    let mut rest: Vec<_> = gates.into_values().map(|gate| !gate).collect();
    rest.sort_unstable();
    required.extend(rest);
}
