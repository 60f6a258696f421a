//! Values that order places: `3`, `c`, `col03`, and both coordinates in one word: `c01r01`, `a1`.

use std::collections::BTreeSet;

/// A value that orders places.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Coordinate {
    pub word: String,
    pub number: u32,
    pub text: String,
}

impl Coordinate {
    /// The coordinate of a text: a number, a letter, or a word that ends in a number.
    pub(super) fn of(text: &str) -> Option<Coordinate> {
        let digits = text.len() - text.trim_start_matches(|c: char| !c.is_ascii_digit()).len();
        let (word, number) = text.split_at(digits);
        let number = match number {
            "" if word.len() == 1 && word.as_bytes()[0].is_ascii_alphabetic() => u32::from(word.as_bytes()[0]),
            number => number.parse().ok()?,
        };
        let word = if digits == text.len() { String::new() } else { word.to_string() };
        Some(Coordinate { word, number, text: text.to_string() })
    }

    pub(super) fn is_letter(&self) -> bool {
        self.text.len() == 1 && !self.text.as_bytes()[0].is_ascii_digit()
    }

    /// The two coordinates in one word: `c01r01`, `p1-s03`, or a letter and a number.
    pub(super) fn pair(text: &str) -> Option<(Coordinate, Coordinate)> {
        let mut parts: Vec<&str> = Vec::new();
        for piece in text.split(['-', '_']) {
            let mut start = 0;
            let mut in_number = false;
            for (at, c) in piece.char_indices() {
                if in_number && !c.is_ascii_digit() {
                    parts.push(&piece[start..at]);
                    start = at;
                }
                in_number = c.is_ascii_digit();
            }
            parts.push(&piece[start..]);
        }
        if let [one] = parts[..] {
            let letter = one.chars().next().filter(|c| c.is_ascii_alphabetic())?;
            let rest = &one[letter.len_utf8()..];
            parts = vec![&one[..letter.len_utf8()], rest];
            if rest.is_empty() || !rest.bytes().all(|c| c.is_ascii_digit()) {
                return None;
            }
        }
        match parts[..] {
            [one, other] => Some((Coordinate::of(one)?, Coordinate::of(other)?)),
            _ => None,
        }
    }
}

/// True if the values form one side: two or more, all consecutive letters, or all numbers after one word.
pub(super) fn is_side(values: &BTreeSet<Coordinate>, most: usize) -> bool {
    let (Some(first), Some(last)) = (values.first(), values.last()) else { return false };
    let alike = |value: &Coordinate| value.word == first.word && value.is_letter() == first.is_letter();
    // Letters that name lines are consecutive: `a b c`, not the pieces `b o x`.
    let reach = (last.number - first.number) as usize + 1;
    (2..=most).contains(&values.len()) && values.iter().all(alike) && (!first.is_letter() || reach == values.len())
}

/// All values between the least and the greatest, if they are plain numbers: lines that always stay empty also belong
/// to the board.
pub(super) fn filled(values: BTreeSet<Coordinate>, most: usize) -> BTreeSet<Coordinate> {
    let (Some(first), Some(last)) = (values.first(), values.last()) else { return values };
    // Names such as `01` are excluded: a board of them has exactly the lines that are named.
    let plain = values.iter().all(|it| it.text == it.number.to_string());
    if !plain || (last.number - first.number) as usize >= most {
        return values;
    }
    (first.number..=last.number).filter_map(|number| Coordinate::of(&number.to_string())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_may_hold_both_coordinates() {
        let pair = |text: &str| Coordinate::pair(text).map(|(one, other)| format!("{} {}", one.text, other.text));
        assert_eq!(pair("c01r12").as_deref(), Some("c01 r12"));
        assert_eq!(pair("a7").as_deref(), Some("a 7"));
        assert_eq!(pair("p1-s03").as_deref(), Some("p1 s03"));
        for no in ["7", "king", "c", "a1b2c3", "card"] {
            assert_eq!(pair(no), None, "{no}");
        }
    }
}
