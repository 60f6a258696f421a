//! Games for tests, given directly as the circuit of a round and played by evaluating it, with no engine.
#![allow(dead_code)]

use std::sync::Arc;

use percept_game::{
    FluentId, Game, Ground, MoveId, PerceptId, Role, RoleId, Rules, Scope, State, TooLarge,
    circuit::{Circuit, Lit, Node},
};

pub mod games;
pub mod random_game;

pub struct CircuitGame {
    pub ground: Arc<Ground>,
    pub initial: State,
    pub fluents: Vec<String>,
    pub moves: Vec<Vec<String>>,
    pub percepts: Vec<String>,
}

impl CircuitGame {
    fn values(&self, state: &State, joint: Option<&[MoveId]>) -> Vec<bool> {
        let mut values: Vec<bool> = Vec::new();
        for node in self.ground.circuit.nodes() {
            let get = |lit: &Lit| values[lit.node() as usize] != lit.is_negated();
            values.push(match node {
                Node::True => true,
                Node::Fluent(fluent) => state.has(*fluent),
                Node::Move(role, mv) => joint.is_some_and(|joint| joint[role.0 as usize] == *mv),
                Node::And(lits) => lits.iter().all(get),
                Node::Or(lits) => lits.iter().any(get),
                Node::Compare(_) | Node::Loop { .. } => panic!("not used in these games"),
            });
        }
        values
    }

    fn get(values: &[bool], lit: Lit) -> bool {
        values[lit.node() as usize] != lit.is_negated()
    }
}

impl Rules for CircuitGame {
    fn initial(&self) -> State {
        self.initial.clone()
    }

    fn terminal(&self, state: &State) -> bool {
        Self::get(&self.values(state, None), self.ground.terminal)
    }

    fn legal(&self, state: &State, role: RoleId) -> Vec<MoveId> {
        let values = self.values(state, None);
        let moves = &self.ground.moves[role.0 as usize];
        moves.iter().filter(|(_, lit)| Self::get(&values, *lit)).map(|(mv, _)| *mv).collect()
    }

    fn next(&self, state: &State, joint: &[MoveId]) -> State {
        let values = self.values(state, Some(joint));
        let mut next = State::new(self.fluents.len(), 0);
        for &(fluent, lit) in &self.ground.next {
            next.set(fluent, Self::get(&values, lit));
        }
        next
    }

    fn percepts(&self, state: &State, joint: &[MoveId], role: RoleId) -> Vec<PerceptId> {
        let values = self.values(state, Some(joint));
        let sees = &self.ground.sees[role.0 as usize];
        let mut seen: Vec<_> = sees.iter().filter(|(_, lit)| Self::get(&values, *lit)).map(|(id, _)| *id).collect();
        seen.sort_unstable();
        seen
    }

    fn goals(&self, state: &State, role: RoleId) -> Vec<i64> {
        let values = self.values(state, None);
        let goals = &self.ground.goals[role.0 as usize];
        goals.iter().filter(|(_, lit)| Self::get(&values, *lit)).map(|(goal, _)| *goal).collect()
    }

    fn fluent_name(&self, fluent: FluentId) -> String {
        let name = &self.fluents[fluent.0 as usize];
        if name.contains(' ') { format!("({name})") } else { name.clone() }
    }

    fn move_name(&self, role: RoleId, mv: MoveId) -> String {
        self.moves[role.0 as usize].get(mv.0 as usize).cloned().unwrap_or_else(|| format!("move{}", mv.0))
    }

    fn percept_name(&self, _role: RoleId, percept: PerceptId) -> String {
        self.percepts[percept.0 as usize].clone()
    }

    fn find_move(&self, role: RoleId, name: &str) -> Option<MoveId> {
        self.moves[role.0 as usize].iter().position(|known| known == name).map(|index| MoveId(index as u32))
    }

    fn find_percept(&self, _role: RoleId, name: &str) -> Option<PerceptId> {
        self.percepts.iter().position(|known| known == name).map(|index| PerceptId(index as u32))
    }

    fn find_fluent(&self, name: &str) -> Option<FluentId> {
        let name = name.trim_start_matches('(').trim_end_matches(')');
        self.fluents.iter().position(|known| known == name).map(|index| FluentId(index as u32))
    }

    fn fluent_count(&self) -> usize {
        self.fluents.len()
    }

    fn register_names(&self) -> Vec<String> {
        Vec::new()
    }

    fn ground(&self, _scope: &Scope<'_>) -> Result<Arc<Ground>, TooLarge> {
        Ok(self.ground.clone())
    }
}

/// Builds a game by names.
pub struct Builder {
    pub circuit: Circuit,
    pub roles: Vec<Role>,
    ground: Ground,
    initial: Vec<FluentId>,
    fluents: Vec<String>,
    moves: Vec<Vec<String>>,
    percepts: Vec<String>,
}

impl Builder {
    pub fn new(roles: &[&str]) -> Builder {
        let empty = roles.iter().map(|_| vec![]).collect::<Vec<_>>();
        Builder {
            circuit: Circuit::new(),
            roles: roles.iter().map(|name| Role { name: name.to_string(), is_chance: *name == "random" }).collect(),
            ground: Ground {
                moves: roles.iter().map(|_| vec![]).collect(),
                sees: roles.iter().map(|_| vec![]).collect(),
                goals: roles.iter().map(|_| vec![]).collect(),
                ..Ground::default()
            },
            initial: vec![],
            fluents: vec![],
            moves: empty,
            percepts: vec![],
        }
    }

    fn fluent_id(&mut self, name: &str) -> FluentId {
        let index = self.fluents.iter().position(|known| known == name).unwrap_or_else(|| {
            self.fluents.push(name.to_string());
            self.fluents.len() - 1
        });
        FluentId(index as u32)
    }

    pub fn is(&mut self, name: &str) -> Lit {
        let id = self.fluent_id(name);
        self.circuit.fluent(id)
    }

    pub fn init(&mut self, name: &str) {
        let id = self.fluent_id(name);
        self.initial.push(id);
    }

    fn move_id(&mut self, role: usize, name: &str) -> MoveId {
        let moves = &mut self.moves[role];
        let index = moves.iter().position(|known| known == name).unwrap_or_else(|| {
            moves.push(name.to_string());
            moves.len() - 1
        });
        MoveId(index as u32)
    }

    pub fn does(&mut self, role: usize, name: &str) -> Lit {
        let id = self.move_id(role, name);
        self.circuit.does(RoleId(role as u16), id)
    }

    pub fn legal(&mut self, role: usize, name: &str, gate: Lit) {
        let id = self.move_id(role, name);
        self.ground.moves[role].push((id, gate));
    }

    pub fn sees(&mut self, role: usize, name: &str, gate: Lit) {
        let index = self.percepts.iter().position(|known| known == name).unwrap_or_else(|| {
            self.percepts.push(name.to_string());
            self.percepts.len() - 1
        });
        self.ground.sees[role].push((PerceptId(index as u32), gate));
    }

    pub fn next(&mut self, name: &str, gate: Lit) {
        let id = self.fluent_id(name);
        self.ground.next.push((id, gate));
    }

    pub fn goal(&mut self, role: usize, value: i64, gate: Lit) {
        self.ground.goals[role].push((value, gate));
    }

    pub fn terminal(&mut self, gate: Lit) {
        self.ground.terminal = gate;
    }

    pub fn and(&mut self, lits: &[Lit]) -> Lit {
        self.circuit.and(lits.iter().copied())
    }

    pub fn or(&mut self, lits: &[Lit]) -> Lit {
        self.circuit.or(lits.iter().copied())
    }

    pub fn game(mut self) -> Game {
        self.ground.circuit = self.circuit;
        let mut initial = State::new(self.fluents.len(), 0);
        self.initial.iter().for_each(|&fluent| initial.set(fluent, true));
        let rules = CircuitGame {
            ground: Arc::new(self.ground),
            initial,
            fluents: self.fluents,
            moves: self.moves,
            percepts: self.percepts,
        };
        Game { roles: self.roles, rules: Arc::new(rules), knows_own_moves: true, is_sequential: false }
    }
}

/// Every view of every role but chance that some match of at most `rounds` rounds gives.
pub fn reachable_views(game: &Game, rounds: usize) -> std::collections::BTreeSet<(RoleId, percept_infoset::View)> {
    let mut views = std::collections::BTreeSet::new();
    let mut matches: Vec<Vec<percept_game::JointMove>> = vec![vec![]];
    while let Some(moves) = matches.pop() {
        for role in game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance) {
            views.insert((role, percept_infoset::View::of_match(game, role, &moves).unwrap()));
        }
        let state = percept_infoset::play(game, &moves).unwrap().pop().unwrap();
        if moves.len() == rounds || game.rules.terminal(&state) {
            continue;
        }
        let mut joints = vec![vec![]];
        for role in game.role_ids() {
            let legal = game.rules.legal(&state, role);
            joints = joints
                .iter()
                .flat_map(|joint: &Vec<MoveId>| {
                    legal.iter().map(|&mv| [joint.as_slice(), &[mv]].concat()).collect::<Vec<_>>()
                })
                .collect();
        }
        matches.extend(joints.into_iter().map(|joint| [moves.as_slice(), &[joint]].concat()));
    }
    views
}
