//! Eyes, boards and screens of every size.

use super::*;

/// A match of Blind Tic-Tac-Toe after one round, as white sees it.
fn white_after(black: &str) -> App {
    let mut app = open(&games().join("blind-tic-tac-toe/blind-tic-tac-toe.kif"));
    let game = app.stepper.game().clone();
    let moves = ["(mark 1 1)", black, "(tiebreak x)"];
    let joint = game.role_ids().zip(moves).map(|(role, name)| game.rules.find_move(role, name).expect("a move"));
    app.stepper.play(joint.collect()).expect("legal");
    app.refresh();
    press(&mut app, "e");
    app
}

#[test]
fn through_a_roles_eyes_two_matches_that_look_the_same_are_the_same() {
    for keys in ["", "w", "tab", "b", "b down", "/ mark enter", "?", "home", "end", "pgdn"] {
        let screens = ["(mark 2 2)", "(mark 3 1)"].map(|black| {
            let mut app = white_after(black);
            press(&mut app, keys);
            [(96, 24), (60, 15), (200, 60)].map(|(width, height)| screen_of(&app, width, height))
        });
        assert_eq!(screens[0], screens[1], "after {keys:?}");
    }
    // The board shows the role's knowledge: its own mark, and shades for the rest.
    let shown = screen(&white_after("(mark 2 2)"));
    assert!(shown.contains("what white knows"), "{shown}");
}

#[test]
fn cells_are_chosen_by_keys_and_by_clicks() {
    use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
    let mut app = open(&games().join("blind-tic-tac-toe/blind-tic-tac-toe.kif"));
    press(&mut app, "b down");
    app.key(KeyEvent::new(KeyCode::Right, KeyModifiers::NONE));
    press(&mut app, "enter");
    assert_eq!(app.message, "pick a move for black", "white's only move there is picked");
    assert!(screen(&app).contains("white: (mark 2 2)"), "{}", screen(&app));
    // A click on the same cell picks black's, and the round is played.
    let shown = screen(&app);
    let line = shown.lines().position(|line| line.contains("│2 ")).expect("the second row") as u16;
    let column = shown.lines().nth(line.into()).and_then(|line| line.chars().position(|c| c == '2')).expect("its name");
    let click = MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column: column as u16 + 4,
        row: line,
        modifiers: KeyModifiers::NONE,
    };
    app.mouse(click);
    assert_eq!(app.stepper.at(), 1, "{}", screen(&app));
}

/// The golden screens: a game at three sizes, after some rounds.
fn at_three_sizes(name: &str, path: &Path, rounds: usize) {
    let mut app = open(path);
    press(&mut app, &"r".repeat(rounds));
    for (width, height) in [(60, 15), (100, 30), (240, 60)] {
        let shown = screen_of(&app, width, height);
        let file = format!("server/cli/src/tui/screens/{name}-{width}x{height}.txt");
        expect_test::expect_file![percept_test::path(file)].assert_eq(&shown);
    }
}

#[test]
fn games_at_three_sizes() {
    for (name, path, rounds) in [
        ("tic-tac-toe", "tic-tac-toe/tic-tac-toe.kif", 4),
        ("battleship", "battleship/battleship-3-6.pog", 16),
        ("gops", "gops/gops-2-10.pog", 6),
    ] {
        at_three_sizes(name, &games().join(path), rounds);
    }
}

mod corpus {
    use super::*;

    #[test]
    #[ignore = "needs PERCEPT_CORPUS"]
    fn published_games_at_three_sizes() {
        let folder = percept_test::folder("PERCEPT_CORPUS");
        for (name, path, rounds) in [
            ("connect-four", "gdl/connectFour.kif", 9),
            ("breakthrough", "gdl/breakthrough.kif", 6),
            ("reversi", "gdl/reversi.kif", 6),
            ("checkers", "gdl/checkers.kif", 4),
            ("hex", "gdl/hex.kif", 8),
            ("krieg-tic-tac-toe", "gdl-ii/kriegTTT_5x5.gdl", 6),
        ] {
            at_three_sizes(name, &folder.join(path), rounds);
        }
    }
}

#[test]
fn a_rule_that_breaks_a_limit_is_told_as_soon_as_it_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("grows.kif");
    let text = "(role r)\n(legal r on)\n(<= (next on) (does r on))\n(<= (grown z) (true on))\n\
                (<= (grown (s ?x)) (grown ?x))\n(<= (legal r (take ?x)) (grown ?x))\n";
    std::fs::write(&path, text).expect("written");
    let mut app = open(&path);
    assert!(!screen(&app).contains("error"), "nothing is wrong at the start");
    press(&mut app, "enter");
    assert_eq!(app.stepper.at(), 1);
    let foot = screen_of(&app, 200, 24);
    let foot = foot.lines().last().expect("a line");
    assert!(foot.contains("error: this may be incomplete") && foot.contains("grows.kif:5: `grown`"), "{foot}");
}
