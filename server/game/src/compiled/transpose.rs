//! Bit matrices.

/// Transposes matrices of `ROWS` x `ROWS` bits in place, side by side: bit `j` of row `i` becomes bit `i` of row `j`
/// (Warren, Hacker's Delight, section 7-3). `ROWS` is a power of two. If it is less than 64, a word has several matrices.
#[inline(always)]
pub(crate) fn transpose<const ROWS: usize, const W: usize>(rows: &mut [[u64; W]; ROWS]) {
    let mut width = ROWS / 2;
    // The lower `width` bits of every `2 * width`.
    let mut mask = !0u64 / ((1 << width) + 1);
    while width != 0 {
        let mut row = 0;
        while row < ROWS {
            let at = apart(row);
            let (upper, lower) = rows.split_at_mut(at + width);
            for (left, right) in upper[at].iter_mut().zip(&mut lower[0]) {
                let swap = ((*left >> width) ^ *right) & mask;
                *left ^= swap << width;
                *right ^= swap;
            }
            row = (row + width + 1) & !width;
        }
        width >>= 1;
        mask ^= mask << width;
    }
}

/// The same index, in a way that the compiler cannot see through. Else it takes loops over rows apart into columns, which
/// it reads and writes one number at a time where the processor has instructions for that (AVX-512): 2.5 times slower.
#[inline(always)]
pub(super) fn apart(index: usize) -> usize {
    #[cfg(target_arch = "x86_64")]
    let index = {
        let mut index = index;
        // SAFETY: the assembly has no instruction: it only returns the index that it gets.
        unsafe { std::arch::asm!("/* {0} */", inout(reg) index, options(pure, nomem, nostack, preserves_flags)) };
        index
    };
    index
}

#[cfg(test)]
mod tests {
    use super::transpose;

    fn check<const ROWS: usize>() {
        let mut seed = 7u64;
        let rows: [[u64; 2]; ROWS] = std::array::from_fn(|_| {
            std::array::from_fn(|_| {
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                seed ^ seed >> 29
            })
        });
        let mut turned = rows;
        transpose(&mut turned);
        for (i, row) in rows.iter().enumerate() {
            for (j, column) in turned.iter().enumerate() {
                for from in (0..64).step_by(ROWS) {
                    let same = |word: usize| row[word] >> (from + j) & 1 == column[word] >> (from + i) & 1;
                    assert!(same(0) && same(1), "row {i}, bit {j} from {from}");
                }
            }
        }
    }

    #[test]
    fn bits_change_places() {
        check::<64>();
        check::<8>();
    }
}
