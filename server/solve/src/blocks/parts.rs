//! The knowledge that the players of blocks can get in a round. A *part* is a set of views and a symbol: the views
//! after it.

use std::sync::atomic::{AtomicU64, Ordering};

use percept_game::MoveId;

use super::core::Symbol;

/// No number.
pub(super) const NONE: u32 = u32::MAX;

/// The views of one player after some rounds. Views with the same future are one.
#[derive(Default)]
pub(super) struct Views {
    /// The player's notes.
    pub(super) notes: Vec<u32>,
    /// The variable that leads to the view.
    pub(super) reach: Vec<u32>,
    /// The number of views of the game that are taken as this one.
    pub(super) count: Vec<f64>,
    /// The number of the list of legal moves.
    pub(super) list: Vec<u32>,
    /// The variable of the first move, if there is a choice.
    pub(super) first: Vec<u32>,
}

/// A number for the content of a collection. That of a union is the sum.
pub(super) type Print = [u64; 2];

/// The number of the content of a collection of one.
pub(super) fn print(item: u32) -> Print {
    [spread(u64::from(item) + 1), spread(!u64::from(item))]
}

/// The number of the content of the union of two collections that have nothing in common.
pub(super) fn plus(one: Print, other: Print) -> Print {
    [one[0].wrapping_add(other[0]), one[1].wrapping_add(other[1])]
}

/// A number that looks random, a different one for each number.
fn spread(number: u64) -> u64 {
    let hash = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

/// The parts in use, by code. A part is named by a code: the number of its set times the number of symbols, and its symbol.
pub(super) struct Used {
    bits: Vec<AtomicU64>,
}

impl Used {
    /// None of the codes.
    pub(super) fn none(codes: usize) -> Used {
        Used { bits: (0..codes.div_ceil(64)).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Takes a code into use.
    pub(super) fn add(&self, code: u32) {
        self.bits[code as usize / 64].fetch_or(1 << (code % 64), Ordering::Relaxed);
    }
}

/// The parts of one player in a round.
pub(super) struct Parts {
    /// The number of symbols.
    pub symbols: u32,
    /// The code of each part, in order.
    pub codes: Vec<u32>,
    bits: Vec<u64>,
    /// For each word of the bits, the number of codes before it.
    before: Vec<u32>,
}

impl Parts {
    /// The parts in use.
    pub(super) fn new(used: Used, symbols: usize) -> Parts {
        let bits: Vec<u64> = used.bits.into_iter().map(AtomicU64::into_inner).collect();
        let mut before = Vec::with_capacity(bits.len());
        let mut codes = Vec::new();
        for (word, &bits) in (0..).zip(&bits) {
            before.push(codes.len() as u32);
            let mut rest = bits;
            while rest != 0 {
                codes.push(64 * word + rest.trailing_zeros());
                rest &= rest - 1;
            }
        }
        Parts { symbols: symbols as u32, codes, bits, before }
    }

    /// The number of the part with a code.
    pub(super) fn id(&self, code: u32) -> u32 {
        let (word, bit) = (code as usize / 64, code % 64);
        let before = (self.bits[word] & ((1 << bit) - 1)).count_ones();
        self.before[word] + before
    }

    /// The set and the symbol of a part.
    pub(super) fn part(&self, id: u32) -> (u32, u32) {
        let code = self.codes[id as usize];
        (code / self.symbols, code % self.symbols)
    }

    /// Frees what is needed only to find parts by their codes.
    pub(super) fn settle(&mut self) {
        (self.bits, self.before) = Default::default();
    }
}

/// The views of the next round before those with the same future are taken as one. They are numbered by the view before
/// and the symbol.
pub(super) struct Raw {
    /// For each view of the round before, the number of the first view after it.
    first: Vec<u32>,
    /// The symbols after a view with some list of legal moves, with the places of their moves; each sorted.
    after: Vec<Vec<(u32, u32)>>,
    /// For each list and symbol, its place among those of the list, or [`NONE`].
    places: Vec<u32>,
    symbols: usize,
}

impl Raw {
    pub(super) fn new(views: &Views, lists: &[Vec<MoveId>], symbols: &[Symbol], parts: &Parts) -> Raw {
        let mut seen = vec![false; symbols.len()];
        parts.codes.iter().for_each(|code| seen[(code % parts.symbols) as usize] = true);
        let mut places = vec![NONE; lists.len() * symbols.len()];
        let after = |(list, legal): (usize, &Vec<MoveId>)| {
            let place = |symbol: usize| Some((symbol as u32, legal.binary_search(&symbols[symbol].mv).ok()? as u32));
            let after: Vec<(u32, u32)> = (0..symbols.len()).filter(|&it| seen[it]).filter_map(place).collect();
            for (at, &(symbol, _)) in (0..).zip(&after) {
                places[list * symbols.len() + symbol as usize] = at;
            }
            after
        };
        let after: Vec<Vec<(u32, u32)>> = lists.iter().enumerate().map(after).collect();
        let mut first = Vec::with_capacity(views.list.len() + 1);
        let mut end = 0;
        for &list in &views.list {
            first.push(end);
            end += after[list as usize].len() as u32;
        }
        first.push(end);
        Raw { first, after, places, symbols: symbols.len() }
    }

    pub(super) fn len(&self) -> usize {
        self.first[self.first.len() - 1] as usize
    }

    /// True if each view has one view after it.
    pub(super) fn is_same(&self, views: &Views) -> bool {
        views.list.iter().all(|&list| self.after[list as usize].len() == 1)
    }

    /// The number of a view after a view and a symbol; `None` if the move is not legal.
    pub(super) fn number(&self, views: &Views, view: u32, symbol: u32) -> Option<u32> {
        let place = self.places[views.list[view as usize] as usize * self.symbols + symbol as usize];
        (place != NONE).then(|| self.first[view as usize] + place)
    }

    /// All views: the view before, the number, the symbol, and the place of the move.
    pub(super) fn all<'a>(&'a self, views: &'a Views) -> impl Iterator<Item = (usize, u32, u32, usize)> + 'a {
        views.list.iter().enumerate().flat_map(move |(view, &list)| {
            let first = self.first[view];
            let after = (0..).zip(&self.after[list as usize]);
            after.map(move |(at, &(symbol, place))| (view, first + at, symbol, place as usize))
        })
    }
}
