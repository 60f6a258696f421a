//! The set-up of a game ends when its budget is spent, whatever it is about.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use percept_game::gdl::Grounding;
use percept_game::{Budget, Game, GameError, Limit, PogddlOptions, Scope};
use percept_syntax::{Language, Source, Syntax};
use percept_test::hopeless;

fn gdl(rules: &str) -> Source {
    Source::parse(hopeless::gdl(rules), Language::GdlPrefix)
}

fn pogddl(derived: &str, parameters: &str, precondition: &str) -> Source {
    Source::parse(hopeless::pogddl(derived, parameters, precondition), Language::Pogddl)
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

/// Like in the first state, but the search begins after the first round.
#[test]
fn the_circuit_of_a_round_ends() {
    let later = "(:derived (odd) (exists (PLACES) (and (done) SEARCH)))";
    let game = set_up(&pogddl(later, "", "(not (odd))"), Budget::default()).expect("a game");
    let until = soon();
    let refused = game.rules.ground(&Scope { until: Some(&until), ..Scope::default() });
    assert!(refused.is_err_and(|it| it.limit == Limit::Time));
}
