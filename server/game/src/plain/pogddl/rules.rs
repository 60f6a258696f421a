//! [`Rules`] on the plain round: its gates, evaluated one after the other.

use std::sync::{Arc, OnceLock};

use percept_syntax::TextRange;
use percept_syntax::pddl::{Domain, Problem};
use rustc_hash::FxHashMap;

use super::arithmetic::{NumberFaults, evaluated};
use super::gates::Gates;
use super::possible::reach;
use super::round::round;
use super::settle::{Readers, Values};
use super::{Range, Refused, World};
use crate::circuit::{Lit, Number};
use crate::{
    Budget, Cursor, FluentId, Game, GameError, Ground, MoveId, Names, PerceptId, Play, RegisterUpdate, Role, RoleId,
    Rules, Scope, State, Structure, Term, TooLarge,
};

/// The game of a domain and a problem.
pub fn game(
    domain: &Domain,
    problem: &Problem,
    ends_at_payoff: bool,
    goals: bool,
    ranges: &[Range],
    budget: &Budget,
) -> Result<Game, Refused> {
    // If payoffs end the match, everything depends on them.
    let goals = goals || ends_at_payoff;
    let world = World::new(domain, problem, goals, budget)?;
    let reach = reach(&world)?;
    let gates = Gates::new(&world, &reach, ranges)?;
    let mut first: Vec<FluentId> =
        gates.facts.iter().filter(|(fact, _)| world.first.contains(*fact)).map(|(_, &fluent)| fluent).collect();
    for (number, values) in &gates.numbers {
        let value = world.first_numbers.get(number).copied().unwrap_or(0);
        first.extend(values.iter().filter(|(other, _)| *other == value).map(|&(_, fluent)| fluent));
    }
    let registers: Vec<Term> = gates.registers.iter().map(|number| world.term(number)).collect();
    let values = gates.registers.iter().map(|number| world.first_numbers.get(number).copied().unwrap_or(0)).collect();
    let (round, names) = round(gates, &reach, ends_at_payoff, goals)?;
    let mut initial = State::new(names.len(), 0);
    initial.registers = values;
    first.into_iter().for_each(|fluent| initial.set(fluent, true));
    let constants = world.constants();
    let role = |&role: &u32| {
        let name = world.objects[role as usize].to_string();
        Role { is_chance: name == "chance", name }
    };
    let ids = |names: &[Term]| names.iter().cloned().zip(0..).collect();
    let rules = PlainOperators {
        fluent_ids: ids(&names),
        move_ids: ids(&round.moves),
        names,
        initial,
        readers: Readers::new(&round.ground.circuit),
        ground: Arc::new(round.ground),
        moves: round.moves,
        percepts: round.percepts,
        registers,
        constants,
        tells_goals: goals,
        range: domain.name.as_ref().map_or(domain.range, |name| name.range),
        fault: OnceLock::new(),
    };
    let roles = world.roles.iter().map(role).collect();
    Ok(Game { roles, rules: Arc::new(rules), knows_own_moves: false, is_sequential: true, written: Default::default() })
}

struct PlainOperators {
    names: Vec<Term>,
    fluent_ids: FxHashMap<Term, u32>,
    moves: Vec<Term>,
    move_ids: FxHashMap<Term, u32>,
    percepts: Vec<Term>,
    registers: Vec<Term>,
    /// The facts and numbers that no action changes.
    constants: Vec<Term>,
    initial: State,
    ground: Arc<Ground>,
    readers: Readers,
    tells_goals: bool,
    /// The domain's name.
    range: TextRange,
    /// The first number that no match can have.
    fault: OnceLock<GameError>,
}

/// A state, and the value of every node for the joint move of the last query.
struct Evaluated<'a> {
    rules: &'a PlainOperators,
    state: State,
    joint: Vec<MoveId>,
    /// The values; `None` before the first query.
    values: Option<Values<'a>>,
}

impl PlainOperators {
    /// Records the first fault.
    fn tell(&self, faults: &NumberFaults) {
        let message = match faults {
            NumberFaults { beyond: true, .. } => "a match reaches a number that does not fit in 64 bits",
            NumberFaults { by_zero: true, .. } => "a match divides by zero",
            _ => return,
        };
        let error = || GameError { message: message.to_owned(), range: self.range, in_problem: false };
        self.fault.get_or_init(error);
    }
}

impl Evaluated<'_> {
    fn holding<K: Copy>(&mut self, joint: &[MoveId], gates: &[(K, Lit)]) -> Vec<K> {
        let rules = self.rules;
        let new = || Values::new(&rules.ground.circuit, &rules.readers, &self.state);
        let values = self.values.get_or_insert_with(new);
        if self.joint != joint {
            values.make(joint);
            self.joint = joint.to_vec();
        }
        gates.iter().filter(|(_, gate)| values.holds(*gate)).map(|&(key, _)| key).collect()
    }
}

/// The name as written here: in lower case.
fn normal(name: &Term) -> Term {
    let head = name.head().to_lowercase();
    match name.is_list() {
        true => Term::list(head, name.args().iter().map(normal)),
        false => Term::word(head),
    }
}

impl Cursor for Evaluated<'_> {
    fn state(&self) -> &State {
        &self.state
    }

    fn go(&mut self, state: &State) {
        if self.state != *state {
            self.values.iter_mut().for_each(|values| values.go(state));
            (self.state, self.joint) = (state.clone(), Vec::new());
        }
    }

    fn is_terminal(&mut self) -> bool {
        !self.holding(&[], &[((), self.rules.ground.terminal)]).is_empty()
    }

    fn legal_into(&mut self, role: RoleId, moves: &mut Vec<MoveId>) {
        moves.extend(self.holding(&[], &self.rules.ground.moves[role.0 as usize]));
    }

    fn next(&mut self, joint: &[MoveId]) -> State {
        let rules = self.rules;
        let mut next = State::new(rules.names.len(), 0);
        self.holding(joint, &rules.ground.next).into_iter().for_each(|fluent| next.set(fluent, true));
        next.registers = self.state.registers.clone();
        let changes: Vec<(&RegisterUpdate, Lit)> = rules.ground.updates.iter().map(|it| (it, it.gate)).collect();
        let mut faults = NumberFaults::default();
        for update in self.holding(joint, &changes) {
            next.registers[update.register as usize] = evaluated(&update.value, &self.state.registers, &mut faults);
        }
        rules.tell(&faults);
        next
    }

    fn percepts(&mut self, joint: &[MoveId], role: RoleId) -> Vec<PerceptId> {
        self.holding(joint, &self.rules.ground.sees[role.0 as usize])
    }

    fn goals(&mut self, role: RoleId) -> Vec<i64> {
        let ground = &self.rules.ground;
        let mut goals = self.holding(&[], &ground.goals[role.0 as usize]);
        let numbers = ground.goal_numbers.get(role.0 as usize).into_iter().flatten();
        let numbers: Vec<(&Number, Lit)> = numbers.map(|(number, gate)| (number, *gate)).collect();
        let mut faults = NumberFaults::default();
        let held = self.holding(&[], &numbers);
        goals.extend(held.into_iter().map(|it| evaluated(it, &self.state.registers, &mut faults)));
        // The payoffs before the end of a match have no effect.
        if self.is_terminal() {
            self.rules.tell(&faults);
        }
        goals
    }

    fn fact(&mut self, atom: &Term) -> Option<bool> {
        self.rules.fluent_named(atom).map(|fluent| self.state.has(fluent))
    }
}

impl Rules for PlainOperators {
    fn initial(&self) -> State {
        self.initial.clone()
    }

    fn at<'a>(&'a self, state: &State) -> Box<dyn Cursor + 'a> {
        Box::new(Evaluated { rules: self, state: state.clone(), joint: Vec::new(), values: None })
    }

    fn fault(&self) -> Option<GameError> {
        self.fault.get().cloned()
    }
}

impl Names for PlainOperators {
    fn fluent_term(&self, fluent: FluentId) -> Term {
        self.names.get(fluent.0 as usize).cloned().unwrap_or_else(|| Term::word(format!("#{}", fluent.0)))
    }

    fn move_term(&self, _: RoleId, mv: MoveId) -> Term {
        self.moves.get(mv.0 as usize).cloned().unwrap_or_else(|| Term::word("noop"))
    }

    fn percept_term(&self, _: RoleId, percept: PerceptId) -> Term {
        self.percepts.get(percept.0 as usize).cloned().unwrap_or_else(|| Term::word(format!("#{}", percept.0)))
    }

    fn move_named(&self, _: RoleId, name: &Term) -> Option<MoveId> {
        match normal(name) {
            noop if noop == Term::word("noop") => Some(MoveId::NOOP),
            name => self.move_ids.get(&name).map(|&id| MoveId(id)),
        }
    }

    fn percept_named(&self, _: RoleId, _: &Term) -> Option<PerceptId> {
        // The position in the list of messages is part of a percept, so a name alone does not identify one.
        None
    }

    fn fluent_named(&self, name: &Term) -> Option<FluentId> {
        self.fluent_ids.get(&normal(name)).map(|&id| FluentId(id))
    }

    fn fluent_count(&self) -> usize {
        self.names.len()
    }

    fn constants(&self) -> Vec<Term> {
        self.constants.clone()
    }

    fn register_terms(&self) -> Vec<Term> {
        self.registers.clone()
    }
}

impl Play for PlainOperators {}

impl Structure for PlainOperators {
    fn tells_goals(&self) -> bool {
        self.tells_goals
    }

    fn outside(&self) -> Option<FluentId> {
        self.find_fluent("(outside)")
    }

    fn ground(&self, _: &Scope<'_>) -> Result<Arc<Ground>, TooLarge> {
        Ok(self.ground.clone())
    }
}
