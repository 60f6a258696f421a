//! The size that is to be expected, so that games that are far too large are refused early.

/// The least number of blocks at which a forecast is made, and the least number of rounds before.
const BLOCKS: usize = 100_000;
const ROUNDS: usize = 3;

/// The most blocks in a later round, if the numbers go on as before. `counts` has the number of blocks of each round so
/// far, `rounds` is that of the longest match.
///
/// From round to round, the number grows by a factor that falls, until it is below 1. The forecast is that its logarithm
/// falls evenly. Players take turns, so growth is looked at over two rounds. `None` if it does not fall, or nothing can
/// be said yet.
pub(super) fn forecast(counts: &[usize], rounds: usize) -> Option<f64> {
    let [.., fourth, third, second, last] = *counts else { return None };
    if last < BLOCKS || counts.len() <= ROUNDS {
        return None;
    }
    let growth = |from: usize, to: usize| (to as f64 / from as f64).ln() / 2.0;
    let mut now = growth(third, last);
    let fall = match *counts {
        [.., fifth, _, _, _, _] => (growth(fifth, third) - now) / 2.0,
        _ => growth(fourth, second) - now,
    };
    if fall <= 0.0 {
        return None;
    }
    let mut most = (last as f64).ln();
    for _ in counts.len()..rounds {
        now -= fall;
        if now <= 0.0 {
            break;
        }
        most += now;
    }
    Some(most.exp())
}

#[cfg(test)]
mod tests {
    use super::forecast;

    /// The numbers of blocks of Blind Tic-Tac-Toe, Abrupt Dark Hex and Dark Hex.
    #[test]
    fn growth_that_falls_is_expected_to_go_on_falling() {
        let blind = forecast(&[81, 4_140, 114_676, 1_995_006], 9).expect("a forecast");
        assert!((1e9..1e10).contains(&blind), "{blind}");
        let abrupt = [9, 81, 396, 2_412, 8_868, 43_468, 123_264, 506_478, 1_109_340, 3_787_380];
        let most = forecast(&abrupt, 18).expect("a forecast");
        assert!((3e7..3e8).contains(&most), "40 million: {most}");
        assert_eq!(forecast(&[16_704, 13_680, 62_640, 152_640], 29), None, "growth that rises");
        assert_eq!(forecast(&[9, 81, 72], 29), None, "too early");
    }
}
