//! Bit matrices.

/// Transposes a 64 x 64 bit matrix in place: bit `j` of row `i` becomes bit `i` of row `j`
/// (Warren, Hacker's Delight, section 7-3).
pub fn transpose(rows: &mut [u64; 64]) {
    let mut width = 32;
    let mut mask = 0x0000_0000_FFFF_FFFFu64;
    while width != 0 {
        let mut row = 0;
        while row < 64 {
            let swap = ((rows[row] >> width) ^ rows[row + width]) & mask;
            rows[row] ^= swap << width;
            rows[row + width] ^= swap;
            row = (row + width + 1) & !width;
        }
        width >>= 1;
        mask ^= mask << width;
    }
}

#[cfg(test)]
mod tests {
    use super::transpose;

    #[test]
    fn bits_change_places() {
        let mut seed = 7u64;
        let rows: [u64; 64] = std::array::from_fn(|_| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            seed ^ seed >> 29
        });
        let mut turned = rows;
        transpose(&mut turned);
        for (i, row) in rows.iter().enumerate() {
            for (j, column) in turned.iter().enumerate() {
                assert_eq!(row >> j & 1, column >> i & 1, "row {i}, bit {j}");
            }
        }
    }
}
