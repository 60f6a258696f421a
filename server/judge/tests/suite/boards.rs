//! Boards of numbers: a number that rules write is the content of a cell; one that they compute is a count or a place.

use percept_game::Game;
use percept_infoset::Budget;
use percept_judge::{Case, Options, judge};
use percept_syntax::{Language, Source, Syntax};

/// The messages about contents, of a game of four cells with these rules.
fn findings(rules: &str) -> Vec<String> {
    let text = format!(
        "(role robot)\n(place 1)\n(place 2)\n(<= (init (cell ?x ?y 0)) (place ?x) (place ?y))\n(init (step 1))\n\
         (<= (legal robot (press ?x ?y)) (place ?x) (place ?y))\n(succ 0 1)\n(succ 1 2)\n(succ 2 3)\n(succ 3 4)\n\
         (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))\n(<= terminal (true (step 4)))\n\
         (<= (goal robot 100) (true (cell 1 1 1)))\n(<= (goal robot 0) (not (true (cell 1 1 1))))\n{rules}"
    );
    let source = Source::parse(text, Language::GdlPrefix);
    let Syntax::Gdl(description) = &source.syntax else { panic!("not GDL") };
    let game = Game::from_gdl(description).expect("a game");
    let judgement = judge(&Case::new(&game, vec![&source]), &Options::default(), &Budget::default());
    let of_contents = judgement.findings.into_iter().filter(|it| it.rule.name == "two-contents");
    of_contents.map(|it| it.diagnostic.message).collect()
}

#[test]
fn a_light_that_goes_out_is_the_content_of_its_cell() {
    let lights = "(<= (next (cell ?x ?y 2)) (does robot (press ?x ?y)))\n\
                  (<= (next (cell ?x ?y 1)) (true (cell ?x ?y 2)))\n(<= (next (cell ?x ?y 0)) (true (cell ?x ?y 1)))\n";
    let stays = "(<= (next (cell ?x ?y 0)) (true (cell ?x ?y 0)))\n";
    let found = findings(&format!("{lights}{stays}"));
    assert!(matches!(&found[..], [one] if one.starts_with("`(cell 1 1 0)` and `(cell 1 1 2)` both hold")), "{found:?}");
}

#[test]
fn a_tally_that_keeps_its_old_counts_is_no_board() {
    let tally = "(<= (next (cell ?x ?y ?n)) (true (cell ?x ?y ?n)))\n\
                 (<= (next (cell ?x ?y ?n)) (true (cell ?x ?y ?m)) (succ ?m ?n) (does robot (press ?x ?y)))\n";
    assert_eq!(findings(tally), Vec::<String>::new());
}
