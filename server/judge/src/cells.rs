//! Cells: families of fluents such as `(cell x y content)` of which exactly one holds for every key in the initial
//! state.
//!
//! Only families that look like a board count: the value is one argument and the key two or more others, owners (roles)
//! excluded; every key of the family's fluents is present at first, with one value; and most keys have several possible
//! values. The value is a content: it is not a number that a rule computes, because such numbers are counts or places;
//! and it has possible values that the key does not have, because the key consists of places. If a key of such a family
//! loses its value or has two, that is a mistake. In a list of pieces, a vanished piece is normal, as is a tally that
//! keeps every step.

use percept_game::{FluentId, State, Term};
use percept_syntax::gdl::TermKind;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Case;
use crate::case::{inner, is_frame};

/// The least number of keys of a board.
const LEAST_KEYS: usize = 4;
/// The most fluents of a game that is examined.
const MOST_FLUENTS: usize = 50_000;

/// The fluents of each key.
type Family = FxHashMap<Vec<Term>, Vec<FluentId>>;

/// True if every rule for the fluents of a functor and number of arguments keeps one, or writes a constant at `value`.
/// Then numbers there are the states of a cell, as in a countdown.
fn is_written(case: &Case<'_>, functor: &str, arity: usize, value: usize) -> bool {
    let mut of_family = case.statements("next").filter_map(|rule| Some((rule, inner(rule)?)));
    of_family.all(|(rule, fluent)| match fluent.args().get(value) {
        _ if fluent.is_variable() => false,
        Some(it) if fluent.name.is(functor) && fluent.args().len() == arity => {
            matches!(it.kind, TermKind::Constant) || is_frame(rule)
        }
        _ => true,
    })
}

/// True if the argument at `value` is the content of the place named by the others.
fn is_content(case: &Case<'_>, (functor, arity, value): (&str, usize, usize), family: &Family) -> bool {
    let game = case.game;
    let roles: FxHashSet<&str> = game.roles.iter().map(|role| role.name.as_str()).collect();
    let is_owner = |place: usize| family.keys().all(|key| roles.contains(key[place].to_string().as_str()));
    let places: Vec<usize> = (0..family.keys().next().map_or(0, Vec::len)).filter(|place| !is_owner(*place)).collect();
    let named: FxHashSet<&Term> = family.keys().flatten().collect();
    let contents = family.values().flatten().filter_map(|id| game.rules.fluent_term(*id).args().get(value).cloned());
    let contents: FxHashSet<Term> = contents.collect();
    let is_number = |content: &Term| content.args().is_empty() && content.to_string().parse::<i64>().is_ok();
    places.len() >= 2
        && !contents.iter().all(|content| named.contains(content))
        && (!contents.iter().all(is_number) || is_written(case, functor, arity, value))
}

/// The cells of a game.
pub(crate) struct Cells {
    /// The fluents of each cell.
    pub cells: Vec<Vec<FluentId>>,
    /// The number of the family of each cell.
    families: Vec<usize>,
    /// The cells that each fluent is a value of.
    of: FxHashMap<FluentId, Vec<u32>>,
}

impl Cells {
    /// The cells of a game; `None` if it has none.
    pub(crate) fn of(case: &Case<'_>) -> Option<Cells> {
        let game = case.game;
        let count = game.rules.fluent_count();
        if count > MOST_FLUENTS || game.is_sequential {
            return None;
        }
        let start = game.rules.initial();
        let mut families: FxHashMap<(String, usize, usize), Family> = FxHashMap::default();
        for id in (0..count as u32).map(FluentId) {
            let name = game.rules.fluent_term(id);
            let arguments = name.args();
            for value in (0..arguments.len()).filter(|_| arguments.len() > 2) {
                let key = arguments.iter().enumerate().filter(|(at, _)| *at != value).map(|(_, it)| it.clone());
                let family = families.entry((name.head().to_string(), arguments.len(), value)).or_default();
                family.entry(key.collect()).or_default().push(id);
            }
        }
        let is_board = |family: &Family| {
            let has_one = |fluents: &Vec<FluentId>| fluents.iter().filter(|fluent| start.has(**fluent)).count() == 1;
            family.len() >= LEAST_KEYS
                && family.values().all(has_one)
                && family.values().filter(|fluents| fluents.len() > 1).count() * 2 >= family.len()
        };
        let is_content = |((functor, arity, value), family): &((String, usize, usize), Family)| {
            is_content(case, (functor, *arity, *value), family)
        };
        let boards = families.into_iter().filter(|it| is_board(&it.1) && is_content(it)).map(|(_, family)| family);
        let boards = boards.enumerate();
        let mut cells: Vec<(Vec<FluentId>, usize)> =
            boards.flat_map(|(board, family)| family.into_values().map(move |fluents| (fluents, board))).collect();
        cells.sort_unstable();
        let (cells, families): (Vec<Vec<FluentId>>, Vec<usize>) = cells.into_iter().unzip();
        let mut of: FxHashMap<FluentId, Vec<u32>> = FxHashMap::default();
        for (cell, fluents) in cells.iter().enumerate() {
            fluents.iter().for_each(|fluent| of.entry(*fluent).or_default().push(cell as u32));
        }
        (!cells.is_empty()).then_some(Cells { cells, families, of })
    }

    /// The first cell without a value, given the number of values of each. A board that is empty as a whole was removed
    /// on purpose, as in games that continue with another board.
    pub(crate) fn lost(&self, contents: &[u8]) -> Option<usize> {
        let is_left =
            |board: usize| contents.iter().zip(&self.families).any(|(&values, of)| values > 0 && *of == board);
        let mut empty = (0..contents.len()).filter(|&cell| contents[cell] == 0);
        empty.find(|&cell| is_left(self.families[cell]))
    }

    /// The number of values that each cell has in a state.
    pub(crate) fn contents(&self, state: &State) -> Vec<u8> {
        let mut counts = vec![0_u8; self.cells.len()];
        for fluent in state.fluents() {
            for &cell in self.of.get(&fluent).into_iter().flatten() {
                counts[cell as usize] = counts[cell as usize].saturating_add(1);
            }
        }
        counts
    }

    /// The values of a cell in a state.
    pub(crate) fn values(&self, cell: usize, state: &State) -> Vec<FluentId> {
        self.cells[cell].iter().copied().filter(|&fluent| state.has(fluent)).collect()
    }
}
