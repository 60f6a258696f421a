//! The shapes of gates: gates of the commonest shapes in published games are evaluated without loops.

/// The numbers of operands of a gate: plain and negated ones, and pairs with no, one or two negated operands.
pub(super) type Shape = [usize; 5];

/// Defines [`straight`] and [`value`] by the shapes that have a number.
macro_rules! shapes {
    ($($number:literal: [$plain:literal $negated:literal $both:literal $mixed:literal $neither:literal])*) => {
        /// The number of a shape that is evaluated without loops.
        pub(super) fn straight(shape: Shape) -> Option<u32> {
            match shape {
                $([$plain, $negated, $both, $mixed, $neither] => Some($number),)*
                _ => None,
            }
        }

        /// The value of a gate of the shape with this number.
        #[inline(always)]
        pub(super) fn value<const W: usize>(words: &[[u64; W]], number: u32, operands: &[u32]) -> [u64; W] {
            match number {
                $($number => of::<$plain, $negated, $both, $mixed, $neither, W>(words, operands),)*
                _ => unreachable!("a number that no shape has"),
            }
        }
    };
}

shapes! {
    2: [2 0 0 0 0]
    3: [1 1 0 0 0]
    4: [0 2 0 0 0]
    5: [3 0 0 0 0]
    6: [2 1 0 0 0]
    7: [1 2 0 0 0]
    8: [0 3 0 0 0]
    9: [4 0 0 0 0]
    10: [3 1 0 0 0]
    11: [2 2 0 0 0]
    12: [4 1 0 0 0]
    13: [3 2 0 0 0]
    14: [4 2 0 0 0]
    15: [0 1 1 0 0]
    16: [2 0 1 0 0]
    17: [0 1 0 1 0]
    18: [2 0 0 0 1]
    19: [1 0 0 0 1]
    20: [1 1 0 1 0]
    21: [0 0 0 2 0]
    22: [3 0 0 0 1]
    23: [2 2 0 0 1]
    24: [2 2 0 1 0]
    25: [0 1 0 0 0]
}

/// The value of a gate of a known shape: the compiler repeats the loops of [`conjunction`] as often as they run.
#[inline(always)]
fn of<
    const PLAIN: usize,
    const NEGATED: usize,
    const BOTH: usize,
    const MIXED: usize,
    const NEITHER: usize,
    const W: usize,
>(
    words: &[[u64; W]],
    operands: &[u32],
) -> [u64; W] {
    let operands = &operands[..PLAIN + NEGATED + 2 * (BOTH + MIXED + NEITHER)];
    let (singles, pairs) = operands.split_at(PLAIN + NEGATED);
    let (both, pairs) = pairs.split_at(2 * BOTH);
    let (mixed, neither) = pairs.split_at(2 * MIXED);
    conjunction(words, singles.split_at(PLAIN), [both, mixed, neither])
}

/// True where all of the first operands hold, none of the others does, and no pair holds. The pairs have no, one or two
/// negated operands.
#[inline(always)]
pub(super) fn conjunction<const W: usize>(
    words: &[[u64; W]],
    (plain, negated): (&[u32], &[u32]),
    [both, mixed, neither]: [&[u32]; 3],
) -> [u64; W] {
    let (mut all, mut any) = ([!0u64; W], [0u64; W]);
    for &operand in plain {
        let operand = &words[operand as usize];
        for word in 0..W {
            all[word] &= operand[word];
        }
    }
    for &operand in negated {
        let operand = &words[operand as usize];
        for word in 0..W {
            any[word] |= operand[word];
        }
    }
    for &[left, right] in both.as_chunks::<2>().0 {
        let (left, right) = (&words[left as usize], &words[right as usize]);
        for word in 0..W {
            any[word] |= left[word] & right[word];
        }
    }
    for &[left, right] in mixed.as_chunks::<2>().0 {
        let (left, right) = (&words[left as usize], &words[right as usize]);
        for word in 0..W {
            any[word] |= left[word] & !right[word];
        }
    }
    for &[left, right] in neither.as_chunks::<2>().0 {
        let (left, right) = (&words[left as usize], &words[right as usize]);
        for word in 0..W {
            all[word] &= left[word] | right[word];
        }
    }
    for word in 0..W {
        all[word] &= !any[word];
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{Shape, straight, value};

    /// The value of a gate in one lane, operand by operand.
    fn expected([plain, negated, both, mixed, _]: Shape, operands: &[bool]) -> bool {
        let (singles, pairs) = operands.split_at(plain + negated);
        let holds = pairs.as_chunks::<2>().0.iter().enumerate().any(|(at, &[left, right])| match at {
            _ if at < both => left && right,
            _ if at < both + mixed => left && !right,
            _ => !left && !right,
        });
        singles[..plain].iter().all(|operand| *operand) && !singles[plain..].iter().any(|operand| *operand) && !holds
    }

    #[test]
    fn every_shape_has_the_value_of_its_operands() {
        let mut shapes = 0;
        for number in 0..6usize.pow(5) {
            let shape: Shape = std::array::from_fn(|at| number / 6usize.pow(at as u32) % 6);
            let Some(number) = straight(shape) else { continue };
            shapes += 1;
            let count: usize = shape[0] + shape[1] + 2 * (shape[2] + shape[3] + shape[4]);
            // Lane by lane, all assignments of up to six operands.
            assert!(count <= 6, "{shape:?}");
            let mut words = vec![[0]; count + 1];
            let operands: Vec<u32> = (1..=count as u32).collect();
            for &operand in &operands {
                words[operand as usize][0] = (0..64).fold(0, |word, lane| word | (lane >> (operand - 1) & 1) << lane);
            }
            let [value] = value(&words, number, &operands);
            for lane in 0..64usize {
                let assigned: Vec<bool> = (0..count).map(|operand| lane >> operand & 1 == 1).collect();
                assert_eq!(value >> lane & 1 == 1, expected(shape, &assigned), "{shape:?}, lane {lane}");
            }
        }
        assert!(shapes > 20, "{shapes} shapes");
    }
}
