//! The translation into stochastic constraints, compared with the tables in the paper's Figure 2.

use expect_test::expect;
use percept_infoset::Budget;
use percept_players::scsp::{ScspError, Stage};
use percept_test::more;

use crate::support::{gdl, goals, made, matches};

/// The paper's `coin` is `penny` here, its `coins` are `pennies`, and `choose` is `lay`; `unset` is a value without a
/// fluent.
#[test]
fn hidden_matching_pennies_gives_the_tables_of_figure_2() {
    let game = gdl("hidden-matching-pennies/hidden-matching-pennies.kif");
    let stage = Stage::of(&game.game, &Budget::default()).unwrap();
    expect![[r#"
        ; stochastic constraint network: this stage, 2 times in a row

        variables and domains
          terminal_t   decision    {true, false}
          score_t      decision    {0, 50, 100}
          percept_t    decision    {(coins heads), (coins tails)}
          control_t    decision    {alice, random, unset}
          pennies_t    decision    {heads heads, heads tails, tails heads, tails tails, unset}
          penny_t      decision    {heads, tails, unset}
          play_t       decision    {noop, heads, tails}
          lay_t        stochastic  {heads heads, heads tails, tails heads, tails tails, noop}
          control_t+1  stochastic  {alice, random, unset}
          pennies_t+1  stochastic  {heads heads, heads tails, tails heads, tails tails, unset}
          penny_t+1    stochastic  {heads, tails, unset}

        terminal constraint
          penny_t  terminal_t
          heads    true
          tails    true
          unset    false

        goal constraint
          pennies_t    penny_t  score_t
          heads heads  heads    100
          heads heads  tails    0
          heads tails  heads    50
          heads tails  tails    50
          tails heads  heads    50
          tails heads  tails    50
          tails tails  heads    0
          tails tails  tails    100

        legal constraint
          control_t  play_t
          alice      heads
          alice      tails
          random     noop

        legal constraint
          control_t  lay_t
          alice      noop
          random     heads heads
          random     heads tails
          random     tails heads
          random     tails tails

        next constraint
          control_t  control_t+1
          alice      unset
          random     alice

        next constraint
          pennies_t    lay_t        pennies_t+1
          heads heads  noop         heads heads
          heads tails  noop         heads tails
          tails heads  noop         tails heads
          tails tails  noop         tails tails
          unset        heads heads  heads heads
          unset        heads tails  heads tails
          unset        tails heads  tails heads
          unset        tails tails  tails tails

        next constraint
          play_t  penny_t+1
          noop    unset
          heads   heads
          tails   tails

        conditional probability table of lay_t
          control_t  heads heads  heads tails  tails heads  tails tails  noop
          alice      0            0            0            0            1
          random     1/4          1/4          1/4          1/4          0

        conditional probability table of pennies_t+1
          percept_t      heads heads  heads tails  tails heads  tails tails  unset
          (coins heads)  1/2          1/2          0            0            0
          (coins tails)  0            0            1/2          1/2          0
    "#]]
    .assert_eq(&stage.to_string());
}

#[test]
fn a_game_with_too_many_states_is_refused() {
    let game = gdl("blind-tic-tac-toe/blind-tic-tac-toe.kif");
    assert!(matches!(Stage::of(&game.game, &Budget::default()), Err(ScspError::TooLarge)));
}

/// The paper's Figure 3: laying the side that was seen is worth 75, the other 25.
#[test]
fn mac_ucb_ii_lays_the_side_it_saw() {
    let game = gdl("hidden-matching-pennies/hidden-matching-pennies.kif");
    let alice = game.game.role("alice").unwrap();
    let played = matches(&game, &["mac-ucb-ii", "random"], more(20, 500), 200);
    assert!(goals(&played, alice).iter().all(|&goal| goal >= 50));
    assert!(played.iter().all(|outcome| outcome.faults.is_empty()));
    assert!(made(&game, &played, alice, "(play heads)") > 0);
}
