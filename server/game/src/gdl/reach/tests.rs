use super::reach;
use crate::gdl::fixture::{self, relation};
use crate::gdl::limits::{Exceeded, Excess, Limits};
use crate::gdl::prepare::{Bodies, Prepared, prepare_what_can_be_listed};
use crate::gdl::program::RelationId;

fn prepared(text: &str) -> Prepared {
    fixture::prepared(text, Bodies::Decomposed)
}

/// The index of a relation.
fn place(prepared: &Prepared, name: &str) -> usize {
    relation(&prepared.program, name).index()
}

/// The rows of a relation after [`reach`].
fn rows(prepared: &Prepared, name: &str) -> usize {
    prepared.tables[place(prepared, name)].len() as usize
}

/// Ten cells and thirty words that are not cells; lines from cell to cell, past any of the forty.
const LINES: &str = "
    (role a) (init (at c0)) (init (at c1))
    (succ c0 c1) (succ c1 c2) (succ c2 c3) (succ c3 c4) (succ c4 c5) (succ c5 c6) (succ c6 c7) (succ c7 c8) (succ c8 c9)
    (<= (cell ?x) (succ ?x ?y)) (cell c9)
    (<= (word ?x) (cell ?x))
    (word w0) (word w1) (word w2) (word w3) (word w4) (word w5) (word w6) (word w7) (word w8) (word w9)
    (word v0) (word v1) (word v2) (word v3) (word v4) (word v5) (word v6) (word v7) (word v8) (word v9)
    (word u0) (word u1) (word u2) (word u3) (word u4) (word u5) (word u6) (word u7) (word u8) (word u9)
    (<= (line ?x ?y ?i) (true (at ?x)) (cell ?y) (word ?i))
    (<= terminal (true (at c9)))
    (goal a 100)";

#[test]
fn what_is_asked_is_handed_down() {
    let game = format!(
        "{LINES}
        (<= (hit ?y ?i) (cell ?x) (line ?x ?y ?i))
        (<= (legal a (go ?x ?y)) (true (at ?x)) (succ ?x ?y) (not (hit ?y ?x)))
        (<= (next (at ?y)) (does a (go ?x ?y)))"
    );
    let mut all = prepared(&game);
    reach(&mut all, &Limits::default(), 100_000).expect("few rows");
    assert_eq!((rows(&all, "hit"), rows(&all, "line")), (10 * 40, 10 * 10 * 40));
    let mut restricted = prepared(&game);
    reach(&mut restricted, &Limits::default(), 50).expect("few rows");
    // `line` is read only by `hit`, whose own rule does not restrict the ignored argument.
    assert_eq!((rows(&restricted, "hit"), rows(&restricted, "line")), (9, 9 * 10));
}

#[test]
fn all_that_is_large_is_asked_at_once_and_later_by_the_others_too() {
    // Moves depend on `line`, for words that are cells; the end queries words that are not.
    let game = format!(
        "{LINES}
        (<= (seen ?x ?y ?i) (line ?x ?y ?i))
        (<= (legal a (go ?x ?y)) (true (at ?x)) (cell ?y) (succ ?z ?x) (seen ?x ?y ?z))
        (<= (legal a (go ?x ?y)) (true (at ?x)) (succ ?x ?y))
        (<= (next (at ?y)) (does a (go ?x ?y)))
        (<= terminal (true (at c5)) (succ ?z c5) (not (seen c5 c1 w7)))"
    );
    let mut all = prepared(&game);
    reach(&mut all, &Limits::default(), 100_000).expect("few rows");
    assert_eq!((rows(&all, "seen"), rows(&all, "line")), (4000, 4000));
    let mut restricted = prepared(&game);
    reach(&mut restricted, &Limits::default(), 50).expect("few rows");
    assert!(restricted.demanded.contains(&true));
    let count = rows(&restricted, "seen");
    assert!((91..=200).contains(&count), "{count}: 9 cells with one before them, to 10 cells; and one more");
    assert_eq!(restricted.tables[RelationId::TRUE.index()].len(), all.tables[RelationId::TRUE.index()].len());
    assert_eq!(restricted.tables[RelationId::DOES.index()].len(), all.tables[RelationId::DOES.index()].len());
}

#[test]
fn what_hands_on_all_of_something_large_is_asked_for_with_it() {
    // `line` has 4000 rows. `near` has 100, because it is about the words of one cell; `apart` has as many, but drops
    // the words.
    let game = format!(
        "{LINES}
        (end c9) (beside c9 v1)
        (<= (near ?x ?y ?i) (line ?x ?y ?i) (beside ?k ?i) (end ?k))
        (<= (apart ?x ?y) (line ?x ?y ?i) (beside ?k ?i) (end ?k))
        (<= (legal a (go ?x ?y)) (true (at ?x)) (succ ?x ?y) (near ?x ?y v1) (apart ?x ?y))
        (<= (next (at ?y)) (does a (go ?x ?y)))"
    );
    let demanded = |from| {
        let mut prepared = prepared(&game);
        reach(&mut prepared, &Limits::default(), from).expect("few rows");
        ["line", "near", "apart"].map(|name| prepared.demanded[place(&prepared, name)])
    };
    assert_eq!(demanded(100_000), [false, false, false]);
    assert_eq!(demanded(2000), [true, true, false]);
}

#[test]
fn more_moves_than_a_circuit_can_have_are_found_out_at_once() {
    let game = format!("{LINES} (<= (legal a (pick ?x ?y ?z)) (word ?x) (word ?y) (word ?z))");
    let limits = Limits { leaves: 1000, ..Limits::default() };
    let exceeded = reach(&mut prepared(&game), &limits, 100_000);
    assert!(
        matches!(exceeded, Err(Exceeded { relation: RelationId::LEGAL, excess: Excess::Facts, .. })),
        "{exceeded:?}"
    );
}

/// A deck whose cards appear one after the other. The ways to deal three of them are listed when all cards are known,
/// and then exceed the limit before they become terms.
#[test]
fn what_lists_moves_waits_for_what_is_cheaper() {
    let follows: String = (1..60).map(|card| format!("(follows k{} k{card}) ", card - 1)).collect();
    let game = format!(
        "(role a) (init (card k0)) {follows}
        (<= (next (card ?x)) (true (card ?x)))
        (<= (next (card ?y)) (true (card ?x)) (follows ?x ?y))
        (<= (legal a (deal ?x ?y ?z)) (true (card ?x)) (true (card ?y)) (true (card ?z)))
        (<= terminal (true (card k59)))
        (goal a 100)"
    );
    let limits = Limits { leaves: 100_000, ..Limits::default() };
    let mut prepared = prepared(&game);
    let exceeded = reach(&mut prepared, &limits, 100_000);
    assert!(matches!(exceeded, Err(Exceeded { relation: RelationId::LEGAL, .. })), "{exceeded:?}");
    let terms = prepared.program.terms.len();
    assert!(terms < 25_000, "{terms} terms");
    // With a higher limit, all are found.
    let mut all = self::prepared(&game);
    reach(&mut all, &Limits::default(), 100_000).expect("few rows");
    assert_eq!(all.tables[RelationId::DOES.index()].len(), 60 * 60 * 60);
}

/// A hunter goes towards a piece. The board ends at a wall, the numbers do not, so that the relation between two places
/// can be listed only for the places of both pieces together.
#[test]
fn what_is_about_two_pieces_is_asked_for_with_both_places() {
    let numbers: String = (0..220).map(|number| format!("(succ {number} {}) ", number + 1)).collect();
    let game = format!(
        "(role a) (init (piece 1 1)) (init (hunter 4 4)) (init (edge 4)) (direction up) (direction down) {numbers}
        (<= (next (edge ?x)) (true (edge ?x)))
        (<= (less ?x ?y) (succ ?x ?y)) (<= (less ?x ?y) (succ ?x ?z) (less ?z ?y))
        (<= (side ?x ?y up) (less ?x ?y)) (<= (side ?x ?y down) (less ?y ?x)) (<= (side ?x ?x same) (succ ?x ?y))
        (<= (step ?x up ?y) (succ ?x ?y) (not (true (edge ?x)))) (<= (step ?x up ?x) (true (edge ?x)))
        (<= (step ?x down ?y) (succ ?y ?x)) (step 0 down 0) (<= (step ?x same ?x) (succ ?x ?y))
        (<= (from ?x ?y ?u ?v ?h ?w) (side ?x ?u ?h) (side ?y ?v ?w))
        (<= (toward ?x ?y ?u ?v ?x2 ?y2) (from ?x ?y ?u ?v ?h ?w) (step ?x ?h ?x2) (step ?y ?w ?y2))
        (<= (legal a (go ?h ?w)) (direction ?h) (direction ?w))
        (<= (next (piece ?x2 ?y2))
            (does a (go ?h ?w)) (true (piece ?x ?y)) (step ?x ?h ?x2) (step ?y ?w ?y2))
        (<= (next (hunter ?x2 ?y2)) (true (hunter ?x ?y)) (true (piece ?u ?v)) (toward ?x ?y ?u ?v ?x2 ?y2))
        (<= terminal (true (piece ?x ?y)) (true (hunter ?x ?y)))
        (goal a 0)"
    );
    let prepared = prepare_what_can_be_listed(&fixture::description(&game), Bodies::Decomposed).expect("rules");
    assert!(prepared.too_much.is_some(), "`from` can be listed after all");
    let mut prepared = prepared.with_unlisted_as_dynamic();
    reach(&mut prepared, &Limits { rows: Limits::GROUND, ..Limits::default() }, 120_000).expect("few rows");
    assert_eq!(prepared.tables[RelationId::TRUE.index()].len(), 2 * 5 * 5 + 1);
}
