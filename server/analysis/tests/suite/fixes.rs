//! Applies every fix to a copy of its file and checks the copy: the finding is gone, and there is no new one.

use std::collections::BTreeMap;

use percept_analysis::{Diagnostic, FileId, Severity, rules};
use percept_syntax::Language;
use percept_test::{entries, file_name, read};

use crate::support::{Texts, findings, fixed};

fn counts(list: &[Diagnostic]) -> BTreeMap<(&'static str, &str), usize> {
    let mut counts = BTreeMap::new();
    for finding in list {
        *counts.entry((finding.rule.name, finding.message.as_str())).or_insert(0) += 1;
    }
    counts
}

/// The faults in the fixes of a case.
fn faults(name: &str, case: &Texts) -> Vec<String> {
    let before = findings(case);
    let old = counts(&before);
    let mut faults = Vec::new();
    for finding in &before {
        for (rank, fix) in finding.fixes.iter().enumerate() {
            let after = findings(&fixed(case, fix));
            let new = counts(&after);
            let key = (finding.rule.name, finding.message.as_str());
            if new.get(&key).copied().unwrap_or(0) >= old[&key] {
                faults.push(format!("{name}: {} is still there after `{}`: {}", key.0, fix.title, key.1));
            }
            // A hint or warning may follow: a name that was read before the fix is used after it, or the other way
            // round. An undeclared type hides errors of type; and only the first fix claims to match the author's
            // intention.
            if rank > 0 || finding.rule.name == "unknown-type" {
                continue;
            }
            let worse = after.iter().filter(|it| it.severity == Severity::Error);
            let worse = worse.filter(|it| !old.contains_key(&(it.rule.name, it.message.as_str())));
            faults.extend(
                worse.map(|it| format!("{name}: after `{}` of {}: {} {}", fix.title, key.0, it.rule.name, it.message)),
            );
        }
    }
    faults
}

/// The first bad example of a rule's page.
fn bad_example(page: &str) -> Option<Texts> {
    let bad = &page[page.find("## Bad")?..page.find("## Good")?];
    let mut case = Texts::new();
    for block in bad.split("```").skip(1).step_by(2) {
        let (kind, text) = block.split_once('\n')?;
        let language = match kind.trim() {
            "gdl" => Language::GdlPrefix,
            "hrf" => Language::GdlInfix,
            "pddl" => Language::Pogddl,
            // These examples are incomplete by themselves; the fixtures cover them.
            _ => return None,
        };
        case.push((language, text.to_string()));
    }
    case.truncate(if case.first()?.0 == Language::Pogddl { 2 } else { 1 });
    Some(case)
}

#[test]
fn fixes_of_the_rule_book_repair() {
    let cases = rules::all().iter().filter_map(|rule| Some((rule.name, bad_example(rule.page)?)));
    let faults: Vec<String> = cases.flat_map(|(name, case)| faults(name, &case)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_parenthesis_that_is_there_is_not_added() {
    let whole = "(role a)\n(init (step 1))\n(<= (legal a m) (true (step 1))) ; moves\n(<= terminal (true (step 1)))\n(goal a 100)\n";
    let slips = [("(init (step 1))", "(init step 1))"), ("(true (step 1))) ;", "(true step 1))) ;")];
    for (right, wrong) in slips {
        let case: Texts = vec![(Language::GdlPrefix, whole.replacen(right, wrong, 1))];
        let fixes: Vec<_> = findings(&case).into_iter().flat_map(|finding| finding.fixes).collect();
        let texts: Vec<String> = fixes.iter().map(|fix| fixed(&case, fix)[0].1.clone()).collect();
        assert_eq!(texts, [whole], "{wrong}");
    }
}

#[test]
fn fixes_of_the_fixtures_repair() {
    let mut count = 0;
    let mut all = Vec::new();
    for folder in ["gdl", "pogddl"] {
        for path in entries(percept_test::path("server/analysis/tests/fixtures").join(folder)) {
            let text = read(&path);
            let language = Language::detect(&path, &text).expect("a description");
            let case = vec![(language, text)];
            count += findings(&case).iter().map(|finding| finding.fixes.len()).sum::<usize>();
            all.extend(faults(&file_name(&path), &case));
        }
    }
    assert!(count > 40, "only {count} fixes were tried");
    assert!(all.is_empty(), "{}", all.join("\n"));
    assert_eq!(FileId::default(), FileId(0));
}
