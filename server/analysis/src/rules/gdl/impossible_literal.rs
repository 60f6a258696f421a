//! A condition that no fact can match.

use percept_syntax::near::{is_doubled, nearest_or_doubled};
use rustc_hash::{FxHashMap, FxHashSet};

use super::mends;
use crate::gdl::{
    Clash, Facts, Literal, Makers, Place, RuleId, Shape, Space, Sym, TermId, keyword, one_slip_apart, slips,
};
use crate::{Diagnostic, FileId, Findings, Fix, Rule, Severity, TextEdit};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "impossible-literal", severity: Severity::Warning, page: include_str!("impossible-literal.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    // If rules are missing altogether, the consequences are not a second fault.
    if findings.reported_anywhere(&super::incomplete_game::RULE) {
        return;
    }
    // Moves of names that are not roles are reported already, and so are their consequences.
    let strangers = has_strange_movers(facts, findings);
    let mut groups: Vec<(Clash, Vec<TermId>)> = Vec::new();
    let mut index: FxHashMap<(Place, Sym), usize> = FxHashMap::default();
    let clashes = facts.domains.clashes(facts);
    let clashing: FxHashSet<TermId> = clashes.iter().map(|clash| clash.atom).collect();
    // A literal with a wrong constant does not show the values of its variables.
    let wrong: Vec<(RuleId, TermId)> =
        clashes.iter().filter(|clash| clash.other.is_none()).map(|clash| (clash.rule, clash.atom)).collect();
    for clash in clashes {
        let follows = |(rule, atom): &(RuleId, TermId)| *rule == clash.rule && mentions(facts, *atom, clash.term);
        if clash.other.is_some() && wrong.iter().any(follows) {
            continue;
        }
        // Another rule reports a whole fluent or move that no rule makes.
        if facts.inner(clash.atom).is_some_and(|(_, inner)| inner == clash.term) {
            continue;
        }
        if facts.is_tainted(facts.term(clash.term).sym) && clash.other.is_none() {
            continue;
        }
        if strangers && (facts.term(clash.atom).sym == keyword::DOES || clash.other.is_some()) {
            continue;
        }
        // The same value in the same place is one cause.
        let key = (clash.place, facts.term(clash.term).sym);
        match index.get(&key).filter(|_| clash.other.is_none()) {
            Some(&group) => groups[group].1.push(clash.term),
            None => {
                if clash.other.is_none() {
                    index.insert(key, groups.len());
                }
                groups.push((clash, Vec::new()));
            }
        }
    }
    for (clash, others) in groups {
        let mut finding = describe(facts, &clash);
        for other in others.into_iter().take(5) {
            finding = finding.related(FileId(0), facts.range(other), "the same here");
        }
        findings.push(finding);
    }
    if !facts.domains.given_up() {
        whole_literals(facts, strangers, &clashing, findings);
        distinct(facts, findings);
    }
}

/// True if a variable occurs in a term.
fn mentions(facts: &Facts, term: TermId, variable: TermId) -> bool {
    facts.same(term, variable) || facts.term(term).args().any(|arg| mentions(facts, arg, variable))
}

/// True if `legal` has a first argument that is not a role.
fn has_strange_movers(facts: &Facts, findings: &Findings) -> bool {
    let heads = facts.predicate(Space::Relation, keyword::LEGAL).into_iter().flat_map(|legal| legal.produced());
    let mut ranges = heads.map(|head| facts.range(head.term));
    ranges.any(|range| findings.reported_by(&super::unknown_role::RULE, FileId(0), range))
}

/// Literals whose arguments are all possible separately, but that no head makes together.
fn whole_literals(facts: &Facts, strangers: bool, clashing: &FxHashSet<TermId>, findings: &mut Findings) {
    let makers = Makers::new(facts);
    let mut reported: Vec<TermId> = Vec::new();
    for (_, rule) in facts.sound_rules() {
        for literal in rule.body() {
            literal.atoms(false, &mut |atom, negated| {
                let is_move = facts.term(atom).sym == keyword::DOES;
                let unmade = facts
                    .inner(atom)
                    .is_some_and(|(space, inner)| !slips::is_made(facts, space, facts.term(inner).sym));
                if strangers && is_move || unmade || clashing.contains(&atom) || !makers.is_impossible(facts, atom) {
                    return;
                }
                let range = facts.range(atom);
                let rules = [
                    &super::unknown_relation::RULE,
                    &super::unknown_role::RULE,
                    &super::relation_arity::RULE,
                    &super::unsafe_variable::RULE,
                ];
                if rules.iter().any(|rule| findings.reported_by(rule, FileId(0), range)) {
                    return;
                }
                if reported.iter().any(|other| facts.same(*other, atom)) || reported.len() > 100 {
                    return;
                }
                reported.push(atom);
                let what = if is_move { "`legal`" } else { "fact or rule" };
                let effect = if negated { "its negation always holds" } else { "it can never hold" };
                let message = format!(
                    "no {what} fits `{}` as a whole, so {effect}: check the combination of its arguments",
                    facts.text(range)
                );
                findings.push(facts.at(&RULE, range, message));
            });
        }
    }
}

/// `(distinct ?mark bb)` if `?mark` is never `bb`, but may be `b`.
fn distinct(facts: &Facts, findings: &mut Findings) {
    for (id, rule) in facts.sound_rules() {
        each_distinct(rule.body(), &mut |a, b| {
            for (variable, constant) in [(a, b), (b, a)] {
                let (Some(number), node) = (facts.term(variable).variable(), facts.term(constant)) else { continue };
                let mut places = facts.domains.places_of(id, number);
                let Some(place) = places.find(|place| !facts.domains.is_open(*place)) else { continue };
                if node.shape() != Shape::Constant || facts.domains.variable_can_be(id, number, node.sym) {
                    continue;
                }
                let near = facts.domains.constants(place).map(|sym| facts.name(sym));
                let name = facts.spelling(node);
                let near = near.filter(|near| one_slip_apart(name, near) || name.len() < 3 && repeats(name, near));
                let Some(near) = near.into_iter().next() else { continue };
                let (range, shown) = (facts.range(constant), facts.text(facts.range(variable)));
                let message = format!("`{shown}` is never `{name}`, so this always holds: did you mean `{near}`?");
                let edit = TextEdit { file: FileId(0), range, insert: near.to_string() };
                findings.push(facts.at(&RULE, range, message).fix(format!("Change to `{near}`"), vec![edit]));
            }
        });
    }
}

/// `bb` for `b`.
fn repeats(name: &str, near: &str) -> bool {
    name.len() == near.len() + 1 && name.starts_with(near) && name.ends_with(near)
}

fn each_distinct(literals: &[Literal], f: &mut impl FnMut(TermId, TermId)) {
    for literal in literals {
        match literal {
            Literal::Distinct { args, .. } => {
                if let [a, b] = args[..] {
                    f(a, b);
                }
            }
            Literal::Or { parts, .. } | Literal::And { parts, .. } => each_distinct(parts, f),
            Literal::Not { .. } | Literal::Atom(_) => {}
        }
    }
}

fn describe(facts: &Facts, clash: &Clash) -> Diagnostic {
    let node = facts.term(clash.term);
    let shown = facts.text(node.range());
    if let Some(other) = clash.other {
        let here = values(facts, clash.place);
        let message = format!(
            "no value fits `{shown}` both here and in the other literals of the rule: here it is \
        {here}"
        );
        return facts
            .at(&RULE, node.range(), message)
            .related(FileId(0), facts.range(other), "here it has other values")
            .offer(super::arguments::exchanges(facts, clash.rule, clash.term))
            .offer(without(facts, clash));
    }
    let atom = facts.text(facts.range(clash.atom));
    let effect = if clash.negated { "its negation always holds" } else { "this can never hold" };
    let own = &facts.lowered.rules[clash.rule as usize].variables();
    let marked =
        own.iter().map(|variable| facts.term(variable.first)).find(|it| facts.spelling(it) == facts.spelling(node));
    if let Some(variable) = marked.filter(|_| node.shape() == Shape::Constant) {
        let variable = facts.text(variable.range());
        let message =
            format!("`{shown}` is a constant, and this can never hold: did you mean the variable `{variable}`?");
        let edit = TextEdit { file: FileId(0), range: node.range(), insert: variable.to_string() };
        return facts.at(&RULE, node.range(), message).fix(format!("Change to `{variable}`"), vec![edit]);
    }
    let possible: Vec<&str> = facts.domains.constants(clash.place).map(|sym| facts.name(sym)).collect();
    let near = nearest_or_doubled(facts.spelling(node), possible.iter().copied());
    let finding =
        |hint: String| facts.at(&RULE, node.range(), format!("`{shown}` is never possible here, so {effect}: {hint}"));
    let name = facts.spelling(node);
    let doubled = possible.into_iter().find(|other| name.len() < 3 && is_doubled(other, name));
    let slip = near.filter(|near| one_slip_apart(name, near)).or(doubled);
    if let Some(slip) = slip.and_then(|slip| made_once(facts, slip)) {
        return super::misspelled_constant::describe(facts, slip, name).related(FileId(0), node.range(), "read here");
    }
    match near {
        Some(near) => finding(format!("did you mean `{near}`?")).fix(
            format!("Change to `{near}`"),
            vec![TextEdit { file: FileId(0), range: node.name_range(), insert: near.to_string() }],
        ),
        None => {
            let within = if atom.len() > 80 { String::new() } else { format!("in `{atom}` ") };
            let mut advances = mends::listed(facts, clash.term, clash.place);
            advances.extend(mends::advances(facts, clash.atom, clash.term, clash.place));
            finding(format!("{within}it is {}", values(facts, clash.place)))
                .offer(advances)
                .offer(without(facts, clash))
        }
    }
}

/// Removes a condition that always holds, or a rule that never does.
fn without(facts: &Facts, clash: &Clash) -> Option<Fix> {
    match clash.negated {
        true => mends::without_condition(facts, clash.rule, facts.range(clash.atom)),
        false => mends::without_rule(facts, clash.rule),
    }
}

/// The only occurrence of a name in the whole file, if it is in the head of a rule: then the slip is there.
fn made_once(facts: &Facts, name: &str) -> Option<TermId> {
    let id = mends::only_place(facts, name)?;
    let is_head = facts
        .sound_rules()
        .any(|(_, rule)| rule.head().is_some_and(|head| facts.range(head).contains_range(facts.range(id))));
    is_head.then_some(id)
}

/// The first few values of a place, in words.
fn values(facts: &Facts, place: Place) -> String {
    const SHOWN: usize = 6;
    let mut constants: Vec<String> = facts.domains.constants(place).map(|sym| facts.name(sym).to_string()).collect();
    // Numbers in ascending order; other names in the order of the text.
    constants.sort_by_key(|name| name.parse::<i64>().unwrap_or(i64::MAX));
    let functors = facts.domains.functors(place).map(|(sym, _)| format!("({} ...)", facts.name(sym)));
    let mut all: Vec<String> = constants.into_iter().chain(functors).take(SHOWN + 1).collect();
    if all.len() > SHOWN {
        all[SHOWN] = "...".to_string();
    }
    match &all[..] {
        [one] => format!("always {one}"),
        several => format!("one of {}", several.join(", ")),
    }
}
