//! The fluents that make boards, and the orientation of these boards: from hints, or from the values that arguments can
//! have.

use std::collections::{BTreeMap, BTreeSet};

use super::coordinate::{Coordinate, filled, is_side};
use super::hints::{Hint, Part};
use super::survey::{Kind, Survey};

/// The longest side of a board, and the most boards of one functor.
pub(super) const MAX_SIDE: usize = 26;
const MAX_BOARDS: usize = 4;

/// The arguments of a fluent that give its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The arguments of the column and of the row.
    Two { column: usize, row: usize },
    /// One argument with both coordinates; `columns_first`: its first half is the column.
    One { at: usize, columns_first: bool },
    /// One argument in a single row.
    Line { at: usize },
}

/// The layout of the fluents of one functor on boards.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub functor: String,
    pub arity: usize,
    pub place: Place,
    /// The argument that selects the board.
    pub which: Option<usize>,
    /// True if the fluent refers to the other board of two.
    pub against: bool,
    pub pieces: Vec<usize>,
}

/// Boards of one shape, one for each of `boards`, with all pieces that can be on them.
#[derive(Clone, Debug)]
pub(super) struct Surface {
    pub plans: Vec<Plan>,
    /// The columns from left to right, the rows from top to bottom.
    pub columns: Vec<String>,
    pub rows: Vec<String>,
    /// The names that distinguish the boards; one empty name if there is only one board.
    pub boards: Vec<String>,
    /// The pieces that can be on the boards; several arguments are joined by blanks.
    pub pieces: BTreeSet<String>,
}

impl Place {
    /// The column and the row of a fluent's arguments.
    pub(super) fn of(self, args: &[String]) -> Option<(String, String)> {
        Some(match self {
            Place::Two { column, row } => (args.get(column)?.clone(), args.get(row)?.clone()),
            Place::One { at, columns_first } => {
                let (one, other) = Coordinate::pair(args.get(at)?)?;
                if columns_first { (one.text, other.text) } else { (other.text, one.text) }
            }
            Place::Line { at } => (args.get(at)?.clone(), String::new()),
        })
    }
}

/// The boards of a game; `dealt`: the fluents that are drawn as cards or dice.
pub(super) fn surfaces(survey: &Survey, hints: &[Hint], dealt: &BTreeSet<String>) -> Vec<Surface> {
    let mut surfaces: Vec<Surface> = Vec::new();
    for hint in hints.iter().filter(|hint| !hint.parts.is_empty()) {
        let Some(surface) = survey.kinds.get_key_value(&hint.functor).and_then(|(_, kind)| hinted(survey, kind, hint))
        else {
            continue;
        };
        match surfaces.iter_mut().find(|it| it.columns == surface.columns && it.rows == surface.rows) {
            Some(old) => {
                old.plans.extend(surface.plans);
                old.pieces.extend(surface.pieces);
            }
            None => surfaces.push(surface),
        }
    }
    for (functor, kind) in &survey.kinds {
        if dealt.contains(functor) || hints.iter().any(|hint| hint.functor == *functor) {
            continue;
        }
        let found = composite(survey, functor, kind)
            .or_else(|| two(survey, functor, kind))
            .or_else(|| hands(survey, functor, kind));
        surfaces.extend(found);
    }
    surfaces
}

fn hinted(survey: &Survey, kind: &Kind, hint: &Hint) -> Option<Surface> {
    let arity = kind.values.len();
    if hint.parts.len() != arity {
        return None;
    }
    let at = |part: Part| hint.parts.iter().position(|it| *it == part);
    let place = match (at(Part::Column), at(Part::Row), at(Part::Cell), at(Part::Rack)) {
        (Some(column), Some(row), _, _) => Place::Two { column, row },
        (_, _, Some(at), _) => Place::One { at, columns_first: true },
        (_, _, _, Some(at)) => Place::One { at, columns_first: false },
        _ => return None,
    };
    let which = at(Part::Board).or(at(Part::Against));
    let pieces = (0..arity).filter(|&at| hint.parts[at] == Part::Piece).collect();
    let plan =
        Plan { functor: hint.functor.clone(), arity, place, which, against: at(Part::Against).is_some(), pieces };
    let up = hint.up.unwrap_or_else(|| is_up(kind, place));
    surface(survey, kind, plan, up)
}

/// A surface with one plan, whose lines are the values that arguments can have.
fn surface(survey: &Survey, kind: &Kind, plan: Plan, up: bool) -> Option<Surface> {
    let (columns, rows) = sides(kind, plan.place)?;
    let names = |side: BTreeSet<Coordinate>| side.into_iter().map(|it| it.text).collect::<Vec<String>>();
    let (columns, mut rows) = (names(filled(columns, MAX_SIDE)), names(filled(rows, MAX_SIDE)));
    if up {
        rows.reverse();
    }
    let boards = match plan.which {
        Some(which) => kind.values[which].iter().cloned().collect(),
        None => vec![String::new()],
    };
    let mut pieces = BTreeSet::new();
    let held = survey.states.iter().filter_map(|state| state.get(&plan.functor)).flatten();
    for args in held.filter(|args| args.len() == plan.arity) {
        pieces.extend(piece(&plan, args));
    }
    if let [only] = plan.pieces[..] {
        pieces.extend(kind.values[only].iter().cloned());
    }
    Some(Surface { plans: vec![plan], columns, rows, boards, pieces })
}

/// The piece of a fluent's arguments; empty if the fluent only marks the cell.
pub(super) fn piece(plan: &Plan, args: &[String]) -> Option<String> {
    let words: Vec<&str> = plan.pieces.iter().filter_map(|&at| args.get(at)).map(String::as_str).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// The values of the columns and of the rows.
fn sides(kind: &Kind, place: Place) -> Option<(BTreeSet<Coordinate>, BTreeSet<Coordinate>)> {
    match place {
        Place::Two { column, row } => {
            let of =
                |at: usize| kind.values.get(at)?.iter().map(|it| Coordinate::of(it)).collect::<Option<BTreeSet<_>>>();
            // Hands: the rows are roles, ordered by name.
            let named = |at: usize| {
                let plain = |it: &String| Coordinate { word: it.clone(), number: 0, text: it.clone() };
                kind.values.get(at).map(|values| values.iter().map(plain).collect())
            };
            Some((of(column)?, of(row).or_else(|| named(row))?))
        }
        Place::One { at, columns_first } => {
            let pairs = kind.values.get(at)?.iter().map(|it| Coordinate::pair(it)).collect::<Option<Vec<_>>>()?;
            let (ones, others) = pairs.into_iter().unzip();
            Some(if columns_first { (ones, others) } else { (others, ones) })
        }
        Place::Line { .. } => None,
    }
}

/// True if the first row is at the bottom: rows with letters (chess), or a height called `y`.
fn is_up(kind: &Kind, place: Place) -> bool {
    match place {
        Place::Two { column, row } => {
            let letters = kind.values[column].iter().all(|it| it.len() == 1 && it.as_bytes()[0].is_ascii_alphabetic());
            letters || votes(kind, row, &["y", "rank", "height"]) > 0
        }
        Place::One { columns_first: false, .. } | Place::Line { .. } => false,
        Place::One { at, .. } => {
            let first = kind.values[at].first().and_then(|it| Coordinate::pair(it));
            first.is_some_and(|(one, other)| one.is_letter() && other.word.is_empty())
        }
    }
}

/// The number of variables at an argument that have one of these names, with or without a number or a dash after it.
fn votes(kind: &Kind, at: usize, names: &[&str]) -> usize {
    let of_kind = |name: &&String| {
        let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '\'' | '_' | '-'));
        names.contains(&bare)
    };
    kind.variables.get(at).map_or(0, |all| all.iter().filter(of_kind).count())
}

/// A plan for both coordinates in one argument: `(at p1 carrier c01r01)`.
fn composite(survey: &Survey, functor: &str, kind: &Kind) -> Option<Surface> {
    let at = (0..kind.values.len()).find(|&at| {
        let pairs: Option<Vec<_>> = kind.values[at].iter().map(|it| Coordinate::pair(it)).collect();
        let Some(pairs) = pairs else { return false };
        let count = pairs.len();
        let (one, other): (BTreeSet<Coordinate>, BTreeSet<Coordinate>) = pairs.into_iter().unzip();
        count >= 4 && is_side(&one, MAX_SIDE) && is_side(&other, MAX_SIDE) && 2 * count >= one.len() * other.len()
    })?;
    let (first, second) = Coordinate::pair(kind.values[at].first()?)?;
    // `c01r01`, `a1`; but `r01c01` and `p1-s03` name the row first.
    let columns_first = !second.word.starts_with('c') && (first.is_letter() || first.word.starts_with(['c', 'x', 'f']));
    let (which, pieces) = rest(survey, kind, &[at]);
    let place = Place::One { at, columns_first };
    let plan = Plan { functor: functor.to_string(), arity: kind.values.len(), place, which, against: false, pieces };
    surface(survey, kind, plan, is_up(kind, place))
}

/// The meaning of the other arguments: a first one that has only roles selects the board, the others are pieces.
fn rest(survey: &Survey, kind: &Kind, places: &[usize]) -> (Option<usize>, Vec<usize>) {
    let others: Vec<usize> = (0..kind.values.len()).filter(|at| !places.contains(at)).collect();
    let first = places.iter().copied().min().unwrap_or(0);
    let which = others.iter().copied().find(|&at| {
        at < first && kind.values[at].len() <= MAX_BOARDS && kind.values[at].iter().all(|it| survey.roles.contains(it))
    });
    (which, others.into_iter().filter(|at| Some(*at) != which).collect())
}

/// A plan for two neighbouring arguments with coordinates: `(cell 1 2 b)`. In the sample states no place has two
/// pieces, and at least half of the places, or with pieces as many as the longer side has, are used at once.
fn two(survey: &Survey, functor: &str, kind: &Kind) -> Option<Surface> {
    let arity = kind.values.len();
    if !(2..=5).contains(&arity) {
        return None;
    }
    (0..arity - 1).find_map(|first| two_at(survey, functor, kind, first))
}

fn two_at(survey: &Survey, functor: &str, kind: &Kind, first: usize) -> Option<Surface> {
    let arity = kind.values.len();
    let side = |at: usize| -> Option<BTreeSet<Coordinate>> {
        let values: BTreeSet<Coordinate> =
            kind.values[at].iter().map(|it| Coordinate::of(it)).collect::<Option<_>>()?;
        is_side(&values, MAX_SIDE).then_some(values)
    };
    let (one, other) = (side(first)?, side(first + 1)?);
    // An argument before two coordinates is not a third coordinate.
    if (0..first).any(|at| kind.values[at].iter().all(|it| Coordinate::of(it).is_some())) {
        return None;
    }
    let (which, pieces) = rest(survey, kind, &[first, first + 1]);
    let names_columns = || {
        let across = ["x", "col", "column", "file", "c"];
        let down = ["y", "row", "rank", "r", "line"];
        votes(kind, first, &across) + votes(kind, first + 1, &down)
            > votes(kind, first, &down) + votes(kind, first + 1, &across)
    };
    let (lead, follow) = (one.first()?, other.first()?);
    let columns_first = lead.word.starts_with("col")
        || lead.word == "x"
        || (lead.is_letter() && !follow.is_letter())
        || (lead.is_letter() == follow.is_letter() && names_columns());
    let (column, row) = if columns_first { (first, first + 1) } else { (first + 1, first) };
    let place = Place::Two { column, row };
    let plan = Plan { functor: functor.to_string(), arity, place, which, against: false, pieces };
    let places = one.len() * other.len() * which.map_or(1, |at| kind.values[at].len());
    let few = one.len().max(other.len());
    let mut most = 0;
    for state in &survey.states {
        let Some(held) = state.get(functor) else { continue };
        let mut at: BTreeMap<(&String, &String, Option<&String>), usize> = BTreeMap::new();
        for args in held.iter().filter(|args| args.len() == arity) {
            *at.entry((&args[first], &args[first + 1], which.map(|which| &args[which]))).or_default() += 1;
        }
        let doubled = at.values().filter(|count| **count > 1).count();
        // A few cells with two pieces are drawn; with more of them, the fluent does not describe a board.
        if 4 * doubled > at.len() {
            return None;
        }
        most = most.max(at.len());
    }
    let worded = plan.pieces.iter().any(|&at| kind.values[at].iter().any(|it| Coordinate::of(it).is_none()));
    let is_used = 2 * most >= places || ((worded || which.is_some()) && most >= few);
    if !is_used {
        return None;
    }
    surface(survey, kind, plan, is_up(kind, place))
}

/// A plan for the hands of roles: `(holds p1 c05)`, a row for each role, a column for each card.
fn hands(survey: &Survey, functor: &str, kind: &Kind) -> Option<Surface> {
    let [roles, cards] = &kind.values[..] else { return None };
    let cards: BTreeSet<Coordinate> = cards.iter().map(|it| Coordinate::of(it)).collect::<Option<_>>()?;
    let are_roles = roles.len() >= 2 && roles.iter().all(|it| survey.roles.contains(it));
    if !are_roles || !is_side(&cards, MAX_SIDE) {
        return None;
    }
    // A role that has only one at a time has a number, not a hand.
    let many = |state: &rustc_hash::FxHashMap<String, Vec<Vec<String>>>| {
        let held = state.get(functor)?;
        held.iter().any(|one| held.iter().filter(|other| other[0] == one[0]).count() > 1).then_some(())
    };
    survey.states.iter().find_map(many)?;
    let plan = Plan {
        functor: functor.to_string(),
        arity: 2,
        place: Place::Two { column: 1, row: 0 },
        which: None,
        against: false,
        pieces: Vec::new(),
    };
    surface(survey, kind, plan, false)
}
