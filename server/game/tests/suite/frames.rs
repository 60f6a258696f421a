//! One board with its frame rule (a piece stays unless a move touches it) in many spellings, with relations that hold for
//! all pairs of cells but the equal ones, and with relations that nearly do.

use crate::three_ways::compare_all;

/// Relations over two squares. The first two hold unless the squares are equal; the others do not, or not for all.
const DIFFER: [&str; 6] = [
    "(<= (differ ?a ?b ?c ?d) (square ?a ?b) (square ?c ?d) (distinct ?a ?c))
     (<= (differ ?a ?b ?c ?d) (square ?a ?b) (square ?c ?d) (distinct ?b ?d))",
    "(<= (differ ?x ?y ?z ?w) (distinct ?x ?z) (i ?x) (i ?y) (i ?z) (i ?w))
     (<= (differ ?a ?b ?c ?d) (i ?d) (i ?c) (i ?b) (i ?a) (distinct ?d ?b))",
    "(<= (differ ?a ?b ?c ?d) (square ?a ?b) (square ?c ?d) (distinct ?a ?c))
     (<= (differ ?a ?b ?c ?d) (square ?a ?b) (square ?c ?d) (succ ?b ?a) (distinct ?b ?d))",
    "(<= (differ ?a ?b ?c ?d) (square ?a ?b) (square ?c ?d) (distinct ?a ?c))
     (<= (differ ?a ?b ?a ?d) (square ?a ?b) (i ?d) (distinct ?b ?d))",
    "(<= (differ ?a ?b ?c ?d) (square ?a ?b) (square ?c ?d) (distinct ?a ?c))
     (<= (differ ?a ?b ?c ?d) (square ?a ?b) (square ?c ?d) (distinct ?b ?d) (not (true (cell ?c ?d w))))",
    "(<= (differ ?a ?b ?c ?d) (square ?a ?b) (square ?c ?d) (distinct ?a ?b))
     (<= (differ ?a ?b ?c ?d) (square ?a ?b) (square ?c ?d) (distinct ?c 2))",
];

/// Conditions under which the piece on `?c ?d` stays.
const KEPT: [&str; 12] = [
    "(role ?r) (does ?r (move ?x ?y ?u ?v)) (differ ?x ?y ?c ?d) (differ ?c ?d ?u ?v)",
    "(does ?r (drop ?x ?y)) (differ ?c ?d ?x ?y)",
    "(does ?r (move ?x ?y ?u ?v)) (or (distinct ?x ?c) (distinct ?y ?d))",
    "(does w (move ?x ?y ?u ?v)) (distinct ?x ?c)",
    "(does ?r (move 2 ?y ?u ?v)) (differ 2 ?y ?c ?d)",
    "(does ?r (move ?x ?y ?u ?v)) (succ ?x ?e) (differ ?x ?e ?c ?d)",
    "(does ?r (move ?x ?y ?u ?v)) (distinct ?r ?p) (differ ?c ?d ?u ?v)",
    "(does ?r ?m) (distinct ?m (drop ?c ?d)) (distinct ?m stay) (role ?r)",
    "(does ?r (move ?x ?y ?u ?v)) (not (differ 1 ?y 1 ?d)) (distinct ?x ?c)",
    "(does w (move ?x ?y ?u ?v)) (does b (drop ?k ?l)) (differ ?x ?y ?c ?d) (differ ?k ?l ?c ?d)",
    "(does ?r (move ?x ?y ?u ?v)) (differ ?x ?d ?c ?y)",
    "(does ?r (move ?x ?y ?u ?v)) (true (cell ?u ?v ?q)) (differ ?x ?y ?c ?d) (distinct ?q ?p)",
];

fn board(differ: &str, kept: &str) -> String {
    format!(
        "(role w) (role b) (i 1) (i 2) (i 3) (succ 1 2) (succ 2 3)
         (init (cell 1 1 w)) (init (cell 2 1 w)) (init (cell 3 3 b)) (init (cell 2 3 b))
         (<= (square ?x ?y) (i ?x) (i ?y)) {differ}
         (<= (empty ?x ?y) (square ?x ?y) (not (true (cell ?x ?y w))) (not (true (cell ?x ?y b))))
         (<= (legal ?r (move ?x ?y ?u ?y)) (true (cell ?x ?y ?r)) (or (succ ?x ?u) (succ ?u ?x)))
         (<= (legal ?r (move ?x ?y ?x ?v)) (true (cell ?x ?y ?r)) (or (succ ?y ?v) (succ ?v ?y)))
         (<= (legal ?r (drop ?x ?y)) (role ?r) (empty ?x ?y))
         (legal w stay) (legal b stay)
         (<= (next (cell ?u ?v ?r)) (does ?r (move ?x ?y ?u ?v)))
         (<= (next (cell ?x ?y ?r)) (does ?r (drop ?x ?y)))
         (<= (next (cell ?c ?d ?p)) (true (cell ?c ?d ?p)) {kept})
         (<= (next (cell ?c ?d ?p)) (true (cell ?c ?d ?p)) (does ?p stay))
         (<= (sees ?r (far ?c ?d)) (role ?r) (true (cell ?c ?d w)) (true (cell ?e ?f b)) (differ ?c ?d ?e ?f))
         (<= terminal (not (empty 1 2)) (not (empty 2 2)) (not (empty 3 2))) (<= (goal ?r 50) (role ?r))"
    )
}

#[test]
fn what_a_move_does_not_touch_stays() {
    for differ in DIFFER {
        let games: Vec<String> = KEPT.iter().map(|kept| board(differ, kept)).collect();
        compare_all(differ, &games.iter().map(String::as_str).collect::<Vec<_>>());
    }
}
