//! The card example of Figures 1 to 4, and what is public and what private.

mod support;

use percept_game::RoleId;
use percept_infoset::{Budget, Factored, Method, Options, infoset};
use percept_learn::encode::Pairs;
use percept_learn::{Unfit, opponent};
use support::{cards, encoding, game, named, secrets, view};

/// Which columns of a row are one, by their names.
fn ones(row: &[u32], names: &[String]) -> Vec<String> {
    row.iter().map(|&column| names[column as usize].clone()).collect()
}

#[test]
fn the_history_of_figure_2() {
    let game = cards();
    let encoding = encoding(&game, 0, &Pairs::new());
    let moves = named(&game, &[&["wait", "wait", "(turn king)"], &["king", "jack", "wait"]]);
    let rows = encoding.view(&view(&game, 0, &moves));
    let names = [encoding.columns.moves.clone(), encoding.columns.percepts.clone()].concat();
    // The public observation "king", then "player one bid the king" and "win".
    assert_eq!(ones(&rows[0], &names), ["wait", "(shown king)"]);
    assert_eq!(ones(&rows[1], &names), ["king", "win"]);
    // One-hot: three bids and waiting, three cards shown and three results.
    assert_eq!(names.len(), 4 + 6);
    assert!(rows.iter().all(|row| row.len() == 2));
}

/// The opponent's information of Figure 3: jack and queen are possible, the king is not; and of Figure 4: half each.
#[test]
fn the_information_of_figures_3_and_4() {
    let game = cards();
    let encoding = encoding(&game, 0, &Pairs::new());
    let moves = named(&game, &[&["wait", "wait", "(turn king)"], &["king", "queen", "wait"]]);
    let view = view(&game, 0, &moves);
    let members = infoset(&game, &view, &Options { method: Method::Exact, ..Options::default() }, &Budget::default());
    let members = members.unwrap().members;
    assert_eq!(members.len(), 2, "the two states of Figure 1 that are in one information set");
    let rows = encoding.information(&game, members.iter().map(|it| (it.moves.as_slice(), 1.0)));
    let of_two = &encoding.columns.others[0];
    assert_eq!(of_two.0, "two");
    let share = |mv: &str| rows[1][of_two.1.iter().position(|it| it.mv == mv).unwrap()];
    assert_eq!((share("jack"), share("queen"), share("king")), (0.5, 0.5, 0.0));
    let possible = encoding.possible(&game, members.iter().map(|it| it.moves.as_slice()));
    let ones: Vec<&str> = of_two.1.iter().zip(&possible[1]).filter(|it| *it.1).map(|it| it.0.mv.as_str()).collect();
    assert_eq!(ones, ["jack", "queen"]);
    // Several rows, one a round: in the first, the referee certainly turned over the king.
    let turned =
        encoding.block(1).start + encoding.columns.others[1].1.iter().position(|it| it.mv == "(turn king)").unwrap();
    assert_eq!(rows[0][turned], 1.0);
}

#[test]
fn what_everybody_is_told_is_public() {
    let game = secrets();
    let factored = Factored::of(&game).unwrap();
    assert!(factored.is_public("clash"));
    assert!(!factored.is_public("blocked"), "each is told of its own move alone");
    let moves = named(&game, &[&["(take 1)", "(take 1)"], &["(take 1)", "(take 2)"]]);
    let mut at = game.start();
    let first = factored.told(&game, &mut *at, &moves[0]);
    assert_eq!((first.public, first.private), (vec!["clash".to_string()], vec![vec![], vec![]]));
    at.step(&moves[0]);
    let second = factored.told(&game, &mut *at, &moves[1]);
    assert_eq!((second.public, second.private), (vec![], vec![vec!["blocked".to_string()], vec![]]));
}

/// An opponent with private percepts has a column for each pair of a move and what it was told.
#[test]
fn pairs_of_moves_and_private_percepts() {
    let game = secrets();
    let bare = encoding(&game, 0, &Pairs::new());
    let moves = named(&game, &[&["(take 1)", "(take 2)"], &["(take 3)", "(take 1)"]]);
    let mut at = game.start();
    let mut pairs = Pairs::new();
    for joint in &moves {
        pairs.insert((0, bare.named(&game, &mut *at, joint, 0)));
        at.step(joint);
    }
    let deeds = encoding(&game, 0, &pairs).columns.others[0].1.clone();
    let shown: Vec<(String, Vec<String>)> = deeds.into_iter().map(|it| (it.mv, it.told)).collect();
    assert_eq!(shown, [("(take 1)".into(), vec!["blocked".into()]), ("(take 2)".into(), vec![])]);
}

#[test]
fn it_takes_two() {
    let alone = game("(role r) (legal r go) (init s) (<= terminal (not (true s))) (goal r 1)");
    assert_eq!(opponent(&alone, RoleId(0)), Err(Unfit::Roles(1)));
    let three = game(
        "(role a) (role b) (role c) (role random) (<= (legal ?r go) (role ?r)) terminal (<= (goal ?r 1) (role ?r))",
    );
    assert_eq!(opponent(&three, RoleId(0)), Err(Unfit::Roles(3)));
    assert_eq!(opponent(&cards(), RoleId(2)), Err(Unfit::Chance("random".into())));
    assert_eq!(opponent(&cards(), RoleId(1)), Ok(RoleId(0)));
}
