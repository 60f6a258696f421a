//! Adds up the probabilities of nodes that are met several times.

/// The nodes of the views after a move, each once for each list of percepts.
#[derive(Default)]
pub(super) struct Index {
    entries: Vec<Entry>,
    /// Places in `entries` by hash, with the time at which they were written: older ones are free.
    places: Vec<(u32, u32)>,
    time: u32,
}

/// A node with the percepts with which it is met.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub percepts: u32,
    pub node: u32,
    pub reach: f64,
}

/// The least number of places.
const LEAST: usize = 64;

impl Index {
    /// Removes all nodes.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.time = self.time.wrapping_add(1);
        if self.places.is_empty() || self.time == 0 {
            let len = self.places.len().max(LEAST);
            self.places.clear();
            self.places.resize(len, (0, 0));
            self.time = 1;
        }
    }

    /// Adds a probability to that of a node.
    pub(super) fn add(&mut self, percepts: u32, node: u32, reach: f64) {
        let mask = self.places.len() - 1;
        let mut at = hash(percepts, node) & mask;
        while let (time, entry) = self.places[at]
            && time == self.time
        {
            let entry = &mut self.entries[entry as usize];
            if (entry.percepts, entry.node) == (percepts, node) {
                entry.reach += reach;
                return;
            }
            at = (at + 1) & mask;
        }
        self.places[at] = (self.time, self.entries.len() as u32);
        self.entries.push(Entry { percepts, node, reach });
        if 2 * self.entries.len() > self.places.len() {
            self.grow();
        }
    }

    fn grow(&mut self) {
        let len = 2 * self.places.len();
        self.places.clear();
        self.places.resize(len, (0, 0));
        self.time = 1;
        for (place, entry) in self.entries.iter().enumerate() {
            let mut at = hash(entry.percepts, entry.node) & (len - 1);
            while self.places[at].0 == self.time {
                at = (at + 1) & (len - 1);
            }
            self.places[at] = (self.time, place as u32);
        }
    }

    /// The nodes, those with the same percepts together. No more can be added before [`Index::clear`].
    pub(super) fn by_percepts(&mut self) -> &[Entry] {
        if self.entries.iter().any(|entry| entry.percepts != self.entries[0].percepts) {
            self.entries.sort_by_key(|entry| entry.percepts);
        }
        &self.entries
    }
}

fn hash(percepts: u32, node: u32) -> usize {
    let key = u64::from(percepts) << 32 | u64::from(node);
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize
}
