//! Slips of the pen, and other forms of a word. For two names that both have a meaning: is one a slip of the other
//! ([`one_slip_apart`], [`slip_of`])? For a name without a meaning: which name is the intended one ([`nearest`])?

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// True if one slip turns `b` into `a`: a letter added, dropped or replaced, or two neighbours swapped. Names that
/// differ in digits only differ on purpose (`cell1`, `cell2`), and so do very short ones.
pub fn one_slip_apart(a: &str, b: &str) -> bool {
    // A name with a `-` left at its end: `at-`.
    if [(a, b), (b, a)].iter().any(|(long, short)| !short.is_empty() && long.strip_suffix('-') == Some(short)) {
        return true;
    }
    let (short, long) = if a.len() <= b.len() { (a.as_bytes(), b.as_bytes()) } else { (b.as_bytes(), a.as_bytes()) };
    if short.len() < 3 || long.len() < 4 || long.len() - short.len() > 1 || short == long {
        return false;
    }
    let same = |(x, y): &(&u8, &u8)| x.eq_ignore_ascii_case(y);
    let front = short.iter().zip(long).take_while(same).count();
    let back = short[front..].iter().rev().zip(long[front..].iter().rev()).take_while(same).count();
    let (left_short, left_long) = (&short[front..short.len() - back], &long[front..long.len() - back]);
    let digits = |bytes: &[u8]| bytes.iter().any(u8::is_ascii_digit);
    if digits(left_short) || digits(left_long) {
        return false;
    }
    match (left_short, left_long) {
        ([], [_]) | ([_], [_]) => true,
        ([a, b], [c, d]) => a.eq_ignore_ascii_case(d) && b.eq_ignore_ascii_case(c),
        _ => false,
    }
}

/// True if two names begin and end alike, or have the same letters. Names with different first or last letters are a
/// family (`?xFrom`, `?yFrom`), not a slip, unless two letters are swapped.
pub fn same_ends(a: &str, b: &str) -> bool {
    let ends = |name: &str| (name.chars().next(), name.chars().next_back());
    let letters = |name: &str| {
        let mut letters: Vec<char> = name.chars().collect();
        letters.sort_unstable();
        letters
    };
    ends(a) == ends(b) || letters(a) == letters(b)
}

/// True if `long` is `short` with one of its letters or digits written twice: `?mm` for `?m`, `p22` for `p2`.
pub fn is_doubled(long: &str, short: &str) -> bool {
    let (long, short) = (long.as_bytes(), short.as_bytes());
    let front = long.iter().zip(short).take_while(|(x, y)| x.eq_ignore_ascii_case(y)).count();
    let is_twice = front > 0 && long.len() == short.len() + 1 && long[front].eq_ignore_ascii_case(&long[front - 1]);
    is_twice && long[front + 1..].eq_ignore_ascii_case(&short[front..])
}

/// The only candidate of which `name` is a slip, if both have a meaning or `name` is too short to be compared
/// otherwise: as in [`slip_of`], or with a letter written twice in one of the two.
pub fn slip_or_doubled<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str> + Clone) -> Option<&'a str> {
    let doubled = |candidate: &&str| is_doubled(name, candidate) || is_doubled(candidate, name);
    slip_of(name, candidates.clone()).or_else(|| only(candidates.into_iter().filter(doubled)))
}

/// The endings of English words after their stem.
const ENDINGS: [&str; 14] = ["", "s", "es", "e", "d", "ed", "ing", "er", "r", "en", "n", "y", "ies", "ied"];
const SHORTEST: usize = 3;

/// True if two names are two forms of one English word: `stands` and `standing`, `move` and `moved`.
pub fn same_word(a: &str, b: &str) -> bool {
    let common = a.bytes().zip(b.bytes()).take_while(|(x, y)| x.eq_ignore_ascii_case(y)).count();
    let is_ending = |name: &str, from: usize| {
        name.get(from..).is_some_and(|rest| ENDINGS.iter().any(|ending| rest.eq_ignore_ascii_case(ending)))
    };
    // The stem may be shorter than the common beginning of the names: `stand-s`, and `mov-e` beside `mov-ing`.
    !a.eq_ignore_ascii_case(b) && (SHORTEST..=common).rev().take(2).any(|stem| is_ending(a, stem) && is_ending(b, stem))
}

/// The candidate that is one slip away from `name`, if there is exactly one.
pub fn slip_of<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    only(candidates.into_iter().filter(|candidate| one_slip_apart(name, candidate)))
}

/// The candidate that is another form of the same word, if there is exactly one: `standing` for `stands`.
pub fn form_of<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    only(candidates.into_iter().filter(|candidate| same_word(name, candidate)))
}

fn only<'a>(mut names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let first = names.next()?;
    names.all(|other| other == first).then_some(first)
}

/// The number of candidates that [`nearest`] compares with a name: no person would look at more.
pub const COMPARED: usize = 3_000;

/// The probable intention behind `name`, which has no meaning: a candidate at most one slip away from a short name, two
/// from a long one (a letter added, dropped or replaced, or two swapped), or with the same letters and other
/// separators.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_ascii_lowercase();
    let allowed = match name.len() {
        0..=1 => return None,
        2..=4 => 1,
        _ => 2,
    };
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates.into_iter().take(COMPARED) {
        if candidate.len().abs_diff(name.len()) > allowed || candidate.eq_ignore_ascii_case(&name) {
            continue;
        }
        let lower = candidate.to_ascii_lowercase();
        // `p3` beside `p1` and `p2` is one more name of that kind, not a slip.
        if undigited(&lower).eq(undigited(&name)) {
            continue;
        }
        if is_doubled(&name, &lower) {
            best = Some((0, candidate));
            continue;
        }
        let distance = if joined(&lower).eq(joined(&name)) { 1 } else { slips(&name, &lower) };
        let plausible = distance <= allowed && distance < name.len().min(lower.len());
        if plausible && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Like [`nearest`]; or else, for a name with more digits than all others of its kind, the one with a digit written once:
/// `p2` for `p22`.
pub fn nearest_or_doubled<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str> + Clone) -> Option<&'a str> {
    let family = || candidates.clone().into_iter().filter(|other| undigited(other).eq(undigited(name)));
    let doubled =
        || family().find(|other| is_doubled(name, other)).filter(|_| family().all(|it| it.len() < name.len()));
    nearest(name, candidates.clone()).or_else(doubled)
}

/// True if one of two names can be the intention behind the other, in the judgement of any function here.
pub fn may_be_meant(a: &str, b: &str) -> bool {
    if one_slip_apart(a, b) || same_word(a, b) {
        return true;
    }
    let (a, b) = (a.to_ascii_lowercase(), b.to_ascii_lowercase());
    joined(&a).eq(joined(&b)) || a.len().abs_diff(b.len()) <= 2 && slips(&a, &b) <= 2
}

fn undigited(name: &str) -> impl Iterator<Item = u8> {
    name.bytes().filter(|byte| !byte.is_ascii_digit())
}

fn joined(name: &str) -> impl Iterator<Item = u8> {
    name.bytes().filter(|byte| !matches!(byte, b'-' | b'_'))
}

/// The optimal string alignment distance (Levenshtein's with swaps of neighbours).
fn slips(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &y) in b.iter().enumerate() {
            let mut cost = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && x == b[j - 1] && a[i - 1] == y {
                cost = cost.min(before[j - 1] + 1);
            }
            row.push(cost);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

/// A table of names that finds those one slip away from a name, or another form of the same word, without comparing it
/// with each of them.
///
/// Two names one slip apart are equal after dropping one letter from one or both of them (Mor and Fraenkel, 1982; made
/// popular by the program SymSpell), so a table from the shortened names to the names finds them; two forms of a word
/// are equal without their endings.
#[derive(Debug)]
pub struct Near<T> {
    names: Vec<(SmolStr, T)>,
    /// The indexes of names by the hash of the name, of the name without any one of its bytes, and of its possible
    /// stems.
    by_rest: FxHashMap<u64, Vec<u32>>,
}

impl<T: Copy> Near<T> {
    /// Creates a table of names, each with its value.
    pub fn new<'n>(names: impl IntoIterator<Item = (&'n str, T)>) -> Near<T> {
        let mut near = Near { names: Vec::new(), by_rest: FxHashMap::default() };
        for (name, value) in names {
            let id = near.names.len() as u32;
            near.names.push((name.into(), value));
            for rest in rests(name) {
                let ids = near.by_rest.entry(rest).or_default();
                // `ll` without the first `l` and without the second is the same.
                if ids.last() != Some(&id) {
                    ids.push(id);
                }
            }
        }
        near
    }

    /// The names that are [`one_slip_apart`] from this one or the [`same_word`], in the order of insertion.
    pub fn of(&self, name: &str) -> impl Iterator<Item = (&str, T)> {
        let mut ids: Vec<u32> =
            rests(name).iter().filter_map(|rest| self.by_rest.get(rest)).flatten().copied().collect();
        ids.sort_unstable();
        ids.dedup();
        let found = ids.into_iter().map(|id| &self.names[id as usize]).map(|(name, value)| (name.as_str(), *value));
        let fits = |other: &str| one_slip_apart(name, other) || same_word(name, other);
        found.filter(|(other, _)| fits(other)).collect::<Vec<_>>().into_iter()
    }
}

/// Hashes of a name, of the name without each of its bytes, and of its possible stems, in time linear in its length,
/// regardless of case.
fn rests(name: &str) -> Vec<u64> {
    const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
    let bytes = name.as_bytes();
    let step = |hash: u64, byte: &u8| hash.wrapping_mul(BASE).wrapping_add(u64::from(byte.to_ascii_lowercase()) + 1);
    let whole = bytes.iter().fold(0, step);
    // From the end: the hash of the bytes after a byte, and the power by which the bytes before it are shifted.
    let mut rests = vec![whole];
    let (mut behind, mut power) = (0_u64, 1_u64);
    let mut before = whole;
    for byte in bytes.iter().rev() {
        let own = u64::from(byte.to_ascii_lowercase()) + 1;
        // `before` is the hash of all bytes up to this one; without it, that of all bytes before it.
        before = before.wrapping_sub(own).wrapping_mul(inverse(BASE));
        rests.push(before.wrapping_mul(power).wrapping_add(behind));
        behind = behind.wrapping_add(own.wrapping_mul(power));
        power = power.wrapping_mul(BASE);
    }
    for ending in ENDINGS {
        let stem = bytes.len().saturating_sub(ending.len());
        if stem >= SHORTEST && bytes[stem..].eq_ignore_ascii_case(ending.as_bytes()) {
            // Keeps the hashes of stems apart from those of whole names.
            rests.push(!bytes[..stem].iter().fold(0, step));
        }
    }
    rests
}

/// The inverse of an odd number modulo 2^64 (Newton's iteration doubles the number of correct bits).
const fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    let mut round = 0;
    while round < 5 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
        round += 1;
    }
    inverse
}

/// The intended word behind `name`: as in [`slip_of`], and for short words the same letters in another order (`adn`).
pub(crate) fn meant<'a>(name: &str, words: &[&'a str]) -> Option<&'a str> {
    let name = name.to_ascii_lowercase();
    let letters = |word: &str| {
        let mut letters: Vec<u8> = word.bytes().collect();
        letters.sort_unstable();
        letters
    };
    let anagram =
        words.iter().copied().find(|word| word.len() == 3 && *word != name && letters(word) == letters(&name));
    anagram.or_else(|| slip_of(&name, words.iter().copied()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips() {
        for (a, b) in [
            ("cell", "cel"),
            ("cell", "celll"),
            ("control", "contorl"),
            ("white", "whyte"),
            ("row", "rows"),
            ("at", "at-"),
        ] {
            assert!(one_slip_apart(a, b) && one_slip_apart(b, a), "{a} {b}");
        }
        for (a, b) in
            [("cell1", "cell2"), ("cell", "cell"), ("ab", "ac"), ("up", "ups"), ("cell", "wall"), ("x10", "x1")]
        {
            assert!(!one_slip_apart(a, b) && !one_slip_apart(b, a), "{a} {b}");
        }
    }

    #[test]
    fn letters_written_twice() {
        for (long, short) in [("mm", "m"), ("p22", "p2"), ("500", "50"), ("ooo", "oo"), ("aab", "ab")] {
            assert!(is_doubled(long, short) && !is_doubled(short, long), "{long} {short}");
        }
        for (long, short) in [("p21", "p2"), ("m", "m"), ("ab", "a"), ("", ""), ("a", "")] {
            assert!(!is_doubled(long, short), "{long} {short}");
        }
        assert_eq!(slip_or_doubled("mm", ["m", "n"]), Some("m"));
        assert_eq!(slip_or_doubled("mm", ["m", "mmm"]), None);
    }

    #[test]
    fn forms_of_one_word() {
        for (a, b) in [
            ("stands", "standing"),
            ("stand", "standing"),
            ("move", "moved"),
            ("moves", "moving"),
            ("carry", "carried"),
        ] {
            assert!(same_word(a, b) && same_word(b, a), "{a} {b}");
        }
        for (a, b) in
            [("stand", "stand"), ("cell", "cellar"), ("on", "one"), ("left", "light"), ("x1", "x2"), ("cell1", "cells")]
        {
            assert!(!same_word(a, b) && !same_word(b, a), "{a} {b}");
        }
    }

    fn name() -> impl proptest::strategy::Strategy<Value = String> {
        "[abA1é]{0,5}(|s|ed|ing|e|ies|y)"
    }

    proptest::proptest! {
        /// Checks that the table and a comparison with each name find the same names.
        #[test]
        fn the_table_finds_all(names in proptest::collection::vec(name(), 0..40), name in name()) {
            let table = Near::new(names.iter().enumerate().map(|(n, name)| (name.as_str(), n)));
            let found: Vec<usize> = table.of(&name).map(|(_, n)| n).collect();
            let fits = |other: &str| one_slip_apart(&name, other) || same_word(&name, other);
            let all: Vec<usize> = (0..names.len()).filter(|n| fits(&names[*n])).collect();
            proptest::prop_assert_eq!(found, all);
        }
    }

    #[test]
    fn two_near_names_are_no_answer() {
        assert_eq!(slip_of("rowx", ["rowy", "rowz"]), None);
        assert_eq!(slip_of("contrl", ["control", "cell"]), Some("control"));
    }

    #[test]
    fn finds_other_forms_of_a_word_but_no_longer_words() {
        let words = ["stands", "moves", "on", "carry", "open-door"];
        assert_eq!(form_of("standing", words), Some("stands"));
        assert_eq!(form_of("moved", words), Some("moves"));
        assert_eq!(form_of("carrying", words), Some("carry"));
        assert_eq!(form_of("open-window", words), None);
        assert_eq!(form_of("ones", words), None);
    }

    #[test]
    fn finds_slips_but_not_other_words() {
        let words = ["whoseturn", "inphase", "at", "owns", "choose-left", "hidden"];
        assert_eq!(nearest("whosetrun", words), Some("whoseturn"));
        assert_eq!(nearest("hides", words), Some("hidden"));
        assert_eq!(nearest("in-phase", words), Some("inphase"));
        assert_eq!(nearest("choose_left", words), Some("choose-left"));
        assert_eq!(nearest("own", words), Some("owns"));
        assert_eq!(nearest("on", words), None);
        assert_eq!(nearest("at", words), None);
        assert_eq!(nearest("c03", ["c01", "c02"]), None);
        assert_eq!(nearest("crad3", ["card3"]), Some("card3"));
        assert_eq!(nearest("mm", ["m", "n"]), Some("m"));
        assert_eq!(nearest("p22", ["p1", "p2"]), None);
        assert_eq!(nearest_or_doubled("p22", ["p1", "p2"]), Some("p2"));
        assert_eq!(nearest_or_doubled("p22", ["p1", "p2", "p10"]), None);
    }
}
