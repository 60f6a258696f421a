//! The possible facts, and the possible actions.

use percept_syntax::pddl::{Action, Condition, Effect};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::{Binding, Fact, Obj, Refused, World, conjuncts, free};

/// The most steps of the search for possible facts.
const MOST_STEPS: usize = 200_000_000;
/// The number of steps between two checks of the time.
const STRIDE: usize = 1 << 14;
/// Actions that may be made.
const MOST_ACTIONS: usize = 500_000;

/// The possible facts, including derived ones, and the possible actions by number, with their arguments.
#[derive(Default)]
pub(super) struct Reach {
    pub facts: FxHashSet<Fact>,
    pub actions: Vec<(usize, Vec<Obj>)>,
}

struct Search<'a> {
    world: &'a World<'a>,
    facts: FxHashSet<Fact>,
    steps: usize,
}

pub(super) fn reach(world: &World<'_>) -> Result<Reach, Refused> {
    let mut search = Search { world, facts: world.first.clone(), steps: 0 };
    loop {
        let before = search.facts.len();
        let mut actions = Vec::new();
        for rule in &world.domain.derived {
            let mut found = Vec::new();
            let variables = world.variables(&rule.head.params);
            search.satisfying(&variables, Some(&rule.body), &mut |search, binding| {
                let args = binding.iter().map(|&(_, object)| object).collect();
                found.push((super::key(&rule.head.name), args));
                search.count()
            })?;
            search.facts.extend(found);
        }
        for (number, action) in world.domain.actions.iter().enumerate() {
            search.action(action, &mut |binding| {
                actions.push((number, binding.iter().map(|&(_, object)| object).collect()));
                if actions.len() > MOST_ACTIONS { Err(Refused::TooMany) } else { Ok(()) }
            })?;
        }
        if search.facts.len() == before {
            return Ok(Reach { facts: search.facts, actions });
        }
    }
}

/// The possible values of a condition, as far as known: true, false.
type May = (bool, bool);

impl Search<'_> {
    fn count(&mut self) -> Result<(), Refused> {
        self.steps += 1;
        if self.steps.is_multiple_of(STRIDE) {
            self.world.go_on()?;
        }
        if self.steps > MOST_STEPS { Err(Refused::TooMany) } else { Ok(()) }
    }

    fn action(&mut self, action: &Action, f: &mut dyn FnMut(&Binding) -> Result<(), Refused>) -> Result<(), Refused> {
        let variables = self.world.variables(&action.params);
        let mut added = Vec::new();
        self.satisfying(&variables, action.precondition.as_ref(), &mut |search, binding| {
            f(binding)?;
            match &action.effect {
                Some(effect) => search.adds(effect, binding, &mut added),
                None => Ok(()),
            }
        })?;
        self.facts.extend(added);
        Ok(())
    }

    fn adds(&mut self, effect: &Effect, binding: &mut Binding, added: &mut Vec<Fact>) -> Result<(), Refused> {
        match effect {
            Effect::And { parts, .. } => parts.iter().try_for_each(|part| self.adds(part, binding, added)),
            Effect::Add(atom) => {
                let fact = self.world.fact(atom, binding)?;
                if !self.facts.contains(&fact) {
                    added.push(fact);
                }
                Ok(())
            }
            Effect::When { condition, effect, .. } => match self.may(condition, binding)?.0 {
                true => self.adds(effect, binding, added),
                false => Ok(()),
            },
            Effect::Forall { params, effect, .. } => {
                let variables = self.world.variables(params);
                let world = self.world;
                world.each(&variables, binding, &mut |binding| {
                    self.count()?;
                    self.adds(effect, binding, added)
                })
            }
            Effect::Delete { .. } | Effect::Assign { .. } | Effect::Observe { .. } => Ok(()),
            Effect::Error { .. } | Effect::Outside { .. } => Err(Refused::NotPogddl),
        }
    }

    /// Calls `f` with the bindings under which the condition may hold.
    #[allow(clippy::type_complexity)]
    fn satisfying(
        &mut self,
        variables: &[(SmolStr, Vec<Obj>)],
        condition: Option<&Condition>,
        f: &mut dyn FnMut(&mut Self, &mut Binding) -> Result<(), Refused>,
    ) -> Result<(), Refused> {
        // A conjunct is tested as soon as all its variables have values.
        let mut tests: Vec<Vec<&Condition>> = vec![Vec::new(); variables.len() + 1];
        for conjunct in condition.map(conjuncts).unwrap_or_default() {
            let mut last = 0;
            free(conjunct, &mut Vec::new(), &mut |name| {
                last = last.max(variables.iter().rposition(|(other, _)| *other == name).map_or(0, |at| at + 1));
            });
            tests[last].push(conjunct);
        }
        self.bind(variables, &tests, &mut Binding::new(), f)
    }

    #[allow(clippy::type_complexity)]
    fn bind(
        &mut self,
        variables: &[(SmolStr, Vec<Obj>)],
        tests: &[Vec<&Condition>],
        binding: &mut Binding,
        f: &mut dyn FnMut(&mut Self, &mut Binding) -> Result<(), Refused>,
    ) -> Result<(), Refused> {
        self.count()?;
        for test in &tests[0] {
            if !self.may(test, binding)?.0 {
                return Ok(());
            }
        }
        let Some(((name, objects), rest)) = variables.split_first() else { return f(self, binding) };
        for &object in objects {
            binding.push((name.clone(), object));
            let result = self.bind(rest, &tests[1..], binding, f);
            binding.pop();
            result?;
        }
        Ok(())
    }

    fn may(&mut self, condition: &Condition, binding: &mut Binding) -> Result<May, Refused> {
        let world = self.world;
        Ok(match condition {
            Condition::Atom(atom) => {
                let fact = world.fact(atom, binding)?;
                let may = self.facts.contains(&fact);
                (may, !may || world.is_changing(&fact.0))
            }
            Condition::Equal { left, right, .. } => {
                let same = world.arg(left, binding)? == world.arg(right, binding)?;
                (same, !same)
            }
            Condition::Not { inner, .. } => {
                let (yes, no) = self.may(inner, binding)?;
                (no, yes)
            }
            Condition::And { parts, .. } => self.all(parts.iter(), binding, false)?,
            Condition::Or { parts, .. } => {
                let (no, yes) = self.all(parts.iter(), binding, true)?;
                (yes, no)
            }
            Condition::Imply { left, right, .. } => {
                let (left_yes, left_no) = self.may(left, binding)?;
                let (right_yes, right_no) = self.may(right, binding)?;
                (left_no || right_yes, left_yes && right_no)
            }
            Condition::Exists { params, body, .. } | Condition::Forall { params, body, .. } => {
                let is_exists = matches!(condition, Condition::Exists { .. });
                let variables = world.variables(params);
                let (mut every, mut some) = ((true, false), (false, true));
                world.each(&variables, binding, &mut |binding| {
                    self.count()?;
                    let (yes, no) = self.may(body, binding)?;
                    every = (every.0 && yes, every.1 || no);
                    some = (some.0 || yes, some.1 && no);
                    Ok(())
                })?;
                if is_exists { some } else { every }
            }
            // Numbers are not followed here.
            Condition::Compare { .. } => (true, true),
            Condition::Error { .. } | Condition::Outside(_) => return Err(Refused::NotPogddl),
        })
    }

    /// The conjunction; with `negated` that of the negations.
    fn all<'c>(
        &mut self,
        parts: impl Iterator<Item = &'c Condition>,
        binding: &mut Binding,
        negated: bool,
    ) -> Result<May, Refused> {
        let mut all = (true, false);
        for part in parts {
            let (yes, no) = self.may(part, binding)?;
            let (yes, no) = if negated { (no, yes) } else { (yes, no) };
            all = (all.0 && yes, all.1 || no);
        }
        Ok(all)
    }
}
