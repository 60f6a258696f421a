//! Little room, wide signs, long names, and keys that must not lose anything.

use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

use super::*;

const WIDE: &str = "(role 白) (role 黒) (init (格 1 1 空)) (init (格 1 2 😀)) (init (手番 白))
    (<= (legal ?r (置く ?x ?y 石石石石石石石石)) (true (手番 ?r)) (true (格 ?x ?y ?c)))
    (<= (legal 黒 待つ) (true (手番 白))) (<= (legal 白 待つ) (true (手番 黒)))
    (<= (next (手番 黒)) (true (手番 白))) (<= (next (格 ?x ?y ?c)) (true (格 ?x ?y ?c)))
    (<= terminal (true (手番 黒))) (goal 白 100) (goal 黒 0)";

fn written(name: &str, text: &str) -> (tempfile::TempDir, PathBuf) {
    let place = tempfile::tempdir().expect("a folder");
    let file = place.path().join(name);
    std::fs::write(&file, text).expect("it can be written");
    (place, file)
}

#[test]
fn the_result_is_told_whole_however_narrow_the_window() {
    let (_place, file) = written("a-game-with-a-very-long-name-that-says-a-lot.kif", WIDE);
    let mut app = open(&file);
    press(&mut app, "enter");
    for width in [30, 40, 61, 80, 120] {
        let shown = screen_of(&app, width, 20).replace(' ', "");
        assert!(shown.contains("黒0") && shown.contains("白100") && shown.contains("round1of1"), "{width}: {shown}");
    }
}

#[test]
fn facts_of_wide_signs_are_all_there() {
    let (_place, file) = written("wide.kif", WIDE);
    let app = open(&file);
    for width in [50, 60, 80] {
        let shown = screen_of(&app, width, 24).replace(' ', "");
        assert!(shown.contains("置く11石石石石石石石石)"), "{width}: {shown}");
    }
}

#[test]
fn in_low_windows_moves_are_seen() {
    let mut app = open(&games().join("blind-tic-tac-toe/blind-tic-tac-toe.kif"));
    press(&mut app, "down down down");
    for height in [8, 9, 10, 12, 14] {
        let shown = screen_of(&app, 80, height);
        assert!(shown.contains("(mark 2 1)"), "{height}:\n{shown}");
    }
    press(&mut app, "r r");
    assert!(screen_of(&app, 80, 14).contains("  2. "), "{}", screen_of(&app, 80, 14));
}

#[test]
fn the_game_is_never_written_over_and_other_files_after_a_question() {
    let (place, file) = written("game.kif", WIDE);
    let mut app = open(&file);
    app.save(file.to_str().expect("a name"));
    assert!(app.message.contains("is the game itself"), "{}", app.message);
    assert_eq!(std::fs::read_to_string(&file).expect("the game"), WIDE);
    let other = place.path().join("notes.txt");
    std::fs::write(&other, "mine").expect("it can be written");
    app.save(other.to_str().expect("a name"));
    assert!(screen_of(&app, 200, 24).contains("enter replaces it"), "{}", screen_of(&app, 200, 24));
    press(&mut app, "esc");
    assert_eq!(std::fs::read_to_string(&other).expect("the notes"), "mine");
    // Another name is another question.
    app.save(other.to_str().expect("a name"));
    app.paste(file.to_str().expect("a name"));
    press(&mut app, "enter");
    assert!(app.message.contains("is the game itself"), "{}", app.message);
    app.save(other.to_str().expect("a name"));
    press(&mut app, "enter");
    assert!(app.message.starts_with("saved"), "{}", app.message);
}

#[test]
fn chords_and_pasted_text_are_no_commands() {
    let mut app = open(&games().join("exploding-bomb/exploding-bomb.kif"));
    press(&mut app, "r");
    let with = |code, modifiers| KeyEvent::new(KeyCode::Char(code), modifiers);
    app.key(with('r', KeyModifiers::CONTROL));
    app.key(with('q', KeyModifiers::ALT));
    app.paste("rrq");
    assert_eq!((app.stepper.len(), app.is_done()), (1, false));
    press(&mut app, "g");
    // Terminals send line breaks as either sign.
    app.paste("1x\rq");
    press(&mut app, "back back");
    app.paste("1x\nq");
    app.key(with('h', KeyModifiers::CONTROL));
    assert!(screen(&app).contains("go to round: 1\n"), "{}", screen(&app));
    app.key(with('u', KeyModifiers::CONTROL));
    press(&mut app, "0 enter");
    assert_eq!(app.stepper.at(), 0);
    press(&mut app, "g");
    app.paste("1\u{3000}word");
    app.key(with('w', KeyModifiers::CONTROL));
    assert!(screen(&app).contains("go to round: 1") && !screen(&app).contains("word"), "{}", screen(&app));
    app.key(with('c', KeyModifiers::CONTROL));
    assert!(app.is_done());
}

#[test]
fn the_cursor_stays_in_sight_and_is_on_one_board() {
    let mut app = open(&games().join("battleship/battleship-3-6.pog"));
    press(&mut app, "b");
    for _ in 0..9 {
        press(&mut app, "down");
    }
    let Some((board, row, _)) = app.cursor else { panic!("no cursor") };
    assert_eq!(board, 0);
    let name = app.boards()[0].rows[row].clone();
    let shown = screen_of(&app, 60, 14);
    assert!(shown.contains(&format!("│{name} ")), "{name}:\n{shown}");
}

const LONG: &str = "(role captain) (role observer) (init (afloat (ship destroyer of the northern fleet) at a1))
    (<= (legal captain (place_across_two captain observer destroyer destroyer row1 col1 ?to)) (column ?to))
    (legal observer wait) (column the_second_column_from_the_left) (column the_second_column_from_the_right)
    (<= (next (afloat (ship destroyer of the northern fleet) at ?to))
        (does captain (place_across_two captain observer destroyer destroyer row1 col1 ?to)))
    (<= (sees observer (a_shot_was_heard_somewhere_behind_the_horizon_near ?to))
        (does captain (place_across_two captain observer destroyer destroyer row1 col1 ?to)))
    (<= terminal (true (afloat ?s at a2))) (goal captain 0) (goal observer 0)";

#[test]
fn long_names_are_read_whole() {
    let (_place, file) = written("long.kif", LONG);
    let mut app = open(&file);
    expect![[r#"
         long.kif  round 0 of 0
        ┌ state ───────────────────┐┌ next round ────────────────────────────┐
        │afloat: (afloat (ship     ││>captain:                               │
        │    destroyer of the      ││ observer: wait                         │
        │    northern fleet) at a1)│└────────────────────────────────────────┘
        │                          │┌ captain may (2) ───────────────────────┐
        │                          ││(place_across_two captain observer      │
        │                          ││    destroyer destroyer row1 col1       │
        │                          ││    the_second_column_from_the_left)    │
        │                          ││(place_across_two captain observer      │
        │                          ││    destroyer destroyer row1 col1       │
        │                          ││    the_second_column_from_the_right)   │
        │                          ││                                        │
        │                          ││                                        │
        │                          ││                                        │
        │                          ││                                        │
        │                          ││                                        │
        └──────────────────────────┘└────────────────────────────────────────┘
        ┌ rounds ────────────────────────────────────────────────────────────┐
        │                                                                    │
        │                                                                    │
        │                                                                    │
        └────────────────────────────────────────────────────────────────────┘
         press ? for help
    "#]]
    .assert_eq(&screen_of(&app, 70, 24));
    press(&mut app, "down enter e e");
    expect![[r#"
         long.kif  round 1
        ┌ what observer knows: 1 history ────────┐┌ next round ──────────────┐
        │certain: (afloat (ship destroyer of the ││>observer:                │
        │    northern fleet) at                  │└──────────────────────────┘
        │    the_second_column_from_the_right)   │┌ observer may (1) ────────┐
        │                                        ││wait                      │
        │                                        ││                          │
        │                                        ││                          │
        │                                        ││                          │
        │                                        ││                          │
        │                                        ││                          │
        │                                        ││                          │
        │                                        ││                          │
        │                                        ││                          │
        │                                        ││                          │
        │                                        ││                          │
        │                                        ││                          │
        └────────────────────────────────────────┘└──────────────────────────┘
        ┌ rounds ────────────────────────────────────────────────────────────┐
        │  1. wait sees (a_shot_was_heard_somewhere_behind_the_horizon_near  │
        │      the_second_column_from_the_right)                             │
        │                                                                    │
        └────────────────────────────────────────────────────────────────────┘
         what observer knows
    "#]]
    .assert_eq(&screen_of(&app, 70, 24));
}

#[test]
fn a_click_on_any_line_of_a_long_name_marks_it() {
    let (_place, file) = written("long.kif", LONG);
    let mut app = open(&file);
    let shown = screen_of(&app, 70, 24);
    let row = shown.lines().position(|line| line.contains("from_the_right")).expect("the second move");
    app.mouse(MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column: 60,
        row: row as u16,
        modifiers: KeyModifiers::NONE,
    });
    assert_eq!(app.line, 1, "{shown}");
}
