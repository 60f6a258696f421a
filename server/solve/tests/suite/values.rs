//! Values that are known from other sources.

use num_traits::ToPrimitive;
use percept_infoset::Budget;
use percept_solve::cfr::Variant;
use percept_solve::{Method, Options, Solution, solve};

fn solved(game: &str, method: Method) -> Solution {
    let options = Options { method, ..Options::default() };
    solve(&percept_test::game(game), &options, &Budget::default()).unwrap_or_else(|error| panic!("{game}: {error}"))
}

/// The first role's exact value.
fn exact(game: &str) -> String {
    let solution = solved(game, Method::Auto);
    let value = solution.values[0].exact.as_ref();
    value.map_or_else(|| format!("{:?}", solution.values[0]), ToString::to_string)
}

#[test]
fn exact_values() {
    // -1/18 of a bet, and a bet is 25 points from 50.
    assert_eq!(exact("kuhn-poker/kuhn-poker.kif"), "875/18");
    assert_eq!(exact("exploding-bomb/exploding-bomb.kif"), "90");
    assert_eq!(exact("hidden-matching-pennies/hidden-matching-pennies.kif"), "75");
    assert_eq!(exact("exploding-bomb-arming/exploding-bomb-arming.kif"), "50");
    assert_eq!(exact("poker/king-and-jack.pog"), "1/3");
    // 1/16 of a win, and a win is 50 points from 50.
    assert_eq!(exact("liars-dice/liars-dice.kif"), "425/8");
    assert_eq!(exact("goofspiel/goofspiel-4-descending.kif"), "50");
}

/// The number of iterations does not matter, because the bracket measures the plans.
#[test]
fn every_method_brackets_the_value() {
    for (game, value) in [("kuhn-poker/kuhn-poker.kif", 875.0 / 18.0), ("poker/king-and-jack.pog", 1.0 / 3.0)] {
        for variant in Variant::ALL {
            let solution = solved(game, Method::Cfr(variant));
            let first = &solution.values[0];
            assert!(first.low <= value + 1e-9 && value <= first.high + 1e-9, "{game}, {variant:?}: {first:?}");
            assert!(solution.exploitability.is_some_and(|it| it <= 1e-4), "{game}, {variant:?}");
        }
    }
}

/// Leduc poker is worth -0.085606424078 to the first player, at 3 points a unit from 50, a fraction of 33 digits. A
/// game that is the same for both players has the same value for both.
#[test]
fn larger_games() {
    let leduc = solved("leduc-poker/leduc-poker.kif", Method::Auto);
    assert_eq!(leduc.method, "lp");
    let value = leduc.values[0].exact.as_ref().expect("an exact value");
    assert!((value.to_f64().expect("a number") - (50.0 - 3.0 * 0.085606424078)).abs() < 1e-10, "{value}");
    assert_eq!(exact("goofspiel/goofspiel-4.kif"), "50");
    assert_eq!(exact("goofspiel/goofspiel-5-descending.kif"), "50");
}
