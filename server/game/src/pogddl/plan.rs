//! Join plans: the order in which the variables of an action, rule, quantifier or `forall` are bound.
//!
//! A plan binds one literal's variables at a time, the literal with the fewest expected bindings first, and tests every
//! other conjunct as soon as its variables are bound. So the actions of another phase fail at their first test, and no
//! binding is enumerated that a bound variable already rules out.
//!
//! Messages are a list, and the last of several assignments to a number counts. Variables around them are therefore
//! bound in the order of their declaration, the outermost first ([`Compiler::plan_in_order`]); every step of such a
//! plan binds one variable, in the order of the objects' names.

use std::{cell::RefCell, sync::Arc};

use percept_syntax::TextRange;
use rustc_hash::FxHashMap;

use super::{
    layout::{Layout, NONE},
    model::*,
    tables::{Index, Table},
};
use crate::circuit::Order;

/// The number of a ground atom as a function of the frame.
#[derive(Clone, Debug)]
pub(crate) struct AtomRef {
    pub base: u32,
    pub vars: Box<[(u8, Arc<[u32]>)]>,
}

impl AtomRef {
    /// Through a layout; constants are folded into the base.
    pub(super) fn new(layout: &Layout, args: &[Term]) -> AtomRef {
        let mut base = if layout.size == 0 { NONE } else { layout.base };
        let mut vars = Vec::new();
        for (position, term) in layout.positions.iter().zip(args) {
            match term {
                Term::Var(slot) => vars.push((*slot, position.contribution.clone())),
                Term::Const(object) => {
                    let contribution = position.contribution[*object as usize];
                    // The number of a static predicate that is too large to number is never requested, so wrapping does
                    // no harm.
                    base = if base == NONE || contribution == NONE { NONE } else { base.wrapping_add(contribution) };
                }
            }
        }
        AtomRef { base, vars: vars.into() }
    }

    /// The number of the atom; [`NONE`] if it can never occur.
    #[inline]
    pub(super) fn id(&self, frame: &Frame) -> u32 {
        let mut id = self.base;
        if id == NONE {
            return NONE;
        }
        for (slot, contributions) in &self.vars {
            let contribution = contributions[frame[*slot as usize % MAX_SLOTS] as usize];
            if contribution == NONE {
                return NONE;
            }
            id += contribution;
        }
        id
    }
}

/// An executable condition.
#[derive(Clone, Debug)]
pub(crate) enum Cond {
    True,
    False,
    Equal(Term, Term),
    Static(AtomRef, Arc<Table>),
    SparseStatic(Box<[Term]>, Arc<Table>),
    /// A fluent or a derived atom, whose bits lie behind the fluents'.
    Fluent(AtomRef),
    Compare(Order, Expression, Expression),
    Not(Box<Cond>),
    And(Box<[Cond]>),
    Or(Box<[Cond]>),
    Exists(Box<Plan>),
}

/// An executable number.
#[derive(Clone, Debug)]
pub(crate) enum Expression {
    Constant(i64),
    Table(AtomRef, Arc<[i64]>),
    /// The ground numeric fluent with this number.
    Register(AtomRef),
    /// An operation on two numbers, with its place in the text.
    Binary(Operation, Box<Expression>, Box<Expression>, TextRange),
}

#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub steps: Vec<Step>,
}

#[derive(Clone, Debug)]
pub(crate) enum Step {
    Test(Cond),
    /// Every object of the variable's type.
    Domain(u8, Arc<[Obj]>),
    Rows(Rows),
    Scan(Scan),
}

/// Binds variables from the rows of a static predicate.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub index: Arc<Index>,
    /// The values that are already bound, by position.
    pub args: Box<[Term]>,
    /// Positions to compare because the index does not, or a variable is repeated.
    pub compare: Box<[usize]>,
    /// Positions that bind a slot.
    pub bind: Box<[usize]>,
    /// Types of the bound variables, if the table may hold other objects.
    pub filters: Box<[Filter]>,
}

/// Binds variables from the atoms of a dynamic predicate that (may) hold, or, negated, that may not hold.
#[derive(Clone, Debug)]
pub(crate) struct Scan {
    pub is_negated: bool,
    /// The atom with the free positions at rank zero.
    pub start: AtomRef,
    /// Free positions, greatest stride first.
    pub free: Box<[Free]>,
    /// The number of last free positions that form one contiguous run of bits, and the length of the run.
    pub run: (usize, u32),
    pub filters: Box<[Filter]>,
}

#[derive(Clone, Debug)]
pub(crate) struct Free {
    pub slot: u8,
    pub stride: u32,
    pub objects: Arc<[Obj]>,
}

/// The slot must be bound to one of these objects (a bit per object).
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    pub slot: u8,
    pub allowed: Arc<[bool]>,
}

/// The existing indexes, by predicate and bound positions.
pub(crate) type Indexes = FxHashMap<(u16, Vec<usize>), Arc<Index>>;

/// The game data that compiling needs.
pub(crate) struct Compiler<'a> {
    pub predicates: &'a [Layout],
    pub functions: &'a [Layout],
    /// Tables of the static predicates.
    pub tables: &'a [Option<Arc<Table>>],
    /// Values of the static functions.
    pub values: &'a [Option<Arc<[i64]>>],
    /// Atoms of each dynamic predicate expected to hold at a time.
    pub expected: &'a [f64],
    pub object_count: usize,
    pub indexes: RefCell<Indexes>,
}

impl Compiler<'_> {
    /// A plan that binds `vars` (those not in the mask `bound`) so that `body` may hold.
    pub(super) fn plan(&self, vars: &[Var], body: &Formula, bound: u64) -> Plan {
        self.planned(vars, body, bound, false)
    }

    /// Like [`Compiler::plan`], with the bindings in lexicographic order of `vars`.
    pub(super) fn plan_in_order(&self, vars: &[Var], body: &Formula, bound: u64) -> Plan {
        self.planned(vars, body, bound, true)
    }

    fn planned(&self, vars: &[Var], body: &Formula, bound: u64, is_ordered: bool) -> Plan {
        let own: u64 = vars.iter().fold(0, |mask, var| mask | bit(var.slot));
        let scope = bound | own;
        let mut planning = Planning {
            compiler: self,
            vars,
            scope,
            bound,
            is_ordered,
            pending: body.conjuncts().iter().collect(),
            steps: Vec::new(),
        };
        if matches!(body, Formula::False) {
            planning.pending = vec![body];
        }
        planning.run(own);
        Plan { steps: planning.steps }
    }

    /// A condition all of whose variables in `bound` have values.
    pub(super) fn condition(&self, formula: &Formula, bound: u64) -> Cond {
        match formula {
            Formula::True => Cond::True,
            Formula::False => Cond::False,
            Formula::Atom(atom) => self.atom(atom),
            Formula::Equal(left, right) => Cond::Equal(*left, *right),
            Formula::Compare(order, left, right) => {
                Cond::Compare(*order, self.expression(left), self.expression(right))
            }
            Formula::Not(inner) => Cond::Not(Box::new(self.condition(inner, bound))),
            Formula::And(parts) => Cond::And(parts.iter().map(|part| self.condition(part, bound)).collect()),
            Formula::Or(parts) => Cond::Or(parts.iter().map(|part| self.condition(part, bound)).collect()),
            Formula::Exists(vars, body) => Cond::Exists(Box::new(self.plan(vars, body, bound))),
        }
    }

    fn atom(&self, atom: &Atom) -> Cond {
        let symbol = atom.symbol as usize;
        let reference = AtomRef::new(&self.predicates[symbol], &atom.args);
        match &self.tables[symbol] {
            None if reference.base == NONE => Cond::False,
            None => Cond::Fluent(reference),
            Some(table) if table.bits().is_none() => Cond::SparseStatic(atom.args.clone(), table.clone()),
            Some(_) if reference.base == NONE => Cond::False,
            Some(table) => Cond::Static(reference, table.clone()),
        }
    }

    pub(super) fn expression(&self, number: &Num) -> Expression {
        match number {
            Num::Constant(value) => Expression::Constant(*value),
            Num::Read(atom) => {
                let symbol = atom.symbol as usize;
                let reference = AtomRef::new(&self.functions[symbol], &atom.args);
                match &self.values[symbol] {
                    _ if reference.base == NONE => Expression::Constant(0),
                    Some(values) => Expression::Table(reference, values.clone()),
                    None => Expression::Register(reference),
                }
            }
            Num::Binary(op, left, right, range) => {
                Expression::Binary(*op, Box::new(self.expression(left)), Box::new(self.expression(right)), *range)
            }
        }
    }

    fn index(&self, symbol: u16, table: &Table, bound: Vec<usize>) -> Arc<Index> {
        let mut indexes = self.indexes.borrow_mut();
        indexes.entry((symbol, bound)).or_insert_with_key(|(_, bound)| Arc::new(Index::new(&table.rows, bound))).clone()
    }
}

pub(crate) fn bit(slot: u8) -> u64 {
    1 << (slot as u64 % 64)
}

struct Planning<'a> {
    compiler: &'a Compiler<'a>,
    vars: &'a [Var],
    /// The slots in scope, bound or not; others belong to quantifiers inside.
    scope: u64,
    bound: u64,
    /// True if the variables are bound one by one, in the order of declaration.
    is_ordered: bool,
    pending: Vec<&'a Formula>,
    steps: Vec<Step>,
}

impl<'a> Planning<'a> {
    fn run(&mut self, own: u64) {
        loop {
            self.tests();
            let unbound = own & !self.bound;
            if unbound == 0 {
                return;
            }
            let open = self.open(unbound);
            let mut best: Option<(f64, u32, Option<usize>)> = None;
            let mut offer = |cost: f64, slot: u32, candidate: Option<usize>| {
                if best.is_none_or(|(least, first, _)| (cost, slot) < (least, first)) {
                    best = Some((cost, slot, candidate));
                }
            };
            for (place, formula) in self.pending.iter().enumerate() {
                if let Formula::Atom(atom) = formula
                    && let Some((cost, slot)) = self.cost(atom)
                    && self.binds(atom) & !open == 0
                {
                    offer(cost, slot, Some(place));
                }
            }
            for var in self.vars.iter().filter(|var| open & bit(var.slot) != 0) {
                // A binding from an atom also does that atom's test, so it is preferred at equal cost.
                offer(var.domain.len() as f64 + 0.5, var.slot as u32, None);
            }
            match best {
                Some((_, _, Some(place))) => {
                    let formula = self.pending.remove(place);
                    if let Formula::Atom(atom) = formula {
                        self.bind(formula, atom);
                    }
                }
                Some((_, slot, None)) => match self.absent(slot as u8, open) {
                    Some(place) => {
                        let formula = self.pending.remove(place);
                        if let Formula::Not(inner) = formula
                            && let Formula::Atom(atom) = &**inner
                        {
                            self.bind_absent(atom);
                        }
                    }
                    None => self.domain(slot as u8),
                },
                None => return,
            }
        }
    }

    /// The unbound variables that may be bound next.
    fn open(&self, unbound: u64) -> u64 {
        match self.vars.iter().find(|var| unbound & bit(var.slot) != 0) {
            Some(first) if self.is_ordered => bit(first.slot),
            _ => unbound,
        }
    }

    /// The variables that finding an atom would bind.
    fn binds(&self, atom: &Atom) -> u64 {
        let free = atom.args.iter().filter(|term| !self.is_bound(term));
        free.filter_map(|term| term.slot()).fold(0, |mask, slot| mask | bit(slot))
    }

    /// Moves every conjunct whose variables are bound into the plan, the cheap ones first.
    fn tests(&mut self) {
        let (scope, bound) = (self.scope, self.bound);
        let is_ready = |formula: &&Formula| {
            let mut needed = 0;
            formula.slots(&mut |slot| needed |= bit(slot) & scope);
            needed & !bound == 0
        };
        let (mut ready, pending): (Vec<_>, Vec<_>) = std::mem::take(&mut self.pending).into_iter().partition(is_ready);
        self.pending = pending;
        ready.sort_by_key(|formula| match formula {
            Formula::Or(_) | Formula::And(_) => 2,
            Formula::Exists(..) => 3,
            Formula::Not(inner) if matches!(**inner, Formula::Exists(..)) => 3,
            _ => 1,
        });
        for formula in ready {
            match self.compiler.condition(formula, self.bound) {
                Cond::True => {}
                Cond::Not(inner) if matches!(*inner, Cond::False) => {}
                test => self.steps.push(Step::Test(test)),
            }
        }
    }

    fn is_bound(&self, term: &Term) -> bool {
        term.slot().is_none_or(|slot| self.bound & bit(slot) != 0)
    }

    /// The bindings expected from an atom, and the first slot it binds; `None` if it binds nothing.
    fn cost(&self, atom: &Atom) -> Option<(f64, u32)> {
        let first = atom.args.iter().filter(|term| !self.is_bound(term)).filter_map(|term| term.slot()).min()?;
        let symbol = atom.symbol as usize;
        let layout = &self.compiler.predicates[symbol];
        let bound_positions: Vec<usize> = (0..atom.args.len()).filter(|&at| self.is_bound(&atom.args[at])).collect();
        let cost = match &self.compiler.tables[symbol] {
            Some(table) => self.compiler.index(atom.symbol, table, bound_positions).fan_out,
            None => {
                let keys: f64 =
                    bound_positions.iter().map(|&at| layout.positions[at].objects.len().max(1) as f64).product();
                (self.compiler.expected[symbol] / keys).max(1.0)
            }
        };
        Some((cost, first as u32))
    }

    fn bind(&mut self, formula: &'a Formula, atom: &Atom) {
        let symbol = atom.symbol as usize;
        let layout = &self.compiler.predicates[symbol];
        match &self.compiler.tables[symbol] {
            Some(table) => self.rows(atom, table),
            None => match self.repeated(atom) {
                // A scan would find the variable at only one of its positions: bind it first, then test the atom.
                Some(slot) => {
                    self.domain(slot);
                    self.pending.push(formula);
                    return;
                }
                None => self.scan(atom, layout, false),
            },
        }
        for slot in atom.args.iter().filter_map(|term| term.slot()) {
            self.bound |= bit(slot);
        }
    }

    /// A variable to bind that is at two positions.
    fn repeated(&self, atom: &Atom) -> Option<u8> {
        let free = |term: &&Term| !self.is_bound(term);
        let mut slots = atom.args.iter().filter(free).filter_map(|term| term.slot());
        slots.find(|slot| atom.args.iter().filter(|term| term.slot() == Some(*slot)).count() > 1)
    }

    /// A conjunct `(not (p ... ?x ...))` over a dynamic predicate whose unbound variables, `slot` among them and
    /// all of them `open`, range over exactly the objects of their positions: the clear bits are their bindings.
    fn absent(&self, slot: u8, open: u64) -> Option<usize> {
        self.pending.iter().position(|formula| {
            let Formula::Not(inner) = formula else { return false };
            let Formula::Atom(atom) = &**inner else { return false };
            let layout = &self.compiler.predicates[atom.symbol as usize];
            let mut free = 0;
            let fits = layout.positions.iter().zip(&atom.args).filter(|(_, term)| !self.is_bound(term)).all(
                |(position, term)| {
                    let is_repeated = term.slot().is_none_or(|slot| free & bit(slot) != 0);
                    free |= term.slot().map_or(0, bit);
                    let var = self.vars.iter().find(|var| Some(var.slot) == term.slot());
                    !is_repeated && var.is_some_and(|var| *var.domain == position.objects[..])
                },
            );
            self.compiler.tables[atom.symbol as usize].is_none() && fits && free & bit(slot) != 0 && free & !open == 0
        })
    }

    fn bind_absent(&mut self, atom: &Atom) {
        let layout = &self.compiler.predicates[atom.symbol as usize];
        self.scan(atom, layout, true);
        for slot in atom.args.iter().filter_map(|term| term.slot()) {
            self.bound |= bit(slot);
        }
    }

    fn rows(&mut self, atom: &Atom, table: &Arc<Table>) {
        let bound: Vec<usize> = (0..atom.args.len()).filter(|&at| self.is_bound(&atom.args[at])).collect();
        let (mut compare, mut bind) = (Vec::new(), Vec::<usize>::new());
        for (at, term) in atom.args.iter().enumerate() {
            if bound.contains(&at) {
                if bound.iter().position(|&other| other == at).is_some_and(|rank| rank >= 4) {
                    compare.push(at);
                }
            } else if bind.iter().any(|&earlier| atom.args[earlier] == *term) {
                compare.push(at);
            } else {
                bind.push(at);
            }
        }
        let present = |at: usize| table.rows.iter().map(move |row| row[at]);
        let filters = bind.iter().filter_map(|&at| self.filter(atom.args[at].slot()?, present(at))).collect();
        self.steps.push(Step::Rows(Rows {
            index: self.compiler.index(atom.symbol, table, bound),
            args: atom.args.clone(),
            compare: compare.into(),
            bind: bind.into(),
            filters,
        }));
    }

    fn scan(&mut self, atom: &Atom, layout: &Layout, is_negated: bool) {
        let (mut free, mut filters): (Vec<Free>, Vec<Filter>) = (Vec::new(), Vec::new());
        let (mut kept_args, mut kept_positions) = (Vec::new(), Vec::new());
        for (position, term) in layout.positions.iter().zip(&atom.args) {
            match term.slot().filter(|_| !self.is_bound(term)) {
                None => {
                    kept_args.push(*term);
                    kept_positions.push(position.clone());
                }
                Some(slot) => {
                    let objects: Arc<[Obj]> = position.objects.clone().into();
                    free.push(Free { slot, stride: position.stride, objects });
                    filters.extend(self.filter(slot, position.objects.iter().copied()));
                }
            }
        }
        free.sort_by_key(|free| std::cmp::Reverse(free.stride));
        let kept = Layout { base: layout.base, size: layout.size, positions: kept_positions };
        let (mut count, mut length) = (0, 1u32);
        for free in free.iter().rev() {
            if free.stride != length {
                break;
            }
            count += 1;
            length *= free.objects.len() as u32;
        }
        let start = AtomRef::new(&kept, &kept_args);
        self.steps.push(Step::Scan(Scan {
            is_negated,
            start,
            free: free.into(),
            run: (count, length),
            filters: filters.into(),
        }));
    }

    fn domain(&mut self, slot: u8) {
        if let Some(var) = self.vars.iter().find(|var| var.slot == slot) {
            self.steps.push(Step::Domain(slot, var.domain.clone()));
        }
        self.bound |= bit(slot);
    }

    /// The filter that a variable's type needs if objects outside the type may be found.
    fn filter(&self, slot: u8, mut found: impl Iterator<Item = Obj>) -> Option<Filter> {
        let var = self.vars.iter().find(|var| var.slot == slot)?;
        let mut allowed = vec![false; self.compiler.object_count];
        var.domain.iter().for_each(|&object| allowed[object as usize] = true);
        let is_needed = found.any(|object| !allowed[object as usize]);
        is_needed.then(|| Filter { slot, allowed: allowed.into() })
    }
}
