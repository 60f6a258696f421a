//! Orbits, as disjoint sets.

/// Disjoint sets of numbers, each identified by its least one.
pub(super) struct Orbits {
    /// For each number, a lesser one of the same set, or itself.
    lesser: Vec<u32>,
}

impl Orbits {
    /// Every number below `count` alone.
    pub(super) fn new(count: usize) -> Orbits {
        Orbits { lesser: (0..count as u32).collect() }
    }

    /// The least number of the set.
    pub(super) fn least(&mut self, mut of: u32) -> u32 {
        while self.lesser[of as usize] != of {
            self.lesser[of as usize] = self.lesser[self.lesser[of as usize] as usize];
            of = self.lesser[of as usize];
        }
        of
    }

    /// Joins two sets.
    pub(super) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.least(a), self.least(b));
        self.lesser[a.max(b) as usize] = a.min(b);
    }
}
