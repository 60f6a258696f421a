//! The set-up of a game ends when its budget is spent, whatever it is about.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use percept_game::gdl::Grounding;
use percept_game::{Budget, Game, GameError, Limit, PogddlOptions, Scope};
use percept_syntax::{Language, Source, Syntax};

/// Eight groups of three, in which everything is related to everything of another group: so there are no nine related
/// things, and a search tries half a billion.
const GROUPS: usize = 8;
const EACH: usize = 3;

/// The pairs of different places among the nine things that are searched, written by `relate`.
fn nine(relate: impl Fn(char, char) -> String) -> String {
    let names = || 'a'..='i';
    let pairs = names().flat_map(|one| names().filter(move |other| one < *other).map(move |other| (one, other)));
    pairs.map(|(one, other)| relate(one, other)).collect()
}

/// The related things, written by `relate`.
fn related(relate: impl Fn(usize, usize) -> String) -> String {
    let all = 0..GROUPS * EACH;
    let pairs = all.clone().flat_map(|one| all.clone().map(move |other| (one, other)));
    pairs.filter(|(one, other)| one / EACH != other / EACH).map(|(one, other)| relate(one, other)).collect()
}

fn gdl(rules: &str) -> Source {
    let facts = related(|one, other| format!("(near {one} {other})"));
    let search = nine(|one, other| format!("(near ?{one} ?{other})"));
    let text = format!("(role r) (init (f)) (legal r m) (goal r 100) {facts} {}", rules.replace("SEARCH", &search));
    Source::parse(text, Language::GdlPrefix)
}

/// A domain with its problem. `SEARCH` in the parts is a search that takes a minute; `PLACES`: its variables.
fn pogddl(derived: &str, parameters: &str, precondition: &str) -> Source {
    let search = nine(|one, other| format!("(near ?{one} ?{other})"));
    let places: String = ('a'..='i').map(|name| format!("?{name} - thing ")).collect();
    let objects: String = (0..GROUPS * EACH).map(|thing| format!("t{thing} ")).collect();
    let facts = related(|one, other| format!("(near t{one} t{other})"));
    let text = format!(
        "(define (domain d) (:types role thing) (:constants p1 p2 - role)
         (:predicates (whoseturn ?r - role) (near ?x ?y - thing) (odd) (done)) {derived}
         (:action go :parameters (?r - role {parameters}) :precondition (and (whoseturn ?r) {precondition})
          :effect (and (done) (not (whoseturn ?r))))
         (:action wait :parameters (?r - role) :precondition (whoseturn ?r) :effect (not (whoseturn ?r))))
         (define (problem q) (:domain d) (:objects {objects} - thing) (:init (whoseturn p1) {facts}))"
    );
    Source::parse(text.replace("SEARCH", &search).replace("PLACES", &places), Language::Pogddl)
}

/// A budget that is spent after a moment.
fn soon() -> Budget {
    let cancel = Arc::new(AtomicBool::new(false));
    let flag = cancel.clone();
    thread::spawn(move || {
        thread::sleep(Duration::from_millis(30));
        flag.store(true, Ordering::Relaxed);
    });
    Budget { cancel: Some(cancel), ..Budget::default() }
}

fn set_up(source: &Source, set_up: Budget) -> Result<Game, Vec<GameError>> {
    assert!(source.errors.is_empty(), "{:?}", source.errors);
    match &source.syntax {
        Syntax::Gdl(description) => {
            Game::from_gdl_with(description, &Grounding { set_up, fuel: u64::MAX, ..Grounding::default() })
        }
        Syntax::Pddl(_) => {
            let (domain, problem) = (source.domain().expect("a domain"), source.problem().expect("a problem"));
            Game::from_pogddl_within(domain, problem, &PogddlOptions::default(), &set_up)
        }
    }
}

#[test]
fn a_search_among_facts_ends() {
    let derived = "(:derived (odd) (exists (PLACES) (and SEARCH)))";
    let dynamic = "(:derived (odd) (exists (PLACES) (and SEARCH (not (done)))))";
    let games = [
        ("a static relation", gdl("(<= (next (f)) odd) (<= odd SEARCH)")),
        ("a static derived predicate", pogddl(derived, "", "(odd)")),
        ("a derived predicate of the first state", pogddl(dynamic, "", "(odd)")),
        ("the first actions", pogddl("", "PLACES", "SEARCH")),
    ];
    for (what, source) in games {
        let message = set_up(&source, soon()).err().map(|errors| errors[0].message.clone());
        assert_eq!(message.as_deref(), Some("the set-up ended early: cancelled"), "{what}");
    }
}

/// As in the first state, but the search begins after the first round.
#[test]
fn the_circuit_of_a_round_ends() {
    let later = "(:derived (odd) (exists (PLACES) (and (done) SEARCH)))";
    let game = set_up(&pogddl(later, "", "(not (odd))"), Budget::default()).expect("a game");
    let until = soon();
    let refused = game.rules.ground(&Scope { until: Some(&until), ..Scope::default() });
    assert!(refused.is_err_and(|it| it.limit == Limit::Time));
}
