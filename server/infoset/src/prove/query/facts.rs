//! The names that a question can use for a game: its fluents, the numbers and facts that never change, the numbers that
//! registers hold, moves and goals; and matching of patterns with variables.

use std::sync::Arc;

use percept_game::{FluentId, Game, Ground, MoveId, RoleId, Term};
use rustc_hash::FxHashMap;

use super::formula::{Placed, QueryError};
use super::pattern::{respelt, unify, variable};
use super::sentence::Sentence;

/// All names of a game that a question can use.
pub(super) struct Facts {
    /// The facts of a state.
    pub states: States,
    /// The moves of each role.
    pub moves: Vec<Names<MoveId>>,
    /// For each role, its possible goals; `None` if they are not known in advance.
    pub goals: Vec<Option<Vec<i64>>>,
}

/// The possible subjects of `(true ...)`: fluents, facts that hold in every state, and the numbers that registers hold.
pub(super) struct States {
    named: Names<Thing>,
    /// Terms of numbers whose values are not known in advance, with their registers.
    registers: Vec<(Term, u32)>,
    /// Terms of the other numbers.
    numbers: Vec<Term>,
}

#[derive(Clone, Copy)]
enum Thing {
    Fluent(FluentId),
    /// A fact that holds in every state.
    Constant,
}

impl States {
    fn of(game: &Game) -> States {
        let rules = &game.rules;
        let fluents = (0..rules.fluent_count() as u32).map(FluentId);
        let fluents = fluents.map(|fluent| (rules.fluent_term(fluent), Thing::Fluent(fluent)));
        let constants = rules.constants().into_iter().map(|name| (name, Thing::Constant));
        let named = Names::new(fluents.chain(constants));
        let registers = rules.register_terms().into_iter().zip(0..).collect();
        let equations = named.like(&Term::value(Term::word("any"), 0)).iter();
        let mut numbers: Vec<Term> = equations.filter_map(|(name, _)| Some(number(name)?.0.clone())).collect();
        numbers.dedup();
        States { named, registers, numbers }
    }

    /// The sentence for a term without variables.
    pub(super) fn sentence(&self, term: &Term) -> Sentence {
        match exactly(&self.named, term) {
            Some(Thing::Fluent(fluent)) => return Sentence::Fluent(fluent),
            Some(Thing::Constant) => return Sentence::Constant(true),
            None => {}
        }
        let register = number(term).and_then(|(of, value)| {
            let (_, register) = self.registers.iter().find(|(name, _)| name == of)?;
            Some(Sentence::Number(*register, value?))
        });
        register.unwrap_or(Sentence::Constant(false))
    }

    /// Checks that a pattern matches something, and only finitely many facts.
    pub(super) fn check(&self, placed: &Placed) -> Result<(), QueryError> {
        let pattern = &placed.term;
        if let Some(name) = self.endless(pattern) {
            return Err(placed
                .error(format!("the values of `{name}` are not known in advance; write a number: `(= {name} 1)`")));
        }
        let numeric = number(pattern).filter(|(_, value)| value.is_some()).is_some_and(|(of, _)| {
            let registers = self.registers.iter().map(|(name, _)| name);
            self.numbers.iter().chain(registers).any(|name| unify(of, name, &mut Vec::new()))
        });
        if numeric || self.named.any_fits(pattern) {
            return Ok(());
        }
        let hint = self.named.hint(pattern);
        Err(placed.error(format!("no fluent of this game matches `{}`; {hint}", placed.term)))
    }

    /// The name of a register that the pattern matches with any value.
    fn endless(&self, pattern: &Term) -> Option<&Term> {
        let any = Term::word("?any");
        let of = match pattern {
            word if variable(word).is_some() => &any,
            _ => match number(pattern)? {
                (of, None) => of,
                _ => return None,
            },
        };
        self.registers.iter().map(|(name, _)| name).find(|name| unify(of, name, &mut Vec::new()))
    }

    /// Adds the values of the variable for which the pattern matches something; returns the number of names examined.
    pub(super) fn fitting(&self, pattern: &Term, variable: &str, found: &mut Vec<Term>) -> usize {
        let looks = fitting(&self.named, pattern, variable, found);
        let Some((of, Some(_))) = number(pattern) else { return looks };
        // A register always has a number, even if it never has this value.
        let registers = self.registers.iter().map(|(name, _)| name);
        for name in self.numbers.iter().chain(registers) {
            fit(of, name, variable, found);
        }
        looks + self.numbers.len() + self.registers.len()
    }
}

/// The two sides of `(= of value)`; the value is `None` if it is a variable. `None` for all other terms.
fn number(term: &Term) -> Option<(&Term, Option<i64>)> {
    match (term.as_value(), term.args()) {
        (Some((of, value)), _) => Some((of, Some(value))),
        (None, [of, value]) if term.head() == "=" => variable(value).map(|_| (of, None)),
        _ => None,
    }
}

/// Things by their names, grouped by the first word and the number of parts.
pub(super) struct Names<T>(FxHashMap<(String, usize), Vec<(Term, T)>>);

impl<T: Copy> Names<T> {
    fn new(names: impl Iterator<Item = (Term, T)>) -> Names<T> {
        let mut all: FxHashMap<(String, usize), Vec<(Term, T)>> = FxHashMap::default();
        for (name, thing) in names {
            all.entry(key(&name)).or_default().push((name, thing));
        }
        Names(all)
    }

    fn all(&self) -> impl Iterator<Item = &Term> {
        self.0.values().flatten().map(|(name, _)| name)
    }

    fn like(&self, pattern: &Term) -> &[(Term, T)] {
        self.0.get(&key(pattern)).map(Vec::as_slice).unwrap_or_default()
    }

    /// The names that a pattern may match.
    fn candidates<'n>(&'n self, pattern: &Term) -> Box<dyn Iterator<Item = &'n (Term, T)> + 'n> {
        match pattern {
            word if variable(word).is_some() => Box::new(self.0.values().flatten()),
            _ => Box::new(self.like(pattern).iter()),
        }
    }

    pub(crate) fn any_fits(&self, pattern: &Term) -> bool {
        self.candidates(pattern).any(|(name, _)| unify(pattern, name, &mut Vec::new()))
    }

    /// A hint for an unknown name: a name with the same beginning, or all beginnings.
    pub(super) fn hint(&self, pattern: &Term) -> String {
        let wanted = key(pattern).0;
        let mut alike: Vec<String> =
            self.0.iter().filter(|(key, _)| key.0 == wanted).map(|(_, it)| it[0].0.to_string()).collect();
        alike.sort();
        if let Some(name) = alike.first() {
            return format!("an example is `{name}`");
        }
        let mut heads: Vec<&str> = self.0.keys().map(|(head, _)| head.as_str()).collect();
        heads.sort_unstable();
        heads.dedup();
        let more = if heads.len() > 12 { ", ..." } else { "" };
        heads.truncate(12);
        format!("they begin with {}{more}", heads.join(", "))
    }
}

/// The spelling of the words in a game's names. Questions may use upper or lower case differently, but a game may
/// distinguish `left` from `Left`. So the game's own spelling has precedence.
pub(crate) struct Spelling(FxHashMap<String, Vec<String>>);

impl Spelling {
    pub(super) fn of(facts: &Facts) -> Spelling {
        let mut spelling = Spelling(FxHashMap::default());
        facts.states.named.all().for_each(|name| spelling.add(name));
        facts.states.registers.iter().for_each(|(name, _)| spelling.add(name));
        facts.moves.iter().flat_map(Names::all).for_each(|name| spelling.add(name));
        spelling
    }

    fn add(&mut self, name: &Term) {
        for word in name.words() {
            let spellings = self.0.entry(word.to_ascii_lowercase()).or_default();
            if !spellings.iter().any(|spellings| spellings == word) {
                spellings.push(word.to_owned());
                spellings.sort();
            }
        }
    }

    /// The term as the game writes its words; variables and unknown words stay as they are.
    pub(super) fn term(&self, term: &Term) -> Term {
        respelt(term, &|word| match self.0.get(&word.to_ascii_lowercase()) {
            Some(spellings) if !spellings.iter().any(|spellings| spellings == word) => spellings[0].clone(),
            _ => word.to_owned(),
        })
    }
}

/// The first word and the number of parts.
fn key(term: &Term) -> (String, usize) {
    (term.head().to_owned(), if term.is_list() { 1 + term.args().len() } else { 0 })
}

impl Facts {
    pub(super) fn of(game: &Game, ground: &Arc<Ground>) -> Facts {
        let moves = |role: RoleId| {
            let moves = ground.moves[role.0 as usize].iter().filter(|(mv, _)| *mv != MoveId::NOOP);
            Names::new(moves.map(|&(mv, _)| (game.rules.move_term(role, mv), mv)))
        };
        let goals = |role: RoleId| {
            let has_values = ground.goal_numbers.get(role.0 as usize).is_none_or(Vec::is_empty);
            has_values.then(|| ground.goals[role.0 as usize].iter().map(|&(value, _)| value).collect())
        };
        Facts {
            states: States::of(game),
            moves: game.role_ids().map(moves).collect(),
            goals: game.role_ids().map(goals).collect(),
        }
    }
}

pub(super) fn exactly<T: Copy>(names: &Names<T>, term: &Term) -> Option<T> {
    names.like(term).iter().find(|(name, _)| name == term).map(|&(_, thing)| thing)
}

/// Adds the variable's value for each name that matches; returns the number of names examined.
pub(super) fn fitting<T: Copy>(names: &Names<T>, pattern: &Term, variable: &str, found: &mut Vec<Term>) -> usize {
    let mut looks = 0;
    for (name, _) in names.candidates(pattern) {
        looks += 1;
        fit(pattern, name, variable, found);
    }
    looks
}

/// Adds the variable's value if the pattern matches this name.
fn fit(pattern: &Term, name: &Term, variable: &str, found: &mut Vec<Term>) {
    let mut bound = Vec::new();
    if unify(pattern, name, &mut bound) {
        found.extend(bound.into_iter().find(|(other, _)| *other == variable).map(|(_, value)| value.clone()));
    }
}
