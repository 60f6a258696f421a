//! The size that is to be expected, so that games that are far too large are refused early.

/// The least number of blocks at which a forecast is made, and the least number of rounds before.
const BLOCKS: usize = 100_000;
const ROUNDS: usize = 3;

/// The bytes of a game for each block of its largest round, with their sets, at the least: more than 230 were measured.
const BLOCK: f64 = 200.0;
/// The bytes by which the early rounds are judged: a forecast from them may be ten times too high.
const EARLY: f64 = 6.0;

/// The blocks of the largest round that are to be expected, if they will certainly take more than these bytes.
pub(super) fn too_many(counts: &[usize], rounds: usize, bytes: usize) -> Option<usize> {
    let most = forecast(counts, rounds)?;
    let each = if 4 * counts.len() >= 3 * rounds { BLOCK } else { EARLY };
    (most * each > bytes as f64).then_some(most as usize)
}

/// The most blocks in a later round, if the numbers go on as before. `counts` has the number of blocks of each round so
/// far, `rounds` is that of the longest match.
///
/// From round to round, the number grows by a factor that falls, until it is below 1. The forecast is that its logarithm
/// falls evenly. Players take turns, so growth is looked at over two rounds. `None` if it does not fall, or nothing can
/// be said yet.
fn forecast(counts: &[usize], rounds: usize) -> Option<f64> {
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
    use super::{forecast, too_many};

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

    /// The numbers of blocks of Phantom Tic-Tac-Toe and Abrupt Dark Hex, for which 11 GB are enough.
    #[test]
    fn games_that_fit_are_not_refused() {
        let phantom = [
            9, 90, 396, 1_836, 7_188, 24_868, 79_112, 230_370, 594_004, 1_352_682, 2_706_560, 4_745_590, 7_002_000,
            8_246_250,
        ];
        let abrupt = [
            9, 81, 396, 2_412, 8_868, 43_468, 123_264, 506_478, 1_109_340, 3_787_380, 6_316_320, 17_003_080, 20_239_200,
        ];
        assert!((1..=phantom.len()).all(|rounds| too_many(&phantom[..rounds], 17, 11 << 30).is_none()));
        assert!((1..=abrupt.len()).all(|rounds| too_many(&abrupt[..rounds], 17, 11 << 30).is_none()));
        assert!(too_many(&abrupt, 17, 8 << 30).is_some());
    }
}
