//! Regret minimization with its payoffs in shares, against that of one machine.

use percept_infoset::Budget;
use percept_solve::apart::{Share, solve_apart};
use percept_solve::cfr::Variant;
use percept_solve::{BuildError, Method, Options, Space, solve};

#[test]
fn shares_give_the_numbers_of_one_machine() {
    let (space, budget) = (Space::default(), Budget::default());
    for name in ["kuhn-poker/kuhn-poker.kif", "leduc-poker/leduc-poker.kif"] {
        let game = percept_test::game(name);
        for (variant, of) in [(Variant::Plus, 1), (Variant::Predictive, 3), (Variant::Discounted, 40)] {
            let options = Options { method: Method::Cfr(variant), iterations: Some(50), ..Options::default() };
            let share = |number| Share::new(&game, number, of, &space, &budget).expect("a share");
            let shares: Vec<Share> = (0..of).map(share).collect();
            let gains = |player: usize, against: &[f64]| {
                Ok(shares.iter().flat_map(|share| share.gains(player, against)).collect::<Vec<f64>>())
            };
            let apart = solve_apart(&game, &options, &gains, &budget).expect("a solution");
            let here = solve(&game, &options, &budget).expect("a solution");
            assert_eq!((&apart.values, apart.exploitability), (&here.values, here.exploitability), "{name} {of}");
            assert_eq!(apart.strategy(&game).to_text(&[]), here.strategy(&game).to_text(&[]));
            assert_eq!((apart.iterations, apart.method), (50, variant.name()));
        }
    }
}

#[test]
fn a_failure_elsewhere_is_the_answer() {
    let game = percept_test::game("kuhn-poker/kuhn-poker.kif");
    let (options, budget) = (Options::default(), Budget::default());
    let lost = |_: usize, _: &[f64]| Err("all machines are lost".to_string());
    let why = solve_apart(&game, &options, &lost, &budget).map(|_| ()).expect_err("a failure");
    assert_eq!(why.to_string(), "all machines are lost");
    let short = |_: usize, _: &[f64]| Ok(vec![0.0]);
    let why = solve_apart(&game, &options, &short, &budget).map(|_| ()).expect_err("a failure");
    assert!(why.to_string().contains("not 13"), "{why}");
    let alone = percept_test::game("exploding-bomb/exploding-bomb.kif");
    let why = Share::new(&alone, 0, 1, &Space::default(), &budget).map(|_| ()).expect_err("one player");
    assert!(matches!(why, BuildError::NotOpposed));
}
