//! The tree of a game as a picture.

use percept_infoset::{Budget, View};
use percept_report::speech::Speech;
use percept_report::tree::{Picture, TreeError, draw};
use percept_test::{game, gdl};

fn even(_: &View) -> Vec<(String, f64)> {
    Vec::new()
}

fn picture_of(depth: Option<usize>) -> Picture {
    let kuhn = game("kuhn-poker/kuhn-poker.kif");
    draw(&kuhn, &Speech::default(), "Kuhn <poker>", depth, &even, &Budget::default()).expect("a picture")
}

#[test]
fn places_that_look_the_same_are_in_one_oval() {
    let picture = picture_of(None);
    // The deal, 30 ends, and two decisions of each player for each of six deals.
    assert_eq!((picture.nodes, picture.sets, picture.complete), (55, 12, true));
    assert_eq!(picture.svg.matches("class=\"set\"").count(), 12);
    assert_eq!(picture.svg.matches(">1/6<").count(), 6, "chance deals one of six pairs");
    assert!(picture.svg.contains("Kuhn &lt;poker&gt;"));
    let short = picture_of(Some(1));
    assert_eq!((short.nodes, short.complete), (7, false));
}

#[test]
fn a_strategy_is_on_the_edges() {
    let kuhn = game("kuhn-poker/kuhn-poker.kif");
    let bets = |_: &View| vec![("bet".to_string(), 0.25), ("pass".to_string(), 0.75)];
    let picture = draw(&kuhn, &Speech::default(), "", None, &bets, &Budget::default()).expect("a picture");
    assert_eq!(picture.svg.matches(">1/4<").count(), 24, "a share for each decision");
    assert_eq!(picture.svg.matches(">0.75<").count(), 24);
}

#[test]
fn a_tree_is_not_drawn_without_an_end() {
    let endless = gdl("(role a) (init (at 1)) (legal a left) (legal a right) (<= (next (at 1)) (true (at 1)))
        (<= terminal (true (at 2))) (goal a 0)");
    let wanted = TreeError::TooLarge;
    assert_eq!(draw(&endless, &Speech::default(), "", None, &even, &Budget::default()), Err(wanted));
    assert!(draw(&endless, &Speech::default(), "", Some(3), &even, &Budget::default()).is_ok());
}
