//! A bound on the weights of a sampler: the tighter it is, the fewer members are rejected for uniformity.
//!
//! Weights are products of the sizes of groups at the time of their decision. A group's size is at most its full size.
//! It is smaller if earlier decisions must have removed options. An option is *good* if its excluders in the other
//! groups all exclude each other (as in "all different": two different cards never remove the same card). Then no two
//! decided groups remove the same good option, so the numbers of good options they remove add up.

use super::{probe::Compatible, support::Support};

/// The logarithm of an upper bound on every weight of a sampler that first decides all `supports` (disjoint, each
/// settling one of `leading`), then the rest of `leading`, both in any order.
pub(crate) fn ln_bound(matrix: &Compatible, supports: &[Support], leading: &[Support]) -> f64 {
    let first: f64 = classes(matrix, supports).iter().map(|class| class.ln_product(0)).sum();
    // The supports may spread over the classes of leading groups in any way: the greatest weight counts.
    let mut best = vec![f64::NEG_INFINITY; supports.len() + 1];
    best[0] = 0.0;
    for class in classes(matrix, leading) {
        let mut next = vec![f64::NEG_INFINITY; best.len()];
        for (settled, &before) in best.iter().enumerate() {
            for here in 0..=class.sizes.len().min(supports.len() - settled) {
                let product = before + class.ln_product(here);
                next[settled + here] = next[settled + here].max(product);
            }
        }
        best = next;
    }
    first + best[supports.len()]
}

/// Groups, each of which removes at least `taken` good options from every other.
struct Class {
    /// The sizes of the groups in ascending order.
    sizes: Vec<usize>,
    taken: usize,
}

impl Class {
    /// The greatest product of sizes if `settled` of the groups were decided before. The larger groups remain, and the
    /// k-th of them has lost options to all groups before it. The product is greatest if the larger ones come later.
    fn ln_product(&self, settled: usize) -> f64 {
        let size = |(before, &size): (usize, &usize)| match before + settled {
            0 => size,
            before => size.saturating_sub(before.saturating_mul(self.taken)).max(1),
        };
        self.sizes[settled..].iter().enumerate().map(|part| (size(part) as f64).ln()).sum()
    }
}

fn classes(matrix: &Compatible, groups: &[Support]) -> Vec<Class> {
    let good = good_options(matrix, groups);
    let least = |from: &Support, to: &Support| {
        let taken = |bit: usize| {
            let row = matrix.row(bit);
            to.iter().map(|&(word, mask)| (mask & !row[word] & good[word]).count_ones() as usize).sum::<usize>()
        };
        bits(from).map(taken).min().unwrap_or(0)
    };
    let mut classes: Vec<(Vec<&Support>, usize)> = Vec::new();
    for group in groups {
        let fits = classes.iter_mut().find_map(|(class, taken)| {
            let common = class.iter().map(|other| least(group, other).min(least(other, group))).min().unwrap_or(0);
            (common > 0).then_some((class, taken, common))
        });
        match fits {
            Some((class, taken, common)) => {
                class.push(group);
                *taken = (*taken).min(common);
            }
            None => classes.push((vec![group], usize::MAX)),
        }
    }
    let class = |(groups, taken): (Vec<&Support>, usize)| {
        let mut sizes: Vec<usize> = groups.into_iter().map(|group| bits(group).count()).collect();
        sizes.sort_unstable();
        Class { sizes, taken }
    };
    classes.into_iter().map(class).collect()
}

fn bits(group: &Support) -> impl Iterator<Item = usize> + '_ {
    group
        .iter()
        .flat_map(|&(word, mask)| (0..64).filter(move |bit| mask >> bit & 1 == 1).map(move |bit| word * 64 + bit))
}

/// The good options of these groups, as bits.
fn good_options(matrix: &Compatible, groups: &[Support]) -> Vec<u64> {
    let mut all = vec![0u64; matrix.words];
    groups.iter().flatten().for_each(|&(word, mask)| all[word] |= mask);
    let mut good = vec![0u64; matrix.words];
    for group in groups {
        let mut others = all.clone();
        group.iter().for_each(|&(word, mask)| others[word] &= !mask);
        for bit in bits(group) {
            let excluders: Vec<u64> = others.iter().zip(matrix.row(bit)).map(|(others, row)| others & !row).collect();
            if is_clique(matrix, &excluders) {
                good[bit / 64] |= 1 << (bit % 64);
            }
        }
    }
    good
}

/// True if no two of these options are compatible.
fn is_clique(matrix: &Compatible, options: &[u64]) -> bool {
    options.iter().enumerate().all(|(word, &bits)| {
        let mut rest = bits;
        while rest != 0 {
            let bit = word * 64 + rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let together: u32 = matrix.row(bit).iter().zip(options).map(|(row, set)| (row & set).count_ones()).sum();
            // An option is compatible with itself.
            if together > 1 {
                return false;
            }
        }
        true
    })
}
