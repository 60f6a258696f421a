//! Random rule sets, small enough to be played out, with many error-prone features: relations that are in effect
//! constant, moves that are never legal, recursion of every kind, percepts about other roles' moves.

mod conditions;

use std::collections::BTreeSet;

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, SeedableRng, rngs::SmallRng};

use super::Naive;
use super::names::Names;
use crate::graph::{Budget, Graph};
use crate::sexp::Sexp;

/// The features of a rule set, for statistics.
#[derive(Clone, Default, Debug)]
pub struct Features(pub BTreeSet<&'static str>);

/// The rule set of a seed. Most games without events are left out.
pub fn write(seed: u64) -> (Vec<Sexp>, Features) {
    eventful(seed, false)
}

/// The same with more things, and always with facts about two or three of them: too large for verdicts about every
/// match, but not for playing.
pub fn write_large(seed: u64) -> (Vec<Sexp>, Features) {
    eventful(seed, true)
}

fn eventful(seed: u64, is_large: bool) -> (Vec<Sexp>, Features) {
    let mut rng = SmallRng::seed_from_u64(seed);
    loop {
        let (statements, features) = attempt(rng.random(), is_large);
        if is_eventful(&statements) || rng.random_bool(0.02) {
            return (statements, features);
        }
    }
}

/// True if the match goes on for a while, in more than one way.
fn is_eventful(statements: &[Sexp]) -> bool {
    let Ok(naive) = Naive::new(statements) else { return false };
    let budget = Budget { states: 12, rounds: 60 };
    Graph::explore(&naive, budget).is_ok_and(|graph| {
        let branches = graph.nodes.iter().filter(|node| node.rounds.len() > 1).count();
        !graph.is_complete || (graph.nodes.len() > 5 && branches > 1)
    })
}

fn attempt(seed: u64, is_large: bool) -> (Vec<Sexp>, Features) {
    let mut rng = SmallRng::seed_from_u64(seed);
    let names = Names::new(&mut rng);
    let is_wide = is_large || rng.random_bool(0.4);
    let asks = seed.is_multiple_of(5);
    let mut writer = Writer { rng, names, is_wide, is_large, asks, ..Writer::empty() };
    writer.game();
    let mut statements: Vec<Sexp> = writer.out.iter().map(|text| Sexp::one(text)).collect();
    if writer.rng.random_bool(0.3) {
        statements.shuffle(&mut writer.rng);
    }
    if writer.rng.random_bool(0.05) {
        writer.mark("keywords in capitals");
        statements = statements.iter().map(|it| super::names::in_capitals(it, true)).collect();
    }
    (statements, writer.features)
}

/// The kind of an argument or a variable.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    Thing,
    Role,
}

/// The facts that a rule may use.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
enum Level {
    Fixed,
    State,
    Moves,
}

struct Relation {
    name: String,
    args: Vec<Kind>,
    level: Level,
}

struct Writer {
    rng: SmallRng,
    names: Names,
    out: Vec<String>,
    features: Features,
    roles: Vec<String>,
    things: Vec<String>,
    relations: Vec<Relation>,
    /// True if fluents, moves and relations may have two things as arguments.
    is_wide: bool,
    /// True if there are more things, and fluents with three of them.
    is_large: bool,
    /// The fluents, with `?` in place of a thing.
    fluents: Vec<String>,
    /// The moves of each role, with `?` in place of a thing.
    moves: Vec<Vec<String>>,
    /// Relations that always hold, and relations that never do, though no single rule shows it.
    always: Vec<(String, Vec<Kind>)>,
    never: Vec<(String, Vec<Kind>)>,
    variables: usize,
    /// True if some relations are used through others.
    asks: bool,
}

/// The variables a rule has bound so far.
type Bound = Vec<(String, Kind)>;

impl Writer {
    fn empty() -> Writer {
        let mut rng = SmallRng::seed_from_u64(0);
        Writer {
            names: Names::new(&mut rng),
            rng,
            out: Vec::new(),
            features: Features::default(),
            roles: Vec::new(),
            things: Vec::new(),
            relations: Vec::new(),
            is_wide: false,
            is_large: false,
            fluents: Vec::new(),
            moves: Vec::new(),
            always: Vec::new(),
            never: Vec::new(),
            variables: 0,
            asks: false,
        }
    }

    fn mark(&mut self, feature: &'static str) {
        self.features.0.insert(feature);
    }

    fn flip(&mut self, share: f64) -> bool {
        self.rng.random_bool(share)
    }

    fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list.choose(&mut self.rng).expect("something to pick").clone()
    }

    fn up_to(&mut self, most: usize) -> usize {
        self.rng.random_range(0..=most)
    }

    fn fresh(&mut self) -> String {
        self.variables += 1;
        format!("?v{}", self.variables)
    }

    fn game(&mut self) {
        self.cast();
        self.world();
        self.clock();
        self.state();
        for _ in 0..1 + self.up_to(2) {
            self.helper();
        }
        if self.asks {
            self.lines();
        }
        self.legal();
        self.changes();
        self.percepts();
        self.ends();
        self.declarations();
    }

    fn cast(&mut self) {
        let players = [2, 2, 2, 3, 1][self.rng.random_range(0..5)];
        self.roles = (0..players).map(|_| self.names.role(&mut self.rng)).collect();
        if players == 1 || (players == 2 && self.flip(0.5)) {
            self.mark("chance");
            let at = self.up_to(self.roles.len());
            self.roles.insert(at, "random".into());
        }
        if self.roles.len() == 3 {
            self.mark("three roles");
        }
        let by_rule = self.flip(0.1);
        for role in self.roles.clone() {
            match by_rule {
                true => self.out.push(format!("(player {role})")),
                false => self.out.push(format!("(role {role})")),
            }
        }
        if by_rule {
            self.mark("roles by a rule");
            self.out.push("(<= (role ?x) (player ?x))".into());
        }
    }

    /// Things and their relations, the same in every state.
    fn world(&mut self) {
        let count = if self.is_large { 3 } else { 2 } + self.up_to(1);
        self.things = (0..count).map(|_| self.names.thing(&mut self.rng)).collect();
        for thing in self.things.clone() {
            self.out.push(format!("(dom {thing})"));
        }
        for from in self.things.clone() {
            if self.flip(0.7) {
                let to = self.pick(&self.things.clone());
                self.out.push(format!("(edge {from} {to})"));
            }
        }
        let (one, two) = (vec![Kind::Thing], vec![Kind::Thing, Kind::Thing]);
        self.relations.push(Relation { name: "dom".into(), args: one, level: Level::Fixed });
        self.relations.push(Relation { name: "edge".into(), args: two.clone(), level: Level::Fixed });
        if self.flip(0.3) {
            self.mark("fixed recursion");
            self.out.push("(<= (path ?x ?y) (edge ?x ?y))".into());
            let order = if self.flip(0.5) { "(path ?x ?y) (edge ?y ?z)" } else { "(path ?x ?y) (path ?y ?z)" };
            self.out.push(format!("(<= (path ?x ?z) {order})"));
            self.relations.push(Relation { name: "path".into(), args: two, level: Level::Fixed });
        }
    }

    /// A counter of rounds that usually ends the match.
    fn clock(&mut self) {
        if self.flip(0.3) {
            return;
        }
        let last = 2 + self.up_to(2);
        for step in 0..last {
            self.out.push(format!("(succ {step} {})", step + 1));
        }
        self.out.push("(init (step 0))".into());
        self.out.push("(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))".into());
        self.out.push(format!("(<= terminal (true (step {last})))"));
        let early = self.up_to(last - 1);
        self.fluents.push(format!("(step {early})"));
    }

    fn state(&mut self) {
        for _ in 0..2 + self.up_to(2) {
            let name = self.names.fluent(&mut self.rng);
            let inner = self.names.thing(&mut self.rng);
            let fluent = match self.rng.random_range(0..10) {
                0..2 if self.is_large => {
                    self.mark("fluents about three things");
                    format!("({name} ? ? ?)")
                }
                0..4 if self.is_wide => {
                    self.mark("fluents about two things");
                    format!("({name} ? ?)")
                }
                0..4 => name,
                4..8 => format!("({name} ?)"),
                8 => format!("({name} ({inner} ?))"),
                _ => format!("({name} ? ({inner} {inner}))"),
            };
            if fluent.matches('(').count() > 1 {
                self.mark("nested terms");
            }
            for thing in self.things.clone() {
                if self.flip(0.35) {
                    let fluent = self.filled(&fluent.replacen('?', &thing, 1), &Bound::new());
                    self.out.push(format!("(init {fluent})"));
                }
            }
            self.fluents.push(fluent);
        }
        if self.flip(0.35) {
            self.mark("constant fluents");
            let (kept, lost) = (self.names.fluent(&mut self.rng), self.names.fluent(&mut self.rng));
            self.out.push(format!("(init {kept})"));
            self.out.push(format!("(<= (next {kept}) (true {kept}))"));
            self.out.push(format!("(<= (next {lost}) (true {lost}))"));
            self.always.push((format!("(true {kept})"), vec![]));
            self.never.push((format!("(true {lost})"), vec![]));
            self.fluents.extend([kept, lost]);
        }
        if self.flip(0.15) {
            self.mark("growing terms");
            self.out.push("(init (tower z))".into());
            let grown = self.pick(&["(next (tower (s ?x)))", "(next (tower (s (s ?x))))"]);
            self.out.push(format!("(<= {grown} (true (tower ?x)) (low ?x))"));
            for low in ["z", "(s z)", "(s (s z))"] {
                self.out.push(format!("(low {low})"));
            }
            self.fluents.push("(tower (s z))".into());
        }
    }

    fn legal(&mut self) {
        for role in self.roles.clone() {
            let is_chance = role == "random";
            let most = if is_chance || self.roles.len() == 3 { 2 } else { 3 };
            let mut moves = Vec::new();
            let count = self.rng.random_range(1..=most).max(self.rng.random_range(1..=most));
            while moves.len() < count {
                let name = self.names.mv(&mut self.rng);
                let mv = match self.flip(0.2) {
                    true if self.is_wide && moves.is_empty() => {
                        self.mark("moves about two things");
                        format!("({name} ? ?)")
                    }
                    true => format!("({name} ?)"),
                    false => name,
                };
                let always = if moves.is_empty() { 0.8 } else { 0.4 };
                if self.flip(always) {
                    let mv = self.filled(&mv, &Bound::new());
                    self.out.push(format!("(legal {role} {mv})"));
                } else {
                    let (open, bound) = self.opened(&mv);
                    self.rule(&format!("(legal {role} {open})"), bound, Level::State, 2);
                }
                moves.push(mv);
            }
            if self.flip(0.3) {
                moves.push(self.dead_move(&role));
            }
            self.moves.push(moves);
        }
        if self.flip(0.1) {
            self.mark("legal for any role");
            let mv = self.names.mv(&mut self.rng);
            self.rule(&format!("(legal ?r {mv})"), vec![], Level::State, 2);
            self.moves.iter_mut().for_each(|moves| moves.push(mv.clone()));
        }
    }

    /// A move that is never legal, though only the rules together show it.
    fn dead_move(&mut self, role: &str) -> String {
        self.mark("dead moves");
        let mv = self.names.mv(&mut self.rng);
        let condition = match (self.always.is_empty(), self.never.is_empty(), self.flip(0.5)) {
            (false, _, true) | (false, true, _) => {
                let (name, args) = self.pick(&self.always.clone());
                format!("(not {})", self.call(&name, &args, &Bound::new()))
            }
            (_, false, _) => {
                let (name, args) = self.pick(&self.never.clone());
                self.call(&name, &args, &Bound::new())
            }
            _ => {
                let atom = self.atom(Level::State, &Bound::new());
                format!("{atom} (not {atom})")
            }
        };
        self.out.push(format!("(<= (legal {role} {mv}) {condition})"));
        mv
    }

    fn changes(&mut self) {
        if self.flip(0.35) {
            self.mark("moves remembered");
            let role = self.rng.random_range(0..self.roles.len());
            let name = self.names.fluent(&mut self.rng);
            self.out.push(format!("(<= (next ({name} ?m)) (does {} ?m))", self.roles[role]));
            let mv = self.pick(&self.moves[role].clone());
            let mv = self.filled(&mv, &Bound::new());
            self.fluents.push(format!("({name} {mv})"));
        }
        if self.flip(0.3) {
            let name = self.names.relation(&mut self.rng);
            self.plain(&name, Level::Moves);
        }
        if self.is_wide && self.flip(0.2) {
            self.mark("facts that persist");
            let test = self.test(Level::Moves, &vec![], 1);
            self.out.push(format!("(<= (next ?f) (true ?f) {test})"));
        }
        for fluent in self.fluents.clone() {
            if fluent.starts_with("(step") || fluent.starts_with("(tower") || self.flip(0.1) {
                continue;
            }
            for _ in 0..1 + self.up_to(1) {
                let (open, bound) = self.opened(&fluent);
                self.rule(&format!("(next {open})"), bound, Level::Moves, 2);
            }
            if self.flip(0.5) {
                let (fluent, bound) = self.opened(&fluent);
                let test = self.test(Level::Moves, &bound, 1);
                self.out.push(format!("(<= (next {fluent}) (true {fluent}) {test})"));
            }
        }
    }

    fn percepts(&mut self) {
        if self.flip(0.12) {
            self.mark("percepts are others' moves");
            let test = match self.flip(0.6) {
                true => "(distinct ?p ?q)".into(),
                false => self.test(Level::Moves, &vec![("?q".into(), Kind::Role)], 1),
            };
            self.out.push(format!("(<= (sees ?p (does ?q ?m)) (role ?p) (does ?q ?m) {test})"));
        }
        for role in self.roles.clone() {
            if role == "random" {
                continue;
            }
            for _ in 0..self.up_to(2) {
                let name = self.names.percept(&mut self.rng);
                let who = if self.flip(0.15) { "?r".to_owned() } else { role.clone() };
                match self.rng.random_range(0..8) {
                    0..3 => self.rule(&format!("(sees {who} {name})"), vec![], Level::Moves, 3),
                    3..5 => {
                        let is_pair = self.is_wide && self.flip(0.4);
                        let (percept, bound) = self.opened(if is_pair { "? ?" } else { "?" });
                        self.rule(&format!("(sees {who} ({name} {percept}))"), bound, Level::Moves, 2);
                    }
                    5 => {
                        let other = self.pick(&self.roles.clone());
                        self.out.push(format!("(<= (sees {who} ({name} ?m)) (does {other} ?m))"));
                    }
                    6 => {
                        self.mark("percepts of the next state");
                        let fluent = self.pick(&self.fluents.clone());
                        let test = self.test(Level::Moves, &vec![], 1);
                        let fluent = fluent.replace('?', "?x");
                        self.out.push(format!("(<= (sees {who} {name}) (next {fluent}) {test})"));
                    }
                    _ => self.out.push(format!("(sees {role} {name})")),
                }
            }
        }
    }

    fn ends(&mut self) {
        let has_clock = self.out.iter().any(|text| text.starts_with("(init (step"));
        for _ in 0..self.up_to(1) + usize::from(!has_clock) {
            self.rule("terminal", vec![], Level::State, 3);
            // A match that is over at the start is uninformative.
            if self.out.last().is_some_and(|rule| !rule.contains("(true ")) {
                self.out.pop();
            }
        }
        for role in self.roles.clone() {
            for value in ["0", "50", "100"] {
                if self.flip(0.7) {
                    self.rule(&format!("(goal {role} {value})"), vec![], Level::State, 1);
                }
            }
        }
        if self.flip(0.15) {
            self.rule("(goal ?r 25)", vec![], Level::State, 2);
        }
    }

    fn declarations(&mut self) {
        if self.flip(0.75) {
            return;
        }
        self.mark("declarations");
        for fluent in self.fluents.clone() {
            match self.rng.random_range(0..4) {
                0 => {}
                1 => self.out.push(format!(
                    "(base {})",
                    self.things.iter().fold(fluent, |it, thing| it.replacen('?', thing, 1))
                )),
                _ => self.declare("base", &fluent),
            }
        }
        if self.flip(0.3) {
            self.out.push("(base (nothing (of the) kind))".into());
        }
        let roles = self.roles.clone();
        for (role, moves) in roles.iter().zip(self.moves.clone()) {
            for mv in moves {
                if self.flip(0.6) {
                    self.declare(&format!("input {role}"), &mv);
                }
            }
        }
    }

    /// Declares that a pattern may hold, or be done, with any things.
    fn declare(&mut self, word: &str, pattern: &str) {
        let (open, bound) = self.opened(pattern);
        let domains: String = bound.iter().map(|(variable, _)| format!(" (dom {variable})")).collect();
        self.out.push(format!("(<= ({word} {open}){})", if domains.is_empty() { " (dom ?x)" } else { &domains }));
    }
}
