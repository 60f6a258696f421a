use percept_syntax::{Language, Source, Syntax};

use crate::Game;

/// Two players each give a bit to a board of thirty, one place after the other; the goals are about any three places. A
/// match is over after the last place, or never.
fn bits(ends: bool) -> String {
    let places: String = (1..31).map(|at| format!("(after p{} p{at}) ", at - 1)).collect();
    let end = if ends { "p30" } else { "p31" };
    format!(
        "(role left) (role right) {places} (init (at p0)) (bit zero) (bit one)
        (<= (place ?x) (after ?x ?y))
        (<= (legal ?r (give ?b)) (role ?r) (bit ?b))
        (<= (next (at ?y)) (true (at ?x)) (after ?x ?y))
        (<= (next (at p30)) (true (at p30)))
        (<= (next (has ?r ?x ?b)) (does ?r (give ?b)) (true (at ?x)) (place ?x))
        (<= (next (has ?r ?x ?b)) (true (has ?r ?x ?b)) (not (true (at ?x))))
        (<= (three ?r) (true (has ?r ?x one)) (true (has ?r ?y one)) (true (has ?s ?z zero)) (after ?x ?y) (distinct ?s ?r)
            (true (has ?s ?y ?b)) (true (has ?r ?z ?b)) (true (has ?s ?x ?c)) (distinct ?x ?z) (distinct ?y ?z))
        (<= (goal ?r 100) (three ?r))
        (<= (goal ?r 0) (role ?r) (not (three ?r)))
        (<= terminal (true (at {end})))"
    )
}

fn are_together(text: String) -> bool {
    let source = Source::parse(text, Language::GdlPrefix);
    let Syntax::Gdl(description) = &source.syntax else { panic!("not GDL") };
    let game = Game::from_gdl(description).expect("a game");
    game.rules.playouts_of_many().expect("a circuit").together
}

#[test]
fn matches_that_do_not_end_are_not_waited_for() {
    assert!(are_together(bits(true)), "all end at once, and goals take most of the gates");
    assert!(!are_together(bits(false)));
}
