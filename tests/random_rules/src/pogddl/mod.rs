//! POGDDL: a random domain and problem, small enough to be played out. (Their meaning is computed by the interpreter of
//! `percept-test`, which evaluates the typed syntax as written and does not use the engine.)

pub mod numbers;

use std::collections::BTreeSet;

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng, rngs::SmallRng};

use crate::sexp::Sexp;

/// The domain and the problem of a seed, with their features.
pub fn write(seed: u64) -> (Vec<Sexp>, BTreeSet<&'static str>) {
    let mut writer = Writer {
        rng: SmallRng::seed_from_u64(seed),
        features: BTreeSet::new(),
        players: vec!["p1", "p2"],
        things: vec!["b1", "g1"],
        scope: Vec::new(),
        variables: 0,
        stages: 0,
        by_parameters: false,
        derived: 0,
    };
    let (domain, problem) = writer.game();
    (vec![Sexp::one(&domain), Sexp::one(&problem)], writer.features)
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    Thing,
    Role,
}

use Kind::{Role, Thing};

/// Predicates that actions may change, and those that no action changes.
const CHANGING: [(&str, &[Kind]); 4] = [("flag", &[]), ("open", &[]), ("at", &[Thing]), ("owns", &[Role, Thing])];
const FIXED: [(&str, &[Kind]); 2] = [("sharp", &[Thing]), ("joins", &[Thing, Thing])];
const DERIVED: [(&str, &[Kind]); 3] = [("linked", &[Thing, Thing]), ("lonely", &[Thing]), ("calm", &[])];
const FUNCTIONS: [(&str, &[Kind]); 3] = [("total", &[]), ("score", &[Role]), ("size", &[Thing])];

struct Writer {
    rng: SmallRng,
    features: BTreeSet<&'static str>,
    players: Vec<&'static str>,
    things: Vec<&'static str>,
    /// The variables in scope.
    scope: Vec<(String, Kind)>,
    variables: usize,
    /// The maximum number of rounds of a match; 0 if it may be endless.
    stages: usize,
    /// True if the clock advances by parameters of the actions, and not by conditional effects.
    by_parameters: bool,
    /// The number of derived predicates that may be read.
    derived: usize,
}

impl Writer {
    fn flip(&mut self, share: f64) -> bool {
        self.rng.random_bool(share)
    }

    fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list.choose(&mut self.rng).expect("something to pick").clone()
    }

    fn up_to(&mut self, most: usize) -> usize {
        self.rng.random_range(0..=most)
    }

    fn mark(&mut self, feature: &'static str) {
        self.features.insert(feature);
    }

    fn game(&mut self) -> (String, String) {
        if self.flip(0.15) {
            self.players.push("p3");
            self.mark("three players");
        }
        if self.flip(0.5) {
            self.things.push("g2");
        }
        self.stages = if self.flip(0.75) { 2 + self.up_to(2) } else { 0 };
        self.by_parameters = self.flip(0.2);
        let rules = if self.flip(0.4) { self.rules() } else { String::new() };
        let actions: Vec<String> = (0..2 + self.up_to(2)).map(|index| self.action(index)).collect();
        let deal = self.deal();
        let gains: String = (0..1 + self.up_to(2)).map(|_| self.gain()).collect();
        let stages: String = (0..=self.stages).map(|stage| format!(" s{stage}")).collect();
        let domain = format!(
            "(define (domain random) (:requirements :adl :derived-predicates :fluents :pogddl)
              (:types player - role thing role stage other box bag - thing)
              (:constants chance - role {} - player b1 - box g1 - bag{stages} - stage all others u - other)
              (:predicates (whoseturn ?r - role) (flag) (open) (at ?x - thing) (owns ?r - role ?x - thing) (sharp ?x)
                (joins ?x ?y) (linked ?x ?y) (lonely ?x) (calm) (stage ?s - stage) (after ?s ?t - stage))
              (:functions (total) (score ?r - role) (size ?x - thing))\n{rules}{deal}{}\n{gains})",
            self.players.join(" "),
            actions.join("\n")
        );
        (domain, self.problem())
    }

    fn problem(&mut self) -> String {
        let first = if self.features.contains("chance deals") { "chance" } else { self.pick(&self.players.clone()) };
        let mut facts = vec![format!("(whoseturn {first})")];
        if self.stages > 0 {
            facts.push("(stage s0)".into());
            facts.extend((0..self.stages).map(|stage| format!("(after s{stage} s{})", stage + 1)));
        }
        for _ in 0..self.up_to(5) {
            let all: Vec<_> = CHANGING.iter().chain(&FIXED).copied().collect();
            let chosen = self.pick(&all);
            facts.push(self.atom(chosen));
        }
        facts.push(format!("(= (total) {})", self.up_to(2)));
        for role in self.players.clone() {
            facts.push(format!("(= (score {role}) {})", self.up_to(2)));
        }
        for thing in self.things.clone() {
            if self.flip(0.2) {
                self.mark("unlisted numbers");
                continue;
            }
            facts.push(format!("(= (size {thing}) {})", self.up_to(3)));
        }
        let objects = if self.things.contains(&"g2") { "(:objects g2 - bag)" } else { "" };
        format!("(define (problem small) (:domain random) {objects} (:init {}))", facts.join(" "))
    }

    /// A variable in scope, or an object.
    fn term(&mut self, kind: Kind) -> String {
        let variables: Vec<String> =
            self.scope.iter().filter(|(_, it)| *it == kind).map(|(name, _)| name.clone()).collect();
        if !variables.is_empty() && self.flip(0.7) {
            return self.pick(&variables);
        }
        match kind {
            Thing => self.pick(&self.things.clone()).to_owned(),
            Role => self.pick(&self.players.clone()).to_owned(),
        }
    }

    fn atom(&mut self, (name, args): (&str, &[Kind])) -> String {
        let args: String = args.iter().map(|&kind| format!(" {}", self.term(kind))).collect();
        format!("({name}{args})")
    }

    fn any_atom(&mut self) -> String {
        if self.flip(0.7) {
            let chosen = self.pick(&CHANGING);
            return self.atom(chosen);
        }
        let all: Vec<_> = FIXED.iter().chain(&DERIVED[..self.derived]).copied().collect();
        let chosen = self.pick(&all);
        if DERIVED.contains(&chosen) {
            self.mark("derived predicates");
        }
        self.atom(chosen)
    }

    fn number(&mut self, depth: usize) -> String {
        match self.rng.random_range(0..if depth == 0 { 3 } else { 4 }) {
            0 => self.up_to(3).to_string(),
            1 | 2 => {
                let function = self.pick(&FUNCTIONS);
                self.atom(function)
            }
            _ => format!("({} {} {})", self.pick(&["+", "-", "*"]), self.number(0), self.number(0)),
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        let kind = if depth == 0 { self.rng.random_range(0..8) } else { self.rng.random_range(0..14) };
        match kind {
            0..4 => self.any_atom(),
            4 | 5 => format!("(not {})", self.any_atom()),
            6 => {
                let kind = self.pick(&[Thing, Role]);
                format!("(= {} {})", self.term(kind), self.term(kind))
            }
            7 => {
                self.mark("numbers compared");
                let order = self.pick(&["<", "<=", "=", ">=", ">"]);
                format!("({order} {} {})", self.number(1), self.number(0))
            }
            8 | 9 => {
                let word = self.pick(&["or", "or", "and"]);
                self.mark("or");
                format!("({word} {} {})", self.condition(depth - 1), self.condition(depth - 1))
            }
            10 => format!("(imply {} {})", self.condition(depth - 1), self.condition(depth - 1)),
            11 => format!("(not {})", self.condition(depth - 1)),
            _ => {
                self.mark("quantifiers");
                let word = self.pick(&["exists", "forall"]);
                self.quantified(word, |writer| writer.condition(depth - 1))
            }
        }
    }

    fn variable(&mut self, kind: Kind) -> (String, String) {
        self.variables += 1;
        let name = format!("?v{}", self.variables);
        let types: &[&str] = match kind {
            Thing => &["thing", "thing", "box", "bag", "(either box bag)"],
            Role => &["player", "player", "role"],
        };
        let typed = format!("{name} - {}", self.pick(types));
        (name, typed)
    }

    fn quantified(&mut self, word: &str, body: impl FnOnce(&mut Self) -> String) -> String {
        let count = if self.flip(0.25) { 2 } else { 1 };
        let (mut list, outside) = (Vec::new(), self.scope.len());
        for _ in 0..count {
            let kind = self.pick(&[Thing, Thing, Role]);
            let (name, typed) = self.variable(kind);
            self.scope.push((name, kind));
            list.push(typed);
        }
        let body = body(self);
        self.scope.truncate(outside);
        format!("({word} ({}) {body})", list.join(" "))
    }

    /// Messages to some, to all, or to the other roles; about a thing, or about an unknown one.
    fn observe(&mut self) -> String {
        let mut to: Vec<String> = ["all", "others", "others", "chance"].map(str::to_owned).into();
        to.extend(self.players.iter().map(|role| role.to_string()));
        to.extend(self.scope.iter().filter(|(_, kind)| *kind == Role).map(|(name, _)| name.clone()));
        let clauses: String = (0..1 + self.up_to(1))
            .map(|_| {
                let to: Vec<String> = (0..1 + self.up_to(1)).map(|_| self.pick(&to)).collect();
                let term = if self.flip(0.3) { "u".to_owned() } else { self.term(Thing) };
                let message = self.pick(&["(hello)", "(said ?)", "(said ?)", "(heard ?)"]).replace('?', &term);
                format!(" ({} {message})", to.join(" "))
            })
            .collect();
        format!("(observe{clauses})")
    }

    fn effect(&mut self, depth: usize) -> String {
        let changing = self.pick(&CHANGING);
        match self.rng.random_range(0..if depth == 0 { 9 } else { 14 }) {
            0..4 => self.atom(changing),
            4 | 5 => format!("(not {})", self.atom(changing)),
            6 => {
                self.mark("numbers changed");
                let target = self.pick(&FUNCTIONS[..2]);
                let target = self.atom(target);
                // Usually a change that keeps numbers small, because games without growing numbers can be decided
                // completely.
                if self.flip(0.8) {
                    return format!("(assign {target} {})", self.up_to(3));
                }
                let op = self.pick(&["assign", "increase", "increase", "decrease", "scale-up"]);
                format!("({op} {target} {})", self.number(0))
            }
            7 | 8 => self.observe(),
            9..12 => {
                self.mark("conditional effects");
                format!("(when {} {})", self.condition(1), self.effect(depth - 1))
            }
            12 => {
                self.mark("universal effects");
                self.quantified("forall", |writer| writer.effect(depth - 1))
            }
            _ => format!("(and {} {})", self.effect(depth - 1), self.effect(depth - 1)),
        }
    }

    /// Advances the clock, if there is one.
    fn tick(&mut self, conditions: &mut Vec<String>, effects: &mut Vec<String>, typed: &mut Vec<String>) {
        match self.stages {
            0 => {}
            1..4 if self.by_parameters => {
                typed.push("?s ?t - stage".into());
                conditions.push("(stage ?s) (after ?s ?t)".into());
                effects.push("(not (stage ?s)) (stage ?t)".into());
            }
            last => {
                conditions.push(format!("(not (stage s{last}))"));
                let on = |at: usize| format!("(when (stage s{at}) (and (not (stage s{at})) (stage s{})))", at + 1);
                effects.extend((0..last).map(on));
            }
        }
    }

    /// A move of chance that perhaps not all roles perceive.
    fn deal(&mut self) -> String {
        if self.flip(0.35) {
            return String::new();
        }
        self.mark("chance deals");
        let (mut conditions, mut effects, mut typed) = (vec!["(whoseturn chance)".to_owned()], Vec::new(), Vec::new());
        self.tick(&mut conditions, &mut effects, &mut typed);
        typed.push("?x - thing".into());
        self.scope = vec![("?x".into(), Thing)];
        let next = self.pick(&self.players.clone());
        let target = self.pick(&self.players.clone());
        let dealt = self.pick(&["(at ?x)", "(owns ? ?x)"]).replace("? ", &format!("{target} "));
        effects.push(format!("(not (whoseturn chance)) (whoseturn {next}) {dealt}"));
        if self.flip(0.5) {
            effects.push(format!("(observe ({target} (dealt ?x)) (others (dealt u)))"));
        }
        if self.flip(0.4) {
            effects.push(self.effect(1));
        }
        self.scope.clear();
        let (typed, conditions, effects) = (typed.join(" "), conditions.join(" "), effects.join(" "));
        format!("(:action deal :parameters ({typed}) :precondition (and {conditions}) :effect (and {effects}))\n")
    }

    fn action(&mut self, index: usize) -> String {
        let (mut conditions, mut effects, mut typed) = (Vec::new(), Vec::new(), Vec::new());
        let who = match self.flip(0.6) {
            true => {
                typed.push(format!("?r - {}", self.pick(&["player", "player", "role"])));
                self.scope.push(("?r".into(), Role));
                "?r".to_owned()
            }
            false => self.pick(&self.players.clone()).to_owned(),
        };
        conditions.push(format!("(whoseturn {who})"));
        self.tick(&mut conditions, &mut effects, &mut typed);
        if self.flip(0.4) {
            let (name, parameter) = self.variable(Thing);
            typed.push(parameter);
            self.scope.push((name, Thing));
        }
        conditions.extend((0..self.up_to(1)).map(|_| self.condition(2)));
        match self.rng.random_range(0..10) {
            0 => self.mark("several moves in a row"),
            1 => {
                self.mark("the turn depends");
                let (yes, no) = (self.pick(&self.players.clone()), self.pick(&self.players.clone()));
                let condition = self.condition(1);
                effects.push(format!("(not (whoseturn {who})) (when {condition} (whoseturn {yes}))"));
                effects.push(format!("(when (not {condition}) (whoseturn {no}))"));
            }
            2 => {
                self.mark("nobody's turn");
                effects.push(format!("(not (whoseturn {who}))"));
            }
            _ => {
                let next = self.pick(&self.players.clone());
                let next = if self.features.contains("chance deals") && self.flip(0.2) { "chance" } else { next };
                effects.push(format!("(not (whoseturn {who})) (whoseturn {next})"));
            }
        }
        effects.extend((0..1 + self.up_to(3)).map(|_| self.effect(2)));
        if self.flip(0.35) {
            self.mark("own moves told");
            let thing = self.scope.iter().find(|(_, kind)| *kind == Thing).map_or("", |(name, _)| name).to_owned();
            effects.push(format!("(observe ({who} (did a{index} {thing})) (others (did a{index} u)))"));
        }
        self.scope.clear();
        let (typed, conditions, effects) = (typed.join(" "), conditions.join(" "), effects.join("\n    "));
        let name = self.pick(&["act", "Act", "move-", "x_"]);
        format!(
            "(:action {name}{index} :parameters ({typed})\n  :precondition (and {conditions})\n  :effect (and {effects}))"
        )
    }

    /// Rules of derived predicates, each level after those it reads.
    fn rules(&mut self) -> String {
        let mut text = String::new();
        for (level, (name, kinds)) in DERIVED.into_iter().enumerate() {
            self.derived = level;
            for _ in 0..1 + self.up_to(1) {
                self.scope = kinds.iter().enumerate().map(|(at, &kind)| (format!("?d{at}"), kind)).collect();
                let typed: String = self.scope.iter().map(|(name, _)| format!(" {name} - thing")).collect();
                let body = match level == 0 && self.flip(0.6) {
                    true => {
                        self.mark("recursion");
                        "(or (joins ?d0 ?d1) (exists (?m - thing) (and (at ?m) (joins ?d0 ?m) (linked ?m ?d1))))".into()
                    }
                    false => self.condition(2),
                };
                text += &format!("(:derived ({name}{typed}) {body})\n");
            }
            self.scope.clear();
        }
        self.derived = DERIVED.len();
        text
    }

    fn gain(&mut self) -> String {
        let kind = self.pick(&["role", "player", "player"]);
        self.scope = vec![("?g".into(), Role)];
        let value = if self.flip(0.6) { (1 + self.up_to(3)).to_string() } else { self.number(1) };
        let (mut condition, over) = (self.condition(1), self.flip(0.7) && self.stages > 0);
        if over {
            condition = format!("(and (stage s{}) {condition})", self.stages);
        }
        if self.flip(0.5) {
            condition = format!("(and (= ?g {}) {condition})", self.pick(&self.players.clone()));
        }
        self.scope.clear();
        format!("(:gain ?g - {kind} {value} {condition})\n")
    }
}
