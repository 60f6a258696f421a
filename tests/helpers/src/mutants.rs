//! Forged files: damaged versions of files that the project wrote.

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

/// Pieces that are inserted into files to test their readers.
const PIECES: [&[u8]; 22] = [
    b"",
    b"\0",
    b"\n",
    b"\r",
    b"\"",
    b"\\",
    b"(",
    b")",
    b"((((",
    b"[",
    b"]",
    b"{",
    b"}",
    b"-1",
    b"0",
    b"1e999",
    b"18446744073709551616",
    b"nan",
    b"null",
    b"\xff\xfe",
    b"\xf0\x9f\x98\x80",
    b"\xe2\x80\xae",
];

/// Returns `count` texts, each a seed with up to four changes: a changed byte, a piece removed, doubled, or replaced by
/// one of another seed or by one that is difficult for readers. Equal numbers give equal texts.
///
/// # Panics
/// The list of seeds is empty.
pub fn mutants(seeds: &[Vec<u8>], count: usize, number: u64) -> impl Iterator<Item = Vec<u8>> {
    assert!(!seeds.is_empty(), "something has to be changed");
    let mut rng = SmallRng::seed_from_u64(number);
    (0..count).map(move |_| {
        let mut text = seeds.choose(&mut rng).expect("a seed").clone();
        for _ in 0..rng.random_range(1..=4) {
            change(&mut text, seeds, &mut rng);
        }
        text
    })
}

fn change(text: &mut Vec<u8>, seeds: &[Vec<u8>], rng: &mut SmallRng) {
    let begin = rng.random_range(0..=text.len());
    let end = (begin + rng.random_range(0..40)).min(text.len());
    match rng.random_range(0..5) {
        0 if begin < text.len() => text[begin] = rng.random(),
        1 => _ = text.drain(begin..end),
        2 => {
            let doubled = text[begin..end].to_vec();
            text.splice(end..end, doubled);
        }
        3 => {
            let other = seeds.choose(rng).expect("a seed");
            let from = rng.random_range(0..=other.len());
            let to = (from + rng.random_range(0..40)).min(other.len());
            text.splice(begin..end, other[from..to].iter().copied());
        }
        _ => {
            let piece = PIECES.choose(rng).expect("a piece");
            text.splice(begin..end, piece.iter().copied());
        }
    }
}
