//! The visited part of a game's tree, in single decisions. What a node answers is computed once, and nodes are shared by
//! all states that pass through them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, Weak};

use percept_game::{Cursor, JointMove, PerceptId, RoleId};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyString};

use crate::border::{error, plain, too_large};
use crate::objects::{Inner, State, name_of};

/// The numbers of OpenSpiel for who moves.
pub const CHANCE: i64 = -1;
const SIMULTANEOUS: i64 = -2;
const TERMINAL: i64 = -4;

/// The nodes that a game keeps, even if no state is there. A node takes about a kilobyte.
const KEPT: usize = 1 << 16;

/// A game in single decisions.
pub struct Tree {
    pub inner: Arc<Inner>,
    pub max_rounds: usize,
    pub simultaneous: bool,
    /// A goal of `zero` is 0, and a goal of `zero + unit` is 1.
    pub zero: f64,
    pub unit: f64,
    /// The goal of a role to which the rules give none.
    pub least: i64,
    /// Chance first, then the players.
    order: Vec<RoleId>,
    pub players: Vec<RoleId>,
    kept: Mutex<Vec<Arc<Node>>>,
}

/// The beginning of a round.
pub struct Round {
    state: percept_game::State,
    pub number: usize,
    pub terminal: bool,
    /// The numbers of the legal moves of each role, in ascending order; empty at the end.
    pub legal: Vec<Vec<usize>>,
    before: Option<(Arc<Round>, JointMove, Vec<Vec<PerceptId>>)>,
    /// The view of each player as text.
    texts: Vec<OnceLock<String>>,
}

/// The step that leads to a node.
#[derive(Clone)]
pub enum Step {
    /// A player (or chance), and the number of its move.
    One(i64, usize),
    /// The move of each player.
    All(Vec<usize>),
}

/// A place at which a role decides, or an end.
pub struct Node {
    pub round: Arc<Round>,
    /// The moves of this round so far by role, those without a choice included.
    pub chosen: Vec<Option<usize>>,
    /// The roles that will choose in this round, in this order.
    pub waiting: Vec<RoleId>,
    /// The player who moves, as OpenSpiel numbers it.
    pub player: i64,
    pub before: Option<(Arc<Node>, Step)>,
    /// For each legal move of the first waiting role, the node after it.
    children: Vec<Mutex<Weak<Node>>>,
    /// The nodes after simultaneous moves.
    joints: Mutex<HashMap<Vec<usize>, Weak<Node>>>,
    legal: PyOnceLock<Py<PyList>>,
    outcomes: PyOnceLock<Py<PyList>>,
    returns: PyOnceLock<Py<PyList>>,
    /// The knowledge of each player as text.
    knowledge: Vec<PyOnceLock<Py<PyString>>>,
}

impl Tree {
    pub fn new(inner: Arc<Inner>, max_rounds: usize, simultaneous: bool, [zero, unit]: [f64; 2], least: i64) -> Tree {
        let is_chance = |role: &RoleId| inner.game.roles[role.0 as usize].is_chance;
        let (chance, players): (Vec<RoleId>, Vec<RoleId>) = inner.game.role_ids().partition(is_chance);
        let order = chance.into_iter().chain(players.iter().copied()).collect();
        let kept = Mutex::default();
        Tree { max_rounds, simultaneous, zero, unit, least, order, players, kept, inner }
    }

    /// The place before the first decision.
    pub fn root(&self, py: Python<'_>) -> PyResult<Arc<Node>> {
        if let Some(root) = self.kept.lock().expect("no panic while nodes are kept").first() {
            return Ok(root.clone());
        }
        let round = self.round(py, &mut *self.inner.game.start(), None)?;
        Ok(self.keep(self.begin(py, round, None)?))
    }

    /// The place after a move of the role that is next, by the number of the move.
    pub fn child(&self, py: Python<'_>, node: &Arc<Node>, action: i64) -> PyResult<Arc<Node>> {
        let Some(&role) = node.waiting.first() else { return Err(self.illegal(py, node, None, action)) };
        let legal = &node.round.legal[role.0 as usize];
        let at = usize::try_from(action).ok().and_then(|action| legal.binary_search(&action).ok());
        let Some(at) = at else { return Err(self.illegal(py, node, Some(role), action)) };
        if let Some(child) = node.children[at].lock().expect("no panic while a child is read").upgrade() {
            return Ok(child);
        }
        let player = if node.player == SIMULTANEOUS { self.number(role) } else { node.player };
        let child = self.choose(py, node, &[(role, legal[at])], Step::One(player, legal[at]))?;
        *node.children[at].lock().expect("no panic while a child is read") = Arc::downgrade(&child);
        Ok(child)
    }

    /// The place after simultaneous moves, one for each player.
    pub fn joint_child(&self, py: Python<'_>, node: &Arc<Node>, actions: &[i64]) -> PyResult<Arc<Node>> {
        let mut moves = Vec::new();
        if actions.len() != self.players.len() {
            return Err(plain(py, format!("{} players move, not {}", self.players.len(), actions.len())));
        }
        for (&role, &action) in self.players.iter().zip(actions) {
            let legal = node.round.legal.get(role.0 as usize).map(Vec::as_slice).unwrap_or_default();
            match usize::try_from(action) {
                Ok(number) if legal.contains(&number) => moves.push((role, number)),
                _ => return Err(self.illegal(py, node, Some(role), action)),
            }
        }
        let numbers: Vec<usize> = moves.iter().map(|it| it.1).collect();
        let child = node.joints.lock().expect("no panic while a child is read").get(&numbers).and_then(Weak::upgrade);
        if let Some(child) = child {
            return Ok(child);
        }
        let child = self.choose(py, node, &moves, Step::All(numbers.clone()))?;
        node.joints.lock().expect("no panic while a child is read").insert(numbers, Arc::downgrade(&child));
        Ok(child)
    }

    fn choose(&self, py: Python<'_>, node: &Arc<Node>, moves: &[(RoleId, usize)], step: Step) -> PyResult<Arc<Node>> {
        let mut chosen = node.chosen.clone();
        for &(role, number) in moves {
            chosen[role.0 as usize] = Some(number);
        }
        let waiting: Vec<RoleId> =
            node.waiting.iter().copied().filter(|role| moves.iter().all(|(moved, _)| moved != role)).collect();
        let before = Some((node.clone(), step));
        let made = if waiting.is_empty() {
            let next = self.after(py, &node.round, &chosen)?;
            self.begin(py, next, before)?
        } else {
            self.node(node.round.clone(), chosen, waiting, before)
        };
        Ok(self.keep(made))
    }

    /// The next round in which a role has a choice, or the end.
    fn begin(&self, py: Python<'_>, mut round: Arc<Round>, before: Option<(Arc<Node>, Step)>) -> PyResult<Node> {
        while !self.is_end(&round) {
            if let Some(stuck) = round.legal.iter().position(Vec::is_empty) {
                let name = &self.inner.game.roles[stuck].name;
                return Err(plain(py, format!("{name} has no legal move after round {}", round.number)));
            }
            let chosen: Vec<Option<usize>> =
                round.legal.iter().map(|legal| if let [only] = legal[..] { Some(only) } else { None }).collect();
            let waiting: Vec<RoleId> =
                self.order.iter().copied().filter(|role| chosen[role.0 as usize].is_none()).collect();
            if !waiting.is_empty() {
                return Ok(self.node(round, chosen, waiting, before));
            }
            round = self.after(py, &round, &chosen)?;
        }
        Ok(self.node(round, vec![None; self.order.len()], Vec::new(), before))
    }

    fn after(&self, py: Python<'_>, round: &Arc<Round>, chosen: &[Option<usize>]) -> PyResult<Arc<Round>> {
        let (game, numbers) = (&self.inner.game, &self.spaces(py)?.numbers);
        let moved = |(role, number): (RoleId, &Option<usize>)| numbers.moves[role.0 as usize][number.unwrap_or(0)];
        let joint: JointMove = game.role_ids().zip(chosen).map(moved).collect();
        let mut at = game.at(&round.state);
        let seen = game.role_ids().map(|role| at.percepts(&joint, role)).collect();
        at.step(&joint);
        self.round(py, &mut *at, Some((round.clone(), joint, seen)))
    }

    fn round(
        &self,
        py: Python<'_>,
        at: &mut dyn Cursor,
        before: Option<(Arc<Round>, JointMove, Vec<Vec<PerceptId>>)>,
    ) -> PyResult<Arc<Round>> {
        let (game, numbers) = (&self.inner.game, &self.spaces(py)?.numbers);
        let terminal = at.is_terminal();
        let of = |role| {
            let legal = if terminal { Vec::new() } else { at.legal(role) };
            let mut legal: Vec<usize> = legal.into_iter().filter_map(|mv| numbers.of_move(role, mv)).collect();
            legal.sort_unstable();
            legal
        };
        let legal = game.role_ids().map(of).collect();
        crate::objects::sound(py, game)?;
        let number = before.as_ref().map_or(0, |(round, ..)| round.number + 1);
        let texts = self.players.iter().map(|_| OnceLock::new()).collect();
        Ok(Arc::new(Round { state: at.state().clone(), number, terminal, legal, before, texts }))
    }

    fn spaces(&self, py: Python<'_>) -> PyResult<&crate::spaces::Spaces> {
        self.inner.spaces().map_err(|why| too_large(py, why))
    }

    fn is_end(&self, round: &Round) -> bool {
        round.terminal || round.number >= self.max_rounds
    }

    fn node(
        &self,
        round: Arc<Round>,
        chosen: Vec<Option<usize>>,
        waiting: Vec<RoleId>,
        before: Option<(Arc<Node>, Step)>,
    ) -> Node {
        let player = match waiting[..] {
            [] => TERMINAL,
            [first, ..] if self.inner.game.roles[first.0 as usize].is_chance => CHANCE,
            [_, _, ..] if self.simultaneous => SIMULTANEOUS,
            [first, ..] => self.number(first),
        };
        let children = waiting.first().map_or(0, |role| round.legal[role.0 as usize].len());
        Node {
            round,
            chosen,
            waiting,
            player,
            before,
            children: (0..children).map(|_| Mutex::default()).collect(),
            joints: Mutex::default(),
            legal: PyOnceLock::new(),
            outcomes: PyOnceLock::new(),
            returns: PyOnceLock::new(),
            knowledge: self.players.iter().map(|_| PyOnceLock::new()).collect(),
        }
    }

    /// The number of a player in OpenSpiel.
    fn number(&self, role: RoleId) -> i64 {
        self.players.iter().position(|&it| it == role).map_or(CHANCE, |at| at as i64)
    }

    fn keep(&self, node: Node) -> Arc<Node> {
        let node = Arc::new(node);
        let mut kept = self.kept.lock().expect("no panic while nodes are kept");
        if kept.len() < KEPT {
            kept.push(node.clone());
        }
        node
    }

    fn illegal(&self, py: Python<'_>, node: &Node, role: Option<RoleId>, action: i64) -> PyErr {
        let round = node.round.number + 1;
        let (Some(role), Some(spaces)) = (role, self.inner.spaces().ok()) else {
            return error(py, "IllegalMoveError", (format!("round {round}: the match is over"),));
        };
        let game = &self.inner.game;
        let named = |number: usize| {
            spaces.numbers.moves[role.0 as usize].get(number).map(|&mv| name_of(game, role, mv)).unwrap_or_default()
        };
        let legal: Vec<String> = node.round.legal[role.0 as usize].iter().map(|&number| named(number)).collect();
        let name = &game.roles[role.0 as usize].name;
        let message = format!("round {round}: {action} is not the number of a legal move of {name}");
        error(py, "IllegalMoveError", (message, name, action.to_string(), legal, round))
    }
}

impl Round {
    /// The view of a player as [`crate::objects::View`] writes it; each round adds to the text of the one before.
    fn text(&self, tree: &Tree, at: usize) -> &str {
        let (game, role) = (&tree.inner.game, tree.players[at]);
        let mut unwritten = Vec::new();
        let mut round = self;
        while round.texts[at].get().is_none() {
            unwritten.push(round);
            let Some((before, ..)) = &round.before else { break };
            round = before;
        }
        for round in unwritten.into_iter().rev() {
            let text = match &round.before {
                None => format!("{}: ", game.roles[role.0 as usize].name),
                Some((before, joint, seen)) => {
                    let own = game.own_move(role, joint).map_or("-".to_string(), |mv| name_of(game, role, mv));
                    let seen = seen[role.0 as usize].iter().map(|&it| game.rules.percept_name(role, it));
                    let gap = if before.before.is_some() { " " } else { "" };
                    format!("{}{gap}({own} ({}))", before.text(tree, at), seen.collect::<Vec<_>>().join(" "))
                }
            };
            // Another thread may have written it meanwhile.
            let _ = round.texts[at].set(text);
        }
        self.texts[at].get().map_or("", String::as_str)
    }
}

impl Node {
    /// The legal moves of the player who moves, or the outcomes of chance; `None` at simultaneous nodes.
    pub fn legal<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyList>>> {
        if self.player == SIMULTANEOUS {
            return Ok(None);
        }
        let list = self.legal.get_or_try_init(py, || {
            let legal = self.waiting.first().map(|role| &self.round.legal[role.0 as usize][..]).unwrap_or_default();
            PyResult::Ok(PyList::new(py, legal)?.unbind())
        })?;
        Ok(Some(copied(list.bind(py))))
    }

    /// The legal moves of one player, if it has to move here.
    pub fn legal_of(&self, tree: &Tree, player: i64) -> &[usize] {
        let role = usize::try_from(player).ok().and_then(|at| tree.players.get(at));
        let Some(role) = role.filter(|_| player == self.player || self.player == SIMULTANEOUS) else { return &[] };
        &self.round.legal[role.0 as usize]
    }

    /// The outcomes of chance with their probabilities.
    pub fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = self.outcomes.get_or_try_init(py, || {
            let legal = self.waiting.first().map(|role| &self.round.legal[role.0 as usize][..]).unwrap_or_default();
            let even = 1.0 / legal.len().max(1) as f64;
            PyResult::Ok(PyList::new(py, legal.iter().map(|&number| (number, even)))?.unbind())
        })?;
        Ok(copied(list.bind(py)))
    }

    /// The return of each player; 0 before the end.
    pub fn returns<'py>(&self, py: Python<'py>, tree: &Tree) -> PyResult<Bound<'py, PyList>> {
        let list = self.returns.get_or_try_init(py, || {
            let rules = &tree.inner.game.rules;
            let worth = |&role: &RoleId| match rules.goals(&self.round.state, role)[..] {
                _ if self.player != TERMINAL => 0.0,
                [goal] => (goal as f64 - tree.zero) / tree.unit,
                // A match that was cut off, or for which the rules give no goal, has the least value.
                _ => (tree.least as f64 - tree.zero) / tree.unit,
            };
            PyResult::Ok(PyList::new(py, tree.players.iter().map(worth))?.unbind())
        })?;
        Ok(copied(list.bind(py)))
    }

    /// The knowledge of a player as text: equal for exactly the places that it cannot distinguish.
    pub fn knowledge<'py>(&self, py: Python<'py>, tree: &Tree, player: i64) -> PyResult<Bound<'py, PyString>> {
        let at = usize::try_from(player).ok().filter(|&at| at < tree.players.len());
        let Some(at) = at else { return Err(plain(py, format!("{player} is not the number of a player"))) };
        let text = self.knowledge[at].get_or_try_init(py, || {
            let role = tree.players[at];
            let mut text = self.round.text(tree, at).to_string();
            let number = self.chosen[role.0 as usize].filter(|_| self.player != TERMINAL);
            if let Some(number) = number.filter(|_| self.round.legal[role.0 as usize].len() > 1) {
                let mv = tree.spaces(py)?.numbers.moves[role.0 as usize][number];
                text += &format!(" now {}", name_of(&tree.inner.game, role, mv));
            }
            PyResult::Ok(PyString::new(py, &text).unbind())
        })?;
        Ok(text.bind(py).clone())
    }

    /// The state at the beginning of the round.
    pub fn state(&self, tree: &Tree) -> State {
        let (mut moves, mut percepts) = (Vec::new(), Vec::new());
        let mut round = &self.round;
        while let Some((before, joint, seen)) = &round.before {
            moves.push(joint.clone());
            percepts.push(seen.clone());
            round = before;
        }
        moves.reverse();
        percepts.reverse();
        let inner = tree.inner.clone();
        State { inner, state: self.round.state.clone(), moves, percepts, terminal: self.round.terminal }
    }

    /// The steps from the root to this node.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut before = &self.before;
        while let Some((node, step)) = before {
            steps.push(step.clone());
            before = &node.before;
        }
        steps.reverse();
        steps
    }
}

/// A list that the caller may change.
fn copied<'py>(list: &Bound<'py, PyList>) -> Bound<'py, PyList> {
    list.get_slice(0, list.len())
}
