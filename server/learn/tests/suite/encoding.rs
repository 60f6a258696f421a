//! The card example of Figures 1 to 4, and the distinction of public and private percepts.

use percept_game::{Game, JointMove, RoleId};
use percept_infoset::{Budget, Factored, Method, Options, View, infoset};
use percept_learn::encode::{Encoding, Pairs};
use percept_learn::{Unfit, opponent};
use percept_test::matches::named;
use percept_test::{game, gdl};

use crate::support::{cards, encoding, secrets, view};

/// The paper's card game after the referee showed the king and both players bid, in the view of player one.
struct Figure {
    game: Game,
    encoding: Encoding,
    view: View,
    members: Vec<Vec<JointMove>>,
}

impl Figure {
    /// `bid`: the bid of player one, `answer`: that of player two.
    fn of(bid: &str, answer: &str) -> Figure {
        let game = game("jack-queen-king/jack-queen-king.kif");
        let encoding = encoding(&game, 0, &Pairs::new());
        let moves = named(&game, &[&["noop", "noop", "(show king)"], &[bid, answer, "noop"]]);
        let view = view(&game, 0, &moves);
        let options = Options { method: Method::Exact, ..Options::default() };
        let members = infoset(&game, &view, &options, &Budget::default()).expect("an information set").members;
        Figure { members: members.into_iter().map(|it| it.moves).collect(), game, encoding, view }
    }

    /// Columns of player one's history, in the paper's order.
    fn inputs(&self, names: [&str; 3]) -> Vec<f64> {
        let all = [&self.encoding.columns.moves[..], &self.encoding.columns.percepts].concat();
        let row = &self.encoding.view(&self.view)[1];
        let column = |name: &str| all.iter().position(|it| it == name).expect("a column") as u32;
        names.map(|name| f64::from(u8::from(row.contains(&column(name))))).to_vec()
    }

    /// The columns of player two's bids in a row of its information, in the paper's order.
    fn bids<T: Copy>(&self, row: &[T]) -> Vec<T> {
        let (two, bids) = &self.encoding.columns.others[0];
        assert_eq!(two, "two");
        let column = |name: &str| bids.iter().position(|it| it.mv == name).expect("a column");
        CARDS.map(|name| row[column(name)]).to_vec()
    }

    /// The bids of player two in the members of the information set.
    fn answers(&self) -> Vec<String> {
        let two = RoleId(1);
        let mut bids: Vec<String> =
            self.members.iter().map(|moves| self.game.rules.move_name(two, moves[1][1])).collect();
        bids.sort();
        bids
    }
}

/// The bids, in the order of the figures.
const CARDS: [&str; 3] = ["(bid jack)", "(bid queen)", "(bid king)"];
const RESULTS: [&str; 3] = ["loss", "draw", "win"];

/// Figure 1: below "player one bid the king" are two states in which it won, which are one information set, and one
/// draw.
#[test]
fn the_information_sets_of_figure_1() {
    assert_eq!(Figure::of("(bid king)", "(bid queen)").answers(), ["(bid jack)", "(bid queen)"]);
    assert_eq!(Figure::of("(bid king)", "(bid jack)").answers(), ["(bid jack)", "(bid queen)"]);
    assert_eq!(Figure::of("(bid king)", "(bid king)").answers(), ["(bid king)"]);
}

/// Figure 2: a turn is one-hot in the move of player one and in the announcement after it.
#[test]
fn the_history_of_figure_2() {
    let figure = Figure::of("(bid king)", "(bid jack)");
    assert_eq!((figure.inputs(CARDS), figure.inputs(RESULTS)), (vec![0.0, 0.0, 1.0], vec![0.0, 0.0, 1.0]));
    let figure = Figure::of("(bid jack)", "(bid queen)");
    assert_eq!((figure.inputs(CARDS), figure.inputs(RESULTS)), (vec![1.0, 0.0, 0.0], vec![1.0, 0.0, 0.0]));
    let figure = Figure::of("(bid queen)", "(bid queen)");
    assert_eq!((figure.inputs(CARDS), figure.inputs(RESULTS)), (vec![0.0, 1.0, 0.0], vec![0.0, 1.0, 0.0]));
    // Three bids and waiting; three cards shown and three results. One row per round; the first one shows the king.
    let columns = &figure.encoding.columns;
    assert_eq!((columns.moves.len(), columns.percepts.len()), (4, 6));
    let rows = figure.encoding.view(&figure.view);
    let shown = columns.moves.len() + columns.percepts.iter().position(|it| it == "(shown king)").expect("a column");
    assert!(rows.len() == 2 && rows[0].contains(&(shown as u32)), "{rows:?}");
}

/// Figure 3: after the king won, the jack and the queen are possible and the king is not.
#[test]
fn the_information_of_figure_3() {
    let figure = Figure::of("(bid king)", "(bid queen)");
    let possible = figure.encoding.possible(&figure.game, figure.members.iter().map(Vec::as_slice));
    assert_eq!(figure.bids(&possible[1]), [true, true, false]);
    // The referee certainly showed the king.
    let rows = figure.encoding.information(&figure.game, figure.members.iter().map(|it| (it.as_slice(), 1.0)));
    let shown = figure.encoding.columns.others[1].1.iter().position(|it| it.mv == "(show king)").expect("a column");
    assert_eq!(rows[0][figure.encoding.block(1).start + shown], 1.0);
}

/// Figure 4: ten samples, five with each card, give one half each; six and four do not.
#[test]
fn the_sampled_information_of_figure_4() {
    let figure = Figure::of("(bid king)", "(bid queen)");
    let sampled = |counts: [usize; 2]| {
        let times = figure.members.iter().zip(counts).flat_map(|(moves, count)| std::iter::repeat_n(moves, count));
        let rows = figure.encoding.information(&figure.game, times.map(|moves| (moves.as_slice(), 1.0)));
        figure.bids(&rows[1])
    };
    assert_eq!(sampled([5, 5]), [0.5, 0.5, 0.0]);
    let uneven = sampled([6, 4]);
    assert!(uneven == [0.6, 0.4, 0.0] || uneven == [0.4, 0.6, 0.0], "{uneven:?}");
}

#[test]
fn what_everybody_is_told_is_public() {
    let game = secrets();
    let factored = Factored::of(&game).unwrap();
    assert!(factored.is_public("clash"));
    assert!(!factored.is_public("blocked"), "each perceives only its own move");
    let moves = named(&game, &[&["(take 1)", "(take 1)"], &["(take 1)", "(take 2)"]]);
    let mut at = game.start();
    let first = factored.percepts_of(&game, &mut *at, &moves[0]);
    assert_eq!((first.public, first.private), (vec!["clash".to_string()], vec![vec![], vec![]]));
    at.step(&moves[0]);
    let second = factored.percepts_of(&game, &mut *at, &moves[1]);
    assert_eq!((second.public, second.private), (vec![], vec![vec!["blocked".to_string()], vec![]]));
}

/// An opponent with private percepts has a column for each pair of a move and its private percepts.
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
    let shown: Vec<(String, Vec<String>)> = deeds.into_iter().map(|it| (it.mv, it.percepts)).collect();
    assert_eq!(shown, [("(take 1)".into(), vec!["blocked".into()]), ("(take 2)".into(), vec![])]);
}

#[test]
fn it_takes_two() {
    let alone = gdl("(role r) (legal r go) (init s) (<= terminal (not (true s))) (goal r 1)");
    assert_eq!(opponent(&alone, RoleId(0)), Err(Unfit::Roles(1)));
    let three = gdl(
        "(role a) (role b) (role c) (role random) (<= (legal ?r go) (role ?r)) terminal (<= (goal ?r 1) (role ?r))",
    );
    assert_eq!(opponent(&three, RoleId(0)), Err(Unfit::Roles(3)));
    assert_eq!(opponent(&cards(), RoleId(2)), Err(Unfit::Chance("random".into())));
    assert_eq!(opponent(&cards(), RoleId(1)), Ok(RoleId(0)));
}
