//! [`Rules`] on plain instances: evaluated one after the other after every change; and as a circuit with a gate for
//! each instance.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::instances::{AtomId, Plain};
use super::program::RelationId;
use super::terms::TermId;
use super::{Refused, layers};
use crate::circuit::{Circuit, Lit};
use crate::{
    Cursor, FluentId, Game, Ground, MoveId, Names, PerceptId, Play, Role, RoleId, Rules, Scope, State, Structure, Term,
    TooLarge,
};

/// Makes a game of the instances.
pub(super) fn game(plain: Plain) -> Result<Game, Refused> {
    let role_terms: Vec<TermId> = (plain.always.iter())
        .map(|&atom| &plain.atoms[atom as usize])
        .filter(|(relation, _)| *relation == RelationId::ROLE)
        .map(|(_, args)| args[0])
        .collect();
    if role_terms.is_empty() {
        return Err(Refused::NoRole);
    }
    let roles = role_terms.iter().map(|&term| {
        let name = plain.terms.show(term).to_string();
        Role { is_chance: name.eq_ignore_ascii_case("random"), name }
    });
    let roles = roles.collect();
    let rules = PlainRules::new(plain, &role_terms)?;
    Ok(Game { roles, rules: Arc::new(rules), knows_own_moves: true, is_sequential: false, written: Default::default() })
}

/// Atoms that are evaluated together: one atom, or several that depend on each other.
struct Layer {
    atoms: Vec<AtomId>,
    is_cyclic: bool,
    /// True if it depends on moves.
    reads_moves: bool,
}

/// Ids of one kind: the term of each, and the atom that represents it, if there is one.
#[derive(Default)]
struct Kind {
    terms: Vec<TermId>,
    ids: FxHashMap<TermId, u32>,
}

impl Kind {
    fn id(&mut self, term: TermId) -> u32 {
        let next = self.terms.len() as u32;
        let id = *self.ids.entry(term).or_insert(next);
        if id == next {
            self.terms.push(term);
        }
        id
    }

    fn find(&self, plain: &Plain, name: &Term) -> Option<u32> {
        self.ids.get(&plain.terms.named(name)?).copied()
    }

    fn term(&self, plain: &Plain, id: u32) -> Term {
        self.terms.get(id as usize).map_or_else(|| Term::word(format!("#{id}")), |&term| plain.terms.show(term))
    }
}

struct PlainRules {
    plain: Plain,
    /// The layers, in the order of evaluation.
    layers: Vec<Layer>,
    fluents: Kind,
    moves: Vec<Kind>,
    percepts: Vec<Kind>,
    /// The fluent of each atom of these kinds.
    holds: Vec<(AtomId, FluentId)>,
    does: Vec<(AtomId, RoleId, MoveId)>,
    next: Vec<(AtomId, FluentId)>,
    legal: Vec<Vec<(AtomId, MoveId)>>,
    sees: Vec<Vec<(AtomId, PerceptId)>>,
    goals: Vec<Vec<(AtomId, i64)>>,
    terminal: Option<AtomId>,
    initial: State,
    ground: OnceLock<Arc<Ground>>,
}

/// A state, a joint move in it, and the value of every atom.
struct Evaluated<'a> {
    rules: &'a PlainRules,
    state: State,
    joint: Option<Vec<MoveId>>,
    values: Vec<bool>,
}

impl PlainRules {
    fn new(plain: Plain, role_terms: &[TermId]) -> Result<PlainRules, Refused> {
        let layers = layers(&plain)?;
        let kinds = || role_terms.iter().map(|_| Kind::default()).collect::<Vec<_>>();
        let (mut fluents, mut moves, mut percepts) = (Kind::default(), kinds(), kinds());
        let (mut holds, mut does, mut next) = (Vec::new(), Vec::new(), Vec::new());
        let lists = role_terms.len();
        let (mut legal, mut sees, mut goals) =
            (vec![Vec::new(); lists], vec![Vec::new(); lists], vec![Vec::new(); lists]);
        let (mut terminal, mut first) = (None, Vec::new());
        for (atom, (relation, args)) in (0..).zip(&plain.atoms) {
            let role = || role_terms.iter().position(|term| *term == args[0]);
            match *relation {
                RelationId::TRUE => holds.push((atom, FluentId(fluents.id(args[0])))),
                RelationId::NEXT => next.push((atom, FluentId(fluents.id(args[0])))),
                RelationId::INIT => first.push((atom, FluentId(fluents.id(args[0])))),
                RelationId::TERMINAL => terminal = Some(atom),
                RelationId::DOES => {
                    if let Some(role) = role() {
                        does.push((atom, RoleId(role as u16), MoveId(moves[role].id(args[1]))));
                    }
                }
                RelationId::LEGAL => {
                    if let Some(role) = role() {
                        legal[role].push((atom, MoveId(moves[role].id(args[1]))));
                    }
                }
                RelationId::SEES => {
                    if let Some(role) = role() {
                        sees[role].push((atom, PerceptId(percepts[role].id(args[1]))));
                    }
                }
                RelationId::GOAL => {
                    if let (Some(role), Ok(value)) = (role(), plain.terms.show(args[1]).to_string().parse::<i64>()) {
                        goals[role].push((atom, value));
                    }
                }
                _ => {}
            }
        }
        let initial = State::new(fluents.terms.len(), 0);
        let mut rules = PlainRules {
            plain,
            layers,
            fluents,
            moves,
            percepts,
            holds,
            does,
            next,
            legal,
            sees,
            goals,
            terminal,
            initial,
            ground: OnceLock::new(),
        };
        // Initial fluents are given without a state: by facts, or by rules about static relations.
        let values = rules.evaluated(&State::new(rules.fluents.terms.len(), 0)).values;
        first
            .iter()
            .filter(|(atom, _)| values[*atom as usize])
            .for_each(|&(_, fluent)| rules.initial.set(fluent, true));
        Ok(rules)
    }

    /// The value of every atom in a state without moves.
    fn evaluated(&self, state: &State) -> Evaluated<'_> {
        let mut values = vec![false; self.plain.atoms.len()];
        self.set(&mut values, state);
        Evaluated { rules: self, state: state.clone(), joint: None, values }
    }

    /// Gives every atom its value in a state without moves.
    fn set(&self, values: &mut [bool], state: &State) {
        values.fill(false);
        self.plain.always.iter().for_each(|&atom| values[atom as usize] = true);
        self.holds.iter().for_each(|&(atom, fluent)| values[atom as usize] = state.has(fluent));
        self.sweep(values, true);
    }

    /// Evaluates the layers, one after the other: all of them, or those that depend on moves.
    fn sweep(&self, values: &mut [bool], all: bool) {
        for layer in self.layers.iter().filter(|layer| all || layer.reads_moves) {
            layer.atoms.iter().for_each(|&atom| values[atom as usize] = false);
            loop {
                let mut changed = false;
                for &atom in &layer.atoms {
                    let mut instances = self.plain.instances[atom as usize].iter();
                    let holds =
                        instances.any(|parts| parts.iter().all(|&(part, holds)| values[part as usize] == holds));
                    changed |= holds && !std::mem::replace(&mut values[atom as usize], holds);
                }
                if !changed || !layer.is_cyclic {
                    break;
                }
            }
        }
    }

    fn circuit(&self) -> Ground {
        let plain = &self.plain;
        let mut circuit = Circuit::new();
        let mut gates = vec![Lit::FALSE; plain.atoms.len()];
        plain.always.iter().for_each(|&atom| gates[atom as usize] = Lit::TRUE);
        self.holds.iter().for_each(|&(atom, fluent)| gates[atom as usize] = circuit.fluent(fluent));
        self.does.iter().for_each(|&(atom, role, mv)| gates[atom as usize] = circuit.does(role, mv));
        let gate = |circuit: &mut Circuit, gates: &[Lit], atom: AtomId| {
            let instances = plain.instances[atom as usize].iter().map(|parts| {
                let part = |&(part, holds): &(AtomId, bool)| {
                    if holds { gates[part as usize] } else { !gates[part as usize] }
                };
                circuit.and(parts.iter().map(part))
            });
            let instances: Vec<Lit> = instances.collect();
            circuit.or(instances)
        };
        for layer in &self.layers {
            if !layer.is_cyclic {
                gates[layer.atoms[0] as usize] = gate(&mut circuit, &gates, layer.atoms[0]);
                continue;
            }
            let group = circuit.group(layer.atoms.len() as u32);
            for (member, &atom) in (0..).zip(&layer.atoms) {
                gates[atom as usize] = circuit.member(group, member);
            }
            for (member, &atom) in (0..).zip(&layer.atoms) {
                let definition = gate(&mut circuit, &gates, atom);
                circuit.define(group, member, definition);
            }
        }
        let of = |atom: AtomId| gates[atom as usize];
        let moves = self.legal.iter().map(|legal| legal.iter().map(|&(atom, mv)| (mv, of(atom))).collect());
        let sees = self.sees.iter().map(|sees| sees.iter().map(|&(atom, percept)| (percept, of(atom))).collect());
        let goals = self.goals.iter().map(|goals| {
            let mut goals: Vec<(i64, Lit)> = goals.iter().map(|&(atom, value)| (value, of(atom))).collect();
            goals.sort_unstable();
            goals
        });
        Ground {
            moves: moves.collect(),
            sees: sees.collect(),
            goals: goals.collect(),
            next: self.next.iter().map(|&(atom, fluent)| (fluent, of(atom))).collect(),
            terminal: self.terminal.map_or(Lit::FALSE, of),
            goal_numbers: Vec::new(),
            updates: Vec::new(),
            circuit,
        }
    }
}

/// The atoms in an order in which each comes after those it depends on.
fn layers(plain: &Plain) -> Result<Vec<Layer>, Refused> {
    let edges: Vec<Vec<u32>> = plain
        .instances
        .iter()
        .map(|instances| {
            let mut reads: Vec<u32> = instances.iter().flat_map(|parts| parts.iter().map(|&(atom, _)| atom)).collect();
            reads.sort_unstable();
            reads.dedup();
            reads
        })
        .collect();
    let mut reads_moves: Vec<bool> = plain.atoms.iter().map(|(relation, _)| *relation == RelationId::DOES).collect();
    let mut layers = Vec::new();
    let mut place = vec![usize::MAX; plain.atoms.len()];
    for (here, atoms) in layers::layers(&edges).into_iter().enumerate() {
        atoms.iter().for_each(|&atom| place[atom as usize] = here);
        let is_given = |atom: AtomId| {
            let (relation, _) = plain.atoms[atom as usize];
            [RelationId::TRUE, RelationId::DOES].contains(&relation) || plain.instances[atom as usize].is_empty()
        };
        if let [atom] = atoms[..]
            && is_given(atom)
        {
            continue;
        }
        let mut parts = atoms.iter().flat_map(|&atom| plain.instances[atom as usize].iter().flatten());
        if let Some(&(atom, _)) = parts.clone().find(|&&(atom, holds)| !holds && place[atom as usize] == here) {
            return Err(Refused::NegativeCycle(plain.relation(atom).to_owned()));
        }
        let moves = parts.any(|&(atom, _)| reads_moves[atom as usize]);
        atoms.iter().for_each(|&atom| reads_moves[atom as usize] = moves);
        let is_cyclic = atoms.len() > 1 || edges[atoms[0] as usize].contains(&atoms[0]);
        layers.push(Layer { atoms, is_cyclic, reads_moves: moves });
    }
    Ok(layers)
}

fn true_ones<K: Copy>(values: &[bool], atoms: &[(AtomId, K)]) -> Vec<K> {
    atoms.iter().filter(|(atom, _)| values[*atom as usize]).map(|&(_, key)| key).collect()
}

impl Evaluated<'_> {
    /// Makes the values be about a joint move.
    fn make(&mut self, joint: &[MoveId]) {
        if self.joint.as_deref() == Some(joint) {
            return;
        }
        let made = |role: RoleId, mv: MoveId| joint.get(role.0 as usize) == Some(&mv);
        self.rules.does.iter().for_each(|&(atom, role, mv)| self.values[atom as usize] = made(role, mv));
        self.rules.sweep(&mut self.values, false);
        self.joint = Some(joint.to_vec());
    }
}

impl Cursor for Evaluated<'_> {
    fn state(&self) -> &State {
        &self.state
    }

    fn go(&mut self, state: &State) {
        if self.state != *state {
            self.rules.set(&mut self.values, state);
            (self.state, self.joint) = (state.clone(), None);
        }
    }

    fn is_terminal(&mut self) -> bool {
        self.rules.terminal.is_some_and(|atom| self.values[atom as usize])
    }

    fn legal_into(&mut self, role: RoleId, moves: &mut Vec<MoveId>) {
        moves.extend(true_ones(&self.values, &self.rules.legal[role.0 as usize]));
    }

    fn next(&mut self, joint: &[MoveId]) -> State {
        self.make(joint);
        let mut next = State::new(self.rules.fluents.terms.len(), 0);
        true_ones(&self.values, &self.rules.next).into_iter().for_each(|fluent| next.set(fluent, true));
        next
    }

    fn percepts(&mut self, joint: &[MoveId], role: RoleId) -> Vec<PerceptId> {
        self.make(joint);
        let mut percepts = true_ones(&self.values, &self.rules.sees[role.0 as usize]);
        percepts.sort_unstable();
        percepts
    }

    fn goals(&mut self, role: RoleId) -> Vec<i64> {
        let mut goals = true_ones(&self.values, &self.rules.goals[role.0 as usize]);
        goals.sort_unstable();
        goals.dedup();
        goals
    }

    fn fact(&mut self, atom: &Term) -> Option<bool> {
        self.rules.fluent_named(atom).map(|fluent| self.state.has(fluent))
    }
}

impl Rules for PlainRules {
    fn initial(&self) -> State {
        self.initial.clone()
    }

    fn at<'a>(&'a self, state: &State) -> Box<dyn Cursor + 'a> {
        Box::new(self.evaluated(state))
    }
}

impl Names for PlainRules {
    fn fluent_term(&self, fluent: FluentId) -> Term {
        self.fluents.term(&self.plain, fluent.0)
    }

    fn move_term(&self, role: RoleId, mv: MoveId) -> Term {
        self.moves[role.0 as usize].term(&self.plain, mv.0)
    }

    fn percept_term(&self, role: RoleId, percept: PerceptId) -> Term {
        self.percepts[role.0 as usize].term(&self.plain, percept.0)
    }

    fn move_named(&self, role: RoleId, name: &Term) -> Option<MoveId> {
        self.moves.get(role.0 as usize)?.find(&self.plain, name).map(MoveId)
    }

    fn percept_named(&self, role: RoleId, name: &Term) -> Option<PerceptId> {
        self.percepts.get(role.0 as usize)?.find(&self.plain, name).map(PerceptId)
    }

    fn fluent_named(&self, name: &Term) -> Option<FluentId> {
        self.fluents.find(&self.plain, name).map(FluentId)
    }

    fn fluent_count(&self) -> usize {
        self.fluents.terms.len()
    }
}

impl Structure for PlainRules {
    fn ground(&self, _: &Scope<'_>) -> Result<Arc<Ground>, TooLarge> {
        Ok(self.ground.get_or_init(|| Arc::new(self.circuit())).clone())
    }
}

impl Play for PlainRules {}
