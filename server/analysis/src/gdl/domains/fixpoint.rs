//! The flow of values along the copies, until nothing changes.

use std::collections::VecDeque;

use super::{Copy, Domains, Slot};

impl Domains {
    pub(super) fn run(&mut self, start: Vec<u32>) {
        let mut queued = vec![false; self.copies.len()];
        let mut queue: VecDeque<u32> = start.into();
        queue.iter().for_each(|copy| queued[*copy as usize] = true);
        // Every step but the last of a copy adds a bit or a functor. The budget is only a safeguard.
        let mut budget = 200 * self.copies.len() + 10_000;
        while let Some(copy) = queue.pop_front() {
            queued[copy as usize] = false;
            budget -= 1;
            if budget == 0 || self.given_up {
                self.given_up = true;
                return;
            }
            let Copy { from, to } = self.copies[copy as usize].clone();
            let mut changed = Vec::new();
            self.add_common(&from, to, &mut changed);
            for place in changed {
                let mut up = place + 1;
                while up > 0 {
                    let domain = &self.domains[up as usize - 1];
                    for reader in &domain.readers {
                        if !std::mem::replace(&mut queued[*reader as usize], true) {
                            queue.push_back(*reader);
                        }
                    }
                    up = domain.parent;
                }
            }
        }
    }

    /// Adds the intersection of all `from` to `to`. Lists the places that changed.
    fn add_common(&mut self, from: &[Slot], to: Slot, changed: &mut Vec<Slot>) {
        if self.domains[to as usize].any || from == [to] || self.given_up {
            return;
        }
        let closed: Vec<Slot> = from.iter().copied().filter(|place| !self.domains[*place as usize].any).collect();
        let Some((&first, others)) = closed.split_first() else {
            self.open_and_tell(to, changed);
            return;
        };
        let rows: Vec<_> = others.iter().map(|other| self.row(*other)).collect();
        let lacking = self.row(to).lacking(self.row(first), &rows);
        let mut grew = !lacking.is_empty();
        let added = self.domains[to as usize].constants.add(&lacking);
        self.count_words(added);
        for n in 0..self.domains[first as usize].functors.len() {
            let entry = self.domains[first as usize].functors[n].clone();
            if !entry.present {
                continue;
            }
            let mut sources = vec![entry.first_child];
            for other in others {
                match self.functor(*other, entry.sym, entry.arity) {
                    Some(found) if found.present => sources.push(found.first_child),
                    _ => break,
                }
            }
            if sources.len() < closed.len() {
                continue;
            }
            let was = self.functor(to, entry.sym, entry.arity).is_some_and(|entry| entry.present);
            let Some(child) = self.child_raw(to, entry.sym, entry.arity, true, false) else { return };
            grew |= !was;
            for k in 0..entry.arity {
                let places: Vec<Slot> = sources.iter().map(|source| source + k).collect();
                self.add_common(&places, child + k, changed);
            }
        }
        if grew {
            changed.push(to);
        }
    }

    /// Finds rules with a variable that has no possible value: they produce nothing. The consequences are not faults of
    /// their own, so the place of the head is opened, and the fixpoint continues.
    pub(super) fn force_contradictions(&mut self) {
        let stuck: Vec<u32> = (0..self.copies.len() as u32)
            .filter(|copy| {
                let from = &self.copies[*copy as usize].from;
                from.len() > 1 && !self.overlap(from)
            })
            .collect();
        for copy in &stuck {
            self.open(self.copies[*copy as usize].to);
        }
        if !stuck.is_empty() {
            self.run((0..self.copies.len() as u32).collect());
        }
    }
}
