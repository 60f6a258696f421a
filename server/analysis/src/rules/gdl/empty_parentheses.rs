//! Empty parentheses, and arrows without conditions.

use crate::gdl::{Facts, Node, Shape, Space, Sym, TermId, keyword};
use crate::{FileId, Findings, Fix, Rule, Severity, TextEdit};
use percept_syntax::Language;
use rustc_hash::FxHashMap;

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "empty-parentheses", severity: Severity::Warning, page: include_str!("empty-parentheses.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let mut plain: FxHashMap<(Sym, bool), bool> = FxHashMap::default();
    for (_, rule) in facts.sound_rules() {
        if let (Some(arrow), true, Some(head)) = (rule.arrow(), rule.body().is_empty(), rule.head()) {
            let head = facts.text(facts.range(head)).to_string();
            let message = format!("this rule has no conditions: write the fact `{head}`");
            let edit = TextEdit { file: FileId(0), range: rule.range, insert: head };
            findings.push(facts.at(&RULE, arrow, message).safe_fix("Make it a fact", vec![edit]));
        }
        for id in rule.terms() {
            let node = facts.term(id);
            if node.arity() > 0 || node.shape() != Shape::Compound || facts.source.language == Language::GdlInfix {
                continue;
            }
            let name = facts.spelling(node);
            let is_atom = is_atom(facts, id);
            // The answer takes a look at all terms, and a name may be written like this thousands of times.
            let is_plain = plain.entry((node.sym, is_atom)).or_insert_with(|| has_plain_form(facts, node.sym, is_atom));
            if !*is_plain && node.sym != keyword::TERMINAL {
                continue;
            }
            // A repair that merges two terms changes the game; the others keep its meaning.
            let (message, title) = match is_atom {
                _ if node.sym == keyword::TERMINAL => (
                    "write `terminal` without parentheses: other programs do not accept `(terminal)`".to_string(),
                    format!("Write `{name}`"),
                ),
                true => (
                    format!(
                        "`({name})` and `{name}` are one relation in Percept and two in other programs: write \
                        `{name}`, as elsewhere in the game"
                    ),
                    format!("Write `{name}`"),
                ),
                false => (
                    format!(
                        "`({name})` and `{name}` are two different terms: write `{name}`, as elsewhere in the game"
                    ),
                    format!("Change to `{name}`"),
                ),
            };
            let edit = TextEdit { file: FileId(0), range: node.range(), insert: name.to_string() };
            let fix = Fix { title, edits: vec![edit], is_safe: node.sym == keyword::TERMINAL || is_atom };
            let mut finding = facts.at(&RULE, node.range(), message);
            finding.fixes.push(fix);
            findings.push(finding);
        }
    }
}

/// True if a term is a relation, not nested in one. Occurrences are in the order of the text, as terms are.
fn is_atom(facts: &Facts, id: TermId) -> bool {
    let relation = facts.predicate(Space::Relation, facts.term(id).sym);
    relation.is_some_and(|relation| relation.occurrences.binary_search_by_key(&id, |atom| atom.term).is_ok())
}

/// True if the name also occurs without parentheses, as a relation or (`false`) inside one.
fn has_plain_form(facts: &Facts, sym: Sym, as_relation: bool) -> bool {
    let is_plain = |node: &Node| node.shape() == Shape::Constant && node.sym == sym;
    let relation = facts.predicate(Space::Relation, sym);
    let atoms = relation.into_iter().flat_map(|it| &it.occurrences).filter(|atom| is_plain(facts.term(atom.term)));
    let atoms = atoms.count();
    match as_relation {
        true => atoms > 0,
        false => facts.lowered.terms.iter().filter(|node| is_plain(node)).count() > atoms,
    }
}
