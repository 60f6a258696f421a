//! The smallest set of candidates that suffice together, if none suffices alone.
//!
//! The witness against a candidate is a pair of histories that the role has to tell apart, and may suggest new
//! candidates. A set is worth proving only if for each known pair one of its candidates tells the pair apart; the
//! witness against a set is a new pair (counterexample-guided, as in Solar-Lezama et al., "Combinatorial Sketching for
//! Finite Programs", ASPLOS 2006).

use percept_game::{Game, JointMove};
use percept_infoset::{Budget, View, Witness};
use percept_syntax::Syntax;

use super::{Candidate, Insertion, Pair, RepairQuery, Repaired, Tried, accepted, candidates, changed, gdl, tried};
use crate::names;

/// The number of equal parts of the time that remains for sets.
pub(super) const SHARES: usize = 8;
/// The most candidates for sets, the most sets that are tried, and the most candidates in a set.
const POOL: usize = 32;
const TRIED: usize = 40;
const LARGEST: usize = 3;
/// The number of repairs of one size that is enough.
const ENOUGH: usize = 3;

/// Candidates that did not suffice, and the witnesses against them.
pub(super) struct Failed {
    /// The pairs to distinguish, in the moves of the unchanged game.
    pairs: Vec<Pair>,
    pool: Vec<Candidate>,
    /// The number of candidates that were tried alone.
    alone: usize,
}

/// The game that a candidate makes.
struct Part {
    /// `None` if the candidate is not valid.
    game: Option<Game>,
    /// For each pair, true if the candidate tells it apart.
    tells: Vec<bool>,
}

impl Failed {
    pub(super) fn new(query: &RepairQuery<'_>) -> Failed {
        Failed { pairs: query.needs.clone(), pool: Vec::new(), alone: 0 }
    }

    /// Records a candidate that did not suffice; `None`: it was not decided.
    pub(super) fn refuted(&mut self, candidate: Candidate, by: Option<&Pair>) {
        self.pool.push(candidate);
        self.alone = self.pool.len();
        self.pairs.extend(by.cloned());
    }

    /// Tries single candidates suggested by the new pairs, then sets of two, then of three. The search ends at the
    /// first size with a set that suffices.
    pub(super) fn together(mut self, query: &RepairQuery<'_>, budget: &Budget, keep: &mut dyn FnMut(Box<Repaired>)) {
        let mut parts: Vec<Part> = Vec::new();
        let mut tries = 0;
        self.suggest(query, 0);
        let mut seen: Vec<Vec<usize>> = (0..self.alone).map(|at| vec![at]).collect();
        for size in 1..=LARGEST {
            let mut found = 0;
            while tries < TRIED && found < ENOUGH && budget.stop().is_none() {
                self.build(query, &mut parts, budget);
                let Some(set) = self.smallest(&parts, size, &seen) else { break };
                budget.report("sets of rules tried", tries, Some(TRIED));
                tries += 1;
                let chosen: Vec<&Candidate> = set.iter().map(|&at| &self.pool[at]).collect();
                let merged = merged(query, &chosen);
                seen.push(set);
                let Some(merged) = merged else { continue };
                match tried(query, &merged, &budget.share(SHARES)) {
                    Tried::Repair(it) => {
                        found += 1;
                        keep(it);
                    }
                    Tried::Refuted(pair) => {
                        self.pairs.push(pair);
                        self.suggest(query, self.pairs.len() - 1);
                    }
                    Tried::Nothing => {}
                }
            }
            if found > 0 {
                return;
            }
        }
    }

    /// Adds the candidates that are suggested by the pairs from `from` on.
    fn suggest(&mut self, query: &RepairQuery<'_>, from: usize) {
        for pair in &self.pairs[from..] {
            for candidate in candidates(query, pair) {
                if self.pool.len() < POOL && self.pool.iter().all(|it| it.edits != candidate.edits) {
                    self.pool.push(candidate);
                }
            }
        }
    }

    /// Builds the missing games of candidates, and tests which pairs each of them tells apart.
    fn build(&self, query: &RepairQuery<'_>, parts: &mut Vec<Part>, budget: &Budget) {
        for candidate in &self.pool[parts.len()..] {
            if budget.stop().is_some() {
                return;
            }
            let budget = budget.share(2 * SHARES);
            let game = accepted(query, candidate.clone(), &budget).and_then(|it| changed(query, &it, &budget));
            parts.push(Part { game, tells: Vec::new() });
        }
        for part in parts {
            for pair in &self.pairs[part.tells.len()..] {
                let game = part.game.as_ref();
                let tells = game.and_then(|game| tells_apart(query.game, game, pair));
                part.tells.push(tells.unwrap_or(false));
            }
        }
    }

    /// The shortest set of `size` candidates among the untried ones that tell all pairs apart.
    fn smallest(&self, parts: &[Part], size: usize, seen: &[Vec<usize>]) -> Option<Vec<usize>> {
        let usable: Vec<usize> = (0..parts.len()).filter(|&at| parts[at].game.is_some()).collect();
        let tells = |set: &[usize]| (0..self.pairs.len()).all(|pair| set.iter().any(|&at| parts[at].tells[pair]));
        let length = |set: &[usize]| set.iter().map(|&at| self.pool[at].length()).sum::<usize>();
        let sets = combinations(&usable, size).into_iter().filter(|set| !seen.contains(set) && tells(set));
        sets.min_by_key(|set| length(set))
    }
}

/// All subsets of the given size.
fn combinations(of: &[usize], size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let rest = |at: usize| {
        combinations(&of[at + 1..], size - 1).into_iter().map(move |mut set| {
            set.insert(0, of[at]);
            set
        })
    };
    (0..of.len()).flat_map(rest).collect()
}

/// Joins candidates into one.
fn merged(query: &RepairQuery<'_>, parts: &[&Candidate]) -> Option<Candidate> {
    let [first, rest @ ..] = parts else { return None };
    if rest.is_empty() {
        return Some((*first).clone());
    }
    let what: Vec<String> = parts.iter().flat_map(|it| it.what.clone()).collect();
    if let Syntax::Gdl(description) = &query.sources[0].syntax {
        let mut lines: Vec<String> = Vec::new();
        for line in parts.iter().flat_map(|it| &it.lines) {
            if !lines.contains(line) {
                lines.push(line.clone());
            }
        }
        return gdl::candidate(what, lines, query, description);
    }
    let mut all: Vec<Insertion> = parts.iter().flat_map(|it| it.edits.clone()).collect();
    all.sort();
    all.dedup();
    let mut edits: Vec<Insertion> = Vec::new();
    for it in all {
        match edits.last_mut().filter(|last| (last.file, last.at) == (it.file, it.at)) {
            Some(last) => last.text.push_str(&it.text),
            None => edits.push(it),
        }
    }
    Some(Candidate { who: first.who.clone(), what, edits, lines: Vec::new() })
}

/// Histories of one game, in the moves of another game with the same names.
fn renamed(to: &Game, from: &Game, history: &[JointMove]) -> Option<Vec<JointMove>> {
    let joint = |joint: &JointMove| {
        let roles = from.role_ids().zip(joint);
        roles
            .map(|(role, mv)| to.rules.move_named(role, &from.rules.move_term(role, *mv)))
            .collect::<Option<JointMove>>()
    };
    history.iter().map(joint).collect()
}

/// The witness against a changed game, in the moves of the unchanged game.
pub(super) fn named_as_in(game: &Game, changed: &Game, witness: &Witness) -> Option<Witness> {
    let (first, second) = (renamed(game, changed, &witness.first)?, renamed(game, changed, &witness.second)?);
    Some(Witness { first, second, ..witness.clone() })
}

/// True if a pair's role sees its two histories differently in a changed game.
fn tells_apart(game: &Game, changed: &Game, pair: &Pair) -> Option<bool> {
    let role = changed.role(names::role(game, pair.role))?;
    let view = |history: &[JointMove]| View::of_match(changed, role, &renamed(changed, game, history)?).ok();
    Some(view(&pair.witness.first)? != view(&pair.witness.second)?)
}
