//! Written proofs: the check accepts them from any writer, and no changed proof ever proves a falsehood.

use std::sync::OnceLock;
use std::time::Duration;

use percept_game::{Game, PogddlOptions, PogddlTerminal, RoleId, plain};
use percept_infoset::prove::certificate::{self, Certificate, Counter, Inductive, Invalid, Part, Proof, Refutation};
use percept_infoset::prove::{Argument, Method, Options, Prover};
use percept_infoset::{Budget, Property};
use proptest::prelude::*;

use percept_syntax::{Language, Source};

use super::definition::AWAKE;
use super::{ALONE, MethodVerdict, ask};
use crate::support::both::Both;

const R: RoleId = RoleId(0);

/// The coin of the first round decides the moves and the goal of `r`; `r` learns its side.
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

fn informed() -> Both {
    Both::gdl(TOLD)
}

/// The same game without that percept.
fn untold() -> Both {
    Both::gdl(&TOLD.replace("(<= (sees r heads) (does random (throw heads)))", ""))
}

/// Poker with its numbers.
fn poker() -> Both {
    let own = |name: &str| percept_test::read(format!("games/poker/{name}.pog"));
    Both::pogddl(&[&own("poker"), &own("king-and-jack")], PogddlTerminal::NoMoves)
}

/// The argument of a proof about the game by this method.
fn argument(game: &Game, role: RoleId, property: Property, method: Method) -> Option<Argument> {
    let options = Options { method, ..Options::default() };
    let (verdict, argument) = ask(&mut Prover::new(game), game, (role, property), &options, Duration::from_secs(60));
    argument.filter(|_| verdict == MethodVerdict::Proved)
}

/// Writes the argument as a certificate about the plain game.
fn write(both: &Both, role: RoleId, property: Property, argument: &Argument) -> Result<Certificate, Invalid> {
    let floor = (&both.plain, &both.numbers[..]);
    certificate::write(&both.game, floor, role, property, false, argument, &Budget::default())
}

fn written(both: &Both, role: RoleId, property: Property, method: Method) -> Option<Certificate> {
    let argument = argument(&both.game, role, property, method)?;
    Some(write(both, role, property, &argument).unwrap_or_else(|why| panic!("{method:?} {property:?}: {why}")))
}

/// Proofs of the knowledge that `r` has from its percept, by every method.
fn all() -> &'static [Certificate] {
    static ALL: OnceLock<Vec<Certificate>> = OnceLock::new();
    ALL.get_or_init(|| {
        let game = informed();
        let by =
            |property| ALONE.map(|method| written(&game, R, property, method).unwrap_or_else(|| panic!("{method:?}")));
        [by(Property::Legal), by(Property::Goal)].concat()
    })
}

fn check(both: &Both, certificate: &Certificate) -> Result<(RoleId, Property), String> {
    certificate::check(&both.plain, certificate, &Budget::default()).map_err(|why| why.to_string())
}

/// Texts of proofs with changed bytes: none proves a falsehood, and none crashes its reader.
#[test]
fn forged_texts_prove_nothing_false() {
    let game = untold();
    let text = |it: &Certificate| serde_json::to_vec(it).expect("JSON");
    let seeds: Vec<Vec<u8>> = all().iter().filter(|it| it.property == Property::Goal.name()).map(text).collect();
    let (mut read, mut refused) = (0, 0);
    for text in percept_test::mutants(&seeds, percept_test::more(3_000, 200_000), 1) {
        let Ok(forged) = serde_json::from_slice::<Certificate>(&text) else {
            refused += 1;
            continue;
        };
        read += 1;
        // The end of the match is known without percepts: a forged proof of that may be right.
        let soon = Budget::default().until(std::time::Instant::now() + Duration::from_secs(5));
        let proved = certificate::check(&game.plain, &forged, &soon);
        assert!(!matches!(proved, Ok((R, Property::Goal | Property::Legal))), "{}", String::from_utf8_lossy(&text));
    }
    assert!(read > 0 && refused > 0, "{read} read, {refused} refused");
}

#[test]
fn every_writer_writes_what_is_accepted() {
    let game = informed();
    for certificate in all() {
        let text = serde_json::to_string(certificate).expect("JSON");
        let again: Certificate = serde_json::from_str(&text).expect("our own JSON");
        assert_eq!(&again, certificate);
        assert_eq!(check(&game, &again).expect("right").1.name(), certificate.property);
    }
    let poker = poker();
    for method in [Method::Induction, Method::Bounded, Method::Pairs] {
        for property in Property::ALL {
            let certificate = written(&poker, poker.game.role("p1").expect("a role"), property, method);
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
    let game = informed();
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
            // The other player receives no percept.
            with(&|it| it.role = "other".to_owned());
        }
        assert!(check(&untold(), certificate).is_err(), "{certificate:?}");
        assert!(check(&poker(), certificate).is_err());
    }
}

/// The evidence of a proof by solver: the clauses for each question.
fn refutations(proof: &mut Proof) -> Option<&mut Vec<Refutation>> {
    match proof {
        Proof::Induction(proof) => Some(&mut proof.refutations),
        Proof::Bounded { refutations, .. } => Some(refutations),
        Proof::Structure | Proof::Pairs(_) => None,
    }
}

#[test]
fn every_question_must_be_answered() {
    let game = informed();
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
            emptied += usize::from(!std::mem::replace(&mut answer.0, [].into()).is_empty());
            assert!(changed == *certificate || check(&game, &changed).is_err(), "answer {index} emptied");
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
    let game = informed();
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
        refused(&|it| it.agree_formulas.push(usize::MAX));
        refused(&|it| it.formulas.push(vec![(Part::Formula(usize::MAX), true)]));
        assert!(
            refused(&|it| it.formulas.push(vec![(Part::Fluent("(step 17)".to_owned()), true)])).contains("(step 17)")
        );
        refused(&|it| {
            it.formulas
                .push(vec![(Part::Fluent("heads".to_owned()), true), (Part::Fluent("(step 2)".to_owned()), false)]);
            it.agree_formulas.push(it.formulas.len() - 1);
            it.agree.clear();
        });
        // An induction with a later beginning may need no more proof and be right, but not for a game in which the
        // claim is wrong.
        for change in [|it: &mut Inductive| it.from += 1, |it: &mut Inductive| it.back += 1] {
            let mut proof = proof.clone();
            change(&mut proof);
            let changed = Certificate { proof: Proof::Induction(Box::new(proof)), ..certificate.clone() };
            assert!(check(&untold(), &changed).is_err());
        }
        refused(&|it| it.from = usize::MAX);
        refused(&|it| it.back = usize::MAX);
        // The claim that the coin never shows heads.
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
    let game = informed();
    for certificate in all() {
        let Proof::Bounded { rounds, refutations } = &certificate.proof else { continue };
        assert_eq!(*rounds, 3);
        for other in [0, 1, 2, 4, 5, 1_000, 1_001, usize::MAX] {
            let mut answers = refutations.clone();
            // The checker makes the questions itself, whatever the answers are.
            answers.resize(1, Refutation::default());
            let proof = Proof::Bounded { rounds: other, refutations: answers };
            let verdict = check(&game, &Certificate { proof, ..certificate.clone() });
            assert!(verdict.is_err(), "{other} rounds");
        }
    }
}

#[test]
fn no_pair_can_be_left_out() {
    let game = informed();
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
    let game = Both::pogddl(&[DOUBLING, problem], PogddlTerminal::NoMoves);
    assert_eq!(game.game.rules.register_names().len(), 1, "the number is a register");
    let role = game.game.role("a").expect("a role");
    let certificate = written(&game, role, Property::Goal, Method::Pairs).expect("a proof");
    let Proof::Pairs(closure) = &certificate.proof else { panic!("by pairs") };
    assert!(check(&game, &certificate).is_ok());
    for wild in [i64::MAX, i64::MIN, 1 << 40, 50] {
        for index in 0..closure.states.len() {
            let mut changed = closure.clone();
            changed.states[index].0.push(format!("(= (points) {wild})"));
            let forged = Certificate { proof: Proof::Pairs(changed), ..certificate.clone() };
            assert!(check(&game, &forged).is_err(), "{wild} in state {index}");
        }
    }
    // A range that matches leave: the plain game made with it proves nothing.
    let syntax = |text: &str| Source::from_bytes(text.into(), Language::Pogddl).expect("text");
    let (domain, problem) = (syntax(DOUBLING), syntax(problem));
    let narrow = |low, high| {
        let numbers = vec![("(points)".to_owned(), low, high)];
        let (domain, problem) = (domain.domain().expect("a domain"), problem.problem().expect("a problem"));
        let plain = plain::pogddl(domain, problem, &PogddlOptions::default(), &numbers).expect("a plain game");
        Both { game: game.game.clone(), plain, numbers }
    };
    for method in [Method::Pairs, Method::Bounded] {
        let argument = argument(&game.game, role, Property::Legal, method).expect("a proof");
        for (low, high, is_enough) in [(1, 4, true), (0, 1, false), (1, 2, false), (2, 1, false), (-5, 3, false)] {
            let both = narrow(low, high);
            let written = write(&both, role, Property::Legal, &argument);
            let is_right = written.is_ok_and(|written| check(&both, &written).is_ok());
            assert_eq!(is_right, is_enough, "{low} to {high}, {method:?}");
        }
    }
}

/// One word is changed in each line in turn. The changed answer may still be right, but it is never accepted for a game
/// in which it is wrong.
#[test]
fn no_word_makes_a_wrong_answer_right() {
    let (game, weak) = (informed(), untold());
    let mut broken = 0;
    for certificate in all() {
        let answers = refutations(&mut certificate.proof.clone()).map_or(Vec::new(), |all| all.clone());
        for (index, answer) in answers.iter().enumerate() {
            let text = answer.text().expect("our own proof");
            let lines: Vec<&str> = text.lines().collect();
            for (at, line) in lines.iter().enumerate().step_by(1 + lines.len() / 40) {
                let words: Vec<&str> = line.split(' ').collect();
                let mut changes = vec![Vec::new(), vec!["0"], vec!["."], [words.clone(), vec!["1"]].concat()];
                let negated: Vec<String> = words.iter().map(|word| format!("-{word}")).collect();
                for place in 0..words.len() {
                    for other in [&*negated[place], "0", "1", "-1", "2147483648", "-9223372036854775808", "x", ""] {
                        let mut words = words.clone();
                        words[place] = other;
                        changes.push(words.clone());
                        words.remove(place);
                        changes.push(words);
                    }
                }
                for words in changes {
                    let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
                    lines[at] = words.join(" ");
                    let mut changed = certificate.clone();
                    // Some words cannot even be written.
                    let Some(forged) = Refutation::from_text(&(lines.join("\n") + "\n")) else { continue };
                    refutations(&mut changed.proof).expect("answers")[index] = forged;
                    broken += usize::from(check(&game, &changed).is_err());
                    assert!(check(&weak, &changed).is_err());
                }
            }
        }
    }
    assert!(broken > 0, "words matter");
}

/// A prover with a wrong circuit lets `b` see a move that no role sees by the rules as written: a move that can never
/// be made revealed its number. None of its proofs can be written against the correct rules, and these refuse proofs
/// written on the wrong circuit.
#[test]
fn a_circuit_that_lies_convinces_nobody() {
    let right = Both::gdl(AWAKE);
    let lying = Both::gdl(&AWAKE.replace("(sees b caught) (does a cheat)", "(sees b caught) (does a left)"));
    let b = right.plain.role("b").expect("a role");
    let mut believed = 0;
    for method in ALONE {
        assert_eq!(argument(&right.game, b, Property::Goal, method), None, "{method:?}");
        let Some(lie) = argument(&lying.game, b, Property::Goal, method) else { continue };
        believed += 1;
        let certificate = write(&lying, b, Property::Goal, &lie).expect("a proof of the lie");
        assert!(check(&lying, &certificate).is_ok());
        assert!(check(&right, &certificate).is_err(), "{method:?}");
        let Both { plain, numbers, .. } = Both::gdl(AWAKE);
        let deceived = Both { game: lying.game.clone(), plain, numbers };
        // By pairs, nothing from the prover is written, because the search is made again.
        match write(&deceived, b, Property::Goal, &lie) {
            Err(_) => assert_ne!(method, Method::Pairs),
            Ok(written) => {
                assert_eq!(method, Method::Pairs);
                assert!(check(&right, &written).is_err());
            }
        }
        // A proof of a property of the correct rules is written and accepted.
        let proof = argument(&right.game, b, Property::Terminal, method);
        let proof = proof.map(|argument| write(&right, b, Property::Terminal, &argument).expect("a proof"));
        assert!(proof.is_none_or(|certificate| check(&right, &certificate).is_ok()));
    }
    assert_eq!(believed, 3, "every method except structure believes the wrong circuit");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// A file that is truncated or has changed bytes is refused or harmless, and never proves a falsehood.
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
            let _ = check(&informed(), &certificate);
            prop_assert!(check(&untold(), &certificate).is_err());
        }
    }

    /// Random bytes as the steps of a proof are refused or harmless.
    #[test]
    fn steps_are_not_believed(which in 0usize..8, bytes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6), cut in any::<prop::sample::Index>(), whole in any::<bool>()) {
        let mut certificate = all()[which].clone();
        for answer in refutations(&mut certificate.proof).into_iter().flatten().filter(|answer| !answer.0.is_empty()) {
            let mut forged = answer.0.to_vec();
            for (at, byte) in &bytes {
                let at = at.index(forged.len());
                forged[at] = *byte;
            }
            if !whole {
                forged.truncate(cut.index(forged.len()));
            }
            answer.0 = forged.into();
        }
        let _ = check(&informed(), &certificate);
        prop_assert!(check(&untold(), &certificate).is_err());
    }

    /// Changed digits, as a forger would write them.
    #[test]
    fn numbers_are_not_believed(which in 0usize..8, places in prop::collection::vec((any::<prop::sample::Index>(), 0u8..10), 1..4)) {
        let mut text = serde_json::to_vec(&all()[which]).expect("JSON");
        let digits: Vec<usize> = (0..text.len()).filter(|&at| text[at].is_ascii_digit()).collect();
        for (at, digit) in places {
            text[digits[at.index(digits.len())]] = b'0' + digit;
        }
        if let Ok(certificate) = serde_json::from_slice::<Certificate>(&text) {
            let _ = check(&informed(), &certificate);
            prop_assert!(check(&untold(), &certificate).is_err());
        }
    }
}
