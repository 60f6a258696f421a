//! The positions of the published experiment: sizes of information sets, by every complete method that can finish.

use std::{collections::HashSet, time::Instant};

use percept_infoset::{Budget, Method, Options, View, infoset};
use percept_test::is_heavy;
use percept_test::published::positions;

mod oracle {
    use super::*;

    /// Sets that the published program counted have the same size here; the other sets have 1,000 distinct members or
    /// are complete.
    #[test]
    #[ignore = "needs PERCEPT_ORACLE and PERCEPT_CORPUS"]
    fn sizes_are_as_published() {
        let only = std::env::var("PERCEPT_CELL").ok();
        let wanted = |cell: &str, number: u64| match &only {
            Some(only) => cell.starts_with(only.as_str()),
            None => is_heavy() || number == 0 && ["b-1-4", "b-3-6", "g-2-10", "g-6-20", "r-6-30"].contains(&cell),
        };
        let mut failures = Vec::new();
        let all = positions(wanted);
        assert!(!all.is_empty());
        for position in all {
            let name = format!("{} {}", position.cell, position.number);
            let start = Instant::now();
            let view = View::of_match(&position.game, position.role, &position.moves()).expect("a match");
            let options = match position.size {
                Some(_) => Options { method: Method::Csp, ..Options::default() },
                None => Options { method: Method::Csp, limit: 1000, ..Options::default() },
            };
            match infoset(&position.game, &view, &options, &Budget::default()) {
                Err(error) => failures.push(format!("{name}: {error}")),
                Ok(report) => {
                    let distinct: HashSet<_> = report.members.iter().map(|member| &member.moves).collect();
                    eprintln!(
                        "{name}: {} histories, {} distinct members, {:?}, {} ({}), {:.3} s",
                        report.histories,
                        distinct.len(),
                        report.estimate,
                        report.method,
                        report.why,
                        start.elapsed().as_secs_f64()
                    );
                    let right = match position.size {
                        Some(size) => report.complete && report.histories == size.into(),
                        None => distinct.len() >= 1000 || report.complete,
                    };
                    if !right {
                        failures.push(format!("{name}: {} histories, expected {:?}", report.histories, position.size));
                    }
                }
            }
        }
        assert!(failures.is_empty(), "{failures:#?}");
    }

    /// The exact method counts them, too, within its memory. It looks ahead if the states would not fit.
    #[test]
    #[ignore = "needs PERCEPT_ORACLE and PERCEPT_CORPUS"]
    fn sizes_are_as_published_by_the_exact_method() {
        let only = std::env::var("PERCEPT_CELL").ok();
        let wanted = |cell: &str, number: u64| match &only {
            Some(only) => cell.starts_with(only.as_str()),
            None => is_heavy() || number == 0 && ["b-1-4", "b-3-6", "g-2-10", "r-6-30"].contains(&cell),
        };
        let (mut failures, mut counted) = (Vec::new(), 0);
        for position in positions(wanted) {
            let Some(size) = position.size else { continue };
            let name = format!("{} {}", position.cell, position.number);
            let start = Instant::now();
            let view = View::of_match(&position.game, position.role, &position.moves()).expect("a match");
            let options = Options { method: Method::Exact, limit: 0, ..Options::default() };
            let report = infoset(&position.game, &view, &options, &Budget::default());
            let seconds = start.elapsed().as_secs_f64();
            counted += 1;
            match report {
                Ok(report) if report.complete && report.histories == size.into() => {
                    eprintln!("{name}: {size} histories, {} states, {seconds:.3} s {}", report.states, report.why);
                }
                Ok(report) => failures.push(format!("{name}: {} histories, expected {size}", report.histories)),
                Err(error) => failures.push(format!("{name}: {error}, expected {size} ({seconds:.1} s)")),
            }
        }
        eprintln!("{counted} known sizes");
        assert!(failures.is_empty(), "{failures:#?}");
        assert!(only.is_some() || counted >= if is_heavy() { 173 } else { 3 }, "{counted}");
    }
}
