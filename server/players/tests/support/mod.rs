//! Games of the folder `games`, and matches on them without a clock.
#![allow(dead_code, reason = "each test uses its part")]

use std::path::Path;
use std::sync::Arc;

use percept_game::{Game, PogddlOptions, RoleId};
use percept_players::{Arena, Briefing, Clocks, MatchOptions, Outcome, Strategy};
use percept_syntax::{Language, Source};

fn text(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A game of the folder `games`, in prefix GDL.
pub fn gdl(path: &str) -> Briefing {
    Briefing::of_gdl(&Source::parse(text(path), Language::GdlPrefix)).expect("a game")
}

/// A game from its rules.
pub fn rules(text: &str) -> Briefing {
    Briefing::of_gdl(&Source::parse(text, Language::GdlPrefix)).expect("a game")
}

/// A POGDDL game whose domain and problem are one file of the folder `games`.
pub fn pogddl(path: &str) -> Briefing {
    let source = Source::parse(text(path), Language::Pogddl);
    let (domain, problem) = (source.domain().expect("a domain"), source.problem().expect("a problem"));
    Briefing::of_game(Arc::new(Game::from_pogddl(domain, problem, &PogddlOptions::default()).expect("a game")))
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

/// How many matches: more where the long tests are asked for.
pub fn heavy(few: u64, many: u64) -> u64 {
    if std::env::var_os("PERCEPT_HEAVY").is_some() { many } else { few }
}

/// How often a role made a move in all matches.
pub fn made(briefing: &Briefing, outcomes: &[Outcome], role: RoleId, name: &str) -> usize {
    let mv = briefing.game.rules.find_move(role, name).expect("a move");
    outcomes.iter().flat_map(|outcome| &outcome.moves).filter(|joint| joint[role.0 as usize] == mv).count()
}

/// Tic-Tac-Toe as it is in GDL-I, without the rule by which everybody sees every move.
pub fn tic_tac_toe_text() -> String {
    let text = text("tic-tac-toe/tic-tac-toe.kif");
    let start = text.find("(<= (sees").expect("a rule for percepts");
    let mut depth = 0;
    let end = text[start..].find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0
    });
    format!("{}{}", &text[..start], &text[start + end.expect("its end") + 1..])
}

/// The same as a game.
pub fn tic_tac_toe() -> Briefing {
    rules(&tic_tac_toe_text())
}
