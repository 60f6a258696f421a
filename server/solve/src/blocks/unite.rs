//! Takes blocks together: with the same core and the same set of one player, the sets of the other are united.

use hashbrown::HashTable;
use rayon::prelude::*;

use super::lists::Lists;
use super::parts::{Parts, Print, Raw, Views, plus, print};
use super::state::Block;

/// Unions of parts of one player. The number of a part is that of the union with nothing else.
pub(super) struct Sides<'a> {
    parts: &'a Parts,
    raw: &'a Raw,
    views: &'a Views,
    sets: &'a Lists,
    unions: Lists,
    prints: Vec<Print>,
    /// The unions, by content.
    ids: HashTable<u32>,
}

impl<'a> Sides<'a> {
    /// One side for each part.
    pub(super) fn new(parts: &'a Parts, raw: &'a Raw, views: &'a Views, sets: &'a Lists) -> Sides<'a> {
        Sides { parts, raw, views, sets, unions: Lists::new(), prints: Vec::new(), ids: HashTable::new() }
    }

    /// The number of sides.
    pub(super) fn len(&self) -> usize {
        self.parts.codes.len() + self.unions.len()
    }

    /// True if views go on as they are: each side is a set, and each view has one view after it, with the same number.
    pub(super) fn are_sets(&self) -> bool {
        let one_symbol = |pair: &[u32]| pair[0] % self.parts.symbols == pair[1] % self.parts.symbols;
        self.unions.len() == 0 && self.raw.is_same(self.views) && self.parts.codes.windows(2).all(one_symbol)
    }

    /// The parts of a side.
    pub(super) fn of(&self, side: u32) -> impl Iterator<Item = u32> + Clone {
        let union = (side as usize).checked_sub(self.parts.codes.len());
        let parts = union.map_or(&[][..], |union| self.unions.list(union));
        union.is_none().then_some(side).into_iter().chain(parts.iter().copied())
    }

    fn print(&self, side: u32) -> Print {
        match (side as usize).checked_sub(self.parts.codes.len()) {
            None => print(side),
            Some(union) => self.prints[union],
        }
    }

    /// The union of sides.
    fn union(&mut self, sides: &[u32]) -> u32 {
        if let [only] = *sides {
            return only;
        }
        let print = sides.iter().map(|&side| self.print(side)).fold([0, 0], plus);
        let first = self.parts.codes.len() as u32;
        if let Some(&union) = self.ids.find(print[0], |&union| self.prints[union as usize] == print) {
            return first + union;
        }
        let union = self.unions.len() as u32;
        let parts: Vec<u32> = sides.iter().flat_map(|&side| self.of(side)).collect();
        self.unions.push(parts);
        self.prints.push(print);
        self.ids.insert_unique(print[0], union, |&union| self.prints[union as usize][0]);
        first + union
    }

    /// True if two sides have no view in common.
    fn disjoint(&self, one: u32, other: u32) -> bool {
        self.of(one).all(|one| self.of(other).all(|other| self.disjoint_parts(one, other)))
    }

    fn disjoint_parts(&self, one: u32, other: u32) -> bool {
        if one == other {
            return false;
        }
        let (one, other) = (self.parts.part(one), self.parts.part(other));
        if one.1 != other.1 {
            return true;
        }
        let mut left = self.sets.list(one.0 as usize).iter().peekable();
        let mut right = self.sets.list(other.0 as usize).iter().peekable();
        while let (Some(here), Some(there)) = (left.peek(), right.peek()) {
            match here.cmp(there) {
                std::cmp::Ordering::Less => left.next(),
                std::cmp::Ordering::Greater => right.next(),
                std::cmp::Ordering::Equal if self.raw.number(self.views, **here, one.1).is_some() => return false,
                std::cmp::Ordering::Equal => left.next(),
            };
        }
        true
    }
}

/// A search for unions that spares less than one block of this number is the last one.
const WORTH: usize = 64;

/// Unites what can be united.
pub(super) fn unite(blocks: &mut Vec<Block>, sides: &mut [Sides<'_>; 2]) {
    loop {
        let before = blocks.len();
        for (player, sides) in sides.iter_mut().enumerate() {
            merge(blocks);
            unite_of(blocks, player, sides);
        }
        if blocks.len() >= before - before / WORTH {
            return;
        }
    }
}

/// Takes blocks with the same core and sets as one: chance may do the same in several ways.
fn merge(blocks: &mut Vec<Block>) {
    blocks.par_sort_unstable_by_key(|block| (block.core, block.sets, block.weight.to_bits()));
    blocks.dedup_by(|next, kept| {
        let same = (next.core, next.sets) == (kept.core, kept.sets);
        if same {
            kept.weight += next.weight;
        }
        same
    });
}

/// Unites the sets of one player.
fn unite_of(blocks: &mut Vec<Block>, player: usize, sides: &mut Sides<'_>) {
    let key = |block: &Block| (block.core, block.sets[1 - player], block.weight.to_bits());
    blocks.par_sort_unstable_by_key(|block| (key(block), block.sets[player]));
    let (mut from, mut kept) = (0, 0);
    let mut unions: Vec<Vec<u32>> = Vec::new();
    while from < blocks.len() {
        let mut block = blocks[from];
        let count = blocks[from..].iter().take_while(|it| key(it) == key(&block)).count();
        if count == 1 {
            blocks[kept] = block;
            (from, kept) = (from + 1, kept + 1);
            continue;
        }
        unions.clear();
        for new in blocks[from..from + count].iter().map(|block| block.sets[player]) {
            let fits = |union: &Vec<u32>| union.iter().all(|&old| sides.disjoint(old, new));
            match unions.iter().position(fits) {
                Some(at) => unions[at].push(new),
                None => unions.push(vec![new]),
            }
        }
        from += count;
        for union in &unions {
            block.sets[player] = sides.union(union);
            blocks[kept] = block;
            kept += 1;
        }
    }
    blocks.truncate(kept);
    blocks.shrink_to_fit();
}
