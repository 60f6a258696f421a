//! The states and rounds of a game as a naive reader computes them, within a budget.

use std::collections::{BTreeSet, HashMap};

use crate::gdl::Refusal;

/// One round.
pub struct Step {
    pub next: BTreeSet<String>,
    /// The percepts of each role, in the order in which lists are compared.
    pub percepts: Vec<Vec<String>>,
}

/// A naive reader of one game. A state is the set of its facts, in words.
pub trait Oracle {
    fn roles(&self) -> Vec<String>;
    fn is_chance(&self, role: &str) -> bool;
    /// True if a role knows its own moves without a percept.
    fn knows_own_moves(&self) -> bool;
    fn initial(&self) -> BTreeSet<String>;
    fn terminal(&self, state: &BTreeSet<String>) -> Result<bool, Refusal>;
    fn legal(&self, state: &BTreeSet<String>, role: &str) -> Result<Vec<String>, Refusal>;
    fn goals(&self, state: &BTreeSet<String>, role: &str) -> Result<Vec<i64>, Refusal>;
    fn step(&self, state: &BTreeSet<String>, joint: &[String]) -> Result<Step, Refusal>;
}

/// The data of a state.
pub struct Node {
    pub facts: BTreeSet<String>,
    pub terminal: bool,
    /// The legal moves of each role.
    pub legal: Vec<Vec<String>>,
    /// The goals of each role.
    pub goals: Vec<Vec<i64>>,
    /// The rounds; empty if the match is over, a role has no move, or the state was not expanded.
    pub rounds: Vec<Round>,
    /// True if all its rounds are present.
    pub is_expanded: bool,
}

/// A joint move with its results.
pub struct Round {
    pub joint: Vec<String>,
    pub to: usize,
    pub percepts: Vec<Vec<String>>,
    /// For each role a number for its observation, which includes its own move if it knows that.
    pub tokens: Vec<u32>,
}

pub struct Graph {
    pub roles: Vec<String>,
    pub chance: Vec<bool>,
    pub knows_own_moves: bool,
    /// The states in the order of a breadth-first search; the first is the initial one.
    pub nodes: Vec<Node>,
    /// True if every reachable state is present.
    pub is_complete: bool,
}

/// The limits of the exploration.
#[derive(Clone, Copy)]
pub struct Budget {
    pub states: usize,
    pub rounds: usize,
}

impl Graph {
    /// Plays all matches, the shortest first, within the budget.
    ///
    /// # Errors
    /// The rules have no meaning in some state, or one that is too large.
    pub fn explore(oracle: &impl Oracle, budget: Budget) -> Result<Graph, Refusal> {
        let roles = oracle.roles();
        let chance = roles.iter().map(|role| oracle.is_chance(role)).collect();
        let mut graph =
            Graph { roles, chance, knows_own_moves: oracle.knows_own_moves(), nodes: Vec::new(), is_complete: true };
        let mut places: HashMap<BTreeSet<String>, usize> = HashMap::new();
        let mut tokens: HashMap<(Option<String>, Vec<String>), u32> = HashMap::new();
        let first = oracle.initial();
        places.insert(first.clone(), 0);
        graph.nodes.push(graph.look(oracle, first)?);
        let (mut at, mut count) = (0, 0);
        while at < graph.nodes.len() {
            let node = &graph.nodes[at];
            let joints = if node.terminal { Vec::new() } else { product(&node.legal) };
            count += joints.len();
            if graph.nodes.len() > budget.states || count > budget.rounds {
                graph.is_complete = false;
                break;
            }
            let facts = node.facts.clone();
            let mut rounds = Vec::with_capacity(joints.len());
            for joint in joints {
                let step = oracle.step(&facts, &joint)?;
                let to = match places.get(&step.next) {
                    Some(&old) => old,
                    None => {
                        places.insert(step.next.clone(), graph.nodes.len());
                        graph.nodes.push(graph.look(oracle, step.next)?);
                        graph.nodes.len() - 1
                    }
                };
                let mut learns = |role: usize| {
                    let own = graph.knows_own_moves.then(|| joint[role].clone());
                    let next = tokens.len() as u32;
                    *tokens.entry((own, step.percepts[role].clone())).or_insert(next)
                };
                let tokens = (0..joint.len()).map(&mut learns).collect();
                rounds.push(Round { joint, to, percepts: step.percepts, tokens });
            }
            graph.nodes[at].rounds = rounds;
            graph.nodes[at].is_expanded = true;
            at += 1;
        }
        Ok(graph)
    }

    fn look(&self, oracle: &impl Oracle, facts: BTreeSet<String>) -> Result<Node, Refusal> {
        let legal: Result<Vec<_>, Refusal> = self.roles.iter().map(|role| oracle.legal(&facts, role)).collect();
        let goals: Result<Vec<_>, Refusal> = self.roles.iter().map(|role| oracle.goals(&facts, role)).collect();
        let terminal = oracle.terminal(&facts)?;
        Ok(Node { terminal, legal: legal?, goals: goals?, facts, rounds: Vec::new(), is_expanded: false })
    }

    /// The roles other than chance.
    pub fn players(&self) -> Vec<usize> {
        (0..self.roles.len()).filter(|&role| !self.chance[role]).collect()
    }
}

/// The Cartesian product of the lists.
fn product(lists: &[Vec<String>]) -> Vec<Vec<String>> {
    lists.iter().fold(vec![Vec::new()], |all, list| {
        all.iter().flat_map(|before| list.iter().map(|one| [&before[..], std::slice::from_ref(one)].concat())).collect()
    })
}
