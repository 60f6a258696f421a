//! The outlook on a game that is not solved yet.

use std::time::Duration;

use percept_game::RoleId;
use percept_infoset::Budget;
use percept_solve::outlook::{prospects, sampled};
use percept_solve::{Options, Point, solve};

#[test]
fn the_goals_in_the_rules_bound_the_values() {
    let goals = |game: &str| -> Vec<Option<(i64, i64)>> {
        prospects(&percept_test::game(game), &Budget::default()).iter().map(|it| it.goals).collect()
    };
    assert_eq!(goals("kuhn-poker/kuhn-poker.kif"), [Some((0, 100)); 2], "chance has no goal");
    assert_eq!(goals("goofspiel/goofspiel-5-descending.kif"), [Some((5, 95)); 2]);
    assert_eq!(goals("battleship/battleship-2-4.pog"), [Some((0, 1)); 2]);
}

#[test]
fn random_matches_show_that_goals_are_opposed() {
    let played = |game: &str| sampled(&percept_test::game(game), 0, Duration::MAX, &Budget::default()).unwrap();
    let kuhn = played("kuhn-poker/kuhn-poker.kif");
    assert!(kuhn.opposed && kuhn.matches == 4096);
    // At random, p1 gets 50 + 25 / 8.
    let mean = kuhn.means[0];
    assert!((mean.mean - 53.125).abs() < 2.0 * mean.half_width, "{mean:?}");
    assert!(!played("tiny-hanabi/tiny-hanabi.kif").opposed, "they win together");
    assert_eq!(played("wumpus/wumpus.kif").means.len(), 1);
}

/// Each point says whose value it bounds: for goals that are not opposed, one role after the other.
#[test]
fn points_name_their_role() {
    let points = |game: &percept_game::Game| {
        let seen = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
        let note = seen.clone();
        let watch = move |point: &Point| note.lock().unwrap().push((point.of, point.bracket.low, point.bracket.high));
        let options = Options { watch: Some(std::sync::Arc::new(watch)), iterations: Some(10), ..Options::default() };
        solve(game, &options, &Budget::default()).unwrap();
        std::mem::take(&mut *seen.lock().unwrap())
    };
    let dilemma = percept_test::gdl(include_str!("dilemma.kif"));
    let mut roles: Vec<Option<RoleId>> = points(&dilemma).iter().map(|it| it.0).collect();
    roles.dedup();
    assert_eq!(roles, [Some(RoleId(0)), Some(RoleId(1)), None]);
    let together = points(&percept_test::game("tiny-hanabi/tiny-hanabi.kif"));
    assert!(!together.is_empty() && together.iter().all(|it| it.1 <= 100.0 && it.2 >= 100.0), "{together:?}");
}
