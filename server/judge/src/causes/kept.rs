//! Simulates a match in which a fluent, once made, is kept.

use percept_game::{FluentId, Game, JointMove, State};
use percept_syntax::gdl::{Formula, Statement, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Case;
use crate::case::{inner, is_frame};

/// The most fluents of a game that is examined.
const MOST_FLUENTS: usize = 50_000;
/// The least number of lost fluents of a family that counts as a habit.
const REPEATEDLY: usize = 2;

/// Fluents with the same name and number of arguments, and the rules about them.
pub(crate) struct Family<'a> {
    pub name: String,
    pub arity: usize,
    pub fluents: Vec<FluentId>,
    /// The fluents to keep: those that no rule can keep, or else all.
    pub kept: Vec<FluentId>,
    /// The heads that make the fluents, the rules for `next` first.
    pub makers: Vec<&'a Statement>,
    /// Rules such as `(<= (next f) (true f) ...)`.
    pub keepers: Vec<&'a Statement>,
}

impl Family<'_> {
    pub(crate) fn all<'a>(case: &Case<'a>) -> Vec<Family<'a>> {
        let rules = &case.game.rules;
        if rules.fluent_count() > MOST_FLUENTS {
            return Vec::new();
        }
        let mut by_name: FxHashMap<(String, usize), Vec<FluentId>> = FxHashMap::default();
        for id in (0..rules.fluent_count() as u32).map(FluentId) {
            let name = rules.fluent_term(id);
            by_name.entry((name.head().to_string(), name.args().len())).or_default().push(id);
        }
        let mut families: Vec<Family> = Vec::new();
        for ((name, arity), fluents) in by_name {
            let is_made = |statement: &&Statement| {
                inner(statement).is_some_and(|it| it.name.is(&name) && it.args().len() == arity && !it.is_variable())
            };
            let by_next: Vec<&Statement> = case.statements("next").filter(is_made).collect();
            let keepers = by_next.iter().copied().filter(|statement| is_frame(statement)).collect();
            let makers = by_next.into_iter().chain(case.statements("init").filter(is_made)).collect();
            let mut family = Family { name, arity, kept: Vec::new(), fluents, makers, keepers };
            let is_orphan = |fluent: &&FluentId| family.keepers_of(&rules.fluent_term(**fluent)).is_empty();
            let orphans: Vec<FluentId> = family.fluents.iter().filter(is_orphan).copied().collect();
            family.kept = if orphans.is_empty() { family.fluents.clone() } else { orphans };
            families.push(family);
        }
        families.sort_by_key(|family| family.makers.first().map(|maker| maker.range.start));
        families
    }

    /// The fluents that no rule keeps, as a family; `None` if a rule keeps each.
    pub(crate) fn unkept(&self) -> Option<Family<'_>> {
        if !self.keepers.is_empty() && self.kept.len() == self.fluents.len() {
            return None;
        }
        let fluents = self.kept.clone();
        let (name, makers) = (self.name.clone(), self.makers.clone());
        Some(Family { name, arity: self.arity, kept: fluents.clone(), fluents, makers, keepers: Vec::new() })
    }

    /// The statements of a keyword, `init` or `next`, that make the fluents.
    fn made_by(&self, word: &str) -> impl Iterator<Item = &Statement> {
        let is_of = move |maker: &&&Statement| maker.head.as_ref().is_some_and(|head| head.name.is(word));
        self.makers.iter().filter(is_of).copied()
    }

    /// The state after a round in which the kept fluents of the family stay.
    pub(crate) fn after_keeping(&self, game: &Game, before: &State, joint: &JointMove) -> State {
        let mut next = game.rules.next(before, joint);
        self.kept.iter().filter(|fluent| before.has(**fluent)).for_each(|fluent| next.set(*fluent, true));
        next
    }

    /// True if a match can go on for ever without the family: a list of forbidden repetitions, a count, or a supply.
    pub(crate) fn ends_matches(&self, case: &Case<'_>) -> bool {
        self.made_by("init").next().is_some() || self.is_denied(case)
    }

    /// Rules that make one fluent of the family if another one held, as for a count or for the player to move.
    pub(crate) fn movers(&self) -> impl Iterator<Item = &Statement> {
        let reads_own = |maker: &&&Statement| {
            maker.body.iter().any(|literal| match literal {
                Formula::Atom(atom) if atom.name.is("true") => {
                    atom.args().first().is_some_and(|it| it.name.is(&self.name) && it.args().len() == self.arity)
                }
                _ => false,
            })
        };
        self.makers.iter().filter(reads_own).filter(|maker| !is_frame(maker)).copied()
    }

    /// True if the family is a flag or a phase: each head names one value and has at most one argument.
    pub(crate) fn is_flag(&self) -> bool {
        let names_one =
            |maker: &&Statement| inner(maker).is_some_and(|it| it.args().iter().all(|arg| !arg.is_variable()));
        self.arity < 2 && self.made_by("init").count() < 2 && self.makers.iter().all(names_one)
    }

    /// True if it is a phase at the beginning of a match: a role that cannot move afterwards lacks a move, not the
    /// phase.
    pub(crate) fn is_first_phase(&self) -> bool {
        self.is_flag() && self.made_by("next").next().is_none()
    }

    /// The rules that may keep a fluent: those whose head it fits, and that no `distinct` excludes it from.
    pub(crate) fn keepers_of(&self, fluent: &percept_game::Term) -> Vec<&Statement> {
        let may_keep = |keeper: &&&Statement| {
            let mut bound = FxHashMap::default();
            inner(keeper).is_some_and(|head| fits(head, fluent, &mut bound))
                && !keeper.body.iter().any(|it| excludes(it, &bound))
        };
        self.keepers.iter().filter(may_keep).copied().collect()
    }

    /// True if several of the fluents hold at first and no rule makes any later.
    pub(crate) fn is_only_begun(&self) -> bool {
        self.fluents.len() > 1 && self.made_by("next").next().is_none()
    }

    /// True if moves make the family and only `goal` reads it: then fluents made before the last round have no effect.
    pub(crate) fn is_only_counted(&self, case: &Case<'_>) -> bool {
        let rules: Vec<&Statement> =
            case.description().into_iter().flat_map(|description| description.statements.with_body()).collect();
        let is_own = |atom: &Term| {
            let inner = atom.args().first().filter(|_| atom.name.is("true"));
            inner.is_some_and(|it| it.is_variable() || it.name.is(&self.name) && it.args().len() == self.arity)
        };
        let (mut readers, mut relations) = (0, FxHashSet::<String>::default());
        let mut todo: Vec<Option<String>> = vec![None];
        while let Some(relation) = todo.pop() {
            let is_read = |atom: &Term| match &relation {
                None => is_own(atom),
                Some(name) => atom.name.is(name),
            };
            for statement in &rules {
                let mut reads = false;
                statement.body.iter().for_each(|literal| literal.atoms(false, &mut |atom, _| reads |= is_read(atom)));
                let Some(head) = statement.head.as_ref().filter(|_| reads) else { continue };
                match head.name.text.to_ascii_lowercase().as_str() {
                    "goal" => readers += 1,
                    "next" | "legal" | "sees" | "terminal" => return false,
                    name => {
                        if relations.insert(name.to_string()) {
                            todo.push(Some(name.to_string()));
                        }
                    }
                }
            }
        }
        readers > 0
            && self.made_by("next").next().is_some()
            && self.made_by("next").all(|it| depends_on_moves(it, &rules))
    }

    /// True if a match loses several of them before its last round, and does not make as many new ones in each round:
    /// fluents that record the last moves do that.
    pub(crate) fn is_lost_repeatedly(&self, one: &Match) -> bool {
        let count = |state: &State| self.fluents.iter().filter(|fluent| state.has(**fluent)).count();
        let counts: Vec<usize> = one.states.iter().map(count).skip_while(|count| *count == 0).collect();
        if counts.windows(2).all(|pair| pair[0] == pair[1]) {
            return false;
        }
        let lost: FxHashSet<FluentId> =
            one.lost(self).filter(|lost| lost.held + 1 < one.rounds.len()).map(|lost| lost.fluent).collect();
        lost.len() >= REPEATEDLY
    }

    /// True if the family holds in some state of a match and in no later one, and the loss comes early: in the first
    /// half of the match, and after at most one round.
    pub(crate) fn dies_out(&self, one: &Match) -> bool {
        let holds = |state: &State| self.fluents.iter().any(|fluent| state.has(*fluent));
        let first = one.states.iter().position(holds);
        let last = one.states.iter().rposition(holds);
        first.zip(last).is_none_or(|(first, last)| first == last && last + 2 < one.rounds.len())
    }

    /// True if the family returns after a loss, in some of these matches.
    pub(crate) fn comes_again(&self, matches: &[Match]) -> bool {
        let holds = |state: &State| self.fluents.iter().any(|fluent| state.has(*fluent));
        matches.iter().any(|one| {
            let mut states = one.states.iter().skip_while(|state| !holds(state)).skip_while(|state| holds(state));
            states.any(holds)
        })
    }

    /// True if each new fluent replaces an old one, as with a phase or the player to move: the same number holds in all
    /// states of a match; or at most one holds, and a new one appears whenever it is gone. A short list of forbidden
    /// repetitions is read under `not`.
    pub(crate) fn is_replaced(&self, case: &Case<'_>, states: &[State]) -> bool {
        let count = |state: &State| self.fluents.iter().filter(|fluent| state.has(**fluent)).count();
        let counts: Vec<usize> = states.iter().map(count).collect();
        let is_constant = counts[0] > 0 && counts.iter().all(|count| *count == counts[0]);
        // A fluent may end together with the match.
        let is_over = states.last().is_some_and(|last| case.game.rules.terminal(last));
        let before = if is_over { &counts[..counts.len() - 1] } else { &counts[..] };
        let is_passed_on = before.iter().all(|count| *count < 2) && before.windows(2).all(|pair| pair[0] <= pair[1]);
        is_constant || is_passed_on && !self.is_denied(case)
    }

    /// True if some body has the negation of one of the fluents, with variables.
    pub(crate) fn is_denied(&self, case: &Case<'_>) -> bool {
        let rules = case.description().into_iter().flat_map(|description| description.statements.with_body());
        let mut found = false;
        let mut note = |atom: &Term, negated: bool| {
            let of = atom.args().first().filter(|_| negated && atom.name.is("true"));
            let is_open = |fluent: &Term| fluent.args().iter().any(Term::is_variable);
            found |= of.is_some_and(|it| it.name.is(&self.name) && it.args().len() == self.arity && is_open(it));
        };
        rules.flat_map(|rule| &rule.body).for_each(|literal| literal.atoms(false, &mut note));
        found
    }
}

/// A fluent that disappeared after a round and should be kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lost {
    pub fluent: FluentId,
    /// The last round after which it held.
    pub held: usize,
}

/// A match by the rules.
pub(crate) struct Match {
    pub rounds: Vec<JointMove>,
    /// The states: one more than rounds.
    pub states: Vec<State>,
}

impl Match {
    pub(crate) fn play(game: &Game, rounds: Vec<JointMove>) -> Match {
        let mut states = vec![game.rules.initial()];
        for joint in &rounds {
            let next = game.rules.next(&states[states.len() - 1], joint);
            states.push(next);
        }
        Match { rounds, states }
    }

    /// The states of the same rounds if the fluents of a family hold for ever once made; `None` if no state changes.
    pub(crate) fn keeping(&self, game: &Game, family: &Family<'_>) -> Option<Kept> {
        self.lost(family).next()?;
        let mut states = vec![self.states[0].clone()];
        for joint in &self.rounds {
            let next = family.after_keeping(game, &states[states.len() - 1], joint);
            states.push(next);
        }
        Some(Kept { states })
    }

    /// The fluents of a family that disappear in a round of the match, in the order of the rounds.
    pub(crate) fn lost<'s>(&'s self, family: &'s Family<'_>) -> impl Iterator<Item = Lost> + 's {
        self.states.windows(2).enumerate().flat_map(move |(held, pair)| {
            let gone = family.kept.iter().filter(move |fluent| pair[0].has(**fluent) && !pair[1].has(**fluent));
            gone.map(move |&fluent| Lost { fluent, held })
        })
    }
}

/// The states of a match in which a family is kept.
pub(crate) struct Kept {
    pub states: Vec<State>,
}

/// True if a rule reads moves, directly or through relations; `rules` are those with a body.
fn depends_on_moves(rule: &Statement, rules: &[&Statement]) -> bool {
    let (mut seen, mut todo, mut found): (FxHashSet<String>, Vec<&Statement>, bool) =
        (FxHashSet::default(), vec![rule], false);
    while let Some(rule) = todo.pop() {
        let mut names = Vec::new();
        rule.body.iter().for_each(|literal| literal.atoms(false, &mut |atom, _| names.push(atom.name.clone())));
        for name in names {
            found |= name.is("does");
            if seen.insert(name.text.to_ascii_lowercase()) {
                let is_of = |it: &&&Statement| it.head.as_ref().is_some_and(|head| head.name.is(&name.text));
                todo.extend(rules.iter().filter(is_of).copied());
            }
        }
    }
    found
}

/// True if a term is an instance of a pattern, by values of its variables.
fn fits(pattern: &Term, term: &percept_game::Term, bound: &mut FxHashMap<String, String>) -> bool {
    if pattern.is_variable() {
        let value = term.to_string();
        return *bound.entry(pattern.name.text.to_string()).or_insert_with(|| value.clone()) == value;
    }
    pattern.name.is(term.head())
        && pattern.args().len() == term.args().len()
        && pattern.args().iter().zip(term.args()).all(|(pattern, term)| fits(pattern, term, bound))
}

/// True if a condition is a `distinct` between equal terms.
fn excludes(literal: &Formula, bound: &FxHashMap<String, String>) -> bool {
    let value = |term: &Term| match term.is_variable() {
        true => bound.get(&term.name.text.to_string()).cloned(),
        false => term.args().is_empty().then(|| term.name.text.to_string()),
    };
    match literal {
        Formula::Distinct { args, .. } => matches!(&args[..], [a, b] if value(a).is_some() && value(a) == value(b)),
        _ => false,
    }
}
