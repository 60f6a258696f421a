//! From a circuit to instructions.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::lives::Lives;
use crate::circuit::{Circuit, Lit, Node, live};
use crate::components::{Components, components_from, postorder_from};
use crate::{FluentId, MoveId, RoleId};

/// A part of a circuit that is evaluated together.
#[derive(Clone, Debug)]
pub struct Segment {
    /// The literals that can be read once the segment has run.
    pub roots: Vec<Lit>,
    /// True if the segment may be skipped; then later segments must not depend on it.
    pub on_demand: bool,
}

impl Segment {
    /// A segment that is always run, after all earlier ones that are not on demand.
    pub fn always(roots: Vec<Lit>) -> Segment {
        Segment { roots, on_demand: false }
    }

    /// A segment that is run only on request, after all earlier ones that are not on demand.
    pub fn on_demand(roots: Vec<Lit>) -> Segment {
        Segment { roots, on_demand: true }
    }
}

/// The segment of nodes that no segment needs.
const NO_SEGMENT: u8 = u8::MAX;

/// No slot: the node is in no segment.
pub(super) const NOWHERE: u32 = u32::MAX;

/// The number of nodes from which the order of gates is changed. A processor learns the lengths of fewer gates by heart,
/// and they are better evaluated depth first: then fewer values are kept.
const MANY_NODES: usize = 80_000;
/// The number of nodes among which gates of one shape are put next to each other. A gate whose numbers of operands differ
/// from those of the gate before it costs as much as several operands, because the processor predicts how often its loops
/// are repeated. The window bounds the number of values that are kept for longer.
const WINDOW: usize = 8192;

/// A run of gates, or a fixpoint.
#[derive(Clone, Debug)]
pub(super) enum Unit {
    /// Evaluates these gates in order.
    Gates(Range<u32>),
    /// Evaluates these gates until the leaves (slot, definition) stop growing.
    Fixpoint { gates: Range<u32>, leaves: Box<[(u32, u32)]> },
}

/// A conjunction of operands, which begin at the end of the previous gate's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gate {
    /// The end of the plain operands, and of the negated ones, which follow them.
    pub plain: u32,
    pub end: u32,
    /// The slot for the value.
    pub slot: u32,
}

/// A circuit as instructions. Every gate is a conjunction; a disjunction is the negation of one.
///
/// A *code* is a slot times two, plus one for its negation.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The code of each node of the circuit.
    codes: Vec<u32>,
    pub(super) gates: Vec<Gate>,
    /// The slots that gates read.
    pub(super) operands: Vec<u32>,
    pub(super) slots: u32,
    pub(super) segments: Vec<Vec<Unit>>,
    pub(crate) fluents: Vec<u32>,
    pub(crate) moves: Vec<Vec<u32>>,
    pub(super) comparisons: Vec<u32>,
    /// The slots that fluents have in all circuits of a game, if they have.
    fluent_slots: Range<u32>,
    /// The slots of moves and of sets of moves.
    pub(super) move_slots: Range<u32>,
    /// For each role and move, the slots of the sets that contain it.
    pub(super) sets_of: Vec<Vec<Vec<u32>>>,
}

impl Compiled {
    /// Compiles the nodes that the segments need. There must be fewer than 255 segments.
    pub fn new(circuit: &Circuit, segments: &[Segment]) -> Compiled {
        Compiled::of(circuit, segments, &[], false, None)
    }

    /// Like [`Compiled::new`], but only the roots of segments can be read. The nodes below them free their slots after
    /// their last use, so that values stay in the caches. If a gate reads several moves of one of `roles`, these are a
    /// leaf of their own, which must be set with each of them (`sets_of`). If a role has thousands of moves, setting a
    /// few leaves costs less than reading them all.
    pub(super) fn compact(circuit: &Circuit, segments: &[Segment], roles: &[bool]) -> Compiled {
        Compiled::of(circuit, segments, roles, true, None)
    }

    /// Like [`Compiled::compact`], of a game with this number of fluents. Every fluent has the same slot in all circuits of
    /// the game.
    pub(super) fn aligned(circuit: &Circuit, segments: &[Segment], roles: &[bool], fluents: usize) -> Compiled {
        Compiled::of(circuit, segments, roles, true, Some(fluents))
    }

    fn of(
        circuit: &Circuit,
        segments: &[Segment],
        roles: &[bool],
        is_compact: bool,
        all_fluents: Option<usize>,
    ) -> Compiled {
        let place = assign(circuit, segments);
        let sets = Sets::new(circuit, segments, &place, roles);
        let mut compiler = Compiler {
            circuit,
            result: Compiled {
                codes: vec![NOWHERE; circuit.nodes().len()],
                gates: Vec::new(),
                operands: Vec::new(),
                slots: 1,
                segments: Vec::new(),
                fluents: Vec::new(),
                moves: Vec::new(),
                comparisons: Vec::new(),
                move_slots: 1..1,
                fluent_slots: 1..1,
                sets_of: Vec::new(),
            },
            sets,
            lives: Lives::default(),
            scratch: Vec::new(),
        };
        compiler.leaves(&place, all_fluents);
        compiler.move_leaves(&place);
        let order = compiler.order(segments);
        let order = match order.nodes().len() {
            MANY_NODES.. if is_compact && circuit.groups().is_empty() => {
                compiler.in_runs(&order, segments.len(), &place)
            }
            _ => order,
        };
        if is_compact {
            compiler.lives = Lives::new(circuit, segments, &place, &order);
        }
        for segment in 0..segments.len() {
            compiler.segment(order.iter().filter(|component| usize::from(place[component[0] as usize]) == segment));
        }
        let mut result = compiler.result;
        result.gates.shrink_to_fit();
        result.operands.shrink_to_fit();
        result
    }

    /// The code of a literal; [`NOWHERE`] if no segment has it.
    pub(crate) fn code(&self, lit: Lit) -> u32 {
        match self.codes[lit.node() as usize] {
            NOWHERE => NOWHERE,
            code => code ^ u32::from(lit.is_negated()),
        }
    }

    /// Drops the codes of literals, once all that are needed have been read.
    pub(super) fn forget_codes(&mut self) {
        self.codes = Vec::new();
    }

    /// True if a slot has the same fluent in all circuits of a game.
    pub(super) fn is_fluent(&self, slot: u32) -> bool {
        self.fluent_slots.contains(&slot)
    }

    /// The number of slots in use.
    pub(super) fn used_slots(&self) -> usize {
        let fluents = self.fluents.iter().filter(|slot| self.fluent_slots.contains(slot)).count();
        self.slots as usize - self.fluent_slots.len() + fluents
    }

    /// The number of gates.
    pub fn gate_count(&self) -> usize {
        self.gates.len()
    }

    /// The number of operands of all gates: the reads of one sweep.
    pub fn operand_count(&self) -> usize {
        self.operands.len()
    }

    /// The number of operands that a segment reads.
    pub(super) fn operands_of(&self, segment: usize) -> usize {
        let begin = |gate: u32| gate.checked_sub(1).map_or(0, |before| self.gates[before as usize].end);
        let of = |unit: &Unit| match unit {
            Unit::Gates(gates) | Unit::Fixpoint { gates, .. } => begin(gates.end) - begin(gates.start),
        };
        self.segments[segment].iter().map(|unit| of(unit) as usize).sum()
    }

    /// The number of bytes that the instructions take.
    pub fn bytes(&self) -> usize {
        4 * (self.codes.len() + 3 * self.gates.len() + self.operands.len())
    }
}

/// The segment in which each node is evaluated; `NO_SEGMENT` for nodes that no segment needs.
///
/// A node belongs to the first segment that needs it; but a node that an on-demand segment shares with another one goes
/// to the last segment before it that always runs.
fn assign(circuit: &Circuit, segments: &[Segment]) -> Vec<u8> {
    let mut place = vec![NO_SEGMENT; circuit.nodes().len()];
    let cones: Vec<Vec<bool>> = segments.iter().map(|segment| live(circuit, &segment.roots)).collect();
    for (node, place) in place.iter_mut().enumerate() {
        let mut needing = (0..segments.len()).filter(|&segment| cones[segment][node]);
        let Some(first) = needing.next() else { continue };
        let segment = match needing.next() {
            Some(_) if segments[first].on_demand => {
                // Such a segment always exists: the first segment is never skipped.
                (0..first).rev().find(|&earlier| !segments[earlier].on_demand).unwrap_or(first)
            }
            _ => first,
        };
        *place = u8::try_from(segment).expect("fewer than 255 segments");
    }
    place
}

/// Sets of moves that gates read together.
#[derive(Default)]
struct Sets {
    roles: Vec<bool>,
    /// For each set, its role and its moves, ascending.
    members: Vec<(RoleId, Vec<u32>)>,
    /// The set that a gate reads instead of its negated moves of a role (a disjunction is read negated).
    of_gate: FxHashMap<(u32, RoleId), u32>,
    /// For each node of a move, true if it is also read alone.
    alone: Vec<bool>,
    /// For each set, its slot, once slots are assigned.
    slots: Vec<u32>,
}

impl Sets {
    fn new(circuit: &Circuit, segments: &[Segment], place: &[u8], roles: &[bool]) -> Sets {
        let mut sets = Sets { roles: roles.to_vec(), alone: vec![false; circuit.nodes().len()], ..Sets::default() };
        if !roles.contains(&true) {
            return sets;
        }
        let mut ids: FxHashMap<(RoleId, Vec<u32>), u32> = FxHashMap::default();
        for (index, node) in circuit.nodes().iter().enumerate() {
            if place[index] == NO_SEGMENT {
                continue;
            }
            let (operands, flip) = match node {
                Node::And(operands) => (operands, false),
                Node::Or(operands) => (operands, true),
                Node::Loop { group, member } => {
                    let definition = circuit.groups()[*group as usize].definitions[*member as usize];
                    sets.alone[definition.node() as usize] = true;
                    continue;
                }
                _ => continue,
            };
            let mut by_role: FxHashMap<RoleId, Vec<u32>> = FxHashMap::default();
            for lit in operands {
                match sets.member(circuit, *lit, flip) {
                    Some((role, mv)) => by_role.entry(role).or_default().push(mv),
                    None => sets.alone[lit.node() as usize] = true,
                }
            }
            for (role, mut moves) in by_role {
                moves.sort_unstable();
                let next = sets.members.len() as u32;
                let id = *ids.entry((role, moves)).or_insert_with_key(|key| {
                    sets.members.push(key.clone());
                    next
                });
                sets.of_gate.insert((index as u32, role), id);
            }
        }
        segments.iter().flat_map(|segment| &segment.roots).for_each(|lit| sets.alone[lit.node() as usize] = true);
        sets
    }

    /// The move of an operand that is read as part of a set.
    fn member(&self, circuit: &Circuit, lit: Lit, flip: bool) -> Option<(RoleId, u32)> {
        match circuit.nodes()[lit.node() as usize] {
            Node::Move(role, mv) if lit.is_negated() ^ flip => {
                self.roles.get(usize::from(role.0)).is_some_and(|picked| *picked).then_some((role, mv.0))
            }
            _ => None,
        }
    }
}

struct Compiler<'a> {
    circuit: &'a Circuit,
    result: Compiled,
    sets: Sets,
    lives: Lives,
    /// A reusable buffer for the codes that a gate reads.
    scratch: Vec<u32>,
}

impl Compiler<'_> {
    /// Gives every needed move, and every set of moves, a slot. The slots are contiguous, so that they are cleared at
    /// once.
    fn move_leaves(&mut self, place: &[u8]) {
        let Compiled { codes, slots, moves, sets_of, move_slots, .. } = &mut self.result;
        move_slots.start = *slots;
        let Sets { roles, members, alone, slots: set_slots, .. } = &mut self.sets;
        for (index, node) in self.circuit.nodes().iter().enumerate() {
            let Node::Move(RoleId(role), MoveId(mv)) = node else { continue };
            let role = usize::from(*role);
            let in_sets = roles.get(role).is_some_and(|picked| *picked);
            if place[index] == NO_SEGMENT || (in_sets && !alone[index]) {
                continue;
            }
            if moves.len() <= role {
                moves.resize(role + 1, Vec::new());
            }
            *entry(&mut moves[role], *mv) = *slots;
            codes[index] = *slots << 1;
            *slots += 1;
        }
        for (role, members) in members {
            let role = usize::from(role.0);
            if sets_of.len() <= role {
                sets_of.resize(role + 1, Vec::new());
            }
            for &mv in members.iter() {
                if sets_of[role].len() <= mv as usize {
                    sets_of[role].resize(mv as usize + 1, Vec::new());
                }
                sets_of[role][mv as usize].push(*slots);
            }
            set_slots.push(*slots);
            *slots += 1;
        }
        move_slots.end = *slots;
    }

    /// Gives the constant and every needed fluent and comparison a slot. If the number of all fluents is given, the slot
    /// of a fluent follows from its id.
    fn leaves(&mut self, place: &[u8], all_fluents: Option<usize>) {
        let Compiled { codes, slots, fluents, comparisons, fluent_slots, .. } = &mut self.result;
        codes[0] = 0;
        if let Some(count) = all_fluents {
            *slots += count as u32;
            *fluent_slots = 1..*slots;
        }
        for (index, node) in self.circuit.nodes().iter().enumerate() {
            if place[index] == NO_SEGMENT {
                continue;
            }
            let slot = match node {
                Node::Fluent(FluentId(fluent)) if all_fluents.is_some() => {
                    *entry(fluents, *fluent) = 1 + fluent;
                    codes[index] = (1 + fluent) << 1;
                    continue;
                }
                Node::Fluent(FluentId(fluent)) => entry(fluents, *fluent),
                Node::Compare(comparison) => entry(comparisons, *comparison),
                _ => continue,
            };
            *slot = *slots;
            codes[index] = *slots << 1;
            *slots += 1;
        }
    }

    /// The nodes that the segments need, operands first; nodes of the same root are adjacent.
    fn order(&self, segments: &[Segment]) -> Components {
        let roots = segments.iter().flat_map(|segment| &segment.roots).map(|lit| lit.node());
        let successor = |node: u32, edge: usize| match &self.circuit.nodes()[node as usize] {
            Node::And(operands) | Node::Or(operands) => operands.get(edge).map(|lit| lit.node()),
            Node::Loop { group, member } if edge == 0 => Some(self.definition(*group, *member).node()),
            _ => None,
        };
        let count = self.circuit.nodes().len();
        match self.circuit.groups() {
            [] => postorder_from(roots, count, successor),
            _ => components_from(roots, count, successor),
        }
    }

    /// The same nodes, segment by segment, with gates of one shape next to each other where their operands allow it (see
    /// [`WINDOW`]).
    fn in_runs(&self, order: &Components, segments: usize, place: &[u8]) -> Components {
        let nodes = self.circuit.nodes();
        let is_or = |node: u32| matches!(nodes[node as usize], Node::Or(_));
        // The number of gates on the longest way from the beginning of the window to each of its nodes.
        let mut depth = vec![0u32; nodes.len()];
        let mut result: Vec<u32> = Vec::with_capacity(order.nodes().len());
        let mut shapes: Vec<((u32, usize, usize), u32)> = Vec::with_capacity(WINDOW);
        for segment in 0..segments {
            let own = order.nodes().iter().filter(|&&node| usize::from(place[node as usize]) == segment);
            for window in own.copied().collect::<Vec<u32>>().chunks(WINDOW) {
                shapes.clear();
                for &node in window {
                    let (Node::And(operands) | Node::Or(operands)) = &nodes[node as usize] else {
                        shapes.push(((0, 0, 0), node));
                        continue;
                    };
                    let is_inverted = |lit: &&Lit| lit.is_negated() ^ is_or(lit.node()) ^ is_or(node);
                    let inverted = operands.iter().filter(is_inverted).count();
                    let deepest = operands.iter().map(|lit| depth[lit.node() as usize]).max().unwrap_or(0);
                    depth[node as usize] = deepest + 1;
                    shapes.push(((deepest + 1, operands.len(), inverted), node));
                }
                shapes.sort_by_key(|(shape, _)| *shape);
                window.iter().for_each(|&node| depth[node as usize] = 0);
                result.extend(shapes.iter().map(|(_, node)| *node));
            }
        }
        Components::singles(result)
    }

    fn segment<'o>(&mut self, components: impl Iterator<Item = &'o [u32]>) {
        let mut units = Vec::new();
        components.for_each(|component| self.component(component, &mut units));
        self.result.segments.push(units);
    }

    fn definition(&self, group: u32, member: u32) -> Lit {
        self.circuit.groups()[group as usize].definitions[member as usize]
    }

    fn component(&mut self, component: &[u32], units: &mut Vec<Unit>) {
        let start = self.result.gates.len() as u32;
        if let [node] = component {
            if !self.gate(*node) {
                return;
            }
            let end = self.result.gates.len() as u32;
            match units.last_mut() {
                Some(Unit::Gates(range)) if range.end == start => range.end = end,
                _ => units.push(Unit::Gates(start..end)),
            }
            return;
        }
        // The leaves get gates of their own (without operands), which the fixpoint overwrites.
        let mut members = component.to_vec();
        members.sort_unstable();
        let is_loop = |node: &u32| matches!(self.circuit.nodes()[*node as usize], Node::Loop { .. });
        let (loops, gates): (Vec<u32>, Vec<u32>) = members.into_iter().partition(is_loop);
        for &node in &loops {
            self.push(node, &[], false);
        }
        let start = self.result.gates.len() as u32;
        for &node in &gates {
            self.gate(node);
        }
        let leaves = loops
            .iter()
            .map(|&node| {
                let Node::Loop { group, member } = self.circuit.nodes()[node as usize] else { unreachable!("a loop") };
                (self.result.codes[node as usize] >> 1, self.result.code(self.definition(group, member)))
            })
            .collect();
        units.push(Unit::Fixpoint { gates: start..self.result.gates.len() as u32, leaves });
    }

    /// Appends the codes that a conjunction of the literals, or of their negations, reads.
    fn operands(&self, node: u32, operands: &[Lit], flip: bool, codes: &mut Vec<u32>) {
        let code = |lit: &Lit| self.result.code(*lit) ^ u32::from(flip);
        if !self.sets.roles.contains(&true) {
            return codes.extend(operands.iter().map(code));
        }
        let single = |lit: &&Lit| self.sets.member(self.circuit, **lit, flip).is_none();
        codes.extend(operands.iter().filter(single).map(code));
        let roles = (0..self.sets.roles.len() as u16).map(RoleId);
        let sets = roles.filter_map(|role| self.sets.of_gate.get(&(node, role)));
        codes.extend(sets.map(|&set| self.sets.slots[set as usize] << 1 | 1));
    }

    /// Writes the gate of one node; false if it needs none.
    fn gate(&mut self, node: u32) -> bool {
        let mut codes = std::mem::take(&mut self.scratch);
        codes.clear();
        let negated = match &self.circuit.nodes()[node as usize] {
            Node::And(operands) => {
                self.operands(node, operands, false, &mut codes);
                Some(false)
            }
            Node::Or(operands) => {
                self.operands(node, operands, true, &mut codes);
                Some(true)
            }
            Node::Loop { group, member } => {
                codes.push(self.result.code(self.definition(*group, *member)));
                Some(false)
            }
            _ => None,
        };
        if let Some(negated) = negated {
            self.push(node, &codes, negated);
        }
        self.scratch = codes;
        negated.is_some()
    }

    fn push(&mut self, node: u32, codes: &[u32], negated: bool) {
        let slot = self.lives.slot(node, self.circuit, &self.result).unwrap_or_else(|| {
            self.result.slots += 1;
            self.result.slots - 1
        });
        let those = |is_negated: u32| codes.iter().filter(move |&code| code & 1 == is_negated).map(|code| code >> 1);
        self.result.operands.extend(those(0));
        let plain_end = self.result.operands.len() as u32;
        self.result.operands.extend(those(1));
        self.result.gates.push(Gate { plain: plain_end, end: self.result.operands.len() as u32, slot });
        self.result.codes[node as usize] = slot << 1 | u32::from(negated);
    }
}

fn entry(table: &mut Vec<u32>, index: u32) -> &mut u32 {
    let index = index as usize;
    if table.len() <= index {
        table.resize(index + 1, NOWHERE);
    }
    &mut table[index]
}

/// Replaces each literal by its code.
pub(crate) fn codes<K: Copy>(compiled: &Compiled, gates: &[(K, Lit)]) -> Vec<(K, u32)> {
    gates.iter().map(|&(key, lit)| (key, compiled.code(lit))).collect()
}
