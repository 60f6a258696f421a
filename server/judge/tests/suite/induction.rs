//! Rules that can never fire in games with too many states to visit: proved by induction.

use percept_game::Game;
use percept_infoset::Budget;
use percept_judge::{Case, Evidence, Options, judge};
use percept_syntax::{Language, Source, Syntax};

/// Two players by turns, and `switches`; each move turns any of them on or off.
fn switches(switches: usize, more: &str) -> String {
    let mut text = String::from(
        "(role a) (role b) (init (turn a)) (init (round 0))
        (<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))
        (<= (legal ?r (flip ?n)) (switch ?n) (true (turn ?r)))
        (<= (legal a wait) (true (turn b))) (<= (legal b wait) (true (turn a)))
        (<= (next (on ?n)) (does ?r (flip ?n)) (not (true (on ?n))))
        (<= (next (on ?n)) (true (on ?n)) (not (flipped ?n)))
        (<= (flipped ?n) (does ?r (flip ?n)))
        (<= (next (round ?n)) (true (round ?m)) (succ ?m ?n))
        (<= terminal (true (round 40)))
        (goal a 50) (goal b 50)\n",
    );
    (0..40).for_each(|n| text += &format!("(succ {n} {})", n + 1));
    (0..switches).for_each(|n| text += &format!("(switch s{n})"));
    text + more
}

fn dead(text: &str) -> Vec<(String, bool)> {
    proved(text, "dead-rule")
}

/// The messages of a rule, and whether each is proved by induction.
fn proved(text: &str, rule: &str) -> Vec<(String, bool)> {
    let source = Source::parse(text, Language::GdlPrefix);
    assert!(source.errors.is_empty(), "{:?}", source.errors);
    let Syntax::Gdl(description) = &source.syntax else { panic!("not GDL") };
    let game = Game::from_gdl(description).expect("a game");
    let case = Case::new(&game, vec![&source]);
    let judgement = judge(&case, &Options { matches: 50, ..Options::default() }, &Budget::default());
    assert!(!judgement.extent.every_state);
    let of_rule = judgement.findings.into_iter().filter(|finding| finding.rule.name == rule);
    let is_induction = |evidence: &Evidence| matches!(evidence, Evidence::Proof(why) if why.contains("induction"));
    of_rule.map(|finding| (finding.message.clone(), is_induction(&finding.evidence))).collect()
}

#[test]
fn what_two_turns_at_once_would_show_is_never_seen() {
    let both = "(<= (sees a both) (true (turn a)) (true (turn b)))";
    let found = dead(&switches(24, both));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].0.starts_with("this rule gives no percept"), "{found:?}");
    assert!(found[0].1, "{found:?}");
}

/// All switches on: no random match shows it, and nothing forbids it.
#[test]
fn what_only_a_clever_match_shows_is_not_dead() {
    let all: String = (0..16).map(|n| format!("(true (on s{n}))")).collect();
    assert_eq!(dead(&switches(16, &format!("(<= (sees a all) {all})"))), []);
}

#[test]
fn an_alternative_that_never_holds_is_told_and_not_its_rule() {
    let odd =
        "(<= (sees a odd) (true (turn b)) (or (true (on s0)) (true (turn a)) (and (true (on s1)) (true (on s2)))))";
    let found = dead(&switches(24, odd));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].0.contains("this alternative never holds"), "{found:?}");
    assert!(found[0].1, "{found:?}");
}

#[test]
fn what_comes_in_every_round_is_told() {
    let tick = "(<= (sees a tick) (or (true (turn a)) (true (turn b)))) (<= (sees b tick) (or (true (on s0)) (true (turn a))))";
    let found = proved(&switches(24, tick), "constant-percept");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].0.starts_with("`a` perceives `tick`"), "{found:?}");
    assert!(found[0].1, "{found:?}");
}
