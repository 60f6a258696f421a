//! Something in the place of a role that is no role.

use crate::gdl::{Facts, Node, Shape, Sym, TermId, keyword, nearest};
use crate::{FileId, Findings, Rule, Severity, TextEdit};

/// See the page.
pub static RULE: Rule =
    Rule { name: "unknown-role", severity: Severity::Error, page: include_str!("unknown-role.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    let Some(roles) = &facts.roles else { return };
    for (_, rule) in facts.sound_rules() {
        if let Some(head) = rule.head {
            atom(facts, roles, head, true, findings);
        }
        for literal in &rule.body {
            literal.atoms(false, &mut |term, _| atom(facts, roles, term, false, findings));
        }
    }
}

fn atom(facts: &Facts, roles: &[Sym], term: TermId, in_head: bool, findings: &mut Findings) {
    let node = facts.term(term);
    let right_arity = Some(node.arity()) == keyword::arity(node.sym);
    if node.variable().is_some() || !keyword::has_role_argument(node.sym) || !right_arity {
        return;
    }
    let Some(first) = node.arg(0).map(|arg| facts.term(arg)) else { return };
    let wrong = match first.shape {
        Shape::Constant => !roles.contains(&first.sym),
        Shape::Compound => true,
        _ => false,
    };
    if wrong && node.sym != keyword::ROLE {
        report(facts, roles, node, first, in_head, findings);
    }
}

fn report(facts: &Facts, roles: &[Sym], node: &Node, first: &Node, in_head: bool, findings: &mut Findings) {
    let names: Vec<&str> = roles.iter().map(|role| facts.name(*role)).collect();
    let shown = facts.text(first.range());
    let keyword = &node.ast.name.text;
    let list = names.join(", ");
    let near = nearest(shown, names.iter().copied());
    let message = match near {
        Some(near) => format!("`{shown}` is no role: did you mean `{near}`?"),
        None => format!("`{shown}` is no role, and the first argument of `{keyword}` must be one of: {list}"),
    };
    let mut finding = facts.at(&RULE, first.range(), message);
    if let Some(near) = near {
        let edit = TextEdit { file: FileId(0), range: first.range(), insert: near.to_string() };
        finding = finding.fix(format!("Rename to `{near}`"), vec![edit]);
    }
    // What is said of nobody changes nothing.
    if in_head && near.is_none() && first.shape == Shape::Constant {
        finding.severity = Severity::Warning;
    }
    findings.push(finding);
}
