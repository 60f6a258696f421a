//! Exports, read by readers of their own.

mod naive;
mod support;

use std::collections::{BTreeMap, BTreeSet};

use percept_infoset::Control;
use percept_solve::export::{asp, dimacs, efg};
use percept_solve::tree::{Budget, build};
use support::load;
use varisat::{CnfFormula, ExtendFormula, Lit, Solver};

/// Information sets of the file have the same moves at each of their nodes, and there are as many as in the tree.
#[test]
fn trees_for_gambit() {
    for name in ["kuhn-poker/kuhn-poker.kif", "poker/king-and-jack.pog", "liars-dice/liars-dice.kif"] {
        let game = load(name);
        let mut text = Vec::new();
        let written = efg::write(&game, "a \"game\"", 100_000, &mut text, &Control::default()).expect("it is written");
        let text = String::from_utf8(text).expect("it is text");
        assert!(text.starts_with("EFG 2 R \"a 'game'\" { \"p1\" \"p2\" }\n"), "{}", &text[..80]);
        let tree = build(&game, &Budget::default(), &Control::default()).expect("it has a tree");
        assert_eq!(written.infosets, tree.infosets(), "{name}");
        let mut moves: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
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
                        let known = moves.entry(words[3]).or_insert_with(|| {
                            list.split('"')
                                .skip(1)
                                .step_by(2)
                                .for_each(|label| assert!(labels.insert(label), "{label}"));
                            (words[2], list)
                        });
                        assert_eq!(*known, (words[2], list), "{name}: {line}");
                    }
                }
            }
            assert!(open >= 0, "{name}: {line}");
        }
        assert_eq!((open, leaves, moves.len()), (0, written.leaves, tree.infosets()), "{name}");
        assert_eq!(leaves, naive::count(&game).leaves, "{name}");
        let error = efg::write(&game, "", 10, std::io::sink(), &Control::default()).expect_err("it is larger");
        assert_eq!(error.to_string(), "the tree has more than 10 nodes");
    }
}

/// Each model is a history of that length, and there are as many.
#[test]
fn clauses() {
    for (name, depth) in [
        ("kuhn-poker/kuhn-poker.kif", 4),
        ("poker/king-and-jack.pog", 3),
        ("exploding-bomb-arming/exploding-bomb-arming.kif", 3),
        ("blind-tic-tac-toe/blind-tic-tac-toe.kif", 1),
    ] {
        let game = load(name);
        let mut text = Vec::new();
        dimacs::write(&game, name, depth, &mut text, &Control::default()).expect("it is written");
        let text = String::from_utf8(text).expect("it is text");
        let mut formula = CnfFormula::new();
        let clauses = text.lines().filter(|line| !line.starts_with(['c', 'p']));
        for clause in clauses {
            let literals = clause.split(' ').filter_map(|word| word.parse::<isize>().ok()).filter(|&it| it != 0);
            formula.add_clause(&literals.map(Lit::from_dimacs).collect::<Vec<_>>());
        }
        let does = text.lines().filter(|line| line.starts_with("c does "));
        let does: Vec<isize> =
            does.map(|line| line.rsplit(' ').next().expect("a word").parse().expect("a number")).collect();
        let mut solver = Solver::new();
        solver.add_formula(&formula);
        let mut models = 0;
        while solver.solve().expect("the solver answers") {
            models += 1;
            let model: BTreeSet<Lit> = solver.model().expect("a model").into_iter().collect();
            let made = does.iter().map(|&it| Lit::from_dimacs(it)).filter(|lit| model.contains(lit));
            solver.add_clause(&made.map(|lit| !lit).collect::<Vec<_>>());
        }
        let naive = match name.starts_with("blind") {
            // Nine cells for each, and a coin.
            true => 9 * 9 * 2,
            false => naive::count(&game).by_length[depth],
        };
        assert_eq!(models, naive, "{name}");
    }
}

#[test]
fn logic_programs() {
    let game = load("poker/king-and-jack.pog");
    let mut text = Vec::new();
    asp::write(&game, "poker", 3, &mut text).expect("it is written");
    let text = String::from_utf8(text).expect("it is text");
    for part in
        ["#const rounds = 3.", "role(1,\"p1\").", "chance(0).", "(stronghand p1)", "1 { does(R,M,T) : legal(R,M,T) } 1"]
    {
        assert!(text.contains(part), "{part}\n{text}");
    }
}
