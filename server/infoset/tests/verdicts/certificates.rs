//! Written proofs: whoever wrote them, the check accepts them; whatever is changed in one, it never proves what is not so.

use std::sync::OnceLock;
use std::time::Duration;

use percept_game::{Game, PogddlTerminal, RoleId};
use percept_infoset::prove::certificate::{self, Certificate, Counter, Inductive, Proof, Refutation};
use percept_infoset::prove::{Method, Options, Prover};
use percept_infoset::{Control, Property};
use proptest::prelude::*;

use super::{ALONE, Said, ask, gdl, pogddl};

const R: RoleId = RoleId(0);

/// The coin that is thrown in the first round decides what `r` may do, and what it gets; `r` is told how it fell.
const TOLD: &str = "(role r) (role other) (role random) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)
 (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
 (<= (legal random (throw heads)) (true (step 0)))
 (<= (legal random (throw tails)) (true (step 0)))
 (<= (legal random wait) (not (true (step 0))))
 (<= (next heads) (does random (throw heads)))
 (<= (next heads) (true heads))
 (<= (next (made ?m)) (does r ?m))
 (<= (sees r heads) (does random (throw heads)))
 (legal r a) (<= (legal r b) (true heads)) (legal other wait)
 (<= terminal (true (step 3)))
 (<= (goal r 100) (true heads)) (<= (goal r 0) (not (true heads)))
 (<= (goal other 100) (true heads)) (<= (goal other 0) (not (true heads))) (goal random 0)";

fn told() -> Game {
    gdl(TOLD).expect("a game")
}

/// The same, but nobody is told.
fn untold() -> Game {
    gdl(&TOLD.replace("(<= (sees r heads) (does random (throw heads)))", "")).expect("a game")
}

/// Poker with its numbers.
fn poker() -> Game {
    let own = |name: &str| {
        let path = format!("{}/../../games/poker/{name}.pog", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).expect("our own game")
    };
    pogddl(&own("poker"), &own("king-and-jack"), PogddlTerminal::NoMoves).expect("a game")
}

fn written(game: &Game, role: RoleId, property: Property, method: Method) -> Option<Certificate> {
    let options = Options { method, ..Options::default() };
    let (said, argument) = ask(&mut Prover::new(game), game, (role, property), &options, Duration::from_secs(60));
    let argument = argument.filter(|_| said == Said::Proved)?;
    Some(certificate::write(game, role, property, false, &argument, &Control::default()).expect("the proof again"))
}

/// All proofs of what `r` knows because it is told, by every method.
fn all() -> &'static [Certificate] {
    static ALL: OnceLock<Vec<Certificate>> = OnceLock::new();
    ALL.get_or_init(|| {
        let game = told();
        let by =
            |property| ALONE.map(|method| written(&game, R, property, method).unwrap_or_else(|| panic!("{method:?}")));
        [by(Property::Legal), by(Property::Goal)].concat()
    })
}

fn check(game: &Game, certificate: &Certificate) -> Result<(RoleId, Property), String> {
    certificate::check(game, certificate, &Control::default()).map_err(|why| why.to_string())
}

#[test]
fn every_writer_writes_what_is_accepted() {
    let game = told();
    for certificate in all() {
        let text = serde_json::to_string(certificate).expect("JSON");
        let again: Certificate = serde_json::from_str(&text).expect("our own JSON");
        assert_eq!(&again, certificate);
        assert_eq!(check(&game, &again).expect("right").1.name(), certificate.property);
    }
    let poker = poker();
    for method in [Method::Induction, Method::Bounded, Method::Pairs] {
        for property in Property::ALL {
            let certificate = written(&poker, poker.role("p1").expect("a role"), property, method);
            let Some(certificate) = certificate else {
                assert!(method == Method::Induction, "{method:?} {property:?}");
                continue;
            };
            assert_eq!(check(&poker, &certificate).map(|(_, property)| property), Ok(property), "{method:?}");
        }
    }
}

#[test]
fn another_question_is_not_answered() {
    let game = told();
    for certificate in all() {
        let with = |change: &dyn Fn(&mut Certificate)| {
            let mut changed = certificate.clone();
            change(&mut changed);
            check(&game, &changed).expect_err("refused")
        };
        assert!(with(&|it| it.format += 1).contains("version"));
        assert!(with(&|it| it.role = "nobody".to_owned()).contains("nobody"));
        assert!(with(&|it| it.property = "beauty".to_owned()).contains("beauty"));
        if certificate.property == "goal" {
            // The other player is told nothing.
            with(&|it| it.role = "other".to_owned());
        }
        assert!(check(&untold(), certificate).is_err(), "{certificate:?}");
        assert!(check(&poker(), certificate).is_err());
    }
}

/// What is behind a proof by solver: the clauses for each question.
fn refutations(proof: &mut Proof) -> Option<&mut Vec<Refutation>> {
    match proof {
        Proof::Induction(proof) => Some(&mut proof.refutations),
        Proof::Bounded { refutations, .. } => Some(refutations),
        Proof::Pairs(_) => None,
    }
}

#[test]
fn every_question_must_be_answered() {
    let game = told();
    let mut emptied = 0;
    for certificate in all() {
        let count = refutations(&mut certificate.proof.clone()).map_or(0, |all| all.len());
        for index in 0..count {
            let mut changed = certificate.clone();
            refutations(&mut changed.proof).expect("clauses").remove(index);
            assert!(check(&game, &changed).is_err(), "without answer {index}");
            let mut changed = certificate.clone();
            let answer = &mut refutations(&mut changed.proof).expect("clauses")[index];
            // A question whose answer follows by propagation alone needs no clauses.
            emptied += usize::from(!std::mem::take(&mut answer.0).is_empty() && check(&game, &changed).is_err());
        }
        let mut changed = certificate.clone();
        if let Some(answers) = refutations(&mut changed.proof) {
            answers.push(Refutation::default());
            assert!(check(&game, &changed).is_err(), "one answer too many");
        }
    }
    assert!(emptied > 0, "some answer needs its clauses");
}

fn induction(certificate: &Certificate) -> Option<&Inductive> {
    match &certificate.proof {
        Proof::Induction(proof) => Some(proof),
        _ => None,
    }
}

#[test]
fn claims_of_an_induction_are_proved_or_refused() {
    let game = told();
    let inductions = all().iter().filter_map(|certificate| Some((certificate, induction(certificate)?)));
    for (certificate, proof) in inductions {
        let refused = |change: &dyn Fn(&mut Inductive)| {
            let mut proof = proof.clone();
            change(&mut proof);
            check(&game, &Certificate { proof: Proof::Induction(Box::new(proof)), ..certificate.clone() })
                .expect_err("refused")
        };
        refused(&|it| it.agree.clear());
        refused(&|it| it.agree.retain(|name| name != "heads"));
        assert!(refused(&|it| it.agree.push("(step 17)".to_owned())).contains("(step 17)"));
        refused(&|it| it.agree_gates.push(u32::MAX));
        refused(&|it| it.from += 1);
        refused(&|it| it.back += 1);
        refused(&|it| it.from = usize::MAX);
        refused(&|it| it.back = usize::MAX);
        // That the coin never falls on its head.
        refused(&|it| it.clauses.push(vec![("heads".to_owned(), false)]));
        refused(&|it| it.clauses.push(vec![]));
        refused(&|it| it.exclusive.push(vec!["heads".to_owned(), "(step 2)".to_owned()]));
        let counter = |value, offset| Counter {
            values: vec![(value, "heads".to_owned())],
            tokens: vec![("(step 1)".to_owned(), "heads".to_owned())],
            sign: 1,
            offset,
        };
        for (value, offset) in [(0, 0), (i64::MIN, i64::MAX), (i64::MAX, i64::MIN)] {
            refused(&|it| it.counts.push(counter(value, offset)));
        }
        refused(&|it| it.remembered.push(("r".to_owned(), "(fly away)".to_owned())));
    }
}

#[test]
fn no_other_length_of_matches_is_believed() {
    let game = told();
    for certificate in all() {
        let Proof::Bounded { rounds, refutations } = &certificate.proof else { continue };
        assert_eq!(*rounds, 3);
        for other in [0, 1, 2, 4, 5, 1_000, 1_001, usize::MAX] {
            let mut answers = refutations.clone();
            // As many answers as there are questions, so that the questions themselves are asked.
            answers.resize(other.min(1_000).saturating_add(2), Refutation::default());
            let proof = Proof::Bounded { rounds: other, refutations: answers };
            let verdict = check(&game, &Certificate { proof, ..certificate.clone() });
            // A bound that is not the least is a bound, too.
            assert!(verdict.is_err() || (4..=1_000).contains(&other), "{other} rounds");
        }
    }
}

#[test]
fn no_pair_can_be_left_out() {
    let game = told();
    for certificate in all() {
        let Proof::Pairs(closure) = &certificate.proof else { continue };
        let refused = |closure| {
            check(&game, &Certificate { proof: Proof::Pairs(closure), ..certificate.clone() }).expect_err("refused")
        };
        for index in 0..closure.states.len() {
            let mut changed = closure.clone();
            changed.states.remove(index);
            refused(changed);
        }
        for index in 0..closure.pairs.len() {
            let mut changed = closure.clone();
            changed.pairs.remove(index);
            refused(changed);
        }
        let mut changed = closure.clone();
        changed.pairs.push((0, u32::MAX));
        refused(changed);
        let mut changed = closure.clone();
        changed.states[0].0.push("(step 17)".to_owned());
        refused(changed);
        let mut changed = closure.clone();
        changed.states[0].1.push(3);
        refused(changed);
    }
}

/// A match of two rounds in which a number doubles or grows.
const DOUBLING: &str = "(define (domain doubling)
 (:requirements :typing :fluents :pogddl)
 (:types role stage other)
 (:constants chance a - role s0 s1 s2 - stage all others u - other)
 (:predicates (whoseturn ?r - role) (at ?s - stage) (then ?s ?t - stage))
 (:functions (points))
 (:action double :parameters (?s ?t - stage) :precondition (and (whoseturn a) (at ?s) (then ?s ?t))
  :effect (and (not (at ?s)) (at ?t) (increase (points) (points)) (observe (a (doubled)))))
 (:action add :parameters (?s ?t - stage) :precondition (and (whoseturn a) (at ?s) (then ?s ?t))
  :effect (and (not (at ?s)) (at ?t) (increase (points) 1) (observe (a (added)))))
 (:gain ?p - role (points) (at s2)))";

/// Numbers that no match reaches do no harm.
#[test]
fn wild_numbers_are_refused() {
    let problem = "(define (problem p) (:domain doubling) (:init (whoseturn a) (at s0) (then s0 s1) (then s1 s2) (= (points) 1)))";
    let game = pogddl(DOUBLING, problem, PogddlTerminal::NoMoves).expect("a game");
    assert_eq!(game.rules.register_names().len(), 1, "the number is a register");
    let certificate = written(&game, game.role("a").expect("a role"), Property::Goal, Method::Pairs).expect("a proof");
    let Proof::Pairs(closure) = &certificate.proof else { panic!("by pairs") };
    assert!(check(&game, &certificate).is_ok());
    for wild in [i64::MAX, i64::MIN, 1 << 40] {
        for index in 0..closure.states.len() {
            let mut changed = closure.clone();
            changed.states[index].1.fill(wild);
            let forged = Certificate { proof: Proof::Pairs(changed), ..certificate.clone() };
            assert!(check(&game, &forged).is_err(), "{wild} in state {index}");
        }
    }
}

/// Something is changed in every clause, one literal at a time; the answer may still be right, but is never believed of
/// a game in which it is wrong.
#[test]
fn no_literal_makes_a_wrong_answer_right() {
    let (game, weak) = (told(), untold());
    let mut broken = 0;
    for certificate in all() {
        let count = refutations(&mut certificate.proof.clone()).map_or(0, |all| all.len());
        for index in 0..count {
            let clauses = refutations(&mut certificate.proof.clone()).expect("clauses")[index].0.len();
            for clause in 0..clauses {
                for change in 0..3 {
                    let mut changed = certificate.clone();
                    let clauses = &mut refutations(&mut changed.proof).expect("clauses")[index].0;
                    match change {
                        0 => drop(clauses.remove(clause)),
                        1 => clauses[clause][0] *= -1,
                        _ => clauses[clause].push(i32::MIN),
                    }
                    broken += usize::from(check(&game, &changed).is_err());
                    assert!(check(&weak, &changed).is_err());
                }
            }
        }
    }
    assert!(broken > 0, "clauses matter");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// A file cut short, or with other bytes in it: refused or harmless, and never a proof of what is not so.
    #[test]
    fn files_are_not_believed(which in 0usize..8, cut in any::<prop::sample::Index>(), bytes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6), whole in any::<bool>()) {
        let mut text = serde_json::to_vec(&all()[which]).expect("JSON");
        for (at, byte) in bytes {
            let at = at.index(text.len());
            text[at] = byte;
        }
        if !whole {
            text.truncate(cut.index(text.len()));
            prop_assert!(serde_json::from_slice::<Certificate>(&text).is_err());
        } else if let Ok(certificate) = serde_json::from_slice::<Certificate>(&text) {
            let _ = check(&told(), &certificate);
            prop_assert!(check(&untold(), &certificate).is_err());
        }
    }

    /// Digits are what a forger would change.
    #[test]
    fn numbers_are_not_believed(which in 0usize..8, places in prop::collection::vec((any::<prop::sample::Index>(), 0u8..10), 1..4)) {
        let mut text = serde_json::to_vec(&all()[which]).expect("JSON");
        let digits: Vec<usize> = (0..text.len()).filter(|&at| text[at].is_ascii_digit()).collect();
        for (at, digit) in places {
            text[digits[at.index(digits.len())]] = b'0' + digit;
        }
        if let Ok(certificate) = serde_json::from_slice::<Certificate>(&text) {
            let _ = check(&told(), &certificate);
            prop_assert!(check(&untold(), &certificate).is_err());
        }
    }
}
