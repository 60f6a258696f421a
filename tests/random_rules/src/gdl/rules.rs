//! A rule set as written, checked for mistakes that take away its meaning.

use std::collections::{BTreeMap, BTreeSet};

use crate::sexp::Sexp;

/// The reason why rules have no meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(pub String);

fn refuse<T>(why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal(why.into()))
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Term {
    /// A variable, represented by its index among the rule's variables.
    Variable(usize),
    Word(String),
    List(Vec<Term>),
}

/// The name and the number of arguments.
pub type Relation = (String, usize);

#[derive(Clone, Debug)]
pub struct Atom {
    pub relation: Relation,
    pub args: Vec<Term>,
}

#[derive(Clone, Debug)]
pub enum Formula {
    Atom(Atom),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Distinct(Term, Term),
}

#[derive(Clone, Debug)]
pub struct Rule {
    pub head: Atom,
    pub body: Vec<Formula>,
    pub variables: usize,
    /// The variable of the role, if `legal`, `sees` or `goal` leaves it open: any role.
    pub any_role: Option<usize>,
}

/// Rules in layers: a layer negates no relation that it defines.
#[derive(Clone, Debug)]
pub struct Rules {
    pub layers: Vec<Vec<Rule>>,
    /// For each relation, its dependence on the state and on the moves.
    pub depends: BTreeMap<Relation, (bool, bool)>,
}

const KEYWORDS: [(&str, usize); 12] = [
    ("role", 1),
    ("init", 1),
    ("true", 1),
    ("does", 2),
    ("next", 1),
    ("legal", 2),
    ("sees", 2),
    ("goal", 2),
    ("terminal", 0),
    ("base", 1),
    ("input", 2),
    ("percept", 2),
];

/// Declarations, which do not affect matches.
const OPTIONAL: [&str; 3] = ["base", "input", "percept"];

/// The variables of one statement.
#[derive(Default)]
struct Scope(Vec<String>);

impl Scope {
    fn term(&mut self, sexp: &Sexp) -> Result<Term, Refusal> {
        match sexp {
            Sexp::Word(word) => Ok(match word.strip_prefix('?') {
                Some(name) => {
                    let place = self.0.iter().position(|other| other == name).unwrap_or_else(|| {
                        self.0.push(name.to_owned());
                        self.0.len() - 1
                    });
                    Term::Variable(place)
                }
                None => Term::Word(word.clone()),
            }),
            Sexp::List(parts) => match parts.first() {
                Some(Sexp::Word(word)) if !word.starts_with('?') => {
                    let args: Result<Vec<Term>, Refusal> = parts[1..].iter().map(|part| self.term(part)).collect();
                    Ok(Term::List([vec![Term::Word(word.clone())], args?].concat()))
                }
                _ => refuse(format!("{sexp} is not a term")),
            },
        }
    }

    fn atom(&mut self, sexp: &Sexp) -> Result<Atom, Refusal> {
        if let Sexp::List(parts) = sexp
            && !matches!(parts.first(), Some(Sexp::Word(_)))
        {
            return refuse(format!("{sexp} is not an atom"));
        }
        let (name, arity) = (sexp.head(), sexp.args().len());
        if name.starts_with('?') || name.is_empty() {
            return refuse(format!("{sexp} is not an atom"));
        }
        let keyword = KEYWORDS.iter().find(|(word, _)| name.eq_ignore_ascii_case(word));
        if keyword.is_some_and(|(_, wanted)| *wanted != arity) {
            return refuse(format!("{sexp} has the wrong number of arguments"));
        }
        if ["not", "or", "and", "distinct", "<="].iter().any(|word| name.eq_ignore_ascii_case(word)) {
            return refuse(format!("{sexp} is not an atom"));
        }
        let name = keyword.map_or(name, |(word, _)| word).to_owned();
        let args: Result<Vec<Term>, Refusal> = sexp.args().iter().map(|arg| self.term(arg)).collect();
        Ok(Atom { relation: (name, arity), args: args? })
    }

    fn formula(&mut self, sexp: &Sexp) -> Result<Formula, Refusal> {
        let is = |word: &str| matches!(sexp, Sexp::List(_)) && sexp.head().eq_ignore_ascii_case(word);
        let parts = sexp.args();
        if is("not") {
            return match parts {
                [part] => Ok(Formula::Not(Box::new(self.formula(part)?))),
                _ => refuse("`not` takes one formula"),
            };
        }
        if is("distinct") {
            return match parts {
                [left, right] => Ok(Formula::Distinct(self.term(left)?, self.term(right)?)),
                _ => refuse("`distinct` takes two terms"),
            };
        }
        if is("or") || is("and") {
            if parts.is_empty() {
                return refuse("an empty connective");
            }
            let parts: Result<Vec<Formula>, Refusal> = parts.iter().map(|part| self.formula(part)).collect();
            return Ok(if is("or") { Formula::Or(parts?) } else { Formula::And(parts?) });
        }
        Ok(Formula::Atom(self.atom(sexp)?))
    }
}

impl Term {
    pub fn variables(&self, f: &mut dyn FnMut(usize)) {
        match self {
            Term::Variable(place) => f(*place),
            Term::Word(_) => {}
            Term::List(parts) => parts.iter().for_each(|part| part.variables(f)),
        }
    }

    fn all(&self) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        self.variables(&mut |place| {
            found.insert(place);
        });
        found
    }
}

impl Atom {
    fn variables(&self) -> BTreeSet<usize> {
        self.args.iter().flat_map(Term::all).collect()
    }
}

/// A literal of one case of a body: an atom with its sign, or two terms that differ.
enum Literal<'a> {
    Atom(&'a Atom, bool),
    Distinct(&'a Term, &'a Term),
    /// Two equal terms: a negated `distinct`.
    Same(&'a Term, &'a Term),
}

/// The cases a conjunction multiplies out to.
fn cases<'a>(parts: &'a [Formula], positive: bool) -> Vec<Vec<Literal<'a>>> {
    let mut all: Vec<Vec<Literal<'a>>> = vec![Vec::new()];
    for part in parts {
        let one = cases_of(part, positive);
        let mut longer = Vec::new();
        for before in &all {
            for case in &one {
                longer.push(before.iter().chain(case).map(Literal::copy).collect());
            }
        }
        all = longer;
    }
    all
}

fn cases_of(formula: &Formula, positive: bool) -> Vec<Vec<Literal<'_>>> {
    match (formula, positive) {
        (Formula::Atom(atom), _) => vec![vec![Literal::Atom(atom, positive)]],
        (Formula::Distinct(left, right), true) => vec![vec![Literal::Distinct(left, right)]],
        (Formula::Distinct(left, right), false) => vec![vec![Literal::Same(left, right)]],
        (Formula::Not(part), _) => cases_of(part, !positive),
        (Formula::And(parts), true) | (Formula::Or(parts), false) => cases(parts, positive),
        (Formula::Or(parts), true) | (Formula::And(parts), false) => {
            parts.iter().flat_map(|part| cases_of(part, positive)).collect()
        }
    }
}

impl<'a> Literal<'a> {
    fn copy(&self) -> Literal<'a> {
        match self {
            Literal::Atom(atom, positive) => Literal::Atom(atom, *positive),
            Literal::Distinct(left, right) => Literal::Distinct(left, right),
            Literal::Same(left, right) => Literal::Same(left, right),
        }
    }
}

fn rule(statement: &Sexp) -> Result<Rule, Refusal> {
    let mut scope = Scope::default();
    let (head, body) = match statement {
        Sexp::List(parts) if statement.head() == "<=" => match &parts[..] {
            [_, head, body @ ..] => (head, body),
            _ => return refuse("a rule needs a head"),
        },
        _ => (statement, &[][..]),
    };
    let head = scope.atom(head)?;
    if ["true", "does"].contains(&head.relation.0.as_str()) {
        return refuse("rules must not define `true` and `does`");
    }
    let body: Result<Vec<Formula>, Refusal> = body.iter().map(|part| scope.formula(part)).collect();
    let mut rule = Rule { head, body: body?, variables: scope.0.len(), any_role: None };
    let per_role = ["legal", "sees", "goal"].contains(&rule.head.relation.0.as_str());
    for case in cases(&rule.body, true) {
        let bound = case.iter().filter_map(|literal| match literal {
            Literal::Atom(atom, true) => Some(atom.variables()),
            _ => None,
        });
        let bound: BTreeSet<usize> = bound.flatten().collect();
        for free in rule.head.variables().difference(&bound) {
            if !per_role || rule.head.args[0] != Term::Variable(*free) {
                return refuse("unsafe head");
            }
            rule.any_role = Some(*free);
        }
        let is_bound = |place: usize| bound.contains(&place) || rule.any_role == Some(place);
        for literal in &case {
            let safe = match literal {
                Literal::Distinct(left, right) | Literal::Same(left, right) => {
                    left.all().union(&right.all()).all(|place| is_bound(*place))
                }
                Literal::Atom(atom, false) => atom.variables().into_iter().all(is_bound) || is_plain(&rule.body, atom),
                Literal::Atom(_, true) => true,
            };
            if !safe {
                return refuse("unsafe test");
            }
        }
    }
    Ok(rule)
}

/// True if the negated atom is a separate part of the body; then its own variables are existential within the negation.
fn is_plain(body: &[Formula], atom: &Atom) -> bool {
    body.iter().any(|part| match part {
        Formula::Not(inner) => matches!(&**inner, Formula::Atom(found) if std::ptr::eq(found, atom)),
        _ => false,
    })
}

impl Rules {
    /// Reads statements.
    ///
    /// # Errors
    /// The statements have no meaning: malformed or unsafe rules, negation through recursion, keywords with forbidden
    /// dependences.
    pub fn new(statements: &[Sexp]) -> Result<Rules, Refusal> {
        let is_optional = |statement: &&Sexp| {
            let head = if statement.head() == "<=" { statement.args().first() } else { Some(*statement) };
            !head.is_some_and(|head| OPTIONAL.iter().any(|word| head.head().eq_ignore_ascii_case(word)))
        };
        let rules: Result<Vec<Rule>, Refusal> = statements.iter().filter(is_optional).map(rule).collect();
        let rules = rules?;
        let mut level: BTreeMap<Relation, usize> = BTreeMap::new();
        for _ in 0..=rules.len() + 1 {
            let mut changed = false;
            for rule in &rules {
                let mut needed = level.get(&rule.head.relation).copied().unwrap_or(0);
                rule.body.iter().for_each(|part| {
                    atoms(part, true, &mut |atom, positive| {
                        let below = level.get(&atom.relation).copied().unwrap_or(0);
                        needed = needed.max(below + usize::from(!positive));
                    });
                });
                changed |= level.insert(rule.head.relation.clone(), needed) != Some(needed);
            }
            if !changed {
                let mut layers = vec![Vec::new(); level.values().max().map_or(0, |top| top + 1)];
                let depends = dependencies(&rules);
                misplaced(&depends)?;
                for rule in rules {
                    layers[level[&rule.head.relation]].push(rule);
                }
                return Ok(Rules { layers, depends });
            }
        }
        refuse("negation through recursion")
    }
}

fn atoms<'a>(formula: &'a Formula, positive: bool, f: &mut dyn FnMut(&'a Atom, bool)) {
    match formula {
        Formula::Atom(atom) => f(atom, positive),
        Formula::Not(part) => atoms(part, !positive, f),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| atoms(part, positive, f)),
        Formula::Distinct(..) => {}
    }
}

fn dependencies(rules: &[Rule]) -> BTreeMap<Relation, (bool, bool)> {
    let mut depends: BTreeMap<Relation, (bool, bool)> = BTreeMap::new();
    depends.insert(("true".into(), 1), (true, false));
    depends.insert(("does".into(), 2), (true, true));
    loop {
        let mut changed = false;
        for rule in rules {
            let mut now = depends.get(&rule.head.relation).copied().unwrap_or_default();
            let before = now;
            rule.body.iter().for_each(|part| {
                atoms(part, true, &mut |atom, _| {
                    let below = depends.get(&atom.relation).copied().unwrap_or_default();
                    now = (now.0 | below.0, now.1 | below.1);
                });
            });
            changed |= now != before || !depends.contains_key(&rule.head.relation);
            depends.insert(rule.head.relation.clone(), now);
        }
        if !changed {
            return depends;
        }
    }
}

fn misplaced(depends: &BTreeMap<Relation, (bool, bool)>) -> Result<(), Refusal> {
    for (relation, (state, moves)) in depends {
        let fixed = ["role", "init"].contains(&relation.0.as_str()) && (*state || *moves);
        let early = ["legal", "terminal", "goal"].contains(&relation.0.as_str()) && *moves;
        if fixed || early {
            return refuse(format!("`{}` has a forbidden dependence", relation.0));
        }
    }
    Ok(())
}
