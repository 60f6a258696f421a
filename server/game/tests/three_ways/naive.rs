//! A naive fixpoint interpreter of GDL-II, straight from the typed syntax: obviously right, very slow, for tests only.
//! It shares no code with the game crate.

use std::collections::{BTreeMap, BTreeSet};

use percept_syntax::gdl::{Description, Formula, Statement, Term, TermKind};

/// A ground term, printed as KIF.
pub type Ground = String;
type Relation = (String, usize);
pub type Facts = BTreeMap<Relation, BTreeSet<Vec<Value>>>;
type Bindings = BTreeMap<String, Value>;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    Constant(String),
    Compound(String, Vec<Value>),
}

impl Value {
    pub fn show(&self) -> Ground {
        match self {
            Value::Constant(name) => name.clone(),
            Value::Compound(name, args) => {
                let args: String = args.iter().map(|arg| format!(" {}", arg.show())).collect();
                format!("({name}{args})")
            }
        }
    }
}

const KEYWORDS: [&str; 12] =
    ["role", "init", "true", "does", "next", "legal", "sees", "goal", "terminal", "base", "input", "percept"];

fn relation(term: &Term) -> Relation {
    let name =
        KEYWORDS.iter().find(|word| term.name.is(word)).map_or(term.name.text.to_string(), |word| word.to_string());
    (name, term.args().len())
}

fn value(term: &Term, bindings: &Bindings) -> Option<Value> {
    match &term.kind {
        TermKind::Variable => bindings.get(term.name.text.as_str()).cloned(),
        TermKind::Constant => Some(Value::Constant(term.name.text.to_string())),
        TermKind::Compound(args) => {
            let args: Option<Vec<Value>> = args.iter().map(|arg| value(arg, bindings)).collect();
            Some(Value::Compound(term.name.text.to_string(), args?))
        }
        TermKind::Error(_) => None,
    }
}

fn matches(pattern: &Term, found: &Value, bindings: &mut Bindings) -> bool {
    match (&pattern.kind, found) {
        (TermKind::Variable, _) => match bindings.get(pattern.name.text.as_str()) {
            Some(known) => known == found,
            None => {
                bindings.insert(pattern.name.text.to_string(), found.clone());
                true
            }
        },
        (TermKind::Constant, Value::Constant(name)) => pattern.name.text == *name,
        (TermKind::Compound(parts), Value::Compound(name, args)) => {
            pattern.name.text == *name
                && parts.len() == args.len()
                && parts.iter().zip(args).all(|(part, arg)| matches(part, arg, bindings))
        }
        _ => false,
    }
}

/// The bindings under which an atom is a fact.
fn instances(atom: &Term, facts: &Facts, bindings: &Bindings) -> Vec<Bindings> {
    let Some(tuples) = facts.get(&relation(atom)) else { return Vec::new() };
    let mut result = Vec::new();
    for tuple in tuples {
        let mut extended = bindings.clone();
        if atom.args().iter().zip(tuple).all(|(pattern, found)| matches(pattern, found, &mut extended)) {
            result.push(extended);
        }
    }
    result
}

/// Whether a formula only tests: it is evaluated after everything that binds.
fn tests(formula: &Formula) -> u8 {
    match formula {
        Formula::Atom(_) => 0,
        Formula::And { .. } => 1,
        Formula::Or { .. } => 2,
        Formula::Distinct { .. } | Formula::Not { .. } => 3,
    }
}

fn solve(body: &[&Formula], facts: &Facts, bindings: Bindings) -> Vec<Bindings> {
    let mut ordered = body.to_vec();
    ordered.sort_by_key(|formula| tests(formula));
    let mut solutions = vec![bindings];
    while !ordered.is_empty() {
        let formula = ordered.remove(0);
        if let Formula::And { parts, .. } = formula {
            ordered.extend(parts);
            ordered.sort_by_key(|formula| tests(formula));
            continue;
        }
        // A disjunction is solved together with all that is left, so that its branches may test what others bind.
        if let Formula::Or { parts, .. } = formula {
            return solutions
                .iter()
                .flat_map(|bindings| {
                    parts.iter().flat_map(|part| {
                        let rest: Vec<&Formula> = ordered.iter().copied().chain([part]).collect();
                        solve(&rest, facts, bindings.clone())
                    })
                })
                .collect();
        }
        solutions = solutions.into_iter().flat_map(|bindings| step(formula, facts, bindings)).collect();
        solutions.sort();
        solutions.dedup();
    }
    solutions
}

fn step(formula: &Formula, facts: &Facts, bindings: Bindings) -> Vec<Bindings> {
    let keep = |holds: bool| if holds { vec![bindings.clone()] } else { Vec::new() };
    match formula {
        Formula::Atom(atom) => instances(atom, facts, &bindings),
        Formula::Distinct { args, .. } => keep(value(&args[0], &bindings) != value(&args[1], &bindings)),
        Formula::Not { parts, .. } => keep(solve(&[&parts[0]], facts, bindings.clone()).is_empty()),
        Formula::And { .. } | Formula::Or { .. } => unreachable!("taken apart by solve"),
    }
}

/// The rules in strata.
pub struct Naive {
    strata: Vec<Vec<Statement>>,
}

impl Naive {
    /// `None` where the rules cannot be put into strata.
    pub fn new(description: &Description) -> Option<Naive> {
        let skipped = ["base", "input", "percept"];
        let statements: Vec<&Statement> = description
            .statements
            .iter()
            .filter(|statement| {
                !statement.head.as_ref().is_some_and(|head| skipped.iter().any(|word| head.name.is(word)))
            })
            .collect();
        let mut level: BTreeMap<Relation, usize> = BTreeMap::new();
        for _ in 0..statements.len() + 2 {
            let mut changed = false;
            for statement in &statements {
                let head = relation(statement.head.as_ref()?);
                let mut needed = level.get(&head).copied().unwrap_or(0);
                for formula in &statement.body {
                    formula.atoms(false, &mut |atom, negated| {
                        let below = level.get(&relation(atom)).copied().unwrap_or(0);
                        needed = needed.max(below + usize::from(negated));
                    });
                }
                changed |= level.insert(head, needed) != Some(needed);
            }
            if !changed {
                let count = level.values().max()? + 1;
                let mut strata = vec![Vec::new(); count];
                for statement in statements {
                    strata[level[&relation(statement.head.as_ref()?)]].push(statement.clone());
                }
                return Some(Naive { strata });
            }
        }
        None
    }

    /// Everything that follows from the rules and these facts.
    pub fn consequences(&self, mut facts: Facts) -> Facts {
        for stratum in &self.strata {
            loop {
                let mut new = Vec::new();
                for statement in stratum {
                    let head = statement.head.as_ref().expect("rules have heads");
                    let body: Vec<&Formula> = statement.body.iter().collect();
                    for bindings in solve(&body, &facts, Bindings::new()) {
                        new.extend(heads(head, &bindings, &facts));
                    }
                }
                let before: usize = facts.values().map(BTreeSet::len).sum();
                for (relation, tuple) in new {
                    facts.entry(relation).or_default().insert(tuple);
                }
                if before == facts.values().map(BTreeSet::len).sum::<usize>() {
                    break;
                }
            }
        }
        facts
    }
}

/// The head's instances: one, but for a free first argument of `legal`, `sees` and `goal`, which is any role.
fn heads(head: &Term, bindings: &Bindings, facts: &Facts) -> Vec<(Relation, Vec<Value>)> {
    let tuple: Option<Vec<Value>> = head.args().iter().map(|arg| value(arg, bindings)).collect();
    if let Some(tuple) = tuple {
        return vec![(relation(head), tuple)];
    }
    let roles = facts.get(&("role".to_string(), 1)).into_iter().flatten();
    roles
        .filter_map(|role| {
            let mut bindings = bindings.clone();
            bindings.insert(head.args()[0].name.text.to_string(), role[0].clone());
            let tuple: Option<Vec<Value>> = head.args().iter().map(|arg| value(arg, &bindings)).collect();
            Some((relation(head), tuple?))
        })
        .collect()
}
