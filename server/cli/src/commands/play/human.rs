//! The report of `percept play` as text.

use percept_judge::properties::{By, Property, Verdict, random_matches};
use percept_report::words::counted;

use super::report::{Finding, Judged, Report, Role};

/// The most lines of a match that are shown.
const SHOWN: usize = 40;

/// The lines about the matches.
pub(super) fn matches(report: &Report) -> String {
    let rounds = &report.rounds;
    let mut lines = vec![match report.asked {
        Some(asked) => {
            format!("{} of {}; the time ran out after {:.1} s", report.matches, random_matches(asked), report.seconds)
        }
        None => format!("{} in {:.2} s", random_matches(report.matches), report.seconds),
    }];
    if report.matches > 0 {
        lines.push(format!(
            "rounds: {} to {}, {:.1} ± {:.1} on average",
            rounds.min, rounds.max, rounds.mean, rounds.interval
        ));
    }
    if report.unfinished > 0 {
        let matches = random_matches(report.unfinished);
        lines.push(format!("{matches} did not end: a role had no legal move, or the limit of rounds was reached"));
    }
    lines.extend(report.roles.iter().map(role));
    lines.join("\n")
}

/// The lines about the game: its properties, faults and findings.
pub(super) fn judgement(report: &Report) -> String {
    let mut lines = Vec::new();
    lines.push(match (&report.every_match, &report.not_every_state) {
        (Some(every), _) => format!("every match was visited, over {}:", counted(every.states, "state", "states")),
        (None, Some(why)) => format!("not every match was visited: {why}"),
        (None, None) => "not every match was visited".to_string(),
    });
    let width = report.checks.iter().map(|check| check.property.name().len()).max().unwrap_or(0);
    lines.extend(report.checks.iter().map(|check| judged(check, width)));
    for fault in &report.faults {
        if fault.r#match.is_empty() {
            continue;
        }
        lines.push(format!("{}: {}, after", fault.property.name(), fault.message));
        lines.extend(fault.wording.iter().take(SHOWN).map(|line| format!("  {line}")));
        if fault.r#match.len() > SHOWN {
            lines.push(format!("  ... and {} more rounds (all in --format json)", fault.r#match.len() - SHOWN));
        }
    }
    for finding in &report.findings {
        let is_shown = finding.property().is_some_and(|it| report.faults.iter().any(|fault| fault.property == it));
        if is_shown {
            continue;
        }
        let Finding { rule, severity, file, line, message, because, .. } = finding;
        lines.push(format!("{severity}[{rule}] {file}:{line}: {message}"));
        lines.push(format!("  {because}"));
        lines.extend(finding.wording.iter().take(SHOWN).map(|line| format!("    {line}")));
    }
    if report.hurried {
        lines.push("the time for judging ran out: `--time 30s` gives more".to_string());
    }
    lines.join("\n")
}

fn role(role: &Role) -> String {
    let mut line = format!("{}: {:.1} legal moves a round, at most {}", role.role, role.moves.mean, role.moves.most);
    if let Some(mean) = role.mean {
        line += &format!("; result {mean:.1}");
        if let Some(interval) = role.interval {
            line += &format!(" ± {interval:.1}");
        }
        let total: u64 = role.goals.values().sum();
        let share = |n: u64| 100.0 * n as f64 / total as f64;
        let goals: Vec<String> =
            role.goals.iter().rev().map(|(goal, &n)| format!("{goal}: {:.0} %", share(n))).collect();
        line += &format!(" ({})", goals.join(", "));
    }
    line
}

fn judged(check: &Judged, width: usize) -> String {
    let verdict = match (check.verdict, check.by) {
        (Verdict::Holds, By::Proof) => "proved",
        (Verdict::Holds, By::EveryState) => "holds ",
        (Verdict::Holds, By::Matches) => "seen  ",
        (Verdict::Fails, _) if check.property == Property::Monotonicity => "no    ",
        (Verdict::Fails, _) => "FAILS ",
        (Verdict::Open, _) => "open  ",
    };
    format!("  {:width$}  {verdict}  {}", check.property.name(), check.message)
}
