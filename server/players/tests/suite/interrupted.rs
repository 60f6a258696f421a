//! A match that was interrupted goes on as if it had not been.

use std::sync::{Arc, Mutex};

use percept_game::JointMove;
use percept_players::{Arena, Ended, MatchOptions, Watch};

use crate::support::{gdl, repeatable, strategies};

const BLIND: &str = "blind-tic-tac-toe/blind-tic-tac-toe.kif";

#[test]
fn a_match_goes_on_after_any_of_its_rounds() {
    let arena = Arena::new(gdl(BLIND));
    let seats = strategies(&["legal", "legal", "random"]);
    let whole = arena.play(&seats, &repeatable(5, 20));
    assert!(whole.moves.len() > 4, "{:?}", whole.moves);
    for cut in 0..=whole.moves.len() {
        let new: Arc<Mutex<Vec<JointMove>>> = Arc::default();
        let seen = new.clone();
        let options = MatchOptions {
            played: whole.moves[..cut].to_vec(),
            watch: Some(Watch(Arc::new(move |joint: &JointMove| seen.lock().unwrap().push(joint.clone())))),
            ..repeatable(5, 20)
        };
        let again = arena.play(&seats, &options);
        assert_eq!((&again.moves, &again.goals), (&whole.moves, &whole.goals), "after round {cut}");
        assert_eq!(new.lock().unwrap()[..], whole.moves[cut..]);
    }
}

#[test]
fn every_strategy_catches_up() {
    let arena = Arena::new(gdl(BLIND));
    let first = arena.play(&strategies(&["random", "random", "random"]), &repeatable(1, 5));
    for name in ["ismcts", "choosemove", "sampling", "uct", "grave", "cfr", "mac-ucb-ii", "random", "auto"] {
        let options = MatchOptions { played: first.moves[..2].to_vec(), ..repeatable(1, 5) };
        let outcome = arena.play(&strategies(&[name, name, "random"]), &options);
        assert_eq!((outcome.ended, &outcome.faults[..]), (Ended::Over, &[][..]), "{name}");
    }
}
