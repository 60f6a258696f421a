//! Completes a file of expectations: `--update` and `--begin` ask for the values that it leaves out, and write them.
//!
//! A question without an answer stands in the file as an answer that is never right; the ordinary comparison then finds
//! the right one.

use std::collections::BTreeSet;

use percept_infoset::own;
use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Table, Value};

use super::ask::{Case, Kind};
use super::format::Expected;
use crate::failure::Failure;
use crate::load::Loaded;

/// An answer that is never right.
const UNANSWERED: &str = "?";
/// A number that is never right.
const UNCOUNTED: i64 = i64::MAX;
/// A verdict that depends on the time of the proof, and so is not an expectation.
const OPEN: &str = "open";

/// The expectations that were asked for and not written by a person.
pub(super) type Filled = BTreeSet<(Kind, usize)>;

/// The reason why an expectation fails that expects nothing.
pub(super) const EMPTY: &str = "nothing is expected here; `percept test --update` writes what holds";

/// True if an expectation names no value.
pub(super) fn is_empty(expected: &Expected, kind: Kind, index: usize) -> bool {
    match kind {
        // These have a value by their form; a game that can be solved is an expectation, too.
        Kind::Play | Kind::Observe | Kind::Query | Kind::Solve => false,
        Kind::Step => {
            let it = &expected.step[index];
            let sets = it.holds.is_empty() && it.lacks.is_empty();
            sets && it.legal.is_empty() && it.percepts.is_empty() && it.terminal.is_none() && it.goals.is_empty()
        }
        Kind::Infoset => {
            let it = &expected.infoset[index];
            it.histories.is_none() && it.states.is_none() && it.members.is_none()
        }
        Kind::Prove => {
            let it = &expected.prove[index];
            [&it.legal, &it.terminal, &it.goal, &it.own].iter().all(|it| it.is_none())
        }
    }
}

/// The file with questions in the place of what it leaves out: the values of empty expectations and, if it expects
/// nothing at all, verdicts on all players. `None` if nothing is left out.
pub(super) fn questions(
    text: &str,
    expected: &Expected,
    load: &dyn Fn() -> Result<Loaded, Failure>,
) -> Result<Option<(String, Filled)>, Failure> {
    let counts = [
        (Kind::Step, expected.step.len()),
        (Kind::Infoset, expected.infoset.len()),
        (Kind::Prove, expected.prove.len()),
    ];
    let all = counts.into_iter().flat_map(|(kind, count)| (0..count).map(move |index| (kind, index)));
    let mut filled: Filled = all.clone().filter(|&(kind, index)| is_empty(expected, kind, index)).collect();
    let is_bare =
        all.count() == 0 && expected.observe.is_empty() && expected.query.is_empty() && expected.solve.is_empty();
    if filled.is_empty() && !is_bare {
        return Ok(None);
    }
    let loaded = load()?;
    let game = &*loaded.game;
    let players: Vec<&str> = game.roles.iter().filter(|role| !role.is_chance).map(|role| role.name.as_str()).collect();
    let properties: Vec<&str> = own::properties(game).into_iter().map(|property| property.name()).collect();
    let mut document: DocumentMut = text.parse().map_err(|error| Failure::new(format!("{error}")))?;
    if is_bare {
        let mut tables = ArrayOfTables::new();
        for (index, player) in players.iter().enumerate() {
            let mut table = Table::new();
            table.insert("role", Item::Value((*player).into()));
            tables.push(table);
            filled.insert((Kind::Prove, index));
        }
        document.insert("prove", Item::ArrayOfTables(tables));
    }
    let each = |value: fn() -> Value| -> Item {
        Item::Value(Value::InlineTable(players.iter().map(|player| (*player, value())).collect()))
    };
    for &(kind, index) in &filled {
        let Some(table) = table(&mut document, kind, index) else { continue };
        let mut ask = |key: &str, value: Item| {
            table.insert(key, value);
        };
        match kind {
            Kind::Prove => properties.iter().for_each(|it| ask(it, Item::Value(UNANSWERED.into()))),
            Kind::Infoset => {
                ask("histories", Item::Value(UNANSWERED.into()));
                ask("states", Item::Value(UNCOUNTED.into()));
            }
            Kind::Step => {
                ask("legal", each(|| Value::Array(Array::new())));
                ask("terminal", Item::Value(false.into()));
            }
            Kind::Play | Kind::Observe | Kind::Query | Kind::Solve => {}
        }
    }
    Ok(Some((document.to_string(), filled)))
}

/// Removes answers that are not expectations: verdicts that are open, own moves that are known. A comment says which
/// questions were undecided.
pub(super) fn without_open(document: &mut DocumentMut, filled: &Filled) {
    // From the last expectation to the first, so that earlier places stay valid.
    for &(kind, index) in filled.iter().rev() {
        let Some(table) = table(document, kind, index) else { continue };
        let mut undecided = Vec::new();
        let is = |table: &Table, key: &str, value: &str| table.get(key).and_then(Item::as_str) == Some(value);
        for key in ["legal", "terminal", "goal", "own", "histories"] {
            if is(table, key, UNANSWERED) || kind == Kind::Prove && is(table, key, OPEN) {
                undecided.push(key);
                table.remove(key);
            }
        }
        if is(table, "own", "proved") {
            table.remove("own");
        }
        if table.get("states").and_then(Item::as_integer) == Some(UNCOUNTED) {
            table.remove("states");
        }
        if undecided.is_empty() {
            continue;
        }
        let before = table.decor().prefix().and_then(|it| it.as_str()).unwrap_or("\n").to_string();
        table
            .decor_mut()
            .set_prefix(format!("{before}# Not decided in the time of the test: {}.\n", undecided.join(", ")));
    }
}

fn table(document: &mut DocumentMut, kind: Kind, index: usize) -> Option<&mut Table> {
    document.get_mut(kind.table()?)?.as_array_of_tables_mut()?.get_mut(index)
}

impl Case {
    /// True if the expectation was filled in.
    pub(super) fn is_in(&self, filled: &Filled) -> bool {
        filled.contains(&(self.kind, self.index))
    }
}
