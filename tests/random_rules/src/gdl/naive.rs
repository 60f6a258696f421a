//! The meaning of a rule set: all consequences, layer by layer, by trying all facts for every condition until no new
//! facts are derived. Facts that depend on nothing are computed once, facts that depend on the state once per state.
//! The reader has no other optimization.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::rules::{Atom, Formula, Refusal, Relation, Rule, Rules, Term};
use crate::graph::{Oracle, Step};
use crate::sexp::Sexp;

/// The limits of the naive reader.
#[derive(Clone, Copy)]
pub struct Bounds {
    /// The maximum number of facts in one state.
    pub facts: usize,
    /// The maximum nesting depth of terms.
    pub depth: usize,
}

/// The limits for random games, some of which grow without end.
const SMALL: Bounds = Bounds { facts: 4_000, depth: 10 };

/// A ground term, represented by its index in the table.
type Value = u32;

/// All ground terms so far: their words, or the parts of a list.
#[derive(Default)]
struct Table {
    nodes: Vec<(Node, usize)>,
    places: HashMap<Node, Value>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Node {
    Word(String),
    List(Vec<Value>),
}

impl Table {
    fn place(&mut self, node: Node) -> Value {
        if let Some(&place) = self.places.get(&node) {
            return place;
        }
        let depth = match &node {
            Node::Word(_) => 0,
            Node::List(parts) => 1 + parts.iter().map(|&part| self.nodes[part as usize].1).max().unwrap_or(0),
        };
        self.nodes.push((node.clone(), depth));
        self.places.insert(node, self.nodes.len() as Value - 1);
        self.nodes.len() as Value - 1
    }

    fn show(&self, value: Value) -> String {
        match &self.nodes[value as usize].0 {
            Node::Word(word) => word.clone(),
            Node::List(parts) => {
                let parts: Vec<String> = parts.iter().map(|&part| self.show(part)).collect();
                format!("({})", parts.join(" "))
            }
        }
    }

    fn read(&mut self, sexp: &Sexp) -> Value {
        match sexp {
            Sexp::Word(word) => self.place(Node::Word(word.clone())),
            Sexp::List(parts) => {
                let parts = parts.iter().map(|part| self.read(part)).collect();
                self.place(Node::List(parts))
            }
        }
    }
}

#[derive(Clone, Default)]
struct Facts {
    listed: BTreeMap<Relation, Vec<Vec<Value>>>,
    tuples: HashSet<(Relation, Vec<Value>)>,
}

impl Facts {
    fn add(&mut self, relation: &Relation, tuple: Vec<Value>) -> bool {
        let new = self.tuples.insert((relation.clone(), tuple.clone()));
        if new {
            self.listed.entry(relation.clone()).or_default().push(tuple);
        }
        new
    }

    fn of(&self, name: &str, arity: usize) -> &[Vec<Value>] {
        self.listed.get(&(name.to_owned(), arity)).map_or(&[], Vec::as_slice)
    }
}

type Bound = Vec<Option<Value>>;

pub struct Naive {
    rules: Rules,
    bounds: Bounds,
    table: RefCell<Table>,
    fixed: Facts,
    roles: Vec<String>,
    /// The consequences in the last requested state.
    last: RefCell<Option<(BTreeSet<String>, Facts)>>,
}

/// The dependence of a layer's rules: on nothing, on the state, or on the moves.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Fixed,
    State,
    Moves,
}

impl Naive {
    /// The game of a list of statements.
    ///
    /// # Errors
    /// The rules have no meaning, or one that is too large for a naive reader.
    pub fn new(statements: &[Sexp]) -> Result<Naive, Refusal> {
        Naive::within(statements, SMALL)
    }

    /// The same, with other limits.
    ///
    /// # Errors
    /// The rules have no meaning, or one that exceeds the limits.
    pub fn within(statements: &[Sexp], bounds: Bounds) -> Result<Naive, Refusal> {
        let rules = Rules::new(statements)?;
        let mut naive = Naive {
            rules,
            bounds,
            table: RefCell::default(),
            fixed: Facts::default(),
            roles: Vec::new(),
            last: RefCell::new(None),
        };
        naive.fixed = naive.closure(Facts::default(), Part::Fixed)?;
        let roles: Vec<String> = naive.fixed.of("role", 1).iter().map(|tuple| naive.show(tuple[0])).collect();
        if roles.is_empty() {
            return Err(Refusal("no role".into()));
        }
        naive.roles = roles;
        Ok(naive)
    }

    fn show(&self, value: Value) -> String {
        self.table.borrow().show(value)
    }

    fn part_of(&self, relation: &Relation) -> Part {
        match self.rules.depends.get(relation) {
            Some((_, true)) => Part::Moves,
            Some((true, false)) => Part::State,
            _ => Part::Fixed,
        }
    }

    /// All consequences of the facts by the rules of one part.
    fn closure(&self, mut facts: Facts, part: Part) -> Result<Facts, Refusal> {
        for layer in &self.rules.layers {
            let rules: Vec<&Rule> = layer.iter().filter(|rule| self.part_of(&rule.head.relation) == part).collect();
            loop {
                let mut found = Vec::new();
                for rule in &rules {
                    self.solve(
                        &rule.body.iter().collect::<Vec<_>>(),
                        &mut vec![None; rule.variables],
                        &facts,
                        &mut |bound| {
                            for bound in self.with_role(rule, bound, &facts) {
                                let tuple = rule.head.args.iter().map(|arg| self.value(arg, &bound));
                                found.push((&rule.head.relation, tuple.collect::<Vec<Value>>()));
                            }
                        },
                    );
                }
                let mut grown = false;
                for (relation, tuple) in found {
                    let deep =
                        tuple.iter().any(|&value| self.table.borrow().nodes[value as usize].1 > self.bounds.depth);
                    if deep || facts.tuples.len() > self.bounds.facts {
                        return Err(Refusal("too large".into()));
                    }
                    grown |= facts.add(relation, tuple);
                }
                if !grown {
                    break;
                }
            }
        }
        Ok(facts)
    }

    /// The bindings, one for each role if the head leaves the role open.
    fn with_role(&self, rule: &Rule, bound: &Bound, facts: &Facts) -> Vec<Bound> {
        let Some(place) = rule.any_role.filter(|&place| bound[place].is_none()) else { return vec![bound.clone()] };
        let of = |tuple: &Vec<Value>| {
            let mut bound = bound.clone();
            bound[place] = Some(tuple[0]);
            bound
        };
        facts.of("role", 1).iter().map(of).collect()
    }

    fn value(&self, term: &Term, bound: &Bound) -> Value {
        match term {
            Term::Variable(place) => bound[*place].expect("safe rules bind their variables"),
            Term::Word(word) => self.table.borrow_mut().place(Node::Word(word.clone())),
            Term::List(parts) => {
                let parts = parts.iter().map(|part| self.value(part, bound)).collect();
                self.table.borrow_mut().place(Node::List(parts))
            }
        }
    }

    fn matches(&self, pattern: &Term, value: Value, bound: &mut Bound) -> bool {
        match pattern {
            Term::Variable(place) => match bound[*place] {
                Some(old) => old == value,
                None => {
                    bound[*place] = Some(value);
                    true
                }
            },
            Term::Word(word) => {
                matches!(&self.table.borrow().nodes[value as usize].0, Node::Word(found) if found == word)
            }
            Term::List(parts) => {
                let node = self.table.borrow().nodes[value as usize].0.clone();
                let Node::List(found) = node else { return false };
                found.len() == parts.len()
                    && parts.iter().zip(found).all(|(part, value)| self.matches(part, value, bound))
            }
        }
    }

    /// Calls `f` with every binding that makes all formulas true: binding formulas first, then branching ones, then the
    /// tests.
    fn solve(&self, formulas: &[&Formula], bound: &mut Bound, facts: &Facts, f: &mut dyn FnMut(&Bound)) {
        let rank = |formula: &Formula| match formula {
            Formula::Atom(_) | Formula::And(_) => 0,
            Formula::Or(_) => 1,
            Formula::Not(_) | Formula::Distinct(..) => 2,
        };
        let Some(first) = (0..formulas.len()).min_by_key(|&at| rank(formulas[at])) else {
            f(bound);
            return;
        };
        let rest: Vec<&Formula> =
            formulas.iter().enumerate().filter(|(at, _)| *at != first).map(|(_, it)| *it).collect();
        match formulas[first] {
            Formula::Atom(atom) => self.instances(atom, bound, facts, &mut |bound| self.solve(&rest, bound, facts, f)),
            Formula::And(parts) => {
                let all: Vec<&Formula> = parts.iter().chain(rest).collect();
                self.solve(&all, bound, facts, f);
            }
            Formula::Or(parts) => parts.iter().for_each(|part| {
                let all: Vec<&Formula> = [part].into_iter().chain(rest.iter().copied()).collect();
                self.solve(&all, &mut bound.clone(), facts, f);
            }),
            Formula::Not(part) => {
                let mut found = false;
                self.solve(&[&**part], &mut bound.clone(), facts, &mut |_| found = true);
                if !found {
                    self.solve(&rest, bound, facts, f);
                }
            }
            Formula::Distinct(left, right) => {
                if self.value(left, bound) != self.value(right, bound) {
                    self.solve(&rest, bound, facts, f);
                }
            }
        }
    }

    fn instances(&self, atom: &Atom, bound: &mut Bound, facts: &Facts, f: &mut dyn FnMut(&mut Bound)) {
        for tuple in facts.listed.get(&atom.relation).into_iter().flatten() {
            let mut extended = bound.clone();
            if atom.args.iter().zip(tuple).all(|(arg, &value)| self.matches(arg, value, &mut extended)) {
                f(&mut extended);
            }
        }
    }

    /// All consequences in a state, without those of moves.
    fn consequences(&self, state: &BTreeSet<String>) -> Result<Facts, Refusal> {
        if let Some((last, facts)) = &*self.last.borrow()
            && last == state
        {
            return Ok(facts.clone());
        }
        let mut facts = self.fixed.clone();
        for fluent in state {
            let value = self.table.borrow_mut().read(&Sexp::one(fluent));
            facts.add(&("true".into(), 1), vec![value]);
        }
        let facts = self.closure(facts, Part::State)?;
        *self.last.borrow_mut() = Some((state.clone(), facts.clone()));
        Ok(facts)
    }

    /// The second arguments of `name` for a role, in the order of their names.
    fn of_role(&self, facts: &Facts, name: &str, role: &str) -> Vec<String> {
        let tuples = facts.of(name, 2).iter().filter(|tuple| self.show(tuple[0]) == role);
        let all: BTreeSet<String> = tuples.map(|tuple| self.show(tuple[1])).collect();
        all.into_iter().collect()
    }
}

impl Oracle for Naive {
    fn roles(&self) -> Vec<String> {
        self.roles.clone()
    }

    fn is_chance(&self, role: &str) -> bool {
        role == "random"
    }

    fn knows_own_moves(&self) -> bool {
        true
    }

    fn initial(&self) -> BTreeSet<String> {
        self.fixed.of("init", 1).iter().map(|tuple| self.show(tuple[0])).collect()
    }

    fn terminal(&self, state: &BTreeSet<String>) -> Result<bool, Refusal> {
        Ok(!self.consequences(state)?.of("terminal", 0).is_empty())
    }

    fn legal(&self, state: &BTreeSet<String>, role: &str) -> Result<Vec<String>, Refusal> {
        Ok(self.of_role(&self.consequences(state)?, "legal", role))
    }

    fn goals(&self, state: &BTreeSet<String>, role: &str) -> Result<Vec<i64>, Refusal> {
        let values = self.of_role(&self.consequences(state)?, "goal", role);
        let mut values: Vec<i64> = values.iter().filter_map(|value| value.parse().ok()).collect();
        values.sort_unstable();
        Ok(values)
    }

    fn step(&self, state: &BTreeSet<String>, joint: &[String]) -> Result<Step, Refusal> {
        let mut facts = self.consequences(state)?;
        for (role, mv) in self.roles.iter().zip(joint) {
            let mut table = self.table.borrow_mut();
            let tuple = vec![table.read(&Sexp::one(role)), table.read(&Sexp::one(mv))];
            drop(table);
            facts.add(&("does".into(), 2), tuple);
        }
        let facts = self.closure(facts, Part::Moves)?;
        Ok(Step {
            next: facts.of("next", 1).iter().map(|tuple| self.show(tuple[0])).collect(),
            percepts: self.roles.iter().map(|role| self.of_role(&facts, "sees", role)).collect(),
        })
    }
}
