use std::sync::Arc;

use expect_test::expect;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;
use crate::toy::toy;

fn mv(n: u32) -> MoveId {
    MoveId(n)
}

#[test]
fn back_forth_and_another_way() {
    let mut stepper = Stepper::new(Arc::new(toy(2)));
    stepper.play(vec![mv(1), mv(0)]).unwrap();
    stepper.play(vec![mv(2), mv(0)]).unwrap();
    assert!(stepper.undo());
    assert_eq!((stepper.at(), stepper.len()), (1, 2));
    // The round that was undone: nothing is forgotten.
    stepper.play(vec![mv(2), mv(0)]).unwrap();
    stepper.undo();
    assert!(stepper.redo() && !stepper.redo());
    stepper.jump(0);
    assert!(!stepper.undo());
    stepper.play(vec![mv(0), mv(3)]).unwrap();
    assert_eq!((stepper.at(), stepper.len()), (1, 1));
    assert_eq!(stepper.states().len(), 2);
}

#[test]
fn refusals_change_nothing() {
    let mut stepper = Stepper::new(Arc::new(toy(2)));
    stepper.play(vec![mv(1), mv(0)]).unwrap();
    let error = stepper.play(vec![mv(1), mv(0)]).unwrap_err();
    assert_eq!(error.to_string(), "round 2: `(take 1)` is not legal for left");
    assert_eq!(stepper.play(vec![mv(0)]).unwrap_err().to_string(), "a round takes 2 moves, one of each role, not 1");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    stepper.play_random(&[Some(mv(2)), None], &mut rng).unwrap();
    assert_eq!(stepper.joints()[1][0], mv(2));
    stepper.play_random(&[], &mut rng).unwrap();
    assert_eq!(stepper.play_random(&[], &mut rng), Err(StepError::Over));
    assert_eq!(stepper.len(), 3);
    assert!(stepper.legal(RoleId(0)).is_empty());
}

/// Two rounds, the last one undone.
fn one_undone() -> Stepper {
    let mut stepper = Stepper::new(Arc::new(toy(2)));
    stepper.play(vec![mv(1), mv(0)]).unwrap();
    stepper.play(vec![mv(0), mv(0)]).unwrap();
    stepper.undo();
    stepper
}

#[test]
fn a_match_is_replayed_on_changed_rules() {
    let stepper = one_undone();
    let (same, end) = stepper.replay_on(Arc::new(toy(2)));
    assert_eq!((same.at(), same.joints(), end), (1, stepper.joints(), None));
    let (shorter, end) = stepper.replay_on(Arc::new(toy(3)));
    assert_eq!(shorter.len(), 0);
    let why = "judge is a new role, whose moves are not known".to_string();
    assert_eq!(end, Some(ReplayEnd { round: 1, why }));
    let (_, end) = stepper.replay_on(Arc::new(toy(1)));
    assert_eq!(end.unwrap().why, "there is no role right any more");
}

#[test]
fn rounds_that_rules_do_not_allow_for_a_while_come_back() {
    let stepper = one_undone();
    let (shorter, _) = stepper.replay_on(Arc::new(toy(3)));
    let (still, _) = shorter.replay_on(Arc::new(toy(1)));
    assert_eq!((shorter.len(), still.len()), (0, 0));
    let (again, end) = still.replay_on(Arc::new(toy(2)));
    assert_eq!((again.at(), again.joints(), end), (1, stepper.joints(), None));
    // Another match has begun.
    let (mut other, _) = stepper.replay_on(Arc::new(toy(3)));
    other.play(vec![mv(0); 3]).unwrap();
    assert_eq!(other.replay_on(Arc::new(toy(2))).0.len(), 0);
}

#[test]
fn a_view_names_everything() {
    let mut stepper = Stepper::new(Arc::new(toy(1)));
    stepper.play(vec![mv(1)]).unwrap();
    let view = serde_json::to_string_pretty(&stepper.view()).unwrap();
    expect![[r#"
        {
          "round": 1,
          "rounds": 1,
          "terminal": false,
          "roles": [
            {
              "name": "left",
              "chance": false,
              "legal": [
                "pass",
                "(take 2)",
                "(take 3)"
              ],
              "percepts": [
                "(sum 1)"
              ],
              "goals": [
                0
              ]
            }
          ],
          "state": {
            "groups": [
              {
                "functor": "f",
                "fluents": [
                  "(f 1)",
                  "(f 60)",
                  "(f 61)"
                ]
              }
            ],
            "numbers": []
          },
          "history": [
            {
              "round": 1,
              "moves": [
                "(take 1)"
              ],
              "percepts": [
                [
                  "(sum 1)"
                ]
              ]
            }
          ]
        }"#]]
    .assert_eq(&view);
}
