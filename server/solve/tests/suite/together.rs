//! Best joint strategies, against all strategies of games of this shape, which are counted out without a tree.

use std::fmt::Write;

use num_bigint::BigInt;
use num_rational::BigRational;
use percept_infoset::Budget;
use percept_solve::cfr::Variant;
use percept_solve::{Kind, Method, Options, solve};
use percept_test::gdl;

/// The payoffs of a game by number: multiples of ten, from 0 to 100.
struct Payoffs {
    seed: u64,
}

impl Payoffs {
    fn of(&self, which: [usize; 5]) -> i64 {
        let mut state = self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5851_F42D_4C95_7F2D;
        for number in which {
            state = (state ^ number as u64).wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state ^= state >> 29;
        }
        (state % 11) as i64 * 10
    }
}

/// Both `a` and `b` see a card of their own. First `a` moves, which `b` sees; then `b` moves.
fn signals(payoffs: &Payoffs) -> String {
    let mut text = String::from(
        "(role random) (role a) (role b) (card 0) (card 1) (act 0) (act 1) (act 2) (init (at 0))
        (<= (legal random (deal ?i ?j)) (true (at 0)) (card ?i) (card ?j)) (<= (legal random noop) (not (true (at 0))))
        (<= (legal a (do ?x)) (true (at 1)) (act ?x)) (<= (legal a noop) (not (true (at 1))))
        (<= (legal b (do ?x)) (true (at 2)) (act ?x)) (<= (legal b noop) (not (true (at 2))))
        (<= (next (at 1)) (true (at 0))) (<= (next (at 2)) (true (at 1))) (<= (next (at 3)) (true (at 2)))
        (<= (next (holds ?i ?j)) (does random (deal ?i ?j))) (<= (next (holds ?i ?j)) (true (holds ?i ?j)))
        (<= (next (did ?r ?x)) (does ?r (do ?x))) (<= (next (did ?r ?x)) (true (did ?r ?x)))
        (<= (sees a ?i) (does random (deal ?i ?_j))) (<= (sees b ?j) (does random (deal ?_i ?j)))
        (<= (sees b (did ?x)) (does a (do ?x)))
        (<= terminal (true (at 3))) (<= (goal ?r 0) (player ?r) (not (true (at 3)))) (player a) (player b)
        (<= (goal ?r ?g) (player ?r) (true (holds ?i ?j)) (true (did a ?x)) (true (did b ?y)) (pays ?i ?j ?x ?y ?g))",
    );
    each([2, 2, 3, 3, 1], |which @ [i, j, x, y, _]| {
        write!(text, "(pays {i} {j} {x} {y} {})", payoffs.of(which)).expect("a string");
    });
    text
}

/// Both `a` and `b` see a card of their own, `c` sees nothing, and all move at once.
fn at_once(payoffs: &Payoffs) -> String {
    let mut text = String::from(
        "(role random) (role a) (role b) (role c) (card 0) (card 1) (act 0) (act 1) (init (at 0))
        (<= (legal random (deal ?i ?j)) (true (at 0)) (card ?i) (card ?j)) (<= (legal random noop) (not (true (at 0))))
        (player a) (player b) (player c)
        (<= (legal ?r (do ?x)) (player ?r) (true (at 1)) (act ?x)) (<= (legal ?r noop) (player ?r) (not (true (at 1))))
        (<= (next (at 1)) (true (at 0))) (<= (next (at 2)) (true (at 1)))
        (<= (next (holds ?i ?j)) (does random (deal ?i ?j))) (<= (next (holds ?i ?j)) (true (holds ?i ?j)))
        (<= (next (did ?r ?x)) (does ?r (do ?x)))
        (<= (sees a ?i) (does random (deal ?i ?_j))) (<= (sees b ?j) (does random (deal ?_i ?j)))
        (<= terminal (true (at 2))) (<= (goal ?r 0) (player ?r) (not (true (at 2))))
        (<= (goal ?r ?g) (player ?r) (true (holds ?i ?j))
            (true (did a ?x)) (true (did b ?y)) (true (did c ?z)) (pays ?i ?j ?x ?y ?z ?g))",
    );
    each([2; 5], |which @ [i, j, x, y, z]| {
        write!(text, "(pays {i} {j} {x} {y} {z} {})", payoffs.of(which)).expect("a string");
    });
    text
}

/// All lists of numbers below these.
fn each(below: [usize; 5], mut sink: impl FnMut([usize; 5])) {
    for number in 0..below.iter().product() {
        let mut rest = number;
        sink(below.map(|below| {
            let digit = rest % below;
            rest /= below;
            digit
        }));
    }
}

/// The digit of a number with this base: a strategy is a number with one digit for each thing that is seen.
fn digit(number: usize, base: usize, at: usize) -> usize {
    number / base.pow(at as u32) % base
}

fn best_of_signals(payoffs: &Payoffs) -> i64 {
    let value = |first: usize, second: usize| -> i64 {
        let deal = |i: usize, j: usize| {
            let x = digit(first, 3, i);
            payoffs.of([i, j, x, digit(second, 3, j * 3 + x), 0])
        };
        deal(0, 0) + deal(0, 1) + deal(1, 0) + deal(1, 1)
    };
    (0..9)
        .flat_map(|first| (0..729).map(move |second| (first, second)))
        .map(|(one, other)| value(one, other))
        .max()
        .unwrap()
}

fn best_at_once(payoffs: &Payoffs) -> i64 {
    let value = |[one, other, third]: [usize; 3]| -> i64 {
        let deal = |i: usize, j: usize| payoffs.of([i, j, digit(one, 2, i), digit(other, 2, j), third]);
        deal(0, 0) + deal(0, 1) + deal(1, 0) + deal(1, 1)
    };
    (0..32).map(|number| value([number % 4, number / 4 % 4, number / 16])).max().unwrap()
}

#[test]
fn best_joint_strategies_are_those_of_all() {
    for seed in 0..20 {
        let payoffs = Payoffs { seed };
        let games = [(signals(&payoffs), best_of_signals(&payoffs)), (at_once(&payoffs), best_at_once(&payoffs))];
        for (text, best) in games {
            let game = gdl(&text);
            let solution = solve(&game, &Options::default(), &Budget::default()).expect("a small game");
            assert_eq!(solution.kind, Kind::Together);
            let expected = BigRational::new(BigInt::from(best), BigInt::from(4));
            for value in &solution.values {
                assert_eq!(value.exact.as_ref(), Some(&expected), "game {seed}: {text}");
            }
            // A method that is named is used.
            let regret = Options { method: Method::Cfr(Variant::Plus), iterations: Some(1), ..Options::default() };
            assert_eq!(solve(&game, &regret, &Budget::default()).expect("a small game").kind, Kind::General);
            // The strategies, followed from the ends of matches, are worth it.
            let tree = solution.tree().expect("a tree");
            let behaviour = solution.behaviour().expect("strategies");
            let reached = |leaf: usize| {
                tree.sequences(leaf).iter().enumerate().all(|(player, &sequence)| {
                    let plex = &tree.players[player];
                    let (owners, mut sequence) = (plex.owners(), sequence);
                    while sequence != 0 && behaviour[player][sequence as usize] == 1.0 {
                        sequence = plex.infosets[owners[sequence as usize] as usize].parent;
                    }
                    sequence == 0
                })
            };
            let goal = |leaf: usize| tree.outcomes[tree.leaves[leaf].outcome as usize][0] as f64;
            let worth: f64 =
                (0..tree.leaves.len()).filter(|&it| reached(it)).map(|it| tree.weight(it) * goal(it)).sum();
            assert!((worth - best as f64 / 4.0).abs() < 1e-9, "{worth} {best}");
        }
    }
}
