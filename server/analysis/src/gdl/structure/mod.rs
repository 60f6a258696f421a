//! Faults of form: parentheses in the wrong place and keywords with the wrong number of arguments.
//!
//! They are found first, because a rule with such a fault does not say what its author meant. The other rules of the
//! rule book skip it, so that one slip gets one finding.

mod fallen;

use percept_syntax::{Language, TextRange};
use rustc_hash::FxHashSet;

use fallen::{closed_early, fallen_after, has_stray_behind, is_bare, on_one_line, stray_after, unbound};

use super::lowered::{Literal, RuleId, RuleNode, Shape, TermId};
use super::symbols::{Sym, keyword};
use super::uses::{Space, Uses};

/// A fault of form.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// The statements after `rule` up to `last` are literals that a `)` cut off from it.
    Fallen { rule: RuleId, last: RuleId, stray: Option<TextRange> },
    /// `not` without parentheses of its own, or (`inside`) around several words.
    BareNot { not: TextRange, negated: Option<TextRange>, inside: bool },
    /// A word that takes arguments but has none, as after a lost `(`.
    MissingOpen { word: TermId },
    /// A keyword's atom with the wrong number of arguments.
    Arity { atom: TermId },
    /// `(does (mark 1 2) white)`: the role and the move are exchanged.
    Swapped { atom: TermId },
    /// `not`, `or`, `distinct` with the wrong number of parts.
    Parts { keyword: TextRange, count: usize },
    /// The head contains the conditions.
    Swallowed { rule: RuleId, head: TermId, expected: usize },
    /// Constants that occur only in this rule and should probably be variables, with the variable if the rule has it.
    Unmarked { constants: Vec<TermId>, variable: Option<TermId> },
    /// The statements from `rule` to `last` are single words on one line, as in a comment without its `;`.
    Words { rule: RuleId, last: RuleId },
}

/// The most occurrences of a constant that was meant as a variable. A rule with more than `MAX_NAMES` names was not
/// written by hand.
const MAX_PLACES: u32 = 6;
const MAX_NAMES: usize = 200;
/// The most constants of a file that are compared with the same argument in other places.
const MAX_TRIES: usize = 50;

/// The result of the pass over the statements.
#[derive(Debug, Default)]
pub(crate) struct Structure {
    /// The faults in the order of the text.
    pub faults: Vec<Fault>,
    /// Statements whose head is a keyword that is not allowed there.
    pub misplaced: Vec<RuleId>,
    /// Statements that a fault, or a syntax error, makes unreliable.
    pub doubtful: Vec<RuleId>,
    /// Constants that should be variables.
    pub unmarked: FxHashSet<TermId>,
    /// Text whose other findings have the same cause as a fault.
    pub explained: Vec<TextRange>,
    /// The roles that `role` facts and rules name; compound terms by their functor.
    declared: FxHashSet<Sym>,
}

impl Structure {
    pub(crate) fn new(uses: &Uses) -> Self {
        let mut structure = Structure { declared: uses.role_places().into_keys().collect(), ..Structure::default() };
        let rules = &uses.lowered.rules;
        let counts = counts(uses);
        let mut n = 0;
        while n < rules.len() {
            let before = structure.faults.len();
            match closed_early(uses, &rules[n]) {
                _ if !rules[n].broken => structure.statement(uses, n as RuleId),
                // A lost `(` makes a `)` look early. The word that lost it is the better place to report.
                Some(parenthesis) => {
                    structure.statement(uses, n as RuleId);
                    if structure.faults.len() > before {
                        structure.explained.push(parenthesis);
                    }
                }
                None => {}
            }
            let at_fault = rules[n].broken || structure.faults.len() > before;
            let fallen = fallen_after(uses, n, at_fault);
            let stray = stray_after(uses, n + fallen);
            // A lone bare word is a proposition; with a stray `)` after it, it is part of a term.
            let is_rule = !rules[n].is_fact();
            if fallen > 0 && (is_rule || at_fault || stray.is_some()) {
                structure.fallen(uses, n, fallen, stray, at_fault);
            } else if let Some(stray) = stray {
                if structure.faults.len() > before {
                    structure.explained.push(stray);
                }
                structure.doubtful.push(n as RuleId);
            }
            if structure.faults.len() > before {
                structure.doubtful.push(n as RuleId);
            } else if !at_fault && is_rule && fallen == 0 {
                structure.unmarked(uses, n as RuleId, &counts);
            }
            n += fallen + 1;
        }
        structure.words(uses);
        structure
    }

    /// Several bare words in a row on one line: no author writes propositions like that.
    fn words(&mut self, uses: &Uses) {
        let rules = &uses.lowered.rules;
        let mut n = 0;
        while n < rules.len() {
            let mut last = n;
            while is_bare(uses, &rules[last])
                && rules.get(last + 1).is_some_and(|next| is_bare(uses, next))
                && on_one_line(uses, &rules[last], &rules[last + 1])
            {
                last += 1;
            }
            let range = rules[n].range.cover(rules[last].range);
            let is_told = || {
                let errors = &uses.source.errors;
                self.explained.iter().any(|part| part.contains_range(range))
                    || errors.iter().any(|error| {
                        // An error later on the line is the reason why the words before it were not understood.
                        range.start <= error.range.start
                            && !uses.text(TextRange::new(range.start, error.range.start)).contains('\n')
                    })
            };
            if last > n && !is_told() {
                self.faults.push(Fault::Words { rule: n as RuleId, last: last as RuleId });
                self.explained.push(range);
                self.doubtful.extend((n..=last).map(|n| n as RuleId));
            }
            n = last + 1;
        }
    }

    fn fallen(&mut self, uses: &Uses, n: usize, count: usize, stray: Option<TextRange>, at_fault: bool) {
        let rules = &uses.lowered.rules;
        let (first, last) = (&rules[n + 1], &rules[n + count]);
        let is_list = rules[n].head().is_some_and(|head| uses.term(head).shape() == Shape::Compound);
        if at_fault {
            self.explained.push(first.range.cover(last.range));
            self.explained.extend(stray);
        } else if !rules[n].is_fact() {
            self.faults.push(Fault::Fallen { rule: n as RuleId, last: (n + count) as RuleId, stray });
            self.explained.push(first.range.cover(last.range));
            self.explained.extend(stray);
        } else if !is_list && known_with_arguments(uses, rules[n].head()) {
            // `succ 1 2)`: the `(` before the first word is lost.
            if let Some(word) = rules[n].head() {
                self.faults.push(Fault::MissingOpen { word });
            }
            self.explained.push(first.range.cover(last.range));
            self.explained.extend(stray);
        }
        // In the remaining case, `(succ 1) 2)`, the stray `)` itself is reported.
        self.doubtful.extend((n..=n + count).map(|n| n as RuleId));
    }

    fn statement(&mut self, uses: &Uses, id: RuleId) {
        let rule = &uses.lowered.rules[id as usize];
        if let Some(head) = rule.head() {
            let node = uses.term(head);
            let expected = match keyword::is_relation(node.sym) {
                true => keyword::arity(node.sym).filter(|arity| *arity < node.arity()),
                false => before_literals(uses, head).filter(|expected| rule.is_fact() || *expected > 0),
            };
            let in_rule = rule.arrow().is_some() && node.shape() == Shape::Constant;
            match expected {
                Some(expected) if swallows(uses, head, expected) => {
                    self.faults.push(Fault::Swallowed { rule: id, head, expected });
                    self.explained.push(rule.range);
                    return;
                }
                _ if in_rule
                    && uses.source.language != Language::GdlInfix
                    && known_with_arguments(uses, Some(head)) =>
                {
                    self.faults.push(Fault::MissingOpen { word: head });
                    return;
                }
                _ => self.atom(uses, head),
            }
            // `keyword-placement` reports this. The dependency of the rule on itself is not a second fault.
            if matches!(node.sym, keyword::TRUE | keyword::DOES) || keyword::is_connective(node.sym) {
                self.misplaced.push(id);
                self.doubtful.push(id);
            }
        }
        self.list(uses, rule.body(), true);
    }

    /// Finds `y` beside `?y`, and a constant in the head and the body of one rule, if the constant occurs in no other
    /// rule.
    fn unmarked(&mut self, uses: &Uses, id: RuleId, counts: &[u32]) {
        let rule = &uses.lowered.rules[id as usize];
        let mut inner = Vec::new();
        let top = |term: TermId| uses.term(term).args().collect::<Vec<TermId>>();
        rule.head().iter().for_each(|head| inner.extend(top(*head)));
        let in_head = |id: TermId| rule.head().is_some_and(|head| uses.range(head).contains_range(uses.range(id)));
        each_literal(rule.body(), &mut |terms, is_atom| match is_atom {
            true => terms.iter().for_each(|atom| inner.extend(top(*atom))),
            false => inner.extend(terms),
        });
        let mut groups: Vec<(Sym, Vec<TermId>)> = Vec::new();
        while let Some(term) = inner.pop() {
            let node = uses.term(term);
            inner.extend(node.args());
            if node.shape() != Shape::Constant || counts[node.sym.index()] > MAX_PLACES {
                continue;
            }
            match groups.iter().position(|(sym, _)| *sym == node.sym) {
                Some(group) => groups[group].1.push(term),
                None if groups.len() < MAX_NAMES => groups.push((node.sym, vec![term])),
                None => return,
            }
        }
        let open = if groups.is_empty() { Vec::new() } else { unbound(uses, rule) };
        let mut tries = self.unmarked.len();
        for (sym, mut constants) in groups {
            if counts[sym.index()] as usize != constants.len() {
                continue;
            }
            constants.sort_unstable_by_key(|id| uses.range(*id).start);
            let name = uses.spelling(uses.term(constants[0]));
            let alike = |term: &&TermId| uses.spelling(uses.term(**term)).eq_ignore_ascii_case(name);
            let firsts: Vec<TermId> = rule.variables().iter().map(|variable| variable.first).collect();
            let variable = firsts.iter().find(alike).copied();
            let is_slip = match variable {
                // A variable without another binding is reported as unbound.
                Some(variable) => {
                    tries += 1;
                    !open.contains(&uses.term(variable).sym)
                        && tries <= MAX_TRIES
                        && constants.iter().any(|id| is_variable_elsewhere(uses, rule, *id))
                }
                None => {
                    let elsewhere = uses.lowered.variable_names.find(name).is_some();
                    let heads = constants.iter().filter(|id| in_head(**id)).count();
                    elsewhere && (1..constants.len()).contains(&heads)
                }
            };
            if is_slip {
                self.unmarked.extend(&constants);
                self.doubtful.push(id);
                self.faults.push(Fault::Unmarked { constants, variable });
            }
        }
    }

    fn list(&mut self, uses: &Uses, literals: &[Literal], conjunction: bool) {
        let prefix = uses.source.language != Language::GdlInfix;
        for (n, literal) in literals.iter().enumerate() {
            match literal {
                Literal::Atom(atom) => {
                    let node = uses.term(*atom);
                    let bare = node.shape() == Shape::Constant && prefix && conjunction;
                    if bare && node.sym == keyword::NOT {
                        let negated = literals.get(n + 1).map(|next| uses.literal_range(next));
                        self.faults.push(Fault::BareNot { not: node.range(), negated, inside: false });
                        self.explained.extend(negated);
                    } else if bare && n + 1 < literals.len() && known_with_arguments(uses, Some(*atom)) {
                        self.faults.push(Fault::MissingOpen { word: *atom });
                        let last = uses.literal_range(&literals[literals.len() - 1]);
                        self.explained.push(uses.literal_range(&literals[n + 1]).cover(last));
                        return;
                    } else {
                        self.atom(uses, *atom);
                    }
                }
                Literal::Not { keyword, parts, .. }
                    if parts.len() > 1 && is_bare_word(uses, &parts[0]) && !are_literals(uses, &parts[1..]) =>
                {
                    let inner = uses.literal_range(&parts[0]).cover(uses.literal_range(&parts[parts.len() - 1]));
                    self.faults.push(Fault::BareNot { not: *keyword, negated: Some(inner), inside: true });
                    self.explained.push(inner);
                }
                Literal::Not { keyword, parts, .. } => {
                    if parts.len() != 1 {
                        self.faults.push(Fault::Parts { keyword: *keyword, count: parts.len() });
                    }
                    self.list(uses, parts, false);
                }
                Literal::Or { keyword, parts, .. } | Literal::And { keyword, parts, .. } => {
                    if parts.is_empty() {
                        self.faults.push(Fault::Parts { keyword: *keyword, count: 0 });
                    }
                    self.list(uses, parts, true);
                }
                Literal::Distinct { keyword, args, .. } => {
                    if args.len() != 2 {
                        self.faults.push(Fault::Parts { keyword: *keyword, count: args.len() });
                    }
                }
            }
        }
    }

    fn atom(&mut self, uses: &Uses, atom: TermId) {
        let node = uses.term(atom);
        let is_keyword = keyword::is_relation(node.sym) && node.variable().is_none();
        if is_keyword && !keyword::accepts(node.sym, node.arity()) {
            self.faults.push(Fault::Arity { atom });
        } else if is_keyword && swapped(uses, &self.declared, atom) {
            self.faults.push(Fault::Swapped { atom });
            self.explained.extend(node.args().map(|arg| uses.range(arg)));
        }
    }
}

/// True if the same argument of the same term is a variable of the constant's name elsewhere: `(at ?x y)` here and `(at
/// ?x ?y)` there. A mark such as the `x` in `(cell ?x ?y x)` is not one. In `distinct` it is enough that the constant
/// occurs nowhere else, because such a comparison is always true.
fn is_variable_elsewhere(uses: &Uses, rule: &RuleNode, constant: TermId) -> bool {
    let around = rule.terms().map(|id| uses.term(id)).find_map(|node| {
        let place = node.args().position(|arg| arg == constant)?;
        Some((node.sym, node.arity(), place))
    });
    let Some((functor, arity, place)) = around else { return true };
    let name = uses.spelling(uses.term(constant));
    let alike = uses
        .lowered
        .terms
        .iter()
        .filter(|node| node.shape() == Shape::Compound && node.sym == functor && node.arity() == arity);
    let mut there = alike.filter_map(|node| node.arg(place)).map(|arg| uses.term(arg));
    there.any(|arg| arg.variable().is_some() && uses.spelling(arg).eq_ignore_ascii_case(name))
}

/// The number of occurrences in the file of each name other than variables.
fn counts(uses: &Uses) -> Vec<u32> {
    let mut counts = vec![0; uses.lowered.symbols.len()];
    for node in uses.lowered.terms.iter().filter(|node| node.variable().is_none()) {
        counts[node.sym.index()] += 1;
    }
    counts
}

/// Calls `f` with every atom, and (`false`) with the two terms of every `distinct`.
fn each_literal(literals: &[Literal], f: &mut impl FnMut(&[TermId], bool)) {
    for literal in literals {
        match literal {
            Literal::Atom(atom) => f(&[*atom], true),
            Literal::Distinct { args, .. } => f(args, false),
            Literal::Not { parts, .. } | Literal::Or { parts, .. } | Literal::And { parts, .. } => {
                each_literal(parts, f);
            }
        }
    }
}

/// True if all of these can only be literals, not arguments of the word before them.
fn are_literals(uses: &Uses, parts: &[Literal]) -> bool {
    parts.iter().all(|part| match part {
        Literal::Atom(atom) => {
            let node = uses.term(*atom);
            let is_relation =
                || uses.predicate(Space::Relation, node.sym).is_some_and(|it| it.produced().next().is_some());
            node.shape() == Shape::Compound && (keyword::is_relation(node.sym) || is_relation())
        }
        _ => true,
    })
}

/// True if the second argument is a role, and the first, which should be, is not.
fn swapped(uses: &Uses, declared: &FxHashSet<Sym>, atom: TermId) -> bool {
    let node = uses.term(atom);
    let (true, Some(first), Some(second)) = (keyword::has_role_argument(node.sym), node.arg(0), node.arg(1)) else {
        return false;
    };
    let is_role = |arg: TermId| {
        let arg = uses.term(arg);
        arg.shape() == Shape::Constant && declared.contains(&arg.sym)
    };
    // `(player 1)` may be a role: `declared` contains it by its functor.
    let is_none = |arg: TermId| {
        let arg = uses.term(arg);
        matches!(arg.shape(), Shape::Constant | Shape::Compound) && !declared.contains(&arg.sym)
    };
    is_none(first) && is_role(second)
}

/// `true` in `(not true (open))`.
fn is_bare_word(uses: &Uses, literal: &Literal) -> bool {
    matches!(literal, Literal::Atom(atom) if uses.term(*atom).shape() == Shape::Constant)
}

/// True if the word is a keyword or relation that always has arguments in its other occurrences.
fn known_with_arguments(uses: &Uses, word: Option<TermId>) -> bool {
    let Some(node) = word.map(|word| uses.term(word)) else { return false };
    if node.shape() != Shape::Constant {
        return false;
    }
    if keyword::is_relation(node.sym) {
        return keyword::arity(node.sym) != Some(0);
    }
    let Some(predicate) = uses.predicate(Space::Relation, node.sym) else { return false };
    // A bare fact may have lost its `(` too; then its `)` comes after it.
    let is_torn =
        |rule: RuleId| is_bare(uses, &uses.lowered.rules[rule as usize]) && has_stray_behind(uses, rule as usize);
    let makes_bare = predicate
        .occurrences
        .iter()
        .any(|occurrence| occurrence.in_head && uses.term(occurrence.term).arity() == 0 && !is_torn(occurrence.rule));
    !makes_bare && predicate.produced().any(|occurrence| uses.term(occurrence.term).arity() > 0)
}

/// True if all arguments after the expected ones look like conditions.
fn swallows(uses: &Uses, head: TermId, expected: usize) -> bool {
    let node = uses.term(head);
    node.args().skip(expected).all(|arg| is_condition(uses, arg))
}

/// True if a term looks like a condition.
fn is_condition(uses: &Uses, term: TermId) -> bool {
    let node = uses.term(term);
    let is_relation = keyword::is_relation(node.sym)
        || keyword::is_connective(node.sym)
        || uses.predicate(Space::Relation, node.sym).is_some();
    node.shape() == Shape::Compound && is_relation
}

/// The number of arguments of an author's relation before those that can only be conditions, as in `(home (true
/// holding) (true (at 1 1)))`. `None` if it has no such arguments, or no other occurrence has that number.
fn before_literals(uses: &Uses, head: TermId) -> Option<usize> {
    let node = uses.term(head);
    let is_literal = |arg: TermId| {
        let part = uses.term(arg);
        let only = matches!(part.sym, keyword::TRUE | keyword::DOES | keyword::NOT | keyword::DISTINCT | keyword::OR);
        part.shape() == Shape::Compound && only && part.arity() > 0
    };
    let first = node.args().position(is_literal)?;
    let predicate = uses.predicate(Space::Relation, node.sym)?;
    let elsewhere = predicate.occurrences.iter().any(|other| uses.term(other.term).arity() == first);
    (elsewhere && node.args().skip(first).all(|arg| is_condition(uses, arg))).then_some(first)
}
