//! Types that are used and not declared.

use rustc_hash::FxHashMap;

use crate::pddl::{Facts, Symbol, TypeUse, nearest, replace, replace_all};
use crate::{Findings, Fix, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "unknown-type", severity: Severity::Error, page: include_str!("unknown-type.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let mut by_name: FxHashMap<Symbol, Vec<&TypeUse>> = FxHashMap::default();
    let mut order = Vec::new();
    for place in &model.unknown_types {
        let Some(symbol) = model.names.get(&place.name.text) else { continue };
        if facts.may_be_hidden(&place.name.text) {
            continue;
        }
        let uses = by_name.entry(symbol).or_default();
        if uses.is_empty() {
            order.push(symbol);
        }
        uses.push(place);
    }
    if !facts.declares(":types") {
        return without_section(facts, order.iter().map(|symbol| by_name[symbol][0]).collect(), findings);
    }
    for symbol in order.into_iter().take(200) {
        report(facts, &by_name[&symbol], findings);
    }
    misspelt_parents(facts, findings);
}

/// Reports all types in one finding, if `:types` is missing.
fn without_section(facts: &Facts, uses: Vec<&TypeUse>, findings: &mut Findings) {
    let Some(first) = uses.first() else { return };
    let names: Vec<&str> = uses.iter().map(|place| place.name.text.as_str()).collect();
    let list = names.iter().take(8).copied().collect::<Vec<_>>().join(" ");
    let message = match names.len() {
        1 => format!("`{list}` is not a declared type: add `(:types {list})`"),
        _ => {
            format!("the domain declares no types: add `(:types {list}{})`", if names.len() > 8 { " ..." } else { "" })
        }
    };
    let mut finding = facts.at(&RULE, first.file, first.name.range, message);
    if let Some(edit) = facts.declare(":types", &names.join(" ")) {
        finding.fixes.push(Fix::new("Declare the types", vec![edit]));
    }
    for other in uses.iter().skip(1).take(5) {
        finding = finding.related(other.file, other.name.range, "this type too");
    }
    findings.push(finding);
}

fn report(facts: &Facts, uses: &[&TypeUse], findings: &mut Findings) {
    let model = &facts.model;
    let first = uses[0];
    let name = &first.name.text;
    let names = model.types.list.iter().filter(|ty| ty.is_known()).map(|ty| model.names.text(ty.name));
    let gains = model.gains.iter().filter_map(|gain| gain.variables.first()).map(|id| model.variable(*id).group.range);
    let is_gainer =
        first.file == model.domain_file && gains.into_iter().any(|group| group.contains_range(first.name.range));
    // The first argument of a gain is a role, whatever else is near.
    let role =
        model.names.get("role").and_then(|role| model.types.get(role)).filter(|role| model.types.is_known(*role));
    let near = match role.filter(|_| is_gainer) {
        Some(_) => Some("role"),
        None => nearest(name, names.chain(["object"])),
    };
    let hint = near.map(|near| format!(": did you mean `{near}`?")).unwrap_or_default();
    let way_out = if near.is_some() { hint } else { ": add it to `:types`".to_owned() };
    let mut finding =
        facts.at(&RULE, first.file, first.name.range, format!("`{name}` is not a declared type{way_out}"));
    if let Some(near) = near {
        finding.fixes.push(replace_all(
            format!("Write `{near}`"),
            uses.iter().map(|it| (it.file, it.name.range)),
            near,
        ));
    }
    if let Some(edit) = facts.declare(":types", name) {
        finding.fixes.push(Fix::new(format!("Declare the type `{name}`"), vec![edit]));
    }
    for other in uses.iter().skip(1).take(5) {
        finding = finding.related(other.file, other.name.range, "also here");
    }
    findings.push(finding);
}

/// `(:types truck - vehicel car - vehicle)`: a supertype may occur only after a `-`, so a slip there declares a type.
fn misspelt_parents(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let doubtful = model.types.list.iter().skip(1).filter(|ty| ty.declared.is_empty() && !ty.used);
    for ty in doubtful.take(100) {
        let name = model.names.text(ty.name);
        let better = model.types.list.iter().skip(1).filter(|other| {
            other.name != ty.name && (!other.declared.is_empty() || other.as_parent.len() > ty.as_parent.len())
        });
        let (Some(near), [range]) = (nearest(name, better.map(|ty| model.names.text(ty.name))), &ty.as_parent[..])
        else {
            continue;
        };
        // `t1 t2 - t`: names that differ by a digit are not slips.
        if name.bytes().chain(near.bytes()).any(|byte| byte.is_ascii_digit()) {
            continue;
        }
        let message = format!("`{name}` is not a declared type: did you mean `{near}`?");
        let mut finding = facts.at(&RULE, model.domain_file, *range, message);
        finding.fixes.push(replace(format!("Write `{near}`"), model.domain_file, *range, near));
        findings.push(finding);
    }
}
