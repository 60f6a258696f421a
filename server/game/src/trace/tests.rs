use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::{MoveId, toy::toy};

fn show(game: &Game, trace: &Trace) -> String {
    match trace {
        Trace::Match(rounds) => write_rounds(game, rounds),
        Trace::View(view) => write_view(game, view, "m"),
    }
}

fn check(roles: usize, text: &str, expected: Expect) {
    let game = toy(roles);
    let shown = match read(&game, text.as_bytes()) {
        Ok(trace) => show(&game, &trace),
        Err(error) => {
            let at = &text[error.range.as_usize()];
            format!("error at `{at}`, round {:?}, role {:?}: {error}\n", error.round, error.role.map(|role| role.0))
        }
    };
    expected.assert_eq(&shown);
}

#[test]
fn commas_may_stand_between_arguments() {
    check(
        2,
        "((take, 1) pass)\n",
        expect![[r#"
        ; left, right
        ((take 1) pass)
    "#]],
    );
}

#[test]
fn reads_a_round_a_line() {
    check(
        2,
        "; a comment\n((take 1) pass) ; more\n(pass\n (take 2))\n",
        expect![[r#"
        ; left, right
        ((take 1) pass)
        (pass (take 2))
    "#]],
    );
    check(
        2,
        "(take 1) pass\npass (take 2)\n",
        expect![[r#"
        ; left, right
        ((take 1) pass)
        (pass (take 2))
    "#]],
    );
    check(
        2,
        "",
        expect![[r#"
        ; left, right
    "#]],
    );
}

#[test]
fn one_list_of_one_round_is_told_by_the_number_of_roles() {
    // One round in a list, also with an unknown move: the move is at fault, not the number of moves.
    check(
        2,
        "(((take 1) pass))",
        expect![[r#"
        ; left, right
        ((take 1) pass)
    "#]],
    );
    check(
        2,
        "(((tkae 1) pass))",
        expect![[r#"
        error at `(tkae 1)`, round Some(1), role Some(0): round 1: `(tkae 1)` is not legal for left; the legal moves are pass, (take 1), (take 2), (take 3)
    "#]],
    );
    check(
        2,
        "(((take 1) pass) ((tkae 1) pass) (pass pass))",
        expect![[r#"
        error at `(tkae 1)`, round Some(2), role Some(0): round 2: `(tkae 1)` is not legal for left; the legal moves are pass, (take 2), (take 3)
    "#]],
    );
    // Two lists of two for two roles: the known moves decide.
    check(
        2,
        "((take 1) (tkae 2))",
        expect![[r#"
        error at `(tkae 2)`, round Some(1), role Some(1): round 1: `(tkae 2)` is not legal for right; the legal moves are pass, (take 1), (take 2), (take 3)
    "#]],
    );
    check(
        2,
        "((pass pass) (pass pas))",
        expect![[r#"
        error at `pas`, round Some(2), role Some(1): round 2: `pas` is not legal for right; the legal moves are pass, (take 1), (take 2), (take 3)
    "#]],
    );
    check(
        3,
        "((pass pass pass))",
        expect![[r#"
        ; left, right, judge
        (pass pass pass)
    "#]],
    );
    check(
        3,
        "((pass pass))",
        expect![[r#"
        error at `((pass pass))`, round Some(1), role None: round 1: 1 move for 3 roles; write one move for each of left, right, judge, in this order
    "#]],
    );
    check(
        1,
        "((take 1))",
        expect![[r#"
        ; left
        ((take 1))
    "#]],
    );
}

#[test]
fn reads_one_list() {
    check(
        2,
        "( ((take 1) pass) (pass (take 2)) )",
        expect![[r#"
        ; left, right
        ((take 1) pass)
        (pass (take 2))
    "#]],
    );
    // One round of two moves, not two rounds.
    check(
        2,
        "((take 1) (take 2))",
        expect![[r#"
        ; left, right
        ((take 1) (take 2))
    "#]],
    );
}

#[test]
fn one_role_needs_no_parentheses_round_its_move() {
    check(
        1,
        "(take 1)\n((take 2))\npass",
        expect![[r#"
        ; left
        ((take 1))
        ((take 2))
        (pass)
    "#]],
    );
    check(
        1,
        "((take 1) (take 2))",
        expect![[r#"
        ; left
        ((take 1))
        ((take 2))
    "#]],
    );
}

#[test]
fn reads_match_json() {
    check(
        2,
        r#"{"matchId": "x", "moves": [["( take 1 )", "pass"], ["pass", "(take 2)"]]}"#,
        expect![[r#"
        ; left, right
        ((take 1) pass)
        (pass (take 2))
    "#]],
    );
    check(
        2,
        r#"{"states": []}"#,
        expect![[r#"
        error at ``, round None, role None: a match record has its rounds in an array `moves`
    "#]],
    );
    check(
        2,
        r#"{"moves": [["pass", 3]]}"#,
        expect![[r#"
        error at `3`, round Some(1), role None: round 1: `3` is not a move; write it as a string
    "#]],
    );
}

#[test]
fn a_match_record_says_in_which_order_its_moves_stand() {
    check(
        2,
        r#"{"gameRoleNames": ["right", "left"], "moves": [["(take 1)", "pass"]]}"#,
        expect![[r#"
        ; left, right
        (pass (take 1))
    "#]],
    );
    check(
        2,
        r#"{"gameRoleNames": ["right", "left"], "moves": [["pass"]]}"#,
        expect![[r#"
        error at `["pass"]`, round Some(1), role None: round 1: 1 move for 2 roles; write one move for each of right, left, in this order
    "#]],
    );
    check(
        2,
        r#"{"gameRoleNames": ["left", "white"], "moves": []}"#,
        expect![[r#"
        error at `"white"`, round None, role None: `white` is not a role of this game; its roles are left, right
    "#]],
    );
    check(
        2,
        r#"{"gameRoleNames": ["left"], "moves": []}"#,
        expect![[r#"
        error at `["left"]`, round None, role None: `gameRoleNames` lacks right: it names every role of the game
    "#]],
    );
    check(
        2,
        r#"{"gameRoleNames": ["left", "left"], "moves": []}"#,
        expect![[r#"
        error at `"left"`, round None, role None: this role is twice in `gameRoleNames`
    "#]],
    );
}

#[test]
fn an_error_in_a_match_record_has_its_place() {
    check(
        2,
        "{\"moves\": [[\"pass\", \"pass\"],\n[\"pass\", \"(take 1\"]]}",
        expect![[r#"
        error at `"(take 1"`, round Some(2), role None: round 2: this `(` is never closed; add a `)`
    "#]],
    );
    check(
        2,
        "{\"moves\": [[\"pass\", \"pass\"],\n[\"pass\", \"(take 4)\"]]}",
        expect![[r#"
        error at `"(take 4)"`, round Some(2), role Some(1): round 2: `(take 4)` is not legal for right; the legal moves are pass, (take 1), (take 2), (take 3)
    "#]],
    );
    check(
        2,
        "{\"moves\": [[\"pass\", \"pass\"],\n[\"pass\"]]}",
        expect![[r#"
        error at `["pass"]`, round Some(2), role None: round 2: 1 move for 2 roles; write one move for each of left, right, in this order
    "#]],
    );
    check(
        2,
        "{\"moves\": [[\"pass\", \"pass\"],\n 3]}",
        expect![[r#"
        error at `3`, round Some(2), role None: round 2: `3` is not a round; write an array of moves
    "#]],
    );
}

#[test]
fn reads_a_view() {
    let text = "(start m left () 10 10)(play m 0 nil nil)\n(play m 1 (take 1) ((sum 3)))\n(stop m 2 pass (sum 2))";
    check(
        2,
        text,
        expect![[r#"
        (start m left)
        (play m 0 nil nil)
        (play m 1 (take 1) ((sum 3)))
        (play m 2 pass ((sum 2)))
    "#]],
    );
    check(
        2,
        "(play m 1 pass nil)",
        expect![[r#"
        error at `(play m 1 pass nil)`, round None, role None: these messages do not say whose view they are; name the role, or begin with `(start id role)`
    "#]],
    );
    check(
        2,
        "(start m left)(play m 2 pass nil)",
        expect![[r#"
        error at `2`, round Some(1), role None: this should be turn 1, the text says 2
    "#]],
    );
    check(
        2,
        "(start m left)(play m 1 pass (bang))",
        expect![[r#"
        error at `bang`, round Some(1), role Some(0): round 1: left can never perceive `bang` in this game
    "#]],
    );
    check(
        2,
        "(start m nobody)",
        expect![[r#"
        error at `nobody`, round None, role None: `nobody` is not a role of this game; its roles are left, right
    "#]],
    );
}

#[test]
fn an_error_names_round_role_and_what_was_legal() {
    check(
        2,
        "((take 1) pass)\n((take 1) pass)",
        expect![[r#"
        error at `(take 1)`, round Some(2), role Some(0): round 2: `(take 1)` is not legal for left; the legal moves are pass, (take 2), (take 3)
    "#]],
    );
    check(
        2,
        "(pass)",
        expect![[r#"
        error at `(pass)`, round Some(1), role None: round 1: 1 move for 2 roles; write one move for each of left, right, in this order
    "#]],
    );
    check(
        2,
        "(pass pass)(pass pass)(pass pass)(pass pass)",
        expect![[r#"
        error at `(pass pass)`, round Some(4), role None: round 4: the match was over after 3 rounds; remove what follows
    "#]],
    );
    check(
        2,
        "(pass pass",
        expect![[r#"
        error at `(`, round None, role None: this `(` is never closed; add a `)`
    "#]],
    );
    check(
        2,
        "(pass pass))",
        expect![[r#"
        error at `)`, round None, role None: this `)` closes nothing; remove it
    "#]],
    );
}

#[test]
fn deep_nesting_is_refused() {
    let error = read(&toy(2), "(".repeat(1_000_000).as_bytes()).unwrap_err();
    assert_eq!(error.message, "lists are nested too deeply");
    let error = read(&toy(2), "[".repeat(1_000_000).as_bytes()).unwrap_err();
    assert!(error.message.starts_with("this begins like JSON but is not valid JSON"), "{error}");
}

#[test]
fn binary_junk_is_refused() {
    assert_eq!(read(&toy(2), b"(pass\xff").unwrap_err().message, "this is not text (not UTF-8), so it is not a trace");
    assert_eq!(read(&toy(2), b"\0\0").unwrap_err().message, "this is a binary file, not a trace");
}

#[test]
fn a_match_gives_the_view_of_a_role() {
    let game = toy(2);
    let Ok(Trace::Match(rounds)) = read(&game, b"((take 1) (take 3)) (pass pass)") else { panic!("a match") };
    let view = view_of(&game, &rounds, RoleId(1), 1);
    expect![[r#"
        (start m right)
        (play m 0 nil nil)
        (play m 1 (take 3) ((sum 4)))
    "#]]
    .assert_eq(&write_view(&game, &view, "m"));
    assert_eq!(states(&game, &rounds).len(), 3);
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200), roles in 1usize..4) {
        let game = toy(roles);
        if let Err(error) = read(&game, &bytes) {
            prop_assert!(error.range.end as usize <= bytes.len());
            prop_assert!(!error.message.is_empty());
        }
    }

    #[test]
    fn near_traces_are_read_or_refused(
        text in r#"([()\[\]{} "\n;]|pass|\(take [1-4]\)|\(play m [0-9] |nil|moves|:|,|start|stop|0:){0,30}"#,
        roles in 1usize..4,
    ) {
        let game = toy(roles);
        if let Err(error) = read(&game, text.as_bytes()) {
            prop_assert!(text.get(error.range.as_usize()).is_some());
        }
    }

    #[test]
    fn what_is_written_is_read_again(moves in prop::collection::vec((0u32..4, 0u32..4), 0..3)) {
        let game = toy(2);
        let mut rounds: Vec<JointMove> = Vec::new();
        let mut state = game.rules.initial();
        for (left, right) in moves {
            let joint = vec![MoveId(left), MoveId(right)];
            if game.role_ids().all(|role| game.rules.legal(&state, role).contains(&joint[role.0 as usize])) {
                state = game.rules.next(&state, &joint);
                rounds.push(joint);
            }
        }
        prop_assert_eq!(read(&game, write_rounds(&game, &rounds).as_bytes()), Ok(Trace::Match(rounds.clone())));
        let view = view_of(&game, &rounds, RoleId(0), rounds.len());
        prop_assert_eq!(read(&game, write_view(&game, &view, "m").as_bytes()), Ok(Trace::View(view)));
    }
}
