//! The knowledge inside a condition or an effect: the literals, comparisons and equalities that hold there.

use percept_syntax::TextRange;
use rustc_hash::FxHashMap;

use super::formula::{KeyId, Number, Orders, Term, UseId, VarId};
use super::model::{CallableId, Model};
use super::usage::terms_fit;

/// The verdict on a new fact, given the known ones.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Verdict {
    New,
    /// It already holds, because of the part at this range (`None`: by itself).
    Always(Option<TextRange>),
    /// It cannot hold, because of the part at this range.
    Never(Option<TextRange>),
}

#[derive(Clone, Debug)]
struct Literal {
    atom: UseId,
    positive: bool,
    range: TextRange,
}

/// `(forall (?x - t) (p ?x a))`: the literal holds for every value of its variables.
#[derive(Clone, Debug)]
struct Universal {
    literal: Literal,
    variables: Vec<VarId>,
}

/// The possible values of a numeric expression.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    low: f64,
    low_open: bool,
    high: f64,
    high_open: bool,
    range: TextRange,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Entailed {
    literals: Vec<Literal>,
    by_key: FxHashMap<Key, usize>,
    by_head: FxHashMap<CallableId, Vec<usize>>,
    universals: Vec<Universal>,
    orders: FxHashMap<(NumberKey, NumberKey), (Orders, TextRange)>,
    bounds: FxHashMap<NumberKey, Bounds>,
    unequal: Vec<(Term, Term, TextRange)>,
    /// Maps a term to one that it equals. Chains have to be followed to the end.
    same: FxHashMap<Term, (Term, TextRange)>,
    log: Vec<Undo>,
}

/// The inverse of one step of learning.
#[derive(Clone, Debug)]
enum Undo {
    Literal,
    Universal,
    Unequal,
    Order((NumberKey, NumberKey), Option<(Orders, TextRange)>),
    Bound(NumberKey, Option<Bounds>),
    Everything(Box<Entailed>),
}

/// The number of literals above which equalities are not followed.
const MANY: usize = 100;

type NumberKey = Box<[u64]>;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Key {
    Plain(KeyId),
    /// Each group of equal terms is replaced by one of them.
    Replaced(Box<[Term]>, CallableId),
}

impl Entailed {
    /// The current state, for [`Entailed::back_to`].
    pub(crate) fn mark(&self) -> usize {
        self.log.len()
    }

    /// Forgets everything learnt since `mark`.
    pub(crate) fn back_to(&mut self, model: &Model, mark: usize) {
        while self.log.len() > mark {
            match self.log.pop() {
                Some(Undo::Literal) => self.forget_literal(model),
                Some(Undo::Universal) => drop(self.universals.pop()),
                Some(Undo::Unequal) => drop(self.unequal.pop()),
                Some(Undo::Order(key, Some(old))) => drop(self.orders.insert(key, old)),
                Some(Undo::Order(key, None)) => drop(self.orders.remove(&key)),
                Some(Undo::Bound(key, Some(old))) => drop(self.bounds.insert(key, old)),
                Some(Undo::Bound(key, None)) => drop(self.bounds.remove(&key)),
                Some(Undo::Everything(before)) => {
                    let log = std::mem::take(&mut self.log);
                    *self = Entailed { log, ..*before };
                }
                None => return,
            }
        }
    }

    fn forget_literal(&mut self, model: &Model) {
        let Some(last) = self.literals.pop() else { return };
        let key = self.key(model, last.atom);
        self.by_key.remove(&key);
        if let Some(list) = model.atom(last.atom).callable.and_then(|head| self.by_head.get_mut(&head)) {
            list.pop();
        }
    }

    fn root(&self, term: Term) -> Term {
        let mut at = term;
        while let Some((next, _)) = self.same.get(&at) {
            at = *next;
        }
        at
    }

    fn key(&self, model: &Model, atom: UseId) -> Key {
        let at = model.atom(atom);
        match at.callable {
            Some(head) if !self.same.is_empty() => {
                Key::Replaced(model.terms(atom).iter().map(|term| self.root(*term)).collect(), head)
            }
            _ => Key::Plain(at.key),
        }
    }

    /// The verdict on a literal, without learning it.
    pub(crate) fn judge(&self, model: &Model, atom: UseId, positive: bool) -> Verdict {
        if let Some(index) = self.by_key.get(&self.key(model, atom)) {
            let entry = &self.literals[*index];
            return verdict(entry.positive == positive, Some(entry.range));
        }
        for universal in &self.universals {
            if self.covers(model, universal, atom) {
                let entry = &universal.literal;
                return verdict(entry.positive == positive, Some(entry.range));
            }
        }
        Verdict::New
    }

    /// True if the universal applies to every instance of the atom.
    fn covers(&self, model: &Model, universal: &Universal, atom: UseId) -> bool {
        let (pattern, other) = (model.atom(universal.literal.atom), model.atom(atom));
        if pattern.callable != other.callable || pattern.callable.is_none() {
            return false;
        }
        let (pattern, other) = (model.terms_of(pattern), model.terms_of(other));
        if pattern.len() != other.len() {
            return false;
        }
        let mut bound: FxHashMap<VarId, Term> = FxHashMap::default();
        pattern.iter().zip(other).all(|(pattern, other)| match pattern {
            Term::Variable(id) if universal.variables.contains(id) => {
                let within = match (model.types_of(*other), &model.variable(*id).types) {
                    (Some(types), upper) => types.within(upper, &model.types),
                    (None, _) => false,
                };
                within && *bound.entry(*id).or_insert(*other) == *other
            }
            _ => self.root(*pattern) == self.root(*other),
        })
    }

    pub(crate) fn learn(&mut self, model: &Model, atom: UseId, positive: bool, range: TextRange) {
        let key = self.key(model, atom);
        let index = self.literals.len();
        if self.by_key.contains_key(&key) {
            return;
        }
        self.by_key.insert(key, index);
        if let Some(head) = model.atom(atom).callable {
            self.by_head.entry(head).or_default().push(index);
        }
        self.literals.push(Literal { atom, positive, range });
        self.log.push(Undo::Literal);
    }

    /// Judges a literal under `forall` by the known facts about its instances, then learns it.
    pub(crate) fn learn_universal(
        &mut self,
        model: &Model,
        variables: &[VarId],
        atom: UseId,
        positive: bool,
        range: TextRange,
    ) -> Verdict {
        let universal = Universal { literal: Literal { atom, positive, range }, variables: variables.to_vec() };
        let mut result = Verdict::New;
        let same_head = model.atom(atom).callable.and_then(|head| self.by_head.get(&head));
        for index in same_head.into_iter().flatten() {
            let entry = &self.literals[*index];
            if entry.positive != positive && self.covers(model, &universal, entry.atom) {
                result = Verdict::Never(Some(entry.range));
            }
        }
        self.universals.push(universal);
        self.log.push(Undo::Universal);
        result
    }

    /// Judges and learns `(= a b)` or `(not (= a b))`.
    pub(crate) fn equal(
        &mut self,
        model: &Model,
        positive: bool,
        left: Term,
        right: Term,
        range: TextRange,
    ) -> Verdict {
        let (a, b) = (self.root(left), self.root(right));
        if a == b {
            let because = self.same.get(&left).or_else(|| self.same.get(&right)).map(|(_, range)| *range);
            return verdict(positive, because);
        }
        if !terms_fit(model, a, b) {
            return verdict(!positive, None);
        }
        let before = self.unequal.iter().find(|(x, y, _)| {
            let (x, y) = (self.root(*x), self.root(*y));
            (x, y) == (a, b) || (x, y) == (b, a)
        });
        if let Some((.., range)) = before {
            return verdict(!positive, Some(*range));
        }
        if !positive {
            self.unequal.push((left, right, range));
            self.log.push(Undo::Unequal);
            return Verdict::New;
        }
        match self.unite(model, a, b, range) {
            Some(clash) => Verdict::Never(Some(clash)),
            None => Verdict::New,
        }
    }

    /// Makes two terms equal. Returns the range of a literal that thereby contradicts another, or `range` itself if the
    /// terms cannot be equal.
    pub(crate) fn unite(&mut self, model: &Model, a: Term, b: Term, range: TextRange) -> Option<TextRange> {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return None;
        }
        if !terms_fit(model, a, b) {
            return Some(range);
        }
        if self.literals.len() > MANY {
            return None;
        }
        let log = std::mem::take(&mut self.log);
        let before = Box::new(self.clone());
        // An object represents its variables.
        let (from, to) = if matches!(a, Term::Object(_)) { (b, a) } else { (a, b) };
        self.same.insert(from, (to, range));
        let literals = std::mem::take(&mut self.literals);
        self.by_key.clear();
        self.by_head.clear();
        let mut clash = None;
        for literal in literals {
            if let Verdict::Never(_) = self.judge(model, literal.atom, literal.positive) {
                clash = Some(literal.range);
            }
            self.learn(model, literal.atom, literal.positive, literal.range);
        }
        self.log = log;
        self.log.push(Undo::Everything(before));
        let unequal = self.unequal.iter().find(|(x, y, _)| self.root(*x) == self.root(*y));
        clash.or(unequal.map(|(.., range)| *range))
    }

    /// The known literals, as (head, true if positive, terms after replacement, terms as written).
    pub(crate) fn atoms<'k>(
        &'k self,
        model: &'k Model,
    ) -> impl Iterator<Item = (CallableId, bool, Vec<Term>, &'k [Term])> + 'k {
        self.literals.iter().filter_map(move |literal| {
            let terms = model.terms(literal.atom);
            let replaced = terms.iter().map(|term| self.root(*term)).collect();
            Some((model.atom(literal.atom).callable?, literal.positive, replaced, terms))
        })
    }

    /// Judges and learns a comparison of two numbers.
    pub(crate) fn compare(
        &mut self,
        model: &Model,
        orders: Orders,
        left: &Number,
        right: &Number,
        range: TextRange,
    ) -> Verdict {
        if let (Number::Constant { value: a }, Number::Constant { value: b }) = (left, right) {
            return verdict(orders.holds(*a, *b), None);
        }
        let (Some(l), Some(r)) = (self.number_key(model, left), self.number_key(model, right)) else {
            return Verdict::New;
        };
        if l == r {
            return verdict(orders.0 & Orders::EQUAL != 0, None);
        }
        if let Number::Constant { value } = right {
            return self.bound(l, orders, *value, range);
        }
        if let Number::Constant { value } = left {
            return self.bound(r, orders.flipped(), *value, range);
        }
        let (pair, orders) = if l <= r { ((l, r), orders) } else { ((r, l), orders.flipped()) };
        let (old, place) = self.orders.get(&pair).copied().unwrap_or((Orders(7), range));
        let both = Orders(old.0 & orders.0);
        if both.0 == 0 {
            return Verdict::Never(Some(place));
        }
        if both == old && old != Orders(7) {
            return Verdict::Always(Some(place));
        }
        let old = self.orders.insert(pair.clone(), (both, range));
        self.log.push(Undo::Order(pair, old));
        Verdict::New
    }

    fn bound(&mut self, key: NumberKey, orders: Orders, value: f64, range: TextRange) -> Verdict {
        let all = Bounds { low: f64::NEG_INFINITY, low_open: true, high: f64::INFINITY, high_open: true, range };
        let old = self.bounds.get(&key).copied().unwrap_or(all);
        let below = old.low < value;
        let at = (old.low < value || old.low == value && !old.low_open)
            && (old.high > value || old.high == value && !old.high_open);
        let above = old.high > value;
        let possible = [(below, Orders::LESS), (at, Orders::EQUAL), (above, Orders::GREATER)];
        let possible = possible.into_iter().filter(|(is, _)| *is).fold(0, |all, (_, order)| all | order);
        if possible & orders.0 == 0 {
            return Verdict::Never(Some(old.range));
        }
        if possible & !orders.0 == 0 {
            return Verdict::Always(Some(old.range));
        }
        let mut new = Bounds { range, ..old };
        let left = possible & orders.0;
        if left & Orders::GREATER == 0 {
            (new.high, new.high_open) = (value, left & Orders::EQUAL == 0);
        }
        if left & Orders::LESS == 0 {
            (new.low, new.low_open) = (value, left & Orders::EQUAL == 0);
        }
        let old = self.bounds.insert(key.clone(), new);
        self.log.push(Undo::Bound(key, old));
        Verdict::New
    }

    /// A key that is equal for expressions of the same shape over the same fluents.
    fn number_key(&self, model: &Model, number: &Number) -> Option<NumberKey> {
        let mut key = Vec::new();
        self.write_number(model, number, &mut key)?;
        Some(key.into())
    }

    fn write_number(&self, model: &Model, number: &Number, key: &mut Vec<u64>) -> Option<()> {
        match number {
            Number::Constant { value } => key.extend([0, value.to_bits()]),
            Number::Fluent(atom) if self.same.is_empty() => key.extend([1, u64::from(model.atom(*atom).key.0)]),
            Number::Fluent(_) | Number::Unknown => return None,
            Number::Operation { op, operands } => {
                key.extend([2 + *op as u64, operands.len() as u64]);
                operands.iter().try_for_each(|operand| self.write_number(model, operand, key))?;
            }
        }
        Some(())
    }
}

fn verdict(holds: bool, because: Option<TextRange>) -> Verdict {
    match holds {
        true => Verdict::Always(because),
        false => Verdict::Never(because),
    }
}
