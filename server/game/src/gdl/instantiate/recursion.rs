//! Atoms that may depend on each other: the order in which they get their gates, and the members of fixpoint groups.

use smallvec::SmallVec;

use super::{Flat, Kind, Part, grouped};
use crate::circuit::{Circuit, Lit};
use crate::components::components_from;

/// The place of an atom that is not processed: it has its gate, or does not belong to the component.
const FINISHED: u32 = u32::MAX;

/// Gives every atom its gate: atoms that do not depend on themselves become disjunctions, the rest fixpoint groups.
pub(super) fn resolve(circuit: &mut Circuit, flat: &Flat, members: usize) -> Vec<Lit> {
    let (order, begins) = flat.by_head(members);
    let (values, place) = (vec![Lit::FALSE; members], vec![FINISHED; members]);
    let mut recursion = Recursion { circuit, instances: Instances { flat, order, begins }, values, place };
    recursion.resolve(&(0..members as u32).collect::<Vec<_>>());
    recursion.values
}

/// Instances by atom.
struct Instances<'a> {
    flat: &'a Flat,
    /// The instances of each atom, one atom after the other, and the index at which each begins.
    order: Vec<u32>,
    begins: Vec<u32>,
}

impl Instances<'_> {
    /// The instances of an atom, except those that have the atom itself as a condition: they never support it.
    fn of(&self, atom: u32) -> impl Iterator<Item = &[Part]> {
        let all = self.begins[atom as usize] as usize..self.begins[atom as usize + 1] as usize;
        let instances = self.order[all].iter().map(|&instance| self.flat.parts(instance));
        instances.filter(move |parts| !parts.contains(&Part::member(atom)))
    }
}

struct Recursion<'a> {
    circuit: &'a mut Circuit,
    instances: Instances<'a>,
    /// For each atom, its gate, once there is one; its leaf while its group is being defined.
    values: Vec<Lit>,
    /// For each atom, its number among those in work.
    place: Vec<u32>,
}

/// An instance with atoms that are not yet derived.
struct Open {
    head: u32,
    /// The number of its atoms that have not been derived.
    missing: u32,
}

fn gate(values: &[Lit], part: &Part) -> Lit {
    match part.kind() {
        Kind::Gate(lit) => lit,
        Kind::Member(other) => values[other as usize],
    }
}

impl Recursion<'_> {
    fn is_open(&self, atom: u32) -> bool {
        self.place[atom as usize] != FINISHED
    }

    /// The disjunction of the atom's instances, with the present gates of their atoms.
    fn disjunction(&mut self, atom: u32) -> Lit {
        let mut gates: SmallVec<[Lit; 16]> = SmallVec::new();
        for parts in self.instances.of(atom) {
            gates.push(self.circuit.and(parts.iter().map(|part| gate(&self.values, part))));
        }
        self.circuit.or(gates)
    }

    fn resolve(&mut self, work: &[u32]) {
        work.iter().enumerate().for_each(|(index, &atom)| self.place[atom as usize] = index as u32);
        let (targets, ends) = self.edges(work);
        let edge = |node: u32, edge: usize| {
            let begin = if node == 0 { 0 } else { ends[node as usize - 1] as usize };
            targets[begin..ends[node as usize] as usize].get(edge).copied()
        };
        for component in components_from(0..work.len() as u32, work.len(), edge).iter() {
            match component {
                [index] => {
                    let atom = work[*index as usize];
                    self.values[atom as usize] = self.disjunction(atom);
                    self.place[atom as usize] = FINISHED;
                }
                cycle => self.cycle(&cycle.iter().map(|&index| work[index as usize]).collect::<Vec<_>>()),
            }
        }
    }

    /// The places of the atoms in `work` that each of them depends on, and the index at which those of each end.
    fn edges(&self, work: &[u32]) -> (Vec<u32>, Vec<u32>) {
        let (mut targets, mut ends) = (Vec::new(), Vec::with_capacity(work.len()));
        let mut own: Vec<u32> = Vec::new();
        for &atom in work {
            own.clear();
            for part in self.instances.of(atom).flatten() {
                match part.kind() {
                    Kind::Member(other) if self.is_open(other) => own.push(self.place[other as usize]),
                    _ => {}
                }
            }
            own.sort_unstable();
            own.dedup();
            targets.extend_from_slice(&own);
            ends.push(targets.len() as u32);
        }
        (targets, ends)
    }

    /// Creates the gates of atoms that all depend on each other.
    fn cycle(&mut self, members: &[u32]) {
        members.iter().enumerate().for_each(|(index, &atom)| self.place[atom as usize] = index as u32);
        let (known_true, founded) = (self.derivable(members, true), self.derivable(members, false));
        let mut rest = Vec::new();
        for (index, &atom) in members.iter().enumerate() {
            match (known_true[index], founded[index]) {
                (false, true) => rest.push(atom),
                (is_true, _) => {
                    self.values[atom as usize] = if is_true { Lit::TRUE } else { Lit::FALSE };
                    self.place[atom as usize] = FINISHED;
                }
            }
        }
        if rest.len() < members.len() {
            return self.resolve(&rest);
        }
        let group = self.circuit.group(members.len() as u32);
        for (place, &atom) in members.iter().enumerate() {
            self.values[atom as usize] = self.circuit.member(group, place as u32);
        }
        for (place, &atom) in members.iter().enumerate() {
            let definition = self.disjunction(atom);
            self.circuit.define(group, place as u32, definition);
        }
        members.iter().for_each(|&atom| self.place[atom as usize] = FINISHED);
    }

    /// For each member, true if it can be derived from nothing at all (`strictly`), or if every finished gate were
    /// true.
    fn derivable(&self, members: &[u32], strictly: bool) -> Vec<bool> {
        let mut open: Vec<Open> = Vec::new();
        // Pairs of a member and an instance that waits for it.
        let mut waiting: Vec<(u32, u32)> = Vec::new();
        for (head, &atom) in members.iter().enumerate() {
            for parts in self.instances.of(atom) {
                let finished = parts.iter().filter(|part| !matches!(part.kind(), Kind::Member(it) if self.is_open(it)));
                let (mut is_false, mut is_true) = (false, true);
                finished.map(|part| gate(&self.values, part)).for_each(|gate| {
                    is_false |= gate == Lit::FALSE;
                    is_true &= gate == Lit::TRUE;
                });
                if is_false || (strictly && !is_true) {
                    continue;
                }
                let before = waiting.len();
                waiting.extend(parts.iter().filter_map(|part| match part.kind() {
                    Kind::Member(other) if self.is_open(other) => Some((self.place[other as usize], open.len() as u32)),
                    _ => None,
                }));
                open.push(Open { head: head as u32, missing: (waiting.len() - before) as u32 });
            }
        }
        let mut found = vec![false; members.len()];
        let mut stack: Vec<u32> = open.iter().filter(|it| it.missing == 0).map(|it| it.head).collect();
        if stack.is_empty() {
            return found;
        }
        let (by_member, begins) = grouped(waiting.iter().copied(), members.len());
        while let Some(member) = stack.pop() {
            if std::mem::replace(&mut found[member as usize], true) {
                continue;
            }
            for &instance in &by_member[begins[member as usize] as usize..begins[member as usize + 1] as usize] {
                let open = &mut open[instance as usize];
                open.missing -= 1;
                if open.missing == 0 {
                    stack.push(open.head);
                }
            }
        }
        found
    }
}
