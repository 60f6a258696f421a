//! Random matches draw legal moves uniformly, and every role by itself: chi-square over a million matches
//! (`PERCEPT_HEAVY=1`; else over a hundred thousand).

use std::collections::BTreeMap;
use std::fmt::Write;

use percept_game::Game;
use percept_game::play::{Limits, run};
use percept_test::{gdl, more};

/// Moves of `other`, of which one is not legal in the second round.
const OTHER: u32 = 5;

/// A game of two rounds. `many` takes one of `even` numbers that are legal at first, every second of all numbers; then
/// one of the remaining ones and of the odd ones, so that the legal moves have gaps, and others in every match. `other`
/// takes a card, then another one. Goals reveal the taken ones: those of `many` and `other` the first of each, those of
/// `late` and `later` the second.
fn game(even: u32) -> Game {
    let mut text = String::from(
        "(role many) (role other) (role late) (role later) (init (round 1)) (next-round 1 2) (next-round 2 3)
        (<= (next (round ?n)) (true (round ?m)) (next-round ?m ?n))
        (<= (legal many (take ?i)) (true (free ?i)))
        (<= (legal other (card ?i)) (true (hand ?i)))
        (legal late wait) (legal later wait)
        (<= (next (free ?i)) (true (free ?i)) (not (does many (take ?i))))
        (<= (next (free ?i)) (true (round 1)) (odd ?i))
        (<= (next (hand ?i)) (true (hand ?i)) (not (does other (card ?i))))
        (<= (next (took ?n ?i)) (true (round ?n)) (does many (take ?i)))
        (<= (next (played ?n ?i)) (true (round ?n)) (does other (card ?i)))
        (<= (next (took ?n ?i)) (true (took ?n ?i))) (<= (next (played ?n ?i)) (true (played ?n ?i)))
        (<= terminal (true (round 3)))
        (<= (goal many ?i) (true (took 1 ?i))) (<= (goal late ?i) (true (took 2 ?i)))
        (<= (goal other ?i) (true (played 1 ?i))) (<= (goal later ?i) (true (played 2 ?i)))\n",
    );
    (0..OTHER).for_each(|i| write!(text, "(init (hand {i}))").unwrap());
    (0..even).for_each(|i| write!(text, "(init (free {})) (odd {})", 2 * i, 2 * i + 1).unwrap());
    gdl(&text)
}

/// Counts are as likely as equal shares of `cells` make them; the bound is about p = 1e-5 (Wilson and Hilferty).
fn is_uniform(what: &str, counts: &BTreeMap<i64, u64>, cells: u32) {
    assert!(counts.len() as u32 <= cells, "{what}: {} kinds were drawn, there are {cells}", counts.len());
    if cells == 1 {
        return;
    }
    let draws: u64 = counts.values().sum();
    let expected = draws as f64 / f64::from(cells);
    let unseen = (f64::from(cells) - counts.len() as f64) * expected;
    let statistic = unseen + counts.values().map(|&it| (it as f64 - expected).powi(2) / expected).sum::<f64>();
    let freedom = f64::from(cells - 1);
    let spread = 2.0 / (9.0 * freedom);
    let bound = freedom * (1.0f64 - spread + 4.27 * spread.sqrt()).powi(3);
    assert!(statistic < bound, "{what}: chi-square {statistic:.1} on {freedom}, {draws} draws");
}

#[test]
fn moves_are_drawn_uniformly() {
    let draws: u64 = more(100_000, 1_000_000);
    // Moves within a word, moves across its edge, and more moves than fit into a byte.
    for even in [1, 2, 7, 33, 64, 70, 140] {
        let game = game(even);
        let mut counts = [BTreeMap::new(), BTreeMap::new(), BTreeMap::new()];
        let limits = Limits { seed: u64::from(even), ..Limits::default() };
        run(&game, 0..draws, &limits, &mut |record| {
            assert!(record.terminal && record.rounds == 2, "{record:?}");
            let two = |first: usize, second: usize| 1000 * record.goals[first][0] + record.goals[second][0];
            let (many, other) = (two(0, 2), two(1, 3));
            let together = (many % 1000) * 1000 + other % 1000;
            for (counts, cell) in counts.iter_mut().zip([many, other, together]) {
                *counts.entry(cell).or_default() += 1;
            }
        });
        let [many, other, together] = &counts;
        // Chi-square wants some ten draws of each kind.
        if draws >= 10 * u64::from(even * (2 * even - 1)) {
            is_uniform(&format!("two of {even}"), many, even * (2 * even - 1));
        }
        is_uniform("two cards", other, OTHER * (OTHER - 1));
        let firsts = many.iter().fold(BTreeMap::new(), |mut firsts: BTreeMap<i64, u64>, (cell, count)| {
            *firsts.entry(cell / 1000).or_default() += count;
            firsts
        });
        is_uniform(&format!("the first of {even}"), &firsts, even);
        // The draw of one role does not depend on that of the other: all odd second moves are equally likely.
        let mut odd = together.clone();
        odd.retain(|cell, _| (cell / 1000) % 2 == 1);
        is_uniform(&format!("an odd one of {even} beside a card"), &odd, even * OTHER);
    }
}
