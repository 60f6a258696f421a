//! A keyword with the wrong number of arguments.

use crate::gdl::{Facts, Literal, Node, Shape, Space, TermId, keyword};
use crate::{FileId, Findings, Rule, Severity, TextEdit};
use percept_syntax::TextRange;

/// See the page.
pub static RULE: Rule =
    Rule { name: "keyword-arity", severity: Severity::Error, page: include_str!("keyword-arity.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    for (_, rule) in facts.sound_rules() {
        if let Some(head) = rule.head {
            if rule.is_fact() && missing_arrow(facts, facts.term(head), findings) {
                continue;
            }
            atom(facts, facts.term(head), findings);
        }
        rule.body.iter().for_each(|part| literal(facts, part, findings));
    }
}

fn literal(facts: &Facts, literal_: &Literal, findings: &mut Findings) {
    match literal_ {
        Literal::Atom(term) => atom(facts, facts.term(*term), findings),
        Literal::Not { keyword, parts, .. } => {
            if parts.len() != 1 {
                let message = format!("`not` takes one literal, here are {}", parts.len());
                findings.push(facts.at(&RULE, *keyword, message));
            }
            parts.iter().for_each(|part| literal(facts, part, findings));
        }
        Literal::Or { keyword, parts, .. } | Literal::And { keyword, parts, .. } => {
            if parts.is_empty() {
                let word = facts.text(*keyword);
                findings.push(facts.at(&RULE, *keyword, format!("`{word}` joins nothing: give it literals or remove it")));
            }
            parts.iter().for_each(|part| literal(facts, part, findings));
        }
        Literal::Distinct { keyword, args, .. } if args.len() != 2 => {
            let message = format!("`distinct` compares two terms, here are {}", args.len());
            findings.push(facts.at(&RULE, *keyword, message));
        }
        Literal::Distinct { .. } => {}
    }
}

fn atom(facts: &Facts, node: &Node, findings: &mut Findings) {
    let Some(expected) = keyword::arity(node.sym).filter(|arity| *arity != node.arity()) else { return };
    if node.variable().is_some() || keyword::is_connective(node.sym) {
        return;
    }
    let word = &node.ast.name.text;
    let takes = match expected {
        0 => "no arguments".to_string(),
        1 => "one argument".to_string(),
        n => format!("{n} arguments"),
    };
    let holds = match node.sym {
        keyword::TRUE | keyword::NEXT | keyword::INIT | keyword::BASE => ", a fluent",
        keyword::ROLE => ", a role",
        keyword::GOAL => ", a role and a value",
        keyword::SEES | keyword::PERCEPT => ", a role and a percept",
        keyword::TERMINAL => "",
        _ => ", a role and a move",
    };
    let mut message = format!("`{word}` takes {takes}{holds}; here are {}", node.arity());
    let mut finding = None;
    if let Some(inner) = loose_term(facts, node, expected) {
        message = format!("{message}: write `({})` with parentheses of its own", facts.text(inner));
        let edits = vec![
            TextEdit { file: FileId(0), range: TextRange::at(inner.start), insert: "(".into() },
            TextEdit { file: FileId(0), range: TextRange::at(inner.end), insert: ")".into() },
        ];
        finding = Some(facts.at(&RULE, node.name_range(), message.clone()).fix("Add the parentheses", edits));
    }
    findings.push(finding.unwrap_or_else(|| facts.at(&RULE, node.name_range(), message)));
}

/// `secret ?n` in `(true secret ?n)`: a constant where the last argument begins, and something after it.
fn loose_term(facts: &Facts, node: &Node, expected: usize) -> Option<TextRange> {
    let start = facts.term(node.arg(expected.checked_sub(1)?)?);
    let last = facts.term(node.arg(node.arity() - 1)?);
    (start.shape == Shape::Constant && node.arity() > expected).then(|| start.range().cover(last.range()))
}

/// `(base (cell ?x ?y) (index ?x) (index ?y))`: a rule whose author forgot `<=` and a parenthesis.
fn missing_arrow(facts: &Facts, node: &Node, findings: &mut Findings) -> bool {
    let Some(expected) = keyword::arity(node.sym).filter(|arity| *arity < node.arity()) else { return false };
    let is_atom = |arg: &TermId| {
        let part = facts.term(*arg);
        let known = keyword::is_relation(part.sym)
            || keyword::is_connective(part.sym)
            || facts.predicate(Space::Relation, part.sym).is_some();
        part.shape == Shape::Compound && known
    };
    let extra: Vec<TermId> = node.args().skip(expected).collect();
    if keyword::is_connective(node.sym) || !extra.iter().all(is_atom) {
        return false;
    }
    let whole = node.range();
    let last_own = expected.checked_sub(1).and_then(|n| node.arg(n));
    let end_of_head = last_own.map_or(node.name_range().end, |arg| facts.range(arg).end);
    let word = &node.ast.name.text;
    let message = format!("this looks like a rule without `<=`: write `(<= ({word} ...) ...)`, since `{word}` holds {expected} and the rest are conditions");
    let finding = facts.at(&RULE, node.name_range(), message).fix(
        "Make it a rule",
        vec![
            TextEdit { file: FileId(0), range: TextRange::at(whole.start), insert: "(<= ".into() },
            TextEdit { file: FileId(0), range: TextRange::at(end_of_head), insert: ")".into() },
        ],
    );
    findings.push_cause(finding, whole);
    true
}
