//! Takes blocks together: with the same core and the same set of one player, the sets of the other are united.

use rustc_hash::FxHashMap;

/// A block of the next round, before its sets are listed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub core: u32,
    pub sides: [u32; 2],
    pub weight: f64,
}

/// Unions of parts. A part is a set of views of the round before, and what their player learns.
pub(super) struct Sides {
    /// The parts of each side, sorted.
    pub list: Vec<Box<[u32]>>,
    ids: FxHashMap<Box<[u32]>, u32>,
}

impl Sides {
    /// One side for each part.
    pub(super) fn new(parts: usize) -> Sides {
        let list: Vec<Box<[u32]>> = (0..parts as u32).map(|part| [part].into()).collect();
        let ids = list.iter().cloned().zip(0..).collect();
        Sides { list, ids }
    }

    fn id(&mut self, mut parts: Vec<u32>) -> u32 {
        parts.sort_unstable();
        if let Some(&id) = self.ids.get(&parts[..]) {
            return id;
        }
        let id = self.list.len() as u32;
        self.list.push(parts.clone().into());
        self.ids.insert(parts.into(), id);
        id
    }
}

/// Unites what can be united.
pub(super) fn unite(
    children: &mut Vec<Child>,
    sides: &mut [Sides; 2],
    parts: [&[(u32, u32)]; 2],
    sets: [&Vec<Box<[u32]>>; 2],
) {
    // Chance may do the same in several ways.
    children.sort_by_key(|child| (child.core, child.sides));
    children.dedup_by(|next, kept| {
        let same = (next.core, next.sides) == (kept.core, kept.sides);
        if same {
            kept.weight += next.weight;
        }
        same
    });
    loop {
        let before = children.len();
        for player in 0..2 {
            unite_of(children, player, &mut sides[player], parts[player], sets[player]);
        }
        if children.len() == before {
            return;
        }
    }
}

/// Unites the sets of one player.
fn unite_of(children: &mut Vec<Child>, player: usize, sides: &mut Sides, parts: &[(u32, u32)], sets: &[Box<[u32]>]) {
    let key = |child: &Child| (child.core, child.sides[1 - player], child.weight.to_bits());
    children.sort_by_key(|child| (key(child), child.sides[player]));
    let mut united = Vec::with_capacity(children.len());
    for group in children.chunk_by(|one, other| key(one) == key(other)) {
        if let [only] = group {
            united.push(*only);
            continue;
        }
        let mut unions: Vec<Vec<u32>> = Vec::new();
        for child in group {
            let new = &sides.list[child.sides[player] as usize];
            let fits = |union: &Vec<u32>| {
                union.iter().all(|&old| new.iter().all(|&new| disjoint(parts[old as usize], parts[new as usize], sets)))
            };
            match unions.iter().position(fits) {
                Some(at) => unions[at].extend_from_slice(new),
                None => unions.push(new.to_vec()),
            }
        }
        for union in unions {
            let mut child = group[0];
            child.sides[player] = sides.id(union);
            united.push(child);
        }
    }
    *children = united;
}

/// True if two parts have no view in common.
fn disjoint(one: (u32, u32), other: (u32, u32), sets: &[Box<[u32]>]) -> bool {
    if one.1 != other.1 {
        return true;
    }
    if one.0 == other.0 {
        return false;
    }
    let (mut left, mut right) = (sets[one.0 as usize].iter().peekable(), sets[other.0 as usize].iter().peekable());
    while let (Some(here), Some(there)) = (left.peek(), right.peek()) {
        match here.cmp(there) {
            std::cmp::Ordering::Less => left.next(),
            std::cmp::Ordering::Greater => right.next(),
            std::cmp::Ordering::Equal => return false,
        };
    }
    true
}
