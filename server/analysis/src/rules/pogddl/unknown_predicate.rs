//! Predicates that are used and not declared.

use rustc_hash::FxHashMap;

use crate::pddl::{AtomUse, Facts, OBJECT, Symbol, Term, UseKind, form_of, nearest, replace_all};
use crate::{Findings, Fix, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "unknown-predicate", severity: Severity::Error, page: include_str!("unknown-predicate.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let unknown = unknown_heads(facts, |kind| {
        matches!(
            kind,
            UseKind::Read { .. }
                | UseKind::Add
                | UseKind::Delete
                | UseKind::Head
                | UseKind::InitFact
                | UseKind::InitNegated
        )
    });
    if !facts.declares(":predicates") {
        return without_section(facts, &unknown, findings);
    }
    for uses in unknown.iter().take(200) {
        report(facts, uses, findings);
    }
}

/// Uses of undeclared heads, those of one name together, in the order of their first uses.
pub(super) fn unknown_heads<'f, 'a>(
    facts: &'f Facts<'a>,
    wanted: impl Fn(UseKind) -> bool,
) -> Vec<Vec<&'f AtomUse<'a>>> {
    let model = &facts.model;
    let mut index: FxHashMap<Symbol, usize> = FxHashMap::default();
    let mut groups: Vec<Vec<&AtomUse>> = Vec::new();
    if model.domain.is_none() {
        return groups;
    }
    for atom in model.uses.iter().filter(|atom| atom.callable.is_none() && wanted(atom.kind)) {
        let Some(symbol) = model.names.get(&atom.name.text) else { continue };
        if facts.may_be_hidden(&atom.name.text) {
            continue;
        }
        let group = *index.entry(symbol).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(atom);
    }
    groups
}

/// Reports all predicates of a fragment in one finding.
fn without_section(facts: &Facts, unknown: &[Vec<&AtomUse>], findings: &mut Findings) {
    let (Some(first), Some(domain)) = (unknown.first(), facts.model.domain) else { return };
    let used = (first[0].file, first[0].name.range);
    let (file, range) = domain.name.as_ref().map_or(used, |name| (facts.model.domain_file, name.range));
    let names: Vec<_> = unknown.iter().take(8).map(|uses| format!("`{}`", uses[0].name.text)).collect();
    let more = if unknown.len() > names.len() { ", ..." } else { "" };
    let message = format!(
        "the domain has no `(:predicates ...)`, so the arguments of {}{more} are unknown: declare every predicate",
        names.join(", ")
    );
    let mut finding = facts.at(&RULE, file, range, message);
    let declarations: Vec<_> = unknown.iter().map(|uses| declaration(facts, uses[0])).collect();
    if let Some(edit) = facts.declare(":predicates", &declarations.join(" ")) {
        finding.fixes.push(Fix::new("Declare the predicates", vec![edit]));
    }
    findings.push(finding);
}

fn report(facts: &Facts, uses: &[&AtomUse], findings: &mut Findings) {
    let model = &facts.model;
    let first = uses[0];
    let name = &first.name.text;
    let symbol = model.names.get(name);
    let predicates = model.callables.iter().filter(|callable| !callable.is_function);
    let same_arity = predicates.clone().filter(|callable| callable.params.len() == first.args.len());
    let compared = predicates.clone().take_while(|callable| callable.declaration.range.start < facts.compared_until);
    let near = nearest(name, compared.map(|callable| model.names.text(callable.name)))
        .or_else(|| form_of(name, same_arity.map(|callable| model.names.text(callable.name))));
    let message = match near {
        Some(near) => format!("`{name}` is not a declared predicate: did you mean `{near}`?"),
        None if symbol.is_some_and(|symbol| model.functions.contains_key(&symbol)) => {
            format!("`{name}` is a numeric function: compare it with a number, `(= ({name} ...) 0)`")
        }
        None if symbol
            .and_then(|symbol| model.types.get(symbol))
            .is_some_and(|ty| ty != OBJECT && model.types.is_known(ty)) =>
        {
            format!("`{name}` is a type, not a predicate: write `?x - {name}` where the variable is declared")
        }
        None if model.object_named(name).is_some() => constant(facts, name),
        None => format!("`{name}` is not a declared predicate: add `{}` to `:predicates`", declaration(facts, first)),
    };
    let mut finding = facts.at(&RULE, first.file, first.name.range, message);
    if let Some(near) = near {
        finding.fixes.push(replace_all(
            format!("Write `{near}`"),
            uses.iter().map(|it| (it.file, it.name.range)),
            near,
        ));
    }
    let is_function = symbol.is_some_and(|symbol| model.functions.contains_key(&symbol));
    if let (false, Some(edit)) = (is_function, facts.declare(":predicates", &declaration(facts, first))) {
        finding.fixes.push(Fix::new(format!("Declare the predicate `{name}`"), vec![edit]));
    }
    for other in uses.iter().skip(1).take(5) {
        finding = finding.related(other.file, other.name.range, "also here");
    }
    match near {
        Some(near) => findings.push_about(near, finding),
        None => findings.push(finding),
    }
}

/// `(finalflip)` for `(inphase finalflip)`.
fn constant(facts: &Facts, name: &str) -> String {
    let model = &facts.model;
    let types = model.object_named(name).and_then(|id| model.types_of(Term::Object(id)));
    let about = model.callables.iter().find(|callable| {
        !callable.is_function && types.is_some_and(|types| callable.params.as_slice() == std::slice::from_ref(types))
    });
    match about {
        Some(about) => {
            let predicate = model.names.text(about.name);
            format!("`{name}` is a constant, not a predicate: did you mean `({predicate} {name})`?")
        }
        None => format!("`{name}` is a constant, not a predicate: write a predicate before it"),
    }
}

/// A declaration as the use suggests: `(at ?c - card ?s - slot)`.
pub(super) fn declaration(facts: &Facts, atom: &AtomUse) -> String {
    let model = &facts.model;
    let mut text = format!("({}", atom.name.text);
    for (i, term) in model.terms_of(atom).iter().enumerate() {
        text += &format!(" ?x{}", i + 1);
        let ty = model.types_of(*term).and_then(|types| types.as_slice().first());
        if let Some(ty) = ty.filter(|ty| **ty != OBJECT) {
            text += &format!(" - {}", model.names.text(model.types.of(*ty).name));
        }
    }
    text + ")"
}
