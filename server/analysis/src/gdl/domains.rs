//! Which values can stand in which place: a fixpoint over the rules, argument by argument.
//!
//! Every argument place of every relation has a domain, and so has every place inside the fluents, moves and percepts
//! (`true`, `next` and `init` share theirs, `does` and `legal` too). A rule adds to the places of its head what its
//! variables can be: the intersection over the variable's places in positive literals, the union over the branches of
//! a disjunction. The domains over-approximate what can ever hold; a value outside them cannot.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::facts::Facts;
use super::lowered::{Literal, RuleId, Shape, TermId};
use super::slips;
use super::symbols::{Sym, keyword};

/// An index of a domain.
type Slot = u32;

/// A place that has a domain.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place(Slot);

/// Terms nested deeper than this are not told apart.
const DEPTH: u8 = 5;
/// No more domains than this, and no more words of bits: what is larger is not analysed.
const MAX_DOMAINS: usize = 50_000;
const MAX_WORDS: usize = 8_000_000;

#[derive(Clone, Debug)]
struct Functor {
    sym: Sym,
    arity: u32,
    first_child: Slot,
    /// Some rule can make a term with this functor; otherwise only patterns look for one.
    present: bool,
}

#[derive(Clone, Debug, Default)]
struct Domain {
    /// Anything can stand here, as far as is known.
    any: bool,
    depth: u8,
    /// The domain this one is inside of, plus one.
    parent: u32,
    functors: Vec<Functor>,
    /// The rules that read this place.
    readers: Vec<u32>,
}

/// A step of a rule: what a variable can be goes to a place.
#[derive(Clone, Debug)]
struct Copy {
    /// The variable's places in positive literals.
    from: Vec<Slot>,
    to: Slot,
}

/// A pattern's part that no fact can match.
#[derive(Clone, Debug)]
pub struct Clash {
    pub rule: RuleId,
    /// The literal's atom.
    pub atom: TermId,
    /// The constant, functor or variable at fault.
    pub term: TermId,
    /// For a variable: the other place that shares no value.
    pub other: Option<TermId>,
    pub negated: bool,
    /// The place where `term` stands.
    pub place: Place,
}

/// The domains of a description.
#[derive(Debug, Default)]
pub struct Domains {
    domains: Vec<Domain>,
    bits: Vec<u64>,
    words: usize,
    /// Relation (keywords that share their facts are one) and arity to the place of the first argument.
    roots: FxHashMap<(Sym, u32), Slot>,
    copies: Vec<Copy>,
    /// Variables' places per rule: rule, variable, place, term, atom.
    bindings: Vec<(RuleId, u32, Slot, TermId, TermId)>,
    given_up: bool,
}

impl Domains {
    pub fn new(facts: &Facts) -> Self {
        let words = facts.lowered.symbols.len().div_ceil(64);
        let mut domains = Domains { words, ..Self::default() };
        for (id, _) in facts.lowered.rules.iter().enumerate() {
            domains.compile(facts, id as RuleId);
            if domains.given_up {
                return domains;
            }
        }
        domains.open_unknown_places(facts);
        domains.open_tainted_names(facts);
        domains.run((0..domains.copies.len() as u32).collect());
        domains.force_contradictions();
        domains
    }

    /// Whether the description is too large for this analysis: nothing is known then.
    pub fn given_up(&self) -> bool {
        self.given_up
    }

    /// The place of argument `n` of a relation or keyword, if it occurs with this arity.
    pub fn argument(&self, relation: Sym, arity: usize, n: usize) -> Option<Place> {
        let root = *self.roots.get(&(shared(relation), arity as u32))?;
        (n < arity).then(|| Place(root + n as u32))
    }

    /// The place of argument `n` of the terms `functor` that stand at `place`, if a rule can make one there.
    pub fn inside(&self, place: Place, functor: Sym, arity: usize, n: usize) -> Option<Place> {
        let entry = self.functor(place.0, functor, arity as u32)?;
        (entry.present && n < arity).then(|| Place(entry.first_child + n as u32))
    }

    /// Whether anything may stand at the place, as far as is known.
    pub fn is_open(&self, place: Place) -> bool {
        self.given_up || self.domains[place.0 as usize].any
    }

    /// Whether nothing can ever stand at the place.
    pub fn is_empty(&self, place: Place) -> bool {
        !self.is_open(place)
            && self.row(place.0).iter().all(|word| *word == 0)
            && !self.domains[place.0 as usize].functors.iter().any(|functor| functor.present)
    }

    pub fn has_constant(&self, place: Place, sym: Sym) -> bool {
        self.is_open(place) || self.row(place.0)[sym.index() / 64] >> (sym.index() % 64) & 1 == 1
    }

    pub fn has_functor(&self, place: Place, functor: Sym, arity: usize) -> bool {
        self.is_open(place) || self.functor(place.0, functor, arity as u32).is_some_and(|entry| entry.present)
    }

    /// Whether a variable of a rule can be this constant, as far as the literals tell that always have to hold.
    pub fn variable_can_be(&self, rule: RuleId, variable: u32, sym: Sym) -> bool {
        self.given_up || self.places_of(rule, variable).all(|place| self.has_constant(place, sym))
    }

    /// The places where a variable of a rule stands in literals that always have to hold.
    pub fn places_of(&self, rule: RuleId, variable: u32) -> impl Iterator<Item = Place> + '_ {
        let first = self.bindings.partition_point(|binding| binding.0 < rule);
        let own = self.bindings[first..].iter().take_while(move |binding| binding.0 == rule);
        own.filter(move |binding| binding.1 == variable).map(|binding| Place(binding.2))
    }

    /// The constants that can stand at a place, in the order of their first mention.
    pub fn constants(&self, place: Place) -> impl Iterator<Item = Sym> + '_ {
        let row = if self.given_up { &[] } else { self.row(place.0) };
        row.iter().enumerate().flat_map(|(word, bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| Sym((word * 64 + bit) as u32))
        })
    }

    /// The functors, with arity, of the compound terms that can stand at a place.
    pub fn functors(&self, place: Place) -> impl Iterator<Item = (Sym, usize)> + '_ {
        let functors = if self.given_up { &[][..] } else { &self.domains[place.0 as usize].functors };
        functors.iter().filter(|entry| entry.present).map(|entry| (entry.sym, entry.arity as usize))
    }

    /// Whether the two places share no value, though each has one.
    pub fn disjoint(&self, a: Place, b: Place) -> bool {
        !self.is_empty(a) && !self.is_empty(b) && !self.overlap(&[a.0, b.0])
    }

    /// Parts of positive literals, and constants in negative ones, that nothing can match. Where the place itself is
    /// empty, the fault is elsewhere and nothing is said.
    pub fn clashes(&self, facts: &Facts) -> Vec<Clash> {
        let mut clashes = Vec::new();
        if self.given_up {
            return clashes;
        }
        for (id, rule) in facts.sound_rules() {
            for literal in &rule.body {
                literal.atoms(false, &mut |atom, negated| {
                    let node = facts.term(atom);
                    let Some(&root) = self.roots.get(&(shared(node.sym), node.arity() as u32)) else { return };
                    for (n, arg) in node.args().enumerate() {
                        self.mismatches(facts, arg, root + n as u32, &mut |term, place| {
                            let place = Place(place);
                            clashes.push(Clash { rule: id, atom, term, other: None, negated, place });
                        });
                    }
                });
            }
        }
        self.variable_clashes(facts, &mut clashes);
        clashes
    }

    /// The outermost parts of a term that cannot stand at a place, each with its own place.
    pub fn mismatch(&self, facts: &Facts, term: TermId, place: Place) -> Vec<(TermId, Place)> {
        let mut found = Vec::new();
        if !self.given_up {
            self.mismatches(facts, term, place.0, &mut |term, place| found.push((term, Place(place))));
        }
        found
    }

    fn mismatches(&self, facts: &Facts, term: TermId, place: Slot, f: &mut impl FnMut(TermId, Slot)) {
        let node = facts.term(term);
        let here = Place(place);
        if self.is_open(here) || self.is_empty(here) {
            return;
        }
        match node.shape {
            Shape::Variable(_) | Shape::Error => {}
            Shape::Constant if !self.has_constant(here, node.sym) => f(term, place),
            Shape::Constant => {}
            Shape::Compound => match self.functor(place, node.sym, node.arity() as u32) {
                Some(entry) if entry.present => {
                    for (n, arg) in node.args().enumerate() {
                        self.mismatches(facts, arg, entry.first_child + n as u32, f);
                    }
                }
                _ => f(term, place),
            },
        }
    }

    fn variable_clashes(&self, facts: &Facts, clashes: &mut Vec<Clash>) {
        for group in self.bindings.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let places: Vec<Slot> = group.iter().map(|binding| binding.2).collect();
            if facts.is_broken(group[0].0) || places.len() < 2 || self.overlap(&places) {
                continue;
            }
            if places.iter().any(|place| self.is_empty(Place(*place))) {
                continue;
            }
            // The shortest prefix without a common value names the two places.
            let last = (2..=places.len()).find(|n| !self.overlap(&places[..*n])).unwrap_or(places.len()) - 1;
            let pair = (0..last).find(|n| !self.overlap(&[places[*n], places[last]])).unwrap_or(0);
            let (rule, _, place, term, atom) = group[last];
            // Two variables that clash in one literal are one slip: its arguments are exchanged.
            if clashes.last().is_some_and(|clash| clash.rule == rule && clash.atom == atom && clash.other.is_some()) {
                continue;
            }
            clashes.push(Clash { rule, atom, term, other: Some(group[pair].3), negated: false, place: Place(place) });
        }
    }

    fn overlap(&self, places: &[Slot]) -> bool {
        let closed: Vec<Slot> = places.iter().copied().filter(|place| !self.domains[*place as usize].any).collect();
        let Some((&first, others)) = closed.split_first() else { return true };
        if closed.len() == 1 {
            return !self.is_empty(Place(first));
        }
        let common =
            |word: usize| others.iter().fold(self.row(first)[word], |bits, other| bits & self.row(*other)[word]);
        if (0..self.words).any(|word| common(word) != 0) {
            return true;
        }
        self.domains[first as usize].functors.iter().filter(|entry| entry.present).any(|entry| {
            let entries: Option<Vec<&Functor>> =
                others.iter().map(|other| self.functor(*other, entry.sym, entry.arity).filter(|e| e.present)).collect();
            let Some(entries) = entries else { return false };
            (0..entry.arity).all(|n| {
                let children: Vec<Slot> =
                    std::iter::once(entry).chain(entries.iter().copied()).map(|e| e.first_child + n).collect();
                self.overlap(&children)
            })
        })
    }

    fn row(&self, place: Slot) -> &[u64] {
        &self.bits[place as usize * self.words..(place as usize + 1) * self.words]
    }

    fn functor(&self, place: Slot, sym: Sym, arity: u32) -> Option<&Functor> {
        self.domains[place as usize].functors.iter().find(|entry| entry.sym == sym && entry.arity == arity)
    }

    // Building.

    fn add(&mut self, count: u32, parent: Option<Slot>, any: bool) -> Slot {
        let first = self.domains.len();
        let depth = parent.map_or(0, |parent| self.domains[parent as usize].depth + 1);
        let any = any || depth > DEPTH;
        let domain = Domain { any, depth, parent: parent.map_or(0, |parent| parent + 1), ..Domain::default() };
        self.domains.resize(first + count as usize, domain);
        self.bits.resize(self.domains.len() * self.words, 0);
        self.given_up |= self.domains.len() > MAX_DOMAINS || self.bits.len() > MAX_WORDS;
        first as Slot
    }

    fn root(&mut self, facts: &Facts, relation: Sym, arity: u32) -> Slot {
        let key = (shared(relation), arity);
        if let Some(&root) = self.roots.get(&key) {
            return root;
        }
        let root = self.add(
            arity,
            None,
            (facts.is_tainted(relation) || facts.is_mixed(relation)) && !keyword::is_relation(relation),
        );
        self.roots.insert(key, root);
        root
    }

    /// The first child of a functor at a place; the entry is made where it is missing.
    fn child(&mut self, facts: &Facts, place: Slot, sym: Sym, arity: u32, produce: bool) -> Slot {
        self.child_raw(place, sym, arity, produce, facts.is_tainted(sym) || facts.is_mixed(sym))
    }

    fn child_raw(&mut self, place: Slot, sym: Sym, arity: u32, produce: bool, any: bool) -> Slot {
        let entries = &mut self.domains[place as usize].functors;
        if let Some(entry) = entries.iter_mut().find(|entry| entry.sym == sym && entry.arity == arity) {
            entry.present |= produce;
            return entry.first_child;
        }
        let any = any || self.domains[place as usize].any;
        let first_child = self.add(arity, Some(place), any);
        self.domains[place as usize].functors.push(Functor { sym, arity, first_child, present: produce || any });
        first_child
    }

    fn compile(&mut self, facts: &Facts, id: RuleId) {
        let rule = &facts.lowered.rules[id as usize];
        let mut bound = vec![Vec::new(); rule.variables.len()];
        for literal in &rule.body {
            self.bind(facts, literal, id, true, &mut bound);
        }
        let own = self.bindings.partition_point(|binding| binding.0 < id);
        self.bindings[own..].sort_by_key(|binding| binding.1);
        let Some(head) = rule.head.map(|head| facts.term(head)) else { return };
        if head.variable().is_some() {
            return;
        }
        if slips::is_unwrapped_fluent(facts, head.sym) {
            let state = self.root(facts, keyword::NEXT, 1);
            let fluent = rule.head.unwrap_or(TermId(0));
            self.produce(facts, fluent, state, &bound, rule.broken);
        }
        let root = self.root(facts, head.sym, head.arity() as u32);
        for (n, arg) in head.args().enumerate() {
            self.produce(facts, arg, root + n as u32, &bound, rule.broken);
        }
    }

    /// The places of the variables of a positive literal. `direct` literals hold in every instance of the rule.
    fn bind(&mut self, facts: &Facts, literal: &Literal, id: RuleId, direct: bool, bound: &mut [Vec<Slot>]) {
        match literal {
            Literal::Atom(atom) => {
                let node = facts.term(*atom);
                if node.variable().is_some() {
                    return;
                }
                let root = self.root(facts, node.sym, node.arity() as u32);
                for (n, arg) in node.args().enumerate() {
                    self.pattern(facts, arg, root + n as u32, &mut |variable, place, term, domains| {
                        bound[variable as usize].push(place);
                        if direct {
                            domains.bindings.push((id, variable, place, term, *atom));
                        }
                    });
                }
            }
            Literal::And { parts, .. } => parts.iter().for_each(|part| self.bind(facts, part, id, direct, bound)),
            Literal::Or { parts, .. } => {
                let branches: Vec<Vec<Vec<Slot>>> = parts
                    .iter()
                    .map(|part| {
                        let mut branch = vec![Vec::new(); bound.len()];
                        self.bind(facts, part, id, false, &mut branch);
                        branch
                    })
                    .collect();
                for (variable, places) in bound.iter_mut().enumerate() {
                    if branches.is_empty() || branches.iter().any(|branch| branch[variable].is_empty()) {
                        continue;
                    }
                    let union = self.add(1, None, false);
                    places.push(union);
                    for branch in &branches {
                        self.add_copy(branch[variable].clone(), union);
                    }
                }
            }
            // Only the places are made, so that constants inside can be looked at.
            Literal::Not { parts, .. } => {
                let mut ignored = vec![Vec::new(); bound.len()];
                parts.iter().for_each(|part| self.bind(facts, part, id, false, &mut ignored));
            }
            Literal::Distinct { .. } => {}
        }
    }

    fn pattern(&mut self, facts: &Facts, term: TermId, place: Slot, f: &mut impl FnMut(u32, Slot, TermId, &mut Self)) {
        let node = facts.term(term);
        match node.shape {
            Shape::Variable(variable) => f(variable, place, term, self),
            Shape::Compound => {
                let child = self.child(facts, place, node.sym, node.arity() as u32, false);
                for (n, arg) in node.args().enumerate() {
                    self.pattern(facts, arg, child + n as u32, f);
                }
            }
            Shape::Constant | Shape::Error => {}
        }
    }

    fn produce(&mut self, facts: &Facts, term: TermId, place: Slot, bound: &[Vec<Slot>], broken: bool) {
        let node = facts.term(term);
        match node.shape {
            Shape::Constant => self.set(place, node.sym),
            Shape::Error => self.open(place),
            Shape::Variable(_) if broken => self.open(place),
            Shape::Variable(variable) => match &bound[variable as usize] {
                places if places.is_empty() => self.open(place),
                places => self.add_copy(places.clone(), place),
            },
            Shape::Compound => {
                let child = self.child(facts, place, node.sym, node.arity() as u32, true);
                for (n, arg) in node.args().enumerate() {
                    self.produce(facts, arg, child + n as u32, bound, broken);
                }
            }
        }
    }

    fn add_copy(&mut self, from: Vec<Slot>, to: Slot) {
        let copy = self.copies.len() as u32;
        for place in &from {
            self.domains[*place as usize].readers.push(copy);
        }
        self.copies.push(Copy { from, to });
    }

    fn set(&mut self, place: Slot, sym: Sym) {
        self.bits[place as usize * self.words + sym.index() / 64] |= 1 << (sym.index() % 64);
    }

    /// From now on anything can stand at the place.
    fn open(&mut self, place: Slot) {
        self.open_and_tell(place, &mut Vec::new());
    }

    fn open_and_tell(&mut self, place: Slot, changed: &mut Vec<Slot>) {
        let mut todo = vec![place];
        while let Some(place) = todo.pop() {
            if std::mem::replace(&mut self.domains[place as usize].any, true) {
                continue;
            }
            changed.push(place);
            for entry in &mut self.domains[place as usize].functors {
                entry.present = true;
                todo.extend(entry.first_child..entry.first_child + entry.arity);
            }
        }
    }

    /// Relations without any head, and fluents, moves and percepts that no head makes, are reported by rules of
    /// their own: what stands inside is unknown, not impossible.
    fn open_unknown_places(&mut self, facts: &Facts) {
        let heads = facts.lowered.rules.iter().filter_map(|rule| Some(facts.term(rule.head?)));
        let produced: FxHashSet<(Sym, u32)> = heads.map(|head| (shared(head.sym), head.arity() as u32)).collect();
        let targets: FxHashSet<Slot> = self.copies.iter().map(|copy| copy.to).collect();
        let roots: Vec<((Sym, u32), Slot)> = self.roots.iter().map(|(key, root)| (*key, *root)).collect();
        for (key, root) in roots {
            for place in root..root + key.1 {
                if !produced.contains(&key) {
                    self.open(place);
                    continue;
                }
                let reads_only: Vec<(u32, u32)> = self.domains[place as usize]
                    .functors
                    .iter()
                    .filter(|entry| !entry.present)
                    .map(|entry| (entry.first_child, entry.arity))
                    .collect();
                for (first, arity) in reads_only {
                    if !targets.contains(&place) {
                        (first..first + arity).for_each(|child| self.open(child));
                    }
                }
            }
        }
    }

    /// Fluents and moves that are named where nothing can be trusted may be made there, with anything inside.
    fn open_tainted_names(&mut self, facts: &Facts) {
        let roots = [(keyword::NEXT, 1, 0), (keyword::LEGAL, 2, 1)];
        let places: Vec<Slot> =
            roots.iter().filter_map(|(sym, arity, n)| self.argument(*sym, *arity, *n)).map(|place| place.0).collect();
        for (place, sym) in places.into_iter().flat_map(|place| facts.tainted_names().map(move |sym| (place, sym))) {
            self.set(place, sym);
            let entries = &mut self.domains[place as usize].functors;
            let mut children = Vec::new();
            for entry in entries.iter_mut().filter(|entry| entry.sym == sym) {
                entry.present = true;
                children.extend(entry.first_child..entry.first_child + entry.arity);
            }
            children.into_iter().for_each(|child| self.open(child));
        }
    }

    // The fixpoint.

    fn run(&mut self, start: Vec<u32>) {
        let mut queued = vec![false; self.copies.len()];
        let mut queue: VecDeque<u32> = start.into();
        queue.iter().for_each(|copy| queued[*copy as usize] = true);
        // Every step but the last of a copy adds a bit or a functor; the budget only guards against the absurd.
        let mut budget = 200 * self.copies.len() + 10_000;
        while let Some(copy) = queue.pop_front() {
            queued[copy as usize] = false;
            budget -= 1;
            if budget == 0 || self.given_up {
                self.given_up = true;
                return;
            }
            let Copy { from, to } = self.copies[copy as usize].clone();
            let mut changed = Vec::new();
            self.add_common(&from, to, &mut changed);
            for place in changed {
                let mut up = place + 1;
                while up > 0 {
                    let domain = &self.domains[up as usize - 1];
                    for reader in &domain.readers {
                        if !std::mem::replace(&mut queued[*reader as usize], true) {
                            queue.push_back(*reader);
                        }
                    }
                    up = domain.parent;
                }
            }
        }
    }

    /// Adds to `to` what all of `from` have in common; lists the places that changed.
    fn add_common(&mut self, from: &[Slot], to: Slot, changed: &mut Vec<Slot>) {
        if self.domains[to as usize].any || from == [to] || self.given_up {
            return;
        }
        let closed: Vec<Slot> = from.iter().copied().filter(|place| !self.domains[*place as usize].any).collect();
        let Some((&first, others)) = closed.split_first() else {
            self.open_and_tell(to, changed);
            return;
        };
        let mut grew = false;
        for word in 0..self.words {
            let common = others.iter().fold(self.row(first)[word], |bits, other| bits & self.row(*other)[word]);
            let target = &mut self.bits[to as usize * self.words + word];
            grew |= common & !*target != 0;
            *target |= common;
        }
        for n in 0..self.domains[first as usize].functors.len() {
            let entry = self.domains[first as usize].functors[n].clone();
            if !entry.present {
                continue;
            }
            let mut sources = vec![entry.first_child];
            for other in others {
                match self.functor(*other, entry.sym, entry.arity) {
                    Some(found) if found.present => sources.push(found.first_child),
                    _ => break,
                }
            }
            if sources.len() < closed.len() {
                continue;
            }
            let was = self.functor(to, entry.sym, entry.arity).is_some_and(|entry| entry.present);
            let child = self.child_raw(to, entry.sym, entry.arity, true, false);
            grew |= !was;
            for k in 0..entry.arity {
                let places: Vec<Slot> = sources.iter().map(|source| source + k).collect();
                self.add_common(&places, child + k, changed);
            }
        }
        if grew {
            changed.push(to);
        }
    }

    /// A rule whose variable can be nothing makes nothing. What follows from that is not a fault of its own: its
    /// head's place is opened, and the fixpoint goes on.
    fn force_contradictions(&mut self) {
        let stuck: Vec<u32> = (0..self.copies.len() as u32)
            .filter(|copy| {
                let from = &self.copies[*copy as usize].from;
                from.len() > 1 && !self.overlap(from)
            })
            .collect();
        for copy in &stuck {
            self.open(self.copies[*copy as usize].to);
        }
        if !stuck.is_empty() {
            self.run((0..self.copies.len() as u32).collect());
        }
    }
}

/// Keywords that speak of the same facts share their places.
fn shared(relation: Sym) -> Sym {
    match relation {
        keyword::TRUE | keyword::INIT => keyword::NEXT,
        keyword::DOES => keyword::LEGAL,
        keyword::ACTION => keyword::INPUT,
        other => other,
    }
}
