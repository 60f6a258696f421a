//! Variables that are not declared.

use rustc_hash::FxHashMap;

use crate::pddl::{Binder, Facts, Place, Stray, Symbol, TypeSet, Variable, nearest, replace, replace_all};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "unbound-variable", severity: Severity::Error, page: include_str!("unbound-variable.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let mut groups: FxHashMap<(Place, Symbol), Vec<&Stray>> = FxHashMap::default();
    let mut order = Vec::new();
    for stray in model.strays.iter().filter(|stray| stray.is_variable) {
        let Some(symbol) = model.names.get(&stray.name.text) else { continue };
        if facts.header_is_broken(stray.place) {
            continue;
        }
        let group = groups.entry((stray.place, symbol)).or_default();
        if group.is_empty() {
            order.push((stray.place, symbol));
        }
        group.push(stray);
    }
    for key in order.iter().take(500) {
        // If it is the only one of its place, another variable there that is doubled or unused is a slip of it.
        let alone = order.iter().filter(|other| other.0 == key.0).count() == 1;
        if alone && doubled(facts, key.0, groups[key][0]).is_some() {
            continue;
        }
        let meant = if alone { unused(facts, key.0, groups[key][0]) } else { None };
        report(facts, key.0, &groups[key], meant, findings);
    }
}

/// The unbound variable of which a doubled one is a slip, if it is the only one of its place.
pub(super) fn twin<'f>(facts: &'f Facts, double: &Variable) -> Option<&'f Stray<'f>> {
    let strays = facts.model.strays.iter().filter(|stray| stray.is_variable && stray.place == double.place);
    let mut names: Vec<&Stray> = strays.collect();
    names.dedup_by(|a, b| a.name.is(&b.name.text));
    match names[..] {
        [one] if doubled(facts, double.place, one).is_some() && !facts.header_is_broken(double.place) => Some(one),
        _ => None,
    }
}

/// A variable that occurs twice in the list of the same place.
fn doubled<'f>(facts: &'f Facts, place: Place, stray: &Stray) -> Option<&'f Variable<'f>> {
    if facts.model.object_named(&stray.name.text).is_some() {
        return None;
    }
    let mut own =
        facts.model.variables.iter().filter(|variable| variable.place == place && variable.file == stray.file);
    own.find(|variable| variable.duplicate_of.is_some())
}

/// The only variable of the same place that nothing uses, outside the lists of quantifiers.
fn unused<'f>(facts: &'f Facts, place: Place, stray: &Stray) -> Option<&'f Variable<'f>> {
    let is_idle = |variable: &&Variable| {
        let listed = matches!(variable.binder, Binder::Action | Binder::Derived);
        variable.place == place && variable.file == stray.file && variable.uses == 0 && listed
    };
    facts.model.variables.iter().find(is_idle)?;
    let wanted = wanted(facts, place, stray);
    let fits = |variable: &&Variable| {
        let is_known = variable.types.is_known(&facts.model.types);
        wanted.is_none_or(|wanted| !is_known || variable.types.may_meet(wanted, &facts.model.types))
    };
    let mut idle = facts.model.variables.iter().filter(is_idle).filter(fits);
    idle.next().filter(|_| idle.next().is_none() && !matches!(place, Place::Init | Place::Goal))
}

/// The types that the place of a variable takes, if they are known.
fn wanted<'f>(facts: &'f Facts, place: Place, stray: &Stray) -> Option<&'f TypeSet> {
    let model = &facts.model;
    let mut here = model.uses.iter().filter(|atom| atom.place == place && atom.file == stray.file);
    let atom = here.find(|atom| atom.range.contains_range(stray.name.range))?;
    let position = atom.args.iter().position(|arg| arg.name.range == stray.name.range)?;
    let types = model.callable(atom.callable?).params.get(position)?;
    types.is_known(&model.types).then_some(types)
}

/// The variables of the same place that have the types of a stray one, unused ones first.
fn declared<'f>(facts: &'f Facts, place: Place, stray: &Stray) -> Vec<&'f Variable<'f>> {
    const MOST: usize = 4;
    if !facts.model.is_pogddl || matches!(place, Place::Init) {
        return Vec::new();
    }
    let wanted = wanted(facts, place, stray);
    let types = &facts.model.types;
    let fits =
        |it: &&Variable| wanted.is_none_or(|wanted| !it.types.is_known(types) || it.types.may_meet(wanted, types));
    let here = facts.model.variables.iter().filter(|it| it.place == place && it.file == stray.file);
    let mut fitting: Vec<&Variable> =
        here.filter(fits).filter(|it| it.uses == 0 || it.binder == Binder::Action).collect();
    fitting.sort_by_key(|it| it.uses > 0);
    fitting.truncate(MOST);
    fitting
}

fn report(facts: &Facts, place: Place, uses: &[&Stray], unused: Option<&Variable>, findings: &mut Findings) {
    let model = &facts.model;
    let first = uses[0];
    let name = &first.name.text;
    let range = first.name.range;
    let in_scope = model.variables.iter().filter(|variable| variable.place == place && variable.file == first.file);
    let near = nearest(name, in_scope.map(|variable| variable.name.text.as_str()));
    let near = near.or_else(|| unused.map(|variable| variable.name.text.as_str()));
    if let Some(unused) = unused.filter(|unused| near.is_some_and(|near| unused.name.is(near))) {
        findings.explain(unused.file, unused.name.range);
    }
    let is_object = model.object_named(name).is_some();
    if let Some(bare) = name.strip_suffix(',') {
        let message = format!("lists have no commas: write `?{bare}`");
        let mut finding = facts.at(&RULE, first.file, range, message);
        finding.fixes.push(replace(format!("Write `?{bare}`"), first.file, range, format!("?{bare}")));
        return findings.push(finding);
    }
    let message = match place {
        Place::Init => format!("`?{name}` is a variable: facts of `:init` contain objects only"),
        _ if is_object => format!("`?{name}` is not declared: did you mean the constant `{name}`?"),
        _ => {
            let hint = near.map(|near| format!(": did you mean `?{near}`?"));
            let way_out = match place {
                Place::Action(_) => ": add it to `:parameters`",
                Place::Goal => ": bind it with `exists` or `forall`",
                _ => ": bind it in the head or with `exists`",
            };
            format!("`?{name}` is not declared{}", hint.unwrap_or_else(|| way_out.to_owned()))
        }
    };
    let mut finding = facts.at(&RULE, first.file, range, message);
    if is_object {
        finding.fixes.push(replace(format!("Write `{name}`"), first.file, range, name.as_str()));
    }
    let places = || uses.iter().map(|it| (it.file, it.name.range));
    if let Some(near) = near {
        finding.fixes.push(replace_all(format!("Write `?{near}`"), places(), &format!("?{near}")));
    }
    let written = declared(facts, place, first).into_iter().filter(|it| near.is_none_or(|near| !it.name.is(near)));
    for other in written {
        // A variable that nothing uses is the misspelt one.
        let (title, name) = (format!("Write `?{}`", other.name.text), format!("?{}", other.name.text));
        finding.fixes.push(match other.uses {
            0 => replace(
                format!("Declare `?{0}` as `?{1}`", other.name.text, first.name.text),
                other.file,
                other.name.range,
                format!("?{}", first.name.text),
            ),
            _ => replace_all(title, places(), &name),
        });
    }
    for other in uses.iter().skip(1).take(5) {
        finding = finding.related(other.file, other.name.range, "also here");
    }
    findings.push(finding);
}
