//! The translation of rules to places, the constants that reach them, and the copies between them.

use rustc_hash::FxHashSet;

use super::{Copy, DEPTH, Domain, Domains, Functor, MAX_DOMAINS, MAX_WORDS, SPARE, Slot, shared};
use crate::gdl::lowered::{Literal, RuleId, Shape, TermId};
use crate::gdl::slips;
use crate::gdl::symbols::{Sym, keyword};
use crate::gdl::trust::Trusted;

impl Domains {
    /// Allocates `count` domains. `None` if there are too many; then none is built.
    fn add(&mut self, count: u32, parent: Option<Slot>, any: bool) -> Option<Slot> {
        let first = self.domains.len();
        self.given_up |= first + count as usize > MAX_DOMAINS;
        self.is_full |= first + count as usize > MAX_DOMAINS + SPARE;
        if self.is_full {
            return None;
        }
        let depth = parent.map_or(0, |parent| self.domains[parent as usize].depth + 1);
        let any = any || depth > DEPTH;
        let domain = Domain { any, depth, parent: parent.map_or(0, |parent| parent + 1), ..Domain::default() };
        self.domains.resize(first + count as usize, domain);
        Some(first as Slot)
    }

    fn root(&mut self, rules: &Trusted, relation: Sym, arity: u32) -> Option<Slot> {
        let key = (shared(relation), arity);
        if let Some(&root) = self.roots.get(&key) {
            return Some(root);
        }
        let root = self.add(
            arity,
            None,
            (rules.is_tainted(relation) || rules.is_mixed(relation)) && !keyword::is_relation(relation),
        )?;
        self.roots.insert(key, root);
        Some(root)
    }

    /// The first child of a functor at a place. Adds the entry if it is missing.
    fn child(&mut self, rules: &Trusted, place: Slot, sym: Sym, arity: u32, produce: bool) -> Option<Slot> {
        self.child_raw(place, sym, arity, produce, rules.is_tainted(sym) || rules.is_mixed(sym))
    }

    pub(super) fn child_raw(&mut self, place: Slot, sym: Sym, arity: u32, produce: bool, any: bool) -> Option<Slot> {
        if let Some(number) = self.functor_number(place, sym, arity) {
            let entry = &mut self.domains[place as usize].functors[number];
            entry.present |= produce;
            return Some(entry.first_child);
        }
        let any = any || self.domains[place as usize].any;
        let first_child = self.add(arity, Some(place), any)?;
        let entries = &mut self.domains[place as usize].functors;
        self.numbers.insert((place, sym, arity), entries.len() as u32);
        entries.push(Functor { sym, arity, first_child, present: produce || any });
        Some(first_child)
    }

    pub(super) fn compile(&mut self, rules: &Trusted, id: RuleId) {
        let rule = &rules.lowered.rules[id as usize];
        let mut bound = vec![Vec::new(); rule.variables().len()];
        for literal in rule.body() {
            self.bind(rules, literal, id, true, &mut bound);
        }
        let own = self.bindings.partition_point(|binding| binding.0 < id);
        self.bindings[own..].sort_by_key(|binding| binding.1);
        let Some(head) = rule.head().map(|head| rules.term(head)) else { return };
        if head.variable().is_some() {
            return;
        }
        if slips::is_unwrapped_fluent(rules, head.sym) {
            let Some(state) = self.root(rules, keyword::NEXT, 1) else { return };
            let fluent = rule.head().unwrap_or(TermId(0));
            self.produce(rules, fluent, state, &bound, rule.broken);
        }
        let Some(root) = self.root(rules, head.sym, head.arity() as u32) else { return };
        for (n, arg) in head.args().enumerate() {
            self.produce(rules, arg, root + n as u32, &bound, rule.broken);
        }
    }

    /// Collects the places of the variables of a positive literal. `direct` literals hold in every instance of the
    /// rule.
    fn bind(&mut self, rules: &Trusted, literal: &Literal, id: RuleId, direct: bool, bound: &mut [Vec<Slot>]) {
        match literal {
            Literal::Atom(atom) => {
                let node = rules.term(*atom);
                if node.variable().is_some() {
                    return;
                }
                let Some(root) = self.root(rules, node.sym, node.arity() as u32) else { return };
                for (n, arg) in node.args().enumerate() {
                    self.pattern(rules, arg, root + n as u32, &mut |variable, place, term, domains| {
                        bound[variable as usize].push(place);
                        if direct {
                            domains.bindings.push((id, variable, place, term, *atom));
                        }
                    });
                }
            }
            Literal::And { parts, .. } => parts.iter().for_each(|part| self.bind(rules, part, id, direct, bound)),
            Literal::Or { parts, .. } => {
                let branches: Vec<Vec<Vec<Slot>>> = parts
                    .iter()
                    .map(|part| {
                        let mut branch = vec![Vec::new(); bound.len()];
                        self.bind(rules, part, id, false, &mut branch);
                        branch
                    })
                    .collect();
                for (variable, places) in bound.iter_mut().enumerate() {
                    if branches.is_empty() || branches.iter().any(|branch| branch[variable].is_empty()) {
                        continue;
                    }
                    let Some(union) = self.add(1, None, false) else { return };
                    places.push(union);
                    for branch in &branches {
                        self.add_copy(branch[variable].clone(), union);
                    }
                }
            }
            // Only the places are created, so that constants inside can be checked.
            Literal::Not { parts, .. } => {
                let mut ignored = vec![Vec::new(); bound.len()];
                parts.iter().for_each(|part| self.bind(rules, part, id, false, &mut ignored));
            }
            Literal::Distinct { .. } => {}
        }
    }

    fn pattern(
        &mut self,
        rules: &Trusted,
        term: TermId,
        place: Slot,
        f: &mut impl FnMut(u32, Slot, TermId, &mut Self),
    ) {
        let node = rules.term(term);
        match node.shape() {
            Shape::Variable(variable) => f(variable, place, term, self),
            Shape::Compound => {
                let Some(child) = self.child(rules, place, node.sym, node.arity() as u32, false) else { return };
                for (n, arg) in node.args().enumerate() {
                    self.pattern(rules, arg, child + n as u32, f);
                }
            }
            Shape::Constant | Shape::Error => {}
        }
    }

    fn produce(&mut self, rules: &Trusted, term: TermId, place: Slot, bound: &[Vec<Slot>], broken: bool) {
        let node = rules.term(term);
        match node.shape() {
            Shape::Constant if rules.structure.unmarked.contains(&term) => self.open(place),
            Shape::Constant => self.set(place, node.sym),
            Shape::Error => self.open(place),
            Shape::Variable(_) if broken => self.open(place),
            Shape::Variable(variable) => match &bound[variable as usize] {
                places if places.is_empty() => self.open(place),
                places => self.add_copy(places.clone(), place),
            },
            Shape::Compound => {
                let Some(child) = self.child(rules, place, node.sym, node.arity() as u32, true) else { return };
                for (n, arg) in node.args().enumerate() {
                    self.produce(rules, arg, child + n as u32, bound, broken);
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
        let grew = self.domains[place as usize].constants.insert(sym);
        self.count_words(usize::from(grew));
    }

    pub(super) fn count_words(&mut self, added: usize) {
        self.words += added;
        self.given_up |= self.words > MAX_WORDS;
    }

    /// Marks the place as open: it can have any value from here on.
    pub(super) fn open(&mut self, place: Slot) {
        self.open_and_tell(place, &mut Vec::new());
    }

    pub(super) fn open_and_tell(&mut self, place: Slot, changed: &mut Vec<Slot>) {
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

    /// Opens relations without a head, and fluents, moves and percepts that no head produces: rules of their own report
    /// them, and their arguments are unknown, not impossible.
    pub(super) fn open_unknown_places(&mut self, rules: &Trusted) {
        let heads = rules.lowered.rules.iter().filter_map(|rule| Some(rules.term(rule.head()?)));
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

    /// Opens the moves of a role without `legal`: it is reported, and its moves and their effects are unknown, not
    /// impossible.
    pub(super) fn open_idle_roles(&mut self, rules: &Trusted) {
        let Some(place) = self.argument(keyword::LEGAL, 2, 0).filter(|place| !self.is_open(*place)) else { return };
        let roles = rules.roles.iter().flatten().copied();
        self.idle = roles.filter(|role| !self.has_constant(place, *role)).collect();
        if !self.idle.is_empty() {
            self.open(place.0);
            self.open(place.0 + 1);
            self.run((0..self.copies.len() as u32).collect());
        }
    }

    /// Opens fluents and moves named in unreliable text: they may be produced there, with any arguments.
    pub(super) fn open_tainted_names(&mut self, rules: &Trusted) {
        let roots = [(keyword::NEXT, 1, 0), (keyword::LEGAL, 2, 1)];
        let places: Vec<Slot> =
            roots.iter().filter_map(|(sym, arity, n)| self.argument(*sym, *arity, *n)).map(|place| place.0).collect();
        for (place, sym) in places.into_iter().flat_map(|place| rules.tainted_names().map(move |sym| (place, sym))) {
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
}
