//! The circuit: a directed acyclic graph of and/or gates with negated edges, over fluents and moves.
//!
//! Invariants: node 0 is the constant true; a node's operands have smaller indices (topological order); structural
//! duplicates do not exist ([`Circuit::unshared`] ones aside); no gate has a constant operand, a repeated operand or
//! fewer than two operands. Positive recursion that survives grounding stays a fixpoint group: its members are
//! `Node::Loop` leaves, whose values are the least solution of `groups[g].definitions`.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;

mod rebuild;

use crate::ids::Ids;
use crate::{FluentId, MoveId, RoleId};

pub use rebuild::live;
pub(crate) use rebuild::{mark_live, rebuild};

/// A node or its negation. The default is false.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(pub u32);

impl Lit {
    /// The constant true.
    pub const TRUE: Lit = Lit(0);
    /// The constant false.
    pub const FALSE: Lit = Lit(1);

    /// A node or its negation.
    pub const fn new(node: u32, negated: bool) -> Lit {
        Lit(node << 1 | negated as u32)
    }

    /// The node's number.
    pub const fn node(self) -> u32 {
        self.0 >> 1
    }

    /// True if the literal is the negation of its node.
    pub const fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

impl Default for Lit {
    fn default() -> Lit {
        Lit::FALSE
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl std::fmt::Debug for Lit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", if self.is_negated() { "!" } else { "" }, self.node())
    }
}

/// The operands of a gate, in order. Most gates have at most four, which are stored in the node itself: large circuits
/// are copied whole after each folding, and would otherwise allocate memory for every gate each time.
pub type Gate = SmallVec<[Lit; 4]>;

/// A leaf or a gate; operands come before it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// Always true: node 0.
    True,
    /// True if the fluent holds in the old state.
    Fluent(FluentId),
    /// True if the role makes the move in this round.
    Move(RoleId, MoveId),
    /// True if all operands are true.
    And(Gate),
    /// True if one operand is true.
    Or(Gate),
    /// A comparison over the registers of the old state: index into `Circuit::comparisons`.
    Compare(u32),
    /// Member `member` of fixpoint group `group`.
    Loop {
        /// The group's number.
        group: u32,
        /// Its index in the group.
        member: u32,
    },
}

/// A fixpoint group. Definitions may use the group's own `Loop` leaves, positively only.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// The definition of each member.
    pub definitions: Vec<Lit>,
}

/// A number: a linear or other arithmetic expression over registers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Number {
    /// A constant.
    Constant(i64),
    /// The old value of a register, by its number.
    Register(u32),
    /// The sum of two numbers.
    Add(Box<Number>, Box<Number>),
    /// The first less the second.
    Subtract(Box<Number>, Box<Number>),
    /// The product of two numbers.
    Multiply(Box<Number>, Box<Number>),
    /// The quotient, rounded towards zero; by zero it is 0.
    Divide(Box<Number>, Box<Number>),
}

/// The order that a comparison tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// The order `<`.
    Less,
    /// The order `<=`.
    LessEqual,
    /// The order `=`.
    Equal,
}

/// `left order right`; the other orders are its negations or swaps.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Comparison {
    /// The order to test.
    pub order: Order,
    /// The left side.
    pub left: Number,
    /// The right side.
    pub right: Number,
}

/// Nodes in an order in which operands come before their gates; equal gates are shared.
#[derive(Clone, Debug, Default)]
pub struct Circuit {
    nodes: Vec<Node>,
    groups: Vec<Group>,
    comparisons: Vec<Comparison>,
    /// The node of each comparison; dropped with `ids`.
    compared: FxHashMap<Comparison, u32>,
    /// The numbers of the nodes, by content.
    ids: Ids,
    /// The number of operands of all gates.
    operands: usize,
    /// True if equal gates may be duplicated ([`Circuit::unshared`]).
    is_unshared: bool,
}

fn hash(of: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    of.hash(&mut hasher);
    hasher.finish()
}

/// The hash key of a node's content.
fn key_of(node: &Node) -> u64 {
    match node {
        Node::And(operands) => hash((Kind::And, &operands[..])),
        Node::Or(operands) => hash((Kind::Or, &operands[..])),
        leaf => hash(leaf),
    }
}

/// A gate's operands while they are sorted: most gates have few, which need no memory of their own.
type Operands = SmallVec<[Lit; 16]>;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    And,
    Or,
}

impl Circuit {
    /// The constant alone.
    pub fn new() -> Self {
        let mut circuit = Circuit::default();
        circuit.node(Node::True);
        circuit
    }

    /// Like [`Circuit::new`], with room for `nodes` nodes.
    fn with_room(nodes: usize) -> Self {
        let mut circuit = Circuit { nodes: Vec::with_capacity(nodes), ..Circuit::default() };
        circuit.ids.reserve(nodes);
        circuit.node(Node::True);
        circuit
    }

    /// Like [`Circuit::new`], with room for `nodes` nodes, and without a lookup before a gate is added: for copies that
    /// are read once, of a circuit without equal gates. Gates that folding makes equal stay separate. No leaf may be
    /// requested twice.
    pub(crate) fn unshared(nodes: usize) -> Self {
        let mut circuit = Circuit { nodes: Vec::with_capacity(nodes + 1), is_unshared: true, ..Circuit::default() };
        circuit.node(Node::True);
        circuit
    }

    /// The nodes, by number.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The groups, by number.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The comparisons, by number.
    pub fn comparisons(&self) -> &[Comparison] {
        &self.comparisons
    }

    /// The number of operands of all gates.
    pub fn operand_count(&self) -> usize {
        self.operands
    }

    /// Drops the index of nodes by content, which takes half as much memory as the nodes. Adding a gate later rebuilds
    /// it.
    fn finish(&mut self) {
        self.ids = Ids::default();
        self.compared = FxHashMap::default();
        self.nodes.shrink_to_fit();
    }

    #[cold]
    fn resume(&mut self) {
        for (id, node) in self.nodes.iter().enumerate() {
            self.ids.insert(key_of(node), id as u32);
        }
    }

    /// A leaf, shared if it exists.
    fn node(&mut self, node: Node) -> Lit {
        if self.is_unshared {
            return self.append(node);
        }
        if self.ids.is_empty() {
            self.resume();
        }
        let key = hash(&node);
        match self.ids.find(key, |id| self.nodes[id as usize] == node) {
            Some(id) => Lit::new(id, false),
            None => self.add(key, node),
        }
    }

    fn append(&mut self, node: Node) -> Lit {
        let id = self.nodes.len() as u32;
        if let Node::And(operands) | Node::Or(operands) = &node {
            self.operands += operands.len();
        }
        self.nodes.push(node);
        Lit::new(id, false)
    }

    /// A gate, shared if it exists. Memory for its operands is allocated only if it is new: setting up a large game
    /// requests the same gates many times.
    fn gate(&mut self, kind: Kind, operands: &[Lit]) -> Lit {
        let new = || match kind {
            Kind::And => Node::And(Gate::from_slice(operands)),
            Kind::Or => Node::Or(Gate::from_slice(operands)),
        };
        if self.is_unshared {
            return self.append(new());
        }
        if self.ids.is_empty() {
            self.resume();
        }
        let key = hash((kind, operands));
        let same = |id: u32| match (&self.nodes[id as usize], kind) {
            (Node::And(old), Kind::And) | (Node::Or(old), Kind::Or) => old[..] == *operands,
            _ => false,
        };
        let fresh = self.nodes.len() as u32;
        match self.ids.find_or_insert(key, fresh, same) {
            id if id == fresh => self.append(new()),
            id => Lit::new(id, false),
        }
    }

    fn add(&mut self, key: u64, node: Node) -> Lit {
        let lit = self.append(node);
        self.ids.insert(key, lit.node());
        lit
    }

    /// Renames fluents and moves, each separately: gates stay as they are. No gate may be requested after that.
    pub(crate) fn rename(&mut self, name: &dyn Fn(&Node) -> Node) {
        for node in &mut self.nodes {
            if matches!(node, Node::Fluent(_) | Node::Move(..)) {
                *node = name(node);
            }
        }
        self.finish();
    }

    /// A literal that is true if a fluent holds in the old state.
    pub fn fluent(&mut self, fluent: FluentId) -> Lit {
        self.node(Node::Fluent(fluent))
    }

    /// A literal that is true if a role makes a move in this round.
    pub fn does(&mut self, role: RoleId, mv: MoveId) -> Lit {
        self.node(Node::Move(role, mv))
    }

    /// A literal that is true if a comparison of the old numbers is.
    pub fn compare(&mut self, comparison: Comparison) -> Lit {
        if self.compared.len() < self.comparisons.len() {
            self.compared = self.comparisons.iter().cloned().zip(0..).collect();
        }
        let fresh = self.comparisons.len() as u32;
        let index = *self.compared.entry(comparison).or_insert_with_key(|comparison| {
            self.comparisons.push(comparison.clone());
            fresh
        });
        self.node(Node::Compare(index))
    }

    /// A new group of `members` leaves; define them later with [`Circuit::define`].
    pub fn group(&mut self, members: u32) -> u32 {
        self.groups.push(Group { definitions: vec![Lit::FALSE; members as usize] });
        (self.groups.len() - 1) as u32
    }

    /// The leaf of a group's member.
    pub fn member(&mut self, group: u32, member: u32) -> Lit {
        self.node(Node::Loop { group, member })
    }

    /// Sets the definition of a member of a group; until then it is false.
    pub fn define(&mut self, group: u32, member: u32, definition: Lit) {
        self.groups[group as usize].definitions[member as usize] = definition;
    }

    /// The conjunction, folded: constants, repetitions and complements vanish; nested conjunctions stay as they are.
    pub fn and(&mut self, operands: impl IntoIterator<Item = Lit>) -> Lit {
        let mut operands: Operands = operands.into_iter().filter(|&lit| lit != Lit::TRUE).collect();
        operands.sort_unstable();
        operands.dedup();
        // A literal and its negation are neighbours after sorting, and a constant is the first.
        if operands.first() == Some(&Lit::FALSE) || operands.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Lit::FALSE;
        }
        match operands[..] {
            [] => Lit::TRUE,
            [only] => only,
            _ => self.gate(Kind::And, &operands),
        }
    }

    /// The disjunction, folded likewise.
    pub fn or(&mut self, operands: impl IntoIterator<Item = Lit>) -> Lit {
        let mut operands: Operands = operands.into_iter().filter(|&lit| lit != Lit::FALSE).collect();
        operands.sort_unstable();
        operands.dedup();
        if operands.first() == Some(&Lit::TRUE) || operands.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Lit::TRUE;
        }
        match operands[..] {
            [] => Lit::FALSE,
            [only] => only,
            _ => self.gate(Kind::Or, &operands),
        }
    }
}
