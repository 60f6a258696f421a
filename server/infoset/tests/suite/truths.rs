//! Blind Tic-Tac-Toe's information sets, counted by other programs (`truths.csv` of the oracle).

use percept_infoset::{Budget, Method, Options, View, infoset};
use percept_test::is_heavy;
use percept_test::published::truths;

use crate::support::games::{blind_tic_tac_toe, white_view};
use crate::support::side_by_side::side_by_side;

/// The numbers of the cells, row by row; (2,2) is 5.
fn cells(name: &str) -> Option<Vec<u32>> {
    match name {
        _ if name.starts_with("own order A") => Some(vec![5, 3, 1, 9, 2]),
        _ if name.starts_with("transcript white") => Some(vec![1, 5, 9]),
        _ if name.starts_with("no-line all-ok") => Some(vec![1, 2, 4, 9, 6, 8]),
        _ if name.contains("(2,2)") => Some(vec![5, 3]),
        _ => None,
    }
}

/// True for each round in which white perceived `ok`.
fn percepts_of(name: &str) -> Vec<bool> {
    if let Some(rounds) = name.rsplit_once(" r").and_then(|(_, rounds)| rounds.parse().ok()) {
        return vec![true; rounds];
    }
    let words = name.split(|c: char| !c.is_alphabetic());
    words.filter(|word| matches!(*word, "ok" | "nil")).map(|word| word == "ok").collect()
}

mod oracle {
    use super::*;

    #[test]
    #[ignore = "needs PERCEPT_ORACLE"]
    fn blind_tic_tac_toe_has_the_sizes_of_the_oracle() {
        let rows = truths(|game| game.starts_with("Blind TTT (ch.17), white"));
        let game = blind_tic_tac_toe();
        side_by_side(&rows, |row| {
            let cells = cells(&row.view).unwrap_or_else(|| panic!("{}", row.view));
            let rounds: Vec<_> = cells.into_iter().zip(percepts_of(&row.view)).collect();
            let view: View = white_view(&game, &rounds);
            let (histories, states) = (row.histories, row.states as usize);
            for method in [Method::Exact, Method::Dfs, Method::Csp] {
                if !is_heavy() && histories > 3000 && method != Method::Exact {
                    continue;
                }
                let limit = if method == Method::Exact { 10 } else { usize::MAX };
                let options = Options { method, limit, ..Options::default() };
                let report = infoset(&game, &view, &options, &Budget::default()).expect("an answer");
                assert!(report.complete);
                assert_eq!((report.histories, report.states), (histories.into(), states), "{} by {method:?}", row.view);
            }
        });
        assert!(rows.len() > 60, "{}", rows.len());
    }
}
