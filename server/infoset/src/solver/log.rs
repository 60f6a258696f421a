//! The derivations of a solver, until they are written down.

use rustc_hash::FxHashMap;

use super::steps::{Clause, Writer};

/// A clause, as its list and its index there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Demanded(u32),
    Derived(u32),
}

/// The derivations of a solver, until they are written down.
#[derive(Default)]
pub(crate) struct Log {
    places: FxHashMap<i64, Place>,
    demanded: u32,
    /// For each derived clause, the end of its literals in `literals`, and the end of its hints in `hints`.
    ends: Vec<(usize, usize)>,
    literals: Vec<i32>,
    hints: Vec<Place>,
    /// For each question, the number of clauses derived when it was answered, and the clause that answers it.
    answers: Vec<(u32, Place)>,
    /// True after an event that the proof format cannot express.
    is_broken: bool,
}

impl Log {
    /// Records a clause given to the solver.
    pub(crate) fn original(&mut self, id: i64) {
        self.places.insert(id, Place::Demanded(self.demanded));
        self.demanded += 1;
    }

    /// Records a derived clause. `follows`: it follows by unit propagation.
    pub(crate) fn derived(&mut self, id: i64, clause: &[i32], antecedents: &[i64], follows: bool) {
        self.is_broken |= !follows;
        self.literals.extend_from_slice(clause);
        for antecedent in antecedents {
            match self.places.get(antecedent) {
                Some(&place) => self.hints.push(place),
                None => self.is_broken = true,
            }
        }
        self.places.insert(id, Place::Derived(self.ends.len() as u32));
        self.ends.push((self.literals.len(), self.hints.len()));
    }

    /// Records an answer *no*, because of the first of these clauses.
    pub(crate) fn answered(&mut self, ids: &[i64]) {
        match ids.first().and_then(|id| self.places.get(id)) {
            Some(&place) => self.answers.push((self.ends.len() as u32, place)),
            None => self.is_broken = true,
        }
    }

    fn span(&self, derived: u32) -> (&[i32], &[Place]) {
        let (literals, hints) = derived.checked_sub(1).map_or((0, 0), |before| self.ends[before as usize]);
        let (literals_end, hints_end) = self.ends[derived as usize];
        (&self.literals[literals..literals_end], &self.hints[hints..hints_end])
    }

    /// Returns the proof: the derivations that the answers need. `None` if the format cannot express them.
    pub(crate) fn proof(&self) -> Option<Vec<u8>> {
        if self.is_broken {
            return None;
        }
        let mut needed = vec![false; self.ends.len()];
        let mark = |needed: &mut Vec<bool>, place: &Place| {
            if let Place::Derived(derived) = place {
                needed[*derived as usize] = true;
            }
        };
        self.answers.iter().for_each(|(_, place)| mark(&mut needed, place));
        for derived in (0..self.ends.len()).rev() {
            if needed[derived] {
                self.span(derived as u32).1.iter().for_each(|place| mark(&mut needed, place));
            }
        }
        // Unneeded clauses get no number.
        let mut numbers = vec![0u32; self.ends.len()];
        let clause = |numbers: &[u32], place: &Place| match *place {
            Place::Demanded(index) => Clause::Demanded(index),
            Place::Derived(index) => Clause::Derived(numbers[index as usize]),
        };
        let (mut writer, mut count, mut answers) = (Writer::default(), 0, self.answers.iter().peekable());
        for derived in 0..=self.ends.len() as u32 {
            while let Some((_, place)) = answers.next_if(|(until, _)| *until == derived) {
                writer.answer(clause(&numbers, place));
            }
            if !needed.get(derived as usize).is_some_and(|&needed| needed) {
                continue;
            }
            numbers[derived as usize] = count;
            count += 1;
            let (literals, hints) = self.span(derived);
            writer.clause(literals, hints.iter().map(|place| clause(&numbers, place)));
        }
        Some(writer.bytes)
    }
}
