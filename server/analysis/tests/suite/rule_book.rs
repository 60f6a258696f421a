//! Every page of the rule book: its bad examples get exactly its rule, its good examples no finding.

use percept_analysis::{Diagnostic, FileId, Rule, Settings, check, check_pddl, rules};
use percept_syntax::{Charset, Language, Source};
use percept_test::pages::{self, blocks};

/// The game around an example marked `gdl fragment`.
const CONTEXT: &str = "
(role white)
(role black)
(init (step 1))
(init (control white))
(index 1)
(index 2)
(succ 1 2)
(succ 2 3)
(<= (legal ?r pass) (role ?r))
(<= (legal ?r (mark ?n)) (true (control ?r)) (index ?n))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (next (marked ?r ?n)) (does ?r (mark ?n)))
(<= (next (marked ?r ?n)) (true (marked ?r ?n)))
(<= (next (control black)) (true (control white)))
(<= (next (control white)) (true (control black)))
(<= terminal (true (step 3)))
(<= (goal ?r 100) (true (marked ?r 2)))
(<= (goal ?r 0) (role ?r) (not (true (marked ?r 2))))
(<= (sees ?r (did ?q ?m)) (role ?r) (does ?q ?m))
";

/// Runs the examples under a heading. `pddl` blocks belong together: the first is the domain, the second the problem.
fn findings(page: &str, heading: &str) -> Vec<Vec<Diagnostic>> {
    let blocks = blocks(page, heading);
    let (pddl, gdl): (Vec<_>, Vec<_>) = blocks.into_iter().partition(|(language, _)| language.starts_with("pddl"));
    let mut runs = Vec::new();
    for (language, text) in gdl {
        let charset = if language == "gdl latin-1" { Charset::Latin1 } else { Charset::Utf8 };
        let (language, text) = match language.as_str() {
            "gdl" | "gdl latin-1" => (Language::GdlPrefix, text),
            "gdl fragment" => (Language::GdlPrefix, format!("{text}{CONTEXT}")),
            "hrf" => (Language::GdlInfix, text),
            other => panic!("an example in {other:?}"),
        };
        let source = Source { charset, ..Source::parse(text, language) };
        runs.push(check(&source, &Settings::default()));
    }
    for pair in pddl.chunks(2) {
        let sources: Vec<Source> =
            pair.iter().map(|(_, text)| Source::parse(text.as_str(), Language::Pogddl)).collect();
        let is_problem = |text: &str| text.contains("(problem");
        runs.push(match &sources[..] {
            [one] if is_problem(&pair[0].1) => check_pddl(None, Some(one), &Settings::default()),
            [one] => check_pddl(Some(one), None, &Settings::default()),
            [domain, problem] => check_pddl(Some(domain), Some(problem), &Settings::default()),
            _ => unreachable!(),
        });
    }
    runs
}

fn describe(list: &[Diagnostic]) -> String {
    let line = |d: &Diagnostic| format!("  {} {:?} in file {}: {}\n", d.rule.name, d.range, d.file.0, d.message);
    list.iter().map(line).collect()
}

fn faults(rule: &Rule) -> Vec<String> {
    let mut faults = pages::faults(rule.name, rule.page);
    let (bad, good) = (findings(rule.page, "Bad"), findings(rule.page, "Good"));
    for list in bad {
        if list.len() != 1 || list[0].rule.name != rule.name {
            faults.push(format!("{}: the bad example gets\n{}", rule.name, describe(&list)));
        }
    }
    for list in good.into_iter().filter(|list| !list.is_empty()) {
        faults.push(format!("{}: the good example gets\n{}", rule.name, describe(&list)));
    }
    faults
}

#[test]
fn pages_hold_what_they_say() {
    let faults: Vec<String> = rules::all().iter().flat_map(|rule| faults(rule)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn names_are_kebab_case_and_unique() {
    pages::assert_names(rules::all().iter().map(|rule| rule.name).collect());
}

#[test]
fn the_context_of_the_examples_is_right() {
    let list = check(&Source::parse(CONTEXT, Language::GdlPrefix), &Settings::default());
    assert!(list.is_empty(), "{}", describe(&list));
    assert_eq!(FileId::default(), FileId(0));
}
