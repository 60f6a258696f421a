//! Something in the place of a role that is no role.

use crate::gdl::{Facts, Node, RuleId, Shape, Sym, TermId, keyword, nearest};
use crate::{FileId, Findings, Rule, Severity, TextEdit};

/// See the page.
pub static RULE: Rule =
    Rule { name: "unknown-role", severity: Severity::Error, page: include_str!("unknown-role.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    let Some(roles) = &facts.roles else { return };
    for (id, rule) in facts.sound_rules() {
        if let Some(head) = rule.head {
            atom(facts, roles, head, true, findings);
            variable(facts, roles, id, head, findings);
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

/// A head whose first argument is a variable that no role can be.
fn variable(facts: &Facts, roles: &[Sym], rule: RuleId, head: TermId, findings: &mut Findings) {
    let node = facts.term(head);
    let Some(first) = node.arg(0).map(|arg| facts.term(arg)) else { return };
    let (Some(number), true) = (first.variable(), speaks_of_roles(node)) else { return };
    let mut places = facts.domains.places_of(rule, number).peekable();
    let closed = places.peek().is_some()
        && places.all(|place| !facts.domains.is_open(place) && !facts.domains.is_empty(place));
    if !closed || roles.iter().any(|role| facts.domains.variable_can_be(rule, number, *role)) {
        return;
    }
    let (shown, keyword) = (facts.text(first.range()), &node.ast.name.text);
    let message = format!("no value of `{shown}` is a role, and the first argument of `{keyword}` must be one: bind it with `(role {shown})`");
    findings.push(facts.at(&RULE, first.range(), message));
}

/// Whether the atom is one of a keyword about a role, with the right number of arguments.
fn speaks_of_roles(node: &Node) -> bool {
    let right_arity = Some(node.arity()) == keyword::arity(node.sym);
    node.variable().is_none() && keyword::has_role_argument(node.sym) && right_arity && node.sym != keyword::ROLE
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
