//! The positions of the published experiment: sizes of information sets, by every complete method that can.

mod published;

use std::{collections::HashSet, time::Instant};

use percept_infoset::{Control, Method, Options, View, infoset};
use published::{folder, positions};

/// Sets whose size the published program counted have this size; of the others there are 1,000 distinct members, or
/// all of them.
#[test]
fn sizes_are_as_published() {
    let (Some(corpus), Some(oracle)) = (folder("PERCEPT_CORPUS"), folder("PERCEPT_ORACLE")) else { return };
    let heavy = std::env::var_os("PERCEPT_HEAVY").is_some();
    let only = std::env::var("PERCEPT_CELL").ok();
    let wanted = |cell: &str, number: u64| match &only {
        Some(only) => cell.starts_with(only.as_str()),
        None => heavy || number == 0 && ["b-1-4", "b-3-6", "g-2-10", "g-6-20", "r-6-30"].contains(&cell),
    };
    let mut failures = Vec::new();
    let all = positions(&corpus, &oracle, wanted);
    assert!(!all.is_empty());
    for position in all {
        let name = format!("{} {}", position.cell, position.number);
        let start = Instant::now();
        let view = View::of_match(&position.game, position.role, &position.moves).expect("a match");
        let options = match position.size {
            Some(_) => Options { method: Method::Csp, ..Options::default() },
            None => Options { method: Method::Csp, limit: 1000, ..Options::default() },
        };
        match infoset(&position.game, &view, &options, &Control::default()) {
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
