//! Variables that no positive literal binds.

use crate::gdl::{Facts, Literal, RuleNode, Shape, TermId, keyword, one_slip_apart};
use crate::{Diagnostic, FileId, Findings, Rule, Severity, TextEdit};
use percept_syntax::TextRange;

/// See the page.
pub static RULE: Rule =
    Rule { name: "unsafe-variable", severity: Severity::Error, page: include_str!("unsafe-variable.md") };

/// Where a variable stands that something else must bind.
#[derive(Clone, Copy)]
enum Use {
    Head,
    Negation,
    Distinct,
}

pub fn check(facts: &Facts, findings: &mut Findings) {
    for (_, rule) in facts.sound_rules().filter(|(_, rule)| !rule.variables.is_empty()) {
        // A literal with an argument too few does not bind what it should.
        if findings.reported_by("relation-arity", FileId(0), rule.statement.range) {
            continue;
        }
        let mut pass = Pass { facts, rule, reported: vec![false; rule.variables.len()], findings };
        let bound = pass.bound_by(&rule.body, &vec![false; rule.variables.len()]);
        if let Some(head) = rule.head {
            pass.require(head, &bound, Use::Head);
        }
        pass.list(&rule.body, &bound);
    }
}

struct Pass<'p, 'a> {
    facts: &'p Facts<'a>,
    rule: &'p RuleNode<'a>,
    reported: Vec<bool>,
    findings: &'p mut Findings,
}

impl Pass<'_, '_> {
    /// The variables bound by a conjunction, and those bound already.
    fn bound_by(&self, literals: &[Literal], already: &[bool]) -> Vec<bool> {
        let mut bound = already.to_vec();
        for literal in literals {
            match literal {
                Literal::Atom(atom) => self.mark(*atom, &mut bound),
                Literal::And { parts, .. } => bound = self.bound_by(parts, &bound),
                Literal::Or { parts, .. } => {
                    let branches: Vec<Vec<bool>> =
                        parts.iter().map(|part| self.bound_by(std::slice::from_ref(part), already)).collect();
                    if !branches.is_empty() {
                        for (n, bound) in bound.iter_mut().enumerate() {
                            *bound |= branches.iter().all(|branch| branch[n]);
                        }
                    }
                }
                Literal::Not { .. } | Literal::Distinct { .. } => {}
            }
        }
        bound
    }

    fn mark(&self, term: TermId, bound: &mut [bool]) {
        let node = self.facts.term(term);
        if let Some(variable) = node.variable() {
            bound[variable as usize] = true;
        }
        node.args().for_each(|arg| self.mark(arg, bound));
    }

    /// Looks at the literals that bind nothing, given what the conjunction around them binds.
    fn list(&mut self, literals: &[Literal], bound: &[bool]) {
        for literal in literals {
            match literal {
                Literal::Atom(_) => {}
                Literal::Distinct { args, .. } => {
                    args.iter().for_each(|arg| self.require(*arg, bound, Use::Distinct));
                }
                Literal::Not { parts, .. } => parts.iter().for_each(|part| self.negated(part, bound)),
                Literal::And { parts, .. } => {
                    let bound = self.bound_by(parts, bound);
                    self.list(parts, &bound);
                }
                Literal::Or { parts, .. } => {
                    for part in parts {
                        let part = std::slice::from_ref(part);
                        let bound = self.bound_by(part, bound);
                        self.list(part, &bound);
                    }
                }
            }
        }
    }

    fn negated(&mut self, literal: &Literal, bound: &[bool]) {
        match literal {
            Literal::Atom(atom) => {
                self.require(*atom, bound, Use::Negation);
                // One finding for one literal.
                let mut inside = vec![false; bound.len()];
                self.mark(*atom, &mut inside);
                self.reported.iter_mut().zip(inside).for_each(|(reported, inside)| *reported |= inside);
            }
            Literal::Distinct { args, .. } => args.iter().for_each(|arg| self.require(*arg, bound, Use::Distinct)),
            Literal::Not { parts, .. } | Literal::Or { parts, .. } | Literal::And { parts, .. } => {
                parts.iter().for_each(|part| self.negated(part, bound));
            }
        }
    }

    fn require(&mut self, term: TermId, bound: &[bool], place: Use) {
        let node = self.facts.term(term);
        if let Some(variable) = node.variable() {
            let variable = variable as usize;
            if !bound[variable] && !std::mem::replace(&mut self.reported[variable], true) {
                let mut finding = self.finding(term, variable, place);
                if self.declares() {
                    // Nothing has to read a declaration, so the game goes on without.
                    finding.severity = Severity::Warning;
                }
                if self.rule.is_fact() {
                    // One finding for one fact, however many variables it has.
                    self.reported.fill(true);
                }
                self.findings.push(finding);
            }
        }
        node.args().for_each(|arg| self.require(arg, bound, place));
    }

    /// Whether the rule only declares what there can be: `base`, `input`, `percept`, `action`.
    fn declares(&self) -> bool {
        let head = self.rule.head.map(|head| self.facts.term(head).sym);
        matches!(head, Some(keyword::BASE | keyword::INPUT | keyword::PERCEPT | keyword::ACTION))
    }

    fn finding(&self, term: TermId, variable: usize, place: Use) -> Diagnostic {
        let facts = self.facts;
        let range = facts.range(term);
        let shown = facts.text(range);
        if self.rule.is_fact() {
            let message =
                format!("a fact has no variables: write a value for `{shown}`, or make it a rule with conditions");
            return facts.at(&RULE, range, message);
        }
        if let Some(constant) = self.unmarked(variable) {
            let here = facts.range(constant);
            let message = format!("`{}` is a constant: did you mean the variable `{shown}`?", facts.text(here));
            let edit = TextEdit { file: FileId(0), range: here, insert: shown.to_string() };
            let finding = facts.at(&RULE, here, message).related(FileId(0), range, "nothing else binds this one");
            return finding.fix(format!("Change to `{shown}`"), vec![edit]);
        }
        let missing = match self.half_bound(variable) {
            Some(_) => "only some branches of the `or` bind it",
            None => "no positive literal of the body binds it",
        };
        let message = match place {
            Use::Head => format!("`{shown}` in the head is unsafe: {missing}"),
            Use::Negation => {
                format!("`{shown}` under `not` is unsafe: {missing}; `not` only tests values that others bind")
            }
            Use::Distinct => format!("`{shown}` in `distinct` is unsafe: {missing}"),
        };
        let mut finding = facts.at(&RULE, range, message);
        if let Some(branch) = self.half_bound(variable) {
            finding = finding.related(FileId(0), branch, "this branch does not bind it");
        }
        if let Some(near) = self.near_variable(variable) {
            finding.message = format!("{}; did you mean `{}`?", finding.message, facts.text(near));
            let insert = facts.text(near).to_string();
            finding = finding
                .related(FileId(0), near, "this one is bound")
                .fix(format!("Rename to `{insert}`"), vec![TextEdit { file: FileId(0), range, insert }]);
        } else if self.is_role(variable) && facts.source.language == percept_syntax::Language::GdlPrefix {
            finding.message = format!("{}; add `(role {shown})`", finding.message);
            let at = TextRange::at(self.rule.statement.range.end.saturating_sub(1));
            let edit = TextEdit { file: FileId(0), range: at, insert: format!(" (role {shown})") };
            finding = finding.fix(format!("Add `(role {shown})`"), vec![edit]);
        }
        finding
    }

    /// A constant in the rule's positive literals that is the variable without its mark: `side` for `?side`.
    fn unmarked(&self, variable: usize) -> Option<TermId> {
        let facts = self.facts;
        let name = &facts.term(self.rule.variables[variable].first).ast.name.text;
        let mut atoms = Vec::new();
        for literal in &self.rule.body {
            literal.atoms(false, &mut |atom, negated| atoms.extend((!negated).then_some(atom)));
        }
        let is_it = |term: &TermId| {
            let node = facts.term(*term);
            node.shape == Shape::Constant && node.ast.name.text.eq_ignore_ascii_case(name)
        };
        let mut todo: Vec<TermId> = atoms.iter().flat_map(|atom| facts.term(*atom).args()).collect();
        while let Some(term) = todo.pop() {
            if is_it(&term) {
                return Some(term);
            }
            todo.extend(facts.term(term).args());
        }
        None
    }

    /// The first branch of a disjunction that does not bind the variable while another does.
    fn half_bound(&self, variable: usize) -> Option<TextRange> {
        let nothing = vec![false; self.rule.variables.len()];
        self.rule.body.iter().find_map(|literal| {
            let Literal::Or { parts, .. } = literal else { return None };
            let binds = |part: &Literal| self.bound_by(std::slice::from_ref(part), &nothing)[variable];
            let missing = parts.iter().find(|part| !binds(part))?;
            parts.iter().any(binds).then(|| self.facts.literal_range(missing))
        })
    }

    /// A variable of the body that is bound and one slip away, used nowhere else twice.
    fn near_variable(&self, variable: usize) -> Option<TextRange> {
        let nothing = vec![false; self.rule.variables.len()];
        let bound = self.bound_by(&self.rule.body, &nothing);
        let name = |n: usize| &self.facts.term(self.rule.variables[n].first).ast.name.text;
        let mut near = (0..bound.len()).filter(|n| bound[*n] && one_slip_apart(name(variable), name(*n)));
        let first = near.next()?;
        near.next().is_none().then(|| self.facts.range(self.first_in_body(first)))
    }

    fn first_in_body(&self, variable: usize) -> TermId {
        let in_head = |id: &TermId| {
            self.rule.head.is_some_and(|head| self.facts.range(head).contains_range(self.facts.range(*id)))
        };
        let is_it = |id: &TermId| self.facts.term(*id).variable() == Some(variable as u32);
        self.rule.terms().find(|id| is_it(id) && !in_head(id)).unwrap_or(self.rule.variables[variable].first)
    }

    /// Whether the variable is the role of the rule's head.
    fn is_role(&self, variable: usize) -> bool {
        let Some(head) = self.rule.head.map(|head| self.facts.term(head)) else { return false };
        let first = head.arg(0).map(|arg| self.facts.term(arg));
        keyword::has_role_argument(head.sym)
            && head.sym != keyword::ROLE
            && first.is_some_and(|first| first.variable() == Some(variable as u32))
    }
}
