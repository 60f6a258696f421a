//! The lifted reasoner: evaluates the rules again in every state. It is slow, but needs no grounding.
//!
//! It lists all consequences of a state, layer by layer, or queries only the needed ones ([`super::asking`]), whichever
//! costs less ([`way`]).

mod core;
mod legal;
mod numbers;
mod way;

use std::sync::{Arc, OnceLock, RwLock};

use percept_syntax::gdl::Description;
use rustc_hash::FxHashMap;

use self::core::Core;
use self::numbers::{Ids, Kind, Numbers, read, write};
use self::way::{Shared, Way};
use super::Grounding;
use super::asking::{Given, Lasts};
use super::limits::{Exceeded, Excess, Limits};
use super::names::make_term;
use super::prepare::{Bodies, OUTPUTS, Prepared, prepare_what_can_be_listed, too_large, too_much};
use super::program::{Program, RelationId};
use super::table::Table;
use crate::pool::{Lent, Pool};
use crate::terms::{TermId, Terms};
use crate::{
    Cursor, FluentId, GameError, Ground, Limit, MoveId, Names, PerceptId, Play, RoleId, Rules, Scope, State, Structure,
    Term, TooLarge,
};

/// GDL-II rules interpreted state by state.
pub(super) struct Lifted {
    /// The start of every evaluation that lists; of all evaluations, if there is no `description`.
    prepared: Prepared,
    /// The source of the rules in their original order, because queries choose the order of conditions themselves.
    description: Option<Description>,
    /// The start of every evaluation that queries, made on first use.
    written: OnceLock<Prepared>,
    limits: Limits,
    /// For each output relation, the components to evaluate, in order.
    cones: FxHashMap<RelationId, Arc<[usize]>>,
    initial: State,
    numbers: RwLock<Numbers>,
    pool: Pool<Core>,
    /// The current way to find consequences.
    way: Shared,
    /// The error of the first evaluation that exceeded a limit.
    fault: OnceLock<GameError>,
    /// The reason why the game was not ground.
    why: CircuitRefusal,
}

/// The reason why a game is not ground.
pub(super) struct CircuitRefusal {
    what: String,
    /// True if the time was spent, false if the circuit was too large.
    is_late: bool,
}

impl CircuitRefusal {
    /// The reason that follows from an exceeded limit.
    pub(super) fn of(program: &Program, exceeded: Exceeded) -> CircuitRefusal {
        let is_late = matches!(exceeded.excess, Excess::Time);
        CircuitRefusal { what: too_large(program, exceeded), is_late }
    }
}

impl Lifted {
    /// A reasoner over a prepared description: lists, and queries only if the static relations exceed a limit.
    pub(super) fn new(prepared: Prepared, limits: Limits) -> Lifted {
        let cones = OUTPUTS.iter().map(|&output| {
            let cone = prepared.strata.cone(&prepared.program, &[output]);
            (output, cone.into())
        });
        let ids = || prepared.roles.iter().map(|_| Ids::default()).collect();
        let numbers =
            Numbers { terms: prepared.program.terms.clone(), fluents: Ids::default(), moves: ids(), percepts: ids() };
        let initial: Vec<TermId> = prepared.tables[RelationId::INIT.index()].rows().map(|row| row[0]).collect();
        let mut lifted = Lifted {
            cones: cones.collect(),
            initial: State::default(),
            numbers: RwLock::new(numbers),
            pool: Pool::default(),
            way: Shared::new(if prepared.too_much.is_some() { Way::asking(&limits) } else { Way::listing(&limits) }),
            description: None,
            written: OnceLock::new(),
            fault: OnceLock::new(),
            why: CircuitRefusal { what: "the game was set up without its circuit".into(), is_late: false },
            prepared,
            limits,
        };
        let initial = lifted.reasoner().state_of(initial);
        lifted.initial = initial;
        lifted
    }

    /// The same reasoner with the reason why the game is not ground.
    pub(super) fn because(self, why: CircuitRefusal) -> Lifted {
        Lifted { why, ..self }
    }

    /// The same reasoner, querying from the start.
    pub(super) fn asking(self) -> Lifted {
        Lifted { way: Shared::new(Way::asking(&self.limits)), ..self }
    }

    /// The same reasoner for this description, listing for as long as a person is willing to wait before it queries.
    pub(super) fn patient(self, description: &Description) -> Lifted {
        match self.prepared.too_much {
            Some(_) => self,
            None => Lifted { way: Shared::new(Way::PATIENT), description: Some(description.clone()), ..self },
        }
    }

    /// The same reasoner for this description, listing or querying, whichever costs less.
    pub(super) fn choosing(self, description: &Description) -> Lifted {
        Lifted { way: Shared::new(Way::BEGIN), description: Some(description.clone()), ..self }
    }

    /// The same reasoner over rules in their original order, listing what can be listed or querying, whichever costs
    /// less.
    pub(super) fn mixing(self) -> Lifted {
        Lifted { way: Shared::new(Way::BEGIN), ..self }
    }

    /// The start of an evaluation.
    fn start(&self, way: Way) -> &Prepared {
        match &self.description {
            Some(description) if way.asks() => self.written.get_or_init(|| {
                let written = prepare_what_can_be_listed(description, Bodies::Whole).ok();
                written.filter(|it| it.roles == self.prepared.roles).unwrap_or_else(|| self.prepared.clone())
            }),
            _ => &self.prepared,
        }
    }

    fn reasoner(&self) -> Reasoner<'_> {
        let way = self.way.now();
        let new = || Core::new(self.start(way).clone(), way);
        let mut core = self.pool.lend(new);
        if core.way != way {
            *core = new();
        }
        Reasoner { lifted: self, core }
    }

    /// Runs `f` on the facts in a state and after moves given by name. Names that the description does not have are
    /// left out.
    pub(super) fn with_facts<T>(
        &self,
        fluents: &[Term],
        moves: &[(String, Term)],
        f: impl FnOnce(Facts<'_>) -> T,
    ) -> T {
        let mut reasoner = self.reasoner();
        let terms = &mut reasoner.core.prepared.program.terms;
        let found = fluents.iter().filter_map(|name| make_term(terms, name)).collect();
        let state = reasoner.state_of(found);
        reasoner.go(&state);
        let of_role = |(id, role): (u16, &crate::Role)| {
            let (_, mv) = moves.iter().find(|(of, _)| of.eq_ignore_ascii_case(&role.name))?;
            self.find(Kind::Move(RoleId(id)), mv).map(MoveId)
        };
        let joint: Vec<MoveId> =
            (0..).zip(&self.prepared.roles).map(|role| of_role(role).unwrap_or(MoveId::NOOP)).collect();
        for output in OUTPUTS {
            reasoner.evaluate(Some(&joint), output, None);
        }
        let fuel = self.limits.fuel.min(Facts::FUEL);
        f(Facts { core: &mut reasoner.core, limits: &self.limits, fuel })
    }
}

/// The facts in one state and after one joint move: listed, or queried one by one.
pub(super) struct Facts<'a> {
    core: &'a mut Core,
    limits: &'a Limits,
    fuel: u64,
}

impl Facts<'_> {
    /// The fuel for all queries: a few seconds.
    const FUEL: u64 = 1 << 24;

    /// The rules, and the tables of the listed relations.
    pub(super) fn prepared(&self) -> &Prepared {
        &self.core.prepared
    }

    pub(super) fn terms_mut(&mut self) -> &mut Terms {
        &mut self.core.prepared.program.terms
    }

    /// The tuples of a relation with these arguments, [`UNBOUND`](super::program::UNBOUND) matching any term. Empty if
    /// a limit was exceeded.
    pub(super) fn matching(&mut self, relation: RelationId, given: &[TermId]) -> Vec<Given> {
        self.core.matching(relation, given, self.limits, &mut self.fuel).unwrap_or_default()
    }
}

/// A position in a match, with its tables.
struct Reasoner<'a> {
    lifted: &'a Lifted,
    core: Lent<'a, Core>,
}

impl Reasoner<'_> {
    fn terms(&self) -> &Terms {
        &self.core.prepared.program.terms
    }

    /// The state with exactly these fluents. Words after the last true fluent are cut off, so equal states are equal
    /// however many fluents were numbered in between.
    fn state_of(&mut self, mut terms: Vec<TermId>) -> State {
        let Core { prepared, fluents, ranks, .. } = &mut *self.core;
        if !terms.iter().all(|&term| fluents.has(term)) {
            ranks.sort(&prepared.program.terms, &mut terms);
        }
        let number = |term| fluents.id(Kind::Fluent, &prepared.program.terms, term, &self.lifted.numbers);
        let ids: Vec<u32> = terms.into_iter().map(number).collect();
        let mut state = State::new(ids.iter().max().map_or(0, |&last| last as usize + 1), 0);
        ids.iter().for_each(|&id| state.set(FluentId(id), true));
        state
    }

    /// Sets the tables to this joint move, if one is given, and evaluates `output`, or at least what is about a role.
    fn evaluate(&mut self, joint: Option<&[MoveId]>, output: RelationId, role: Option<RoleId>) -> &Table {
        let lifted = self.lifted;
        loop {
            if let Some(joint) = joint {
                self.make(joint);
            }
            let cone = &lifted.cones[&output];
            let Err(exceeded) = self.core.find(output, role, cone, &lifted.limits) else { break };
            // Queries may end where listing does not. Without a relation that cannot be listed, the game is refused.
            let is_endless = exceeded.excess == Excess::Depth && lifted.prepared.too_much.is_none();
            let excess = if is_endless { Excess::Depth } else { Excess::Work };
            let Some(way) = self.core.way.after(excess, &lifted.limits) else {
                lifted.fault.get_or_init(|| too_much(&self.core.prepared.program, exceeded));
                break;
            };
            lifted.way.take(way);
            let state = self.core.state.clone();
            *self.core = Core::new(lifted.start(way).clone(), way);
            self.go(&state);
        }
        &self.core.prepared.tables[output.index()]
    }

    /// Sets the tables to this joint move.
    fn make(&mut self, joint: &[MoveId]) {
        let core = &mut *self.core;
        if core.joint.as_deref() == Some(joint) {
            return;
        }
        core.clear(|core, relation| core.prepared.strata.on_moves[relation.index()]);
        core.forget(Lasts::ForTheMoves, &self.lifted.limits);
        for (role, (mv, met)) in joint.iter().zip(&mut core.moves).enumerate() {
            let kind = Kind::Move(RoleId(role as u16));
            let terms = &mut core.prepared.program.terms;
            if let Some(term) = met.term(kind, terms, mv.0, &self.lifted.numbers) {
                let tuple = [core.prepared.role_terms[role], term];
                core.prepared.tables[RelationId::DOES.index()].insert(&tuple);
            }
        }
        core.joint = Some(joint.to_vec());
    }

    /// The fluents of the state that decide a role's moves, if it pays to remember moves by them.
    fn deciding(&mut self, role: RoleId) -> Option<Box<[FluentId]>> {
        let Core { prepared, of_roles: Some(of_roles), fluents, state, .. } = &mut *self.core else { return None };
        let numbers = &self.lifted.numbers;
        let mut name = |terms: &mut Terms, it: FluentId| fluents.term(Kind::Fluent, terms, it.0, numbers);
        of_roles.get_mut(role.0 as usize)?.memory.key(state, &mut prepared.program.terms, &mut name)
    }

    /// The second arguments of `output`'s tuples about a role, in an order that depends only on their names.
    fn of_role(&mut self, joint: Option<&[MoveId]>, output: RelationId, role: RoleId) -> Vec<TermId> {
        let Some(&of) = self.lifted.prepared.role_terms.get(role.0 as usize) else { return Vec::new() };
        let table = self.evaluate(joint, output, Some(role));
        let mut found: Vec<TermId> = table.rows().filter(|row| row[0] == of).map(|row| row[1]).collect();
        let Core { prepared, ranks, .. } = &mut *self.core;
        ranks.sort(&prepared.program.terms, &mut found);
        found
    }
}

impl Cursor for Reasoner<'_> {
    fn state(&self) -> &State {
        &self.core.state
    }

    fn go(&mut self, state: &State) {
        let core = &mut *self.core;
        if core.is_set && core.state == *state {
            return;
        }
        core.clear(|core, relation| !core.prepared.strata.is_static(relation));
        core.forget(Lasts::ForTheState, &self.lifted.limits);
        for fluent in state.fluents() {
            let terms = &mut core.prepared.program.terms;
            if let Some(term) = core.fluents.term(Kind::Fluent, terms, fluent.0, &self.lifted.numbers) {
                core.prepared.tables[RelationId::TRUE.index()].insert(&[term]);
            }
        }
        core.state.clone_from(state);
        (core.is_set, core.joint, core.spent) = (true, None, 0);
    }

    fn is_terminal(&mut self) -> bool {
        !self.evaluate(None, RelationId::TERMINAL, None).is_empty()
    }

    fn legal_into(&mut self, role: RoleId, moves: &mut Vec<MoveId>) {
        let key = self.deciding(role);
        if let Some((key, of_role)) = key.as_ref().zip(self.core.of_role_mut(role))
            && let Some(list) = of_role.memory.get(key)
        {
            return moves.extend(list);
        }
        let before = self.core.way;
        let found = self.of_role(None, RelationId::LEGAL, role);
        let Core { prepared, moves: met, .. } = &mut *self.core;
        let terms = &prepared.program.terms;
        let number = |term| MoveId(met[role.0 as usize].id(Kind::Move(role), terms, term, &self.lifted.numbers));
        let found: Vec<MoveId> = found.into_iter().map(number).collect();
        moves.extend(&found);
        // After a fault, a part may be missing. Other ways have other keys.
        if let (Some(key), None, true) = (key, self.lifted.fault.get(), self.core.way == before)
            && let Some(of_role) = self.core.of_role_mut(role)
        {
            of_role.memory.add(key, &found);
        }
    }

    fn next(&mut self, joint: &[MoveId]) -> State {
        let terms = self.evaluate(Some(joint), RelationId::NEXT, None).rows().map(|row| row[0]).collect();
        self.state_of(terms)
    }

    fn percepts(&mut self, joint: &[MoveId], role: RoleId) -> Vec<PerceptId> {
        let found = self.of_role(Some(joint), RelationId::SEES, role);
        let Core { prepared, percepts: met, .. } = &mut *self.core;
        let terms = &prepared.program.terms;
        let number = |term| met[role.0 as usize].id(Kind::Percept(role), terms, term, &self.lifted.numbers);
        let mut ids: Vec<PerceptId> = found.into_iter().map(number).map(PerceptId).collect();
        ids.sort_unstable();
        ids
    }

    fn goals(&mut self, role: RoleId) -> Vec<i64> {
        let found = self.of_role(None, RelationId::GOAL, role);
        let mut values: Vec<i64> = found.into_iter().filter_map(|term| goal_value(self.terms(), term)).collect();
        values.sort_unstable();
        values.dedup();
        values
    }

    fn fact(&mut self, atom: &Term) -> Option<bool> {
        self.lifted.fluent_named(atom).map(|fluent| self.core.state.has(fluent))
    }
}

/// The value of a goal: an integer written as a constant. `None` for any other term.
pub(super) fn goal_value(terms: &Terms, term: TermId) -> Option<i64> {
    if terms.args(term).is_some() {
        return None;
    }
    terms.name(terms.functor(term)).parse().ok()
}

impl Rules for Lifted {
    fn initial(&self) -> State {
        self.initial.clone()
    }

    fn at<'a>(&'a self, state: &State) -> Box<dyn Cursor + 'a> {
        let mut reasoner = self.reasoner();
        reasoner.go(state);
        Box::new(reasoner)
    }

    fn fault(&self) -> Option<GameError> {
        self.fault.get().cloned()
    }
}

impl Lifted {
    fn term(&self, kind: Kind, id: u32) -> Term {
        let numbers = read(&self.numbers);
        numbers.of(kind).map_or_else(|| Term::word(format!("#{id}")), |ids| ids.term(&numbers.terms, id))
    }

    fn find(&self, kind: Kind, name: &Term) -> Option<u32> {
        let mut numbers = write(&self.numbers);
        let term = make_term(&mut numbers.terms, name)?;
        numbers.number_own(kind, term)
    }
}

impl Names for Lifted {
    fn fluent_term(&self, fluent: FluentId) -> Term {
        self.term(Kind::Fluent, fluent.0)
    }

    fn move_term(&self, role: RoleId, mv: MoveId) -> Term {
        self.term(Kind::Move(role), mv.0)
    }

    fn percept_term(&self, role: RoleId, percept: PerceptId) -> Term {
        self.term(Kind::Percept(role), percept.0)
    }

    fn move_named(&self, role: RoleId, name: &Term) -> Option<MoveId> {
        self.find(Kind::Move(role), name).map(MoveId)
    }

    fn percept_named(&self, role: RoleId, name: &Term) -> Option<PerceptId> {
        self.find(Kind::Percept(role), name).map(PerceptId)
    }

    fn fluent_named(&self, name: &Term) -> Option<FluentId> {
        self.find(Kind::Fluent, name).map(FluentId)
    }

    fn fluent_count(&self) -> usize {
        read(&self.numbers).fluents.terms.len()
    }
}

impl Structure for Lifted {
    fn ground(&self, scope: &Scope<'_>) -> Result<Arc<Ground>, TooLarge> {
        let nodes = scope.budget.unwrap_or(Grounding::default().nodes);
        let limit = if self.why.is_late { Limit::Time } else { Limit::Nodes(nodes) };
        Err(TooLarge { what: self.why.what.clone(), limit })
    }
}

impl Play for Lifted {
    fn given_up(&self) -> Option<String> {
        let CircuitRefusal { what, is_late } = &self.why;
        Some(if *is_late { format!("no circuit: no time for {what}") } else { format!("no circuit: {what}") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl::fixture::{description, prepared};

    /// A relation over four different numbers, not beginning with that of the player: it holds for nearly all of them,
    /// and only one tuple is queried.
    fn numbers(count: usize) -> String {
        let numbers: String = (1..=count).map(|number| format!("(number {number}) ")).collect();
        format!(
            "(role r) {numbers} (init (at 1)) (<= (legal r (go ?n)) (number ?n) (not (true (at ?n))))
             (<= (next (at ?n)) (does r (go ?n)))
             (<= (apart ?a ?b ?c ?d) (true (at ?n)) (number ?a) (number ?b) (number ?c) (number ?d)
                 (distinct ?a ?b) (distinct ?b ?c) (distinct ?c ?d) (distinct ?a ?n))
             (<= terminal (not (apart 2 3 4 5))) (<= (goal r 100) terminal) (<= (goal r 0) (apart 2 3 4 5))"
        )
    }

    #[test]
    fn what_is_too_much_to_list_is_asked_and_the_answers_are_the_same() {
        for (count, asks) in [(5, false), (12, true)] {
            let text = numbers(count);
            let new = || Lifted::new(prepared(&text, Bodies::Decomposed), Limits::default());
            let (choosing, listing) = (new().choosing(&description(&text)), new());
            let mut states = vec![(choosing.initial(), listing.initial())];
            for to in (1..=count).rev().map(|number| format!("(go {number})")) {
                let (state, same) = states.last().expect("the first one");
                let moves = [&choosing, &listing].map(|it| it.find_move(RoleId(0), &to).expect("a move"));
                let legal = |it: &Lifted, at: &State| -> Vec<String> {
                    it.legal(at, RoleId(0)).into_iter().map(|mv| it.move_name(RoleId(0), mv)).collect()
                };
                assert_eq!(legal(&choosing, state), legal(&listing, same));
                let next = (choosing.next(state, &moves[..1]), listing.next(same, &moves[1..]));
                let end = (choosing.terminal(&next.0), choosing.goals(&next.0, RoleId(0)));
                assert_eq!(end, (listing.terminal(&next.1), listing.goals(&next.1, RoleId(0))), "{count}, {to}");
                assert_eq!(end.0, to == "(go 2)");
                states.push(next);
            }
            assert_eq!((choosing.way.now().asks(), listing.way.now().asks()), (asks, false), "{count}");
            assert!(choosing.fault().is_none());
        }
    }
}
