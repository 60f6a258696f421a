//! The work on a game is counted, so the extent and the findings are the same on a busy machine.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use percept_game::Game;
use percept_infoset::Budget;
use percept_judge::{Case, GaveUp, Options, TIME, budget, judge};
use percept_syntax::{Language, Source, Syntax};

/// The extent and the findings for a game with too many states to visit, within counted steps and without a clock.
fn judged() -> String {
    let text = percept_test::read(percept_test::path("games/cant-stop/cant-stop.kif"));
    let source = Source::parse(text, Language::GdlPrefix);
    let Syntax::Gdl(description) = &source.syntax else { panic!("not GDL") };
    let game = Game::from_gdl(description).expect("a game");
    let case = Case::new(&game, vec![&source]);
    let limits = Budget { deadline: None, ..budget(TIME) };
    let judgement = judge(&case, &Options::default(), &limits);
    assert!(matches!(judgement.extent.gave_up, Some(GaveUp::Time(1..))), "the steps decide: {:?}", judgement.extent);
    format!("{:?} {:?}", judgement.extent, judgement.findings)
}

/// The clock is the outer limit; if it ends the work before the steps are used, the extent says so.
#[test]
fn a_clock_that_ends_the_work_is_told() {
    let text = percept_test::read(percept_test::path("games/cant-stop/cant-stop.kif"));
    let source = Source::parse(text, Language::GdlPrefix);
    let Syntax::Gdl(description) = &source.syntax else { panic!("not GDL") };
    let game = Game::from_gdl(description).expect("a game");
    let case = Case::new(&game, vec![&source]);
    let by_clock = |steps: Duration, clock: Duration| {
        let limits = Budget { deadline: Some(Instant::now() + clock), ..budget(steps) };
        judge(&case, &Options::default(), &limits).extent.by_clock
    };
    assert!(by_clock(Duration::from_secs(1_000), Duration::from_millis(100)));
    assert!(!by_clock(Duration::from_millis(50), Duration::from_secs(1_000)));
}

#[test]
fn the_same_is_found_on_a_busy_machine() {
    let quiet = judged();
    let is_over = AtomicBool::new(false);
    let busy = std::thread::scope(|threads| {
        for _ in 0..4 {
            threads.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    std::hint::black_box(Instant::now());
                }
            });
        }
        let busy = judged();
        is_over.store(true, Ordering::Relaxed);
        busy
    });
    assert_eq!(quiet, busy);
}
