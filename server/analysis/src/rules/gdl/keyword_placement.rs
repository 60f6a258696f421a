//! Keywords in places where the language does not allow them.

use crate::gdl::{Facts, Node, Shape, Space, TermId, keyword};
use crate::{FileId, Findings, Rule, Severity, TextEdit};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "keyword-placement", severity: Severity::Error, page: include_str!("keyword-placement.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    for id in &facts.structure.misplaced {
        let rule = &facts.lowered.rules[*id as usize];
        rule.head().iter().for_each(|head| in_head(facts, facts.term(*head), !rule.body().is_empty(), findings));
    }
    for (_, rule) in facts.sound_rules() {
        if let Some(head) = rule.head() {
            in_head(facts, facts.term(head), !rule.body().is_empty(), findings);
            inside(facts, head, findings);
        }
        for literal in rule.body() {
            literal.atoms(false, &mut |atom, _| {
                in_body(facts, facts.term(atom), findings);
                inside(facts, atom, findings);
            });
        }
    }
}

fn in_head(facts: &Facts, node: &Node, has_body: bool, findings: &mut Findings) {
    let word = facts.spelling(node);
    if node.sym == keyword::TRUE && !has_body {
        let message = "`true` reads the state and cannot be a fact: `init` defines the first state";
        let edit = TextEdit { file: FileId(0), range: node.name_range(), insert: "init".into() };
        findings.push(facts.at(&RULE, node.name_range(), message).fix("Change to `init`", vec![edit]));
        return;
    }
    let message = match (node.sym, node.shape()) {
        (_, Shape::Variable(_)) => "a variable cannot be the head of a rule: name a relation".to_string(),
        (keyword::TRUE, _) => {
            "`true` cannot be a head: `next` defines the next state, `init` the first one".to_string()
        }
        (keyword::DOES, _) => "`does` cannot be a head: `legal` defines the moves".to_string(),
        (keyword::ROLE, _) if has_body => "roles are facts: write `(role name)` without conditions".to_string(),
        (sym, _) if keyword::is_connective(sym) => format!("`{word}` cannot be a head: it belongs in a body"),
        _ => return,
    };
    findings.push(facts.at(&RULE, node.name_range(), message));
}

fn in_body(facts: &Facts, node: &Node, findings: &mut Findings) {
    let message = match (node.sym, node.shape()) {
        (_, Shape::Variable(_)) => "a variable cannot be a literal: name a relation".to_string(),
        (keyword::INIT, _) => "`init` cannot be in a body: `true` reads the state".to_string(),
        (keyword::BASE | keyword::INPUT, _) if Some(node.arity()) == keyword::arity(node.sym) => {
            format!("`{}` only declares and cannot be in a body", facts.spelling(node))
        }
        (keyword::SEES, _) => {
            "`sees` cannot be in a body: its rules give a role's percepts after the round".to_string()
        }
        (keyword::ARROW, _) => "a rule cannot be inside another: close the rule before it".to_string(),
        _ => return,
    };
    findings.push(facts.at(&RULE, node.name_range(), message));
}

/// Reports keywords as functors inside terms if [`is_reserved_function`]. A percept may contain any term.
fn inside(facts: &Facts, atom: TermId, findings: &mut Findings) {
    let node = facts.term(atom);
    if matches!(node.sym, keyword::SEES | keyword::PERCEPT) {
        return;
    }
    for arg in node.args() {
        let part = facts.term(arg);
        if part.shape() == Shape::Compound && is_reserved_function(part) && !is_a_name_here(facts, part) {
            let message = format!(
                "`{}` is a keyword and cannot be a function inside `{}`",
                facts.spelling(part),
                facts.spelling(node)
            );
            findings.push(facts.at(&RULE, part.name_range(), message));
        } else {
            inside(facts, arg, findings);
        }
    }
}

/// True if the language reserves a function of this name: the connectives always, the relations of GDL with their own
/// number of arguments. `sees`, `percept` and `action` are not reserved.
fn is_reserved_function(part: &Node) -> bool {
    let is_known_to_some = matches!(part.sym, keyword::SEES | keyword::PERCEPT | keyword::ACTION);
    let is_relation = !is_known_to_some && keyword::arity(part.sym) == Some(part.arity());
    keyword::is_connective(part.sym) || is_relation
}

/// True if the author has a fluent or move of this name that is made and read: `(init (goal 3 4))`, `(true (goal ?x
/// ?y))`. The keyword as a relation is in another place, so the two cannot be confused.
fn is_a_name_here(facts: &Facts, part: &Node) -> bool {
    !keyword::is_connective(part.sym)
        && [Space::Fluent, Space::Move].into_iter().any(|space| {
            facts.predicate(space, part.sym).is_some_and(|name| {
                name.produced().next().is_some() && name.read().any(|read| !facts.is_broken(read.rule))
            })
        })
}
