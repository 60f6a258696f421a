//! Bit matrices.

/// Transposes `W` matrices of 64 x 64 bits in place, side by side: bit `j` of row `i` becomes bit `i` of row `j`
/// (Warren, Hacker's Delight, section 7-3).
#[inline(always)]
pub(crate) fn transpose<const W: usize>(rows: &mut [[u64; W]; 64]) {
    let mut width = 32;
    let mut mask = 0x0000_0000_FFFF_FFFFu64;
    while width != 0 {
        let mut row = 0;
        while row < 64 {
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

    #[test]
    fn bits_change_places() {
        let mut seed = 7u64;
        let rows: [[u64; 2]; 64] = std::array::from_fn(|_| {
            std::array::from_fn(|_| {
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                seed ^ seed >> 29
            })
        });
        let mut turned = rows;
        transpose(&mut turned);
        for (i, row) in rows.iter().enumerate() {
            for (j, column) in turned.iter().enumerate() {
                (0..2).for_each(|word| assert_eq!(row[word] >> j & 1, column[word] >> i & 1, "row {i}, bit {j}"));
            }
        }
    }
}
