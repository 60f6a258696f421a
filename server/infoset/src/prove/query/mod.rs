//! An author's own questions: what is always true, and what roles know of it, over all histories.
//!
//! The search goes through all histories of one length at a time, merged where they have the same state and every role
//! asked about has had the same moves and percepts ("worlds"). `knows` looks at the worlds of one length that the role
//! cannot tell apart, so knowledge of knowledge works too. When no history goes on, the answer is a proof.

mod formula;

use std::cell::RefCell;

use percept_game::{FluentId, Game, JointMove, MoveId, PerceptId, RoleId, State};
use rustc_hash::FxHashMap;

pub use formula::{Atom, Formula, QueryError, Question, Term};

use crate::control::Control;
use crate::view::JointMoves;

/// Worlds of one length that may be held.
const MOST_WORLDS: usize = 15_000_000;

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `always`: true in every history. `sometimes`: true in the history given.
    Holds { history: Option<Vec<JointMove>> },
    /// `always`: false in the history given; with each role that lacks knowledge, a history it cannot tell from it.
    /// `sometimes`: no history makes it true.
    Fails { history: Option<Vec<JointMove>>, instead: Vec<(RoleId, Vec<JointMove>)> },
    /// Nothing decided it within so many rounds.
    Open { rounds: usize },
}

/// Histories of one length that are the same in everything a question can see.
struct World {
    state: u32,
    /// For each role asked about, the number of its view.
    views: Box<[u32]>,
    /// One way to get here: the world before, and the joint move.
    from: Option<(u32, JointMove)>,
}

type Seen = (Option<MoveId>, Vec<PerceptId>);

struct Search<'a> {
    game: &'a Game,
    roles: Vec<RoleId>,
    states: Vec<State>,
    ids: FxHashMap<State, u32>,
    layers: Vec<Vec<World>>,
    /// In the last layer: for each role asked about, its worlds by view.
    groups: Vec<FxHashMap<u32, Vec<u32>>>,
    /// Fluents' names as terms, read once.
    names: Vec<Term>,
    /// What roles know in the last layer, by formula (its address), view and bindings: one look at a view's worlds
    /// answers for all of them.
    known: RefCell<FxHashMap<(usize, u32, Bindings), bool>>,
}

type Bindings = Vec<(String, Term)>;

/// Answers a question.
pub fn answer(game: &Game, question: &Question, control: &Control) -> Reply {
    let mut roles = Vec::new();
    question.formula.knowers(&mut roles);
    roles.sort_unstable();
    roles.dedup();
    let mut search = Search::new(game, roles);
    loop {
        let rounds = search.layers.len() - 1;
        let hit = search.find(&question.formula, !question.always, control);
        match hit {
            Err(Spent) => return Reply::Open { rounds: rounds.saturating_sub(1) },
            Ok(Some(world)) if question.always => {
                let mut instead = Vec::new();
                search.explain(world, &question.formula, &mut instead);
                return Reply::Fails { history: Some(search.history(world)), instead };
            }
            Ok(Some(world)) => return Reply::Holds { history: Some(search.history(world)) },
            Ok(None) => {}
        }
        if question.rounds.is_some_and(|most| rounds >= most) {
            return nothing_found(question);
        }
        match search.deepen(control) {
            Err(Spent) => return Reply::Open { rounds },
            Ok(false) => return nothing_found(question),
            Ok(true) => {}
        }
    }
}

fn nothing_found(question: &Question) -> Reply {
    if question.always { Reply::Holds { history: None } } else { Reply::Fails { history: None, instead: Vec::new() } }
}

/// The budget is spent.
struct Spent;

impl<'a> Search<'a> {
    fn new(game: &'a Game, roles: Vec<RoleId>) -> Self {
        let mut search = Search {
            game,
            groups: vec![FxHashMap::default(); roles.len()],
            roles,
            states: Vec::new(),
            ids: FxHashMap::default(),
            layers: Vec::new(),
            names: (0..game.rules.fluent_count() as u32)
                .map(|fluent| Term::of(&game.rules.fluent_name(FluentId(fluent))))
                .collect(),
            known: RefCell::default(),
        };
        let state = search.intern(game.rules.initial());
        let views = vec![0; search.roles.len()].into();
        search.layers.push(vec![World { state, views, from: None }]);
        search.group();
        search
    }

    fn intern(&mut self, state: State) -> u32 {
        if let Some(&id) = self.ids.get(&state) {
            return id;
        }
        let id = self.states.len() as u32;
        self.states.push(state.clone());
        self.ids.insert(state, id);
        id
    }

    fn last(&self) -> &[World] {
        self.layers.last().map(Vec::as_slice).unwrap_or_default()
    }

    fn group(&mut self) {
        self.known.borrow_mut().clear();
        let mut groups = vec![FxHashMap::<u32, Vec<u32>>::default(); self.roles.len()];
        for (index, world) in self.last().iter().enumerate() {
            for (group, &view) in groups.iter_mut().zip(world.views.iter()) {
                group.entry(view).or_default().push(index as u32);
            }
        }
        self.groups = groups;
    }

    /// All histories one round longer. `false`: there are none.
    fn deepen(&mut self, control: &Control) -> Result<bool, Spent> {
        let mut fresh: Vec<World> = Vec::new();
        let mut known: FxHashMap<(u32, Box<[u32]>), ()> = FxHashMap::default();
        let mut views: Vec<FxHashMap<(u32, Seen), u32>> = vec![FxHashMap::default(); self.roles.len()];
        let last = std::mem::take(self.layers.last_mut().ok_or(Spent)?);
        for (index, world) in last.iter().enumerate() {
            if control.stop().is_some() || fresh.len() > MOST_WORLDS {
                return Err(Spent);
            }
            let state = self.states[world.state as usize].clone();
            if self.game.rules.terminal(&state) {
                continue;
            }
            for joint in JointMoves::new(self.game, &state, RoleId(0), None) {
                let next = self.intern(self.game.rules.next(&state, &joint));
                let mut after = Vec::with_capacity(self.roles.len());
                for (at, &role) in self.roles.iter().enumerate() {
                    let own = self.game.knows_own_moves.then(|| joint[role.0 as usize]);
                    let seen = (own, self.game.rules.percepts(&state, &joint, role));
                    let number = views[at].len() as u32;
                    after.push(*views[at].entry((world.views[at], seen)).or_insert(number));
                }
                let key = (next, after.into_boxed_slice());
                if known.insert(key.clone(), ()).is_none() {
                    fresh.push(World { state: key.0, views: key.1, from: Some((index as u32, joint)) });
                }
            }
        }
        if let Some(slot) = self.layers.last_mut() {
            *slot = last;
        }
        let goes_on = !fresh.is_empty();
        self.layers.push(fresh);
        self.group();
        Ok(goes_on)
    }

    /// A world of the last layer where the formula has the wanted value.
    fn find(&self, formula: &Formula, wanted: bool, control: &Control) -> Result<Option<u32>, Spent> {
        for world in 0..self.last().len() as u32 {
            if world % 256 == 0 && control.stop().is_some() {
                return Err(Spent);
            }
            if self.holds(world, formula, &mut Vec::new()) == wanted {
                return Ok(Some(world));
            }
        }
        Ok(None)
    }

    fn state(&self, world: u32) -> &State {
        &self.states[self.last()[world as usize].state as usize]
    }

    fn holds(&self, world: u32, formula: &Formula, bound: &mut Bindings) -> bool {
        match formula {
            Formula::And(parts) => parts.iter().all(|part| self.holds(world, part, bound)),
            Formula::Or(parts) => parts.iter().any(|part| self.holds(world, part, bound)),
            Formula::Not(part) => !self.holds(world, part, bound),
            Formula::Knows(role, part) => {
                let key = (std::ptr::from_ref(formula).addr(), self.view(world, *role), bound.clone());
                if let Some(&known) = self.known.borrow().get(&key) {
                    return known;
                }
                let known = self.same_view(world, *role).iter().all(|&other| self.holds(other, part, bound));
                self.known.borrow_mut().insert(key, known);
                known
            }
            Formula::Exists(variable, part) => {
                let mut values = Vec::new();
                self.values(world, part, variable, bound, &mut values);
                values.into_iter().any(|value| {
                    bound.push((variable.clone(), value));
                    let holds = self.holds(world, part, bound);
                    bound.pop();
                    holds
                })
            }
            Formula::Atom(atom) => {
                let mut found = false;
                self.facts(world, atom, &mut |fact| found |= matches(atom_term(atom), fact, bound, None).is_some());
                found
            }
        }
    }

    fn same_view(&self, world: u32, role: RoleId) -> &[u32] {
        let view = self.view(world, role);
        self.groups[self.place(role)].get(&view).map(Vec::as_slice).unwrap_or_default()
    }

    fn place(&self, role: RoleId) -> usize {
        self.roles.iter().position(|&known| known == role).unwrap_or_default()
    }

    fn view(&self, world: u32, role: RoleId) -> u32 {
        self.last()[world as usize].views[self.place(role)]
    }

    /// What makes an atom with the variable true in this world.
    fn values(&self, world: u32, formula: &Formula, variable: &str, bound: &Bindings, found: &mut Vec<Term>) {
        match formula {
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().for_each(|part| self.values(world, part, variable, bound, found));
            }
            Formula::Not(part) | Formula::Knows(_, part) | Formula::Exists(_, part) => {
                self.values(world, part, variable, bound, found);
            }
            Formula::Atom(atom) => self.facts(world, atom, &mut |fact| {
                if let Some(Some(value)) = matches(atom_term(atom), fact, bound, Some(variable))
                    && !found.contains(&value)
                {
                    found.push(value);
                }
            }),
        }
    }

    /// The facts of the world that an atom speaks of.
    fn facts(&self, world: u32, atom: &Atom, f: &mut dyn FnMut(&Term)) {
        let (rules, state) = (&self.game.rules, self.state(world));
        let nothing = Term::List(Vec::new());
        match atom {
            Atom::Terminal if rules.terminal(state) => f(&nothing),
            Atom::Terminal => {}
            Atom::Can(role) => {
                let legal = rules.legal(state, *role);
                if !rules.terminal(state) && legal.iter().any(|&mv| mv != MoveId::NOOP) {
                    f(&nothing);
                }
            }
            Atom::True(_) => state.fluents().for_each(|fluent| f(&self.names[fluent.0 as usize])),
            Atom::Legal(role, _) => {
                rules.legal(state, *role).iter().for_each(|&mv| f(&Term::of(&rules.move_name(*role, mv))));
            }
            Atom::Goal(role, _) => {
                rules.goals(state, *role).iter().for_each(|value| f(&Term::Word(value.to_string())));
            }
        }
    }

    /// For every `knows` that fails here, a history the role takes to be possible in which the part is false.
    fn explain(&self, world: u32, formula: &Formula, found: &mut Vec<(RoleId, Vec<JointMove>)>) {
        match formula {
            Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| self.explain(world, part, found)),
            Formula::Exists(variable, part) => {
                let mut values = Vec::new();
                self.values(world, part, variable, &Vec::new(), &mut values);
                if let (Formula::Knows(role, inner), [value, ..]) = (&**part, &values[..]) {
                    let mut bound = vec![(variable.clone(), value.clone())];
                    let others = self.same_view(world, *role);
                    let other = others.iter().find(|&&other| !self.holds(other, inner, &mut bound));
                    found.extend(other.map(|&other| (*role, self.history(other))));
                }
            }
            Formula::Knows(role, part) => {
                let others = self.same_view(world, *role);
                let other = others.iter().find(|&&other| !self.holds(other, part, &mut Vec::new()));
                found.extend(other.map(|&other| (*role, self.history(other))));
            }
            Formula::Not(_) | Formula::Atom(_) => {}
        }
    }

    fn history(&self, world: u32) -> Vec<JointMove> {
        let mut rounds = Vec::new();
        let mut at = world;
        for layer in self.layers.iter().rev() {
            if let Some((before, joint)) = &layer[at as usize].from {
                rounds.push(joint.clone());
                at = *before;
            }
        }
        rounds.reverse();
        rounds
    }
}

fn atom_term(atom: &Atom) -> Option<&Term> {
    match atom {
        Atom::Terminal | Atom::Can(_) => None,
        Atom::True(term) | Atom::Legal(_, term) | Atom::Goal(_, term) => Some(term),
    }
}

/// Whether the pattern fits the fact under the bindings; with `wanted`, what it must be bound to. Other free variables
/// fit anything.
fn matches(pattern: Option<&Term>, fact: &Term, bound: &Bindings, wanted: Option<&str>) -> Option<Option<Term>> {
    let Some(pattern) = pattern else { return Some(None) };
    match (pattern, fact) {
        (Term::Word(word), _) if Some(word.as_str()) == wanted => Some(Some(fact.clone())),
        (Term::Word(word), _) if word.starts_with('?') => match bound.iter().rev().find(|(name, _)| name == word) {
            Some((_, value)) if value != fact => None,
            _ => Some(None),
        },
        (Term::Word(word), Term::Word(other)) => word.eq_ignore_ascii_case(other).then_some(None),
        (Term::List(parts), Term::List(others)) if parts.len() == others.len() => {
            let mut value: Option<Term> = None;
            for (part, other) in parts.iter().zip(others) {
                if let Some(found) = matches(Some(part), other, bound, wanted)? {
                    if value.as_ref().is_some_and(|known| *known != found) {
                        return None;
                    }
                    value = Some(found);
                }
            }
            Some(value)
        }
        _ => None,
    }
}
