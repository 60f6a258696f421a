//! Arguments whose type can never be the declared one.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::pddl::{AtomUse, Callable, CallableId, Facts, Term, TypeId, TypeSet, UseKind};
use crate::{Findings, Fix, Rule, Severity, TextEdit};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "argument-type", severity: Severity::Error, page: include_str!("argument-type.md") };

/// The relation between an argument's types and the declared ones.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Match {
    Within,
    /// Some of its objects are of the declared type.
    Partly,
    Never,
}

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let is_wrong = |atom: &AtomUse| (0..atom.terms.len()).any(|position| judge(facts, atom, position) == Match::Never);
    if !model.uses.iter().any(is_wrong) {
        return;
    }
    let mut wrong: Vec<Vec<(&AtomUse, usize)>> = vec![Vec::new(); model.callables.len()];
    let mut uses = vec![0_u32; model.callables.len()];
    let mut terms = Terms::default();
    for atom in &model.uses {
        let Some(id) = atom.callable else { continue };
        uses[id.0 as usize] += 1;
        for (position, term) in model.terms_of(atom).iter().enumerate() {
            let judged = judge(facts, atom, position);
            terms.note(*term, judged, atom, position);
            if judged == Match::Never {
                wrong[id.0 as usize].push((atom, position));
            }
        }
    }
    let (roots, reported) = roots(facts, &wrong, findings);
    terms
        .wrong
        .retain(|(_, places)| !places.iter().any(|(atom, position)| reported.contains(&(atom.range, *position))));
    for list in &mut wrong {
        list.retain(|(atom, position)| !reported.contains(&(atom.range, *position)));
    }
    roots.into_iter().for_each(|finding| findings.push(finding));
    let all_wrong = terms.declare(facts, findings);
    for (i, list) in wrong.iter().enumerate() {
        let callable = model.callable(CallableId(i as u32));
        let Some(&(first, position)) = list.first() else { continue };
        let all = uses[i] > 2 && list.iter().filter(|(_, at)| *at == position).count() == uses[i] as usize;
        if all {
            declaration(facts, callable, first, position, findings);
            continue;
        }
        let mut last = None;
        for (atom, position) in list {
            // Two wrong arguments of one atom are one slip, and a term that is wrong everywhere is reported once.
            let is_reported = all_wrong.contains(&model.terms_of(atom)[*position]);
            if last != Some(atom.range) && !is_reported {
                one(facts, callable, atom, *position, findings);
            }
            last = Some(atom.range);
        }
    }
}

/// The arguments, by atom and position, that a finding covers.
type ReportedTerms = FxHashSet<(percept_syntax::TextRange, usize)>;

/// Types that occur in `:types` only after a `-`, and whose objects are repeatedly used as another type. A type was
/// omitted there, or a misspelling is already reported.
fn roots(
    facts: &Facts,
    wrong: &[Vec<(&AtomUse, usize)>],
    findings: &Findings,
) -> (Vec<crate::Diagnostic>, ReportedTerms) {
    const SEVERAL: usize = 3;
    let model = &facts.model;
    let mut groups: FxHashMap<(TypeId, TypeId), Vec<(&AtomUse, usize)>> = FxHashMap::default();
    let mut order = Vec::new();
    for (atom, position) in wrong.iter().flatten() {
        let (Some(callable), Some(found)) = (atom.callable, model.types_of(model.terms_of(atom)[*position])) else {
            continue;
        };
        let wanted = &model.callable(callable).params[*position];
        let (Some(found), Some(wanted)) = (found.as_slice().first(), wanted.as_slice().first()) else { continue };
        let Some(root) = model.types.implicit_root(*found) else { continue };
        let group = groups.entry((root, *wanted)).or_default();
        if group.is_empty() {
            order.push((root, *wanted));
        }
        group.push((*atom, *position));
    }
    let (mut reported, mut list) = (ReportedTerms::default(), Vec::new());
    for key in order {
        let (root, wanted) = (model.types.of(key.0), model.types.of(key.1));
        let places = &groups[&key];
        let range = root.as_parent[0];
        let is_misspelt = findings.reported_by(&super::unknown_type::RULE, model.domain_file, range);
        if places.len() < SEVERAL && !is_misspelt {
            continue;
        }
        reported.extend(places.iter().map(|(atom, position)| (atom.range, *position)));
        if is_misspelt {
            continue;
        }
        let (root, wanted) = (model.names.text(root.name), model.names.text(wanted.name));
        let message =
            format!("`{root}` has no supertype, but is used as a `{wanted}` throughout: declare `{root} - {wanted}`");
        let mut finding = facts.at(&RULE, model.domain_file, range, message);
        for (atom, position) in places.iter().take(5) {
            finding = finding.related(atom.file, model.term_range(atom, *position), "used here");
        }
        list.push(finding);
    }
    (list, reported)
}

/// The fit of each variable and object to its places.
#[derive(Default)]
struct Terms<'f, 'a> {
    right: FxHashSet<Term>,
    /// Places that other terms fit: their declaration is not at fault.
    sound: FxHashSet<(CallableId, usize)>,
    wrong: Vec<(Term, Vec<(&'f AtomUse<'a>, usize)>)>,
    index: FxHashMap<Term, usize>,
}

impl<'f, 'a> Terms<'f, 'a> {
    fn note(&mut self, term: Term, judged: Match, atom: &'f AtomUse<'a>, position: usize) {
        if judged != Match::Never {
            self.right.insert(term);
            self.sound.extend(atom.callable.map(|id| (id, position)));
            return;
        }
        let next = self.wrong.len();
        let index = *self.index.entry(term).or_insert(next);
        if index == next {
            self.wrong.push((term, Vec::new()));
        }
        self.wrong[index].1.push((atom, position));
    }

    /// Reports, at their declaration, the variables and objects that have a wrong type in all of several places that
    /// need the same type; returns those whose places need no report of their own.
    fn declare(self, facts: &'f Facts<'a>, findings: &mut Findings) -> FxHashSet<Term> {
        let model = &facts.model;
        let mut reported = FxHashSet::default();
        let mut groups = FxHashSet::default();
        for (term, places) in self.wrong {
            if let Term::Variable(id) = term
                && super::unclear_roles::is_no_gainer(facts, id)
            {
                reported.insert(term);
                continue;
            }
            let wanted = |(atom, position): &(&AtomUse, usize)| {
                let callable = model.callable(atom.callable?);
                Some((describe(facts, &callable.params[*position]), (atom.callable?, *position)))
            };
            let all: Option<Vec<(String, (CallableId, usize))>> = places.iter().map(wanted).collect();
            let Some(all) = all.filter(|all| {
                let same = all.len() > 1 && all.iter().all(|(name, _)| *name == all[0].0);
                same && all.iter().any(|(_, place)| *place != all[0].1 || self.sound.contains(place))
            }) else {
                continue;
            };
            let (Some((file, range)), false) = (place_of(facts, term), self.right.contains(&term)) else { continue };
            // Names declared together have the same mistake.
            if group_of(facts, term).is_some_and(|group| !groups.insert((file, group))) {
                reported.insert(term);
                continue;
            }
            let found = model.types_of(term).map(|types| describe(facts, types)).unwrap_or_default();
            let message =
                format!("`{}` is declared as `{found}`, but is a `{}` wherever it is used", facts.term(term), all[0].0);
            let mut finding = facts.at(&RULE, file, range, message);
            for (atom, position) in places.iter().take(5) {
                finding = finding.related(atom.file, model.term_range(atom, *position), "used here");
            }
            findings.push(finding);
            reported.insert(term);
        }
        reported
    }
}

/// Compares the types of an argument with those of its place.
pub(super) fn judge(facts: &Facts, atom: &AtomUse, position: usize) -> Match {
    let model = &facts.model;
    let Some(callable) = atom.callable.map(|id| model.callable(id)) else { return Match::Within };
    // With too few or too many arguments, positions have no meaning; this is already reported.
    if facts.header_is_broken(atom.place) || atom.terms.len() != callable.params.len() {
        return Match::Within;
    }
    let term = model.terms_of(atom)[position];
    let (Some(wanted), Some(found)) = (callable.params.get(position), model.types_of(term)) else {
        return Match::Within;
    };
    if facts.declaration_is_broken(callable.declaration.range) {
        return Match::Within;
    }
    judge_types(facts, found, wanted)
}

/// Predicates with a fact or effect whose arguments have impossible types. The consequences are not reported.
pub(super) fn doubtful(facts: &Facts) -> FxHashSet<CallableId> {
    let model = &facts.model;
    let sets = |atom: &&AtomUse| matches!(atom.kind, UseKind::Add | UseKind::Head | UseKind::InitFact);
    let wrong = |atom: &&AtomUse| (0..atom.terms.len()).any(|position| judge(facts, atom, position) == Match::Never);
    model.uses.iter().filter(sets).filter(wrong).filter_map(|atom| atom.callable).collect()
}

fn judge_types(facts: &Facts, found: &TypeSet, wanted: &TypeSet) -> Match {
    let types = &facts.model.types;
    if found.suits(wanted, types) {
        Match::Within
    } else if found.may_meet(wanted, types) {
        Match::Partly
    } else {
        Match::Never
    }
}

/// Every use has another type at this place: the declaration is at fault.
fn declaration(facts: &Facts, callable: &Callable, atom: &AtomUse, position: usize, findings: &mut Findings) {
    let model = &facts.model;
    let wanted = describe(facts, &callable.params[position]);
    let found = model.types_of(model.terms_of(atom)[position]).map(|types| describe(facts, types)).unwrap_or_default();
    let name = &callable.declaration.name;
    let message = format!(
        "argument {} of `{}` is declared as `{wanted}`, but is a `{found}` wherever it is used",
        position + 1,
        name.text
    );
    let finding = facts.at(&RULE, model.domain_file, name.range, message);
    findings.push(finding.related(atom.file, model.term_range(atom, position), "used here"));
}

fn one(facts: &Facts, callable: &Callable, atom: &AtomUse, position: usize, findings: &mut Findings) {
    let model = &facts.model;
    let term = model.terms_of(atom)[position];
    let found = model.types_of(term).map(|types| describe(facts, types)).unwrap_or_default();
    let wanted = describe(facts, &callable.params[position]);
    let message = format!("`{}` is a `{found}`, but `{}` takes a `{wanted}` here", facts.term(term), atom.name.text);
    let mut finding = facts.at(&RULE, atom.file, model.term_range(atom, position), message);
    finding = finding.related(model.domain_file, callable.declaration.name.range, "declared here");
    if let Some(fix) = exchange(facts, callable, atom, position) {
        finding.message += ": are the arguments in the wrong order?";
        finding.fixes.push(fix);
    }
    let decided = place_of(facts, term);
    if let Some((file, range)) = decided {
        finding = finding.related(file, range, "its type is given here");
    }
    findings.push(finding);
}

/// The typed group that declares a term.
fn group_of(facts: &Facts, term: Term) -> Option<percept_syntax::TextRange> {
    match term {
        Term::Variable(id) => Some(facts.model.variable(id).group.range),
        Term::Object(id) => facts.model.object(id).places.first().map(|place| place.group.range),
        Term::Unknown(_) => None,
    }
}

fn place_of(facts: &Facts, term: Term) -> Option<(crate::FileId, percept_syntax::TextRange)> {
    match term {
        Term::Variable(id) => Some((facts.model.variable(id).file, facts.model.variable(id).name.range)),
        Term::Object(id) => facts.model.object(id).places.first().map(|place| (place.file, place.written.range)),
        Term::Unknown(_) => None,
    }
}

/// The exchange with another argument that corrects both.
fn exchange(facts: &Facts, callable: &Callable, atom: &AtomUse, position: usize) -> Option<Fix> {
    let model = &facts.model;
    if atom.kind == UseKind::Head || atom.terms.len() != callable.params.len() {
        return None;
    }
    let terms = model.terms_of(atom);
    let fits = |term: Term, place: usize| {
        model.types_of(term).is_some_and(|types| judge_types(facts, types, &callable.params[place]) == Match::Within)
    };
    let other = (0..terms.len()).find(|other| {
        *other != position
            && terms[*other] != terms[position]
            && fits(terms[position], *other)
            && fits(terms[*other], position)
    })?;
    let (here, there) = (&atom.args[position], &atom.args[other]);
    let written = |arg: &percept_syntax::pddl::Arg| model.text(atom.file, arg.name.range).to_string();
    let edit = |at: &percept_syntax::pddl::Arg, insert| TextEdit { file: atom.file, range: at.name.range, insert };
    let edits = vec![edit(here, written(there)), edit(there, written(here))];
    Some(Fix::new("Exchange the two arguments", edits))
}

/// `card`, or `card or slot`.
pub(super) fn describe(facts: &Facts, types: &TypeSet) -> String {
    let model = &facts.model;
    let names: Vec<_> = types.as_slice().iter().map(|id| model.names.text(model.types.of(*id).name)).collect();
    names.join(" or ")
}
