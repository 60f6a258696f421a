//! Queries about all histories: random ones, and their meaning by definition.

use std::collections::BTreeSet;
use std::fmt;

use rand::seq::IndexedRandom;
use rand::{Rng, rngs::SmallRng};

use crate::graph::Graph;
use crate::sexp::Sexp;
use crate::truth::Histories;

/// A statement about one history. Roles are given by name.
#[derive(Clone, Debug)]
pub enum Formula {
    Terminal,
    True(Sexp),
    Legal(String, Sexp),
    Can(String),
    Goal(String, Sexp),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Implies(Box<Formula>, Box<Formula>),
    Knows(String, Box<Formula>),
    /// Both hold for some `?x`; the first is an atom that contains `?x`.
    Some(Box<Formula>, Box<Formula>),
    /// The second holds for every `?x` for which the first, an atom that contains `?x`, holds.
    Every(Box<Formula>, Box<Formula>),
    /// The role knows an `?x` for which the atom holds; written without a quantifier.
    KnowsWhich(String, Box<Formula>),
    /// No two values make the atom true at once.
    Unique(Box<Formula>),
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.show(&mut Words { variables: 0, inside_knows: false }, "?x"))
    }
}

/// The state of writing a formula.
struct Words {
    /// The number of quantifiers so far: each has a separate variable.
    variables: usize,
    /// True inside of `knows`; a variable without a quantifier would belong to the outermost one.
    inside_knows: bool,
}

impl Words {
    fn fresh(&mut self) -> String {
        self.variables += 1;
        format!("?x{}", self.variables)
    }
}

impl Formula {
    /// The formula in words; `variable` is that of the quantifier around this part.
    fn show(&self, words: &mut Words, variable: &str) -> String {
        let put = |sexp: &Sexp| filled(sexp, &Sexp::word(variable));
        let mut two = |word: &str, left: &Formula, right: &Formula| {
            format!("({word} {} {})", left.show(words, variable), right.show(words, variable))
        };
        match self {
            Formula::Terminal => "terminal".to_owned(),
            Formula::True(fluent) => format!("(true {})", put(fluent)),
            Formula::Legal(role, mv) => format!("(legal {role} {})", put(mv)),
            Formula::Can(role) => format!("(can {role})"),
            Formula::Goal(role, value) => format!("(goal {role} {})", put(value)),
            Formula::Not(part) => format!("(not {})", part.show(words, variable)),
            Formula::And(left, right) => two("and", left, right),
            Formula::Or(left, right) => two("or", left, right),
            Formula::Implies(left, right) => two("implies", left, right),
            Formula::Knows(role, part) => {
                let before = std::mem::replace(&mut words.inside_knows, true);
                let part = part.show(words, variable);
                words.inside_knows = before;
                format!("(knows {role} {part})")
            }
            Formula::KnowsWhich(role, atom) => {
                let own = words.fresh();
                let knows = format!("(knows {role} {})", atom.show(words, &own));
                if words.inside_knows { format!("(exists {own} {knows})") } else { knows }
            }
            Formula::Some(atom, rest) | Formula::Every(atom, rest) => {
                let own = words.fresh();
                let parts = format!("{} {}", atom.show(words, &own), rest.show(words, &own));
                match self {
                    Formula::Some(..) => format!("(exists {own} (and {parts}))"),
                    _ => format!("(forall {own} (implies {parts}))"),
                }
            }
            Formula::Unique(atom) => {
                let (one, other) = (words.fresh(), words.fresh());
                let atoms = format!("{} {}", atom.show(words, &one), atom.show(words, &other));
                format!("(not (exists ({one} {other}) (and (distinct {one} {other}) {atoms})))")
            }
        }
    }
}

/// The atoms that queries about a game may use.
pub struct Vocabulary {
    pub roles: Vec<String>,
    /// The roles other than chance; queries ask only about their knowledge.
    pub players: Vec<String>,
    pub fluents: Vec<Sexp>,
    pub moves: Vec<(String, Sexp)>,
    pub goals: Vec<(String, Sexp)>,
}

impl Vocabulary {
    /// The atoms of a game, with the fluents that `is_fluent` accepts.
    pub fn of(graph: &Graph, is_fluent: impl Fn(&str) -> bool) -> Vocabulary {
        let facts: BTreeSet<&String> = graph.nodes.iter().flat_map(|node| &node.facts).collect();
        let mut moves = BTreeSet::new();
        let mut goals = BTreeSet::new();
        for node in &graph.nodes {
            for (role, name) in graph.roles.iter().enumerate() {
                // A move that is listed only in terminal states is still one of the game's moves.
                let of = |name: &String| name.clone();
                moves.extend(node.legal[role].iter().filter(|mv| *mv != "noop").map(|mv| (of(name), Sexp::one(mv))));
                goals.extend(node.goals[role].iter().map(|value| (of(name), Sexp::word(&value.to_string()))));
            }
        }
        let goals = goals.into_iter().filter(|(role, _)| graph.players().iter().any(|&at| graph.roles[at] == *role));
        Vocabulary {
            roles: graph.roles.clone(),
            players: graph.players().into_iter().map(|at| graph.roles[at].clone()).collect(),
            fluents: facts.into_iter().filter(|fact| is_fluent(fact)).map(|fact| Sexp::one(fact)).collect(),
            moves: moves.into_iter().collect(),
            goals: goals.collect(),
        }
    }

    /// A formula with connectives nested at most `depth` deep.
    pub fn formula(&self, rng: &mut SmallRng, depth: usize) -> Formula {
        let part = |rng: &mut SmallRng| Box::new(self.formula(rng, depth - 1));
        let player = |rng: &mut SmallRng| self.players.choose(rng).expect("players").clone();
        if depth == 0 {
            return self.atom(rng);
        }
        match rng.random_range(0..14) {
            0 => self.atom(rng),
            1 | 2 => Formula::Not(part(rng)),
            3 => Formula::And(part(rng), part(rng)),
            4 => Formula::Or(part(rng), part(rng)),
            5 | 6 => Formula::Implies(part(rng), part(rng)),
            7..10 => Formula::Knows(player(rng), part(rng)),
            kind => {
                let Some(atom) = self.open_atom(rng) else { return self.atom(rng) };
                let atom = Box::new(atom);
                let knows = Box::new(Formula::Knows(player(rng), atom.clone()));
                match kind {
                    10 if rng.random() => Formula::Every(atom, knows),
                    10 => Formula::Every(atom, part(rng)),
                    11 if rng.random() => Formula::Some(atom, Box::new(Formula::Not(knows))),
                    11 => Formula::Some(atom, part(rng)),
                    12 => Formula::KnowsWhich(player(rng), atom),
                    _ => Formula::Unique(atom),
                }
            }
        }
    }

    fn atom(&self, rng: &mut SmallRng) -> Formula {
        let role = |rng: &mut SmallRng| self.roles.choose(rng).expect("roles").clone();
        match rng.random_range(0..8) {
            0 => Formula::Terminal,
            1 => Formula::Can(role(rng)),
            2 => {
                self.moves.choose(rng).map_or(Formula::Terminal, |(role, mv)| Formula::Legal(role.clone(), mv.clone()))
            }
            3 | 4 => {
                self.goals.choose(rng).map_or(Formula::Terminal, |(role, it)| Formula::Goal(role.clone(), it.clone()))
            }
            _ => self.fluents.choose(rng).map_or(Formula::Terminal, |fluent| Formula::True(fluent.clone())),
        }
    }

    /// An atom with `?x` in place of a part.
    fn open_atom(&self, rng: &mut SmallRng) -> Option<Formula> {
        let variable = Sexp::word("?x");
        match rng.random_range(0..4) {
            0 => Some(Formula::Goal(self.players.choose(rng)?.clone(), variable)),
            1 => Some(Formula::Legal(self.moves.choose(rng)?.0.clone(), variable)),
            _ => {
                let lists: Vec<&Sexp> = self.fluents.iter().filter(|fluent| !fluent.args().is_empty()).collect();
                let Sexp::List(mut parts) = (*lists.choose(rng)?).clone() else { return None };
                let place = rng.random_range(1..parts.len());
                parts[place] = variable;
                Some(Formula::True(Sexp::List(parts)))
            }
        }
    }

    /// The values of `?x` that make the atom one of the game's.
    fn values(&self, atom: &Formula) -> BTreeSet<Sexp> {
        let among = |pattern: &Sexp, values: &mut dyn Iterator<Item = &Sexp>| -> BTreeSet<Sexp> {
            values.filter_map(|sexp| value_in(pattern, sexp)).collect()
        };
        match atom {
            Formula::True(pattern) => among(pattern, &mut self.fluents.iter()),
            Formula::Legal(role, pattern) => {
                among(pattern, &mut self.moves.iter().filter(|(who, _)| who == role).map(|(_, mv)| mv))
            }
            Formula::Goal(role, pattern) => {
                among(pattern, &mut self.goals.iter().filter(|(who, _)| who == role).map(|(_, value)| value))
            }
            _ => BTreeSet::new(),
        }
    }
}

/// The value of `?x` for which the pattern is equal to the expression.
fn value_in(pattern: &Sexp, sexp: &Sexp) -> Option<Sexp> {
    match (pattern, sexp) {
        (Sexp::Word(word), _) if word == "?x" => Some(sexp.clone()),
        (Sexp::List(parts), Sexp::List(found)) if parts.len() == found.len() => {
            let is_open = |part: &Sexp| part.to_string().contains("?x");
            let fits = parts.iter().zip(found).all(|(part, found)| is_open(part) || part == found);
            let open = parts.iter().zip(found).find(|(part, _)| is_open(part))?;
            if fits { value_in(open.0, open.1) } else { None }
        }
        _ => None,
    }
}

impl Formula {
    fn with(&self, value: &Sexp) -> Formula {
        let both = |left: &Formula, right: &Formula| (Box::new(left.with(value)), Box::new(right.with(value)));
        match self {
            Formula::True(fluent) => Formula::True(filled(fluent, value)),
            Formula::Legal(role, mv) => Formula::Legal(role.clone(), filled(mv, value)),
            Formula::Goal(role, number) => Formula::Goal(role.clone(), filled(number, value)),
            Formula::Not(part) => Formula::Not(Box::new(part.with(value))),
            Formula::Knows(role, part) => Formula::Knows(role.clone(), Box::new(part.with(value))),
            Formula::And(left, right) => {
                let (left, right) = both(left, right);
                Formula::And(left, right)
            }
            // A part with its own quantifier has no other variable.
            other => other.clone(),
        }
    }

    /// The truth of the formula in every history. If the end is announced, indistinguishable histories are over
    /// together.
    pub fn truth(&self, histories: &Histories<'_>, words: &Vocabulary, announced: bool) -> Vec<bool> {
        let graph = histories.graph;
        let role = |name: &str| graph.roles.iter().position(|other| other == name).expect("a role");
        let node = |at: usize| &graph.nodes[histories.all[at].node];
        let each = |f: &dyn Fn(usize) -> bool| (0..histories.all.len()).map(f).collect::<Vec<bool>>();
        let of = |part: &Formula| part.truth(histories, words, announced);
        let instances =
            |atom: &Formula| -> Vec<Formula> { words.values(atom).iter().map(|it| atom.with(it)).collect() };
        match self {
            Formula::Terminal => each(&|at| node(at).terminal),
            Formula::True(fluent) => {
                let name = fluent.to_string();
                each(&|at| node(at).facts.contains(&name))
            }
            Formula::Legal(who, mv) => {
                let (who, name) = (role(who), mv.to_string());
                each(&|at| !node(at).terminal && node(at).legal[who].contains(&name))
            }
            Formula::Can(who) => {
                let who = role(who);
                each(&|at| !node(at).terminal && node(at).legal[who].iter().any(|mv| mv != "noop"))
            }
            Formula::Goal(who, value) => {
                let (who, value) = (role(who), value.to_string());
                each(&|at| node(at).goals[who].iter().any(|other| other.to_string() == value))
            }
            Formula::Not(part) => of(part).into_iter().map(|it| !it).collect(),
            Formula::And(left, right) => together(of(left), &of(right), |left, right| left && right),
            Formula::Or(left, right) => together(of(left), &of(right), |left, right| left || right),
            Formula::Implies(left, right) => together(of(left), &of(right), |left, right| !left || right),
            Formula::Knows(who, part) => {
                let (who, part) = (role(who), of(part));
                each(&|at| {
                    let over = node(at).terminal;
                    let mut like = histories.like(at, who).iter();
                    like.all(|&other| part[other] || (announced && node(other).terminal != over))
                })
            }
            Formula::Some(atom, rest) => {
                let values = words.values(atom);
                let each = values.iter().map(|it| together(of(&atom.with(it)), &of(&rest.with(it)), |a, b| a && b));
                each.fold(vec![false; histories.all.len()], |all, one| together(all, &one, |a, b| a || b))
            }
            Formula::Every(atom, rest) => {
                let values = words.values(atom);
                let each = values.iter().map(|it| together(of(&atom.with(it)), &of(&rest.with(it)), |a, b| !a || b));
                each.fold(vec![true; histories.all.len()], |all, one| together(all, &one, |a, b| a && b))
            }
            Formula::KnowsWhich(who, atom) => {
                let each = instances(atom).into_iter().map(|atom| of(&Formula::Knows(who.clone(), Box::new(atom))));
                each.fold(vec![false; histories.all.len()], |all, one| together(all, &one, |a, b| a || b))
            }
            Formula::Unique(atom) => {
                let each: Vec<Vec<bool>> = instances(atom).iter().map(of).collect();
                (0..histories.all.len()).map(|at| each.iter().filter(|one| one[at]).count() <= 1).collect()
            }
        }
    }
}

fn filled(sexp: &Sexp, value: &Sexp) -> Sexp {
    match sexp {
        Sexp::Word(word) if word == "?x" => value.clone(),
        Sexp::Word(_) => sexp.clone(),
        Sexp::List(parts) => Sexp::List(parts.iter().map(|part| filled(part, value)).collect()),
    }
}

fn together(left: Vec<bool>, right: &[bool], f: impl Fn(bool, bool) -> bool) -> Vec<bool> {
    left.into_iter().zip(right).map(|(left, right)| f(left, *right)).collect()
}
