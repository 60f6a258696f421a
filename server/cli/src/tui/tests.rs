//! The stepper driven by keys, painted on a virtual terminal.

use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};
use percept_game::stepper::Stepper;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::app::App;
use super::draw::draw;
use crate::args::GameArgs;
use crate::load::Loader;

fn games() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games")
}

fn open(game: &Path) -> App {
    let loader = Loader::new(&GameArgs { game: game.to_path_buf(), domain: None, pogddl_terminal: None });
    let loaded = loader.load().unwrap_or_else(|failure| panic!("{}", failure.summary()));
    let stepper = Stepper::new(loaded.game.clone());
    App::new(loader, &loaded, stepper, None, 1)
}

fn press(app: &mut App, keys: &str) {
    for word in keys.split_whitespace() {
        let code = match word {
            "enter" => KeyCode::Enter,
            "down" => KeyCode::Down,
            "up" => KeyCode::Up,
            "tab" => KeyCode::Tab,
            "esc" => KeyCode::Esc,
            "home" => KeyCode::Home,
            "end" => KeyCode::End,
            "back" => KeyCode::Backspace,
            text => {
                for c in text.chars() {
                    app.key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE));
                }
                continue;
            }
        };
        app.key(KeyEvent::new(code, KeyModifiers::NONE));
    }
}

/// The screen as text, blanks at the ends of lines cut off.
fn screen(app: &App) -> String {
    let mut terminal = Terminal::new(TestBackend::new(96, 24)).expect("a virtual terminal");
    terminal.draw(|frame| draw(frame, app)).expect("it draws");
    let buffer = terminal.backend().buffer();
    let area = buffer.area;
    let line = |y| {
        let cells = (0..area.width).map(|x| buffer[(x, y)].symbol());
        cells.collect::<String>().trim_end().to_string()
    };
    (0..area.height).map(line).collect::<Vec<_>>().join("\n") + "\n"
}

fn check(app: &App, expected: Expect) {
    expected.assert_eq(&screen(app));
}

#[test]
fn a_round_of_blind_tic_tac_toe() {
    let mut app = open(&games().join("blind-tic-tac-toe/blind-tic-tac-toe.kif"));
    check(&app, expect![[""]]);
    // White takes the second cell, black the fifth; the coin is tossed.
    press(&mut app, "down enter down down down down enter");
    assert_eq!((app.stepper.at(), app.stepper.len()), (1, 1));
    check(&app, expect![[""]]);
}

#[test]
fn through_whites_eyes() {
    let mut app = open(&games().join("blind-tic-tac-toe/blind-tic-tac-toe.kif"));
    press(&mut app, "down enter down down down down enter e");
    check(&app, expect![[""]]);
    press(&mut app, "e");
    assert!(app.message.contains("black"));
    press(&mut app, "e");
    assert!(app.knowledge.is_none());
}

#[test]
fn back_forth_and_jump() {
    let mut app = open(&games().join("blind-tic-tac-toe/blind-tic-tac-toe.kif"));
    press(&mut app, "r r u");
    assert_eq!((app.stepper.at(), app.stepper.len()), (1, 2));
    press(&mut app, "y y");
    assert_eq!((app.stepper.at(), app.message.as_str()), (2, "no round was undone"));
    press(&mut app, "home u");
    assert_eq!((app.stepper.at(), app.message.as_str()), (0, "this is the start"));
    press(&mut app, "g 2 enter");
    assert_eq!(app.stepper.at(), 2);
    press(&mut app, "g x enter");
    assert_eq!(app.message, "`x` is no round");
    press(&mut app, "home end");
    assert_eq!(app.stepper.at(), 2);
    press(&mut app, "/ 33 enter");
    assert_eq!(app.message, "no legal move of white contains `33`");
    for _ in 0..12 {
        press(&mut app, "r");
    }
    assert!(app.stepper.is_over());
    assert_eq!(app.message, "the match is over");
    press(&mut app, "enter");
    assert_eq!(app.message, "there is no move to pick");
}

#[test]
fn help_lies_over_the_match() {
    let mut app = open(&games().join("exploding-bomb/exploding-bomb.kif"));
    press(&mut app, "?");
    assert!(screen(&app).contains("undo a round"));
    press(&mut app, "q");
    assert!(!app.is_done() && !screen(&app).contains("undo a round"));
    press(&mut app, "q");
    assert!(app.is_done());
}

#[test]
fn traces_are_saved_and_loaded() {
    let place = tempfile::tempdir().expect("a folder");
    let file = place.path().join("saved.trace");
    let name = file.to_str().expect("a name");
    let mut app = open(&games().join("exploding-bomb/exploding-bomb.kif"));
    press(&mut app, "r r r");
    app.save(name);
    assert_eq!(app.message, format!("saved 3 rounds as {name}"));
    let joints = app.stepper.joints();
    press(&mut app, "home");
    press(&mut app, "r");
    app.load(name);
    assert_eq!((app.stepper.joints(), app.stepper.at()), (joints, 3));
    std::fs::write(&file, "(nonsense)").expect("it can be written");
    app.load(name);
    assert!(app.message.starts_with("round 1: 1 move for 2 roles"), "{}", app.message);
    app.load("no/such/file");
    assert!(app.message.starts_with("cannot read"), "{}", app.message);
}

#[test]
fn changed_rules_replay_the_match() {
    let place = tempfile::tempdir().expect("a folder");
    let file = place.path().join("bomb.kif");
    let text = std::fs::read_to_string(games().join("exploding-bomb/exploding-bomb.kif")).expect("the game");
    std::fs::write(&file, &text).expect("it can be written");
    let mut app = open(&file);
    press(&mut app, "r");
    // The agent asks and cuts.
    press(&mut app, "/ ask enter enter enter");
    assert_eq!(app.stepper.len(), 3);
    std::fs::write(&file, text.replace("(<= (next asked) (does agent ask))", "(<= (next heard) (does agent ask))"))
        .expect("it can be written");
    app.reload();
    assert_eq!(app.message, "the files changed; 3 rounds were replayed");
    assert!(app.stepper.game().rules.find_fluent("heard").is_some());
    std::fs::write(&file, text.replace("(<= (legal agent ask) (true (step 2)))", "")).expect("it can be written");
    app.reload();
    assert!(app.message.starts_with("the files changed; the match ends before round 2"), "{}", app.message);
    assert_eq!((app.stepper.len(), app.stepper.at()), (1, 1));
    std::fs::write(&file, "(role").expect("it can be written");
    app.reload();
    assert!(app.message.starts_with("the files changed, but are not right"), "{}", app.message);
    assert_eq!(app.stepper.len(), 1);
}

#[test]
fn one_role_moves_at_a_time_in_poker() {
    let mut app = open(&games().join("poker/king-and-jack.pog"));
    press(&mut app, "r enter");
    assert_eq!(app.stepper.at(), 2);
    check(&app, expect![[""]]);
}
