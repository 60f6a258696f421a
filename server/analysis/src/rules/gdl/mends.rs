//! The parts that repairs in GDL are made of.

use rustc_hash::FxHashSet;

use crate::gdl::{self, Facts, LARGE, Literal, Occurrence, Predicate, RuleId, RuleNode, Space, Sym, TermId, keyword};
use crate::{FileId, Fix, Place};
use percept_syntax::{Language, TextRange};

/// A place in the description.
pub(super) fn here(range: TextRange) -> Place {
    Place { file: FileId(0), range }
}

/// True if statements are lists in parentheses, so that a part can be added or removed alone.
pub(super) fn is_prefix(facts: &Facts) -> bool {
    facts.source.language == Language::GdlPrefix
}

/// True if a repair may depend on statements anywhere in the text. While a large text is edited, only parts of it are
/// looked at, which do not show such repairs.
pub(super) fn sees_all(facts: &Facts) -> bool {
    facts.source.text.len() < LARGE
}

/// Writes another name instead of these terms or functors.
pub(super) fn rename(facts: &Facts, terms: impl IntoIterator<Item = TermId>, name: &str) -> Fix {
    Fix::rename(terms.into_iter().map(|term| here(facts.term(term).name_range())), name)
}

/// The only occurrence of a name in the whole text.
pub(super) fn only_place(facts: &Facts, name: &str) -> Option<TermId> {
    let sym = facts.lowered.symbols.find(name).filter(|sym| facts.count(*sym) == 1)?;
    let mut terms = facts.lowered.terms.iter();
    terms.position(|node| node.sym == sym && node.variable().is_none()).map(|at| TermId(at as u32))
}

/// The places of a variable in a rule.
pub(super) fn places_of(facts: &Facts, rule: &RuleNode, variable: u32) -> Vec<TermId> {
    rule.terms().filter(|id| facts.term(*id).variable() == Some(variable)).collect()
}

/// Adds a statement after the one at a place.
pub(super) fn statement(facts: &Facts, after: RuleId, statement: &str) -> Fix {
    Fix::statement(here(facts.lowered.rules[after as usize].range), statement)
}

/// Lets a fluent hold when the match begins, with the values that are declared or read for it.
pub(super) fn beginnings(facts: &Facts, made: TermId) -> Vec<Fix> {
    const MOST: usize = 4;
    let fluent = facts.term(made);
    let last = [keyword::INIT, keyword::ROLE]
        .into_iter()
        .find_map(|it| facts.predicate(Space::Relation, it)?.produced().last());
    let Some(last) = last.filter(|_| is_prefix(facts) && sees_all(facts)) else { return Vec::new() };
    let value = |n: usize, at: usize| {
        let of = [keyword::BASE, keyword::TRUE].into_iter().find_map(|word| {
            let whole = facts.domains.argument(word, 1, 0)?;
            let place = facts.domains.inside(whole, fluent.sym, fluent.arity(), n)?;
            let mut all = facts.domains.constants(place).map(|sym| facts.name(sym)).peekable();
            all.peek().is_some().then(|| all.nth(at)).flatten()
        });
        of.map(str::to_string)
    };
    let name = facts.spelling(fluent);
    let written = |at: usize| match fluent.arity() {
        0 => (at == 0).then(|| format!("(init {name})")),
        arity => {
            let values: Option<Vec<String>> = (0..arity).map(|n| value(n, if n == 0 { at } else { 0 })).collect();
            values.map(|values| format!("(init ({name} {}))", values.join(" ")))
        }
    };
    (0..MOST).map_while(written).map(|it| statement(facts, last.rule, &it)).collect()
}

/// Adds a value to a list such as `(index 2)`, `(index 3)`, if a place has exactly the values of the list.
pub(super) fn listed(facts: &Facts, value: TermId, place: gdl::Place) -> Vec<Fix> {
    const MOST: usize = 2;
    let possible: FxHashSet<Sym> = facts.domains.constants(place).collect();
    let is_flat = facts.domains.functors(place).next().is_none() && !facts.domains.is_open(place);
    if possible.len() < 2 || !is_flat || !is_prefix(facts) || !sees_all(facts) {
        return Vec::new();
    }
    let list = |it: &Predicate| {
        let mut made = it.produced();
        let item = |made: &Occurrence| {
            let node = facts.term(made.term);
            let is_fact = facts.lowered.rules[made.rule as usize].is_fact() && node.arity() == 1;
            node.arg(0).filter(|_| is_fact).map(|arg| facts.term(arg).sym)
        };
        let values: Option<FxHashSet<Sym>> = made.by_ref().map(item).collect();
        let is_list = it.space == Space::Relation && !keyword::is_relation(it.sym) && values? == possible;
        it.produced().last().filter(|_| is_list).map(|last| (last.rule, facts.name(it.sym)))
    };
    let lists = facts.predicates.iter().filter_map(list).take(MOST);
    lists
        .map(|(last, name)| statement(facts, last, &format!("({name} {})", facts.spelling(facts.term(value)))))
        .collect()
}

/// Lets a fluent of one value take another one in the next round: by the facts of a relation that lead to it, else from
/// each of its other values.
pub(super) fn advances(facts: &Facts, atom: TermId, value: TermId, place: gdl::Place) -> Vec<Fix> {
    const MOST: usize = 3;
    let Some((Space::Fluent, fluent)) = facts.inner(atom).filter(|(_, it)| facts.term(*it).arity() == 1) else {
        return Vec::new();
    };
    let last = facts.predicate(Space::Relation, keyword::NEXT).and_then(|it| it.produced().last());
    let Some(last) = last.filter(|_| is_prefix(facts) && sees_all(facts)) else { return Vec::new() };
    let (name, wanted) = (facts.spelling(facts.term(fluent)), facts.term(value).sym);
    let number = |sym: Sym| facts.name(sym).parse::<i64>().ok();
    let mut others: Vec<Sym> = facts.domains.constants(place).filter(|sym| *sym != wanted).collect();
    others.sort_by_key(|sym| {
        let apart = |(one, other): (i64, i64)| other.saturating_sub(one).saturating_sub(1).saturating_abs();
        (number(*sym).zip(number(wanted)).map_or(i64::MAX, apart), *sym)
    });
    let leads = |it: &Predicate| {
        it.space == Space::Relation
            && !keyword::is_relation(it.sym)
            && it.produced().any(|made| {
                let arguments: Vec<Sym> = facts.term(made.term).args().map(|arg| facts.term(arg).sym).collect();
                matches!(arguments[..], [from, to] if to == wanted && from != wanted)
            })
    };
    let by = facts.predicates.iter().filter(|it| leads(it)).map(|it| facts.name(it.sym)).take(MOST);
    let by = by.map(|word| format!("(<= (next ({name} ?n)) (true ({name} ?m)) ({word} ?m ?n))"));
    let to = facts.name(wanted);
    let declared = facts.domains.argument(keyword::BASE, 1, 0);
    let declared = declared.and_then(|whole| facts.domains.inside(whole, facts.term(fluent).sym, 1, 0));
    let lacks = declared.is_some_and(|place| !facts.domains.has_constant(place, wanted));
    let base = if lacks { format!("\n(base ({name} {to}))") } else { String::new() };
    let from = |it: &Sym| format!("(<= (next ({name} {to})) (true ({name} {}))){base}", facts.name(*it));
    let from = others.iter().take(MOST).map(from);
    by.chain(from).map(|it| statement(facts, last.rule, &it)).collect()
}

/// Makes a declared move legal, each time with a condition that other moves of its role have.
pub(super) fn moves(facts: &Facts, unmade: &Predicate) -> Vec<Fix> {
    const MOST: usize = 4;
    let legal = facts.predicate(Space::Relation, keyword::LEGAL);
    let declared = unmade.declared().find(|it| it.via == keyword::INPUT);
    let (Some(legal), Some(declared), true) = (legal, declared, is_prefix(facts) && sees_all(facts)) else {
        return Vec::new();
    };
    let (Some(last), Some(around)) = (legal.produced().last(), facts.around(declared.term)) else { return Vec::new() };
    let Some(role) = facts.term(around).arg(0) else { return Vec::new() };
    let shown = |term: TermId| facts.text(facts.range(term));
    let body: Vec<&str> = facts.lowered.rules[declared.rule as usize]
        .body()
        .iter()
        .map(|literal| facts.text(facts.literal_range(literal)))
        .collect();
    let mut conditions: Vec<&str> = Vec::new();
    for rule in legal.produced().filter(|it| facts.term(it.term).arg(0).is_some_and(|it| shown(it) == shown(role))) {
        for literal in facts.lowered.rules[rule.rule as usize].body() {
            let range = facts.literal_range(literal);
            let is_fluent = matches!(literal, Literal::Atom(atom) if facts.term(*atom).sym == keyword::TRUE);
            let is_ground = bound_by(facts, std::slice::from_ref(literal)).is_empty();
            if is_fluent && is_ground && !conditions.contains(&facts.text(range)) {
                conditions.push(facts.text(range));
            }
        }
    }
    let written = |condition: &&str| {
        let body = body.iter().chain([condition]).copied().collect::<Vec<_>>().join(" ");
        format!("(<= (legal {} {}) {body})", shown(role), shown(declared.term))
    };
    conditions.iter().rev().take(MOST).map(|it| statement(facts, last.rule, &written(it))).collect()
}

/// Removes the statement, unless the game would lack its keyword or a name that is read then.
pub(super) fn without_rule(facts: &Facts, rule: RuleId) -> Option<Fix> {
    let node = &facts.lowered.rules[rule as usize];
    let head = node.head()?;
    let names = [Some((Space::Relation, head)), facts.inner(head)].into_iter().flatten();
    let made = names.filter_map(|(space, term)| facts.predicate(space, facts.term(term).sym));
    let is_needed = |made: &Predicate| keyword::is_relation(made.sym) || made.read().next().is_some();
    let is_last = made.into_iter().any(|made| is_needed(made) && made.produced_or_declared().all(|it| it.rule == rule));
    let what = if node.is_fact() { "the fact" } else { "the rule" };
    (!is_last && sees_all(facts)).then(|| Fix::removal(&facts.source.text, here(node.range), what))
}

/// Removes the condition around a place, if the others bind all variables.
pub(super) fn without_condition(facts: &Facts, rule: RuleId, part: TextRange) -> Option<Fix> {
    let rule = &facts.lowered.rules[rule as usize];
    let at = rule.body().iter().position(|literal| facts.literal_range(literal).contains_range(part))?;
    let rest = rule.body().iter().enumerate().filter(|(other, _)| *other != at).map(|(_, literal)| literal);
    if rule.body().len() < 2 || !is_prefix(facts) || !is_safe(facts, rule, rest) {
        return None;
    }
    let range = facts.literal_range(&rule.body()[at]);
    let text = facts.text(range);
    let what = if text.len() > 60 { "the condition".to_string() } else { format!("`{text}`") };
    Some(Fix::removal(&facts.source.text, here(range), &what))
}

/// Removes every condition that reads a name, if each can be removed.
pub(super) fn without_reads(facts: &Facts, predicate: &Predicate) -> Option<Fix> {
    const MOST: usize = 20;
    if !sees_all(facts) {
        return None;
    }
    let reads: Vec<&Occurrence> = predicate.read().take(MOST + 1).collect();
    let each = |read: &&Occurrence| without_condition(facts, read.rule, facts.range(read.term));
    let fixes: Vec<Fix> = reads.iter().map(each).collect::<Option<_>>()?;
    let is_one_each = reads.windows(2).all(|pair| pair[0].rule != pair[1].rule);
    if fixes.is_empty() || fixes.len() > MOST || !is_one_each {
        return None;
    }
    let title = match &fixes[..] {
        [one] => one.title.clone(),
        _ => format!("Remove these {} conditions", fixes.len()),
    };
    Some(Fix::new(title, fixes.into_iter().flat_map(|fix| fix.edits).collect()))
}

/// True if some of a rule's conditions bind all variables of the head and of the negated ones among them.
fn is_safe<'r>(facts: &Facts, rule: &RuleNode, body: impl Iterator<Item = &'r Literal> + Clone) -> bool {
    let bound: FxHashSet<u32> =
        body.clone().flat_map(|literal| bound_by(facts, std::slice::from_ref(literal))).collect();
    let parts = body.filter(|literal| !matches!(literal, Literal::Atom(_))).map(|literal| facts.literal_range(literal));
    let ranges: Vec<TextRange> = parts.chain(rule.head().map(|head| facts.range(head))).collect();
    let mut tested = rule.terms().filter(|id| ranges.iter().any(|range| range.contains_range(facts.range(*id))));
    tested.all(|id| facts.term(id).variable().is_none_or(|variable| bound.contains(&variable)))
}

/// The variables that a conjunction binds.
pub(super) fn bound_by(facts: &Facts, literals: &[Literal]) -> FxHashSet<u32> {
    let mut bound = FxHashSet::default();
    for literal in literals {
        match literal {
            Literal::Atom(atom) => mark(facts, *atom, &mut bound),
            Literal::And { parts, .. } => bound.extend(bound_by(facts, parts)),
            Literal::Or { parts, .. } => bound.extend(bound_by_all(facts, parts)),
            Literal::Not { .. } | Literal::Distinct { .. } => {}
        }
    }
    bound
}

/// The variables that every branch of an `or` binds.
fn bound_by_all(facts: &Facts, branches: &[Literal]) -> FxHashSet<u32> {
    let Some((first, others)) = branches.split_first() else { return FxHashSet::default() };
    let mut bound = bound_by(facts, std::slice::from_ref(first));
    for branch in others {
        if bound.is_empty() {
            break;
        }
        let here = bound_by(facts, std::slice::from_ref(branch));
        bound.retain(|variable| here.contains(variable));
    }
    bound
}

/// Adds the variables of a term.
pub(super) fn mark(facts: &Facts, term: TermId, bound: &mut FxHashSet<u32>) {
    let node = facts.term(term);
    bound.extend(node.variable());
    node.args().for_each(|arg| mark(facts, arg, bound));
}
