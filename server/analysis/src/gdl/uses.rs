//! The definitions and uses of each name: the text as it is, before any check.

use std::sync::OnceLock;

use percept_syntax::{Source, TextRange, gdl::Description};
use rustc_hash::{FxHashMap, FxHashSet};

use super::lowered::{Literal, Lowered, Node, RuleId, Shape, TermId};
use super::symbols::{Sym, keyword};
use crate::{Diagnostic, FileId, Rule};

/// The kind of thing that a name names. Fluents are in `true`, `next`, `init`, `base`; moves in `does`, `legal`,
/// `input`, `action`; percepts in `sees` and `percept`. All other atoms are relations, the keywords included.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Space {
    Relation,
    Fluent,
    Move,
    Percept,
}

impl Space {
    /// The kind of thing that is the last argument of a keyword.
    pub(crate) fn inside(keyword: Sym) -> Option<Space> {
        use keyword::*;
        Some(match keyword {
            TRUE | NEXT | INIT | BASE => Space::Fluent,
            DOES | LEGAL | INPUT | ACTION => Space::Move,
            SEES | PERCEPT => Space::Percept,
            _ => return None,
        })
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Space::Relation => "relation",
            Space::Fluent => "fluent",
            Space::Move => "move",
            Space::Percept => "percept",
        }
    }
}

/// One occurrence of a name as a relation, fluent, move or percept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occurrence {
    pub term: TermId,
    pub rule: RuleId,
    /// The keyword around it (`next` for a fluent); for a relation its own name.
    pub via: Sym,
    pub in_head: bool,
}

impl Occurrence {
    /// True if it produces facts: it is in a head other than a declaration.
    pub(crate) fn produces(&self) -> bool {
        self.in_head && !self.declares()
    }

    /// True if it is in `base`, `input`, `action` or `percept`.
    pub(crate) fn declares(&self) -> bool {
        matches!(self.via, keyword::BASE | keyword::INPUT | keyword::ACTION | keyword::PERCEPT)
    }
}

/// A name of one kind, with all its occurrences in the order of the text.
#[derive(Clone, Debug)]
pub(crate) struct Predicate {
    pub space: Space,
    pub sym: Sym,
    pub occurrences: Vec<Occurrence>,
}

impl Predicate {
    pub(crate) fn produced(&self) -> impl Iterator<Item = &Occurrence> {
        self.occurrences.iter().filter(|occurrence| occurrence.produces())
    }

    pub(crate) fn read(&self) -> impl Iterator<Item = &Occurrence> {
        self.occurrences.iter().filter(|occurrence| !occurrence.in_head)
    }

    /// All occurrences in heads.
    pub(crate) fn produced_or_declared(&self) -> impl Iterator<Item = &Occurrence> {
        self.occurrences.iter().filter(|occurrence| occurrence.in_head)
    }

    pub(crate) fn declared(&self) -> impl Iterator<Item = &Occurrence> {
        self.occurrences.iter().filter(|occurrence| occurrence.in_head && occurrence.declares())
    }
}

/// All names of a description with their occurrences.
#[derive(Debug)]
pub(crate) struct Uses<'a> {
    pub source: &'a Source,
    pub lowered: Lowered,
    pub predicates: Vec<Predicate>,
    /// Per space and symbol, the index into `predicates` plus one.
    index: [Vec<u32>; 4],
    /// Variables that represent a whole fluent, move or percept: `(true ?f)`.
    pub wildcards: Vec<(Space, Occurrence)>,
    /// Names that heads of one kind use with different numbers of arguments.
    mixed: FxHashSet<Sym>,
    /// Per symbol, the number of terms of which it is the constant or functor.
    counts: OnceLock<Vec<u32>>,
    /// For each argument of an atom of a keyword, that atom.
    around: OnceLock<FxHashMap<TermId, TermId>>,
}

impl<'a> Uses<'a> {
    pub(crate) fn new(source: &'a Source, description: &Description) -> Self {
        let lowered = Lowered::new(description, &source.errors);
        let (predicates, index, wildcards, mixed, counts, around) = Default::default();
        let mut uses = Uses { source, lowered, predicates, index, wildcards, mixed, counts, around };
        uses.collect();
        uses.mixed =
            uses.predicates.iter().filter(|predicate| uses.is_of_two_forms(predicate)).map(|it| it.sym).collect();
        uses
    }

    pub(crate) fn term(&self, id: TermId) -> &Node {
        self.lowered.term(id)
    }

    /// The first spelling of a symbol.
    pub(crate) fn name(&self, sym: Sym) -> &str {
        self.lowered.symbols.name(sym)
    }

    /// The name of a term as written, without the `?` of a variable.
    pub(crate) fn spelling(&self, node: &Node) -> &str {
        let written = self.text(node.name_range());
        match node.shape() {
            Shape::Error => "",
            // Each `_` of infix text is a variable with a name of its own.
            Shape::Variable(_) if written == "_" => self.lowered.variable_names.name(node.sym),
            _ => written.strip_prefix('?').unwrap_or(written),
        }
    }

    pub(crate) fn range(&self, id: TermId) -> TextRange {
        self.term(id).range()
    }

    pub(crate) fn literal_range(&self, literal: &Literal) -> TextRange {
        match literal {
            Literal::Atom(atom) => self.range(*atom),
            Literal::Not { range, .. }
            | Literal::Or { range, .. }
            | Literal::And { range, .. }
            | Literal::Distinct { range, .. } => *range,
        }
    }

    /// The text of a term as written.
    pub(crate) fn text(&self, range: TextRange) -> &'a str {
        let source: &'a Source = self.source;
        source.text.get(range.as_usize()).unwrap_or_default()
    }

    pub(crate) fn predicate(&self, space: Space, sym: Sym) -> Option<&Predicate> {
        let slot = *self.index[space as usize].get(sym.index())?;
        (slot > 0).then(|| &self.predicates[slot as usize - 1])
    }

    /// The number of occurrences of a name in the description, without variables.
    pub(crate) fn count(&self, sym: Sym) -> u32 {
        let count = || {
            let mut counts = vec![0; self.lowered.symbols.len()];
            let named = self.lowered.terms.iter().filter(|node| node.variable().is_none());
            named.for_each(|node| counts[node.sym.index()] += 1);
            counts
        };
        self.counts.get_or_init(count).get(sym.index()).copied().unwrap_or_default()
    }

    /// The atom, such as `(true ...)` or `(does ...)`, of which a term is an argument.
    pub(crate) fn around(&self, term: TermId) -> Option<TermId> {
        let around = || {
            let words = self.predicates.iter().filter(|it| it.space == Space::Relation && keyword::is_relation(it.sym));
            let atoms = words.flat_map(|word| word.occurrences.iter().map(|atom| atom.term));
            atoms.flat_map(|atom| self.term(atom).args().map(move |arg| (arg, atom))).collect()
        };
        self.around.get_or_init(around).get(&term).copied()
    }

    /// Rules and facts without syntax errors.
    pub(crate) fn sound_rules(&self) -> impl Iterator<Item = (RuleId, &super::RuleNode)> {
        self.lowered.rules.iter().enumerate().filter(|(_, rule)| !rule.broken).map(|(n, rule)| (n as RuleId, rule))
    }

    pub(crate) fn is_broken(&self, rule: RuleId) -> bool {
        self.lowered.rules[rule as usize].broken
    }

    /// True if the name is produced or declared with different numbers of arguments. This is reported; the domains of
    /// its arguments are unknown.
    pub(crate) fn is_mixed(&self, sym: Sym) -> bool {
        self.mixed.contains(&sym)
    }

    fn is_of_two_forms(&self, predicate: &Predicate) -> bool {
        let is_keyword = keyword::is_relation(predicate.sym) || keyword::is_connective(predicate.sym);
        let heads = predicate.occurrences.iter().filter(|occurrence| occurrence.in_head);
        let mut arities = heads.map(|occurrence| self.term(occurrence.term).arity());
        let first = arities.next();
        !is_keyword && predicate.space != Space::Percept && arities.any(|arity| Some(arity) != first)
    }

    /// The inner fluent, move or percept of a keyword's atom with the right number of arguments.
    pub(crate) fn inner(&self, atom: TermId) -> Option<(Space, TermId)> {
        let node = self.term(atom);
        let space = Space::inside(node.sym)?;
        if node.variable().is_some() || !keyword::accepts(node.sym, node.arity()) {
            return None;
        }
        Some((space, node.arg(node.arity() - 1)?))
    }

    /// The name of the inner fluent, move or percept; `None` for a variable.
    pub(crate) fn inner_name(&self, atom: TermId) -> Option<Sym> {
        let node = self.term(self.inner(atom)?.1);
        node.variable().is_none().then_some(node.sym)
    }

    /// True if a variable represents a whole fluent, move or percept in a body (or head).
    pub(crate) fn has_wildcard(&self, space: Space, in_head: bool) -> bool {
        self.wildcards.iter().any(|(s, occurrence)| *s == space && occurrence.in_head == in_head)
    }

    /// The first declaration of each role.
    pub(crate) fn role_places(&self) -> FxHashMap<Sym, TextRange> {
        let declared = self.predicate(Space::Relation, keyword::ROLE).into_iter().flat_map(|roles| roles.produced());
        let arguments = declared.filter_map(|occurrence| self.term(occurrence.term).arg(0)).map(|arg| self.term(arg));
        let mut places = FxHashMap::default();
        arguments.for_each(|arg| {
            places.entry(arg.sym).or_insert(arg.range());
        });
        places
    }

    /// True if two terms are equal, with variables compared by name.
    pub(crate) fn same(&self, a: TermId, b: TermId) -> bool {
        let (x, y) = (self.term(a), self.term(b));
        let alike = x.shape() == y.shape() && x.arity() == y.arity() && (x.variable().is_some() || x.sym == y.sym);
        alike && x.args().zip(y.args()).all(|(a, b)| self.same(a, b))
    }

    /// A finding in the file.
    pub(crate) fn at(&self, rule: &'static Rule, range: TextRange, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(rule, FileId(0), range, message)
    }

    fn collect(&mut self) {
        let rules = std::mem::take(&mut self.lowered.rules);
        for (id, rule) in rules.iter().enumerate() {
            let id = id as RuleId;
            if let Some(head) = rule.head() {
                self.atom(head, id, true);
            }
            for literal in rule.body() {
                self.literal(literal, id);
            }
        }
        self.lowered.rules = rules;
    }

    fn literal(&mut self, literal: &Literal, rule: RuleId) {
        literal.atoms(false, &mut |term, _| self.atom(term, rule, false));
    }

    fn atom(&mut self, term: TermId, rule: RuleId, in_head: bool) {
        let node = self.lowered.term(term);
        if node.variable().is_some() {
            return;
        }
        let via = node.sym;
        self.record(Space::Relation, via, Occurrence { term, rule, via, in_head });
        if let Some((space, inner)) = self.inner(term) {
            let occurrence = Occurrence { term: inner, rule, via, in_head };
            match self.lowered.term(inner).variable() {
                Some(_) => self.wildcards.push((space, occurrence)),
                None => self.record(space, self.lowered.term(inner).sym, occurrence),
            }
        }
    }

    fn record(&mut self, space: Space, sym: Sym, occurrence: Occurrence) {
        let index = &mut self.index[space as usize];
        if index.len() <= sym.index() {
            index.resize(self.lowered.symbols.len(), 0);
        }
        let slot = &mut index[sym.index()];
        if *slot == 0 {
            self.predicates.push(Predicate { space, sym, occurrences: Vec::new() });
            *slot = self.predicates.len() as u32;
        }
        self.predicates[*slot as usize - 1].occurrences.push(occurrence);
    }
}
