//! The reliable part of a description. Names in text with syntax errors, or in statements with a fault of form, may
//! mean anything.

use std::ops::Deref;

use percept_syntax::TextRange;
use rustc_hash::FxHashSet;

use super::lowered::Shape;
use super::slips;
use super::structure::Structure;
use super::symbols::{Sym, keyword};
use super::uses::{Predicate, Space, Uses};

/// The names of a description, with the reliability of each. Statements with a fault are marked as broken.
#[derive(Debug)]
pub(crate) struct Trusted<'a> {
    uses: Uses<'a>,
    /// Faults of form, and the statements they make unreliable.
    pub structure: Structure,
    /// The roles, if all `role` statements are facts with one word.
    pub roles: Option<Vec<Sym>>,
    /// The same roles as a set, for lookups.
    role_set: FxHashSet<Sym>,
    /// Heads of statements with syntax errors, and all words of text outside the statements.
    torn: FxHashSet<Sym>,
    /// All names in such text: their definitions and uses are unknown.
    tainted: FxHashSet<Sym>,
    /// Those names, and the names in statements with a fault of form.
    doubtful: FxHashSet<Sym>,
}

impl<'a> Deref for Trusted<'a> {
    type Target = Uses<'a>;

    fn deref(&self) -> &Uses<'a> {
        &self.uses
    }
}

impl<'a> Trusted<'a> {
    pub(crate) fn new(uses: Uses<'a>) -> Self {
        let structure = Structure::new(&uses);
        let (roles, role_set, torn, tainted, doubtful) = Default::default();
        let mut trusted = Trusted { uses, structure, roles, role_set, torn, tainted, doubtful };
        trusted.doubt();
        trusted.roles = trusted.find_roles();
        trusted.role_set = trusted.roles.iter().flatten().copied().collect();
        trusted
    }

    /// True if text with syntax errors may contain heads of this relation.
    pub(crate) fn is_torn(&self, relation: Sym) -> bool {
        self.torn.contains(&relation)
    }

    /// Names that also occur in unreliable text.
    pub(crate) fn tainted_names(&self) -> impl Iterator<Item = Sym> + '_ {
        self.tainted.iter().copied()
    }

    /// True if the name also occurs in text with syntax errors.
    pub(crate) fn is_tainted(&self, sym: Sym) -> bool {
        self.tainted.contains(&sym)
    }

    /// True if the name also occurs in text with syntax errors or a fault of form. It may then be produced or read
    /// there.
    pub(crate) fn is_doubtful(&self, sym: Sym) -> bool {
        self.doubtful.contains(&sym)
    }

    /// True if a head of this keyword is about something that is not a role; that is reported there.
    pub(crate) fn has_stranger(&self, keyword: Sym) -> bool {
        if self.roles.is_none() {
            return false;
        }
        let heads = self.predicate(Space::Relation, keyword).into_iter().flat_map(|heads| heads.produced());
        let mut firsts = heads.filter_map(|head| self.term(head.term).arg(0)).map(|arg| self.term(arg));
        firsts.any(|first| first.variable().is_none() && !self.is_role(first.sym))
    }

    /// True if it is one of the known roles.
    pub(crate) fn is_role(&self, sym: Sym) -> bool {
        self.role_set.contains(&sym)
    }

    /// The names that are produced and read only by their own rules.
    pub(crate) fn unused(&self, space: Space) -> impl Iterator<Item = &Predicate> {
        slips::unused(self, &self.doubtful, space)
    }

    /// True if the name is produced and read only by its own rules.
    pub(crate) fn is_unused(&self, predicate: &Predicate) -> bool {
        slips::is_unused(self, &self.doubtful, predicate)
    }

    /// The keyword that a name is one typo away from, if the arguments also fit the keyword.
    pub(crate) fn near_keyword(&self, predicate: &Predicate) -> Option<&'static str> {
        slips::near_keyword(self, self.roles.is_some().then_some(&self.role_set), predicate)
    }

    /// The names in doubt, for callers that look at all names at once.
    pub(super) fn doubtful(&self) -> &FxHashSet<Sym> {
        &self.doubtful
    }

    /// Marks statements with faults of form as unread for all other rules. Names in text with syntax errors, or in a
    /// statement without a reliable head, may mean anything.
    fn doubt(&mut self) {
        for id in &self.structure.doubtful {
            self.uses.lowered.rules[*id as usize].broken = true;
        }
        let misspelt = slips::misspelt_keywords(&self.uses);
        self.torn = self.unreadable_words();
        let uses = &self.uses;
        self.torn.extend(misspelt.iter().map(|(keyword, _)| *keyword));
        self.tainted = self.torn.clone();
        for (_, atoms) in &misspelt {
            let args = atoms.iter().flat_map(|atom| uses.lowered.term(*atom).args()).map(|arg| uses.lowered.term(arg));
            self.tainted.extend(args.filter(|node| node.variable().is_none()).map(|node| node.sym));
        }
        self.tainted.extend(slips::half_made_fluents(uses));
        // The author of `(true (control red))` as a fact wanted to produce the fluent.
        let misplaced = self.structure.misplaced.iter().filter_map(|id| uses.lowered.rules[*id as usize].head());
        let state = misplaced.filter_map(|head| uses.inner_name(head));
        self.tainted.extend(state.collect::<Vec<Sym>>());
        let mut doubtful = FxHashSet::default();
        for rule in uses.lowered.rules.iter().filter(|rule| rule.broken) {
            let terms = &uses.lowered.terms[rule.terms_start as usize..rule.terms_end as usize];
            let names = terms.iter().filter(|node| node.variable().is_none()).map(|node| node.sym);
            let head = rule.head().map(|head| uses.lowered.term(head));
            let head_is_right = head.is_some_and(|head| {
                let is_keyword = keyword::is_relation(head.sym);
                !keyword::is_connective(head.sym) && (!is_keyword || keyword::accepts(head.sym, head.arity()))
            });
            if !head_is_right || terms.iter().any(|node| node.shape() == Shape::Error) {
                self.torn.extend(head.map(|head| head.sym));
                self.tainted.extend(names.clone().filter(|sym| !keyword::is_relation(*sym)));
            }
            doubtful.extend(names);
        }
        doubtful.extend(self.tainted.iter().copied());
        self.doubtful = doubtful;
    }

    fn find_roles(&self) -> Option<Vec<Sym>> {
        if self.is_torn(keyword::ROLE) {
            return None;
        }
        let mut roles = Vec::new();
        let mut seen = FxHashSet::default();
        for occurrence in self.predicate(Space::Relation, keyword::ROLE)?.produced() {
            let rule = &self.lowered.rules[occurrence.rule as usize];
            let argument = self.term(self.term(occurrence.term).arg(0)?);
            if argument.shape() != Shape::Constant || !rule.body().is_empty() {
                return None;
            }
            if seen.insert(argument.sym) {
                roles.push(argument.sym);
            }
        }
        (!roles.is_empty()).then_some(roles)
    }

    /// The words of the text outside all statements.
    fn unreadable_words(&self) -> FxHashSet<Sym> {
        let mut words = FxHashSet::default();
        if self.source.errors.is_empty() {
            return words;
        }
        let mut from = 0;
        let all = self.lowered.rules.iter().map(|rule| rule.range);
        let end = TextRange::at(self.source.text.len() as u32);
        for range in all.chain([end]) {
            if range.start > from {
                let text = self.text(TextRange::new(from, range.start));
                for line in text.lines() {
                    let code = line.split([';', '%']).next().unwrap_or_default();
                    let separators = |c: char| c.is_whitespace() || "()&,|~.:".contains(c);
                    words.extend(code.split(separators).filter_map(|word| self.lowered.symbols.find(word)));
                }
            }
            from = from.max(range.end);
        }
        words
    }
}
