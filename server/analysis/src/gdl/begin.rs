//! Fluents that never begin to hold: each rule that would produce them requires them, or something that depends on
//! them.
//!
//! Only names are compared, so the result is true for all arguments. A part of an `or` counts as true.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::lowered::{Literal, RuleId, TermId};
use super::symbols::{Sym, keyword};
use super::uses::{Space, Uses};

/// If more items than this never begin, they are not sorted into cycles.
const MOST: usize = 100;

/// A name of one kind.
type Item = (Space, Sym);

/// The items of a rule, mostly one or two.
type Few = SmallVec<[Item; 2]>;

/// A fluent that never begins to hold.
#[derive(Debug)]
pub(crate) struct Unbegun {
    pub fluent: Sym,
    /// Other rules that never fire because of the fluent, in the order of the text.
    pub silent: Vec<RuleId>,
}

/// Returns the fluents that never begin to hold. For a cycle of several fluents, it is the one that most likely lacks
/// its `init`.
pub(crate) fn unbegun(uses: &Uses) -> Vec<Unbegun> {
    let rules = Rules::of(uses);
    let begun = rules.begun();
    let mut missing: Vec<Item> = rules.makers.keys().filter(|item| !begun.contains(item)).copied().collect();
    missing.sort_unstable();
    if missing.len() > MOST {
        return Vec::new();
    }
    let needs: FxHashMap<Item, FxHashSet<Item>> =
        missing.iter().map(|item| (*item, rules.behind(*item, &begun))).collect();
    let mut found = Vec::new();
    let mut done: FxHashSet<Item> = FxHashSet::default();
    for item in &missing {
        let circle = &needs[item];
        let is_root = circle.contains(item) && circle.iter().all(|other| needs[other].contains(item));
        if !is_root || done.contains(item) {
            continue;
        }
        done.extend(circle.iter().copied());
        let fluents = circle.iter().filter(|(space, sym)| *space == Space::Fluent && !uses.is_mixed(*sym));
        let likely = |(_, sym): &&Item| {
            let reads = uses.predicate(Space::Fluent, *sym).map_or(0, |it| it.read().count());
            let item = (Space::Fluent, *sym);
            (rules.makes_only_itself(item), rules.lets_move(item), reads, std::cmp::Reverse(*sym))
        };
        let Some((_, fluent)) = fluents.max_by_key(likely) else { continue };
        let rests = |needed: &Item| circle.contains(needed) || needs.get(needed).is_some_and(|it| it.contains(item));
        let silent = (0..rules.heads.len()).filter(|&rule| {
            !rules.heads[rule].contains(&(Space::Fluent, *fluent)) && rules.bodies[rule].iter().any(rests)
        });
        found.push(Unbegun { fluent: *fluent, silent: silent.map(|rule| rules.ids[rule]).collect() });
    }
    found
}

/// The rules by the items that they produce and require.
struct Rules {
    /// The rules, and the first of the facts about each item: only names matter here.
    ids: Vec<RuleId>,
    /// The items that each rule produces: several if a variable represents a whole fluent or move.
    heads: Vec<Few>,
    bodies: Vec<Few>,
    makers: FxHashMap<Item, Vec<usize>>,
}

impl Rules {
    fn of(uses: &Uses) -> Rules {
        let all = &uses.lowered.rules;
        let named = |space: Space| {
            let names = uses.predicates.iter().filter(move |it| it.space == space);
            names.map(move |it| (space, it.sym))
        };
        let makes = |head: TermId| -> Few {
            let sym = uses.term(head).sym;
            match (item(uses, head), Space::inside(sym)) {
                _ if matches!(sym, keyword::BASE | keyword::INPUT | keyword::ACTION | keyword::PERCEPT) => Few::new(),
                (Some(item), _) => Few::from_iter([item]),
                (None, Some(space)) => named(space).collect(),
                (None, None) => Few::new(),
            }
        };
        let mut facts = FxHashSet::default();
        let mut is_new = |head: TermId| facts.insert((uses.term(head).sym, item(uses, head)));
        let ids: Vec<RuleId> = (0..all.len() as RuleId)
            .filter(|id| {
                let rule = &all[*id as usize];
                !rule.body().is_empty() || rule.head().is_none_or(&mut is_new)
            })
            .collect();
        let all = || ids.iter().map(|id| &all[*id as usize]);
        let heads: Vec<Few> = all().map(|rule| rule.head().map_or_else(Few::new, makes)).collect();
        let mut makers: FxHashMap<Item, Vec<usize>> = FxHashMap::default();
        for (rule, heads) in heads.iter().enumerate() {
            heads.iter().for_each(|head| makers.entry(*head).or_default().push(rule));
        }
        let needed = |body: &[Literal]| {
            let mut items = Few::new();
            positive(body, &mut |atom| items.extend(item(uses, atom).filter(|item| makers.contains_key(item))));
            items.sort_unstable();
            items.dedup();
            items
        };
        let bodies = all().map(|rule| needed(rule.body())).collect();
        Rules { ids, heads, bodies, makers }
    }

    /// The items that can begin to hold, judged by names alone.
    fn begun(&self) -> FxHashSet<Item> {
        let mut readers: FxHashMap<Item, Vec<usize>> = FxHashMap::default();
        let mut open: Vec<usize> = self.bodies.iter().map(|body| body.len()).collect();
        for (rule, body) in self.bodies.iter().enumerate() {
            body.iter().for_each(|item| readers.entry(*item).or_default().push(rule));
        }
        let mut begun = FxHashSet::default();
        let mut ready: Vec<usize> = (0..open.len()).filter(|&rule| open[rule] == 0).collect();
        while let Some(rule) = ready.pop() {
            let new = self.heads[rule].iter().filter(|head| begun.insert(**head));
            for &reader in new.flat_map(|head| readers.get(head)).flatten() {
                open[reader] -= 1;
                if open[reader] == 0 {
                    ready.push(reader);
                }
            }
        }
        begun
    }

    /// The items that never begin to hold and that an item requires, over any number of rules.
    fn behind(&self, item: Item, begun: &FxHashSet<Item>) -> FxHashSet<Item> {
        let mut found = FxHashSet::default();
        let mut todo = vec![item];
        while let Some(item) = todo.pop() {
            let rules = self.makers.get(&item).into_iter().flatten();
            let needed = rules.flat_map(|&rule| &self.bodies[rule]).filter(|needed| !begun.contains(needed));
            todo.extend(needed.filter(|needed| found.insert(**needed)));
        }
        found
    }

    /// True if a move is legal only if the item holds.
    fn lets_move(&self, item: Item) -> bool {
        let mut rules = self.heads.iter().zip(&self.bodies);
        rules.any(|(heads, body)| heads.iter().any(|(space, _)| *space == Space::Move) && body.contains(&item))
    }

    fn makes_only_itself(&self, item: Item) -> bool {
        self.makers[&item].iter().all(|&rule| self.bodies[rule].contains(&item))
    }
}

/// The item of a head or of an atom; `None` for a variable.
fn item(uses: &Uses, atom: TermId) -> Option<Item> {
    match uses.inner(atom) {
        Some((Space::Percept, _)) | None => Some((Space::Relation, uses.term(atom).sym)),
        Some((space, _)) => Some((space, uses.inner_name(atom)?)),
    }
}

/// Calls `f` on every atom that has to hold.
fn positive(body: &[Literal], f: &mut impl FnMut(TermId)) {
    for literal in body {
        match literal {
            Literal::Atom(atom) => f(*atom),
            Literal::And { parts, .. } => positive(parts, f),
            Literal::Or { .. } | Literal::Not { .. } | Literal::Distinct { .. } => {}
        }
    }
}
