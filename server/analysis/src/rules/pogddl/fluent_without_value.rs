//! Numbers that are read before an effect or fact gives them a value.

use rustc_hash::{FxHashMap, FxHashSet};

use percept_syntax::pddl::AssignOp;

use crate::pddl::{
    AtomUse, CallableId, EffectNode, Facts, Formula, KeyId, ObjectId, Place, Term, UseId, UseKind, VarId, file_of,
    replace,
};
use crate::{Findings, Fix, Rule, Severity};
use percept_syntax::TextRange;

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "fluent-without-value", severity: Severity::Warning, page: include_str!("fluent-without-value.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    if !facts.is_whole() || facts.makes_unknown() || hides_values(facts) {
        return;
    }
    for i in 0..model.callables.len() as u32 {
        let id = CallableId(i);
        let uses = facts.usage.of(id);
        let assigned = uses.assigned.iter().any(|id| model.atom(*id).kind == UseKind::Assigned);
        // A function that an action assigns may have its value by the time it is read; with assignments only under a
        // `when` it may not.
        if !model.callable(id).is_function || assigned && (!uses.init.is_empty() || surely_assigned(facts, id)) {
            continue;
        }
        if uses.init.is_empty() {
            no_value_at_all(facts, id, findings);
        } else {
            some_values(facts, id, findings);
        }
    }
}

/// True if a part of the files that Percept does not read may give values: any such part except a plan metric.
fn hides_values(facts: &Facts) -> bool {
    let files = facts.model.sources().filter_map(|(_, source)| file_of(source));
    files
        .flat_map(|file| &file.outside)
        .any(|outside| !outside.keyword.is(":metric") && !outside.keyword.is(":observe"))
}

/// True if some action assigns the function whenever it is played, or for each of its arguments.
fn surely_assigned(facts: &Facts, id: CallableId) -> bool {
    fn assigns(facts: &Facts, effects: &[EffectNode], id: CallableId) -> bool {
        effects.iter().any(|effect| match effect {
            EffectNode::Assign { target, op: AssignOp::Assign, .. } => facts.model.atom(*target).callable == Some(id),
            EffectNode::Forall { effects, .. } => assigns(facts, effects, id),
            _ => false,
        })
    }
    facts.model.actions.iter().any(|action| assigns(facts, &action.effects, id))
}

/// Reads, and changes such as `increase`, which read too.
fn readers<'f, 'a>(facts: &'f Facts<'a>, id: CallableId) -> impl Iterator<Item = (UseId, &'f AtomUse<'a>)> {
    let uses = facts.usage.of(id);
    let mut all: Vec<UseId> = uses.reads.iter().chain(&uses.assigned).copied().collect();
    all.sort_unstable();
    all.into_iter().map(|id| (id, facts.model.atom(id)))
}

fn no_value_at_all(facts: &Facts, id: CallableId, findings: &mut Findings) {
    let model = &facts.model;
    let Some((_, atom)) = readers(facts, id).next() else { return };
    let name = &atom.name.text;
    let example = example(facts, id);
    let message = format!("`{name}` is read here, and `:init` gives it no value: add `{example}`");
    let mut finding = facts.at(&RULE, atom.file, atom.range, message);
    if let Some(problem) = model.problem {
        let init = problem.sections.iter().find(|section| section.keyword.is(":init"));
        let place = init.map(|init| init.keyword.range).or(problem.name.as_ref().map(|name| name.range));
        if let Some(place) = place {
            finding = finding.related(model.problem_file, place, "without a value");
        }
    }
    findings.push(finding.offer(added(facts, &example)));
}

/// An example of the missing fact: `(= (diff c1 c1) 0)`.
fn example(facts: &Facts, id: CallableId) -> String {
    let model = &facts.model;
    let callable = model.callable(id);
    let object = |types: &crate::pddl::TypeSet| {
        let of_type = model
            .objects
            .iter()
            .find(|object| object.places.first().is_some_and(|place| place.types.within(types, &model.types)));
        of_type.map_or("...", |object| model.names.text(object.name))
    };
    let args: String = callable.params.iter().map(|types| format!(" {}", object(types))).collect();
    format!("(= ({}{args}) 0)", model.names.text(callable.name))
}

/// Reads of constants, and reads of one variable whose objects can be listed.
fn some_values(facts: &Facts, id: CallableId, findings: &mut Findings) {
    let model = &facts.model;
    let init = &facts.usage.of(id).init;
    let keys: FxHashSet<KeyId> = init.iter().map(|id| model.atom(*id).key).collect();
    let mut reported: FxHashSet<ObjectId> = FxHashSet::default();
    let mut seen: FxHashSet<KeyId> = FxHashSet::default();
    for (_, atom) in readers(facts, id) {
        if atom.place == Place::Init || atom.terms.len() != model.callable(id).params.len() || !seen.insert(atom.key) {
            continue;
        }
        let terms = model.terms_of(atom);
        if terms.iter().all(|term| matches!(term, Term::Object(_))) && !keys.contains(&atom.key) {
            let objects: Vec<ObjectId> =
                terms.iter().filter_map(|term| if let Term::Object(id) = term { Some(*id) } else { None }).collect();
            // The same value is missing at every read.
            if let [object] = objects[..]
                && !reported.insert(object)
            {
                continue;
            }
            report(facts, atom, &facts.quote(atom.file, atom.range), findings);
        } else if let [Term::Variable(variable)] = terms {
            let with_value = facts.usage.init_objects(id, 0);
            let missing = possible_objects(facts, *variable)
                .into_iter()
                .find(|object| with_value.binary_search(object).is_err() && !reported.contains(object));
            if let Some(object) = missing {
                reported.insert(object);
                let text = format!("({} {})", atom.name.text, facts.term(Term::Object(object)));
                report(facts, atom, &text, findings);
            }
        }
    }
}

fn report(facts: &Facts, atom: &AtomUse, missing: &str, findings: &mut Findings) {
    let message = format!("`{missing}` can be read here, and `:init` gives it no value: add `(= {missing} 0)`");
    findings.push(facts.at(&RULE, atom.file, atom.range, message).offer(added(facts, &format!("(= {missing} 0)"))));
}

/// Adds a value at the end of `:init`.
fn added(facts: &Facts, value: &str) -> Option<Fix> {
    let model = &facts.model;
    let init = model.problem?.sections.iter().find(|section| section.keyword.is(":init"))?;
    let at = TextRange::at(init.range.end.saturating_sub(1));
    let is_whole = !value.contains("...");
    is_whole.then(|| replace(format!("Add `{value}`"), model.problem_file, at, format!(" {value}")))
}

/// The possible objects of a variable: those of its type that are also among the initial facts of the unchanging
/// predicates required of it. Chance keeps no score.
fn possible_objects(facts: &Facts, variable: VarId) -> Vec<ObjectId> {
    let model = &facts.model;
    let types = &model.variable(variable).types;
    let guards = guards(facts, variable);
    let mut objects = Vec::new();
    for (i, object) in model.objects.iter().enumerate() {
        let id = ObjectId(i as u32);
        let of_type = object.places.iter().any(|place| place.types.within(types, &model.types));
        let allowed = guards.iter().all(|objects| objects.binary_search(&id).is_ok());
        let reached = facts.values.as_ref().and_then(|values| values.of(variable));
        let reached = reached.is_none_or(|objects| objects.contains(&id));
        if of_type && allowed && reached && model.names.text(object.name) != "chance" {
            objects.push(id);
        }
    }
    objects
}

/// For every static condition on the variable, the objects that satisfy it.
fn guards<'f>(facts: &'f Facts, variable: VarId) -> Vec<&'f [ObjectId]> {
    let model = &facts.model;
    let mut guards: FxHashMap<(CallableId, usize), &[ObjectId]> = FxHashMap::default();
    let mut note = |formula: &Formula| {
        if let Formula::Literal { positive: true, atom, .. } = formula {
            let Some(head) = model.atom(*atom).callable else { return };
            let derived = !facts.usage.of(head).heads.is_empty();
            let changing = !facts.usage.of(head).adds.is_empty();
            for (position, term) in model.terms(*atom).iter().enumerate() {
                if *term == Term::Variable(variable) && !derived && !changing {
                    guards.insert((head, position), facts.usage.init_objects(head, position));
                }
            }
        }
    };
    let variable = model.variable(variable);
    let conditions: Vec<&Formula> = match variable.place {
        Place::Action(i) => model.actions[i as usize].precondition.iter().collect(),
        Place::Gain(i) => vec![&model.gains[i as usize].condition],
        Place::Derived(i) => vec![&model.derived[i as usize].body],
        Place::Init | Place::Goal | Place::Plan => Vec::new(),
    };
    for condition in conditions {
        every_part(condition, &mut note);
    }
    guards.into_values().collect()
}

/// The parts of a condition that must hold whenever its variables are read: conjunctions and quantifiers, not `or`.
fn every_part(formula: &Formula, note: &mut impl FnMut(&Formula)) {
    match formula {
        Formula::And { parts, .. } => parts.iter().for_each(|part| every_part(part, note)),
        Formula::Exists { body, .. } | Formula::Forall { body, .. } => every_part(body, note),
        other => note(other),
    }
}
