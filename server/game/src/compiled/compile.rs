//! From a circuit to instructions.

use std::ops::Range;

use super::lives::Lives;
use super::runs::in_runs;
use super::segment::{NO_SEGMENT, Segment};
use super::sets::Sets;
use super::shapes::{Shape, straight};
use super::within::{Within, conjunction};
use crate::circuit::{Circuit, Lit, Node, live};
use crate::components::{Components, components_from, postorder_from};
use crate::{FluentId, MoveId, RoleId};

/// The code of a constant that always holds.
pub(super) const ALWAYS: u32 = 0;

/// The code of a constant that never holds.
pub(super) const NEVER: u32 = 1;

/// No slot: the node is in no segment.
pub(super) const NOWHERE: u32 = u32::MAX;

/// The number of nodes from which the order of gates is changed. A processor learns the lengths of fewer gates by heart,
/// and they are better evaluated depth first: then fewer values are kept.
const MANY_NODES: usize = 80_000;

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
    /// The end of the plain operands. The negated ones follow them.
    pub plain: u32,
    pub end: u32,
    /// The slot for the value, and, above [`SHAPE`] bits, the number of the gate's shape. The pairs of operands, of which
    /// none holds, are gates that are evaluated within this one ([`super::within`]).
    pub slot: u32,
}

/// The number of bits of a slot. Above them is a number of [`super::shapes`], [`LOOPS`] or [`PAIRED`].
pub(super) const SHAPE: u32 = 27;
pub(super) const SLOT: u32 = (1 << SHAPE) - 1;

/// A gate without pairs.
pub(super) const LOOPS: u32 = 0;

/// A gate whose operands begin with three numbers: the ends of the negated operands, of the pairs of two plain operands,
/// and of the pairs of a plain and a negated one. Pairs of two negated operands come last.
pub(super) const PAIRED: u32 = 1;

/// The operands of a gate, as codes.
#[derive(Default)]
struct Reads {
    singles: Vec<u32>,
    /// Pairs by the number of negated operands, which come last.
    pairs: [Vec<[u32; 2]>; 3],
}

impl Reads {
    fn clear(&mut self) {
        self.singles.clear();
        self.pairs.iter_mut().for_each(Vec::clear);
    }

    fn shape(&self) -> Shape {
        let negated = self.singles.iter().filter(|code| *code & 1 == 1).count();
        let [both, mixed, neither] = [0, 1, 2].map(|negated: usize| self.pairs[negated].len());
        [self.singles.len() - negated, negated, both, mixed, neither]
    }

    fn push_pair(&mut self, left: u32, right: u32) {
        let pair = if left & 1 > right & 1 { [right, left] } else { [left, right] };
        self.pairs[(left & 1) as usize + (right & 1) as usize].push(pair);
    }
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
    /// The numbers of gates within others, and of the gates that they are within.
    within: usize,
    paired: usize,
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
                within: 0,
                paired: 0,
                slots: 1,
                segments: Vec::new(),
                fluents: Vec::new(),
                moves: Vec::new(),
                comparisons: Vec::new(),
                move_slots: 1..1,
                fluent_slots: 1..1,
                sets_of: Vec::new(),
            },
            within: Within::none(circuit),
            sets,
            lives: Lives::default(),
            scratch: Reads::default(),
        };
        compiler.leaves(&place, all_fluents);
        compiler.move_leaves(&place);
        let order = match is_compact {
            true => compiler.compact_order(segments, &place),
            false => compiler.order(segments),
        };
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

    /// The number of gates, those evaluated within others included.
    pub fn gate_count(&self) -> usize {
        self.gates.len() + self.within
    }

    /// The number of operands of all gates, those evaluated within others included.
    pub fn operand_count(&self) -> usize {
        self.operands.len() - 3 * self.paired + self.within
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

struct Compiler<'a> {
    circuit: &'a Circuit,
    result: Compiled,
    sets: Sets,
    within: Within,
    lives: Lives,
    /// A reusable buffer for the codes that a gate reads.
    scratch: Reads,
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

    /// The order of gates of which some are evaluated within others, and whose values need not be kept.
    fn compact_order(&mut self, segments: &[Segment], place: &[u8]) -> Components {
        let circuit = self.circuit;
        let mut order = self.order(segments);
        if circuit.groups().is_empty() {
            let is_apart = |node: u32| self.sets.are_read_by(circuit, node);
            self.within = Within::new(circuit, segments, place, &is_apart);
            let all = order.nodes().len();
            let own = order.nodes().iter().filter(|node| !self.within.has(**node));
            order = Components::singles(own.copied().collect());
            self.result.within = all - order.nodes().len();
            if all >= MANY_NODES {
                order = in_runs(circuit, &self.within, &order, segments.len(), place);
            }
        }
        self.lives = Lives::new(circuit, segments, place, &order, &self.within);
        order
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
            self.push(node, &Reads::default(), false);
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

    /// Adds what a conjunction of the literals, or of their negations, reads.
    fn operands(&self, node: u32, operands: &[Lit], flip: bool, reads: &mut Reads) {
        let code = |lit: &Lit, flip: bool| self.result.code(*lit) ^ u32::from(flip);
        let in_sets = self.sets.roles.contains(&true);
        for lit in operands {
            if self.within.has(lit.node()) {
                let pair = conjunction(&self.circuit.nodes()[lit.node() as usize]);
                if let Some(([left, right], flip)) = pair {
                    reads.push_pair(code(left, flip), code(right, flip));
                }
            } else if !in_sets || self.sets.member(self.circuit, *lit, flip).is_none() {
                reads.singles.push(code(lit, flip));
            }
        }
        let roles = (0..self.sets.roles.len() as u16).map(RoleId);
        let sets = roles.filter_map(|role| self.sets.of_gate.get(&(node, role)));
        reads.singles.extend(sets.map(|&set| self.sets.slots[set as usize] << 1 | 1));
    }

    /// Writes the gate of one node; false if it needs none.
    fn gate(&mut self, node: u32) -> bool {
        let mut reads = std::mem::take(&mut self.scratch);
        reads.clear();
        let circuit = self.circuit;
        let negated = match &circuit.nodes()[node as usize] {
            Node::Loop { group, member } => {
                reads.singles.push(self.result.code(self.definition(*group, *member)));
                Some(false)
            }
            other => conjunction(other).map(|(operands, flip)| {
                self.operands(node, operands, flip, &mut reads);
                flip
            }),
        };
        if let Some(negated) = negated {
            self.push(node, &reads, negated);
        }
        self.scratch = reads;
        negated.is_some()
    }

    fn push(&mut self, node: u32, reads: &Reads, negated: bool) {
        let slot =
            self.lives.slot(node, self.circuit, &self.within, |lit| self.result.code(lit) >> 1).unwrap_or_else(|| {
                self.result.slots += 1;
                self.result.slots - 1
            });
        let Compiled { operands, gates, codes, paired, .. } = &mut self.result;
        let has_pairs = reads.pairs.iter().any(|pairs| !pairs.is_empty());
        let shape = straight(reads.shape()).unwrap_or(if has_pairs { PAIRED } else { LOOPS });
        let header = operands.len();
        if shape == PAIRED {
            *paired += 1;
            operands.extend([0; 3]);
        }
        let [plain, negated_end] = [0, 1].map(|is_negated: u32| {
            operands.extend(reads.singles.iter().filter(|&code| code & 1 == is_negated).map(|code| code >> 1));
            operands.len() as u32
        });
        let [both, mixed, end] = [0, 1, 2].map(|negated: usize| {
            operands.extend(reads.pairs[negated].iter().flatten().map(|code| code >> 1));
            operands.len() as u32
        });
        if shape == PAIRED {
            operands[header..header + 3].copy_from_slice(&[negated_end, both, mixed]);
        }
        debug_assert!(slot <= SLOT, "more slots than a gate can name");
        gates.push(Gate { plain, end, slot: slot | shape << SHAPE });
        codes[node as usize] = slot << 1 | u32::from(negated);
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
