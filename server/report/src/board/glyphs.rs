//! The content of a cell as a sign: chess, draughts, discs, marks; short words if nothing fits.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

/// A sign of one to three characters, with its colour.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Glyph {
    pub sign: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tone: Option<Tone>,
}

/// A colour that pieces have by their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Tone {
    White,
    Yellow,
    Red,
    Green,
    Blue,
    Black,
}

impl Tone {
    pub(super) fn of(word: &str) -> Option<Tone> {
        Some(match word {
            "white" => Tone::White,
            "yellow" => Tone::Yellow,
            "red" => Tone::Red,
            "green" => Tone::Green,
            "blue" => Tone::Blue,
            "black" => Tone::Black,
            _ => return None,
        })
    }
}

/// Marks for a taken cell if the fluent does not name a piece. The first one is used only if the cell has no other
/// sign.
pub(super) const MARKS: [&str; 3] = ["●", "×", "+"];
/// The sign of a cell that a fluent calls empty.
pub(super) const EMPTY: &str = "·";

/// True if a piece is the word for an empty cell.
pub(super) fn is_empty(piece: &str) -> bool {
    matches!(piece, "b" | "blank" | "empty" | "nil" | "none" | "nothing" | "free" | "dirt")
}

/// A sign for each piece.
pub(super) fn glyphs(pieces: &BTreeSet<String>) -> BTreeMap<String, Glyph> {
    let lower = |piece: &String| piece.to_ascii_lowercase();
    // `b` means black if `w` is also a piece.
    let short_colours = pieces.contains("w") && pieces.contains("b");
    let blank = |piece: &String| is_empty(&lower(piece)) && !(short_colours && piece == "b");
    // Several words for an empty cell do not all have the same meaning.
    let nothing = pieces.iter().filter(|piece| blank(piece)).min_by_key(|piece| lower(piece) == "dirt").cloned();
    let blank = |piece: &String| Some(piece) == nothing.as_ref();
    let (empty, real): (BTreeSet<&String>, BTreeSet<&String>) = pieces.iter().partition(|piece| blank(piece));
    let sign = |sign: &str, tone| Glyph { sign: sign.to_string(), tone };
    let mut found: BTreeMap<String, Glyph> =
        empty.into_iter().map(|piece| (piece.clone(), sign(EMPTY, None))).collect();
    if let Some(men) = chess(&real) {
        found.extend(men);
        return found;
    }
    if let Some(men) = coloured(&real) {
        found.extend(men);
        return found;
    }
    found.extend(discs(&real, short_colours));
    let rest: Vec<&String> = real.into_iter().filter(|piece| !found.contains_key(*piece)).collect();
    let mut taken: BTreeSet<String> = found.values().map(|glyph| glyph.sign.clone()).collect();
    for piece in &rest {
        let glyph = match lower(piece).as_str() {
            "arrow" | "fire" | "burned" => Some("×"),
            "wall" | "block" | "hole" => Some("#"),
            "x" | "xplayer" => Some("x"),
            "o" | "oplayer" => Some("o"),
            _ => None,
        };
        if let Some(glyph) = glyph.filter(|glyph| taken.insert(glyph.to_string())) {
            found.insert((*piece).clone(), sign(glyph, None));
        }
    }
    let rest: Vec<&String> = rest.into_iter().filter(|piece| !found.contains_key(*piece)).collect();
    for (piece, short) in shortened(&rest) {
        let mut numbered = std::iter::once(short.clone()).chain((2..).map(|number| format!("{short}{number}")));
        let short = numbered.find(|sign| taken.insert(sign.clone())).unwrap_or(short);
        found.insert(piece, Glyph { sign: short, tone: None });
    }
    found
}

/// The signs of chess men and draughts: every piece is a colour and a kind.
fn chess(pieces: &BTreeSet<&String>) -> Option<BTreeMap<String, Glyph>> {
    let men: Vec<(&String, Tone, char)> =
        pieces.iter().map(|piece| man(piece).map(|(tone, kind)| (*piece, tone, kind))).collect::<Option<_>>()?;
    if men.len() < 2 {
        return None;
    }
    let draughts = men.iter().all(|(_, _, kind)| matches!(kind, 'p' | 'k'));
    let sign = |tone: Tone, kind: char| {
        let (white, black) = match (draughts, kind) {
            (true, 'p') => ("⛀", "⛂"),
            (true, _) => ("⛁", "⛃"),
            (false, 'k') => ("♔", "♚"),
            (false, 'q') => ("♕", "♛"),
            (false, 'r') => ("♖", "♜"),
            (false, 'b') => ("♗", "♝"),
            (false, 'n') => ("♘", "♞"),
            (false, _) => ("♙", "♟"),
        };
        if tone == Tone::White { white } else { black }
    };
    let glyph = |tone, kind| Glyph { sign: sign(tone, kind).to_string(), tone: Some(tone) };
    Some(men.into_iter().map(|(piece, tone, kind)| (piece.clone(), glyph(tone, kind))).collect())
}

/// The colour and the kind of a man: `wp`, `black_rook`, `white king`.
fn man(piece: &str) -> Option<(Tone, char)> {
    let piece = piece.to_ascii_lowercase();
    let (tone, kind) = match piece.split_once([' ', '_', '-']) {
        Some((colour, kind)) => (colour.to_string(), kind.to_string()),
        None => match piece.strip_prefix("white").or_else(|| piece.strip_prefix("black")) {
            Some(kind) => (piece[..5].to_string(), kind.to_string()),
            None => match piece.as_bytes() {
                [colour, kind] if piece.is_ascii() => (char::from(*colour).to_string(), char::from(*kind).to_string()),
                _ => return None,
            },
        },
    };
    let tone = match tone.as_str() {
        "w" | "white" => Tone::White,
        "b" | "black" => Tone::Black,
        _ => return None,
    };
    let kind = match kind.as_str() {
        "p" | "pawn" | "man" => 'p',
        "k" | "king" => 'k',
        "q" | "queen" => 'q',
        "r" | "rook" => 'r',
        "b" | "bishop" => 'b',
        "n" | "knight" => 'n',
        _ => return None,
    };
    Some((tone, kind))
}

/// The signs of pieces that are a colour and a kind, `red general`: the colour's first letter and as few of the kind's as
/// tell the kinds apart, `rG`.
fn coloured(pieces: &BTreeSet<&String>) -> Option<BTreeMap<String, Glyph>> {
    let split = |piece: &str| {
        let (colour, kind) = piece.split_once([' ', '_', '-'])?;
        Some((Tone::of(&colour.to_ascii_lowercase())?, colour.to_owned(), kind.to_owned()))
    };
    let men: Vec<(&String, (Tone, String, String))> =
        pieces.iter().map(|piece| Some((*piece, split(piece)?))).collect::<Option<_>>()?;
    let kinds: BTreeSet<&String> = men.iter().map(|(_, (_, _, kind))| kind).collect();
    let tones: BTreeSet<Tone> = men.iter().map(|(_, (tone, _, _))| *tone).collect();
    if men.len() < 2 || tones.len() < 2 || kinds.len() < 2 {
        return None;
    }
    let short = shortest(&kinds);
    let glyph = |tone: Tone, colour: &str, kind: &String| Glyph {
        sign: format!("{}{}", colour.chars().next().unwrap_or_default().to_ascii_lowercase(), short[kind]),
        tone: Some(tone),
    };
    Some(men.iter().map(|(piece, (tone, colour, kind))| ((*piece).clone(), glyph(*tone, colour, kind))).collect())
}

/// Of each word, as few letters as tell it from all others, the first one large; `2` where letters do not suffice.
fn shortest(words: &BTreeSet<&String>) -> BTreeMap<String, String> {
    let head = |word: &str, length: usize| -> String {
        let large = |(at, c): (usize, char)| if at == 0 { c.to_ascii_uppercase() } else { c };
        word.chars().take(length).enumerate().map(large).collect()
    };
    let mut taken = BTreeSet::new();
    let short = |word: &&String| {
        let alone =
            |length: &usize| words.iter().filter(|other| head(other, *length) == head(word, *length)).count() == 1;
        let length = (1..=3).find(alone).unwrap_or(2);
        let first = head(word, length);
        let mut free = std::iter::once(first.clone()).chain((2..).map(|number| format!("{first}{number}")));
        let sign = free.find(|sign| taken.insert(sign.clone())).unwrap_or(first);
        ((*word).clone(), sign)
    };
    words.iter().map(short).collect()
}

/// The signs of pieces that are colours: the lighter one an open disc, the darker one a filled one, so that the
/// difference shows without colours.
fn discs(pieces: &BTreeSet<&String>, short_colours: bool) -> Vec<(String, Glyph)> {
    let tone = |piece: &String| match piece.to_ascii_lowercase().as_str() {
        "w" if short_colours => Some(Tone::White),
        "b" if short_colours => Some(Tone::Black),
        word => Tone::of(word),
    };
    let mut coloured: Vec<(&String, Tone)> =
        pieces.iter().filter_map(|piece| tone(piece).map(|tone| (*piece, tone))).collect();
    coloured.sort_by_key(|(_, tone)| *tone);
    const SIGNS: [&str; 6] = ["○", "●", "◆", "◇", "■", "□"];
    let signs = coloured.iter().zip(SIGNS);
    signs.map(|((piece, tone), sign)| ((*piece).clone(), Glyph { sign: sign.to_string(), tone: Some(*tone) })).collect()
}

/// Words of at most three characters that are as different as the pieces.
fn shortened(pieces: &[&String]) -> BTreeMap<String, String> {
    if pieces.iter().all(|piece| piece.chars().count() <= 3) {
        return pieces.iter().map(|piece| ((*piece).clone(), (*piece).clone())).collect();
    }
    let short = |piece: &str, length: usize| -> String {
        let letters: Vec<char> = piece.chars().filter(|c| c.is_alphanumeric()).collect();
        let digits: String = letters.iter().rev().take_while(|c| c.is_ascii_digit()).collect();
        let digits: String = digits.chars().rev().collect();
        let head: String = letters.iter().take(length).collect();
        let mut head: String =
            head.chars().enumerate().map(|(at, c)| if at == 0 { c.to_ascii_uppercase() } else { c }).collect();
        if digits.len() < letters.len() {
            head.push_str(&digits);
        }
        head
    };
    for length in 1..=3 {
        let all: BTreeSet<String> = pieces.iter().map(|piece| short(piece, length)).collect();
        if all.len() == pieces.len() && all.iter().all(|it| it.chars().count() <= 4) {
            return pieces.iter().map(|piece| ((*piece).clone(), short(piece, length))).collect();
        }
    }
    // The first two letters, with a number if they are taken.
    let mut taken = BTreeSet::new();
    let name = |piece: &String| {
        let short = short(piece, 2);
        let free = (1..).map(|number| if number == 1 { short.clone() } else { format!("{short}{number}") });
        let free = free.into_iter().find(|it| taken.insert(it.clone())).unwrap_or_default();
        (piece.clone(), free)
    };
    pieces.iter().copied().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signs(pieces: &str) -> String {
        let pieces: BTreeSet<String> = pieces.split(',').map(String::from).collect();
        glyphs(&pieces).iter().map(|(piece, glyph)| format!("{piece}={}", glyph.sign)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn pieces_get_signs_by_what_stands_beside_them() {
        assert_eq!(signs("wk,bk,wr,bb,b"), "b=· bb=♝ bk=♚ wk=♔ wr=♖");
        assert_eq!(signs("wp,bp,wk,bk,b"), "b=· bk=⛃ bp=⛂ wk=⛁ wp=⛀");
        assert_eq!(signs("white pawn,black queen"), "black queen=♛ white pawn=♙");
        assert_eq!(signs("red,black"), "black=● red=○");
        assert_eq!(signs("w,b"), "b=● w=○");
        assert_eq!(signs("white,black,arrow"), "arrow=× black=● white=○");
        assert_eq!(signs("x,o,b"), "b=· o=o x=x");
        assert_eq!(signs("carrier,cruiser,submarine"), "carrier=Ca cruiser=Cr submarine=Su");
        assert_eq!(signs("c01,c02"), "c01=c01 c02=c02");
        assert_eq!(signs("х,о,b"), "b=· о=о х=х");
        assert_eq!(signs("é,ü,wp"), "wp=wp é=é ü=ü");
        assert_eq!(signs("wall,hole,block,arrow,fire"), "arrow=× block=# fire=F hole=H wall=W");
        assert_eq!(signs("x,xplayer,empty,dirt"), "dirt=D empty=· x=x xplayer=X");
        assert_eq!(signs("#,wall"), "#=#2 wall=#");
        assert_eq!(
            signs("red general,blue general,red spy,blue scout"),
            "blue general=bG blue scout=bSc red general=rG red spy=rSp"
        );
        assert_eq!(signs("pacman,blinky,pellet"), "blinky=Bl pacman=Pa pellet=Pe");
    }
}
