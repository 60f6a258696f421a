//! Games of the folder `games`, and matches on them without a clock.

pub mod port;

use percept_game::RoleId;
use percept_players::{Arena, Briefing, Clocks, MatchOptions, Outcome, Strategy};
use percept_syntax::{Language, Source};
use percept_test::{games, read};

/// A game of the folder `games`, in prefix GDL.
pub fn gdl(path: &str) -> Briefing {
    Briefing::of_gdl(&Source::parse(read(games().join(path)), Language::GdlPrefix)).expect("a game")
}

/// A game from its rules.
pub fn rules(text: &str) -> Briefing {
    Briefing::of_gdl(&Source::parse(text, Language::GdlPrefix)).expect("a game")
}

/// Strategies by name.
pub fn strategies(names: &[&str]) -> Vec<Strategy> {
    names.iter().map(|name| name.parse().expect("a strategy")).collect()
}

/// Options of a repeatable match.
pub fn repeatable(seed: u64, simulations: u64) -> MatchOptions {
    let clocks = Clocks { simulations: Some(simulations), ..Clocks::default() };
    MatchOptions { seed, clocks, ..MatchOptions::default() }
}

/// Plays match after match, `names` in the order of the roles.
pub fn matches(briefing: &Briefing, names: &[&str], count: u64, simulations: u64) -> Vec<Outcome> {
    let arena = Arena::new(briefing.clone());
    let strategies = strategies(names);
    (0..count).map(|seed| arena.play(&strategies, &repeatable(seed, simulations))).collect()
}

/// The goals of a role.
pub fn goals(outcomes: &[Outcome], role: RoleId) -> Vec<i64> {
    outcomes.iter().map(|outcome| outcome.goals[role.0 as usize].expect("a goal")).collect()
}

pub fn mean(goals: &[i64]) -> f64 {
    goals.iter().sum::<i64>() as f64 / goals.len() as f64
}

/// The number of times that a role made a move in all matches.
pub fn made(briefing: &Briefing, outcomes: &[Outcome], role: RoleId, name: &str) -> usize {
    let mv = briefing.game.rules.find_move(role, name).expect("a move");
    outcomes.iter().flat_map(|outcome| &outcome.moves).filter(|joint| joint[role.0 as usize] == mv).count()
}

/// Tic-Tac-Toe as it is in GDL-I, without the rule by which every role sees every move.
pub fn tic_tac_toe_text() -> String {
    let text = read(games().join("tic-tac-toe/tic-tac-toe.kif"));
    let start = text.find("(<= (sees").expect("a rule for percepts");
    let mut depth = 0;
    let end = text[start..].find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0
    });
    format!("{}{}", &text[..start], &text[start + end.expect("its end") + 1..])
}

/// Tic-Tac-Toe as a game.
pub fn tic_tac_toe() -> Briefing {
    rules(&tic_tac_toe_text())
}
