//! Symmetries: other names for a game's roles, fluents and moves under which its rules are the same.
//!
//! The search works on the circuit of a round, so cells, cards and colours are found whatever their names. All nodes
//! get colours, which are refined by the dependencies between them ([`refine`]). Ties are broken by individualising, in
//! two copies side by side, until the colours determine a mapping (`find`; McKay, "Practical graph isomorphism", 1981;
//! Darga, Sakallah and Markov, "Faster symmetry discovery using sparsity of symmetries", 2008). A candidate is accepted
//! only if every gate, renamed, is a gate again and every root is in its place: the search may miss symmetries, but not
//! invent any.

mod find;
mod orbits;
mod refine;
#[cfg(test)]
mod tests;

use orbits::Orbits;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::circuit::{Circuit, Lit, Node};
use crate::{Budget, FluentId, Game, Ground, JointMove, MoveId, RoleId, State};

/// A renaming. The initial state is its own image.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    /// The image of each role.
    roles: Vec<RoleId>,
    fluents: Vec<FluentId>,
    /// The image of each move, by role.
    moves: Vec<Vec<MoveId>>,
    /// The image of each node of the circuit.
    nodes: Vec<u32>,
}

impl Symmetry {
    /// The image of a role.
    pub fn role(&self, role: RoleId) -> RoleId {
        self.roles[role.0 as usize]
    }

    /// The image of a fluent.
    pub fn fluent(&self, fluent: FluentId) -> FluentId {
        self.fluents[fluent.0 as usize]
    }

    /// The image of a move: a move of the role's image.
    pub fn mv(&self, role: RoleId, mv: MoveId) -> MoveId {
        self.moves[role.0 as usize][mv.0 as usize]
    }

    /// The image of a node of the round's circuit: a node of the same circuit.
    pub fn node(&self, node: u32) -> u32 {
        self.nodes[node as usize]
    }

    /// The image of a state.
    pub fn state(&self, state: &State) -> State {
        let mut image = State::new(self.fluents.len(), 0);
        state.fluents().for_each(|fluent| image.set(self.fluent(fluent), true));
        image
    }

    /// The image of a joint move: a role's image makes the image of its move.
    pub fn joint(&self, joint: &[MoveId]) -> JointMove {
        let mut image = vec![MoveId(0); joint.len()];
        for (role, mv) in joint.iter().enumerate() {
            image[self.roles[role].0 as usize] = self.moves[role][mv.0 as usize];
        }
        image
    }

    /// True if every role is its own image.
    fn is_of_things(&self) -> bool {
        self.roles.iter().enumerate().all(|(at, to)| at as u16 == to.0)
    }

    /// The composition: first this one, then the other.
    fn then(&self, other: &Symmetry) -> Symmetry {
        let moves = self.moves.iter().zip(&self.roles).map(|(moves, role)| {
            let others = &other.moves[role.0 as usize];
            moves.iter().map(|mv| others[mv.0 as usize]).collect()
        });
        Symmetry {
            roles: self.roles.iter().map(|role| other.role(*role)).collect(),
            fluents: self.fluents.iter().map(|fluent| other.fluent(*fluent)).collect(),
            moves: moves.collect(),
            nodes: self.nodes.iter().map(|node| other.node(*node)).collect(),
        }
    }
}

/// Generators of the symmetries that were found.
#[derive(Clone, Debug, Default)]
pub struct Symmetries {
    /// The symmetries that fix every role.
    pub of_things: Vec<Symmetry>,
    /// The others.
    pub of_roles: Vec<Symmetry>,
}

impl Symmetries {
    /// Searches the symmetries of a game with this round. None are found in games with numbers, in games in which one
    /// role moves at a time (POGDDL), with recursion that depends on the state, or with a circuit that is too large to
    /// be visited some hundred times. In others, the search ends after a second or two.
    pub fn of(game: &Game, ground: &Ground, budget: &Budget) -> Symmetries {
        let circuit = &ground.circuit;
        let is_plain = circuit.groups().is_empty()
            && circuit.comparisons().is_empty()
            && ground.updates.is_empty()
            && ground.goal_numbers.iter().all(Vec::is_empty)
            && game.rules.initial().registers.is_empty()
            // Moves are numbered from 0: no role waits with a move without a number.
            && !game.is_sequential
            && ground.moves.iter().all(|moves| moves.iter().all(|(mv, _)| *mv != MoveId::NOOP));
        if is_plain { find::find(game, ground, budget) } else { Symmetries::default() }
    }

    /// All symmetries that fix every role, the identity first; if these would be more than `most`, the products of only
    /// some of the generators.
    pub fn elements(&self, most: usize) -> Vec<Symmetry> {
        let Some(first) = self.of_things.first() else { return Vec::new() };
        let identity = Symmetry {
            roles: first.roles.clone(),
            fluents: (0..first.fluents.len() as u32).map(FluentId).collect(),
            moves: first.moves.iter().map(|moves| (0..moves.len() as u32).map(MoveId).collect()).collect(),
            nodes: (0..first.nodes.len() as u32).collect(),
        };
        let mut elements = vec![identity];
        for count in 1..=self.of_things.len() {
            match closure(&elements[..1], &self.of_things[..count], most) {
                Some(more) => elements = more,
                None => break,
            }
        }
        elements
    }

    /// A symmetry that maps one role to another, composed of the ones found; the shortest one.
    pub fn leading(&self, from: RoleId, to: RoleId) -> Option<Symmetry> {
        let mut met: Vec<(RoleId, Symmetry)> = Vec::new();
        let mut next = 0;
        // The roles from which `met` has reached others so far.
        let mut onward: Vec<(RoleId, Symmetry)> =
            self.of_roles.iter().map(|symmetry| (symmetry.role(from), symmetry.clone())).collect();
        loop {
            for (role, symmetry) in onward {
                if role == to {
                    return Some(symmetry);
                }
                if role != from && met.iter().all(|(other, _)| *other != role) {
                    met.push((role, symmetry));
                }
            }
            let (role, so_far) = met.get(next)?;
            onward = self.of_roles.iter().map(|it| (it.role(*role), so_far.then(it))).collect();
            next += 1;
        }
    }

    /// For each fluent, node, or move of one role, the least one that it can be mapped to if every role is fixed. Equal
    /// results are interchangeable.
    pub fn orbits(&self, count: usize, image: impl Fn(&Symmetry, u32) -> u32) -> Vec<u32> {
        let mut orbits = Orbits::new(count);
        for symmetry in &self.of_things {
            (0..count as u32).for_each(|of| orbits.join(of, image(symmetry, of)));
        }
        (0..count as u32).map(|of| orbits.least(of)).collect()
    }
}

/// All products of the generators, unless they are more than `most`.
fn closure(identity: &[Symmetry], generators: &[Symmetry], most: usize) -> Option<Vec<Symmetry>> {
    let mut elements = identity.to_vec();
    let mut set: FxHashSet<Symmetry> = elements.iter().cloned().collect();
    let mut at = 0;
    while at < elements.len() {
        for generator in generators {
            let product = elements[at].then(generator);
            if set.insert(product.clone()) {
                elements.push(product);
            }
            if elements.len() > most {
                return None;
            }
        }
        at += 1;
    }
    Some(elements)
}

/// A candidate for a symmetry.
struct Renaming {
    roles: Vec<RoleId>,
    fluents: Vec<FluentId>,
    moves: Vec<Vec<MoveId>>,
}

/// The data that verifies a candidate.
struct Check<'a> {
    ground: &'a Ground,
    initial: State,
    /// A copy of the round's circuit to which gates are added: a gate that has to be added is not a gate of the round.
    circuit: Circuit,
    leaves: FxHashMap<Node, u32>,
    next: Vec<Lit>,
}

impl<'a> Check<'a> {
    fn new(ground: &'a Ground, initial: State, fluents: usize) -> Check<'a> {
        let circuit = ground.circuit.clone();
        let leaf = |(at, node): (usize, &Node)| match node {
            Node::Fluent(_) | Node::Move(..) => Some((node.clone(), at as u32)),
            _ => None,
        };
        let leaves = circuit.nodes().iter().enumerate().filter_map(leaf).collect();
        let mut next = vec![Lit::FALSE; fluents];
        ground.next.iter().for_each(|&(fluent, gate)| next[fluent.0 as usize] = gate);
        Check { ground, initial, circuit, leaves, next }
    }

    /// The symmetry that this renaming is.
    fn symmetry(&mut self, renaming: Renaming) -> Option<Symmetry> {
        let Renaming { roles, fluents, moves } = renaming;
        let nodes = self.nodes(&roles, &fluents, &moves)?;
        let image = |lit: Lit| Lit::new(nodes[lit.node() as usize], lit.is_negated());
        let ground = self.ground;
        let stay = |(at, fluent): (usize, &FluentId)| {
            self.initial.has(FluentId(at as u32)) == self.initial.has(*fluent)
                && image(self.next[at]) == self.next[fluent.0 as usize]
        };
        let are_right = fluents.iter().enumerate().all(stay) && image(ground.terminal) == ground.terminal;
        let role_is_right = |(at, to): (usize, &RoleId)| {
            let to = to.0 as usize;
            let legal: FxHashMap<MoveId, Lit> = ground.moves[to].iter().copied().collect();
            let moves_are_right =
                ground.moves[at].iter().all(|(mv, gate)| legal.get(&moves[at][mv.0 as usize]) == Some(&image(*gate)));
            let percepts = |role: usize, image: &dyn Fn(Lit) -> Lit| {
                let mut gates: Vec<Lit> = ground.sees[role].iter().map(|(_, gate)| image(*gate)).collect();
                gates.sort_unstable();
                gates
            };
            let goals = |role: usize, image: &dyn Fn(Lit) -> Lit| {
                let mut gates: Vec<(i64, Lit)> =
                    ground.goals[role].iter().map(|(it, gate)| (*it, image(*gate))).collect();
                gates.sort_unstable();
                gates
            };
            ground.moves[at].len() == ground.moves[to].len()
                && moves_are_right
                && percepts(at, &image) == percepts(to, &|gate| gate)
                && goals(at, &image) == goals(to, &|gate| gate)
        };
        (are_right && roles.iter().enumerate().all(role_is_right)).then_some(Symmetry { roles, fluents, moves, nodes })
    }

    /// The image of each node, if all of them are nodes of the round.
    fn nodes(&mut self, roles: &[RoleId], fluents: &[FluentId], moves: &[Vec<MoveId>]) -> Option<Vec<u32>> {
        let old = &self.ground.circuit;
        let mut images: Vec<u32> = Vec::with_capacity(old.nodes().len());
        for node in old.nodes() {
            let operand = |lit: &Lit| Lit::new(images[lit.node() as usize], lit.is_negated());
            let image = match node {
                Node::True => 0,
                Node::Fluent(fluent) => *self.leaves.get(&Node::Fluent(fluents[fluent.0 as usize]))?,
                Node::Move(role, mv) => {
                    let role = role.0 as usize;
                    *self.leaves.get(&Node::Move(roles[role], moves[role][mv.0 as usize]))?
                }
                Node::And(operands) => gate(self.circuit.and(operands.iter().map(operand)), old)?,
                Node::Or(operands) => gate(self.circuit.or(operands.iter().map(operand)), old)?,
                Node::Compare(_) | Node::Loop { .. } => return None,
            };
            images.push(image);
        }
        Some(images)
    }
}

/// The node of a gate that the round has.
fn gate(lit: Lit, old: &Circuit) -> Option<u32> {
    (!lit.is_negated() && (lit.node() as usize) < old.nodes().len()).then(|| lit.node())
}
