//! Causes are reported, with their consequences below them.

use percept_game::Game;
use percept_infoset::Budget;
use percept_judge::{Case, Options, judge};
use percept_syntax::{Language, Source, Syntax};

/// The findings in a description: the rule, the message, and the lines below it.
fn findings_in(text: &str) -> Vec<(&'static str, String, Vec<String>)> {
    let source = Source::parse(text, Language::GdlPrefix);
    let Syntax::Gdl(description) = &source.syntax else { panic!("not GDL") };
    let game = Game::from_gdl(description).expect("a game");
    let case = Case::new(&game, vec![&source]);
    let judgement = judge(&case, &Options::default(), &Budget::default());
    let below = |finding: &percept_judge::Finding| finding.related.iter().map(|it| it.message.clone()).collect();
    judgement.findings.iter().map(|it| (it.rule.name, it.message.clone(), below(it))).collect()
}

/// A card is drawn, a round goes by, the guesser names it.
fn cards(keeps: &str) -> String {
    format!(
        "(role random) (role guesser) (card ace) (card king) (init (round 1)) (after 1 2) (after 2 3) (after 3 4)
         (<= (legal random (draw ?c)) (card ?c) (true (round 1)))
         (<= (legal random noop) (not (true (round 1))))
         (<= (legal guesser noop) (not (true (round 3))))
         (<= (legal guesser (name ?c)) (card ?c) (true (round 3)))
         (<= (next (drawn ?c)) (does random (draw ?c)))
         {keeps}
         (<= (next (round ?m)) (true (round ?n)) (after ?n ?m))
         (<= (next found) (true (drawn ?c)) (does guesser (name ?c)))
         (<= terminal (true (round 4)))
         (<= (goal guesser 100) (true found))
         (<= (goal guesser 0) (not (true found)))"
    )
}

#[test]
fn a_fluent_that_is_gone_when_it_is_needed_is_the_cause() {
    let findings = findings_in(&cards(""));
    let [(rule, message, below)] = &findings[..] else { panic!("{findings:?}") };
    assert_eq!(*rule, "fluent-not-kept");
    let held = "holds after round 1 and is gone after round 2, and no rule keeps it; if it is to last, add `(<= \
    (next (drawn ?a)) (true (drawn ?a)))`";
    assert!(message.ends_with(held), "{message}");
    assert_eq!(below, &["so this never holds together with the rest of its rule"]);
    assert_eq!(findings_in(&cards("(<= (next (drawn ?c)) (true (drawn ?c)))")), []);
}

#[test]
fn who_cannot_move_for_what_is_lost_is_told_below() {
    let hand = |keeps: &str| {
        format!(
            "(role r) (init (hand 1)) (init (hand 2)) (init (round 1)) (after 1 2) (after 2 3)
             (<= (legal r (play ?c)) (true (hand ?c)))
             {keeps}
             (<= (next (round ?m)) (true (round ?n)) (after ?n ?m))
             (<= terminal (true (round 3))) (<= (goal r 100) (true (round 3)))
             (<= (goal r 0) (not (true (round 3))))"
        )
    };
    let findings = findings_in(&hand(""));
    assert_eq!(findings[0].0, "fluent-not-kept", "{findings:?}");
    assert!(
        findings[0].1.starts_with("`(hand 2)` holds when the match begins and is gone after round 1"),
        "{findings:?}"
    );
    assert_eq!(findings[0].2, ["so it has no legal move after round 1"]);
    assert_eq!(findings_in(&hand("(<= (next (hand ?c)) (true (hand ?c)) (not (does r (play ?c))))")), []);
}

#[test]
fn where_nothing_follows_the_last_count_the_missing_fact_is_told() {
    let findings = findings_in(&cards("(<= (next (drawn ?c)) (true (drawn ?c)))").replace("(after 2 3)", ""));
    let reasons = findings.iter().flat_map(|(_, _, below)| below);
    assert!(reasons.into_iter().any(|below| below.starts_with("`(after 2 ?")), "{findings:?}");
}

#[test]
fn two_conditions_that_exclude_each_other_are_both_named() {
    let text = cards("(<= (next (drawn ?c)) (true (drawn ?c)))")
        + "(<= (next shown) (true (drawn ?c)) (true (round 2)) (does guesser (name ?c)))
           (<= (goal guesser 50) (true shown) (true found))";
    let findings = findings_in(&text);
    let both = "`(true (round 2))` and `(does guesser (name ?c))` never hold together, in any match";
    assert!(findings.iter().any(|(rule, message, _)| *rule == "dead-rule" && message.ends_with(both)), "{findings:?}");
}

/// A role takes a card in each of three rounds.
fn takes(next: &str, goal: &str) -> String {
    format!(
        "(role r) (role s) (card 1) (card 2) (card 3) (init (round 1)) (after 1 2) (after 2 3) (after 3 4)
         (<= (legal ?r (take ?c)) (role ?r) (card ?c))
         (legal s wait)
         (<= (next (round ?m)) (true (round ?n)) (after ?n ?m))
         {next}
         (<= terminal (true (round 4)))
         (<= (goal ?r 100) (role ?r) {goal})
         (<= (goal ?r 0) (role ?r) (not (rich ?r)))
         (<= (rich ?r) (role ?r) {goal})"
    )
}

#[test]
fn what_is_gathered_for_the_goal_is_kept() {
    let gathers = "(<= (next (took ?r ?c)) (does ?r (take ?c)))";
    let both = "(true (took ?r 1)) (true (took ?r 2))";
    let findings = findings_in(&takes(gathers, both));
    assert!(findings.iter().any(|(rule, message, _)| *rule == "fluent-not-kept" && message.contains("(took ")));
    let any = "(true (took ?r 1))";
    assert_eq!(findings_in(&takes(gathers, any))[0].0, "fluent-not-kept");
    let kept = format!("{gathers} (<= (next (took ?r ?c)) (true (took ?r ?c)))");
    assert_eq!(findings_in(&takes(&kept, any)), []);
    // The last moves alone may decide, and a fluent may be made from the state in each round.
    assert_eq!(findings_in(&takes(gathers, any).replace("(legal s wait)", "")), []);
    let last = "(<= (next (late ?r ?n)) (role ?r) (true (round ?n)))";
    assert_eq!(
        findings_in(&takes(last, "(true (late ?r 3))")).iter().filter(|it| it.0 == "fluent-not-kept").count(),
        0
    );
}

#[test]
fn flags_of_one_round_are_no_fault() {
    let text = cards("(<= (next (drawn ?c)) (true (drawn ?c)))")
        + "(<= (next (heard ?c)) (does random (draw ?c))) (<= (sees guesser (it is ?c)) (true (heard ?c)))";
    assert_eq!(findings_in(&text), []);
}

/// A search of a row of four places, in one of which is a trap and in one a treasure; the seeker goes one place a round.
fn search(keeps: &str) -> String {
    format!(
        "(role random) (role seeker) (place 1) (place 2) (place 3) (place 4)
         (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6) (after 6 7) (init (round 1)) (init (at 1))
         (<= (legal random (hide trap ?p)) (true (round 1)) (place ?p) (distinct ?p 1))
         (<= (legal random (hide treasure ?p)) (true (round 2)) (place ?p) (distinct ?p 1))
         (<= hides (true (round 1))) (<= hides (true (round 2)))
         (<= (legal random noop) (not hides))
         (<= (legal seeker noop) hides)
         (<= (legal seeker (go ?p)) (not hides) (place ?p))
         (<= (next (in ?thing ?p)) (does random (hide ?thing ?p)))
         (<= (next (in treasure ?p)) (true (in treasure ?p)) (not (does seeker (go ?p))))
         {keeps}
         (<= (next (at ?p)) (does seeker (go ?p)))
         (<= (next (at 1)) hides)
         (<= (sees seeker crack) (does seeker (go ?p)) (true (in trap ?p)))
         (<= (sees seeker gleam) (does seeker (go ?p)) (true (in treasure ?p)))
         (<= (next (round ?m)) (true (round ?n)) (after ?n ?m))
         (<= terminal (true (round 7)))
         (<= (goal seeker 100) (true (at ?p)) (true (in treasure ?p)))
         (<= found (true (at ?p)) (true (in treasure ?p)))
         (<= (goal seeker 0) (not found))"
    )
}

#[test]
fn one_kind_of_a_family_may_be_lost_while_another_is_kept() {
    let findings = findings_in(&search(""));
    let messages: Vec<&str> = findings.iter().filter(|it| it.0 == "fluent-not-kept").map(|it| it.1.as_str()).collect();
    let [message] = messages[..] else { panic!("{findings:?}") };
    assert!(message.starts_with("`(in trap ") && message.contains("no rule keeps it"), "{message}");
    let kept = findings_in(&search("(<= (next (in trap ?p)) (true (in trap ?p)))"));
    assert!(kept.iter().all(|it| it.0 != "fluent-not-kept"), "{kept:?}");
}
