//! Names, plain and odd.

use std::collections::BTreeSet;

use rand::seq::IndexedRandom;
use rand::{Rng, rngs::SmallRng};

use crate::sexp::Sexp;

/// A source of names, each of which is used once.
pub struct Names {
    used: BTreeSet<String>,
    /// The used names that are not words of the language.
    given: Vec<String>,
    /// The share of odd ones.
    odd: f64,
}

const ROLES: [&str; 5] = ["a", "b", "white", "xplayer", "r9"];
const THINGS: [&str; 6] = ["d", "k", "1", "2", "left", "sq"];
const FLUENTS: [&str; 7] = ["f", "g", "light", "at", "holds", "open", "zed"];
const RELATIONS: [&str; 5] = ["awake", "line", "can", "rel", "q"];
const MOVES: [&str; 7] = ["go", "cheat", "wait", "m", "bid", "ask", "pass"];
const PERCEPTS: [&str; 5] = ["p", "caught", "told", "boom", "seen"];

/// Odd names, which do not consist of letters only.
const ODD: [&str; 12] = ["≠", "+", "-1", "é", "Mixed", "UPPER", "a.b", "x_y", "0", "007", "<>", "*"];
/// Keywords of the language that are ordinary names inside terms.
const KEYWORDS: [&str; 8] = ["legal", "role", "does", "goal", "action", "true", "sees", "input"];

impl Names {
    pub fn new(rng: &mut SmallRng) -> Names {
        let odd = if rng.random_bool(0.3) { 0.4 } else { 0.0 };
        // Names that the writer itself uses.
        let own = ["dom", "edge", "path", "succ", "step", "tower", "s", "z", "low", "player", "random", "nothing"];
        Names { used: own.iter().map(|name| name.to_string()).collect(), given: Vec::new(), odd }
    }

    fn unused(&mut self, rng: &mut SmallRng, plain: &[&str], keywords: bool) -> String {
        for attempt in 0.. {
            let base = *plain.choose(rng).expect("names");
            let mut name = base.to_owned();
            if attempt > 3 {
                name = format!("{base}{attempt}");
            }
            if rng.random_bool(self.odd) {
                let odd = *ODD.choose(rng).expect("names");
                name = match rng.random_range(0..7) {
                    0 => odd.to_owned(),
                    1 => format!("{base}{odd}"),
                    2 => format!("{odd}{base}"),
                    3 if keywords => (*KEYWORDS.choose(rng).expect("names")).to_owned(),
                    4 => format!("{base}-{}", "very-".repeat(20)) + "long",
                    5 => base[..1].to_uppercase() + &base[1..],
                    // A used name with other capital letters.
                    _ => match self.given.choose(rng) {
                        Some(given) if given.chars().any(char::is_uppercase) => given.to_lowercase(),
                        Some(given) => given.to_uppercase(),
                        None => name,
                    },
                };
            }
            if self.used.insert(name.clone()) {
                if !KEYWORDS.contains(&name.to_lowercase().as_str()) {
                    self.given.push(name.clone());
                }
                return name;
            }
        }
        unreachable!("a free number exists")
    }

    pub fn role(&mut self, rng: &mut SmallRng) -> String {
        self.unused(rng, &ROLES, false)
    }

    pub fn thing(&mut self, rng: &mut SmallRng) -> String {
        self.unused(rng, &THINGS, true)
    }

    pub fn fluent(&mut self, rng: &mut SmallRng) -> String {
        self.unused(rng, &FLUENTS, true)
    }

    pub fn relation(&mut self, rng: &mut SmallRng) -> String {
        self.unused(rng, &RELATIONS, false)
    }

    pub fn mv(&mut self, rng: &mut SmallRng) -> String {
        self.unused(rng, &MOVES, true)
    }

    pub fn percept(&mut self, rng: &mut SmallRng) -> String {
        self.unused(rng, &PERCEPTS, true)
    }
}

/// The statement with the language's keywords in capital letters; names inside terms are not changed.
pub fn in_capitals(statement: &Sexp, is_formula: bool) -> Sexp {
    const OWN: [&str; 13] = [
        "role", "init", "true", "does", "next", "legal", "sees", "goal", "terminal", "base", "input", "percept",
        "distinct",
    ];
    const ROUND: [&str; 3] = ["not", "or", "and"];
    match statement {
        Sexp::Word(word) if is_formula && word == "terminal" => Sexp::word("TERMINAL"),
        Sexp::List(parts) if is_formula => {
            let head = statement.head();
            let rest = |formulas: bool| parts[1..].iter().map(move |part| in_capitals(part, formulas));
            if head == "<=" || ROUND.contains(&head) {
                let first = Sexp::word(&head.to_uppercase());
                return Sexp::List([first].into_iter().chain(rest(true)).collect());
            }
            if OWN.contains(&head) {
                let first = Sexp::word(&head.to_uppercase());
                return Sexp::List([first].into_iter().chain(rest(false)).collect());
            }
            statement.clone()
        }
        other => other.clone(),
    }
}
