//! `--update`: writes the actual values to the files, after showing them; comments and order stay.

use std::collections::BTreeMap;

use toml_edit::{DocumentMut, InlineTable, Item, TableLike, Value};

use super::ask::{Case, Kind};
use super::{Tested, fill};
use crate::failure::{FOUND, Failure, OK, Outcome};
use crate::output;
use crate::save;

/// A value of a file: the table's name and number, and the keys below it.
type At = (&'static str, usize, Vec<String>);

pub(super) fn run(tested: &[Tested]) -> Outcome {
    let mut left = false;
    for one in tested {
        let changed = changed(one)?;
        left |= changed.left;
        if changed.text != one.suite.written {
            let path = &one.suite.path;
            output::print(&shown(&path.display().to_string(), &one.suite.written, &changed.text));
            save::file(path, &changed.text)?;
        }
    }
    Ok(if left { FOUND } else { OK })
}

/// The file with the actual values.
pub(super) struct Changed {
    pub text: String,
    /// True if a failure cannot be written as a value.
    left: bool,
}

/// The file with the values that were found in place of those that were expected.
pub(super) fn changed(tested: &Tested) -> Result<Changed, Failure> {
    let path = tested.suite.path.display();
    let mut document: DocumentMut =
        tested.suite.text.parse().map_err(|error| Failure::new(format!("{path}: {error}")))?;
    let mut left = false;
    let mut found: BTreeMap<At, Vec<Value>> = BTreeMap::new();
    for ran in &tested.ran {
        match &ran.outcome {
            Err(_) => left = true,
            Ok(differences) => {
                for it in differences {
                    found.entry(at(&ran.case, &it.keys)).or_default().push(it.found.clone());
                }
            }
        }
    }
    let games = 1 + tested.suite.expected.also.len();
    for ((table, index, keys), values) in found {
        // A file may cover several games: only values that all of them share can be written.
        let same = values.iter().all(|value| value.to_string() == values[0].to_string());
        if !same || values.len() < games {
            left = true;
            output::say(&format!("{path}: {} is left unchanged: it differs from game to game", keys.join(".")));
            continue;
        }
        let parent: Option<&mut dyn TableLike> = match table {
            "" => Some(document.as_table_mut()),
            _ => document
                .get_mut(table)
                .and_then(Item::as_array_of_tables_mut)
                .and_then(|tables| tables.get_mut(index))
                .map(|table| table as &mut dyn TableLike),
        };
        match parent {
            Some(parent) => set(parent, &keys, values[0].clone()),
            None => left = true,
        }
    }
    fill::without_open(&mut document, &tested.suite.filled);
    Ok(Changed { text: document.to_string(), left })
}

fn at(case: &Case, keys: &[String]) -> At {
    let table = case.kind.table().unwrap_or("");
    debug_assert!(!table.is_empty() || case.kind == Kind::Play);
    (table, case.index, keys.to_vec())
}

/// Sets a value, and keeps the white space and the comment around the old one.
fn set(table: &mut dyn TableLike, keys: &[String], mut value: Value) {
    let Some((first, rest)) = keys.split_first() else { return };
    if rest.is_empty() {
        if let Some(old) = table.get(first).and_then(Item::as_value) {
            *value.decor_mut() = old.decor().clone();
        }
        table.insert(first, Item::Value(value));
        return;
    }
    let inner = table.entry(first).or_insert_with(|| Item::Value(Value::InlineTable(InlineTable::new())));
    if let Some(inner) = inner.as_table_like_mut() {
        set(inner, rest, value);
    }
}

/// The changed lines, old and new.
fn shown(path: &str, old: &str, new: &str) -> String {
    let mut text = format!("{path}:\n");
    for change in similar::TextDiff::from_lines(old, new).iter_all_changes() {
        let sign = match change.tag() {
            similar::ChangeTag::Equal => continue,
            similar::ChangeTag::Delete => "-",
            similar::ChangeTag::Insert => "+",
        };
        text.push_str(&format!("  {sign} {}", change.value().trim_end()));
        text.push('\n');
    }
    text
}
