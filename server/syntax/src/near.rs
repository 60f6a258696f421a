//! Slips of the pen: names one letter apart.

/// Whether one slip makes `a` of `b`: a letter more, a letter less, another letter, two neighbours swapped.
/// Names that differ in digits only are different on purpose (`cell1`, `cell2`), and so are very short ones.
pub fn one_slip_apart(a: &str, b: &str) -> bool {
    // A `-` left behind a name: `at-`.
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

/// Whether two names begin and end alike, or have the same letters: names that begin or end with another letter are a family
/// (`?xFrom`, `?yFrom`), not a slip, unless two letters have changed places.
pub fn same_ends(a: &str, b: &str) -> bool {
    let ends = |name: &str| (name.chars().next(), name.chars().next_back());
    let letters = |name: &str| {
        let mut letters: Vec<char> = name.chars().collect();
        letters.sort_unstable();
        letters
    };
    ends(a) == ends(b) || letters(a) == letters(b)
}

/// Whether two names are two forms of one English word: `stands` and `standing`, `move` and `moved`.
pub fn same_word(a: &str, b: &str) -> bool {
    const ENDINGS: [&str; 14] = ["", "s", "es", "e", "d", "ed", "ing", "er", "r", "en", "n", "y", "ies", "ied"];
    const SHORTEST: usize = 3;
    let common = a.bytes().zip(b.bytes()).take_while(|(x, y)| x.eq_ignore_ascii_case(y)).count();
    let is_ending = |name: &str, from: usize| {
        name.get(from..).is_some_and(|rest| ENDINGS.iter().any(|ending| rest.eq_ignore_ascii_case(ending)))
    };
    // The stem may be shorter than what the names have in common: `stand-s`, and `mov-e` beside `mov-ing`.
    !a.eq_ignore_ascii_case(b) && (SHORTEST..=common).rev().take(2).any(|stem| is_ending(a, stem) && is_ending(b, stem))
}

/// The candidate that is one slip from `name`, if exactly one is.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut near = candidates.into_iter().filter(|candidate| one_slip_apart(name, candidate));
    let first = near.next()?;
    near.all(|other| other == first).then_some(first)
}

/// The word that `name` was meant to be: as [`nearest`], and for short words the same letters in another order (`adn`).
pub(crate) fn meant<'a>(name: &str, words: &[&'a str]) -> Option<&'a str> {
    let name = name.to_ascii_lowercase();
    let letters = |word: &str| {
        let mut letters: Vec<u8> = word.bytes().collect();
        letters.sort_unstable();
        letters
    };
    let anagram =
        words.iter().copied().find(|word| word.len() == 3 && *word != name && letters(word) == letters(&name));
    anagram.or_else(|| nearest(&name, words.iter().copied()))
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

    #[test]
    fn two_near_names_are_no_answer() {
        assert_eq!(nearest("rowx", ["rowy", "rowz"]), None);
        assert_eq!(nearest("contrl", ["control", "cell"]), Some("control"));
    }
}
