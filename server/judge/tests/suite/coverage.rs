//! Coverage of the percepts of a POGDDL game.

use percept_game::{Game, PogddlOptions};
use percept_infoset::Budget;
use percept_judge::Case;
use percept_judge::coverage::{Matches, coverage};
use percept_syntax::{Language, Source};

/// The two messages come together or alone: a message is one percept, whatever its position among the others.
#[test]
fn a_message_is_one_percept_wherever_it_stands_in_the_list() {
    let domain = "(define (domain cov)
        (:types role card other)
        (:constants chance p1 - role all others u - other)
        (:predicates (whoseturn ?r - role) (has ?c - card))
        (:action deal :parameters (?c - card) :precondition (whoseturn chance)
            :effect (and (not (whoseturn chance)) (whoseturn p1) (has ?c)))
        (:action look :parameters () :precondition (whoseturn p1)
            :effect (and (not (whoseturn p1)) (observe (p1 (look)))
                (forall (?c - card) (when (has ?c) (observe (p1 (card ?c)))))
                (observe (p1 (look)))))
        (:gain ?p - role 1 (not (whoseturn ?p))))";
    let problem = "(define (problem cov-1) (:domain cov) (:objects c1 c2 c3 - card) (:init (whoseturn chance)))";
    let sources = [domain, problem].map(|text| Source::parse(text, Language::Pogddl));
    let [first, second] = &sources;
    let (described, small) = (first.domain().expect("a domain"), second.problem().expect("a problem"));
    let game = Game::from_pogddl(described, small, &PogddlOptions::default()).expect("a game");
    let matches = Matches { matches: 60, rounds: 8, seed: 3 };
    let met = coverage(&Case::new(&game, vec![first, second]), &matches, &Budget::default());
    let counts: Vec<(&str, u64)> = met.percepts.iter().map(|it| (it.name.as_str(), it.count)).collect();
    assert_eq!(counts.iter().map(|it| it.0).collect::<Vec<_>>(), ["(card c1)", "(card c2)", "(card c3)", "(look)"]);
    assert!(counts.iter().all(|it| it.1 > 0), "{counts:?}");
    assert_eq!(counts[3].1, 60, "rounds, not messages: {counts:?}");
    assert_eq!(counts[..3].iter().map(|it| it.1).sum::<u64>(), 60, "{counts:?}");
}
