//! Planted faults, to measure how many of them random rules find: in the text that the product reads instead of the
//! original one, or in the circuit of a round, which steps do not use but sets, verdicts, proofs and queries do.

use std::collections::BTreeSet;
use std::sync::Arc;

use percept_game::bound::Bound;
use percept_game::{
    Budget, Cursor, FluentId, Game, Ground, MoveId, Names, PerceptId, Play, RoleId, Rules, Scope, State, Structure,
    Term, TooLarge,
};
use percept_random_rules::sexp::Sexp;
use rand::Rng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

/// A fault in the text: the changed text, if the fault can be planted there.
pub type InText = fn(&mut SmallRng, &[Sexp]) -> Option<Vec<Sexp>>;

pub const IN_TEXT: [(&str, InText); 9] = [
    ("a rule is dropped", |rng, text| changed(rng, text, is_rule, |_, _| Some(None))),
    ("a condition is dropped", |rng, text| {
        changed(
            rng,
            text,
            |it| is_rule(it) && it.args().len() > 2,
            |rng, rule| {
                let Sexp::List(mut parts) = rule.clone() else { return None };
                parts.remove(rng.random_range(2..parts.len()));
                Some(Some(Sexp::List(parts)))
            },
        )
    }),
    ("a negation is dropped", |rng, text| inside(rng, text, "not", |it| it.args().first().cloned())),
    ("`distinct` is always true", |rng, text| inside(rng, text, "distinct", |_| Some(Sexp::one("(distinct yes no)")))),
    ("one branch of a disjunction is dropped", |rng, text| {
        inside(rng, text, "or", |it| {
            let Sexp::List(mut parts) = it.clone() else { return None };
            (parts.len() > 2).then(|| parts.pop())?;
            Some(Sexp::List(parts))
        })
    }),
    ("a percept goes to another role", |rng, text| {
        let roles: Vec<Sexp> = facts(text, "role");
        changed(
            rng,
            text,
            |it| head(it).head() == "sees",
            |rng, it| {
                let old = head(it).args().first()?.clone();
                let others: Vec<&Sexp> = roles.iter().filter(|role| **role != old).collect();
                let new = (*others.choose(rng)?).clone();
                Some(Some(with_head(it, |head| {
                    if let Sexp::List(parts) = head {
                        parts[1] = new.clone();
                    }
                })))
            },
        )
    }),
    ("a move is replaced by another", |rng, text| {
        let moves: BTreeSet<Sexp> = mentioned(text, "does", 1);
        let moves: Vec<Sexp> = moves.into_iter().filter(|mv| !has_variables(mv)).collect();
        let new = moves.choose(rng)?.clone();
        inside(rng, text, "does", |it| {
            let Sexp::List(mut parts) = it.clone() else { return None };
            let old = std::mem::replace(parts.get_mut(2)?, new.clone());
            (old != new && !has_variables(&old)).then_some(Sexp::List(parts))
        })
    }),
    ("the initial facts are forgotten", |rng, text| {
        changed(rng, text, |it| head(it).head() == "init", |_, _| Some(None))
    }),
    ("names that differ only in case are one", |_, text| {
        let small: Vec<Sexp> = text.iter().map(in_small_letters).collect();
        // Only if two names become equal.
        let count = |text: &[Sexp]| {
            let mut words = BTreeSet::new();
            text.iter().for_each(|it| it.words(&mut |word| words.extend([word.to_owned()])));
            words.len()
        };
        (count(&small) < count(text)).then_some(small)
    }),
];

/// A fault in the circuit.
#[derive(Clone, Copy, Debug)]
pub enum InCircuit {
    /// Two ids of one kind are exchanged in the meaning of the circuit.
    Moves(RoleId, MoveId, MoveId),
    Percepts(RoleId, PerceptId, PerceptId),
    Fluents(FluentId, FluentId),
    /// A percept never comes.
    LostPercept(RoleId, PerceptId),
    /// A fluent never holds after a round.
    LostFluent(FluentId),
    /// The game has no terminal state.
    Endless,
}

type Plant = fn(&mut SmallRng, &Ground) -> Option<InCircuit>;

pub const IN_CIRCUIT: [(&str, Plant); 6] = [
    ("a move has the id of another in the circuit", |rng, ground| {
        let role = rng.random_range(0..ground.moves.len());
        let [a, b] = two(rng, ground.moves[role].iter().map(|(mv, _)| *mv))?;
        Some(InCircuit::Moves(RoleId(role as u16), a, b))
    }),
    ("a percept has the id of another in the circuit", |rng, ground| {
        let role = rng.random_range(0..ground.sees.len());
        let [a, b] = two(rng, ground.sees[role].iter().map(|(percept, _)| *percept))?;
        Some(InCircuit::Percepts(RoleId(role as u16), a, b))
    }),
    ("a fluent has the id of another in the circuit", |rng, ground| {
        let [a, b] = two(rng, ground.next.iter().map(|(fluent, _)| *fluent))?;
        Some(InCircuit::Fluents(a, b))
    }),
    ("a percept is lost in the circuit", |rng, ground| {
        let role = rng.random_range(0..ground.sees.len());
        let (percept, _) = ground.sees[role].choose(rng)?;
        Some(InCircuit::LostPercept(RoleId(role as u16), *percept))
    }),
    ("a fluent is lost in the circuit", |rng, ground| Some(InCircuit::LostFluent(ground.next.choose(rng)?.0))),
    ("the circuit has no terminal state", |_, _| Some(InCircuit::Endless)),
];

fn two<T: Copy>(rng: &mut SmallRng, all: impl Iterator<Item = T>) -> Option<[T; 2]> {
    let all: Vec<T> = all.collect();
    let mut chosen = all.choose_multiple(rng, 2);
    Some([*chosen.next()?, *chosen.next()?])
}

/// The game with a fault in its circuit; `None` if the fault has no place there.
pub fn lying(game: &Game, rng: &mut SmallRng, plant: Plant) -> Option<Game> {
    let ground = game.rules.ground(&Scope::default()).ok()?;
    let fault = plant(rng, &ground)?;
    Some(Game { rules: Arc::new(Lying { right: game.rules.clone(), fault }), ..game.clone() })
}

struct Lying {
    right: Arc<dyn Rules>,
    fault: InCircuit,
}

impl Lying {
    fn wrong(&self, ground: &Ground) -> Ground {
        let mut ground = ground.clone();
        fn exchange<T: PartialEq + Copy, L>(list: &mut [(T, L)], a: T, b: T) {
            for (id, _) in list {
                *id = if *id == a {
                    b
                } else if *id == b {
                    a
                } else {
                    *id
                };
            }
        }
        match self.fault {
            InCircuit::Moves(role, a, b) => exchange(&mut ground.moves[role.0 as usize], a, b),
            InCircuit::Percepts(role, a, b) => exchange(&mut ground.sees[role.0 as usize], a, b),
            InCircuit::Fluents(a, b) => exchange(&mut ground.next, a, b),
            InCircuit::LostPercept(role, lost) => ground.sees[role.0 as usize].retain(|(percept, _)| *percept != lost),
            InCircuit::LostFluent(lost) => ground.next.retain(|(fluent, _)| *fluent != lost),
            InCircuit::Endless => ground.terminal = percept_game::circuit::Lit::FALSE,
        }
        ground
    }
}

impl Rules for Lying {
    fn initial(&self) -> State {
        self.right.initial()
    }

    fn at<'a>(&'a self, state: &State) -> Box<dyn Cursor + 'a> {
        self.right.at(state)
    }
}

impl Names for Lying {
    fn fluent_term(&self, fluent: FluentId) -> Term {
        self.right.fluent_term(fluent)
    }

    fn move_term(&self, role: RoleId, mv: MoveId) -> Term {
        self.right.move_term(role, mv)
    }

    fn percept_term(&self, role: RoleId, percept: PerceptId) -> Term {
        self.right.percept_term(role, percept)
    }

    fn move_named(&self, role: RoleId, name: &Term) -> Option<MoveId> {
        self.right.move_named(role, name)
    }

    fn percept_named(&self, role: RoleId, name: &Term) -> Option<PerceptId> {
        self.right.percept_named(role, name)
    }

    fn fluent_named(&self, name: &Term) -> Option<FluentId> {
        self.right.fluent_named(name)
    }

    fn fluent_count(&self) -> usize {
        self.right.fluent_count()
    }
}

impl Structure for Lying {
    fn ground(&self, scope: &Scope<'_>) -> Result<Arc<Ground>, TooLarge> {
        Ok(Arc::new(self.wrong(&*self.right.ground(scope)?)))
    }

    fn position(&self, scope: &Scope<'_>, role: RoleId) -> Result<Arc<Ground>, TooLarge> {
        Ok(Arc::new(self.wrong(&*self.right.position(scope, role)?)))
    }

    fn used_up(&self, budget: &Budget) -> Option<Bound> {
        self.right.used_up(budget)
    }
}

impl Play for Lying {}

fn is_rule(statement: &Sexp) -> bool {
    matches!(statement, Sexp::List(parts) if parts.first() == Some(&Sexp::word("<=")))
}

/// The head of a rule, or the fact.
fn head(statement: &Sexp) -> &Sexp {
    if is_rule(statement) { statement.args().first().unwrap_or(statement) } else { statement }
}

fn with_head(statement: &Sexp, change: impl Fn(&mut Sexp)) -> Sexp {
    let mut statement = statement.clone();
    if !is_rule(&statement) {
        change(&mut statement);
    } else if let Sexp::List(parts) = &mut statement {
        change(&mut parts[1]);
    }
    statement
}

/// The arguments of the facts of a relation.
fn facts(text: &[Sexp], relation: &str) -> Vec<Sexp> {
    text.iter().filter(|it| !is_rule(it) && it.head() == relation).filter_map(|it| it.args().first().cloned()).collect()
}

/// Changes or removes one statement of a kind.
fn changed(
    rng: &mut SmallRng,
    text: &[Sexp],
    kind: impl Fn(&Sexp) -> bool,
    change: impl Fn(&mut SmallRng, &Sexp) -> Option<Option<Sexp>>,
) -> Option<Vec<Sexp>> {
    let places: Vec<usize> = (0..text.len()).filter(|&at| kind(&text[at])).collect();
    let at = *places.choose(rng)?;
    let new = change(rng, &text[at])?;
    let mut text = text.to_vec();
    match new {
        Some(new) => text[at] = new,
        None => drop(text.remove(at)),
    }
    Some(text)
}

/// Changes one list that begins with a word, in the body of any rule.
fn inside(rng: &mut SmallRng, text: &[Sexp], word: &str, change: impl Fn(&Sexp) -> Option<Sexp>) -> Option<Vec<Sexp>> {
    let mut count = 0;
    let rules = || text.iter().filter(|it| is_rule(it)).flat_map(|rule| &rule.args()[1..]);
    rules().for_each(|part| each(part, word, &mut |it| count += usize::from(change(it).is_some())));
    let mut left = (count > 0).then(|| rng.random_range(0..count))?;
    let mut text = text.to_vec();
    for rule in text.iter_mut().filter(|it| is_rule(it)) {
        let Sexp::List(parts) = rule else { continue };
        for part in &mut parts[2..] {
            if replace(part, word, &change, &mut left) {
                return Some(text);
            }
        }
    }
    None
}

fn begins_with(it: &Sexp, word: &str) -> bool {
    matches!(it, Sexp::List(parts) if parts.first() == Some(&Sexp::word(word)))
}

fn each(it: &Sexp, word: &str, f: &mut dyn FnMut(&Sexp)) {
    if begins_with(it, word) {
        f(it);
    }
    if let Sexp::List(parts) = it {
        parts.iter().for_each(|part| each(part, word, f));
    }
}

/// Changes the list with this number among those that can be changed; returns true if it exists.
fn replace(it: &mut Sexp, word: &str, change: &impl Fn(&Sexp) -> Option<Sexp>, left: &mut usize) -> bool {
    if begins_with(it, word)
        && let Some(new) = change(it)
    {
        if *left == 0 {
            *it = new;
            return true;
        }
        *left -= 1;
    }
    let Sexp::List(parts) = it else { return false };
    parts.iter_mut().any(|part| replace(part, word, change, left))
}

/// The values of an argument in all lists that begin with a word.
fn mentioned(text: &[Sexp], word: &str, place: usize) -> BTreeSet<Sexp> {
    let mut found = BTreeSet::new();
    text.iter().for_each(|it| each(it, word, &mut |it| found.extend(it.args().get(place).cloned())));
    found
}

fn has_variables(it: &Sexp) -> bool {
    let mut has = false;
    it.words(&mut |word| has |= word.starts_with('?'));
    has
}

fn in_small_letters(it: &Sexp) -> Sexp {
    match it {
        Sexp::Word(word) if word.starts_with('?') => it.clone(),
        Sexp::Word(word) => Sexp::Word(word.to_lowercase()),
        Sexp::List(parts) => Sexp::List(parts.iter().map(in_small_letters).collect()),
    }
}
