//! The fragment of Koriche et al.: shared percepts proved, or refuted by a shortest match.

mod support;

use percept_infoset::Budget;
use percept_players::fragment::{Fragment, Shared};
use support::{gdl, rules, tic_tac_toe};

fn fragment(path: &str) -> Fragment {
    Fragment::of(&gdl(path).game, None, &Budget::default())
}

#[test]
fn one_player_shares_with_itself() {
    let fragment = fragment("hidden-matching-pennies/hidden-matching-pennies.kif");
    assert!(fragment.is_inside());
    assert_eq!(fragment.horizon.map(|it| it.rounds), Some(2));
}

#[test]
fn without_percepts_everybody_sees_everything() {
    let game = tic_tac_toe();
    let fragment = Fragment::of(&game.game, None, &Budget::default());
    assert_eq!(fragment.shared, Shared::Proved { method: "structure" });
}

#[test]
fn a_secret_is_shown_by_a_shortest_match() {
    let game = gdl("exploding-bomb-arming/exploding-bomb-arming.kif");
    let found = Fragment::of(&game.game, None, &Budget::default());
    let Shared::Refuted { history, role, other, percepts } = found.shared else { panic!("{found:?}") };
    // The agent arms, and then tells: the opponent perceives the colour, the agent does not.
    assert_eq!((history.len(), role.0, other.0, percepts.len()), (2, 1, 0, 1));
    assert!(!found.is_propositional || found.horizon.is_some());
}

/// The rules differ, but what they say never does.
#[test]
fn sharing_may_follow_from_the_states_alone() {
    let game = rules(
        "(role a) (role b) (init (n 0)) (succ 0 1) (succ 1 2)
         (<= (legal ?r go) (role ?r)) (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
         (<= (sees a tick) (true (n ?x))) (<= (sees b tick) (does a go) (not (true (n 2))))
         (<= terminal (true (n 2))) (goal a 1) (goal b 1)",
    );
    let found = Fragment::of(&game.game, None, &Budget::default());
    assert_eq!(found.shared, Shared::Proved { method: "every-state" });
}
