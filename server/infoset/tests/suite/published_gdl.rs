//! The published GDL-II games: verdicts along random matches, and all methods on the resulting views.

use std::{
    collections::HashSet,
    time::{Duration, Instant},
};

use percept_game::{Game, JointMove};
use percept_infoset::{Budget, Method, ObserveOptions, Options, Verdict, View, infoset, observe};
use percept_test::games::published_gdl;
use percept_test::matches::random;
use percept_test::{entries, file_name, folder, is_heavy};

mod corpus {
    use super::*;

    fn games() -> Vec<(String, Game)> {
        let only = std::env::var("PERCEPT_GAME").ok();
        let paths = entries(folder("PERCEPT_CORPUS").join("gdl-ii"));
        paths
            .iter()
            .filter(|path| only.as_ref().is_none_or(|only| file_name(path).starts_with(only.as_str())))
            .filter_map(|path| published_gdl(path).map(|game| (file_name(path), game)))
            .collect()
    }

    /// Methods that list a set agree, if two of them finish in time, and none returns a history of another view.
    #[test]
    #[ignore = "needs PERCEPT_CORPUS"]
    fn methods_agree_on_published_games() {
        let time = Duration::from_millis(if is_heavy() { 1000 } else { 300 });
        for (name, game) in games() {
            let moves = random(&game, 1, if is_heavy() { 12 } else { 4 });
            for role in game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance) {
                let view = View::of_match(&game, role, &moves).expect("a match");
                let mut complete: Option<(Method, HashSet<Vec<JointMove>>)> = None;
                for method in [Method::Exact, Method::Csp, Method::Sat, Method::Auto] {
                    let budget = Budget { deadline: Some(Instant::now() + time), ..Budget::default() };
                    let options = Options { method, limit: 3000, ..Options::default() };
                    let start = Instant::now();
                    let report = infoset(&game, &view, &options, &budget);
                    let seconds = start.elapsed().as_secs_f64();
                    match report {
                        Err(error) => eprintln!("{name} {role:?} {method:?}: {error} ({seconds:.2} s)"),
                        Ok(report) => {
                            eprintln!(
                                "{name} {role:?} round {}: {method:?} {} histories{}, {} states, {:?} {} {seconds:.2} s",
                                moves.len(),
                                report.histories,
                                if report.complete { "" } else { " so far" },
                                report.states,
                                report.stopped,
                                report.why,
                            );
                            let listed: HashSet<_> = report.members.into_iter().map(|member| member.moves).collect();
                            if !report.complete || report.histories != listed.len().into() {
                                continue;
                            }
                            assert!(listed.contains(&moves), "{name} {role:?} {method:?} misses the match itself");
                            match &complete {
                                None => complete = Some((method, listed)),
                                Some((other, members)) => {
                                    assert!(*members == listed, "{name} {role:?}: {method:?} and {other:?}")
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Verdicts along a random match of each game, to the last round.
    #[test]
    #[ignore = "needs PERCEPT_CORPUS"]
    fn published_games_are_judged() {
        let time = Duration::from_secs(if is_heavy() { 4 } else { 1 });
        for (name, game) in games() {
            for seed in 0..1 {
                let moves = random(&game, seed, if is_heavy() { 200 } else { 5 });
                let start = Instant::now();
                let budget = Budget { deadline: Some(start + time), ..Budget::default() };
                let options = ObserveOptions { exact_time: time / 6, ..ObserveOptions::default() };
                let findings = observe(&game, &moves, &options, &budget).expect("a match").findings;
                let count = |name: &str| findings.iter().filter(|finding| finding.verdict.name() == name).count();
                let seconds = start.elapsed().as_secs_f64();
                eprintln!(
                    "{name}, {} rounds: {} known, {} unknown, {} undecided, {seconds:.1} s",
                    moves.len(),
                    count("known"),
                    count("unknown"),
                    count("undecided")
                );
                let roles = game.roles.iter().filter(|role| !role.is_chance).count();
                assert_eq!(findings.len(), 3 * roles * (moves.len() + 1), "{name}");
                for finding in &findings {
                    if let Verdict::Unknown(witness) = &finding.verdict {
                        let view = View::of_match(&game, finding.role, &moves[..finding.round]).expect("a match");
                        assert!(witness.holds(&game, &view, finding.property), "{name} {finding:?}");
                    }
                }
            }
        }
    }
}
