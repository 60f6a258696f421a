//! Every page of the judge's rule book: its bad examples get exactly its rule, with a match that does show it or a
//! proof; its good examples get nothing.

use percept_analysis::{Settings, Severity, check, check_pddl};
use percept_game::gdl::Grounding;
use percept_game::trace::{self, Trace};
use percept_game::{Game, PogddlTerminal};
use percept_infoset::Budget;
use percept_judge::Options;
use percept_report::{Finding, Proof, book, game, join, judge, refusals};
use percept_syntax::{Language, Source};
use percept_test::pages::{self, blocks};

/// The games under a heading: a `gdl` block each, or a `pddl` block with the domain and one with the problem.
fn games(page: &str, heading: &str) -> Vec<Vec<Source>> {
    let (pddl, gdl): (Vec<_>, Vec<_>) = blocks(page, heading).into_iter().partition(|(word, _)| word == "pddl");
    let single = gdl.into_iter().map(|(_, text)| vec![Source::parse(text, Language::GdlPrefix)]);
    let parse = |(_, text): &(String, String)| Source::parse(text.as_str(), Language::Pogddl);
    single.chain(pddl.chunks(2).map(|pair| pair.iter().map(parse).collect())).collect()
}

fn judged(sources: &[Source]) -> (Option<Game>, Vec<Finding>) {
    let all: Vec<&Source> = sources.iter().collect();
    let settings = book::knowing(Settings::default());
    let text = match &all[..] {
        [one] => check(one, &settings),
        _ => check_pddl(Some(all[0]), Some(all[1]), &settings),
    };
    let game = game(&all, PogddlTerminal::NoMoves, &Grounding::default());
    let judged = match &game {
        Some(game) => judge(game, &all, &Options::default(), &Budget::default()),
        None => refusals(&all, &Budget::default()),
    };
    let mut found = join(text, &judged, &all, &settings);
    assert!(found.iter().all(|finding| finding.proof.is_some() || finding.severity < Severity::Error));
    found.retain(|finding| finding.proof.is_some());
    (game, found)
}

fn describe(list: &[Finding]) -> String {
    let line = |it: &Finding| format!("  {} {:?} in file {}: {}\n", it.rule.name, it.range, it.file.0, it.message);
    list.iter().map(line).collect()
}

/// True if the match that shows a finding can be played as written.
fn replays(game: Option<&Game>, finding: &Finding) -> bool {
    match &finding.proof {
        Some(Proof::Witness(witness)) => {
            game.is_some_and(|game| matches!(trace::read(game, witness.trace.as_bytes()), Ok(Trace::Match(rounds)) if rounds == witness.rounds))
        }
        Some(Proof::Reason(reason)) => !reason.is_empty(),
        None => false,
    }
}

#[test]
fn pages_hold_what_they_say() {
    let mut faults = Vec::new();
    for rule in percept_judge::rules::all() {
        faults.extend(pages::faults(rule.name, rule.page));
        let (bad, good) = (games(rule.page, "Bad"), games(rule.page, "Good"));
        for sources in bad {
            let (game, found) = judged(&sources);
            if found.len() != 1 || found[0].rule.name != rule.name {
                faults.push(format!("{}: the bad example gets\n{}", rule.name, describe(&found)));
            }
            if !found.iter().all(|finding| replays(game.as_ref(), finding)) {
                faults.push(format!("{}: the match that shows it cannot be played", rule.name));
            }
        }
        for sources in good {
            let (_, found) = judged(&sources);
            if !found.is_empty() {
                faults.push(format!("{}: the good example gets\n{}", rule.name, describe(&found)));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn names_are_unique_and_kebab_case() {
    pages::assert_names(book::all().iter().map(|rule| rule.name).collect());
}

#[test]
fn a_comment_and_settings_silence_the_judge() {
    let bad = games(book::find("no-goal").expect("a rule").page, "Bad").remove(0).remove(0);
    let with = |comment: &str| {
        let text = format!("; percept: {comment}(no-goal)\n{}", bad.text);
        judged(&[Source::parse(text, Language::GdlPrefix)]).1
    };
    assert_eq!(with("speak").len(), 1);
    assert_eq!(with("allow-file").len(), 0);
    let settings = book::knowing(Settings::from_toml("allow = [\"no-goal\"]").expect("settings"));
    assert_eq!(settings.unknown_rules(), Vec::<&str>::new());
    let game = game(&[&bad], PogddlTerminal::NoMoves, &Grounding::default()).expect("a game");
    let judged = judge(&game, &[&bad], &Options::default(), &Budget::default());
    assert_eq!(judged.len(), 1);
    let found = join(Vec::new(), &judged, &[&bad], &settings);
    assert!(found.is_empty(), "{}", describe(&found));
}
