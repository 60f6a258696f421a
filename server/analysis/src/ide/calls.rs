//! Call hierarchy over rules: the things that a name depends on, and those that depend on it.
//!
//! The nodes are the things that rules define: relations, `terminal`, `goal`, and the fluents, moves and percepts in
//! the heads of `next`, `init`, `legal` and `sees`. A rule's head depends on every node in its body. In POGDDL the
//! nodes are predicates and actions: an action depends on the predicates it reads, and those it changes depend on it.

use percept_syntax::TextRange;

use super::{Access, Class, FileRange, Files, Indexed, Namespace, Occurrence, Symbol};
use crate::FileId;

/// A node of the hierarchy.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The name as written in the text.
    pub name: String,
    /// The class of the name.
    pub class: Class,
    /// The place of the first definition.
    pub place: FileRange,
}

/// A neighbour of a node, with the places at which one names the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The node that is called, or that calls.
    pub node: Node,
    /// The file of `ranges`.
    pub file: FileId,
    /// The places of the calls.
    pub ranges: Vec<TextRange>,
}

/// The node under the cursor.
pub fn prepare(files: &Files<'_>, file: FileId, offset: u32) -> Option<Node> {
    let (symbol, _) = files.at(file, offset)?;
    node(files, symbol)
}

fn is_node(symbol: &Symbol) -> bool {
    match symbol.namespace {
        Namespace::Relation | Namespace::Predicate | Namespace::NumericFunction | Namespace::Action => true,
        Namespace::Function | Namespace::Object => true,
        Namespace::Keyword => matches!(symbol.name.as_str(), "terminal" | "goal"),
        _ => false,
    }
}

/// The node of a symbol, if a rule or action defines it.
fn node(files: &Files<'_>, symbol: &Symbol) -> Option<Node> {
    if !is_node(symbol) {
        return None;
    }
    for (id, indexed) in files.ids() {
        let defined = indexed.index.occurrences_of(symbol).find(|it| defines(indexed, symbol, it));
        if let Some(it) = defined {
            let place = FileRange { file: id, range: it.range };
            return Some(Node { name: symbol.name.to_string(), class: it.class, place });
        }
    }
    None
}

/// True if the occurrence is the thing that its rule defines.
fn defines(indexed: Indexed<'_>, symbol: &Symbol, it: &Occurrence) -> bool {
    match symbol.namespace {
        // A keyword is the head if it is the first word; all its occurrences count as reads.
        Namespace::Keyword => first_of_item(indexed, it),
        Namespace::Object => {
            it.access == Access::Define && matches!(it.class, Class::Fluent | Class::Move | Class::Percept)
        }
        _ => it.access == Access::Define,
    }
}

fn first_of_item(indexed: Indexed<'_>, it: &Occurrence) -> bool {
    let item = indexed.index.all().iter().filter(|other| other.item == it.item);
    let mut named = item.filter(|other| indexed.index.symbol(other).name != "<=");
    named.next() == Some(it)
}

/// Returns the nodes that the rules of this node read.
pub fn outgoing(files: &Files<'_>, file: FileId, offset: u32) -> Vec<Call> {
    let Some((symbol, _)) = files.at(file, offset) else { return Vec::new() };
    let mut calls: Vec<Call> = Vec::new();
    for (id, indexed) in files.ids() {
        let items: Vec<u32> =
            indexed.index.occurrences_of(symbol).filter(|it| defines(indexed, symbol, it)).map(|it| it.item).collect();
        for it in indexed.index.all().iter().filter(|it| items.contains(&it.item) && it.access != Access::Define) {
            let other = indexed.index.symbol(it);
            if !(other == symbol && defines(indexed, other, it))
                && let Some(node) = node(files, other)
            {
                add(&mut calls, node, id, it.range);
            }
        }
    }
    calls
}

/// Returns the nodes whose rules read this node.
pub fn incoming(files: &Files<'_>, file: FileId, offset: u32) -> Vec<Call> {
    let Some((symbol, _)) = files.at(file, offset) else { return Vec::new() };
    let mut calls: Vec<Call> = Vec::new();
    for (id, indexed) in files.ids() {
        for it in indexed.index.occurrences_of(symbol).filter(|it| !defines(indexed, symbol, it)) {
            if let Some(node) = owner(files, indexed, it.item) {
                add(&mut calls, node, id, it.range);
            }
        }
    }
    calls
}

/// The node that the form with this number defines.
fn owner(files: &Files<'_>, indexed: Indexed<'_>, item: u32) -> Option<Node> {
    let inside = indexed.index.all().iter().filter(|it| it.item == item);
    let mut heads = inside.filter(|it| {
        let symbol = indexed.index.symbol(it);
        is_node(symbol) && defines(indexed, symbol, it)
    });
    heads.next().and_then(|it| node(files, indexed.index.symbol(it)))
}

fn add(calls: &mut Vec<Call>, node: Node, file: FileId, range: TextRange) {
    match calls.iter_mut().find(|call| call.node == node && call.file == file) {
        Some(call) => call.ranges.push(range),
        None => calls.push(Call { node, file, ranges: vec![range] }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Fixture;
    use super::*;
    use expect_test::{Expect, expect};

    fn check(fixture: Fixture, ask: fn(&Files<'_>, FileId, u32) -> Vec<Call>, expected: Expect) {
        let mut marks = Vec::new();
        for call in ask(&fixture.files(), fixture.file, fixture.offset) {
            for range in call.ranges {
                marks.push((FileRange { file: call.file, range }, call.node.name.clone()));
            }
        }
        expected.assert_eq(&fixture.picture(marks));
    }

    const GAME: &str = "\
(init (cell 1 b))
(<= (next (cell ?x x)) (does white (mark ?x)))
(<= (legal white (mark ?x)) (true (cell ?x b)))
(<= open (true (cell ?x b)))
(<= terminal (not op$0en))
";

    #[test]
    fn who_depends_on_a_relation_and_on_what() {
        check(
            Fixture::gdl(GAME),
            incoming,
            expect![[r#"
                (<= terminal (not open))
                                  ^^^^ terminal
            "#]],
        );
        check(
            Fixture::gdl(GAME),
            outgoing,
            expect![[r#"
                (<= open (true (cell ?x b)))
                                ^^^^ cell
            "#]],
        );
    }

    #[test]
    fn a_fluent_depends_on_moves_and_moves_on_it() {
        let game = GAME.replace("$0", "").replace("(next (cell", "(next (c$0ell");
        check(
            Fixture::gdl(&game),
            outgoing,
            expect![[r#"
                (<= (next (cell ?x x)) (does white (mark ?x)))
                                                    ^^^^ mark
            "#]],
        );
        check(
            Fixture::gdl(&game),
            incoming,
            expect![[r#"
                (<= (legal white (mark ?x)) (true (cell ?x b)))
                                                   ^^^^ mark
                (<= open (true (cell ?x b)))
                                ^^^^ open
            "#]],
        );
    }
}
