//! Games for tests, given directly as the circuit of a round and played by evaluating it, with no engine.

use std::sync::Arc;

use percept_game::{
    Cursor, FluentId, Game, Ground, MoveId, Names, PerceptId, Play, Role, RoleId, Rules, Scope, State, Structure, Term,
    TooLarge,
    circuit::{Circuit, Lit, Node},
};

pub mod both;
pub mod games;
pub mod random_game;
pub mod side_by_side;

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

    fn at<'a>(&'a self, state: &State) -> Box<dyn Cursor + 'a> {
        Box::new(At { game: self, state: state.clone() })
    }
}

struct At<'a> {
    game: &'a CircuitGame,
    state: State,
}

impl At<'_> {
    fn holding<K: Copy>(&self, joint: Option<&[MoveId]>, gates: &[(K, Lit)]) -> Vec<K> {
        let values = self.game.values(&self.state, joint);
        gates.iter().filter(|(_, lit)| CircuitGame::get(&values, *lit)).map(|(key, _)| *key).collect()
    }
}

impl Cursor for At<'_> {
    fn state(&self) -> &State {
        &self.state
    }

    fn go(&mut self, state: &State) {
        self.state = state.clone();
    }

    fn is_terminal(&mut self) -> bool {
        !self.holding(None, &[((), self.game.ground.terminal)]).is_empty()
    }

    fn legal_into(&mut self, role: RoleId, moves: &mut Vec<MoveId>) {
        moves.extend(self.holding(None, &self.game.ground.moves[role.0 as usize]));
    }

    fn next(&mut self, joint: &[MoveId]) -> State {
        let mut next = State::new(self.game.fluents.len(), 0);
        self.holding(Some(joint), &self.game.ground.next).into_iter().for_each(|fluent| next.set(fluent, true));
        next
    }

    fn percepts(&mut self, joint: &[MoveId], role: RoleId) -> Vec<PerceptId> {
        let mut seen = self.holding(Some(joint), &self.game.ground.sees[role.0 as usize]);
        seen.sort_unstable();
        seen
    }

    fn goals(&mut self, role: RoleId) -> Vec<i64> {
        self.holding(None, &self.game.ground.goals[role.0 as usize])
    }

    fn fact(&mut self, atom: &Term) -> Option<bool> {
        self.game.fluent_named(atom).map(|fluent| self.state.has(fluent))
    }
}

impl Names for CircuitGame {
    fn fluent_term(&self, fluent: FluentId) -> Term {
        let name = &self.fluents[fluent.0 as usize];
        let name = if name.contains(' ') { format!("({name})") } else { name.clone() };
        name.parse().expect("a name")
    }

    fn move_term(&self, role: RoleId, mv: MoveId) -> Term {
        self.moves[role.0 as usize].get(mv.0 as usize).map_or_else(|| Term::word(format!("move{}", mv.0)), Term::word)
    }

    fn percept_term(&self, _role: RoleId, percept: PerceptId) -> Term {
        Term::word(&self.percepts[percept.0 as usize])
    }

    fn move_named(&self, role: RoleId, name: &Term) -> Option<MoveId> {
        self.moves[role.0 as usize]
            .iter()
            .position(|other| *other == name.words().join(" "))
            .map(|index| MoveId(index as u32))
    }

    fn percept_named(&self, _role: RoleId, name: &Term) -> Option<PerceptId> {
        self.percepts.iter().position(|other| *other == name.words().join(" ")).map(|index| PerceptId(index as u32))
    }

    fn fluent_named(&self, name: &Term) -> Option<FluentId> {
        let name = name.words().join(" ");
        self.fluents.iter().position(|other| *other == name).map(|index| FluentId(index as u32))
    }

    fn fluent_count(&self) -> usize {
        self.fluents.len()
    }
}

impl Play for CircuitGame {}

impl Structure for CircuitGame {
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
        let index = self.fluents.iter().position(|other| other == name).unwrap_or_else(|| {
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
        let index = moves.iter().position(|other| other == name).unwrap_or_else(|| {
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
        let index = self.percepts.iter().position(|other| other == name).unwrap_or_else(|| {
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
        Game {
            roles: self.roles,
            rules: Arc::new(rules),
            knows_own_moves: true,
            is_sequential: false,
            written: Default::default(),
        }
    }
}

/// All views of every role but chance in matches of at most `rounds` rounds.
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
