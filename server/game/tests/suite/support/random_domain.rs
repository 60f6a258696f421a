//! Random small domains of POGDDL, with a problem each, that use every construct of the language: types and unions of
//! types, constants, derived predicates, quantifiers, conditional and universal effects, equality, numbers,
//! observations.

use rand::{Rng, rngs::SmallRng, seq::IndexedRandom};

/// Predicates that actions may change, with arities, and those that none changes.
const CHANGING: [(&str, usize); 4] = [("flag", 0), ("at", 1), ("near", 2), ("owns", 2)];
const FIXED: [(&str, usize); 2] = [("sharp", 1), ("joins", 2)];
const DERIVED: [(&str, usize); 3] = [("linked", 2), ("lonely", 1), ("calm", 0)];
const FUNCTIONS: [(&str, usize); 3] = [("total", 0), ("load", 1), ("size", 1)];
const TYPES: [&str; 7] = ["thing", "box", "bag", "player", "role", "object", "(either box player)"];
const OBJECTS: [&str; 8] = ["p1", "p2", "chance", "b1", "b2", "g1", "g2", "k"];

pub struct Writer<'r> {
    random: &'r mut SmallRng,
    /// Variables in scope.
    scope: Vec<String>,
    /// Names handed out.
    count: usize,
    /// Derived predicates that may be read.
    derived: usize,
}

impl<'r> Writer<'r> {
    pub fn new(random: &'r mut SmallRng) -> Self {
        Writer { random, scope: Vec::new(), count: 0, derived: DERIVED.len() }
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        *list.choose(self.random).expect("not empty")
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.random.random_ratio(percent, 100)
    }

    fn term(&mut self) -> String {
        if self.scope.is_empty() || self.chance(25) {
            return self.pick(&OBJECTS).to_string();
        }
        let scope = self.scope.clone();
        scope.choose(self.random).expect("not empty").clone()
    }

    fn atom(&mut self, (name, arity): (&str, usize)) -> String {
        let args: String = (0..arity).map(|_| format!(" {}", self.term())).collect();
        format!("({name}{args})")
    }

    fn any_atom(&mut self) -> String {
        let mut all: Vec<(&str, usize)> = CHANGING.iter().chain(&FIXED).copied().collect();
        all.extend(&DERIVED[..self.derived]);
        let chosen = self.pick(&all);
        self.atom(chosen)
    }

    fn variables(&mut self, count: usize) -> (String, Vec<String>) {
        let mut text = Vec::new();
        let mut names = Vec::new();
        for _ in 0..count {
            self.count += 1;
            let name = format!("?v{}", self.count);
            text.push(match self.chance(15) {
                true => name.clone(),
                false => format!("{name} - {}", self.pick(&TYPES)),
            });
            names.push(name);
        }
        // A variable without a type would take the type that follows it in the list.
        text.sort_by_key(|variable| !variable.contains(" - "));
        names.sort_by_key(|name| text.iter().position(|variable| variable.split(' ').next() == Some(name)));
        (text.join(" "), names)
    }

    fn number(&mut self, depth: usize) -> String {
        match self.random.random_range(0..if depth == 0 { 2 } else { 3 }) {
            0 => self.random.random_range(0..4).to_string(),
            1 => {
                let function = self.pick(&FUNCTIONS);
                self.atom(function)
            }
            _ => {
                let sign = self.pick(&["+", "-", "-", "*", "/"]);
                format!("({sign} {} {})", self.number(0), self.number(0))
            }
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        let kind = if depth == 0 { self.random.random_range(0..5) } else { self.random.random_range(0..11) };
        match kind {
            0 | 1 => self.any_atom(),
            2 => format!("(not {})", self.any_atom()),
            3 => format!("(= {} {})", self.term(), self.term()),
            4 => {
                let order = self.pick(&["<", "<=", "=", ">=", ">"]);
                format!("({order} {} {})", self.number(1), self.number(0))
            }
            5 | 6 => {
                let word = self.pick(&["and", "or"]);
                let parts: String =
                    (0..self.random.random_range(1..4)).map(|_| format!(" {}", self.condition(depth - 1))).collect();
                format!("({word}{parts})")
            }
            7 => format!("(imply {} {})", self.condition(depth - 1), self.condition(depth - 1)),
            8 => format!("(not {})", self.condition(depth - 1)),
            _ => {
                let word = self.pick(&["exists", "forall"]);
                let count = self.random.random_range(1..3);
                self.quantified(word, count, |writer| writer.condition(depth - 1))
            }
        }
    }

    fn quantified(&mut self, word: &str, count: usize, body: impl FnOnce(&mut Self) -> String) -> String {
        let (text, names) = self.variables(count);
        let before = self.scope.len();
        self.scope.extend(names);
        let body = body(self);
        self.scope.truncate(before);
        format!("({word} ({text}) {body})")
    }

    fn observe(&mut self) -> String {
        let clauses: String = (0..self.random.random_range(1..4))
            .map(|_| {
                let to: Vec<String> = (0..self.random.random_range(1..3))
                    .map(|_| self.pick(&["p1", "p2", "all", "others", "chance", "?r"]).to_string())
                    .collect();
                let words: String = (0..2)
                    .map(|_| format!(" {}", if self.chance(30) { "u".to_string() } else { self.term() }))
                    .collect();
                let head = self.pick(&["said", "heard"]);
                format!(" ({} ({head}{words}))", to.join(" "))
            })
            .collect();
        format!("(observe{clauses})")
    }

    fn effect(&mut self, depth: usize) -> String {
        let kind = if depth == 0 { self.random.random_range(0..8) } else { self.random.random_range(0..12) };
        let changing = self.pick(&CHANGING);
        match kind {
            0..=2 => self.atom(changing),
            3 | 4 => format!("(not {})", self.atom(changing)),
            5 => {
                let op = self.pick(&["assign", "increase", "increase", "decrease", "scale-up", "scale-down"]);
                let target = self.pick(&FUNCTIONS[..2]);
                format!("({op} {} {})", self.atom(target), self.number(1))
            }
            6 | 7 => self.observe(),
            8 | 9 => format!("(when {} {})", self.condition(1), self.effect(depth - 1)),
            10 => {
                let count = self.random.random_range(1..3);
                self.quantified("forall", count, |writer| writer.effect(depth - 1))
            }
            _ => {
                let parts: String =
                    (0..self.random.random_range(1..3)).map(|_| format!(" {}", self.effect(depth - 1))).collect();
                format!("(and{parts})")
            }
        }
    }

    /// An action of a player (or of any role) that passes on the turn, or not.
    fn action(&mut self, index: usize) -> String {
        let (text, names) = {
            let count = self.random.random_range(0..3);
            self.variables(count)
        };
        self.scope = std::iter::once("?r".to_string()).chain(names).collect();
        let mut conditions = vec!["(whoseturn ?r)".to_string()];
        conditions.extend((0..self.random.random_range(0..4)).map(|_| self.condition(2)));
        let next = self.pick(&["p1", "p2", "chance", "?r"]);
        let mut effects = match self.chance(85) {
            true => vec!["(not (whoseturn ?r))".to_string(), format!("(whoseturn {next})")],
            false => Vec::new(),
        };
        effects.extend((0..self.random.random_range(1..5)).map(|_| self.effect(2)));
        self.scope.clear();
        let (conditions, effects) = (conditions.join(" "), effects.join("\n    "));
        format!(
            "(:action act{index} :parameters (?r - role {text})\n  :precondition (and {conditions})\n  :effect (and {effects}))"
        )
    }

    /// Rules of derived predicates, each level after those it reads.
    fn rules(&mut self) -> String {
        let mut text = String::new();
        for (level, (name, arity)) in DERIVED.into_iter().enumerate() {
            self.derived = level;
            for _ in 0..self.random.random_range(1..3) {
                let params: Vec<String> = (0..arity).map(|at| format!("?d{at}")).collect();
                let typed: String = params.iter().map(|name| format!(" {name} - object")).collect();
                self.scope = params;
                let body = match level == 0 && self.chance(60) {
                    // Recursion, in positive literals only.
                    true => "(exists (?m - thing) (and (near ?d0 ?m) (linked ?m ?d1)))".to_string(),
                    false => self.condition(2),
                };
                self.scope.clear();
                text += &format!("(:derived ({name}{typed}) {body})\n");
            }
        }
        self.derived = DERIVED.len();
        text
    }

    pub fn domain(&mut self) -> String {
        let rules = self.rules();
        let actions: Vec<String> = (0..self.random.random_range(2..5)).map(|index| self.action(index)).collect();
        self.scope = vec!["?g".to_string()];
        let gains: String = (0..self.random.random_range(1..3))
            .map(|_| format!("(:gain ?g - role {} {})\n", self.number(1), self.condition(1)))
            .collect();
        self.scope.clear();
        format!(
            "(define (domain random) (:requirements :adl :derived-predicates :fluents :pogddl)
              (:types player - role thing role other box bag - thing)
              (:constants chance - role p1 p2 - player b1 - box k - bag all others u - other)
              (:predicates (whoseturn ?r - role) (flag) (at ?x) (near ?x ?y) (owns ?x ?y) (sharp ?x) (joins ?x ?y)
                (linked ?x ?y) (lonely ?x) (calm))
              (:functions (total) (load ?x) (size ?x))\n{rules}{}\n{gains})",
            actions.join("\n")
        )
    }

    pub fn problem(&mut self) -> String {
        let mut facts = vec![format!("(whoseturn {})", self.pick(&["p1", "p2", "chance"]))];
        for _ in 0..self.random.random_range(4..14) {
            let all: Vec<(&str, usize)> = CHANGING.iter().chain(&FIXED).copied().collect();
            let chosen = self.pick(&all);
            facts.push(self.atom(chosen));
        }
        let mut values = vec![format!("(= (total) {})", self.random.random_range(0..4))];
        for object in OBJECTS {
            values.extend(["load", "size"].map(|function| format!("(= ({function} {object}) {})", object.len())));
        }
        format!(
            "(define (problem small) (:domain random) (:objects b2 - box g1 - bag g2 - thing)\n (:init {} {}))",
            facts.join(" "),
            values.join(" ")
        )
    }
}
