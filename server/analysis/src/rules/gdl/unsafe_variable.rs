//! Variables that no positive literal binds.

use super::mends;
use crate::gdl::{
    Facts, Literal, Node, Occurrence, RuleId, RuleNode, Shape, Space, Sym, TermId, keyword, one_slip_apart,
};
use crate::{Diagnostic, FileId, Findings, Fix, Rule, Severity, TextEdit};
use percept_syntax::TextRange;
use percept_syntax::near::{Near, is_doubled};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "unsafe-variable", severity: Severity::Error, page: include_str!("unsafe-variable.md") };

/// The kind of place at which a variable must be bound elsewhere.
#[derive(Clone, Copy)]
enum Use {
    Head,
    Negation,
    Distinct,
}

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let siblings = OnceCell::new();
    for (id, rule) in facts.sound_rules().filter(|(_, rule)| !rule.variables().is_empty()) {
        // A literal that lacks an argument does not bind the variable that it should.
        if findings.reported_by(&super::relation_arity::RULE, FileId(0), rule.range) {
            continue;
        }
        let bound = mends::bound_by(facts, rule.body());
        let reported = vec![false; rule.variables().len()];
        let mut pass =
            Pass { facts, id, rule, bound, reported, entailed: None, siblings: &siblings, plain: None, findings };
        if let Some(head) = rule.head() {
            pass.require(head, Use::Head);
        }
        pass.list(rule.body());
        pass.finish();
    }
}

struct Pass<'p, 'a> {
    facts: &'p Facts<'a>,
    id: RuleId,
    rule: &'p RuleNode,
    /// The variables that the surrounding conjunctions bind.
    bound: FxHashSet<u32>,
    reported: Vec<bool>,
    /// Made for the first finding of a rule.
    entailed: Option<Entailed>,
    /// The relations that bind variables elsewhere, computed for the first finding.
    siblings: &'p OnceCell<Siblings>,
    /// The finding about variables without a better explanation, with their names: one for each rule.
    plain: Option<(Diagnostic, Vec<String>)>,
    findings: &'p mut Findings,
}

/// The parts of a rule's body that help to guess the intended rule.
struct Entailed {
    /// The bound variables of the whole body, for a search by slips.
    bound: Near<u32>,
    /// For each variable that only some branches of an `or` bind, the first branch that does not.
    half_bound: FxHashMap<u32, TextRange>,
    /// The constants in its positive literals, by their names in lower case.
    constants: FxHashMap<String, TermId>,
}

impl Entailed {
    fn new(facts: &Facts, rule: &RuleNode) -> Entailed {
        let mut bound: Vec<u32> = mends::bound_by(facts, rule.body()).into_iter().collect();
        bound.sort_unstable();
        let name = |variable: u32| facts.spelling(facts.term(rule.variables()[variable as usize].first));
        let bound = Near::new(bound.into_iter().map(|variable| (name(variable), variable)));
        let mut half_bound = FxHashMap::default();
        for literal in rule.body() {
            if let Literal::Or { parts, .. } = literal {
                half_bound_by(facts, parts, &mut half_bound);
            }
        }
        let mut atoms = Vec::new();
        for literal in rule.body() {
            literal.atoms(false, &mut |atom, negated| atoms.extend((!negated).then_some(atom)));
        }
        let mut constants = FxHashMap::default();
        let mut todo: Vec<TermId> = atoms.iter().flat_map(|atom| facts.term(*atom).args()).collect();
        while let Some(term) = todo.pop() {
            let node = facts.term(term);
            if node.shape() == Shape::Constant {
                constants.entry(facts.spelling(node).to_ascii_lowercase()).or_insert(term);
            }
            todo.extend(node.args());
        }
        Entailed { bound, half_bound, constants }
    }
}

/// Adds the variables that some branches bind and others do not, each with the first branch that does not.
fn half_bound_by(facts: &Facts, branches: &[Literal], into: &mut FxHashMap<u32, TextRange>) {
    let sets: Vec<FxHashSet<u32>> =
        branches.iter().map(|part| mends::bound_by(facts, std::slice::from_ref(part))).collect();
    let mut count: FxHashMap<u32, usize> = FxHashMap::default();
    sets.iter().flatten().for_each(|variable| *count.entry(*variable).or_default() += 1);
    // All branches before the first that lacks a variable bind it.
    for (variable, count) in count {
        if count < branches.len() {
            let missing = sets.iter().position(|set| !set.contains(&variable)).expect("fewer bind it than there are");
            into.entry(variable).or_insert_with(|| facts.literal_range(&branches[missing]));
        }
    }
}

impl Pass<'_, '_> {
    /// Runs `look` with the variables that some more literals bind.
    fn within(&mut self, literals: &[Literal], look: impl FnOnce(&mut Self)) {
        let new: Vec<u32> =
            mends::bound_by(self.facts, literals).into_iter().filter(|variable| self.bound.insert(*variable)).collect();
        look(self);
        for variable in new {
            self.bound.remove(&variable);
        }
    }

    /// Checks the literals that bind nothing, given the variables bound by the conjunction around them.
    fn list(&mut self, literals: &[Literal]) {
        for literal in literals {
            match literal {
                Literal::Atom(_) => {}
                Literal::Distinct { args, .. } => args.iter().for_each(|arg| self.require(*arg, Use::Distinct)),
                Literal::Not { parts, .. } => parts.iter().for_each(|part| self.negated(part)),
                Literal::And { parts, .. } => self.within(parts, |pass| pass.list(parts)),
                Literal::Or { parts, .. } => {
                    for part in parts {
                        let part = std::slice::from_ref(part);
                        self.within(part, |pass| pass.list(part));
                    }
                }
            }
        }
    }

    fn negated(&mut self, literal: &Literal) {
        match literal {
            Literal::Atom(atom) => {
                self.require(*atom, Use::Negation);
                // Each literal gets one finding.
                let mut inside = FxHashSet::default();
                mends::mark(self.facts, *atom, &mut inside);
                inside.into_iter().for_each(|variable| self.reported[variable as usize] = true);
            }
            Literal::Distinct { args, .. } => args.iter().for_each(|arg| self.require(*arg, Use::Distinct)),
            Literal::Not { parts, .. } | Literal::Or { parts, .. } | Literal::And { parts, .. } => {
                parts.iter().for_each(|part| self.negated(part));
            }
        }
    }

    fn require(&mut self, term: TermId, place: Use) {
        let node = self.facts.term(term);
        if let Some(variable) = node.variable() {
            let is_new =
                !self.bound.contains(&variable) && !std::mem::replace(&mut self.reported[variable as usize], true);
            if is_new {
                let entailed = self.entailed.take().unwrap_or_else(|| Entailed::new(self.facts, self.rule));
                let mut finding = self.finding(&entailed, term, variable, place);
                self.entailed = Some(entailed);
                if self.declares() {
                    // No rule has to read a declaration, so the game can be played without it.
                    finding.severity = Severity::Warning;
                }
                if self.rule.is_fact() {
                    // Each fact gets one finding, however many variables it has.
                    self.reported.fill(true);
                    finding.fixes.extend(self.as_rule());
                }
                let is_plain = finding.fixes.is_empty() && finding.related.is_empty() && !self.rule.is_fact();
                if is_plain && let Some(condition) = self.usual(variable) {
                    finding.fixes.push(Fix::condition(mends::here(self.rule.range), &condition));
                }
                if !matches!(place, Use::Head) && !self.rule.is_fact() {
                    finding.fixes.extend(mends::without_condition(self.facts, self.id, self.facts.range(term)));
                }
                match is_plain {
                    true => self.gather(finding),
                    false => self.findings.push(finding),
                }
            }
        }
        node.args().for_each(|arg| self.require(arg, place));
    }

    /// Joins all variables of the rule without a better explanation into one finding.
    fn gather(&mut self, finding: Diagnostic) {
        let shown = self.facts.text(finding.range).to_owned();
        match &mut self.plain {
            None => self.plain = Some((finding, vec![shown])),
            Some((first, names)) => {
                names.push(shown);
                let mut joined = std::mem::replace(first, finding.clone());
                joined = joined.related(FileId(0), finding.range, "nor this one");
                *first = joined;
            }
        }
    }

    fn finish(self) {
        let Some((mut finding, names)) = self.plain else { return };
        if let [others @ .., last] = &names[..]
            && !others.is_empty()
        {
            let others: Vec<String> = others.iter().map(|name| format!("`{name}`")).collect();
            let others = others.join(", ");
            finding.message = format!("{others} and `{last}` are unsafe: no positive literal of the body binds them");
        }
        self.findings.push(finding);
    }

    /// True if the rule only declares possible instances: `base`, `input`, `percept`, `action`.
    fn declares(&self) -> bool {
        let head = self.rule.head().map(|head| self.facts.term(head).sym);
        matches!(head, Some(keyword::BASE | keyword::INPUT | keyword::PERCEPT | keyword::ACTION))
    }

    fn finding(&self, entailed: &Entailed, term: TermId, variable: u32, place: Use) -> Diagnostic {
        let facts = self.facts;
        let range = facts.range(term);
        let shown = facts.text(range);
        if self.rule.is_fact() {
            let message =
                format!("a fact has no variables: write a value for `{shown}`, or make it a rule with conditions");
            return facts.at(&RULE, range, message);
        }
        if let Some(constant) = self.unmarked(entailed, variable) {
            let here = facts.range(constant);
            let message = format!("`{}` is a constant: did you mean the variable `{shown}`?", facts.text(here));
            let edit = TextEdit { file: FileId(0), range: here, insert: shown.to_string() };
            let finding = facts.at(&RULE, here, message).related(FileId(0), range, "nothing else binds this one");
            return finding.fix(format!("Change to `{shown}`"), vec![edit]);
        }
        let half_bound = entailed.half_bound.get(&variable);
        let missing = match half_bound {
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
        if let Some(branch) = half_bound {
            finding = finding.related(FileId(0), *branch, "this branch does not bind it");
        }
        if let Some((wrong, right)) = self.near_variable(entailed, variable) {
            let own = self.shown(if wrong == variable { right } else { wrong });
            let near = facts.range(self.first_in_body(if wrong == variable { right } else { wrong }));
            finding.message = format!("{}: did you mean `{own}`?", finding.message);
            finding = finding.related(FileId(0), near, "this one is bound");
            finding.fixes.push(mends::rename(facts, mends::places_of(facts, self.rule, wrong), self.shown(right)));
        } else if mends::is_prefix(facts)
            && let Some(condition) = self.condition(variable, shown)
        {
            finding.message = format!("{}; add `{condition}`", finding.message);
            finding.fixes.push(Fix::condition(mends::here(self.rule.range), &condition));
        }
        finding
    }

    /// The condition that binds such a variable in other rules: with a unary relation, or `role` for a role if no rule
    /// does it differently.
    fn condition(&self, variable: u32, shown: &str) -> Option<String> {
        let siblings = self.siblings.get_or_init(|| Siblings::new(self.facts));
        let head = self.facts.term(self.rule.head()?).sym;
        let relation = match self.is_role(variable) {
            true => siblings.of_roles(head).or(Some(keyword::ROLE)),
            false => siblings.of_name(head, self.name(variable)),
        };
        relation.map(|relation| format!("({} {shown})", self.facts.name(relation)))
    }

    /// The literal with this variable that most other rules have, those for the same word first, if this rule binds
    /// all other variables of it.
    fn usual(&self, variable: u32) -> Option<String> {
        if !mends::sees_all(self.facts) || !mends::is_prefix(self.facts) {
            return None;
        }
        let siblings = self.siblings.get_or_init(|| Siblings::new(self.facts));
        let bound: FxHashSet<Sym> =
            mends::bound_by(self.facts, self.rule.body()).iter().map(|it| self.sym(*it)).collect();
        let (word, own) = (word(self.facts, self.rule), self.sym(variable));
        let literals = siblings.literals.get(&own)?.iter();
        // Only some words can depend on moves, and declarations on nothing that changes.
        let declares = self.declares();
        let head = self.facts.term(self.rule.head()?).sym;
        let is_fixed = declares || [keyword::LEGAL, keyword::GOAL, keyword::TERMINAL, keyword::INIT].contains(&head);
        let is_allowed =
            |text: &str| !(is_fixed && text.starts_with("(does ") || declares && text.starts_with("(true "));
        let candidates = literals.filter(|(text, literal)| {
            is_allowed(text) && literal.variables.iter().all(|it| *it == own || bound.contains(it))
        });
        let rank = |text: &str, literal: &Bound| {
            let same = literal.words.iter().filter(|it| **it == word).count();
            (same, literal.words.len(), std::cmp::Reverse(text.to_string()))
        };
        candidates.max_by_key(|(text, literal)| rank(text, literal)).map(|(text, _)| text.clone())
    }

    /// Makes a fact a rule, with a condition for each of its variables.
    fn as_rule(&self) -> Option<Fix> {
        let conditions = (0..self.rule.variables().len() as u32).map(|it| self.usual(it));
        let conditions = conditions.collect::<Option<Vec<String>>>()?.join(" ");
        Some(Fix::rule(mends::here(self.rule.range), &conditions))
    }

    fn sym(&self, variable: u32) -> Sym {
        self.facts.term(self.rule.variables()[variable as usize].first).sym
    }

    fn name(&self, variable: u32) -> &str {
        self.facts.spelling(self.facts.term(self.rule.variables()[variable as usize].first))
    }

    /// A constant in the rule's positive literals that is the variable without its `?`: `side` for `?side`.
    fn unmarked(&self, entailed: &Entailed, variable: u32) -> Option<TermId> {
        entailed.constants.get(&self.name(variable).to_ascii_lowercase()).copied()
    }

    /// A bound variable that is one slip away, if there is exactly one; of the two, first the one to rename: that with
    /// fewer places in the rule, or else in the whole text.
    fn near_variable(&self, entailed: &Entailed, variable: u32) -> Option<(u32, u32)> {
        let name = self.name(variable);
        let mut near = entailed.bound.of(name).filter(|(other, _)| one_slip_apart(name, other)).map(|(_, it)| it);
        let near = match near.next() {
            Some(first) => Some(first).filter(|_| near.next().is_none()),
            None => self.doubled(name),
        }?;
        let places = |variable: u32| mends::places_of(self.facts, self.rule, variable);
        let often = |variable: u32| {
            let sym = self.sym(variable);
            let is_it = |node: &&Node| node.variable().is_some() && node.sym == sym;
            let all = || self.facts.lowered.terms.iter().filter(is_it).count();
            (places(variable).len(), if mends::sees_all(self.facts) { all() } else { 0 })
        };
        let is_slip_there = often(near) < often(variable);
        Some(if is_slip_there { (near, variable) } else { (variable, near) })
    }

    /// The only bound variable that is this name with a letter more or less of those written twice: `?mm` for `?m`.
    fn doubled(&self, name: &str) -> Option<u32> {
        let bound = mends::bound_by(self.facts, self.rule.body());
        let is_near = |other: &&u32| is_doubled(name, self.name(**other)) || is_doubled(self.name(**other), name);
        let mut near = bound.iter().filter(is_near);
        near.next().copied().filter(|_| near.next().is_none())
    }

    fn shown(&self, variable: u32) -> &str {
        self.facts.text(self.facts.range(self.rule.variables()[variable as usize].first))
    }

    fn first_in_body(&self, variable: u32) -> TermId {
        let in_head = |id: &TermId| {
            self.rule.head().is_some_and(|head| self.facts.range(head).contains_range(self.facts.range(*id)))
        };
        let is_it = |id: &TermId| self.facts.term(*id).variable() == Some(variable);
        self.rule.terms().find(|id| is_it(id) && !in_head(id)).unwrap_or(self.rule.variables()[variable as usize].first)
    }

    /// True if the variable is the role of the rule's head.
    fn is_role(&self, variable: u32) -> bool {
        let Some(head) = self.rule.head().map(|head| self.facts.term(head)) else { return false };
        let first = head.arg(0).map(|arg| self.facts.term(arg));
        keyword::has_role_argument(head.sym)
            && head.sym != keyword::ROLE
            && first.is_some_and(|first| first.variable() == Some(variable))
    }
}

/// The literals that bind the variables of all rules.
#[derive(Default)]
struct Siblings {
    /// For each word in the head, and over all words, the number of heads in which each relation binds the role.
    roles: FxHashMap<(Option<Sym>, Sym), usize>,
    /// The same for each word in the head and each variable's name in lower case.
    names: FxHashMap<(Sym, String), FxHashMap<Sym, usize>>,
    /// For each variable's name, the literals that bind it, by their text.
    literals: FxHashMap<Sym, FxHashMap<String, Bound>>,
}

/// A literal that binds a variable in some rules.
#[derive(Default)]
struct Bound {
    /// The variables in the literal.
    variables: Vec<Sym>,
    /// The subjects of the heads of these rules.
    words: Vec<Option<Sym>>,
}

/// The subject of the head of a rule: a fluent, a move, a percept or a relation.
fn word(facts: &Facts, rule: &RuleNode) -> Option<Sym> {
    rule.head().map(|head| facts.inner_name(head).unwrap_or(facts.term(head).sym))
}

/// True if a relation is `role`, or has only facts: such a relation does not change.
fn is_list(facts: &Facts, relation: Sym) -> bool {
    let made_by = |made: &Occurrence| facts.lowered.rules[made.rule as usize].is_fact();
    let predicate = || facts.predicate(Space::Relation, relation);
    relation == keyword::ROLE
        || !keyword::is_relation(relation) && predicate().is_some_and(|it| it.produced().all(made_by))
}

impl Siblings {
    fn new(facts: &Facts) -> Siblings {
        let mut siblings = Siblings::default();
        for (_, rule) in facts.sound_rules() {
            let Some(head) = rule.head().map(|head| facts.term(head)) else { continue };
            let role = head.arg(0).and_then(|arg| facts.term(arg).variable());
            let role = role.filter(|_| keyword::has_role_argument(head.sym) && head.sym != keyword::ROLE);
            for literal in rule.body() {
                let Literal::Atom(atom) = literal else { continue };
                if mends::sees_all(facts) {
                    siblings.note(facts, rule, *atom);
                }
                let node = facts.term(*atom);
                let argument = node.arg(0).filter(|_| node.arity() == 1).map(|arg| facts.term(arg));
                let Some(variable) = argument.and_then(|argument| argument.variable()) else { continue };
                if !is_list(facts, node.sym) {
                    continue;
                }
                if role == Some(variable) {
                    *siblings.roles.entry((Some(head.sym), node.sym)).or_default() += 1;
                    *siblings.roles.entry((None, node.sym)).or_default() += 1;
                }
                let name = facts.spelling(facts.term(rule.variables()[variable as usize].first)).to_ascii_lowercase();
                *siblings.names.entry((head.sym, name)).or_default().entry(node.sym).or_default() += 1;
            }
        }
        siblings
    }

    fn note(&mut self, facts: &Facts, rule: &RuleNode, atom: TermId) {
        let mut inside = FxHashSet::default();
        mends::mark(facts, atom, &mut inside);
        let variables: Vec<Sym> =
            inside.iter().map(|it| facts.term(rule.variables()[*it as usize].first).sym).collect();
        for sym in &variables {
            let of = self.literals.entry(*sym).or_default();
            let bound = of.entry(facts.text(facts.range(atom)).to_string()).or_default();
            bound.variables.clone_from(&variables);
            bound.words.push(word(facts, rule));
        }
    }

    /// The relation that binds the role in most heads of this word, or else in most heads.
    fn of_roles(&self, head: Sym) -> Option<Sym> {
        let most = |head: Option<Sym>| {
            let of_head = self.roles.iter().filter(|((word, _), _)| *word == head);
            of_head.max_by_key(|((_, relation), count)| (**count, std::cmp::Reverse(*relation))).map(|((_, it), _)| *it)
        };
        most(Some(head)).or_else(|| most(None))
    }

    /// The only relation that binds a variable of this name in rules for this word.
    fn of_name(&self, head: Sym, name: &str) -> Option<Sym> {
        let relations = self.names.get(&(head, name.to_ascii_lowercase()))?;
        relations.keys().next().filter(|_| relations.len() == 1).copied()
    }
}
