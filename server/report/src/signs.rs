//! The signs and names for knowledge that every screen uses: terminal, editors, reports, pages.
//!
//! `✓` is known or proved, `✗` is not known or refuted, `?` is undecided. The two histories of a refutation are called A
//! and B; if one of them is the match itself, it is A. The panel has the same in `editors/vscode/src/panel/signs.ts`.

use crate::words;

/// The sign of something known or proved.
pub const KNOWN: &str = "✓";
/// The sign of something not known or refuted.
pub const UNKNOWN: &str = "✗";
/// The sign of an undecided question.
pub const UNDECIDED: &str = "?";
/// The names of two histories that a role cannot tell apart.
pub const PAIR: [&str; 2] = ["A", "B"];

/// The names of the histories with a word on the first: `A, this match, and B`.
pub fn pair(first_is_match: bool) -> String {
    let [one, other] = PAIR;
    if first_is_match { format!("{one}, this match, and {other}") } else { format!("{one} and {other}") }
}

/// The sentence above a pair: `ann does and sees the same in A and B`. `acts`: true if the role's own moves are the same,
/// too, which a role need not know.
pub fn alike(role: &str, acts: bool, first_is_match: bool) -> String {
    let same = if acts { "does and sees the same" } else { "sees the same" };
    format!("{role} {same} in {}", pair(first_is_match))
}

/// A number of histories, which may begin with `at least`: `1 history`, `at least 12 histories`.
pub fn histories(digits: &str) -> String {
    let noun = if digits.trim_start_matches("at least ") == "1" { "history" } else { "histories" };
    format!("{digits} {noun}")
}

/// The share of things that did something: `all 28 rules fired`, `2 of 28 rules never fired`.
pub fn share(missed: usize, all: usize, [one, many]: [&str; 2], verb: &str) -> String {
    match (missed, all) {
        (0, 0) => format!("there are no {many}"),
        (0, 1) => format!("the only {one} {verb}"),
        (0, _) => format!("all {all} {many} {verb}"),
        _ => format!("{missed} of {} never {verb}", words::counted(all, one, many)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular_and_nothing_missed_is_all() {
        assert_eq!(histories("1"), "1 history");
        assert_eq!(histories("at least 1"), "at least 1 history");
        assert_eq!(histories("11"), "11 histories");
        assert_eq!(share(0, 28, ["rule", "rules"], "fired"), "all 28 rules fired");
        assert_eq!(share(2, 28, ["rule", "rules"], "fired"), "2 of 28 rules never fired");
        assert_eq!(share(0, 1, ["rule", "rules"], "fired"), "the only rule fired");
        assert_eq!(share(1, 1, ["rule", "rules"], "fired"), "1 of 1 rule never fired");
        assert_eq!(share(0, 0, ["percept", "percepts"], "came"), "there are no percepts");
    }
}
