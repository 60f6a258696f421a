//! A finding that is new since an older text names the statement that was removed or changed.

use percept_analysis::Settings;
use percept_game::PogddlTerminal;
use percept_game::gdl::Grounding;
use percept_infoset::Budget;
use percept_judge::Options;
use percept_report::changes::{Changes, Kind, Since};
use percept_report::{Finding, book, game, join, judge, workspace};
use percept_syntax::{Language, Source};

/// A toss, one round of waiting, and a guess.
const TOSS: &str = "(role random)\n(role guesser)\n(side heads)\n(side tails)\n(init (step 1))\n\
    (<= (legal random (toss ?s)) (side ?s) (true (step 1)))\n(<= (legal random noop) (not (true (step 1))))\n\
    (<= (legal guesser noop) (not (true (step 3))))\n(<= (legal guesser (say ?s)) (side ?s) (true (step 3)))\n\
    (<= (next (fell ?s)) (does random (toss ?s)))\n\
    (<= (next (fell ?s)) ; kept\n    (true (fell ?s)))\n\
    (<= (next (step 2)) (true (step 1)))\n(<= (next (step 3)) (true (step 2)))\n(<= (next (step 4)) (true (step 3)))\n\
    (<= (next right) (true (fell ?s)) (does guesser (say ?s)))\n\
    (<= (sees guesser right) (true (fell ?s)) (does guesser (say ?s)))\n(<= terminal (true (step 4)))\n\
    (<= (goal guesser 100) (true right))\n(<= (goal guesser 0) (not (true right)))\n";
const KEPT: &str = "(<= (next (fell ?s)) ; kept\n    (true (fell ?s)))\n";

fn findings_in(sources: &[&Source]) -> Vec<Finding> {
    let settings = book::knowing(Settings::default());
    let text = workspace::findings(sources, &settings);
    let Some(game) = game(sources, PogddlTerminal::default(), &Grounding::default()) else {
        return join(text, &[], sources, &settings);
    };
    let options = Options { matches: 60, rounds: 200, ..Options::default() };
    let judged = judge(&game, sources, &options, &Budget::default());
    join(text, &judged, sources, &settings)
}

/// The findings in the new texts, with the changes since the old ones.
fn named(old: &[Source], now: &[Source]) -> Vec<Finding> {
    let (old, now): (Vec<&Source>, Vec<&Source>) = (old.iter().collect(), now.iter().collect());
    let mut findings = findings_in(&now);
    if let Some(changes) = Changes::new(&old, &now, Since::Commit) {
        percept_report::name_changes(&changes, &mut findings, || Some(findings_in(&old)));
    }
    findings
}

fn of_gdl(old: &str, now: &str) -> Vec<Finding> {
    let parse = |text: &str| Source::parse(text, Language::GdlPrefix);
    named(&[parse(old)], &[parse(now)])
}

fn message<'a>(findings: &'a [Finding], rule: &str) -> Option<&'a str> {
    let finding = findings.iter().find(|it| it.rule.name == rule).unwrap_or_else(|| panic!("{rule}: {findings:#?}"));
    finding.change.as_ref().map(|change| &*change.message)
}

#[test]
fn a_removed_rule_is_named_beside_the_fluent_that_it_kept() {
    let lost = TOSS.replace(KEPT, "");
    // Another rule, which the finding is not about, is also removed.
    let lost = lost.replace("(side tails)\n", "");
    let expected = "a rule was removed since the last commit: `(<= (next (fell ?s)) (true (fell ?s)))`";
    assert_eq!(message(&of_gdl(TOSS, &lost), "fluent-not-kept"), Some(expected));
    // The old text has the same mistake, so the change is not its cause.
    let other = lost.replace("(<= (goal guesser 0) (not (true right)))", "(<= (goal guesser 1) (not (true right)))");
    assert_eq!(message(&of_gdl(&lost, &other), "fluent-not-kept"), None);
}

#[test]
fn a_changed_rule_is_named_with_its_old_text_and_layout_is_no_change() {
    let other = TOSS.replace(KEPT, "(<= (next (fell ?x)) (true (fell ?x)) (true (step 1)))\n");
    let findings = of_gdl(TOSS, &other);
    let expected = "a rule was changed since the last commit; it was `(<= (next (fell ?s)) (true (fell ?s)))`";
    assert_eq!(message(&findings, "dead-rule"), Some(expected));
    let change = findings.iter().find_map(|it| it.change.as_ref()).expect("a change");
    let place = change.place.expect("the new rule");
    assert_eq!(
        (change.kind, &other[place.range.as_usize()]),
        (Kind::Changed, "(<= (next (fell ?x)) (true (fell ?x)) (true (step 1)))")
    );
    let laid_out = TOSS.replace(KEPT, "(<= (next (fell ?side))\n (true (fell ?side)))");
    let (old, now) = (Source::parse(TOSS, Language::GdlPrefix), Source::parse(laid_out.as_str(), Language::GdlPrefix));
    assert!(Changes::new(&[&old], &[&now], Since::Commit).is_none());
    // A syntax error hides statements: nothing is said to be removed.
    let broken = Source::parse(TOSS.replace("(true right)))\n", "(true right))\n"), Language::GdlPrefix);
    assert!(!broken.errors.is_empty());
    assert!(Changes::new(&[&old], &[&broken], Since::Commit).is_none());
}

#[test]
fn a_removed_effect_is_named_beside_the_turns_that_it_ended() {
    let read = |name: &str| percept_test::read(percept_test::games().join("poker").join(name));
    let (domain, problem) = (read("poker.pog"), read("king-and-jack.pog"));
    let parse = |text: &str| Source::parse(text, Language::Pogddl);
    let with = |domain: &str, problem: &str| {
        named(&[parse(&read("poker.pog")), parse(&read("king-and-jack.pog"))], &[parse(domain), parse(problem)])
    };
    let lost = domain.replacen("(not (whoseturn p1))\n", "\n", 1);
    let expected = "an effect of `p1-choose` was removed since the last commit: `(not (whoseturn p1))`";
    assert_eq!(message(&with(&lost, &problem), "two-turns"), Some(expected));
    let stuck = problem.replacen("(whoseturn chance)", "", 1);
    let expected = "an initial fact was removed since the last commit: `(whoseturn chance)`";
    let findings = with(&domain, &stuck);
    assert!(
        findings.iter().any(|it| it.change.as_ref().is_some_and(|change| change.message == expected)),
        "{findings:#?}"
    );
}
