//! A keyword used as a plain constant.

use crate::gdl::{Facts, Shape, TermId, keyword};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "keyword-as-constant", severity: Severity::Warning, page: include_str!("keyword-as-constant.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    for (_, rule) in facts.sound_rules() {
        rule.head().iter().for_each(|head| inside(facts, *head, findings));
        for literal in rule.body() {
            literal.atoms(false, &mut |atom, _| inside(facts, atom, findings));
        }
    }
}

fn inside(facts: &Facts, term: TermId, findings: &mut Findings) {
    let node = facts.term(term);
    if matches!(node.sym, keyword::SEES | keyword::PERCEPT) && node.shape() == Shape::Compound {
        return;
    }
    for arg in node.args() {
        let part = facts.term(arg);
        let is_keyword = keyword::is_relation(part.sym) || keyword::is_connective(part.sym);
        if part.shape() == Shape::Constant && is_keyword && !is_modern(part.sym) {
            let message =
                format!("`{}` is a keyword: other programs may not accept it as a constant", facts.spelling(part));
            findings.push(facts.at(&RULE, part.range(), message));
        }
        inside(facts, arg, findings);
    }
}

/// Words that became keywords after many games had been written, and are common words.
fn is_modern(sym: crate::gdl::Sym) -> bool {
    matches!(sym, keyword::BASE | keyword::INPUT | keyword::ACTION | keyword::PERCEPT | keyword::AND | keyword::SEES)
}
