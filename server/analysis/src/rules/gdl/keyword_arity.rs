//! A keyword with the wrong number of arguments.

use crate::gdl::{Facts, Literal, Node, RuleNode, Shape, Space, TermId, keyword};
use crate::{FileId, Findings, Rule, Severity, TextEdit};
use percept_syntax::TextRange;

/// See the page.
pub static RULE: Rule =
    Rule { name: "keyword-arity", severity: Severity::Error, page: include_str!("keyword-arity.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    for (_, rule) in facts.sound_rules() {
        if let Some(head) = rule.head {
            if swallowed_conditions(facts, rule, facts.term(head), findings) {
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
    let Some(expected) = keyword::arity(node.sym).filter(|_| !keyword::accepts(node.sym, node.arity())) else { return };
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

/// Conditions inside the head: `(base (cell ?x ?y) (index ?x) (index ?y))`, where `<=` and a parenthesis are missing, or
/// `(<= (base (cell ?x ?y) (index ?x) (index ?y)))`, where a parenthesis closes too late.
fn swallowed_conditions(facts: &Facts, rule: &RuleNode, head: &Node, findings: &mut Findings) -> bool {
    let Some(expected) = keyword::arity(head.sym).filter(|arity| *arity < head.arity()) else { return false };
    let is_atom = |arg: &TermId| {
        let part = facts.term(*arg);
        let known = keyword::is_relation(part.sym)
            || keyword::is_connective(part.sym)
            || facts.predicate(Space::Relation, part.sym).is_some();
        part.shape == Shape::Compound && known
    };
    if keyword::is_connective(head.sym) || !head.args().skip(expected).all(|arg| is_atom(&arg)) {
        return false;
    }
    let whole = head.range();
    let last_own = expected.checked_sub(1).and_then(|n| head.arg(n));
    let end_of_head = last_own.map_or(head.name_range().end, |arg| facts.range(arg).end);
    let word = &head.ast.name.text;
    let edit = |range: TextRange, insert: &str| TextEdit { file: FileId(0), range, insert: insert.to_string() };
    let close = edit(TextRange::at(end_of_head), ")");
    let finding = if rule.is_fact() {
        let message = format!(
            "this looks like a rule without `<=`: `{word}` holds {expected}, the rest are conditions; write `(<= ({word} ...) ...)`"
        );
        let edits = vec![edit(TextRange::at(whole.start), "(<= "), close];
        facts.at(&RULE, head.name_range(), message).fix("Make it a rule", edits)
    } else {
        let message = format!("`{word}` holds {expected} and here are {}: close its parenthesis before the conditions", head.arity());
        let edits = vec![close, edit(TextRange::new(whole.end.saturating_sub(1), whole.end), "")];
        facts.at(&RULE, head.name_range(), message).fix("Move the parenthesis", edits)
    };
    findings.push_cause(finding, rule.statement.range);
    true
}
