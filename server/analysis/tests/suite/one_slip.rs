//! Correct descriptions of our own with one mistake each: exactly one finding reports it, and its first fix, if it has
//! one, leaves no finding.
//!
//! `slips.expect` lists the findings of each. A mistake is a line `name: old => new` in `slips/*.slips`; `\n` is a new
//! line.

use std::collections::BTreeMap;
use std::path::PathBuf;

use percept_analysis::{Diagnostic, Severity};
use percept_syntax::Language;

use crate::support::{Texts, findings, fixed};

fn folder() -> PathBuf {
    percept_test::path("server/analysis/tests/slips")
}

fn read(name: &str) -> (Language, String) {
    let path = folder().join(name);
    let text = percept_test::read(&path);
    (Language::detect(&path, &text).expect("a description"), text)
}

/// The findings above the level of a hint.
fn findings_of(texts: &Texts) -> Vec<Diagnostic> {
    findings(texts).into_iter().filter(|finding| finding.severity > Severity::Hint).collect()
}

/// The findings that are not in `before`.
fn new_findings(texts: &Texts, before: &[Diagnostic]) -> Vec<Diagnostic> {
    let mut counts: BTreeMap<(&str, String), usize> = BTreeMap::new();
    for finding in before {
        *counts.entry((finding.rule.name, finding.message.clone())).or_default() += 1;
    }
    let mut all = findings_of(texts);
    all.retain(|finding| match counts.get_mut(&(finding.rule.name, finding.message.clone())) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    });
    all
}

fn describe(texts: &Texts, finding: &Diagnostic) -> String {
    let text = &texts[finding.file.0 as usize].1;
    let line = text[..finding.range.start as usize].matches('\n').count() + 1;
    let token: String = text[finding.range.as_usize()].split_whitespace().collect::<Vec<_>>().join(" ");
    let token: String = token.chars().take(40).collect();
    let file = if texts.len() > 1 { ["domain ", "problem "][finding.file.0 as usize] } else { "" };
    format!("  {file}{line}: {:?} {} `{token}`: {}\n", finding.severity, finding.rule.name, finding.message)
}

/// Makes every mistake of a list. Returns the findings, and the cases that are not as they should be.
fn make(list: &str, names: &[&str]) -> (String, Vec<String>) {
    let right: Texts = names.iter().map(|name| read(name)).collect();
    let before = findings_of(&right);
    let (mut report, mut faults) = (String::new(), Vec::new());
    let slips = percept_test::read(folder().join(list));
    for line in slips.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let (name, change) = line.split_once(": ").unwrap_or_else(|| panic!("no name in {line}"));
        // A name with a `?` marks a mistake that is known to get several findings, or none.
        let (name, hard) = match name.strip_suffix('?') {
            Some(name) => (name, true),
            None => (name, false),
        };
        let (old, new) = change.split_once(" => ").unwrap_or((change.trim_end_matches(" =>"), ""));
        let (old, new) = (old.replace("\\n", "\n"), new.replace("\\n", "\n"));
        let mut texts = right.clone();
        let place = texts.iter().position(|(_, text)| text.contains(&old)).unwrap_or_else(|| panic!("no {old:?}"));
        let at = texts[place].1.find(&old).unwrap_or_default();
        texts[place].1.replace_range(at..at + old.len(), &new);
        let line = texts[place].1[..at].matches('\n').count() + 1;
        let found = new_findings(&texts, &before);
        report.push_str(&format!("{list} {name}, line {line}:\n"));
        found.iter().for_each(|finding| report.push_str(&describe(&texts, finding)));
        if found.len() != 1 && !hard {
            faults.push(format!("{list} {name}: {} findings", found.len()));
        }
        let Some(fix) = found.first().and_then(|finding| finding.fixes.first()).filter(|_| found.len() == 1) else {
            continue;
        };
        let repaired = fixed(&texts, fix);
        let left = new_findings(&repaired, &before);
        report.push_str(&format!(
            "  {}{}\n",
            fix.title,
            if repaired[place].1 == right[place].1 { ": as it was" } else { "" }
        ));
        for finding in left {
            faults.push(format!("{list} {name}: `{}` leaves{}", fix.title, describe(&repaired, &finding)));
        }
    }
    (report, faults)
}

#[test]
fn one_slip_gets_one_finding() {
    let lists: [(&str, &[&str]); 6] = [
        ("cups.slips", &["cups.kif"]),
        ("cups-infix.slips", &["cups.hrf"]),
        ("parcels.slips", &["parcels.pddl", "parcels-1.pddl"]),
        ("laboratory.slips", &["laboratory.pddl", "laboratory-1.pddl"]),
        ("harbour.slips", &["harbour.pddl", "harbour-1.pddl"]),
        ("gops.slips", &["../../../../games/gops/gops.pog", "../../../../games/gops/gops-2-10.pog"]),
    ];
    let (mut report, mut faults) = (String::new(), Vec::new());
    for (list, names) in lists {
        let (line, wrong) = make(list, names);
        report.push_str(&line);
        faults.extend(wrong);
    }
    expect_test::expect_file!["../slips.expect"].assert_eq(&report);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
