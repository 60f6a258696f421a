//! Sets of moves that gates read together: if a role has thousands of moves, setting a few sets costs less than reading
//! all moves.

use rustc_hash::FxHashMap;

use super::segment::{NO_SEGMENT, Segment};
use super::within::operands;
use crate::RoleId;
use crate::circuit::{Circuit, Lit, Node};

/// Sets of moves that gates read together.
#[derive(Default)]
pub(super) struct Sets {
    pub roles: Vec<bool>,
    /// For each set, its role and its moves, ascending.
    pub members: Vec<(RoleId, Vec<u32>)>,
    /// The set that a gate reads instead of its negated moves of a role (a disjunction is read negated).
    pub of_gate: FxHashMap<(u32, RoleId), u32>,
    /// For each node of a move, true if it is also read alone.
    pub alone: Vec<bool>,
    /// For each set, its slot, once slots are assigned.
    pub slots: Vec<u32>,
}

impl Sets {
    pub(super) fn new(circuit: &Circuit, segments: &[Segment], place: &[u8], roles: &[bool]) -> Sets {
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

    /// True if a gate reads moves of a role that are in sets.
    pub(super) fn are_read_by(&self, circuit: &Circuit, node: u32) -> bool {
        let operands = operands(&circuit.nodes()[node as usize]);
        self.roles.contains(&true) && operands.iter().any(|lit| self.member(circuit, *lit, !lit.is_negated()).is_some())
    }

    /// The move of an operand that is read as part of a set.
    pub(super) fn member(&self, circuit: &Circuit, lit: Lit, flip: bool) -> Option<(RoleId, u32)> {
        match circuit.nodes()[lit.node() as usize] {
            Node::Move(role, mv) if lit.is_negated() ^ flip => {
                self.roles.get(usize::from(role.0)).is_some_and(|picked| *picked).then_some((role, mv.0))
            }
            _ => None,
        }
    }
}
