//! Exports, read again by readers that are written for these tests.

use crate::naive;
use std::collections::{BTreeMap, BTreeSet};

use percept_infoset::Budget;
use percept_solve::export::{asp, dimacs, efg};
use percept_solve::tree::{Space, build};
use percept_test::game;

/// In the file, the nodes of an information set have the same moves, and there are as many information sets as in the
/// tree.
#[test]
fn trees_for_gambit() {
    for name in ["kuhn-poker/kuhn-poker.kif", "poker/king-and-jack.pog", "liars-dice/liars-dice.kif"] {
        let game = game(name);
        let mut text = Vec::new();
        let written = efg::write(&game, "a \"game\"", 100_000, &mut text, &Budget::default()).expect("it is written");
        let text = String::from_utf8(text).expect("it is text");
        assert!(text.starts_with("EFG 2 R \"a 'game'\" { \"p1\" \"p2\" }\n"), "{}", &text[..80]);
        let tree = build(&game, &Space::default(), &Budget::default()).expect("it has a tree");
        assert_eq!(written.infosets, tree.infosets(), "{name}");
        let mut moves: BTreeMap<&str, (&str, &str, &str)> = BTreeMap::new();
        let mut labels: BTreeSet<&str> = BTreeSet::new();
        let (mut open, mut leaves) = (1i64, 0);
        for line in text.lines().skip(3) {
            open -= 1;
            match &line[..1] {
                "t" => leaves += 1,
                kind => {
                    let list = &line[line.find('{').expect("a list")..line.rfind('}').expect("its end")];
                    open += list.matches('"').count() as i64 / 2;
                    if kind == "p" {
                        let words: Vec<&str> = line.split(' ').collect();
                        let label = moves.entry(words[4]).or_insert_with(|| {
                            list.split('"')
                                .skip(1)
                                .step_by(2)
                                .for_each(|label| assert!(labels.insert(label), "{label}"));
                            (words[2], words[3], list)
                        });
                        assert_eq!(*label, (words[2], words[3], list), "{name}: {line}");
                    }
                }
            }
            assert!(open >= 0, "{name}: {line}");
        }
        assert_eq!((open, leaves, moves.len()), (0, written.leaves, tree.infosets()), "{name}");
        assert_eq!(leaves, naive::count(&game).leaves, "{name}");
        let error = efg::write(&game, "", 10, std::io::sink(), &Budget::default()).expect_err("it is larger");
        assert_eq!(error.to_string(), "the tree has more than 10 nodes");
    }
}

/// The numbers in a line, without the zero at its end; in a comment, the last number.
fn literals(line: &str) -> Vec<i32> {
    let words = line.rsplit_once(" = ").map_or(line, |(_, number)| number).split(' ');
    words.filter_map(|word| word.parse().ok()).filter(|&literal| literal != 0).collect()
}

/// Counts the models by trying the variables of moves. The values of all others must follow.
fn models(clauses: &[Vec<i32>], moves: &[i32], mut values: Vec<Option<bool>>) -> usize {
    loop {
        let mut changed = false;
        for clause in clauses {
            let value = |literal: &i32| values[literal.unsigned_abs() as usize].map(|value| value == (*literal > 0));
            if clause.iter().any(|literal| value(literal) == Some(true)) {
                continue;
            }
            let mut open = clause.iter().filter(|literal| value(literal).is_none());
            match (open.next().copied(), open.next()) {
                (None, _) => return 0,
                (Some(last), None) => {
                    values[last.unsigned_abs() as usize] = Some(last > 0);
                    changed = true;
                }
                _ => {}
            }
        }
        if !changed {
            break;
        }
    }
    match moves.iter().find(|mv| values[mv.unsigned_abs() as usize].is_none()) {
        None => {
            assert!(values[1..].iter().all(Option::is_some), "the moves decide everything");
            1
        }
        Some(&mv) => [true, false]
            .map(|value| {
                let mut values = values.clone();
                values[mv.unsigned_abs() as usize] = Some(value);
                models(clauses, moves, values)
            })
            .iter()
            .sum(),
    }
}

/// Each model is a history of that length, and each such history is a model.
#[test]
fn clauses() {
    for (name, depth) in [
        ("kuhn-poker/kuhn-poker.kif", 4),
        ("poker/king-and-jack.pog", 3),
        ("exploding-bomb-arming/exploding-bomb-arming.kif", 3),
        ("blind-tic-tac-toe/blind-tic-tac-toe.kif", 1),
    ] {
        let game = game(name);
        let mut text = Vec::new();
        dimacs::write(&game, name, depth, &mut text, &Budget::default()).expect("it is written");
        let text = String::from_utf8(text).expect("it is text");
        let clauses = text.lines().filter(|line| !line.starts_with(['c', 'p']));
        let clauses: Vec<Vec<i32>> = clauses.map(literals).collect();
        let does = text.lines().filter(|line| line.starts_with("c does "));
        let does: Vec<i32> = does.map(|line| literals(line)[0]).collect();
        let variables = clauses.iter().flatten().map(|literal| literal.unsigned_abs() as usize).max().unwrap_or(0);
        let models = models(&clauses, &does, vec![None; variables + 1]);
        let naive = match name.starts_with("blind") {
            // Nine cells for each player, and a coin.
            true => 9 * 9 * 2,
            false => naive::count(&game).by_length[depth],
        };
        assert_eq!(models, naive, "{name}");
    }
}

#[test]
fn logic_programs() {
    let game = game("poker/king-and-jack.pog");
    let mut text = Vec::new();
    asp::write(&game, "poker", 3, &mut text).expect("it is written");
    let text = String::from_utf8(text).expect("it is text");
    for part in
        ["#const rounds = 3.", "role(1,\"p1\").", "chance(0).", "(stronghand p1)", "1 { does(R,M,T) : legal(R,M,T) } 1"]
    {
        assert!(text.contains(part), "{part}\n{text}");
    }
}
