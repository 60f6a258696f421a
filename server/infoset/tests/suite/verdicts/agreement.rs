//! Partial knowledge of a role: a number by its changes, the size of a group, a fluent while another one holds. Each
//! game has a twin with one message fewer: nothing may be proved there, and no proof of one game is accepted for the
//! other.

use std::time::Duration;

use percept_game::{Game, PogddlTerminal, RoleId};
use percept_infoset::prove::certificate::{self, Certificate, Inductive, Proof};
use percept_infoset::prove::{Argument, Method, Options, Prover};
use percept_infoset::{Budget, Property};

use super::{MethodVerdict, ask};
use crate::support::both::Both;

/// Chance adds to a number of points, until the player stops. `{}`: the percepts.
const POINTS: &str = "(define (domain points)
 (:requirements :typing :fluents :pogddl)
 (:types role die phase other)
 (:constants chance a - role d1 d2 d3 - die rolling choosing over - phase all others u - other)
 (:predicates (whoseturn ?r - role) (in ?p - phase))
 (:functions (points) (value ?d - die))
 (:action roll :parameters (?d - die) :precondition (and (whoseturn chance) (in rolling))
  :effect (and (increase (points) (value ?d)) (not (in rolling)) (in choosing) (not (whoseturn chance)) (whoseturn a)
   (observe (a {}))))
 (:action more :parameters () :precondition (and (whoseturn a) (in choosing))
  :effect (and (not (in choosing)) (in rolling) (not (whoseturn a)) (whoseturn chance) (observe (a (more)))))
 (:action stop :parameters () :precondition (and (whoseturn a) (in choosing))
  :effect (and (not (in choosing)) (in over) (observe (a (stop)))))
 (:gain ?p - role 1 (and (in over) (> (points) 9))))";

const POINTS_PROBLEM: &str = "(define (problem p) (:domain points)
 (:init (whoseturn chance) (in rolling) (= (points) 0) (= (value d1) 1) (= (value d2) 2) (= (value d3) 7)))";

/// A rival takes cards off a deck, unseen; the player may look as long as there is one. `{}`: the rival's other moves.
const DECK: &str = "(define (domain deck)
 (:requirements :typing :existential-preconditions :pogddl)
 (:types role card other)
 (:constants a b - role all others u - other)
 (:predicates (whoseturn ?r - role) (deck ?c - card) (hand ?c - card))
 (:action take :parameters (?c - card) :precondition (and (whoseturn b) (deck ?c))
  :effect (and (not (deck ?c)) (hand ?c) (not (whoseturn b)) (whoseturn a) (observe (b (take ?c)) (a (moved)))))
 (:action rest :parameters () :precondition (and (whoseturn b) (not (exists (?c - card) (deck ?c))))
  :effect (and (not (whoseturn b)) (whoseturn a) (observe (all (moved)))))
 {}
 (:action look :parameters () :precondition (and (whoseturn a) (exists (?c - card) (deck ?c)))
  :effect (and (not (whoseturn a)) (whoseturn b) (observe (a (look)))))
 (:action wait :parameters () :precondition (whoseturn a)
  :effect (and (not (whoseturn a)) (whoseturn b) (observe (a (wait)))))
 (:gain ?p - role 1 (exists (?c - card) (and (hand ?c) (not (hand ?c))))))";

const DECK_PROBLEM: &str = "(define (problem p) (:domain deck) (:objects c1 c2 c3 c4 c5 c6 - card)
 (:init (whoseturn b) (deck c1) (deck c2) (deck c3) (deck c4) (deck c5) (deck c6)))";

/// The same, with the rival's other moves only before the player's first move.
const PRELUDE: &str = "(define (domain prelude)
 (:requirements :typing :existential-preconditions :pogddl)
 (:types role card other phase)
 (:constants a b - role early late - phase all others u - other)
 (:predicates (whoseturn ?r - role) (deck ?c - card) (hand ?c - card) (in ?p - phase))
 (:action take :parameters (?c - card) :precondition (and (whoseturn b) (deck ?c))
  :effect (and (not (deck ?c)) (hand ?c) (not (whoseturn b)) (whoseturn a) (observe (b (take ?c)) (a (moved)))))
 {}
 (:action rest :parameters () :precondition (and (whoseturn b) (not (exists (?c - card) (deck ?c))))
  :effect (and (not (whoseturn b)) (whoseturn a) (observe (all (moved)))))
 (:action look :parameters () :precondition (and (whoseturn a) (exists (?c - card) (deck ?c)))
  :effect (and (not (in early)) (in late) (not (whoseturn a)) (whoseturn b) (observe (a (look)))))
 (:action wait :parameters () :precondition (whoseturn a)
  :effect (and (not (in early)) (in late) (not (whoseturn a)) (whoseturn b) (observe (a (wait)))))
 (:gain ?p - role 1 (exists (?c - card) (and (hand ?c) (not (hand ?c))))))";

/// By day the player knows the light, since it saw it set at night; by night it does not.
const LIGHT: &str = "(role r) (role other) (init night) (init dark)
 (<= (next day) (true night)) (<= (next night) (true day))
 (<= (legal other (set on))) (<= (legal other (set off)))
 (<= (next light) (does other (set on))) (<= (next dark) (does other (set off)))
 (<= (sees r on) (true night) (does other (set on)))
 (legal r wait) (<= (legal r read) (true day) (true light))
 (<= (next tired) (does r read)) (<= (next tired) (true tired))
 (<= terminal (true tired) (true day)) (goal r 50) (goal other 50)";

fn points(message: &str) -> Both {
    Both::pogddl(&[&POINTS.replace("{}", message), POINTS_PROBLEM], PogddlTerminal::NoMoves)
}

fn deck(beside: &str) -> Both {
    Both::pogddl(&[&DECK.replace("{}", beside), DECK_PROBLEM], PogddlTerminal::NoMoves)
}

fn prelude(beside: &str) -> Both {
    let problem = DECK_PROBLEM.replace("(:domain deck)", "(:domain prelude)").replace("(:init", "(:init (in early)");
    Both::pogddl(&[&PRELUDE.replace("{}", beside), &problem], PogddlTerminal::NoMoves)
}

fn argument(game: &Game, role: RoleId, property: Property, method: Method) -> (MethodVerdict, Option<Argument>) {
    let options = Options { method, ..Options::default() };
    ask(&mut Prover::new(game), game, (role, property), &options, Duration::from_secs(20))
}

/// The proof by induction, written and followed.
fn proved(both: &Both, role: &str, property: Property) -> Certificate {
    let role = both.game.role(role).expect("a role");
    let (verdict, argument) = argument(&both.game, role, property, Method::Induction);
    assert_eq!(verdict, MethodVerdict::Proved);
    let argument = argument.expect("an argument");
    let floor = (&both.plain, &both.numbers[..]);
    let written = certificate::write(&both.game, floor, role, property, false, &argument, &Budget::default());
    let written = written.expect("a proof");
    assert_eq!(check(both, &written), Ok((role, property)));
    written
}

fn check(both: &Both, certificate: &Certificate) -> Result<(RoleId, Property), certificate::Invalid> {
    certificate::check(&both.plain, certificate, &Budget::default())
}

fn inductive(certificate: &Certificate) -> &Inductive {
    let Proof::Induction(proof) = &certificate.proof else { panic!("by induction") };
    proof
}

fn changed(certificate: &Certificate, change: impl Fn(&mut Inductive)) -> Certificate {
    let mut proof = inductive(certificate).clone();
    change(&mut proof);
    Certificate { proof: Proof::Induction(Box::new(proof)), ..certificate.clone() }
}

/// Checks that no method proves it, because it is false.
fn is_unknown(both: &Both, role: &str, property: Property) {
    let role = both.game.role(role).expect("a role");
    assert_ne!(argument(&both.game, role, property, Method::Induction).0, MethodVerdict::Proved);
    assert!(matches!(
        argument(&both.game, role, property, Method::Auto).0,
        MethodVerdict::Refuted(_) | MethodVerdict::Seen(_)
    ));
}

#[test]
fn a_number_is_known_by_its_changes() {
    let (message, untold) = (points("(rolled ?d)"), points("(rolled)"));
    assert_eq!(message.game.rules.register_names(), ["(points)"], "it is not known how many there can be");
    assert_eq!(message.numbers.iter().filter(|(name, ..)| name == "(points)").count(), 0);
    let proof = proved(&message, "a", Property::Goal);
    assert_eq!(inductive(&proof).agree_numbers, ["(points)"]);
    assert!(check(&message, &changed(&proof, |it| it.agree_numbers.clear())).is_err());
    assert!(check(&message, &changed(&proof, |it| it.agree_numbers.push("(value d1)".to_owned()))).is_err());
    assert!(check(&untold, &proof).is_err());
    is_unknown(&untold, "a", Property::Goal);
}

/// Two numbers that agree need not have changed in the same way. A number with too many values to be tracked must not
/// make every claim provable.
#[test]
fn a_number_beyond_counting_proves_nothing_else() {
    let dice: Vec<String> = (0..40).map(|die| format!("e{die}")).collect();
    let values: Vec<String> = (0..40).map(|die| format!("(= (value e{die}) {})", 1 + die * die)).collect();
    let domain = "(define (domain many)
     (:requirements :typing :fluents :pogddl)
     (:types role die stage other)
     (:constants chance a - role heads tails - stage all others u - other)
     (:predicates (whoseturn ?r - role) (at ?s - stage) (then ?s ?t - stage) (coin ?c - stage) (last ?s - stage))
     (:functions (points) (value ?d - die))
     (:action throw :parameters (?c - stage ?s ?t - stage)
      :precondition (and (whoseturn chance) (side ?c) (at ?s) (then ?s ?t) (first ?s))
      :effect (and (coin ?c) (not (at ?s)) (at ?t) (observe (a (thrown)))))
     (:action roll :parameters (?d - die ?s ?t - stage)
      :precondition (and (whoseturn chance) (not (first ?s)) (at ?s) (then ?s ?t))
      :effect (and (increase (points) (value ?d)) (not (at ?s)) (at ?t) (observe (a (rolled ?d)))))
     (:action again :parameters (?s - stage) :precondition (and (whoseturn chance) (last ?s) (at ?s) (coin heads))
      :effect (observe (a (nothing))))
     (:gain ?p - role 1 (> (points) 1000)))"
        .replace("(last ?s - stage))", "(last ?s - stage) (first ?s - stage) (side ?c - stage))");
    let problem = format!(
        "(define (problem p) (:domain many) (:objects {} - die s0 s1 s2 s3 s4 s5 s6 - stage)
         (:init (whoseturn chance) (at s0) (first s0) (last s6) (side heads) (side tails) (= (points) 0) {}
          (then s0 s1) (then s1 s2) (then s2 s3) (then s3 s4) (then s4 s5) (then s5 s6)))",
        dice.join(" "),
        values.join(" ")
    );
    let both = Both::pogddl(&[&domain, &problem], PogddlTerminal::NoMoves);
    assert_eq!(both.game.rules.register_names().len(), 1);
    let a = both.game.role("a").expect("a role");
    assert_ne!(argument(&both.game, a, Property::Terminal, Method::Induction).0, MethodVerdict::Proved);
}

#[test]
fn how_many_are_left_is_known_though_not_which() {
    let message = deck("");
    let secretly = "(:action hold :parameters () :precondition (whoseturn b)
      :effect (and (not (whoseturn b)) (whoseturn a) (observe (b (hold)) (a (moved)))))";
    let untold = deck(secretly);
    let proof = proved(&message, "a", Property::Legal);
    assert!(!inductive(&proof).agree_counts.is_empty());
    assert!(check(&message, &changed(&proof, |it| it.agree_counts.clear())).is_err());
    let all = |it: &mut Inductive| it.agree_counts.push(vec!["(nothing)".to_owned()]);
    assert!(check(&message, &changed(&proof, all)).is_err());
    assert!(check(&untold, &proof).is_err());
    is_unknown(&untold, "a", Property::Legal);
}

/// After the prelude, every round takes as many cards in both matches. A proof must also show that the numbers were
/// equal before it.
#[test]
fn how_many_are_left_is_asked_of_every_round_before() {
    let hold = |message: &str| {
        format!(
            "(:action hold :parameters () :precondition (and (whoseturn b) (in early))
              :effect (and (not (whoseturn b)) (whoseturn a) (observe (b (hold)) (a ({message})))))"
        )
    };
    let (message, untold) = (prelude(&hold("held")), prelude(&hold("moved")));
    let proof = proved(&message, "a", Property::Legal);
    assert!(!inductive(&proof).agree_counts.is_empty());
    assert!(check(&untold, &proof).is_err());
    is_unknown(&untold, "a", Property::Legal);
}

#[test]
fn a_fluent_is_known_while_another_holds() {
    let message = Both::gdl(LIGHT);
    let untold = Both::gdl(&LIGHT.replace("(<= (sees r on) (true night) (does other (set on)))", ""));
    let proof = proved(&message, "r", Property::Legal);
    assert!(!inductive(&proof).agree_formulas.is_empty());
    assert!(!inductive(&proof).agree.contains(&"light".to_owned()));
    assert!(check(&message, &changed(&proof, |it| it.agree_formulas.clear())).is_err());
    assert!(check(&untold, &proof).is_err());
    is_unknown(&untold, "r", Property::Legal);
}
