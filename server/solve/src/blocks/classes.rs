//! The views of the next round: those that belong to the same sets have the same future, and are one from here on.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::Passage;
use super::lists::Lists;
use super::parts::{NONE, Print, Raw, Views, print};
use super::state::{Builder, Decisions, SUM, variable};
use crate::shape::Stage;

/// A view before those with the same future are one.
type Marked = (Print, u32, u32);

impl Builder<'_> {
    /// Takes the views of a player with the same future as one, and changes the numbers in the sets into theirs. Of the
    /// views that are one, the sets keep the first.
    pub(super) fn classes(&mut self, player: usize, raw: &Raw, sets: &mut Lists) -> Views {
        let mut kept = self.alike(player, raw, sets);
        let (before, decisions) = (&self.views[player], &mut self.players[player]);
        let mut next = Views::default();
        let (mut passages, mut more) = (Vec::new(), Vec::new());
        for (view, number, symbol, place) in raw.all(before) {
            let first = kept[number as usize];
            if first == NONE {
                continue;
            }
            let variable = variable(before, view, place);
            let class = if first == number {
                next.notes.push(self.cores.notes[player][&(before.notes[view], symbol)]);
                next.count.push(before.count[view]);
                next.reach.push(variable);
                kept[number as usize] = next.notes.len() as u32 - 1;
                kept[number as usize]
            } else {
                // The first one comes first, and has the number of the class by now.
                let class = kept[first as usize];
                next.count[class as usize] += before.count[view];
                more.push((class, variable));
                kept[number as usize] = NONE;
                class
            };
            passages.push(Passage { before: view as u32, symbol, after: class });
        }
        more.par_sort_unstable();
        for members in more.chunk_by(|one, other| one.0 == other.0) {
            let class = members[0].0 as usize;
            let members = members.iter().map(|it| it.1).chain([next.reach[class]]).collect();
            next.reach[class] = decisions.sum(members);
        }
        let sums = decisions.shape.sums.len() - 1;
        decisions.shape.stages.push(Stage { infosets: decisions.shape.parents.len(), sums });
        decisions.passages.push(passages);
        sets.filter_map(|number| Some(kept[number as usize]).filter(|&class| class != NONE));
        next
    }

    /// For each view the first one with the same future, or [`NONE`] if it is in no set.
    fn alike(&self, player: usize, raw: &Raw, sets: &Lists) -> Vec<u32> {
        let marks: Vec<[AtomicU64; 2]> = (0..raw.len()).map(|_| Default::default()).collect();
        (0..sets.len()).into_par_iter().for_each(|set| {
            let mark = print(set as u32);
            for &item in sets.list(set) {
                for (sum, mark) in marks[item as usize].iter().zip(mark) {
                    sum.fetch_add(mark, Ordering::Relaxed);
                }
            }
        });
        let before = &self.views[player];
        let marked = raw.all(before).filter_map(|(view, number, symbol, _)| {
            let mark = [0, 1].map(|at| marks[number as usize][at].load(Ordering::Relaxed));
            let notes = || self.cores.notes[player][&(before.notes[view], symbol)];
            (mark != [0, 0]).then(|| (mark, notes(), number))
        });
        let mut marked: Vec<Marked> = marked.collect();
        drop(marks);
        marked.par_sort_unstable();
        let mut first = vec![NONE; raw.len()];
        for alike in marked.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
            alike.iter().for_each(|it| first[it.2 as usize] = alike[0].2);
        }
        first
    }
}

impl Decisions {
    /// The variable that is the sum of these.
    fn sum(&mut self, mut members: Vec<u32>) -> u32 {
        members.sort_unstable();
        let fresh = self.sums.len() as u32;
        if let Some(&id) = self.sums.get(&members) {
            return id | SUM;
        }
        self.shape.items.extend_from_slice(&members);
        self.shape.sums.push(self.shape.items.len() as u32);
        self.sums.insert(members, fresh);
        fresh | SUM
    }
}
