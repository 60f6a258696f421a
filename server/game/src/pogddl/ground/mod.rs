//! One round as a circuit.
//!
//! The join plans of play find the possible actions: they are run over *possible* facts. Conditions on fluents that
//! certainly hold or cannot hold fold away. With an observation, the first message is unified with the templates of
//! each schema, so that, of millions of actions, only those that explain it are examined.
//!
//! Callers must know:
//! - The circuit is right for joint moves in which exactly one of the listed moves is made and every other role makes
//!   `noop`.
//! - `moves` lists `noop` with its gate for a role that may not have the turn.
//! - With an observation a move is made in this round, so the state has a legal move: `terminal` then only covers an
//!   end by payoffs. Without an observation it is the whole truth.
//! - The remaining comparisons ([`Node::Compare`](crate::circuit::Node)) are over registers only.

mod candidates;
mod digits;
mod does;
mod effects;
mod gates;
mod goals;
mod play;

use std::{ops::ControlFlow, sync::Arc};

use rustc_hash::FxHashMap;

use self::{
    candidates::{Candidate, Observed},
    does::Does,
    effects::{Cause, Effects, combine},
    gates::Gates,
};
use super::{
    derived,
    eval::{Until, World, has},
    layout::NONE,
    model::*,
    relaxed::{Allowed, Unknown},
    rules::Operators,
    turns,
};
use crate::{Ground, Limit, MoveId, PerceptId, RoleId, Scope, TooLarge, circuit::Lit};

pub(super) use play::{MOST_NODES, NoCircuit, Playable, ground_for_play, ground_in_bits};

/// The most circuit nodes if the caller sets no budget.
const DEFAULT_BUDGET: usize = 2_000_000;
/// The least number of nodes that an action needs in the end; more actions than the budget allows are refused at once.
const NODES_PER_ACTION: usize = 8;

/// The possible and the certain facts, including derived atoms.
struct Knowledge {
    upper: Vec<u64>,
    lower: Vec<u64>,
}

pub(super) fn ground(rules: &Operators, scope: &Scope<'_>) -> Result<Arc<Ground>, TooLarge> {
    let budget = scope.budget.unwrap_or(DEFAULT_BUDGET);
    let knowledge = knowledge(rules, scope, budget)?;
    let engine = &rules.engine;
    let (unknown, until) = (Unknown::new(engine), scope.until.map(Until::new));
    let world = World { until: until.as_ref(), ..unknown.world(engine, &knowledge.upper, &knowledge.lower) };
    let observed = scope.observed.map(|(role, percepts)| observed(rules, role, percepts));
    let plan = |schema: u16, bound: u64| rules.plan(schema, bound);
    let candidates = candidates::candidates(engine, world, observed.as_ref(), allowed(scope, budget), &plan)
        .map_err(|cut| too_large(ACTIONS, cut.limit(budget)))?;
    let mut gates = Gates::new(engine, world);
    define_derived(&mut gates);
    let (round, _) = Round { rules, scope, budget }.build(&mut gates, candidates)?;
    if gates.overflow {
        return Err(too_large(VALUES, Limit::Nodes(budget)));
    }
    Ok(Arc::new(Ground { circuit: gates.circuit, ..round }))
}

/// Covers the old state only. The moves of one role are listed; for the other roles there is only the gate that any of
/// them can move, so that the many moves of a hidden hand need no gates.
pub(super) fn position(rules: &Operators, scope: &Scope<'_>, role: RoleId) -> Result<Arc<Ground>, TooLarge> {
    let budget = scope.budget.unwrap_or(DEFAULT_BUDGET);
    let knowledge = knowledge(rules, scope, budget)?;
    let engine = &rules.engine;
    let (unknown, until) = (Unknown::new(engine), scope.until.map(Until::new));
    let world = World { until: until.as_ref(), ..unknown.world(engine, &knowledge.upper, &knowledge.lower) };
    let mut gates = Gates::new(engine, world);
    define_derived(&mut gates);
    let round = Round { rules, scope, budget };
    let turns = round.turn_gates(&mut gates);
    let mut candidates = Vec::new();
    if turns[role.0 as usize] != Lit::FALSE {
        let plan = |schema: u16, bound: u64| rules.plan(schema, bound);
        candidates = candidates::candidates(engine, world, None, allowed(scope, budget), &plan)
            .map_err(|cut| too_large(ACTIONS, cut.limit(budget)))?;
    }
    let mut moves = vec![Vec::new(); turns.len()];
    let own = &mut moves[role.0 as usize];
    if turns[role.0 as usize] != Lit::TRUE {
        own.push((MoveId::NOOP, !turns[role.0 as usize]));
    }
    for mut candidate in candidates {
        let movers = round.movers(&candidate, &turns);
        let Some(&(_, turn)) = movers.iter().find(|(mover, _)| *mover == role.0 as usize) else { continue };
        let precondition = round.precondition(&mut gates, &mut candidate);
        let legal = gates.circuit.and([precondition, turn]);
        if legal != Lit::FALSE {
            let count = engine.model.schemas[candidate.schema as usize].params.len();
            own.push((rules.intern_move(candidate.schema, &candidate.frame[..count]), legal));
        }
        round.check(&gates)?;
    }
    let mut ends = vec![!round.anyone_can_move(&mut gates, &turns)];
    let payoffs = goals::payoffs(&mut gates);
    if rules.ends_at_payoff {
        ends.push(payoffs.is_paid(&mut gates));
    }
    let terminal = gates.circuit.or(ends);
    let (goals, goal_numbers) = payoffs.goals().into_iter().unzip();
    round.check(&gates)?;
    if gates.overflow {
        return Err(too_large(VALUES, Limit::Nodes(budget)));
    }
    let sees = vec![Vec::new(); turns.len()];
    Ok(Arc::new(Ground { circuit: gates.circuit, moves, sees, terminal, goals, goal_numbers, ..Ground::default() }))
}

const ACTIONS: &str = "the actions that may be made in one round";
const VALUES: &str = "a numeric expression with too many values";

fn too_large(what: &str, limit: Limit) -> TooLarge {
    TooLarge { what: what.to_owned(), limit }
}

fn allowed<'a>(scope: &Scope<'a>, budget: usize) -> Allowed<'a> {
    Allowed { bindings: budget / NODES_PER_ACTION, until: scope.until }
}

/// # Errors
/// If the reachable facts cost more than the budget to find.
fn knowledge(rules: &Operators, scope: &Scope<'_>, budget: usize) -> Result<Knowledge, TooLarge> {
    let engine = &rules.engine;
    let words = engine.derived_end.max(engine.fluent_count).div_ceil(64) as usize;
    let mut upper = match scope.possible {
        Some(state) => state.bits.to_vec(),
        None => {
            rules.reachable(allowed(scope, budget)).map_err(|cut| too_large("the whole game", cut.limit(budget)))?
        }
    };
    let mut lower = scope.certain.map_or_else(Vec::new, |state| state.bits.to_vec());
    // The caller's knowledge of derived atoms is not used, because they follow from the fluents.
    for bits in [&mut upper, &mut lower] {
        bits.truncate(engine.derived_start as usize / 64);
        bits.resize(words, 0);
    }
    let (unknown, until) = (Unknown::new(engine), scope.until.map(Until::new));
    let (fluents_upper, fluents_lower) = (upper.clone(), lower.clone());
    let world = World { until: until.as_ref(), ..unknown.world(engine, &fluents_upper, &fluents_lower) };
    derived::close(&engine.strata, world, &mut upper, Some(&mut lower));
    Ok(Knowledge { upper, lower })
}

fn observed(rules: &Operators, role: RoleId, percepts: &[PerceptId]) -> Observed {
    let mut messages: Vec<Vec<u32>> = percepts.iter().filter_map(|&percept| rules.percept(percept)).collect();
    messages.sort_by_key(|message| message[0]);
    // The positions must be those of one list; otherwise nothing matches, which is correct.
    let is_list =
        messages.len() == percepts.len() && messages.iter().enumerate().all(|(at, message)| message[0] as usize == at);
    let messages = match is_list {
        true => messages.into_iter().map(|message| message[1..].to_vec()).collect(),
        false => vec![vec![u32::MAX]],
    };
    Observed { role: role.0 as usize, messages }
}

/// Gates for the derived atoms that are neither certain nor impossible, level by level. A level that refers to itself
/// becomes a fixpoint group.
fn define_derived(gates: &mut Gates) {
    for rules in &gates.engine.strata {
        let mut open: Vec<u32> = Vec::new();
        let mut frame = [0; MAX_SLOTS];
        for rule in rules {
            let world = gates.world;
            let _ = world.each(&rule.plan, &mut frame, &mut |frame| {
                let id = rule.head.id(frame);
                if id != NONE && !has(world.lower, id) {
                    open.push(id);
                }
                ControlFlow::Continue(())
            });
        }
        open.sort_unstable();
        open.dedup();
        let group = gates.circuit.group(open.len() as u32);
        for (member, &id) in open.iter().enumerate() {
            let literal = gates.circuit.member(group, member as u32);
            gates.derived.insert(id, literal);
        }
        let mut bodies: FxHashMap<u32, Vec<Lit>> = FxHashMap::default();
        for rule in rules {
            let _ = gates.each(&rule.plan.steps, &mut frame, Lit::TRUE, &mut |_, frame, gate| {
                let id = rule.head.id(frame);
                if id != NONE {
                    bodies.entry(id).or_default().push(gate);
                }
                ControlFlow::Continue(())
            });
        }
        for (member, &id) in open.iter().enumerate() {
            let gate = gates.circuit.or(bodies.remove(&id).unwrap_or_default());
            gates.circuit.define(group, member as u32, gate);
        }
    }
}

struct Round<'a> {
    rules: &'a Operators,
    scope: &'a Scope<'a>,
    budget: usize,
}

impl Round<'_> {
    fn check(&self, gates: &Gates) -> Result<(), TooLarge> {
        let limit = match self.scope.until {
            _ if gates.circuit.nodes().len() > self.budget => Limit::Nodes(self.budget),
            Some(until) if until.is_spent() => Limit::Time,
            _ => return Ok(()),
        };
        Err(too_large("one round", limit))
    }

    /// The round, and the gate which states that a register has too many digits after it (if registers are digits).
    fn build(&self, gates: &mut Gates, candidates: Vec<Candidate>) -> Result<(Ground, Lit), TooLarge> {
        let engine = gates.engine;
        let roles = engine.model.roles.len();
        let turns = self.turn_gates(gates);
        let mut moves: Vec<Vec<(MoveId, Lit)>> = vec![Vec::new(); roles];
        for (role, &turn) in turns.iter().enumerate() {
            if turn != Lit::TRUE {
                moves[role].push((MoveId::NOOP, !turn));
            }
        }
        let (mut does, mut made) = (Vec::new(), Vec::new());
        for mut candidate in candidates {
            let precondition = self.precondition(gates, &mut candidate);
            let count = engine.model.schemas[candidate.schema as usize].params.len();
            let id = self.rules.intern_move(candidate.schema, &candidate.frame[..count]);
            if let Some(is_made) = self.offer(gates, &candidate, (id, precondition), &turns, &mut moves) {
                does.push(is_made);
                made.push(candidate);
            }
            self.check(gates)?;
        }
        let terminal = self.terminal(gates, &moves);
        let payoffs = goals::payoffs(gates);
        let paid = if self.rules.ends_at_payoff { payoffs.is_paid(gates) } else { Lit::FALSE };
        let terminal = gates.circuit.or([terminal, paid]);
        let (goals, goal_numbers) = payoffs.goals().into_iter().unzip();
        self.check(gates)?;

        let (effects, percepts) = self.happenings(gates, &mut made)?;
        let mut does = Does::plain(does);
        let mut next = effects.next(gates, &mut does);
        let mut updates = effects.register_updates(gates, &mut does);
        let mut beyond = Lit::FALSE;
        if let Some((digits, too_large)) = effects.next_digits(gates, &updates) {
            next.extend(digits);
            beyond = too_large;
            updates.clear();
        }
        let sees = percepts.into_iter().map(|percepts| self.sees(gates, &mut does, percepts)).collect();
        self.check(gates)?;
        Ok((Ground { moves, next, sees, terminal, goals, goal_numbers, updates, ..Ground::default() }, beyond))
    }

    /// For each role, the gate which states that it is the mover: it has the turn and no later role has it.
    fn turn_gates(&self, gates: &mut Gates) -> Vec<Lit> {
        let turns: Vec<Lit> = gates.engine.turns.iter().map(|&turn| gates.fluent(turn)).collect();
        if self.rules.is_turn_exclusive {
            return turns;
        }
        let mut gated = Vec::new();
        for (role, &turn) in turns.iter().enumerate() {
            let later: Vec<Lit> = turns[role + 1..].iter().map(|&later| !later).collect();
            gated.push(gates.circuit.and(later.into_iter().chain([turn])));
        }
        gated
    }

    fn precondition(&self, gates: &mut Gates, candidate: &mut Candidate) -> Lit {
        let precondition = &self.rules.preconditions[candidate.schema as usize];
        gates.condition(precondition, &mut candidate.frame)
    }

    /// The roles that may make a candidate, each with the gate of its turn.
    fn movers(&self, candidate: &Candidate, turns: &[Lit]) -> Vec<(usize, Lit)> {
        let model = &self.rules.engine.model;
        if self.rules.is_turn_exclusive
            && let Some(holder) = turns::required_turn(model, &model.schemas[candidate.schema as usize])
        {
            // The precondition defines whose turn it is.
            let object = holder.get(&candidate.frame);
            let role = model.roles.iter().position(|&role| role == object);
            return role.map(|role| (role, Lit::TRUE)).into_iter().collect();
        }
        turns.iter().copied().enumerate().filter(|&(_, turn)| turn != Lit::FALSE).collect()
    }

    /// Adds a move to those of every role that may make it, and returns the gate which states that it is made; `None` if
    /// no role can make it.
    fn offer(
        &self,
        gates: &mut Gates,
        candidate: &Candidate,
        (id, precondition): (MoveId, Lit),
        turns: &[Lit],
        moves: &mut [Vec<(MoveId, Lit)>],
    ) -> Option<Lit> {
        let mut by_role = Vec::new();
        for (role, turn) in self.movers(candidate, turns) {
            let legal = gates.circuit.and([precondition, turn]);
            if legal != Lit::FALSE {
                moves[role].push((id, legal));
                by_role.push(gates.circuit.does(RoleId(role as u16), id));
            }
        }
        (!by_role.is_empty()).then(|| gates.circuit.or(by_role))
    }

    /// The gate which states that some action of the role in turn has its precondition: the preconditions with their
    /// variables projected out, in the order of the plans.
    fn anyone_can_move(&self, gates: &mut Gates, turns: &[Lit]) -> Lit {
        let engine = gates.engine;
        let mut possible = Vec::new();
        for schema in &engine.schemas {
            match gates.exists(&schema.plan.steps, &mut [0; MAX_SLOTS]) {
                Lit::FALSE => {}
                gate => possible.push(gate),
            }
        }
        let possible = gates.circuit.or(possible);
        let someone = gates.circuit.or(turns.iter().copied());
        gates.circuit.and([possible, someone])
    }

    /// No role has a legal action.
    fn terminal(&self, gates: &mut Gates, moves: &[Vec<(MoveId, Lit)>]) -> Lit {
        if self.scope.observed.is_some() {
            return Lit::FALSE;
        }
        let real = moves.iter().flatten().filter(|(id, _)| *id != MoveId::NOOP);
        !gates.circuit.or(real.map(|&(_, legal)| legal))
    }

    #[allow(clippy::type_complexity)]
    fn happenings(
        &self,
        gates: &mut Gates,
        made: &mut [Candidate],
    ) -> Result<(Effects, Vec<FxHashMap<PerceptId, Vec<Cause>>>), TooLarge> {
        let engine = gates.engine;
        let mut effects = Effects::default();
        let mut percepts: Vec<FxHashMap<PerceptId, Vec<Cause>>> = vec![FxHashMap::default(); engine.model.roles.len()];
        for (index, candidate) in made.iter_mut().enumerate() {
            let schema = &engine.schemas[candidate.schema as usize];
            effects.record(gates, &schema.effects, &mut candidate.frame, (index as u32, Lit::TRUE));
            for (role, seen) in percepts.iter_mut().enumerate() {
                for (place, message, gate) in effects::percepts(gates, &schema.messages, &mut candidate.frame, role) {
                    let percept = self.rules.intern_percept(place, &message);
                    seen.entry(percept).or_default().push((index as u32, gate));
                }
            }
            self.check(gates)?;
        }
        Ok((effects, percepts))
    }

    fn sees(
        &self,
        gates: &mut Gates,
        does: &mut Does,
        percepts: FxHashMap<PerceptId, Vec<Cause>>,
    ) -> Vec<(PerceptId, Lit)> {
        let mut sees: Vec<(PerceptId, Lit)> =
            percepts.into_iter().map(|(percept, causes)| (percept, combine(gates, does, &causes))).collect();
        sees.retain(|&(_, gate)| gate != Lit::FALSE);
        sees.sort_unstable_by_key(|&(percept, _)| percept);
        sees
    }
}
