//! The knowledge of roles, by brute force: all histories, grouped by the views of each role; and all pairs of states in
//! which two indistinguishable histories can end.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::graph::Graph;

/// The properties that a role has to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Property {
    Legal,
    Terminal,
    Goal,
    /// The role's move in the last round, which is not part of any state.
    Own,
}

pub const PROPERTIES: [Property; 4] = [Property::Legal, Property::Terminal, Property::Goal, Property::Own];

impl Graph {
    /// The property in a state, written out; `None` if it does not apply.
    pub fn value(&self, node: usize, role: usize, property: Property) -> Option<String> {
        let node = &self.nodes[node];
        match property {
            Property::Terminal => Some(node.terminal.to_string()),
            Property::Legal => (!node.terminal).then(|| node.legal[role].join(" ")),
            Property::Goal => node.terminal.then(|| format!("{:?}", node.goals[role])),
            Property::Own => None,
        }
    }
}

/// A prefix of a match.
pub struct History {
    /// The history without its last round, and the index of that round in its last state.
    pub parent: Option<(usize, usize)>,
    pub length: usize,
    /// The state at its end.
    pub node: usize,
    /// For each role, the number of this view among all views of the role.
    pub views: Vec<usize>,
}

/// All histories up to a number of rounds.
pub struct Histories<'g> {
    pub graph: &'g Graph,
    pub all: Vec<History>,
    /// The number of rounds up to which no history is missing.
    pub depth: usize,
    /// True if no longer histories exist.
    pub is_complete: bool,
    /// The histories of each view of each role.
    pub alike: Vec<Vec<Vec<usize>>>,
}

impl<'g> Histories<'g> {
    /// Histories of up to `depth` rounds, fewer if there would be more than `most`.
    pub fn new(graph: &'g Graph, depth: usize, most: usize) -> Histories<'g> {
        let roles = graph.roles.len();
        let first = History { parent: None, length: 0, node: 0, views: vec![0; roles] };
        let mut histories =
            Histories { graph, all: vec![first], depth: 0, is_complete: false, alike: vec![vec![vec![0]]; roles] };
        let mut places: Vec<HashMap<(usize, u32), usize>> = vec![HashMap::new(); roles];
        let mut layer = 0..1;
        while histories.depth < depth {
            let rounds = |at: usize| &graph.nodes[histories.all[at].node].rounds;
            let count: usize = layer.clone().map(|at| rounds(at).len()).sum();
            let holds = layer.clone().all(|at| {
                let node = &graph.nodes[histories.all[at].node];
                node.is_expanded || node.terminal
            });
            if !holds || histories.all.len() + count > most {
                return histories;
            }
            if count == 0 {
                histories.is_complete = true;
                return histories;
            }
            let start = histories.all.len();
            for parent in layer {
                for (index, round) in graph.nodes[histories.all[parent].node].rounds.iter().enumerate() {
                    let views: Vec<usize> = (0..roles)
                        .map(|role| {
                            let next = histories.alike[role].len();
                            let key = (histories.all[parent].views[role], round.tokens[role]);
                            let view = *places[role].entry(key).or_insert(next);
                            if view == next {
                                histories.alike[role].push(Vec::new());
                            }
                            histories.alike[role][view].push(histories.all.len());
                            view
                        })
                        .collect();
                    let length = histories.depth + 1;
                    histories.all.push(History { parent: Some((parent, index)), length, node: round.to, views });
                }
            }
            layer = start..histories.all.len();
            histories.depth += 1;
        }
        // Looks one round further: perhaps no match continues from here.
        let ends = |at: usize| {
            let node = &graph.nodes[histories.all[at].node];
            node.terminal || (node.is_expanded && node.rounds.is_empty())
        };
        histories.is_complete = layer.into_iter().all(ends);
        histories
    }

    /// The joint moves of a history, in words.
    pub fn moves(&self, mut at: usize) -> Vec<Vec<String>> {
        let mut moves = Vec::new();
        while let Some((parent, round)) = self.all[at].parent {
            moves.push(self.graph.nodes[self.all[parent].node].rounds[round].joint.clone());
            at = parent;
        }
        moves.reverse();
        moves
    }

    /// The prefixes of a history, from the empty one to the history itself.
    pub fn beginnings(&self, mut at: usize) -> Vec<usize> {
        let mut all = vec![at];
        while let Some((parent, _)) = self.all[at].parent {
            all.push(parent);
            at = parent;
        }
        all.reverse();
        all
    }

    /// The probability of a history for `role` if all others move uniformly; its own moves have probability 1.
    pub fn probability(&self, mut at: usize, role: usize) -> f64 {
        let mut probability = 1.0;
        while let Some((parent, _)) = self.all[at].parent {
            let legal = &self.graph.nodes[self.all[parent].node].legal;
            for (_, moves) in legal.iter().enumerate().filter(|(other, _)| *other != role) {
                probability /= moves.len() as f64;
            }
            at = parent;
        }
        probability
    }

    /// The histories that `role` cannot distinguish from this one.
    pub fn like(&self, at: usize, role: usize) -> &[usize] {
        &self.alike[role][self.all[at].views[role]]
    }

    /// The histories that `role` cannot distinguish from this one. If the end is announced, only those that are over
    /// exactly if this one is.
    fn alike_if(&self, at: usize, role: usize, announced: bool) -> impl Iterator<Item = usize> {
        let is_over = |at: usize| self.graph.nodes[self.all[at].node].terminal;
        let over = is_over(at);
        self.like(at, role).iter().copied().filter(move |&other| !announced || is_over(other) == over)
    }

    /// The number of histories that `role` cannot distinguish from this one; `announced`: given the end of the match.
    pub fn count(&self, at: usize, role: usize, announced: bool) -> usize {
        self.alike_if(at, role, announced).count()
    }

    /// The property after a history, written out; `None` if it does not apply.
    pub fn value(&self, at: usize, role: usize, property: Property) -> Option<String> {
        match property {
            Property::Own => {
                let (parent, round) = self.all[at].parent?;
                Some(self.graph.nodes[self.all[parent].node].rounds[round].joint[role].clone())
            }
            _ => self.graph.value(self.all[at].node, role, property),
        }
    }

    /// True if all histories with this view agree on the property, as far as it applies to them; `announced`: among
    /// those that are over exactly if this one is.
    pub fn is_known(&self, at: usize, role: usize, property: Property, announced: bool) -> bool {
        let like = self.alike_if(at, role, announced);
        let values: BTreeSet<String> = like.filter_map(|other| self.value(other, role, property)).collect();
        values.len() <= 1
    }
}

/// The lengths of the shortest histories that one role cannot distinguish and that differ in a property.
#[derive(Clone, Debug)]
pub struct Shortest {
    /// The length for each property.
    pub found: [Option<usize>; PROPERTIES.len()],
    /// The number of rounds up to which no pair is missing; `None` if no pair is missing at all.
    pub depth: Option<usize>,
}

/// Examines all pairs of states in which two histories of one view can end, at most `most`.
pub fn shortest(graph: &Graph, role: usize, most: usize) -> Shortest {
    let mut seen: HashSet<(usize, usize)> = HashSet::from([(0, 0)]);
    let mut layer = vec![(0, 0)];
    let mut shortest = Shortest { found: [None; PROPERTIES.len()], depth: Some(0) };
    let own = PROPERTIES.len() - 1;
    // The value of each property in each state, as a number.
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let mut number = |node: usize, property: Property| {
        let value = graph.value(node, role, property)?;
        let next = numbers.len();
        Some(*numbers.entry(value).or_insert(next))
    };
    let values: Vec<[Option<usize>; PROPERTIES.len()]> =
        (0..graph.nodes.len()).map(|node| PROPERTIES.map(|property| number(node, property))).collect();
    for depth in 0.. {
        for &(left, right) in &layer {
            for (at, found) in shortest.found.iter_mut().enumerate() {
                let differ = values[left][at].zip(values[right][at]).is_some_and(|(left, right)| left != right);
                if found.is_none() && differ {
                    *found = Some(depth);
                }
            }
        }
        shortest.depth = Some(depth);
        let mut next = Vec::new();
        for &(left, right) in &layer {
            let (left, right) = (&graph.nodes[left], &graph.nodes[right]);
            let is_known = |node: &crate::graph::Node| node.is_expanded || node.terminal;
            if !is_known(left) || !is_known(right) || seen.len() > most {
                return shortest;
            }
            for first in &left.rounds {
                for second in right.rounds.iter().filter(|second| second.tokens[role] == first.tokens[role]) {
                    if first.joint[role] != second.joint[role] {
                        shortest.found[own].get_or_insert(depth + 1);
                    }
                    let pair = (first.to.min(second.to), first.to.max(second.to));
                    if seen.insert(pair) {
                        next.push(pair);
                    }
                }
            }
        }
        if next.is_empty() {
            shortest.depth = None;
            return shortest;
        }
        layer = next;
    }
    shortest
}
