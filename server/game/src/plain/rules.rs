//! [`Rules`] on plain instances: evaluated one after the other, as often as something changes; and as a circuit with a
//! gate per instance.

use std::sync::{Arc, Mutex};

use rustc_hash::FxHashMap;

use super::Refused;
use super::instances::{AtomId, Plain};
use crate::circuit::{Circuit, Lit};
use crate::components::components;
use crate::gdl::names::find_term;
use crate::gdl::program::RelationId;
use crate::terms::TermId;
use crate::{FluentId, Game, Ground, MoveId, PerceptId, Role, RoleId, Rules, Scope, State, TooLarge};

/// Makes a game of the instances.
pub fn game(plain: Plain) -> Result<Game, Refused> {
    let role_terms: Vec<TermId> = (plain.always.iter())
        .map(|&atom| &plain.atoms[atom as usize])
        .filter(|(relation, _)| *relation == RelationId::ROLE)
        .map(|(_, args)| args[0])
        .collect();
    if role_terms.is_empty() {
        return Err(Refused::NoRole);
    }
    let roles = role_terms.iter().map(|&term| {
        let name = plain.terms.show(term);
        Role { is_chance: name.eq_ignore_ascii_case("random"), name }
    });
    let roles = roles.collect();
    let rules = PlainRules::new(plain, &role_terms)?;
    Ok(Game { roles, rules: Arc::new(rules), knows_own_moves: true, is_sequential: false })
}

/// Atoms that are evaluated together: one, or some that depend on each other.
struct Layer {
    atoms: Vec<AtomId>,
    is_cyclic: bool,
    /// Whether moves matter.
    reads_moves: bool,
}

/// Ids of one kind: the term of each, and the atom that says so, if there is one that can.
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

    fn find(&self, plain: &Plain, name: &str) -> Option<u32> {
        self.ids.get(&find_term(&plain.terms, name)?).copied()
    }

    fn name(&self, plain: &Plain, id: u32) -> String {
        self.terms.get(id as usize).map_or_else(|| format!("#{id}"), |&term| plain.terms.show(term))
    }
}

struct PlainRules {
    plain: Plain,
    /// In the order of evaluation.
    layers: Vec<Layer>,
    fluents: Kind,
    moves: Vec<Kind>,
    percepts: Vec<Kind>,
    /// What each atom of these kinds is about.
    holds: Vec<(AtomId, FluentId)>,
    does: Vec<(AtomId, RoleId, MoveId)>,
    next: Vec<(AtomId, FluentId)>,
    legal: Vec<Vec<(AtomId, MoveId)>>,
    sees: Vec<Vec<(AtomId, PerceptId)>>,
    goals: Vec<Vec<(AtomId, i64)>>,
    terminal: Option<AtomId>,
    initial: State,
    /// The last evaluation: of a state, and of a joint move in it.
    last: Mutex<Option<Evaluated>>,
    ground: Mutex<Option<Arc<Ground>>>,
}

#[derive(Clone)]
struct Evaluated {
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
                    if let (Some(role), Ok(value)) = (role(), plain.terms.show(args[1]).parse::<i64>()) {
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
            last: Mutex::default(),
            ground: Mutex::default(),
        };
        // What holds at first is said without any state: by facts, or by rules of what never changes.
        let values = rules.evaluated(&State::new(rules.fluents.terms.len(), 0), None).values;
        first
            .iter()
            .filter(|(atom, _)| values[*atom as usize])
            .for_each(|&(_, fluent)| rules.initial.set(fluent, true));
        *rules.last.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner()) = None;
        Ok(rules)
    }

    /// The value of every atom in a state, in which a joint move is made.
    fn evaluated(&self, state: &State, joint: Option<&[MoveId]>) -> Evaluated {
        let mut last = self.last.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(known) = &*last
            && known.state == *state
            && (joint.is_none() || known.joint.as_deref() == joint)
        {
            return known.clone();
        }
        let before = last.take().filter(|known| known.state == *state);
        let is_new = before.is_none();
        let mut values = before.map_or_else(|| vec![false; self.plain.atoms.len()], |known| known.values);
        if is_new {
            self.plain.always.iter().for_each(|&atom| values[atom as usize] = true);
            self.holds.iter().for_each(|&(atom, fluent)| values[atom as usize] = state.has(fluent));
        }
        let made = |role: RoleId, mv: MoveId| joint.is_some_and(|joint| joint.get(role.0 as usize) == Some(&mv));
        self.does.iter().for_each(|&(atom, role, mv)| values[atom as usize] = made(role, mv));
        for layer in self.layers.iter().filter(|layer| is_new || layer.reads_moves) {
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
        let found = Evaluated { state: state.clone(), joint: joint.map(<[MoveId]>::to_vec), values };
        *last = Some(found.clone());
        found
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
    for atoms in components(&edges) {
        atoms.iter().for_each(|&atom| place[atom as usize] = layers.len());
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
        if let Some(&(atom, _)) = parts.clone().find(|&&(atom, holds)| !holds && atoms.contains(&atom)) {
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

impl Rules for PlainRules {
    fn initial(&self) -> State {
        self.initial.clone()
    }

    fn terminal(&self, state: &State) -> bool {
        self.terminal.is_some_and(|atom| self.evaluated(state, None).values[atom as usize])
    }

    fn legal(&self, state: &State, role: RoleId) -> Vec<MoveId> {
        true_ones(&self.evaluated(state, None).values, &self.legal[role.0 as usize])
    }

    fn next(&self, state: &State, joint: &[MoveId]) -> State {
        let mut next = State::new(self.fluents.terms.len(), 0);
        let values = self.evaluated(state, Some(joint)).values;
        true_ones(&values, &self.next).into_iter().for_each(|fluent| next.set(fluent, true));
        next
    }

    fn percepts(&self, state: &State, joint: &[MoveId], role: RoleId) -> Vec<PerceptId> {
        let mut percepts = true_ones(&self.evaluated(state, Some(joint)).values, &self.sees[role.0 as usize]);
        percepts.sort_unstable();
        percepts
    }

    fn goals(&self, state: &State, role: RoleId) -> Vec<i64> {
        let mut goals = true_ones(&self.evaluated(state, None).values, &self.goals[role.0 as usize]);
        goals.sort_unstable();
        goals.dedup();
        goals
    }

    fn fluent_name(&self, fluent: FluentId) -> String {
        self.fluents.name(&self.plain, fluent.0)
    }

    fn move_name(&self, role: RoleId, mv: MoveId) -> String {
        self.moves[role.0 as usize].name(&self.plain, mv.0)
    }

    fn percept_name(&self, role: RoleId, percept: PerceptId) -> String {
        self.percepts[role.0 as usize].name(&self.plain, percept.0)
    }

    fn find_move(&self, role: RoleId, name: &str) -> Option<MoveId> {
        self.moves.get(role.0 as usize)?.find(&self.plain, name).map(MoveId)
    }

    fn find_percept(&self, role: RoleId, name: &str) -> Option<PerceptId> {
        self.percepts.get(role.0 as usize)?.find(&self.plain, name).map(PerceptId)
    }

    fn find_fluent(&self, name: &str) -> Option<FluentId> {
        self.fluents.find(&self.plain, name).map(FluentId)
    }

    fn fluent_count(&self) -> usize {
        self.fluents.terms.len()
    }

    fn register_names(&self) -> Vec<String> {
        Vec::new()
    }

    fn ground(&self, _: &Scope<'_>) -> Result<Arc<Ground>, TooLarge> {
        let mut known = self.ground.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        Ok(known.get_or_insert_with(|| Arc::new(self.circuit())).clone())
    }
}
