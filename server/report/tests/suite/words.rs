//! Words of moves and percepts on the pages of editors.

use percept_game::{Game, RoleId};
use percept_infoset::{Budget, ObserveOptions, Property, observe};
use percept_report::board::Layout;
use percept_report::page::{Page, text, verdicts};
use percept_report::place::InEditor;
use percept_report::verdict::{MatchVerdict, Pair};
use percept_report::{names, pair, words};
use percept_syntax::{Language, Source};
use percept_test::gdl;

/// Ann may take only the side that fell, and hears only that the coin has fallen.
const COIN: &str = "; percept: say (toss ?c) \"let ?c fall\"
; percept: say (take ?c) \"choose ?c\"
; percept: say (sees ann fallen) \"a coin on the floor\"
(role random) (role ann) (side heads) (side tails) (init (at 1))
(<= (legal random (toss ?c)) (side ?c) (true (at 1))) (<= (legal random noop) (true (at 2)))
(<= (legal ann noop) (true (at 1))) (<= (legal ann (take ?c)) (true (coin ?c)))
(<= (next (coin ?c)) (does random (toss ?c))) (<= (next (at 2)) (true (at 1))) (<= (next (at 3)) (true (at 2)))
(<= (sees ann fallen) (does random (toss ?c)))
(<= terminal (true (at 3))) (goal ann 100) (goal random 0)";

fn lines(page: &Page) -> String {
    page.lines.iter().map(|line| text(line) + "\n").collect()
}

#[test]
fn a_pair_of_histories_is_in_words_and_its_data_in_terms() {
    let (game, source): (Game, Source) = (gdl(COIN), Source::parse(COIN, Language::GdlPrefix));
    let layout = Layout::new(&game, &[&source]);
    let state = game.rules.initial();
    let joint = game.role_ids().map(|role| game.rules.legal(&state, role)[0]).collect();
    let observed = observe(&game, &[joint], &ObserveOptions::default(), &Budget::default()).expect("a match");
    let finding = observed.findings.iter().find(|it| it.property == Property::Legal && it.round == 1);
    let finding = finding.expect("ann does not know her moves");
    let verdict: MatchVerdict<InEditor> = MatchVerdict::new(&game, &layout.speech, finding);
    let percept_infoset::Verdict::Unknown(witness) = &finding.verdict else { panic!("{finding:?}") };
    let sentence = words::unknown(&game, &layout.speech, finding.role, finding.property, witness);
    assert!(sentence.contains("it may choose ") && !sentence.contains("(take "), "{sentence}");
    let found: &Pair<InEditor> = verdict.witness.as_ref().expect("two histories");
    assert!(found.first[0][0].starts_with("(toss "), "{found:?}");
    let frames = pair::frames(&game, &layout, RoleId(1), &witness.first, &witness.second);
    let roles: Vec<String> = game.roles.iter().map(|it| it.name.clone()).collect();
    let mut page = Page::default();
    let lack = verdicts::lacking(std::slice::from_ref(&verdict)).next().expect("a lack");
    verdicts::pair(&mut page, lack, &roles, Some(&frames), Some(1), 120);
    let shown = lines(&page);
    assert!(shown.contains("let heads fall") && shown.contains("it may choose "), "{shown}");
    assert!(shown.contains("sees a coin on the floor") && !shown.contains("(toss "), "{shown}");
    assert_eq!(names::rounds(&game, &layout.speech, &witness.first).len(), 1);
}
