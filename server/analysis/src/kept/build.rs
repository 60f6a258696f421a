//! The islands of a text, and those of one kind.

use std::hash::{DefaultHasher, Hash, Hasher};

use percept_syntax::{Followed, Source};
use rustc_hash::{FxHashMap, FxHashSet};

use super::names::Names;
use super::outline::{Outline, Standing, Word};
use super::{COMMON, EDITED, Island, Kept, PATIENCE, Use};
use crate::Findings;

/// A name in more statements than this is common.
const COMMON_FROM: u32 = 24;
/// The number of islands of a kind that are looked at: more than any rule counts before it is sure.
const EXAMPLES: usize = 10;
/// A common name with more uses than this is not compared with all of them.
const COMPARED: u32 = 2_000;

/// Finds the islands of a text, with the findings of the whole.
pub(super) fn kept(source: &Source, outline: Option<Outline>, findings: &Findings, places: &Followed) -> Kept {
    let ranges = places.ranges();
    let Some(outline) = outline.filter(|outline| outline.statements.len() == ranges.len()) else {
        return Kept::nothing(PATIENCE);
    };
    let islands = Islands::of(&outline);
    if islands.are_vast() {
        return Kept::nothing(PATIENCE);
    }
    let mut uses = vec![Use::LeftOut; islands.count as usize];
    islands.show_examples(&mut uses);
    let mut open = vec![false; uses.len()];
    (open[COMMON as usize], open[EDITED as usize]) = (true, true);
    for range in findings.all_ranges().chain(outline.faults.iter().copied()) {
        let first = ranges.partition_point(|statement| statement.end <= range.start);
        let touched = ranges[first..].iter().take_while(|statement| statement.start <= range.end).count();
        islands.of_statement[first..first + touched].iter().for_each(|island| open[*island as usize] = true);
    }
    for (statement, island) in outline.statements.iter().zip(&islands.of_statement) {
        open[*island as usize] |= statement.is_broken;
    }
    let mut kept = Kept {
        text: source.text.clone(),
        ranges: ranges.to_vec(),
        islands: islands.of_statement.clone(),
        uses,
        names: Names::default(),
        size: outline.size,
        removed: 0,
        of_whole: FxHashSet::default(),
        patience: 0,
    };
    for ((name, standing), island) in outline.names.iter().zip(&islands.of_name) {
        if let Some(island) = island.filter(|_| *standing != Standing::Keyword) {
            kept.names.add(name, island);
        }
    }
    // An island that is open from the start is entered like one that is opened by an edit.
    for island in (0..open.len()).filter(|island| open[*island]) {
        kept.open(island as Island);
    }
    kept
}

struct Islands<'o> {
    outline: &'o Outline,
    count: Island,
    of_statement: Vec<Island>,
    /// The island of each name that occurs outside of variables; [`COMMON`] for common names.
    of_name: Vec<Option<Island>>,
    /// The number of statements with each name.
    uses: Vec<u32>,
}

fn names(words: &[Word]) -> impl Iterator<Item = u32> {
    words.iter().filter_map(|word| if let Word::Name(name) = word { Some(*name) } else { None })
}

impl<'o> Islands<'o> {
    fn of(outline: &'o Outline) -> Self {
        let uses = uses(outline);
        let is_common =
            |name: u32| outline.names[name as usize].1 != Standing::Any || uses[name as usize] > COMMON_FROM;
        // Joins the names of each statement; the first of a group represents it.
        let mut first: Vec<u32> = (0..outline.names.len() as u32).collect();
        for (_, words) in outline.each() {
            let mut own = names(words).filter(|name| !is_common(*name));
            if let Some(one) = own.next() {
                let one = root(&mut first, one);
                for other in own {
                    let other = root(&mut first, other);
                    let one = root(&mut first, one);
                    first[one.max(other) as usize] = one.min(other);
                }
            }
        }
        let mut numbers: FxHashMap<u32, Island> = FxHashMap::default();
        let mut count = EDITED + 1;
        let mut of_statement = Vec::with_capacity(outline.statements.len());
        let mut of_name: Vec<Option<Island>> = vec![None; outline.names.len()];
        for (_, words) in outline.each() {
            let mut island = COMMON;
            for name in names(words) {
                of_name[name as usize] = Some(COMMON);
                if !is_common(name) {
                    island = *numbers.entry(root(&mut first, name)).or_insert_with(|| {
                        count += 1;
                        count - 1
                    });
                    of_name[name as usize] = Some(island);
                }
            }
            of_statement.push(island);
        }
        Islands { outline, count, of_statement, of_name, uses }
    }

    /// True if a rule compares only some of the uses of a common name.
    fn are_vast(&self) -> bool {
        let is_common = |name: &u32| self.of_name[*name as usize] == Some(COMMON);
        let is_vast = |name: &u32| is_common(name) && self.uses[*name as usize] > COMPARED / 2;
        self.outline.compared.iter().any(is_vast)
    }

    /// Marks the islands to look at: the first of each kind, and those without a kind.
    fn show_examples(&self, uses: &mut [Use]) {
        let mut statements_of: Vec<Vec<u32>> = vec![Vec::new(); self.count as usize];
        for (statement, island) in self.of_statement.iter().enumerate() {
            statements_of[*island as usize].push(statement as u32);
        }
        let words: Vec<&[Word]> = self.outline.each().map(|(_, words)| words).collect();
        let is_special = self.special();
        /// The examples of a kind: their number, and the last place of each of their statements.
        type Examples = (usize, Vec<u32>);
        let mut kinds: FxHashMap<u64, Examples> = FxHashMap::default();
        for (island, statements) in statements_of.iter().enumerate() {
            if is_special[island] {
                uses[island] = Use::Shown;
                continue;
            }
            let (count, last) = kinds.entry(self.kind(island as Island, statements, &words)).or_default();
            // The examples are first in every respect, as a rule shows the first of several places.
            let is_behind = last.iter().zip(statements).all(|(last, statement)| last < statement);
            if *count < EXAMPLES {
                *count += 1;
                last.resize(statements.len(), 0);
                last.iter_mut().zip(statements).for_each(|(last, statement)| *last = (*last).max(*statement));
                uses[island] = Use::Shown;
            } else if !is_behind {
                uses[island] = Use::Shown;
            }
        }
    }

    /// The islands that are like no other: with tables of common names, roles, numbers or words that resemble keywords.
    fn special(&self) -> Vec<bool> {
        let mut special = vec![false; self.count as usize];
        for (statement, island) in self.outline.statements.iter().zip(&self.of_statement) {
            let is_own = |lead: u32| self.of_name[lead as usize] == Some(*island);
            special[*island as usize] |= statement.is_special || statement.lead.is_some_and(|lead| !is_own(lead));
        }
        for ((name, _), island) in self.outline.names.iter().zip(&self.of_name) {
            if let Some(island) = island.filter(|island| *island != COMMON) {
                let is_number = || name.bytes().all(|byte| byte.is_ascii_digit());
                special[island as usize] |= name.len() < 2 || is_number() || (self.outline.is_like_keyword)(name);
            }
        }
        special
    }

    /// A hash of an island without its own names: equal for islands of one kind.
    fn kind(&self, island: Island, statements: &[u32], words: &[&[Word]]) -> u64 {
        // The own names of the island are numbered in the order of the text.
        let mut own: FxHashMap<u32, usize> = FxHashMap::default();
        let mut hash = DefaultHasher::new();
        for statement in statements {
            let words = words[*statement as usize];
            words.len().hash(&mut hash);
            for word in words {
                match word {
                    Word::Other(other) => (0, other).hash(&mut hash),
                    Word::Name(name) if self.of_name[*name as usize] == Some(island) => {
                        let next = own.len();
                        (1, *own.entry(*name).or_insert(next)).hash(&mut hash);
                    }
                    Word::Name(name) => (2, name).hash(&mut hash),
                }
            }
        }
        hash.finish()
    }
}

/// The representative of a group of names.
fn root(first: &mut [u32], mut name: u32) -> u32 {
    while first[name as usize] != name {
        first[name as usize] = first[first[name as usize] as usize];
        name = first[name as usize];
    }
    name
}

/// The number of statements with each name.
fn uses(outline: &Outline) -> Vec<u32> {
    let mut uses = vec![0; outline.names.len()];
    let mut last = vec![u32::MAX; uses.len()];
    for (number, (_, words)) in outline.each().enumerate() {
        for name in names(words) {
            if std::mem::replace(&mut last[name as usize], number as u32) != number as u32 {
                uses[name as usize] += 1;
            }
        }
    }
    uses
}
