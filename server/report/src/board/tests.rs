use expect_test::{Expect, expect};
use percept_game::stepper::Stepper;
use percept_game::{Game, PogddlOptions};
use percept_syntax::{Language, Source, Syntax};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;

fn gdl(text: &str) -> (Game, Source) {
    let source = Source::parse(text, Language::GdlPrefix);
    let Syntax::Gdl(description) = &source.syntax else { panic!("a description") };
    let game = Game::from_gdl(description).unwrap_or_else(|errors| panic!("{errors:?}"));
    (game, source)
}

fn pogddl(folder: &str, domain: &str, problem: &str) -> (Game, Vec<Source>) {
    let folder = percept_test::games().join(folder);
    let read = |name: &str| Source::parse(percept_test::read(folder.join(name)), Language::Pogddl);
    let sources = vec![read(domain), read(problem)];
    let (domain, problem) = (sources[0].domain().expect("a domain"), sources[1].problem().expect("a problem"));
    let game = Game::from_pogddl(domain, problem, &PogddlOptions::default()).expect("a game");
    (game, sources)
}

fn term(text: &str) -> Term {
    text.parse().expect("a name")
}

/// The state after `rounds` random rounds.
fn after(game: &Game, rounds: usize) -> percept_game::stepper::Shown {
    let mut stepper = Stepper::new(std::sync::Arc::new(game.clone()));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    while stepper.len() < rounds && stepper.play_random(&[], &mut rng).is_ok() {}
    stepper.view().state
}

/// Boards as text.
fn shown(picture: &Picture) -> String {
    let mut out = String::new();
    for board in &picture.boards {
        out += &format!("{}: {}\n", board.title, board.columns.join(" "));
        for (row, cells) in board.rows.iter().zip(&board.cells) {
            let signs: Vec<&str> = cells.iter().map(|it| if it.sign.is_empty() { "-" } else { &it.sign }).collect();
            out += &format!("{row} {}\n", signs.join(" "));
        }
    }
    for it in &picture.legend {
        out += &format!("{} {}\n", it.sign, it.says);
    }
    out
}

fn check(game: &Game, sources: &[&Source], rounds: usize, expected: Expect) -> Layout {
    let layout = Layout::new(game, sources);
    let picture = layout.picture(&after(game, rounds));
    expected.assert_eq(&shown(&picture));
    layout
}

/// A file of the folder of published descriptions.
fn published(name: &str) -> (Game, Source) {
    gdl(&percept_test::read(percept_test::folder("PERCEPT_CORPUS").join(name)))
}

const ROW: &str = "(role white)(role black)(index 1)(index 2)(index 3)\n(init (turn white))\n\
    (<= (taken ?x ?y) (true (at ?x ?y ?r)))\n\
    (<= (legal ?r (put ?x ?y)) (true (turn ?r)) (index ?x) (index ?y) (not (taken ?x ?y)))\n(<= (legal white noop) (true (turn black)))\n\
    (<= (legal black noop) (true (turn white)))\n(<= (next (turn black)) (true (turn white)))\n\
    (<= (next (turn white)) (true (turn black)))\n(<= (next (at ?x ?y ?r)) (does ?r (put ?x ?y)))\n\
    (<= (next (at ?x ?y ?r)) (true (at ?x ?y ?r)))\n(<= terminal (true (at 3 3 ?r)))\n(goal white 50)(goal black 50)\n";

#[test]
fn empty_lines_stay_and_the_height_called_y_grows_upwards() {
    let (game, source) = gdl(ROW);
    let layout = check(
        &game,
        &[&source],
        0,
        expect![[r#"
            at: 1 2 3
            3 - - -
            2 - - -
            1 - - -
        "#]],
    );
    assert_eq!(layout.places(&term("(put 2 3)")), ["2 3"]);
    assert_eq!(layout.places(&term("noop")), [""; 0]);
    let picture = layout.picture(&Shown {
        groups: vec![Group { functor: "at".into(), fluents: vec![term("(at 2 3 white)"), term("(at 1 1 black)")] }],
        numbers: vec![],
    });
    expect![[r#"
        at: 1 2 3
        3 - ○ -
        2 - - -
        1 ● - -
        ● black
        ○ white
    "#]]
    .assert_eq(&shown(&picture));
    assert!(picture.rest().is_empty());
}

#[test]
fn a_comment_turns_the_board() {
    let (game, source) = gdl(&format!("; percept: board at row column piece\n{ROW}"));
    let layout = Layout::new(&game, &[&source]);
    let board = &layout.picture(&Shown::default()).boards[0];
    assert_eq!((board.rows.join(" "), board.cells[0][2].place.as_str()), ("1 2 3".to_string(), "3 1"));
    let (game, source) = gdl(&format!("; percept: board at hidden\n{ROW}"));
    assert!(Layout::new(&game, &[&source]).is_empty());
}

#[test]
fn what_may_stand_there_is_a_shade() {
    let (game, source) = gdl(ROW);
    let layout = Layout::new(&game, &[&source]);
    let likely =
        [("(at 2 2 white)", 1.0), ("(at 1 1 white)", 0.25), ("(at 1 1 black)", 0.25), ("(at 3 1 white)", 0.001)];
    let likely = likely.map(|(name, share)| (term(name), share));
    let boards = layout.shades(likely.iter().map(|(name, share)| (name, *share)));
    let cell = |column: usize, row: usize| &boards[0].cells[row][column];
    assert_eq!((cell(1, 1).sign.as_str(), cell(1, 1).share), ("○", None));
    assert_eq!((cell(0, 2).sign.as_str(), cell(0, 2).share), ("50", Some(0.5)));
    assert_eq!(cell(0, 2).odds.len(), 2);
    // A cell with a piece is not drawn as empty.
    assert_eq!(cell(2, 2).sign, "1");
    assert_eq!(cell(0, 0).share, None);
}

#[test]
fn sides_are_one_kind_of_value() {
    let (game, source) = gdl("(role r)(init (near alice bob))(init (near carol dave))(init (step 1))(legal r go)\n\
         (<= (next (near ?a ?b)) (true (near ?b ?a)))(<= (next (step 1)) (true (step 1)))\n\
         (<= terminal (true (step 9)))(goal r 0)");
    assert!(Layout::new(&game, &[&source]).is_empty());
}

#[test]
fn ships_and_hands() {
    let (game, sources) = pogddl("battleship", "battleship.pog", "battleship-3-6.pog");
    let layout = check(
        &game,
        &sources.iter().collect::<Vec<_>>(),
        20,
        expect![[r#"
        at p1: c01 c02 c03 c04 c05 c06
        r01 - - - - - -
        r02 - - - - - -
        r03 - - - P - ×
        r04 - S× D P - -
        r05 - S D - - ×
        r06 - S D - - -
        at p2: c01 c02 c03 c04 c05 c06
        r01 - D - - S -
        r02 - D - - S -
        r03 - D × - S -
        r04 P P - × - -
        r05 - - - - - -
        r06 × - × - - -
        D destroyer
        P patrol
        S submarine
        × shot-at
    "#]],
    );
    assert_eq!(layout.places(&term("(shoot p1 c02r05)")), ["c02 r05"]);
    let (game, sources) = pogddl("gops", "gops.pog", "gops-2-10.pog");
    check(
        &game,
        &sources.iter().collect::<Vec<_>>(),
        7,
        expect![[r#"
            deck: c01 c02 c03 c04 c05 c06 c07 c08 c09 c10 c11 c12 c13 c14 c15 c16
             - - 3 - 5 6 7 - 9 10 11 12 13 - 15 16
            holds: c01 c02 c03 c04 c05 c06 c07 c08 c09 c10 c11 c12 c13 c14 c15 c16
            p1 - - - 4 - - - - - - - - - - - -
            p2 - - - - - - - - - - - - - 14 - -
            prize: c01 c02 c03 c04 c05 c06 c07 c08 c09 c10 c11 c12 c13 c14 c15 c16
             - - - - - - - 8 - - - - - - - -
        "#]],
    );
}

mod corpus {
    use super::*;

    #[test]
    #[ignore = "needs PERCEPT_CORPUS"]
    fn published_boards_lie_as_players_see_them() {
        let (game, source) = published("gdl/connectFour.kif");
        let layout = check(
            &game,
            &[&source],
            9,
            expect![[r#"
            cell: 1 2 3 4 5 6 7 8
            6 - - - - - - - -
            5 - - - - - - - -
            4 - - - - - - - -
            3 - - - - - - - -
            2 - ○ - - ○ - - -
            1 ○ ● ○ ● ● ○ ● -
            ● black
            ○ red
        "#]],
        );
        assert_eq!(layout.places(&term("(drop 3)")), ["3 *"]);
        for (name, rounds, expected) in [
            (
                "gdl/breakthrough.kif",
                4,
                expect![[r#"
                cellHolds: 1 2 3 4 5 6 7 8
                8 ● ● ● ● ● ● ● ●
                7 ● ● ● ● ● - - ●
                6 - - - - ● - ● -
                5 - - - - - - - -
                4 - - - - - - - -
                3 - ○ - - - ○ - -
                2 - ○ ○ ○ - ○ ○ ○
                1 ○ ○ ○ ○ ○ ○ ○ ○
                ● black
                ○ white
            "#]],
            ),
            (
                "gdl/reversi.kif",
                6,
                expect![[r#"
                cell: 1 2 3 4 5 6 7 8
                8 - - - - - - - -
                7 - - - - - - - -
                6 - - ○ - ○ ● - -
                5 - - ○ ○ ● - - -
                4 - - ○ ● ● - - -
                3 - - - - ● - - -
                2 - - - - - - - -
                1 - - - - - - - -
                ● black
                ○ red
            "#]],
            ),
            (
                "gdl/checkers.kif",
                3,
                expect![[r#"
                cell: a b c d e f g h
                8 ⛂ - ⛂ - ⛂ - ⛂ -
                7 - ⛂ - ⛂ - ⛂ - ⛂
                6 ⛂ - ⛂ - ⛂ - · -
                5 - · - · - ⛂ - ·
                4 ⛀ - · - ⛀ - · -
                3 - · - ⛀ - · - ⛀
                2 ⛀ - ⛀ - ⛀ - ⛀ -
                1 - ⛀ - ⛀ - ⛀ - ⛀
                · b
                ⛂ bp
                ⛀ wp
            "#]],
            ),
        ] {
            let (game, source) = published(name);
            check(&game, &[&source], rounds, expected);
        }
    }
}

#[test]
fn no_mark_looks_like_a_piece() {
    let (game, source) = gdl(&percept_test::read("games/phantom-tic-tac-toe/phantom-tic-tac-toe.kif"));
    check(
        &game,
        &[&source],
        4,
        expect![[r#"
        cell: 1 2 3
        3 - - -
        2 - ● ●
        1 ○ - ○
        tried black: 1 2 3
        3 - - -
        2 - × ×
        1 - - -
        tried white: 1 2 3
        3 - - -
        2 - - -
        1 × - ×
        ● black
        ○ white
    "#]],
    );
}
