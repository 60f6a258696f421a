//! One round as a circuit for random play.
//!
//! Its moves are numbered in the order in which the interpreter of [`super::super::random`] chooses among them, so that
//! the same random number chooses the same action. A role that does not have the turn has no move, not even `noop`, and
//! there are no percepts.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::{
    super::{
        model::*,
        relaxed::Unknown,
        rules::Operators,
        sound::{self, Unsound},
    },
    DEFAULT_BUDGET, Round, VALUES, allowed,
    candidates::Candidate,
    define_derived,
    digits::Digits,
    does::Does,
    effects::Effects,
    gates::Gates,
    goals::{self, Goals},
    knowledge, too_large,
};
use crate::{
    BitRound, FluentId, Ground, Limit, MoveId, PerceptId, Registers, Scope, State, TooLarge,
    circuit::{Circuit, Lit, Number},
};

/// The most nodes: the interpreter is faster than a larger circuit.
pub(in super::super) const MOST_NODES: usize = 400_000;

/// The round of random play, in which registers are fluents.
pub(in super::super) struct Playable {
    pub ground: Ground,
    pub initial: State,
}

/// The reason why there is no circuit for random play.
pub(in super::super) enum NoCircuit {
    TooLarge(TooLarge),
    /// A register is very large.
    Large,
    Unsound(Unsound),
    /// A register is divided.
    Divided,
}

impl From<TooLarge> for NoCircuit {
    fn from(why: TooLarge) -> NoCircuit {
        NoCircuit::TooLarge(why)
    }
}

/// The round of random play. The goal of a role is the sum of all its goal values that hold. One more list of goals
/// after those of the roles has a value if a register is too large for its digits, so that the match has to be played
/// by the interpreter.
///
/// # Errors
/// If the circuit would be too large, or not be right about numbers.
pub(in super::super) fn ground_for_play(rules: &Operators) -> Result<Playable, NoCircuit> {
    let (playable, circuit) = over_digits(rules, MOST_NODES, |round, gates| round.playable(gates))?;
    Ok(Playable { ground: Ground { circuit, ..playable.ground }, ..playable })
}

/// The whole round without registers, percepts and `noop` included. The moves are in the order in which the interpreter
/// draws them, and percepts in the order sent.
///
/// # Errors
/// Like [`ground_for_play`].
pub(in super::super) fn ground_in_bits(rules: &Operators, most_nodes: usize) -> Result<BitRound, NoCircuit> {
    let ((ground, beyond, registers), circuit) = over_digits(rules, most_nodes, |round, gates| round.in_bits(gates))?;
    Ok(BitRound { ground: Arc::new(Ground { circuit, ..ground }), adds_goals: true, registers, beyond })
}

/// Calls `make` with a round and with gates in which registers are digits. Returns its result, with the circuit.
///
/// # Errors
/// If there would be more than this number of nodes, or the gates would not be right about numbers.
fn over_digits<T>(
    rules: &Operators,
    most_nodes: usize,
    make: impl FnOnce(&Round<'_>, &mut Gates<'_>) -> Result<T, TooLarge>,
) -> Result<(T, Circuit), NoCircuit> {
    let scope = Scope::default();
    // A budget of its own would become that of all later circuits.
    let knowledge = knowledge(rules, &scope, DEFAULT_BUDGET)?;
    let engine = &rules.engine;
    let unknown = Unknown::new(engine);
    let mut gates = Gates::new(engine, unknown.world(engine, &knowledge.upper, &knowledge.lower));
    spread_registers(&mut gates)?;
    define_derived(&mut gates);
    let round = Round { rules, scope: &scope, budget: most_nodes };
    let made = make(&round, &mut gates)?;
    round.check(&gates)?;
    is_right(&gates)?;
    Ok((made, gates.circuit))
}

/// Makes the registers digits, if there are any, and proves that no number is a fault as long as these are enough.
fn spread_registers(gates: &mut Gates) -> Result<(), NoCircuit> {
    let engine = gates.engine;
    if engine.word_count > 0 {
        let digits = Digits::new(&engine.initial.registers, engine.derived_end.max(engine.fluent_count));
        gates.digits = Some(digits.ok_or(NoCircuit::Large)?);
    }
    let bounds = gates.registers().map_or((0, 0), |registers| registers.bounds());
    sound::check(engine, bounds).map_err(NoCircuit::Unsound)
}

/// # Errors
/// If the gates are wrong about some number.
fn is_right(gates: &Gates) -> Result<(), NoCircuit> {
    match &gates.digits {
        _ if gates.overflow => Err(too_large(VALUES, Limit::Nodes(MOST_NODES)).into()),
        Some(digits) if digits.divides => Err(NoCircuit::Divided),
        _ => Ok(()),
    }
}

/// Goal values whose sum is the role's goal.
fn summed(gates: &mut Gates, (constants, numbers): Goals) -> Vec<(i64, Lit)> {
    let Some(mut arithmetic) = gates.arithmetic().filter(|_| !numbers.is_empty()) else { return constants };
    let constants = constants.into_iter().map(|(value, gate)| (Number::Constant(value), gate));
    let cases = numbers.into_iter().chain(constants).map(|(number, gate)| (gate, arithmetic.digits_of(&number)));
    let cases: Vec<_> = cases.collect();
    let digits = arithmetic.choice(&cases);
    let last = digits.len() - 1;
    let value = |at: usize| if at == last { -(1 << at) } else { 1 << at };
    let values = digits.into_iter().enumerate().map(|(at, gate)| (value(at), gate));
    values.filter(|(_, gate)| *gate != Lit::FALSE).collect()
}

/// The actions that roles can choose.
struct Chosen {
    /// For each role its moves, with the gates of their legality.
    moves: Vec<Vec<(MoveId, Lit)>>,
    /// For each action, the gate which states that it is made.
    made: Vec<Lit>,
    /// The actions by their numbers as moves.
    actions: Vec<Candidate>,
}

impl Round<'_> {
    /// [`ground_for_play`], without the circuit.
    fn playable(&self, gates: &mut Gates<'_>) -> Result<Playable, TooLarge> {
        let engine = gates.engine;
        let turns = self.turn_gates(gates);
        let Chosen { moves, made, mut actions } = self.chosen(gates, &turns)?;
        let mut ends = vec![self.terminal(gates, &moves)];
        let payoffs = goals::payoffs(gates);
        if self.rules.ends_at_payoff {
            ends.push(payoffs.is_paid(gates));
        }
        let mut goals: Vec<_> = payoffs.goals().into_iter().map(|goals| summed(gates, goals)).collect();
        let params = |schema: u16| engine.model.schemas[schema as usize].params.len();
        let mut does = Does::in_boxes(made, &actions, params);
        let mut effects = Effects::default();
        for (index, action) in actions.iter_mut().enumerate() {
            let items = &engine.schemas[action.schema as usize].effects;
            effects.record(gates, items, &mut action.frame, (index as u32, Lit::TRUE));
            self.check(gates)?;
        }
        let mut next = effects.next(gates, &mut does);
        let updates = effects.register_updates(gates, &mut does);
        let mut initial = engine.initial.clone();
        if let Some((digits, beyond)) = effects.next_digits(gates, &updates)
            && let Some(registers) = gates.registers()
        {
            initial = registers.spread(&initial, 1);
            let too_large = FluentId(registers.end(engine.word_count));
            next.extend(digits);
            next.push((too_large, beyond));
            let gives_up = gates.circuit.fluent(too_large);
            ends.push(gives_up);
            goals.push(vec![(1, gives_up)]);
        }
        let terminal = gates.circuit.or(ends);
        let sees = vec![Vec::new(); turns.len()];
        Ok(Playable { ground: Ground { moves, next, sees, terminal, goals, ..Ground::default() }, initial })
    }

    /// The parts of [`ground_in_bits`], without the circuit: the round, the gate for registers that are too large, and
    /// the registers.
    fn in_bits(&self, gates: &mut Gates<'_>) -> Result<(Ground, Lit, Option<Registers>), TooLarge> {
        let candidates = self.possible(gates)?.into_iter().map(|(candidate, _)| candidate).collect();
        let (mut ground, beyond) = self.build(gates, candidates)?;
        let place = |percept: PerceptId| self.rules.percept(percept).map(|percept| percept[0]);
        ground.sees.iter_mut().for_each(|sees| sees.sort_by_cached_key(|(percept, _)| place(*percept)));
        let numbers = std::mem::take(&mut ground.goal_numbers);
        let constants = std::mem::take(&mut ground.goals);
        ground.goals = constants.into_iter().zip(numbers).map(|goals| summed(gates, goals)).collect();
        Ok((ground, beyond, gates.registers()))
    }

    /// The actions that some role can choose. `turns`: the gates of the roles' turns.
    fn chosen(&self, gates: &mut Gates, turns: &[Lit]) -> Result<Chosen, TooLarge> {
        let (mut moves, mut made, mut actions) = (vec![Vec::new(); turns.len()], Vec::new(), Vec::new());
        for (candidate, legal) in self.possible(gates)? {
            let id = MoveId(actions.len() as u32);
            if let Some(is_made) = self.offer(gates, &candidate, (id, legal), turns, &mut moves) {
                made.push(is_made);
                actions.push(candidate);
            }
            self.check(gates)?;
        }
        Ok(Chosen { moves, made, actions })
    }

    /// The actions whose precondition may hold, in the order of the plans, each with the gate of its precondition.
    fn possible(&self, gates: &mut Gates) -> Result<Vec<(Candidate, Lit)>, TooLarge> {
        let allowed = allowed(self.scope, self.budget);
        let mut found = Vec::new();
        let mut checked = Ok(());
        let engine = gates.engine;
        for (id, schema) in engine.schemas.iter().enumerate() {
            let _ = gates.each(&schema.plan.steps, &mut [0; MAX_SLOTS], Lit::TRUE, &mut |gates, frame, gate| {
                checked = allowed.one_more(found.len());
                found.push((Candidate { schema: id as u16, frame: Box::new(*frame) }, gate));
                let goes_on = checked.is_ok() && gates.circuit.nodes().len() <= self.budget;
                if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            self.check(gates)?;
            checked.map_err(|cut| too_large(super::ACTIONS, cut.limit(self.budget)))?;
        }
        Ok(found)
    }
}
