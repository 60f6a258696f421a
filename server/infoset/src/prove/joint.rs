//! Fluents that a role knows while another fluent holds that it always knows.
//!
//! The piece on a cell is known while the cell is the role's own; the drawn card, while it is the role's turn. The
//! circuit shows the pairs that may belong together: one of the two is in a conjunction, the other in it or below it.

use percept_game::circuit::{Lit, Node};
use percept_game::{FluentId, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use super::claims::{Agreement, Formulas, Operand};
use super::setting::Setting;

/// The most pairs tried; each of them is a question in every step.
const MOST_PAIRS: usize = 20_000;
/// The number of pairs above which the search ends and none is tried.
const MOST_FOUND: usize = 1_000_000;
/// The most nodes visited below a conjunction.
const MOST_BELOW: usize = 64;

/// Conjunctions of a fluent that may agree with one that does not agree alone, if the rules read both together.
pub(super) fn pairs(setting: &Setting<'_>, may: &Agreement, alone: &Agreement) -> Formulas {
    let nodes = setting.ground.circuit.nodes();
    let may_agree = |fluent: FluentId| may.fluents[fluent.0 as usize];
    let agrees = |fluent: FluentId| alone.fluents[fluent.0 as usize];
    let fluent = |lit: &Lit| match nodes[lit.node() as usize] {
        Node::Fluent(fluent) if !lit.is_negated() => Some(fluent),
        _ => None,
    };
    let mut found: FxHashSet<(FluentId, FluentId)> = FxHashSet::default();
    for node in nodes {
        let Node::And(operands) = node else { continue };
        let agreeing: Vec<FluentId> = operands.iter().filter_map(fluent).filter(|&it| may_agree(it)).collect();
        if agreeing.is_empty() {
            continue;
        }
        for other in below(nodes, operands).into_iter().filter(|&other| !agrees(other)) {
            found.extend(agreeing.iter().filter(|it| **it != other).map(|&it| (it, other)));
        }
        if found.len() > MOST_FOUND {
            return Formulas::default();
        }
    }
    let found = closest(setting, found.into_iter().collect());
    let pair = |(a, b)| vec![(Operand::Fluent(a), true), (Operand::Fluent(b), true)];
    Formulas { agreeing: (0..found.len()).collect(), all: found.into_iter().map(pair).collect() }
}

/// Keeps, for each two kinds of fluents, the pairs that share the most arguments, because a fact about a cell belongs
/// to the owner of that cell. The known fluent is usually a phase, a turn or an owner, of which there are few.
fn closest(setting: &Setting<'_>, mut found: Vec<(FluentId, FluentId)>) -> Vec<(FluentId, FluentId)> {
    let count = setting.game.rules.fluent_count() as u32;
    let terms: Vec<Term> = (0..count).map(|index| setting.game.rules.fluent_term(FluentId(index))).collect();
    let mut sizes: FxHashMap<&str, usize> = FxHashMap::default();
    terms.iter().for_each(|term| *sizes.entry(term.head()).or_default() += 1);
    let arguments: Vec<Vec<&str>> = terms.iter().map(|term| words(term)).collect();
    let term = |fluent: FluentId| &terms[fluent.0 as usize];
    let shared = |&(a, b): &(FluentId, FluentId)| {
        let (a, b) = (&arguments[a.0 as usize], &arguments[b.0 as usize]);
        b.iter().filter(|word| a.contains(word)).count()
    };
    let mut most: FxHashMap<(&str, &str), usize> = FxHashMap::default();
    for pair in &found {
        let kind = (term(pair.0).head(), term(pair.1).head());
        let most = most.entry(kind).or_default();
        *most = shared(pair).max(*most);
    }
    found.retain(|pair| shared(pair) == most[&(term(pair.0).head(), term(pair.1).head())]);
    found.sort_unstable_by_key(|&(old, other)| (sizes[term(old).head()], old, other));
    found.truncate(MOST_PAIRS);
    found
}

/// The arguments of a name, at any depth.
fn words(term: &Term) -> Vec<&str> {
    term.args().iter().flat_map(|arg| if arg.is_list() { words(arg) } else { vec![arg.head()] }).collect()
}

/// The fluents below a conjunction, within [`MOST_BELOW`] nodes.
fn below(nodes: &[Node], operands: &[Lit]) -> Vec<FluentId> {
    let mut stack: Vec<u32> = operands.iter().map(|lit| lit.node()).collect();
    let mut seen: FxHashSet<u32> = stack.iter().copied().collect();
    let mut fluents = Vec::new();
    while let Some(node) = stack.pop() {
        match &nodes[node as usize] {
            Node::Fluent(fluent) => fluents.push(*fluent),
            Node::And(operands) | Node::Or(operands) if seen.len() < MOST_BELOW => {
                stack.extend(operands.iter().map(|lit| lit.node()).filter(|&node| seen.insert(node)));
            }
            _ => {}
        }
    }
    fluents
}
