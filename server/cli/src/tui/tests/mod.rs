//! The stepper driven by keys, painted on a virtual terminal.

mod boards;
mod narrow;

use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};
use percept_game::stepper::Stepper;
use percept_test::games;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::app::App;
use super::draw::draw;
use crate::args::GameArgs;
use crate::load::Loader;
use crate::work::Work;

fn open(game: &Path) -> App {
    let loader =
        Loader::new(&GameArgs { game: game.to_path_buf(), domain: None, pogddl_terminal: None }, &Work::quiet());
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
            "pgdn" => KeyCode::PageDown,
            "pgup" => KeyCode::PageUp,
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

/// The screen as text, without trailing blanks.
fn screen(app: &App) -> String {
    screen_of(app, 96, 24)
}

fn screen_of(app: &App, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a virtual terminal");
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
    check(
        &app,
        expect![[r#"
             blind-tic-tac-toe.kif  round 0 of 0
            ┌ state ─────────────────────────────────────────────────┐┌ next round ────────────────────────┐
            │cell       tried                                        ││>white:                             │
            │  1 2 3      1 2 3                                      ││ black:                             │
            │1 · · ·    1 - - -                                      ││ random: at random                  │
            │2 · · ·    2 - - -                                      │└────────────────────────────────────┘
            │3 · · ·    3 - - -                                      │┌ white may (9) ─────────────────────┐
            │· b                                                     ││(mark 1 1)                          │
            │                                                        ││(mark 1 2)                          │
            │                                                        ││(mark 1 3)                          │
            │                                                        ││(mark 2 1)                          │
            │                                                        ││(mark 2 2)                          │
            │                                                        ││(mark 2 3)                          │
            │                                                        ││(mark 3 1)                          │
            │                                                        ││(mark 3 2)                          │
            │                                                        ││(mark 3 3)                          │
            │                                                        ││                                    │
            └────────────────────────────────────────────────────────┘└────────────────────────────────────┘
            ┌ rounds ──────────────────────────────────────────────────────────────────────────────────────┐
            │                                                                                              │
            │                                                                                              │
            │                                                                                              │
            └──────────────────────────────────────────────────────────────────────────────────────────────┘
             press ? for help
        "#]],
    );
    // White takes the second cell, black the fifth; the coin is tossed.
    press(&mut app, "down enter down down down down enter");
    assert_eq!((app.stepper.at(), app.stepper.len()), (1, 1));
    check(
        &app,
        expect![[r#"
             blind-tic-tac-toe.kif  round 1 of 1
            ┌ state ─────────────────────────────────────────────────┐┌ next round ────────────────────────┐
            │cell       tried                                        ││>white:                             │
            │  1 2 3      1 2 3                                      ││ black:                             │
            │1 · x ·    1 - ○ -                                      ││ random: at random                  │
            │2 · o ·    2 - ● -                                      │└────────────────────────────────────┘
            │3 · · ·    3 - - -                                      │┌ white may (8) ─────────────────────┐
            │· b, ● black, ○ white                                   ││(mark 1 1)                          │
            │                                                        ││(mark 1 3)                          │
            │                                                        ││(mark 2 1)                          │
            │                                                        ││(mark 2 2)                          │
            │                                                        ││(mark 2 3)                          │
            │                                                        ││(mark 3 1)                          │
            │                                                        ││(mark 3 2)                          │
            │                                                        ││(mark 3 3)                          │
            │                                                        ││                                    │
            │                                                        ││                                    │
            └────────────────────────────────────────────────────────┘└────────────────────────────────────┘
            ┌ rounds ──────────────────────────────────────────────────────────────────────────────────────┐
            │  1. white (mark 1 2) sees ok | black (mark 2 2) sees ok | random (tiebreak x)                │
            │                                                                                              │
            │                                                                                              │
            └──────────────────────────────────────────────────────────────────────────────────────────────┘

        "#]],
    );
}

#[test]
fn through_whites_eyes() {
    let mut app = open(&games().join("blind-tic-tac-toe/blind-tic-tac-toe.kif"));
    press(&mut app, "down enter down down down down enter e");
    check(
        &app,
        expect![[r#"
             blind-tic-tac-toe.kif  round 1
            ┌ what white knows: 17 histories ────────────────────────┐┌ next round ────────────────────────┐
            │cell          tried                                     ││>white:                             │
            │  1  2  3       1  2  3                                 │└────────────────────────────────────┘
            │1 12 x  12    1 12 ○  12                                │┌ white may (8) ─────────────────────┐
            │2 12 12 12    2 12 12 12                                ││(mark 1 1)                          │
            │3 12 12 12    3 12 12 12                                ││(mark 1 3)                          │
            │○ white                                                 ││(mark 2 1)                          │
            │                                                        ││(mark 2 2)                          │
            │                                                        ││(mark 2 3)                          │
            │                                                        ││(mark 3 1)                          │
            │                                                        ││(mark 3 2)                          │
            │                                                        ││(mark 3 3)                          │
            │                                                        ││                                    │
            │                                                        ││                                    │
            │                                                        ││                                    │
            │                                                        ││                                    │
            └────────────────────────────────────────────────────────┘└────────────────────────────────────┘
            ┌ rounds ──────────────────────────────────────────────────────────────────────────────────────┐
            │  1. (mark 1 2) sees ok                                                                       │
            │                                                                                              │
            │                                                                                              │
            └──────────────────────────────────────────────────────────────────────────────────────────────┘
             what white knows
        "#]],
    );
    press(&mut app, "e");
    assert!(app.message.contains("black"));
    press(&mut app, "e");
    assert!(app.seat().is_none());
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
    assert_eq!(app.message, "`x` is not a round");
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
    std::fs::write(&file, &text).expect("it can be written");
    app.reload();
    assert_eq!((app.stepper.len(), app.stepper.at()), (3, 3), "what was not allowed for a while is there again");
    std::fs::write(&file, text.replace("(<= (legal agent ask) (true (step 2)))", "")).expect("it can be written");
    app.reload();
    std::fs::write(&file, "(role").expect("it can be written");
    app.reload();
    assert!(app.message.starts_with("the files changed, but have mistakes"), "{}", app.message);
    assert_eq!(app.stepper.len(), 1);
}

#[test]
fn one_role_moves_at_a_time_in_poker() {
    let mut app = open(&games().join("poker/king-and-jack.pog"));
    press(&mut app, "r enter");
    assert_eq!(app.stepper.at(), 2);
    check(
        &app,
        expect![[r#"
             king-and-jack.pog  round 2 of 2
            ┌ state ─────────────────────────────────────────────────┐┌ next round ────────────────────────┐
            │chose: (chose p1 bet)                                   ││ chance: noop                       │
            │stronghand: (stronghand p2)                             ││ p1: noop                           │
            │whoseturn: (whoseturn p2)                               ││>p2:                                │
            │(potsize) = 1                                           │└────────────────────────────────────┘
            │                                                        │┌ p2 may (2) ────────────────────────┐
            │                                                        ││(p2-choose bet)                     │
            │                                                        ││(p2-choose pass)                    │
            │                                                        ││                                    │
            │                                                        ││                                    │
            │                                                        ││                                    │
            │                                                        ││                                    │
            │                                                        ││                                    │
            │                                                        ││                                    │
            │                                                        ││                                    │
            │                                                        ││                                    │
            └────────────────────────────────────────────────────────┘└────────────────────────────────────┘
            ┌ rounds ──────────────────────────────────────────────────────────────────────────────────────┐
            │  1. chance (deal-stronger p2) | p1 sees (stronger p2) | p2 sees (stronger u)                 │
            │  2. p1 (p1-choose bet) | all see (p1chose bet)                                               │
            │                                                                                              │
            └──────────────────────────────────────────────────────────────────────────────────────────────┘

        "#]],
    );
}

#[test]
fn why_and_why_not() {
    let mut app = open(&games().join("exploding-bomb/exploding-bomb.kif"));
    app.why("(armed red)");
    assert!(screen(&app).contains("Why not (armed red)"), "{}", screen(&app));
    press(&mut app, "q r");
    app.why("(legal agent ask)");
    let shown = screen(&app);
    assert!(shown.contains("Why (legal agent ask)"), "{shown}");
    assert!(shown.contains("by (<= (legal agent ask)"), "{shown}");
    assert!(shown.contains("(true (step 2))"), "{shown}");
    press(&mut app, "q");
    app.why("terminal");
    assert!(screen(&app).contains("Why not terminal"), "{}", screen(&app));
    press(&mut app, "q");
    app.why("(no such thing)");
    assert!(app.message.contains("names that the rules do not define"), "{}", app.message);
}

/// Battleship with five ships on 10x10, six ships placed.
fn battleship(place: &Path) -> App {
    use percept_game::pogddl::generate;
    std::fs::write(place.join("battleship.pog"), generate::BATTLESHIP).expect("it can be written");
    let problem = generate::battleship(5, 10).expect("feasible");
    std::fs::write(place.join("five-ten.pog"), problem).expect("it can be written");
    let mut app = open(&place.join("five-ten.pog"));
    press(&mut app, "rrrrrr");
    app
}

#[test]
fn long_states_and_lists_are_paged() {
    let place = tempfile::tempdir().expect("a folder");
    let mut app = battleship(place.path());
    let first = screen_of(&app, 80, 24);
    expect_test::expect_file!["../screens/five-ships-80x24.txt"].assert_eq(&first);
    expect_test::expect_file!["../screens/five-ships-200x60.txt"].assert_eq(&screen_of(&app, 200, 60));
    screen_of(&app, 80, 24);
    press(&mut app, "pgdn");
    let second = screen_of(&app, 80, 24);
    assert!(first.contains("lines 1 to 15 of") && second.contains("lines 15 to 29 of"), "{first}{second}");
    // It does not go beyond the end, and it returns from there at once.
    press(&mut app, "pgdn pgdn pgdn pgdn pgdn pgdn pgdn pgdn pgdn pgdn pgdn pgdn");
    let last = screen_of(&app, 80, 24);
    press(&mut app, "pgdn");
    assert_eq!(screen_of(&app, 80, 24), last);
    press(&mut app, "pgup");
    assert_ne!(screen_of(&app, 80, 24), last);
    // A page of moves.
    assert!(last.contains("p1 may (1 of "), "{last}");
    press(&mut app, "J");
    assert!(screen_of(&app, 80, 24).contains("p1 may (11 of "), "{}", screen_of(&app, 80, 24));
    press(&mut app, "K");
    assert!(screen_of(&app, 80, 24).contains("p1 may (1 of "));
    // No size of the terminal makes the stepper panic.
    for (width, height) in [(1, 1), (4, 3), (20, 5), (300, 3)] {
        screen_of(&app, width, height);
    }
}

#[test]
fn why_and_why_not_in_pogddl() {
    let place = tempfile::tempdir().expect("a folder");
    let mut app = battleship(place.path());
    app.why("(shoot p1 c01r01)");
    let shown = screen(&app);
    for line in ["(shoot p1 c01r01) is not legal", "✗ (inphase shooting)  battleship.pog:"] {
        assert!(shown.contains(line), "{shown}");
    }
    press(&mut app, "esc");
    app.why("(whoseturn p1)");
    assert!(screen(&app).contains("✓ added in round 6 by (place p2 p1 submarine "), "{}", screen(&app));
    press(&mut app, "esc");
    app.why("(unhit p1 carrier)");
    assert!(screen(&app).contains("✓ its value from the start  five-ten.pog:"), "{}", screen(&app));
    press(&mut app, "esc");
    app.why("(sail p1)");
    assert_eq!(app.message, "`(sail p1)` is not an action, fact or number of this game");
    // A long explanation is read line by line, and any other key closes it.
    app.why("(place _ _ _ _ _)");
    assert_eq!(app.message, "", "the complaint about the last question is gone");
    let small = screen_of(&app, 80, 8);
    assert!(small.contains("why (lines 1 to 4 of "), "{small}");
    press(&mut app, "down");
    assert!(screen_of(&app, 80, 8).contains("why (lines 2 to 5 of "), "{}", screen_of(&app, 80, 8));
    press(&mut app, "pgdn pgdn pgdn pgdn pgdn up");
    let end = screen_of(&app, 80, 8);
    press(&mut app, "pgdn pgdn pgup");
    assert_ne!(screen_of(&app, 80, 8), end);
    press(&mut app, "x");
    assert!(!screen_of(&app, 80, 8).contains("why"));
}

#[test]
fn the_keys_can_be_read_at_every_size() {
    let mut app = open(&games().join("blind-tic-tac-toe/blind-tic-tac-toe.kif"));
    for (width, height) in [(100, 30), (60, 15), (40, 8)] {
        press(&mut app, "?");
        let mut seen = String::new();
        for _ in 0..200 {
            seen += &screen_of(&app, width, height);
            press(&mut app, "down");
        }
        for (keys, what) in super::keys::HELP {
            assert!(seen.contains(keys), "{width}x{height}: {keys} is not to be seen");
            for word in what.split_whitespace() {
                assert!(seen.contains(word), "{width}x{height}: `{what}` is cut");
            }
        }
        press(&mut app, "esc");
        assert!(!screen_of(&app, width, height).contains(" keys "), "esc closes it");
    }
}

#[test]
fn a_proposed_name_is_replaced_and_a_saved_match_names_its_game() {
    let place = tempfile::tempdir().expect("a folder");
    let mut app = open(&games().join("blind-tic-tac-toe/blind-tic-tac-toe.kif"));
    press(&mut app, "r s");
    assert!(screen(&app).contains("save the match as: match"), "{}", screen(&app));
    let path = place.path().join("my.trace");
    press(&mut app, path.to_str().expect("a name"));
    assert!(screen_of(&app, 200, 24).contains(&format!("save the match as: {}", path.display())));
    press(&mut app, "enter");
    let saved = std::fs::read_to_string(&path).expect("saved under that name alone");
    let named = saved.lines().next().and_then(|line| line.strip_prefix("; game: ")).expect("a first line");
    assert!(place.path().join(named).is_file(), "{named} is the game");
    press(&mut app, &format!("o {} enter", path.display()));
    assert!(app.message.starts_with("loaded 1 rounds"), "{}", app.message);
}

#[test]
fn what_is_explained_is_chosen_from_a_list() {
    let mut app = open(&games().join("blind-tic-tac-toe/blind-tic-tac-toe.kif"));
    press(&mut app, "r w");
    assert!(screen(&app).contains("fact: (cell 1 1"), "{}", screen(&app));
    press(&mut app, "perceptxxx back back back down up");
    assert!(screen(&app).contains("percept: white "), "{}", screen(&app));
    press(&mut app, "enter");
    assert!(screen(&app).contains("(sees white"), "{}", screen(&app));
    assert!(screen(&app).contains("blind-tic-tac-toe.kif:"), "{}", screen(&app));
    // Text that matches no item is used as typed.
    press(&mut app, "x w");
    for c in "(next (cell 1 1 b))".chars() {
        app.key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE));
    }
    press(&mut app, "enter");
    assert!(screen(&app).contains("Why (cell 1 1 b)"), "{}", screen(&app));
}
