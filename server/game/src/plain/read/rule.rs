//! Makes a rule of a case of a statement; all of its variables have values.

use percept_syntax::TextRange;
use percept_syntax::gdl::Statement;
use smol_str::SmolStr;

use super::cases::{Case, Flat, Part};
use super::equal::{Solved, has_room, solved};
use super::negation::Own;
use super::tree::{Atom, Relation, Tree, check_depth, check_formula_depth};
use super::wrong;
use crate::GameError;

/// A rule without equations: the head holds if all of the body does.
pub(super) struct Rule {
    pub head: Atom,
    pub body: Vec<Part>,
}

impl Rule {
    /// True if the body has the relation of this keyword.
    pub(super) fn reads(&self, keyword: &str) -> bool {
        let is = |part: &Part| matches!(part, Part::Holds(atom) | Part::Not(atom) if atom.relation.is(keyword));
        self.body.iter().any(is)
    }
}

/// Reads one statement after the other.
#[derive(Default)]
pub(super) struct Reader {
    /// The number of [`Relation::Inner`]s.
    inner: usize,
}

/// A statement that is being read.
pub(super) struct Reading<'a> {
    pub own: Own<'a>,
    inner: &'a mut usize,
    rules: Vec<Rule>,
}

impl Reader {
    /// The rules of a statement.
    pub(super) fn statement(&mut self, statement: &Statement) -> Result<Vec<Rule>, GameError> {
        let Some(head) = &statement.head else { return Err(wrong(statement.range, "a rule needs a head")) };
        check_depth(head, 0)?;
        statement.body.iter().try_for_each(|formula| check_formula_depth(formula, 0))?;
        let atom = Atom::of(head)?;
        if atom.relation.is("true") || atom.relation.is("does") {
            return Err(wrong(head.range, format!("`{}` must not be the head of a rule", atom.relation.word())));
        }
        let own = Own::new(head, &statement.body);
        let mut reading = Reading { own, inner: &mut self.inner, rules: Vec::new() };
        let body = statement.body.iter().map(|formula| reading.flat(formula, true)).collect::<Result<_, _>>()?;
        for case in Flat::All(body, statement.range).cases()? {
            reading.case(atom.clone(), case, head.range)?;
        }
        Ok(reading.rules)
    }
}

impl Reading<'_> {
    /// A new atom of some variables, for the formula under a negation; `word` is its name in messages.
    pub(super) fn inner(&mut self, variables: Vec<SmolStr>, word: &str) -> Atom {
        *self.inner += 1;
        Atom {
            relation: Relation::Inner(*self.inner, word.into()),
            args: variables.into_iter().map(Tree::Variable).collect(),
        }
    }

    /// Adds the rule that `head` holds in this case, if it can ever hold. The head is at `range`.
    pub(super) fn case(&mut self, mut head: Atom, mut case: Case, range: TextRange) -> Result<(), GameError> {
        if !carry_out(&mut head, &mut case, range)? {
            return Ok(());
        }
        let mut bound = Vec::new();
        for part in &case {
            if let Part::Holds(atom) = part {
                bound.extend(atom.variables().into_iter().cloned());
            }
        }
        let is_of_roles = ["legal", "sees", "goal"].iter().any(|keyword| head.relation.is(keyword));
        if is_of_roles
            && let Tree::Variable(role) = &head.args[0]
            && !bound.contains(role)
        {
            bound.push(role.clone());
            let relation = Relation::Written("role".into(), 1);
            case.push(Part::Holds(Atom { relation, args: vec![head.args[0].clone()] }));
        }
        let unbound = |names: Vec<&SmolStr>| names.into_iter().find(|name| !bound.contains(name)).cloned();
        if let Some(name) = unbound(head.variables()) {
            return Err(wrong(range, format!("no positive condition binds `?{name}` of the head")));
        }
        let mut body = Vec::new();
        for part in case {
            let name = unbound(part.variables());
            body.push(match (part, name) {
                (Part::Not(atom), Some(_)) => Part::Not(self.some(atom, &bound)),
                (Part::Distinct(..), Some(name)) => {
                    let message = format!("no positive condition binds `?{name}` of `distinct`");
                    return Err(wrong(range, message));
                }
                (part, _) => part,
            });
        }
        self.rules.push(Rule { head, body });
        Ok(())
    }

    /// An atom that holds if `atom` does for some values of the variables that are not bound.
    fn some(&mut self, atom: Atom, bound: &[SmolStr]) -> Atom {
        let mut shared: Vec<SmolStr> = atom.variables().into_iter().filter(|it| bound.contains(it)).cloned().collect();
        shared.sort_unstable();
        shared.dedup();
        let head = self.inner(shared, atom.relation.word());
        self.rules.push(Rule { head: head.clone(), body: vec![Part::Holds(atom)] });
        head
    }
}

/// Applies the equations of a case to its head and its other parts, and removes duplicates and tautologies. False if
/// the case cannot hold at all.
fn carry_out(head: &mut Atom, case: &mut Case, range: TextRange) -> Result<bool, GameError> {
    let too_large = || wrong(range, "the equations of this rule make terms too large to write out");
    let mut equations = Vec::new();
    let mut others = Case::new();
    for part in case.drain(..) {
        match part {
            Part::Same(left, right) => equations.push((left, right)),
            other => others.push(other),
        }
    }
    let replaced = match solved(equations) {
        Solved::Never => return Ok(false),
        Solved::TooLarge => return Err(too_large()),
        Solved::By(replaced) => replaced,
    };
    for (name, by) in &replaced {
        if !has_room(others.iter().flat_map(Part::terms).chain(&head.args), name, by) {
            return Err(too_large());
        }
        head.replace(name, by);
        others.iter_mut().for_each(|part| part.replace(name, by));
    }
    for part in others {
        if let Part::Distinct(left, right) = &part {
            match solved(vec![(left.clone(), right.clone())]) {
                Solved::Never => continue,
                Solved::By(replaced) if replaced.is_empty() => return Ok(false),
                Solved::By(_) | Solved::TooLarge => {}
            }
        }
        if !case.contains(&part) {
            case.push(part);
        }
    }
    Ok(true)
}
