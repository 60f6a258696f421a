//! From typed syntax to lifted rules.

mod safe;

use std::sync::Arc;

use percept_syntax::TextRange;
use percept_syntax::gdl::{Description, Formula, Statement, Term, TermKind};
use percept_syntax::words::counted;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::program::{Atom, Condition, KEYWORDS, Literal, Pattern, Program, Relation, RelationId, Rule};
use crate::{Budget, GameError, Pace};

/// The maximum number of branches of one rule (by multiplying out its disjunctions).
const MAX_BRANCHES: usize = 10_000;
/// The maximum nesting of terms and formulas.
const MAX_DEPTH: usize = 200;

/// Lowers a whole description.
///
/// # Errors
/// If rules have no meaning: wrong arities of keywords, misplaced keywords, malformed terms. Also if the budget is
/// spent.
pub(super) fn lower(description: &Description, budget: &Budget) -> Result<Program, Vec<GameError>> {
    let mut lowering = Lowering::new();
    let mut pace = Pace::default();
    for statement in description.statements.each() {
        if pace.stop(budget).is_some() {
            GameError::if_spent(budget)?;
        }
        let rules = lowering.program.rules.len();
        match (lowering.statement(&statement), declares(&statement)) {
            (Ok(()), _) => {}
            (Err(error), None) => lowering.errors.push(error),
            // Play does not need declarations: the game is the same without them.
            (Err(error), Some(relation)) => {
                lowering.program.rules.truncate(rules);
                lowering.program.left_out.push((relation, error));
            }
        }
    }
    lowering.keep_what_is_read();
    if lowering.errors.is_empty() { Ok(lowering.program) } else { Err(lowering.errors) }
}

/// The relation that a statement declares, if it is a declaration: `base`, `input`, `percept`.
fn declares(statement: &Statement) -> Option<RelationId> {
    let name = statement.head.as_ref()?.name.text.as_str();
    [RelationId::BASE, RelationId::INPUT, RelationId::PERCEPT].into_iter().find(|it| KEYWORDS[it.index()].0 == name)
}

pub(super) fn error(range: TextRange, message: impl Into<String>) -> GameError {
    GameError { message: message.into(), range, in_problem: false }
}

type Branch = Vec<Literal>;

struct Lowering {
    program: Program,
    relations: FxHashMap<(SmolStr, usize), RelationId>,
    /// The variables of all facts.
    no_variables: Arc<[SmolStr]>,
    errors: Vec<GameError>,
}

/// The variables of one statement.
#[derive(Default)]
struct Scope {
    names: Vec<SmolStr>,
    /// The number of occurrences of each variable in the statement.
    occurrences: FxHashMap<SmolStr, usize>,
}

impl Lowering {
    fn new() -> Lowering {
        let mut lowering = Lowering {
            program: Program::default(),
            relations: FxHashMap::default(),
            no_variables: Arc::from([]),
            errors: Vec::new(),
        };
        for (name, arity) in KEYWORDS {
            lowering.relation(name, arity);
        }
        lowering
    }

    fn relation(&mut self, name: &str, arity: usize) -> RelationId {
        if let Some(&relation) = self.relations.get(&(SmolStr::new(name), arity)) {
            return relation;
        }
        let id = self.add_relation(name, arity, false);
        self.relations.insert((name.into(), arity), id);
        id
    }

    fn add_relation(&mut self, name: &str, arity: usize, helper: bool) -> RelationId {
        let id = RelationId(self.program.relations.len() as u32);
        let name = self.program.terms.sym(name);
        self.program.relations.push(Relation { name, arity, helper, domain: false });
        id
    }

    /// Turns errors in declarations that some rule reads into errors of the game.
    fn keep_what_is_read(&mut self) {
        let read: FxHashSet<RelationId> = match self.program.left_out.is_empty() {
            true => return,
            false => {
                let bodies = self.program.rules.iter().flat_map(|rule| &rule.body);
                bodies.filter_map(|literal| literal.condition.atom()).map(|atom| atom.relation).collect()
            }
        };
        let (needed, left_out): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.program.left_out).into_iter().partition(|(relation, _)| read.contains(relation));
        self.program.left_out = left_out;
        self.errors.extend(needed.into_iter().map(|(_, error)| error));
    }

    fn statement(&mut self, statement: &Statement) -> Result<(), GameError> {
        let Some(head) = &statement.head else {
            return Err(error(statement.range, "a rule needs a head"));
        };
        let mut scope = Scope::default();
        let mut count = |term: &Term| {
            term.walk(&mut |part| {
                if part.is_variable() {
                    *scope.occurrences.entry(part.name.text.clone()).or_default() += 1;
                }
            });
        };
        check_depth(head, 0)?;
        count(head);
        for formula in &statement.body {
            check_formula_depth(formula, 0)?;
            formula.terms(&mut count);
        }
        let atom = self.atom(head, &mut scope)?;
        if [RelationId::TRUE, RelationId::DOES].contains(&atom.relation) {
            let name = self.program.name(atom.relation);
            return Err(error(head.range, format!("`{name}` must not be the head of a rule")));
        }
        let branches = self.conjunction(&statement.body, &mut scope)?;
        for branch in branches {
            self.finish(statement, head, atom.clone(), branch, &scope)?;
        }
        Ok(())
    }

    /// Simplifies one branch, makes its negations safe and adds it to the program.
    fn finish(
        &mut self,
        statement: &Statement,
        head: &Term,
        atom: Atom,
        branch: Branch,
        scope: &Scope,
    ) -> Result<(), GameError> {
        let variables = self.variables(scope);
        let rule =
            Rule { head: atom, body: branch, variables, range: statement.range, head_range: head.range, whole: None };
        match self.simplify(rule) {
            Some(rule) => self.add_safe(rule),
            None => Ok(()),
        }
    }

    fn conjunction(&mut self, parts: &[Formula], scope: &mut Scope) -> Result<Vec<Branch>, GameError> {
        let mut result = vec![Branch::new()];
        for part in parts {
            let branches = self.branches(part, true, scope)?;
            result = multiply(result, branches, part.range())?;
        }
        Ok(result)
    }

    /// The disjunctive normal form of a formula, or of its negation.
    fn branches(&mut self, formula: &Formula, positive: bool, scope: &mut Scope) -> Result<Vec<Branch>, GameError> {
        let range = formula.range();
        match formula {
            Formula::Atom(term) => {
                let atom = self.atom(term, scope)?;
                let condition = if positive { Condition::Positive(atom) } else { Condition::Negative(atom) };
                Ok(vec![vec![Literal { condition, range }]])
            }
            Formula::Distinct { args, .. } => {
                let [left, right] = &args[..] else {
                    return Err(error(range, format!("`distinct` takes 2 arguments, not {}", args.len())));
                };
                let (left, right) = (self.pattern(left, scope)?, self.pattern(right, scope)?);
                let condition = if positive {
                    Condition::Distinct(left, right)
                } else {
                    Condition::Positive(Atom { relation: EQUAL, args: [left, right].into() })
                };
                Ok(vec![vec![Literal { condition, range }]])
            }
            Formula::Not { parts, .. } => {
                let [part] = &parts[..] else {
                    return Err(error(range, format!("`not` takes 1 argument, not {}", parts.len())));
                };
                self.branches(part, !positive, scope)
            }
            Formula::And { parts, .. } if positive => self.conjunction(parts, scope),
            Formula::Or { parts, .. } if !positive => {
                let mut result = vec![Branch::new()];
                for part in parts {
                    let branches = self.branches(part, false, scope)?;
                    result = multiply(result, branches, range)?;
                }
                Ok(result)
            }
            Formula::Or { parts, .. } => self.union(parts, positive, range, scope),
            Formula::And { parts, .. } => {
                if self.own_variables(formula, scope) {
                    return self.no_conjunction(parts, formula, scope);
                }
                self.union(parts, positive, range, scope)
            }
        }
    }

    fn union(
        &mut self,
        parts: &[Formula],
        positive: bool,
        range: TextRange,
        scope: &mut Scope,
    ) -> Result<Vec<Branch>, GameError> {
        let mut result = Vec::new();
        for part in parts {
            result.extend(self.branches(part, positive, scope)?);
            if result.len() > MAX_BRANCHES {
                return Err(too_many_branches(range));
            }
        }
        Ok(result)
    }

    /// True if some variable of this formula occurs nowhere else in the statement.
    fn own_variables(&self, formula: &Formula, scope: &Scope) -> bool {
        let inside = occurrences(formula);
        inside.iter().any(|(name, count)| scope.occurrences.get(name) == Some(count))
    }

    /// The negation of a conjunction with its own variables: a negated helper relation for the conjunction.
    fn no_conjunction(
        &mut self,
        parts: &[Formula],
        formula: &Formula,
        scope: &mut Scope,
    ) -> Result<Vec<Branch>, GameError> {
        let range = formula.range();
        let inside = occurrences(formula);
        let shared: Vec<SmolStr> = inside
            .iter()
            .filter(|(name, count)| scope.occurrences.get(*name) != Some(count))
            .map(|(name, _)| name.clone())
            .collect();
        let relation = self.add_relation("some", shared.len(), true);
        let args = shared.iter().map(|name| Pattern::Variable(scope.variable(name))).collect();
        let head = Atom { relation, args };
        for branch in self.conjunction(parts, scope)? {
            let variables = self.variables(scope);
            let rule = Rule { head: head.clone(), body: branch, variables, range, head_range: range, whole: None };
            if let Some(rule) = self.simplify(rule) {
                self.add_safe(rule)?;
            }
        }
        Ok(vec![vec![Literal { condition: Condition::Negative(head), range }]])
    }

    fn atom(&mut self, term: &Term, scope: &mut Scope) -> Result<Atom, GameError> {
        let (name, args) = match &term.kind {
            TermKind::Constant => (&term.name, &[][..]),
            TermKind::Compound(args) => (&term.name, &args[..]),
            TermKind::Variable => return Err(error(term.range, "a variable cannot be a condition")),
            TermKind::Error(_) => return Err(error(term.range, "this is not a condition")),
        };
        let text = name.text.as_str();
        if ["not", "or", "and", "distinct"].iter().any(|word| name.is(word)) {
            return Err(error(name.range, format!("`{text}` needs its arguments in the same parentheses")));
        }
        if name.is("<=") || name.is(":-") {
            return Err(error(name.range, "a rule cannot be inside another rule"));
        }
        let keyword = KEYWORDS.iter().position(|(word, _)| name.is(word));
        let relation = match keyword {
            Some(index) if KEYWORDS[index].1 == args.len() => RelationId(index as u32),
            Some(index) => {
                let (word, arity) = KEYWORDS[index];
                let wanted = counted(arity, "argument", "arguments");
                return Err(error(term.range, format!("`{word}` takes {wanted}, not {}", args.len())));
            }
            None => self.relation(text, args.len()),
        };
        let args: Result<Box<[Pattern]>, GameError> = args.iter().map(|arg| self.pattern(arg, scope)).collect();
        Ok(Atom { relation, args: args? })
    }

    fn pattern(&mut self, term: &Term, scope: &mut Scope) -> Result<Pattern, GameError> {
        match &term.kind {
            TermKind::Variable => Ok(Pattern::Variable(scope.variable(&term.name.text))),
            TermKind::Constant => Ok(Pattern::Ground(self.program.terms.constant(&term.name.text))),
            TermKind::Compound(args) => {
                let functor = self.program.terms.sym(&term.name.text);
                let args: Result<Box<[Pattern]>, GameError> = args.iter().map(|arg| self.pattern(arg, scope)).collect();
                Ok(compound(&mut self.program.terms, functor, args?))
            }
            TermKind::Error(_) => Err(error(term.range, "this is not a term")),
        }
    }

    /// The names of the variables in a scope; all facts share the empty list.
    fn variables(&self, scope: &Scope) -> Arc<[SmolStr]> {
        if scope.names.is_empty() { self.no_variables.clone() } else { scope.names.as_slice().into() }
    }
}

/// The compound pattern, folded to a ground term if it has no variable.
pub(super) fn compound(terms: &mut crate::Terms, functor: crate::Sym, args: Box<[Pattern]>) -> Pattern {
    let ground: Option<Vec<crate::TermId>> =
        args.iter().map(|arg| if let Pattern::Ground(term) = arg { Some(*term) } else { None }).collect();
    match ground {
        Some(ground) => Pattern::Ground(terms.compound(functor, &ground)),
        None => Pattern::Compound(functor, args),
    }
}

/// Represents equality inside this module only; rules that leave the module do not contain it.
const EQUAL: RelationId = RelationId(u32::MAX);

impl Scope {
    fn variable(&mut self, name: &SmolStr) -> u32 {
        match self.names.iter().position(|other| other == name) {
            Some(index) => index as u32,
            None => {
                self.names.push(name.clone());
                self.names.len() as u32 - 1
            }
        }
    }
}

/// The number of occurrences of each variable in a formula.
fn occurrences(formula: &Formula) -> std::collections::BTreeMap<SmolStr, usize> {
    let mut result = std::collections::BTreeMap::new();
    formula.terms(&mut |term| {
        term.walk(&mut |part| {
            if part.is_variable() {
                *result.entry(part.name.text.clone()).or_default() += 1;
            }
        });
    });
    result
}

fn too_many_branches(range: TextRange) -> GameError {
    error(range, format!("the disjunctions of this rule multiply out to more than {MAX_BRANCHES} cases"))
}

fn multiply(left: Vec<Branch>, right: Vec<Branch>, range: TextRange) -> Result<Vec<Branch>, GameError> {
    if left.len().saturating_mul(right.len()) > MAX_BRANCHES {
        return Err(too_many_branches(range));
    }
    if let [only] = &right[..] {
        return Ok(left
            .into_iter()
            .map(|mut branch| {
                branch.extend(only.iter().cloned());
                branch
            })
            .collect());
    }
    Ok(left.iter().flat_map(|first| right.iter().map(move |second| [&first[..], &second[..]].concat())).collect())
}

fn check_depth(term: &Term, depth: usize) -> Result<(), GameError> {
    if depth > MAX_DEPTH {
        return Err(error(term.range, format!("nested more than {MAX_DEPTH} levels deep")));
    }
    term.args().iter().try_for_each(|arg| check_depth(arg, depth + 1))
}

fn check_formula_depth(formula: &Formula, depth: usize) -> Result<(), GameError> {
    if depth > MAX_DEPTH {
        return Err(error(formula.range(), format!("nested more than {MAX_DEPTH} levels deep")));
    }
    match formula {
        Formula::Atom(term) => check_depth(term, depth),
        Formula::Distinct { args, .. } => args.iter().try_for_each(|arg| check_depth(arg, depth)),
        Formula::Not { parts, .. } | Formula::Or { parts, .. } | Formula::And { parts, .. } => {
            parts.iter().try_for_each(|part| check_formula_depth(part, depth + 1))
        }
    }
}
