//! Cards and dice: facts such as `(holds p1 jack)`, `(deck 3)` and `(shows first 6)` as hands in rows, one for each owner.
//! They are found by the words of the fluent, by values that are names of cards, or by a hint: `; percept: draw holds
//! cards`.

use std::collections::{BTreeMap, BTreeSet};

use super::Style;
use super::coordinate::Coordinate;
use super::glyphs::{Glyph, Tone};
use super::hints::{Drawing, Hint};
use super::infer::{MAX_SIDE, Place, Plan, Surface};
use super::survey::{Kind, Survey};

/// The most rows of a deal.
const MOST_OWNERS: usize = 8;
/// The words for fluents that hold cards, and for those that hold dice.
const CARDS: [&str; 19] = [
    "hand",
    "hands",
    "holds",
    "holding",
    "card",
    "cards",
    "deck",
    "dealt",
    "discard",
    "discards",
    "discarded",
    "stock",
    "trump",
    "trick",
    "board-card",
    "public-card",
    "prize",
    "in-deck",
    "pile",
];
const DICE: [&str; 8] = ["die", "dice", "shows", "rolled", "thrown", "pip", "pips", "eyes"];

/// The deals of a game, by fluent; a fluent whose board is declared has none.
pub(super) fn deals(
    survey: &Survey,
    hints: &[Hint],
    drawings: &BTreeMap<String, Drawing>,
) -> BTreeMap<String, (Surface, Style)> {
    let open = survey.kinds.iter().filter(|(functor, _)| hints.iter().all(|hint| hint.functor != **functor));
    open.filter_map(|(functor, kind)| Some((functor.clone(), deal(survey, functor, kind, drawings.get(functor))?)))
        .collect()
}

/// The deal of a fluent, if it is one. `drawing`: the hint about the fluent.
fn deal(survey: &Survey, functor: &str, kind: &Kind, drawing: Option<&Drawing>) -> Option<(Surface, Style)> {
    let (owners, values) = match &kind.values[..] {
        [values] => (None, values),
        [owners, values] => (Some(owners), values),
        _ => return None,
    };
    let style = match drawing {
        Some(Drawing::Style(style)) => *style,
        _ => guessed(survey, functor, owners, values)?,
    };
    if style == Style::Grid || values.len() > 3 * MAX_SIDE || owners.is_some_and(|all| all.len() > MOST_OWNERS) {
        return None;
    }
    let mut columns: Vec<&String> = values.iter().collect();
    columns.sort_by_key(|value| order(value));
    let value = kind.values.len() - 1;
    let plan = Plan {
        functor: functor.to_owned(),
        arity: kind.values.len(),
        place: owners.map_or(Place::Line { at: value }, |_| Place::Two { column: value, row: 0 }),
        which: None,
        against: false,
        pieces: vec![value],
    };
    let surface = Surface {
        plans: vec![plan],
        columns: columns.into_iter().cloned().collect(),
        rows: owners.map_or_else(|| vec![String::new()], |all| all.iter().cloned().collect()),
        boards: vec![String::new()],
        pieces: values.clone(),
    };
    Some((surface, style))
}

/// The style that a fluent's words imply.
fn guessed(
    survey: &Survey,
    functor: &str,
    owners: Option<&BTreeSet<String>>,
    values: &BTreeSet<String>,
) -> Option<Style> {
    let are_roles = owners.is_none_or(|all| all.iter().all(|it| it == "random" || survey.roles.contains(it)));
    let are_faces = values.iter().all(|it| matches!(it.parse(), Ok(1..=6)));
    if DICE.contains(&functor) && are_faces {
        return Some(Style::Dice);
    }
    let named = values.iter().filter(|it| rank(it).is_some()).count();
    let are_cards = values.iter().all(|it| card(it).is_some() || Coordinate::of(it).is_some());
    let is_hand = CARDS.contains(&functor) && are_cards;
    (are_roles && values.len() >= 2 && (is_hand || named == values.len())).then_some(Style::Cards)
}

/// The signs of cards or dice.
pub(super) fn signs(style: Style, values: &BTreeSet<String>) -> BTreeMap<String, Glyph> {
    let plain = |value: &String| Glyph { sign: value.clone(), tone: None };
    let sign = |value: &String| match style {
        Style::Dice => face(value).map_or_else(|| plain(value), |sign| Glyph { sign: sign.to_string(), tone: None }),
        _ => card(value).unwrap_or_else(|| Glyph { sign: number(value), tone: None }),
    };
    values.iter().map(|value| (value.clone(), sign(value))).collect()
}

/// The side of a die.
fn face(value: &str) -> Option<char> {
    value.parse::<usize>().ok().and_then(|eyes| "⚀⚁⚂⚃⚄⚅".chars().nth(eyes.checked_sub(1)?))
}

/// `c05` as `5`, other words as they are.
fn number(value: &str) -> String {
    match Coordinate::of(value) {
        Some(it) if it.word.len() <= 1 && !it.is_letter() => it.number.to_string(),
        _ => value.to_owned(),
    }
}

/// A card by the names of its rank and suit: `jack`, `jack-1` (one of several jacks), `queen-of-hearts`, `10h`, `as`,
/// `(card 3 hearts)`.
fn card(value: &str) -> Option<Glyph> {
    let value = value.to_ascii_lowercase();
    let words = value.trim_matches(['(', ')']).split(['-', '_', ' ']);
    let words: Vec<&str> = words.filter(|it| !matches!(*it, "of" | "card")).collect();
    let suited = |rank: &str, suit: &str| {
        let (suit, tone) = suit_of(suit)?;
        let rank = rank_of(rank)?;
        Some(Glyph { sign: format!("{rank}{suit}"), tone })
    };
    match words[..] {
        [one, other] => suited(one, other).or_else(|| suited(other, one)).or_else(|| copy(one, other)),
        [one] => named(one).map(|rank| Glyph { sign: rank.to_owned(), tone: None }).or_else(|| {
            let (at, _) = one.char_indices().last().filter(|(at, _)| *at > 0)?;
            // `ca` is the ace of games without suits.
            let lettered =
                || one.strip_prefix('c').filter(|it| it.len() == 1 && "akqj".contains(*it)).and_then(rank_of);
            suited(&one[..at], &one[at..]).or_else(|| lettered().map(|sign| Glyph { sign, tone: None }))
        }),
        _ => None,
    }
}

/// One of several cards of a rank: `jack-1`.
fn copy(rank: &str, number: &str) -> Option<Glyph> {
    number.parse::<u32>().ok()?;
    Some(Glyph { sign: named(rank)?.to_owned(), tone: None })
}

/// The rank of a card that has one.
fn rank(value: &str) -> Option<String> {
    card(value).map(|it| it.sign)
}

fn named(rank: &str) -> Option<&'static str> {
    Some(match rank {
        "ace" => "A",
        "king" => "K",
        "queen" => "Q",
        "jack" | "knave" => "J",
        "ten" => "10",
        "nine" => "9",
        "eight" => "8",
        "seven" => "7",
        "joker" => "★",
        _ => return None,
    })
}

fn rank_of(rank: &str) -> Option<String> {
    let short = match rank {
        "a" => Some("A"),
        "k" => Some("K"),
        "q" => Some("Q"),
        "j" => Some("J"),
        "t" => Some("10"),
        _ => named(rank),
    };
    short.map(str::to_owned).or_else(|| matches!(rank.parse(), Ok(2..=10)).then(|| rank.to_owned()))
}

fn suit_of(suit: &str) -> Option<(&'static str, Option<Tone>)> {
    Some(match suit {
        "s" | "spade" | "spades" => ("♠", None),
        "h" | "heart" | "hearts" => ("♥", Some(Tone::Red)),
        "d" | "diamond" | "diamonds" => ("♦", Some(Tone::Red)),
        "c" | "club" | "clubs" => ("♣", None),
        _ => return None,
    })
}

/// The place of a value in a hand: numbers by size, cards by rank.
fn order(value: &str) -> (usize, u32, String) {
    const RANKS: [&str; 14] = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "★"];
    let place = rank(value).and_then(|rank| {
        let plain = rank.trim_end_matches(['♠', '♥', '♦', '♣']);
        RANKS.iter().position(|it| *it == plain)
    });
    let number = Coordinate::of(value).map_or(0, |it| it.number);
    (place.unwrap_or(RANKS.len()), number, value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_are_known_by_their_names() {
        let sign = |value| card(value).map(|it| it.sign).unwrap_or_default();
        for (value, expected) in [
            ("jack", "J"),
            ("jack-1", "J"),
            ("queen-of-hearts", "Q♥"),
            ("hearts_queen", "Q♥"),
            ("10h", "10♥"),
            ("as", "A♠"),
            ("td", "10♦"),
            ("(card 3 hearts)", "3♥"),
            ("ca", "A"),
            ("a7", ""),
            ("is", ""),
            ("c05", ""),
            ("high", ""),
        ] {
            assert_eq!(sign(value), expected, "{value}");
        }
        assert_eq!(number("c05"), "5");
        assert_eq!(number("red"), "red");
        assert_eq!(face("6"), Some('⚅'));
        assert_eq!(face("7"), None);
    }

    #[test]
    fn a_hand_is_in_order() {
        let mut hand = ["queen", "10", "2", "ace", "jack"];
        hand.sort_by_key(|it| order(it));
        assert_eq!(hand, ["jack", "queen", "ace", "2", "10"]);
    }
}
