//! The part of a GDL description that no move changes: its clocks, and the rules of `terminal` that read nothing else.
//!
//! A game too large to ground may still count its rounds. The slice keeps the fluents, relations and rules that do not
//! depend on `does`, so it is small, and every match of the game runs through its states until one is terminal.

use percept_syntax::gdl::{Description, Statement, Term};
use rustc_hash::FxHashSet;
use smol_str::{SmolStr, ToSmolStr};

/// The subject of a rule or a condition: a relation, or the fluents with one functor.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Symbol {
    Relation(SmolStr),
    Fluents(SmolStr),
    /// Moves, percepts, and fluents that are variables.
    Other,
}

fn fluents(atom: &Term) -> Symbol {
    match atom.args() {
        [fluent] if !fluent.is_variable() => Symbol::Fluents(fluent.name.text.to_lowercase().to_smolstr()),
        _ => Symbol::Other,
    }
}

fn symbol(atom: &Term) -> Symbol {
    match atom.name.text.to_lowercase().as_str() {
        "true" | "next" | "init" => fluents(atom),
        "does" | "sees" | "legal" | "goal" | "base" | "input" => Symbol::Other,
        relation => Symbol::Relation(relation.to_smolstr()),
    }
}

fn reads(statement: &Statement) -> Vec<Symbol> {
    let mut symbols = Vec::new();
    for part in &statement.body {
        part.atoms(false, &mut |atom, _| symbols.push(symbol(atom)));
    }
    symbols
}

/// The slice; `None` if nothing in it could end a match.
pub(super) fn slice(description: &Description) -> Option<Description> {
    let is_terminal = |symbol: &Symbol| matches!(symbol, Symbol::Relation(name) if name == "terminal");
    // No state of a continuing match is terminal, so reading `terminal` does no harm.
    let rules: Vec<(Symbol, Vec<Symbol>, &Statement)> = description
        .statements
        .iter()
        .filter_map(|statement| {
            let head = symbol(statement.head.as_ref()?);
            let reads = reads(statement).into_iter().filter(|read| !is_terminal(read)).collect();
            Some((head, reads, statement))
        })
        .collect();
    let mut touched: FxHashSet<Symbol> = FxHashSet::default();
    touched.insert(Symbol::Other);
    loop {
        let before = touched.len();
        for (head, reads, _) in rules.iter().filter(|(head, ..)| !is_terminal(head)) {
            if reads.iter().any(|read| touched.contains(read)) {
                touched.insert(head.clone());
            }
        }
        if touched.len() == before {
            break;
        }
    }
    let kept = rules
        .into_iter()
        .filter(|(head, reads, _)| !touched.contains(head) && reads.iter().all(|read| !touched.contains(read)));
    let kept: Vec<(Symbol, &Statement)> = kept.map(|(head, _, statement)| (head, statement)).collect();
    kept.iter()
        .any(|(head, _)| is_terminal(head))
        .then(|| Description { statements: kept.into_iter().map(|(_, statement)| statement.clone()).collect() })
}
