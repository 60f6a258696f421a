//! POGDDL, ground plainly: every formula by recursion over its syntax, every variable by trying the objects of its
//! type.
//!
//! The possible facts are found first ([`possible`]): the initial facts, and those that an action adds whose
//! precondition may hold, until nothing is new. Then each action gets its gates ([`gates`], [`round`]). A number that
//! some action changes is a group of fluents `(= (f a) 3)`, one for each value of a range that the caller gives. The
//! range is a claim, not knowledge: a round that leaves it makes the fluent `(outside)` hold for good, and a proof on
//! the circuit must show that this never happens ([`crate::Structure::outside`]). A number without a range is a
//! register ([`arithmetic`]), about which nothing is claimed.

mod arithmetic;
mod gates;
mod possible;
mod read;
mod round;
mod rules;
mod settle;

use percept_syntax::Name;
use percept_syntax::pddl::{Arg, Atom, Condition, Domain, Effect, Expr, Init, Operator, Problem, TypedGroup};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::{Budget, Term};

pub use rules::game;

/// A part of a description that the plain reading does not support.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// There are too many instances.
    #[error("the actions have too many instances to ground them one by one")]
    TooMany,
    /// A number without a range that is small enough: its name.
    #[error("`{0}` may have too many values")]
    Values(String),
    /// Something was not understood.
    #[error("the description has parts that are not POGDDL")]
    NotPogddl,
    /// A name that is not declared.
    #[error("`{0}` is unknown")]
    Unknown(String),
    /// A derived predicate that negates itself: its name.
    #[error("`{0}` depends on its own negation")]
    NegativeCycle(String),
    /// The budget was spent.
    #[error("there was no time to ground the rules one by one")]
    Stopped,
}

/// The claimed range of a number: its name as `(f a)`, and the least and the greatest value.
pub type Range = (String, i64, i64);

/// An object by its place in the alphabet.
pub type Obj = u32;

/// A ground atom: the symbol, then the arguments.
pub type Fact = (SmolStr, Box<[Obj]>);

/// Variables with their values, the innermost last.
pub type Binding = Vec<(SmolStr, Obj)>;

/// Names are compared without regard to case.
pub fn key(name: &Name) -> SmolStr {
    name.text.to_lowercase().into()
}

/// The description with its objects, and everything that no action changes.
pub struct World<'a> {
    /// The domain as read.
    pub domain: &'a Domain,
    /// The objects, in alphabetical order.
    pub objects: Vec<SmolStr>,
    types: FxHashMap<SmolStr, Vec<Obj>>,
    /// The roles, in the order of declaration.
    pub roles: Vec<Obj>,
    /// Symbols that actions change; the others keep their initial facts.
    changing: FxHashSet<SmolStr>,
    /// Predicates with rules.
    pub derived: FxHashSet<SmolStr>,
    /// The initial facts.
    pub first: FxHashSet<Fact>,
    /// The values that numbers have initially.
    pub first_numbers: FxHashMap<Fact, i64>,
    /// Numbers that change and are read: those are part of the state.
    read: FxHashSet<SmolStr>,
    budget: &'a Budget,
}

const RESERVED: [&str; 3] = ["all", "others", "u"];

impl<'a> World<'a> {
    /// The world of a domain and a problem. `goals`: true if the results of matches are needed; `budget`: the limits.
    pub fn new(domain: &'a Domain, problem: &Problem, goals: bool, budget: &'a Budget) -> Result<World<'a>, Refused> {
        let mut parents: FxHashMap<SmolStr, Vec<SmolStr>> = FxHashMap::default();
        for group in &domain.types {
            for name in &group.names {
                parents.entry(key(name)).or_default().extend(group.types.iter().map(key));
            }
        }
        let groups = || domain.constants.iter().chain(&problem.objects);
        let mut objects: Vec<SmolStr> = groups().flat_map(|group| group.names.iter().map(key)).collect();
        // The marks may be written without a declaration.
        objects.extend(RESERVED.map(SmolStr::new));
        objects.sort_unstable();
        objects.dedup();
        let mut world = World {
            domain,
            objects,
            types: FxHashMap::default(),
            roles: Vec::new(),
            changing: FxHashSet::default(),
            derived: domain.derived.iter().map(|rule| key(&rule.head.name)).collect(),
            first: FxHashSet::default(),
            first_numbers: FxHashMap::default(),
            read: read::numbers_of(domain, goals),
            budget,
        };
        for group in groups() {
            let mut kinds: Vec<SmolStr> = group.types.iter().map(key).collect();
            let mut at = 0;
            while let Some(kind) = kinds.get(at).cloned() {
                let above = parents.get(&kind).into_iter().flatten();
                let fresh: Vec<SmolStr> = above.filter(|above| !kinds.contains(above)).cloned().collect();
                kinds.extend(fresh);
                at += 1;
            }
            let declares_marks = matches!(&group.types[..], [only] if only.is("other"));
            for name in &group.names {
                let object = world.object(name)?;
                if kinds.iter().any(|kind| kind == "role") && !world.roles.contains(&object) {
                    world.roles.push(object);
                }
                for kind in &kinds {
                    world.types.entry(kind.clone()).or_default().push(object);
                }
                if !(declares_marks && RESERVED.contains(&key(name).as_str())) {
                    world.types.entry("object".into()).or_default().push(object);
                }
            }
        }
        for list in world.types.values_mut() {
            list.sort_unstable();
            list.dedup();
        }
        for action in &domain.actions {
            if let Some(effect) = &action.effect {
                changes(effect, &mut world.changing)?;
            }
        }
        for entry in &problem.init {
            match entry {
                Init::Fact(atom) => {
                    let fact = world.fact(atom, &Binding::new())?;
                    world.first.insert(fact);
                }
                Init::Value { target, value, .. } => {
                    let fact = world.fact(target, &Binding::new())?;
                    let value = constant(value).ok_or(Refused::NotPogddl)?;
                    world.first_numbers.insert(fact, value);
                }
                Init::Negated { .. } => {}
                Init::Error { .. } | Init::Outside { .. } => return Err(Refused::NotPogddl),
            }
        }
        Ok(world)
    }

    /// The facts that hold in every state, and the numbers `(= (f a) 3)` that no action changes.
    fn constants(&self) -> Vec<Term> {
        let facts = self.first.iter().filter(|(symbol, _)| !self.changing.contains(symbol));
        let numbers = self.first_numbers.iter().filter(|((symbol, _), _)| !self.changing.contains(symbol));
        let number =
            |(number, value): (&Fact, &i64)| Term::list("=", [self.term(number), Term::word(value.to_string())]);
        let mut constants: Vec<Term> = facts.map(|fact| self.term(fact)).chain(numbers.map(number)).collect();
        constants.sort_unstable();
        constants
    }

    fn object(&self, name: &Name) -> Result<Obj, Refused> {
        let place = self.objects.binary_search(&key(name)).map_err(|_| Refused::Unknown(name.text.to_string()))?;
        Ok(place as Obj)
    }

    /// The objects that a variable of these types may be, in alphabetical order.
    pub fn of_types(&self, types: &[Name]) -> Vec<Obj> {
        let of = |kind: &str| self.types.get(kind).map_or(&[][..], |list| list);
        if types.is_empty() || types.iter().any(|name| name.is("object")) {
            return of("object").to_vec();
        }
        let mut list: Vec<Obj> = types.iter().flat_map(|name| of(&key(name)).iter().copied()).collect();
        list.sort_unstable();
        list.dedup();
        list
    }

    /// The variables of a typed list, each with its possible objects.
    pub fn variables(&self, params: &[TypedGroup]) -> Vec<(SmolStr, Vec<Obj>)> {
        let of = |group: &TypedGroup| {
            let objects = self.of_types(&group.types);
            group.names.iter().map(|name| (key(name), objects.clone())).collect::<Vec<_>>()
        };
        params.iter().flat_map(of).collect()
    }

    /// Calls `f` with every way to bind the variables, the first one slowest. Ends at the first error.
    pub fn each(
        &self,
        variables: &[(SmolStr, Vec<Obj>)],
        binding: &mut Binding,
        f: &mut dyn FnMut(&mut Binding) -> Result<(), Refused>,
    ) -> Result<(), Refused> {
        let Some(((name, objects), rest)) = variables.split_first() else { return f(binding) };
        for &object in objects {
            binding.push((name.clone(), object));
            let result = self.each(rest, binding, f);
            binding.pop();
            result?;
        }
        Ok(())
    }

    /// The value of an argument; `None` for a variable without one.
    pub fn arg(&self, arg: &Arg, binding: &Binding) -> Result<Option<Obj>, Refused> {
        if !arg.is_variable {
            return self.object(&arg.name).map(Some);
        }
        let name = key(&arg.name);
        Ok(binding.iter().rev().find(|(other, _)| *other == name).map(|&(_, object)| object))
    }

    /// The atom with its variables replaced.
    pub fn fact(&self, atom: &Atom, binding: &Binding) -> Result<Fact, Refused> {
        let arg = |arg: &Arg| self.arg(arg, binding)?.ok_or_else(|| Refused::Unknown(format!("?{}", arg.name.text)));
        let args = atom.args.iter().map(arg).collect::<Result<_, _>>()?;
        Ok((key(&atom.name), args))
    }

    /// A message with its variables replaced. Its other words need not be objects.
    pub fn message(&self, message: &Atom, binding: &Binding) -> Result<Term, Refused> {
        let word = |arg: &Arg| match arg.is_variable {
            false => Ok(Term::word(key(&arg.name))),
            true => match self.arg(arg, binding)? {
                Some(object) => Ok(Term::word(self.objects[object as usize].clone())),
                None => Err(Refused::Unknown(format!("?{}", arg.name.text))),
            },
        };
        let words = message.args.iter().map(word).collect::<Result<Vec<_>, _>>()?;
        Ok(Term::list(key(&message.name), words))
    }

    /// True if matches can change the facts of this symbol.
    pub fn is_changing(&self, symbol: &SmolStr) -> bool {
        self.changing.contains(symbol) || self.derived.contains(symbol)
    }

    /// True if a changing number is read outside its own changes.
    pub fn is_read(&self, symbol: &SmolStr) -> bool {
        self.read.contains(symbol)
    }

    /// Fails if the work must end.
    pub fn go_on(&self) -> Result<(), Refused> {
        if self.budget.is_spent() { Err(Refused::Stopped) } else { Ok(()) }
    }

    /// The term `(f a b)`.
    pub fn term(&self, (symbol, args): &Fact) -> Term {
        Term::list(symbol.clone(), args.iter().map(|&arg| Term::word(self.objects[arg as usize].clone())))
    }
}

fn changes(effect: &Effect, changing: &mut FxHashSet<SmolStr>) -> Result<(), Refused> {
    match effect {
        Effect::And { parts, .. } => parts.iter().try_for_each(|part| changes(part, changing)),
        Effect::Add(atom) | Effect::Delete { atom, .. } | Effect::Assign { target: atom, .. } => {
            changing.insert(key(&atom.name));
            Ok(())
        }
        Effect::When { effect, .. } | Effect::Forall { effect, .. } => changes(effect, changing),
        Effect::Observe { .. } => Ok(()),
        Effect::Error { .. } | Effect::Outside { .. } => Err(Refused::NotPogddl),
    }
}

fn constant(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Number { text, .. } => whole(text),
        Expr::Operation { op: Operator::Subtract, operands, .. } => match &operands[..] {
            [only] => constant(only).map(i64::saturating_neg),
            _ => None,
        },
        _ => None,
    }
}

/// A whole number, including one written as `3.0`.
pub fn whole(text: &str) -> Option<i64> {
    let (number, fraction) = text.split_once('.').unwrap_or((text, ""));
    fraction.bytes().all(|digit| digit == b'0').then(|| number.parse().ok())?
}

/// The variables of a condition that it does not bind itself.
pub fn free(condition: &Condition, inner: &mut Vec<SmolStr>, f: &mut dyn FnMut(SmolStr)) {
    let mut arg = |arg: &Arg, inner: &Vec<SmolStr>| {
        let name = key(&arg.name);
        if arg.is_variable && !inner.contains(&name) {
            f(name);
        }
    };
    match condition {
        Condition::Atom(atom) => atom.args.iter().for_each(|it| arg(it, inner)),
        Condition::Equal { left, right, .. } => [left, right].into_iter().for_each(|it| arg(it, inner)),
        Condition::Not { inner: part, .. } => free(part, inner, f),
        Condition::And { parts, .. } | Condition::Or { parts, .. } => {
            parts.iter().for_each(|part| free(part, inner, f));
        }
        Condition::Imply { left, right, .. } => {
            free(left, inner, f);
            free(right, inner, f);
        }
        Condition::Exists { params, body, .. } | Condition::Forall { params, body, .. } => {
            let names: Vec<SmolStr> = params.iter().flat_map(|group| group.names.iter().map(key)).collect();
            let before = inner.len();
            inner.extend(names);
            free(body, inner, f);
            inner.truncate(before);
        }
        Condition::Compare { left, right, .. } => {
            for expr in [left, right] {
                numbers(expr, &mut |atom| atom.args.iter().for_each(|it| arg(it, inner)));
            }
        }
        Condition::Error { .. } | Condition::Outside(_) => {}
    }
}

fn numbers(expr: &Expr, f: &mut dyn FnMut(&Atom)) {
    match expr {
        Expr::Fluent(atom) => f(atom),
        Expr::Operation { operands, .. } => operands.iter().for_each(|operand| numbers(operand, f)),
        Expr::Number { .. } | Expr::Error { .. } | Expr::Outside { .. } | Expr::Object(_) => {}
    }
}

/// The conjuncts of a condition.
pub fn conjuncts(condition: &Condition) -> Vec<&Condition> {
    match condition {
        Condition::And { parts, .. } => parts.iter().flat_map(conjuncts).collect(),
        other => vec![other],
    }
}
