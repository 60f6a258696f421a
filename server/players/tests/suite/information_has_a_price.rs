//! Chapter 17's two bombs: a player that knows its ignorance asks; a player that knows the others' ignorance keeps
//! silent.

use percept_game::RoleId;
use percept_test::more;

use crate::support::{gdl, goals, made, matches, mean};

#[test]
fn sampling_never_asks_which_wire_it_was() {
    let bomb = gdl("exploding-bomb/exploding-bomb.kif");
    let agent = bomb.game.role("agent").unwrap();
    let count = more(60, 1_000);
    let played = matches(&bomb, &["random", "sampling"], count, 1_000);
    assert_eq!(made(&bomb, &played, agent, "ask"), 0);
    let mean = mean(&goals(&played, agent));
    // Five standard errors of a coin that pays 0 or 100.
    let slack = 5.0 * 50.0 / (count as f64).sqrt();
    assert!((mean - 50.0).abs() < slack, "{mean}");
    assert!(played.iter().all(|outcome| outcome.faults.is_empty()));
}

#[test]
fn who_looks_at_its_whole_information_set_asks_and_wins() {
    let bomb = gdl("exploding-bomb/exploding-bomb.kif");
    let agent = bomb.game.role("agent").unwrap();
    for name in ["ismcts", "table", "table:maximin", "equilibrium", "auto"] {
        let played = matches(&bomb, &["random", name], more(20, 1_000), 300);
        assert!(goals(&played, agent).iter().all(|&goal| goal == 90), "{name}");
    }
}

#[test]
fn sampling_tells_and_auto_does_not() {
    let bomb = gdl("exploding-bomb-arming/exploding-bomb-arming.kif");
    let (agent, opponent) = (bomb.game.role("agent").unwrap(), bomb.game.role("opponent").unwrap());
    let count = more(40, 1_000);
    let outcomes = matches(&bomb, &["sampling", "auto"], count, 1_000);
    assert_eq!(made(&bomb, &outcomes, agent, "tell") as u64, count);
    assert!(goals(&outcomes, agent).iter().all(|&goal| goal == 10));
    assert!(goals(&outcomes, opponent).iter().all(|&goal| goal == 90));
    let silent = matches(&bomb, &["auto", "auto"], count, 300);
    assert_eq!(made(&bomb, &silent, agent, "tell"), 0);
    let slack = 5.0 * 50.0 / (count as f64).sqrt();
    let mean = mean(&goals(&silent, agent));
    assert!((mean - 50.0).abs() < slack, "{mean}");
    let searched = matches(&bomb, &["ismcts", "ismcts"], more(10, 200), 500);
    assert_eq!(made(&bomb, &searched, agent, "tell"), 0);
    assert_eq!(agent, RoleId(0));
}
