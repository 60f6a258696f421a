//! Facts of the initial state that are repeated.

use percept_syntax::TextRange;
use percept_syntax::pddl::{Expr, Init};
use rustc_hash::FxHashMap;

use crate::pddl::{Facts, KeyId, Place, UseKind, remove};
use crate::{Diagnostic, Findings, Related, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "repeated-init", severity: Severity::Warning, page: include_str!("repeated-init.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let mut seen: FxHashMap<KeyId, TextRange> = FxHashMap::default();
    let mut values: FxHashMap<TextRange, Option<f64>> = FxHashMap::default();
    for init in model.problem.into_iter().flat_map(|problem| &problem.init) {
        if let Init::Value { target, value, .. } = init {
            let number = match value {
                Expr::Number { text, .. } => text.parse().ok(),
                _ => None,
            };
            values.insert(target.range, number);
        }
    }
    let mut gathered: Option<Diagnostic> = None;
    let mut copies = 0;
    let init = model.uses.iter().filter(|atom| atom.place == Place::Init);
    for atom in init.filter(|atom| matches!(atom.kind, UseKind::InitFact | UseKind::InitValue)) {
        let Some(first) = seen.insert(atom.key, atom.range) else { continue };
        seen.insert(atom.key, first);
        let text = facts.quote(atom.file, atom.range);
        let is_value = atom.kind == UseKind::InitValue;
        let differs = is_value && values.get(&atom.range) != values.get(&first);
        if differs {
            // Another rule's finding.
            continue;
        }
        let message = format!("`{text}` is already in `:init`: remove it");
        let mut finding = facts.at(&RULE, atom.file, atom.range, message).unnecessary();
        finding = finding.related(atom.file, first, "the first one");
        if !is_value {
            finding.fixes.push(remove(format!("Remove `{text}`"), model.problem_source, atom.file, atom.range).safe());
        }
        copies += 1;
        match &mut gathered {
            None => gathered = Some(finding),
            Some(first) => {
                if copies <= SHOWN {
                    first.related.push(Related {
                        file: atom.file,
                        range: atom.range,
                        message: "again here".to_owned(),
                    });
                }
                // One repair removes all of them.
                if let (Some(mine), Some(its)) = (finding.fixes.pop(), first.fixes.first_mut()) {
                    its.title = "Remove all repeated facts".to_owned();
                    its.edits.extend(mine.edits);
                }
            }
        }
    }
    if let Some(mut first) = gathered {
        if copies > 1 {
            first.message += &format!(" (and {} more facts are repeated)", copies - 1);
        }
        findings.push(first);
    }
}

/// The number of other repeated facts shown.
const SHOWN: usize = 6;
