//! The repairs of findings about POGDDL games: the one that undoes the slip is among them.

use percept_game::{Game, PogddlOptions};
use percept_infoset::Budget;
use percept_judge::{Case, Finding, Fix, Options, judge};
use percept_syntax::{Language, Source};

/// One role is dealt a coin, then two roles bet in turn; the second bet pays.
const GAME: &str = "(define (domain coins)
  (:requirements :typing :negative-preconditions :pogddl)
  (:types role coin other)
  (:constants chance p1 p2 - role red blue - coin all - other)
  (:predicates (whoseturn ?r - role) (free ?c - coin) (dealt ?c - coin) (bet ?r - role ?c - coin) (over))
  (:action deal :parameters (?c - coin)
    :precondition (and (whoseturn chance) (free ?c) (not (over)))
    :effect (and (not (free ?c)) (dealt ?c) (not (whoseturn chance)) (whoseturn p1) (observe (all (deal ?c)))))
  (:action first :parameters (?c - coin)
    :precondition (whoseturn p1)
    :effect (and (bet p1 ?c) (not (whoseturn p1)) (whoseturn p2) (observe (all (first ?c)))))
  (:action second :parameters (?c - coin)
    :precondition (and (whoseturn p2) (dealt ?c) (not (over)))
    :effect (and (bet p2 ?c) (not (whoseturn p2)) (over) (observe (all (second ?c)))))
  (:gain ?p - role 1 (and (over) (bet ?p red))))
(define (problem game) (:domain coins) (:init (whoseturn chance) (free red) (free blue)))";

fn findings_in(text: &str) -> Vec<Finding> {
    let source = Source::parse(text, Language::Pogddl);
    assert!(source.errors.is_empty(), "{:?}", source.errors);
    let (domain, problem) = (source.domain().expect("a domain"), source.problem().expect("a problem"));
    let game = Game::from_pogddl(domain, problem, &PogddlOptions::default()).expect("a game");
    let case = Case::new(&game, vec![&source, &source]);
    judge(&case, &Options::default(), &Budget::default()).findings
}

fn repaired(text: &str, fix: &Fix) -> String {
    let mut edits = fix.edits.clone();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.range.start));
    let mut text = text.to_string();
    edits.iter().for_each(|edit| text.replace_range(edit.range.as_usize(), &edit.insert));
    text
}

/// The title of the first repair after which a game with this slip has no finding; the rule must have reported it.
fn way_out(rule: &str, right: &str, wrong: &str) -> Option<String> {
    assert!(GAME.contains(right), "{right}");
    let text = GAME.replacen(right, wrong, 1);
    let findings = findings_in(&text);
    let rules: Vec<&str> = findings.iter().map(|finding| finding.rule.name).collect();
    let finding = findings
        .iter()
        .find(|finding| finding.rule.name == rule)
        .unwrap_or_else(|| panic!("{rule} is not in {rules:?}: {wrong}"));
    let ended = finding.fixes.iter().find(|fix| findings_in(&repaired(&text, fix)).is_empty());
    ended.map(|fix| fix.title.clone())
}

#[test]
fn a_repair_undoes_the_slip() {
    assert_eq!(findings_in(GAME).iter().map(|finding| finding.rule.name).collect::<Vec<_>>(), Vec::<&str>::new());
    let deal = "(whoseturn chance) (free ?c) (not (over))";
    let cases = [
        ("over-at-start", ":init (whoseturn chance)", ":init", "Add `(whoseturn chance)` to `:init`"),
        ("over-at-start", deal, "(whoseturn chance) (free ?c) (over)", "Write `(not (over))`"),
        ("over-at-start", deal, "(not (whoseturn chance)) (free ?c)", "Write `(whoseturn chance)`"),
        ("two-turns", ":init", ":init (whoseturn p2)", "Remove `(whoseturn p2)`"),
        (
            "two-turns",
            "(not (whoseturn p1)) (whoseturn p2)",
            "(whoseturn p2)",
            "Add `(not (whoseturn p1))` to the effect of `first`",
        ),
        (
            "two-turns",
            "(not (whoseturn chance)) (whoseturn p1)",
            "(whoseturn chance) (whoseturn p1)",
            "Write `(not (whoseturn chance))`",
        ),
        ("lost-turn", "(whoseturn p1) (observe", "(observe", "Add `(whoseturn p1)` to the effect of `deal`"),
        (
            "dead-action",
            "(whoseturn p2) (dealt ?c) (not (over))",
            "(whoseturn p2) (dealt ?c) (over)",
            "Write `(not (over))`",
        ),
        (
            "unseen-own-move",
            " (observe (all (first ?c)))",
            "",
            "Add `(observe (p1 (first ?c)))` to the effect of `first`",
        ),
    ];
    for (rule, right, wrong, title) in cases {
        assert_eq!(way_out(rule, right, wrong).as_deref(), Some(title), "{rule}: {wrong}");
    }
}
