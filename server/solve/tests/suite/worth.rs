//! The worth of percepts, compared with games edited by hand.

use percept_game::PogddlTerminal;
use percept_infoset::Budget;
use percept_solve::worth::{Priced, Rules, Worth, worth};
use percept_solve::{Options, solve};
use percept_syntax::{Language, Source};
use percept_test::{games, gdl, pogddl, read};

/// The text of a file in the folder `games`.
fn text(path: &str) -> String {
    read(games().join(path))
}

fn exact(priced: &Priced) -> String {
    match priced {
        Ok(value) => value.exact.as_ref().map_or_else(|| format!("about {:.4}", value.value), ToString::to_string),
        Err(why) => why.clone(),
    }
}

fn of_gdl(text: &str) -> Worth {
    let description = &percept_test::description(text);
    worth(&Rules::Gdl(description), &Options::default(), &Budget::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn value(game: &percept_game::Game) -> String {
    let solution = solve(game, &Options::default(), &Budget::default()).unwrap_or_else(|error| panic!("{error}"));
    solution.values[0].exact.as_ref().map_or_else(String::new, ToString::to_string)
}

#[test]
fn asking_is_worth_forty() {
    let text = text("exploding-bomb/exploding-bomb.kif");
    let worth = of_gdl(&text);
    let [percept] = &worth.percepts[..] else { panic!("{:?}", worth.percepts) };
    assert_eq!(percept.source.says, "(sees agent ?wire)");
    let [row] = &percept.rows[..] else { panic!("{percept:?}") };
    let all = [&row.without, &row.only, &row.public, &worth.announced[0]].map(exact);
    assert_eq!(all, ["50", "90", "90", "100"]);
    assert_eq!(worth.values[0].1.value, 90.0);

    let by_hand = text.replace("(<= (sees agent ?wire) (does agent ask) (true (armed ?wire)))", "");
    assert_ne!(by_hand, text);
    assert_eq!(value(&gdl(&by_hand)), "50");
    let by_hand = format!("{text}\n(<= (sees agent (armed ?wire)) (does random (arm ?wire)))");
    assert_eq!(value(&gdl(&by_hand)), "100");
}

#[test]
fn the_percepts_of_poker() {
    let (domain, problem) = (text("poker/poker.pog"), text("poker/king-and-jack.pog"));
    let parsed = [&domain, &problem].map(|text| Source::parse(text.clone(), Language::Pogddl));
    let (d, p) = (parsed[0].domain().expect("a domain"), parsed[1].problem().expect("a problem"));
    let worth = worth(&Rules::Pogddl(d, p, &Default::default()), &Options::default(), &Budget::default());
    let worth = worth.unwrap_or_else(|error| panic!("{error}"));
    let of = |says: &str| {
        let percept = worth.percepts.iter().find(|it| it.source.says == says);
        let percept = percept.unwrap_or_else(|| panic!("{says}: {worth:?}"));
        [&percept.rows[0].without, &percept.rows[0].only, &percept.rows[0].public].map(exact)
    };
    // The choice of p2 ends the match, so no percept about it matters.
    assert_eq!(of("(all (p2chose ?c))"), ["1/3", "1/3", "1/3"]);
    // Without its card, p1 knows no more than p2. With open cards, no player can bluff.
    assert_eq!(of("(p1 (stronger ?p))"), ["0", "1/3", "0"]);
    assert_eq!(exact(&worth.announced[0]), "0");

    let by_hand = domain.replace("(observe (all (p2chose ?c)))", "");
    assert_ne!(by_hand, domain);
    assert_eq!(value(&pogddl(&[&by_hand, &problem], PogddlTerminal::NoMoves)), "1/3");
    let by_hand = domain.replace("(p1 (stronger ?p)) (p2 (stronger u))", "(all (stronger ?p))");
    assert_ne!(by_hand, domain);
    assert_eq!(value(&pogddl(&[&by_hand, &problem], PogddlTerminal::NoMoves)), "0");
}

/// Every edit of every game gives rules that are a game.
#[test]
fn edits_leave_games() {
    for game in ["kuhn-poker/kuhn-poker.kif", "leduc-poker/leduc-poker.kif", "goofspiel/goofspiel-4.kif"] {
        let description = &percept_test::description(&text(game));
        let rules = Rules::Gdl(description);
        for index in 0..rules.percepts().len() {
            use percept_solve::worth::Edit;
            for edit in [Edit::Without(index), Edit::Public(index), Edit::Only(index, "p2".into()), Edit::Announced] {
                rules.edited(&edit, &Budget::default()).unwrap_or_else(|error| panic!("{game}, {edit:?}: {error}"));
            }
        }
    }
}
