//! The independent checker: the proofs that it follows, and its refusal of claims that are false on the rules as
//! written.

use percept_game::Written;
use percept_infoset::prove::{Finding, Unchecked};

use super::*;

/// A coin falls. The player hears the side, or only that it fell.
fn coin(percept: &str) -> Game {
    let text = format!(
        "(role p) (role random) (init start) (legal p wait)
         (<= (legal random (fall heads)) (true start)) (<= (legal random (fall tails)) (true start))
         (<= (legal random wait) (true (shows ?s)))
         (<= (next (shows ?s)) (does random (fall ?s))) (<= (next (shows ?s)) (true (shows ?s)))
         (<= (next over) (true (shows ?s)))
         (<= (sees p {percept}) (does random (fall ?s)))
         (<= terminal (true over))
         (<= (goal p 100) (true (shows heads))) (<= (goal p 0) (not (true (shows heads))))"
    );
    gdl(&text).expect("a game")
}

fn goal(game: &Game, method: Method) -> Finding {
    let budget = Budget { deadline: Some(Instant::now() + Duration::from_secs(20)), ..Budget::default() };
    Prover::new(game).prove(RoleId(0), Property::Goal, &Options { method, ..Options::default() }, &budget)
}

#[test]
fn what_is_proved_is_followed_on_the_rules_as_written() {
    let game = coin("(fell ?s)");
    for method in [Method::Auto, Method::Structure, Method::Induction, Method::Bounded, Method::Pairs] {
        let finding = goal(&game, method);
        if let Verdict::Proved { checked, .. } = finding.verdict {
            assert_eq!(checked, Ok(()), "{method:?}");
        }
        assert!(finding.refused.is_empty(), "{method:?}: {:?}", finding.refused);
        assert!(method == Method::Structure || finding.verdict.name() == "proved", "{method:?}");
    }
}

#[test]
fn a_prover_that_believes_other_rules_is_refused() {
    let (visible, untold) = (coin("(fell ?s)"), coin("fell"));
    let lying = Game { written: untold.written.clone(), ..visible };
    for method in ALONE {
        let finding = goal(&lying, method);
        assert_ne!(finding.verdict.name(), "proved", "{method:?}");
    }
    let finding = goal(&lying, Method::Auto);
    assert_ne!(finding.verdict.name(), "proved");
    assert!(!finding.refused.is_empty(), "nothing was proved that could be refused");
}

#[test]
fn what_cannot_be_read_a_second_time_is_unchecked() {
    let game = Game { written: Written::Nowhere, ..coin("(fell ?s)") };
    let finding = goal(&game, Method::Auto);
    let Verdict::Proved { checked, .. } = finding.verdict else { panic!("{:?}", finding.verdict) };
    assert_eq!(checked, Err(Unchecked::NoDescription));
}

/// Games of the library that are proved quickly: no proof is refused, and all but a few are checked.
#[test]
fn proofs_about_shipped_games_are_checked() {
    let (mut proved, mut unchecked) = (0, Vec::new());
    for name in ["kuhn-poker", "exploding-bomb", "blind-tic-tac-toe", "tic-tac-toe", "hidden-matching-pennies"] {
        let game = percept_test::game(&format!("{name}/{name}.kif"));
        let mut prover = Prover::new(&game);
        for (role, property) in questions(&game) {
            let budget = Budget { deadline: Some(Instant::now() + Duration::from_secs(20)), ..Budget::default() };
            let finding = prover.prove(role, property, &Options::default(), &budget);
            assert!(finding.refused.is_empty(), "{name} {property:?}: {:?}", finding.refused);
            if let Verdict::Proved { checked, .. } = finding.verdict {
                proved += 1;
                unchecked.extend(checked.err().map(|why| format!("{name} {property:?}: {why}")));
            }
        }
    }
    assert!(proved >= 15, "only {proved} were proved");
    assert!(unchecked.is_empty(), "{unchecked:?}");
}
