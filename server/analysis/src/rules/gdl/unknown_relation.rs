//! A relation that is used and never defined.

use super::foreign;
use super::mends;
use crate::gdl::{Facts, Literal, Occurrence, Predicate, Space, keyword, slips};
use crate::{Diagnostic, FileId, Findings, Rule, Severity, TextEdit};
use percept_syntax::TextRange;

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "unknown-relation", severity: Severity::Error, page: include_str!("unknown-relation.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    for predicate in facts.undefined(Space::Relation) {
        let Some(first) = predicate.read().find(|occurrence| !facts.is_broken(occurrence.rule)) else { continue };
        let mut finding = describe(facts, predicate, first);
        for other in predicate.read().filter(|other| other.term != first.term).take(5) {
            finding = finding.related(FileId(0), facts.range(other.term), "also used here");
        }
        findings.push(finding);
        // Inside a misspelt `not`, a term is a literal, whatever it looks like.
        if facts.near_keyword(predicate) == Some("not") {
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
    if let Some(keyword) = facts.near_keyword(predicate) {
        return at(format!("nothing defines `{name}`: did you mean the keyword `{keyword}`?")).offer([mends::rename(
            facts,
            [first.term],
            keyword,
        )]);
    }
    if slips::is_made(facts, Space::Fluent, predicate.sym) {
        let around = open("true");
        return at(format!("`{name}` is a fluent, and a fluent is read with `true`: write `{around}{text})`"))
            .fix("Put it inside `true`", wrap(around, ")"));
    }
    if slips::is_made(facts, Space::Move, predicate.sym) {
        return at(format!("`{name}` is a move, and a move is read with `does`: write `{}role {text})`", open("does")));
    }
    let makers = facts.near_defined(Space::Relation).of(name).filter(|(_, sym)| !keyword::is_relation(*sym));
    let makers = makers.filter_map(|(_, sym)| facts.predicate(Space::Relation, sym));
    let alike = makers.filter(|other| same_arity(facts, other, node.arity()));
    if let Some(near) = slips::meant(facts, predicate, alike).or_else(|| facts.guessed(predicate)) {
        let made = facts.lowered.symbols.find(near).and_then(|sym| facts.predicate(Space::Relation, sym));
        let made = made.filter(|made| facts.is_unused(made));
        let heads: Vec<&Occurrence> = made.into_iter().flat_map(|other| &other.occurrences).collect();
        // Used more often than defined: the slip is in the head.
        if !heads.is_empty() && predicate.read().count() > heads.len() {
            let range = facts.term(heads[0].term).name_range();
            return facts
                .at(
                    &RULE,
                    range,
                    format!("nothing uses `{near}`, and nothing defines `{name}`: did you mean `{name}`?"),
                )
                .offer([mends::rename(facts, heads.iter().map(|head| head.term), name)])
                .related(FileId(0), node.name_range(), "used here");
        }
        return at(format!("nothing defines `{name}`: did you mean `{near}`?")).offer([mends::rename(
            facts,
            predicate.occurrences.iter().map(|it| it.term),
            near,
        )]);
    }
    if let Some(finding) = comparison(facts, predicate, first) {
        return finding;
    }
    if let Some(instead) = foreign::instead_of(name) {
        return at(format!("GDL has no `{name}`: {instead}"));
    }
    at(format!("nothing defines `{name}`, so this can never hold: add a fact or a rule for it"))
        .offer(mends::without_reads(facts, predicate))
}

/// Signs and words of other languages for equal or different terms.
fn comparison(facts: &Facts, predicate: &Predicate, first: &Occurrence) -> Option<Diagnostic> {
    let name = facts.name(predicate.sym);
    let equal = matches!(name.to_ascii_lowercase().as_str(), "=" | "==" | "===" | "eq" | "equal" | "equals" | "same");
    let unequal = matches!(
        name.to_ascii_lowercase().as_str(),
        "!=" | "!=="
            | "\\="
            | "\\=="
            | "/="
            | "=/="
            | "<>"
            | "≠"
            | "neq"
            | "noteq"
            | "notequal"
            | "not-equal"
            | "different"
    );
    let node = facts.term(first.term);
    if !(equal || unequal) || node.arity() != 2 {
        return None;
    }
    let at = |message: String| facts.at(&RULE, node.name_range(), message);
    let text = |n: usize| node.arg(n).map_or("", |arg| facts.text(facts.range(arg)));
    let written = match facts.source.language {
        percept_syntax::Language::GdlPrefix => format!("(distinct {} {})", text(0), text(1)),
        _ => format!("distinct({}, {})", text(0), text(1)),
    };
    if unequal {
        let edits = predicate.read().map(|read| TextEdit {
            file: FileId(0),
            range: facts.term(read.term).name_range(),
            insert: "distinct".into(),
        });
        let message = format!("GDL has no `{name}`: for two terms that differ, write `{written}`");
        return Some(at(message).fix("Write `distinct`", edits.collect()));
    }
    let Some(negation) = negation(facts, first) else {
        let message = format!("GDL has no `{name}`: for equal terms, write the same variable or name in both places");
        return Some(at(message));
    };
    let edit = TextEdit { file: FileId(0), range: negation, insert: written.clone() };
    let message = format!("GDL has no `{name}`: for two terms that differ, write `{written}`");
    Some(at(message).fix("Write `distinct`", vec![edit]))
}

/// The whole `not` directly around an atom.
fn negation(facts: &Facts, occurrence: &Occurrence) -> Option<TextRange> {
    let mut todo: Vec<&Literal> = facts.lowered.rules[occurrence.rule as usize].body().iter().collect();
    while let Some(literal) = todo.pop() {
        match literal {
            Literal::Not { range, parts, .. } => match &parts[..] {
                [Literal::Atom(atom)] if *atom == occurrence.term => return Some(*range),
                parts => todo.extend(parts),
            },
            Literal::Or { parts, .. } | Literal::And { parts, .. } => todo.extend(parts),
            Literal::Atom(_) | Literal::Distinct { .. } => {}
        }
    }
    None
}

fn same_arity(facts: &Facts, other: &Predicate, arity: usize) -> bool {
    other.produced().any(|occurrence| facts.term(occurrence.term).arity() == arity)
}
