//! A bound on the weights of a sampler: the closer, the fewer members are rejected for uniformity.
//!
//! Weights are products of the sizes of groups when they are decided. A group's size is at most its full size; less,
//! where whatever was decided before must have taken options away. Say a *good* option is one whose excluders all
//! exclude each other (as in "all different": two different cards never take the same card away). Then no two
//! decided groups take the same good option, so the numbers of good options they take add up.

use super::{probe::Compatible, problem::Problem};

/// The logarithm of an upper bound on the weight of every member, if `leading` are the groups decided, in any order.
pub fn ln_bound(problem: &Problem, matrix: &Compatible, leading: &[u32]) -> f64 {
    let good = good_options(problem, matrix);
    let least = |from: u32, to: u32| {
        let start = matrix.starts[to as usize] / 64;
        let words = start..start + problem.groups[to as usize].options.len().div_ceil(64);
        let first = matrix.starts[from as usize];
        (first..first + problem.groups[from as usize].options.len())
            .map(|bit| {
                let row = matrix.row(bit);
                words.clone().map(|word| (!row[word] & good[word]).count_ones() as usize).sum::<usize>()
            })
            .min()
            .unwrap_or(0)
    };
    // Classes of groups each of which takes at least one option from every other.
    let mut classes: Vec<(Vec<u32>, usize)> = Vec::new();
    for &group in leading {
        let fits = classes.iter_mut().find_map(|(class, taken)| {
            let both = |&other: &u32| least(group, other).min(least(other, group));
            let common = class.iter().map(both).min().unwrap_or(0);
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
    classes.iter().map(|(class, taken)| ln_product(problem, class, *taken)).sum()
}

/// The greatest product of sizes within a class: whoever is decided as the k-th has lost k times `taken` options. The
/// product is greatest when the larger groups come later.
fn ln_product(problem: &Problem, class: &[u32], taken: usize) -> f64 {
    let mut sizes: Vec<usize> = class.iter().map(|&group| problem.groups[group as usize].options.len()).collect();
    sizes.sort_unstable();
    let left = |(before, size): (usize, usize)| match before {
        0 => size,
        _ => size.saturating_sub(before.saturating_mul(taken)).max(1),
    };
    sizes.into_iter().enumerate().map(|(before, size)| (left((before, size)) as f64).ln()).sum()
}

/// The good options, as bits.
fn good_options(problem: &Problem, matrix: &Compatible) -> Vec<u64> {
    let mut own = vec![0u64; matrix.words];
    let mut good = vec![0u64; matrix.words];
    let mut all = vec![0u64; matrix.words];
    for (group, &start) in problem.groups.iter().zip(&matrix.starts) {
        (start..start + group.options.len()).for_each(|bit| all[bit / 64] |= 1 << (bit % 64));
    }
    let mut excluders = vec![0u64; matrix.words];
    for (group, &start) in problem.groups.iter().zip(&matrix.starts) {
        own.fill(0);
        (start..start + group.options.len()).for_each(|bit| own[bit / 64] |= 1 << (bit % 64));
        for bit in start..start + group.options.len() {
            for (word, excluder) in excluders.iter_mut().enumerate() {
                *excluder = !matrix.row(bit)[word] & all[word] & !own[word];
            }
            if is_clique(matrix, &excluders) {
                good[bit / 64] |= 1 << (bit % 64);
            }
        }
    }
    good
}

/// Whether no two of these options go together.
fn is_clique(matrix: &Compatible, options: &[u64]) -> bool {
    options.iter().enumerate().all(|(word, &bits)| {
        let mut rest = bits;
        while rest != 0 {
            let bit = word * 64 + rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let together: u32 = matrix.row(bit).iter().zip(options).map(|(row, set)| (row & set).count_ones()).sum();
            // Its own row allows itself.
            if together > 1 {
                return false;
            }
        }
        true
    })
}
