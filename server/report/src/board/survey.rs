//! A survey of a game's fluents before boards are drawn: the values of their arguments, and sample states.

use std::collections::{BTreeMap, BTreeSet};

use super::coordinate::{Coordinate, is_side};
use super::infer::MAX_SIDE;
use super::words;
use percept_analysis::ide::{Namespace, domains::Domains};
use percept_game::stepper::{Shown, Stepper, shown};
use percept_game::{FluentId, Game};
use percept_syntax::gdl::{Term, TermKind};
use percept_syntax::{Source, Syntax};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;

/// The most fluents that are listed by name.
const MOST_FLUENTS: usize = 60_000;
/// The number of random matches, of rounds in each, and of states kept of each.
const MATCHES: u64 = 3;
const ROUNDS: usize = 120;
const KEPT: usize = 12;

/// The fluents of one functor and number of arguments.
#[derive(Debug, Default)]
pub(super) struct Kind {
    /// The possible values of each argument.
    pub values: Vec<BTreeSet<String>>,
    /// For each argument, the variables that the rules use there.
    pub variables: Vec<Vec<String>>,
}

pub(super) struct Survey {
    pub kinds: BTreeMap<String, Kind>,
    /// States of random matches: for each functor, the arguments of the fluents that hold.
    pub states: Vec<FxHashMap<String, Vec<Vec<String>>>>,
    pub roles: BTreeSet<String>,
}

impl Survey {
    pub(super) fn new(game: &Game, sources: &[&Source]) -> Survey {
        let mut survey = Survey {
            kinds: BTreeMap::new(),
            states: Vec::new(),
            roles: game.roles.iter().filter(|role| !role.is_chance).map(|role| role.name.clone()).collect(),
        };
        survey.play(game);
        let count = game.rules.fluent_count();
        if count <= MOST_FLUENTS {
            for fluent in 0..count {
                let name = game.rules.fluent_term(FluentId(fluent as u32));
                survey.add(name.head(), &words(&name));
            }
        }
        for source in sources {
            survey.read(source);
        }
        survey
    }

    fn add(&mut self, functor: &str, args: &[String]) {
        if args.is_empty() || functor == "=" {
            return;
        }
        let kind = self.kinds.entry(functor.to_string()).or_default();
        if kind.values.is_empty() {
            kind.values = vec![BTreeSet::new(); args.len()];
        }
        for (values, arg) in kind.values.iter_mut().zip(args) {
            values.insert(arg.clone());
        }
    }

    /// Plays random matches, always the same ones.
    fn play(&mut self, game: &Game) {
        let is_quick = game.is_sequential || game.rules.playouts().is_some();
        let game = std::sync::Arc::new(game.clone());
        // Rules that are not grounded are slow and may exceed a limit, which the survey must not cause: their first
        // state is enough.
        for seed in 0..if is_quick { MATCHES } else { 1 } {
            let mut stepper = Stepper::new(game.clone());
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let rounds = if is_quick { ROUNDS } else { 0 };
            while stepper.len() < rounds && stepper.play_random(&[], &mut rng).is_ok() {}
            let count = stepper.states().len();
            let kept = (0..KEPT.min(count)).map(|at| at * (count - 1) / (KEPT.min(count) - 1).max(1));
            for at in kept {
                let state = shown(&game, &stepper.states()[at]);
                let state = parted(&state);
                for (functor, all) in &state {
                    all.iter().for_each(|args| self.add(functor, args));
                }
                self.states.push(state);
            }
        }
    }

    /// Reads from the text the values that can be inferred, and the names of variables.
    fn read(&mut self, source: &Source) {
        let Syntax::Gdl(description) = &source.syntax else { return };
        let domains = Domains::new(source);
        for (functor, kind) in &mut self.kinds {
            for (at, values) in kind.values.iter_mut().enumerate() {
                let read: BTreeSet<String> =
                    domains.constants(Namespace::Function, &functor.as_str().into(), at).iter().cloned().collect();
                extend(values, read);
            }
            kind.variables = vec![Vec::new(); kind.values.len()];
        }
        let mut visit = |term: &Term| {
            let Some(kind) = self.kinds.get_mut(term.name.text.as_str()) else { return };
            for (names, arg) in kind.variables.iter_mut().zip(term.args()) {
                if arg.kind == TermKind::Variable {
                    names.push(arg.name.text.to_ascii_lowercase());
                }
            }
        };
        for statement in description.statements.iter() {
            if let Some(head) = &statement.head {
                head.walk(&mut |term| visit(term));
            }
            for formula in &statement.body {
                formula.terms(&mut |term| term.walk(&mut |term| visit(term)));
            }
        }
    }
}

/// Adds the values that the text allows to those that occurred. A text with one word for all coordinates allows letters
/// and numbers everywhere (chess); if only one kind occurred, the other is left out.
fn extend(seen: &mut BTreeSet<String>, read: BTreeSet<String>) {
    let side = |values: &mut dyn Iterator<Item = &String>| -> bool {
        let values: Option<BTreeSet<Coordinate>> = values.map(|it| Coordinate::of(it)).collect();
        values.is_some_and(|values| is_side(&values, MAX_SIDE))
    };
    if !side(&mut seen.iter()) || side(&mut seen.union(&read)) {
        seen.extend(read);
        return;
    }
    for value in read {
        if side(&mut seen.iter().chain([&value])) {
            seen.insert(value);
        }
    }
}

/// The fluents of a state by functor.
fn parted(state: &Shown) -> FxHashMap<String, Vec<Vec<String>>> {
    let parts = state.groups.iter().map(|group| {
        let args = group.fluents.iter().map(words).collect();
        (group.functor.clone(), args)
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_were_seen_alone_stay_alone() {
        let set = |words: &str| words.split(' ').map(str::to_string).collect::<BTreeSet<String>>();
        let extended = |seen: &str, read: &str| {
            let mut seen = set(seen);
            extend(&mut seen, set(read));
            seen
        };
        assert_eq!(extended("a b c", "1 2 3 a b c d"), set("a b c d"));
        assert_eq!(extended("1 2", "1 2 3 a b"), set("1 2 3"));
        // If everything fits, or the values are pieces, nothing is left out.
        assert_eq!(extended("1 3", "1 2 3 4"), set("1 2 3 4"));
        assert_eq!(extended("b wk", "a 1 wr"), set("1 a b wk wr"));
    }
}
