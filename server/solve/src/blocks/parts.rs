//! The knowledge that the players of blocks can get in a round, and the views after it.

use percept_game::MoveId;
use rustc_hash::FxHashMap;

use super::core::Symbol;
use super::unite::Sides;

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

/// The knowledge that the players of blocks can get: sets of views, each with a symbol.
#[derive(Default)]
pub(super) struct Parts {
    /// A set and a symbol.
    pub all: Vec<(u32, u32)>,
    ids: FxHashMap<(u32, u32), u32>,
    /// The parts with which matches end.
    pub ends: Vec<u32>,
    end_ids: FxHashMap<u32, u32>,
}

impl Parts {
    pub(super) fn id(&mut self, set: u32, symbol: u32, is_open: impl Fn() -> bool) -> u32 {
        let all = &mut self.all;
        *self.ids.entry((set, symbol)).or_insert_with(|| {
            if !is_open() {
                return NONE;
            }
            all.push((set, symbol));
            all.len() as u32 - 1
        })
    }

    /// The number of the set of variables of an end. `before` is the number of sets of earlier rounds.
    pub(super) fn end(&mut self, part: u32, before: u32) -> u32 {
        let fresh = self.ends.len() as u32;
        let id = *self.end_ids.entry(part).or_insert(fresh);
        if id == fresh {
            self.ends.push(part);
        }
        before + id
    }
}

/// The views of the next round before those with the same future are taken as one. They are numbered by the view before
/// and the symbol.
pub(super) struct Raw {
    /// For each view of the round before, the number of the first view after it.
    first: Vec<u32>,
    /// The symbols after a view with some list of legal moves, with the places of their moves; each sorted.
    symbols: FxHashMap<u32, Vec<(u32, u32)>>,
    /// For each symbol, its place among those of a list.
    places: FxHashMap<(u32, u32), u32>,
}

impl Raw {
    pub(super) fn new(
        views: &Views,
        lists: &[Vec<MoveId>],
        symbols: &[Symbol],
        sides: &Sides,
        parts: &[(u32, u32)],
        used: &[u32],
    ) -> Raw {
        let parts = used.iter().flat_map(|&side| &sides.list[side as usize]).map(|&part| parts[part as usize].1);
        let mut seen: Vec<u32> = parts.collect();
        seen.sort_unstable();
        seen.dedup();
        let mut raw = Raw { first: Vec::new(), symbols: FxHashMap::default(), places: FxHashMap::default() };
        let mut end = 0;
        for &list in &views.list {
            let after = raw.symbols.entry(list).or_insert_with(|| {
                let legal = &lists[list as usize];
                let place = |&symbol: &u32| {
                    let place = legal.binary_search(&symbols[symbol as usize].mv).ok()?;
                    Some((symbol, place as u32))
                };
                let after: Vec<(u32, u32)> = seen.iter().filter_map(place).collect();
                for (at, &(symbol, _)) in after.iter().enumerate() {
                    raw.places.insert((list, symbol), at as u32);
                }
                after
            });
            raw.first.push(end);
            end += after.len() as u32;
        }
        raw.first.push(end);
        raw
    }

    pub(super) fn len(&self) -> usize {
        self.first[self.first.len() - 1] as usize
    }

    /// The number of a view after a view and a symbol; `None` if the move is not legal.
    pub(super) fn number(&self, views: &Views, view: u32, symbol: u32) -> Option<u32> {
        let place = self.places.get(&(views.list[view as usize], symbol))?;
        Some(self.first[view as usize] + place)
    }

    /// All views: the view before, the number, the symbol, and the place of the move.
    pub(super) fn all<'a>(&'a self, views: &'a Views) -> impl Iterator<Item = (usize, u32, u32, usize)> + 'a {
        views.list.iter().enumerate().flat_map(move |(view, list)| {
            let first = self.first[view];
            let after = self.symbols[list].iter().enumerate();
            after.map(move |(at, &(symbol, place))| (view, first + at as u32, symbol, place as usize))
        })
    }
}
