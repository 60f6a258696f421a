//! Blind Tic-Tac-Toe's information sets, counted by other programs (`truths.csv` of the oracle).

mod support;

use percept_infoset::{Budget, Method, Options, View, infoset};
use support::games::{blind_tic_tac_toe, white_view};
use support::side_by_side::side_by_side;

/// Cells are numbered by row and column; (2,2) is 5.
fn cells(name: &str) -> Option<Vec<u32>> {
    match name {
        _ if name.starts_with("own order A") => Some(vec![5, 3, 1, 9, 2]),
        _ if name.starts_with("transcript white") => Some(vec![1, 5, 9]),
        _ if name.starts_with("no-line all-ok") => Some(vec![1, 2, 4, 9, 6, 8]),
        _ if name.contains("(2,2)") => Some(vec![5, 3]),
        _ => None,
    }
}

/// Whether white saw `ok`, round by round.
fn seen(name: &str) -> Vec<bool> {
    if let Some(rounds) = name.rsplit_once(" r").and_then(|(_, rounds)| rounds.parse().ok()) {
        return vec![true; rounds];
    }
    let words = name.split(|c: char| !c.is_alphabetic());
    words.filter(|word| matches!(*word, "ok" | "nil")).map(|word| word == "ok").collect()
}

fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => fields.last_mut().expect("a field").push(c),
        }
    }
    fields
}

#[test]
fn blind_tic_tac_toe_has_the_sizes_of_the_oracle() {
    let Some(oracle) = std::env::var_os("PERCEPT_ORACLE") else {
        eprintln!("skipped: PERCEPT_ORACLE is not set");
        return;
    };
    let heavy = std::env::var_os("PERCEPT_HEAVY").is_some();
    let text = std::fs::read_to_string(std::path::Path::new(&oracle).join("truths.csv")).expect("truths.csv");
    let game = blind_tic_tac_toe();
    let rows: Vec<Vec<String>> =
        text.lines().map(fields).filter(|row| row[0].starts_with("Blind TTT (ch.17), white")).collect();
    side_by_side(&rows, |row| {
        let cells = cells(&row[1]).unwrap_or_else(|| panic!("{}", row[1]));
        let rounds: Vec<_> = cells.into_iter().zip(seen(&row[1])).collect();
        let view: View = white_view(&game, &rounds);
        let histories: u64 = row[2].parse().expect("a number");
        let states: usize = row[3].parse().expect("a number");
        for method in [Method::Exact, Method::Dfs, Method::Csp] {
            if !heavy && histories > 3000 && method != Method::Exact {
                continue;
            }
            let limit = if method == Method::Exact { 10 } else { usize::MAX };
            let options = Options { method, limit, ..Options::default() };
            let report = infoset(&game, &view, &options, &Budget::default()).expect("an answer");
            assert!(report.complete);
            assert_eq!((report.histories, report.states), (histories.into(), states), "{} by {method:?}", row[1]);
        }
    });
    assert!(rows.len() > 60, "{}", rows.len());
}
