//! Numbers with their nouns, for every message of every crate.

/// A number with its noun: `1 leaf`, `3 leaves`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// `1 round`, `3 rounds`.
pub fn rounds(count: usize) -> String {
    counted(count, "round", "rounds")
}
