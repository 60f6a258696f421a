//! Copies of a circuit with leaves replaced: constants are folded, and nodes that no root needs are left out.

use rustc_hash::FxHashMap;

use super::{Circuit, Lit, Node};

/// A copy, and the new place of each old node.
pub(crate) struct Rebuilt {
    pub circuit: Circuit,
    /// The new literal of each old node; [`NOWHERE`] for nodes that no root needs.
    map: Vec<Lit>,
}

/// The place of a node that was not copied: no literal of any circuit.
const NOWHERE: Lit = Lit(u32::MAX);

impl Rebuilt {
    /// The new literal of an old one that was a root, or below a root.
    pub(crate) fn lit(&self, old: Lit) -> Lit {
        placed(&self.map, old)
    }
}

/// The new place of a literal. Panics for a node that was not copied: such a bug must not pass for a constant.
fn placed(map: &[Lit], old: Lit) -> Lit {
    let new = map[old.node() as usize];
    assert_ne!(new, NOWHERE, "gate {old:?} is used but was not a root");
    if old.is_negated() { !new } else { new }
}

/// Copies what `roots` need, with fluents, moves and comparisons replaced by the results of `leaf`. Members of fixpoint
/// groups that turn out to be constant are replaced, too.
pub(crate) fn rebuild(old: &Circuit, roots: &[Lit], leaf: &mut dyn FnMut(&mut Circuit, &Node) -> Lit) -> Rebuilt {
    let live = live(old, roots);
    let mut fixed: FxHashMap<(u32, u32), Lit> = FxHashMap::default();
    loop {
        let (rebuilt, groups) = copy(old, &live, &fixed, leaf);
        let before = fixed.len();
        if !groups.is_empty() {
            settle(&rebuilt.circuit, &groups, &mut fixed);
        }
        if fixed.len() == before {
            return rebuilt;
        }
    }
}

/// The nodes that the roots need.
pub fn live(circuit: &Circuit, roots: &[Lit]) -> Vec<bool> {
    let mut live = vec![false; circuit.nodes().len()];
    if !circuit.groups().is_empty() {
        mark_live(circuit, roots, &mut live, &mut |_| {});
        return live;
    }
    // Operands come before their gates, so one visit of each node is enough.
    roots.iter().for_each(|lit| live[lit.node() as usize] = true);
    for (at, node) in circuit.nodes().iter().enumerate().rev() {
        if let (true, Node::And(operands) | Node::Or(operands)) = (live[at], node) {
            operands.iter().for_each(|lit| live[lit.node() as usize] = true);
        }
    }
    live
}

/// Marks the nodes that the roots need in addition to those marked already; calls `f` with every new node.
pub(crate) fn mark_live(circuit: &Circuit, roots: &[Lit], live: &mut [bool], f: &mut dyn FnMut(&Node)) {
    let mut stack: Vec<u32> = roots.iter().map(|lit| lit.node()).collect();
    while let Some(node) = stack.pop() {
        if std::mem::replace(&mut live[node as usize], true) {
            continue;
        }
        f(&circuit.nodes()[node as usize]);
        match &circuit.nodes()[node as usize] {
            Node::And(operands) | Node::Or(operands) => stack.extend(operands.iter().map(|lit| lit.node())),
            Node::Loop { group, member } => {
                stack.push(circuit.groups()[*group as usize].definitions[*member as usize].node());
            }
            _ => {}
        }
    }
}

type Members = FxHashMap<(u32, u32), (u32, u32)>;

/// One copy, with the new group and member of each old member.
fn copy(
    old: &Circuit,
    live: &[bool],
    fixed: &FxHashMap<(u32, u32), Lit>,
    leaf: &mut dyn FnMut(&mut Circuit, &Node) -> Lit,
) -> (Rebuilt, Members) {
    let mut circuit = Circuit::with_room(live.iter().filter(|live| **live).count() + 1);
    let mut map = vec![NOWHERE; old.nodes().len()];
    let mut groups: FxHashMap<u32, u32> = FxHashMap::default();
    let mut members = Members::default();
    let mut sizes: Vec<u32> = vec![0; old.groups().len()];
    for (node, _) in old.nodes().iter().zip(live).filter(|(_, live)| **live) {
        if let Node::Loop { group, member } = node
            && !fixed.contains_key(&(*group, *member))
        {
            sizes[*group as usize] += 1;
        }
    }
    let mut used: Vec<u32> = vec![0; old.groups().len()];
    for (index, node) in old.nodes().iter().enumerate() {
        if !live[index] {
            continue;
        }
        let lit = |lit: &Lit| placed(&map, *lit);
        map[index] = match node {
            Node::True => Lit::TRUE,
            Node::And(operands) => circuit.and(operands.iter().map(lit)),
            Node::Or(operands) => circuit.or(operands.iter().map(lit)),
            Node::Loop { group, member } => match fixed.get(&(*group, *member)) {
                Some(&value) => value,
                None => {
                    let new = *groups.entry(*group).or_insert_with(|| circuit.group(sizes[*group as usize]));
                    let place = used[*group as usize];
                    used[*group as usize] += 1;
                    members.insert((*group, *member), (new, place));
                    circuit.member(new, place)
                }
            },
            leaf_node => leaf(&mut circuit, leaf_node),
        };
    }
    for (&(group, member), &(new, place)) in &members {
        let definition = old.groups()[group as usize].definitions[member as usize];
        circuit.define(new, place, placed(&map, definition));
    }
    (Rebuilt { circuit, map }, members)
}

/// Finds members that are constant: those with a constant definition, and those that can never become true first.
fn settle(circuit: &Circuit, members: &Members, fixed: &mut FxHashMap<(u32, u32), Lit>) {
    let mut founded: Vec<Vec<bool>> =
        circuit.groups().iter().map(|group| vec![false; group.definitions.len()]).collect();
    loop {
        let possible = possible(circuit, &founded);
        let mut changed = false;
        for (group, members) in founded.iter_mut().enumerate() {
            for (member, was) in members.iter_mut().enumerate() {
                let definition = circuit.groups()[group].definitions[member];
                // Definitions use loops only positively, so a negated definition is outside the group.
                let value =
                    definition != Lit::FALSE && (definition.is_negated() || possible[definition.node() as usize]);
                changed |= value && !std::mem::replace(was, value);
            }
        }
        if !changed {
            break;
        }
    }
    for (&old, &(group, member)) in members {
        let definition = circuit.groups()[group as usize].definitions[member as usize];
        if !founded[group as usize][member as usize] {
            fixed.insert(old, Lit::FALSE);
        } else if definition == Lit::TRUE {
            fixed.insert(old, Lit::TRUE);
        }
    }
}

/// The nodes that may be true if only the founded members may be, and every other leaf may have any value.
fn possible(circuit: &Circuit, founded: &[Vec<bool>]) -> Vec<bool> {
    let mut possible = Vec::with_capacity(circuit.nodes().len());
    for node in circuit.nodes() {
        let lit = |lit: &Lit| lit.is_negated() || possible[lit.node() as usize];
        let value = match node {
            Node::And(operands) => operands.iter().all(lit),
            Node::Or(operands) => operands.iter().any(lit),
            Node::Loop { group, member } => founded[*group as usize][*member as usize],
            _ => true,
        };
        possible.push(value);
    }
    possible
}
