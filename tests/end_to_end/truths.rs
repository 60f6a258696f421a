//! The counts of `truths.csv` in the folder named by `PERCEPT_ORACLE`, for the games of our own that it lists: every
//! percept sequence, by every method.

use percept_test::more;
use percept_test::published::{Truth, truths};

use crate::support::{folder, percept, write};

const BLIND: &str = "games/blind-tic-tac-toe/blind-tic-tac-toe.kif";

/// Asks for the information set of a view given as messages, and compares its size.
fn check(game: &str, role: &str, rounds: &[(String, String)], row: &Truth) {
    let place = folder();
    let mut text = "(play truth 0 nil nil)\n".to_string();
    for (index, (mv, percepts)) in rounds.iter().enumerate() {
        text += &format!("(play truth {} {mv} {percepts})\n", index + 1);
    }
    let trace = write(place.path(), "view.trace", text);
    let histories = row.histories;
    // Depth-first search and listing take time in proportion to the histories.
    let most = more(2_500, 1_000_000);
    for method in ["exact", "dfs", "csp"].into_iter().filter(|method| *method == "exact" || histories <= most) {
        let run =
            percept(&["infoset", game, &trace, "--role", role, "--method", method, "-n", "100000", "--format", "json"]);
        assert_eq!(run.err, "", "{} {method}", row.view);
        let answer = run.json();
        assert_eq!(answer["complete"], true, "{} {method}", row.view);
        assert_eq!(answer["histories"], row.histories.to_string(), "{} {method}", row.view);
        assert_eq!(answer["states"], row.states, "{} {method}", row.view);
    }
}

/// The view of a row about Blind Tic-Tac-Toe: an order of white's moves and a list of its percepts.
fn blind_view(name: &str) -> Option<Vec<(String, String)>> {
    const A: [&str; 5] = ["2 2", "1 3", "1 1", "3 3", "1 2"];
    const NO_LINE: [&str; 6] = ["1 1", "1 2", "2 1", "3 3", "2 3", "3 2"];
    const TRANSCRIPT: [&str; 3] = ["1 1", "2 2", "3 3"];
    let rounds = |order: &[&str], percepts: Vec<&str>| {
        let percept = |it: &str| if it == "ok" { "(ok)".to_string() } else { "nil".to_string() };
        order.iter().zip(percepts).map(|(cell, it)| (format!("(mark {cell})"), percept(it))).collect()
    };
    if let Some(percepts) = name.strip_prefix("own order A ") {
        return Some(rounds(&A, percepts.split('.').collect()));
    }
    for (prefix, order) in [("transcript white r", &TRANSCRIPT[..]), ("no-line all-ok r", &NO_LINE[..])] {
        if let Some(n) = name.strip_prefix(prefix) {
            return Some(rounds(order, vec!["ok"; n.parse().ok()?]));
        }
    }
    // `1.1 (2,2) nil, (1,3) ok`
    let percepts: Vec<&str> =
        name.split(", ").filter_map(|part| part.rsplit(' ').next()).filter(|it| ["ok", "nil"].contains(it)).collect();
    (percepts.len() == 2).then(|| rounds(&A, percepts))
}

/// `noop/card(1) ; bet/did(p1,bet)`: per round the own move and the percept, in infix.
fn slashed(view: &str) -> Vec<(String, String)> {
    let kif = |term: &str| match term.split_once('(') {
        Some((functor, args)) => format!("({functor} {})", args.trim_end_matches(')').replace(',', " ")),
        None => term.to_string(),
    };
    let round = |round: &str| {
        let (mv, percept) = round.split_once('/').expect("a move and a percept");
        (kif(mv), if percept == "nil" { "nil".to_string() } else { format!("({})", kif(percept)) })
    };
    view.split(" ; ").map(round).collect()
}

/// Parses `[('mark(2,2)', ['ok']), ('mark(1,3)', [])]`.
fn listed(view: &str) -> Vec<(String, String)> {
    let round = |part: &str| {
        let cell: String = part.chars().take_while(|c| *c != ')').filter(|c| c.is_ascii_digit() || *c == ',').collect();
        let percepts = if part.contains("['ok']") { "(ok)" } else { "nil" };
        (format!("(mark {})", cell.replace(',', " ")), percepts.to_string())
    };
    view.split("mark(").skip(1).map(round).collect()
}

#[test]
fn views_are_read_from_the_table() {
    assert_eq!(
        slashed("noop/nil ; cut(red)/did(p1,bet)"),
        [("noop".to_string(), "nil".to_string()), ("(cut red)".to_string(), "((did p1 bet))".to_string())]
    );
    assert_eq!(
        listed("[('mark(2,2)', ['ok']), ('mark(1,3)', [])]"),
        [("(mark 2 2)".to_string(), "(ok)".to_string()), ("(mark 1 3)".to_string(), "nil".to_string())]
    );
    let view = blind_view("1.2 (2,2) nil, (1,3) ok").expect("a view");
    assert_eq!(view[1], ("(mark 1 3)".to_string(), "(ok)".to_string()));
    assert!(blind_view("something else").is_none());
}

mod oracle {
    use super::*;

    #[test]
    #[ignore = "needs PERCEPT_ORACLE"]
    fn blind_tic_tac_toe() {
        let of_game = truths(|game| game.starts_with("Blind TTT"));
        assert!(of_game.len() > 60, "only {} rows", of_game.len());
        for row in &of_game {
            let view = blind_view(&row.view).unwrap_or_else(|| panic!("which view is {}?", row.view));
            check(BLIND, "white", &view, row);
        }
    }

    #[test]
    #[ignore = "needs PERCEPT_ORACLE"]
    fn small_games() {
        for (name, path, role) in [
            ("kuhn (p1)", "games/kuhn-poker/kuhn-poker.kif", "p1"),
            ("kuhn (p2)", "games/kuhn-poker/kuhn-poker.kif", "p2"),
            ("hmp (alice)", "games/hidden-matching-pennies/hidden-matching-pennies.kif", "alice"),
            ("bomb (agent)", "games/exploding-bomb/exploding-bomb.kif", "agent"),
        ] {
            let of_game = truths(|game| game == name);
            assert!(!of_game.is_empty(), "{name}");
            for row in &of_game {
                check(path, role, &slashed(&row.view), row);
            }
        }
    }

    #[test]
    #[ignore = "needs PERCEPT_ORACLE"]
    fn without_chance() {
        let game = "games/blind-tic-tac-toe-without-chance/blind-tic-tac-toe-without-chance.kif";
        let of_game = truths(|game| game.starts_with("blind_ttt_ex2"));
        assert!(of_game.len() >= 7, "only {} rows", of_game.len());
        for row in &of_game {
            check(game, "white", &listed(&row.view), row);
        }
    }
}
