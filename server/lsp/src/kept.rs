//! A cache of files by path, bounded in entries and bytes. The least recently used entry is dropped first. Entries that
//! are also held elsewhere are kept, because dropping them would free nothing.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// See the module's words.
pub(crate) struct Kept<T> {
    entries: HashMap<PathBuf, Entry<T>>,
    bytes: usize,
    most: usize,
    most_bytes: usize,
    is_held: fn(&T) -> bool,
    clock: u64,
}

struct Entry<T> {
    value: T,
    bytes: usize,
    used: u64,
}

impl<T> Kept<T> {
    pub(crate) fn new(most: usize, most_bytes: usize, is_held: fn(&T) -> bool) -> Kept<T> {
        Kept { entries: HashMap::new(), bytes: 0, most, most_bytes, is_held, clock: 0 }
    }

    pub(crate) fn get(&mut self, path: &Path) -> Option<&T> {
        self.clock += 1;
        let entry = self.entries.get_mut(path)?;
        entry.used = self.clock;
        Some(&entry.value)
    }

    pub(crate) fn insert(&mut self, path: PathBuf, value: T, bytes: usize) {
        self.clock += 1;
        let entry = Entry { value, bytes, used: self.clock };
        self.bytes += bytes;
        if let Some(old) = self.entries.insert(path, entry) {
            self.bytes -= old.bytes;
        }
        if self.entries.len() > self.most || self.bytes > self.most_bytes {
            self.shrink();
        }
    }

    /// Drops entries down to three quarters, so that the next drop is not due at once. The newest entry stays.
    fn shrink(&mut self) {
        let mut ages: Vec<u64> = self.entries.values().map(|entry| entry.used).collect();
        ages.sort_unstable();
        ages.pop();
        let (mut count, mut bytes) = (self.entries.len(), self.bytes);
        let by_age: HashMap<u64, usize> = self
            .entries
            .values()
            .filter(|entry| !(self.is_held)(&entry.value))
            .map(|entry| (entry.used, entry.bytes))
            .collect();
        let mut gone = std::collections::HashSet::new();
        for age in ages {
            if count <= self.most / 4 * 3 && bytes <= self.most_bytes / 4 * 3 {
                break;
            }
            if let Some(size) = by_age.get(&age) {
                gone.insert(age);
                count -= 1;
                bytes -= size;
            }
        }
        self.entries.retain(|_, entry| !gone.contains(&entry.used));
        self.bytes = bytes;
    }

    /// Forgets the entries below a folder.
    pub(crate) fn forget_below(&mut self, folder: &Path) {
        self.entries.retain(|path, _| !path.starts_with(folder));
        self.bytes = self.entries.values().map(|entry| entry.bytes).sum();
    }

    pub(crate) fn clear(&mut self) {
        self.entries = HashMap::new();
        self.bytes = 0;
    }
}

impl<T> fmt::Debug for Kept<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kept").field("entries", &self.entries.len()).field("bytes", &self.bytes).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn path(number: usize) -> PathBuf {
        PathBuf::from(format!("/folder{}/{number}", number % 2))
    }

    #[test]
    fn what_was_asked_for_last_stays() {
        let mut kept = Kept::new(8, 1000, |_: &usize| false);
        for number in 0..8 {
            kept.insert(path(number), number, 10);
        }
        assert_eq!(kept.get(&path(0)), Some(&0));
        kept.insert(path(8), 8, 10);
        let mut left: Vec<usize> = kept.entries.values().map(|entry| entry.value).collect();
        left.sort_unstable();
        assert_eq!(left, [0, 4, 5, 6, 7, 8]);
        assert_eq!(kept.bytes, 60);
        kept.insert(path(9), 9, 2000);
        assert_eq!((kept.entries.len(), kept.bytes), (1, 2000), "the newest stays, however large");
        kept.insert(path(9), 9, 20);
        assert_eq!(kept.bytes, 20);
    }

    #[test]
    fn what_is_held_stays() {
        let mut kept = Kept::new(4, 1000, |value: &Arc<usize>| Arc::strong_count(value) > 1);
        let held = Arc::new(0);
        kept.insert(path(0), held.clone(), 1);
        for number in 1..20 {
            kept.insert(path(number), Arc::new(number), 1);
        }
        assert!(kept.entries.len() <= 4 && kept.get(&path(0)).is_some());
        kept.forget_below(Path::new("/folder1"));
        assert!(kept.entries.keys().all(|path| path.starts_with("/folder0")));
        kept.clear();
        assert_eq!(kept.bytes, 0);
    }
}
