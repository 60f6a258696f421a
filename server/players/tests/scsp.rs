//! The translation into stochastic constraints, held against the tables that the paper prints in its Figure 2.

mod support;

use expect_test::expect;
use percept_infoset::Control;
use percept_players::scsp::{ScspError, Stage};
use support::{gdl, goals, heavy, made, matches};

/// The paper's `coin` is `penny` here and its `coins` are `pennies`; `choose` is `lay`; `unset` is where there is none.
#[test]
fn hidden_matching_pennies_gives_the_tables_of_figure_2() {
    let game = gdl("hidden-matching-pennies/hidden-matching-pennies.kif");
    let stage = Stage::of(&game.game, &Control::default()).unwrap();
    expect![[r#""#]].assert_eq(&stage.to_string());
}

#[test]
fn a_game_with_too_many_states_is_refused() {
    let game = gdl("blind-tic-tac-toe/blind-tic-tac-toe.kif");
    assert!(matches!(Stage::of(&game.game, &Control::default()), Err(ScspError::TooLarge)));
}

/// Its Figure 3: laying the side that was seen is worth 75, the other 25.
#[test]
fn mac_ucb_ii_lays_the_side_it_saw() {
    let game = gdl("hidden-matching-pennies/hidden-matching-pennies.kif");
    let alice = game.game.role("alice").unwrap();
    let played = matches(&game, &["mac-ucb-ii", "random"], heavy(20, 500), 200);
    assert!(goals(&played, alice).iter().all(|&goal| goal >= 50));
    assert!(played.iter().all(|outcome| outcome.faults.is_empty()));
    assert!(made(&game, &played, alice, "(play heads)") > 0);
}
