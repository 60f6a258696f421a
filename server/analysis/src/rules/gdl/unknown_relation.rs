//! A relation that is used and never defined.

use crate::gdl::{Facts, Occurrence, Predicate, Space, keyword, nearest, slips};
use crate::{Diagnostic, FileId, Findings, Rule, Severity, TextEdit};
use percept_syntax::TextRange;

/// See the page.
pub static RULE: Rule =
    Rule { name: "unknown-relation", severity: Severity::Error, page: include_str!("unknown-relation.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    for predicate in slips::undefined(facts, Space::Relation) {
        let Some(first) = predicate.read().find(|occurrence| !facts.is_broken(occurrence.rule)) else { continue };
        let mut finding = describe(facts, predicate, first);
        for other in predicate.read().filter(|other| other.term != first.term).take(5) {
            finding = finding.related(FileId(0), facts.range(other.term), "also used here");
        }
        findings.push(finding);
        // What stands inside a misspelt `not` is a literal, whatever it looks like.
        if slips::near_keyword(facts, predicate) == Some("not") {
            for occurrence in predicate.read() {
                facts.term(occurrence.term).args().for_each(|arg| findings.explain(FileId(0), facts.range(arg)));
            }
        }
    }
}

fn describe(facts: &Facts, predicate: &Predicate, first: &Occurrence) -> Diagnostic {
    let name = facts.name(predicate.sym);
    let node = facts.term(first.term);
    let whole = node.range();
    let at = |message: String| facts.at(&RULE, node.name_range(), message);
    let wrap = |before: String, after: &str| {
        vec![
            TextEdit { file: FileId(0), range: TextRange::at(whole.start), insert: before },
            TextEdit { file: FileId(0), range: TextRange::at(whole.end), insert: after.to_string() },
        ]
    };
    let text = facts.text(whole);
    let prefix = facts.source.language == percept_syntax::Language::GdlPrefix;
    let open = |word: &str| if prefix { format!("({word} ") } else { format!("{word}(") };
    if let Some(keyword) = slips::near_keyword(facts, predicate) {
        let edit = TextEdit { file: FileId(0), range: node.name_range(), insert: keyword.to_string() };
        return at(format!("nothing defines `{name}`: did you mean the keyword `{keyword}`?"))
            .fix(format!("Rename to `{keyword}`"), vec![edit]);
    }
    if slips::is_made(facts, Space::Fluent, predicate.sym) {
        let around = open("true");
        return at(format!("`{name}` is a fluent, and a fluent is read with `true`: write `{around}{text})`"))
            .fix("Put it inside `true`", wrap(around, ")"));
    }
    if slips::is_made(facts, Space::Move, predicate.sym) {
        return at(format!("`{name}` is a move, and a move is read with `does`: write `{}role {text})`", open("does")));
    }
    let makers = slips::defined(facts, Space::Relation).filter(|other| !keyword::is_relation(other.sym));
    let alike = makers.filter(|other| same_arity(facts, other, node.arity())).map(|other| facts.name(other.sym));
    if let Some(near) = nearest(name, alike) {
        let made = slips::unused(facts, Space::Relation).find(|other| facts.name(other.sym) == near);
        let heads: Vec<&Occurrence> = made.into_iter().flat_map(|other| &other.occurrences).collect();
        // Used more often than defined: the slip is in the head.
        if !heads.is_empty() && predicate.read().count() > heads.len() {
            let range = facts.term(heads[0].term).name_range();
            let edits = heads.iter().map(|head| TextEdit {
                file: FileId(0),
                range: facts.term(head.term).name_range(),
                insert: name.to_string(),
            });
            return facts
                .at(
                    &RULE,
                    range,
                    format!("nothing uses `{near}`, and nothing defines `{name}`: did you mean `{name}`?"),
                )
                .fix(format!("Rename to `{name}`"), edits.collect())
                .related(FileId(0), node.name_range(), "used here");
        }
        let edits = predicate.occurrences.iter().map(|occurrence| TextEdit {
            file: FileId(0),
            range: facts.term(occurrence.term).name_range(),
            insert: near.to_string(),
        });
        return at(format!("nothing defines `{name}`: did you mean `{near}`?"))
            .fix(format!("Rename to `{near}`"), edits.collect());
    }
    if matches!(name, "!=" | "\\=" | "/=" | "<>" | "neq") && node.arity() == 2 {
        let edit = TextEdit { file: FileId(0), range: node.name_range(), insert: "distinct".into() };
        return at(format!("nothing defines `{name}`: `distinct` compares two terms"))
            .fix("Write `distinct`", vec![edit]);
    }
    at(format!("nothing defines `{name}`, so this can never hold: add a fact or a rule for it"))
}

fn same_arity(facts: &Facts, other: &Predicate, arity: usize) -> bool {
    other.produced().any(|occurrence| facts.term(occurrence.term).arity() == arity)
}
