//! Compares Percept's answers about a game with a [`Graph`] of the same game that was made without Percept.

pub mod faults;
pub mod harness;
pub mod knowledge;
pub mod lanes;
pub mod questions;
pub mod sets;
pub mod steps;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use percept_game::{Game, JointMove, RoleId};
use percept_infoset::Budget;
use percept_random_rules::graph::Graph;
use percept_random_rules::truth::Histories;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

/// A difference between the product and the naive reader. `class` distinguishes kinds of differences, so that a case
/// that is minimized remains the same case.
#[derive(Debug)]
pub struct Failure {
    pub class: String,
    pub message: String,
}

pub type Checked<T = ()> = Result<T, Failure>;

pub fn fail<T>(class: impl Into<String>, message: impl Into<String>) -> Checked<T> {
    Err(Failure { class: class.into(), message: message.into() })
}

/// Fails unless the two values are equal.
pub fn same<T: PartialEq + std::fmt::Debug>(class: &str, place: impl Fn() -> String, product: T, naive: T) -> Checked {
    if product == naive {
        return Ok(());
    }
    fail(class, format!("{}\n  percept: {product:?}\n  naive:   {naive:?}", place()))
}

/// The number of times each feature occurred.
#[derive(Default, Debug, Clone)]
pub struct Tally(pub BTreeMap<String, usize>);

impl Tally {
    pub fn count(&mut self, what: impl Into<String>, times: usize) {
        *self.0.entry(what.into()).or_default() += times;
    }

    pub fn of(&self, what: &str) -> usize {
        self.0.get(what).copied().unwrap_or(0)
    }

    pub fn add(&mut self, other: &Tally) {
        other.0.iter().for_each(|(what, times)| self.count(what, *times));
    }
}

/// A limit that no small game should need.
pub fn long() -> Budget {
    Budget { deadline: Some(Instant::now() + Duration::from_secs(60)), ..Budget::default() }
}

/// The same limit; a tighter one for games whose numbers may grow for ever, because the work may grow with them.
pub fn patient(game: &Game) -> Budget {
    if has_registers(game) { impatient() } else { long() }
}

/// A limit for work that may take very long, and whose answer is optional.
pub fn impatient() -> Budget {
    Budget { deadline: Some(Instant::now() + Duration::from_millis(250)), ..Budget::default() }
}

/// True if some number of the game is not known to stay in a small range: its clauses are then imprecise, and not every
/// true claim can be proved.
pub fn has_registers(game: &Game) -> bool {
    !game.rules.register_names().is_empty()
}

/// A joint move in words, in the game's own numbers.
pub fn joint(game: &Game, words: &[String]) -> Checked<JointMove> {
    let one = |(role, name): (RoleId, &String)| match game.rules.find_move(role, name) {
        Some(mv) => Ok(mv),
        None => fail("unknown move", format!("Percept has no move `{name}` of {}", game.roles[role.0 as usize].name)),
    };
    game.role_ids().zip(words).map(one).collect()
}

pub fn words(game: &Game, joint: &JointMove) -> Vec<String> {
    game.role_ids().zip(joint).map(|(role, &mv)| game.rules.move_name(role, mv)).collect()
}

/// Checks that the roles are the same and in the same order.
pub fn roles(game: &Game, graph: &Graph) -> Checked {
    let names = game.roles.iter().map(|role| role.name.clone()).collect();
    same("roles", || "roles".into(), names, graph.roles.clone())?;
    let chance = game.roles.iter().map(|role| role.is_chance).collect();
    same("chance", || "the roles of chance".into(), chance, graph.chance.clone())
}

/// Compares information sets, verdicts, proofs, queries and bounds.
pub fn everything(game: &Game, histories: &Histories<'_>, rng: &mut SmallRng, seed: u64, tally: &mut Tally) -> Checked {
    let graph = histories.graph;
    if harness::is_counting() {
        return knowledge::in_every_match(game, graph, histories, tally);
    }
    let players = graph.players();
    let places: Vec<usize> = (0..histories.all.len()).collect();
    let mut started = Instant::now();
    let mut clock = |what: &str, tally: &mut Tally| {
        tally.count(format!("milliseconds for {what}"), started.elapsed().as_millis() as usize);
        started = Instant::now();
    };
    for _ in 0..3 {
        let (at, role) = (*places.choose(rng).expect("histories"), *players.choose(rng).expect("players"));
        sets::compare(game, histories, at, role, seed, tally)?;
    }
    // Includes a set in which some matches are over and others go on, if one exists.
    let is_over = |at: &usize| histories.graph.nodes[histories.all[*at].node].terminal;
    let mixed = players.iter().find_map(|&role| {
        let of_role = histories.alike[role].iter();
        of_role.filter(|like| like.iter().any(is_over) && !like.iter().all(is_over)).map(|like| (like[0], role)).next()
    });
    if let Some((at, role)) = mixed {
        tally.count("games in which a set holds ends and no ends", 1);
        sets::compare(game, histories, at, role, seed, tally)?;
    }
    clock("sets", tally);
    let longest = histories.all.iter().map(|history| history.length).max().unwrap_or(0);
    let ends: Vec<usize> = places.into_iter().filter(|&at| histories.all[at].length == longest).collect();
    for (announced, exact) in [(false, true), (true, false)] {
        let at = *ends.choose(rng).expect("a longest history");
        knowledge::along(game, histories, at, announced, exact, tally)?;
    }
    clock("matches", tally);
    knowledge::in_every_match(game, graph, histories, tally)?;
    clock("proofs", tally);
    let few = Histories::new(graph, 3, 400);
    for _ in 0..2 {
        questions::ask(game, &few, rng, tally)?;
    }
    clock("questions", tally);
    knowledge::lengths(game, graph, histories, tally)
}
