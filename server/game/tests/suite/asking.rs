//! Games with relations too large to be listed: by queries they are played like games whose relations can be listed.
//! (Random rule sets and published games are also evaluated by queries, beside the other ways: `three_ways`,
//! `random_rules`.)

use percept_game::Game;
use percept_test::description;

/// Moves by name, and the goal after each.
fn goal_after(game: &Game, mv: &str) -> Vec<i64> {
    let role = game.role_ids().next().unwrap();
    let mv = game.rules.find_move(role, mv).expect("a move");
    let next = game.rules.next(&game.rules.initial(), &[mv]);
    assert!(game.rules.terminal(&next), "the end comes after one move");
    game.rules.goals(&next, role)
}

/// Nine numbers in a row are a word; the rules query if one of them is in the spoken word exactly once. A list of
/// `once` would have ten to the tenth tuples.
fn words(numbers: usize) -> String {
    let numbers: String = (1..=numbers).map(|number| format!("(number {number}) ")).collect();
    let variables: Vec<String> = (1..=9).map(|at| format!("?x{at}")).collect();
    let all = variables.join(" ");
    let rules: String = (0..9)
        .map(|at| {
            let others = variables.iter().enumerate().filter(|(other, _)| *other != at);
            let others: String = others.map(|(_, name)| format!("(number {name}) (distinct ?z {name}) ")).collect();
            format!("(<= (once ?z {all}) (number ?z) (same ?z {}) {others})", variables[at])
        })
        .collect();
    format!(
        "(role r) {numbers} (<= (same ?x ?x) (number ?x))
         (legal r (say 1 2 2 2 2 2 2 2 2)) (legal r (say 1 1 2 2 2 2 2 2 2)) (init start) (<= (init nothing) (never))
         (<= (next (said {all})) (does r (say {all})))
         {rules}
         (<= good (true (said {all})) (once 1 {all}))
         (<= terminal (not (true start)))
         (<= (goal r 100) good) (<= (goal r 0) (not good))"
    )
}

#[test]
fn what_cannot_be_listed_is_asked() {
    let text = words(10).replace(" (<= (init nothing) (never))", "");
    let description = description(&text);
    assert!(Game::from_gdl_lifted(&description).is_err(), "the relation can be listed after all");
    for game in [Game::from_gdl(&description).unwrap(), Game::from_gdl_asking(&description).unwrap()] {
        assert_eq!(goal_after(&game, "(say 1 2 2 2 2 2 2 2 2)"), [100]);
        assert_eq!(goal_after(&game, "(say 1 1 2 2 2 2 2 2 2)"), [0]);
        assert!(game.rules.fault().is_none());
    }
}

/// A long circle: each node is reached from the one before it, and the last leads back to the first. A query about any
/// node makes the circle one component.
#[test]
fn circles_are_closed_and_depth_is_bounded() {
    let ring = |count: usize| -> String {
        let edges: String = (0..count).map(|at| format!("(edge {at} {}) ", (at + 1) % count)).collect();
        format!(
            "(role r) {edges} (legal r go) (init start) (<= terminal (not (true start)))
             (<= (way ?a ?b) (edge ?a ?b)) (<= (way ?a ?c) (way ?a ?b) (way ?b ?c))
             (<= (goal r 100) (way 0 {}) (way 0 0)) (<= (goal r 0) (not (way 0 0)))",
            count - 1
        )
    };
    let small = description(&ring(40));
    assert_eq!(goal_after(&Game::from_gdl_asking(&small).unwrap(), "go"), [100]);
    // Too deep for one stack.
    let chain: String = (0..25_000).map(|at| format!("(succ {at} {}) ", at + 1)).collect();
    let deep = format!(
        "(role r) {chain} (legal r go) (init start) (<= terminal (not (true start))) (<= (small 0) (role r))
         (<= (small ?n) (succ ?m ?n) (small ?m)) (<= (goal r 100) (small 5000))"
    );
    let game = Game::from_gdl_asking(&description(&deep)).unwrap();
    assert_eq!(goal_after(&game, "go"), [100], "what is listed before the match is not asked");
    let text = deep.replace("(<= (small ?n)", "(<= (small ?n) (not (true start))");
    let game = Game::from_gdl_asking(&description(&text)).unwrap();
    assert_eq!(goal_after(&game, "go"), [100]);
    let game = Game::from_gdl_asking(&description(&text.replace("(small 5000)", "(small 25000)"))).unwrap();
    assert_eq!(goal_after(&game, "go"), Vec::<i64>::new());
    let fault = game.rules.fault().expect("a bound was reached");
    assert_eq!(fault.message, "the recursion of `small` has too many steps");
}
