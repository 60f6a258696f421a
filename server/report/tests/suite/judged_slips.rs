//! Correct descriptions of our own with one slip each that no rule of the text can detect with certainty: the judge
//! finds it, and its match can be played and shows the finding.
//!
//! A slip is a line `name [rule]: old => new` (`nothing` if it changes no match) in `slips/*.slips`; `\n` is a new
//! line. The correct descriptions are those of the analysis's own slips.

use std::path::PathBuf;

use percept_analysis::{Settings, Severity, check, check_pddl};
use percept_game::PogddlTerminal;
use percept_game::gdl::Grounding;
use percept_game::trace::{self, Trace};
use percept_infoset::Budget;
use percept_judge::Options;
use percept_report::{Finding, Proof, book, game, join, judge};
use percept_syntax::{Language, Source};

fn folder() -> PathBuf {
    percept_test::path("server/report/tests/slips")
}

fn read(name: &str) -> (Language, String) {
    let path = folder().join("../../../analysis/tests/slips").join(name);
    let text = percept_test::read(&path);
    (Language::detect(&path, &text).expect("a description"), text)
}

/// The judge's findings in these texts; each match that shows one is played.
fn judged(texts: &[(Language, String)]) -> Vec<Finding> {
    let sources: Vec<Source> = texts.iter().map(|(language, text)| Source::parse(text.as_str(), *language)).collect();
    let sources: Vec<&Source> = sources.iter().collect();
    let settings = book::knowing(Settings::default());
    let text = match &sources[..] {
        [one] => check(one, &settings),
        _ => check_pddl(Some(sources[0]), Some(sources[1]), &settings),
    };
    let game = game(&sources, PogddlTerminal::NoMoves, &Grounding::default()).expect("a game");
    let bounds = percept_judge::Bounds { states: 20_000, ..percept_judge::Bounds::default() };
    let options = Options { bounds, matches: 60, rounds: 200, ..Options::default() };
    let judged = judge(&game, &sources, &options, &Budget::default());
    let mut found = join(text, &judged, &sources, &settings);
    found.retain(|finding| finding.proof.is_some());
    for finding in &found {
        if let Some(Proof::Witness(witness)) = &finding.proof {
            let read = trace::read(&game, witness.trace.as_bytes());
            assert!(matches!(&read, Ok(Trace::Match(rounds)) if *rounds == witness.rounds), "{read:?}");
        }
    }
    found
}

fn described(texts: &[(Language, String)], found: &[Finding]) -> String {
    let describe = |finding: &Finding| {
        let text = &texts[finding.file.0 as usize].1;
        let line = text[..finding.range.start as usize].matches('\n').count() + 1;
        let (severity, rule) = (finding.severity, finding.rule.name);
        let token: String = text[finding.range.as_usize()].split_whitespace().collect::<Vec<_>>().join(" ");
        format!("  {line}: {severity:?} {rule} `{token}`: {}\n", finding.message)
    };
    found.iter().map(describe).collect()
}

fn slips(list: &str, names: &[&str]) -> String {
    let right: Vec<(Language, String)> = names.iter().map(|name| read(name)).collect();
    let before = judged(&right);
    let mut report = format!("{list}, the right description:\n{}", described(&right, &before));
    assert!(before.iter().all(|finding| finding.severity < Severity::Error), "{report}");
    let text = percept_test::read(folder().join(list));
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let (name, change) = line.split_once("]: ").unwrap_or_else(|| panic!("no rule in {line}"));
        let (name, rule) = name.split_once(" [").expect("a rule");
        let (old, new) = change.split_once(" => ").unwrap_or((change.trim_end_matches(" =>"), ""));
        let (old, new) = (old.replace("\\n", "\n"), new.replace("\\n", "\n"));
        let mut texts = right.clone();
        let place = texts.iter().position(|(_, text)| text.contains(&old)).unwrap_or_else(|| panic!("no {old:?}"));
        texts[place].1 = texts[place].1.replacen(&old, &new, 1);
        let mut found = judged(&texts);
        found.retain(|finding| before.iter().all(|other| other.message != finding.message));
        report.push_str(&format!("{list} {name}:\n{}", described(&texts, &found)));
        let is_as_said = match rule {
            "nothing" => found.is_empty(),
            rule => found.iter().any(|finding| finding.rule.name == rule),
        };
        assert!(is_as_said, "{name}: {rule} is said, and here is\n{report}");
    }
    report
}

#[test]
fn the_judge_finds_what_the_text_does_not_show() {
    let mut report = slips("cups.slips", &["cups.kif"]);
    report += &slips("gops.slips", &["../../../../games/gops/gops.pog", "../../../../games/gops/gops-2-10.pog"]);
    expect_test::expect_file!["../slips.expect"].assert_eq(&report);
}
